//! `/coins` and `/coins/stats`: coins, of all generations of market services.
//!
//! A coin's fields may be in the coin itself, in a quote (`quote` or `quotes`: a map by currency, a list, or one
//! object), in `market_data` or `metadata`, and in periods (`periods.24h.quote.USD.high`). All of these are read with
//! the same table of names; outer fields win.

mod contracts;
mod field;
mod links;
mod sparkline;
mod substitute_id;
mod tags;

use field::Field;

use super::envelope::{Key, List, Spec};
use super::field_name::same_name;
use super::identity;
use super::kind::Kind;
use super::money::{self, Currencies, ItemCurrency};
use super::names::{Found, Lookup};
use super::read::Context;
use super::tape::{Tape, Value};
use crate::client::error::ErrorKind;
use crate::model::{Coin, CoinId, Contract, Currency, Link, Page, Text};

pub(super) const SPEC: Spec = Spec {
    // CoinMarketCap's website; its categories, Coinranking; the interface.
    lists: &["crypto_currency_list", "coins", "tokens"],
    marks: &["symbol", "slug", "quote", "current_price", "price", "name"],
    kind: Kind::Coin,
};

/// Decodes a list of coins.
pub(super) fn decode(root: Value<'_>, convert: &Currency, context: &mut Context<'_>) -> Result<Page<Coin>, ErrorKind> {
    let list = List::find(root, &SPEC)?;
    let mut decoder = Decoder::new(convert);
    let mut items = list.read(context, "a coin", |context, key, item| decoder.coin(context, key, item))?;
    substitute_id::make_ids_unique(&mut items, &decoder.without_id, context);
    decoder.currencies.finish(context);
    Ok(Page { items, total: context.u64(list.total) })
}

struct Decoder<'q> {
    currencies: Currencies<'q>,
    outer: Lookup<Field>,
    quote: Lookup<Field>,
    inner: Lookup<Field>,
    sparkline: sparkline::Reader,
    tape: Tape,
    lists: Lists,
    read: usize,
    /// Indices of coins without an id.
    without_id: Vec<usize>,
}

/// A coin whose currency is not yet known.
struct Draft {
    coin: Coin,
    item_currency: ItemCurrency,
    lists: Lists,
    /// Values of [`figures`] whose field name implies US dollars.
    dollars: [Option<f64>; FIGURES],
}

/// Buffers for a coin's lists, reused for the next coin.
#[derive(Default)]
struct Lists {
    tags: Vec<Text>,
    links: Vec<Link>,
    contracts: Vec<Contract>,
}

impl Lists {
    fn clear(&mut self) {
        self.tags.clear();
        self.links.clear();
        self.contracts.clear();
    }
}

