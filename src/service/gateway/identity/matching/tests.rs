use std::collections::BTreeMap;

use super::*;
use crate::model::Coin;
use crate::model::ProviderName::{Binance, CoinGecko, CoinMarketCap, Okx};
use crate::service::gateway::{CoinCorrection, ListingCorrection};
use crate::service::providers::source::UsdtPair;

const NOW: UtcTime = UtcTime::from_secs(1_795_248_000);
const HOUR: Duration = Duration::from_hours(1);

/// A registry with these coins: id, symbol, price.
fn known(coins: &[(&str, &str, f64)]) -> Identity {
    let mut identity = Identity::new(&BTreeMap::new());
    see(&mut identity, coins, NOW);
    identity
}

fn see(identity: &mut Identity, coins: &[(&str, &str, f64)], now: UtcTime) {
    for (id, symbol, price) in coins {
        let coin = Coin::new(CoinId(Text::from(*id)), Text::from(*id), Text::from(*symbol));
        let mut coins = [Coin { price: Some(*price), ..coin }];
        identity.assign_ids(CoinMarketCap, &mut coins, now);
        identity.note_values(CoinMarketCap, &coins, now);
    }
}

/// An exchange with these pairs: base and price.
fn exchange(pairs: &[(&str, f64)]) -> (Pairs, HashMap<Text, f64>) {
    let symbol = |base: &str| Text::from(format!("{base}USDT"));
    let list = pairs.iter().map(|(base, _)| UsdtPair { base: Text::from(*base), symbol: symbol(base) });
    (Pairs::new(list.collect()), pairs.iter().map(|(base, price)| (symbol(base), *price)).collect())
}

/// Looks a coin up like the gateway, and returns its pair and factor.
fn look_up(identity: &mut Identity, id: &str, pairs: &[(&str, f64)], now: UtcTime) -> Option<(String, f64)> {
    let id = CoinId(Text::from(id));
    let (list, prices) = exchange(pairs);
    let coin = identity.by_id(&id).unwrap();
    let missing = identity.without_listing(Binance, &[coin], now);
    let rest = identity.mark_unlisted(Binance, missing, &list, now);
    identity.match_by_price(Binance, &rest, &list, &prices, now);
    identity.by_id(&id)?.listing(Binance).map(|listing| (listing.symbol.to_string(), listing.factor))
}

/// Whether the next lookup of a coin would query the exchange.
fn is_open(identity: &Identity, id: &str, now: UtcTime) -> bool {
    let coin = identity.by_id(&CoinId(Text::from(id))).unwrap();
    !identity.without_listing(Binance, &[coin], now).is_empty()
}

#[test]
fn pair_is_a_coins_only_if_its_price_agrees() {
    for (pairs, found) in [
        (&[("PEPE", 0.000_018)][..], Some(("PEPEUSDT", 1.0))),
        (&[("PEPE", 0.000_018_8)], Some(("PEPEUSDT", 1.0))),
        // Another coin of the symbol.
        (&[("PEPE", 0.000_019_5)], None),
        (&[("PEPE", 4.2)], None),
        (&[("PEPE", 0.0)], None),
        // Bundles of coins.
        (&[("1000PEPE", 0.018)], Some(("1000PEPEUSDT", 1e3))),
        (&[("1MPEPE", 18.0)], Some(("1MPEPEUSDT", 1e6))),
        (&[("1000000PEPE", 18.1)], Some(("1000000PEPEUSDT", 1e6))),
        (&[("1000PEPE", 0.000_018)], None),
        // Another coin of the symbol, and a bundle of this one.
        (&[("PEPE", 4.2), ("1000PEPE", 0.018)], Some(("1000PEPEUSDT", 1e3))),
        (&[("PEPE", 0.000_018), ("1000PEPE", 0.018)], None),
        (&[("PEPE2", 0.000_018), ("APEPE", 0.000_018)], None),
    ] {
        let mut identity = known(&[("pepe", "PEPE", 0.000_018)]);
        let expected = found.map(|(symbol, factor)| (symbol.to_owned(), factor));
        assert_eq!(look_up(&mut identity, "pepe", pairs, NOW), expected, "{pairs:?}");
    }
}

