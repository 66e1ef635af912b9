//! Warnings about currencies.

/// How a warning about prices in another currency starts.
pub(super) const PRICES_ARE: &str = "prices are in ";

/// How a warning about values that don't match the currency of the others starts.
pub(super) const SKIPPED_VALUES: &str = "skipped values ";

/// Whether a warning says that prices are in another currency, or that values are skipped because of theirs.
pub(crate) fn is_about_currency(warning: &str) -> bool {
    [PRICES_ARE, SKIPPED_VALUES].iter().any(|start| warning.starts_with(start))
}
