//! Field names of points: CoinMarketCap (CMC) and its website (CMC web), CoinPaprika, DefiLlama, CoinCap,
//! CryptoCompare, TradingView's data feeds, and satscope's own output and service (own).

use crate::client::decode::names::names;

names! {
    /// The fields of a point with their names.
    pub(super) enum Field {
        /// CMC, CoinPaprika, DefiLlama; own, CoinCap, CryptoCompare; TradingView; CMC web.
        Time = ["timestamp", "time", "t", "s", "time_close", "time_open"],
        /// CMC, CoinPaprika, DefiLlama, own; CMC web, CryptoCompare; sparklines of proxies.
        Price = ["price", "close", "value"],
        /// CoinCap: a price whose field name implies the currency.
        PriceUsd = ["price_usd"],
        /// CMC, CoinPaprika; CMC web, own; CMC's model of the same; CryptoCompare, in the quote currency.
        Volume = ["volume_24h", "volume", "volume_24hr", "volumeto"],
        /// CMC, CoinPaprika, own; CMC web.
        MarketCap = ["market_cap"],
        /// Proxies; own. A stated currency overrides the requested one.
        Currency = ["currency", "convert", "vs_currency"],
        /// CMC's quotes; proxies. The currency's, or the coin's.
        Symbol = ["symbol"],
        /// CMC, CMC web.
        Quote = ["quote", "quotes"],
        /// CMC web: an array of price, volume and cap in dollars. TradingView: a volume, in units that it does not
        /// state.
        V = ["v"],
        /// CMC web: the same in the requested currency. TradingView: a closing price.
        C = ["c"],
    }
}
