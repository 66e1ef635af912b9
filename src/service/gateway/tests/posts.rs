//! Posts about coins that share a symbol.

use super::*;
use crate::model::PostOrder;
use crate::service::backend::extensions::ExtensionProvider as _;

/// The coin at CoinGecko, as a lookup of its slug returns it.
const FAKE: &str = r#"[{"id":"fake-ordi","symbol":"ordi","name":"Ordi Fake","current_price":0.1,"market_cap":2000,
    "market_cap_rank":null}]"#;

const POSTS: &str = r#"{"posts":[
    {"uri":"at://x/app.bsky.feed.post/1","author":{"handle":"x.example"},"record":{"text":"$ORDI is up"}},
    {"uri":"at://x/app.bsky.feed.post/2","author":{"handle":"x.example"},"record":{"text":"Ordi Fake is up"}}]}"#;

const NAMES: &str = r#"{"data":[
    {"id":25028,"name":"ORDI","symbol":"ORDI","slug":"ordi","rank":301,"is_active":1},
    {"id":77777,"name":"Ordi Again","symbol":"ORDI","slug":"ordi-again","rank":9000,"is_active":1}],
    "status":{"error_code":0,"error_message":null}}"#;

#[tokio::test(start_paused = true)]
async fn cashtag_of_a_built_in_coin_is_not_that_of_a_small_coin_with_its_symbol() {
    for has_names in [false, true] {
        let world = World::new();
        world.respond_with(ProviderName::CoinGecko, Response::of(200, &[], FAKE));
        world.respond_with(ProviderName::Bluesky, Response::of(200, &[], POSTS));
        world.respond_with(ProviderName::CoinMarketCap, Response::of(200, &[], NAMES));
        if has_names {
            world.gateway.names().await.unwrap();
        }
        let posts = async |slug: &str| {
            let posts = world.gateway.posts("ORDI", Some(slug), PostOrder::Latest).await.unwrap().data;
            posts.into_iter().map(|post| post.text.to_string()).collect::<Vec<_>>()
        };
        assert_eq!(posts("fake-ordi").await, ["Ordi Fake is up"], "{has_names}");
        assert_eq!(posts("ordi").await, ["$ORDI is up"], "{has_names}");
    }
}
