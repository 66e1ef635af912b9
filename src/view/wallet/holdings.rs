//! The holdings: totals, and a table of holdings with the lots of those that are expanded.

use std::collections::{BTreeMap, BTreeSet};

use ratatui::buffer::Buffer;
use ratatui::layout::Rect;
use ratatui::style::Style;

use super::addresses;
use super::columns::{
    AMOUNT, DAY, FRACTION, NAME, NOTE, PRICE, PROFIT, PROFIT_PCT, SHARE, SYMBOL, TREND, VALUE, amount, columns,
    comparison_letter, hidden_or, show_hidden_sort,
};
use crate::app::State;
use crate::app::Target;
use crate::app::panel::Panel;
use crate::app::screen::wallet::holdings::{Holdings, LineKind};
use crate::app::screen::wallet::order::{HoldingSort, Order, key};
use crate::format::{ABSENT, Change, HIDDEN, Money, MoneyIn, PriceIn, Share};
use crate::model::{Currency, Decimal, Text};
use crate::portfolio::{Holding, HoldingValue, LotProblem, LotState, Valuation};
use crate::user_data::{Lot, LotId};
use crate::view::appearance::Appearance;
use crate::view::area::{below, inner};
use crate::view::chrome::exchange_rate;
use crate::view::chrome::health::Health;
use crate::view::view_state::{Screen, ViewState};
use crate::view::widgets::table::{Direction, Layout, Row};
use crate::view::widgets::{Sparkline, Table, text};
use ratatui::widgets::{StatefulWidget, Widget};

/// Marks amounts sold or sent without being held.
const NOT_HELD: &str = "not held";

/// How many rows the table needs, with its heading.
pub(super) fn height(state: &State) -> u16 {
    rows(state, 1)
}

/// How many rows the table needs with so many lines of each row.
fn rows(state: &State, lines: u16) -> u16 {
    u16::try_from(state.wallet.held_lines()).unwrap_or(u16::MAX).saturating_mul(lines).saturating_add(1)
}

/// Minimum width of the table for rows of two lines.
const TALL_WIDTH: u16 = 70;

/// The lines of each row: two if there is room for them and for `others` rows below.
pub(super) fn lines(area: Rect, others: u16, state: &State) -> u16 {
    let has_room = rows(state, 2).saturating_add(others) <= area.height;
    if area.width >= TALL_WIDTH && has_room { 2 } else { 1 }
}

/// How many rows the table needs with rows of this height.
pub(super) fn height_of(lines: u16, state: &State) -> u16 {
    rows(state, lines)
}

/// A part of the totals that is shown or dropped as a whole, in several forms, the longest first.
type Part = Vec<Vec<(String, Style)>>;

/// Paints the totals in one line, the most important first.
pub(super) fn totals(buf: &mut Buffer, area: Rect, state: &State, appearance: &Appearance) {
    let theme = &appearance.theme;
    let parts = total_parts(area.width, state, appearance);
    let width = |form: &[(String, Style)]| form.iter().map(|(words, _)| text::width(words) + 2).sum::<u16>();
    let mut rest = inner(area);
    // A failure overrides the details of the totals, but not the names of missing parts.
    if let Some(health) = state.holdings_remote().map(|remote| Health::of(remote, state)) {
        let is_essential = |(index, part): (usize, &Part)| index == 0 || is_warning(part, theme.warn);
        let essential = parts.iter().enumerate().take(2).filter(|(index, part)| is_essential((*index, *part)));
        let essential: u16 = essential.filter_map(|(_, part)| part.last()).map(|form| width(form)).sum();
        let wanted: u16 = parts.iter().filter_map(|part| part.first()).map(|form| width(form)).sum();
        let room = rest.width.saturating_sub(if health.is_bad { essential } else { wanted });
        let words = health.fitted(room);
        if text::width(&words) <= room {
            text::put_right(buf, rest, &words, health.style(theme));
            rest.width -= text::width(&words);
        }
    }
    for part in parts {
        let fits = |form: &&Vec<(String, Style)>| width(form) <= rest.width + 2;
        let Some(form) = part.iter().find(fits).or(part.last().filter(|_| rest.width == inner(area).width)) else {
            break;
        };
        for (words, style) in form {
            let used = text::put(buf, rest, words, *style);
            rest = text::shifted(rest, used + 2);
        }
    }
}

