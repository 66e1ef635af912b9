//! Consistency of charts, lists, pairs and series with any seed at any time.

use std::collections::HashSet;

use serde_json::Value;

use super::{ODD, ROUND, Service, near, number, text};

/// Seeds and times of most tests: on and off the charts' steps, another seed, the far past and future.
const WORLDS: [(u64, i64); 5] =
    [(21_000_000, ROUND), (21_000_000, ODD), (7, ODD + 86_400), (3, -5), (3, 4_102_444_807)];

/// Coins of each kind: the largest, a stablecoin, a BRC-20 token, one with a tiny price, a wrapped one.
const SLUGS: [&str; 5] = ["bitcoin", "tether", "ordi", "sats-ordinals", "wrapped-bitcoin"];

/// The best-known coins and all of the Bitcoin ecosystem.
async fn some_coins(service: &Service, code: &str) -> Vec<Value> {
    let mut coins = service.list(&format!("/coins?limit=60&convert={code}")).await;
    coins.extend(service.list(&format!("/coins?tag=bitcoin-ecosystem&limit=5000&convert={code}")).await);
    coins
}

fn prices(quotes: &Value, code: &str) -> Vec<f64> {
    quotes.as_array().unwrap().iter().map(|point| number(&point["quote"][code], "price")).collect()
}

fn find<'a>(coins: &'a [Value], slug: &str) -> &'a Value {
    coins.iter().find(|coin| coin["slug"] == slug).unwrap()
}

fn change(prices: &[f64]) -> f64 {
    (prices.last().unwrap() / prices.first().unwrap() - 1.0) * 100.0
}

#[tokio::test]
async fn chart_agrees_with_list_price_changes_and_extremes() {
    let worlds = WORLDS.into_iter().chain([(9, ROUND)]);
    for ((seed, secs), code) in worlds.zip(["USD", "EUR", "BTC"].into_iter().cycle()) {
        let service = Service::at(seed, secs);
        let coins = some_coins(&service, code).await;
        for slug in SLUGS {
            let quote = &find(&coins, slug)["quote"][code];
            let day = service.data(&format!("/chart?slug={slug}&period=1D&convert={code}")).await;
            let day = prices(&day["quotes"], code);
            assert_eq!(day.last().copied(), quote["price"].as_f64(), "{slug} {code}");
            assert!((change(&day) - number(quote, "percent_change_24h")).abs() < 1e-4, "{slug} {code}");
            let (low, high) = day.iter().fold((f64::MAX, f64::MIN), |(low, high), p| (low.min(*p), high.max(*p)));
            assert_eq!(
                (Some(low), Some(high)),
                (quote["low_24h"].as_f64(), quote["high_24h"].as_f64()),
                "{slug} {code}"
            );

            let week = service.data(&format!("/chart?slug={slug}&period=7D&convert={code}")).await;
            let week = prices(&week["quotes"], code);
            assert_eq!(week.last(), day.last());
            assert!((change(&week) - number(quote, "percent_change_7d")).abs() < 1e-4, "{slug} {code}");

            let quarter = service.data(&format!("/chart?slug={slug}&period=3M&convert={code}")).await;
            let quarter = prices(&quarter["quotes"], code);
            assert!(
                quarter
                    .iter()
                    .chain(&week)
                    .chain(&day)
                    .all(|price| { *price <= number(quote, "ath") && *price >= number(quote, "atl") })
            );
        }
    }
}

#[tokio::test]
async fn chart_times_ascend_over_the_whole_period() {
    for secs in [ROUND, ODD] {
        let service = Service::at(5, secs);
        for (period, days) in [("1D", 1), ("7D", 7), ("1M", 30), ("3M", 90)] {
            let chart = service.data(&format!("/chart?slug=ordi&period={period}")).await;
            let times: Vec<jiff::Timestamp> =
                chart["quotes"].as_array().unwrap().iter().map(|p| text(p, "timestamp").parse().unwrap()).collect();
            assert!(times.windows(2).all(|pair| pair[0] < pair[1]), "{period}");
            let now = secs.div_euclid(5) * 5;
            assert_eq!(times.last().unwrap().as_second(), now);
            assert_eq!(times.first().unwrap().as_second(), now - days * 86_400);
        }
    }
}

