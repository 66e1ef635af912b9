//! Pages of a list, and CoinMarketCap's parts of them.

use super::lists::cmc_list;
use super::*;

const GECKO: ProviderName = ProviderName::CoinGecko;
const CMC: ProviderName = ProviderName::CoinMarketCap;

impl World {
    async fn part(&self, tag: Tag, offset: usize, limit: usize) -> ProviderResult<Page<Coin>> {
        self.gateway.coins(CoinsQuery { tag, offset, limit, convert: Currency::usd() }).await
    }
}

#[tokio::test(start_paused = true)]
async fn later_pages_of_a_list_come_from_the_provider_of_the_first() {
    let world = World::new();
    world.respond(GECKO, |path| {
        let row = |n: usize| format!(r#"{{"id":"g{n}","symbol":"g{n}","name":"G {n}","current_price":1.5}}"#);
        let rows: Vec<String> = (0..250).map(row).collect();
        Ok(if path.contains("&page=1&") { json(format!("[{}]", rows.join(","))) } else { Response::of(503, &[], "") })
    });
    // Neither provider has the second page.
    world.respond(CMC, |path| match number(path, "start") {
        1 => Ok(json(cmc_list(2..=251, "1.5"))),
        _ => Ok(Response::of(503, &[], "")),
    });
    let response = world.part(Tag::Brc20, 0, 500).await.unwrap();
    assert_eq!((response.data.items.len(), response.data.total), (250, None));
    let notice = "Only 250 coins loaded: CoinGecko: server error (503)";
    assert_eq!((response.provider, response.notice.as_deref()), (Some(GECKO), Some(notice)));
    let error = world.part(Tag::Brc20, 250, 250).await.unwrap_err();
    assert!(error.to_string().contains("CoinGecko"), "{error}");
    // The next provider has the whole list as soon as the first page is old.
    world.advance(minutes(11)).await;
    world.respond(CMC, |path| {
        let start = number(path, "start") + 1;
        Ok(json(cmc_list(start..start + 250, "1.5")))
    });
    world.respond_with(GECKO, Response::of(503, &[], ""));
    let _ = world.part(Tag::Brc20, 250, 250).await;
    world.advance(minutes(1)).await;
    let response = world.part(Tag::Brc20, 250, 250).await.unwrap();
    assert_eq!((response.provider, response.data.items.len(), response.data.total), (Some(CMC), 250, Some(915)));
}

#[tokio::test(start_paused = true)]
async fn coinmarketcap_list_comes_from_the_category_if_the_listing_ignores_the_tag() {
    let mut settings = LiveSettings::default();
    settings.order.insert(Operation::Tagged, vec![CMC]);
    let world = World::with(settings);
    world.respond(CMC, |path| {
        let row = r#"{"id":25028,"name":"ORDI","symbol":"ORDI","slug":"ordi","quote":{"USD":{"price":8.41}}}"#;
        Ok(json(match path {
            _ if path.contains("/listings/latest") => cmc_list(1..=250, "1.5"),
            _ if path.contains("/categories") => String::from(r#"{"data":[{"id":"6051a8","name":"BRC-20"}]}"#),
            _ => format!(r#"{{"data":{{"id":"6051a8","name":"BRC-20","coins":[{row}]}}}}"#),
        }))
    });
    let response = world.coins(Tag::Brc20).await.unwrap();
    assert_eq!(response.data.items.iter().map(|coin| coin.symbol.as_str()).collect::<Vec<_>>(), ["ORDI"]);
    assert_eq!(world.coins(Tag::All).await.unwrap().data.items.len(), 200, "Bitcoin is part of it");
}

#[tokio::test(start_paused = true)]
async fn coinmarketcap_list_of_unknown_length_ends_with_an_empty_or_repeated_part() {
    for (ignores_start, expected) in [(false, 330), (true, 100)] {
        let world = World::new();
        world.respond(CMC, move |path| {
            let start = if ignores_start { 1 } else { number(path, "start") };
            let last = (start + number(path, "limit").min(100) - 1).min(330);
            Ok(json(cmc_list(start..=last, "1.5").replace(r#","total_count":915"#, "")))
        });
        let response = world.part(Tag::All, 0, 500).await.unwrap();
        let counts = (response.data.items.len(), response.data.total);
        assert_eq!(counts, (expected, Some(expected as u64)), "{:?}", world.paths(CMC));
    }
}

#[tokio::test(start_paused = true)]
async fn coinmarketcap_category_continues_after_a_short_page() {
    for (reported, expected_requests) in [(Some(310), 3), (Some(320), 4), (None, 4)] {
        let mut settings = LiveSettings::default();
        settings.order.insert(Operation::Tagged, vec![CMC]);
        let world = World::with(settings);
        world.respond(CMC, move |path| {
            Ok(match path {
                _ if path.contains("/listings/latest") => Response::of(400, &[], ""),
                _ if path.contains("/categories") => json(r#"{"data":[{"id":"6051a8","name":"BRC-20"}]}"#),
                _ => {
                    let start = number(path, "start");
                    let last = (start + number(path, "limit").min(200) - 1).min(310);
                    let row = |n| {
                        format!(r#"{{"id":{n},"name":"C {n}","symbol":"C{n}","slug":"c{n}","quote":{{"USD":{{"price":1.5}}}}}}"#)
                    };
                    let rows: Vec<String> = (start..=last).map(row).collect();
                    let length = reported.map(|length| format!(r#""num_tokens":{length},"#)).unwrap_or_default();
                    json(format!(r#"{{"data":{{"id":"6051a8","name":"BRC-20",{length}"coins":[{}]}}}}"#, rows.join(",")))
                }
            })
        });
        let response = world.part(Tag::Brc20, 0, 500).await.unwrap();
        assert_eq!((response.data.items.len(), response.data.total), (310, Some(310)), "{reported:?}");
        let requests = world.paths(CMC).iter().filter(|path| path.contains("/category?")).count();
        assert_eq!(requests, expected_requests, "{:?}", world.paths(CMC));
    }
}

#[tokio::test(start_paused = true)]
async fn list_of_coingecko_goes_on_after_pages_that_a_proxy_shortens() {
    // The proxy's coins per page, whether it says so, its reported length, and the expected requests.
    for (at_once, says_so, length, total, requests) in [
        (100, false, 600, Some(600), 3 + 3 + 1),
        (100, true, 600, Some(600), 3 + 3 + 1),
        (125, false, 600, Some(600), 2 + 2 + 1),
        // A gap isn't a smaller page.
        (249, false, 600, Some(600), 3),
        (250, true, 600, Some(600), 3),
        (250, false, 600, None, 3),
        // Only the whole list has coins of other tags.
        (250, true, 60, Some(600), 1),
    ] {
        let world = World::new();
        world.respond(GECKO, move |path| {
            let (page, per_page) = (number(path, "&page"), number(path, "per_page"));
            let begin = (page - 1) * if at_once < 249 { per_page.min(at_once) } else { per_page };
            let row = |n| {
                format!(
                    r#"{{"id":"g{n}","symbol":"g{n}","name":"G {n}","current_price":1.5,"market_cap":{}}}"#,
                    9_000 - n
                )
            };
            let rows: Vec<String> = (begin..length.min(begin + per_page.min(at_once))).map(row).collect();
            let size = per_page.min(at_once).to_string();
            let total = total.map(|total: usize| total.to_string());
            let mut headers = vec![("content-type", "application/json")];
            headers.extend(total.as_deref().map(|total| ("total", total)));
            headers.extend(says_so.then_some(("per-page", size.as_str())));
            Ok(Response::of(200, &headers, format!("[{}]", rows.join(","))))
        });
        let query = CoinsQuery { tag: Tag::Brc20, offset: 0, limit: 800, convert: Currency::usd() };
        let response = world.gateway.coins(query).await.unwrap();
        let expected = if at_once == 249 { 249 * 2 + 100 } else { length };
        assert_eq!(response.data.items.len(), expected, "{at_once} {says_so}");
        assert_eq!((response.data.total.is_some(), response.notice), (true, None), "{at_once} {says_so}");
        assert_eq!(world.request_count(GECKO), requests, "{:?}", world.paths(GECKO));
    }
}

#[tokio::test(start_paused = true)]
async fn page_size_of_coingecko_is_known_for_each_list() {
    let world = World::new();
    world.respond(GECKO, move |path| {
        let is_ecosystem = path.contains("bitcoin-ecosystem");
        let length = if is_ecosystem { 340 } else { 60 };
        let size = number(path, "per_page").min(100);
        let begin = (number(path, "&page") - 1) * size;
        let name = if is_ecosystem { 'e' } else { 'b' };
        let row = |n| format!(r#"{{"id":"{name}{n}","symbol":"{name}{n}","name":"{name} {n}","current_price":1.5}}"#);
        let rows: Vec<String> = (begin..length.min(begin + size)).map(row).collect();
        let total = length.to_string();
        let headers = [("content-type", "application/json"), ("total", total.as_str())];
        Ok(Response::of(200, &headers, format!("[{}]", rows.join(","))))
    });
    let mut coins = world.part(Tag::BitcoinEcosystem, 0, 250).await.unwrap().data.items.len();
    assert_eq!(world.part(Tag::Brc20, 0, 250).await.unwrap().data.items.len(), 60);
    coins += world.part(Tag::BitcoinEcosystem, 250, 250).await.unwrap().data.items.len();
    assert_eq!(coins, 340, "{:?}", world.paths(GECKO));
}
