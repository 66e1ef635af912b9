//! Answers with rows that nobody foresaw: the others are used.

use satscope::model::ProviderName::{
    self, Binance, CoinGecko, CoinMarketCap, CoinPaprika, DefiLlama, Frankfurter, Mempool, Okx,
};

use super::fake::{Fake, FakeResponse, json};
use super::{Live, world};

/// Rows that no list should contain.
const ODD_ROWS: &str = r#"null,{},[],"x",1e400,{"id":null},{"id":1e400,"price":"1e400"},{"rank":-1,"rate":-1}"#;

/// Puts odd rows before those of the list after `open` in the responses at a path.
fn add_odd_rows(fake: &Fake, path: &'static str, open: &'static str) {
    fake.edit(move |request, response| {
        if !request.path.starts_with(path) {
            return response;
        }
        let before = String::from_utf8(response.body).unwrap();
        let body = before.replacen(open, &format!("{open}{ODD_ROWS},"), 1);
        assert_ne!(body, before);
        FakeResponse { body: body.into_bytes(), ..response }
    });
}

#[tokio::test]
async fn unreadable_rows_of_a_list_do_not_hide_the_others() {
    type Start = fn() -> Fake;
    /// Its servers, the request, the edited server, and the path and the start of its list.
    type Case<'a> = (&'a [(ProviderName, Start)], &'a str, usize, &'static str, &'static str);
    let names = "/x/names";
    let series = "/market/data?symbol=ORDI&interval=1h&count=24";
    // No listing of it is built in.
    let listed = "/market/data?symbol=O2&interval=1h&count=24";
    let euros = "/coins?tag=brc-20&limit=3&convert=EUR";
    let cases: [Case<'_>; 11] = [
        (&[(CoinMarketCap, world::coinmarketcap)], names, 0, "/v1/cryptocurrency/map", "\"data\":["),
        (&[(CoinGecko, world::coingecko)], names, 0, "/coins/list", "["),
        (&[(CoinPaprika, world::coinpaprika)], names, 0, "/coins", "["),
        (&[(CoinMarketCap, world::coinmarketcap)], "/coins?limit=3", 0, "/v3/cryptocurrency/listings", "\"data\":["),
        (
            &[(CoinMarketCap, world::coinmarketcap)],
            "/coins?tag=brc-20",
            0,
            "/v1/cryptocurrency/categories",
            "\"data\":[",
        ),
        (&[(CoinGecko, world::coingecko)], "/coins?tag=brc-20", 0, "/coins/markets", "["),
        (&[(CoinPaprika, world::coinpaprika)], "/coins?limit=3", 0, "/tickers", "["),
        (&[(CoinGecko, world::coingecko), (Frankfurter, world::frankfurter)], euros, 1, "/v2/rates", "["),
        (&[(CoinGecko, world::coingecko), (DefiLlama, world::defillama)], series, 1, "/chart/", "\"prices\":["),
        (&[(CoinMarketCap, world::coinmarketcap), (Binance, world::binance)], listed, 1, "/api/v3/exchangeInfo", "["),
        (&[(CoinMarketCap, world::coinmarketcap), (Okx, world::okx)], listed, 1, "/api/v5/public/", "\"data\":["),
    ];
    for (providers, service_path, edited, path, open) in cases {
        let mut answers = Vec::new();
        for is_odd in [false, true] {
            let fakes: Vec<Fake> = providers.iter().map(|(_, start)| start()).collect();
            if is_odd {
                add_odd_rows(&fakes[edited], path, open);
            }
            let names = providers.iter().map(|(name, _)| *name);
            let live = Live::over(&names.zip(&fakes).collect::<Vec<_>>());
            let (status, provider, body) = live.raw(service_path).await;
            assert_eq!(status, 200, "{providers:?} {service_path}: {body}");
            answers.push((provider, body["data"].clone()));
            assert!(fakes[edited].paths().iter().any(|requested| requested.starts_with(path)), "{path} is requested");
        }
        assert!(answers[0] == answers[1], "{service_path} {path}: {} and {}", answers[0].1, answers[1].1);
    }
}

#[tokio::test]
async fn error_with_a_code_as_text_is_recognised() {
    // The message has another type than it should.
    let coded =
        |code: &str| format!(r#"{{"status":{{"error_code":{code},"error_message":{{"en":"slow down"}}}},"data":[]}}"#);
    for code in ["429", "\"429\""] {
        for (name, fake) in [(CoinMarketCap, world::coinmarketcap()), (CoinGecko, world::coingecko())] {
            fake.respond_with(json(200, coded(code)));
            let live = Live::over(&[(name, &fake)]);
            let path = if name == CoinGecko { "/coins?tag=brc-20" } else { "/coins?limit=1" };
            let (status, _, body) = live.raw(path).await;
            assert_eq!(status, 503, "{body}");
            let (_, _, sources) = live.raw("/x/sources").await;
            assert!(sources.to_string().contains("429"), "{name} {code}: {sources}");
        }
    }
}

#[tokio::test]
async fn invalid_block_height_is_rejected() {
    for body in ["", "-1", "1e400", "923105.5", "99999999999999999999", "50000001", "null", "{}", "<html>"] {
        let mempool = Fake::start(move |_| json(200, body));
        let live = Live::over(&[(Mempool, &mempool)]);
        let (status, _, answer) = live.raw("/x/chain").await;
        assert_eq!(status, 503, "{body}: {answer}");
    }
}