#[tokio::test]
async fn series_end_at_list_prices() {
    let service = Service::at(21_000_000, ODD);
    let coins = some_coins(&service, "EUR").await;
    for interval in [
        "5m", "10m", "15m", "30m", "45m", "1h", "2h", "3h", "4h", "6h", "12h", "24h", "1d", "2d", "3d", "7d", "14d",
        "15d", "30d", "60d", "90d", "365d", "hourly", "daily", "weekly", "monthly", "yearly",
    ] {
        let data = service
            .data(&format!("/market/data?symbol=btc,ORDI,nothing&convert=EUR&count=5&interval={interval}"))
            .await;
        for symbol in ["BTC", "ORDI"] {
            for series in data[symbol].as_array().unwrap() {
                let line = prices(&series["quotes"], "EUR");
                assert!((2..=5).contains(&line.len()), "{interval} {}", line.len());
                let coin = find(&coins, text(series, "slug"));
                assert_eq!(line.last().copied(), coin["quote"]["EUR"]["price"].as_f64());
            }
        }
        assert_eq!(data.as_object().unwrap().keys().collect::<Vec<_>>(), ["BTC", "ORDI"]);
    }
    let all = service.data("/market/data?symbol=ORDI&count=10000&interval=5m").await;
    assert_eq!(all["ORDI"][0]["quotes"].as_array().unwrap().len(), 10_000);
}

#[tokio::test]
async fn series_and_chart_have_same_prices() {
    let service = Service::at(8, ODD);
    let chart = service.data("/chart?slug=ordi&period=1M").await;
    let data = service.data("/market/data?symbol=ORDI&count=100&interval=1h").await;
    let series = data["ORDI"].as_array().unwrap().iter().find(|series| series["slug"] == "ordi").unwrap();
    let chart = chart["quotes"].as_array().unwrap();
    let shared = series["quotes"].as_array().unwrap().iter().filter(|point| chart.contains(point)).count();
    assert_eq!(shared, 100);
}

#[tokio::test]
async fn all_time_begins_with_the_first_quote_and_has_the_prices_of_a_year() {
    let service = Service::at(8, ODD);
    for (symbol, slug, first) in [("BTC", "bitcoin", "2010-07-13T00:00:00"), ("ORDI", "ordi", "2023-")] {
        let [mut all, mut year] = [Value::Null, Value::Null];
        for (line, count) in [(&mut all, 6_500), (&mut year, 365)] {
            let data = service.data(&format!("/market/data?symbol={symbol}&count={count}&interval=1d")).await;
            *line = find(data[symbol].as_array().unwrap(), slug)["quotes"].clone();
        }
        let (all, year) = (all.as_array().unwrap(), year.as_array().unwrap());
        assert!(text(&all[0], "timestamp").starts_with(first), "{symbol}: {}", all[0]);
        assert_eq!(year.iter().filter(|point| all.contains(point)).count(), 365, "{symbol}");
    }
}

#[tokio::test]
async fn all_time_range_is_that_of_the_charts() {
    // Up to 17 years after the first quote, the longest series has all days.
    for (seed, secs) in WORLDS.into_iter().take(3) {
        let service = Service::at(seed, secs);
        for code in ["USD", "EUR", "BTC"] {
            let coins = some_coins(&service, code).await;
            for (symbol, slug) in [("BTC", "bitcoin"), ("ORDI", "ordi"), ("USDT", "tether")] {
                let quote = &find(&coins, slug)["quote"][code];
                let path = format!("/market/data?symbol={symbol}&count=6500&interval=1d&convert={code}");
                let data = service.data(&path).await;
                let mut all = prices(&find(data[symbol].as_array().unwrap(), slug)["quotes"], code);
                for period in ["3M", "7D", "1D"] {
                    let chart = service.data(&format!("/chart?slug={slug}&period={period}&convert={code}")).await;
                    all.extend(prices(&chart["quotes"], code));
                }
                let (low, high) = all.iter().fold((f64::MAX, f64::MIN), |(low, high), p| (low.min(*p), high.max(*p)));
                assert_eq!((number(quote, "atl"), number(quote, "ath")), (low, high), "{slug} {code}");
            }
        }
    }
}

