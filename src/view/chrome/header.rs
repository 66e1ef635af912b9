//! The first line of the header: the tabs, and the source of the data.

use std::borrow::Cow;

use ratatui::buffer::Buffer;
use ratatui::layout::Rect;
use ratatui::style::Style;
use ratatui::widgets::Widget;

use super::pieces::{self, Piece};
use crate::app::{Command, State, Tab, Target, visible_requests};
use crate::client::{Group, Request};
use crate::format::{Clock, Count};
use crate::model::ChainState;
use crate::theme::Theme;
use crate::view::appearance::Appearance;
use crate::view::area::inner;
use crate::view::view_state::ViewState;
use crate::view::widgets::panel::TabTitle;
use crate::view::widgets::{TabBar, text};

/// The program's name, and its columns including the space after it.
const NAME: &str = "satscope";
const NAME_WIDTH: u16 = 11;

/// Maximum columns of a source's name.
const MAX_SOURCE: u16 = 32;

/// Columns of a shortened name if there is little room: enough to recognise the source.
const MIN_SOURCE: u16 = 10;

/// The variants of the left part, widest first.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Left {
    NameAndTabs,
    Tabs,
    ShortTabs,
    /// All tabs except the active one are only numbers.
    Numbers,
    Active,
}

/// The variants of the right part, widest first.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
enum Right {
    /// All, with block height and fee rate.
    Fees,
    /// All, with the block height.
    Height,
    Full,
    Tight,
    NoClock,
    /// Only the source, while updates are paused.
    Source,
    NoSource,
    Sign,
    Nothing,
}

/// The variants to try until one fits, each with the minimum columns of the source's name. The name is shortened before
/// the tabs lose their titles, but dropped late: users must know where the prices come from.
const VARIANTS: [(Left, Right, u16); 16] = [
    (Left::NameAndTabs, Right::Fees, MAX_SOURCE),
    (Left::NameAndTabs, Right::Height, MAX_SOURCE),
    (Left::NameAndTabs, Right::Full, MAX_SOURCE),
    (Left::Tabs, Right::Full, MAX_SOURCE),
    (Left::Tabs, Right::Tight, MAX_SOURCE),
    (Left::ShortTabs, Right::Tight, MAX_SOURCE),
    (Left::ShortTabs, Right::Tight, MIN_SOURCE),
    (Left::ShortTabs, Right::NoClock, MIN_SOURCE),
    (Left::Numbers, Right::Full, MAX_SOURCE),
    (Left::Numbers, Right::Tight, MIN_SOURCE),
    (Left::Numbers, Right::NoClock, MIN_SOURCE),
    (Left::Active, Right::Tight, MIN_SOURCE),
    (Left::Active, Right::NoClock, MIN_SOURCE),
    (Left::Active, Right::NoSource, 0),
    (Left::Active, Right::Sign, 0),
    (Left::Active, Right::Nothing, 0),
];

