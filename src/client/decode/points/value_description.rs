//! What the objects around points say about their values: that they are not prices (`{"name": "Hash Rate"}`), or that
//! their unit is not a currency (`{"unit": "cents"}`).

use super::figure_name::names_figure;
use super::place::{SERIES, Series};
use super::time_key::is_by_time;
use crate::client::decode::envelope::{WRAPPED, WRAPPERS};
use crate::client::decode::field_name::same_name;
use crate::client::decode::read::power_of_word;
use crate::client::decode::requested_coin::RequestedCoin;
use crate::client::decode::tape::{Tape, Value};
use crate::client::error::ErrorKind;
use crate::model::{Currency, text};

/// Field names of a chart's title.
const TITLES: [&str; 4] = ["title", "label", "chart_title", "caption"];

/// The field name of the title, or of the coin.
const NAME: &str = "name";

/// Field names beside the name of a coin.
const IDENTITIES: [&str; 6] = ["symbol", "ticker", "slug", "id", "coin_id", "cmc_id"];

/// The field name of the unit of prices.
const PRICE_UNIT: &str = "price_unit";

/// Field names of the unit of the values, and of units by field.
const UNITS: [&str; 4] = [PRICE_UNIT, "value_unit", "unit", "units"];

/// Names of a price in an object with units.
const PRICE_UNITS: [&str; 4] = ["price", "prices", "close", "value"];

/// Objects beside the data that may state the unit of its values. Others may be about the request.
const ABOUT: [&str; 3] = ["meta", "metadata", "info"];

/// Field names that only prices have, or quotes with prices.
const PRICE_NAMES: [&str; 11] = [
    "price",
    "close",
    "c",
    "close_price",
    "closing_price",
    "last_price",
    "current_price",
    "price_usd",
    "quote",
    "quotes",
    "v",
];

/// Words for a hundredth of a currency unit.
const MINOR: [&str; 6] = ["cent", "cents", "penny", "pence", "minor", "centimes"];

/// Minimum length of a word for a scale without a currency. A shorter one may be an interval: `5 m`.
const MIN_SCALE: usize = 4;

/// Maximum length of a unit in bytes. A longer text is a description.
const MAX_UNIT: usize = 100;

/// Maximum length of a name or unit in an error.
const MAX_SHOWN: usize = 60;

/// Why the values of a series may not be prices in a currency.
#[derive(Clone, Debug, Default)]
pub(in crate::client::decode) struct ValueDescription {
    /// The name of another figure, unless the values are named as prices.
    figure: Option<String>,
    /// A unit that is not a currency.
    unit: Option<Unit>,
}

/// A unit that is not a currency.
#[derive(Clone, Debug)]
struct Unit {
    shown: String,
    /// Whether it also applies to values named as prices. Otherwise, it may be the unit of other values beside them.
    is_of_prices: bool,
}

impl ValueDescription {
    /// What the objects around the points of a coin say.
    pub(in crate::client::decode) fn around(root: Value<'_>, coin: RequestedCoin<'_>) -> ValueDescription {
        let mut description = ValueDescription::default();
        description.add(root, coin, false);
        description
    }

    /// Adds what more objects around the points say. If the coin is identified elsewhere, their `name` is the coin's.
    pub(in crate::client::decode) fn add(&mut self, root: Value<'_>, coin: RequestedCoin<'_>, is_identified: bool) {
        let mut at = root;
        for _ in 0..WRAPPED {
            if !at.is_object() || at.is_raw() || is_by_time(at) {
                break;
            }
            self.add_names(at, coin, is_identified);
            let mut about = ABOUT.iter().filter_map(|name| at.get(name)).filter_map(|about| {
                let mut tape = Tape::default();
                unclear_unit(tape.expand(about).ok()?)
            });
            self.unit = about.next_back().or_else(|| unclear_unit(at)).or(self.unit.take());
            let inside = SERIES.iter().chain(WRAPPERS).filter_map(|name| at.get(name));
            match inside.into_iter().find(|inner| inner.is_object() || inner.is_array()) {
                Some(inner) => at = inner,
                None => break,
            }
        }
    }

