//! What the items of an answer are, so that an answer to another question is known for what it is.

use super::tape::Value;

/// What an item of a list is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Kind {
    Coin,
    Post,
    Pair,
    Token,
    /// A holder or a balance: one has an address, the other a ticker.
    Balance,
    Event,
    Sat,
    Inscription,
    Block,
}

/// Each kind with its name and with names of fields that items of no other kind have: in none of the dialects that we
/// know, or only beside some of their own.
const SIGNS: [(Kind, &str, &[&str]); 9] = [
    (
        Kind::Coin,
        "coins",
        &[
            "cmc_rank",
            "market_cap_rank",
            "market_cap",
            "circulating_supply",
            "percent_change_24h",
            "price_change_percentage_24h",
            "market_data",
            "sparkline_in_7d",
        ],
    ),
    (Kind::Post, "posts", &["post_id", "text_content", "post_time", "like_count", "comment_count", "repost_count"]),
    (
        Kind::Pair,
        "market pairs",
        &["market_pair", "market_pairs", "market_pair_base", "exchange", "exchange_name", "outlier_detected"],
    ),
    (
        Kind::Token,
        "BRC-20 tokens",
        &[
            "mint_limit",
            "limit_per_mint",
            "minted_supply",
            "total_minted",
            "deploy_timestamp",
            "deploy_ts",
            "self_mint",
        ],
    ),
    (
        Kind::Balance,
        "BRC-20 balances",
        &[
            "overall_balance",
            "available_balance",
            "transferrable_balance",
            "transferable_balance",
            "overall",
            "balance",
        ],
    ),
    // The last one stands beside balances in UniSat's history.
    (Kind::Event, "BRC-20 activity", &["operation", "op", "event_type", "from_address", "to_address", "tx_idx"]),
    (Kind::Sat, "a sat", &["coinbase_height", "percentile", "degree"]),
    (
        Kind::Inscription,
        "inscriptions",
        &[
            "genesis_address",
            "genesis_fee",
            "genesis_block_height",
            "content_length",
            "sat_ordinal",
            "sat_rarity",
            "mime_type",
            "curse_type",
        ],
    ),
    (Kind::Block, "statistics of blocks", &["inscription_count", "inscription_count_accum"]),
];

impl Kind {
    /// What several of it are called.
    pub(super) fn name(self) -> &'static str {
        SIGNS.iter().find(|(kind, ..)| *kind == self).map_or("", |(_, name, _)| name)
    }

    /// The kind that an item clearly is instead: it has signs of that, and none of this one. What has no signs at all
    /// may be of any kind.
    pub(super) fn foreign(self, item: Value<'_>) -> Option<Kind> {
        let signs = |signs: &[&str]| signs.iter().filter(|name| item.get(name).is_some()).count();
        let counted = SIGNS.iter().map(|(kind, _, names)| (*kind, signs(names)));
        let own = counted.clone().any(|(kind, count)| kind == self && count > 0);
        let (other, count) = counted.filter(|(kind, _)| *kind != self).max_by_key(|(_, count)| *count)?;
        (!own && count > 0).then_some(other)
    }
}
