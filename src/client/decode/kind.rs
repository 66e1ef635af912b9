//! Detects the kind of the items in a response, to reject a response to another request.

use super::tape::Value;

/// The kind of a list's items.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Kind {
    Coin,
    Post,
    Pair,
    Token,
    /// A holder (with an address) or a balance (with a ticker).
    Balance,
    Event,
    Sat,
    Inscription,
    Block,
    /// A coin with its price history.
    Series,
    /// An exchange's price of a pair of currencies.
    Ticker,
}

/// A kind with its name and the field names that indicate it.
struct Known {
    kind: Kind,
    name: &'static str,
    /// Fields that items of other kinds don't have, or only together with fields of their own kind.
    signs: &'static [&'static str],
    /// Fields that other kinds have, too, but that are typical of this kind.
    hints: &'static [&'static str],
}

const KNOWN: [Known; 11] = [
    Known {
        kind: Kind::Coin,
        name: "coins",
        signs: &[
            "cmc_rank",
            "market_cap_rank",
            "market_cap",
            "circulating_supply",
            "percent_change_24h",
            "price_change_percentage_24h",
            "market_data",
            "sparkline_in_7d",
        ],
        hints: &["price", "current_price", "price_usd", "quote", "quotes", "sparkline", "sparkline_7d"],
    },
    Known {
        kind: Kind::Post,
        name: "posts",
        signs: &[
            "post_id",
            "text_content",
            "post_time",
            "like_count",
            "comment_count",
            "repost_count",
            "released_at",
            "source_name",
        ],
        hints: &["text", "full_text", "content", "body", "title", "headline"],
    },
    Known {
        kind: Kind::Pair,
        name: "market pairs",
        signs: &["market_pair", "market_pairs", "market_pair_base", "exchange", "exchange_name", "outlier_detected"],
        hints: &["market", "pair", "trading_pair", "base", "base_symbol", "target", "tickers"],
    },
    Known {
        kind: Kind::Token,
        name: "BRC-20 tokens",
        signs: &[
            "mint_limit",
            "limit_per_mint",
            "minted_supply",
            "total_minted",
            "deploy_timestamp",
            "deploy_ts",
            "deploy_height",
            "deploy_blocktime",
            "self_mint",
            "is_self_mint",
        ],
        hints: &["max", "minted", "limit", "lim", "mint_amount", "deploy_address"],
    },
    Known {
        kind: Kind::Balance,
        name: "BRC-20 balances",
        signs: &[
            "overall_balance",
            "available_balance",
            "transferrable_balance",
            "transferable_balance",
            "overall",
            "balance",
        ],
        hints: &["available", "transferable", "transferrable"],
    },
    Known {
        kind: Kind::Event,
        name: "BRC-20 activity",
        // Hiro's objects for each operation, OPI's wallets, and the additional fields of UniSat's history, which also has
        // balances.
        signs: &[
            "operation",
            "op",
            "event_type",
            "activity_type",
            "action_type",
            "from_wallet",
            "to_wallet",
            "old_wallet",
            "new_wallet",
            "from_address",
            "to_address",
            "transfer_send",
            "transfer",
            "mint",
            "deploy",
            "source_wallet",
            "spent_wallet",
            "minted_wallet",
            "tx_idx",
            "blocktime",
        ],
        hints: &["type", "from", "to"],
    },
    Known {
        kind: Kind::Sat,
        name: "a sat",
        signs: &["coinbase_height", "percentile", "degree"],
        hints: &["cycle", "epoch"],
    },
    Known {
        kind: Kind::Inscription,
        name: "inscriptions",
        signs: &[
            "genesis_address",
            "genesis_fee",
            "genesis_block_height",
            "content_length",
            "sat_ordinal",
            "sat_rarity",
            "mime_type",
            "curse_type",
            "satpoint",
            "genesis_height",
            "genesis_transaction",
        ],
        hints: &["content_type", "sat"],
    },
    Known {
        kind: Kind::Block,
        name: "statistics of blocks",
        signs: &["inscription_count", "inscription_count_accum"],
        hints: &[],
    },
    Known {
        kind: Kind::Ticker,
        name: "exchange tickers",
        // Binance, Bitget; OKX; Gate; Bybit. Their prices and volumes are not in the requested currency.
        signs: &[
            "bid_price",
            "ask_price",
            "quote_volume",
            "base_volume",
            "weighted_avg_price",
            "last_pr",
            "bid_pr",
            "ask_pr",
            "inst_id",
            "bid_px",
            "ask_px",
            "vol_ccy_24h",
            "currency_pair",
            "highest_bid",
            "lowest_ask",
            "bid1_price",
            "ask1_price",
            "turnover_24h",
            "price_24h_pcnt",
            "prev_price_24h",
        ],
        hints: &[],
    },
    // Detected by its points, see below.
    Known { kind: Kind::Series, name: "price histories", signs: &[], hints: &[] },
];

