//! What services call a point's fields: CoinMarketCap (CMC) and its site (CMC web), CoinPaprika, DefiLlama, CoinCap,
//! CryptoCompare, TradingView's data feeds, and what satscope prints and serves (own).

use crate::client::decode::names::names;

names! {
    /// The names that a point's fields go by.
    pub(super) enum Field {
        /// CMC, CoinPaprika, DefiLlama; own, CoinCap, CryptoCompare; TradingView; CMC web.
        Time = ["timestamp", "time", "t", "s", "time_close", "time_open"],
        /// CMC, CoinPaprika, DefiLlama, own; CMC web, CryptoCompare; sparklines of proxies; CoinCap.
        Price = ["price", "close", "value", "price_usd"],
        /// CMC, CoinPaprika; CMC web, own; CMC's model of the same; CryptoCompare, in the quote currency.
        Volume = ["volume_24h", "volume", "volume_24hr", "volumeto"],
        /// CMC, CoinPaprika, own; CMC web.
        MarketCap = ["market_cap"],
        /// CMC's quotes; proxies; own. Whoever states a currency is believed.
        Currency = ["symbol", "currency", "convert"],
        /// CMC, CMC web.
        Quote = ["quote", "quotes"],
        /// CMC web: an array of price, volume and cap in dollars. TradingView: a volume, in units that it does not state.
        V = ["v"],
        /// CMC web: the same in the requested currency. TradingView: a closing price.
        C = ["c"],
    }
}