#[test]
fn coins_of_one_symbol_are_distinguished_by_price() {
    let pairs = [("CAT", 2.0)];
    let mut identity = known(&[("cat", "CAT", 2.01), ("cat-in-a-hat", "CAT", 0.4)]);
    assert_eq!(look_up(&mut identity, "cat", &pairs, NOW), Some((String::from("CATUSDT"), 1.0)));
    assert_eq!(look_up(&mut identity, "cat-in-a-hat", &pairs, NOW), None);

    // Both could be it.
    let mut identity = known(&[("cat", "CAT", 2.01), ("bridged-cat", "cat", 1.99)]);
    assert_eq!(look_up(&mut identity, "cat", &pairs, NOW), None);
    assert_eq!(look_up(&mut identity, "bridged-cat", &pairs, NOW), None);

    // A bundle that is a separate coin.
    let pairs = [("1000CAT", 20.0)];
    let mut identity = known(&[("cat", "CAT", 0.02), ("1000cat", "1000CAT", 20.0)]);
    assert_eq!(look_up(&mut identity, "cat", &pairs, NOW), Some((String::from("1000CATUSDT"), 1e3)));
    assert_eq!(look_up(&mut identity, "1000cat", &pairs, NOW), Some((String::from("1000CATUSDT"), 1.0)));
}

#[test]
fn lookups_are_valid_for_a_day_and_mismatches_for_an_hour() {
    let mut identity = known(&[("cat", "CAT", 2.0), ("dog", "DOG", 3.0), ("fox", "FOX", 4.0)]);
    let pairs = [("CAT", 2.0), ("DOG", 9.0)];
    for id in ["cat", "dog", "fox"] {
        look_up(&mut identity, id, &pairs, NOW);
    }
    let open =
        |identity: &Identity, after: Duration| ["cat", "dog", "fox"].map(|id| is_open(identity, id, NOW.plus(after)));
    assert_eq!(open(&identity, Duration::ZERO), [false, false, false]);
    assert_eq!(open(&identity, HOUR), [false, true, false]);
    assert_eq!(open(&identity, HOUR * 24), [true, true, true]);

    // Without a recent price nothing is decided: not even by an old listing.
    let later = NOW.plus(HOUR * 25);
    assert_eq!(look_up(&mut identity, "cat", &[("CAT", 7.0)], later), Some((String::from("CATUSDT"), 1.0)));
    assert!(is_open(&identity, "cat", later));
    see(&mut identity, &[("cat", "CAT", 2.0)], later);
    assert_eq!(look_up(&mut identity, "cat", &[("CAT", 7.0)], later), None);
}

#[test]
fn pair_without_a_price_is_ignored() {
    let mut identity = known(&[("cat", "CAT", 2.0)]);
    let (list, _) = exchange(&[("CAT", 2.0), ("1000CAT", 2000.0)]);
    let (_, prices) = exchange(&[("CAT", 2.0)]);
    let id = CoinId(Text::from("cat"));
    identity.match_by_price(Binance, std::slice::from_ref(&id), &list, &prices, NOW);
    assert!(is_open(&identity, "cat", NOW));
    assert_eq!(identity.by_id(&id).unwrap().listing(Binance), None);
}

