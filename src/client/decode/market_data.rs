//! `/market/data`: price history of several coins.

mod by_symbol;
mod pairs;

use super::candles;
use super::envelope::{IsItem, WRAPPED, WRAPPERS, unrecognised, unwrap_item};
use super::field_name::same_name;
use super::identity;
use super::money::{self, Currencies};
use super::names::{Lookup, names};
use super::names_around;
use super::pair_name;
use super::points::{self, Reader, SERIES, Series, SeriesHints, ValueDescription};
use super::read::Context;
use super::requested_coin::RequestedCoin;
use super::tape::{Tape, Value};
use super::time_zone;
use crate::client::error::ErrorKind;
use crate::model::{Currency, MarketSeries, Point, Text, interval};

pub(super) use by_symbol::LISTS;

names! {
    /// The fields of a series with their names.
    enum Field {
        Id = ["id", "coin_id", "cmc_id"],
        Name = ["name"],
        Symbol = ["symbol", "ticker"],
        Slug = ["slug"],
        /// The coin next to its points.
        Inner = ["coin", "token", "cryptocurrency"],
    }
}

/// Rows to search for the symbols of the requested coins.
const MIXED_SAMPLE: usize = 50;

struct Decoder<'q, 'c, 'd, 'v> {
    symbols: &'q [Text],
    /// The only requested coin, if there is one.
    coin: RequestedCoin<'q>,
    interval: &'q Text,
    context: &'c mut Context<'d>,
    currencies: Currencies<'q>,
    names: Lookup<Field>,
    reader: Reader,
    /// Whether the response states the currency of all series, not only their pairs.
    has_currency: bool,
    /// What the objects around all series say about their columns and values.
    hints: SeriesHints<'v>,
    description: ValueDescription,
    series: Vec<MarketSeries>,
    /// A series without a symbol.
    unnamed: bool,
    /// Why a series was rejected.
    rejection: Option<ErrorKind>,
}

/// Decodes the series of the requested symbols.
///
/// # Errors
/// [`ErrorKind::Unrecognised`]; [`ErrorKind::Mismatch`] if all have other symbols.
pub(super) fn decode_requested(
    root: Value<'_>,
    symbols: &[Text],
    interval: &Text,
    convert: &Currency,
    context: &mut Context<'_>,
) -> Result<Vec<MarketSeries>, ErrorKind> {
    let coin = if let [only] = symbols { RequestedCoin::Symbol(only) } else { RequestedCoin::Any };
    names_around::check_names_around(root, coin)?;
    let mut series = decode(root, symbols, coin, interval, convert, context)?;
    let listed = series.len();
    if !series.is_empty() && symbols.len() > 1 && series.iter().all(|one| one.symbol.is_empty()) {
        return Err(ErrorKind::Unrecognised(String::from("price histories without a symbol")));
    }
    let unnamed = series.iter().filter(|one| one.symbol.is_empty()).count();
    let listed = listed - pairs::keep_one_pair(&mut series, symbols, convert, context);
    let first = series.first().map(|one| one.symbol.clone()).unwrap_or_default();
    // `ORDIUSDT` could be another coin's symbol, but a single series without slug and name is of the requested coin.
    let is_only = coin.name().is_some() && series.len() == 1;
    series.retain_mut(|one| {
        let is_unnamed = one.slug.is_none() && one.name.is_none();
        let is_of = |symbol: &&Text| {
            let coin = RequestedCoin::Symbol(symbol);
            let is_it = || coin.has_alias(&one.symbol) || is_unnamed && coin.is_named(&one.symbol);
            identity::is_series_of(&one.symbol, symbol) || is_only && is_it()
        };
        let requested = symbols.iter().find(is_of);
        // Replaces a symbol with a quote currency or a `$`; otherwise, the case of the service is kept.
        if let Some(requested) = requested.filter(|requested| !one.symbol.eq_ignore_ascii_case(requested)) {
            one.symbol = requested.clone();
        }
        // A slug, an id or a name is not compared with symbols.
        let is_symbol = [&one.slug, &one.id, &one.name].iter().all(|name| name.as_ref() != Some(&one.symbol));
        requested.is_some() || !is_symbol
    });
    if series.is_empty() && listed > 0 {
        let requested: Vec<&str> = symbols.iter().take(3).map(Text::as_str).collect();
        return Err(identity::another(&[&first], &requested.join(", ")));
    }
    let others = listed - series.len() - unnamed;
    if others > 0 {
        context.warn(|| format!("skipped {others} series of other coins"));
    }
    if unnamed > 0 {
        context.warn(|| format!("skipped {unnamed} series without a symbol"));
    }
    Ok(series)
}

