//! What the fuzz targets call: the same entries with which the integration tests replay the corpus.
//!
//! ```text
//! cargo install cargo-fuzz
//! RUSTC_BOOTSTRAP=1 cargo fuzz run --sanitizer none body tests/corpus/body        # from the root of the repository
//! ```
//!
//! New finds go into `tests/corpus/<target>/` once they are mended; there `cargo test` replays them.
#![expect(dead_code, reason = "of what the tests share only a part is used here")]

#[path = "../../tests/it/corpus/entries.rs"]
mod corpus;
#[path = "../../tests/it/support"]
mod support {
    pub(crate) mod hostile;
    pub(crate) mod screen;
}

/// The entries, one a target.
pub mod entries {
    /// The body of an answer.
    pub fn body(data: &[u8]) {
        crate::corpus::body(data);
    }
    /// A sat in any notation.
    pub fn sat(data: &[u8]) {
        crate::corpus::sat(data);
    }
    /// A BRC-20 amount.
    pub fn amount(data: &[u8]) {
        crate::corpus::amount(data);
    }
    /// A configuration file.
    pub fn configuration(data: &[u8]) {
        crate::corpus::configuration(data);
    }
    /// Keys, answers and sizes.
    pub fn keys(data: &[u8]) {
        crate::corpus::keys(data);
    }
}
