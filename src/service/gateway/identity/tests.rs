use super::*;
use crate::model::CoinName;
use crate::model::ProviderName::{Binance, CoinGecko, CoinMarketCap, CoinPaprika, Okx, Service};
use crate::service::gateway::settings::ListingCorrection;
use crate::service::providers::by_provider::ByProvider;
use crate::service::providers::coin_ref::Listing;

const NOW: UtcTime = UtcTime::from_secs(1_795_248_000);

fn coin(id: &str, name: &str, symbol: &str, cap: f64) -> Coin {
    Coin { market_cap: Some(cap), slug: Some(id.into()), ..Coin::new(CoinId(id.into()), name.into(), symbol.into()) }
}

fn plain() -> Identity {
    Identity::new(&BTreeMap::new())
}

fn ids_at(ids: &[(ProviderName, &str)]) -> ByProvider<Text> {
    ids.iter().map(|(provider, id)| (*provider, Text::from(*id))).collect()
}

fn listing(symbol: Option<&str>, factor: Option<f64>) -> ListingCorrection {
    ListingCorrection { symbol: symbol.map(Text::from), factor }
}

/// The id that a provider's coin gets.
fn id_of(identity: &mut Identity, provider: ProviderName, coin: Coin) -> String {
    let mut coins = [coin];
    identity.assign_ids(provider, &mut coins, NOW);
    identity.note_values(provider, &coins, NOW);
    coins[0].id.0.to_string()
}

#[test]
fn coins_match_by_name_symbol_and_market_cap_together() {
    for (other, is_same) in [
        (coin("cat", "Simon's Cat", "CAT", 105.0), true),
        (coin("cat", "simon's cat", "cat", 81.0), true),
        // Never by symbol alone.
        (coin("cat", "Cat in a dog's world", "CAT", 100.0), false),
        (coin("cat", "Simon's Cat", "SCAT", 100.0), false),
        (coin("cat", "Simon's Cat", "CAT", 130.0), false),
        (Coin { market_cap: None, ..coin("cat", "Simon's Cat", "CAT", 0.0) }, false),
        (coin("cat", "Simon's Cat", "CAT", 0.0), false),
    ] {
        let mut identity = plain();
        assert_eq!(id_of(&mut identity, CoinMarketCap, coin("100", "Simon's Cat", "CAT", 100.0)), "100");
        let id = id_of(&mut identity, CoinGecko, other.clone());
        assert_eq!(id == "100", is_same, "{id} {other:?}");
        assert_eq!(identity.take_coins().iter().any(|coin| coin.matched.is_some()), is_same);
    }
}

#[test]
fn coin_corrected_by_slug_alone_is_the_one_with_that_slug() {
    let correction = |coinmarketcap: Option<&str>| CoinCorrection {
        ids: coinmarketcap.map(|id| (CoinMarketCap, Text::from(id))).into_iter().collect(),
        listings: [(Binance, listing(Some("MEOWUSDT"), None))].into_iter().collect(),
        ..CoinCorrection::default()
    };
    let mut identity = Identity::new(&BTreeMap::from([("cat".into(), correction(None))]));
    let listed = Coin { slug: Some("cat".into()), ..coin("100", "Simon's Cat", "CAT", 100.0) };
    assert_eq!(id_of(&mut identity, CoinMarketCap, listed.clone()), "100");
    let known = identity.by_slug("cat").unwrap();
    assert_eq!((known.name.as_str(), known.native_id(CoinMarketCap).map(Text::as_str)), ("Simon's Cat", Some("100")));
    assert_eq!(known.listing(Binance).map(|listing| listing.symbol.as_str()), Some("MEOWUSDT"));
    assert_eq!(identity.by_id(&CoinId("100".into())).map(|coin| coin.slug), Some("cat".into()));
    assert_eq!(identity.by_symbol("cat").len(), 1);

    // Not where the user says that the provider doesn't list it.
    let mut identity = Identity::new(&BTreeMap::from([("cat".into(), correction(Some("")))]));
    id_of(&mut identity, CoinMarketCap, listed);
    assert_eq!(identity.by_slug("cat").unwrap().native_id(CoinMarketCap), None);
}

#[test]
fn two_possible_matches_are_ambiguous() {
    let mut identity = plain();
    id_of(&mut identity, CoinMarketCap, coin("100", "Cat", "CAT", 100.0));
    id_of(&mut identity, CoinMarketCap, coin("200", "Cat", "CAT", 101.0));
    assert_eq!(id_of(&mut identity, CoinGecko, coin("cat", "Cat", "CAT", 100.5)), "cat");
    assert_eq!(identity.by_symbol("cat").len(), 3);
}

