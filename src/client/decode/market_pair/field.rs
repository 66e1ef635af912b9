//! Field names of market pairs.

use crate::client::decode::names::names;

names! {
    /// The fields of a market pair with their names and services: CoinMarketCap (CMC), its website (CMC web),
    /// CoinGecko, CoinPaprika, CoinCap, CoinLore, and satscope's own output and service (own).
    pub(super) enum Field {
        /// CMC (an object), own; CoinGecko (an object).
        Exchange = ["exchange", "market"],
        /// CMC web, CoinPaprika; CoinLore (elsewhere the pair); CoinCap; DexScreener.
        ExchangeName = ["exchange_name", "name", "exchange_id", "dex_id"],
        /// CMC, CMC web; CoinPaprika, own.
        Pair = ["market_pair", "pair"],
        /// CMC (an object); CMC web, CoinCap; CoinGecko, CoinLore, own; exchanges; DexScreener (an object).
        Base = ["market_pair_base", "base_symbol", "base", "base_asset", "base_currency", "base_coin", "base_token"],
        /// The quote, in the order of `Base`; CoinLore and own say `quote`.
        Target = [
            "market_pair_quote", "quote_symbol", "target", "quote_asset", "quote_currency", "quote_coin", "counter",
            "quote_token",
        ],
        /// CMC, CMC web, CoinPaprika, own.
        Category = ["category"],
        /// CMC, CMC web, CoinPaprika, own; CoinGecko (by currency). CoinLore: in the pair's own quote currency.
        Price = ["price", "converted_last"],
        /// CoinCap, CoinLore; proxies: a price whose field name implies the currency.
        PriceUsd = ["price_usd", "usd_price", "last_price_usd"],
        /// GeckoTerminal: the prices of both sides.
        BaseUsd = ["base_token_price_usd"],
        QuoteUsd = ["quote_token_price_usd"],
        /// CoinGecko; exchanges: in the pair's own quote currency.
        Last = ["last", "last_price"],
        /// CMC, CoinPaprika, own; CoinGecko (by currency); Coinranking.
        Volume = ["volume_24h", "converted_volume", "24h_volume"],
        /// Exchanges, CoinGecko, CoinLore: in coins or in the quote currency.
        UnclearVolume = ["volume"],
        /// CMC web, CoinLore; CoinCap; CoinMarketCap's first API; proxies.
        VolumeUsd = ["volume_usd", "volume_usd_24hr", "24h_volume_usd", "volume_24h_usd", "volume_usd_24h"],
        /// CMC web, CoinCap; CMC; CoinPaprika; own. All in percent.
        Share = ["volume_percent", "volume_percentage", "adjusted_volume_24h_share", "volume_share_pct"],
        /// CMC; CMC web; CoinGecko; own.
        DepthPlus = ["depth_positive_two", "depth_usd_positive_two", "cost_to_move_up_usd", "depth_plus_2pct"],
        DepthMinus = ["depth_negative_two", "depth_usd_negative_two", "cost_to_move_down_usd", "depth_minus_2pct"],
        /// Proxies: an object with both depths.
        Depth = ["depth_2pct", "depth_2_percent", "depth", "market_depth"],
        /// Proxies: the units of amounts, such as `million USD`.
        Units = ["units"],
        PriceUnit = ["price_unit"],
        VolumeUnit = ["volume_unit", "volume_24h_unit", "volume_units", "volume_scale", "volume_multiplier"],
        DepthUnit = ["depth_unit"],
        /// Proxies: the unit of unnamed amounts.
        Unit = ["unit"],
        /// CMC, CMC web; CoinGecko; CoinPaprika, own.
        Outlier = ["outlier_detected", "is_anomaly", "outlier"],
        /// CoinGecko: the exchange no longer updates it.
        Stale = ["is_stale"],
        /// CMC, CMC web, CoinPaprika; CoinGecko; own, CoinCap; CoinLore.
        Updated = ["last_updated", "last_traded_at", "updated_at", "updated", "time"],
        /// Own; proxies. A stated currency overrides the requested one.
        Convert = ["convert", "vs_currency", "currency"],
        /// CMC's quotes: the currency. Elsewhere: the pair.
        Symbol = ["symbol"],
        /// CMC; CoinPaprika.
        Quote = ["quote", "quotes"],
        /// The pairs of a coin: CMC; CoinGecko. The pairs on an exchange: proxies.
        Pairs = ["market_pairs", "tickers", "pairs", "markets"],
    }
}
