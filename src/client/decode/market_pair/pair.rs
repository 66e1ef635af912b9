//! Reads one market pair.

use super::field::Field;
use super::native_prices::ReadPair;
use super::nested::{self, Units};
use super::title::{is_pair, is_title, sides};
use crate::client::decode::envelope::{IsItem, Key};
use crate::client::decode::identity;
use crate::client::decode::money::{self, Currencies, ItemCurrency};
use crate::client::decode::names::{Found, Lookup};
use crate::client::decode::read::Context;
use crate::client::decode::tape::Value;
use crate::format::words::counted;
use crate::model::{Currency, MarketPair, Text};

/// Reads the market pairs of a coin.
pub(super) struct Decoder<'q> {
    symbol: &'q str,
    pub(super) currencies: Currencies<'q>,
    /// The units that the response states.
    units: Units,
    pair: Lookup<Field>,
    quote: Lookup<Field>,
    reported: Lookup<Field>,
    /// Number of pairs whose only volume is in an unknown unit.
    unclear_volumes: usize,
}

/// Maximum share in percent, with rounding.
const MAX_SHARE: f64 = 100.1;

impl<'q> Decoder<'q> {
    /// Reads pairs of the coin with this symbol in a response.
    pub(super) fn new(
        (root, is_item): (Value<'_>, IsItem<'_>),
        symbol: &'q str,
        currencies: Currencies<'q>,
    ) -> Decoder<'q> {
        let (mut pair, quote, reported) = (Lookup::new(), Lookup::new(), Lookup::new());
        let units = Units::around(root, is_item, &mut pair);
        Decoder { symbol, currencies, units, pair, quote, reported, unclear_volumes: 0 }
    }

    /// Warns about ignored values.
    pub(super) fn finish(self, context: &mut Context<'_>) {
        self.currencies.finish(context);
        if self.unclear_volumes > 0 {
            context.warn(|| format!("ignored volumes in an unknown unit ({})", counted(self.unclear_volumes, "pair")));
        }
    }

    /// The pairs in an item that is a coin or an exchange.
    pub(super) fn pairs_in<'a>(&mut self, item: Value<'a>) -> Option<Value<'a>> {
        self.pair.read(item).get(Field::Pairs).filter(Value::is_array)
    }

    /// Reads a pair; `None` if it has neither an exchange nor a pair, or nothing else.
    pub(super) fn read(
        &mut self,
        context: &mut Context<'_>,
        key: Option<Key<'_>>,
        item: Value<'_>,
    ) -> Option<ReadPair> {
        if let Some((pool, dex)) = nested::pool(item) {
            return self.read(context, Some(Key { name: &dex, is_shared: false, is_id: false }), pool);
        }
        let requested = self.currencies.requested();
        let found = self.pair.read(item);
        // A string or a coin in `quote` is the quote asset.
        let (symbol, quotes) = match found.get(Field::Quote) {
            Some(quote) if !quote.is_object() && !quote.is_array() || is_side(quote) => (Some(quote), None),
            // Sides may have prices of their own.
            Some(quote) if found.get(Field::Base).is_some_and(has_symbol_and_price) => (Some(quote), None),
            quotes => (None, quotes),
        };
        let names = PairNames::read(context, &found, (symbol, key), self.symbol)?;
        let PairNames { exchange, pair, base, target } = names;

        let chosen = quotes.and_then(|quotes| money::choose(context, quotes, requested));
        let quote = chosen.as_ref().map(|(quote, _)| self.quote.read(*quote));
        let reported =
            quotes.and_then(|quotes| quotes.get("exchange_reported")).map(|reported| self.reported.read(reported));
        let inside = |field| quote.as_ref().and_then(|quote| quote.get(field));
        let inner =
            || inside(Field::Convert).and_then(money::stated).or_else(|| money::code(inside(Field::Symbol)?.raw()));
        let currency = chosen.and_then(|(_, currency)| currency).or_else(inner);
        // A `currency` may also be the coin's symbol.
        let names = [Some(self.symbol), base.as_deref()];
        let is_coin =
            |currency: &Currency| names.iter().flatten().any(|name| name.eq_ignore_ascii_case(currency.as_str()));
        let outer = found.get(Field::Convert).and_then(money::stated);
        let outer = outer.filter(|outer| found.is_first_name(Field::Convert) || outer == requested || !is_coin(outer));
        // If the only price is named after dollars, the other values are in dollars, too.
        let has_other_price = quotes.is_some() || found.get(Field::Price).is_some() || outer.is_some();
        let outer = outer.or_else(|| (found.get(Field::PriceUsd).is_some() && !has_other_price).then(Currency::usd));
        let units = Units::of(&found, quote.as_ref());
        let in_unit = || units.currency().cloned().filter(|unit| unit.exists() && !is_coin(unit));
        let outer = outer.or_else(in_unit);
        let mut item_currency = self.currencies.item();
        item_currency.set_stated(currency.as_ref().or(outer.as_ref()));

        let is_coin = |side: &Option<Text>| side.as_deref().is_some_and(|s| identity::is_same_symbol(s, self.symbol));
        let side = match (is_coin(&base), is_coin(&target)) {
            (true, _) => Some(Field::BaseUsd),
            (false, true) => Some(Field::QuoteUsd),
            (false, false) => None,
        };
        let figures = Figures { found, quote, reported, outer, inner: currency, requested, symbol: self.symbol, side };
        let [price, volume] = figures.price_and_volume(context, &mut item_currency, target.as_deref());
        let above = figures.depth(context, &mut item_currency, Field::DepthPlus);
        let below = figures.depth(context, &mut item_currency, Field::DepthMinus);
        let mut amounts = [price, volume, above, below];
        units.apply(&self.units, context, (item, &mut amounts), item_currency.label(requested));
        let [mut price, mut volume, mut above, mut below] = amounts;
        for (figure, what) in
            [(&mut price, "a price"), (&mut volume, "a volume"), (&mut above, "a depth"), (&mut below, "a depth")]
        {
            context.plausible(item, figure, item_currency.target(requested), what);
        }

        // A name alone doesn't make a market pair.
        if pair.is_none() && base.is_none() && target.is_none() && price.is_none() && volume.is_none() {
            return None;
        }
        let mut share = context.percent(figures.any(Field::Share));
        context.not_negative(item, &mut share, "a share");
        if let Some(share) = share.take_if(|share| *share > MAX_SHARE) {
            context.warn_at(item, || format!("found a share of {share}%, expected at most 100%"));
        }
        // DexScreener's volumes are by period, next to a price in dollars.
        let is_unclear = |volume| nested::is_unclear(volume, self.symbol);
        let has_dollars = figures.found.get(Field::PriceUsd).is_some();
        let has_unclear_volume = || {
            let volume = figures.found.get(Field::UnclearVolume);
            volume.filter(|volume| !(has_dollars && volume.is_object())).is_some_and(is_unclear)
        };
        self.unclear_volumes += usize::from(volume.is_none() && has_unclear_volume());
        let is_stated = item_currency.is_stated();
        let is_pool = figures.found.get(Field::BaseUsd).is_some();
        let pair = MarketPair {
            exchange,
            pair: pair.unwrap_or_default(),
            base,
            quote: target,
            category: context.text(figures.any(Field::Category)),
            price,
            volume_24h: volume,
            volume_share_pct: share,
            depth_plus_2pct: above,
            depth_minus_2pct: below,
            outlier: match context.bool(figures.found.get(Field::Stale)) {
                Some(true) => Some(true),
                _ => context.bool(figures.any(Field::Outlier)),
            },
            updated_at: context.time(figures.found.get(Field::Updated).or(figures.in_quote(Field::Updated))),
            convert: self.currencies.label_of(item_currency),
        };
        Some(ReadPair { pair, is_stated, is_pool })
    }
}

