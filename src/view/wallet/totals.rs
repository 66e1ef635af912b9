//! The totals of the holdings, in one or two lines.

use std::collections::{BTreeMap, BTreeSet};

use ratatui::buffer::Buffer;
use ratatui::layout::Rect;
use ratatui::style::Style;

use super::columns::{amount, signed};
use super::holding_rows::{excess, is_oversold};
use crate::app::State;
use crate::format::{ABSENT, Arrow, HIDDEN, ValueIn, with_currency};
use crate::model::{Currency, Decimal, Text};
use crate::portfolio::{LotProblem, Valuation};
use crate::theme::Theme;
use crate::user_data::LotId;
use crate::view::appearance::Appearance;
use crate::view::area::inner;
use crate::view::chrome::exchange_rate;
use crate::view::chrome::health::Health;
use crate::view::widgets::text;

/// Words of one style.
#[derive(Clone)]
struct Word {
    text: String,
    style: Style,
    /// The columns that are reserved for them, so that other amounts, or hidden ones, don't change the layout.
    columns: u16,
}

/// A part of the totals that is shown or dropped as a whole.
struct Part {
    /// The forms of the line, the longest first.
    forms: Vec<Vec<Word>>,
    /// Whether it names what is missing from the totals.
    is_warning: bool,
}

impl Part {
    /// The columns that are reserved for its longest form.
    fn reserved(&self) -> u16 {
        self.forms.first().map_or(0, |form| form.iter().map(|word| word.columns + GAP).sum())
    }
}

/// Blank columns after each word.
const GAP: u16 = 2;

/// Columns reserved for a sum: `+€12,345,678`.
const SUM: u16 = 12;

/// Columns of `realised `.
const REALISED: u16 = 9;

/// Columns reserved for the age of the prices beside the totals, if these need a second line: `updated 30 m ago`.
const AGE: u16 = 18;

/// Where [`paint`] left off.
pub(super) struct Painted {
    /// Whether it painted the origin of the exchange rate.
    pub(super) has_rate: bool,
    /// The columns used in the second line.
    pub(super) below: u16,
    /// The columns reserved in the second line.
    pub(super) reserved: u16,
}

/// Paints the totals in the line `area`, the most important first, with the age of the prices on the right. If the line
/// is too short for the longest forms of all parts, the last parts are painted in the line `second`, if there is one;
/// otherwise parts are shortened or dropped.
pub(super) fn paint(
    buf: &mut Buffer,
    area: Rect,
    second: Option<Rect>,
    state: &State,
    appearance: &Appearance,
) -> Painted {
    let theme = &appearance.theme;
    let parts = total_parts(area.width, state, appearance);
    let rate = exchange_rate::origin(state);
    let line = inner(area);
    let whole: u16 = parts.iter().map(Part::reserved).sum();
    let with_rate = whole + rate.as_ref().map_or(0, |words| text::width(words) + 2);
    let is_split = second.is_some() && with_rate + AGE > line.width;
    let fits_rate = !is_split && with_rate <= line.width + 2;
    let health = state.holdings_remote().map(|remote| Health::of(remote, state));
    let problem = health.as_ref().filter(|health| health.is_bad);
    let first = problem.map_or(line, |problem| paint_problem(buf, line, &parts, problem, theme));
    let second = second.map(inner).filter(|_| is_split || problem.is_some());
    // The parts in the first line of two.
    let mut taken = if problem.is_some() { 0 } else { AGE };
    let fits_above = |part: &&Part| {
        taken += part.reserved();
        taken <= first.width + 2
    };
    let above = parts.iter().take_while(fits_above).count().max(1);
    let (mut rest, used_below) = paint_parts(buf, &parts, (first, second), is_split.then_some(above));
    let rate = rate.filter(|words| fits_rate && used_below.is_none() && text::width(words) <= rest.width);
    if let Some(words) = &rate {
        let used = text::put(buf, rest, words, theme.dim) + 2;
        rest = text::shifted(rest, used);
    }
    if let Some(health) = health.as_ref().filter(|health| !health.is_bad) {
        text::put_right(buf, rest, &health.fitted(rest.width), theme.dim);
    }
    let below = used_below.unwrap_or(0);
    let reserved: u16 = parts.iter().skip(above).map(Part::reserved).sum();
    // A second line stays even if nothing is in it.
    Painted { has_rate: rate.is_some(), below, reserved: if is_split { reserved.max(1) } else { below } }
}

