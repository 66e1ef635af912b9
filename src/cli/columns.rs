//! Columns of tables: titles, formats, and which are dropped first on narrow terminals.

/// A column of a table.
pub(super) struct Column {
    pub(super) title: &'static str,
    /// JSON field.
    pub(super) field: &'static str,
    pub(super) kind: Kind,
    /// Drop priority: 0 is never dropped, the highest first. A column without which a row means something else is never
    /// dropped.
    pub(super) drop: u8,
}

/// Format and alignment of the cells.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Kind {
    /// Text that may be cut to this width.
    Text(usize),
    /// Text with numbers, which is never cut.
    Whole,
    /// The rule of an alert. Only long names in it, such as addresses, may be shortened in the middle.
    Rule,
    /// Hashes, ids and addresses, which may be shortened in the middle.
    Id,
    /// A price with significant digits.
    Price,
    /// A price among others of one coin, whose differences matter.
    ComparedPrice,
    /// An amount of money or a count, such as 61.2M.
    Compact,
    /// A percentage change with sign and colour.
    Change,
    /// A percentage.
    Percent,
    /// An exact integer.
    Integer,
    /// An exact decimal number.
    Amount,
    /// An exact decimal number, preceded by the part of it in this field of the row, if only that is left: `400 of
    /// 500`, `0 of 500`.
    AmountOf(&'static str),
    /// The value of something held.
    Money,
    /// An exact price, followed by the currency in this field of the row.
    MoneyIn(&'static str),
    /// A time with minutes.
    Time,
    /// A sparkline.
    Trend,
    /// "yes" or empty.
    Flag,
    /// A number of bytes, such as 34 kB.
    Bytes,
    /// Several strings; one per line in a card.
    List,
    /// Several strings, as in `List`; a card omits the line if there are none.
    Problems,
    /// An event of a BRC-20 token, in the words of the screen.
    Event,
}

const fn column(title: &'static str, field: &'static str, kind: Kind, drop: u8) -> Column {
    Column { title, field, kind, drop }
}

use Kind::{
    Amount, AmountOf, Bytes, Change, Compact, ComparedPrice, Event, Flag, Id, Integer, List, Money, MoneyIn, Percent,
    Price, Problems, Rule, Text, Time, Trend, Whole,
};

pub(super) const SOURCES: &[Column] = &[
    column("Name", "name", Text(13), 0),
    column("Key", "key", Text(10), 3),
    column("State", "state", Text(8), 0),
    column("Serves", "serves", Text(20), 2),
    column("Latency (ms)", "latency_ms", Integer, 5),
    column("Budget", "budget", Whole, 4),
    column("Next retry", "next_try_at", Time, 6),
    column("Attribution", "attribution", Text(20), 7),
];

pub(super) const SOURCE_TESTS: &[Column] = &[
    column("Name", "name", Text(13), 0),
    column("Passed", "passed", Text(6), 0),
    column("Latency (ms)", "latency_ms", Integer, 2),
    column("Reason", "reason", Text(20), 3),
];

/// Coins. Separate from the tables of the dashboard's lists: here, each column is a JSON field. There, a column
/// (`CoinColumn`) is a painted cell, such as a star or a chart, and sort orders (`SortColumn`) have their own sequence
/// and menu letters.
pub(super) const COINS: &[Column] = &[
    column("#", "rank", Integer, 3),
    column("Name", "name", Text(12), 4),
    column("Symbol", "symbol", Text(6), 0),
    column("Price", "price", Price, 0),
    column("1h", "change_1h_pct", Change, 7),
    column("24h", "change_24h_pct", Change, 1),
    column("7d", "change_7d_pct", Change, 5),
    column("Low 24h", "low_24h", Price, 9),
    column("High 24h", "high_24h", Price, 9),
    column("Volume 24h", "volume_24h", Compact, 6),
    column("Market cap", "market_cap", Compact, 2),
    column("Supply", "circulating_supply", Compact, 10),
    column("Slug", "slug", Text(12), 11),
];

pub(super) const WATCHED: &[Column] = &[
    column("Symbol", "symbol", Text(6), 0),
    column("Name", "name", Text(12), 2),
    column("Price", "price", Price, 0),
    column("24h", "change_24h_pct", Change, 1),
    column("Slug", "slug", Text(12), 3),
];

pub(super) const NOTES: &[Column] =
    &[column("Coin", "slug", Text(20), 0), column("Time", "time", Time, 0), column("Note", "text", Text(40), 0)];

pub(super) const ADDRESSES: &[Column] = &[
    column("Label", "label", Text(24), 0),
    column("Address", "address", Text(62), 0),
    column("Added", "added_at", Time, 1),
];

pub(super) const ALERTS: &[Column] = &[
    column("ID", "id", Integer, 0),
    column("Rule", "rule", Rule, 0),
    column("Once", "once", Flag, 6),
    column("State", "state", Text(9), 0),
    column("Value", "value", Whole, 2),
    column("Distance", "distance_pct", Whole, 3),
    column("Waits for", "waits_for", Whole, 4),
    column("Checked", "checked_at", Time, 5),
    column("Last fired", "last_fired_at", Time, 4),
];

pub(super) const LOTS: &[Column] = &[
    column("ID", "id", Integer, 0),
    column("Date", "date", Text(10), 2),
    column("Kind", "kind", Text(7), 0),
    column("Symbol", "symbol", Text(6), 0),
    column("Amount", "amount", AmountOf("remaining"), 0),
    column("Unit price", "unit_price", MoneyIn("currency"), 5),
    column("Value", "value", Money, 1),
    column("Profit", "profit", Money, 1),
    column("Profit %", "profit_pct", Change, 3),
    column("Share", "share_pct", Percent, 7),
    column("Note", "note", Text(12), 8),
];

/// Columns of lots in a wallet with addresses, whose balances only the address tells apart.
pub(super) const LOTS_AND_BALANCES: &[Column] = &[
    column("ID", "id", Integer, 0),
    column("Date", "date", Text(10), 3),
    column("Kind", "kind", Text(7), 0),
    column("Address", "address", Text(13), 2),
    column("Symbol", "symbol", Text(6), 0),
    column("Amount", "amount", AmountOf("remaining"), 0),
    column("Unit price", "unit_price", MoneyIn("currency"), 6),
    column("Value", "value", Money, 1),
    column("Profit", "profit", Money, 4),
    column("Profit %", "profit_pct", Change, 5),
    column("Share", "share_pct", Percent, 8),
    column("Note", "note", Text(12), 7),
];

pub(super) const COINS_WITH_TREND: &[Column] = &[
    column("#", "rank", Integer, 3),
    column("Name", "name", Text(12), 5),
    column("Symbol", "symbol", Text(6), 0),
    column("Price", "price", Price, 0),
    column("24h", "change_24h_pct", Change, 1),
    column("7d", "change_7d_pct", Change, 6),
    column("7 days", "sparkline_7d", Trend, 2),
    column("Volume 24h", "volume_24h", Compact, 7),
    column("Market cap", "market_cap", Compact, 4),
    column("Slug", "slug", Text(12), 8),
];

pub(super) const POSTS: &[Column] = &[
    column("Posted", "posted_at", Time, 1),
    column("Author", "author", Text(10), 2),
    column("Network", "network", Text(8), 3),
    column("Likes", "likes", Integer, 4),
    column("Comments", "comments", Integer, 5),
    column("Reposts", "reposts", Integer, 6),
    column("Text", "text", Text(22), 0),
];

pub(super) const PAIRS: &[Column] = &[
    column("Exchange", "exchange", Text(10), 0),
    column("Pair", "pair", Text(10), 0),
    column("Category", "category", Text(6), 6),
    column("Price", "price", ComparedPrice, 0),
    column("Volume 24h", "volume_24h", Compact, 2),
    column("Share", "volume_share_pct", Percent, 3),
    column("+2%", "depth_plus_2pct", Compact, 4),
    column("-2%", "depth_minus_2pct", Compact, 4),
    column("Outlier", "outlier", Flag, 1),
    column("Updated", "updated_at", Time, 5),
];

pub(super) const POINTS: &[Column] = &[
    column("Time", "time", Time, 0),
    column("Price", "price", Price, 0),
    column("Volume", "volume", Compact, 2),
    column("Market cap", "market_cap", Compact, 1),
];

pub(super) const SERIES_POINTS: &[Column] = &[
    column("Symbol", "symbol", Text(6), 0),
    column("Name", "name", Text(10), 3),
    column("Time", "time", Time, 0),
    column("Price", "price", Price, 0),
    column("Volume", "volume", Compact, 2),
    column("Market cap", "market_cap", Compact, 1),
];

pub(super) const TOKENS: &[Column] = &[
    column("Ticker", "ticker", Text(6), 0),
    column("Max supply", "max_supply", Amount, 1),
    column("Minted", "minted_supply", Amount, 2),
    column("Mint limit", "mint_limit", Amount, 6),
    column("Decimals", "decimals", Integer, 7),
    column("Self-mint", "self_mint", Flag, 5),
    column("Transactions", "tx_count", Integer, 3),
    column("Deployed", "deployed_at", Time, 4),
    column("Block", "block_height", Integer, 8),
    column("Inscription", "inscription_id", Id, 9),
];

pub(super) const HOLDERS: &[Column] = &[column("Address", "address", Id, 0), column("Balance", "balance", Amount, 0)];

pub(super) const BALANCES: &[Column] = &[
    column("Ticker", "ticker", Text(6), 0),
    column("Available", "available", Amount, 1),
    column("Transferable", "transferable", Amount, 2),
    column("Overall", "overall", Amount, 0),
];

pub(super) const ACTIVITY: &[Column] = &[
    column("Time", "time", Time, 2),
    column("Block", "block_height", Integer, 3),
    column("Operation", "operation", Event, 0),
    column("Ticker", "ticker", Text(6), 0),
    column("Amount", "amount", Amount, 0),
    column("From", "from", Id, 4),
    column("To", "to", Id, 5),
    column("Address", "address", Id, 6),
    column("Transaction", "tx_id", Id, 7),
];

pub(super) const INSCRIPTIONS: &[Column] = &[
    column("Number", "number", Integer, 0),
    column("Inscription", "id", Id, 0),
    column("Type", "content_type", Text(12), 1),
    column("Bytes", "content_length", Integer, 3),
    column("Sat", "sat", Integer, 4),
    column("Rarity", "rarity", Text(8), 5),
    column("Block", "genesis_block_height", Integer, 6),
    column("Inscribed", "genesis_time", Time, 2),
    column("Address", "address", Id, 7),
];

pub(super) const INSCRIPTION_STATS: &[Column] = &[
    column("Block", "block_height", Integer, 0),
    column("Inscriptions", "inscriptions", Integer, 0),
    column("Total", "inscriptions_total", Integer, 1),
    column("Time", "time", Time, 2),
    column("Hash", "block_hash", Id, 3),
];

/// A line of a card. Cards show all fields without cutting text.
const fn line(title: &'static str, field: &'static str, kind: Kind) -> Column {
    column(title, field, kind, 0)
}

/// One BRC-20 token.
pub(super) const TOKEN: &[Column] = &[
    line("Ticker", "ticker", Id),
    line("Minted", "minted_supply", Amount),
    line("Max supply", "max_supply", Amount),
    line("Mint limit", "mint_limit", Amount),
    line("Decimals", "decimals", Integer),
    line("Holders", "holders", Integer),
    line("Transactions", "tx_count", Integer),
    line("Self-mint", "self_mint", Flag),
    line("Deployed", "deployed_at", Time),
    line("Block", "block_height", Integer),
    line("Deployer", "deployer", Id),
    line("Inscription number", "inscription_number", Integer),
    line("Inscription", "inscription_id", Id),
    line("Transaction", "tx_id", Id),
];

/// One sat.
pub(super) const SAT: &[Column] = &[
    line("Sat", "number", Integer),
    line("Name", "name", Id),
    line("Rarity", "rarity", Id),
    line("Inscription", "inscription_id", Id),
    line("Charms", "charms", List),
    line("Decimal", "decimal", Id),
    line("Degree", "degree", Id),
    line("Percentile", "percentile", Id),
    line("Block", "block_height", Integer),
    line("Offset", "offset", Integer),
    line("Cycle", "cycle", Integer),
    line("Epoch", "epoch", Integer),
    line("Period", "period", Integer),
    line("Indexer differs", "disagreements", Problems),
];

/// One inscription.
pub(super) const INSCRIPTION: &[Column] = &[
    line("Number", "number", Integer),
    line("Inscription", "id", Id),
    line("Type", "content_type", Id),
    line("Length", "content_length", Bytes),
    line("Recursive", "recursive", Flag),
    line("Curse", "curse_type", Id),
    line("Sat", "sat", Integer),
    line("Rarity", "rarity", Id),
    line("Address", "address", Id),
    line("Output", "output", Id),
    line("Location", "location", Id),
    line("Offset", "offset", Integer),
    line("Value (sats)", "value", Integer),
    line("Since", "time", Time),
    line("Inscribed", "genesis_time", Time),
    line("Block", "genesis_block_height", Integer),
    line("Inscribed by", "genesis_address", Id),
    line("Fee (sats)", "genesis_fee", Integer),
    line("Transaction", "tx_id", Id),
    line("Parents", "parents", List),
    line("Charms", "charms", List),
];

#[cfg(test)]
mod tests {
    use super::*;
    use crate::cli::sheet::{BRC20_TOKEN, INSCRIPTION as INSCRIPTION_FIELDS, SAT as SAT_FIELDS};

    #[test]
    fn card_shows_every_field() {
        for (card, fields) in [(TOKEN, BRC20_TOKEN), (SAT, SAT_FIELDS), (INSCRIPTION, INSCRIPTION_FIELDS)] {
            for field in fields {
                assert_eq!(card.iter().filter(|line| line.field == *field).count(), 1, "{field}");
            }
            assert_eq!(card.len(), fields.len());
        }
    }
}
