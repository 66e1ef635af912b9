//! Coins of the market group.

use std::sync::Arc;
use std::time::Duration;

use serde::{Deserialize, Serialize};

use super::change::change_pct;
use super::chart::Point;
use super::currency::{Currency, SATS_PER_BITCOIN};
use super::decimal::Decimal;
use super::provider::ProviderName;
use super::text::Text;
use super::time::UtcTime;

/// The identity of a coin: the service's id, or the slug if there is no id. Never the symbol, which dozens of coins may
/// share.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(transparent)]
pub struct CoinId(pub Text);

/// The lists of coins (`tag` of `/coins`).
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
    /// All tags, in the order of the tabs.
    pub const ALL: [Tag; 3] = [Tag::All, Tag::Brc20, Tag::BitcoinEcosystem];

    /// The value in the interface.
    pub fn as_str(self) -> &'static str {
        match self {
            Tag::All => "all",
            Tag::Brc20 => "brc-20",
            Tag::BitcoinEcosystem => "bitcoin-ecosystem",
        }
    }

    /// The title on the screen.
    pub fn title(self) -> &'static str {
        match self {
            Tag::All => "All",
            Tag::Brc20 => "BRC-20",
            Tag::BitcoinEcosystem => "Bitcoin ecosystem",
        }
    }
}

/// A missing price of a 7-day sparkline. Not NaN, so that a line equals its copy; `null` in JSON.
pub const GAP: f64 = f64::INFINITY;

/// The prices of points as a line, with gaps; empty if there are none.
pub fn line_of(points: &[Point]) -> Vec<f64> {
    let has_prices = points.iter().any(|point| point.price.is_some());
    points.iter().filter(|_| has_prices).map(|point| point.price.unwrap_or(GAP)).collect()
}

/// A coin. Money is in `convert`, changes are in percent, supplies are numbers of coins.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Coin {
    /// Identity.
    pub id: CoinId,
    /// Rank by market cap, counted from 1.
    pub rank: Option<u32>,
    /// Display name; the symbol or slug if there is none.
    pub name: Text,
    /// Ticker as the service spells it; not unique.
    pub symbol: Text,
    /// Slug, the parameter of `/chart`.
    pub slug: Option<Text>,
    /// Category tags, as slugs or names. Coins of one response with the same tags share them.
    pub tags: Arc<[Text]>,
    /// The currency of all money.
    pub convert: Currency,
    /// Last price.
    pub price: Option<f64>,
    /// The price in bitcoin from which the price in sats was computed.
    #[serde(skip)]
    pub bitcoin_price: Option<f64>,
    /// 1-hour change in percent.
    pub change_1h_pct: Option<f64>,
    /// 24-hour change in percent.
    pub change_24h_pct: Option<f64>,
    /// 7-day change in percent.
    pub change_7d_pct: Option<f64>,
    /// 24-hour high.
    pub high_24h: Option<f64>,
    /// 24-hour low.
    pub low_24h: Option<f64>,
    /// All-time high.
    pub all_time_high: Option<f64>,
    /// All-time low.
    pub all_time_low: Option<f64>,
    /// 24-hour volume.
    pub volume_24h: Option<f64>,
    /// Market cap: price times circulating supply.
    pub market_cap: Option<f64>,
    /// Circulating supply.
    pub circulating_supply: Option<f64>,
    /// Total supply: coins that exist.
    pub total_supply: Option<f64>,
    /// Max supply: coins that can ever exist.
    pub max_supply: Option<f64>,
    /// Websites and social links; only http and https.
    pub links: Vec<Link>,
    /// Contracts of the token on other chains.
    pub contracts: Vec<Contract>,
    /// The BRC-20 ticker in lower case, if the service is certain that the coin is this token; never from the symbol.
    pub brc20_ticker: Option<Text>,
    /// Prices over seven days, oldest first, evenly spaced, missing ones as [`GAP`]; empty if there are none.
    pub sparkline_7d: Vec<f64>,
    /// When the service last updated the data.
    pub updated_at: Option<UtcTime>,
    /// The provider of the prices, if it may differ from the response's provider.
    pub provider: Option<ProviderName>,
}

/// Maximum age of a provider's price, or of the newest price of its list, before another provider is tried. Providers
/// update traded coins every few minutes, and are rarely down for longer than this; a clock that is an hour off doesn't
/// matter.
pub const MAX_UPDATE_AGE: Duration = Duration::from_hours(3);

/// Minimum age of a coin's price that is old among newer ones. Providers update traded coins every few minutes.
const OLD_AFTER: Duration = Duration::from_mins(90);

/// Minimum age of the newest price of a list that is old as a whole. Some services send local times without a zone,
/// which are wrong by up to 14 hours.
const OLD_LIST_AFTER: Duration = Duration::from_hours(24);

/// The age of the prices of a list, if even the newest update of its coins is old.
pub fn old_list_age(newest: UtcTime, now: UtcTime) -> Option<Duration> {
    let age = now.since(newest);
    (age > OLD_LIST_AFTER).then_some(age)
}

