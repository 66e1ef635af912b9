//! The palette: a text field and the items that match its text.

use ratatui::buffer::Buffer;
use ratatui::layout::Rect;
use ratatui::style::Style;
use ratatui::widgets::Widget;
use unicode_segmentation::UnicodeSegmentation;

use super::frame::{Choice, Frame, examples, scrollbar};
use crate::app::coins::named_coin::NamedCoin;
use crate::app::coins::names::{LOADING, LOADING_TO_RUN, NamesState};
use crate::app::find::fuzzy;
use crate::app::find::lookup;
use crate::app::find::palette::{Action, Item, Palette};
use crate::app::{ClickTarget, State};
use crate::format::{Change, Count, PriceIn};
use crate::model::{Coin, CoinId, Tag};
use crate::view::appearance::Appearance;
use crate::view::area::below;
use crate::view::chrome::health::{self, Health, Kind, Part};
use crate::view::list;
use crate::view::paint_context::PaintContext;
use crate::view::view_state::{TableScreen, ViewState};
use crate::view::widgets::Placeholder;
use crate::view::widgets::text;

/// Maximum columns of the content.
const COLUMNS: u16 = 96;

/// Rows of items.
const ROWS: u16 = 16;

/// Minimum columns of an item with its kind.
const WITH_KIND: u16 = 56;

/// Columns of the kind.
const KIND: u16 = 9;

/// Minimum columns of an item that shows its action.
const WITH_EFFECT: u16 = 70;

/// Columns of an item's action.
const EFFECT: u16 = 19;

/// Columns of a price and of a change.
const PRICE: u16 = 12;
const CHANGE: u16 = 8;

/// The column where the meanings of the examples start.
const EXAMPLE: u16 = 25;

/// Examples of lookups in the indexer.
const EXAMPLES: [(&str, &str); 7] = [
    ("ordi", "a BRC-20 token by its ticker"),
    ("bc1q…", "balances of an address"),
    ("840000", "a block, or the sat with that number"),
    ("0.1  99.9%  nvtdijuwxlp", "a sat by its decimal, percentile or name"),
    ("0°1′1″0‴", "a sat by its degree"),
    ("b61b…735i0  #348020", "an inscription by its ID or number"),
    ("sat 7  token 1000", "prefix to disambiguate"),
];

pub(super) fn paint(
    buf: &mut Buffer,
    area: Rect,
    context: PaintContext<'_>,
    palette: &Palette,
    view_state: &mut ViewState,
) {
    let PaintContext { state, appearance } = context;
    let theme = &appearance.theme;
    let title = match (palette.looks_up, palette.adds_coin) {
        (true, _) => "Look up",
        (false, true) => "Add coin to comparison",
        (false, false) => "Find",
    };
    let inner = Frame::new(title, COLUMNS, ROWS + 1).paint(buf, area, appearance, view_state);
    let choice = Choice { input: &palette.input, selected: palette.selected };
    let field = choice.line(buf, inner, appearance, view_state);
    let mut list = below(inner, 1);
    if state.loads_pages() {
        list.height = list.height.saturating_sub(1);
        progress(buf, Rect { y: list.bottom(), height: u16::from(inner.height > 1), ..list }, state, appearance);
    }
    let typed = palette.input.value().trim();
    if !typed.is_empty() && !palette.items.first().is_some_and(|item| item.action == Action::Wait) {
        list.height -= names_line(buf, list, state, palette, appearance);
    }
    if typed.is_empty() {
        let words = match (palette.adds_coin, palette.looks_up) {
            (true, _) => "a coin",
            (_, true) => "an address, ticker, block, sat or inscription",
            _ => "a coin, ticker, address, sat, block or command",
        };
        text::put(buf, text::shifted(field, 1), words, theme.dim);
        if palette.looks_up {
            return examples(buf, list, EXAMPLE, &EXAMPLES, appearance);
        }
    }
    if palette.items.is_empty() {
        let is_loading = matches!(state.names_state(), NamesState::Loading);
        return Placeholder::empty(&nothing_found(typed, palette, is_loading)).theme(theme).render(list, buf);
    }
    let len = palette.items.len();
    let rows = view_state.table(TableScreen::Overlay, None, len, Some(palette.selected), list.height);
    for (row, (index, item)) in (0..list.height).zip(palette.items.iter().enumerate().skip(rows.offset)) {
        let place = text::line(list, row);
        item_row(buf, place, state, item, appearance);
        if index == palette.selected {
            theme.selection.paint(buf, place);
        }
        view_state.target(place, ClickTarget::Choice(index));
    }
    scrollbar(buf, list, rows.offset, len, appearance);
}

