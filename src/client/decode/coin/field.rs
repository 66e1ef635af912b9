//! Field names of coins.
//!
//! | abbreviation | service |
//! |---|---|
//! | CMC | CoinMarketCap's API: v1 and v3 listings, v2 info, price-performance-stats |
//! | CMC web | the API of CoinMarketCap's website |
//! | CMC 2018 | CoinMarketCap's first API and its copies, such as Alternative.me |
//! | CoinGecko | `/coins/markets`, `/coins/{id}` |
//! | CryptoCompare | its toplists: names in `CoinInfo`, figures by currency in `RAW` |
//! | CoinDesk | CoinDesk Data: toplists of assets |
//! | Paprika | CoinPaprika |
//! | proxy | servers between one of these and us; the interface doesn't define field names |
//! | own | satscope's own output and service |

use crate::client::decode::names::names;

names! {
    /// The fields of a coin with their names. Add new names here, with their service.
    pub(super) enum Field {
        /// All; Coinranking.
        Id = ["id", "uuid"],
        /// All; OKX; proxies.
        Name = ["name", "token_name", "coin_name"],
        /// All; indexers that value BRC-20 tokens; OKX; proxies.
        Symbol = ["symbol", "ticker", "tick", "token_symbol", "coin_symbol"],
        /// CMC; CoinLore.
        Slug = ["slug", "nameid"],
        /// Paprika, CoinCap, CoinLore, Coinranking, CoinStats, CMC 2018, own; CMC; CoinGecko.
        Rank = ["rank", "cmc_rank", "market_cap_rank"],
        /// CMC, Paprika, own; CoinGecko; CMC.
        Tags = ["tags", "categories", "tag-names"],
        /// Own; proxies. A stated currency overrides the requested one.
        Convert = ["convert", "currency", "vs_currency"],
        /// Proxies: the currency of prices, or the unit of other figures.
        PriceUnit = [
            "price_unit", "price_currency", "quote_currency", "unit", "currency_code", "currency_symbol", "fiat",
            "fiat_currency", "display_currency", "reference_currency", "counter_currency", "denomination",
            "denominated_in", "convert_id",
        ],
        /// CMC, Paprika, Coinranking, CoinStats, own; CoinGecko; proxies.
        Price = ["price", "current_price", "last_price"],
        /// A price whose field name implies the currency. CoinCap, CoinDesk, CoinLore, CMC 2018, Messari; CoinCodex;
        /// Jupiter, Moralis.
        PriceUsd = ["price_usd", "last_price_usd", "usd_price"],
        /// CMC, Paprika, CoinLore; CoinGecko; own; CryptoCompare; CoinGecko's copies; CoinCodex; Messari; proxies.
        Change1h = [
            "percent_change_1h", "price_change_percentage_1h_in_currency", "change_1h_pct", "changepcthour",
            "price_change_percentage_1h", "price_change_1h_percent", "percent_change_usd_last_1_hour",
            "price_change_pct_1h", "pct_change_1h", "percentage_change_1h", "change_percent_1h", "1h_change_percent",
            "1h_change_pct", "1h_percent_change", "1h_change_percentage",
        ],
        /// CMC, Paprika, CoinLore; CoinGecko, the first in the requested currency; own; CoinCap; CryptoCompare;
        /// CoinCodex; Messari; proxies; Birdeye; Moralis; CoinDesk.
        Change24h = [
            "percent_change_24h", "price_change_percentage_24h_in_currency", "price_change_percentage_24h",
            "change_24h_pct", "change_percent_24hr", "changepct24hour", "price_change_1d_percent",
            "price_change_24h_percent", "percent_change_usd_last_24_hours", "change_percent_24h", "change_percent",
            "price_change_pct_24h", "pct_change_24h", "percentage_change_24h", "change_24h_percent", "changepct24h",
            "percent_change_1d", "24h_change_percent", "24h_change_pct", "24h_percent_change", "24h_change_percentage",
            "price_24h_change_percent", "24hr_percent_change", "spot_moving_24_hour_change_percentage_usd",
        ],
        /// Coinranking: in percent over 24 hours. Elsewhere it may be a sum of money.
        Change = ["change"],
        /// CMC, Paprika, CoinLore; CoinGecko, the first in the requested currency; own; CoinCodex; proxies; CoinDesk.
        Change7d = [
            "percent_change_7d", "price_change_percentage_7d_in_currency", "price_change_percentage_7d", "change_7d_pct",
            "price_change_7d_percent", "price_change_1w_percent", "price_change_pct_7d", "pct_change_7d",
            "percentage_change_7d", "change_percent_7d", "percent_change_1w", "7d_change_percent", "7d_change_pct",
            "7d_percent_change", "7d_change_percentage", "spot_moving_7_day_change_percentage_usd",
        ],
        /// CoinStats: in percent. Elsewhere they may be sums of money.
        UnclearChange1h = ["price_change_1h"],
        UnclearChange24h = ["price_change_1d"],
        UnclearChange7d = ["price_change_1w"],
        /// Proxies: in percent only with a percent sign. Without it, they may be sums of money.
        SignedChange1h = ["change_1h"],
        SignedChange24h = ["change_24h"],
        SignedChange7d = ["change_7d"],
        /// Proxies: changes in percent by period.
        Changes = ["percent_change", "percent_changes", "price_change_percentage", "price_change_percent"],
        /// Proxies: the same, but in percent only with a percent sign.
        SignedChanges = ["changes", "price_changes"],
        /// Proxies: an object with the high and low.
        Range24h = ["range_24h", "24h_range", "price_range_24h"],
        /// Proxies: the unit of changes; units by field.
        PercentUnit = [
            "percent_unit", "percentage_unit", "percent_change_unit", "change_unit", "percent_change_24h_unit",
            "change_24h_unit",
        ],
        Units = ["units"],
        /// Proxies: the units of amounts, such as `million USD`.
        VolumeUnit = ["volume_unit", "volume_24h_unit", "volume_units", "volume_scale", "volume_multiplier"],
        MarketCapUnit = ["market_cap_unit", "market_cap_units", "market_cap_scale", "market_cap_multiplier"],
        SupplyUnit = ["supply_unit", "supply_units", "supply_scale", "supply_multiplier"],
        CirculatingUnit = [
            "circulating_supply_unit", "circulating_supply_units", "circulating_supply_scale",
            "circulating_supply_multiplier",
        ],
        TotalUnit = ["total_supply_unit", "total_supply_units", "total_supply_scale", "total_supply_multiplier"],
        MaxUnit = ["max_supply_unit", "max_supply_units", "max_supply_scale", "max_supply_multiplier"],
        /// CoinGecko: a sum of money.
        AbsoluteChange24h = ["price_change_24h"],
        /// CoinGecko, CMC web, own; CryptoCompare.
        High24h = ["high_24h", "high24hour"],
        Low24h = ["low_24h", "low24hour"],
        /// Own, Coinranking (an object); CoinGecko, CMC web; Paprika.
        AllTimeHigh = ["all_time_high", "ath", "ath_price"],
        /// Own; CoinGecko, CMC web.
        AllTimeLow = ["all_time_low", "atl"],
        /// CMC, Paprika, own; CoinGecko; Coinranking; CoinCap; CMC 2018; CoinLore; CryptoCompare; CoinStats; Messari;
        /// proxies; Birdeye; CoinAPI; CoinDesk.
        Volume = [
            "volume_24h", "total_volume", "24h_volume", "volume_usd_24hr", "24h_volume_usd", "volume24",
            "totalvolume24hto", "volume", "volume_last_24_hours", "volume_24h_usd", "volume_usd_24h", "volume_usd",
            "v24h_usd", "volume_1day_usd", "spot_moving_24_hour_quote_volume_usd",
        ],
        /// Proxies of exchanges: the volume in the currency of the price, beside a volume in coins.
        QuoteVolume = [
            "quote_volume", "quote_volume_24h", "volume_quote", "volume_24h_quote", "24h_volume_quote", "turnover_24h",
        ],
        /// As `QuoteVolume`, or a ratio (CMC web).
        Turnover = ["turnover"],
        /// CMC, CoinGecko, Paprika, Coinranking, CoinStats, own; CoinCap, CoinLore, CMC 2018; CryptoCompare; Messari;
        /// Jupiter; CoinDesk.
        MarketCap = [
            "market_cap", "market_cap_usd", "mktcap", "current_marketcap_usd", "mcap", "circulating_mkt_cap_usd",
        ],
        /// CMC, CoinGecko, own; CoinCap, Coinranking (an object); CoinStats, CMC 2018; CoinLore; Messari; Jupiter;
        /// CoinDesk; CoinAPI.
        Circulating = [
            "circulating_supply", "supply", "available_supply", "csupply", "circulating", "circ_supply",
            "supply_circulating", "supply_current",
        ],
        /// CMC, CoinGecko, Paprika, CoinStats, own; CoinLore; CoinDesk, CoinAPI.
        Total = ["total_supply", "tsupply", "supply_total"],
        /// CMC, CoinGecko, Paprika, CoinCap, own; CoinLore; CoinDesk, CoinAPI.
        Max = ["max_supply", "msupply", "supply_max"],
        /// CoinStats, GeckoTerminal: the decimals of the token, in which supplies may be whole numbers.
        Decimals = ["decimals"],
        /// CMC; CoinGecko, Paprika, Coinranking, own.
        Links = ["urls", "links"],
        /// Paprika: further links.
        MoreLinks = ["links_extended"],
        /// CoinStats, Coinranking.
        Website = ["website_url"],
        /// CMC; CoinStats.
        Twitter = ["twitter_username", "twitter_url"],
        /// CMC; CoinStats.
        Reddit = ["subreddit", "reddit_url"],
        /// CoinCap; CoinStats.
        Explorer = ["explorer", "explorers"],
        /// Paprika (an object).
        Whitepaper = ["whitepaper"],
        /// CMC, CoinStats; Paprika, own; Coinranking, CoinStats.
        Contracts = ["contract_address", "contracts", "contract_addresses"],
        /// CMC.
        Platform = ["platform"],
        /// CoinGecko.
        Platforms = ["platforms", "detail_platforms"],
        /// Own.
        Brc20Ticker = ["brc20_ticker"],
        /// Own.
        Provider = ["provider"],
        /// Own, CoinGecko's details; CoinGecko's list; Coinranking; proxies.
        Sparkline = [
            "sparkline_7d", "sparkline_in_7d", "sparkline", "chart_7d", "7d_chart", "seven_day_chart", "price_chart_7d",
            "price_history_7d", "history_7d", "prices_7d", "weekly_chart", "chart", "points", "prices",
        ],
        /// CMC, CoinGecko, Paprika, CMC 2018; own; CryptoCompare.
        Updated = ["last_updated", "updated_at", "last_update"],
        /// CMC; CMC web, Paprika; CryptoCompare.
        Quote = ["quote", "quotes", "raw"],
        /// CryptoCompare.
        Info = ["coin_info"],
        /// CMC's price-performance-stats.
        Periods = ["periods"],
        /// CoinGecko's details.
        MarketData = ["market_data"],
        /// Proxies with a separate object for metadata.
        Metadata = ["metadata"],
        /// Proxies with a separate object for prices, or for the names of the coin.
        Stats = ["market", "stats"],
        Coin = ["coin", "token", "asset"],
        /// Messari: an object with `market_data`, `marketcap` and `supply`.
        Metrics = ["metrics"],
        /// LiveCoinWatch: the symbol, whose own field has a currency sign.
        Code = ["code"],
    }
}

impl Field {
    /// Whether it is a percentage change.
    pub(super) fn is_change(self) -> bool {
        matches!(self, Field::Change1h | Field::Change24h | Field::Change7d)
    }
}
