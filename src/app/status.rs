//! The lines of the Status tab.

use std::collections::HashSet;
use std::time::Duration;

use super::demand::background_needs;
use super::extension::Extension;
use super::responses::{Entry, Failure};
use super::state::{BackgroundQueue, State};
use crate::client::Request;
use crate::fetch::PriceState;
use crate::format::{Age, Count, Until, words};
use crate::keymap::Tab;
use crate::model::{Currency, UtcTime};

/// A line of the tab.
#[derive(Debug)]
pub enum Line<'a> {
    /// A resource and its state.
    Resource(&'a Request, &'a Entry),
    /// A blank line.
    Blank,
    /// The title of a section.
    Title(String),
    /// The title of the section about the saved data: [`SAVED_DATA`].
    SavedData,
    /// Text.
    Text(String),
}

/// How long ago something was: `just now`, `5 m ago`.
fn ago(state: &State, at: UtcTime) -> String {
    match Age(state.now.since(at)) {
        now if now.is_now() => String::from("just now"),
        age => format!("{age} ago"),
    }
}

/// The lines of the tab, with text wrapped to this width.
pub fn lines(state: &State, columns: u16) -> Vec<Line<'_>> {
    let all = state.responses.all();
    let errors = state.responses.errors();
    let mut seen = HashSet::new();
    // Several responses may have the same coin with the same warning.
    let mut warnings = all
        .iter()
        .filter_map(|(_, entry)| entry.receipt.as_ref())
        .flat_map(|receipt| receipt.warnings.iter().chain(receipt.notice.as_ref().map(|notice| &notice.sentence)))
        .filter(|warning| seen.insert(*warning))
        .peekable();
    let mut lines: Vec<Line<'_>> = all.iter().map(|(request, entry)| Line::Resource(request, entry)).collect();
    let indented = |words: &str, lines: &mut Vec<Line<'_>>| {
        for (row, line) in words::wrap(words, columns.saturating_sub(INDENT)).enumerate() {
            let indent = if row == 0 { 0 } else { usize::from(INDENT) };
            lines.push(Line::Text(format!("{:indent$}{line}", "")));
        }
    };
    if state.live.is_offered {
        lines.push(Line::Blank);
        lines.push(Line::Title(String::from("Live prices")));
        indented(&live_prices(state), &mut lines);
    }
    if !background_needs(state).is_empty() {
        lines.push(Line::Blank);
        lines.push(Line::Title(String::from("Background requests")));
        indented(&background(state), &mut lines);
    }
    let lacking = [
        (Extension::Chain, "Block height"),
        (Extension::Names, "Full coin search"),
        (Extension::Rates, "Historical exchange rates"),
    ];
    if lacking.iter().any(|(extension, _)| state.lacks(*extension)) {
        lines.push(Line::Blank);
        for (extension, what) in lacking.into_iter().filter(|(extension, _)| state.lacks(*extension)) {
            let retry = state.extension_retries.of(extension).at;
            let retry = retry.map(|at| Until(at.since(state.now)));
            lines.push(Line::Text(match retry {
                None => format!("{what}: not supported by this service"),
                Some(retry) => format!("{what}: not supported by this service · next check {retry}"),
            }));
        }
    }
    let log = &state.store_log;
    if log.failure().is_some() || log.notices().next().is_some() {
        lines.push(Line::Blank);
        lines.push(Line::SavedData);
        if let Some((at, sentence)) = log.failure() {
            indented(&format!("{}  {sentence}; changes stay in memory", ago(state, at)), &mut lines);
        }
        log.notices().for_each(|(at, sentence)| indented(&format!("{}  {sentence}", ago(state, at)), &mut lines));
    }
    lines.push(Line::Blank);
    let of_command = state.alerts.command_failure.as_ref();
    lines.push(Line::Title(match errors.len() + usize::from(of_command.is_some()) {
        0 => String::from("No errors"),
        count => words::counted(count, "recent error"),
    }));
    if let Some((at, sentence)) = of_command {
        indented(&format!("{}  {sentence}", ago(state, *at)), &mut lines);
    }
    for ListedError { request, failure, others, times } in listed_errors(errors) {
        let others = match others.len() as u64 {
            0 => String::new(),
            others => format!(" and {} more", Count(others)),
        };
        let times = if times > 1 { format!(" ({} times)", Count(times)) } else { String::new() };
        let (when, label) = (ago(state, failure.at), request_label(request));
        indented(&format!("{when}  {label}{others}{times}: {}", failure.error.reason()), &mut lines);
    }
    if warnings.peek().is_some() {
        lines.push(Line::Blank);
        lines.push(Line::Title(String::from("Warnings")));
        for warning in warnings {
            indented(warning, &mut lines);
        }
    }
    lines
}

