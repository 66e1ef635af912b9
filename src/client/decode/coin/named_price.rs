//! Amounts named after the requested currency: `{"price": 8.41, "price_eur": 7.7, "market_cap_eur": 1.6e8}`.

use super::draft::Draft;
use crate::client::decode::money;
use crate::client::decode::read::Context;
use crate::client::decode::tape::Value;
use crate::model::Currency;

/// Two prices of the same time that differ by more than this fraction are in different currencies.
const MAX_DIFFERENCE: f64 = 0.01;

/// Replaces all amounts with those named after the requested currency if there is such a price. A differing price
/// without a currency, and the amounts beside it, are in another currency.
pub(super) fn read(context: &mut Context<'_>, item: Value<'_>, requested: &Currency, draft: &mut Draft) {
    let code = requested.as_str();
    // One pass finds that most coins have none.
    let ends_with_code = |key: &str| {
        let key = key.trim_end_matches(|c: char| !c.is_alphanumeric());
        let end = key.len().checked_sub(code.len()).and_then(|start| key.as_bytes().get(start..));
        end.is_some_and(|end| end.eq_ignore_ascii_case(code.as_bytes()))
    };
    if !item.fields().any(|(key, value)| ends_with_code(key.raw()) && value.number().is_some()) {
        return;
    }
    let find = |names: &[&str]| {
        let named = |name: &&str| item.get(&format!("{name}_{code}")).filter(|value| value.number().is_some());
        names.iter().find_map(named)
    };
    let Some(price) = find(&["price", "current_price", "last_price"]) else { return };
    // Without another price, amounts named after dollars are read like all others.
    if draft.coin.price.is_none() && *requested == Currency::usd() {
        return;
    }
    let Some(price) = money::in_currency(context, price, requested) else { return };
    let is_same = |own: f64| (own - price).abs() <= own.max(price) * MAX_DIFFERENCE;
    if draft.item_currency.label(requested) == requested && draft.coin.price.is_some_and(is_same) {
        draft.item_currency.accept(Some(requested));
        draft.coin.price = Some(price);
        return;
    }
    let coin = &mut draft.coin;
    coin.price = None;
    let (amounts, _) = coin.money_fields();
    let has_others = amounts.into_iter().any(|amount| amount.is_some());
    coin.remove_money();
    draft.item_currency.replace(requested, has_others);
    draft.item_currency.accept(Some(requested));
    coin.price = Some(price);
    let volume = ["volume_24h", "24h_volume", "total_volume", "volume"];
    coin.volume_24h = find(&volume).and_then(|volume| money::in_currency(context, volume, requested));
    let cap = find(&["market_cap"]).and_then(|cap| money::in_currency(context, cap, requested));
    // A market cap of 0 means "unknown".
    coin.market_cap = cap.filter(|cap| *cap != 0.0);
}