/// Minimum number of signs. A single one isn't enough: a coin may have a `market_pairs` count.
const MIN_SIGNS: usize = 2;

impl Kind {
    /// The plural name.
    pub(super) fn name(self) -> &'static str {
        KNOWN.iter().find(|known| known.kind == self).map_or("", |known| known.name)
    }

    /// The other kind to which an item clearly belongs: it has several signs of that kind and none of this one. When in
    /// doubt, the item is accepted, since a response may have fields that we don't know.
    pub(super) fn foreign(self, item: Value<'_>) -> Option<Kind> {
        if self == Kind::Coin && has_history(item) {
            return Some(Kind::Series);
        }
        // A list under this name contains data and is not just a sign.
        let weight = |value: Value<'_>| if value.is_array() { MIN_SIGNS } else { 1 };
        let count = |names: &[&str]| names.iter().filter_map(|name| item.get(name)).map(weight).sum::<usize>();
        let is_own = |known: &Known| known.kind == self && count(known.signs) + count(known.hints) > 0;
        if KNOWN.iter().any(is_own) {
            return None;
        }
        // A BRC-20 token may include its price.
        let may_be_valued = matches!(self, Kind::Token | Kind::Balance) && item.any(&["ticker", "tick"]).is_some();
        let others = KNOWN.iter().filter(|known| known.kind != self && !(may_be_valued && known.kind == Kind::Coin));
        let count = |known: &Known| match known.kind {
            Kind::Coin => count(known.signs) + signs_in_quote(item, known.signs),
            _ => count(known.signs),
        };
        let (count, other) = others.map(|known| (count(known), known.kind)).max_by_key(|(count, _)| *count)?;
        (count >= MIN_SIGNS).then_some(other)
    }
}

/// The kind of a row that is clearly not a point. An inscription has a time and a value, too.
pub(super) fn non_point_kind(row: Value<'_>) -> Option<Kind> {
    let count = |known: &Known| known.signs.iter().filter(|name| row.get(name).is_some()).count();
    KNOWN.iter().find(|known| known.kind != Kind::Coin && count(known) >= MIN_SIGNS).map(|known| known.kind)
}

/// Number of signs of a coin in its quote, which has most of its figures (CoinMarketCap, CoinPaprika).
fn signs_in_quote(coin: Value<'_>, signs: &[&str]) -> usize {
    let Some(quotes) = coin.any(&["quote", "quotes"]) else { return 0 };
    let count = |quote: Value<'_>| signs.iter().filter(|name| quote.get(name).is_some()).count();
    let first = quotes.items().next().or_else(|| quotes.fields().map(|(_, quote)| quote).find(Value::is_object));
    count(quotes).max(first.map_or(0, count))
}

/// Whether a coin's quotes are a price history (CoinMarketCap's quotes/historical), where each quote contains quotes.
fn has_history(coin: Value<'_>) -> bool {
    let first = coin.get("quotes").and_then(|quotes| quotes.items().next());
    first.is_some_and(|quote| quote.get("quote").is_some_and(|quote| quote.is_object()))
}
