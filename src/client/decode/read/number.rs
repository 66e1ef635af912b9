//! Readers of numbers, amounts of money and percentages.

use std::ops::ControlFlow;

use super::super::tape::{Kind, Value};
use super::figure::{self, Figure, Unit};
use super::{Context, Mark, is_nothing, is_zero};
use crate::model::Currency;

/// Maximum change of a price in percent.
const MAX_CHANGE: f64 = 1e11;

/// Levels of an item that are searched for the origin of a figure: `quote`, its currency, the field.
const LEVELS: usize = 3;

/// Maximum values of an item that are searched for it.
const MAX_SEARCHED: usize = 10_000;

impl Context<'_> {
    /// Reads a finite number without a unit: JSON, or a formatted string (`"1,234.5"`, `"1.2M"`).
    pub(in crate::client::decode) fn f64(&mut self, value: Option<Value<'_>>) -> Option<f64> {
        let value = value?;
        match value.kind() {
            Kind::Number => self.plain(value),
            _ => self
                .formatted(value, "a number without a unit", |unit| matches!(unit, Unit::None))
                .map(|(number, _)| number),
        }
    }

    /// Reads a number like [`Context::f64`], but for an amount of money, which may contain its currency (`"$8.41"`,
    /// `"8.41 EUR"`).
    pub(in crate::client::decode) fn money(&mut self, value: Option<Value<'_>>) -> Option<(f64, Option<Mark>)> {
        let value = value?;
        if value.kind() == Kind::Number {
            return self.plain(value).map(|number| (number, None));
        }
        let (number, unit) = self.formatted(value, "an amount of money", |unit| !matches!(unit, Unit::Percent))?;
        match unit {
            Unit::Money(mark) => Some((number, Some(mark))),
            Unit::None | Unit::Percent => Some((number, None)),
        }
    }

    /// Reads a number like [`Context::f64`], but for a percentage (`-3.8`, `"-3.8%"`).
    pub(in crate::client::decode) fn percent(&mut self, value: Option<Value<'_>>) -> Option<f64> {
        let value = value?;
        match value.kind() {
            Kind::Number => self.plain(value),
            _ => {
                self.formatted(value, "a percentage", |unit| !matches!(unit, Unit::Money(_))).map(|(number, _)| number)
            }
        }
    }

    /// Reads a number like [`Context::f64`], but for a number of coins, which may contain their symbol (`"21,000,000
    /// ORDI"`).
    pub(in crate::client::decode) fn supply(&mut self, value: Option<Value<'_>>) -> Option<f64> {
        let value = value?;
        let is_number_of_coins = |unit: &Unit| match unit {
            Unit::None => true,
            Unit::Money(mark) => mark.may_be_coin(),
            Unit::Percent => false,
        };
        match value.kind() {
            Kind::Number => self.plain(value),
            _ => self.formatted(value, "a number of coins", is_number_of_coins).map(|(number, _)| number),
        }
    }

    /// Reads a JSON number.
    #[inline]
    fn plain(&mut self, value: Value<'_>) -> Option<f64> {
        let number = value.raw().parse::<f64>().ok();
        self.finite(value, number)
    }

    /// Reads a string with a number in an accepted unit.
    fn formatted(
        &mut self,
        value: Value<'_>,
        expected: &str,
        accepts: impl FnOnce(&Unit) -> bool,
    ) -> Option<(f64, Unit)> {
        let read = match (value.kind(), value.str()) {
            (Kind::Null, _) => return None,
            (_, Some(words)) if is_nothing(&words) => return None,
            (_, words) => words.and_then(|words| self.figure(&words)),
        };
        let number = self.finite(value, read.as_ref().map(|figure| figure.number))?;
        self.has_scaled_numbers |= read.as_ref().is_some_and(|figure| figure.is_scaled);
        let unit = read.map(|figure| figure.unit).filter(accepts);
        Some((number, self.checked(value, unit, expected)?))
    }

    /// Parses a formatted number. After one with a decimal comma, a point may separate thousands.
    fn figure(&mut self, words: &str) -> Option<Figure> {
        let figure = figure::number(words);
        if figure.is_none() {
            self.note_decimal_comma(words);
        } else if self.has_unclear_point(words) {
            return None;
        }
        figure
    }

    /// Records whether the comma of an unreadable number is a decimal comma.
    pub(in crate::client::decode) fn note_decimal_comma(&mut self, words: &str) {
        self.commas.is_found |= figure::has_decimal_comma(words);
    }

    /// Whether the point of a number may separate thousands, since others have decimal commas.
    pub(in crate::client::decode) fn has_unclear_point(&mut self, words: &str) -> bool {
        let may_be_thousands = figure::may_be_thousands(words);
        self.commas.has_read_points |= may_be_thousands && !self.commas.is_found;
        may_be_thousands && self.commas.is_found
    }

    #[inline]
    fn finite(&mut self, value: Value<'_>, number: Option<f64>) -> Option<f64> {
        // A number too small for a float must not become 0.
        let number = number.filter(|number| number.is_finite() && (*number != 0.0 || is_zero(value.raw())));
        // Adding 0 turns -0 into 0.
        self.checked(value, number.map(|number| number + 0.0), "a finite number")
    }

    /// Whether a number of an item contains its scale, such as `5M`. `None` if the item has that number both with and
    /// without a scale.
    pub(in crate::client::decode) fn contains_scale(&self, item: Value<'_>, number: f64) -> Option<bool> {
        if !self.has_scaled_numbers || number == 0.0 {
            return Some(false);
        }
        let mut search = ScaleSearch { wanted: number, left: MAX_SEARCHED, with_scale: false, without_scale: false };
        search.search(item, LEVELS);
        if search.with_scale && search.without_scale { None } else { Some(search.with_scale) }
    }

    /// Removes a negative value that can't be negative, such as a price, with a warning.
    pub(in crate::client::decode) fn not_negative(&mut self, item: Value<'_>, figure: &mut Option<f64>, what: &str) {
        if let Some(negative) = figure.take_if(|figure| *figure < 0.0) {
            let document = self.document;
            self.warn_of_field(|| {
                format!("{}: found {negative}, expected {what} of at least 0", document.path(origin(item, negative)))
            });
        }
    }

    /// Removes an amount of money that can't be true, because it is negative or more than all the money there is
    /// ([`Currency::max_amount`]), with a warning.
    pub(in crate::client::decode) fn plausible(
        &mut self,
        item: Value<'_>,
        figure: &mut Option<f64>,
        currency: &Currency,
        what: &str,
    ) {
        self.not_negative(item, figure, what);
        let most = currency.max_amount();
        if let Some(huge) = figure.take_if(|figure| *figure > most) {
            let document = self.document;
            self.warn_of_field(|| {
                format!("{}: found {huge:e}, expected {what} of at most {most:e}", document.path(origin(item, huge)))
            });
        }
    }

    /// Removes a change that can't be true, because the price would be negative or have grown a billionfold.
    pub(in crate::client::decode) fn plausible_change(&mut self, item: Value<'_>, change: &mut Option<f64>) {
        if let Some(wrong) = change.take_if(|change| !(-100.0..=MAX_CHANGE).contains(change)) {
            let document = self.document;
            self.warn_of_field(|| {
                format!(
                    "{}: found {wrong:e}%, expected a change between -100% and {MAX_CHANGE:e}%",
                    document.path(origin(item, wrong))
                )
            });
        }
    }
}

