//! `/exchanges`: market pairs of a token.

mod native_prices;

use super::envelope::{Key, List, Spec, WRAPPERS, unrecognised};
use super::identity;
use super::kind::Kind;
use super::money::{self, Currencies};
use super::names::{Lookup, names};
use super::read::Context;
use super::tape::{Tape, Value};
use crate::client::error::ErrorKind;
use crate::format::words::{counted, first_names};
use crate::model::{Currency, MarketPair, Page, Text};

use native_prices::ReadPair;

names! {
    /// The fields of a market pair with their names and services: CoinMarketCap (CMC), its website (CMC web),
    /// CoinGecko, CoinPaprika, CoinCap, CoinLore, and satscope's own output and service (own).
    enum Field {
        /// CMC (an object), own; CoinGecko (an object).
        Exchange = ["exchange", "market"],
        /// CMC web, CoinPaprika; CoinLore; CoinCap.
        ExchangeName = ["exchange_name", "name", "exchange_id"],
        /// CMC, CMC web; CoinPaprika, own.
        Pair = ["market_pair", "pair"],
        /// CMC (an object); CMC web, CoinCap; CoinGecko, CoinLore, own.
        Base = ["market_pair_base", "base_symbol", "base"],
        /// The same; CoinLore and own say `quote`.
        Target = ["market_pair_quote", "quote_symbol", "target"],
        /// CMC, CMC web, CoinPaprika, own.
        Category = ["category"],
        /// CMC, CMC web, CoinPaprika, own; CoinGecko (by currency). CoinLore: in the pair's own quote currency.
        Price = ["price", "converted_last"],
        /// CoinCap, CoinLore: a price whose field name implies the currency.
        PriceUsd = ["price_usd"],
        /// CoinGecko: in the pair's own quote currency.
        Last = ["last"],
        /// CMC, CoinPaprika, own; CoinGecko (by currency).
        Volume = ["volume_24h", "converted_volume"],
        /// CMC web, CoinLore; CoinCap; CoinMarketCap's first API.
        VolumeUsd = ["volume_usd", "volume_usd_24hr", "24h_volume_usd"],
        /// CMC web, CoinCap; CMC; CoinPaprika; own. All in percent.
        Share = ["volume_percent", "volume_percentage", "adjusted_volume_24h_share", "volume_share_pct"],
        /// CMC; CMC web; CoinGecko; own.
        DepthPlus = ["depth_positive_two", "depth_usd_positive_two", "cost_to_move_up_usd", "depth_plus_2pct"],
        DepthMinus = ["depth_negative_two", "depth_usd_negative_two", "cost_to_move_down_usd", "depth_minus_2pct"],
        /// CMC, CMC web; CoinGecko; CoinPaprika, own.
        Outlier = ["outlier_detected", "is_anomaly", "outlier"],
        /// CoinGecko: the exchange no longer updates it.
        Stale = ["is_stale"],
        /// CMC, CMC web, CoinPaprika; CoinGecko; own, CoinCap; CoinLore.
        Updated = ["last_updated", "last_traded_at", "updated_at", "updated", "time"],
        /// Own; proxies. A stated currency overrides the requested one.
        Convert = ["convert", "vs_currency", "currency"],
        /// CMC's quotes: the currency. Elsewhere: the pair.
        Symbol = ["symbol"],
        /// CMC; CoinPaprika.
        Quote = ["quote", "quotes"],
        /// The coin's own pairs if the item is a coin: CMC; CoinGecko.
        Pairs = ["market_pairs", "tickers"],
    }
}

