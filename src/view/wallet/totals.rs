//! The totals of the holdings, in one or two lines.

use std::collections::{BTreeMap, BTreeSet};

use ratatui::buffer::Buffer;
use ratatui::layout::Rect;
use ratatui::style::Style;

use super::columns::signed;
use super::holding_rows::is_oversold;
use crate::app::State;
use crate::format::{ABSENT, Arrow, HIDDEN, PriceIn};
use crate::model::{Currency, Decimal, Text};
use crate::portfolio::{LotProblem, Valuation};
use crate::user_data::LotId;
use crate::view::appearance::Appearance;
use crate::view::area::inner;
use crate::view::chrome::exchange_rate;
use crate::view::chrome::health::Health;
use crate::view::widgets::text;

/// A part of the totals that is shown or dropped as a whole, in several forms, the longest first.
type Part = Vec<Vec<(String, Style)>>;

/// Where [`paint`] left off.
pub(super) struct Painted {
    /// Whether it painted the origin of the exchange rate.
    pub(super) has_rate: bool,
    /// The columns used in the second line.
    pub(super) below: u16,
}

/// Paints the totals in the line `area`, the most important first. If the line is too short for the longest form of a
/// part, that part and the following ones are painted in the line `second`, if there is one; otherwise the part is
/// shortened or dropped.
pub(super) fn paint(
    buf: &mut Buffer,
    area: Rect,
    second: Option<Rect>,
    state: &State,
    appearance: &Appearance,
) -> Painted {
    let theme = &appearance.theme;
    let parts = total_parts(area.width, state, appearance);
    let width = |form: &[(String, Style)]| form.iter().map(|(words, _)| text::width(words) + 2).sum::<u16>();
    let rate = exchange_rate::origin(state);
    let mut rest = inner(area);
    // A failure overrides the details of the totals, but not the names of missing parts.
    if let Some(health) = state.holdings_remote().map(|remote| Health::of(remote, state)) {
        let is_essential = |(index, part): (usize, &Part)| index == 0 || is_warning(part, theme.warn);
        let essential = parts.iter().enumerate().take(2).filter(|(index, part)| is_essential((*index, *part)));
        let essential: u16 = essential.filter_map(|(_, part)| part.last()).map(|form| width(form)).sum();
        let wanted: u16 = parts.iter().filter_map(|part| part.first()).map(|form| width(form)).sum();
        let wanted = wanted + rate.as_ref().map_or(0, |words| text::width(words) + 2);
        let room = rest.width.saturating_sub(if health.is_bad { essential } else { wanted });
        let words = health.fitted(room);
        if text::width(&words) <= room {
            text::put_right(buf, rest, &words, health.style(theme));
            rest.width -= text::width(&words);
        }
    }
    let (mut second, mut below, mut is_first) = (second.map(inner), None, true);
    for part in parts {
        let fits = |form: &Vec<(String, Style)>, room: Rect| width(form) <= room.width + 2;
        let is_long = !part.first().is_some_and(|form| fits(form, rest));
        if is_long
            && !is_first
            && let Some(line) = second.take()
        {
            (rest, below) = (line, Some(0));
        }
        let Some(form) = part.iter().find(|form| fits(form, rest)).or(part.last().filter(|_| is_first)) else {
            return Painted { has_rate: false, below: below.unwrap_or(0) };
        };
        for (words, style) in form {
            let used = text::put(buf, rest, words, *style) + 2;
            rest = text::shifted(rest, used);
            below = below.map(|below| below + used);
        }
        is_first = false;
    }
    let rate = rate.filter(|words| below.is_none() && text::width(words) <= rest.width);
    if let Some(words) = &rate {
        text::put(buf, rest, words, theme.dim);
    }
    Painted { has_rate: rate.is_some(), below: below.unwrap_or(0) }
}

/// Whether a part names what is missing from the totals.
fn is_warning(part: &Part, warn: Style) -> bool {
    part.iter().flatten().any(|(_, style)| *style == warn)
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
    let missing = [unvalued.as_slice(), state.user.current().missing_holdings().as_slice()].concat();
    if has_price && !missing.is_empty() {
        parts.push(named("without", &missing, width / 3));
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
        let day = (format!("{} 24h", Arrow(Some(pct))), theme.change(Some(pct)));
        let long = vec![day.clone(), (format!("({})", money(day_change)), theme.dim)];
        let without = valuation.without_change();
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
        let short = vec![(String::from("profit"), theme.dim), (Arrow(Some(pct)).to_string(), theme.change(Some(pct)))];
        let long: Vec<_> = short.iter().cloned().chain([(format!("({})", money(profit)), theme.dim)]).collect();
        // The percentage isn't that of the total then, so these words are never dropped alone.
        let is_partial = valuation.is_profit_partial();
        let qualifier = is_partial.then(|| (String::from("on known cost"), theme.dim));
        parts.push([long, short].map(|form| form.into_iter().chain(qualifier.clone()).collect()).to_vec());
    }
    if !realised.is_zero() && !state.waits_for_rates() {
        parts.push(one(format!("realised {}", money(realised)), theme.dim));
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
