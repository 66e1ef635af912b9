//! The rows of addresses and their balances.

use ratatui::layout::Rect;

use super::columns::{ValueFormat, amount, comparison_gap, hidden_or};
use crate::app::State;
use crate::app::extension::Extension;
use crate::app::panel::cells::HoldingCell;
use crate::app::screen::wallet::holdings::{HeldAddress, Holdings};
use crate::format::{HIDDEN, MINUS, Share};
use crate::keymap::{Command, Context};
use crate::model::{Amount, Decimal, address};
use crate::portfolio::Unvalued;
use crate::portfolio::value::percent;
use crate::portfolio::wallet::TokenBalance;
use crate::user_data::Watched;
use crate::view::appearance::Appearance;
use crate::view::chrome::health::{self, Health};
use crate::view::paint_context::PaintContext;
use crate::view::widgets::table::Row;
use crate::view::widgets::text;

/// Whether part of the balance is inscribed for a transfer.
pub(super) fn has_transferable(token: &TokenBalance) -> bool {
    token.balance.transferable.is_some_and(|amount| amount > Amount::ZERO)
}

/// Paints an address: label, value and share; or why its balances are unknown.
pub(super) fn paint_address(
    cells: &mut Row<'_>,
    held: &HeldAddress,
    all: &Holdings,
    values: ValueFormat,
    context: PaintContext<'_>,
) {
    let PaintContext { state, appearance } = context;
    let theme = &appearance.theme;
    let line = text::line(cells.area, 0);
    // The scrollbar may be in the last column.
    let end = line.right().saturating_sub(1);
    let name_at = cells.layout.cell(line, HoldingCell::Name).unwrap_or(line);
    // The value column may be scrolled away.
    let value_at = cells.layout.cell(line, HoldingCell::Value).map_or(name_at.right() + 1, |cell| cell.x);
    let room = Rect { width: value_at.saturating_sub(name_at.x + 1), ..name_at };
    let has_balances = held.bitcoin.is_some() || held.tokens.as_ref().is_some_and(|tokens| !tokens.is_empty());
    let mark = match (has_balances, all.shows_balances(held)) {
        (false, _) => "",
        (true, true) => "▾ ",
        (true, false) => "▸ ",
    };
    let gap = comparison_gap(cells.layout, line, state);
    let mut used = text::put(cells.buf, room, &format!("{gap}{mark}{}", held.name()), theme.text);
    if held.entry.label.is_some() {
        let short = address::short(&held.entry.address);
        let beside = text::shifted(room, used + 1);
        if text::width(&short) <= beside.width {
            used += 1 + text::put(cells.buf, beside, &short, theme.dim);
        }
    }
    let bitcoin = bitcoin_note(held, state);
    // Next to the name if there is room, otherwise behind the value.
    let beside = bitcoin.first().filter(|note| used + 2 + text::width(note) < room.width);
    if let Some(note) = beside {
        text::put_right(cells.buf, Rect { width: room.width - 1, ..room }, note, theme.dim);
    }
    if cells.area.height > 1 {
        // Below the name, like the number of a holding's lots.
        let indent = (name_at.x - line.x).saturating_add(text::width(gap) + 2);
        text::put(cells.buf, text::shifted(text::line(cells.area, 1), indent), &held.entry.address, theme.dim);
    }
    let remote = state.responses.get(&held.request);
    if held.tokens.is_none() {
        let rest = Rect { width: end.saturating_sub(value_at), ..text::shifted(line, value_at - line.x) };
        let (words, style) = if state.may_send(&held.request) {
            let health = Health::of(remote, state);
            (health.fitted(rest.width), health.style(theme))
        } else {
            let key = state.keys().name(Command::Open, Context::Wallet, appearance.glyphs);
            (key.map_or_else(|| String::from("not looked up"), |key| format!("press {key} to look up")), theme.warn)
        };
        text::put(cells.buf, rest, &words, style);
        return;
    }
    let value = all.address_value(held);
    let hides = state.wallet.hides_amounts;
    if hides {
        cells.number(HoldingCell::Value, HIDDEN, theme.text);
    } else {
        values.paint(cells, value.as_ref(), &state.convert, theme.text);
    }
    let share = value.as_ref().and_then(|value| percent(value, &all.valuation().value));
    cells.number(HoldingCell::Share, Share(share.as_ref().map(Decimal::to_f64)), theme.dim);
    let health = Health::of(remote, state);
    let rest = cells
        .layout
        .cell(line, HoldingCell::Share)
        .or(cells.layout.cell(line, HoldingCell::Value))
        .map_or(end, |cell| cell.right() + 2);
    let rest = Rect { width: end.saturating_sub(rest), ..text::shifted(line, rest.saturating_sub(line.x)) };
    let none = held.tokens.as_ref().is_some_and(Vec::is_empty);
    let forms = if health.is_bad {
        vec![health.fitted(rest.width)]
    } else if held.more > 0 {
        vec![format!("{} more not counted", held.more)]
    } else if beside.is_none() && !bitcoin.is_empty() {
        bitcoin
    } else if none {
        vec![String::from("no BRC-20 balance")]
    } else {
        Vec::new()
    };
    // A truncated note is useless.
    let words = forms.into_iter().find(|words| text::width(words) <= rest.width).unwrap_or_default();
    text::put(cells.buf, rest, &words, if health.is_bad || held.more > 0 { theme.warn } else { theme.dim });
    if remote.is_stale(state.now) {
        health::fade(cells.buf, cells.area);
    }
}