pub(super) fn paint(buf: &mut Buffer, area: Rect, state: &State, appearance: &Appearance, view_state: &mut ViewState) {
    let theme = &appearance.theme;
    let active = Tab::ALL.iter().position(|tab| *tab == state.tab).unwrap_or(0);
    let inner = inner(area);
    let visible = visible_requests(state);
    let (sign, style) = match data_state(state, &visible) {
        DataState::Ok => ("●", theme.gain),
        DataState::Loading => ("●", theme.dim),
        DataState::Failing => ("×", theme.warn),
    };
    let zone = &state.preferences.zone;
    let clock = Clock(zone.at(state.now)).to_string();
    let abbreviation = format!(" {}", zone.abbreviation(state.now));
    let from = sources(state, &visible);
    let from_width = text::width(&from).min(MAX_SOURCE);
    let block = Block::of(state);
    let fired = fired(state, theme);
    // The Alerts dialog and the Status tab show the reasons.
    let problems = [
        (state.alerts.problems.len(), ["alert not checked", "alerts not checked"], "◌"),
        (state.failed_changes(), ["change not saved", "changes not saved"], "⊘"),
    ];
    let right = |variant, columns| {
        let source = Piece::new(text::shortened(&from, columns), theme.text).and(" ", theme.text).and(sign, style);
        let long = matches!(variant, Right::Fees | Right::Height | Right::Full);
        let mut source = fired.iter().fold(source, |source, (words, style)| source.and(words.as_str(), *style));
        for (count, [one, many], mark) in problems.into_iter().filter(|(count, ..)| *count > 0) {
            let shown = Count(count as u64);
            let words = match (long, count) {
                (true, 1) => format!("  1 {one}"),
                (true, _) => format!("  {shown} {many}"),
                (false, _) => format!("  {mark} {shown}"),
            };
            source = source.and(words, theme.warn);
        }
        let currency = Piece::new(state.convert.as_str(), theme.text);
        let sign = Piece::new(sign, style);
        let full =
            || vec![source.clone(), currency.clone(), Piece::new(&*clock, theme.text).and(&*abbreviation, theme.dim)];
        match variant {
            Right::Fees => block.with_fees(theme).into_iter().chain(full()).collect(),
            Right::Height => block.height(theme).into_iter().chain(full()).collect(),
            Right::Full => full(),
            Right::Tight => vec![source, currency, Piece::new(clock.as_str(), theme.text)],
            Right::NoClock => vec![source, currency],
            Right::Source => vec![source],
            Right::NoSource => vec![sign, currency],
            Right::Sign => vec![sign],
            Right::Nothing => Vec::new(),
        }
    };
    let gap = |variant| if matches!(variant, Right::Fees | Right::Height | Right::Full) { 2 } else { 1 };
    let keys =
        Tab::ALL.map(|tab| state.keys().name(Command::Go(tab), state.screen(), appearance.glyphs).unwrap_or_default());
    let titles = |left| {
        let words = Tab::ALL.map(if left == Left::ShortTabs { Tab::short_title } else { Tab::title });
        let mut tabs = [TabTitle { key: "", title: "" }; Tab::ALL.len()];
        for ((tab, key), title) in tabs.iter_mut().zip(&keys).zip(words) {
            *tab = TabTitle { key, title };
        }
        tabs
    };
    let room = |left, variant| {
        let others = pieces::width(&right(variant, 0), gap(variant));
        inner.width.checked_sub(left_width(left, &titles(left), active) + 2 + others)
    };
    let fits = |&(left, variant, least): &(Left, Right, u16)| {
        room(left, variant).is_some_and(|room| from_width.min(least) <= room)
    };
    let (left, variant, _) = VARIANTS.into_iter().find(fits).unwrap_or((Left::Active, Right::Nothing, 0));
    let (variant, paused) = match paused(state, theme) {
        // The tabs don't move: other pieces on the right are dropped to make room for a larger count.
        Some(forms) => {
            let room = inner.width.saturating_sub(left_width(left, &titles(left), active) + 2);
            let others =
                |kind: Right, least: u16| pieces::width(&right(kind, from_width.min(least)), gap(kind)) + gap(kind);
            let fits = |&(kind, mark, least): &(Right, u16, u16)| kind >= variant && others(kind, least) + mark <= room;
            let found = WHILE_PAUSED.into_iter().find(fits);
            let (kind, least) = found.map_or((Right::Nothing, 0), |(kind, _, least)| (kind, least));
            let form = forms.into_iter().find(|form| others(kind, least) + form.width() <= room);
            (kind, form)
        }
        None => (variant, None),
    };
    view_state.has_fees = variant == Right::Fees && block.fee().is_some();
    let taken_by_pause = paused.as_ref().map_or(0, |form| form.width() + gap(variant));
    let room = room(left, variant).unwrap_or(0).saturating_sub(taken_by_pause);
    let mut shown = right(variant, room.min(MAX_SOURCE));
    shown.splice(0..0, paused);
    let taken = pieces::width(&shown, gap(variant));
    pieces::paint(buf, text::shifted(inner, inner.width.saturating_sub(taken)), &shown, gap(variant));

    let mut rest = Rect { width: inner.width.saturating_sub(taken), ..inner };
    let titles = titles(left);
    match left {
        Left::Active => {
            text::put(buf, rest, titles.get(active).map_or("", |tab| tab.title), theme.accent);
            return;
        }
        Left::NameAndTabs => {
            text::put(buf, rest, NAME, theme.strong);
            rest = text::shifted(rest, NAME_WIDTH);
        }
        Left::Tabs | Left::ShortTabs => {}
        Left::Numbers => rest.width = left_width(left, &titles, active),
    }
    let tabs = TabBar::new(&titles, active).theme(theme);
    tabs.render(rest, buf);
    for (tab, (x, shown)) in Tab::ALL.into_iter().zip(tabs.places(rest.width)) {
        view_state.target(Rect { width: shown.width(), ..text::shifted(rest, x) }, Target::Tab(tab));
    }
}

/// The variants of the right part to try while updates are paused, each with the minimum columns of the mark and of the
/// source's name.
const WHILE_PAUSED: [(Right, u16, u16); 11] = [
    (Right::Fees, COUNTED_MARK, MAX_SOURCE),
    (Right::Height, COUNTED_MARK, MAX_SOURCE),
    (Right::Full, COUNTED_MARK, MAX_SOURCE),
    (Right::Tight, COUNTED_MARK, MIN_SOURCE),
    (Right::NoClock, COUNTED_MARK, MIN_SOURCE),
    (Right::NoClock, SHORT_MARK, MIN_SOURCE),
    (Right::NoClock, SHORT_MARK, MIN_SOURCE_WHILE_PAUSED),
    (Right::Source, COUNTED_MARK, MIN_SOURCE),
    (Right::Source, SHORT_MARK, MIN_SOURCE),
    (Right::NoSource, SHORT_MARK, 0),
    (Right::Sign, SHORT_MARK, 0),
];

