//! What services call a point's fields.

use crate::client::decode::names::names;

names! {
    /// The names that a point's fields go by.
    pub(super) enum Field {
        Time = ["timestamp", "time", "ts", "t", "s", "time_close", "close_time", "date", "datetime", "time_open", "x"],
        Price = ["price", "close", "p", "value", "rate", "y", "price_usd", "usd"],
        Volume = ["volume_24h", "volume", "volume_24hr", "total_volume", "vol", "volume_usd", "volume_24h_usd"],
        MarketCap = ["market_cap", "cap", "mcap"],
        Currency = ["symbol", "currency", "convert"],
        Quote = ["quote", "quotes"],
        /// An array of price, volume and cap in dollars, or a volume.
        V = ["v"],
        /// The same in the asked currency, or a closing price.
        C = ["c"],
    }
}