/// The names of a pair.
struct PairNames {
    exchange: Option<Text>,
    pair: Option<Text>,
    base: Option<Text>,
    target: Option<Text>,
}

impl PairNames {
    /// Reads the names; `None` if there is neither an exchange nor a pair. `asset` is the quote asset in `quote`. The key
    /// may name the exchange or the pair. `symbol` is the requested coin's.
    fn read<'a>(
        context: &mut Context<'_>,
        found: &Found<'_, 'a, Field>,
        (asset, key): (Option<Value<'a>>, Option<Key<'_>>),
        symbol: &str,
    ) -> Option<PairNames> {
        let is_pair_name = |name: &Value<'_>| name.str().is_some_and(|words| is_pair(&words, symbol));
        // Some services call a pair a market.
        let market = found.object().get("market").filter(is_pair_name);
        let exchange = found
            .get(Field::Exchange)
            .filter(|exchange| market.is_none_or(|market| market.index() != exchange.index()));
        let exchange = exchange.and_then(|exchange| {
            if exchange.is_object() { exchange.any(&["name", "slug", "identifier"]) } else { Some(exchange) }
        });
        let own = found.get(Field::Pair);
        let object = own.filter(Value::is_object);
        let inside = |names: &[&str]| object.and_then(|object| object.any(names));
        let mut base = side(context, found.get(Field::Base).or_else(|| inside(&["base", "base_symbol"])));
        let mut target =
            side(context, found.get(Field::Target).or(asset).or_else(|| inside(&["quote", "quote_symbol"])));
        // A `name` may be that of the pair; for a pool, it always is.
        let own_sides = own.and_then(|own| own.str());
        let own_sides = own_sides.as_deref().and_then(|own| sides(own, symbol));
        let stated = [base.as_deref().or(own_sides.map(|own| own.0)), target.as_deref().or(own_sides.map(|own| own.1))];
        let is_pool = found.get(Field::BaseUsd).is_some();
        let is_of_pair = |name: &str| is_title(name, symbol, stated) || is_pool && name.contains('/');
        let title = found.object().get("name").filter(|name| name.str().is_some_and(|name| is_of_pair(&name)));
        let exchange_name = match title {
            Some(_) if found.name(Field::ExchangeName) == Some("name") => {
                found.object().any(&["exchange_id", "dex_id"])
            }
            _ => found.get(Field::ExchangeName),
        };
        let exchange = context.text(exchange).or_else(|| context.text(exchange_name));
        let named = match object {
            Some(object) if base.is_some() || target.is_some() => object.any(&["symbol", "name"]),
            Some(object) => object.any(&["symbol", "name"]).or(own),
            None => own.or_else(|| found.get(Field::Symbol).filter(is_pair_name)).or(market).or(title),
        };
        let pair_key = key.filter(|key| is_pair(key.name, symbol));
        let pair = context
            .text(named)
            .or_else(|| Some(Text::from(format!("{}/{}", base.as_ref()?, target.as_ref()?))))
            .or_else(|| context.key(pair_key?.name));
        if let Some((first, second)) = pair.as_deref().and_then(|pair| sides(pair, symbol)) {
            base.get_or_insert_with(|| Text::from(first));
            target.get_or_insert_with(|| Text::from(second));
        }
        // The key of a list may be anything. An id may be that of a row or a pool, unless it looks like a name.
        let is_named = |key: &Key<'_>| !key.is_id || !is_pool && is_like_name(key.name);
        let key = key.filter(|key| pair_key.is_none() && is_named(key) && (!key.is_shared || pair.is_some()));
        let exchange = exchange.or_else(|| context.key(key?.name));
        (exchange.is_some() || pair.is_some()).then_some(PairNames { exchange, pair, base, target })
    }
}

