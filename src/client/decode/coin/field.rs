//! What services call a coin's fields.

use crate::client::decode::names::names;

names! {
    /// The names that a coin's fields go by. A new spelling is one more word here.
    pub(super) enum Field {
        Id = ["id", "coin_id", "cmc_id", "uuid", "token_id", "asset_id"],
        Name = ["name", "coin_name", "full_name", "token_name", "title"],
        Symbol = ["symbol", "ticker", "code", "tick", "coin_symbol", "token_symbol"],
        Slug = ["slug", "coin_slug", "website_slug", "url_slug", "name_slug", "name_id"],
        Rank = ["rank", "cmc_rank", "market_cap_rank", "position"],
        Tags = ["tags", "tag_list", "category_tags", "categories", "tag-names"],
        Convert = ["convert", "currency", "vs_currency", "quote_currency"],
        Price = ["price", "current_price", "last_price", "latest_price", "last", "close", "rate"],
        /// A price that states its currency.
        PriceUsd = ["price_usd", "current_price_usd", "usd_price", "price_in_usd", "last_price_usd", "usd"],
        Change1h = [
            "percent_change_1h", "price_change_percentage_1h_in_currency", "price_change_percentage_1h",
            "change_1h_pct", "change_1h", "change_percent_1h", "change_pct_1h", "change_1h_percent", "pct_change_1h",
            "percentage_change_1h", "price_change_percent_1h", "price_change_pct_1h", "price_change_1h_percent",
            "price_change_1h_pct", "1h_change", "percent_change_1hr", "price_change_percentage_1hr",
            "change_percent_1hr", "change_1hr", "percent_change_60m", "price_change_percentage_60m",
            "change_percent_60m", "change_60m",
        ],
        Change24h = [
            "percent_change_24h", "price_change_percentage_24h", "price_change_percentage_24h_in_currency",
            "change_24h_pct", "change_24h", "change_percent_24h", "change_pct_24h", "change_24h_percent",
            "pct_change_24h", "percentage_change_24h", "price_change_percent_24h", "price_change_pct_24h",
            "price_change_24h_percent", "price_change_24h_pct", "24h_change", "percent_change_24hr",
            "price_change_percentage_24hr", "change_percent_24hr", "change_24hr", "percent_change_1d",
            "price_change_percentage_1d", "change_percent_1d", "change_1d",
        ],
        Change7d = [
            "percent_change_7d", "price_change_percentage_7d_in_currency", "price_change_percentage_7d",
            "change_7d_pct", "change_7d", "change_percent_7d", "change_pct_7d", "change_7d_percent", "pct_change_7d",
            "percentage_change_7d", "price_change_percent_7d", "price_change_pct_7d", "price_change_7d_percent",
            "price_change_7d_pct", "7d_change", "percent_change_1w", "price_change_percentage_1w",
            "change_percent_1w", "change_1w",
        ],
        /// Changes by period: `{"24h": -3.8}`.
        Changes = ["percent_changes", "price_changes", "changes", "change"],
        /// The same, or that of a day.
        ChangePct = ["percent_change", "price_change_percentage", "price_change_percent", "change_percent", "change_pct"],
        High24h = [
            "high_24h", "day_high", "high_price_24h", "high_24hr", "24h_high", "high_price", "price_high_24h", "daily_high",
            "high_1d",
        ],
        Low24h = ["low_24h", "day_low", "low_price_24h", "low_24hr", "24h_low", "low_price", "price_low_24h", "daily_low", "low_1d"],
        /// Of a day, or by period: `{"24h": 8.91, "all_time": 96.17}`.
        High = ["high"],
        Low = ["low"],
        AllTimeHigh = ["all_time_high", "ath", "ath_price", "high_all_time", "ath_usd", "all_time_high_usd"],
        AllTimeLow = ["all_time_low", "atl", "atl_price", "low_all_time", "atl_usd", "all_time_low_usd"],
        Volume = [
            "volume_24h", "total_volume", "volume_24hr", "volume", "volume_usd_24hr", "24h_volume", "volume_24h_usd",
            "volume_usd_24h", "24h_volume_usd", "total_volume_24h", "volume_usd", "day_volume", "volume_1d", "vol_24h",
        ],
        MarketCap = ["market_cap", "market_cap_usd", "mcap", "cap", "market_capitalization", "mkt_cap"],
        Circulating = [
            "circulating_supply", "circulating", "supply", "available_supply", "circ_supply", "supply_circulating",
        ],
        Total = ["total_supply", "supply_total"],
        Max = ["max_supply", "supply_max", "maximum_supply"],
        Links = ["urls", "links", "social_links", "socials", "social", "social_media"],
        Website = ["website", "homepage", "website_url"],
        Twitter = ["twitter_username", "twitter_screen_name", "twitter", "twitter_url"],
        Telegram = ["telegram", "telegram_url", "telegram_channel_identifier"],
        Discord = ["discord", "discord_url"],
        Reddit = ["reddit", "reddit_url", "subreddit", "subreddit_url"],
        Explorer = ["explorer", "explorer_url", "explorers"],
        Whitepaper = ["whitepaper", "whitepaper_url", "technical_doc"],
        SourceCode = ["source_code", "github", "github_url"],
        Contracts = ["contract_address", "contracts", "contract_addresses", "token_address", "contract"],
        Platform = ["platform", "asset_platform"],
        Platforms = ["platforms", "detail_platforms"],
        Sparkline = [
            "sparkline_7d", "sparkline_in_7d", "sparkline", "sparkline_7days", "sparkline_data", "chart_7d",
            "7d_chart", "chart_7_days", "seven_day_chart", "seven_days", "last_7_days", "weekly_chart", "mini_chart",
            "chart", "chart_data", "price_chart", "prices_7d", "price_history_7d", "history_7d", "price_history",
            "history", "graph", "graph_data", "points", "prices", "series", "trend_7d", "spark",
        ],
        Updated = [
            "last_updated", "updated_at", "last_updated_at", "updated", "last_update", "update_time",
            "last_updated_timestamp", "timestamp",
        ],
        Quote = ["quote", "quotes"],
        Periods = ["periods", "performance", "price_performance", "price_performance_stats", "high_low", "ranges"],
        /// A day's highest and lowest price in an object.
        DayRange = ["range_24h", "24h_range", "day_range"],
        /// The highest and lowest price ever in an object.
        AllTime = ["all_time", "all_time_range"],
        MarketData = ["market_data", "stats", "statistics"],
        Metadata = ["metadata", "meta", "info", "details"],
        /// The coin as one field of an item that holds more.
        Inner = ["coin", "token", "cryptocurrency"],
    }
}
