//! Reads one point.

use super::candle;
use super::columns::may_be_time;
use super::field::{self, Field, has_24h_volume, has_plain_volume, is_candle};
use super::place::Parallel;
use super::raw::{Figures, Fit, Raw, VolumeUnit};
use super::row_coins::RowNames;
use super::{MAX_POINTS, Reader, Rows};
use crate::client::decode::field_name::same_name;
use crate::client::decode::money::{self, Currencies, ItemCurrency};
use crate::client::decode::names::Lookup;
use crate::client::decode::pair_name;
use crate::client::decode::read::Context;
use crate::client::decode::stated_zone;
use crate::client::decode::tape::{Kind, Value};
use crate::model::{Currency, UtcTime};

/// Maximum cells of a row without names, as many as Binance's candles have.
const MAX_CELLS: usize = 12;

impl Reader {
    /// Reads a point; its time is the `key` or in the row.
    pub(super) fn point(
        &mut self,
        context: &mut Context<'_>,
        key: Option<Value<'_>>,
        row: Value<'_>,
        currencies: &mut Currencies<'_>,
        rows: &Rows<'_>,
    ) -> Option<Raw> {
        if row.is_array() {
            return self.row(context, key, row, currencies, rows);
        }
        if !row.is_object() {
            let time = context.time(Some(key?))?;
            return Some(self.raw(context, time, [Some(row), None, None], currencies));
        }
        let requested = currencies.requested();
        let point = self.point.read(row);
        let (v, c) = (point.get(Field::V), point.get(Field::C));
        // Other objects have a value per currency.
        let has_figures = |value: &Value<'_>| value.is_array() || value.any(field::names(Field::Price)).is_some();
        let has_zone = point.get(Field::Zone).is_some();
        let start = point.get(Field::Start).filter(|_| is_candle(&point));
        let mut time = time_of(context, key.or(point.get(Field::Time)).or(start), has_zone.then_some(row));
        if v.as_ref().is_some_and(has_figures) || c.as_ref().is_some_and(has_figures) {
            let [figures, converted] = [v, c].map(|value| figures(context, value, &mut self.quote));
            return Some(Raw { converted: Some(converted), ..Raw::new(time?, figures) });
        }
        let mut item_currency = ItemCurrency::default();
        let names = RowNames {
            slug: point.get(Field::Slug),
            coin: point.get(Field::Coin),
            asset: point.get(Field::Asset),
            symbol: point.get(Field::Symbol),
            pair: point.get(Field::Pair),
            id: point.get(Field::Id),
        };
        let named = names.currency(rows.coin, requested);
        let is_named = named.is_some();
        // A `currency` may also be the coin's symbol.
        let own = point.get(Field::Currency).and_then(money::stated).filter(|own| {
            !point.is_first_name(Field::Currency) || own == requested || !rows.coin.is_named(own.as_str())
        });
        let has_own = own.is_some();
        let stated = own.or(named);
        let quotes = point.get(Field::Quote);
        // The quote of a pair.
        let quote = quotes.filter(|_| names.asset.is_some() || names.symbol.is_some()).and_then(|quote| quote.str());
        let stated = stated.or_else(|| pair_name::currency(&quote?).filter(Currency::exists));
        // The currency of a pair's price may not be that of its volume.
        let is_symbol = names.symbol.is_some_and(|symbol| money::code(symbol.raw()) == stated);
        let mut is_of_pair = !has_own && stated.is_some() && !is_symbol;
        let price = point.get(Field::Price).or(c);
        // If only the price names its currency, the other values are in it, too.
        let in_dollars = point.get(Field::PriceUsd).filter(|_| price.is_none() && quotes.is_none());
        let stated = if in_dollars.is_some() { Some(Currency::usd()) } else { stated };
        let mut figures = Figures::default();
        let turnover = point.get(Field::Turnover).filter(|_| point.get(Field::Open).is_some());
        let own = [price.or(in_dollars), turnover.or(point.get(Field::Volume)), point.get(Field::MarketCap)];
        let mut known = v.is_some() || own.iter().any(Option::is_some);
        for (figure, value) in figures.iter_mut().zip(own) {
            *figure = amount(value).and_then(|value| item_currency.amount(context, value, stated.as_ref(), requested));
        }
        let (mut of_candle, mut over_24h) = (is_candle(&point), has_24h_volume(&point));
        let mut is_plain = turnover.is_none() && has_plain_volume(&point);
        let mut volume = point.get(Field::Volume);
        self.has_caps |= is_plain && of_candle && !self.has_caps && has_market_cap(row);
        if let Some((quote, currency)) = quotes.and_then(|quotes| money::choose(context, quotes, requested)) {
            let inside = self.quote.read(quote);
            let own = currency.or_else(|| money::stated_currency(quote));
            // Prices by currency instead of quotes.
            let is_by_currency = own.is_none() && inside.is_empty() && !has_null_price(quote);
            // The values beside a price in a stated currency may be in another one.
            if own.is_some() && stated.is_none() && figures[0].is_some() && amount(inside.get(Field::Price)).is_some() {
                (figures, item_currency) = (Figures::default(), ItemCurrency::default());
            }
            let is_in_quote = own.is_some();
            let stated = own.or(stated.clone());
            of_candle |= is_candle(&inside);
            if figures[1].is_none() {
                over_24h = has_24h_volume(&inside);
                is_plain = has_plain_volume(&inside);
                volume = inside.get(Field::Volume);
                is_of_pair &= !is_in_quote;
                self.has_caps |= is_plain && of_candle && !self.has_caps && has_market_cap(quote);
            }
            for (figure, field) in figures.iter_mut().zip([Field::Price, Field::Volume, Field::MarketCap]) {
                if let Some(value) = amount(inside.get(field)).filter(|_| figure.is_none()) {
                    *figure = item_currency.amount(context, value, stated.as_ref(), requested);
                }
            }
            if let Some(prices) = amount(Some(quote)).filter(|_| is_by_currency && figures[0].is_none()) {
                figures[0] = item_currency.amount(context, prices, stated.as_ref(), requested);
            }
            item_currency.set_stated(stated.as_ref());
            time = time.or_else(|| time_of(context, inside.get(Field::Time), has_zone.then_some(row)));
            known = true;
        }
        if let (Some(price), [None, ..]) = (number(point.get(Field::PriceUsd)), figures)
            && item_currency.accept_unrelated(Some(&Currency::usd()), requested)
        {
            figures[0] = money::in_currency(context, price, &Currency::usd());
            known = true;
        }
        if !known && let Some((price, currency)) = price_by_currency(row, requested) {
            figures[0] = item_currency.amount(context, price, Some(&currency), requested);
            known = true;
        }
        item_currency.set_stated(stated.as_ref());
        if !known && !has_null_price(row) {
            return None;
        }
        let time = time?;
        let currency = self.number_of(currencies.note(item_currency));
        let coin = self.coins.number_of(&names, is_named, rows.coin);
        let is_number = volume.is_some_and(|volume| volume.kind() == Kind::Number);
        let volume_unit = match of_candle && is_plain {
            true if is_of_pair || currency == 0 && (names.pair.is_some() || !is_number) => VolumeUnit::OfExchange,
            true if currency == 0 => VolumeUnit::Unstated,
            _ => VolumeUnit::Money,
        };
        let has_candle_volume = of_candle && !over_24h;
        Some(Raw { currency, coin, has_candle_volume, volume_unit, ..Raw::new(time, figures) })
    }

