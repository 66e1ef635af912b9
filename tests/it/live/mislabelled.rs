//! Rows and items of other coins, tokens and inscriptions than the requested ones, and values that contradict each
//! other.

use satscope::client::{ErrorKind, InscriptionRef, Reply, Request, ResponseData};
use satscope::model::ProviderName::{CoinGecko, CoinMarketCap, CoinPaprika, DefiLlama, Ordinals, UniSat};
use satscope::model::{Coin, CoinId, Currency, MarketPair, Period, Tag};
use serde_json::{Value, json as object};

use super::fake::{Fake, ReceivedRequest};
use super::indexer_fakes::{self as fakes, HOLDER, SAT, id};
use super::{Live, world};

/// Changes the JSON of some of a provider's responses.
fn edit(
    fake: &Fake,
    is_edited: impl Fn(&ReceivedRequest) -> bool + Send + Sync + 'static,
    change: impl Fn(&mut Value) + Send + Sync + 'static,
) {
    fake.edit(move |request, mut response| {
        if is_edited(request) {
            let mut body = serde_json::from_slice(&response.body).unwrap();
            change(&mut body);
            response.body = body.to_string().into_bytes();
        }
        response
    });
}

fn at(end: &'static str) -> impl Fn(&ReceivedRequest) -> bool + Send + Sync + 'static {
    move |request| request.path.ends_with(end)
}

async fn pairs(live: &Live, symbol: &str) -> (Vec<MarketPair>, Reply) {
    let request = Request::MarketPairs { symbol: symbol.into(), slug: None, convert: Currency::usd() };
    let reply = live.get(&request).await.unwrap();
    match reply.response.clone() {
        Some(ResponseData::MarketPairs(page)) => (page.items, reply),
        other => panic!("{other:?}"),
    }
}

fn named<'a>(coins: &'a [Coin], name: &str) -> Vec<&'a Coin> {
    coins.iter().filter(|coin| coin.name == name).collect()
}

#[tokio::test]
async fn coingecko_pairs_of_other_coins_are_left_out() {
    let gecko = world::coingecko();
    edit(&gecko, at("/tickers"), |body| {
        let rows = body["tickers"].as_array_mut().unwrap();
        for (base, target, ids) in [
            ("PEPE", "ORDI", Some(("pepe", "ordinals"))),
            ("PEPE", "USDT", Some(("pepe", "tether"))),
            ("USDT", "ORDI", None),
        ] {
            let mut row = rows.last().unwrap().clone();
            (row["base"], row["target"]) = (base.into(), target.into());
            (row["coin_id"], row["target_coin_id"]) = ids.map_or_else(Default::default, |(a, b)| (a.into(), b.into()));
            row["converted_last"]["usd"] = 0.000_004.into();
            rows.insert(0, row);
        }
        // A pair without ids is known by its symbol.
        let last = rows.last_mut().unwrap().as_object_mut().unwrap();
        last.retain(|key, _| !key.ends_with("coin_id"));
    });
    let live = Live::over(&[(CoinGecko, &gecko)]);
    let (pairs, reply) = pairs(&live, "ORDI").await;
    assert_eq!(pairs.iter().map(|pair| pair.price).collect::<Vec<_>>(), [Some(8.41), Some(8.41)]);
    assert_eq!(reply.warnings, ["Skipped 1 market pair of another coin"]);
}

#[tokio::test]
async fn pair_without_a_price_in_dollars_keeps_its_depth() {
    let gecko = world::coingecko();
    edit(&gecko, at("/tickers"), |body| {
        body["tickers"][0]["converted_last"]["usd"] = Value::Null;
    });
    let (pairs, reply) = pairs(&Live::over(&[(CoinGecko, &gecko)]), "ORDI").await;
    let first = pairs.iter().find(|pair| pair.exchange.as_deref() == Some("Binance")).unwrap();
    assert_eq!((first.price, first.volume_24h), (None, Some(12e6)), "not those in bitcoin");
    assert_eq!((first.depth_plus_2pct, first.depth_minus_2pct), (Some(79_310.9), Some(81_234.5)));
    assert!(reply.warnings.is_empty(), "{:?}", reply.warnings);
}

