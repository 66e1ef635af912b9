//! `satscope market` with slugs, and with coins that have no prices or old ones.

use satscope::model::UtcTime;
use serde_json::{Value, json};

use super::fake::{Fake, ReceivedRequest, json as respond};
use super::{configure, world};
use crate::cli::server::Shell;

/// CoinMarketCap, CoinGecko, DefiLlama, and a home with them.
struct World {
    cmc: Fake,
    gecko: Fake,
    llama: Fake,
    shell: Shell,
}

impl World {
    /// DefiLlama has prices of the coins with these ids at CoinGecko until so many days before now, by the program's
    /// clock.
    fn new(prices: &'static [(&'static str, i64)]) -> World {
        let llama = Fake::start(move |request| {
            let keys = request.path.trim_start_matches("/chart/").split(',');
            let (start, span) = (request.number("start", 0) as i64, request.number("span", 0) as i64);
            let found = keys.filter_map(|key| {
                let (id, days) = prices.iter().find(|(id, _)| key == format!("coingecko:{id}"))?;
                let price = world::coins().iter().find(|coin| coin.gecko == *id)?.price;
                let time = |n: i64| start + (n - days) * 86_400;
                let points: Vec<Value> = (0..span).map(|n| json!({"timestamp": time(n), "price": price})).collect();
                Some((key.to_owned(), json!({"symbol": "", "confidence": 0.99, "prices": points})))
            });
            respond(200, json!({"coins": found.collect::<serde_json::Map<_, _>>()}).to_string())
        });
        let (cmc, gecko, shell) = (world::coinmarketcap(), world::coingecko_at(UtcTime::now().secs()), Shell::new());
        configure(shell.home.path(), &[("coinmarketcap", &cmc), ("coingecko", &gecko), ("defillama", &llama)]);
        World { cmc, gecko, llama, shell }
    }

    fn requests(&self) -> Vec<ReceivedRequest> {
        [self.cmc.requests(), self.gecko.requests(), self.llama.requests()].concat()
    }
}

/// The slugs that `market` prints, and the sorted paths of its requests.
fn market(names: &str) -> (Vec<Value>, Vec<String>) {
    let world = World::new(&[("bitcoin", 0), ("ordinals", 0)]);
    let found = slugs(&world.shell.run(&format!("--live market {names} --count 2 --interval 1d")).ok().json());
    let mut paths: Vec<String> = world.requests().into_iter().map(|request| request.path).collect();
    paths.sort();
    (found, paths)
}

fn slugs(whole: &Value) -> Vec<Value> {
    whole["data"].as_array().unwrap().iter().map(|series| series["slug"].clone()).collect()
}

#[test]
fn built_in_slug_costs_no_more_requests_than_its_symbol() {
    let (found, requests) = market("bitcoin");
    assert_eq!((found, &requests), (vec![json!("bitcoin")], &market("BTC").1));
    // With a symbol, too.
    let (found, requests) = market("ordi bitcoin");
    assert_eq!((found, requests), (vec![json!("ordi"), json!("bitcoin")], market("ORDI BTC").1));
}

#[test]
fn slug_is_found_by_its_name_and_then_known() {
    let world = World::new(&[("other-5", 0)]);
    let (requests, shell) = (|| world.requests(), &world.shell);
    let is_lookup = |line: String| ["symbol=other-5", "symbols=other-5"].iter().any(|part| line.contains(part));
    let is_looked_up = || requests().iter().any(|request| is_lookup(request.line().to_lowercase()));
    for is_known in [false, true] {
        let before = requests().len();
        let whole = shell.run("--live market other-5 --count 2 --interval 1d").ok().json();
        assert_eq!(slugs(&whole), ["other-5"]);
        let all = requests();
        assert!(!is_looked_up(), "{all:?}");
        let has_list = all[before..].iter().any(|request| request.path.ends_with("/list"));
        assert!(!is_known || !has_list, "{all:?}");
    }
    // Capitals are a symbol.
    shell.run("--live market OTHER-5 --count 2 --interval 1d");
    assert!(is_looked_up(), "{:?}", requests());
}

#[test]
fn coins_with_prices_are_printed_although_others_have_none() {
    let World { shell, .. } = &World::new(&[("bitcoin", 0)]);
    let run = shell.run("--live market BTC other-5 other-6 --count 2 --interval 1d --format csv");
    assert_eq!((run.status, run.stderr.as_str()), (1, "satscope: no prices for other-5, other-6\n"));
    assert!(run.stdout.lines().nth(1).is_some_and(|row| row.contains("bitcoin")), "{}", run.stdout);
    let whole = shell.run("--live market BTC other-5 other-6 --count 2 --interval 1d --format json").json();
    assert_eq!(
        (slugs(&whole), &whole["warnings"]),
        (vec![json!("bitcoin")], &json!(["no prices for other-5, other-6"]))
    );
}

#[test]
fn series_whose_prices_ended_days_ago_has_a_warning() {
    let World { shell, .. } = &World::new(&[("bitcoin", 0), ("ordinals", 5)]);
    for names in ["ORDI", "BTC ORDI"] {
        let market = format!("--live market {names} --count 30 --interval 1d");
        let whole = shell.run(&format!("{market} --format json")).ok().json();
        let series = whole["data"].as_array().unwrap().iter().find(|series| series["symbol"] == "ORDI").unwrap();
        let last = series["points"].as_array().and_then(|points| points.last()).unwrap()["time"].as_str().unwrap();
        assert_eq!(whole["warnings"], json!([format!("no ORDI prices since {last}")]), "{names}");
        let csv = shell.run(&format!("{market} --format csv"));
        let warns =
            csv.stderr.starts_with("satscope: warning: no ORDI prices since ") && csv.stderr.lines().count() == 1;
        assert_eq!((csv.status, warns), (0, true), "{names}: {}", csv.stderr);
    }
}