/// Why there are no items.
fn nothing_found(typed: &str, palette: &Palette, is_loading: bool) -> String {
    match lookup::problem(typed).filter(|_| !palette.adds_coin).or_else(|| palette.problem.clone()) {
        Some(problem) => problem,
        None if is_loading => String::from("No matches yet"),
        None => String::from("No matches"),
    }
}

/// Reports missing coins in the last lines: their names are loading, or can't be loaded for a reason. Returns the lines
/// used, at most half of the list.
fn names_line(buf: &mut Buffer, list: Rect, state: &State, palette: &Palette, appearance: &Appearance) -> u16 {
    let theme = &appearance.theme;
    let (words, style) = match state.names_state() {
        NamesState::Settled => return 0,
        NamesState::Loading if palette.runs_first => (String::from(LOADING_TO_RUN), theme.dim),
        NamesState::Loading => (String::from(LOADING), theme.dim),
        NamesState::Failed(failure) => {
            let what = match state.list(Tag::All).loaded() {
                0 => "Can't load coins",
                _ => "Some coins are missing",
            };
            (format!("{what}: {}", failure.error.reason()), theme.warn)
        }
    };
    let lines = u16::try_from(text::wrap(&words, list.width).count()).unwrap_or(u16::MAX).min(list.height / 2);
    text::paragraph(buf, below(list, list.height - lines), &words, style)
}

/// Paints how many coins are loaded: `Loading coins: 600 of 1,251 ▰▰▰▱▱▱`, or why the next ones can't be loaded. The
/// footer shows how to stop it.
fn progress(buf: &mut Buffer, line: Rect, state: &State, appearance: &Appearance) {
    let theme = &appearance.theme;
    let coins = state.list(Tag::All);
    let loaded = coins.loaded() as u64;
    let failure = state.page_failure(Tag::All);
    let reason = failure.map(|(failure, is_loading)| health::sentence_parts(failure, is_loading, state.now));
    let rejection = || list::rejection(state, coins, &state.rejected_page(Tag::All)?).map(Vec::from);
    if let Some(reason) = reason.or_else(rejection) {
        let count = match coins.total() {
            Some(total) => format!("Loaded {} of {} coins", Count(loaded), Count(total)),
            None => format!("Loaded {} coins so far", Count(loaded)),
        };
        let health = Health::problem(reason).after(Part::new(Kind::Detail, count));
        text::put(buf, line, &health.fitted(line.width), theme.warn);
        return;
    }
    let of = coins.total().map_or_else(|| String::from("so far"), |total| format!("of {}", Count(total)));
    let used = text::put(buf, line, &format!("Loading coins: {} {of}", Count(loaded)), theme.dim);
    let rest = text::shifted(line, used + 1);
    let bar = BAR.min(rest.width);
    if let Some(total) = coins.total().filter(|total| *total > 0) {
        let full = u64::from(bar) * loaded.min(total) / total;
        for column in 0..bar {
            let (symbol, style) = if u64::from(column) < full { ("▰", theme.accent) } else { ("▱", theme.dim) };
            text::put(buf, Rect { width: 1, ..text::shifted(rest, column) }, symbol, style);
        }
    }
}

/// Columns of the progress bar.
const BAR: u16 = 12;

