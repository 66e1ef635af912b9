//! Prices and values of BRC-20 tokens; absent unless a coin is certain to be the token.

use ratatui::buffer::Buffer;
use ratatui::layout::Rect;
use ratatui::style::Style;

use super::facts;
use super::panel_context::PanelContext;
use crate::format::{ABSENT, Change, HIDDEN, Money, MoneyIn, PriceIn, with_currency};
use crate::model::{Amount, Coin};
use crate::view::chrome::health;
use crate::view::widgets::text;

/// Paints a price.
pub(super) fn price(buf: &mut Buffer, cell: Rect, coin: Option<&Coin>, context: &PanelContext<'_>) {
    let price = coin.map_or_else(|| String::from(ABSENT), |coin| PriceIn(&coin.convert, coin.price).to_string());
    let style = style(coin, context, context.appearance.theme.strong);
    text::number(buf, cell, &with_sign(coin, context, price), style);
}

/// Paints the value of an amount in as many digits as fit, unless amounts are hidden.
pub(super) fn value(
    buf: &mut Buffer,
    cell: Rect,
    amount: Option<Amount>,
    coin: Option<&Coin>,
    context: &PanelContext<'_>,
    normal: Style,
) {
    let priced = amount.zip(coin).and_then(|(amount, coin)| Some((&coin.convert, amount.to_f64() * coin.price?)));
    let Some((currency, value)) = priced else {
        return text::number(buf, cell, ABSENT, style(coin, context, normal));
    };
    if context.hides_amounts {
        return text::number(buf, cell, HIDDEN, style(coin, context, normal));
    }
    let fits = |shown: &String| text::width(shown) <= cell.width;
    let full = Some(with_sign(coin, context, MoneyIn(currency, value).to_string())).filter(fits);
    // In bitcoin, a price has more digits than a compact amount.
    let shorter =
        || currency.is_valuable().then(|| with_sign(coin, context, PriceIn(currency, Some(value)).to_string()));
    let fitted = full.or_else(|| shorter().filter(fits));
    let fitted = fitted.unwrap_or_else(|| with_sign(coin, context, Money(Some(value)).to_string()));
    text::decimal(buf, cell, MoneyIn::decimals(currency), &fitted, style(coin, context, normal));
}

/// The value of an amount of a coin, with its currency: `$44,192.12`; `None` without a price.
pub(super) fn worth(amount: Amount, coin: &Coin) -> Option<String> {
    let currency = &coin.convert;
    let sign = currency.sign().map_or_else(|| format!("{currency} "), str::to_owned);
    Some(with_currency(&sign, &MoneyIn(currency, amount.to_f64() * coin.price?).to_string()))
}

/// The price, its change and the market cap in lines of at most `room` columns, or why there is no price.
pub(super) fn lines(coin: Option<&Coin>, room: u16, context: &PanelContext<'_>) -> (String, Style) {
    let theme = &context.appearance.theme;
    if let Some((coin, price)) = coin.and_then(|coin| Some((coin, coin.price?))) {
        let price = with_sign(Some(coin), context, PriceIn(&coin.convert, Some(price)).to_string());
        let change = format!("24h {}", Change(coin.change_24h_pct));
        let words = [price, change, format!("cap {}", Money(coin.market_cap))];
        return (facts::items(&words, "   ", room), style(Some(coin), context, theme.text));
    }
    let Some(request) = context.state.token_prices_request() else { return (ABSENT.to_owned(), theme.dim) };
    let remote = context.state.responses.coins(&request);
    match (remote.value, remote.failure()) {
        (Some(_), _) => (ABSENT.to_owned(), theme.dim),
        (None, Some(failure)) => (health::sentence(failure, remote.is_loading(), context.state.now), theme.warn),
        (None, None) => (String::from("Loading…"), theme.dim),
    }
}

/// Adds the currency to a sum in a currency other than the chosen one, such as before the first response in a new one.
fn with_sign(coin: Option<&Coin>, context: &PanelContext<'_>, sum: String) -> String {
    match coin.map(|coin| &coin.convert).filter(|currency| **currency != context.state.convert) {
        Some(currency) => with_currency(&currency.sign().map_or_else(|| format!("{currency} "), str::to_owned), &sum),
        None => sum,
    }
}

/// The style of a price or value: dim if it is stale.
fn style(coin: Option<&Coin>, context: &PanelContext<'_>, normal: Style) -> Style {
    let request = context.state.token_prices_request();
    let is_stale = request.is_some_and(|request| context.state.responses.coins(&request).is_stale(context.state.now));
    if coin.is_none() || is_stale { context.appearance.theme.dim } else { normal }
}
