//! Entry points of the fuzz targets, shared with the integration tests that replay the corpus.
//!
//! ```text
//! cargo install cargo-fuzz
//! RUSTC_BOOTSTRAP=1 cargo fuzz run --sanitizer none body tests/corpus/body        # in the repository root
//! ```
//!
//! Once a finding is fixed, add its input to `tests/corpus/<target>/`, where `cargo test` replays it.
#![expect(dead_code, reason = "only part of the shared test support is used here")]

#[path = "../../tests/it/corpus/entries.rs"]
mod corpus;
#[path = "../../tests/it/support"]
mod support {
    pub(crate) mod hostile;
    pub(crate) mod screen;
}

/// One entry point per fuzz target.
pub mod entries {
    /// Decodes a response body.
    pub fn body(data: &[u8]) {
        crate::corpus::body(data);
    }
    /// Parses a sat in any notation.
    pub fn sat(data: &[u8]) {
        crate::corpus::sat(data);
    }
    /// Parses a BRC-20 amount.
    pub fn amount(data: &[u8]) {
        crate::corpus::amount(data);
    }
    /// Parses a configuration file.
    pub fn configuration(data: &[u8]) {
        crate::corpus::configuration(data);
    }
    /// Feeds keys, responses and resizes to the state.
    pub fn keys(data: &[u8]) {
        crate::corpus::keys(data);
    }
}