#[test]
fn bundle_of_coins_is_another_coin() {
    let mut identity = plain();
    let sats = id_of(&mut identity, CoinGecko, coin("sats-ordinals", "SATS (Ordinals)", "SATS", 170e6));
    let bundle = id_of(&mut identity, CoinGecko, coin("1000sats-ordinals", "1000SATS (Ordinals)", "1000SATS", 170e6));
    assert_eq!((sats.as_str(), bundle.as_str()), ("sats-ordinals", "1000sats-ordinals"));
    let sats = identity.by_slug("sats-ordinals").unwrap();
    assert_eq!(sats.listing(Binance), Some(&Listing { symbol: "1000SATSUSDT".into(), factor: 1000.0 }));
    let bundle = identity.by_slug("1000sats-ordinals").unwrap();
    assert_eq!(bundle.listing(Binance), Some(&Listing { symbol: "1000SATSUSDT".into(), factor: 1.0 }));
    assert_eq!(bundle.brc20, None);
}

#[test]
fn renamed_coin_keeps_its_id() {
    let mut identity = plain();
    id_of(&mut identity, CoinMarketCap, coin("100", "Old name", "OLD", 100.0));
    assert_eq!(id_of(&mut identity, CoinGecko, coin("old", "Old name", "OLD", 100.0)), "100");
    assert_eq!(id_of(&mut identity, CoinMarketCap, coin("100", "New name", "NEW", 99.0)), "100");
    let renamed = identity.by_id(&CoinId("100".into())).unwrap();
    assert_eq!((renamed.name.as_str(), renamed.symbol.as_str()), ("New name", "NEW"));
    assert_eq!((identity.by_symbol("new").len(), identity.by_symbol("old").len()), (1, 0));
    let notice = identity.renaming(&CoinId("100".into()), NOW);
    assert_eq!(notice.as_deref(), Some("Old name is now called New name"));
    // After a restart, too, for a month.
    let saved = identity.take_coins();
    for (days, expected) in [(29, Some("old is now called New name (NEW)")), (31, None)] {
        let mut later = plain();
        let now = NOW.plus(Duration::from_hours(24 * days));
        later.restore(saved.clone(), now);
        assert_eq!(later.renamed_from("old").as_deref(), expected);
        assert_eq!(later.renaming(&CoinId("100".into()), now).is_some(), expected.is_some());
    }
    assert_eq!(identity.renaming(&CoinId("100".into()), NOW.plus(Duration::from_hours(24 * 31))), None);
    // Another provider may still use the old name, or write it differently.
    assert_eq!(id_of(&mut identity, CoinGecko, coin("old", "Old name", "OLD", 100.0)), "100");
    assert_eq!(identity.by_id(&CoinId("100".into())).unwrap().name, "New name");
    assert_eq!(id_of(&mut identity, CoinPaprika, coin("new", "New name", "NEW", 99.0)), "100");
}

#[test]
fn different_spelling_of_a_name_is_not_a_rename() {
    for (first, next) in [("Simon's Cat", "SIMON'S CAT"), ("Cat (Ordinals)", "Cat")] {
        let mut identity = plain();
        id_of(&mut identity, CoinGecko, coin("cat", first, "CAT", 100.0));
        id_of(&mut identity, CoinGecko, coin("cat", next, "CAT", 100.0));
        let id = CoinId("cat".into());
        assert_eq!(identity.by_id(&id).unwrap().name, next);
        assert_eq!(identity.renaming(&id, NOW), None);
    }
}

#[test]
fn coin_of_the_same_interface_keeps_its_id_without_a_market_cap() {
    let mut identity = plain();
    let unknown = Coin { market_cap: None, ..coin("x", "X", "X", 0.0) };
    for _ in 0..3 {
        assert_eq!(id_of(&mut identity, Service, unknown.clone()), "x");
    }
}

