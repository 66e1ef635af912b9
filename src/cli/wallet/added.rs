//! What `satscope wallet add` says about the new lot.

use crate::format::Exact;
use crate::portfolio::Valuation;
use crate::portfolio::value::FAR_COST;
use crate::user_data::{Lot, LotId};

/// What was added, with the coin's slug, since other coins may use its symbol.
pub(super) fn added_sentence(lot: &Lot) -> String {
    let Lot { kind, amount, coin, .. } = lot;
    let slug = coin.slug.as_ref().map(|slug| format!(" ({slug})")).unwrap_or_default();
    format!("added: {} {} {}{slug}", kind.as_str(), Exact(*amount), coin.symbol)
}

/// Says that a lot that is not among the `earlier` ones has a cost far from today's prices, and how to date it.
pub(super) fn far_cost_sentence(valuation: &Valuation, earlier: &[Lot]) -> Option<String> {
    let far = valuation.holdings.iter().flat_map(|held| &held.lots_at_other_prices);
    let LotId(id) = far.copied().find(|id| earlier.iter().all(|lot| lot.id != *id))?;
    Some(format!("{FAR_COST} (if the lot is older: satscope wallet edit {id} --date DATE)"))
}