    fn add_names(&mut self, object: Value<'_>, coin: RequestedCoin<'_>, is_identified: bool) {
        let is_coin = |name: &str| coin.is_named(name) || coin.name().is_some_and(|own| same_name(own, name));
        let name = object.get(NAME).filter(|_| !is_identified && object.any(&IDENTITIES).is_none());
        let names = || TITLES.iter().filter_map(|title| object.get(title)).chain(name).filter_map(|name| name.str());
        let is_price = |name: &str| name.len() <= MAX_UNIT && name.to_lowercase().contains("price");
        if names().any(|name| is_price(&name)) {
            self.figure = None;
        } else if let Some(figure) = names().find(|name| names_figure(name) && !is_coin(name)) {
            self.figure = Some(shown(&figure));
        }
    }

    /// Checks a series.
    ///
    /// # Errors
    /// [`ErrorKind::Unrecognised`] if its values are not prices, or in a unit other than a currency.
    pub(in crate::client::decode) fn check(&self, series: Series<'_>) -> Result<(), ErrorKind> {
        if self.figure.is_none() && self.unit.is_none() && !has_rows(series) {
            return Ok(());
        }
        let (is_bare, own_unit) = in_first_row(series);
        if let Some(unit) = own_unit.as_ref().or(self.unit.as_ref()).filter(|unit| unit.is_of_prices || is_bare) {
            return Err(ErrorKind::Unrecognised(format!("prices in an unsupported unit ({})", unit.shown)));
        }
        match &self.figure {
            Some(figure) if is_bare => Err(not_prices(figure)),
            _ => Ok(()),
        }
    }
}

/// The error for a series of values with this name.
pub(super) fn not_prices(name: &str) -> ErrorKind {
    ErrorKind::Unrecognised(format!("expected prices, found {}", shown(name)))
}

/// Whether a series has rows that may state a unit.
fn has_rows(series: Series<'_>) -> bool {
    matches!(series, Series::Rows(_) | Series::RowsOf(..) | Series::ByTime(_) | Series::ByIndex(_))
}

/// Whether the first row has a single value that is not named as a price, and the unit that it states. Formats with
/// columns or several values have prices.
fn in_first_row(series: Series<'_>) -> (bool, Option<Unit>) {
    let row = match series {
        Series::Rows(list) | Series::RowsOf(list, _) => list.items().next(),
        Series::ByTime(map) | Series::ByIndex(map) => map.fields().next().map(|(_, row)| row),
        Series::Table(_, header) => Some(header),
        Series::Empty | Series::NotPrices(_) | Series::Columns(_) | Series::Parallel(_) => None,
    };
    let mut tape = Tape::default();
    let Some(Ok(row)) = row.map(|row| tape.expand(row)) else { return (false, None) };
    let is_price = |name: Value<'_>| name.str().is_some_and(|name| PRICE_NAMES.iter().any(|own| same_name(own, &name)));
    if row.is_object() {
        return (row.any(&PRICE_NAMES).is_none(), unclear_unit(row));
    }
    let is_bare = !row.is_array() || row.items().nth(2).is_none() && !row.items().any(is_price);
    (is_bare, None)
}

/// The unit that an object states for its prices, if it is not a currency: a hundredth or a multiple of one, or a unit
/// of something else.
fn unclear_unit(object: Value<'_>) -> Option<Unit> {
    UNITS.iter().find_map(|name| {
        let unit = object.get(name)?;
        let is_by_field = unit.is_object();
        let words = if is_by_field { unit.any(&PRICE_UNITS)?.str()? } else { unit.str()? };
        if words.len() > MAX_UNIT {
            return None;
        }
        let is_minor = |word: &str| MINOR.iter().any(|minor| minor.eq_ignore_ascii_case(word));
        let is_money = |word: &str| Currency::parse(word).is_some_and(|currency| currency.exists());
        let all = || words.split(|c: char| !c.is_alphanumeric()).filter(|word| !word.is_empty());
        let has_money = all().any(|word| is_money(word) && power_of_word(word).is_none());
        let is_scale = |word: &str| power_of_word(word).is_some() && (has_money || word.len() >= MIN_SCALE);
        let is_minor = all().any(is_minor);
        let is_rate = words.trim().to_lowercase().ends_with("h/s");
        let is_other = is_minor || all().any(is_scale) || is_rate || names_figure(&words);
        let is_of_prices = is_minor || is_by_field || *name == PRICE_UNIT;
        is_other.then(|| Unit { shown: shown(&words), is_of_prices })
    })
}

fn shown(words: &str) -> String {
    text::cut(text::clean(words), MAX_SHOWN).into_owned()
}
