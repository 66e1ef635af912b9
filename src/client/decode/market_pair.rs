//! `/exchanges`: market pairs of a token.

mod field;
mod named_coin;
mod native_prices;
mod nested;
mod pair;
mod title;

use std::collections::HashMap;

use super::envelope::{IsItem, Key, List, ReadItem, Spec, WRAPPERS, unrecognised};
use super::identity;
use super::kind::Kind;
use super::money::{self, Currencies};
use super::read::Context;
use super::requested_coin::RequestedCoin;
use super::tape::{Tape, Value};
use crate::client::error::ErrorKind;
use crate::format::words::{counted, first_names};
use crate::model::live_price::is_far;
use crate::model::{Currency, MarketPair, Page, Text};

use named_coin::{NamedCoin, Wanted};
use native_prices::ReadPair;
use pair::Decoder;

pub(super) const SPEC: Spec = Spec {
    // CoinMarketCap; CoinGecko; proxies that follow the interface.
    lists: &["market_pairs", "tickers", "pairs", "exchanges"],
    marks: &["market_pair", "exchange", "exchange_name", "market", "pair"],
    kind: Kind::Pair,
};

/// Decodes market pairs. If the response contains several coins of one symbol, the one with the requested slug is used,
/// or else the first one, with a warning. If it contains all pairs of an exchange, those with the symbol are used.
///
/// # Errors
/// [`ErrorKind::Unrecognised`]; [`ErrorKind::Mismatch`] if all pairs are of other coins.
pub(super) fn decode(
    root: Value<'_>,
    (symbol, slug, convert): (&Text, Option<&Text>, &Currency),
    context: &mut Context<'_>,
) -> Result<Page<MarketPair>, ErrorKind> {
    if let Some(slug) = slug {
        identity::check(root, slug)?;
    }
    let list = List::find_of(root, &SPEC, Some(symbol.as_str()))?;
    let is_coin = |currency: &Currency| currency != convert && money::is_symbol_of(currency, symbol);
    let mut currencies = Currencies::new(convert);
    let is_item: IsItem<'_> = &|object, entry| list.has_item(object, entry);
    currencies.set_around(money::stated_around_items(root, &[SPEC.lists, WRAPPERS], &is_coin, is_item));
    let mut decoder = Decoder::new((root, is_item), symbol, currencies);
    let (mut coins, mut on_exchanges): (Vec<CoinPairs>, Vec<ReadPair>) = (Vec::new(), Vec::new());
    let mut unread_on_exchanges = None;
    let mut total = context.u64(list.total);
    let mut tape = Tape::default();
    let pairs = list.read(context, "a market pair", |context, key, item| {
        // Pairs may be keyed by exchange, or by the coin's symbol or id.
        let is_symbol = key.is_some_and(|key| key.name.eq_ignore_ascii_case(symbol));
        let key = key.filter(|key| !is_symbol && !identity::is_number(key.name));
        let Some(nested) = decoder.pairs_in(item) else {
            return decoder.read(context, key, item).map(ReadItem::Item);
        };
        let (name, own_slug) = (context.text(item.get("name")), context.text(identity::slug(item)));
        let exchange = exchange_of(context, item, (nested, key), (symbol.as_str(), slug));
        let exchange = exchange.as_deref().map(|name| Key { name, is_shared: false, is_id: false });
        let (mut pairs, mut unread) = (Vec::new(), None);
        let stated = money::stated_around(item, &[], &is_coin).or_else(|| decoder.currencies.around().cloned());
        let around = decoder.currencies.set_around(stated);
        let wanted = Wanted { symbol, slug, convert, stated: decoder.currencies.around() };
        let named = if is_symbol { NamedCoin::Requested } else { wanted.named(item) };
        for pair in nested.items() {
            let open = match tape.expand(pair) {
                Ok(open) => open,
                Err(error) => {
                    context.invalid_json(pair, error);
                    continue;
                }
            };
            match decoder.read(context, exchange, open) {
                Some(pair) => pairs.push(pair),
                None => {
                    context.unreadable(pair, "a market pair");
                    unread.get_or_insert_with(|| unrecognised(open));
                }
            }
        }
        decoder.currencies.set_around(around);
        if exchange.is_some() {
            on_exchanges.append(&mut pairs);
            unread_on_exchanges = unread_on_exchanges.take().or(unread);
            return Some(ReadItem::Skip);
        }
        let total = context.u64(item.get("num_market_pairs"));
        let named = named.unless(|other| pairs.iter().any(|read| named_coin::is_pair_of(&read.pair, symbol, other)));
        coins.push(CoinPairs { name, slug: own_slug, named, total, pairs, unread });
        Some(ReadItem::Skip)
    })?;
    let mut items: Vec<ReadPair> = pairs.into_iter().filter_map(ReadItem::item).collect();
    if !on_exchanges.is_empty() {
        // The total counts the exchanges, not the pairs.
        total = None;
        items.append(&mut on_exchanges);
    }
    // A list without readable rows is not an empty list.
    if let Some(error) = unread_on_exchanges.filter(|_| items.is_empty() && coins.is_empty()) {
        return Err(error);
    }
    let (mut is_certain, mut is_named) = (false, false);
    let chosen = choose(coins, (symbol, slug), context);
    // Pairs without a coin belong to the requested one.
    if let Some(coin) = if items.is_empty() { chosen? } else { chosen.unwrap_or_default() } {
        is_certain = coin.slug.is_some() && slug.is_some() && items.is_empty();
        is_named = coin.named == NamedCoin::Requested;
        total = coin.total.or(total.filter(|_| items.is_empty()));
        items.extend(coin.pairs);
        if let Some(error) = coin.unread.filter(|_| items.is_empty()) {
            return Err(error);
        }
    }
    let listed = items.len();
    let mut are_native = None;
    if !is_certain {
        let other = items.first().map(|first| first.pair.pair.clone()).unwrap_or_default();
        // If nearly all pairs contain the symbol, others use an exchange's own symbol, such as `XDG` for DOGE, unless
        // their price is far from its price. If few do, the response lists a whole exchange.
        let is_own = |item: &&ReadPair| item.is_pool || may_be_of(&item.pair, symbol);
        let matching = items.iter().filter(is_own);
        let are_few = matching.clone().count() * 3 < items.len() * 2;
        let prices = ListedPrices::of(matching, symbol, convert);
        are_native = Some(prices.are_native);
        items.retain(|item| is_own(&item) || !are_few && !prices.are_far_from(item));
        if items.is_empty() && listed > 0 {
            return Err(identity::another(&[&other], symbol));
        }
        if !is_named {
            let wanted = Wanted { symbol, slug, convert, stated: decoder.currencies.around() };
            named_coin::check(root, &list, &items, wanted)?;
        }
    }
    let others = listed - items.len();
    if others > 0 {
        context.warn(|| format!("skipped {} without {symbol}", counted(others, "pair")));
        total = None;
    }
    let are_native = are_native.unwrap_or_else(|| native_prices::are_native(items.iter(), symbol, convert));
    native_prices::remove(&mut items, are_native, (symbol.as_str(), convert), context);
    let mut items: Vec<MarketPair> = items.into_iter().map(|item| item.pair).collect();
    compute_shares(&mut items, total);
    decoder.finish(context);
    Ok(Page { items, total })
}

