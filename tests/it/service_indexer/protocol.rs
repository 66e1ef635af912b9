//! The whole group: status, pagination, errors, caching, base paths, determinism.

use std::collections::BTreeSet;

use satscope::service::{Options, TimeSource, start};
use serde_json::json;

use super::*;

#[test]
fn indexer_status_has_block_height() {
    for path in ["/ordinals", "/ordinals/", "/ordinals/v1", "/ordinals/v1/"] {
        let status = get(path).json();
        assert_eq!(
            keys(&status),
            ["block_height", "max_cursed_inscription_number", "max_inscription_number", "server_version", "status"]
        );
        assert_eq!(status["status"], "ready");
        assert!(number(&status, "max_cursed_inscription_number") < 0);
        assert!(number(&status, "max_inscription_number") > 100_000_000);
        // Ten minutes per block since the halving of 2024.
        assert!((number(&status, "block_height") - 975_979).abs() < 3, "{status}");
    }
}

#[test]
fn indexer_pages_have_no_gaps_or_repeats() {
    for path in
        ["/brc-20/activity?ticker=sats", "/brc-20/tokens/ordi/holders?", "/inscriptions?rarity=rare&rarity=epic"]
    {
        let whole = all(path.trim_end_matches('?'));
        let mut parts = Vec::new();
        for offset in (0..whole.len()).step_by(7) {
            let page = ok(&format!("{path}&limit=7&offset={offset}"));
            assert_eq!(page["total"], whole.len());
            parts.extend(page["results"].as_array().unwrap().clone());
        }
        assert_eq!(parts, whole, "{path}");
    }
    let past = ok("/brc-20/tokens?offset=60");
    assert_eq!(past, json!({"limit": 20, "offset": 60, "total": 0, "results": []}));
    assert_eq!(ok("/brc-20/activity?offset=999999999999")["total"], 0);
    assert_eq!(ok("/brc-20/tokens/ordi/holders?offset=99")["total"], 0);
}

#[test]
fn invalid_parameter_is_named() {
    for (path, message) in [
        ("/brc-20/tokens?limit=61", "querystring/limit must be <= 60"),
        ("/brc-20/tokens?limit=0", "querystring/limit must be >= 1"),
        ("/brc-20/activity?limit=-5", "querystring/limit must be >= 1"),
        ("/brc-20/activity?offset=-1", "querystring/offset must be >= 0"),
        ("/brc-20/tokens/ordi/holders?limit=ten", "querystring/limit must be integer"),
        ("/brc-20/balances/x?limit=99999999999999999999", "querystring/limit must be <= 60"),
        ("/brc-20/tokens?limit=1&limit=2", "querystring/limit must be integer"),
        ("/brc-20/tokens?order_by=name", "querystring/order_by must be equal to one of the allowed values"),
        (
            "/brc-20/activity?operation=transfer_receive",
            "querystring/operation/0 must be equal to one of the allowed values",
        ),
        ("/brc-20/activity?block_height=-1", "querystring/block_height must match pattern \"^[0-9]+$\""),
        ("/inscriptions?limit=1.5", "querystring/limit must be integer"),
        ("/inscriptions?cursed=maybe", "querystring/cursed must be boolean"),
        ("/inscriptions?number=1&number=x", "querystring/number/1 must be integer"),
        ("/inscriptions?rarity=shiny", "querystring/rarity/0 must be equal to one of the allowed values"),
        ("/inscriptions/transfers", "querystring must have required property 'block'"),
    ] {
        let response = get(&format!("/ordinals{path}"));
        assert_eq!((response.status, response.header("cache-control")), (400, Some("no-store")), "{path}");
        assert_eq!(response.json(), json!({"statusCode": 400, "error": "Bad Request", "message": message}), "{path}");
    }
    assert_eq!(get("/ordinals/inscriptions/nonsense").status, 400);
    assert_eq!(ok("/brc-20/tokens?limit=60&unknown=1")["limit"], 60);
}

#[test]
fn unknown_route_is_404() {
    for (method, path) in [
        ("GET", "/ordinals/x"),
        ("GET", "/ordinals/v1/x/y?z=1"),
        ("GET", "/ordinals/brc-20"),
        ("POST", "/ordinals/nothing"),
    ] {
        let response = send(SERVICE.address(), method, path, "content-length: 0\r\n");
        let headers = ["allow", "cache-control"].map(|name| response.header(name));
        assert_eq!((response.status, headers), (404, [None, Some("no-store")]));
        let message = format!("Route {method}:{path} not found");
        assert_eq!(response.json(), json!({"message": message, "error": "Not Found", "statusCode": 404}));
    }
    for method in ["POST", "DELETE", "TRACE"] {
        let response = send(SERVICE.address(), method, "/ordinals/brc-20/tokens", "content-length: 0\r\n");
        let headers = ["allow", "cache-control"].map(|name| response.header(name));
        assert_eq!((response.status, headers), (405, [Some("GET,HEAD"), Some("no-store")]));
        let message = format!("Method {method} not allowed; use GET");
        assert_eq!(response.json(), json!({"message": message, "error": "Method Not Allowed", "statusCode": 405}));
    }
    for path in ["/ordinals/brc-20/tokens/%ZZ", "/ordinals/brc-20/balances/a%4", "/ordinals/brc-20/tokens/%FF/holders"]
    {
        let response = get(path);
        assert_eq!(response.status, 400);
        let message = format!("'{path}' is not a valid url component");
        assert_eq!(response.json(), json!({"error": "Bad Request", "message": message, "statusCode": 400}));
    }
}

