//! 7-day sparkline of a coin: `[number]`, `{"price": [number]}`, any format of points, a string that contains one of
//! these, or the URL of an image, which is ignored.

use crate::client::decode::money::Currencies;
use crate::client::decode::points::{self, Series};
use crate::client::decode::read::{Context, is_url};
use crate::client::decode::tape::{Document, Kind, Tape, Value};
use crate::model::Currency;
use crate::model::coin::{GAP, line_of};

/// Maximum prices of a sparkline: seven days at 5-minute steps. The newest are kept.
const PRICES_MAX: usize = 2_016;

/// Reads sparklines. Its tape is reused.
#[derive(Debug)]
pub(super) struct Reader(points::Reader);

impl Reader {
    /// Creates a reader.
    pub(super) fn new() -> Reader {
        Reader(points::Reader::new())
    }

    /// The prices, oldest first. Missing and negative ones are gaps, so that the others keep their times.
    pub(super) fn read(&mut self, context: &mut Context<'_>, value: Value<'_>, tape: &mut Tape) -> Vec<f64> {
        let mut prices = self.numbers(context, value, tape);
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
        prices
    }

    fn numbers(&mut self, context: &mut Context<'_>, value: Value<'_>, tape: &mut Tape) -> Vec<f64> {
        if let Some(words) = value.str() {
            return self.in_text(context, value, &words);
        }
        let value = inner(value);
        if value.is_object() && value.fields().all(|(_, prices)| prices.is_null()) {
            return Vec::new();
        }
        let mut prices = if is_numbers(value) {
            value.items().map(|price| context.f64(Some(price)).unwrap_or(GAP)).collect()
        } else {
            let usd = Currency::usd();
            let opened = tape.expand(value).unwrap_or(value);
            let points = Series::find(opened, &["data"])
                .and_then(|series| self.0.read(context, series, &mut Currencies::new(&usd)));
            match points {
                Some((points, _)) => line_of(&points),
                None => {
                    context.unreadable(value, "7-day prices");
                    Vec::new()
                }
            }
        };
        prices.drain(..prices.len().saturating_sub(PRICES_MAX));
        prices
    }

    fn in_text(&mut self, context: &mut Context<'_>, value: Value<'_>, words: &str) -> Vec<f64> {
        let words = words.trim();
        if words.is_empty() || is_url(words) {
            return Vec::new();
        }
        // Numbers with commas, with or without brackets.
        let list = words.strip_prefix('[').and_then(|words| words.strip_suffix(']')).unwrap_or(words);
        let numbers: Option<Vec<f64>> =
            list.split(',').map(|number| number.trim().parse().ok().filter(|n: &f64| n.is_finite())).collect();
        if let Some(mut numbers) = numbers {
            numbers.drain(..numbers.len().saturating_sub(PRICES_MAX));
            return numbers;
        }
        if let Ok(document) = Document::parse(words, 8) {
            // Paths in an embedded document would be misleading, so its warnings are dropped.
            let root = document.root();
            if !root.is_object() && !root.is_array() {
                context.unreadable(value, "7-day prices");
                return Vec::new();
            }
            return self.numbers(&mut Context::new(&document), root, &mut Tape::default());
        }
        context.unreadable(value, "7-day prices");
        Vec::new()
    }
}

/// Unwraps `{"price": [number]}`, also with points instead of numbers.
fn inner(value: Value<'_>) -> Value<'_> {
    let is_list = |inner: &Value<'_>| inner.is_array() && (is_numbers(*inner) || value.fields().nth(1).is_none());
    value.get("price").filter(is_list).unwrap_or(value)
}

fn is_numbers(value: Value<'_>) -> bool {
    let scalar = |item: Value<'_>| matches!(item.kind(), Kind::Number | Kind::Null | Kind::String);
    value.is_array() && value.items().next().is_none_or(scalar)
}
