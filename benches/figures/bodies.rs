//! Response bodies with many coins in three dialects.

/// A JSON dialect of market services.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Dialect {
    /// `{"status": …, "data": [{…, "quote": {"USD": {…}}}]}`.
    Cmc,
    /// `{"data": {"cryptoCurrencyList": [{…, "quotes": [{"name": "USD", …}]}]}}`, camel case.
    Web,
    /// `[{…, "current_price": …, "sparkline_in_7d": {"price": […]}}]`.
    Gecko,
}

/// Returns a body with the coins of these numbers and the total number of coins.
pub(crate) fn body(dialect: Dialect, numbers: std::ops::RangeInclusive<u32>, total: u32) -> String {
    let coins: Vec<String> = numbers
        .map(|number| match dialect {
            Dialect::Cmc => coin(number, price(number)),
            Dialect::Web => web(number),
            Dialect::Gecko => gecko(number),
        })
        .collect();
    let coins = coins.join(",");
    match dialect {
        Dialect::Cmc => wrapped(&coins, total),
        Dialect::Web => format!(r#"{{"data":{{"cryptoCurrencyList":[{coins}],"totalCount":"{total}"}}}}"#),
        Dialect::Gecko => format!("[{coins}]"),
    }
}

fn price(id: u32) -> f64 {
    f64::from(id * 7919 % 100_003) / 97.0
}

/// Returns a body in [`Dialect::Cmc`] whose prices all differ from the body for `turn - 1`.
pub(crate) fn body_with_changed_prices(numbers: std::ops::RangeInclusive<u32>, total: u32, turn: u32) -> String {
    let coins: Vec<String> =
        numbers.map(|number| coin(number, price(number) + f64::from(turn % 1_000) / 7.0)).collect();
    wrapped(&coins.join(","), total)
}

fn wrapped(coins: &str, total: u32) -> String {
    format!(
        r#"{{"status":{{"timestamp":"2026-11-19T08:01:12.431Z","error_code":0,"error_message":null,"total_count":{total}}},"data":[{coins}]}}"#
    )
}

fn coin(id: u32, price: f64) -> String {
    format!(
        r#"{{"id":{id},"name":"Coin number {id}","symbol":"C{id}","slug":"coin-number-{id}","num_market_pairs":{},"date_added":"2023-05-09T08:21:14.000Z","tags":["bitcoin-ecosystem","brc-20","memes","marketplace","binance-listing","okx-ventures-portfolio"],"max_supply":21000000,"circulating_supply":20{id}.5,"total_supply":21000000,"infinite_supply":false,"platform":{{"id":1,"name":"Bitcoin","symbol":"BTC","slug":"bitcoin","token_address":"b61b0172d95e266c18aea0c624db987e971a5d6d4ebc2aaed85da4642d{id}i0"}},"cmc_rank":{id},"self_reported_circulating_supply":null,"self_reported_market_cap":null,"tvl_ratio":null,"last_updated":"2026-11-19T08:00:00.000Z","description":"Coin number {id} is a token on the Bitcoin platform. It has a current supply of 21,000,000 and was last traded on 212 markets.","urls":{{"website":["https://coin{id}.example/"],"twitter":["https://x.com/coin{id}"],"message_board":[],"chat":["https://t.me/coin{id}"],"facebook":[],"explorer":["https://explorer.example/coin/{id}"],"reddit":[],"technical_doc":[],"source_code":[],"announcement":[]}},"high_24h":{},"low_24h":{},"quote":{{"USD":{{"price":{price},"volume_24h":{},"volume_change_24h":-12.4131,"percent_change_1h":0.21331,"percent_change_24h":-3.80112,"percent_change_7d":11.02441,"percent_change_30d":-7.70121,"percent_change_60d":null,"percent_change_90d":null,"market_cap":{},"market_cap_dominance":0.0051,"fully_diluted_market_cap":176666700.5512,"tvl":null,"last_updated":"2026-11-19T08:00:00.000Z"}}}}}}"#,
        id % 300,
        price * 1.07,
        price * 0.94,
        price * 1_234_567.0,
        price * 21e6,
    )
}

fn web(id: u32) -> String {
    let price = price(id);
    format!(
        r#"{{"id":{id},"name":"Coin number {id}","symbol":"C{id}","slug":"coin-number-{id}","tags":["bitcoin-ecosystem","brc-20","memes","marketplace","binance-listing"],"cmcRank":{id},"marketPairCount":{},"circulatingSupply":20{id}.5,"selfReportedCirculatingSupply":0,"totalSupply":21000000,"maxSupply":21000000,"ath":{},"atl":{},"high24h":{},"low24h":{},"isActive":1,"lastUpdated":"2026-11-19T08:00:00.000Z","dateAdded":"2023-05-09T08:21:14.000Z","quotes":[{{"name":"USD","price":{price},"volume24h":{},"volumePercentChange":-12.4131,"marketCap":{},"percentChange1h":0.21331,"percentChange24h":-3.80112,"percentChange7d":11.02441,"lastUpdated":"2026-11-19T08:00:00.000Z","percentChange30d":-7.70121,"percentChange60d":1.2,"percentChange90d":-8.1,"fullyDilluttedMarketCap":176666700.5512,"marketCapByTotalSupply":176666700.5512,"dominance":0.0051,"turnover":0.34,"ytdPriceChangePercentage":-31.2,"percentChange1y":-60.1}}],"isAudited":false,"auditInfoList":[],"badges":[]}}"#,
        id % 300,
        price * 11.0,
        price / 9.0,
        price * 1.07,
        price * 0.94,
        price * 1_234_567.0,
        price * 21e6,
    )
}

fn gecko(id: u32) -> String {
    let price = price(id);
    let trend: Vec<String> = (0..168).map(|hour| format!("{}", price * (1.0 + f64::from(hour % 24) / 311.0))).collect();
    let trend = trend.join(",");
    format!(
        r#"{{"id":"coin-number-{id}","symbol":"c{id}","name":"Coin number {id}","image":"https://img.example/coins/{id}/large.png?1","current_price":{price},"market_cap":{},"market_cap_rank":{id},"fully_diluted_valuation":176610000,"total_volume":{},"high_24h":{},"low_24h":{},"price_change_24h":-0.33,"price_change_percentage_24h":-3.8,"market_cap_change_24h":-6900000,"market_cap_change_percentage_24h":-3.7,"circulating_supply":21000000.0,"total_supply":21000000.0,"max_supply":21000000.0,"ath":96.17,"ath_change_percentage":-91.2,"ath_date":"2024-03-05T05:30:00.000Z","atl":2.86,"atl_change_percentage":194.0,"atl_date":"2023-09-11T18:00:00.000Z","roi":null,"last_updated":"2026-11-19T08:00:00.000Z","sparkline_in_7d":{{"price":[{trend}]}},"price_change_percentage_1h_in_currency":0.21,"price_change_percentage_7d_in_currency":11.0}}"#,
        price * 21e6,
        price * 1_234_567.0,
        price * 1.07,
        price * 0.94,
    )
}