#[test]
fn indexer_responses_share_one_etag() {
    let paths = [
        "/",
        "/brc-20/tokens",
        "/brc-20/tokens/ordi",
        "/brc-20/activity?ticker=ordi",
        "/brc-20/balances/x",
        "/inscriptions",
        "/inscriptions/0",
        "/stats/inscriptions",
    ];
    let tags: BTreeSet<String> = paths
        .iter()
        .map(|path| {
            let response = get(&format!("/ordinals{path}"));
            assert_eq!(response.header("cache-control"), Some(REVALIDATE), "{path}");
            response.header("etag").unwrap().to_owned()
        })
        .collect();
    assert_eq!(tags.len(), 1);
    let tag = tags.first().unwrap();
    // The compressed body has it, too.
    let opaque = tag.strip_prefix("W/").unwrap();
    assert!(opaque.starts_with('"') && opaque.trim_matches('"').parse::<u64>().is_ok(), "{tag}");
    for named in [tag.clone(), opaque.to_owned(), format!("\"other\", {tag}")] {
        let headers = format!("if-none-match: {named}\r\n");
        let response = send(SERVICE.address(), "GET", "/ordinals/brc-20/tokens", &headers);
        assert_eq!((response.status, response.body.len()), (304, 0));
        assert_eq!(response.header("etag"), Some(tag.as_str()));
    }
    let other = send(SERVICE.address(), "GET", "/ordinals/brc-20/tokens", "if-none-match: \"1\"\r\n");
    assert_eq!(other.status, 200);
    let sat = send(SERVICE.address(), "GET", "/ordinals/sats/5", &format!("if-none-match: {tag}\r\n"));
    assert_eq!((sat.status, sat.header("etag"), sat.header("cache-control")), (200, None, None));
}

#[test]
fn both_base_paths_serve_the_same() {
    for path in ["/brc-20/tokens", "/brc-20/tokens/a%2Fb%3F", "/sats/0", "/inscriptions?limit=3", "/stats/inscriptions"]
    {
        assert_eq!(get(&format!("/ordinals/v1{path}")).body, get(&format!("/ordinals{path}")).body, "{path}");
    }
}

#[test]
fn same_seed_and_time_give_same_bytes() {
    let again = service_at(TimeSource::fixed(NOW));
    let other = start(Options { seed: 8, time: TimeSource::fixed(NOW), ..Options::default() }).unwrap();
    for path in ["/brc-20/tokens", "/brc-20/activity?limit=60", "/inscriptions", "/stats/inscriptions"] {
        let path = format!("/ordinals{path}");
        let expected = get(&path).body;
        assert_eq!(send(again.address(), "GET", &path, "").body, expected, "{path}");
        assert_ne!(send(other.address(), "GET", &path, "").body, expected, "{path}");
    }
}

#[test]
fn past_blocks_do_not_change() {
    let hour = std::time::Duration::from_secs(3600);
    let later = service_at(TimeSource::fixed(NOW.plus(hour)));
    let ask_later = |path: &str| send(later.address(), "GET", &format!("/ordinals{path}"), "");
    assert_ne!(get("/ordinals/").header("etag"), ask_later("/").header("etag"));
    let tip = number(&ok("/"), "block_height");
    let grown = number(&ask_later("/").json(), "block_height") - tip;
    assert!((5..=7).contains(&grown), "{grown} blocks in an hour");
    for height in tip - 5..=tip {
        let path = format!("/brc-20/activity?block_height={height}");
        assert_eq!(ask_later(&path).json(), ok(&path));
    }
    let newest = ok("/inscriptions?limit=1")["results"][0].clone();
    let same = ask_later(&format!("/inscriptions/{}", text(&newest, "id"))).json();
    assert_eq!(same["genesis_tx_id"], newest["genesis_tx_id"]);
    let next = ask_later("/inscriptions?limit=1").json()["results"][0].clone();
    assert_eq!(get(&format!("/ordinals/inscriptions/{}", text(&next, "id"))).status, 404, "not inscribed yet");
}

#[test]
fn openapi_covers_every_path() {
    let document = get("/openapi.json").json();
    let paths = document["paths"].as_object().unwrap();
    let ours: Vec<&String> = paths.keys().filter(|path| path.starts_with("/ordinals")).collect();
    assert_eq!(ours.len(), 14);
    for path in ours {
        let target =
            path.replace("{ticker}", "ordi").replace("{ordinal}", "5").replace("{address}", "x").replace("{id}", "0");
        let block = if target.ends_with("inscriptions/transfers") { "?block=970000" } else { "" };
        assert_eq!(get(&format!("{target}{block}")).status, 200, "{path}");
        let operation = &paths[path]["get"];
        assert!(operation["operationId"].is_string() && operation["responses"]["200"].is_object(), "{path}");
    }
    for operation in ["getBrc20Tokens", "getBrc20TokenDetails", "getBrc20TokenHolders", "getBrc20Balances"] {
        assert!(document.to_string().contains(operation));
    }
    let token = &document["components"]["schemas"]["Token"];
    let described: BTreeSet<&String> = token["properties"].as_object().unwrap().keys().collect();
    let served = ok("/brc-20/tokens/ordi");
    assert_eq!(described, served["token"].as_object().unwrap().keys().collect());
    assert_eq!(token["required"].as_array().unwrap().len(), described.len());
}