/// Whether an id looks like the name of an exchange (`binance`, `p2pb2b`) rather than an address, a number or a UUID.
fn is_like_name(id: &str) -> bool {
    let digits = id.bytes().filter(u8::is_ascii_digit).count();
    id.starts_with(|c: char| c.is_ascii_alphabetic()) && digits <= MAX_DIGITS && !id.contains("0x")
}

/// Maximum digits in the id of an exchange.
const MAX_DIGITS: usize = 2;

/// The figures of a pair, which may be in several objects.
struct Figures<'s, 'a> {
    /// The fields of the pair itself.
    found: Found<'s, 'a, Field>,
    /// The fields of its quote in one currency (CoinMarketCap).
    quote: Option<Found<'s, 'a, Field>>,
    /// The figures that the exchange has reported (CoinMarketCap).
    reported: Option<Found<'s, 'a, Field>>,
    /// The currency stated in the pair itself.
    outer: Option<Currency>,
    /// The currency stated in its quote.
    inner: Option<Currency>,
    requested: &'s Currency,
    /// The coin's symbol.
    symbol: &'s str,
    /// The price of the coin's side of the pair.
    side: Option<Field>,
}

impl<'a> Figures<'_, 'a> {
    /// A field of the quote.
    fn in_quote(&self, field: Field) -> Option<Value<'a>> {
        self.quote.as_ref().and_then(|quote| quote.get(field))
    }

    /// A field of any of the objects.
    fn any(&self, field: Field) -> Option<Value<'a>> {
        let reported = || self.reported.as_ref().and_then(|reported| reported.get(field));
        self.found.get(field).or(self.in_quote(field)).or_else(reported)
    }

    /// The price and the volume of a pair with this quote asset.
    fn price_and_volume(
        &self,
        context: &mut Context<'_>,
        item_currency: &mut ItemCurrency,
        target: Option<&str>,
    ) -> [Option<f64>; 2] {
        let Figures { found, requested, .. } = self;
        let (mut price, mut volume) = (None, None);
        // Next to its price in dollars, CoinLore has one in the pair's quote currency.
        let last = found.get(Field::Price).filter(|_| found.get(Field::PriceUsd).is_some());
        let own = |field: Field| found.get(field).filter(|_| last.is_none() || !matches!(field, Field::Price));
        for is_inside in [true, false] {
            let stated = if is_inside { self.inner.as_ref() } else { self.outer.as_ref() };
            for (figure, field) in [(&mut price, Field::Price), (&mut volume, Field::Volume)] {
                let value = if is_inside { self.in_quote(field) } else { own(field) };
                let value = value.map(|value| nested::of_day(value, field));
                // Without it, the depth and the volume stay in the requested currency.
                let is_known = |value: &Value<'_>| !money::is_null_in(*value, requested);
                let Some(value) = value.filter(is_known).filter(|_| figure.is_none()) else { continue };
                *figure = item_currency.amount(context, value, stated, requested);
            }
        }
        // The last trade is in the pair's quote currency, so it is used only if that is the requested one.
        let wanted = item_currency.target(requested).clone();
        if let Some(last) =
            found.get(Field::Last).or(last).filter(|_| price.is_none() && target == Some(wanted.as_str()))
            && item_currency.accept(Some(&wanted))
        {
            price = money::in_currency(context, last, &wanted);
        }
        if let Some(volumes) = found.get(Field::UnclearVolume).and_then(|volume| nested::volume(volume, self.symbol))
            && volume.is_none()
        {
            volume = item_currency.amount(context, volumes, None, requested);
        }
        let usd = Currency::usd();
        let price_usd = found.get(Field::PriceUsd).filter(|_| !self.is_price_of_other_side());
        let price_usd = price_usd.or_else(|| found.get(self.side?));
        for (figure, field, value) in
            [(&mut price, Field::PriceUsd, price_usd), (&mut volume, Field::VolumeUsd, found.get(Field::VolumeUsd))]
        {
            if let Some(value) = value.map(|value| nested::of_day(value, field)).filter(|_| figure.is_none())
                && item_currency.accept_unrelated(Some(&usd), requested)
            {
                *figure = money::in_currency(context, value, &usd);
            }
        }
        [price, volume]
    }

    /// Whether the price in dollars is that of the base (DexScreener), and the coin is the quote.
    fn is_price_of_other_side(&self) -> bool {
        let is_dex_screener =
            self.found.name(Field::Base) == Some("base_token") && self.found.object().get("price_native").is_some();
        matches!(self.side, Some(Field::QuoteUsd)) && is_dex_screener
    }

    /// A depth, which may be named after dollars.
    fn depth(&self, context: &mut Context<'_>, item_currency: &mut ItemCurrency, field: Field) -> Option<f64> {
        let places = [
            (Some(&self.found), self.outer.clone()),
            (self.quote.as_ref(), self.inner.clone()),
            (self.reported.as_ref(), None),
        ];
        let (value, in_dollars, stated) = places.into_iter().find_map(|(place, stated)| {
            let place = place?;
            if let Some(value) = place.get(field) {
                return Some((value, place.is_in_dollars(field), stated));
            }
            let (value, own) = nested::depth(place, matches!(field, Field::DepthPlus))?;
            Some((value, false, own.or(stated)))
        })?;
        if !in_dollars {
            return item_currency.amount(context, value, stated.as_ref(), self.requested);
        }
        let usd = Currency::usd();
        let admitted = item_currency.accept_unrelated(Some(&usd), self.requested);
        money::in_currency(context, Some(value).filter(|_| admitted)?, &usd)
    }
}

/// Whether an object has a symbol and a price.
fn has_symbol_and_price(side: Value<'_>) -> bool {
    side.any(&["symbol", "currency_symbol"]).is_some() && side.get("price").is_some()
}

/// Whether an object is a coin, not a quote.
fn is_side(value: Value<'_>) -> bool {
    value.any(&["symbol", "currency_symbol"]).is_some()
        && !value.fields().any(|(_, figure)| figure.is_object() || figure.is_array())
        && value.any(&["price", "volume_24h", "volume"]).is_none()
}

/// Reads a side of a pair: a symbol, or an object with one.
fn side(context: &mut Context<'_>, value: Option<Value<'_>>) -> Option<Text> {
    let value = value?;
    context.text(if value.is_object() {
        value.any(&["currency_symbol", "symbol", "exchange_symbol"])
    } else {
        Some(value)
    })
}
