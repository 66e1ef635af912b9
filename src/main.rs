//! satscope's binary: arguments in, exit code out; the rest is the library's.

use std::process::ExitCode;

fn main() -> ExitCode {
    satscope::cli::main(std::env::args_os())
}
