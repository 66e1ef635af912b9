//! The change of the wallet's value, for rules about the wallet.

use crate::model::Decimal;
use crate::portfolio::{Unvalued, Valuation};

/// The change of the wallet's value over 24 hours in percent. Tokens that are certainly no known coin are left out, as in
/// the wallet's total; a coin whose price or change is missing now would make the total jump. `tokens` says for each
/// balance of an address why it has no coin, if it has none.
///
/// # Errors
/// The change is unknown; the reason is a few words.
pub fn day_change(valuation: &Valuation, tokens: impl IntoIterator<Item = Unvalued>) -> Result<f64, String> {
    let is_temporary = |reason: &Unvalued| matches!(reason, Unvalued::NotLoaded | Unvalued::PartlySimulated);
    if let Some(reason) = tokens.into_iter().find(is_temporary) {
        return Err(reason.as_str().to_owned());
    }
    let held = || valuation.holdings.iter().filter(|held| !held.holding.amount.is_zero());
    if let Some(held) = held().find(|held| held.day_change.is_none()) {
        let missing = if held.price.is_none() { "price" } else { "24h change" };
        return Err(format!("no {missing} of {}", held.holding.coin.symbol));
    }
    let change = valuation.day_change_pct.as_ref().map(Decimal::to_f64);
    change.ok_or_else(|| String::from(if held().next().is_none() { "no holdings" } else { "no value" }))
}
