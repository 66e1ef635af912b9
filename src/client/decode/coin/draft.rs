//! A coin while its fields are read.

use super::amount_units::AmountUnits;
use super::field::Field;
use super::{contracts, links, prices, sparkline, tags, units};
use crate::client::decode::identity;
use crate::client::decode::money::{self, ItemCurrency};
use crate::client::decode::names::{Found, Lookup};
use crate::client::decode::pair_name;
use crate::client::decode::read::Context;
use crate::client::decode::tape::{Tape, Value};
use crate::model::{Coin, CoinId, Contract, Currency, Link, ProviderName, Text};

/// A coin whose currency is not yet known.
pub(super) struct Draft {
    pub(super) coin: Coin,
    pub(super) item_currency: ItemCurrency,
    pub(super) lists: Lists,
    /// The units that the coin states.
    pub(super) units: AmountUnits,
    /// Values of [`figures`] whose field name implies US dollars.
    dollars: [Option<f64>; FIGURES],
    /// The stated currency of the sparkline.
    pub(super) sparkline_currency: Option<Currency>,
}

/// Buffers for a coin's lists, reused for the next coin.
#[derive(Default)]
pub(super) struct Lists {
    pub(super) tags: Vec<Text>,
    pub(super) links: Vec<Link>,
    pub(super) contracts: Vec<Contract>,
}

impl Lists {
    pub(super) fn clear(&mut self) {
        self.tags.clear();
        self.links.clear();
        self.contracts.clear();
    }
}

impl Draft {
    /// A coin without any values. The buffers are emptied.
    pub(super) fn new(mut lists: Lists, item_currency: ItemCurrency) -> Draft {
        lists.clear();
        let coin = Coin::new(CoinId(Text::default()), Text::default(), Text::default());
        Draft {
            coin,
            item_currency,
            lists,
            units: AmountUnits::default(),
            dollars: [None; FIGURES],
            sparkline_currency: None,
        }
    }

    /// CryptoCompare's `CoinInfo`, where `Name` is the symbol.
    pub(super) fn info(&mut self, context: &mut Context<'_>, info: Value<'_>) {
        let coin = &mut self.coin;
        coin.id.0 = context.id(info.get("id")).unwrap_or_default();
        coin.symbol = context.text(info.get("name")).unwrap_or_default();
        coin.name = context.text(info.get("full_name")).unwrap_or_default();
        coin.max_supply = context.supply(info.get("max_supply")).filter(|supply| *supply > 0.0);
    }

    pub(super) fn names(&mut self, context: &mut Context<'_>, found: &Found<'_, '_, Field>) {
        let coin = &mut self.coin;
        if coin.id.0.is_empty() {
            coin.id.0 = context.id(found.get(Field::Id)).unwrap_or_default();
        }
        for (text, field) in [(&mut coin.name, Field::Name), (&mut coin.symbol, Field::Symbol)] {
            if text.is_empty() {
                *text = context.text(found.get(field)).unwrap_or_default();
            }
        }
        // LiveCoinWatch's symbols are signs, such as `₿`.
        if !coin.symbol.contains(|c: char| c.is_ascii_alphanumeric())
            && let Some(code) = found.get(Field::Code).filter(|code| code.str().is_some_and(|code| code.is_ascii()))
        {
            coin.symbol = context.text(Some(code)).unwrap_or_default();
        }
        if coin.slug.is_none() {
            coin.slug = context.text(found.get(Field::Slug));
        }
        if coin.brc20_ticker.is_none() {
            let ticker = context.text(found.get(Field::Brc20Ticker));
            coin.brc20_ticker = ticker.map(|ticker| Text::from(ticker.to_lowercase()));
        }
        if let Some(name) = found.get(Field::Provider).filter(|_| coin.provider.is_none()) {
            coin.provider = context.text(Some(name)).and_then(|name| ProviderName::parse(&name));
        }
        // CoinGecko's ids are slugs.
        if coin.slug.is_none() && found.get(Field::Id).is_some_and(identity::is_slug) {
            coin.slug = Some(coin.id.0.clone());
        }
    }

