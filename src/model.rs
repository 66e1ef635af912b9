//! The data model: coins, posts, market pairs, charts, BRC-20 tokens, sats and inscriptions.
//!
//! The types serialise to the JSON output of the command line: all keys are always present, and unknown values are
//! `null`. All text has passed [`text::clean`] during decoding, and all numbers are finite.

pub mod address;
pub mod amount;
pub mod bitcoin_balance;
pub mod brc20;
pub mod candle;
pub mod candle_width;
pub mod change;
pub mod chart;
pub mod chart_style;
pub mod coin;
pub mod coin_chart;
pub mod coin_name;
pub mod currency;
pub mod decimal;
pub mod exchange_candles;
pub mod exchange_rate;
pub mod historical_rate;
pub mod identity;
pub mod inscription;
pub mod interval;
pub mod live_price;
pub mod market_pair;
pub mod market_series;
pub mod page;
pub mod picture;
pub mod post;
pub mod provider;
pub mod sat;
pub mod source;
pub mod system_error;
pub mod text;
pub mod time;
pub mod zone;

pub use amount::Amount;
pub use bitcoin_balance::BitcoinBalance;
pub use brc20::{Activity, Balance, Brc20Token, Holder, Operation};
pub use candle::{Candle, CandleData, ExchangePart};
pub use candle_width::CandleWidth;
pub use change::change_pct;
pub use chart::{Period, Point};
pub use chart_style::{ChartAxis, ChartStyle};
pub use coin::{Coin, CoinId, Contract, Link, Tag};
pub use coin_chart::Chart;
pub use coin_name::{CoinName, IndexedName};
pub use currency::{Currency, SharedSign};
pub use decimal::{Decimal, NotDecimal};
pub use exchange_candles::ExchangeCandles;
pub use exchange_rate::RateOrigin;
pub use historical_rate::{ExchangeRate, HistoricalRate};
pub use identity::Identity;
pub use inscription::{Content, Inscription, InscriptionRef, InscriptionStat};
pub use live_price::{DayRange, LivePrice, PriceUpdate};
pub use market_pair::MarketPair;
pub use market_series::MarketSeries;
pub use page::Page;
pub use picture::Picture;
pub use post::{CONTENT_WARNING, Post, PostOrder, is_sensitive_label};
pub use provider::ProviderName;
pub use sat::{Disagreement, Sat, SatNumber};
pub use source::{ChainState, Fees, KeyState, Source, SourceBudget, SourceState};
pub use text::Text;
pub use time::UtcTime;
pub use zone::Zone;
