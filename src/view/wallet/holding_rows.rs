//! The rows of holdings and of their lots.

use ratatui::layout::Rect;
use ratatui::widgets::Widget;

use super::addresses;
use super::columns::{ValueFormat, amount, comparison_gap, comparison_letter, hidden_or, signed};
use crate::app::State;
use crate::app::panel::cells::HoldingCell;
use crate::app::screen::wallet::holdings::Holdings;
use crate::app::screen::wallet::order::key;
use crate::format::words::counted;
use crate::format::{ABSENT, Change, HIDDEN, Money, MoneyIn, PriceIn, Share};
use crate::model::change::line_change_pct;
use crate::model::{Currency, Decimal};
use crate::portfolio::{Holding, HoldingValue, LotProblem, LotState};
use crate::user_data::Lot;
use crate::view::appearance::Appearance;
use crate::view::paint_context::PaintContext;
use crate::view::widgets::Sparkline;
use crate::view::widgets::table::Row;
use crate::view::widgets::text::{self, PRICE_DECIMALS};

/// Marks a profit that covers only the part of a holding with a known cost.
const PARTIAL: &str = "~";

/// Marks amounts sold or sent without being held.
const NOT_HELD: &str = "not held";

/// Paints a holding.
pub(super) fn paint_holding(
    cells: &mut Row<'_>,
    holding: &HoldingValue,
    all: &Holdings,
    values: ValueFormat,
    context: PaintContext<'_>,
) {
    let PaintContext { state, appearance } = context;
    let theme = &appearance.theme;
    let coin = &holding.holding.coin;
    let gap = comparison_letter(cells, coin, state, theme);
    let name = all.coin(holding).map_or(&coin.symbol, |coin| &coin.name);
    let mark = match (holding.holding.lots.len(), all.is_expanded(holding)) {
        (0, _) => "",
        (_, true) => "▾ ",
        (_, false) => "▸ ",
    };
    let hides = state.wallet.hides_amounts;
    let address = all.addresses().iter().find(|held| Some(&held.entry.address) == holding.holding.address.as_ref());
    match address {
        Some(address) => addresses::paint_token(cells, address, coin, &format!("{gap}  {mark}"), hides, appearance),
        None => cells.words(HoldingCell::Name, &format!("{gap}{mark}{name}"), theme.text),
    }
    cells.words(HoldingCell::Symbol, &coin.symbol, theme.dim);
    if is_oversold(holding) && holding.holding.amount.is_zero() {
        cells.number(HoldingCell::Amount, NOT_HELD, theme.warn);
    } else {
        cells.number(HoldingCell::Amount, hidden_or(hides, || amount(&holding.holding.amount)), theme.text);
    }
    if is_oversold(holding) && !holding.holding.amount.is_zero() {
        cells.cell(HoldingCell::Amount, |buf, cell| text::mark_before(buf, text::line(cell, 0), "!", theme.warn));
    }
    let float = |number: &Option<Decimal>| number.as_ref().map(Decimal::to_f64);
    cells.decimal(HoldingCell::Price, PRICE_DECIMALS, PriceIn(&state.convert, float(&holding.price)), theme.text);
    if hides {
        cells.number(HoldingCell::Value, HIDDEN, theme.strong);
    } else {
        values.paint(cells, holding.value.as_ref(), &state.convert, theme.strong);
    }
    if let Some(forms) = state.missing_price(holding) {
        missing_price(cells, &forms, appearance);
    }
    cells.number(HoldingCell::Share, Share(float(&holding.share_pct)), theme.dim);
    cells.number(HoldingCell::Day, Change(holding.change_24h_pct), theme.change(holding.change_24h_pct));
    if let Some(prices) =
        state.wallet.value_chart().trends.get(&key(coin)).filter(|_| cells.layout.shows(HoldingCell::Trend))
    {
        let change = line_change_pct(prices);
        let height = cells.area.height;
        cells.cell(HoldingCell::Trend, |buf, cell| {
            let cell = Rect { height, ..text::shifted(cell, 1) };
            Sparkline::new(prices).style(theme.change(change)).render(cell, buf);
        });
    }
    if cells.area.height > 1 {
        // A balance is indented below its address.
        let indent = if address.is_some() { "  " } else { "" };
        second_line(cells, holding, &format!("{gap}{indent}"), (&state.convert, hides), appearance);
    }
    profit(cells, holding.profit.as_ref(), float(&holding.profit_pct), state, appearance);
    if has_partial_profit(holding) {
        for column in [HoldingCell::Profit, HoldingCell::ProfitPct] {
            cells.cell(column, |buf, cell| text::mark_before(buf, text::line(cell, 0), PARTIAL, theme.warn));
        }
    }
}

