//! 7-day sparkline of a coin: `[number]`, `{"price": [number]}`, any format of points, one of these in a map by period, a
//! string that contains one of these, or the URL of an image, which is ignored.

use std::ops::RangeInclusive;

use crate::client::decode::money::{self, Currencies};
use crate::client::decode::points::{self, Series};
use crate::client::decode::read::{Context, is_url};
use crate::client::decode::tape::{Document, Kind, Tape, Value};
use crate::model::coin::{GAP, line_of};
use crate::model::{Currency, Point, text};

/// Maximum prices of a sparkline: seven days at 5-minute steps. The newest are kept.
const MAX_PRICES: usize = 2_016;

/// Names of the period.
const WEEK: [&str; 10] = ["7d", "7day", "7days", "7 days", "7-day", "1w", "p7d", "week", "weekly", "168h"];

/// Field names of prices without times, in addition to `price`.
const MORE_NAMES: [&str; 5] = ["prices", "values", "data", "points", "close"];

/// The hours that the points of a week cover: a coin may have been listed some days ago.
const WEEK_HOURS: RangeInclusive<i64> = 26..=9 * 24;

/// Minimum points needed to tell the period from their times.
const POINTS_MIN: usize = 10;

/// In milliseconds.
const HALF_AN_HOUR: i64 = 30 * 60 * 1000;

/// A factor that occurs between neighbouring groups of digits, but not between neighbouring prices.
const MAGNITUDE: f64 = 10.0;

/// A coin's 7-day prices.
#[derive(Debug, Default)]
pub(super) struct Sparkline {
    pub(super) prices: Vec<f64>,
    /// Their currency, if it is stated.
    pub(super) currency: Option<Currency>,
}

/// Reads sparklines. Its tape is reused.
#[derive(Debug)]
pub(super) struct Reader(points::Reader);

impl Reader {
    /// Creates a reader.
    pub(super) fn new() -> Reader {
        let mut reader = points::Reader::new();
        // A sparkline has no volumes.
        reader.set_has_currency(true);
        Reader(reader)
    }

    /// The prices, oldest first. Missing and negative ones are gaps, so that the others keep their times.
    pub(super) fn read(
        &mut self,
        context: &mut Context<'_>,
        value: Value<'_>,
        requested: &Currency,
        tape: &mut Tape,
    ) -> Sparkline {
        let mut sparkline = self.numbers(context, value, requested, tape);
        let prices = &mut sparkline.prices;
        let mut has_negative = false;
        for price in prices.iter_mut().filter(|price| **price < 0.0) {
            *price = GAP;
            has_negative = true;
        }
        if has_negative {
            context.unreadable(value, "7-day prices of at least 0");
        }
        if prices.iter().all(|price| *price == GAP) {
            prices.clear();
        }
        sparkline
    }