/// The name of an exchange with these pairs, or under this key; `None` if the item is a coin: the requested one, or one
/// whose pairs name their exchanges.
fn exchange_of(
    context: &mut Context<'_>,
    item: Value<'_>,
    (pairs, key): (Value<'_>, Option<Key<'_>>),
    (symbol, slug): (&str, Option<&Text>),
) -> Option<Text> {
    let names = &["exchange", "exchange_name", "market", "exchange_id"];
    if let Some(exchange) = item.any(names) {
        return context.text(if exchange.is_object() { exchange.any(&["name", "slug"]) } else { Some(exchange) });
    }
    let mut tape = Tape::default();
    // Some services call a pair a market.
    let is_pair = |name: Value<'_>| name.str().is_some_and(|name| title::is_pair(&name, symbol));
    let is_named = |pair: Value<'_>| {
        let names_exchange = |pair: Value<'_>| pair.any(names).is_some_and(|name| !is_pair(name));
        tape.expand(pair).is_ok_and(names_exchange)
    };
    let is_requested =
        |name: &str| identity::is_same_symbol(name, symbol) || slug.is_some_and(|slug| identity::is_same(name, slug));
    let mut own = ["name", "slug"].iter().filter_map(|name| item.get(name)?.str());
    let is_coin = item.any(&["symbol", "num_market_pairs"]).is_some() || own.any(|name| is_requested(&name));
    if is_coin || pairs.items().next().is_none_or(is_named) {
        return None;
    }
    context.text(item.any(&["name", "slug"])).or_else(|| context.key(key?.name))
}

/// Whether a pair may belong to this coin: it contains its symbol, or no symbols at all. Exchanges use variants, such
/// as `1000SATS`, and decentralised ones use contract addresses.
fn may_be_of(pair: &MarketPair, symbol: &str) -> bool {
    let names = [Some(&pair.pair), pair.base.as_ref(), pair.quote.as_ref()];
    let mut names = names.into_iter().flatten().filter(|name| !name.is_empty()).peekable();
    let coin = RequestedCoin::Symbol(symbol);
    let is_it = |name: &Text| identity::names_symbol(name, symbol) || coin.is_named(name) || is_contract(name);
    names.peek().is_none() || names.any(is_it)
}

/// Prices of a coin on two exchanges differ by less than this factor.
const MAX_RATIO_BETWEEN_EXCHANGES: f64 = 3.0;