/// Paints an item: kind, names, price, and its action or keys.
fn item_row(buf: &mut Buffer, place: Rect, state: &State, item: &Item, appearance: &Appearance) {
    let theme = &appearance.theme;
    let mut rest = place;
    if rest.width >= WITH_KIND {
        text::put(buf, Rect { width: KIND - 1, ..rest }, item.kind.title(), theme.dim);
        rest = text::shifted(rest, KIND);
    }
    if place.width >= WITH_EFFECT {
        let effect = right(&mut rest, EFFECT);
        text::put(buf, effect, &item.effect.to_string(), theme.dim);
        rest.width = rest.width.saturating_sub(1);
    }
    let keys = keys(item, appearance);
    if !keys.is_empty() {
        let used = text::put_right(buf, Rect { width: place.right() - rest.x, ..rest }, &keys, theme.key);
        rest.width = rest.width.min((place.right() - rest.x).saturating_sub(used + 2));
    }
    if place.width < WITH_EFFECT {
        brief_effect(buf, &mut rest, item, appearance);
    }
    if let Action::OpenCoin { coin, .. } = &item.action {
        price(buf, &mut rest, known(state, coin), coin.rank, appearance);
    }
    let style = if item.action.is_available() { theme.text } else { theme.dim };
    let used = names(buf, rest, &item.title, &item.query, style, appearance);
    if !item.detail.is_empty() {
        names(buf, text::shifted(rest, used + 2), &item.detail, &item.query, theme.dim, appearance);
    }
}

/// Paints the action of an item at the right in as few words as possible: `3M chart`, `in the indexer`. The names of a
/// coin may be cut off for it, others not.
fn brief_effect(buf: &mut Buffer, rest: &mut Rect, item: &Item, appearance: &Appearance) {
    let effect = item.effect.words.as_str();
    let columns = text::width(effect) + 2;
    let detail = if item.detail.is_empty() { 0 } else { text::width(&item.detail) + 2 };
    let fits = text::width(&item.title) + detail + columns <= rest.width;
    let is_coin = matches!(item.action, Action::OpenCoin { .. }) && columns * 2 <= rest.width;
    if !effect.is_empty() && (fits || is_coin) {
        text::put_right(buf, *rest, effect, appearance.theme.dim);
        rest.width -= columns;
    }
}

/// The coin with its prices, if it is loaded.
fn known<'a>(state: &'a State, coin: &NamedCoin) -> Option<&'a Coin> {
    state.coin(&CoinId(coin.coin.id.clone()?))
}

/// Paints price and change at the right, as many as fit; only the rank of a coin whose price is not loaded.
fn price(buf: &mut Buffer, rest: &mut Rect, coin: Option<&Coin>, rank: Option<u32>, appearance: &Appearance) {
    let theme = &appearance.theme;
    if rest.width < PRICE + 8 {
        return;
    }
    if let Some(coin) = coin {
        if rest.width >= PRICE + CHANGE + 16 {
            let cell = Rect { width: CHANGE - 1, ..right(rest, CHANGE) };
            text::number(buf, cell, &Change(coin.change_24h_pct).to_string(), theme.change(coin.change_24h_pct));
        }
        text::number(buf, right(rest, PRICE), &PriceIn(&coin.convert, coin.price).to_string(), theme.strong);
    } else if let Some(rank) = rank {
        let rank = format!("#{}", Count(rank.into()));
        text::put(buf, right(rest, text::width(&rank)), &rank, theme.dim);
    } else {
        return;
    }
    rest.width = rest.width.saturating_sub(1);
}

/// Cuts columns off at the right.
fn right(rest: &mut Rect, columns: u16) -> Rect {
    let columns = columns.min(rest.width);
    rest.width -= columns;
    Rect { x: rest.right(), width: columns, ..*rest }
}

/// The keys of an item: `s`, `y c`.
fn keys(item: &Item, appearance: &Appearance) -> String {
    let keys = item.keys.map(|keys| keys.name(appearance.glyphs)).unwrap_or_default();
    match item.letter {
        Some(letter) if !keys.is_empty() => format!("{keys} {letter}"),
        _ => keys,
    }
}

/// Paints a name with the letters that match the typed text. Returns the columns used.
fn names(buf: &mut Buffer, area: Rect, name: &str, query: &str, style: Style, appearance: &Appearance) -> u16 {
    let used = text::put(buf, area, name, style);
    let matched = fuzzy::matched(query, name);
    if matched.is_empty() {
        return used;
    }
    let (mut column, mut index) = (0, 0);
    for grapheme in name.graphemes(true) {
        let (width, chars) = (text::width(grapheme), grapheme.chars().count());
        if column + width > area.width {
            break;
        }
        if matched.iter().any(|at| (index..index + chars).contains(at))
            && let Some(cell) = buf.cell_mut((area.x + column, area.y)).filter(|cell| cell.symbol() != text::ELLIPSIS)
        {
            cell.set_style(appearance.theme.accent);
        }
        column += width;
        index += chars;
    }
    used
}
