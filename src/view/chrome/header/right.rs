//! The right part of the header: the source of the data with its state, alerts, currency and clock.

use std::borrow::Cow;

use ratatui::style::Style;

use super::block::Block;
use crate::app::{State, visible_requests};
use crate::client::{Group, Request};
use crate::format::{Clock, Count};
use crate::theme::Theme;
use crate::view::chrome::pieces::{self, Piece};
use crate::view::widgets::text;

/// The variants of the right part, widest first.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Right {
    /// All, with block height and fee rate.
    Fees,
    /// All, with the block height.
    Height,
    Full,
    Tight,
    NoClock,
    /// Only the source, on a very narrow screen or while updates are paused.
    Source,
    NoSource,
    Sign,
    Nothing,
}

impl Right {
    /// Whether there is room for words.
    fn is_long(self) -> bool {
        matches!(self, Right::Fees | Right::Height | Right::Full)
    }

    /// Columns between the pieces.
    pub(super) fn gap(self) -> u16 {
        if self.is_long() { 2 } else { 1 }
    }
}

/// The contents of the pieces.
pub(super) struct RightPart<'a> {
    /// The source of the data.
    from: Cow<'a, str>,
    /// The sign for the state of the data.
    sign: (&'static str, Style),
    fired: Option<(String, Style)>,
    /// Numbers of problems, with the words for one and many and the sign. The Alerts dialog and the Status tab show the
    /// reasons.
    problems: [(usize, [&'static str; 2], &'static str); 3],
    currency: &'a str,
    clock: String,
    /// The abbreviation of the time zone, after a space.
    zone: String,
    block: Block<'a>,
    theme: &'a Theme,
}

impl<'a> RightPart<'a> {
    pub(super) fn new(state: &'a State, theme: &'a Theme) -> RightPart<'a> {
        let visible = visible_requests(state);
        let zone = &state.preferences.zone;
        RightPart {
            from: sources(state, &visible),
            sign: match data_state(state, &visible) {
                DataState::Ok => ("●", theme.gain),
                DataState::Loading => ("●", theme.dim),
                DataState::Failing => ("×", theme.warn),
            },
            fired: fired(state, theme),
            problems: [
                (state.alerts.problems.len(), ["alert not checked", "alerts not checked"], "◌"),
                (state.failed_changes(), ["change not saved", "changes not saved"], "⊘"),
                (state.store_log.unseen(), ["notice in Status", "notices in Status"], "◈"),
            ],
            currency: state.convert.as_str(),
            clock: Clock(zone.at(state.now)).to_string(),
            zone: format!(" {}", zone.abbreviation(state.now)),
            block: Block::of(state),
            theme,
        }
    }

    /// The pieces of a variant, with at most `columns` columns for the source's name.
    pub(super) fn of(&self, variant: Right, columns: u16) -> Vec<Piece<'_>> {
        let theme = self.theme;
        let (sign, style) = self.sign;
        let source = Piece::new(text::shortened(&self.from, columns), theme.text).and(" ", theme.text).and(sign, style);
        let mut source = self.fired.iter().fold(source, |source, (words, style)| source.and(words.as_str(), *style));
        for (count, [one, many], mark) in self.problems.into_iter().filter(|(count, ..)| *count > 0) {
            let shown = Count(count as u64);
            let words = match (variant.is_long(), count) {
                (true, 1) => format!("  1 {one}"),
                (true, _) => format!("  {shown} {many}"),
                (false, _) => format!("  {mark} {shown}"),
            };
            source = source.and(words, theme.warn);
        }
        let currency = Piece::new(self.currency, theme.text);
        let sign = Piece::new(sign, style);
        let clock = Piece::new(self.clock.as_str(), theme.text);
        let full = || vec![source.clone(), currency.clone(), clock.clone().and(self.zone.as_str(), theme.dim)];
        match variant {
            Right::Fees => self.block.with_fees(theme).into_iter().chain(full()).collect(),
            Right::Height => self.block.height(theme).into_iter().chain(full()).collect(),
            Right::Full => full(),
            Right::Tight => vec![source, currency, clock],
            Right::NoClock => vec![source, currency],
            Right::Source => vec![source],
            Right::NoSource => vec![sign, currency],
            Right::Sign => vec![sign],
            Right::Nothing => Vec::new(),
        }
    }

    /// Columns of the pieces of a variant.
    pub(super) fn width(&self, variant: Right, columns: u16) -> u16 {
        pieces::width(&self.of(variant, columns), variant.gap())
    }

    /// Columns of the source's name.
    pub(super) fn source_width(&self) -> u16 {
        text::width(&self.from)
    }

    /// Whether the fee rate is known.
    pub(super) fn has_fee(&self) -> bool {
        self.block.fee().is_some()
    }
}

