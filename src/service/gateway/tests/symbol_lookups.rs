//! Lookups of many symbols at once.

use super::*;
use crate::client::NoticeCode;
use crate::service::backend::market::SeriesQuery;

const GECKO: ProviderName = ProviderName::CoinGecko;
const CMC: ProviderName = ProviderName::CoinMarketCap;
const LLAMA: ProviderName = ProviderName::DefiLlama;

impl World {
    fn without_start_gap() -> World {
        World::with(LiveSettings { start_gap: Duration::ZERO, ..LiveSettings::default() })
    }

    /// Adds coins of these symbols to the registry, with a market cap but without ids of providers.
    fn add_coins(&self, symbols: &[&str]) -> Vec<CoinRef> {
        let add = |symbol: &&str| {
            let text = Text::from(*symbol);
            let id = CoinId(Text::from(format!("our-{symbol}")));
            let mut coin = CoinRef::new(id, text.clone(), text.clone(), text);
            coin.market_cap = Some(5e6);
            self.gateway.identity().insert(coin.clone());
            coin
        };
        symbols.iter().map(add).collect()
    }

    /// Looks up the ids of these coins at a provider. Returns the symbols of those that were found.
    async fn look_up(&self, name: ProviderName, coins: &[CoinRef]) -> Vec<String> {
        let provider = self.gateway.provider(name).unwrap().clone();
        let coins: Vec<CoinRef> = {
            let identity = self.gateway.identity();
            coins.iter().filter_map(|coin| identity.by_id(&coin.id)).collect()
        };
        let found = self.gateway.with_native_ids(&provider, coins).await.unwrap_or_default();
        let found = found.into_iter().filter(|coin| coin.native_id(name).is_some());
        found.map(|coin| coin.symbol.to_string()).collect()
    }

    /// The symbols of each lookup of a provider so far.
    fn looked_up(&self, name: ProviderName) -> Vec<String> {
        self.paths(name).iter().map(|path| symbols(path).to_owned()).collect()
    }
}

/// The requested symbols.
fn symbols(path: &str) -> &str {
    let symbols = path.split("symbols=").nth(1).or_else(|| path.split("symbol=").nth(1));
    symbols.and_then(|rest| rest.split('&').next()).unwrap_or_default()
}