/// Paints a failure on the right. It overrides the details of the totals, but not the names of missing parts: without
/// room for both, it is not painted. Returns the rest of the line.
fn paint_problem(buf: &mut Buffer, line: Rect, parts: &[Part], problem: &Health, theme: &Theme) -> Rect {
    let essential = parts.iter().enumerate().take(2).filter(|(index, part)| *index == 0 || part.is_warning);
    let essential: u16 = essential.filter_map(|(_, part)| part.forms.last()).map(|form| columns(form)).sum();
    let room = line.width.saturating_sub(essential);
    let words = problem.fitted(room);
    if text::width(&words) > room {
        return line;
    }
    text::put_right(buf, line, &words, problem.style(theme));
    Rect { width: line.width - text::width(&words), ..line }
}

/// Paints the parts in the first line, and from a part on in the second, if there is one: from this index or, without it,
/// from the first one whose longest form doesn't fit. Returns the rest of the first line, and the columns used in the
/// second one, if there are parts in it.
fn paint_parts(
    buf: &mut Buffer,
    parts: &[Part],
    (first, mut second): (Rect, Option<Rect>),
    split_at: Option<usize>,
) -> (Rect, Option<u16>) {
    let fits = |form: &[Word], room: u16| columns(form) <= room + 2;
    let (mut rest, mut rest_of_first, mut used_below) = (first, None, 0);
    for (index, part) in parts.iter().enumerate() {
        let is_long = match split_at {
            Some(split_at) => index >= split_at,
            None => !part.forms.first().is_some_and(|form| fits(form, rest.width)),
        };
        if is_long
            && index > 0
            && let Some(line) = second.take()
        {
            rest_of_first = Some(rest);
            rest = line;
        }
        let form = part.forms.iter().find(|form| fits(form, rest.width)).or(part.forms.last().filter(|_| index == 0));
        let Some(form) = form else { break };
        for word in form {
            let used = text::put(buf, rest, &word.text, word.style) + GAP;
            rest = text::shifted(rest, used);
            used_below += if rest_of_first.is_some() { used } else { 0 };
        }
    }
    (rest_of_first.unwrap_or(rest), rest_of_first.map(|_| used_below))
}

/// The columns of words, with the gap after each.
fn columns(form: &[Word]) -> u16 {
    form.iter().map(|word| text::width(&word.text) + GAP).sum()
}