    /// Reads the values of a point without field names.
    fn raw(
        &mut self,
        context: &mut Context<'_>,
        time: UtcTime,
        values: [Option<Value<'_>>; 3],
        currencies: &mut Currencies<'_>,
    ) -> Raw {
        let is_plain = |value: &Option<Value<'_>>| value.is_none_or(|value| value.kind() == Kind::Number);
        if values.iter().all(is_plain) {
            let figures = values.map(|value| context.f64(value));
            return Raw::new(time, figures);
        }
        let mut item_currency = ItemCurrency::default();
        let requested = currencies.requested();
        let figures = values.map(|value| item_currency.amount(context, value?, None, requested));
        let currency = self.number_of(currencies.note(item_currency));
        Raw { currency, ..Raw::new(time, figures) }
    }

    /// Reads a point from a row of numbers: in named columns, or time first, or last if the first can't be a time.
    fn row(
        &mut self,
        context: &mut Context<'_>,
        key: Option<Value<'_>>,
        row: Value<'_>,
        currencies: &mut Currencies<'_>,
        rows: &Rows<'_>,
    ) -> Option<Raw> {
        if let Some(header) = rows.layout.header {
            let (time, values) = header.cells(row);
            let time = context.time(key.or(time))?;
            let raw = self.raw(context, time, values, currencies);
            let is_in_dollars = header.is_in_dollars && raw.currency == 0;
            let currency = if is_in_dollars { self.number_of(Some(Currency::usd())) } else { raw.currency };
            let is_number = values[1].is_some_and(|volume| volume.kind() == Kind::Number);
            let volume_unit = match header.has_plain_volume && currency == 0 {
                false => VolumeUnit::Money,
                true if is_number => VolumeUnit::Unstated,
                true => VolumeUnit::OfExchange,
            };
            return Some(Raw { currency, volume_unit, has_candle_volume: header.has_candle_volume, ..raw });
        }
        let cells: Vec<Value<'_>> = row.items().take(MAX_CELLS).collect();
        let at = |place: usize| cells.get(place).copied().filter(|cell| !cell.is_null());
        let may_be_time = |place: usize| at(place).is_some_and(may_be_time);
        let at_end = key.is_none() && (rows.layout.time_is_last || !may_be_time(0));
        let (time, values, candle) = match (key, cells.len()) {
            (Some(key), 0..=3) => (Some(key), [at(0), at(1), at(2)], None),
            (Some(key), _) => (Some(key), [at(3), None, None], Some(0)),
            (None, 2) if at_end && may_be_time(1) => (at(1), [at(0), None, None], None),
            (None, 3) if at_end && may_be_time(2) => (at(2), [at(0), at(1), None], None),
            (None, 6..) if at_end && may_be_time(5) => (at(5), [at(3), at(4), None], Some(0)),
            // Binance, OKX: volume in the quote currency. The one before is in the coin, as on other exchanges.
            (None, 9 | 12) => (at(0), [at(4), at(7), None], Some(1)),
            (None, 5..) => (at(0), [at(4), None, None], Some(1)),
            (None, _) => (at(0), [at(1), at(2), at(3)], None),
        };
        let is_k_line_point = key.is_none() && cells.len() == 3 && at_end && may_be_time(2);
        let is_unnamed = matches!((key, cells.len()), (Some(_), 2..=3) | (None, 3..=4)) && !(at_end && may_be_time(2));
        let has_candle_volume = candle.is_some() || is_k_line_point;
        let time = context.time(time)?;
        let candle: Option<Fit> = candle.map(|first| {
            let prices = [at(first), at(first + 1), at(first + 2), at(first + 3)];
            candle::fit(prices, first == 1 && cells.len() == 6)
        });
        Some(Raw { candle, has_candle_volume, is_unnamed, ..self.raw(context, time, values, currencies) })
    }

    /// Reads parallel lists; returns the number of points.
    pub(super) fn parallel(
        &mut self,
        context: &mut Context<'_>,
        lists: Parallel<'_>,
        raws: &mut Vec<Raw>,
        currencies: &mut Currencies<'_>,
    ) -> usize {
        let mut columns = lists.figures.map(|list| list.into_iter().flat_map(|list| list.items()));
        let mut rows = 0;
        for time in lists.times.items() {
            let values = columns.each_mut().map(|column| column.next());
            rows += 1;
            if rows > MAX_POINTS {
                continue;
            }
            if let Some(time) = context.time(Some(time)) {
                raws.push(self.raw(context, time, values, currencies));
            }
        }
        rows
    }
}

/// Reads the time of a point, which may be in the zone that this object states.
fn time_of(context: &mut Context<'_>, time: Option<Value<'_>>, zoned: Option<Value<'_>>) -> Option<UtcTime> {
    let Some(zoned) = zoned else { return context.time(time) };
    let around = context.enter_zone(stated_zone::stated_of_time(zoned));
    let time = context.time(time);
    context.enter_zone(Some(around));
    time
}

/// The price in the requested currency, or else in dollars, of a row that only has one per currency: `{"time": …, "usd":
/// 8.41}`.
fn price_by_currency<'a>(row: Value<'a>, requested: &Currency) -> Option<(Value<'a>, Currency)> {
    let mut currencies = [requested.clone(), Currency::usd()].into_iter();
    currencies.find_map(|currency| Some((number(row.get(currency.as_str()))?, currency)))
}