    fn numbers(
        &mut self,
        context: &mut Context<'_>,
        value: Value<'_>,
        requested: &Currency,
        tape: &mut Tape,
    ) -> Sparkline {
        if let Some(words) = value.str() {
            return self.in_text(context, value, &words, requested);
        }
        let stated = money::stated_around(value, &[], &|_| false);
        let period = value.get("period").and_then(|period| period.str());
        if let Some(period) = period.filter(|period| !WEEK.iter().any(|week| period.eq_ignore_ascii_case(week))) {
            context.warn_at(value, || {
                format!("found prices over {}, expected 7 days", text::cut(text::clean(&period), 40))
            });
            return Sparkline::default();
        }
        let value = inner(value);
        if value.is_object() && value.fields().all(|(_, prices)| prices.is_null()) {
            return Sparkline::default();
        }
        let mut currencies = Currencies::new(requested);
        currencies.set_around(stated.clone());
        let (mut prices, currency) = if is_numbers(value) {
            let mut item_currency = currencies.item();
            let price = |price: Value<'_>| match price.kind() {
                Kind::Number => context.f64(Some(price)),
                _ => item_currency.amount(context, price, None, requested),
            };
            let prices = value.items().map(price).map(|price| price.unwrap_or(GAP)).collect();
            (prices, currencies.note(item_currency))
        } else {
            let opened = tape.expand(value).unwrap_or(value);
            match Series::find(opened, &["data"]).and_then(|series| self.0.read(context, series, &mut currencies)) {
                Some((points, label)) => match span(&points).filter(|span| !WEEK_HOURS.contains(span)) {
                    Some(hours) => {
                        context.warn_at(value, || format!("found prices over {hours} hours, expected 7 days"));
                        (Vec::new(), None)
                    }
                    None => (line_of(&points), currencies.is_stated().then_some(label)),
                },
                None => {
                    context.unreadable(value, "7-day prices");
                    (Vec::new(), None)
                }
            }
        };
        currencies.finish_part(context);
        prices.drain(..prices.len().saturating_sub(MAX_PRICES));
        Sparkline { prices, currency }
    }

    fn in_text(&mut self, context: &mut Context<'_>, value: Value<'_>, words: &str, requested: &Currency) -> Sparkline {
        let words = words.trim();
        if words.is_empty() || is_url(words) {
            return Sparkline::default();
        }
        // Numbers with commas, with or without brackets.
        let list = words.strip_prefix('[').and_then(|words| words.strip_suffix(']')).unwrap_or(words);
        let numbers: Option<Vec<f64>> =
            list.split(',').map(|number| number.trim().parse().ok().filter(|n: &f64| n.is_finite())).collect();
        if let Some(mut numbers) = numbers {
            if list.len() == words.len() && may_be_grouped(list) {
                context.unreadable(value, "7-day prices");
                return Sparkline::default();
            }
            numbers.drain(..numbers.len().saturating_sub(MAX_PRICES));
            return Sparkline { prices: numbers, currency: None };
        }
        if let Ok(document) = Document::parse(words, 8) {
            // Paths in an embedded document would be misleading, so its warnings are dropped.
            let root = document.root();
            if !root.is_object() && !root.is_array() {
                context.unreadable(value, "7-day prices");
                return Sparkline::default();
            }
            return self.numbers(&mut Context::new(&document), root, requested, &mut Tape::default());
        }
        context.unreadable(value, "7-day prices");
        Sparkline::default()
    }
}

/// The hours from the first point to the last; `None` if there are too few points to tell.
fn span(points: &[Point]) -> Option<i64> {
    let (first, last) = (points.first()?, points.last()?);
    (points.len() >= POINTS_MIN)
        .then(|| (last.time.millis().saturating_sub(first.time.millis()) + HALF_AN_HOUR) / (2 * HALF_AN_HOUR))
}

/// Whether the commas between numbers may also separate thousands: `1,234.5,1,240.2`. Prices of a week have the same
/// magnitude, unlike these parts.
fn may_be_grouped(list: &str) -> bool {
    let is_start = |part: &str| (1..=3).contains(&part.len()) && part.bytes().all(|b| b.is_ascii_digit());
    let is_rest = |part: &str| part.split_once('.').map_or(part, |(whole, _)| whole).len() == 3;
    let parts = || list.split(',').map(str::trim);
    let mut pairs = parts().zip(parts().skip(1));
    let magnitude = |part: &str| part.parse().unwrap_or(0.0_f64);
    pairs.any(|(start, rest)| {
        let (a, b) = (magnitude(start), magnitude(rest));
        is_start(start) && is_rest(rest) && (a * MAGNITUDE < b || b * MAGNITUDE < a || rest.starts_with('0'))
    })
}

/// Unwraps the prices in a map by period, and `{"price": [number]}`, or the same with points instead of numbers.
fn inner(value: Value<'_>) -> Value<'_> {
    let is_week = |key: &str| WEEK.iter().any(|week| key.eq_ignore_ascii_case(week));
    let value = value.fields().find(|(key, _)| is_week(key.raw())).map_or(value, |(_, prices)| prices);
    let is_list = |inner: &Value<'_>| inner.is_array() && (is_numbers(*inner) || value.fields().nth(1).is_none());
    // Another list beside them may have their times.
    let is_only = value.fields().filter(|(_, list)| list.is_array()).nth(1).is_none();
    let is_only_list = |inner: &Value<'_>| is_only && is_numbers(*inner);
    let more = || MORE_NAMES.iter().filter_map(|name| value.get(name)).find(is_only_list);
    value.get("price").filter(is_list).or_else(more).unwrap_or(value)
}

fn is_numbers(value: Value<'_>) -> bool {
    let scalar = |item: Value<'_>| matches!(item.kind(), Kind::Number | Kind::Null | Kind::String);
    value.is_array() && value.items().next().is_none_or(scalar)
}