#[tokio::test]
async fn pairs_vary_around_the_price_and_sum_to_the_volume() {
    for (seed, secs) in WORLDS {
        let service = Service::at(seed, secs);
        for code in ["USD", "BTC"] {
            let coins = some_coins(&service, code).await;
            let mut counts = HashSet::new();
            let mut outliers = 0;
            for symbol in ["BTC", "USDT", "ORDI", "SATS", "SHIB", "🔥"] {
                let data = service.data(&format!("/exchanges?symbol={symbol}&convert={code}")).await;
                for entry in data.as_object().unwrap().values().flat_map(|list| list.as_array().unwrap()) {
                    let quote = &find(&coins, text(entry, "slug"))["quote"][code];
                    let pairs = entry["market_pairs"].as_array().unwrap();
                    assert!((3..=200).contains(&pairs.len()));
                    assert_eq!(entry["num_market_pairs"], pairs.len());
                    counts.insert(pairs.len());
                    let money = |pair: &Value, field: &str| number(&pair["quote"][code], field);
                    let sum: f64 = pairs.iter().map(|pair| money(pair, "volume_24h")).sum();
                    assert!(near(sum, number(quote, "volume_24h"), 1e-6), "{symbol} {code}: {sum} {quote}");
                    let shares: f64 = pairs.iter().map(|pair| number(pair, "volume_percentage")).sum();
                    assert!(near(shares, 100.0, 1e-3), "{shares}");
                    for pair in pairs {
                        let near_enough = near(money(pair, "price"), number(quote, "price"), 0.005);
                        let outlier = pair["outlier_detected"] == 1;
                        assert_ne!(near_enough, outlier, "{pair}");
                        outliers += usize::from(outlier);
                    }
                    let names: HashSet<(&str, &str)> =
                        pairs.iter().map(|pair| (text(&pair["exchange"], "name"), text(pair, "market_pair"))).collect();
                    assert_eq!(names.len(), pairs.len(), "each pair is listed once per exchange");
                    assert!(pairs.iter().all(|pair| {
                        text(&pair["market_pair_base"], "currency_symbol")
                            != text(&pair["market_pair_quote"], "currency_symbol")
                    }));
                }
            }
            assert!(counts.len() > 3 && outliers > 0, "{counts:?} {outliers}");
        }
    }
}

#[tokio::test]
async fn ranks_follow_market_cap() {
    for (seed, secs) in [(21_000_000, ODD), (3, -5)] {
        let service = Service::at(seed, secs);
        let coins = service.list("/coins?tag=all&limit=5000").await;
        let mut last = (0, f64::MAX);
        for coin in &coins {
            let quote = &coin["quote"]["USD"];
            match coin["cmc_rank"].as_u64() {
                Some(rank) => {
                    let cap = number(quote, "market_cap");
                    assert!(near(cap, number(quote, "price") * number(coin, "circulating_supply"), 1e-6));
                    assert!(rank == last.0 + 1 && cap <= last.1 * (1.0 + 1e-6), "{rank} after {}", last.0);
                    last = (rank, cap);
                }
                None => {
                    assert!(quote["market_cap"].is_null() && coin["circulating_supply"].is_null());
                    last.0 = u64::MAX - 1;
                }
            }
        }
        assert!(coins.iter().any(|coin| coin["cmc_rank"].is_null()));
        assert!(coins.iter().any(|coin| coin["quote"]["USD"]["percent_change_24h"].is_null()));
        assert!(coins.iter().any(|coin| coin["max_supply"].is_null()));
    }
}