#[tokio::test]
async fn pair_in_bitcoin_has_one_warning() {
    let gecko = world::coingecko();
    edit(&gecko, at("/tickers"), |body| {
        let first = &mut body["tickers"][0];
        first["converted_last"] = object!({"btc": 0.000_091_1});
        first["converted_volume"] = object!({"btc": 132.1});
    });
    let (pairs, reply) = pairs(&Live::over(&[(CoinGecko, &gecko)]), "ORDI").await;
    let prices: Vec<_> = pairs.iter().map(|pair| pair.price).collect();
    assert!(prices.contains(&None) && prices.contains(&Some(8.41)), "{prices:?}");
    assert_eq!(reply.warnings, ["Skipped 1 price in BTC"]);
}

#[tokio::test]
async fn pairs_that_the_coin_only_quotes_are_not_its_own() {
    let (gecko, paprika) = (world::coingecko(), world::coinpaprika());
    edit(&gecko, at("/tickers"), |body| {
        for row in body["tickers"].as_array_mut().unwrap() {
            (row["base"], row["target"]) = ("BTC".into(), "ORDI".into());
            (row["coin_id"], row["target_coin_id"]) = ("bitcoin".into(), "ordinals".into());
        }
    });
    let live = Live::over(&[(CoinGecko, &gecko), (CoinPaprika, &paprika)]);
    let (found, reply) = pairs(&live, "ORDI").await;
    assert_eq!((found.len(), reply.provider.as_deref()), (2, Some("coinpaprika")));
    assert_eq!(reply.warnings, [] as [&str; 0]);
    // Without another provider, the reason is shown.
    let live = Live::over(&[(CoinGecko, &gecko)]);
    let request = Request::MarketPairs { symbol: "ORDI".into(), slug: None, convert: Currency::usd() };
    let ErrorKind::Explained { status: 503, message, .. } = live.get(&request).await.unwrap_err().kind else {
        panic!("an error with a reason")
    };
    assert_eq!(message, "CoinGecko: ORDI is only the quote currency of these pairs");
}

#[tokio::test]
async fn coinpaprika_pairs_of_other_coins_are_left_out() {
    let paprika = world::coinpaprika();
    edit(&paprika, at("/markets"), |body| {
        let mut inverse = body[0].clone();
        (inverse["pair"], inverse["base_currency_id"]) = ("USDT/ORDI".into(), "usdt-tether".into());
        (inverse["quote_currency_id"], inverse["quotes"]["USD"]["price"]) = ("ordi-ordi".into(), 1.0.into());
        body.as_array_mut().unwrap().push(inverse);
    });
    let live = Live::over(&[(CoinPaprika, &paprika)]);
    let (pairs, reply) = pairs(&live, "ORDI").await;
    assert_eq!(pairs.iter().map(|pair| pair.price).collect::<Vec<_>>(), [Some(8.41), Some(8.41)]);
    assert_eq!(reply.warnings, [] as [&str; 0]);
}

#[tokio::test]
async fn symbol_of_a_built_in_coin_means_that_coin() {
    let gecko = world::coingecko();
    edit(
        &gecko,
        |request| request.query("category") == "brc-20",
        |body| {
            let mut token = body[0].clone();
            (token["id"], token["name"], token["symbol"]) = ("ordi-fake".into(), "ORDI".into(), "ordi".into());
            (token["market_cap"], token["current_price"]) = (9e9.into(), 99.into());
            (token["high_24h"], token["low_24h"]) = (100.into(), 98.into());
            body.as_array_mut().unwrap().push(token);
        },
    );
    let live = Live::over(&[(CoinGecko, &gecko)]);
    let (list, _) = live.coins(Tag::Brc20, 1, 200).await;
    assert_eq!(named(&list.items, "ORDI").len(), 2);
    let (pairs, reply) = pairs(&live, "ORDI").await;
    assert_eq!(pairs[0].price, Some(8.41));
    assert_eq!(reply.warnings.len(), 1);
    assert!(reply.warnings[0].starts_with("2 coins use ORDI; showing ORDI (ordi), not ordi-"), "{:?}", reply.warnings);
    assert_eq!(gecko.paths().pop().unwrap(), "/coins/ordinals/tickers");
    // With the slug, it is clear which one is meant.
    let request = Request::MarketPairs { symbol: "ORDI".into(), slug: Some("ordi".into()), convert: Currency::usd() };
    assert_eq!(live.get(&request).await.unwrap().warnings.as_slice(), [] as [&str; 0]);
}