    /// Fills in LiveCoinWatch's `rate`, `cap` and `delta`, whose changes are ratios: 1.002 is 0.2%. Elsewhere, a `rate` may
    /// be an exchange rate.
    pub(super) fn fill_from_rate(
        &mut self,
        context: &mut Context<'_>,
        found: &Found<'_, '_, Field>,
        requested: &Currency,
    ) {
        if found.get(Field::Code).is_none() {
            return;
        }
        let row = found.object();
        let (cap, delta) = (row.get("cap"), row.get("delta").filter(Value::is_object));
        let Some(rate) = row.get("rate").filter(|_| cap.or(delta).is_some()) else { return };
        let Draft { coin, item_currency, .. } = self;
        for (figure, value) in [(&mut coin.price, Some(rate)), (&mut coin.market_cap, cap)] {
            let Some(value) = value.filter(|_| figure.is_none()) else { continue };
            *figure = item_currency.amount(context, value, None, requested);
        }
        // A market cap of 0 means "unknown".
        coin.market_cap = coin.market_cap.filter(|cap| *cap != 0.0);
        for (change, name) in
            [(&mut coin.change_1h_pct, "hour"), (&mut coin.change_24h_pct, "day"), (&mut coin.change_7d_pct, "week")]
        {
            let ratio = delta.and_then(|delta| context.f64(delta.get(name))).filter(|ratio| *ratio > 0.0);
            *change = change.or(ratio.map(change_of_ratio));
        }
    }

    /// Reads the quote in the coin's currency, or the best other one.
    pub(super) fn quote(
        &mut self,
        context: &mut Context<'_>,
        quotes: Value<'_>,
        requested: &Currency,
        (lookup, reader, tape): (&mut Lookup<Field>, &mut sparkline::Reader, &mut Tape),
    ) {
        let target = self.item_currency.target(requested);
        let Some((quote, currency)) = money::choose(context, quotes, target) else { return };
        let quote = lookup.read(quote);
        if let Some(currency) = currency.as_ref().filter(|_| self.has_other_price(&quote)) {
            if currency != requested {
                return self.item_currency.skip(currency);
            }
            self.coin.remove_money();
            self.item_currency.restart(currency);
        }
        self.fill(context, &quote, requested, currency.as_ref());
        let has_prices = || quotes.fields().any(|(_, price)| price.number().is_some());
        if quote.is_empty() && self.coin.price.is_none() && has_prices() {
            // Prices by currency instead of quotes.
            self.coin.price = self.item_currency.amount(context, quotes, None, requested);
        }
        if self.item_currency.matches(currency.as_ref()) {
            self.sparkline(context, &quote, requested, (reader, tape));
        }
    }

    /// Whether the coin already has a price without a stated currency that differs from a quote's price, so that it is in
    /// another currency.
    fn has_other_price(&self, quote: &Found<'_, '_, Field>) -> bool {
        let own = self.coin.price.filter(|_| !self.item_currency.is_stated());
        let other = quote.get(Field::Price).and_then(|price| price.number()?.parse::<f64>().ok());
        own.zip(other).is_some_and(|(own, other)| (own - other).abs() > own.max(other) * MAX_DIFFERENCE)
    }