/// The title of the section about the saved data.
pub const SAVED_DATA: &str = "Saved data";

/// Whether the first line of the section about the saved data is on the screen.
pub(super) fn shows_saved_data(state: &State) -> bool {
    if !state.is_open(Tab::Status) || state.overlay.is_some() {
        return false;
    }
    let lines = lines(state, text_columns(state.size.0));
    let title = lines.iter().position(|line| matches!(line, Line::SavedData));
    let (from, rows) = (state.status.scroll, state.content_rows());
    title.is_some_and(|title| (from..from + rows).contains(&(title + 1)))
}

/// The state of the live prices: `Binance · 3 coins · last price just now · paused`. The stream is closed while this
/// tab is open, since it shows no coins, so the last state can't change here.
fn live_prices(state: &State) -> String {
    let live = &state.live;
    let latest = live.latest(state.now).map(|(count, at)| {
        format!("{} · {} · last price {}", live.exchange(), words::counted(count, "coin"), ago(state, at))
    });
    let is_for_alerts = state.live_coins().is_some();
    match (&live.state, latest) {
        (Some(PriceState::Unsupported(reason)), _) => reason.clone(),
        (Some(PriceState::Lost(reason)), _) if is_for_alerts => format!("{reason} · retrying (alerts only)"),
        _ if !live.is_on && is_for_alerts => String::from("Off, except for alerts"),
        _ if !live.is_on => String::from("Off"),
        (Some(PriceState::Lost(reason)), _) => format!("{reason} · retrying when a coin is on screen"),
        (Some(PriceState::NotListed), _) => format!("No live prices for these coins in {}", state.convert),
        // The Status tab shows no prices.
        (_, Some(latest)) if is_for_alerts => format!("{latest} (alerts only)"),
        (_, Some(latest)) => format!("{latest} · paused"),
        (Some(PriceState::Open), None) if is_for_alerts => String::from("Waiting for a price (alerts only)"),
        (None, None) if is_for_alerts => String::from("Connecting (alerts only)"),
        (Some(PriceState::Open) | None, None) => String::from("Paused: no coins on the screen"),
    }
}

/// The budget of background requests and their queue: `At most 10 a minute · 3 waiting, next in 30 s`.
fn background(state: &State) -> String {
    let limit = state.preferences.background_per_minute;
    let BackgroundQueue { waiting, until } = state.background_queue;
    if limit == 0 {
        return String::from("Off (limits.background_per_minute = 0)");
    }
    let next = until.map(|until| format!(", next {}", Until(until.since(state.now)))).unwrap_or_default();
    match waiting {
        0 => format!("At most {limit} a minute · none waiting"),
        _ => format!("At most {limit} a minute · {} waiting{next}", Count(waiting as u64)),
    }
}

/// An error in the list of recent errors.
struct ListedError<'a> {
    request: &'a Request,
    /// The newest one.
    failure: &'a Failure,
    /// The other requests that failed with it.
    others: Vec<&'a Request>,
    /// How often the request has failed for this reason.
    times: u64,
}

