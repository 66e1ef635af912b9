//! The parts of the totals of the holdings, each in longer and shorter forms.

use std::collections::{BTreeMap, BTreeSet};

use ratatui::style::Style;

use crate::app::State;
use crate::format::{ABSENT, Arrow, HIDDEN, ValueIn, with_currency};
use crate::model::{Currency, Decimal, Text};
use crate::portfolio::{LotProblem, Valuation};
use crate::theme::Theme;
use crate::user_data::LotId;
use crate::view::appearance::Appearance;
use crate::view::wallet::columns::{amount, signed};
use crate::view::wallet::holding_rows::{excess, is_oversold};
use crate::view::widgets::text;

/// Blank columns after each word.
pub(super) const GAP: u16 = 2;

/// Columns reserved for a sum: `+€12,345,678`.
const SUM: u16 = 12;

/// Columns of `realised `.
const REALISED: u16 = 9;

/// Width below which labels are shortened, in columns.
const NARROW: u16 = 60;

/// Words of one style.
#[derive(Clone)]
pub(super) struct Word {
    pub(super) text: String,
    pub(super) style: Style,
    /// The columns that are reserved for them, so that other amounts, or hidden ones, don't change the layout.
    columns: u16,
}

impl Word {
    fn new(text: String, style: Style) -> Word {
        Word { columns: text::width(&text), text, style }
    }

    /// A sum, with this many other characters around it.
    fn sum(text: String, style: Style, others: u16) -> Word {
        Word { columns: text::width(&text).max(SUM + others), text, style }
    }
}

/// A part of the totals that is shown or dropped as a whole.
pub(super) struct Part {
    /// The forms of the line, the longest first.
    pub(super) forms: Vec<Vec<Word>>,
    /// Whether it is dropped rather than a later warning shortened, such as a profit.
    pub(super) is_detail: bool,
    /// Whether it names what is missing from the totals.
    pub(super) is_warning: bool,
}

impl Part {
    /// A part in only one form of one word.
    fn of(word: Word) -> Part {
        Part { forms: vec![vec![word]], is_detail: false, is_warning: false }
    }

    fn detail(forms: Vec<Vec<Word>>) -> Part {
        Part { forms, is_detail: true, is_warning: false }
    }

    fn warning(forms: Vec<Vec<Word>>) -> Part {
        Part { forms, is_detail: false, is_warning: true }
    }

    /// The columns that are reserved for its longest form.
    pub(super) fn reserved(&self) -> u16 {
        self.forms.first().map_or(0, |form| form.iter().map(|word| word.columns + GAP).sum())
    }

    /// The longest form that fits into `room` columns before later parts, which are dropped without room for them. A
    /// warning among these keeps its shortest form; before a detail, its longest one.
    pub(super) fn fitted(&self, later: &[Part], room: u16) -> Option<&[Word]> {
        let warnings = || later.iter().filter(|part| part.is_warning);
        let longest: u16 = warnings().filter_map(|part| part.forms.first()).map(|form| columns(form)).sum();
        let shortest: u16 = warnings().filter_map(|part| part.forms.last()).map(|form| columns(form)).sum();
        let fitting = |kept: u16| self.forms.iter().find(|form| columns(form) + kept <= room + GAP);
        let form = if self.is_warning { None } else { fitting(longest) };
        form.or_else(|| if self.is_detail { None } else { fitting(shortest) }).map(Vec::as_slice)
    }
}

/// What the parts are made from.
pub(super) struct Totals<'a> {
    /// The columns of the line.
    width: u16,
    state: &'a State,
    theme: &'a Theme,
    valuation: &'a Valuation,
    /// The sign or the code of the currency, before an amount.
    sign: String,
    /// Whether any holding has a price.
    has_price: bool,
}