#[tokio::test]
async fn sparkline_agrees_with_price_and_chart() {
    for (seed, secs) in [(1, ROUND), (1, ODD)] {
        let service = Service::at(seed, secs);
        for code in ["USD", "JPY", "BTC"] {
            let stats = service.list(&format!("/coins/stats?tag=brc-20&convert={code}")).await;
            assert_eq!(stats.len(), 60);
            for slug in ["ordi", "sats-ordinals"] {
                let coin = find(&stats, slug);
                let quote = &coin["quote"][code];
                let line: Vec<f64> =
                    coin["sparkline_7d"].as_array().unwrap().iter().map(|price| price.as_f64().unwrap()).collect();
                assert!((150..=168).contains(&line.len()), "{}", line.len());
                assert!(near(*line.last().unwrap(), number(quote, "price"), 1e-4));
                let chart = service.data(&format!("/chart?slug={slug}&period=7D&convert={code}")).await;
                let chart = prices(&chart["quotes"], code);
                assert!(line.iter().all(|price| chart.iter().any(|other| near(*price, *other, 1e-4))), "{slug} {code}");
            }
        }
        let coins = service.list("/coins?limit=50").await;
        assert!(coins.iter().all(|coin| coin["sparkline_7d"].as_array().unwrap().len() > 40));
    }
}

#[tokio::test]
async fn other_currencies_have_consistent_prices() {
    let service = Service::at(2, ODD);
    let dollars = service.list("/coins?limit=150").await;
    for code in ["EUR", "GBP", "JPY", "CNY", "KRW", "INR", "CHF", "CAD", "AUD", "BRL", "BTC"] {
        let other = service.list(&format!("/coins?limit=150&convert={}", code.to_lowercase())).await;
        let rate = number(&other[0]["quote"][code], "price") / number(&dollars[0]["quote"]["USD"], "price");
        for (a, b) in other.iter().zip(&dollars) {
            let (a, b) = (&a["quote"][code], &b["quote"]["USD"]);
            for field in ["price", "volume_24h", "market_cap"] {
                if !b[field].is_null() {
                    assert!(near(number(a, field), number(b, field) * rate, 1e-5), "{code} {field} {a} {b}");
                }
            }
        }
    }
    let in_bitcoin = service.list("/coins?limit=1&convert=BTC").await;
    assert_eq!(number(&in_bitcoin[0]["quote"]["BTC"], "price"), 1.0);
    assert_eq!(number(&in_bitcoin[0]["quote"]["BTC"], "percent_change_7d"), 0.0);
    let chart = service.data("/chart?slug=bitcoin&period=7D&convert=BTC").await;
    assert!(prices(&chart["quotes"], "BTC").iter().all(|price| *price == 1.0));
}

#[tokio::test]
async fn prices_change_every_few_seconds_and_volumes_slowly() {
    let now = Service::at(6, ROUND);
    let later = Service::at(6, ROUND + 5);
    let (a, b) = (now.list("/coins?limit=100").await, later.list("/coins?limit=100").await);
    let mut moved = 0;
    for coin in &a {
        let other = find(&b, text(coin, "slug"));
        let (x, y) = (&coin["quote"]["USD"], &other["quote"]["USD"]);
        moved += usize::from(x["price"] != y["price"]);
        assert!(near(number(x, "price"), number(y, "price"), 0.01));
        assert!(near(number(x, "volume_24h"), number(y, "volume_24h"), 0.01));
        assert_eq!((&x["ath"], &x["atl"]), (&y["ath"], &y["atl"]), "all-time high and low are constant");
    }
    assert!(moved > 90, "{moved}");
    let stable = find(&a, "tether");
    assert!(near(number(&stable["quote"]["USD"], "price"), 1.0, 0.01));
}