#[tokio::test]
async fn coins_with_the_names_of_others_have_no_values() {
    let cmc = world::coinmarketcap();
    edit(&cmc, at("/listings/latest"), |body| {
        let rows = body["data"].as_array_mut().unwrap();
        let bitcoin = rows.iter_mut().find(|row| row["id"] == 1).unwrap();
        (bitcoin["name"], bitcoin["symbol"], bitcoin["slug"]) = ("Other 1".into(), "O1".into(), "other-1".into());
    });
    let live = Live::over(&[(CoinMarketCap, &cmc)]);
    let (list, reply) = live.coins(Tag::All, 1, 200).await;
    assert_eq!(list.items.len(), 200, "clients count the rows");
    let valueless = |coins: &[Coin], id: &str| {
        let coin = coins.iter().find(|coin| coin.id.0 == id).unwrap();
        assert_eq!((coin.price, coin.market_cap, coin.change_24h_pct), (None, None, None));
        format!("{} ({}, {})", coin.name, coin.symbol, coin.slug.as_deref().unwrap_or_default())
    };
    assert_eq!(valueless(&list.items, "1"), "Bitcoin (BTC, bitcoin)");
    assert_eq!(named(&list.items, "Other 1").len(), 1);
    assert_eq!(reply.warnings, ["Ignored data for Bitcoin (named Other 1, O1)"]);
    // Not even in a response without the other coin, which a list or the list of names has.
    edit(&cmc, at("/quotes/latest"), |body| {
        (body["data"][0]["name"], body["data"][0]["symbol"]) = ("Other 400".into(), "O400".into());
    });
    for has_names in [false, true] {
        let live = Live::over(&[(CoinMarketCap, &cmc)]);
        if has_names {
            drop(live.raw("/x/names").await);
        } else {
            drop(live.coins(Tag::All, 251, 200).await);
        }
        let request = Request::CoinsById { ids: vec![CoinId("1".into())], convert: Currency::usd() };
        let reply = live.get(&request).await.unwrap();
        let Some(ResponseData::Coins(page)) = &reply.response else { panic!("{reply:?}") };
        assert_eq!(valueless(&page.items, "1"), "Bitcoin (BTC, bitcoin)", "{has_names}");
    }
}

#[tokio::test]
async fn coins_with_swapped_ids_have_no_values() {
    // Both are built in, or one is.
    for other in [25028, 40_001] {
        let cmc = world::coinmarketcap();
        edit(
            &cmc,
            |request| request.path.contains("/cryptocurrency/"),
            move |body| {
                for row in body["data"].as_array_mut().into_iter().flatten() {
                    match row["id"].as_u64() {
                        Some(1) => row["id"] = other.into(),
                        Some(id) if id == other => row["id"] = 1.into(),
                        _ => {}
                    }
                }
            },
        );
        let live = Live::over(&[(CoinMarketCap, &cmc)]);
        let (list, reply) = live.coins(Tag::All, 1, 200).await;
        let wrong: Vec<&Coin> = list.items.iter().filter(|it| it.id.0 == "1" || it.id.0 == other.to_string()).collect();
        assert_eq!(wrong.iter().map(|coin| (coin.price, coin.market_cap)).collect::<Vec<_>>(), [(None, None); 2]);
        assert_eq!(named(&list.items, "Bitcoin").iter().map(|coin| coin.id.0.as_str()).collect::<Vec<_>>(), ["1"]);
        let warning = match other {
            25028 => "Ignored data for 2 coins with wrong names, such as ORDI (named Bitcoin, BTC)",
            _ => "Ignored data for 2 coins with wrong names, such as Other 1 (named Bitcoin, BTC)",
        };
        assert_eq!(reply.warnings, [warning]);
    }
}