/// A coin of CoinGecko with the market cap of the registered ones.
fn gecko_row(id: &str, symbol: &str) -> String {
    format!(r#"{{"id":"{id}","symbol":"{symbol}","name":"{symbol}","current_price":1.5,"market_cap":5000000}}"#)
}

#[tokio::test(start_paused = true)]
async fn coins_of_a_partial_lookup_stay_found_if_its_rest_fails() {
    let world = World::without_start_gap();
    let coins = world.add_coins(&["aa", "bb", "cc", "dd"]);
    let fails = Arc::new(std::sync::atomic::AtomicBool::new(true));
    let is_failing = Arc::clone(&fails);
    world.respond(GECKO, move |path| {
        Ok(match symbols(path) {
            // A full page of one symbol.
            "aa,bb,cc,dd" => {
                let rows =
                    (0..250).map(|n| gecko_row(&format!("aa-{n}"), "aa").replace("\"name\":\"aa\"", "\"name\":\"x\""));
                json(format!("[{}]", rows.collect::<Vec<_>>().join(",")))
            }
            "aa,bb" => json(format!("[{}]", gecko_row("aa-coin", "aa"))),
            _ if is_failing.load(SeqCst) => Response::of(503, &[], ""),
            "cc,dd" => json(format!("[{}]", gecko_row("cc-coin", "cc"))),
            other => panic!("{other}"),
        })
    });
    assert_eq!(world.look_up(GECKO, &coins).await, ["aa"]);
    assert_eq!(world.looked_up(GECKO), ["aa,bb,cc,dd", "aa,bb", "cc,dd"]);
    let is_unmatched = |world: &World| {
        let identity = world.gateway.identity();
        coins.iter().map(|coin| identity.is_unmatched(GECKO, &coin.id, START.plus(minutes(2)))).collect::<Vec<bool>>()
    };
    assert_eq!(is_unmatched(&world), [false, true, false, false], "nothing is known about the rest");
    // Only the rest is looked up again.
    fails.store(false, SeqCst);
    world.advance(minutes(1)).await;
    assert_eq!(world.look_up(GECKO, &coins).await, ["aa", "cc"]);
    assert_eq!(world.looked_up(GECKO)[3..], ["cc,dd"]);
    assert_eq!(is_unmatched(&world), [false, true, false, true]);
}

#[tokio::test(start_paused = true)]
async fn coins_of_symbols_that_too_many_others_crowd_out_are_not_unmatched() {
    let world = World::without_start_gap();
    let names: Vec<String> = (0..32).map(|n| format!("s{n:02}")).collect();
    let coins = world.add_coins(&names.iter().map(String::as_str).collect::<Vec<_>>());
    // Every response is full.
    world.respond(GECKO, |path| {
        let first = symbols(path).split(',').next().unwrap_or_default();
        let rows: Vec<String> = (0..250).map(|n| gecko_row(&format!("{first}-{n}"), "s99")).collect();
        Ok(json(format!("[{}]", rows.join(","))))
    });
    for _ in 0..2 {
        assert_eq!(world.look_up(GECKO, &coins).await, [] as [&str; 0]);
        assert_eq!(world.request_count(GECKO), 7);
    }
    let identity = world.gateway.identity();
    let later = START.plus(minutes(11));
    assert!(!coins.iter().any(|coin| identity.is_unmatched(GECKO, &coin.id, later)));
}

#[tokio::test(start_paused = true)]
async fn coinmarketcap_finds_symbols_besides_those_that_it_rejects() {
    let world = World::without_start_gap();
    world.respond(CMC, |path| {
        let row = |(at, symbol): (usize, &str)| {
            let quote = r#"[{"symbol":"USD","price":1.5,"market_cap":5000000}]"#;
            let name = symbol.to_lowercase();
            format!(
                r#"{{"id":{},"name":"{name}","symbol":"{symbol}","slug":"{name}-{at}","quote":{quote}}}"#,
                70_000 + at
            )
        };
        let rows: Vec<String> = symbols(path).split(',').enumerate().map(row).collect();
        Ok(if symbols(path).contains("BAD") {
            Response::of(400, &[], r#"{"status":{"error_code":400,"error_message":"invalid"}}"#)
        } else {
            json(format!(r#"{{"data":[{}]}}"#, rows.join(",")))
        })
    });
    let invalid = world.add_coins(&["b.c", "币安"]);
    assert_eq!(world.look_up(CMC, &invalid).await, [] as [&str; 0]);
    assert_eq!(world.request_count(CMC), 0, "CoinMarketCap would reject them");
    let coins = world.add_coins(&["bad1", "good", "x.y"]);
    assert_eq!(world.look_up(CMC, &coins).await, ["good"]);
    assert_eq!(world.looked_up(CMC), ["BAD1,GOOD", "BAD1", "GOOD"]);
    let many: Vec<String> = (0..20).map(|n| format!("bad{n:02}")).collect();
    let many = world.add_coins(&many.iter().map(String::as_str).collect::<Vec<_>>());
    assert_eq!(world.look_up(CMC, &many).await, [] as [&str; 0]);
    assert_eq!(world.request_count(CMC), 3 + 7);
    let identity = world.gateway.identity();
    assert!(!many.iter().any(|coin| identity.is_unmatched(CMC, &coin.id, START.plus(minutes(11)))));
}

/// CoinMarketCap's list has no ranges without a key.
#[tokio::test(start_paused = true)]
async fn range_of_a_lookup_is_added_to_the_list() {
    let world = World::without_start_gap();
    let row = r#"{"id":70001,"name":"Padded","symbol":"PAD1","slug":"padded","quote":[{"symbol":"USD","price":1.5,"market_cap":5e6}]}"#;
    world.respond_with(CMC, json(format!(r#"{{"data":[{row}]}}"#)));
    let found = r#"[{"id":"padded","symbol":"pad1","name":"Padded","current_price":1.5,"market_cap":5000000,
        "high_24h":1.6,"low_24h":1.4}]"#;
    world.respond_with(GECKO, json(found));
    let range = async || {
        let list = world.coins(Tag::All).await.unwrap();
        let coin = &list.data.items[0];
        (coin.low_24h, coin.high_24h, list.provider_names().unwrap())
    };
    let none = (None, None, String::from("coinmarketcap"));
    assert_eq!(range().await, none);
    let coins = world.gateway.identity().by_symbol("PAD1");
    assert_eq!(world.look_up(GECKO, &coins).await, ["PAD1"]);
    assert_eq!(range().await, (Some(1.4), Some(1.6), String::from("coinmarketcap, coingecko")));
    assert_eq!(world.request_count(GECKO), 1, "no further request");
    // It is as old as a list that is no longer fresh.
    world.advance(minutes(11)).await;
    assert_eq!(range().await, none);
}

/// CoinMarketCap's list of Bitcoin and a coin whose id at CoinGecko must be looked up, and DefiLlama's prices of both.
fn world_with_an_unmatched_coin(is_command: bool) -> World {
    let mut settings = LiveSettings { start_gap: Duration::ZERO, is_command, ..LiveSettings::default() };
    settings.order.insert(Operation::Tagged, vec![CMC]);
    settings.order.insert(Operation::Series, vec![LLAMA]);
    settings.providers.entry(LLAMA).or_default().enabled = Some(true);
    let world = World::with(settings);
    let row = |id: u32, name: &str, price: f64, cap: f64| {
        format!(
            r#"{{"id":{id},"name":"{name}","symbol":"{name}","slug":"{name}","quote":[{{"symbol":"USD","price":{price},"market_cap":{cap}}}]}}"#
        )
    };
    let rows = [row(1, "BTC", 61_234.1, 1.2e12), row(70_001, "PAD1", 1.5, 5e6)].join(",");
    world.respond_with(CMC, json(format!(r#"{{"data":[{rows}],"status":{{"error_code":0}}}}"#)));
    respond_with_prices(&world);
    world.respond_with(GECKO, Response::of(429, &[("retry-after", "15")], "{}"));
    world
}

/// Responds with DefiLlama's prices of both coins.
fn respond_with_prices(world: &World) {
    world.respond(LLAMA, |path| {
        let coins = [("bitcoin", 61_234.1), ("pad1-coin", 1.5)];
        let requested = coins.iter().filter(|(id, _)| path.contains(&format!("coingecko:{id}")));
        let prices = requested.map(|(id, price)| {
            let point =
                |hours: i64| format!(r#"{{"timestamp":{},"price":{price}}}"#, START.millis() / 1_000 - hours * 3_600);
            format!(r#""coingecko:{id}":{{"prices":[{},{}]}}"#, point(2), point(1))
        });
        Ok(json(format!(r#"{{"coins":{{{}}}}}"#, prices.collect::<Vec<_>>().join(","))))
    });
}

/// CoinGecko was rate-limited for 15 seconds.
#[tokio::test(start_paused = true)]
async fn charts_of_coins_whose_lookup_failed_follow_soon() {
    let world = world_with_an_unmatched_coin(false);
    let stats = async || {
        let stats = world.gateway.stats(Tag::BitcoinEcosystem, &Currency::usd()).await.unwrap();
        let lines: Vec<usize> = stats.data.items.iter().map(|coin| coin.sparkline_7d.len()).collect();
        (lines, stats.notice, stats.fresh_for)
    };
    let (lines, notice, fresh_for) = stats().await;
    assert_eq!(lines, [2, 0]);
    assert_eq!(notice.as_deref(), Some("Some 7-day charts are missing: CoinGecko: rate-limited (429)"));
    assert!(fresh_for <= Duration::from_secs(15), "{fresh_for:?}");
    world.respond_with(GECKO, json(format!("[{}]", gecko_row("pad1-coin", "pad1"))));
    // The first request after that starts a refresh.
    world.advance(fresh_for + Duration::from_secs(1)).await;
    let (_, _, fresh_for) = stats().await;
    assert!(fresh_for <= Duration::from_secs(15), "{fresh_for:?}");
    world.advance(fresh_for).await;
    let (lines, notice, fresh_for) = stats().await;
    assert_eq!((lines, notice), (vec![2, 2], None));
    assert!(fresh_for > minutes(1), "{fresh_for:?}");
}

#[tokio::test(start_paused = true)]
async fn list_says_why_all_its_charts_are_missing() {
    let world = world_with_an_unmatched_coin(false);
    let stats = async || {
        let stats = world.gateway.stats(Tag::BitcoinEcosystem, &Currency::usd()).await.unwrap();
        (stats.data.items[0].sparkline_7d.len(), stats.notice, stats.fresh_for)
    };
    world.respond_with(LLAMA, Response::of(429, &[("retry-after", "40")], "{}"));
    let (points, notice, fresh_for) = stats().await;
    assert_eq!(points, 0);
    assert_eq!(notice.as_deref(), Some("No 7-day charts: DefiLlama: rate-limited (429)"));
    assert!(fresh_for <= Duration::from_secs(40), "{fresh_for:?}");
    let requests = world.request_count(LLAMA);
    stats().await;
    assert_eq!(world.request_count(LLAMA), requests, "it is paused");
    respond_with_prices(&world);
    world.advance(fresh_for + Duration::from_secs(1)).await;
    assert_eq!(stats().await.0, 2);
}

#[tokio::test(start_paused = true)]
async fn series_say_why_a_coin_could_not_be_looked_up() {
    for (is_command, again) in [(false, ""), (true, "; try again in 15 s")] {
        let world = world_with_an_unmatched_coin(is_command);
        let series = async || {
            let symbols = vec![String::from("BTC"), String::from("PAD1")];
            let query = SeriesQuery { symbols, convert: Currency::usd(), count: 42, interval: String::from("4h") };
            let response = world.gateway.series(query).await.unwrap();
            let symbols: Vec<String> = response.data.iter().map(|series| series.symbol.to_string()).collect();
            (symbols.join(" "), response.notice, response.notice_code, response.fresh_for)
        };
        world.coins(Tag::All).await.unwrap();
        world.advance(Duration::from_secs(16)).await;
        let (symbols, notice, code, fresh_for) = series().await;
        assert_eq!(symbols, "BTC");
        assert_eq!(notice, Some(format!("Can't look up PAD1 (CoinGecko: rate-limited (429)){again}")));
        assert_eq!(code, Some(NoticeCode::NoPrices { symbols: Vec::new(), failed: vec!["PAD1".into()] }));
        assert!(fresh_for <= Duration::from_secs(15), "{fresh_for:?}");
        world.respond_with(GECKO, json(format!("[{}]", gecko_row("pad1-coin", "pad1"))));
        world.advance(fresh_for + Duration::from_secs(1)).await;
        series().await;
        world.advance(Duration::from_secs(15)).await;
        let (symbols, notice, code, fresh_for) = series().await;
        assert_eq!((symbols.as_str(), notice, code), ("BTC PAD1", None, None));
        assert!(fresh_for > minutes(60), "{fresh_for:?}");
    }
}
