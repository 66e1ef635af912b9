//! `/coins` and `/coins/stats`: coins, of all generations of market services.
//!
//! A coin's fields may be in the coin itself, in a quote (`quote` or `quotes`: a map by currency, a list, or one
//! object), in `market_data` or `metadata`, and in periods (`periods.24h.quote.USD.high`). All of these are read with
//! the same table of names; outer fields win.

mod amount_units;
mod contracts;
mod draft;
mod field;
mod links;
mod named_price;
mod percent_unit;
mod prices;
mod sparkline;
mod substitute_id;
mod tags;
mod tickers;
mod units;

use std::collections::HashSet;
use std::sync::Arc;

use amount_units::AmountUnits;
use draft::{Draft, Lists};
use field::Field;
use percent_unit::PercentUnit;

use super::envelope::{IsItem, Key, List, Spec, WRAPPERS};
use super::field_name::same_name;
use super::identity;
use super::kind::Kind;
use super::money::{self, Currencies};
use super::names::Lookup;
use super::pair_name;
use super::read::Context;
use super::tape::{Tape, Value};
use crate::client::error::ErrorKind;
use crate::model::coin::GAP;
use crate::model::sparkline::contradicts_price;
use crate::model::{Coin, Currency, Page, Text};

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
    let is_item: IsItem<'_> = &|object, entry| list.has_item(object, entry);
    decoder.percent_unit = PercentUnit::around(root, is_item);
    decoder.amount_units = AmountUnits::around(root, is_item, &mut decoder.outer);
    let around = money::stated_around_coins(root, &[SPEC.lists, WRAPPERS], is_item);
    let around = around.or_else(|| decoder.amount_units.currency());
    // If all coins are the token SATS, `SATS` around them may be their symbol.
    let around_sats = around.clone().filter(money::may_be_sats);
    decoder.currencies.set_around(around);
    let mut items =
        list.read(context, "a coin with a name or symbol", |context, key, item| decoder.coin(context, key, item))?;
    if tickers::are_tickers(&items, &decoder.without_id) {
        return Err(ErrorKind::Unrecognised(format!("looks like {}", Kind::Ticker.name())));
    }
    if decoder.has_unknown_figures && items.len() > 1 && items.iter().all(|coin| coin.price.is_none()) {
        context.warn(|| String::from("no coin has a price"));
    }
    if let Some(sats) = around_sats
        && !items.is_empty()
        && items.iter().all(|coin| coin.convert == sats && money::is_symbol_of(&sats, &coin.symbol))
    {
        items.iter_mut().for_each(Coin::remove_money);
        context.warn(|| String::from("skipped prices in SATS: unclear if that is the currency or the token"));
    }
    substitute_id::make_ids_unique(&mut items, &decoder.without_id, context);
    decoder.currencies.finish(context);
    let total = context.u64(list.total).filter(|total| *total <= MAX_COINS);
    Ok(Page { items, total })
}

/// Maximum coins of a list; a larger number is not their count but a sum of money.
const MAX_COINS: u64 = 10_000_000;