    /// Fills in missing numbers and times from an object, whose prices are all in one currency (if known).
    pub(super) fn fill(
        &mut self,
        context: &mut Context<'_>,
        found: &Found<'_, '_, Field>,
        requested: &Currency,
        currency: Option<&Currency>,
    ) {
        let Draft { coin, item_currency, units, dollars, .. } = self;
        units.add(found);
        if coin.rank.is_none() {
            coin.rank = units::rank(context, found.get(Field::Rank));
        }
        let symbol = found.get(Field::Symbol).and_then(|symbol| symbol.str());
        // A `currency` may also be the coin's symbol.
        let is_symbol = |own: &Currency| {
            own != requested && symbol.as_deref().is_some_and(|symbol| symbol.eq_ignore_ascii_case(own.as_str()))
        };
        let own = found.get(Field::Convert).and_then(money::stated);
        let own = own.filter(|own| found.is_first_name(Field::Convert) || !is_symbol(own));
        // Without a symbol to compare with, a unit may be the coin.
        let is_scale = |unit: &Value<'_>| found.name(Field::PriceUnit).is_some_and(|name| money::is_scale(name, *unit));
        let unit = found.get(Field::PriceUnit).filter(|unit| symbol.is_some() && !is_scale(unit));
        let unit = unit.and_then(money::stated);
        let unit = unit.filter(|unit| unit.exists() && !is_symbol(unit));
        let own = own.or_else(|| pair_name::currency(unit?.as_str())).or_else(|| units.currency());
        let in_dollars = currency.is_none() && own.is_none() && names_only_dollars(found);
        let own = if in_dollars { Some(Currency::usd()) } else { own };
        let stated = currency.or(own.as_ref());
        item_currency.set_stated(stated);
        let in_quote = found.get(Field::QuoteVolume).is_some();
        for ((figure, field), dollars) in figures(coin).into_iter().zip(dollars.iter_mut()) {
            let field = if in_quote && matches!(field, Field::Volume) { Field::QuoteVolume } else { field };
            let Some(value) = found.get(field).filter(|_| figure.is_none()) else { continue };
            let value = units::of_day(value, field);
            if found.is_in_dollars(field) {
                *dollars = dollars.or_else(|| money::in_currency(context, value, &Currency::usd()));
                continue;
            }
            // A percentage doesn't determine the currency of the prices next to it.
            let sum = if field.is_change() {
                money::change(context, value, item_currency.target(requested))
                    .filter(|(_, currency)| item_currency.matches(currency.as_ref().or(stated)))
                    .map(|(change, _)| change)
            } else {
                item_currency.amount(context, value, stated, requested)
            };
            // A market cap of 0 means "unknown".
            *figure = sum.filter(|sum| *sum != 0.0 || !matches!(field, Field::MarketCap));
        }
        if let Some(turnover) = found.get(Field::Turnover).and_then(|turnover| turnover.number()?.parse::<f64>().ok())
            && let Some((price, volume)) = coin.price.zip(coin.volume_24h)
            && TURNOVER.contains(&(turnover / (volume * price)))
        {
            coin.volume_24h = Some(turnover);
        }
        let unclear = [Field::UnclearChange1h, Field::UnclearChange24h, Field::UnclearChange7d];
        if unclear.iter().any(|field| found.get(*field).is_some()) && !units::names_percentages(found.object()) {
            let changes = [&mut coin.change_1h_pct, &mut coin.change_24h_pct, &mut coin.change_7d_pct];
            for (change, field) in changes.into_iter().zip(unclear).filter(|(change, _)| change.is_none()) {
                *change = context.percent(found.get(field));
            }
        }
        units::fill_changes(context, found, coin);
        if let Some(range) = found.get(Field::Range24h).filter(Value::is_object) {
            for (figure, names) in [(&mut coin.high_24h, ["high", "max"]), (&mut coin.low_24h, ["low", "min"])] {
                let Some(value) = range.any(&names).filter(|_| figure.is_none()) else { continue };
                *figure = item_currency.amount(context, value, stated, requested);
            }
        }
        if let Some(price) = found.get(Field::PriceUsd).filter(|price| !price.is_object())
            && let Some(dollars) = dollars.first_mut()
        {
            *dollars = dollars.or_else(|| money::in_currency(context, price, &Currency::usd()));
        }
        for (figure, field, name) in [
            (&mut coin.circulating_supply, Field::Circulating, "circulating"),
            (&mut coin.total_supply, Field::Total, "total"),
            (&mut coin.max_supply, Field::Max, "max"),
        ] {
            // Coinranking puts them into one object.
            let inside = || found.get(Field::Circulating).filter(Value::is_object)?.get(name);
            let own = || found.get(field).filter(|supply| !supply.is_object());
            // A supply of 0 means "unknown".
            *figure = figure.or_else(|| context.supply(own().or_else(inside)).filter(|supply| *supply != 0.0));
        }
        if coin.updated_at.is_none() {
            coin.updated_at = context.time(found.get(Field::Updated));
        }
    }

    /// Messari's `metrics`, whose parts have the figures.
    pub(super) fn metrics(
        &mut self,
        context: &mut Context<'_>,
        metrics: Value<'_>,
        requested: &Currency,
        lookup: &mut Lookup<Field>,
    ) {
        let parts = ["market_data", "marketcap", "supply"].iter().filter_map(|name| metrics.get(name));
        let mut parts = parts.filter(Value::is_object).peekable();
        if parts.peek().is_none() {
            self.fill(context, &lookup.read(metrics), requested, None);
        }
        for part in parts {
            self.fill(context, &lookup.read(part), requested, None);
        }
    }

    /// Fills in the price from a map or list by currency if missing.
    pub(super) fn price_by_currency(
        &mut self,
        context: &mut Context<'_>,
        found: &Found<'_, '_, Field>,
        requested: &Currency,
    ) {
        if let Some(prices) = prices::by_currency(found).filter(|_| self.coin.price.is_none()) {
            self.coin.price = self.item_currency.amount(context, prices, None, requested);
        }
    }

