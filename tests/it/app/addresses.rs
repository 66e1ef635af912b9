//! Addresses in the wallet: adding, labels, removing, and how their balances count.

mod balances;
mod entry;
mod rows;
mod seen;

use std::sync::Arc;
use std::time::Duration;

use crossterm::event::{KeyCode, KeyEvent, KeyModifiers};
use satscope::app::find::lookup::Subject;
use satscope::app::screen::wallet::holdings::LineKind;
use satscope::app::{Effect, Message, Overlay, Preferences, Tab, demand};
use satscope::client::{ErrorKind, Request, ResponseData};
use satscope::fetch::Event;
use satscope::model::{Balance, BitcoinBalance, Currency, Page, ProviderName, Tag};
use satscope::user_data::{
    AlertEvent, AlertId, Change, Lot, LotId, LotPrice, Notice, SessionEntries, UserData, WalletAddress, Watched,
};

use super::fixtures::{App, START, all, coin, page, three};

const COLD: &str = "bc1qd2mzs0p9rhjrp9494u0edtlleulfqt4x268cg8";

/// The wallet tab without watched coins.
fn wallet() -> App {
    let mut app = App::with(Preferences { watched: Vec::new(), ..Preferences::default() });
    let mut coins = three();
    coins[1].price = Some(10.0);
    app.answer(&all(1), page(coins, Some(3)));
    app.keys("4");
    app
}

fn add(app: &mut App, line: &str) -> Vec<Effect> {
    app.keys("A");
    app.send(Message::Paste(String::from(line)));
    app.key(KeyCode::Enter)
}

fn balances() -> Request {
    Request::Brc20Balances { address: COLD.into(), offset: 0, limit: 500 }
}

fn bitcoin() -> Request {
    Request::BitcoinBalance { address: COLD.into() }
}

/// A bitcoin balance of the address in sats, and its unconfirmed change.
fn answer_bitcoin(app: &mut App, confirmed: u64, unconfirmed: i64) {
    let balance = BitcoinBalance { address: COLD.into(), confirmed, unconfirmed };
    app.answer(&bitcoin(), ResponseData::BitcoinBalance(balance));
}

fn tokens() -> Request {
    Request::Coins { tag: Tag::Brc20, start: 1, limit: 200, convert: Currency::usd() }
}

fn balance(ticker: &str, available: u64, transferable: u64) -> Balance {
    let amount = |units| Some(crate::support::indexer::units(units));
    Balance {
        ticker: Some(ticker.into()),
        available: amount(available),
        transferable: amount(transferable),
        overall: amount(available + transferable),
    }
}

/// ORDI is certainly the coin of `ordi`; two coins claim `twin`.
fn answer_tokens(app: &mut App) {
    let token = |rank, slug, symbol, ticker: &str, price| {
        let mut token = coin(rank, slug, symbol, Some(price));
        token.brc20_ticker = Some(ticker.into());
        token.change_24h_pct = Some(25.0);
        token
    };
    let coins = vec![
        token(2, "ordi", "ORDI", "ordi", 10.0),
        token(8, "twin-a", "TWIN", "twin", 1.0),
        token(9, "twin-b", "TWIN", "twin", 2.0),
    ];
    app.answer(&tokens(), page(coins, Some(3)));
}

fn answer_balances(app: &mut App, items: Vec<Balance>) {
    let total = Some(items.len() as u64);
    app.answer(&balances(), ResponseData::Balances(Page { items, total }));
}

fn value(app: &App) -> String {
    app.state.wallet.holdings().valuation().value.to_string()
}