/// The parts of the totals in a line of this width.
fn total_parts(width: u16, state: &State, appearance: &Appearance) -> Vec<Part> {
    let theme = &appearance.theme;
    let valuation = state.wallet.holdings().valuation();
    let Valuation { value, profit, profit_pct, realised, day_change, day_change_pct, unvalued, holdings, .. } =
        valuation;
    let sign = state.convert.sign().map_or_else(|| format!("{} ", state.convert), str::to_owned);
    let hides = state.wallet.hides_amounts;
    let money = |sum: &Decimal| if hides { HIDDEN.to_owned() } else { signed(sum, &sign, &state.convert) };
    let change = |pct: &Option<Decimal>| pct.as_ref().map(Decimal::to_f64);
    let word = |words: String, style: Style| {
        let columns = text::width(&words);
        Word { text: words, style, columns }
    };
    // A sum between other characters.
    let sum = |words: String, style: Style, others: u16| {
        let columns = text::width(&words).max(SUM + others);
        Word { text: words, style, columns }
    };
    let part = |forms: Vec<Vec<Word>>| Part { forms, is_warning: false };
    let warning = |forms: Vec<Vec<Word>>| Part { forms, is_warning: true };
    let one = |word: Word| vec![vec![word]];
    let mut parts: Vec<Part> = Vec::new();
    let has_price = holdings.iter().any(|holding| holding.price.is_some());
    let total = if hides {
        HIDDEN.to_owned()
    } else if has_price {
        with_currency(&sign, &ValueIn(&state.convert, Some(value.to_f64())).to_string())
    } else {
        format!("{sign}{ABSENT}")
    };
    parts.push(part(one(sum(total, theme.strong, 0))));
    let first = holdings.iter().find(|held| !held.holding.amount.is_zero()).filter(|_| !has_price);
    if let Some(other) = first.and_then(|held| state.only_currency(held)) {
        parts.push(warning(one(word(format!("prices only in {other}"), theme.warn))));
    }
    // Names, or only their number if they don't fit.
    let named = |what: &str, all: &[Text], room: u16| {
        let words = |names: String| vec![word(format!("{what} {names}"), theme.warn)];
        vec![words(names(all, room)), words(all.len().to_string())]
    };
    let missing = [unvalued.as_slice(), state.user.current().missing_holdings().as_slice()].concat();
    if has_price && !missing.is_empty() {
        parts.push(warning(named("without", &missing, width / 3)));
    }
    let held_coins = state.wallet.holdings();
    let old = valuation.symbols(|held| {
        let has_old_price = held_coins.coin(held).is_some_and(|coin| coin.has_old_price);
        has_old_price && !held.holding.amount.is_zero()
    });
    if !old.is_empty() {
        parts.push(warning(named("old price:", &old, width / 4)));
    }
    let thin = valuation.symbols(|held| held_coins.is_thin(held));
    if !thin.is_empty() {
        parts.push(warning(named("low volume:", &thin, width / 4)));
    }
    // Without any price, a profit could lack a cost, so none is shown.
    if let Some(words) = without_rate(state).filter(|_| has_price) {
        parts.push(warning(one(word(words, theme.warn))));
    }
    let oversold = valuation.symbols(is_oversold);
    if !oversold.is_empty() {
        parts.push(warning(named("sold more than held:", &oversold, width / 4)));
    }
    let exceeding = valuation.symbols(|held| excess(held).is_some());
    if let Some(symbol) = exceeding.first() {
        let mut excesses = holdings.iter().filter_map(excess);
        let only = excesses.next().filter(|_| !hides && excesses.next().is_none());
        let long =
            only.map(|by| vec![word(format!("lots exceed the balance by {} {symbol}", amount(&by)), theme.warn)]);
        let short = named("lots exceed the balance:", &exceeding, width / 4);
        parts.push(warning(long.into_iter().chain(short).collect()));
    }
    if let Some(pct) = change(day_change_pct) {
        let day = word(format!("{} 24h", Arrow(Some(pct))), theme.change(Some(pct)));
        let long = vec![day.clone(), sum(format!("({})", money(day_change)), theme.dim, 2)];
        let without = valuation.without_change();
        let lacks = if without.is_empty() { vec![Vec::new()] } else { named("without", &without, width / 4) };
        // Never without the names of missing parts.
        let forms = lacks
            .iter()
            .flat_map(|lacks| [long.as_slice(), std::slice::from_ref(&day)].map(|form| [form, lacks].concat()));
        parts.push(Part { forms: forms.collect(), is_warning: !without.is_empty() });
    }
    if state.waits_for_rates() {
        // The profit of some lots would be mistaken for the profit of all.
        parts.push(part(one(word(String::from("loading exchange rates…"), theme.dim))));
    } else if let Some(pct) = change(profit_pct) {
        let percent = word(Arrow(Some(pct)).to_string(), theme.change(Some(pct)));
        let short = vec![word(String::from("profit"), theme.dim), percent];
        let in_money = sum(format!("({})", money(profit)), theme.dim, 2);
        let long: Vec<_> = short.iter().cloned().chain([in_money]).collect();
        // The percentage doesn't cover the total then, so these words are never dropped alone.
        let is_partial = valuation.is_profit_partial();
        let qualifier = is_partial.then(|| word(String::from("on known cost"), theme.dim));
        parts.push(part([long, short].map(|form| form.into_iter().chain(qualifier.clone()).collect()).to_vec()));
    }
    if !realised.is_zero() && !state.waits_for_rates() {
        parts.push(part(one(sum(format!("realised {}", money(realised)), theme.dim, REALISED))));
    }
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