/// Whether an object states that it has no price.
fn has_null_price(object: Value<'_>) -> bool {
    object.fields().any(|(key, value)| value.is_null() && same_name(key.raw(), "price"))
}

/// Whether an object has a market cap, which may be `null`.
fn has_market_cap(object: Value<'_>) -> bool {
    object.fields().any(|(key, _)| field::is_market_cap(key.raw()))
}

/// Filters values that may be amounts, or amounts by currency. An object with only `null` isn't one.
fn amount(value: Option<Value<'_>>) -> Option<Value<'_>> {
    let is_nothing = |value: Value<'_>| value.is_object() && value.fields().all(|(_, inner)| inner.is_null());
    value.filter(|value| !value.is_array() && !is_nothing(*value))
}

/// Filters values that may be numbers.
fn number(value: Option<Value<'_>>) -> Option<Value<'_>> {
    value.filter(|value| !value.is_array() && !value.is_object())
}

/// `[price, volume, cap, …]`, or an object with these.
fn figures(context: &mut Context<'_>, cells: Option<Value<'_>>, lookup: &mut Lookup<Field>) -> Figures {
    let Some(cells) = cells else { return Figures::default() };
    if cells.is_object() {
        let found = lookup.read(cells);
        return [Field::Price, Field::Volume, Field::MarketCap].map(|field| context.f64(number(found.get(field))));
    }
    let mut figures = Figures::default();
    for (figure, cell) in figures.iter_mut().zip(cells.items()) {
        *figure = context.f64(Some(cell));
    }
    figures
}
