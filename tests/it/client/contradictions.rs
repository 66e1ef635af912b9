//! Figures that contradict each other, in responses over HTTP.

use satscope::client::{Reply, Request, ResponseData};
use satscope::model::{Currency, Tag, Text};

use super::client;
use super::server::{Server, Step, response};

async fn get(request: &Request, body: &'static str) -> Reply {
    let server = Server::start(move |_, _| vec![Step::Send(response("200 OK", "", body.as_bytes()))]).await;
    client(&server.url).get(request, None).await.unwrap()
}

#[tokio::test]
async fn high_below_the_low_is_unknown() {
    let request = Request::Coins { tag: Tag::All, start: 1, limit: 3, convert: Currency::usd() };
    let body = r#"[{"id":1,"name":"a","symbol":"A","high_24h":5,"low_24h":9,"ath":9,"atl":9,"price":7},
        {"id":2,"name":"b","symbol":"B","high_24h":9,"low_24h":5,"ath":2,"atl":3},
        {"id":3,"name":"c","symbol":"C","high_24h":1,"low_24h":2}]"#;
    let reply = get(&request, body).await;
    let Some(ResponseData::Coins(page)) = &reply.response else { panic!("{reply:?}") };
    let ranges: Vec<_> = page
        .items
        .iter()
        .map(|coin| [coin.high_24h, coin.low_24h, coin.all_time_high, coin.all_time_low].map(|it| it.is_some()))
        .collect();
    assert_eq!(ranges, [[false, false, true, true], [true, true, false, false], [false; 4]]);
    assert_eq!(
        reply.warnings,
        [
            "ignored a 24-hour range with its high below its low: A (5 and 9) and 1 more",
            "ignored an all-time range with its high below its low: B (2 and 3)"
        ]
    );
}

#[tokio::test]
async fn parts_that_are_not_the_sum_of_a_balance_are_unknown() {
    let request = Request::Brc20Balances { address: Text::from("bc1q"), offset: 0, limit: 20 };
    let body = r#"{"total":2,"results":[
        {"ticker":"ordi","overall_balance":"100.0","available_balance":"5.0","transferrable_balance":"3.0"},
        {"ticker":"sats","overall_balance":"8.0","available_balance":"5.0","transferrable_balance":"3.0"}]}"#;
    let reply = get(&request, body).await;
    let Some(ResponseData::Balances(page)) = &reply.response else { panic!("{reply:?}") };
    let parts: Vec<_> =
        page.items.iter().map(|it| [it.overall, it.available, it.transferable].map(|it| it.is_some())).collect();
    assert_eq!(parts, [[true, false, false], [true; 3]]);
    assert_eq!(reply.warnings, ["ignored parts that don't add up to the balance: ordi (5 and 3 of 100)"]);
}

#[tokio::test]
async fn part_above_its_balance_is_unknown() {
    let request = Request::Brc20Balances { address: Text::from("bc1q"), offset: 0, limit: 20 };
    let body = r#"{"total":2,"results":[{"ticker":"ordi","overall_balance":"5.0","available_balance":"7.0"},
        {"ticker":"sats","overall_balance":"5.0","available_balance":"5.0"}]}"#;
    let reply = get(&request, body).await;
    let Some(ResponseData::Balances(page)) = &reply.response else { panic!("{reply:?}") };
    let parts: Vec<_> =
        page.items.iter().map(|it| [it.overall, it.available, it.transferable].map(|it| it.is_some())).collect();
    assert_eq!(parts, [[true, false, false], [true; 3]]);
    assert_eq!(reply.warnings, ["ignored a part that exceeds the balance: ordi (7 of 5)"]);
}

#[tokio::test]
async fn amount_with_more_decimals_than_its_token_has_a_warning() {
    let request = Request::Brc20Token { ticker: Text::from("ordi") };
    let reply = get(&request, r#"{"ticker":"ordi","max_supply":"100.5","decimals":0,"minted_supply":"7.0"}"#).await;
    let Some(ResponseData::Brc20Token(token)) = &reply.response else { panic!("{reply:?}") };
    assert_eq!(token.max_supply.map(|supply| supply.to_string()).as_deref(), Some("100.5"));
    assert_eq!(reply.warnings, ["found an amount with too many decimals: ordi (100.5, expected at most 0)"]);
}

#[tokio::test]
async fn ranges_and_supplies_that_contradict_others_are_unknown() {
    let request = Request::Coins { tag: Tag::All, start: 1, limit: 5, convert: Currency::usd() };
    let body = r#"[{"id":1,"name":"a","symbol":"A","price":63000,"high_24h":50000,"low_24h":40000},
        {"id":2,"name":"b","symbol":"B","price":63000,"high_24h":62900,"low_24h":59000,"ath":50000,"atl":1},
        {"id":3,"name":"c","symbol":"C","price":8.41,"circulating_supply":2.1e13,"total_supply":21000000,"market_cap":176610000},
        {"id":4,"name":"d","symbol":"D","price":2,"circulating_supply":100,"max_supply":10,"market_cap":200},
        {"id":5,"name":"e","symbol":"E","price":2,"circulating_supply":11,"max_supply":10,"market_cap":22}]"#;
    let reply = get(&request, body).await;
    let Some(ResponseData::Coins(page)) = &reply.response else { panic!("{reply:?}") };
    let ranges: Vec<_> = page
        .items
        .iter()
        .map(|coin| [coin.high_24h, coin.all_time_high, coin.all_time_low].map(|it| it.is_some()))
        .collect();
    assert_eq!(ranges, [[false; 3], [true, false, true], [false; 3], [false; 3], [false; 3]]);
    let supplies: Vec<_> =
        page.items.iter().map(|coin| [coin.circulating_supply, coin.total_supply, coin.max_supply]).collect();
    assert_eq!(supplies[2], [None, Some(21_000_000.0), None]);
    assert_eq!(supplies[3], [Some(100.0), None, None]);
    assert_eq!(supplies[4], [Some(11.0), None, Some(10.0)]);
    assert_eq!(
        reply.warnings,
        [
            "ignored a 24-hour range that excludes the price: A (40,000 to 50,000, price 63,000)",
            "ignored an all-time high below the 24-hour high: B (all-time 50,000, 24-hour 62,900)",
            "ignored supplies that contradict each other: C (21,000,000,000,000 circulating of 21,000,000) and 1 more"
        ]
    );
}

#[tokio::test]
async fn incomplete_list_of_coins_has_a_warning() {
    let coins = |start| Request::Coins { tag: Tag::All, start, limit: 100, convert: Currency::usd() };
    let reply = get(&coins(101), r#"{"data":[],"total":450}"#).await;
    assert_eq!(reply.warnings, ["Only 100 of 450 coins loaded: the next page is empty"]);
    for body in [r#"{"data":[],"total":100}"#, r#"{"data":[]}"#] {
        assert_eq!(get(&coins(101), body).await.warnings, [] as [&str; 0], "{body}");
    }
    let body = r#"[{"id":2,"name":"b","rank":2,"price":1},{"id":3,"name":"c","rank":3,"price":1}]"#;
    let hint = "List starts at rank 2; if the service counts from 0, set source.first_index = 0";
    assert_eq!(get(&coins(1), body).await.warnings, [hint]);
    assert_eq!(get(&coins(2), body).await.warnings, [] as [&str; 0]);
}
