//! Whether two providers' names and market caps may belong to the same coin.

/// Largest relative difference between two providers' market caps of the same coin.
const MARKET_CAP_TOLERANCE: f64 = 0.2;

/// CoinGecko's suffix of BRC-20 token names, in lower case.
const SUFFIX: &str = " (ordinals)";

/// Whether two names are equal, ignoring case and CoinGecko's additions.
pub(super) fn is_same_name(a: &str, b: &str) -> bool {
    let plain = |name: &str| {
        let name = name.trim().to_lowercase();
        name.strip_suffix(SUFFIX).map(str::to_owned).unwrap_or(name)
    };
    plain(a) == plain(b)
}

/// Whether two market caps may belong to the same coin.
pub(super) fn is_similar(a: f64, b: f64) -> bool {
    (a - b).abs() <= MARKET_CAP_TOLERANCE * a.max(b)
}