#[test]
fn correction_overrides_matching() {
    let correction = CoinCorrection {
        ids: ids_at(&[(CoinMarketCap, "777"), (CoinGecko, "cat-two"), (CoinPaprika, "")]),
        listings: [(Okx, listing(Some("CAT-USDT"), Some(1000.0)))].into_iter().collect(),
        brc20: Some("cats".into()),
        ..CoinCorrection::default()
    };
    let sats = CoinCorrection {
        ids: ids_at(&[(CoinMarketCap, "28")]),
        listings: [(Binance, listing(Some(""), None))].into_iter().collect(),
        ..CoinCorrection::default()
    };
    let mut identity = Identity::new(&BTreeMap::from([("cat".into(), correction), ("sats-ordinals".into(), sats)]));
    // By the ids alone, regardless of name and market cap.
    assert_eq!(id_of(&mut identity, CoinMarketCap, coin("777", "Cat", "CAT", 100.0)), "777");
    assert_eq!(id_of(&mut identity, CoinGecko, coin("cat-two", "Kitten", "KIT", 5.0)), "777");
    assert_ne!(id_of(&mut identity, CoinGecko, coin("cat-one", "Cat", "CAT", 100.0)), "777");
    assert_ne!(id_of(&mut identity, CoinPaprika, coin("cat-cat", "Cat", "CAT", 100.0)), "777", "not listed there");
    let cat = identity.by_slug("cat").unwrap();
    assert_eq!((cat.name.as_str(), cat.brc20.as_deref()), ("Cat", Some("cats")));
    assert_eq!(cat.listing(Okx), Some(&Listing { symbol: "CAT-USDT".into(), factor: 1000.0 }));
    assert_eq!(identity.renaming(&cat.id, NOW), None, "it had no name");
    // A built-in coin keeps what isn't corrected, and its id.
    assert_eq!(id_of(&mut identity, CoinMarketCap, coin("28", "SATS (Ordinals)", "SATS", 1.0)), "sats-ordinals");
    let sats = identity.by_slug("sats-ordinals").unwrap();
    assert_eq!((sats.listing(Binance), sats.brc20.as_deref()), (None, Some("sats")));
}

#[test]
fn coins_are_restored_unless_something_else_is_known() {
    let mut first = plain();
    id_of(&mut first, CoinMarketCap, coin("100", "Cat", "CAT", 100.0));
    id_of(&mut first, CoinGecko, coin("cat", "Cat", "CAT", 100.0));
    id_of(&mut first, CoinGecko, coin("dog", "Dog", "DOG", 90.0));
    let saved = first.take_coins();
    let ids: Vec<&str> = saved.iter().map(|coin| coin.id.as_str()).collect();
    assert_eq!((ids, saved[0].matched, saved[1].matched), (vec!["100", "dog"], Some(NOW), None));
    assert!(!first.has_unsaved());
    // Known by the id, although the market cap has changed since.
    let mut second = plain();
    second.restore(saved.clone(), NOW);
    assert_eq!(second.take_coins(), saved);
    assert_eq!(id_of(&mut second, CoinGecko, coin("cat", "Cat", "CAT", 900.0)), "100");
    assert!(!second.has_unsaved());
    // By name, symbol and market cap at another provider.
    assert_eq!(id_of(&mut second, CoinPaprika, coin("dog-dog", "Dog", "DOG", 95.0)), "dog");
    // The configuration overrides it.
    let correction = CoinCorrection { ids: ids_at(&[(CoinGecko, "cat")]), ..CoinCorrection::default() };
    let mut corrected = Identity::new(&BTreeMap::from([("kitten".into(), correction)]));
    corrected.restore(saved, NOW);
    assert_eq!(id_of(&mut corrected, CoinGecko, coin("cat", "Cat", "CAT", 100.0)), "kitten");
}

#[test]
fn requested_coins_are_saved_first() {
    let mut identity = plain();
    let mut coins: Vec<Coin> =
        (1..=1_100_u32).map(|n| coin(&n.to_string(), &format!("C{n}"), "C", f64::from(9_000 - n))).collect();
    identity.assign_ids(CoinMarketCap, &mut coins, NOW);
    identity.set_wanted(&[CoinId("1099".into()), CoinId("no-such-coin".into())]);
    let saved = identity.take_coins();
    assert_eq!((saved.len(), saved[0].id.as_str(), saved[1].id.as_str()), (1_000, "1099", "1"));
}

