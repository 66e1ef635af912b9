//! The window title.

use crate::app::State;
use crate::client::Group;
use crate::format::{Age, Arrow, PriceIn};
use crate::model::text;

/// Maximum characters of a symbol in the title.
const MAX_SYMBOL: usize = 12;

/// The window title: `ORDI 17.24 ▼13%`, with its age if it is old. `None` if the user wants no title, or until the
/// price is known. It has no control characters.
pub fn window_title(state: &State) -> Option<String> {
    let coin = state.title_coin()?;
    let price = state.title_live_price(coin).or(coin.price)?;
    let symbol: String = coin.symbol.chars().take(MAX_SYMBOL).collect();
    let mark =
        if state.responses.last_receipt(Group::Market).is_some_and(|receipt| receipt.simulated) { "DEMO " } else { "" };
    let currency = if coin.convert == state.preferences.convert { String::new() } else { format!(" {}", coin.convert) };
    let mut title = format!("{mark}{symbol} {}{currency}", PriceIn(&coin.convert, Some(price)));
    if let Some(change) = coin.change_24h_pct {
        // Whole percent from 10 up: the title is short.
        let change = if change.abs() >= 9.95 { change.round() } else { change };
        let words = Arrow(Some(change)).to_string().replace(' ', "");
        let words = if change.abs() >= 9.95 { words.replace(".0%", "%") } else { words };
        title += &format!(" {words}");
    }
    let remote = state.title_request().map(|request| state.responses.get(&request));
    let old = remote.filter(|remote| remote.is_stale(state.now)).and_then(|remote| remote.updated_at());
    if let Some(at) = old {
        title += &format!(" ({} old)", Age(state.now.since(at)));
    }
    Some(text::clean(&title).into_owned())
}