impl<'q> Decoder<'q> {
    fn new(convert: &'q Currency) -> Decoder<'q> {
        Decoder {
            currencies: Currencies::new(convert),
            outer: Lookup::new(),
            quote: Lookup::new(),
            inner: Lookup::new(),
            sparkline: sparkline::Reader::new(),
            tape: Tape::default(),
            lists: Lists::default(),
            read: 0,
            without_id: Vec::new(),
        }
    }

    /// Reads a coin; `None` if it has no name.
    fn coin(&mut self, context: &mut Context<'_>, key: Option<Key<'_>>, item: Value<'_>) -> Option<Coin> {
        if !item.is_object() {
            return None;
        }
        let requested = self.currencies.requested();
        let coin = Coin::new(CoinId(Text::default()), Text::default(), Text::default());
        let mut lists = std::mem::take(&mut self.lists);
        lists.clear();
        let mut draft = Draft { coin, item_currency: ItemCurrency::default(), lists, dollars: [None; FIGURES] };
        let found = self.outer.read(item);
        draft.fill(context, &found, requested, None);
        if let Some(info) = found.get(Field::Info) {
            draft.info(context, info);
        }
        draft.names(context, &found);
        let is_symbol = found.is_first_name(Field::Symbol);
        draft.lists(context, &found);
        // Coinranking's ids are UUIDs. Its change and its sparkline are those of 24 hours, unless requested otherwise.
        if found.get(Field::Id).is_some() && !found.is_first_name(Field::Id) {
            draft.coin.change_24h_pct = draft.coin.change_24h_pct.or_else(|| context.f64(found.get(Field::Change)));
        } else {
            draft.sparkline(context, &found, &mut self.sparkline, &mut self.tape);
        }
        if let Some(quotes) = found.get(Field::Quote) {
            draft.quote(context, quotes, requested, (&mut self.quote, &mut self.sparkline, &mut self.tape));
        }
        for field in [Field::MarketData, Field::Metadata] {
            if let Some(object) = found.get(field).filter(Value::is_object) {
                let inside = self.inner.read(object);
                draft.fill(context, &inside, requested, None);
                draft.names(context, &inside);
                draft.lists(context, &inside);
                draft.sparkline(context, &inside, &mut self.sparkline, &mut self.tape);
                if let Some(periods) = inside.get(Field::Periods) {
                    draft.periods(context, periods, requested);
                }
                if let Some(quotes) = inside.get(Field::Quote) {
                    draft.quote(context, quotes, requested, (&mut self.quote, &mut self.sparkline, &mut self.tape));
                }
            }
        }
        draft.take_dollars(requested);
        if let Some(periods) = found.get(Field::Periods) {
            draft.periods(context, periods, requested);
        }
        let Draft { mut coin, item_currency, mut lists, .. } = draft;
        for (figure, what) in amounts(&mut coin) {
            context.not_negative(item, figure, what);
        }
        let key = key.filter(|key| !key.is_shared).and_then(|key| context.key(key.name));
        let is_nameless = coin.id.0.is_empty() && coin.slug.is_none() && key.is_none();
        identify(&mut coin, key)?;
        if is_nameless {
            self.without_id.push(self.read);
        }
        if is_symbol && writes_lower_case(item, &coin.symbol) {
            coin.symbol = Text::from(coin.symbol.to_uppercase());
        }
        self.read += 1;
        coin.convert = self.currencies.label_of(item_currency);
        coin.tags = lists.tags.drain(..).collect();
        coin.links = lists.links.drain(..).collect();
        coin.contracts = lists.contracts.drain(..).collect();
        self.lists = lists;
        Some(coin)
    }
}

/// Whether the symbol is in lower case only because the service (CoinGecko) lowercases all symbols. Detected by fields
/// of the coin itself, never by other coins on the page, so that a coin has the same symbol on every page.
fn writes_lower_case(coin: Value<'_>, symbol: &str) -> bool {
    let has = |name: &str| coin.fields().any(|(key, _)| same_name(key.raw(), name));
    symbol.chars().any(char::is_lowercase)
        && !symbol.chars().any(char::is_uppercase)
        && (has("current_price") || has("market_data"))
        && !has("slug")
        && coin.get("id").is_some_and(identity::is_slug)
}

/// Sets missing id and names from other fields; `None` if there are none.
fn identify(coin: &mut Coin, key: Option<Text>) -> Option<()> {
    if coin.id.0.is_empty() {
        // A numeric key is the service's id.
        let number = key.clone().filter(|key| identity::is_number(key));
        coin.id.0 = number.or_else(|| coin.slug.clone()).or(key).or_else(|| substitute_id::id(coin))?;
    }
    // An id without any name is not a coin.
    let name =
        [&coin.name, &coin.symbol].into_iter().find(|text| !text.is_empty()).cloned().or_else(|| coin.slug.clone())?;
    if coin.name.is_empty() {
        coin.name = name.clone();
    }
    if coin.symbol.is_empty() {
        coin.symbol = name;
    }
    Some(())
}

impl Draft {
    /// CryptoCompare's `CoinInfo`, where `Name` is the symbol.
    fn info(&mut self, context: &mut Context<'_>, info: Value<'_>) {
        let coin = &mut self.coin;
        coin.id.0 = context.id(info.get("id")).unwrap_or_default();
        coin.symbol = context.id(info.get("name")).unwrap_or_default();
        coin.name = context.id(info.get("full_name")).unwrap_or_default();
        coin.max_supply = context.f64(info.get("max_supply")).filter(|supply| *supply > 0.0);
    }

    fn names(&mut self, context: &mut Context<'_>, found: &Found<'_, '_, Field>) {
        let coin = &mut self.coin;
        for (text, field) in
            [(&mut coin.id.0, Field::Id), (&mut coin.name, Field::Name), (&mut coin.symbol, Field::Symbol)]
        {
            if text.is_empty() {
                *text = context.id(found.get(field)).unwrap_or_default();
            }
        }
        if coin.slug.is_none() {
            coin.slug = context.text(found.get(Field::Slug));
        }
        // CoinGecko's ids are slugs.
        if coin.slug.is_none() && found.get(Field::Id).is_some_and(identity::is_slug) {
            coin.slug = Some(coin.id.0.clone());
        }
    }