    /// Fills in the 7-day sparkline if missing.
    pub(super) fn sparkline(
        &mut self,
        context: &mut Context<'_>,
        found: &Found<'_, '_, Field>,
        requested: &Currency,
        (reader, tape): (&mut sparkline::Reader, &mut Tape),
    ) {
        let is_missing = self.coin.sparkline_7d.is_empty() && prices::by_currency(found).is_none();
        if let Some(prices) = found.get(Field::Sparkline).filter(|_| is_missing) {
            let read = reader.read(context, prices, self.item_currency.target(requested), tape);
            (self.coin.sparkline_7d, self.sparkline_currency) = (read.prices, read.currency);
        }
    }

    /// Fills in missing tags, links and contracts.
    pub(super) fn lists(&mut self, context: &mut Context<'_>, found: &Found<'_, '_, Field>) {
        let Lists { tags, links, contracts } = &mut self.lists;
        if tags.is_empty()
            && let Some(list) = found.get(Field::Tags)
        {
            tags::read(context, tags, list);
        }
        links::read(context, found, links);
        contracts::read(context, found, contracts);
    }

    /// Fills in values from fields named after dollars, if the coin's currency is the dollar.
    pub(super) fn take_dollars(&mut self, requested: &Currency) {
        for ((figure, _), dollars) in figures(&mut self.coin).into_iter().zip(self.dollars) {
            if figure.is_none()
                && dollars.is_some()
                && self.item_currency.accept_unrelated(Some(&Currency::usd()), requested)
            {
                *figure = dollars;
            }
        }
    }

    /// `{"24h": {"quote": {"USD": {"high": …, "low": …, "percent_change": …}}}, "all_time": {…}}`.
    pub(super) fn periods(&mut self, context: &mut Context<'_>, periods: Value<'_>, requested: &Currency) {
        let Draft { coin, item_currency, .. } = self;
        for (name, figures) in [
            (
                "24h",
                [
                    (&mut coin.high_24h, "high"),
                    (&mut coin.low_24h, "low"),
                    (&mut coin.change_24h_pct, "percent_change"),
                ]
                .as_mut_slice(),
            ),
            ("7d", [(&mut coin.change_7d_pct, "percent_change")].as_mut_slice()),
            ("all_time", [(&mut coin.all_time_high, "high"), (&mut coin.all_time_low, "low")].as_mut_slice()),
        ] {
            let Some(period) = periods.get(name) else { continue };
            let wanted = item_currency.target(requested);
            let quote = period.get("quote").and_then(|quotes| money::choose(context, quotes, wanted));
            let (quote, currency) = quote.unwrap_or((period, None));
            for (figure, name) in figures {
                let Some(value) = quote.get(name).filter(|_| figure.is_none()) else { continue };
                if !item_currency.may_be_related(currency.as_ref(), requested) {
                    continue;
                }
                **figure = if *name != "percent_change" {
                    item_currency.amount(context, value, currency.as_ref(), requested)
                } else if item_currency.matches(currency.as_ref()) {
                    context.percent(Some(value))
                } else {
                    None
                };
            }
        }
    }
}

/// Whether the only price is named after dollars (CoinLore), so that the other values are in dollars, too.
fn names_only_dollars(found: &Found<'_, '_, Field>) -> bool {
    found.get(Field::PriceUsd).is_some()
        && [Field::Price, Field::Quote, Field::MarketData, Field::Metadata]
            .iter()
            .all(|field| found.get(*field).is_none())
}

/// Two prices of the same time that differ by more than this fraction are in different currencies.
const MAX_DIFFERENCE: f64 = 0.02;

/// How many times its volume in coins, at the last price, a coin's turnover may be in money. Otherwise it is a ratio.
const TURNOVER: std::ops::RangeInclusive<f64> = 0.5..=2.0;

/// Number of [`figures`].
const FIGURES: usize = 10;

/// The values that depend on the currency, each with its field, the price first.
fn figures(coin: &mut Coin) -> [(&mut Option<f64>, Field); FIGURES] {
    [
        (&mut coin.price, Field::Price),
        (&mut coin.high_24h, Field::High24h),
        (&mut coin.low_24h, Field::Low24h),
        (&mut coin.all_time_high, Field::AllTimeHigh),
        (&mut coin.all_time_low, Field::AllTimeLow),
        (&mut coin.volume_24h, Field::Volume),
        (&mut coin.market_cap, Field::MarketCap),
        (&mut coin.change_1h_pct, Field::Change1h),
        (&mut coin.change_24h_pct, Field::Change24h),
        (&mut coin.change_7d_pct, Field::Change7d),
    ]
}

/// The change in percent, without the digits that a float adds to a ratio.
fn change_of_ratio(ratio: f64) -> f64 {
    ((ratio - 1.0) * 1e12).round() / 1e10
}