/// Joins the errors of an outage, in which all requests to a host fail at the same time, and the repeated errors of a
/// request that fails again for the same reason.
fn listed_errors<'a>(errors: impl Iterator<Item = &'a (Request, Failure)>) -> Vec<ListedError<'a>> {
    let mut listed: Vec<ListedError<'_>> = Vec::new();
    for (request, failure) in errors {
        if let Some(last) = listed.last_mut().filter(|last| last.request != request)
            && is_same_outage(last.failure, failure)
        {
            if !last.others.contains(&request) {
                last.others.push(request);
            }
            continue;
        }
        let reason = failure.error.reason();
        let is_same = |known: &&mut ListedError<'_>| known.request == request && known.failure.error.reason() == reason;
        match listed.iter_mut().find(is_same) {
            Some(known) => known.times += 1,
            None => listed.push(ListedError { request, failure, others: Vec::new(), times: 1 }),
        }
    }
    listed
}

/// Whether two errors belong to one outage. The wait in them may differ.
fn is_same_outage(newer: &Failure, earlier: &Failure) -> bool {
    let (a, b) = (&newer.error, &earlier.error);
    a.origin == b.origin && a.reason() == b.reason() && newer.at.since(earlier.at) <= MERGE_WITHIN
}

/// Maximum time between errors of a host that are shown as one.
const MERGE_WITHIN: Duration = Duration::from_secs(5);

/// The label of a request, with its currency unless it is the dollar, so that requests for different currencies look
/// different.
pub fn request_label(request: &Request) -> String {
    let words = request.describe();
    match request.convert() {
        // Its description contains the currency.
        Some(_) if matches!(request, Request::MarketData { .. }) => words,
        Some(convert) if *convert != Currency::usd() => format!("{words} {convert}"),
        _ => words,
    }
}

/// Maximum symbols in the label of a request for coins by their IDs.
const MAX_SYMBOLS: usize = 3;

impl State {
    /// [`request_label`], but a request for coins by their IDs names them, if they are known:
    /// `Coins BTC, ORDI and 2 more`.
    pub fn request_label(&self, request: &Request) -> String {
        let label = request_label(request);
        let Request::CoinsById { ids, .. } = request else { return label };
        let symbol = |id| Some(self.coin(id)?.symbol.as_str());
        let symbols: Option<Vec<&str>> = ids.iter().take(MAX_SYMBOLS).map(symbol).collect();
        let Some(symbols) = symbols.filter(|symbols| !symbols.is_empty()) else { return label };
        let more = match ids.len().saturating_sub(symbols.len()) {
            0 => String::new(),
            more => format!(" and {more} more"),
        };
        let coins = if ids.len() == 1 { "Coin" } else { "Coins" };
        label.replacen(&request.describe(), &format!("{coins} {}{more}", symbols.join(", ")), 1)
    }
}

/// Indentation of wrapped lines in columns.
const INDENT: u16 = 2;

/// Maximum scroll position: the last line is then at the bottom.
pub fn max_scroll(state: &State) -> usize {
    lines(state, text_columns(state.size.0)).len().saturating_sub(state.content_rows())
}

/// The width of text on a screen of this width.
pub fn text_columns(columns: u16) -> u16 {
    columns.saturating_sub(2)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::model::{Period, Text};

    #[test]
    fn requests_that_differ_only_in_currency_have_different_labels() {
        let chart = |convert: Option<Currency>| Request::Chart {
            slug: Text::const_new("ordi"),
            period: Period::Week,
            convert: convert.unwrap_or_else(Currency::usd),
        };
        assert_eq!(request_label(&chart(None)), "ordi 7D chart");
        assert_eq!(request_label(&chart(Currency::parse("EUR"))), "ordi 7D chart EUR");
        let convert = Currency::parse("EUR").unwrap_or_else(Currency::usd);
        let symbols = vec![Text::const_new("ORDI")];
        let market = Request::MarketData { symbols, convert, count: 10, interval: Text::const_new("1h") };
        assert_eq!(request_label(&market), "Price history of ORDI (EUR, 1h)", "the currency is shown once");
    }
}