/// A note on an address's bitcoin, in longer and shorter forms: the unconfirmed change of the balance, or why it is
/// unknown. Often empty.
fn bitcoin_note(held: &HeldAddress, state: &State) -> Vec<String> {
    let Some(balance) = &held.bitcoin else {
        let failure = state.responses.get(&held.bitcoin_request).failure();
        return match failure {
            _ if state.lacks(Extension::BitcoinBalances) => vec![String::from("BTC balance not supported")],
            Some(failure) => vec![format!("BTC: {}", failure.error.reason())],
            None => Vec::new(),
        };
    };
    let Some(change) = balance.unconfirmed_bitcoin() else { return Vec::new() };
    let sign = if change.is_negative() { MINUS } else { "+" };
    let size = if change.is_negative() { -change } else { change };
    let size = hidden_or(state.wallet.hides_amounts, || size.to_string());
    vec![format!("{sign}{size} BTC unconfirmed"), format!("{sign}{size} unconfirmed")]
}

/// Paints the name of a balance's token after a mark, and how much of it is available.
pub(super) fn paint_token(
    cells: &mut Row<'_>,
    address: &HeldAddress,
    coin: &Watched,
    mark: &str,
    hides: bool,
    appearance: &Appearance,
) {
    let token = address.token(coin);
    let ticker = token.and_then(|token| token.balance.ticker.as_ref()).unwrap_or(&coin.symbol);
    cells.words(HoldingCell::Name, &format!("{mark}{ticker}"), appearance.theme.text);
    let split = token.filter(|token| has_transferable(token) && !hides);
    if let Some((available, transferable)) =
        split.and_then(|token| token.balance.available.zip(token.balance.transferable))
    {
        let [available, transferable] = [available, transferable].map(|part| amount(&part.into()));
        let forms = [
            format!(" {available} available, {transferable} transferable"),
            format!(" {transferable} transferable"),
            format!(" {transferable} transf."),
        ];
        let room = cells.layout.cell(cells.area, HoldingCell::Note).map_or(0, |cell| cell.width);
        if let Some(words) = forms.iter().find(|words| text::width(words) <= room) {
            cells.words(HoldingCell::Note, words, appearance.theme.dim);
        }
    }
}

/// Paints a balance without a value, and the reason.
pub(super) fn paint_unvalued(cells: &mut Row<'_>, token: &TokenBalance, state: &State, appearance: &Appearance) {
    let theme = &appearance.theme;
    let gap = comparison_gap(cells.layout, text::line(cells.area, 0), state);
    let ticker = token.balance.ticker.as_deref().unwrap_or_default();
    cells.words(HoldingCell::Name, &format!("{gap}  {ticker}"), theme.text);
    let hides = state.wallet.hides_amounts;
    if let Some(overall) = token.balance.overall {
        cells.number(HoldingCell::Amount, hidden_or(hides, || amount(&overall.into())), theme.text);
    }
    let reason = token.coin.as_ref().err().copied().unwrap_or(Unvalued::NoBalance);
    let line = text::line(cells.area, 0);
    if let Some(cell) = cells.layout.cell(line, HoldingCell::Value) {
        text::put(cells.buf, text::shifted(line, cell.x.saturating_sub(line.x)), reason.as_str(), theme.dim);
    }
}
