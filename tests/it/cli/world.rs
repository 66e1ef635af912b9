//! A small hand-written response and a command for every operation.

const TX: &str = "b61b0172d95e266c18aea0c624db987e971a5d6d4ebc2aaed85da4642d635735";

/// Each operation: its name in the table of documented fields, its command, and whether its data is a list.
pub(crate) const OPERATIONS: [(&str, &str, bool); 17] = [
    ("coin", "coins --limit 1", true),
    ("post", "posts ORDI", true),
    ("post", "posts ORDI --type latest", true),
    ("market pair", "pairs ORDI", true),
    ("chart", "chart ordi --period 1d", false),
    ("market series", "market ORDI --count 2 --interval 1h", true),
    ("coin", "stats", true),
    ("brc20 token", "brc20 tokens --ticker or", true),
    ("brc20 token", "brc20 token ordi", false),
    ("holder", "brc20 holders ordi", true),
    ("balance", "brc20 balances bc1qd2mzs0p9rhjrp9494u0edtlleulfqt4x268cg8", true),
    ("activity", "brc20 activity --ticker ordi --block-height 921300", true),
    ("sat", "sat ahehcbywzae", false),
    ("inscription", "sat inscriptions 752860.20444193", true),
    ("inscription", "inscription -7", false),
    ("inscription", "inscriptions --address bc1qd2mzs0p9rhjrp9494u0edtlleulfqt4x268cg8", true),
    ("inscription stats", "inscription-stats --from-block 921300 --to-block 921300", true),
];