#[test]
fn built_in_coin_matches_when_its_market_cap_is_known() {
    // In the same list, in any order.
    let sats = || coin("sats-sats", "SATS", "SATS", 180e6);
    let mut identity = plain();
    assert_eq!(
        id_of(&mut identity, CoinGecko, coin("sats-ordinals", "SATS (Ordinals)", "SATS", 170e6)),
        "sats-ordinals"
    );
    assert_eq!(id_of(&mut identity, CoinPaprika, sats()), "sats-ordinals");

    // Later: the other id stays valid, even after a restart.
    let mut identity = plain();
    assert_eq!(identity.without_market_cap(CoinMarketCap, &[coin("7", "SATS", "SATS", 1.0)]).len(), 1);
    let mut both = [coin("7", "SATS", "SATS", 180e6), coin("8", "Satoshis", "SATS", 180e6)];
    identity.assign_ids(CoinMarketCap, &mut both, NOW);
    assert_eq!(both.map(|coin| coin.id.0.to_string()), ["7", "8"], "the symbol is not enough");
    id_of(&mut identity, CoinGecko, coin("sats-ordinals", "SATS (Ordinals)", "SATS", 170e6));
    assert_eq!(id_of(&mut identity, CoinMarketCap, coin("7", "SATS", "SATS", 180e6)), "sats-ordinals");
    assert_eq!(identity.by_symbol("sats").len(), 2);
    let saved = identity.take_coins();
    let mut later = plain();
    later.restore(saved.clone(), NOW);
    let mut much_later = plain();
    much_later.restore(saved, NOW.plus(Duration::from_hours(24 * 3)));
    let sats_cap = much_later.by_id(&CoinId("7".into())).unwrap().market_cap;
    assert_eq!(sats_cap, None, "an old market cap of a built-in coin would refuse the right one");
    for identity in [&identity, &later] {
        let coin = identity.by_id(&CoinId("7".into())).unwrap();
        assert_eq!((coin.id.0.as_str(), coin.brc20.as_deref()), ("sats-ordinals", Some("sats")));
    }
    assert_eq!(id_of(&mut later, CoinPaprika, sats()), "sats-ordinals");
}

#[test]
fn built_in_coin_is_joined_by_name_until_a_market_cap_says_otherwise() {
    let sats = |cap| coin("7", "SATS", "SATS", cap);
    let gecko = || coin("sats-ordinals", "SATS (Ordinals)", "SATS", 170e6);
    for (cap, id, is_same) in [(180e6, "sats-ordinals", true), (1e6, "7", false)] {
        let mut identity = plain();
        assert_eq!(id_of(&mut identity, CoinMarketCap, sats(cap)), "sats-ordinals");
        assert_eq!(id_of(&mut identity, CoinPaprika, coin("sats-sats", "SATS", "SATS", cap)), "sats-ordinals");
        let known = identity.by_symbol("sats");
        assert_eq!((known.len(), known[0].native_id(CoinMarketCap).map(Text::as_str)), (1, Some("7")));
        // Other coins of the symbol are not it.
        assert_eq!(id_of(&mut identity, CoinMarketCap, coin("8", "SATS", "SATS", cap)), "8");
        assert_eq!(id_of(&mut identity, CoinMarketCap, coin("9", "Satoshis", "SATS", cap)), "9");
        // A restart doesn't make it certain.
        let saved = identity.take_coins();
        let joined = saved.iter().find(|coin| coin.id == "sats-ordinals").unwrap();
        assert_eq!((joined.market_cap, joined.matched), (None, None));
        assert!(joined.ids.iter().all(|(provider, _)| provider == CoinGecko.as_str()), "{joined:?}");
        // The market cap is requested as soon as its provider answers.
        let unknown = identity.without_market_cap(CoinMarketCap, &[sats(cap)]);
        assert_eq!(unknown.iter().map(|coin| coin.ids.iter().count()).collect::<Vec<_>>(), [1]);
        assert_eq!(id_of(&mut identity, CoinGecko, gecko()), "sats-ordinals");
        assert_eq!(id_of(&mut identity, CoinMarketCap, sats(cap)), id);
        assert_eq!(identity.without_market_cap(CoinMarketCap, &[sats(cap)]).len(), 0);
        let price_source = identity.by_id(&CoinId("sats-ordinals".into())).unwrap();
        assert_eq!(price_source.native_id(CoinPaprika).is_some(), is_same);
    }
    // Never by symbol alone, and not where the user says otherwise.
    let mut identity = plain();
    assert_eq!(id_of(&mut identity, CoinMarketCap, coin("5", "Rats race", "RATS", 1e6)), "5");
    let unlisted = CoinCorrection { ids: ids_at(&[(CoinMarketCap, "")]), ..CoinCorrection::default() };
    let mut identity = Identity::new(&BTreeMap::from([("sats-ordinals".into(), unlisted)]));
    assert_eq!(id_of(&mut identity, CoinMarketCap, sats(180e6)), "7");
}

