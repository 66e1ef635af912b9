//! The settings that the screen depends on.

use crate::fetch::BACKGROUND_PER_MINUTE;
use crate::keymap::Keymap;
use crate::model::{Currency, MovingAverage, Period, ProviderName, Text, Zone};
use crate::portfolio::CostMethod;
use crate::user_data::Watched;

use super::screen::list::CoinColumn;
use super::sources::SourceControl;

/// Value in [`Preferences::urls`] for a group that the embedded service serves.
pub const EMBEDDED: &str = "embedded service";

/// The settings that the screen depends on.
#[derive(Clone, Debug)]
pub struct Preferences {
    /// Coins per page of a list.
    pub page_size: u32,
    /// The columns of lists besides the fixed ones, unless the user chooses others in a list.
    pub columns: Vec<CoinColumn>,
    /// The initial period of charts.
    pub period: Period,
    /// The moving averages of charts, one or two, shortest first.
    pub averages: Vec<MovingAverage>,
    /// The length of the RSI in candles.
    pub rsi: usize,
    /// The cost basis method of sales.
    pub cost: CostMethod,
    /// The initial currency.
    pub convert: Currency,
    /// Whether the currency comes from a flag or the environment, which override the session.
    pub convert_fixed: bool,
    /// The watched coins of the configuration.
    pub watched: Vec<Watched>,
    /// Whether the embedded service has live data, not simulated data; `None` if it serves nothing.
    pub live: Option<bool>,
    /// Whether to offer live data: the user has not chosen between simulated and live data yet.
    pub offers_live: bool,
    /// Where the market group's and the indexer group's data comes from, for the header: `DEMO`, or a host.
    pub sources: [String; 2],
    /// The public providers that receive the addresses that are looked up.
    pub address_receivers: Vec<ProviderName>,
    /// The public providers that receive the addresses whose bitcoin balance is looked up.
    pub balance_receivers: Vec<ProviderName>,
    /// Where the providers of live data are chosen.
    pub sources_control: SourceControl,
    /// The market group's and the indexer group's base URL, or [`EMBEDDED`], for the Status tab.
    pub urls: [String; 2],
    /// Maximum background requests a minute, for the Status tab.
    pub background_per_minute: u32,
    /// The slug or symbol of the coin in the window title; `None` for no title.
    pub title: Option<Text>,
    /// Whether images may be shown.
    pub images: bool,
    /// Whether mouse capture is on at the start.
    pub mouse: bool,
    /// Whether the terminal may have a clipboard.
    pub clipboard: bool,
    /// The time zone of all times.
    pub zone: Zone,
    /// The key map.
    pub keys: Keymap,
}

impl Default for Preferences {
    fn default() -> Self {
        Preferences {
            page_size: 200,
            columns: CoinColumn::defaults().collect(),
            period: Period::Week,
            averages: [7, 25].map(MovingAverage::simple).to_vec(),
            rsi: 14,
            cost: CostMethod::default(),
            convert: Currency::usd(),
            convert_fixed: false,
            watched: ["BTC", "ORDI", "SATS", "RATS"].map(Watched::by_symbol).to_vec(),
            live: Some(false),
            offers_live: false,
            sources: ["DEMO", "DEMO"].map(String::from),
            address_receivers: Vec::new(),
            balance_receivers: Vec::new(),
            sources_control: SourceControl::Simulated,
            urls: [String::new(), String::new()],
            background_per_minute: BACKGROUND_PER_MINUTE,
            title: None,
            images: true,
            mouse: true,
            clipboard: true,
            zone: Zone::UTC,
            keys: Keymap::default(),
        }
    }
}