/// The only value in an item that is this figure; otherwise the item, such as if the figure was converted or the item
/// is huge. The origin of a figure is searched only for a warning, so that reading doesn't have to keep it.
fn origin(item: Value<'_>, figure: f64) -> Value<'_> {
    let mut search = OriginSearch { wanted: figure, left: MAX_SEARCHED, found: None };
    match search.search(item, LEVELS) {
        ControlFlow::Continue(()) => search.found.unwrap_or(item),
        ControlFlow::Break(()) => item,
    }
}

/// A search for values that equal a number, with or without a scale.
struct ScaleSearch {
    wanted: f64,
    /// How many more values may be searched.
    left: usize,
    with_scale: bool,
    without_scale: bool,
}

impl ScaleSearch {
    /// Searches a value down to this many levels.
    fn search(&mut self, value: Value<'_>, levels: usize) {
        for child in value.items().chain(value.fields().map(|(_, child)| child)) {
            let Some(left) = self.left.checked_sub(1) else { return };
            self.left = left;
            let is_wanted = |number: f64| number.total_cmp(&self.wanted).is_eq();
            if child.kind() == Kind::Number {
                self.without_scale |= child.raw().parse().is_ok_and(is_wanted);
            } else if let Some(figure) = child.str().and_then(|words| figure::number(&words))
                && is_wanted(figure.number)
            {
                self.with_scale |= figure.is_scaled;
                self.without_scale |= !figure.is_scaled;
            } else if levels > 1 {
                self.search(child, levels - 1);
            }
        }
    }
}

/// A search for the only value that is a figure.
struct OriginSearch<'a> {
    wanted: f64,
    /// How many more values may be searched.
    left: usize,
    found: Option<Value<'a>>,
}

impl<'a> OriginSearch<'a> {
    /// Searches a value down to this many levels. Ends early at a second match, or if there are too many values.
    fn search(&mut self, value: Value<'a>, levels: usize) -> ControlFlow<()> {
        for child in value.items().chain(value.fields().map(|(_, child)| child)) {
            let Some(left) = self.left.checked_sub(1) else { return ControlFlow::Break(()) };
            self.left = left;
            let number = match child.kind() {
                Kind::Number => child.raw().parse().ok(),
                _ => child.str().and_then(|words| figure::number(&words)).map(|figure| figure.number),
            };
            if number == Some(self.wanted) && self.found.replace(child).is_some() {
                return ControlFlow::Break(());
            }
            if levels > 1 {
                self.search(child, levels - 1)?;
            }
        }
        ControlFlow::Continue(())
    }
}