#[tokio::test]
async fn market_pages_have_no_gaps() {
    let service = Service::at(4, ODD);
    for tag in ["all", "brc-20", "bitcoin-ecosystem"] {
        let whole = service.list(&format!("/coins?tag={tag}&limit=5000")).await;
        let total = service.get(&format!("/coins?tag={tag}&limit=1")).await.json();
        assert_eq!(total["status"]["total_count"].as_u64(), Some(whole.len() as u64));
        let mut joined = Vec::new();
        while joined.len() < whole.len() {
            let page = service.list(&format!("/coins?tag={tag}&start={}&limit=97", joined.len() + 1)).await;
            assert!(!page.is_empty() && page.len() <= 97);
            joined.extend(page);
        }
        assert!(joined == whole, "{tag}");
        assert!(service.list(&format!("/coins?tag={tag}&start={}", whole.len() + 1)).await.is_empty());
    }
}

#[tokio::test]
async fn lists_have_documented_length_and_tags() {
    let service = Service::at(4, ODD);
    let all = service.list("/coins?limit=5000").await;
    assert!(all.len() >= 1_200);
    assert_eq!(service.list("/coins").await.len(), 100);
    let ids: HashSet<u64> = all.iter().map(|coin| coin["id"].as_u64().unwrap()).collect();
    assert_eq!(ids.len(), all.len());
    for (tag, least) in [("brc-20", 60), ("bitcoin-ecosystem", 120)] {
        let list = service.list(&format!("/coins?tag={tag}&limit=5000")).await;
        assert!(list.len() >= least);
        assert!(list.iter().all(|coin| coin["tags"].as_array().unwrap().contains(&Value::from(tag))));
        assert!(list.iter().all(|coin| all.contains(coin)), "the same coins with the same numbers");
    }
    assert!(all.iter().any(|coin| !coin["urls"]["website"].as_array().unwrap().is_empty()));
    assert!(all.iter().any(|coin| !coin["contract_address"].as_array().unwrap().is_empty()));
}

#[tokio::test]
async fn shared_symbol_returns_all_its_coins() {
    let service = Service::at(4, ODD);
    let data = service.data("/exchanges?symbol=pepe").await;
    let slugs: Vec<&str> = data["PEPE"].as_array().unwrap().iter().map(|coin| text(coin, "slug")).collect();
    assert!(slugs.contains(&"pepe") && slugs.contains(&"pepebrc"), "{slugs:?}");
}

#[tokio::test]
async fn brc20_coin_matches_indexer_token() {
    let service = Service::at(4, ODD);
    let coins = service.list("/coins?tag=brc-20&limit=60").await;
    let tokens = service.get("/ordinals/brc-20/tokens?limit=60").await.json();
    let tokens = tokens["results"].as_array().unwrap();
    assert_eq!(tokens.len(), 60);
    for token in tokens {
        let named = |coin: &&Value| coin["contract_address"][0]["contract_address"] == token["id"];
        let coin = coins.iter().find(named).unwrap_or_else(|| panic!("{token}"));
        let minted: f64 = text(token, "minted_supply").parse().unwrap();
        assert!(near(number(coin, "circulating_supply"), minted, 1e-9), "{token}");
    }
}

#[tokio::test]
async fn historical_rates_begin_when_real_ones_do() {
    let service = Service::at(4, ODD);
    // No year has a 30 February.
    let path = "/x/rates?dates=1990-01-02,2011-02-30,1999-01-04,2010-07-12,2010-07-13,2025-03-02&from=EUR,BTC&to=USD";
    let rates = service.get(path).await.json();
    let known: Vec<String> =
        rates.as_array().unwrap().iter().map(|rate| format!("{} {}", text(rate, "date"), text(rate, "from"))).collect();
    assert_eq!(
        known,
        ["1999-01-04 EUR", "2010-07-12 EUR", "2010-07-13 BTC", "2010-07-13 EUR", "2025-03-02 BTC", "2025-03-02 EUR"]
    );
}