/// Columns of `paused 12`.
const COUNTED_MARK: u16 = 9;

/// Columns of `‖ 12`.
const SHORT_MARK: u16 = 4;

/// Like [`MIN_SOURCE`], while the mark needs room too.
const MIN_SOURCE_WHILE_PAUSED: u16 = 6;

/// The paused mark with the number of waiting responses, longest form first; `None` if updates are not paused.
fn paused<'a>(state: &State, theme: &Theme) -> Option<Vec<Piece<'a>>> {
    let count = state.paused.as_ref()?.count();
    let forms = match count {
        0 => vec![String::from("paused"), String::from("‖")],
        _ => {
            let count = Count(count as u64);
            let long = format!("paused · {count} waiting");
            vec![
                long,
                format!("paused · {count} new"),
                format!("‖ {count} new"),
                format!("‖ {count}"),
                String::from("‖"),
            ]
        }
    };
    Some(forms.into_iter().map(|form| Piece::new(form, theme.warn)).collect())
}

/// How many alerts have fired since the user last looked: ` ◔ 2`.
fn fired(state: &State, theme: &Theme) -> Option<(String, Style)> {
    (state.alerts.unseen > 0).then(|| (format!("  ◔ {}", Count(state.alerts.unseen as u64)), theme.warn))
}

/// The fee rate for the next block, if it is known: `4 sat/vB`.
pub(in crate::view) fn fee<'a>(state: &State, theme: &Theme) -> Option<Piece<'a>> {
    let block = Block::of(state);
    let rate = fee_rate(block.fee()?);
    Some(Piece::new(rate, block.style(theme)).and(" sat/vB", theme.dim))
}

/// The newest block, if it is known.
#[derive(Clone, Copy)]
struct Block<'a> {
    chain: Option<&'a ChainState>,
    is_stale: bool,
}

impl<'a> Block<'a> {
    fn of(state: &'a State) -> Block<'a> {
        let remote = state.responses.chain_state(&Request::ChainState);
        Block { chain: remote.value, is_stale: remote.is_stale(state.now) }
    }

    /// `▣ 923,105`.
    fn height(self, theme: &Theme) -> Option<Piece<'a>> {
        let height = Count(self.chain?.height).to_string();
        Some(Piece::new("▣ ", theme.dim).and(height, self.style(theme)))
    }

    /// `▣ 923,105 · 4 sat/vB`.
    fn with_fees(self, theme: &Theme) -> Option<Piece<'a>> {
        let height = self.height(theme)?;
        Some(match self.fee() {
            Some(rate) => height.and(" · ", theme.dim).and(fee_rate(rate), self.style(theme)).and(" sat/vB", theme.dim),
            None => height,
        })
    }

    /// The fee rate for the next block in sat/vB.
    fn fee(self) -> Option<f64> {
        self.chain.and_then(|chain| chain.fees?.fastest)
    }

    fn style(self, theme: &Theme) -> Style {
        if self.is_stale { theme.dim } else { theme.text }
    }
}

/// A fee rate: a whole number from 10 up; below that, one decimal place unless it is 0.
fn fee_rate(rate: f64) -> String {
    let tenths = (rate * 10.0).round() / 10.0;
    if tenths >= 10.0 || tenths.fract() == 0.0 { format!("{rate:.0}") } else { format!("{tenths:.1}") }
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
            // No response has arrived yet, so older data is shown, such as those in another currency.
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

/// The columns of the left part.
fn left_width(left: Left, titles: &[TabTitle<'_>], active: usize) -> u16 {
    let all = || titles.iter().map(|tab| tab.width() + 2).sum::<u16>().saturating_sub(2);
    match left {
        Left::NameAndTabs => NAME_WIDTH + all(),
        Left::Tabs | Left::ShortTabs => all(),
        Left::Numbers => {
            // A width of 0 makes all other tabs shrink.
            let places = TabBar::new(titles, active).places(0);
            places.last().map_or(0, |(x, tab)| x + tab.width())
        }
        Left::Active => titles.get(active).map_or(0, |tab| text::width(tab.title)),
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
    for request in visible {
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

#[cfg(test)]
mod tests {
    use super::fee_rate;

    #[test]
    fn fee_rates_below_10_have_one_decimal() {
        for (rate, shown) in [(4.0, "4"), (1.25, "1.3"), (0.5, "0.5"), (9.97, "10"), (12.6, "13"), (250.0, "250")] {
            assert_eq!(fee_rate(rate), shown);
        }
    }
}
