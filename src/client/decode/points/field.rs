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
        /// CMC, CoinPaprika; CMC's model of the same; exchanges and CryptoCompare, in the quote currency; CMC web, own.
        /// Next to one in the quote currency, `volume` is in the coin.
        Volume = [
            "volume_24h",
            "volume_24hr",
            "quote_volume",
            "volume_quote",
            "quote_asset_volume",
            "vol_ccy_quote",
            "volumeto",
            "volume",
        ],
        /// Bybit's candles: the volume in the quote currency. Elsewhere, it may be a ratio.
        Turnover = ["turnover"],
        /// The first price of a candle.
        Open = ["open", "open_price"],
        /// CMC, CoinPaprika, own; CMC web.
        MarketCap = ["market_cap"],
        /// Proxies; own. A stated currency overrides the requested one.
        Currency = ["currency", "convert", "vs_currency"],
        /// CMC's quotes; proxies. The currency's, or the coin's.
        Symbol = ["symbol", "ticker"],
        /// The coin of a row in a list of several ones.
        Slug = ["slug", "coin_slug"],
        /// The same, by the service's id.
        Coin = ["coin_id", "crypto_id"],
        /// The same, by symbol or id.
        Asset = ["asset", "asset_id", "coin", "base", "base_symbol", "base_asset"],
        /// The same, as a pair. CoinDesk has `INSTRUMENT`.
        Pair = ["pair", "inst_id", "product_id", "currency_pair", "market_pair", "instrument"],
        /// The coin's or the row's.
        Id = ["id"],
        /// CMC, CMC web.
        Quote = ["quote", "quotes"],
        /// CMC web: an array of price, volume and cap in dollars. TradingView: a volume, in units that it does not
        /// state.
        V = ["v"],
        /// CMC web: the same in the requested currency. TradingView: a closing price.
        C = ["c"],
    }
}
