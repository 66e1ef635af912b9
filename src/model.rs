//! What the rest of the program speaks: coins, posts, market pairs, charts, BRC-20 tokens, sats and inscriptions.
//!
//! The types serialise to the JSON of the command line's contract: keys are always present, unknown is `null`.
//! Everything textual in here has passed [`text::clean`] at the decode border, and all numbers are finite.

use serde::{Deserialize, Serialize};

pub mod amount;
pub mod brc20;
pub mod chart;
pub mod coin;
pub mod currency;
pub mod identity;
pub mod inscription;
pub mod interval;
pub mod market_pair;
pub mod post;
pub mod provider;
pub mod sat;
pub mod text;
pub mod time;

pub use amount::Amount;
pub use brc20::{Activity, Balance, Brc20Token, Holder, Operation};
pub use chart::{Chart, MarketSeries, Period, Point};
pub use coin::{Coin, CoinId, Contract, Link, Tag};
pub use currency::Currency;
pub use identity::Identity;
pub use inscription::{Content, Inscription, InscriptionRef, InscriptionStat};
pub use market_pair::MarketPair;
pub use post::{CONTENT_WARNING, Post, PostOrder};
pub use provider::ProviderName;
pub use sat::{Disagreement, Sat, SatNumber};
pub use time::UtcTime;

/// Short text that mostly fits in place (up to 24 bytes without an allocation).
pub type Text = compact_str::CompactString;

/// One page of a list, in the server's order.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Page<T> {
    /// The items that could be read.
    pub items: Vec<T>,
    /// How many items the whole list has, where the server said so. A server's 0 beside a non-first empty page says
    /// nothing and is `None` here (Hiro's API takes its total from the first row).
    pub total: Option<u64>,
}

impl<T> Default for Page<T> {
    fn default() -> Self {
        Page { items: Vec::new(), total: None }
    }
}
