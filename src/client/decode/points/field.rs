//! Field names of points: CoinMarketCap (CMC) and its website (CMC web), CoinPaprika, DefiLlama, CoinCap,
//! CryptoCompare, TradingView's data feeds, and satscope's own output and service (own).

use crate::client::decode::field_name::same_name;
use crate::client::decode::names::{Found, Names, names};

names! {
    /// The fields of a point with their names.
    pub(super) enum Field {
        /// CMC, CoinPaprika, DefiLlama; own, CoinCap, CryptoCompare; TradingView; CMC web; LiveCoinWatch, CoinCap; proxies,
        /// Twelve Data; exchanges; charting libraries.
        Time = [
            "timestamp", "time", "t", "s", "time_close", "time_open", "date", "datetime", "ts", "unix_time", "close_time",
            "open_time", "x",
        ],
        /// Coinbase: the start of a candle. Elsewhere, it may be that of a list of points.
        Start = ["start"],
        /// The zone of the point's time.
        Zone = ["timezone", "time_zone", "tz", "utc_offset", "utc_offset_seconds", "gmt_offset"],
        /// CMC, CoinPaprika, DefiLlama, own; CMC web, CryptoCompare; sparklines of proxies; LiveCoinWatch; proxies;
        /// charting libraries.
        Price = [
            "price", "close", "value", "rate", "close_price", "closing_price", "last_price", "current_price", "last", "p",
            "y",
        ],
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
        Open = ["open", "open_price", "o"],
        /// CMC, CoinPaprika, own, CMC web; LiveCoinWatch.
        MarketCap = ["market_cap", "cap"],
        /// Proxies; own. A stated currency overrides the requested one.
        Currency = ["currency", "convert", "vs_currency"],
        /// CMC's quotes; proxies. The currency's, or the coin's.
        Symbol = ["symbol", "ticker"],
        /// The coin of a row in a list of several ones.
        Slug = ["slug", "coin_slug"],
        /// The coin of a row, by the service's id.
        Coin = ["coin_id", "crypto_id"],
        /// The coin of a row, by symbol or id.
        Asset = ["asset", "asset_id", "coin", "base", "base_symbol", "base_asset"],
        /// The coin of a row, as a pair. CoinDesk has `INSTRUMENT`.
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

/// All names of a field.
pub(super) fn names(field: Field) -> &'static [&'static str] {
    match Field::ALL.get(field.index()) {
        Some((_, names)) => names,
        None => &[],
    }
}

/// Whether these fields have the open and close of a candle.
pub(super) fn is_candle(fields: &Found<'_, '_, Field>) -> bool {
    let has_close = || match fields.name(Field::Price) {
        Some(name) => is_close(name),
        None => fields.get(Field::C).is_some(),
    };
    fields.get(Field::Open).is_some() && has_close()
}

/// Whether the name of the volume of these fields says that it is over 24 hours.
pub(super) fn has_24h_volume(fields: &Found<'_, '_, Field>) -> bool {
    fields.name(Field::Volume).is_some_and(is_24h_volume)
}

/// Whether the volume of these fields is in the coin if it is that of an exchange's candle.
pub(super) fn has_plain_volume(fields: &Found<'_, '_, Field>) -> bool {
    fields.name(Field::Volume).is_some_and(is_plain_volume)
}

/// Whether a field is a volume, in the coin or in money.
pub(super) fn is_plain_volume(name: &str) -> bool {
    ["volume", "v"].iter().any(|known| same_name(known, name))
}

/// Whether a field is a market cap.
pub(super) fn is_market_cap(name: &str) -> bool {
    names(Field::MarketCap).iter().any(|known| same_name(known, name))
}

/// Whether a field is the first price of a candle.
pub(super) fn is_open(name: &str) -> bool {
    let is_field = |(field, names): &(Field, &[&str])| {
        matches!(field, Field::Open) && names.iter().any(|known| same_name(known, name))
    };
    Field::ALL.iter().any(is_field)
}

/// Whether a field is the last price of a candle.
pub(super) fn is_close(name: &str) -> bool {
    ["close", "c", "close_price", "closing_price"].iter().any(|known| same_name(known, name))
}

/// Whether a field is a volume over 24 hours.
pub(super) fn is_24h_volume(name: &str) -> bool {
    ["volume_24h", "volume_24hr"].iter().any(|known| same_name(known, name))
}