struct Decoder<'q> {
    currencies: Currencies<'q>,
    outer: Lookup<Field>,
    quote: Lookup<Field>,
    inner: Lookup<Field>,
    sparkline: sparkline::Reader,
    tape: Tape,
    /// The unit of changes that the response states.
    percent_unit: Option<PercentUnit>,
    /// The units of amounts that the response states.
    amount_units: AmountUnits,
    lists: Lists,
    /// The distinct lists of tags so far.
    tags: HashSet<Arc<[Text]>>,
    read: usize,
    /// Indices of coins without an id.
    without_id: Vec<usize>,
    /// Whether a coin without a price has figures, one of which may be the price.
    has_unknown_figures: bool,
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
            percent_unit: None,
            amount_units: AmountUnits::default(),
            lists: Lists::default(),
            tags: HashSet::new(),
            read: 0,
            without_id: Vec::new(),
            has_unknown_figures: false,
        }
    }

    /// Reads a coin; `None` if it has no name.
    fn coin(&mut self, context: &mut Context<'_>, key: Option<Key<'_>>, item: Value<'_>) -> Option<Coin> {
        if !item.is_object() {
            return None;
        }
        let requested = self.currencies.requested();
        let (draft, is_symbol) = self.draft(context, item);
        let Draft { mut coin, item_currency, mut lists, sparkline_currency, .. } = draft;
        remove_implausible(context, item, &mut coin, item_currency.target(requested));
        let label = item_currency.label(requested);
        if let Some(other) = sparkline_currency.filter(|other| other != label) {
            coin.sparkline_7d.clear();
            self.currencies.skip(Some(&other), label);
        }
        let symbol =
            key.filter(|key| is_symbol_key(key, &coin.id.0) && !requested.as_str().eq_ignore_ascii_case(key.name));
        let is_slug = key.is_some_and(|key| key.is_id && identity::is_slug_text(key.name));
        let key = key.filter(|key| !key.is_shared).and_then(|key| context.key(key.name));
        if is_slug && coin.slug.is_none() {
            coin.slug.clone_from(&key);
        }
        let is_nameless = coin.id.0.is_empty() && coin.slug.is_none() && key.is_none();
        // A key alone may be anything, such as a pair.
        if let Some(symbol) = symbol.filter(|_| coin.symbol.is_empty() && !coin.name.is_empty()) {
            coin.symbol = context.key(symbol.name).unwrap_or_default();
        }
        // Before the symbol replaces a missing name.
        if is_symbol && writes_lower_case(item, &coin.symbol) {
            coin.symbol = Text::from(coin.symbol.to_uppercase());
        }
        identify(&mut coin, key)?;
        if is_nameless {
            self.without_id.push(self.read);
        }
        self.read += 1;
        self.has_unknown_figures |= coin.price.is_none() && units::has_figures(item);
        coin.convert = self.currencies.label_of(item_currency);
        coin.tags = self.shared(&lists.tags);
        coin.links = lists.links.drain(..).collect();
        coin.contracts = lists.contracts.drain(..).collect();
        self.lists = lists;
        Some(coin)
    }

    /// The values of a coin from all its objects, and whether its symbol comes from the symbol field.
    fn draft(&mut self, context: &mut Context<'_>, item: Value<'_>) -> (Draft, bool) {
        let requested = self.currencies.requested();
        let mut draft = Draft::new(std::mem::take(&mut self.lists), self.currencies.item());
        let found = self.outer.read(item);
        draft.fill(context, &found, requested, None);
        draft.fill_from_rate(context, &found, requested);
        named_price::read(context, item, requested, &mut draft);
        if let Some(info) = found.get(Field::Info) {
            draft.info(context, info);
        }
        draft.price_by_currency(context, &found, requested);
        draft.names(context, &found);
        draft.lists(context, &found);
        if let Some(named) = found.get(Field::Coin).filter(Value::is_object) {
            let inside = self.inner.read(named);
            draft.names(context, &inside);
            draft.lists(context, &inside);
        }
        let percent_unit = PercentUnit::of(&found).or(self.percent_unit);
        if percent_unit.is_none() {
            units::remove_fractions(context, &found, &mut draft.coin);
        }
        // Coinranking's ids are UUIDs. Its change and sparkline cover 24 hours, unless requested otherwise.
        if found.get(Field::Id).is_some() && !found.is_first_name(Field::Id) {
            let change = found.get(Field::Change).filter(|_| !units::names_percentages(item));
            draft.coin.change_24h_pct = draft.coin.change_24h_pct.or_else(|| context.percent(change));
        } else {
            draft.sparkline(context, &found, requested, (&mut self.sparkline, &mut self.tape));
        }
        if let Some(quotes) = found.get(Field::Quote) {
            draft.quote(context, quotes, requested, (&mut self.quote, &mut self.sparkline, &mut self.tape));
        }
        if let Some(metrics) = found.get(Field::Metrics).filter(Value::is_object) {
            draft.metrics(context, metrics, requested, &mut self.inner);
        }
        for field in [Field::MarketData, Field::Metadata, Field::Stats] {
            if let Some(object) = found.get(field).filter(Value::is_object) {
                let inside = self.inner.read(object);
                // A market may also be an exchange.
                let has_price = inside.get(Field::Price).is_some() || inside.get(Field::PriceUsd).is_some();
                if matches!(field, Field::Stats) && !has_price {
                    continue;
                }
                draft.fill(context, &inside, requested, None);
                draft.names(context, &inside);
                draft.lists(context, &inside);
                draft.sparkline(context, &inside, requested, (&mut self.sparkline, &mut self.tape));
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
        let Draft { coin, item_currency, units, .. } = &mut draft;
        units.apply(&self.amount_units, context, (item, coin), item_currency.label(requested));
        if let Some(decimals) = found.get(Field::Decimals) {
            units::scale_supplies(&mut draft.coin, decimals);
        }
        if let Some(unit) = percent_unit {
            unit.apply(context, item, &mut draft.coin);
        }
        let is_symbol = found.is_first_name(Field::Symbol);
        (draft, is_symbol)
    }

    /// The tags, shared with earlier coins that have the same ones.
    fn shared(&mut self, tags: &[Text]) -> Arc<[Text]> {
        if let Some(known) = self.tags.get(tags) {
            return Arc::clone(known);
        }
        let tags: Arc<[Text]> = tags.into();
        self.tags.insert(Arc::clone(&tags));
        tags
    }
}

/// Removes values that a coin can't have, with warnings. Its prices are in the currency `convert`.
fn remove_implausible(context: &mut Context<'_>, item: Value<'_>, coin: &mut Coin, convert: &Currency) {
    for (figure, what) in amounts(coin) {
        context.plausible(item, figure, convert, what);
    }
    let most = convert.max_amount();
    for supply in [&mut coin.circulating_supply, &mut coin.total_supply, &mut coin.max_supply] {
        context.not_negative(item, supply, "a supply");
        units::remove_implausible(context, item, supply, (coin.price, most));
    }
    for change in [&mut coin.change_1h_pct, &mut coin.change_24h_pct, &mut coin.change_7d_pct] {
        context.plausible_change(item, change);
    }
    if let Some(huge) = coin.sparkline_7d.iter().find(|price| **price > most && **price != GAP).copied() {
        // Without some of its prices, the others would be drawn at wrong times.
        coin.sparkline_7d.clear();
        context.warn_at(item, || format!("found a 7-day price of {huge:e}, expected at most {most:e}"));
    }
    // Some services scale their lines, such as from 0 to 1. A short one may be old.
    if coin.sparkline_7d.len() >= MIN_LINE && contradicts_price(coin) {
        let last = coin.sparkline_7d.iter().rev().copied().find(|price| *price != GAP).unwrap_or_default();
        coin.sparkline_7d.clear();
        let price = coin.price.unwrap_or_default();
        context.warn_at(item, || format!("ignored 7-day prices: the last one is {last}, the price is {price}"));
    }
}

/// Minimum prices of a sparkline to compare it with the coin's price.
const MIN_LINE: usize = 24;

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

/// Whether the key of a coin in a map is its symbol: in upper case, unlike slugs and names of fields, and not its `id`.
fn is_symbol_key(key: &Key<'_>, id: &str) -> bool {
    !key.is_id
        && key.name != id
        && key.name.len() <= MAX_SYMBOL
        && key.name.chars().any(char::is_alphabetic)
        && pair_name::split_well_known(key.name).is_none()
        && !key.name.chars().any(|c| c.is_lowercase() || c.is_whitespace())
}

/// Maximum length of a symbol in bytes. Longer keys are UUIDs or addresses.
const MAX_SYMBOL: usize = 20;

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

/// The amounts of money, each with a description.
fn amounts(coin: &mut Coin) -> impl Iterator<Item = (&mut Option<f64>, &'static str)> {
    let (amounts, _) = coin.money_fields();
    amounts.into_iter().zip(["a price", "a price", "a price", "a price", "a price", "a volume", "a market cap"])
}
