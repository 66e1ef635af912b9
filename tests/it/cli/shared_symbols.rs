//! `posts` and `pairs` of coins that share their symbol.

use std::sync::atomic::{AtomicUsize, Ordering};

use serde_json::json;

use super::server::{Server, Shell};

#[test]
fn slug_of_a_shared_symbol_selects_its_posts() {
    let shell = Shell::new();
    let notice = |symbol: &str, slugs: &str| {
        let advice = "to select one, use its slug";
        json!([format!("2 coins use {symbol} ({slugs}); showing posts about all of them ({advice})")])
    };
    assert_eq!(shell.run("--demo posts PEPE").ok().json()["warnings"], notice("PEPE", "pepe, pepebrc"));
    let posts = shell.run("--demo posts pepe").ok().json();
    assert_eq!(posts["warnings"], json!([]));
    let source = posts["source"].as_str().unwrap();
    assert!(source.contains("symbol=PEPE&slug=pepe"), "{source}");
    // No coin has this slug.
    assert_eq!(
        shell.run("--demo posts wzrd").ok().json()["warnings"],
        notice("WZRD", "magic-internet-wizard, wzrd-brc-20")
    );
}

/// The exchange of the first pair, and the number of warnings.
fn first_pair(shell: &Shell, name: &str) -> (String, usize) {
    let pairs = shell.run(&format!("pairs {name}")).ok().json();
    (pairs["data"][0]["exchange"].as_str().unwrap().to_owned(), pairs["warnings"].as_array().unwrap().len())
}

/// The pairs of two coins called PEPE, from a service other than ours.
fn pairs_of_two() -> String {
    let coin = |slug: &str| {
        let pair = format!(r#"{{"exchange":"{slug}","market_pair":"PEPE/USDT"}}"#);
        format!(r#"{{"name":"{slug}","slug":"{slug}","market_pairs":[{pair}]}}"#)
    };
    format!(r#"{{"data":{{"PEPE":[{},{}]}}}}"#, coin("pepebrc"), coin("pepe"))
}

#[test]
fn failed_request_of_the_slug_is_an_error() {
    // The service ignores the slug, so both requests are the same.
    let requests = AtomicUsize::new(0);
    let respond = move |_: &str| match requests.fetch_add(1, Ordering::Relaxed) {
        0 => (200, pairs_of_two()),
        _ => (500, String::from("{}")),
    };
    let server = Server::start(respond);
    Shell::on(&server).run("pairs pepe").fails(1, "500");
}

#[test]
fn slug_of_a_shared_symbol_selects_its_pairs_of_all_in_the_response() {
    let server = Server::start(|_| (200, pairs_of_two()));
    let shell = Shell::on(&server);
    for (name, exchange, warnings, requests) in [
        ("pepe", "pepe", 0, 2),
        ("PEPE", "pepebrc", 1, 1),
        // Only capitals are certain to be a symbol.
        ("Pepe", "pepebrc", 1, 1),
    ] {
        let before = server.targets().len();
        assert_eq!(first_pair(&shell, name), (exchange.to_owned(), warnings), "{name}");
        assert_eq!(server.targets().len() - before, requests, "{name}");
    }
    assert_eq!(Shell::new().run("--demo pairs pepe").ok().json()["warnings"], json!([]));
    assert_eq!(Shell::new().run("--demo pairs wzrd").ok().json()["warnings"].as_array().unwrap().len(), 1);
}

/// Our own service, with two coins called PEPE.
fn own_service(target: &str) -> (u16, String) {
    let names = r#"[{"id":"1","name":"Pepe","symbol":"PEPE","slug":"pepe","rank":30},
        {"id":"2","name":"Pepe (Ordinals)","symbol":"PEPE","slug":"pepebrc","rank":900}]"#;
    let name = if target.contains("slug=pepe") { "selected" } else { "first" };
    let body = match target.split('?').next().unwrap() {
        "/x/names" => String::from(names),
        "/content" => format!(r#"{{"data":{{"list":[{{"post_id":"1","text_content":"{name}"}}]}}}}"#),
        "/exchanges" => format!(r#"{{"data":[{{"exchange":"{name}","market_pair":"PEPE/USDT"}}]}}"#),
        _ => return (404, String::from("{}")),
    };
    (200, body)
}

#[test]
fn slug_is_requested_if_the_service_shows_another_coin_of_the_symbol() {
    for (notice, command, is_selected) in [
        ("x-satscope-notice: 2 coins\r\nx-satscope-notice-code: shared-symbol; slugs=pepebrc\r\n", "pepe", true),
        ("x-satscope-notice: 2 coins\r\nx-satscope-notice-code: shared-symbol; slugs=pepe\r\n", "pepe", false),
        ("x-satscope-notice: 2 coins\r\nx-satscope-notice-code: shared-symbol; slugs=pepebrc\r\n", "PEPE", false),
    ] {
        for (operation, path) in [("pairs", "/exchanges?"), ("posts", "/content?")] {
            let server = Server::with_headers(notice, own_service);
            Shell::on(&server).run(&format!("{operation} {command}")).ok();
            let targets: Vec<String> = server.targets().into_iter().filter(|target| target.starts_with(path)).collect();
            let has_slug: Vec<bool> = targets.iter().map(|target| target.contains("symbol=PEPE&slug=pepe")).collect();
            let expected: &[bool] = if is_selected { &[false, true] } else { &[false] };
            assert_eq!(has_slug, expected, "{operation} {command}, {notice}: {targets:?}");
        }
    }
}
