//! Figures of a coin in a unit that is unusual for their field: changes as a sum of money or a fraction, supplies in base
//! units. Other figures of the coin reveal it.

use super::field::Field;
use crate::client::decode::names::Found;
use crate::client::decode::read::Context;
use crate::client::decode::tape::Value;
use crate::model::Coin;

/// Whether a field name says that it is a percentage, so that changes under other names are sums of money.
pub(super) fn names_percentages(object: Value<'_>) -> bool {
    let contains = |key: &str, word: &str| {
        key.as_bytes().windows(word.len()).any(|part| part.eq_ignore_ascii_case(word.as_bytes()))
    };
    object.fields().any(|(key, _)| contains(key.raw(), "percent") || contains(key.raw(), "pct"))
}

/// Whether a field of the object or of an inner object has a number with decimals.
pub(super) fn has_figures(object: Value<'_>) -> bool {
    let is_figure = |value: Value<'_>| value.number().is_some_and(|digits| digits.contains('.'));
    object.fields().any(|(_, value)| is_figure(value) || value.fields().any(|(_, inner)| is_figure(inner)))
}

/// Names of a change in percent in an object about a period.
const PERCENT: &[&str] = &[
    "percent_change",
    "change_pct",
    "change_percent",
    "pct_change",
    "percentage_change",
    "change_percentage",
    "percent",
    "pct",
];

/// Maximum length of the name of a period in bytes.
const MAX_PERIOD: usize = 8;

/// Whether a field name may be that of a period, which has a number.
fn may_be_period(name: &str) -> bool {
    name.len() <= MAX_PERIOD && name.bytes().any(|b| b.is_ascii_digit())
}

/// Fills in missing changes from maps by period, and from fields that are in percent only with a percent sign.
pub(super) fn fill_changes(context: &mut Context<'_>, found: &Found<'_, '_, Field>, coin: &mut Coin) {
    let by_period = found.get(Field::Changes).filter(Value::is_object);
    let signed_by_period = found.get(Field::SignedChanges).filter(Value::is_object);
    // One pass finds that most objects have none.
    let has_periods = found.object().fields().any(|(key, value)| may_be_period(key.raw()) && value.is_object());
    for (change, periods, field) in [
        (&mut coin.change_1h_pct, ["1h", "h1"].as_slice(), Field::SignedChange1h),
        (&mut coin.change_24h_pct, ["24h", "h24", "1d"].as_slice(), Field::SignedChange24h),
        (&mut coin.change_7d_pct, ["7d", "d7", "1w"].as_slice(), Field::SignedChange7d),
    ] {
        if change.is_none() {
            *change = context.percent(by_period.and_then(|changes| changes.any(periods)));
        }
        // `{"24h": {"change_pct": -3.8}}`, also in the coin itself.
        let signed = signed_by_period.and_then(|changes| changes.any(periods));
        if change.is_none() {
            let own = if has_periods { found.object().any(periods) } else { None };
            let about = [signed, own].into_iter().flatten().find(Value::is_object);
            *change = context.percent(about.and_then(|about| about.any(PERCENT)));
        }
        let signed = found.get(field).or(signed.filter(|signed| !signed.is_object()));
        let Some(signed) = signed.filter(|_| change.is_none()) else { continue };
        let is_bare = |words: &str| !words.contains('%') && words.bytes().any(|b| b.is_ascii_digit());
        if signed.number().is_some() || signed.str().is_some_and(|words| is_bare(&words)) {
            context.unreadable(signed, "a change with a percent sign");
        } else {
            *change = context.percent(Some(signed));
        }
    }
}

/// Removes all changes if the 24-hour change is a fraction instead of a percentage, according to the sum of money
/// beside it.
pub(super) fn remove_fractions(context: &mut Context<'_>, found: &Found<'_, '_, Field>, coin: &mut Coin) {
    let Some((change, price)) = coin.change_24h_pct.zip(coin.price) else { return };
    // As a fraction, it would be a change of more than 100%, which is rare.
    if change == 0.0 || change.abs() > 1.0 {
        return;
    }
    let sum = found.get(Field::AbsoluteChange24h).and_then(|sum| sum.number()?.parse::<f64>().ok());
    let Some(expected) = sum.map(|sum| sum / (price - sum) * 100.0) else { return };
    if !(50.0..=200.0).contains(&(expected / change)) {
        return;
    }
    let ignored =
        [(coin.change_1h_pct.take(), "1h"), (coin.change_24h_pct.take(), "24h"), (coin.change_7d_pct.take(), "7d")];
    context.warn_at(found.object(), || {
        let spans: Vec<_> = ignored.iter().filter(|(change, _)| change.is_some()).map(|(_, span)| *span).collect();
        let ignored = match spans.as_slice() {
            [others @ .., last] if !others.is_empty() => format!("{} and {last} changes", others.join(", ")),
            spans => format!("{} change", spans.concat()),
        };
        format!("ignored {ignored}: 24h is {change}%, expected {expected:.2}%")
    });
}

/// The volume over 24 hours among volumes by period; other values unchanged.
pub(super) fn of_day(value: Value<'_>, field: Field) -> Value<'_> {
    let is_volume = matches!(field, Field::Volume | Field::QuoteVolume) && value.is_object();
    if is_volume { value.any(&["24h", "h24", "24hr", "1d", "day"]).unwrap_or(value) } else { value }
}

/// Converts supplies in base units to coins, if the market cap shows that they are in base units. `decimals` are the
/// token's decimals.
pub(super) fn scale_supplies(coin: &mut Coin, decimals: Value<'_>) {
    let decimals = decimals.number().and_then(|decimals| decimals.parse::<i32>().ok());
    let Some(scale) = decimals.filter(|decimals| (3..=36).contains(decimals)).map(|decimals| 10_f64.powi(decimals))
    else {
        return;
    };
    let Some((price, cap)) = coin.price.zip(coin.market_cap).filter(|(price, cap)| *price > 0.0 && *cap > 0.0) else {
        return;
    };
    let circulating = cap / price;
    // More coins may exist than circulate.
    for (supply, most) in
        [(&mut coin.circulating_supply, 2.0), (&mut coin.total_supply, 50.0), (&mut coin.max_supply, 50.0)]
    {
        if let Some(units) = supply.filter(|units| (0.5..=most).contains(&(units / scale / circulating))) {
            *supply = Some(units / scale);
        }
    }
}

/// Removes a supply that would be worth more than this, with a warning.
pub(super) fn remove_implausible(
    context: &mut Context<'_>,
    item: Value<'_>,
    supply: &mut Option<f64>,
    (price, most): (Option<f64>, f64),
) {
    let Some(price) = price else { return };
    if let Some(huge) = supply.take_if(|supply| *supply * price > most) {
        context.warn_at(item, || format!("found a supply of {huge:e}, implausible at a price of {price}"));
    }
}

/// Reads a rank from 1; 0 means "none".
pub(super) fn rank(context: &mut Context<'_>, value: Option<Value<'_>>) -> Option<u32> {
    match u32::try_from(context.u64(value)?) {
        Ok(rank) => (rank > 0).then_some(rank),
        Err(_) => {
            context.unreadable(value?, "a rank");
            None
        }
    }
}