#[tokio::test]
async fn coins_that_were_not_requested_are_left_out() {
    let cmc = world::coinmarketcap();
    edit(&cmc, at("/quotes/latest"), |body| body["data"][0]["id"] = 7.into());
    let live = Live::over(&[(CoinMarketCap, &cmc)]);
    let (_, _, body) = live.raw("/coins?ids=1").await;
    assert_eq!(body["data"], object!([]));
    let (status, _, body) = live.raw("/exchanges?symbol=O7").await;
    assert_ne!(status, 200, "{body}");
    edit(&cmc, at("/quotes/latest"), |body| {
        let row = body["data"][0].take();
        body["data"] = object!({"1": row, "25028": {"id": 1, "name": "ORDI", "symbol": "ORDI", "quote": []}});
    });
    let live = Live::over(&[(CoinMarketCap, &cmc)]);
    let (_, _, body) = live.raw("/coins?ids=1,25028").await;
    assert_eq!(body["data"].as_array().unwrap().len(), 1, "{body}");
    let (_, _, sources) = live.raw("/x/sources").await;
    assert!(sources.to_string().contains("Skipped coin 1 instead of 25028"), "{sources}");
}

#[tokio::test]
async fn values_that_contradict_others_are_left_out() {
    let cmc = world::coinmarketcap();
    edit(&cmc, at("/listings/latest"), |body| {
        let rows = body["data"].as_array_mut().unwrap();
        rows[0]["quote"][0]["price"] = 0.into();
        rows[1]["circulating_supply"] = 30_000_000.into();
    });
    let live = Live::over(&[(CoinMarketCap, &cmc)]);
    let (list, reply) = live.coins(Tag::All, 1, 200).await;
    assert_eq!((list.items[0].price, list.items[1].circulating_supply), (None, None));
    assert_eq!((list.items[0].change_24h_pct, list.items[0].volume_24h), (None, None));
    assert_eq!(list.items[1].total_supply, Some(21e6));
    let expected = "Ignored the zero price of Bitcoin (its market cap isn't zero); \
                    Ignored the supply of Other 1 (above the max supply)";
    assert_eq!(reply.warnings.join("; "), expected);
}

#[tokio::test]
async fn new_name_and_symbol_of_a_built_in_coin_are_reported() {
    let cmc = world::coinmarketcap();
    edit(&cmc, at("/listings/latest"), |body| {
        let rows = body["data"].as_array_mut().unwrap();
        let bitcoin = rows.iter_mut().find(|row| row["id"] == 1).unwrap();
        (bitcoin["name"], bitcoin["symbol"]) = ("New name".into(), "NEW".into());
    });
    let live = Live::over(&[(CoinMarketCap, &cmc)]);
    let (_, reply) = live.coins(Tag::All, 1, 200).await;
    assert_eq!(reply.warnings, ["Bitcoin is now called New name"]);
}

#[tokio::test]
async fn shared_new_name_is_used_if_the_full_name_list_has_it() {
    let cmc = world::coinmarketcap();
    edit(
        &cmc,
        |request| request.path.ends_with("/listings/latest") || request.path.ends_with("/map"),
        |body| {
            for bitcoin in body["data"].as_array_mut().unwrap().iter_mut().filter(|row| row["id"] == 1) {
                (bitcoin["name"], bitcoin["symbol"]) = ("Other 1".into(), "O1".into());
            }
        },
    );
    let live = Live::over(&[(CoinMarketCap, &cmc)]);
    live.raw("/x/names").await;
    let (list, reply) = live.coins(Tag::All, 1, 200).await;
    assert_eq!(reply.warnings, ["Bitcoin is now called Other 1"]);
    let priced = named(&list.items, "Other 1").iter().filter(|coin| coin.price.is_some()).count();
    assert_eq!(priced, 2);
}

