//! The wallet's holdings: adding, editing, removing and undoing lots by keys, and what the screen shows.

mod lots;
mod missing_values;
mod old_prices;
mod order;
mod unlisted_coin;
mod values;

use std::time::Duration;

use crossterm::event::KeyCode;
use jiff::civil::date;
use satscope::app::{Effect, Message, Overlay, Preferences, demand};
use satscope::client::{ErrorKind, Request, ResponseData};
use satscope::fetch::Receipt;
use satscope::model::{CoinId, Currency, HistoricalRate, Period, Point, Tag, UtcTime};
use satscope::user_data::{Change, Lot, LotId, LotKind, LotPrice, Unreadable, UnreadablePart, UserData, Watched};

use super::fixtures::{App, all, coin, many, page, series, three};
use crate::support::indexer;
use crate::support::screen::Screen;

/// The wallet tab without watched coins; the list has ORDI at 10.
fn wallet() -> App {
    let mut app = App::with(Preferences { watched: Vec::new(), ..Preferences::default() });
    let mut coins = three();
    coins[1].price = Some(10.0);
    coins[1].change_24h_pct = Some(25.0);
    app.answer(&all(1), page(coins, Some(3)));
    app.keys("4");
    app
}

/// Opens the line, types a lot and applies it.
fn add(app: &mut App, line: &str) -> Vec<Effect> {
    app.keys("a");
    app.keys(line);
    app.key(KeyCode::Enter)
}

/// The lot of the only saved change.
fn saved(effects: &[Effect]) -> &Change {
    match effects {
        [Effect::Save(_, change)] => change,
        other => panic!("{other:?}"),
    }
}

fn toast(app: &App) -> &str {
    app.state.toast.as_ref().map_or("", |toast| toast.text.as_str())
}

fn value(app: &App) -> String {
    app.state.wallet.holdings().valuation().value.to_string()
}