/// The median prices of the pairs that contain a coin's symbol, by their currency.
struct ListedPrices<'q> {
    medians: HashMap<Currency, f64>,
    /// Whether prices are in the quote currency of their pair, unless they state another one.
    are_native: bool,
    requested: &'q Currency,
}

impl<'q> ListedPrices<'q> {
    fn of<'p>(
        pairs: impl Iterator<Item = &'p ReadPair> + Clone,
        symbol: &str,
        requested: &'q Currency,
    ) -> ListedPrices<'q> {
        let are_native = native_prices::are_native(pairs.clone(), symbol, requested);
        let mut listed = ListedPrices { medians: HashMap::new(), are_native, requested };
        let mut prices: HashMap<Currency, Vec<f64>> = HashMap::new();
        for item in pairs {
            if let Some(price) = item.pair.price {
                prices.entry(listed.currency_of(item)).or_default().push(price);
            }
        }
        let median = |(currency, mut prices): (Currency, Vec<f64>)| {
            prices.sort_by(f64::total_cmp);
            Some((currency, prices.get(prices.len() / 2).copied()?))
        };
        listed.medians = prices.into_iter().filter_map(median).collect();
        listed
    }

    /// Whether they are far from the price of a pair. Prices in different currencies can't be compared.
    fn are_far_from(&self, item: &ReadPair) -> bool {
        let median = self.medians.get(&self.currency_of(item));
        median.zip(item.pair.price).is_some_and(|(median, price)| is_far(*median, price, MAX_RATIO_BETWEEN_EXCHANGES))
    }

    fn currency_of(&self, ReadPair { pair, is_stated, .. }: &ReadPair) -> Currency {
        let quote = if self.are_native && !is_stated { native_prices::quote_of(pair) } else { None };
        quote.unwrap_or_else(|| self.requested.clone())
    }
}

/// Whether a name is a contract address, which is longer than any symbol.
fn is_contract(name: &str) -> bool {
    name.split('/').any(|side| side.len() > 24)
}

/// Pairs of one coin in the response.
struct CoinPairs {
    name: Option<Text>,
    slug: Option<Text>,
    named: NamedCoin,
    total: Option<u64>,
    pairs: Vec<ReadPair>,
    /// Error of the first unreadable pair.
    unread: Option<ErrorKind>,
}

/// Maximum coins that a warning names.
const MAX_NAMED: usize = 5;

fn choose(
    mut coins: Vec<CoinPairs>,
    (symbol, requested): (&str, Option<&Text>),
    context: &mut Context<'_>,
) -> Result<Option<CoinPairs>, ErrorKind> {
    if let Some(requested) = requested {
        let is_requested = |coin: &CoinPairs| coin.slug.as_ref().is_some_and(|slug| identity::is_same(slug, requested));
        if let Some(at) = coins.iter().position(is_requested) {
            return Ok(Some(coins.swap_remove(at)));
        }
        let others: Vec<&str> = coins.iter().filter_map(|coin| coin.slug.as_deref()).collect();
        if !coins.is_empty() && others.len() == coins.len() {
            return Err(identity::another(&others, requested));
        }
        coins.retain(|coin| coin.slug.is_none());
    }
    let others: Vec<&str> = coins.iter().filter_map(|coin| coin.named.other()).collect();
    if !coins.is_empty() && others.len() == coins.len() {
        return Err(identity::another(&others, symbol));
    }
    coins.retain(|coin| coin.named.other().is_none());
    if coins.len() > 1 {
        context.has_several_coins = true;
        context.warn(|| {
            let slugs: Vec<Text> = coins.iter().filter_map(|coin| coin.slug.clone()).collect();
            // Only a slug can be requested instead.
            let (names, advice) = if slugs.len() == coins.len() {
                (slugs, " (to select one, use its slug)")
            } else {
                (coins.iter().filter_map(|coin| coin.name.as_ref().or(coin.slug.as_ref()).cloned()).collect(), "")
            };
            let names = first_names(&names, MAX_NAMED);
            format!("{} coins share the symbol {symbol} ({names}); using the first{advice}", coins.len())
        });
    }
    Ok(coins.into_iter().next())
}

/// Computes missing volume shares, but only if every pair has a volume and the list is complete. Otherwise the shares
/// would be too large.
fn compute_shares(pairs: &mut [MarketPair], total: Option<u64>) {
    let whole = total.is_some_and(|total| total <= pairs.len() as u64);
    let sum: Option<f64> = pairs.iter().map(|pair| pair.volume_24h).sum();
    let given = pairs.iter().any(|pair| pair.volume_share_pct.is_some());
    if let Some(sum) = sum.filter(|sum| whole && !given && *sum > 0.0 && sum.is_finite()) {
        for pair in pairs {
            pair.volume_share_pct = pair.volume_24h.map(|volume| volume / sum * 100.0);
        }
    }
}
