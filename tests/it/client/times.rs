//! Times of responses that can't be right.

use std::time::Duration;

use satscope::client::{Reply, Request, ResponseData};
use satscope::model::{Currency, PostOrder, Tag, Text, UtcTime};

use super::client;
use super::server::Server;

const HOUR: Duration = Duration::from_hours(1);

async fn get(request: &Request, headers: &'static str, body: String) -> Reply {
    let server = Server::answering("200 OK", headers, body).await;
    client(&server.url).get(request, None).await.unwrap()
}

/// The times of all items of a response.
fn times(reply: &Reply) -> Vec<Option<UtcTime>> {
    match reply.response.as_ref() {
        Some(ResponseData::Posts(page)) => page.items.iter().map(|post| post.posted_at).collect(),
        Some(ResponseData::Coins(page)) => page.items.iter().map(|coin| coin.updated_at).collect(),
        Some(ResponseData::MarketPairs(page)) => page.items.iter().map(|pair| pair.updated_at).collect(),
        Some(ResponseData::Activity(page)) => page.items.iter().map(|event| event.time).collect(),
        Some(ResponseData::Inscriptions(page)) => {
            page.items.iter().flat_map(|inscription| [inscription.genesis_time, inscription.time]).collect()
        }
        other => panic!("{other:?}"),
    }
}

#[tokio::test]
async fn future_times_of_another_service_are_unknown() {
    let now = UtcTime::from_secs(UtcTime::now().secs());
    let (symbol, slug) = (Text::from("ORDI"), None);
    let coins = Request::Coins { tag: Tag::All, start: 1, limit: 2, convert: Currency::usd() };
    let posts = Request::Posts { symbol: symbol.clone(), slug: slug.clone(), order: PostOrder::Latest };
    let pairs = Request::MarketPairs { symbol, slug, convert: Currency::usd() };
    let activity = Request::Brc20Activity { ticker: None, block_height: None, offset: 0, limit: 2 };
    let inscriptions = Request::Inscriptions { address: None, offset: 0, limit: 1 };
    let post = |at: UtcTime| format!(r#"{{"post_id":{},"text_content":"{at}","post_time":"{at}"}}"#, at.secs());
    let coin =
        |at: UtcTime| format!(r#"{{"id":{},"name":"a","symbol":"A","price":1,"last_updated":"{at}"}}"#, at.secs());
    let pair = |at: UtcTime| {
        format!(
            r#"{{"exchange":{{"name":"{at}"}},"market_pair":"ORDI/USDT","category":"spot",
            "quote":{{"USD":{{"price":8.41,"volume_24h":12200000,"last_updated":"{at}"}}}}}}"#
        )
    };
    let tx = "b61b0172d95e266c18aea0c624db987e971a5d6d4ebc2aaed85da4642d635735";
    let event = |at: UtcTime| {
        format!(
            r#"{{"operation":"transfer_send","ticker":"ordi","inscription_id":"{tx}i{}","block_height":921300,
            "tx_id":"{tx}","address":"bc1qto","timestamp":{},
            "transfer_send":{{"amount":"1","from_address":"bc1qfrom","to_address":"bc1qto"}}}}"#,
            at.secs(),
            at.millis()
        )
    };
    let inscription = |[genesis, time]: [UtcTime; 2]| {
        format!(
            r#"{{"id":"{tx}i0","number":7,"address":"bc1qto","genesis_timestamp":{},"timestamp":{},"tx_id":"{tx}"}}"#,
            genesis.millis(),
            time.millis()
        )
    };
    let page = |items: String| format!(r#"{{"limit":2,"offset":0,"total":2,"results":[{items}]}}"#);
    let one = |item: String| format!(r#"{{"limit":1,"offset":0,"total":1,"results":[{item}]}}"#);
    // Blocks may be ahead, and some services send local times without a zone, but not posts.
    let (past, soon, late) = (now.minus(HOUR), now.plus(HOUR * 8), now.plus(HOUR * 24 * 365));
    for (request, what, is_soon, body) in [
        (&posts, "post", true, format!(r#"{{"data":{{"list":[{},{}]}}}}"#, post(past), post(soon))),
        (&posts, "post", false, format!(r#"{{"data":{{"list":[{},{}]}}}}"#, post(past), post(late))),
        (&coins, "coin", false, format!("[{},{}]", coin(past), coin(late))),
        (&pairs, "market pair", false, format!(r#"{{"data":{{"market_pairs":[{},{}]}}}}"#, pair(past), pair(late))),
        (&activity, "event", false, page(format!("{},{}", event(past), event(late)))),
        (&inscriptions, "inscription", false, one(inscription([past, late]))),
    ] {
        let own = get(request, "X-Satscope-Provider: CoinGecko\r\n", body.clone()).await;
        let ahead = if is_soon { soon } else { late };
        assert_eq!((times(&own), own.warnings.len()), (vec![Some(past), Some(ahead)], 0), "{what}: {:?}", own.warnings);
        let other = get(request, "", body).await;
        assert_eq!(times(&other), [Some(past), None], "{what}");
        assert_eq!(other.warnings, [format!("ignored dates in the future (1 {what})")]);
    }
    for (request, body) in [
        (&coins, format!("[{},{}]", coin(past), coin(soon))),
        (&activity, page(format!("{},{}", event(past), event(soon)))),
        (&inscriptions, one(inscription([past, soon]))),
    ] {
        let other = get(request, "", body).await;
        assert_eq!((times(&other), other.warnings.len()), (vec![Some(past), Some(soon)], 0), "{:?}", other.warnings);
    }
}