/// Paints why a price is missing in place of price and value: the longest form that fits.
fn missing_price(cells: &mut Row<'_>, forms: &[String], appearance: &Appearance) {
    let line = text::line(cells.area, 0);
    let Some(value) = cells.layout.cell(line, HoldingCell::Value) else { return };
    let from = cells.layout.cell(line, HoldingCell::Price).map_or(value.x, |price| price.x);
    let room = Rect { x: from, width: value.right().saturating_sub(from), ..value };
    if let Some(words) = forms.iter().find(|words| text::width(words) <= room.width) {
        // The blanks cover the marks of absent numbers.
        let blanks = room.width.saturating_sub(text::width(words)).into();
        text::put(cells.buf, room, &format!("{:blanks$}{words}", ""), appearance.theme.dim);
    }
}

/// Whether a part of a holding has no known cost, so that its profit doesn't cover the whole.
fn has_partial_profit(holding: &HoldingValue) -> bool {
    holding.profit.is_some() && holding.holding.costed != holding.holding.amount
}

/// Whether more of a coin was sold or sent than was held.
pub(super) fn is_oversold(holding: &HoldingValue) -> bool {
    let mut lots = holding.holding.lots.iter();
    lots.any(|lot| matches!(lot.problem, Some(LotProblem::MoreThanHeld(_))))
}

/// By how much the lots at an address exceed its balance; `None` if they don't.
pub(super) fn excess(holding: &HoldingValue) -> Option<Decimal> {
    let amounts = holding.holding.lots.iter().filter_map(|lot| match &lot.problem {
        Some(LotProblem::MoreThanBalance(amount)) => Some(amount.clone()),
        _ => None,
    });
    amounts.reduce(|sum, amount| sum + &amount)
}

/// Paints the details that fit in a high row: the number of lots, below the name after `indent`, the average cost of
/// a unit, and how much has a known cost if that isn't all.
fn second_line(
    cells: &mut Row<'_>,
    holding: &HoldingValue,
    indent: &str,
    (convert, hides): (&Currency, bool),
    appearance: &Appearance,
) {
    let theme = &appearance.theme;
    let Holding { lots, costed, cost, .. } = holding.holding.as_ref();
    let line = text::line(cells.area, 1);
    let words = match lots.len() {
        0 => return,
        count => counted(count, "lot"),
    };
    if let Some(cell) = cells.layout.cell(line, HoldingCell::Name) {
        text::put(cells.buf, cell, &format!("{indent}  {words}"), theme.dim);
    }
    if let Some(cell) = cells.layout.cell(line, HoldingCell::Profit).filter(|_| has_partial_profit(holding) && !hides) {
        text::number(cells.buf, cell, &format!("on {}", amount(costed)), theme.dim);
    }
    let average = cost.divided_by(costed).map(|average| average.to_f64());
    if let (Some(average), Some(cell)) = (average, cells.layout.cell(line, HoldingCell::Price)) {
        text::decimal(cells.buf, cell, PRICE_DECIMALS, &PriceIn(convert, Some(average)).to_string(), theme.dim);
        if let Some(before) = cells.layout.cell(line, HoldingCell::Amount) {
            text::number(cells.buf, before, "average cost", theme.dim);
        }
    }
}