    /// Reads the quote in the coin's currency, or the best other one.
    fn quote(
        &mut self,
        context: &mut Context<'_>,
        quotes: Value<'_>,
        requested: &Currency,
        (lookup, reader, tape): (&mut Lookup<Field>, &mut sparkline::Reader, &mut Tape),
    ) {
        let Some((quote, currency)) = money::choose(quotes, self.item_currency.target(requested)) else { return };
        let quote = lookup.read(quote);
        let inside = || {
            [Field::Symbol, Field::Name, Field::Convert].iter().find_map(|field| money::code(quote.get(*field)?.raw()))
        };
        let currency = currency.or_else(inside);
        self.fill(context, &quote, requested, currency.as_ref());
        if self.item_currency.matches(currency.as_ref()) {
            self.sparkline(context, &quote, reader, tape);
        }
    }

    /// Fills in missing numbers and times from an object, whose prices are all in one currency (if known).
    fn fill(
        &mut self,
        context: &mut Context<'_>,
        found: &Found<'_, '_, Field>,
        requested: &Currency,
        currency: Option<&Currency>,
    ) {
        let Draft { coin, item_currency, dollars, .. } = self;
        if coin.rank.is_none() {
            coin.rank = rank(context, found.get(Field::Rank));
        }
        let own = found.get(Field::Convert).and_then(|code| money::code(code.raw()));
        let stated = currency.or(own.as_ref());
        item_currency.set_stated(stated);
        for ((figure, field), dollars) in figures(coin).into_iter().zip(dollars.iter_mut()) {
            let Some(value) = found.get(field).filter(|_| figure.is_none()) else { continue };
            if found.is_in_dollars(field) {
                *dollars = dollars.or_else(|| context.f64(Some(value)));
            } else if let Some((sum, currency)) = money::sum(context, value, item_currency.target(requested)) {
                let currency = currency.as_ref().or(stated);
                // A percentage doesn't determine the currency of the prices next to it.
                let admitted =
                    if field.is_change() { item_currency.matches(currency) } else { item_currency.accept(currency) };
                // A market cap of 0 means "unknown".
                if admitted && !(sum == 0.0 && matches!(field, Field::MarketCap)) {
                    *figure = Some(sum);
                }
            }
        }
        if let Some(price) = found.get(Field::PriceUsd).filter(|price| !price.is_object())
            && let Some(dollars) = dollars.first_mut()
        {
            *dollars = dollars.or_else(|| context.f64(Some(price)));
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
            *figure = figure.or_else(|| context.f64(own().or_else(inside)).filter(|supply| *supply != 0.0));
        }
        if coin.updated_at.is_none() {
            coin.updated_at = context.time(found.get(Field::Updated));
        }
    }

    /// Fills in the 7-day sparkline if missing.
    fn sparkline(
        &mut self,
        context: &mut Context<'_>,
        found: &Found<'_, '_, Field>,
        reader: &mut sparkline::Reader,
        tape: &mut Tape,
    ) {
        if let Some(prices) = found.get(Field::Sparkline).filter(|_| self.coin.sparkline_7d.is_empty()) {
            self.coin.sparkline_7d = reader.read(context, prices, tape);
        }
    }

    /// Fills in missing tags, links and contracts.
    fn lists(&mut self, context: &mut Context<'_>, found: &Found<'_, '_, Field>) {
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
    fn take_dollars(&mut self, requested: &Currency) {
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
    fn periods(&mut self, context: &mut Context<'_>, periods: Value<'_>, requested: &Currency) {
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
            let quote = period.get("quote").and_then(|quotes| money::choose(quotes, wanted));
            let (quote, currency) = quote.unwrap_or((period, None));
            for (figure, name) in figures {
                if let Some(value) = quote.get(name).filter(|_| figure.is_none())
                    && item_currency.accept_unrelated(currency.as_ref(), requested)
                {
                    **figure = context.f64(Some(value));
                }
            }
        }
    }
}

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

/// The values that are never negative, each with a description.
fn amounts(coin: &mut Coin) -> [(&mut Option<f64>, &'static str); 10] {
    [
        (&mut coin.price, "a price"),
        (&mut coin.high_24h, "a price"),
        (&mut coin.low_24h, "a price"),
        (&mut coin.all_time_high, "a price"),
        (&mut coin.all_time_low, "a price"),
        (&mut coin.volume_24h, "a volume"),
        (&mut coin.market_cap, "a market cap"),
        (&mut coin.circulating_supply, "a supply"),
        (&mut coin.total_supply, "a supply"),
        (&mut coin.max_supply, "a supply"),
    ]
}

/// Reads a rank from 1; 0 means "none".
fn rank(context: &mut Context<'_>, value: Option<Value<'_>>) -> Option<u32> {
    match u32::try_from(context.u64(value)?) {
        Ok(rank) => (rank > 0).then_some(rank),
        Err(_) => {
            context.unreadable(value?, "a rank");
            None
        }
    }
}