#[test]
fn coin_joined_by_name_without_a_market_cap_is_checked_when_it_has_one() {
    for (cap, id) in [(180e6, "sats-ordinals"), (1e6, "7")] {
        let mut identity = plain();
        let gecko = || coin("sats-ordinals", "SATS (Ordinals)", "SATS", 170e6);
        let sats = |cap| Coin { market_cap: cap, ..coin("7", "SATS", "SATS", 0.0) };
        assert_eq!(id_of(&mut identity, CoinMarketCap, sats(None)), "sats-ordinals");
        for _ in 0..2 {
            id_of(&mut identity, CoinGecko, gecko());
            let saved = identity.take_coins();
            let joined = saved.iter().find(|coin| coin.id == "sats-ordinals").unwrap();
            assert!(joined.ids.iter().all(|(provider, _)| provider == CoinGecko.as_str()), "a guess is never saved");
        }
        assert_eq!(id_of(&mut identity, CoinMarketCap, sats(Some(cap))), "sats-ordinals");
        id_of(&mut identity, CoinGecko, gecko());
        assert_eq!(id_of(&mut identity, CoinMarketCap, sats(Some(cap))), id);
    }
}

#[test]
fn slug_of_a_provider_finds_the_coin_unless_another_one_has_it() {
    let mut identity = plain();
    let ids = ["7", "8"].map(|id| id_of(&mut identity, CoinMarketCap, coin(id, id, id, 1e6)));
    let [seven, eight] = ids.map(|id| CoinId(id.as_str().into()));
    identity.add_slug("Seven-Coin", &seven);
    identity.add_slug("8", &seven);
    let found = ["seven-coin", "8"].map(|slug| identity.by_slug(slug).unwrap().id);
    assert_eq!(found, [seven, eight]);
}

#[test]
fn service_keeps_its_own_names_of_a_coin() {
    let mut identity = plain();
    let listed = |id: &str, slug: &str| Coin { slug: Some(slug.into()), ..coin(id, "ORDI", "ORDI", 100.0) };
    assert_eq!(id_of(&mut identity, CoinMarketCap, listed("25028", "ordi")), "25028");
    for (id, slug) in [("25028", "ordinals"), ("x-ordi", "ordi-brc20")] {
        assert_eq!(id_of(&mut identity, Service, listed(id, slug)), "25028");
        let known = identity.by_id(&CoinId("25028".into())).unwrap();
        assert_eq!((known.slug.as_str(), known.slug_at_service().as_str()), ("ordi", slug));
        assert_eq!(identity.native_id(Service, &known.id).as_deref(), Some(id));
    }
}

#[test]
fn names_of_built_in_coins_are_those_of_their_lists() {
    let name = |id: &str, name: &str, slug: &str| CoinName {
        id: id.into(),
        name: name.into(),
        symbol: "SATS".into(),
        slug: slug.into(),
        rank: None,
    };
    let slugs = |in_use: &[ProviderName], mut names: Vec<CoinName>| {
        plain().assign_names(CoinMarketCap, in_use, &mut names);
        names.into_iter().map(|name| name.slug.to_string()).collect::<Vec<_>>()
    };
    let two = || vec![name("7", "SATS (Ordinals)", "sats"), name("8", "SATS Token", "sats-token")];
    assert_eq!(slugs(&[CoinMarketCap, CoinGecko], two()), ["sats-ordinals", "sats-token"]);
    // Not where no provider could find it, nor where two coins have its name.
    assert_eq!(slugs(&[CoinMarketCap], two()), ["sats", "sats-token"]);
    let same = vec![name("7", "SATS", "sats"), name("8", "Sats", "sats-2")];
    assert_eq!(slugs(&[CoinMarketCap, CoinGecko], same), ["sats", "sats-2"]);
}

#[test]
fn aliases_are_slugs_of_no_other_coin() {
    let mut identity = plain();
    assert_eq!(identity_aliases(&identity, "25028"), ["ordinals"]);
    assert_eq!(identity_aliases(&identity, "5805"), ["avalanche-2", "avax-avalanche"]);
    // A coin of another provider has this slug.
    let other = Coin { slug: Some("ordinals".into()), ..coin("777", "Ordinals", "ORDS", 5.0) };
    id_of(&mut identity, CoinMarketCap, other);
    assert!(identity_aliases(&identity, "25028").is_empty());
}

fn identity_aliases(identity: &Identity, id: &str) -> Vec<String> {
    let aliases = identity.aliases().remove(&Text::from(id)).unwrap_or_default();
    aliases.iter().map(ToString::to_string).collect()
}
