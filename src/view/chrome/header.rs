//! The header's first line: where the reader is, and where the data come from.

use std::borrow::Cow;

use ratatui::buffer::Buffer;
use ratatui::layout::Rect;

use super::pieces::{self, Piece};
use crate::app::{State, Tab, Target, demand};
use crate::format::Clock;
use crate::view::widgets::{panel, text};
use crate::view::{Look, Memo};

/// The tabs' titles, and shorter ones for where these have no room.
const TITLES: [&str; 6] = ["All", "BRC-20", "Bitcoin ecosystem", "Wallet", "Indexer", "Status"];
const SHORT: [&str; 6] = ["All", "BRC-20", "Ecosystem", "Wallet", "Indexer", "Status"];

/// The program's name, and the columns that it takes with the space behind it.
const NAME: &str = "satscope";
const NAME_WIDTH: u16 = 11;

/// The most columns that a source's name takes.
const SOURCE: u16 = 32;

/// How the left part can look, the widest first.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Left {
    NameAndTabs,
    Tabs,
    ShortTabs,
    /// The titles of all but the active tab are only numbers.
    Numbers,
    Active,
}

/// Which parts stand at the right, the widest first.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Right {
    Full,
    Tight,
    NoSource,
    NoClock,
    Sign,
    Nothing,
}

/// What is tried in turn until it fits. The source's name goes late, for who sees prices must know whose they are.
const VARIANTS: [(Left, Right); 11] = [
    (Left::NameAndTabs, Right::Full),
    (Left::Tabs, Right::Full),
    (Left::Tabs, Right::Tight),
    (Left::ShortTabs, Right::Tight),
    (Left::Numbers, Right::Full),
    (Left::Numbers, Right::Tight),
    (Left::Active, Right::Tight),
    (Left::Active, Right::NoClock),
    (Left::Active, Right::NoSource),
    (Left::Active, Right::Sign),
    (Left::Active, Right::Nothing),
];

pub(super) fn paint(buf: &mut Buffer, area: Rect, state: &State, look: &Look, memo: &mut Memo) {
    let theme = &look.theme;
    let active = Tab::ALL.iter().position(|tab| *tab == state.tab).unwrap_or(0);
    let inner = text::shifted(Rect { width: area.width.saturating_sub(1), ..area }, 1);
    let (sign, style) = match source(state) {
        Source::Ok => ("●", theme.gain),
        Source::Loading => ("●", theme.dim),
        Source::Failing => ("×", theme.warn),
    };
    let clock = Clock(state.now).to_string();
    let from = sources(state);
    let right = |variant| {
        let name = text::fit(&from, SOURCE);
        let source = Piece::new(name, theme.text).and(" ", theme.text).and(sign, style);
        let currency = Piece::new(state.convert.as_str(), theme.text);
        let sign = Piece::new(sign, style);
        match variant {
            Right::Full => vec![source, currency, Piece::new(clock.as_str(), theme.text).and(" UTC", theme.dim)],
            Right::Tight => vec![source, currency, Piece::new(clock.as_str(), theme.text)],
            Right::NoClock => vec![source, currency],
            Right::NoSource => vec![sign, currency],
            Right::Sign => vec![sign],
            Right::Nothing => Vec::new(),
        }
    };
    let gap = |variant| if variant == Right::Full { 2 } else { 1 };
    let fits = |&(left, variant): &(Left, Right)| {
        let right = pieces::width(&right(variant), gap(variant));
        left_width(left, active) + 2 + right <= inner.width
    };
    let (left, variant) = VARIANTS.into_iter().find(fits).unwrap_or((Left::Active, Right::Nothing));
    let shown = right(variant);
    let taken = pieces::width(&shown, gap(variant));
    pieces::paint(buf, text::shifted(inner, inner.width.saturating_sub(taken)), &shown, gap(variant));

    let mut rest = Rect { width: inner.width.saturating_sub(taken), ..inner };
    let titles = if left == Left::ShortTabs { &SHORT } else { &TITLES };
    match left {
        Left::Active => {
            text::put(buf, rest, titles.get(active).unwrap_or(&""), theme.accent);
            return;
        }
        Left::NameAndTabs => {
            text::put(buf, rest, NAME, theme.strong);
            rest = text::shifted(rest, NAME_WIDTH);
        }
        Left::Tabs | Left::ShortTabs => {}
        Left::Numbers => rest.width = left_width(left, active),
    }
    panel::tabs(buf, rest, titles, active, theme);
    panel::tab_places(rest.width, titles, active, |index, _, title, x| {
        if let Some(&tab) = Tab::ALL.get(index) {
            let width = if title.is_empty() { 1 } else { text::width(title) + 2 };
            memo.target(Rect { width, ..text::shifted(rest, x) }, Target::Tab(tab));
        }
    });
}

/// Where the data of what is on the screen come from.
fn sources(state: &State) -> Cow<'_, str> {
    let [market, indexer] = &state.preferences.sources;
    match (&state.token, state.tab) {
        (None, Tab::Indexer) => Cow::Borrowed(indexer),
        (None, Tab::Status) if market != indexer => Cow::Owned(format!("{market} + {indexer}")),
        _ => Cow::Borrowed(market),
    }
}

/// The columns that the left part takes.
fn left_width(left: Left, active: usize) -> u16 {
    let all = |titles: &[&str]| titles.iter().map(|title| text::width(title) + 4).sum::<u16>() - 2;
    let active = text::width(TITLES.get(active).unwrap_or(&""));
    match left {
        Left::NameAndTabs => NAME_WIDTH + all(&TITLES),
        Left::Tabs => all(&TITLES),
        Left::ShortTabs => all(&SHORT),
        Left::Numbers => 2 * 6 + active + 1,
        Left::Active => active,
    }
}

/// How it stands with what the screen needs.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Source {
    /// All is there.
    Ok,
    /// Something is on its way, or should be.
    Loading,
    /// Something failed and was not fetched since.
    Failing,
}

fn source(state: &State) -> Source {
    let mut worst = Source::Ok;
    for request in demand(state).requests {
        let remote = state.store.get(&request);
        if remote.failure().is_some() {
            return Source::Failing;
        }
        if remote.is_loading() || remote.value.is_none() || remote.is_stale(state.now) {
            worst = Source::Loading;
        }
    }
    worst
}
