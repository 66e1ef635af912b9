//! Responses of a working service to each operation, with a visible number that distinguishes versions.

/// A transaction id.
const TX: &str = "b61b0172d95e266c18aea0c624db987e971a5d6d4ebc2aaed85da4642d635735";

/// The number in the responses of a version: `1001`, and formatted `1,001`.
pub(crate) fn number(version: u32) -> (String, String) {
    (format!("{}", 1000 + version), format!("1,{version:03}"))
}

/// The response to a target (path and query).
pub(crate) fn body(target: &str, version: u32) -> String {
    let path = target.split('?').next().unwrap_or_default();
    let (n, _) = number(version);
    let token = format!(
        r#"{{"id":"{TX}i0","number":348020,"block_height":779832,"tx_id":"{TX}","address":"bc1pdeployer",
        "ticker":"ordi","max_supply":"100","mint_limit":"1","decimals":0,"deploy_timestamp":1678248991000,
        "minted_supply":"{version}","tx_count":{n},"self_mint":false}}"#
    );
    let inscription = format!(
        r#"{{"id":"{TX}i0","number":{n},"address":"bc1qto","genesis_address":"bc1qfrom","genesis_block_height":778921,
        "genesis_fee":"{n}","genesis_timestamp":1677733170000,"tx_id":"{TX}","location":"{TX}:0:0","output":"{TX}:0",
        "value":"546","offset":"0","sat_ordinal":"7","sat_rarity":"common","mime_type":"text/plain",
        "content_type":"text/plain","content_length":59,"timestamp":1677733170000,"curse_type":null,
        "recursive":false,"recursion_refs":null,"parent":null}}"#
    );
    let page = |item: &str| format!(r#"{{"limit":60,"offset":0,"total":1,"results":[{item}]}}"#);
    let coin = |trend: &str| {
        format!(
            r#"{{"status":{{"error_code":0}},"data":[{{"id":25028,"name":"Coin {n}","symbol":"ORDI","slug":"ordi",
            "cmc_rank":168,"circulating_supply":21000000,"tags":["brc-20"],"last_updated":"2026-11-19T08:00:00.000Z"{trend},
            "quote":{{"USD":{{"price":8.41,"volume_24h":{n},"percent_change_24h":-3.8,"market_cap":176666700}}}}}}]}}"#
        )
    };
    match path {
        // Without current prices by id, the wallet shows those of the series.
        "/coins" if target.contains("ids=") => String::from(r#"{"status":{"error_code":0},"data":[]}"#),
        "/coins" => coin(""),
        "/coins/stats" => coin(&format!(r#","sparkline_in_7d":{{"price":[1,2,{n}]}}"#)),
        "/content" => format!(
            r#"{{"data":{{"list":[{{"post_id":"1","owner":{{"nickname":"satmaxi"}},"text_content":"post {n}",
            "like_count":3,"comment_count":"0","repost_count":"1","post_time":"1795075200000","language_code":"en",
            "currencies":[{{"symbol":"ORDI"}}]}}]}}}}"#
        ),
        "/exchanges" => format!(
            r#"{{"data":{{"id":25028,"name":"ORDI","symbol":"ORDI","num_market_pairs":1,"market_pairs":[{{"exchange":
            {{"name":"Ex{n}"}},"market_pair":"ORDI/USDT","category":"spot","quote":{{"USD":{{"price":8.41,
            "volume_24h":12200000,"last_updated":"2026-11-19T08:00:00Z"}}}}}}]}}}}"#
        ),
        "/chart" => format!(
            r#"{{"data":{{"points":{{"1795075200":{{"v":[500,1000,2000]}},"1795075500":{{"v":[{n},1001,2001]}}}}}}}}"#
        ),
        "/market/data" => format!(
            r#"{{"data":{{"ORDI":[{{"id":25028,"name":"ORDI","symbol":"ORDI","quotes":[
            {{"timestamp":"2026-11-19T08:00:00Z","quote":{{"USD":{{"price":500.5}}}}}},
            {{"timestamp":"2026-11-19T09:00:00Z","quote":{{"USD":{{"price":{n}.5}}}}}}]}}]}}}}"#
        ),
        "/ordinals/brc-20/tokens" => page(&token),
        "/ordinals/brc-20/tokens/ordi" => {
            format!(r#"{{"token":{token},"supply":{{"max_supply":"100","minted_supply":"{version}","holders":{n}}}}}"#)
        }
        "/ordinals/brc-20/tokens/ordi/holders" => page(&format!(r#"{{"address":"bc1qto","overall_balance":"{n}"}}"#)),
        "/ordinals/brc-20/activity" => page(&format!(
            r#"{{"operation":"transfer_send","ticker":"ordi","inscription_id":"{TX}i0","block_height":921300,
            "block_hash":"00000000","tx_id":"{TX}","location":"{TX}:0:0","address":"bc1qto","timestamp":1795075200000,
            "transfer_send":{{"amount":"{n}","from_address":"bc1qfrom","to_address":"bc1qto"}}}}"#
        )),
        "/ordinals/inscriptions" | "/ordinals/sats/7/inscriptions" => page(&inscription),
        "/ordinals/stats/inscriptions" => format!(
            r#"{{"results":[{{"block_height":"921300","block_hash":"00000000","inscription_count":"12",
            "inscription_count_accum":"{n}","timestamp":1795075200000}}]}}"#
        ),
        "/ordinals/sats/7" => format!(
            r#"{{"coinbase_height":0,"cycle":0,"epoch":0,"period":0,"offset":7,"decimal":"0.7","degree":"0°0′0″7‴",
            "name":"nvtdijuwxli","percentile":"0.0000000000003333333337%","rarity":"common","inscription_id":"{TX}i{n}"}}"#
        ),
        _ if path.starts_with("/ordinals/brc-20/balances/") => page(&format!(
            r#"{{"ticker":"ordi","available_balance":"{n}","transferrable_balance":"0","overall_balance":"{n}"}}"#
        )),
        _ if path.ends_with("/content") => String::from("gm"),
        _ if path.starts_with("/ordinals/inscriptions/") => {
            let id = path.rsplit('/').next().filter(|id| id.starts_with(TX)).map_or(format!("{TX}i0"), str::to_owned);
            inscription
                .replace(&format!("\"number\":{n}"), "\"number\":1001")
                .replace(&format!("\"id\":\"{TX}i0\""), &format!("\"id\":\"{id}\""))
        }
        _ => format!("no such path: {path}"),
    }
}