#[test]
fn delisted_pair_is_not_used() {
    let mut identity = known(&[("cat", "CAT", 2.0)]);
    assert!(!is_open(&identity, "25028", NOW), "built-in listings need no lookup");
    look_up(&mut identity, "cat", &[("CAT", 2.0), ("BTC", 60_000.0)], NOW);
    assert_eq!(identity.by_slug("ordi").unwrap().listing(Binance), None);
    assert!(identity.by_slug("bitcoin").unwrap().listing(Binance).is_some());
    assert!(identity.by_slug("ordi").unwrap().listing(Okx).is_some(), "the other exchange still has it");
    assert!(is_open(&identity, "25028", NOW.plus(HOUR)), "the exchange may have paused it for a moment");

    let later = NOW.plus(HOUR * 24);
    see(&mut identity, &[("cat", "CAT", 2.0), ("25028", "ORDI", 8.0)], later);
    assert_eq!(look_up(&mut identity, "cat", &[("BTC", 60_000.0)], later), None, "delisted");
    let again = look_up(&mut identity, "25028", &[("ORDI", 8.0)], later.plus(HOUR * 24));
    assert_eq!(again, None, "its price is a day old");
    see(&mut identity, &[("25028", "ORDI", 8.0)], later.plus(HOUR * 24));
    let again = look_up(&mut identity, "25028", &[("ORDI", 8.0)], later.plus(HOUR * 24));
    assert_eq!(again, Some((String::from("ORDIUSDT"), 1.0)), "listed again");
}

#[test]
fn configured_listing_is_not_looked_up() {
    let correction = |symbol: &str, factor| CoinCorrection {
        listings: [(Binance, ListingCorrection { symbol: Some(Text::from(symbol)), factor })].into_iter().collect(),
        ..CoinCorrection::default()
    };
    let cat = [(CoinMarketCap, Text::from("cat"))].into_iter().collect();
    let corrections = BTreeMap::from([
        (Text::from("cat"), CoinCorrection { ids: cat, ..correction("MEOWUSDT", Some(10.0)) }),
        (Text::from("ordi"), correction("", None)),
    ]);
    let mut identity = Identity::new(&corrections);
    see(&mut identity, &[("cat", "CAT", 2.0), ("25028", "ORDI", 8.0)], NOW);
    let pairs = [("CAT", 2.0), ("ORDI", 8.0)];
    assert_eq!(look_up(&mut identity, "cat", &pairs, NOW), Some((String::from("MEOWUSDT"), 10.0)));
    assert_eq!(look_up(&mut identity, "25028", &pairs, NOW), None);
    assert!(!is_open(&identity, "cat", NOW) && !is_open(&identity, "25028", NOW));
}

#[test]
fn listings_survive_a_restart_for_a_day() {
    let coins = [("cat", "CAT", 2.0), ("dog", "DOG", 3.0)];
    let mut first = known(&coins);
    look_up(&mut first, "cat", &[("1000CAT", 2000.0)], NOW);
    look_up(&mut first, "dog", &[("1000CAT", 2000.0)], NOW);
    assert!(first.has_unsaved());
    let saved = first.take_listings();

    let mut next = Identity::new(&BTreeMap::new());
    next.restore_listings(saved.clone(), NOW.plus(HOUR));
    see(&mut next, &coins, NOW.plus(HOUR));
    let cat = next.by_slug("cat").unwrap();
    assert_eq!(cat.listing(Binance), Some(&Listing { symbol: Text::from("1000CATUSDT"), factor: 1000.0 }));
    assert!(!is_open(&next, "cat", NOW.plus(HOUR)) && !is_open(&next, "dog", NOW.plus(HOUR)));

    let mut late = Identity::new(&BTreeMap::new());
    late.restore_listings(saved, NOW.plus(HOUR * 24));
    see(&mut late, &coins, NOW.plus(HOUR * 24));
    assert!(is_open(&late, "cat", NOW.plus(HOUR * 24)));
}

#[test]
fn each_exchange_is_looked_up_separately() {
    let mut identity = known(&[("cat", "CAT", 2.0)]);
    look_up(&mut identity, "cat", &[("CAT", 2.0)], NOW);
    let coin = identity.by_slug("cat").unwrap();
    assert_eq!((coin.listing(Binance).is_some(), coin.listing(Okx).is_some()), (true, false));
    assert_eq!(identity.without_listing(Okx, std::slice::from_ref(&coin), NOW), [coin.id]);
    // A provider's other id for the coin changes nothing.
    assert_eq!(identity.native_id(CoinGecko, &CoinId(Text::from("cat"))), None);
}