/// Whether a part names what is missing from the totals.
fn is_warning(part: &Part, warn: Style) -> bool {
    part.iter().flatten().any(|(_, style)| *style == warn)
}

/// The parts of the totals in a line of this width.
fn total_parts(width: u16, state: &State, appearance: &Appearance) -> Vec<Part> {
    let theme = &appearance.theme;
    let Valuation { value, profit, profit_pct, realised, day_change, day_change_pct, unvalued, holdings, .. } =
        state.wallet.holdings().valuation();
    let sign = state.convert.sign().map_or_else(|| format!("{} ", state.convert), str::to_owned);
    let hides = state.wallet.hides_amounts;
    let money = |sum: &Decimal| if hides { HIDDEN.to_owned() } else { signed(sum, &sign, &state.convert) };
    let change = |pct: &Option<Decimal>| pct.as_ref().map(Decimal::to_f64);
    let one = |words: String, style: Style| vec![vec![(words, style)]];
    let mut parts: Vec<Part> = Vec::new();
    let has_price = holdings.iter().any(|holding| holding.price.is_some());
    let total = match has_price {
        _ if hides => HIDDEN.to_owned(),
        true => format!("{sign}{}", PriceIn(&state.convert, Some(value.to_f64()))),
        false => format!("{sign}{ABSENT}"),
    };
    parts.push(one(total, theme.strong));
    // Names, or only their number if they don't fit.
    let named = |what: &str, all: &[Text], room: u16| {
        let words = |names: String| vec![(format!("{what} {names}"), theme.warn)];
        vec![words(names(all, room)), words(all.len().to_string())]
    };
    if has_price && !unvalued.is_empty() {
        parts.push(named("without", unvalued, width / 3));
    }
    let mut thin: Vec<Text> = Vec::new();
    for held in holdings.iter().filter(|held| state.wallet.holdings().is_thin(held)) {
        if !thin.contains(&held.holding.coin.symbol) {
            thin.push(held.holding.coin.symbol.clone());
        }
    }
    if !thin.is_empty() {
        parts.push(named("low volume:", &thin, width / 4));
    }
    // Without any price, a profit could lack a cost, so none is shown.
    if let Some(words) = without_rate(state).filter(|_| has_price) {
        parts.push(one(words, theme.warn));
    }
    let oversold = holdings.iter().filter(|held| is_oversold(held));
    let oversold: Vec<Text> = oversold.map(|held| held.holding.coin.symbol.clone()).collect();
    if !oversold.is_empty() {
        parts.push(named("sold more than held:", &oversold, width / 4));
    }
    if let Some(pct) = change(day_change_pct) {
        let day = (format!("{} 24h", Change(Some(pct)).to_string().trim()), theme.change(Some(pct)));
        let long = vec![day.clone(), (format!("({})", money(day_change)), theme.dim)];
        let without = state.wallet.holdings().valuation().without_change();
        let lacks = if without.is_empty() { vec![Vec::new()] } else { named("without", &without, width / 4) };
        // Never without the names of missing parts.
        let forms = lacks
            .iter()
            .flat_map(|lacks| [long.as_slice(), std::slice::from_ref(&day)].map(|form| [form, lacks].concat()));
        parts.push(forms.collect());
    }
    if state.waits_for_rates() {
        // The profit of some lots would be mistaken for that of all.
        parts.push(one(String::from("loading exchange rates…"), theme.dim));
    } else if let Some(pct) = change(profit_pct) {
        let short = vec![(String::from("profit"), theme.dim), (Change(Some(pct)).to_string(), theme.change(Some(pct)))];
        let long = short.iter().cloned().chain([(format!("({})", money(profit)), theme.dim)]).collect();
        parts.push(vec![long, short]);
    }
    if !realised.is_zero() && !state.waits_for_rates() {
        parts.push(one(format!("realised {}", money(realised)), theme.dim));
    }
    parts.extend(exchange_rate::origin(state).map(|words| one(words, theme.dim)));
    parts
}

