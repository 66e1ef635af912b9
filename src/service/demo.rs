//! The simulated world: pure functions of a seed and the time, no stored state.

pub(crate) mod indexer;
pub(crate) mod market;
pub(crate) mod noise;
pub mod tokens;

/// Whether the simulated market has a coin with this slug or symbol.
pub fn has_coin(name: &str) -> bool {
    let is_it = |coin: &market::Coin| coin.slug.eq_ignore_ascii_case(name) || coin.symbol.eq_ignore_ascii_case(name);
    market::coins().iter().any(is_it)
}

/// The lines of an asset table without comments.
fn lines(text: &'static str) -> impl Iterator<Item = &'static str> {
    text.lines().filter(|line| !line.starts_with('#') && !line.is_empty())
}
