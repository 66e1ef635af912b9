//! The text of a coin that can be copied.

use crate::app::screen::token::LastCoin;
use crate::format::Age;
use crate::model::{Coin, MarketSeries, Text, UtcTime};

use super::items::Items;

/// Keys for further items of a kind: the second contract is `2`.
const DIGITS: [char; 8] = ['2', '3', '4', '5', '6', '7', '8', '9'];

/// Adds the text of a coin.
pub(in crate::app::update) fn add_coin(items: &mut Items<'_>, coin: &Coin) {
    add_with_note(items, coin, "");
}

/// Adds the text of the last copy of a coin. The message after copying its price says how old that is.
pub(super) fn add_last_coin(items: &mut Items<'_>, last: &LastCoin, now: UtcTime) {
    let note = match last.at.map(|at| Age(now.since(at))) {
        Some(age) if !age.is_now() => format!("price from {age} ago"),
        _ => String::from("last known price"),
    };
    add_with_note(items, &last.coin, &note);
}

/// Adds the text of a coin, with a note on its price, which may be empty.
fn add_with_note(items: &mut Items<'_>, coin: &Coin, note: &str) {
    for (index, contract) in coin.contracts.iter().enumerate() {
        let platform = contract.platform.as_ref().map(|platform| format!("contract on {platform}"));
        match index.checked_sub(1) {
            None => items.add('c', "contract", &contract.address),
            Some(other) => {
                let Some(&digit) = DIGITS.get(other) else { break };
                items.add_labelled(digit, platform.unwrap_or_else(|| format!("contract {digit}")), &contract.address);
            }
        }
    }
    items.maybe('l', "link", coin.links.first().map(|link| &link.url));
    items.price(coin.price, note);
    items.add('i', "ID", coin.slug.as_ref().unwrap_or(&coin.id.0));
    items.add('s', "symbol", &coin.symbol);
    items.add('n', "name", &coin.name);
    let price = coin.price.map(|price| format!("{price} {}", coin.convert));
    let change = coin.change_24h_pct.map(|change| format!("{change}% 24h"));
    let rank = coin.rank.map(|rank| rank.to_string());
    items.row_with_note(&[rank, Some(coin.name.to_string()), Some(coin.symbol.to_string()), price, change], note);
}

/// Adds the text of a series.
pub(super) fn add_series(items: &mut Items<'_>, series: &MarketSeries) {
    let last = series.points.iter().rev().find_map(|point| point.price);
    items.maybe('p', "price", last);
    items.maybe('i', "ID", series.slug.as_ref().or(series.id.as_ref()));
    items.add('s', "symbol", &series.symbol);
    items.maybe('n', "name", series.name.as_ref());
    let price = last.map(|price| format!("{price} {}", series.convert));
    items.row(&[series.name.as_ref().map(Text::to_string), Some(series.symbol.to_string()), price]);
}
