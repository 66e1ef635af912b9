//! `/coins` and `/coins/stats`: coins, of all generations of market services.
//!
//! A coin's fields may stand in the coin itself, in a quote (`quote` or `quotes`: a map by currency, a list, or one),
//! in an object of its own (`market_data`, `metadata`, …) and in periods (`periods.24h.quote.USD.high`). All of these
//! are read with the same table of names; what stands further out wins.

mod contracts;
mod field;
mod links;
mod nameless;
mod tags;
mod trend;

use field::Field;

use super::envelope::{Key, List, Spec};
use super::identity;
use super::kind::Kind;
use super::money::{self, Currencies, Purse};
use super::names::{Found, Lookup};
use super::read::Context;
use super::tape::{Tape, Value};
use crate::client::error::ErrorKind;
use crate::model::{Coin, CoinId, Contract, Currency, Link, Page, Text};

pub(super) const SPEC: Spec = Spec {
    lists: &[
        "crypto_currency_list",
        "coins",
        "tokens",
        "cryptocurrencies",
        "listings",
        "currencies",
        "assets",
        "markets",
    ],
    marks: &["symbol", "slug", "quote", "current_price", "price", "name"],
    kind: Kind::Coin,
};

/// What services call periods where figures stand by period.
const HOUR: &[&str] = &["1h", "hour", "1hr"];
const DAY: &[&str] = &["24h", "1d", "day", "24hr"];
const WEEK: &[&str] = &["7d", "1w", "week"];
const ALL_TIME: &[&str] = &["all_time", "all", "ever"];

/// Decodes a list of coins.
pub(super) fn decode(root: Value<'_>, convert: &Currency, context: &mut Context<'_>) -> Result<Page<Coin>, ErrorKind> {
    let list = List::find(root, &SPEC)?;
    let mut decoder = Decoder::new(convert);
    let mut items = list.read(context, "a coin", |context, key, item| decoder.coin(context, key, item))?;
    nameless::tell_apart(&mut items, &decoder.nameless, context);
    // CoinGecko writes all symbols in small letters.
    if !decoder.has_capitals {
        for at in &decoder.lower {
            if let Some(coin) = items.get_mut(*at) {
                coin.symbol = Text::from(coin.symbol.to_uppercase());
            }
        }
    }
    decoder.currencies.finish(context);
    Ok(Page { items, total: context.u64(list.total) })
}

struct Decoder<'q> {
    currencies: Currencies<'q>,
    outer: Lookup<Field>,
    quote: Lookup<Field>,
    inner: Lookup<Field>,
    trend: trend::Reader,
    tape: Tape,
    lists: Lists,
    read: usize,
    /// Which of the coins that were read came without an id.
    nameless: Vec<usize>,
    /// Which of them have a symbol with small letters. A BRC-20 ticker is none of these: it stays as it is.
    lower: Vec<usize>,
    /// A symbol has capitals.
    has_capitals: bool,
}

/// A coin whose currency is not known yet.
struct Draft {
    coin: Coin,
    purse: Purse,
    lists: Lists,
    /// For each of [`figures`] one whose name says that it is in dollars, for a coin that is.
    dollars: [Option<f64>; FIGURES],
}