/// The number of lots whose cost is omitted because the rate of their currency is unknown: `cost excludes 2 lots in
/// GBP`. `None` while the rates load.
fn without_rate(state: &State) -> Option<String> {
    let holdings = &state.wallet.holdings().valuation().holdings;
    let lots = holdings.iter().flat_map(|holding| &holding.holding.lots);
    // A lot divided among places counts once.
    let without: BTreeMap<LotId, &Currency> = lots
        .filter_map(|lot| match &lot.problem {
            Some(LotProblem::NoRate(currency, _)) => Some((lot.id, currency)),
            _ => None,
        })
        .collect();
    let currencies: Vec<&Currency> = without.into_values().collect();
    let different: BTreeSet<&str> = currencies.iter().map(|currency| currency.as_str()).collect();
    let codes: Vec<&str> = different.into_iter().collect();
    match currencies.len() {
        0 => None,
        _ if state.waits_for_rates() => None,
        1 => Some(format!("cost excludes 1 lot in {}", codes.join(", "))),
        count => Some(format!("cost excludes {count} lots in {}", codes.join(", "))),
    }
}

/// The first names that fit into `room` columns, and how many more there are.
fn names(all: &[Text], room: u16) -> String {
    let mut shown = String::new();
    for (index, name) in all.iter().enumerate() {
        let gap = if index == 0 { "" } else { ", " };
        if index > 0 && text::width(&shown) + text::width(name) + 2 > room {
            return format!("{shown} and {} more", all.len() - index);
        }
        shown += gap;
        shown += name;
    }
    shown
}

/// A sum of money with its sign: `+€851`, `−€1,177`.
fn signed(sum: &Decimal, code: &str, currency: &Currency) -> String {
    let sign = if sum.is_negative() { "−" } else { "+" };
    format!("{sign}{code}{}", MoneyIn(currency, sum.to_f64().abs()))
}

/// Paints the table, with rows of this many lines.
pub(super) fn paint(
    buf: &mut Buffer,
    area: Rect,
    lines: u16,
    state: &State,
    appearance: &Appearance,
    view_state: &mut ViewState,
) {
    let theme = &appearance.theme;
    let (wallet, holdings) = (&state.wallet, state.wallet.holdings());
    let columns = columns(area.width);
    let has_notes = holdings.lots().iter().any(|lot| lot.note.is_some())
        || holdings.addresses().iter().any(|held| held.tokens.iter().flatten().any(addresses::has_transferable));
    let has_trends = !state.wallet.value_chart().points.is_empty();
    let position = state.panel_scroll.position(Panel::Holdings);
    let layout = Layout::scrolled(&columns, area.width, (1, position), |index| match index {
        NOTE => has_notes,
        TREND => has_trends,
        _ => true,
    });
    view_state.scroll_limit(Panel::Holdings, &layout);
    let len = wallet.held_lines();
    let selected = Some(wallet.cursor.index()).filter(|index| *index < len);
    let head = u16::from(area.height > 1);
    let place = below(area, head);
    let table = Table::new(&columns, len, |index, cells| match wallet.lines().get(index).map(|line| line.kind) {
        Some(LineKind::Holding(index)) => {
            if let Some(holding) = holdings.holding(index) {
                paint_holding(cells, holding, holdings, state, appearance);
            }
        }
        Some(LineKind::Lot(index, lot)) => {
            if let Some((holding, (lot, rest))) = holdings.holding(index).zip(holdings.lot_of(index, lot)) {
                paint_lot(cells, holding, lot, rest, state, appearance);
            }
        }
        Some(LineKind::Address(index)) => {
            if let Some(address) = holdings.addresses().get(index) {
                addresses::paint_address(cells, address, holdings, state, appearance);
            }
        }
        Some(LineKind::Unvalued(index, place)) => {
            if let Some(token) = holdings.addresses().get(index).and_then(|held| held.tokens.as_ref()?.get(place)) {
                addresses::paint_unvalued(cells, token, state, appearance);
            }
        }
        Some(LineKind::Watched(_)) | None => {}
    });
    // Without a selection, the scroll position is kept.
    let rows = place.height / lines;
    let mut table_state = view_state.table(Screen::Wallet, Some(Panel::Holdings), len, selected, rows);
    let visible = table_state.visible(len, usize::from(rows));
    let table = table.head(head > 0).layout(&layout).row_height(lines, 0).selection(theme.selection).theme(theme);
    let order = holdings.order().0;
    table.sort(sort_mark(order)).scrollbar().render(area, buf, &mut table_state);
    if head > 0 && position == 0 {
        show_hidden_sort(buf, text::line(area, 0), &layout, sort_mark(order), order.by, theme);
    }
    for (row, index) in (0..).zip(visible) {
        view_state.target(Rect { y: place.y + row * lines, height: lines, ..place }, Target::Row(None, index));
    }
    for placed in layout.columns().iter().filter(|_| head > 0) {
        let by = Order::ALL.iter().position(|order| Some(*order) == order_of(placed.index));
        if let (Some(by), Some(cell)) = (by, layout.cell(text::line(area, 0), placed.index)) {
            view_state.target(cell, Target::Heading(None, by));
        }
    }
}