/// In the warning that a response contains several coins of a symbol, between their number and the symbol.
pub const SEVERAL_COINS: &str = "coins share the symbol";

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
    currencies.set_around(money::stated_around(root, &[SPEC.lists, WRAPPERS], &is_coin));
    let mut decoder =
        Decoder { symbol, currencies, pair: Lookup::new(), quote: Lookup::new(), reported: Lookup::new() };
    let mut coins: Vec<CoinPairs> = Vec::new();
    let mut total = context.u64(list.total);
    let mut tape = Tape::default();
    let pairs = list.read(context, "a market pair", |context, key, item| {
        let Some(nested) = decoder.pair.read(item).get(Field::Pairs).filter(Value::is_array) else {
            // Pairs may be keyed by exchange, or by the coin's symbol or id.
            let is_coin = |key: &str| key.eq_ignore_ascii_case(symbol) || identity::is_number(key);
            return decoder.pair(context, key.filter(|key| !is_coin(key.name)), item).map(Some);
        };
        let text = |context: &mut Context<'_>, name| context.text(item.get(name));
        let (name, slug) = (text(context, "name"), context.text(identity::slug(item)));
        let (mut pairs, mut unread) = (Vec::new(), None);
        let stated = money::stated_around(item, &[], &is_coin).or_else(|| decoder.currencies.around().cloned());
        let around = decoder.currencies.set_around(stated);
        for pair in nested.items() {
            let open = match tape.expand(pair) {
                Ok(open) => open,
                Err(error) => {
                    context.invalid_json(pair, error);
                    continue;
                }
            };
            match decoder.pair(context, None, open) {
                Some(pair) => pairs.push(pair),
                None => {
                    context.unreadable(pair, "a market pair");
                    unread.get_or_insert_with(|| unrecognised(open));
                }
            }
        }
        decoder.currencies.set_around(around);
        let total = context.u64(item.get("num_market_pairs"));
        coins.push(CoinPairs { name, slug, total, pairs, unread });
        Some(None)
    })?;
    let mut items: Vec<ReadPair> = pairs.into_iter().flatten().collect();
    let mut is_certain = false;
    if let Some(coin) = choose(coins, symbol, slug, context)? {
        is_certain = coin.slug.is_some() && slug.is_some() && items.is_empty();
        total = coin.total.or(total.filter(|_| items.is_empty()));
        items.extend(coin.pairs);
        // A list without readable rows is not an empty list.
        if let Some(error) = coin.unread.filter(|_| items.is_empty()) {
            return Err(error);
        }
    }
    let listed = items.len();
    if !is_certain {
        let other = items.first().map(|(pair, _)| pair.pair.clone()).unwrap_or_default();
        // If nearly all pairs contain the symbol, the others use an exchange's own symbol, such as `XDG` for DOGE. If
        // few do, the response lists a whole exchange.
        let matching = items.iter().filter(|(pair, _)| may_be_of(pair, symbol)).count();
        if matching * 3 < items.len() * 2 {
            items.retain(|(pair, _)| may_be_of(pair, symbol));
        }
        if items.is_empty() && listed > 0 {
            return Err(identity::another(&[&other], symbol));
        }
    }
    let others = listed - items.len();
    if others > 0 {
        context.warn(|| format!("skipped {} without {symbol}", counted(others, "pair")));
        total = None;
    }
    native_prices::remove(&mut items, symbol, convert, context);
    let mut items: Vec<MarketPair> = items.into_iter().map(|(pair, _)| pair).collect();
    compute_shares(&mut items, total);
    decoder.currencies.finish(context);
    Ok(Page { items, total })
}

/// Whether a pair may belong to this coin: it contains its symbol, or no symbols at all. Exchanges use variants, such
/// as `1000SATS`, and decentralised ones use contract addresses.
fn may_be_of(pair: &MarketPair, symbol: &str) -> bool {
    let names = [Some(&pair.pair), pair.base.as_ref(), pair.quote.as_ref()];
    let mut names = names.into_iter().flatten().filter(|name| !name.is_empty()).peekable();
    let is_it = |name: &Text| identity::names_symbol(name, symbol) || is_contract(name);
    names.peek().is_none() || names.any(is_it)
}

/// Whether a name is a contract address, which is longer than any symbol.
fn is_contract(name: &str) -> bool {
    name.split('/').any(|side| side.len() > 24)
}