/// A coin's lists while they grow; one after the other uses the same memory.
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
            trend: trend::Reader::new(),
            tape: Tape::default(),
            lists: Lists::default(),
            read: 0,
            nameless: Vec::new(),
            lower: Vec::new(),
            has_capitals: false,
        }
    }

    /// One coin; `None` for what has no name of any kind.
    fn coin(&mut self, context: &mut Context<'_>, key: Option<Key<'_>>, item: Value<'_>) -> Option<Coin> {
        if !item.is_object() {
            return None;
        }
        let asked = self.currencies.asked();
        let coin = Coin::new(CoinId(Text::default()), Text::default(), Text::default());
        let mut lists = std::mem::take(&mut self.lists);
        lists.clear();
        let mut draft = Draft { coin, purse: Purse::default(), lists, dollars: [None; FIGURES] };
        let found = self.outer.read(item);
        draft.fill(context, &found, asked, None);
        draft.names(context, &found);
        let is_symbol = found.is_first_name(Field::Symbol);
        draft.lists(context, &found);
        draft.trend(context, &found, &mut self.trend, &mut self.tape);
        if let Some(quotes) = found.get(Field::Quote) {
            draft.quote(context, quotes, asked, (&mut self.quote, &mut self.trend, &mut self.tape));
        }
        for field in [Field::Inner, Field::MarketData, Field::Metadata] {
            if let Some(object) = found.get(field).filter(Value::is_object) {
                let inside = self.inner.read(object);
                draft.fill(context, &inside, asked, None);
                draft.names(context, &inside);
                draft.lists(context, &inside);
                draft.trend(context, &inside, &mut self.trend, &mut self.tape);
                if let Some(periods) = inside.get(Field::Periods) {
                    draft.periods(context, periods, asked);
                }
                if let Some(quotes) = inside.get(Field::Quote) {
                    draft.quote(context, quotes, asked, (&mut self.quote, &mut self.trend, &mut self.tape));
                }
            }
        }
        draft.take_dollars(asked);
        if let Some(periods) = found.get(Field::Periods) {
            draft.periods(context, periods, asked);
            let flat = self.inner.read(periods);
            draft.fill(context, &flat, asked, None);
        }
        let Draft { mut coin, purse, mut lists, .. } = draft;
        for (figure, what) in amounts(&mut coin) {
            context.not_negative(item, figure, what);
        }
        let key = key.filter(|key| !key.is_shared).and_then(|key| context.key(key.name));
        let is_nameless = coin.id.0.is_empty() && coin.slug.is_none() && key.is_none();
        identify(&mut coin, key)?;
        if is_nameless {
            self.nameless.push(self.read);
        }
        if is_symbol && coin.symbol.chars().any(char::is_lowercase) {
            self.lower.push(self.read);
        }
        self.has_capitals |= coin.symbol.chars().any(char::is_uppercase);
        self.read += 1;
        coin.convert = self.currencies.label_of(purse);
        coin.tags = lists.tags.drain(..).collect();
        coin.links = lists.links.drain(..).collect();
        coin.contracts = lists.contracts.drain(..).collect();
        self.lists = lists;
        Some(coin)
    }
}