#[tokio::test]
async fn second_row_of_a_coin_is_left_out_with_a_warning() {
    let gecko = world::coingecko();
    edit(&gecko, at("/coins/markets"), |body| {
        let mut row = body[0].clone();
        (row["current_price"], row["high_24h"], row["low_24h"]) = (9.into(), 9.into(), 9.into());
        body.as_array_mut().unwrap().push(row);
    });
    let live = Live::over(&[(CoinGecko, &gecko)]);
    let (list, reply) = live.coins(Tag::Brc20, 1, 200).await;
    assert_eq!(named(&list.items, "ORDI").iter().map(|coin| coin.price).collect::<Vec<_>>(), [Some(8.41)]);
    assert_eq!(reply.warnings, ["Skipped 1 duplicate coin: ORDI"]);
}

#[tokio::test]
async fn range_that_contradicts_the_price_is_left_out_with_a_warning() {
    let gecko = world::coingecko();
    edit(&gecko, at("/coins/markets"), |body| {
        (body[0]["high_24h"], body[0]["low_24h"]) = (8.into(), 9.into());
        body[1]["current_price"] = 1_000_000.into();
        body[1].as_object_mut().unwrap().remove("sparkline_in_7d");
    });
    let live = Live::over(&[(CoinGecko, &gecko)]);
    let (list, reply) = live.coins(Tag::Brc20, 1, 200).await;
    let without: Vec<_> = list.items.iter().filter(|coin| coin.high_24h.is_none() && coin.low_24h.is_none()).collect();
    assert_eq!(without.iter().map(|coin| coin.symbol.as_str()).collect::<Vec<_>>(), ["ORDI", "SATS"]);
    assert_eq!(reply.warnings, ["Skipped 2 invalid 24h ranges, such as for ORDI"]);
}

#[tokio::test]
async fn prices_of_another_coin_or_of_low_confidence_are_not_charted() {
    for (field, value, reason) in [
        ("symbol", object!("PEPE"), "prices of PEPE instead of ORDI"),
        ("confidence", object!(0.1), "low confidence in the prices of ORDI (0.1)"),
    ] {
        let (llama, gecko) = (world::defillama(), world::coingecko());
        edit(
            &llama,
            |_| true,
            move |body| {
                if let Some(ordi) = body["coins"].get_mut("coingecko:ordinals") {
                    ordi[field] = value.clone();
                }
            },
        );
        let alone = Live::over(&[(DefiLlama, &llama)]);
        let chart = Request::Chart { slug: "ordi".into(), period: Period::Week, convert: Currency::usd() };
        let error = alone.get(&chart).await.unwrap_err();
        let ErrorKind::Explained { status: 503, message, .. } = &error.kind else { panic!("{error:?}") };
        assert_eq!(message, &format!("DefiLlama: {reason}"));
        // The next provider is used, and other coins of a request are kept.
        let live = Live::in_order(&[(DefiLlama, &llama), (CoinGecko, &gecko)]);
        assert_eq!(live.get(&chart).await.unwrap().provider.as_deref(), Some("coingecko"));
        let symbols = vec!["BTC".into(), "ORDI".into()];
        let series = Request::MarketData { symbols, convert: Currency::usd(), count: 24, interval: "1h".into() };
        let reply = alone.get(&series).await.unwrap();
        let Some(ResponseData::Market(found)) = &reply.response else { panic!("{reply:?}") };
        assert_eq!(found.iter().map(|series| series.symbol.as_str()).collect::<Vec<_>>(), ["BTC"]);
        let warning = format!("Skipped prices: {reason}");
        assert!(reply.warnings.iter().any(|one| one.contains(&warning)), "{:?}", reply.warnings);
    }
}