/// Pairs of one coin in the response.
struct CoinPairs {
    name: Option<Text>,
    slug: Option<Text>,
    total: Option<u64>,
    pairs: Vec<ReadPair>,
    /// Error of the first unreadable pair.
    unread: Option<ErrorKind>,
}

/// Maximum coins that a warning names.
const MAX_NAMED: usize = 5;

fn choose(
    mut coins: Vec<CoinPairs>,
    symbol: &str,
    requested: Option<&Text>,
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
    if coins.len() > 1 {
        context.warn(|| {
            let slugs: Vec<Text> = coins.iter().filter_map(|coin| coin.slug.clone()).collect();
            // Only a slug can be requested instead.
            let (names, advice) = match slugs.len() == coins.len() {
                true => (slugs, " (to select one, use its slug)"),
                false => {
                    (coins.iter().filter_map(|coin| coin.name.as_ref().or(coin.slug.as_ref()).cloned()).collect(), "")
                }
            };
            let names = first_names(&names, MAX_NAMED);
            format!("{} {SEVERAL_COINS} {symbol} ({names}); using the first{advice}", coins.len())
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

struct Decoder<'q> {
    symbol: &'q str,
    currencies: Currencies<'q>,
    pair: Lookup<Field>,
    quote: Lookup<Field>,
    reported: Lookup<Field>,
}

impl Decoder<'_> {
    /// Reads a pair; `None` if it has neither an exchange nor a pair, or nothing else.
    fn pair(&mut self, context: &mut Context<'_>, key: Option<Key<'_>>, item: Value<'_>) -> Option<ReadPair> {
        let requested = self.currencies.requested();
        let found = self.pair.read(item);
        let exchange = found.get(Field::Exchange);
        let exchange = exchange.and_then(|exchange| {
            if exchange.is_object() { exchange.any(&["name", "slug", "identifier"]) } else { Some(exchange) }
        });
        let exchange = context.text(exchange).or_else(|| context.text(found.get(Field::ExchangeName)));
        // A string or a coin in `quote` is the quote asset.
        let (symbol, quotes) = match found.get(Field::Quote) {
            Some(quote) if !quote.is_object() && !quote.is_array() || is_side(quote) => (Some(quote), None),
            quotes => (None, quotes),
        };
        let mut base = side(context, found.get(Field::Base));
        let mut target = side(context, found.get(Field::Target).or(symbol));
        let pair = context
            .text(found.get(Field::Pair).or_else(|| found.get(Field::Symbol).filter(is_pair)))
            .or_else(|| Some(Text::from(format!("{}/{}", base.as_ref()?, target.as_ref()?))));
        if let Some((first, second)) = pair.as_deref().and_then(sides) {
            base.get_or_insert_with(|| Text::from(first));
            target.get_or_insert_with(|| Text::from(second));
        }
        // The key of a list may be anything.
        let key = key.filter(|key| !key.is_shared || pair.is_some()).and_then(|key| context.key(key.name));
        let exchange = exchange.or(key);
        if exchange.is_none() && pair.is_none() {
            return None;
        }

        let chosen = quotes.and_then(|quotes| money::choose(quotes, requested));
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

        let (mut price, mut volume) = (None, None);
        // If the only price is named after dollars, the other values are in dollars, too.
        let has_other_price = quotes.is_some() || found.get(Field::Price).is_some() || outer.is_some();
        let outer = outer.or_else(|| (found.get(Field::PriceUsd).is_some() && !has_other_price).then(Currency::usd));
        let mut item_currency = self.currencies.item();
        item_currency.set_stated(currency.as_ref().or(outer.as_ref()));
        // Next to its price in dollars, CoinLore has one in the pair's quote currency.
        let last = found.get(Field::Price).filter(|_| found.get(Field::PriceUsd).is_some());
        let own = |field: Field| found.get(field).filter(|_| last.is_none() || !matches!(field, Field::Price));
        for is_inside in [true, false] {
            let stated = if is_inside { currency.as_ref() } else { outer.as_ref() };
            for (figure, field) in [(&mut price, Field::Price), (&mut volume, Field::Volume)] {
                let value = if is_inside { inside(field) } else { own(field) };
                let Some(value) = value.filter(|_| figure.is_none()) else { continue };
                *figure = item_currency.amount(context, value, stated, requested);
            }
        }
        // The last trade is in the pair's quote currency, so it is used only if that is the requested one.
        let wanted = item_currency.target(requested).clone();
        if let Some(last) =
            found.get(Field::Last).or(last).filter(|_| price.is_none() && target.as_deref() == Some(wanted.as_str()))
            && item_currency.accept(Some(&wanted))
        {
            price = money::in_currency(context, last, &wanted);
        }
        let usd = Currency::usd();
        for (figure, field) in [(&mut price, Field::PriceUsd), (&mut volume, Field::VolumeUsd)] {
            if let Some(value) = found.get(field).filter(|_| figure.is_none())
                && item_currency.accept_unrelated(Some(&usd), requested)
            {
                *figure = money::in_currency(context, value, &usd);
            }
        }
        let places = [(Some(&found), outer.as_ref()), (quote.as_ref(), currency.as_ref()), (reported.as_ref(), None)];
        let mut depth = |context: &mut Context<'_>, field| {
            let (value, in_dollars, stated) = places.into_iter().find_map(|(place, stated)| {
                let place = place?;
                Some((place.get(field)?, place.is_in_dollars(field), stated))
            })?;
            if !in_dollars {
                return item_currency.amount(context, value, stated, requested);
            }
            let admitted = item_currency.accept_unrelated(Some(&usd), requested);
            money::in_currency(context, Some(value).filter(|_| admitted)?, &usd)
        };
        let (above, below) = (depth(context, Field::DepthPlus), depth(context, Field::DepthMinus));
        let [mut price, mut volume, mut above, mut below] = [price, volume, above, below];
        for (figure, what) in
            [(&mut price, "a price"), (&mut volume, "a volume"), (&mut above, "a depth"), (&mut below, "a depth")]
        {
            context.plausible(item, figure, item_currency.target(requested), what);
        }

        // A name alone doesn't make a market pair.
        if pair.is_none() && base.is_none() && target.is_none() && price.is_none() && volume.is_none() {
            return None;
        }
        let either =
            |field| found.get(field).or(inside(field)).or(reported.as_ref().and_then(|reported| reported.get(field)));
        let mut share = context.percent(either(Field::Share));
        context.not_negative(item, &mut share, "a share");
        let is_stated = item_currency.is_stated();
        let pair = MarketPair {
            exchange,
            pair: pair.unwrap_or_default(),
            base,
            quote: target,
            category: context.text(either(Field::Category)),
            price,
            volume_24h: volume,
            volume_share_pct: share,
            depth_plus_2pct: above,
            depth_minus_2pct: below,
            outlier: match context.bool(found.get(Field::Stale)) {
                Some(true) => Some(true),
                _ => context.bool(either(Field::Outlier)),
            },
            updated_at: context.time(found.get(Field::Updated).or(inside(Field::Updated))),
            convert: self.currencies.label_of(item_currency),
        };
        Some((pair, is_stated))
    }
}

/// Whether a string contains two symbols, such as `ORDI/USDT`.
fn is_pair(value: &Value<'_>) -> bool {
    value.str().is_some_and(|words| words.contains('/'))
}

/// The two symbols of a pair's name, such as `XAU/USDT`.
fn sides(pair: &str) -> Option<(&str, &str)> {
    let (base, quote) = pair.split_once('/')?;
    let (base, quote) = (base.trim(), quote.trim());
    let is_symbol = |side: &str| side.chars().any(char::is_alphanumeric) && !side.contains('/');
    (is_symbol(base) && is_symbol(quote)).then_some((base, quote))
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
