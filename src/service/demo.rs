//! The simulated data: pure functions of a seed and the time, no stored state.

pub(crate) mod indexer;
pub(crate) mod market;
pub(crate) mod noise;
pub mod tokens;

/// The lines of an asset table without comments.
fn lines(text: &'static str) -> impl Iterator<Item = &'static str> {
    text.lines().filter(|line| !line.starts_with('#') && !line.is_empty())
}