/// Paints a lot below its holding.
pub(super) fn paint_lot(
    cells: &mut Row<'_>,
    holding: &HoldingValue,
    (lot, rest): (&Lot, &LotState),
    values: ValueFormat,
    context: PaintContext<'_>,
) {
    let PaintContext { state, appearance } = context;
    let theme = &appearance.theme;
    let words = format!("  {} {}", lot.kind.as_str(), lot.date);
    let line = text::line(cells.area, 0);
    let mut used = 0;
    if let Some(name) = cells.layout.cell(line, HoldingCell::Name) {
        // A lot leaves the column of the symbol empty.
        let end = cells.layout.cell(line, HoldingCell::Symbol).map_or(name.right(), |symbol| symbol.right());
        let room = Rect { width: end.saturating_sub(name.x), ..name };
        // The date is never cut for the blank.
        let gap = comparison_gap(cells.layout, line, state);
        let gap = if text::width(gap) + text::width(&words) <= room.width { gap } else { "" };
        let words = if text::width(&words) <= room.width { words.as_str() } else { words.trim_start() };
        used = (room.x - line.x) + text::put(cells.buf, room, &format!("{gap}{words}"), theme.dim);
    }
    let hides = state.wallet.hides_amounts;
    // Two blanks after the date.
    let free = text::shifted(line, used + 2);
    let is_excess_beside = !hides && paint_excess(cells, free, (lot, rest), appearance);
    if !is_excess_beside {
        paint_lot_amount(cells, free, (lot, rest), hides, appearance);
    }
    let unit = lot.price.as_ref().and_then(|price| price.unit(lot.amount));
    if lot.currency == state.convert || unit.is_none() {
        cells.decimal(
            HoldingCell::Price,
            PRICE_DECIMALS,
            PriceIn(&lot.currency, unit.as_ref().map(Decimal::to_f64)),
            theme.dim,
        );
    } else if let Some(unit) = unit {
        let number = PriceIn(&lot.currency, Some(unit.to_f64()));
        let long = format!("{number} {}", lot.currency);
        let is_long = |cell: Rect| text::width(&long) > cell.width;
        let is_cut = cells.layout.cell(cells.area, HoldingCell::Price).is_some_and(is_long);
        // With a sign, it aligns with the other prices.
        let is_clear = |sign: &&str| is_cut || Currency::of_sign(sign).is_some();
        match lot.currency.sign().filter(is_clear) {
            Some(sign) => cells.decimal(HoldingCell::Price, PRICE_DECIMALS, format_args!("{sign}{number}"), theme.dim),
            None => cells.number(HoldingCell::Price, &long, theme.dim),
        }
    }
    let (value, gain) = holding.of_lot(rest);
    match value {
        Some(_) if hides => cells.number(HoldingCell::Value, HIDDEN, theme.dim),
        Some(value) => values.paint(cells, Some(&value), &state.convert, theme.dim),
        None if is_excess_beside => {}
        None => {
            // A sale has no value, which leaves room for the amount that was not held; its profit covers the rest.
            if let Some(LotProblem::MoreThanHeld(excess)) = &rest.problem {
                let excess = if hides { String::new() } else { format!("{} ", amount(excess)) };
                cells.number(HoldingCell::Value, format!("{excess}{NOT_HELD}"), theme.warn);
            }
        }
    }
    let percent = gain.as_ref().zip(rest.cost.as_ref());
    let percent = percent.and_then(|(gain, cost)| crate::portfolio::value::percent(gain, cost));
    profit(cells, gain.as_ref(), percent.as_ref().map(Decimal::to_f64), state, appearance);
    if let Some(problem) = &rest.problem {
        // Without a rate, the profit is unknown, and there is room for the reason.
        let (words, style) = match problem {
            LotProblem::NoRate(currency, _) if state.waits_for_rates() => (format!("{currency} rate…"), theme.dim),
            LotProblem::NoRate(currency, _) => (format!("no {currency} rate"), theme.warn),
            LotProblem::NoPrice => (String::from("no price"), theme.warn),
            LotProblem::MoreThanHeld(_) => (String::from(ABSENT), theme.dim),
            LotProblem::MoreThanBalance(_) if rest.open.is_zero() => (String::from(NOT_HELD), theme.warn),
            LotProblem::MoreThanBalance(_) => (String::from(ABSENT), theme.dim),
        };
        if gain.is_none() {
            cells.number(HoldingCell::Profit, words, style);
        }
    }
    let note = lot.note.as_ref().map(|note| format!(" “{note}”")).unwrap_or_default();
    cells.words(HoldingCell::Note, &note, theme.text);
}

