//! The kind of a market.

use crate::model::MarketPair;

/// The kind of market in one word; `None` for a spot market.
pub(super) fn kind(pair: &MarketPair) -> Option<&str> {
    /// Prefixes of the services' categories.
    const KINDS: [(&str, &str); 5] =
        [("deriv", "deriv"), ("perp", "perp"), ("swap", "perp"), ("future", "future"), ("option", "option")];
    let category = pair.category.as_deref().filter(|category| !category.eq_ignore_ascii_case("spot"))?;
    let begins = |with: &str| category.get(..with.len()).is_some_and(|head| head.eq_ignore_ascii_case(with));
    Some(KINDS.iter().find(|(with, _)| begins(with)).map_or(category, |(_, kind)| kind))
}
