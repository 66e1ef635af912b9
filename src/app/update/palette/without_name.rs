//! The items for words without the name of a coin or ticker: `holders`, `3m candles`, `versus`.

use std::borrow::Cow;

use crate::app::find::fuzzy::Quality;
use crate::app::find::lookup::Subject;
use crate::app::find::palette::{Action, Item, Kind};
use crate::app::find::recent::Recent;
use crate::app::state::State;
use crate::keymap::Tab;
use crate::model::{Period, Text};

use super::destination::Destination;
use super::found::{Found, Group};
use super::{coins, commands, periods, places, verbs};

/// Adds a part of the open or selected coin or ticker, or the period of all charts.
pub(super) fn find(state: &State, destination: Destination, found: &mut Vec<Found>) {
    if destination.indexer_panel.is_some() {
        for (place, (is_open, ticker)) in tickers(state).into_iter().enumerate() {
            let group = if is_open { Group::First } else { Group::Unnamed };
            let item = places::looked_up(Subject::Token(ticker), "", destination);
            found.push(Found::new(Quality::Exact, group, place, item));
        }
        return;
    }
    // A tab is called All, too.
    let is_tab = destination == Destination { period: Some(Period::AllTime), ..Destination::default() };
    if let Some(token) = &state.token {
        let group = if is_tab { Group::Unnamed } else { Group::First };
        found.push(Found::new(Quality::Exact, group, 0, coins::item(token.named_coin(), "", destination)));
    } else if let Some(coin) = commands::selected(state) {
        found.push(Found::new(Quality::Exact, Group::Unnamed, 1, coins::item(coin, "", destination)));
    }
    let is_only_period = destination == Destination { period: destination.period, ..Destination::default() };
    if let Some(period) = destination.period.filter(|_| is_only_period && state.token.is_none()) {
        // The wallet shows charts; a list doesn't.
        let place = if state.tab_screen().has_period() { 0 } else { 2 };
        found.push(Found::new(Quality::Exact, Group::Unnamed, place, periods::item(state, period)));
    }
}

/// The ticker that is open in the indexer; or else the ticker of the open or selected coin, then the one that was open
/// last. Each with whether it is open.
fn tickers(state: &State) -> Vec<(bool, Text)> {
    let in_indexer = state.indexer.token();
    if state.is_open(Tab::Indexer) {
        if let Some(ticker) = in_indexer {
            return vec![(true, ticker)];
        }
        return last_ticker(state).map(|ticker| (false, ticker)).into_iter().collect();
    }
    let selected = state.open_screen().coin(state).and_then(|coin| coin.brc20_ticker.clone());
    let mut tickers: Vec<(bool, Text)> = Vec::new();
    for ticker in selected.into_iter().chain(in_indexer.or_else(|| last_ticker(state))) {
        if !tickers.iter().any(|(_, other)| other.eq_ignore_ascii_case(&ticker)) {
            tickers.push((false, ticker));
        }
    }
    tickers
}

/// The ticker that was looked up last.
fn last_ticker(state: &State) -> Option<Text> {
    state.recent.iter().find_map(|recent| match recent {
        Recent::Subject(Subject::Token(ticker)) => Some(ticker.clone()),
        _ => None,
    })
}

/// Words for what other programs have in a menu, the start of the row, and the message.
const OUTSIDE: [(&[&str], &str, &str); 5] = [
    (
        &["settings", "configuration", "preferences", "options"],
        "configuration: satscope config",
        "Settings are in a file: satscope config init creates it, config path shows it",
    ),
    (
        &["theme", "colours", "colors", "dark", "light", "background"],
        "colours: [theme] in the configuration",
        "Set colours in [theme] of the configuration file (path: satscope config path)",
    ),
    (
        &["export", "csv", "json"],
        "export: satscope COMMAND --format csv",
        "Commands print their data as JSON or CSV: see satscope --help",
    ),
    (
        &["import"],
        "import: satscope wallet import FILE",
        "satscope wallet import FILE adds lots from a file (see its --help)",
    ),
    (
        &["backup", "restore"],
        "backup: satscope config backup FILE",
        "satscope config backup FILE copies your data (its --help says how to restore it)",
    ),
];

/// Minimum letters of the beginning of such a word.
const MIN_OUTSIDE: usize = 4;

/// A row that says where something is that the dashboard itself doesn't have.
pub(super) fn outside(typed: &str) -> Option<Found> {
    let matches = |words: &[&str]| {
        let is_part = |word: &&str| typed.len() >= MIN_OUTSIDE && word.starts_with(typed);
        let quality = if words.contains(&typed) { Quality::Exact } else { Quality::Prefix };
        (quality == Quality::Exact || words.iter().any(is_part)).then_some(quality)
    };
    let (quality, title, message) =
        OUTSIDE.iter().find_map(|(words, title, message)| Some((matches(words)?, *title, *message)))?;
    let item = Item::new(Kind::Command, title, Action::Say(Cow::Borrowed(message)));
    Some(Found::new(quality, Group::Unnamed, 0, Item { query: typed.to_owned(), ..item }))
}

/// A row that says what to type after words that name no coin or ticker; `None` if they have no such meaning.
pub(super) fn hint(typed: &str, destination: Option<Destination>) -> Option<Item> {
    let is_ticker = destination.is_some_and(|destination| destination.indexer_panel.is_some());
    if destination.is_none() && !verbs::is_verb(typed) {
        return None;
    }
    let (kind, name, placeholder) =
        if is_ticker { (Kind::Ticker, "ticker", "TICKER") } else { (Kind::Coin, "coin", "COIN") };
    let title = format!("{typed} {placeholder}");
    let message = format!("Add a {name}: {title}");
    Some(Item {
        query: typed.to_owned(),
        // A coin whose name isn't known yet may match.
        is_guess: true,
        ..Item::new(kind, title, Action::Say(Cow::Owned(message)))
    })
}