/// Paints how much of a sale was not held in place of its amount, up to the end of the value: `2 of 5 not held`. Only
/// without a price between both, where two amounts would be confused. Returns whether it was painted.
fn paint_excess(cells: &mut Row<'_>, line: Rect, (lot, rest): (&Lot, &LotState), appearance: &Appearance) -> bool {
    let Some(LotProblem::MoreThanHeld(excess)) = &rest.problem else { return false };
    let own = text::line(cells.area, 0);
    let has_price = cells.layout.shows(HoldingCell::Price);
    let Some(value) = cells.layout.cell(own, HoldingCell::Value).filter(|_| !has_price) else { return false };
    let room = Rect { width: value.right().saturating_sub(line.x), ..line };
    let words = format!("{} of {} {NOT_HELD}", amount(excess), amount(&Decimal::from(lot.amount)));
    let fits = text::width(&words) <= room.width;
    if fits {
        text::number(cells.buf, room, &words, appearance.theme.warn);
    }
    fits
}

/// Paints the amount of a lot up to the end of its column; it may start in `line`, which is free.
fn paint_lot_amount(
    cells: &mut Row<'_>,
    line: Rect,
    (lot, rest): (&Lot, &LotState),
    hides: bool,
    appearance: &Appearance,
) {
    if let Some(cell) = cells.layout.cell(text::line(cells.area, 0), HoldingCell::Amount) {
        let room = Rect { width: cell.right().saturating_sub(line.x), ..line };
        let room = if room.width > cell.width { room } else { cell };
        let amounts = hidden_or(hides, || lot_amount(lot, rest, room.width));
        text::number(cells.buf, room, &amounts, appearance.theme.dim);
    }
}

/// The amount of a lot. If only a part of it is left, whose value is beside it, then `400 of 500` or `0 of 500`, if
/// necessary with rounded amounts if they differ. Without room for both, what is left is marked as such.
fn lot_amount(lot: &Lot, rest: &LotState, room: u16) -> String {
    let whole = Decimal::from(lot.amount);
    if !lot.kind.adds() || rest.open == whole {
        return amount(&whole);
    }
    let left = amount(&rest.open);
    let [short, short_whole] = [&rest.open, &whole].map(|number| Money(Some(number.to_f64())).to_string());
    let rounded = (short != short_whole).then(|| format!("≈{short} of {short_whole}"));
    let forms = [format!("{left} of {}", amount(&whole))].into_iter().chain(rounded).chain([format!("{left} left")]);
    text::longest(forms, room).unwrap_or(left)
}

fn profit(cells: &mut Row<'_>, profit: Option<&Decimal>, percent: Option<f64>, state: &State, appearance: &Appearance) {
    let Some(profit) = profit else {
        cells.number(HoldingCell::Profit, ABSENT, appearance.theme.dim);
        return;
    };
    let style = appearance.theme.change(Some(profit.to_f64()));
    let hides = state.wallet.hides_amounts;
    let width = cells.layout.cell(cells.area, HoldingCell::Profit).map_or(0, |cell| cell.width);
    let fitting = || {
        let whole = signed(profit, "", &state.convert);
        let sign = if profit.is_negative() { "−" } else { "+" };
        let is_long = text::width(&whole) > width;
        if is_long { format!("{sign}{}", Money(Some(profit.to_f64().abs()))) } else { whole }
    };
    if hides {
        cells.number(HoldingCell::Profit, HIDDEN, style);
    } else {
        cells.decimal(HoldingCell::Profit, MoneyIn::decimals(&state.convert), fitting(), style);
    }
    cells.number(HoldingCell::ProfitPct, Change(percent), appearance.theme.change(percent));
}
