//! Which coins the exchanges list: by their own lists and prices.

use satscope::client::Request;
use satscope::model::ProviderName::{Binance, CoinGecko, CoinMarketCap, Okx};
use satscope::model::{Currency, Period, ProviderName, Tag, Text};

use super::fake::Fake;
use super::{Live, configure, fake, world};
use crate::cli::server::Shell;

/// The provider and the last price of a coin's chart.
async fn chart(live: &Live, slug: &str) -> (String, f64) {
    let request = Request::Chart { slug: Text::from(slug), period: Period::Week, convert: Currency::usd() };
    let reply = live.get(&request).await.unwrap();
    let Some(satscope::client::ResponseData::Chart(chart)) = &reply.response else { panic!("{reply:?}") };
    let last = chart.points.iter().rev().find_map(|point| point.price);
    (reply.provider.clone().unwrap().to_string(), last.unwrap())
}

fn count(fake: &Fake, path: &str) -> usize {
    fake.paths().iter().filter(|received| *received == path).count()
}

#[tokio::test]
async fn chart_comes_from_the_exchange_whose_price_agrees() {
    for (exchange, list, prices) in [
        (Binance, "/api/v3/exchangeInfo", "/api/v3/ticker/price"),
        (Okx, "/api/v5/public/instruments", "/api/v5/market/tickers"),
    ] {
        let server = if exchange == Binance { world::binance() } else { world::okx() };
        let (cmc, gecko) = (world::coinmarketcap(), world::coingecko());
        let live = Live::over(&[(CoinMarketCap, &cmc), (exchange, &server), (CoinGecko, &gecko)]);
        live.coins(Tag::All, 1, 200).await;
        assert_eq!(server.paths(), [""; 0], "not before a coin needs it");
        let name = exchange.as_str();
        for (slug, provider, price) in [
            ("other-2", name, 0.5),
            // Another coin of that symbol.
            ("other-3", "coingecko", 1.0 / 3.0),
            // Traded by the thousand.
            ("other-4", name, 0.25),
            // Delisted.
            ("other-5", "coingecko", 0.2),
            ("other-6", "coingecko", 1.0 / 6.0),
        ] {
            let (answered, last) = chart(&live, slug).await;
            assert_eq!(answered, provider, "{slug} on {name}");
            assert!((last / price - 1.0).abs() < 1e-6, "{slug} on {name}: {last}");
        }
        assert_eq!((count(&server, list), count(&server, prices)), (1, 1), "{name}: {:?}", server.paths());
        // ORDI is built in, but the list has no such pair.
        assert_eq!(chart(&live, "ordi").await.0, "coingecko", "{name}");
    }
}

#[tokio::test]
async fn unreadable_list_leaves_charts_to_other_providers() {
    for list in [
        fake::json(200, r#"{"symbols":[]}"#),
        fake::json(200, r#"{"symbols":[{"symbol":"O2USDT"}]}"#),
        fake::json(200, "{"),
        fake::json(500, ""),
        fake::html(403),
        fake::json(429, r#"{"code":-1003,"msg":"Too many requests."}"#),
    ] {
        let (cmc, gecko) = (world::coinmarketcap(), world::coingecko());
        let shown = format!("{list:?}");
        let binance = Fake::start(move |_| list.clone());
        let live = Live::over(&[(CoinMarketCap, &cmc), (Binance, &binance), (CoinGecko, &gecko)]);
        assert_eq!(chart(&live, "other-2").await.0, "coingecko", "{shown}");
        assert_eq!(chart(&live, "other-3").await.0, "coingecko", "{shown}");
        assert_eq!(binance.requests().len(), 1, "not queried again at once: {shown}");
    }
}

#[test]
fn corrections_override_the_exchanges_list() {
    let (cmc, gecko, binance) = (world::coinmarketcap(), world::coingecko(), world::binance());
    let shell = Shell::new();
    configure(shell.home.path(), &[("coinmarketcap", &cmc), ("coingecko", &gecko), ("binance", &binance)]);
    let file = shell.home.path().join(".config/satscope/config.toml");
    let mut text = std::fs::read_to_string(&file).unwrap();
    text.push_str(
        "[coins.other-2]\nbinance = \"\"\n[coins.other-7]\nbinance = \"1000O4USDT\"\nbinance_factor = 1000\n",
    );
    std::fs::write(&file, text).unwrap();
    let provider = |slug: &str| {
        let json = shell.run(&format!("--live chart {slug} --format json")).ok().json();
        json["provider"].as_str().unwrap().to_owned()
    };
    assert_eq!(provider("other-2"), "coingecko");
    assert_eq!(provider("other-7"), ProviderName::Binance.as_str());
    assert_eq!(binance.paths(), ["/api/v3/klines"], "the list is not needed");
    // What was found is kept for the next command.
    assert_eq!(provider("other-4"), "binance");
    let before = binance.requests().len();
    assert_eq!(provider("other-4"), "binance");
    assert_eq!(binance.requests().len(), before + 1, "{:?}", binance.paths());
}