/// Gives the coin what it is known by, from what came; `None` where nothing came.
fn identify(coin: &mut Coin, key: Option<Text>) -> Option<()> {
    if coin.id.0.is_empty() {
        // A key of digits is the service's own id.
        let number = key.clone().filter(|key| identity::is_number(key));
        coin.id.0 = number.or_else(|| coin.slug.clone()).or(key).or_else(|| nameless::id(coin))?;
    }
    // An id alone, with nothing to call it by, is no coin.
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

    /// One of several quotes: that in the coin's currency, if there is one.
    fn quote(
        &mut self,
        context: &mut Context<'_>,
        quotes: Value<'_>,
        asked: &Currency,
        (lookup, reader, tape): (&mut Lookup<Field>, &mut trend::Reader, &mut Tape),
    ) {
        let Some((quote, currency)) = money::choose(quotes, self.purse.wanted(asked)) else { return };
        let quote = lookup.read(quote);
        let inside = || {
            [Field::Symbol, Field::Name, Field::Convert].iter().find_map(|field| money::code(quote.get(*field)?.raw()))
        };
        let currency = currency.or_else(inside);
        self.fill(context, &quote, asked, currency.as_ref());
        if self.purse.fits(currency.as_ref()) {
            self.trend(context, &quote, reader, tape);
        }
    }

    /// Figures and times that are not known yet, of a place in which all money is in one currency where that is known.
    fn fill(
        &mut self,
        context: &mut Context<'_>,
        found: &Found<'_, '_, Field>,
        asked: &Currency,
        currency: Option<&Currency>,
    ) {
        let Draft { coin, purse, dollars, .. } = self;
        if coin.rank.is_none() {
            coin.rank = rank(context, found.get(Field::Rank));
        }
        let own = found.get(Field::Convert).and_then(|code| money::code(code.raw()));
        let stated = currency.or(own.as_ref());
        purse.state(stated);
        for ((figure, field), dollars) in figures(coin).into_iter().zip(dollars.iter_mut()) {
            let Some(value) = found.get(field).filter(|_| figure.is_none()) else { continue };
            if found.is_in_dollars(field) {
                *dollars = dollars.or_else(|| context.f64(Some(value)));
            } else if let Some((sum, currency)) = money::sum(context, value, purse.wanted(asked))
                && purse.admits(currency.as_ref().or(stated))
            {
                *figure = Some(sum);
            }
        }
        if let Some(price) = found.get(Field::PriceUsd).filter(|price| !price.is_object())
            && let Some(dollars) = dollars.first_mut()
        {
            *dollars = dollars.or_else(|| context.f64(Some(price)));
        }
        for changes in [Field::ChangePct, Field::Changes].into_iter().filter_map(|field| found.get(field)) {
            for (change, period) in
                [(&mut coin.change_1h_pct, HOUR), (&mut coin.change_24h_pct, DAY), (&mut coin.change_7d_pct, WEEK)]
            {
                *change = change.or_else(|| context.f64(changes.any(period)));
            }
        }
        if let Some(change) = found.get(Field::ChangePct).filter(|change| !change.is_object()) {
            coin.change_24h_pct = coin.change_24h_pct.or_else(|| context.f64(Some(change)));
        }
        for (range, high, low) in [
            (found.get(Field::DayRange), &mut coin.high_24h, &mut coin.low_24h),
            (found.get(Field::AllTime), &mut coin.all_time_high, &mut coin.all_time_low),
        ] {
            let Some(range) = range else { continue };
            *high = high.or_else(|| context.f64(range.get("high")));
            *low = low.or_else(|| context.f64(range.get("low")));
        }
        for (figures, today, ever) in [
            (found.get(Field::High), &mut coin.high_24h, &mut coin.all_time_high),
            (found.get(Field::Low), &mut coin.low_24h, &mut coin.all_time_low),
        ] {
            let Some(figures) = figures.filter(|_| purse.admits(stated)) else { continue };
            if figures.is_object() {
                *today = today.or_else(|| context.f64(figures.any(DAY)));
                *ever = ever.or_else(|| context.f64(figures.any(ALL_TIME)));
            } else {
                *today = today.or_else(|| context.f64(Some(figures)));
            }
        }
        for (figure, field) in [
            (&mut coin.circulating_supply, Field::Circulating),
            (&mut coin.total_supply, Field::Total),
            (&mut coin.max_supply, Field::Max),
        ] {
            *figure = figure.or_else(|| context.f64(found.get(field)));
        }
        if coin.updated_at.is_none() {
            coin.updated_at = context.time(found.get(Field::Updated));
        }
    }

    /// The prices of seven days, if they are not known yet.
    fn trend(
        &mut self,
        context: &mut Context<'_>,
        found: &Found<'_, '_, Field>,
        reader: &mut trend::Reader,
        tape: &mut Tape,
    ) {
        if let Some(prices) = found.get(Field::Sparkline).filter(|_| self.coin.sparkline_7d.is_empty()) {
            self.coin.sparkline_7d = reader.read(context, prices, tape);
        }
    }

    /// Tags, links and contracts that are not known yet.
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

    /// What is named after dollars, where nothing better came and the coin's money is in dollars.
    fn take_dollars(&mut self, asked: &Currency) {
        for ((figure, _), dollars) in figures(&mut self.coin).into_iter().zip(self.dollars) {
            if figure.is_none() && dollars.is_some() && self.purse.admits_beside(Some(&Currency::usd()), asked) {
                *figure = dollars;
            }
        }
    }

    /// `{"24h": {"quote": {"USD": {"high": …, "low": …}}}, "all_time": {…}}`.
    fn periods(&mut self, context: &mut Context<'_>, periods: Value<'_>, asked: &Currency) {
        let Draft { coin, purse, .. } = self;
        for (names, high, low) in
            [(DAY, &mut coin.high_24h, &mut coin.low_24h), (ALL_TIME, &mut coin.all_time_high, &mut coin.all_time_low)]
        {
            let Some(period) = periods.any(names) else { continue };
            let wanted = purse.wanted(asked);
            let quote = period.any(&["quote", "quotes"]).and_then(|quotes| money::choose(quotes, wanted));
            let (quote, currency) = quote.unwrap_or((period, None));
            for (figure, name) in [(high, "high"), (low, "low")] {
                if let Some(value) = quote.get(name).filter(|_| figure.is_none())
                    && purse.admits_beside(currency.as_ref(), asked)
                {
                    *figure = context.f64(Some(value));
                }
            }
        }
    }
}

/// How many [`figures`] there are.
const FIGURES: usize = 10;

/// The figures that may be in some currency, each with its field, the price first.
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

/// The figures that are never below zero, each with what it is.
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

/// A rank from 1; 0 is what services write for coins without one.
fn rank(context: &mut Context<'_>, value: Option<Value<'_>>) -> Option<u32> {
    match u32::try_from(context.u64(value)?) {
        Ok(rank) => (rank > 0).then_some(rank),
        Err(_) => {
            context.unreadable(value?, "a rank");
            None
        }
    }
}