/// The sort key of a click on a column's heading.
fn order_of(column: usize) -> Option<Order> {
    match column {
        NAME => Some(Order::Name),
        PRICE => Some(Order::Price),
        // The order by share is that by value.
        VALUE | SHARE => Some(Order::Value),
        DAY => Some(Order::Change),
        PROFIT => Some(Order::Profit),
        PROFIT_PCT => Some(Order::ProfitPct),
        _ => None,
    }
}

/// The sort column and direction, for the mark in the heading; `None` for the manual order.
fn sort_mark(order: HoldingSort) -> Option<(usize, Direction)> {
    let column = (NAME..=PROFIT_PCT).find(|column| order_of(*column) == Some(order.by))?;
    Some((column, direction(order)))
}

/// The direction of an order that isn't manual.
pub(super) fn direction(order: HoldingSort) -> Direction {
    let is_ascending = (order.by == Order::Name) != order.is_reversed;
    if is_ascending { Direction::Ascending } else { Direction::Descending }
}

fn paint_holding(cells: &mut Row<'_>, holding: &HoldingValue, all: &Holdings, state: &State, appearance: &Appearance) {
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
        Some(address) => addresses::paint_token(cells, address, coin, mark, hides, appearance),
        None => cells.words(NAME, &format!("{gap}{mark}{name}"), theme.text),
    }
    cells.words(SYMBOL, &coin.symbol, theme.dim);
    if is_oversold(holding) && holding.holding.amount.is_zero() {
        cells.number(AMOUNT, NOT_HELD, theme.warn);
    } else {
        cells.number(AMOUNT, hidden_or(hides, || amount(&holding.holding.amount)), theme.text);
    }
    if is_oversold(holding) && !holding.holding.amount.is_zero() {
        cells.cell(AMOUNT, |buf, cell| text::mark_before(buf, text::line(cell, 0), "!", theme.warn));
    }
    let float = |number: &Option<Decimal>| number.as_ref().map(Decimal::to_f64);
    cells.decimal(PRICE, 4, PriceIn(&state.convert, float(&holding.price)), theme.text);
    if hides {
        cells.number(VALUE, HIDDEN, theme.strong);
    } else {
        cells.decimal(VALUE, FRACTION, PriceIn(&state.convert, float(&holding.value)), theme.strong);
    }
    cells.number(SHARE, Share(float(&holding.share_pct)), theme.dim);
    cells.number(DAY, Change(holding.change_24h_pct), theme.change(holding.change_24h_pct));
    if let Some(prices) = state.wallet.value_chart().trends.get(&key(coin)).filter(|_| cells.layout.shows(TREND)) {
        let mut known = prices.iter().copied().filter(|price| price.is_finite());
        let ends = known.next().zip(known.next_back());
        let change = ends.map(|(open, last)| (last / open - 1.0) * 100.0).filter(|change| change.is_finite());
        let height = cells.area.height;
        cells.cell(TREND, |buf, cell| {
            let cell = Rect { height, ..text::shifted(cell, 1) };
            Sparkline::new(prices).style(theme.change(change)).render(cell, buf);
        });
    }
    if cells.area.height > 1 {
        second_line(cells, holding, &state.convert, appearance);
    }
    profit(cells, holding.profit.as_ref(), float(&holding.profit_pct), state, appearance);
}

/// Whether more of a coin was sold or sent than was held.
fn is_oversold(holding: &HoldingValue) -> bool {
    let mut lots = holding.holding.lots.iter();
    lots.any(|lot| matches!(lot.problem, Some(LotProblem::MoreThanHeld(_))))
}

