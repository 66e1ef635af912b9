//! satscope's binary.
fn main() {}