/// Decodes series: a map by symbol (of coins or lists of coins) or by id, a list, or a single one. A single series
/// without a symbol gets the requested one, if only one was requested: the `coin`, whose slug may be its symbol here.
pub(super) fn decode(
    root: Value<'_>,
    symbols: &[Text],
    coin: RequestedCoin<'_>,
    interval: &Text,
    convert: &Currency,
    context: &mut Context<'_>,
) -> Result<Vec<MarketSeries>, ErrorKind> {
    let mut decoder = Decoder {
        symbols,
        coin,
        interval,
        context,
        currencies: Currencies::new(convert),
        names: Lookup::new(),
        reader: Reader::new(),
        has_currency: false,
        hints: SeriesHints::default(),
        description: ValueDescription::around(root, coin),
        series: Vec::new(),
        unnamed: false,
        rejection: None,
    };
    // The currency of several coins isn't one of them.
    let names = |currency: &Currency| coin.name().is_some_and(|name| money::is_symbol_of(currency, name));
    let is_coin = |currency: &Currency| currency != convert && names(currency);
    let is_item: IsItem<'_> = &|object, entry| by_symbol::is_series(object, entry, symbols);
    let stated = money::stated_around_items(root, &[SERIES, WRAPPERS, LISTS], &is_coin, is_item);
    decoder.has_currency = stated.is_some();
    decoder.reader.set_has_currency(decoder.has_currency);
    decoder.currencies.set_around(stated.or_else(|| names_around::quote_around(root, coin)));
    let mut at = root;
    for _ in 0..WRAPPED {
        if by_symbol::is_map(at, symbols) || points::holds_points(at) {
            break;
        }
        decoder.hints.add_outer(at);
        let inside = WRAPPERS.iter().chain(LISTS).chain(&["series"]).filter_map(|name| at.get(name));
        match inside.into_iter().find(|inner| inner.is_array() || inner.is_object()) {
            Some(inner) => at = inner,
            None => break,
        }
    }
    if at.is_raw() {
        return Err(unrecognised(root));
    }
    let found_any = decoder.all(at);
    let Decoder { mut series, unnamed, currencies, context, rejection, .. } = decoder;
    if series.is_empty() && found_any {
        return Err(rejection.unwrap_or_else(|| unrecognised(at)));
    }
    if series.is_empty() && !is_empty(root, at) {
        return Err(unrecognised(at));
    }
    if let ([one], [symbol], true) = (series.as_mut_slice(), symbols, unnamed) {
        one.symbol = symbol.clone();
    }
    for one in series.iter_mut().filter(|one| one.symbol.is_empty()) {
        let known = [&one.name, &one.slug, &one.id].into_iter().flatten().next().cloned().unwrap_or_default();
        let requested = symbols.iter().find(|symbol| symbol.eq_ignore_ascii_case(&known));
        one.symbol = requested.cloned().unwrap_or(known);
    }
    currencies.finish(context);
    Ok(series)
}

/// Whether a response explicitly contains no series: an empty list, `null`, or an empty object in a common wrapper.
fn is_empty(root: Value<'_>, at: Value<'_>) -> bool {
    let is_place = |key: Value<'_>| WRAPPERS.iter().chain(LISTS).any(|name| same_name(key.raw(), name));
    let is_inside = |value: Value<'_>| value.is_array() || value.is_object();
    let places = |of: Value<'_>, is: fn(Value<'_>) -> bool| of.fields().any(|(key, value)| is_place(key) && is(value));
    let says_more = || at.fields().any(|(_, value)| !value.is_null() && !is_inside(value));
    at.is_array()
        || [root, at].into_iter().any(|of| places(of, |value| value.is_null()))
        || places(root, is_inside) && !says_more()
}