/// A service with one item of each type.
pub(crate) fn response(target: &str) -> (u16, String) {
    let path = target.split('?').next().unwrap();
    let coin = r#"{"id":25028,"name":"ORDI, the first","symbol":"ORDI","slug":"ordi","cmc_rank":168,"circulating_supply":21000000,
        "total_supply":21000000,"max_supply":null,"tags":["brc-20","bitcoin-ecosystem"],"last_updated":"2026-11-19T08:00:00.000Z",
        "urls":{"website":["https://ordi.example/"],"chat":["https://t.example/ordi"]},
        "sparkline_in_7d":{"price":[1,2,3.5]},
        "quote":{"USD":{"price":8.4127,"volume_24h":61233901.2,"percent_change_1h":0.21,"percent_change_24h":-3.8,
        "percent_change_7d":11.02,"market_cap":176666700}}}"#;
    let inscription = format!(
        r#"{{"id":"{TX}i0","number":-7,"address":"bc1qd2mzs0p9rhjrp9494u0edtlleulfqt4x268cg8","genesis_address":"bc1qfrom","genesis_block_height":778921,
        "genesis_fee":"3179","genesis_timestamp":1677733170000,"tx_id":"{TX}","location":"{TX}:0:0","output":"{TX}:0",
        "value":"546","offset":"0","sat_ordinal":"1232735286933201","sat_rarity":"common","mime_type":"text/plain",
        "content_type":"text/plain;charset=utf-8","content_length":59,"timestamp":1677733170000,"curse_type":"p2wsh",
        "recursive":false,"recursion_refs":null,"parent":null}}"#
    );
    let token = format!(
        r#"{{"id":"{TX}i0","number":348020,"block_height":779832,"tx_id":"{TX}","address":"bc1pdeployer","ticker":"ordi",
        "max_supply":"21000000.000000000000000000","mint_limit":null,"decimals":18,"deploy_timestamp":1678248991000,
        "minted_supply":"20999999.000000000000000001","tx_count":412233,"self_mint":false}}"#
    );
    let page = |item: &str| format!(r#"{{"limit":20,"offset":0,"total":1,"results":[{item}]}}"#);
    let body = match path {
        "/coins" | "/coins/stats" => format!(r#"{{"status":{{"error_code":0}},"data":[{coin}]}}"#),
        "/content" => String::from(
            r#"{"data":{"list":[{"post_id":"1","owner":{"nickname":"=cmd|calc"},"text_content":"one\ntwo, \"three\"",
            "like_count":"3","comment_count":"0","repost_count":"1","post_time":"1795075200000","language_code":"en",
            "comments_url":"https://posts.example/1","currencies":[{"symbol":"ORDI"},{"symbol":"BTC"}]}]}}"#,
        ),
        "/exchanges" => String::from(
            r#"{"data":{"market_pairs":[{"exchange":{"name":"Binance"},"market_pair":"ORDI/USDT","category":"spot",
            "market_pair_base":{"currency_symbol":"ORDI"},"market_pair_quote":{"currency_symbol":"USDT"},
            "quote":{"USD":{"price":8.41,"volume_24h":12200000,"last_updated":"2026-11-19T08:00:00Z"}}}]}}"#,
        ),
        "/chart" => String::from(
            r#"{"data":{"points":{"1795075200":{"v":[8.4,1000,2000]},"1795075500":{"v":[8.5,1001,2001]}}}}"#,
        ),
        "/market/data" => String::from(
            r#"{"data":{"ORDI":[{"id":25028,"name":"ORDI","symbol":"ORDI","quotes":[
            {"timestamp":"2026-11-19T08:00:00Z","quote":{"EUR":{"price":7.9},"USD":{"price":8.4}}},
            {"timestamp":"2026-11-19T09:00:00Z","quote":{"EUR":{"price":8.0},"USD":{"price":8.5}}}]}]}}"#,
        ),
        "/ordinals/brc-20/tokens" => page(&token),
        "/ordinals/brc-20/tokens/ordi" => format!(
            r#"{{"token":{token},"supply":{{"max_supply":"21000000","minted_supply":"20999999.000000000000000001","holders":23411}}}}"#
        ),
        "/ordinals/brc-20/tokens/ordi/holders" => {
            page(r#"{"address":"bc1qd2mzs0p9rhjrp9494u0edtlleulfqt4x268cg8","overall_balance":"0.000000000000000001"}"#)
        }
        "/ordinals/brc-20/balances/bc1qd2mzs0p9rhjrp9494u0edtlleulfqt4x268cg8" => page(
            r#"{"ticker":"-1+2","available_balance":"18446744073709551615.000000000000000000","transferrable_balance":"0","overall_balance":"18446744073709551615"}"#,
        ),
        "/ordinals/brc-20/activity" => page(&format!(
            r#"{{"operation":"transfer_send","ticker":"ordi","inscription_id":"{TX}i0","block_height":921300,
            "block_hash":"00000000","tx_id":"{TX}","location":"{TX}:0:0","address":"bc1qd2mzs0p9rhjrp9494u0edtlleulfqt4x268cg8","timestamp":1795075200000,
            "transfer_send":{{"amount":"25.500000000000000000","from_address":"bc1qfrom","to_address":"bc1qd2mzs0p9rhjrp9494u0edtlleulfqt4x268cg8"}}}}"#
        )),
        "/ordinals/sats/1914287520444193" => String::from(
            r#"{"coinbase_height":752860,"cycle":0,"decimal":"752860.20444193","degree":"0°122860′892″20444193‴","epoch":3,
            "inscription_id":"aa03ab9048d6d0ff4e23def81b614d5270d341ce993992e93902ceb0d4ed7900i0","name":"ahehcbywzae",
            "offset":20444193,"percentile":"91.15654869285287%","period":373,"rarity":"legendary"}"#,
        ),
        "/ordinals/inscriptions" => page(&inscription),
        "/ordinals/sats/1914287520444193/inscriptions" => {
            page(&inscription.replace("1232735286933201", "1914287520444193"))
        }
        "/ordinals/inscriptions/-7" => inscription,
        "/ordinals/stats/inscriptions" => String::from(
            r#"{"results":[{"block_height":"921300","block_hash":"00000000","inscription_count":"12",
            "inscription_count_accum":"101234567","timestamp":1795075200000}]}"#,
        ),
        _ => return (404, String::from(r#"{"error":"Not found"}"#)),
    };
    (200, body)
}