#[tokio::test]
async fn details_with_another_name_and_symbol_are_not_used() {
    let cmc = world::coinmarketcap();
    edit(&cmc, at("/v2/cryptocurrency/info"), |body| {
        for (id, name) in [("1", "Scam"), ("40001", "Other 2")] {
            let coin = &mut body["data"][id];
            (coin["name"], coin["symbol"]) = (name.into(), name.into());
            coin["urls"]["website"] = object!(["https://scam.example/"]);
        }
        body["data"]["40001"]["id"] = 40_002.into();
    });
    let live = Live::over(&[(CoinMarketCap, &cmc)]);
    let list = async || live.coins(Tag::All, 1, 200).await.0.items;
    list().await;
    loop {
        let coins = list().await;
        let scams = coins.iter().filter(|coin| coin.links.iter().any(|link| link.url.contains("scam")));
        assert_eq!(scams.count(), 0);
        if !named(&coins, "ORDI")[0].links.is_empty() {
            break;
        }
        tokio::task::yield_now().await;
    }
}

#[tokio::test]
async fn response_about_another_item_does_not_blame_the_request() {
    let unisat = fakes::UniSat::default().start();
    edit(&unisat, at("/info"), |body| body["data"]["ticker"] = "pepe".into());
    let live = Live::in_order(&[(UniSat, &unisat)]);
    let error = live.get(&Request::Brc20Token { ticker: "ordi".into() }).await.unwrap_err();
    let ErrorKind::Explained { status: 503, message, .. } = &error.kind else { panic!("{error:?}") };
    assert_eq!(message, "UniSat: response is about pepe, not ordi");

    let ordinals = fakes::ord(false, true);
    edit(&ordinals, |request| request.path.starts_with("/r/inscription/"), |body| body["id"] = id(4).into());
    let live = Live::in_order(&[(Ordinals, &ordinals)]);
    let request = Request::Inscription { inscription: InscriptionRef::Id(id(3).into()) };
    let error = live.get(&request).await.unwrap_err();
    let ErrorKind::Explained { status: 503, message, .. } = &error.kind else { panic!("{error:?}") };
    assert!(message.contains("response is about"), "{message}");
    // Lists keep such an inscription without details.
    assert_eq!(live.on_sat(SAT, 5, 3).await.items.iter().filter(|found| found.number.is_none()).count(), 3);
}

#[tokio::test]
async fn parts_that_are_not_the_sum_of_a_balance_are_left_out() {
    let unisat = fakes::UniSat::default().start();
    edit(&unisat, at("/summary"), |body| body["data"]["detail"][0]["overallBalance"] = "99".into());
    let live = Live::in_order(&[(UniSat, &unisat)]);
    let request = Request::Brc20Balances { address: HOLDER.into(), offset: 0, limit: 20 };
    let reply = live.get(&request).await.unwrap();
    let Some(ResponseData::Balances(page)) = &reply.response else { panic!("{reply:?}") };
    let known: Vec<_> =
        page.items.iter().map(|balance| (balance.available.is_some(), balance.transferable.is_some())).collect();
    assert_eq!(known, [(false, false), (true, true), (true, true)]);
    assert_eq!(page.items[0].overall, "99".parse().ok());
    assert_eq!(reply.warnings, ["Skipped invalid fields of the ordi balance"]);
}

#[tokio::test]
async fn minted_supply_above_the_max_supply_is_left_out() {
    let unisat = fakes::UniSat::default().start();
    edit(&unisat, at("/info"), |body| {
        for field in ["totalMinted", "confirmedMinted", "minted"] {
            body["data"][field] = "21000000.1".into();
        }
    });
    let live = Live::in_order(&[(UniSat, &unisat)]);
    let reply = live.get(&Request::Brc20Token { ticker: "ordi".into() }).await.unwrap();
    let Some(ResponseData::Brc20Token(token)) = &reply.response else { panic!("{reply:?}") };
    assert_eq!((token.minted_supply, token.max_supply), (None, "21000000".parse().ok()));
    let (_, _, sources) = live.raw("/x/sources").await;
    assert!(sources.to_string().contains("exceeds the max supply"), "{sources}");
}
