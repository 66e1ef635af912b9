//! A coin's seven days: `[number]`, `{"price": [number]}`, any form of points over time, a text that holds one of
//! these, or the URL of a picture, which is no data.

use crate::client::decode::money::Currencies;
use crate::client::decode::points::{self, Series};
use crate::client::decode::read::{Context, is_url};
use crate::client::decode::tape::{Document, Kind, Tape, Value};
use crate::model::Currency;

/// Prices of one trend that are kept, the newest: seven days by five minutes.
const PRICES_MAX: usize = 2_016;

/// Reads trends. Keeps its tape for the next.
#[derive(Debug)]
pub(super) struct Reader(points::Reader);

impl Reader {
    /// A reader.
    pub(super) fn new() -> Reader {
        Reader(points::Reader::new())
    }

    /// The prices, oldest first; gaps are left out.
    pub(super) fn read(&mut self, context: &mut Context<'_>, value: Value<'_>, tape: &mut Tape) -> Vec<f64> {
        if let Some(words) = value.str() {
            return self.in_text(context, value, &words);
        }
        let value = inner(value);
        if value.is_object() && value.fields().all(|(_, prices)| prices.is_null()) {
            return Vec::new();
        }
        let mut prices = if is_numbers(value) {
            value.items().filter_map(|price| context.f64(Some(price))).collect()
        } else {
            let usd = Currency::usd();
            let opened = tape.expand(value).unwrap_or(value);
            let points = Series::find(opened, &["data"])
                .and_then(|series| self.0.read(context, series, &mut Currencies::new(&usd)));
            match points {
                Some((points, _)) => points.into_iter().filter_map(|point| point.price).collect(),
                None => {
                    context.unreadable(value, "prices over seven days");
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
            // A document inside a text has paths of its own, so its warnings are not passed on.
            let root = document.root();
            if !root.is_object() && !root.is_array() {
                context.unreadable(value, "prices over seven days");
                return Vec::new();
            }
            return self.read(&mut Context::new(&document), root, &mut Tape::default());
        }
        context.unreadable(value, "prices over seven days");
        Vec::new()
    }
}

/// `{"price": [number]}`, or with points in place of the numbers.
fn inner(value: Value<'_>) -> Value<'_> {
    let is_list = |inner: &Value<'_>| inner.is_array() && (is_numbers(*inner) || value.fields().nth(1).is_none());
    value.get("price").filter(is_list).unwrap_or(value)
}

fn is_numbers(value: Value<'_>) -> bool {
    let scalar = |item: Value<'_>| matches!(item.kind(), Kind::Number | Kind::Null | Kind::String);
    value.is_array() && value.items().next().is_none_or(scalar)
}
