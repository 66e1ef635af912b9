//! Coins named by the slugs that providers use for them.

use serde_json::Value;

use super::server::{Server, Shell};

/// Our own service. XRP is `ripple` at a provider, and WAVX has the symbol of another coin as its slug there. Both are
/// `twin` at some provider.
fn service(target: &str) -> (u16, String) {
    let names = r#"[{"id":"1","name":"Bitcoin","symbol":"BTC","slug":"bitcoin","rank":1},
        {"id":"52","name":"XRP","symbol":"XRP","slug":"xrp","rank":4,"aliases":["ripple","twin"]},
        {"id":"53","name":"Wave X","symbol":"WAVX","slug":"wavx","rank":80,"aliases":["wave","twin"]},
        {"id":"54","name":"The Wave","symbol":"WAVE","slug":"the-wave","rank":900}]"#;
    let coins = [(1, "BTC", "bitcoin"), (52, "XRP", "xrp"), (53, "WAVX", "wavx"), (54, "WAVE", "the-wave")];
    let (path, query) = target.split_once('?').unwrap_or((target, ""));
    let ids = query.split('&').find_map(|part| part.strip_prefix("ids=")).unwrap_or("1").replace("%2C", ",");
    let row = |&(id, symbol, slug): &(u32, &str, &str)| {
        let is_wanted = ids.split(',').any(|wanted| wanted == id.to_string());
        let names = format!(r#""id":{id},"name":"{symbol}","symbol":"{symbol}","slug":"{slug}""#);
        is_wanted.then(|| format!(r#"{{{names},"quote":{{"USD":{{"price":0.5}}}}}}"#))
    };
    let body = match path {
        "/x/names" => String::from(names),
        "/coins" => format!(r#"{{"data":[{}]}}"#, coins.iter().filter_map(row).collect::<Vec<_>>().join(",")),
        "/exchanges" => String::from(r#"{"data":[{"exchange":"Binance","market_pair":"XRP/USDT"}]}"#),
        _ => return (404, String::from("{}")),
    };
    (200, body)
}

fn slugs(whole: &Value) -> Vec<&str> {
    whole["data"].as_array().unwrap().iter().map(|coin| coin["slug"].as_str().unwrap_or("–")).collect()
}

#[test]
fn coin_is_found_by_its_slug_at_a_provider() {
    let server = Server::start(service);
    let shell = Shell::on(&server);
    assert_eq!(slugs(&shell.run("watchlist add ripple").ok().json()), ["xrp"]);
    let added = shell.run("wallet add 5 ripple @ 0.4").ok();
    assert!(added.stdout.contains("\"xrp\""), "{}", added.stdout);
    shell.run("pairs ripple").ok();
    let targets = server.targets();
    let is_of_xrp = |target: &String| target.starts_with("/exchanges?") && target.contains("symbol=XRP");
    assert!(targets.iter().any(is_of_xrp), "{targets:?}");
}

#[test]
fn slug_at_a_provider_that_is_another_coins_symbol_is_ambiguous() {
    let server = Server::start(service);
    let run = Shell::on(&server).run("watchlist add wave");
    assert!(run.stderr.contains("wavx") && run.stderr.contains("the-wave"), "{}", run.stderr);
    run.fails(1, "several coins use wave");
}

#[test]
fn slug_of_several_coins_at_providers_names_none() {
    Shell::on(&Server::start(service)).run("watchlist add twin").fails(1, "unknown coin twin");
}