/// How many alerts have fired since the user last looked: ` ◔ 2`.
fn fired(state: &State, theme: &Theme) -> Option<(String, Style)> {
    (state.alerts.unseen > 0).then(|| (format!("  ◔ {}", Count(state.alerts.unseen as u64)), theme.warn))
}

/// The source of simulated data.
const DEMO: &str = "DEMO";

/// The sources of the data on the screen. `visible` are its requests.
fn sources<'a>(state: &'a State, visible: &[Request]) -> Cow<'a, str> {
    let [market, indexer] = &state.preferences.sources;
    let simulated = |group: Group| {
        let shown = visible.iter().filter(|request| request.group() == group);
        let mut receipts = shown.filter_map(|request| state.responses.get(request).entry?.receipt.as_ref()).peekable();
        match receipts.peek() {
            Some(_) => Some(receipts.any(|receipt| receipt.simulated)),
            // No response has arrived yet, so older data is shown, such as data in another currency.
            None => state.responses.last_receipt(group).map(|receipt| receipt.simulated),
        }
    };
    let (of_market, of_indexer) = (simulated(Group::Market), simulated(Group::Indexer));
    // Until a group has a response, it is like the other one of the same service, so that the header doesn't change.
    let shared = |other: Option<bool>| other.filter(|_| market == indexer);
    let name = |simulated: Option<bool>, source| if simulated == Some(true) { DEMO } else { source };
    let market_name = name(of_market.or_else(|| shared(of_indexer)), market.as_str());
    let indexer_name = name(of_indexer.or_else(|| shared(of_market)), indexer.as_str());
    let (market, indexer) = (market_name, indexer_name);
    match state.open_screen().groups() {
        [Group::Indexer] => Cow::Borrowed(indexer),
        // The wallet with addresses.
        [Group::Market] if market != indexer && visible.iter().any(|request| request.group() == Group::Indexer) => {
            Cow::Owned(format!("{market} + {indexer}"))
        }
        [_, _] if market != indexer => Cow::Owned(format!("{market} + {indexer}")),
        _ => Cow::Borrowed(market),
    }
}

/// The state of the screen's data.
#[derive(Clone, Copy, PartialEq, Eq)]
enum DataState {
    /// All loaded and fresh.
    Ok,
    /// Something is loading or overdue.
    Loading,
    /// Something failed and has not succeeded since, or nothing has succeeded yet.
    Failing,
}

fn data_state(state: &State, visible: &[Request]) -> DataState {
    let mut worst = DataState::Ok;
    // In the token view, only limits of alerts in other currencies need exchange rates.
    let is_optional = |request: &&Request| state.token.is_some() && matches!(request, Request::HistoricalRates { .. });
    for request in visible.iter().filter(|request| !is_optional(request)) {
        let remote = state.responses.get(request);
        match remote.failure() {
            // The service works; only the looked-up item wasn't found.
            Some(failure) if failure.not_found.is_some() => continue,
            Some(_) => return DataState::Failing,
            None => {}
        }
        if remote.value.is_none() && state.responses.has_only_failed(request.group()) {
            return DataState::Failing;
        }
        if remote.is_loading() || remote.value.is_none() || remote.is_stale(state.now) {
            worst = DataState::Loading;
        }
    }
    worst
}