impl<'q> Decoder<'q, '_, '_, '_> {
    /// Reads all series in a list, a map or an object; returns whether there were any.
    fn all(&mut self, at: Value<'_>) -> bool {
        let mut tape = Tape::default();
        if at.is_array() {
            return self.list(at, None, &mut tape);
        }
        let is_by_symbol = by_symbol::is_map(at, self.symbols);
        if !is_by_symbol && points::holds_points(at) {
            self.coin(at, None, &mut tape);
            return true;
        }
        let mut fields = at.fields().filter(|(_, value)| value.is_array() || value.is_object()).peekable();
        if fields.peek().is_some_and(|(key, _)| points::is_time(key.raw())) {
            self.points(at, None);
            return true;
        }
        let mut any = false;
        for (key, value) in fields {
            let key = key.str().unwrap_or_default();
            let is_symbol = is_by_symbol && self.symbols.iter().any(|symbol| symbol.eq_ignore_ascii_case(&key));
            let is_other = same_name(&key, "status") || same_name(&key, "meta") || points::is_not_price(&key);
            if !is_symbol && is_other {
                continue;
            }
            if value.is_array() {
                any |= self.list(value, Some(&key), &mut tape);
            } else {
                any = true;
                self.coin(value, Some(&key), &mut tape);
            }
        }
        any
    }

    /// Reads a list of points or coins.
    fn list(&mut self, list: Value<'_>, key: Option<&str>, tape: &mut Tape) -> bool {
        let Some(first) = list.items().next() else { return false };
        if let Ok(point) = tape.expand(first)
            && points::is_point(point)
        {
            let is_of_any = |row: Value<'_>| self.symbols.iter().any(|symbol| points::is_of(row, symbol));
            let rows = list.items().take(if point.is_object() { MIXED_SAMPLE } else { 0 });
            if rows.into_iter().any(|row| tape.expand(row).is_ok_and(is_of_any)) {
                self.mixed(list);
            } else {
                self.points(list, key);
            }
            return true;
        }
        for item in list.items() {
            self.coin(item, key, tape);
        }
        true
    }

    /// Reads points of several coins in one list, each with its symbol.
    fn mixed(&mut self, list: Value<'_>) {
        for symbol in self.symbols {
            let rows = Series::RowsOf(list, symbol.as_str());
            let description = self.description.clone();
            match self.read(rows, &description, RequestedCoin::Any) {
                Some((points, _)) if points.is_empty() => {}
                read => self.push_points(list, Some(symbol), read),
            }
        }
    }

    /// Reads points without a wrapper object.
    fn points(&mut self, value: Value<'_>, key: Option<&str>) {
        let coin = self.requested(key);
        let around = key.and_then(|key| self.quote_of(key, coin)).or_else(|| self.currencies.around().cloned());
        let around = self.currencies.set_around(around);
        let description = self.description.clone();
        let read = Series::find_in(value, &[], self.hints).and_then(|series| self.read(series, &description, coin));
        self.currencies.set_around(around);
        self.push_points(value, key, read);
    }

    /// The requested coin with this symbol, or the only one.
    fn requested(&self, symbol: Option<&str>) -> RequestedCoin<'q> {
        let is_it = |requested: &&Text| symbol.is_some_and(|symbol| identity::is_series_of(symbol, requested));
        let found = self.symbols.iter().filter(|_| self.coin.name().is_none()).find(is_it);
        found.map_or(self.coin, |symbol| RequestedCoin::Symbol(symbol))
    }

    /// The quote currency of a series named after a pair, unless another currency is stated around it.
    fn quote_of(&self, name: &str, coin: RequestedCoin<'_>) -> Option<Currency> {
        if self.currencies.around().is_some() {
            return None;
        }
        pair_name::currency(pair_name::split_of(name, coin.name()?)?.1)
    }

    fn push_points(&mut self, value: Value<'_>, key: Option<&str>, read: Option<(Vec<Point>, Currency)>) {
        match read {
            Some((points, convert)) => {
                let symbol = self.symbol(None, key);
                let interval = interval::detect(&points, self.interval);
                self.series.push(MarketSeries {
                    id: None,
                    name: None,
                    symbol,
                    slug: None,
                    convert,
                    interval,
                    points,
                    volume_span: self.reader.volume_span(),
                    candles: None,
                });
            }
            None => self.unreadable(value, "a series of points"),
        }
    }

    /// Reads a coin object with points.
    fn coin(&mut self, value: Value<'_>, key: Option<&str>, tape: &mut Tape) {
        let item = match tape.expand(value) {
            Ok(item) => item,
            Err(error) => return self.context.invalid_json(value, error),
        };
        let (beside, item) = unwrap_item(item).unwrap_or((None, item));
        let key = beside.as_deref().or(key);
        let mut names = self.names.read(item);
        if let Some(coin) = names.get(Field::Inner).filter(Value::is_object) {
            names = self.names.read(coin);
        }
        let context = &mut *self.context;
        let id = context
            .id(names.get(Field::Id))
            .or_else(|| key.filter(|key| identity::is_number(key)).and_then(|key| context.key(key)));
        let (name, slug) = (context.text(names.get(Field::Name)), context.text(names.get(Field::Slug)));
        let symbol = context.text(names.get(Field::Symbol));
        let is_unnamed = id.is_none() && slug.is_none() && symbol.is_none();
        if is_unnamed && name.as_deref().is_some_and(points::is_not_price) {
            return context.unreadable(value, "a series of prices");
        }
        let own = symbol.as_deref().or(key).unwrap_or_default();
        let requested = self.currencies.requested();
        let coin = self.requested(symbol.as_deref().or(key));
        let is_name = |currency: &Currency, name: &str| currency != requested && money::is_symbol_of(currency, name);
        let is_coin =
            |currency: &Currency| [own, coin.name().unwrap_or_default()].iter().any(|name| is_name(currency, name));
        let stated = money::stated_around(item, &[SERIES, WRAPPERS], &is_coin);
        self.reader.set_has_currency(self.has_currency || stated.is_some());
        let quote =
            || names_around::quote_around(item, coin).or_else(|| self.quote_of(symbol.as_deref().or(key)?, coin));
        let around = stated.or_else(|| self.currencies.around().cloned()).or_else(quote);
        let around = self.currencies.set_around(around);
        let zone = self.context.enter_zone(time_zone::around(item));
        let mut description = self.description.clone();
        description.add(item, coin, !is_unnamed || key.is_some_and(|key| self.is_requested(key)));
        let read = Series::find_in(item, WRAPPERS, self.hints).and_then(|series| self.read(series, &description, coin));
        self.reader.set_has_currency(self.has_currency);
        self.context.enter_zone(Some(zone));
        self.currencies.set_around(around);
        let Some((points, convert)) = read else {
            return self.unreadable(value, "a coin with a series of points");
        };
        let symbol = self.symbol(symbol, key);
        let interval = interval::detect(&points, self.interval);
        let candles = candles::of_points(&points, candles::find(item, &convert, self.context));
        let volume_span = self.reader.volume_span();
        self.series.push(MarketSeries { id, name, symbol, slug, convert, interval, points, volume_span, candles });
    }

    /// Reads a series, unless its values may be something other than prices.
    fn read(
        &mut self,
        series: Series<'_>,
        description: &ValueDescription,
        coin: RequestedCoin<'_>,
    ) -> Option<(Vec<Point>, Currency)> {
        if let Err(reason) = description.check(series) {
            self.rejection = Some(reason);
            return None;
        }
        self.reader.read_of(self.context, series, &mut self.currencies, coin)
    }

    /// Whether a key is one of the requested symbols.
    fn is_requested(&self, key: &str) -> bool {
        self.symbols.iter().any(|symbol| symbol.eq_ignore_ascii_case(key))
    }

    fn unreadable(&mut self, value: Value<'_>, expected: &str) {
        self.context.unreadable(value, expected);
        self.rejection = self.reader.rejection().or(self.rejection.take());
    }

    /// The symbol of a series: its own, or else its key.
    fn symbol(&mut self, own: Option<Text>, key: Option<&str>) -> Text {
        let own = own.or_else(|| {
            let is_wrapper = |key: &str| same_name(key, "data") && key.chars().any(char::is_lowercase);
            let key = key.filter(|key| !identity::is_number(key) && !is_wrapper(key))?;
            let requested = self.symbols.iter().find(|symbol| symbol.eq_ignore_ascii_case(key));
            requested.cloned().or_else(|| self.context.key(key))
        });
        self.unnamed |= own.is_none();
        own.unwrap_or_default()
    }
}