/// Paints the details that fit in a high row: the number of lots and the average cost of a unit.
fn second_line(cells: &mut Row<'_>, holding: &HoldingValue, convert: &Currency, appearance: &Appearance) {
    let theme = &appearance.theme;
    let Holding { lots, costed, cost, .. } = holding.holding.as_ref();
    let line = text::line(cells.area, 1);
    let words = match lots.len() {
        0 => return,
        1 => String::from("1 lot"),
        count => format!("{count} lots"),
    };
    if let Some(cell) = cells.layout.cell(line, NAME) {
        text::put(cells.buf, cell, &words, theme.dim);
    }
    let average = cost.divided_by(costed).map(|average| average.to_f64());
    if let (Some(average), Some(cell)) = (average, cells.layout.cell(line, PRICE)) {
        text::decimal(cells.buf, cell, 4, &PriceIn(convert, Some(average)).to_string(), theme.dim);
        if let Some(before) = cells.layout.cell(line, AMOUNT) {
            text::number(cells.buf, before, "average cost", theme.dim);
        }
    }
}

fn paint_lot(
    cells: &mut Row<'_>,
    holding: &HoldingValue,
    lot: &Lot,
    rest: &LotState,
    state: &State,
    appearance: &Appearance,
) {
    let theme = &appearance.theme;
    cells.words(NAME, &format!("  {} {}", lot.kind.as_str(), lot.date), theme.dim);
    let hides = state.wallet.hides_amounts;
    cells.number(AMOUNT, hidden_or(hides, || amount(&lot.amount.into())), theme.dim);
    let unit = lot.price.as_ref().and_then(|price| price.unit(lot.amount));
    if lot.currency == state.convert || unit.is_none() {
        cells.decimal(PRICE, 4, PriceIn(&lot.currency, unit.as_ref().map(Decimal::to_f64)), theme.dim);
    } else if let Some(unit) = unit {
        let number = PriceIn(&lot.currency, Some(unit.to_f64()));
        let (long, sign) = (format!("{number} {}", lot.currency), lot.currency.sign());
        let is_long = |cell: Rect| text::width(&long) > cell.width;
        let is_cut = cells.layout.cell(cells.area, PRICE).is_some_and(is_long);
        match sign.filter(|_| is_cut) {
            Some(sign) => cells.number(PRICE, format_args!("{sign}{number}"), theme.dim),
            None => cells.number(PRICE, &long, theme.dim),
        }
    }
    let (value, gain) = holding.of_lot(rest);
    match value {
        Some(_) if hides => cells.number(VALUE, HIDDEN, theme.dim),
        Some(value) => cells.decimal(VALUE, FRACTION, PriceIn(&state.convert, Some(value.to_f64())), theme.dim),
        None => {
            // A sale has no value, which leaves room for the amount that was not held; its profit is that of the rest.
            if let Some(LotProblem::MoreThanHeld(excess)) = &rest.problem {
                let excess = if hides { String::new() } else { format!("{} ", amount(excess)) };
                cells.number(VALUE, format!("{excess}{NOT_HELD}"), theme.warn);
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
            LotProblem::MoreThanBalance(_) => (String::from("not held"), theme.warn),
        };
        if gain.is_none() {
            cells.number(PROFIT, words, style);
        }
    }
    let note = lot.note.as_ref().map(|note| format!(" “{note}”")).unwrap_or_default();
    cells.words(NOTE, &note, theme.text);
}

fn profit(cells: &mut Row<'_>, profit: Option<&Decimal>, percent: Option<f64>, state: &State, appearance: &Appearance) {
    let Some(profit) = profit else {
        cells.number(PROFIT, ABSENT, appearance.theme.dim);
        return;
    };
    let style = appearance.theme.change(Some(profit.to_f64()));
    let hides = state.wallet.hides_amounts;
    let width = cells.layout.cell(cells.area, PROFIT).map_or(0, |cell| cell.width);
    let fitting = || {
        let whole = signed(profit, "", &state.convert);
        let sign = if profit.is_negative() { "−" } else { "+" };
        let is_long = text::width(&whole) > width;
        if is_long { format!("{sign}{}", Money(Some(profit.to_f64().abs()))) } else { whole }
    };
    cells.number(PROFIT, hidden_or(hides, fitting), style);
    cells.number(PROFIT_PCT, Change(percent), appearance.theme.change(percent));
}