/// How far an update may be ahead of the response that has it: clocks differ.
const MAX_AHEAD: Duration = Duration::from_mins(10);

/// The newest update of coins that arrived at this time. Updates ahead of it, such as local times without a zone, count
/// only if most are: then the clocks or zones of service and program differ.
pub fn newest_update<'a>(coins: impl IntoIterator<Item = &'a Coin>, arrived: UtcTime) -> Option<UtcTime> {
    let latest = arrived.plus(MAX_AHEAD);
    let (mut on_time, mut ahead) = ((0_usize, None::<UtcTime>), (0_usize, None::<UtcTime>));
    for at in coins.into_iter().filter_map(|coin| coin.updated_at) {
        let (count, newest) = if at > latest { &mut ahead } else { &mut on_time };
        *count += 1;
        *newest = (*newest).max(Some(at));
    }
    if ahead.0 > on_time.0 { ahead.1 } else { on_time.1 }
}

impl Coin {
    /// The age of the price if it is old, although its list is newer: the coin may no longer be traded. `newest` is the
    /// newest update in the list; the local clock may be wrong.
    pub fn old_age(&self, newest: Option<UtcTime>, now: UtcTime) -> Option<Duration> {
        let at = self.updated_at?;
        let behind = newest?.since(at);
        (behind > OLD_AFTER).then(|| behind.max(now.since(at)))
    }

    /// The last price as the shortest decimal that reads as the same float. One in sats is exactly 10⁸ times that in
    /// bitcoin.
    pub fn exact_price(&self) -> Option<Decimal> {
        let sats = self.bitcoin_price.filter(|_| self.convert.is_sats()).and_then(Decimal::from_f64);
        match sats {
            Some(bitcoin) => Some(&bitcoin * &Decimal::from(SATS_PER_BITCOIN)),
            None => self.price.and_then(Decimal::from_f64),
        }
    }

    /// The difference of a price of the coin from its all-time high, in percent. Services may update the high late.
    pub fn ath_change_pct(&self, price: Option<f64>) -> Option<f64> {
        change_pct(self.all_time_high?, price?)
    }

    /// The fully diluted valuation: the market cap if all coins of the max supply, or of the total supply if that is
    /// unknown, were in circulation.
    pub fn fully_diluted_valuation(&self) -> Option<f64> {
        let supply = self.max_supply.filter(|supply| *supply > 0.0).or(self.total_supply)?;
        Some(supply * self.price?).filter(|value| value.is_finite())
    }

    /// A coin with only known names.
    pub fn new(id: CoinId, name: Text, symbol: Text) -> Coin {
        Coin {
            id,
            rank: None,
            name,
            symbol,
            slug: None,
            tags: Arc::default(),
            convert: Currency::usd(),
            price: None,
            bitcoin_price: None,
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
            brc20_ticker: None,
            sparkline_7d: Vec::new(),
            updated_at: None,
            provider: None,
        }
    }

    /// All amounts of money, for a conversion to another currency.
    pub fn money_mut(&mut self) -> impl Iterator<Item = &mut f64> {
        let (amounts, line) = self.money_fields();
        amounts.into_iter().flatten().chain(line)
    }

    /// Removes all amounts of money, for a currency that can't be converted.
    pub fn remove_money(&mut self) {
        let (amounts, line) = self.money_fields();
        amounts.into_iter().for_each(|amount| *amount = None);
        line.clear();
    }

    /// The fields with money: price, 24-hour high and low, all-time high and low, volume and market cap, and the
    /// sparkline. Every field is named here, so that a new one can't be forgotten.
    pub(crate) fn money_fields(&mut self) -> ([&mut Option<f64>; 7], &mut Vec<f64>) {
        let Coin {
            price,
            high_24h,
            low_24h,
            all_time_high,
            all_time_low,
            volume_24h,
            market_cap,
            sparkline_7d,
            id: _,
            rank: _,
            name: _,
            symbol: _,
            slug: _,
            tags: _,
            convert: _,
            change_1h_pct: _,
            change_24h_pct: _,
            change_7d_pct: _,
            circulating_supply: _,
            total_supply: _,
            max_supply: _,
            links: _,
            contracts: _,
            brc20_ticker: _,
            updated_at: _,
            bitcoin_price: _,
            provider: _,
        } = self;
        ([price, high_24h, low_24h, all_time_high, all_time_low, volume_24h, market_cap], sparkline_7d)
    }
}

/// A link of a coin.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Link {
    /// `website`, `twitter`, `explorer`, `chat`, … as the service groups them.
    pub kind: Text,
    /// An http or https URL.
    pub url: Text,
}

/// A contract, or a BRC-20's deploy inscription.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Contract {
    /// The name of the chain.
    pub platform: Option<Text>,
    /// Address, or inscription id.
    pub address: Text,
}