impl<'a> Totals<'a> {
    pub(super) fn new(width: u16, state: &'a State, appearance: &'a Appearance) -> Totals<'a> {
        let valuation = state.wallet.holdings().valuation();
        let sign = state.convert.sign().map_or_else(|| format!("{} ", state.convert), str::to_owned);
        let has_price = valuation.holdings.iter().any(|holding| holding.price.is_some());
        Totals { width, state, theme: &appearance.theme, valuation, sign, has_price }
    }

    /// The parts, warnings last.
    pub(super) fn parts(&self) -> Vec<Part> {
        let mut parts = vec![self.value()];
        parts.extend([self.day_change(), self.profit(), self.realised()].into_iter().flatten());
        parts.extend(self.warnings().into_iter().flatten());
        parts
    }

    fn value(&self) -> Part {
        let convert = &self.state.convert;
        let total = if self.state.wallet.hides_amounts {
            HIDDEN.to_owned()
        } else if self.has_price {
            with_currency(&self.sign, &ValueIn(convert, Some(self.valuation.value.to_f64())).to_string())
        } else {
            format!("{}{ABSENT}", self.sign)
        };
        Part::of(Word::sum(total, self.theme.strong, 0))
    }

    /// What is missing from the value or makes it doubtful.
    fn warnings(&self) -> [Option<Part>; 7] {
        let &Totals { width, state, theme, valuation, has_price, .. } = self;
        let held_coins = state.wallet.holdings();
        let missing = [valuation.unvalued.as_slice(), state.user.current().missing_holdings().as_slice()].concat();
        let old = valuation.symbols(|held| {
            let has_old_price = held_coins.coin(held).is_some_and(|coin| coin.has_old_price);
            has_old_price && !held.holding.amount.is_zero()
        });
        let thin = valuation.symbols(|held| held_coins.is_thin(held));
        // Without any price, a profit could lack a cost, so none is shown.
        let lacks_rate = without_rate(state).filter(|_| has_price);
        [
            self.only_other_currency(),
            self.warning_of("without", &missing, width / 3).filter(|_| has_price),
            self.warning_of("old price:", &old, width / 4),
            self.warning_of("low volume:", &thin, width / 4),
            lacks_rate.map(|words| Part::warning(vec![vec![Word::new(words, theme.warn)]])),
            self.warning_of("sold more than held:", &valuation.symbols(is_oversold), width / 4),
            self.excess(),
        ]
    }

    /// Says that there are prices only in another currency.
    fn only_other_currency(&self) -> Option<Part> {
        if self.has_price {
            return None;
        }
        let first = self.valuation.holdings.iter().find(|held| !held.holding.amount.is_zero())?;
        let other = self.state.only_currency(first)?;
        Some(Part::warning(vec![vec![Word::new(format!("prices only in {other}"), self.theme.warn)]]))
    }

    /// Names the coins whose lots exceed the balance: by how much, if it is one and amounts are shown.
    fn excess(&self) -> Option<Part> {
        let exceeding = self.valuation.symbols(|held| excess(held).is_some());
        let symbol = exceeding.first()?;
        let mut excesses = self.valuation.holdings.iter().filter_map(excess);
        let only = excesses.next().filter(|_| !self.state.wallet.hides_amounts && excesses.next().is_none());
        let by = |by: Decimal| format!("lots exceed the balance by {} {symbol}", amount(&by));
        let long = only.map(|only| vec![Word::new(by(only), self.theme.warn)]);
        let what = if self.width < NARROW { "lots > balance:" } else { "lots exceed the balance:" };
        let short = self.named(what, &exceeding, self.width / 4);
        Some(Part::warning(long.into_iter().chain(short).collect()))
    }

    fn day_change(&self) -> Option<Part> {
        let (valuation, theme) = (self.valuation, self.theme);
        let pct = valuation.day_change_pct.as_ref().map(Decimal::to_f64)?;
        let day = Word::new(format!("{} 24h", Arrow(Some(pct))), theme.change(Some(pct)));
        let long = vec![day.clone(), Word::sum(format!("({})", self.money(&valuation.day_change)), theme.dim, 2)];
        let without = valuation.without_change();
        let lacks = if without.is_empty() { vec![Vec::new()] } else { self.named("without", &without, self.width / 4) };
        // Never without the names of missing parts.
        let forms = lacks
            .iter()
            .flat_map(|lacks| [long.as_slice(), std::slice::from_ref(&day)].map(|form| [form, lacks].concat()));
        Some(Part { forms: forms.collect(), is_detail: false, is_warning: !without.is_empty() })
    }

    fn profit(&self) -> Option<Part> {
        let (valuation, theme) = (self.valuation, self.theme);
        if self.state.waits_for_rates() {
            // The profit of some lots would be mistaken for the profit of all.
            return Some(Part::detail(vec![vec![Word::new(String::from("loading exchange rates…"), theme.dim)]]));
        }
        let pct = valuation.profit_pct.as_ref().map(Decimal::to_f64)?;
        let percent = Word::new(Arrow(Some(pct)).to_string(), theme.change(Some(pct)));
        let short = vec![Word::new(String::from("profit"), theme.dim), percent];
        let in_money = Word::sum(format!("({})", self.money(&valuation.profit)), theme.dim, 2);
        let long: Vec<_> = short.iter().cloned().chain([in_money]).collect();
        // The percentage doesn't cover the total then, so these words are never dropped alone.
        let qualifier = valuation.is_profit_partial().then(|| Word::new(String::from("on known cost"), theme.dim));
        let forms = [long, short].map(|form| form.into_iter().chain(qualifier.clone()).collect());
        Some(Part::detail(forms.to_vec()))
    }

    fn realised(&self) -> Option<Part> {
        let realised = &self.valuation.realised;
        if realised.is_zero() || self.state.waits_for_rates() {
            return None;
        }
        let words = Word::sum(format!("realised {}", self.money(realised)), self.theme.dim, REALISED);
        Some(Part::detail(vec![vec![words]]))
    }

    /// An amount of money with its sign.
    fn money(&self, sum: &Decimal) -> String {
        let state = self.state;
        if state.wallet.hides_amounts { HIDDEN.to_owned() } else { signed(sum, &self.sign, &state.convert) }
    }

    /// A warning about these symbols; `None` without any.
    fn warning_of(&self, what: &str, symbols: &[Text], room: u16) -> Option<Part> {
        (!symbols.is_empty()).then(|| Part::warning(self.named(what, symbols, room)))
    }

    /// The names of all symbols that fit into `room` columns, or only their number.
    fn named(&self, what: &str, all: &[Text], room: u16) -> Vec<Vec<Word>> {
        let words = |names: String| vec![Word::new(format!("{what} {names}"), self.theme.warn)];
        vec![words(names(all, room)), words(all.len().to_string())]
    }
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

/// The columns of words, with the gap after each.
pub(super) fn columns(form: &[Word]) -> u16 {
    form.iter().map(|word| text::width(&word.text) + GAP).sum()
}
