//! A coin of the market group: its names, its price and what came with it.

use serde::{Deserialize, Serialize};

use super::{Currency, Text, UtcTime};

/// What a coin is known by: the service's id, or its slug where no id came. Never its symbol, which dozens share.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(transparent)]
pub struct CoinId(pub Text);

/// The lists that the interface offers (`/coins` `tag`).
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
pub enum Tag {
    /// Every coin.
    All,
    /// BRC-20 tokens.
    Brc20,
    /// The Bitcoin ecosystem.
    BitcoinEcosystem,
}

impl Tag {
    /// All of them, in the order of the tabs.
    pub const ALL: [Tag; 3] = [Tag::All, Tag::Brc20, Tag::BitcoinEcosystem];

    /// As the interface spells it.
    pub fn as_str(self) -> &'static str {
        match self {
            Tag::All => "all",
            Tag::Brc20 => "brc-20",
            Tag::BitcoinEcosystem => "bitcoin-ecosystem",
        }
    }

    /// As people read it.
    pub fn title(self) -> &'static str {
        match self {
            Tag::All => "All",
            Tag::Brc20 => "BRC-20",
            Tag::BitcoinEcosystem => "Bitcoin ecosystem",
        }
    }
}

/// One coin. Money is in `convert`, changes are in percent, supplies are counts of coins.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Coin {
    /// Identity.
    pub id: CoinId,
    /// Place by market capitalisation, from 1.
    pub rank: Option<u32>,
    /// Display name; the symbol or slug where none came.
    pub name: Text,
    /// Ticker as the service spells it; not unique.
    pub symbol: Text,
    /// The name as a slug, what `/chart` asks by.
    pub slug: Option<Text>,
    /// Category tags, as slugs or names.
    pub tags: Vec<Text>,
    /// What the money below is in.
    pub convert: Currency,
    /// Last price.
    pub price: Option<f64>,
    /// Change over an hour, percent.
    pub change_1h_pct: Option<f64>,
    /// Change over a day, percent.
    pub change_24h_pct: Option<f64>,
    /// Change over seven days, percent.
    pub change_7d_pct: Option<f64>,
    /// Highest price of the last day.
    pub high_24h: Option<f64>,
    /// Lowest price of the last day.
    pub low_24h: Option<f64>,
    /// Highest price ever.
    pub all_time_high: Option<f64>,
    /// Lowest price ever.
    pub all_time_low: Option<f64>,
    /// Traded in the last day.
    pub volume_24h: Option<f64>,
    /// Price times circulating supply.
    pub market_cap: Option<f64>,
    /// Coins in circulation.
    pub circulating_supply: Option<f64>,
    /// Coins that exist.
    pub total_supply: Option<f64>,
    /// Coins that can ever exist.
    pub max_supply: Option<f64>,
    /// Web sites and social links; http and https only.
    pub links: Vec<Link>,
    /// Where the token lives on other chains.
    pub contracts: Vec<Contract>,
    /// Prices over seven days, oldest first, evenly spaced; empty where none came.
    pub sparkline_7d: Vec<f64>,
    /// When the service last changed this.
    pub updated_at: Option<UtcTime>,
}

impl Coin {
    /// A coin of which nothing but its names is known.
    pub fn new(id: CoinId, name: Text, symbol: Text) -> Coin {
        Coin {
            id,
            rank: None,
            name,
            symbol,
            slug: None,
            tags: Vec::new(),
            convert: Currency::usd(),
            price: None,
            change_1h_pct: None,
            change_24h_pct: None,
            change_7d_pct: None,
            high_24h: None,
            low_24h: None,
            all_time_high: None,
            all_time_low: None,
            volume_24h: None,
            market_cap: None,
            circulating_supply: None,
            total_supply: None,
            max_supply: None,
            links: Vec::new(),
            contracts: Vec::new(),
            sparkline_7d: Vec::new(),
            updated_at: None,
        }
    }
}

/// A link of a coin.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Link {
    /// `website`, `twitter`, `explorer`, `chat`, … as the service groups them.
    pub kind: Text,
    /// An http or https URL.
    pub url: String,
}

/// A contract, or a BRC-20's deploy inscription.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Contract {
    /// The chain's name.
    pub platform: Option<Text>,
    /// Address, or inscription id.
    pub address: Text,
}
