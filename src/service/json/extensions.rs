//! Responses of the extensions under `/x/`.

use jiff::civil::Date;
use serde::Serialize;
use utoipa::ToSchema;

use crate::model::{
    BitcoinBalance, ChainState, CoinName, Currency, Decimal, Fees, HistoricalRate, KeyState, LivePrice, PriceUpdate,
    Source, SourceBudget, SourceState, Text, UtcTime,
};

/// The newest block.
#[derive(Serialize, ToSchema)]
#[schema(as = ChainState)]
pub(in crate::service) struct ChainStateJson<'a> {
    /// Block height.
    height: u64,
    /// Block hash in hexadecimal digits, if known.
    hash: Option<&'a str>,
    /// Fee rates, if known.
    fees: Option<FeesJson>,
}

impl<'a> From<&'a ChainState> for ChainStateJson<'a> {
    fn from(chain: &'a ChainState) -> ChainStateJson<'a> {
        let ChainState { height, hash, fees } = chain;
        ChainStateJson { height: *height, hash: hash.as_deref(), fees: fees.map(FeesJson::from) }
    }
}

/// Fee rates in sat/vB.
#[derive(Serialize, ToSchema)]
#[schema(as = Fees)]
struct FeesJson {
    /// For the next block.
    fastest: Option<f64>,
    /// For about half an hour.
    half_hour: Option<f64>,
    /// For about an hour.
    hour: Option<f64>,
}

impl From<Fees> for FeesJson {
    fn from(Fees { fastest, half_hour, hour }: Fees) -> FeesJson {
        FeesJson { fastest, half_hour, hour }
    }
}

/// The bitcoin balance of an address.
#[derive(Serialize, ToSchema)]
#[schema(as = BitcoinBalance)]
pub(in crate::service) struct BitcoinBalanceJson<'a> {
    /// The address.
    address: &'a str,
    /// The balance in the newest block, in sats.
    confirmed: u64,
    /// The change by unconfirmed transactions, in sats; negative if more is sent than received.
    unconfirmed: i64,
}

impl<'a> From<&'a BitcoinBalance> for BitcoinBalanceJson<'a> {
    fn from(balance: &'a BitcoinBalance) -> BitcoinBalanceJson<'a> {
        let BitcoinBalance { address, confirmed, unconfirmed } = balance;
        BitcoinBalanceJson { address, confirmed: *confirmed, unconfirmed: *unconfirmed }
    }
}

/// A coin in the complete name list.
#[derive(Serialize, ToSchema)]
#[schema(as = CoinName)]
pub(in crate::service) struct CoinNameJson<'a> {
    /// Id, as in `/coins`.
    id: &'a str,
    /// Display name.
    name: &'a str,
    /// Symbol; not unique.
    symbol: &'a str,
    /// Key for `/chart`.
    slug: &'a str,
    /// Rank by market cap, if known.
    rank: Option<u32>,
    /// Slugs of the coin at providers, if they differ from its own.
    #[schema(value_type = Vec<String>)]
    #[serde(skip_serializing_if = "<[Text]>::is_empty")]
    aliases: &'a [Text],
}

impl<'a> CoinNameJson<'a> {
    /// The name of a coin, with its slugs at providers.
    pub(in crate::service) fn new(coin: &'a CoinName, aliases: &'a [Text]) -> CoinNameJson<'a> {
        let CoinName { id, name, symbol, slug, rank } = coin;
        CoinNameJson { id, name, symbol, slug, rank: *rank, aliases }
    }
}

/// The exchange rate of a currency on a day.
#[derive(Serialize, ToSchema)]
#[schema(as = HistoricalRate)]
pub(in crate::service) struct HistoricalRateJson<'a> {
    /// The requested day.
    #[schema(value_type = String, format = Date)]
    date: Date,
    /// The currency that is converted.
    #[schema(value_type = String)]
    from: &'a Currency,
    /// The currency of the rate.
    #[schema(value_type = String)]
    to: &'a Currency,
    /// Units of `to` for one unit of `from`, as decimal text.
    #[schema(value_type = String)]
    rate: &'a Decimal,
    /// The exact rate as `[numerator, denominator]`, in decimal text; present only if `rate` is rounded (half to even,
    /// 18 decimals).
    #[schema(value_type = Option<[String; 2]>)]
    #[serde(skip_serializing_if = "Option::is_none")]
    fraction: Option<&'a (Decimal, Decimal)>,
    /// The day of the rate: `date`, or the last day before it that has a rate, such as a Friday.
    #[schema(value_type = String, format = Date)]
    day: Date,
}

impl<'a> From<&'a HistoricalRate> for HistoricalRateJson<'a> {
    fn from(of: &'a HistoricalRate) -> HistoricalRateJson<'a> {
        let HistoricalRate { date, from, to, rate, fraction, day } = of;
        HistoricalRateJson { date: *date, from, to, rate, fraction: fraction.as_ref(), day: *day }
    }
}

/// New prices of coins: an event of `/x/stream`.
#[derive(Serialize, ToSchema)]
#[schema(as = PriceUpdate)]
pub(in crate::service) struct PriceUpdateJson<'a> {
    /// The exchange, by its name in the configuration. Its prices are in USDT, treated as US dollars.
    provider: &'a str,
    /// The prices that have changed, at most one for each coin.
    prices: Vec<LivePriceJson<'a>>,
    /// Why there are no prices for now, if all exchanges with these coins failed. They are retried; an event without it
    /// means that one of them works again.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(nullable = false)]
    failure: Option<&'a str>,
}

impl<'a> From<&'a PriceUpdate> for PriceUpdateJson<'a> {
    fn from(update: &'a PriceUpdate) -> PriceUpdateJson<'a> {
        let PriceUpdate { provider, prices, failure } = update;
        PriceUpdateJson {
            provider,
            prices: prices.iter().map(LivePriceJson::from).collect(),
            failure: failure.as_deref(),
        }
    }
}

/// The last price of a coin on an exchange.
#[derive(Serialize, ToSchema)]
#[schema(as = LivePrice)]
struct LivePriceJson<'a> {
    /// Coin ID, as in `/coins`.
    id: &'a str,
    /// The price in the requested currency.
    price: f64,
    /// Seconds since it arrived from the exchange.
    age: f64,
    /// The lowest price on the exchange in 24 hours, in the requested currency.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(nullable = false)]
    low_24h: Option<f64>,
    /// The highest price on the exchange in 24 hours, in the requested currency.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(nullable = false)]
    high_24h: Option<f64>,
}

impl<'a> From<&'a LivePrice> for LivePriceJson<'a> {
    fn from(live: &'a LivePrice) -> LivePriceJson<'a> {
        let LivePrice { id, price, age, low_24h, high_24h } = live;
        LivePriceJson { id: &id.0, price: *price, age: *age, low_24h: *low_24h, high_24h: *high_24h }
    }
}

/// A provider of live data.
#[derive(Serialize, ToSchema)]
#[schema(as = Source)]
pub(in crate::service) struct SourceJson<'a> {
    /// Name in the configuration.
    name: &'a str,
    /// The state of the API key.
    key: KeyStateJson,
    /// The operations that it serves, by their names in the configuration.
    #[schema(value_type = Vec<String>)]
    serves: &'a [Text],
    /// The state of the provider.
    state: SourceStateJson,
    /// Latency of the last response in milliseconds.
    latency_ms: Option<u64>,
    /// Requests used and the limit; `null` if no limit is known.
    budget: Option<SourceBudgetJson<'a>>,
    /// When it is requested again after a failure.
    #[schema(value_type = Option<String>, format = DateTime)]
    next_try_at: Option<UtcTime>,
    /// Attribution that the provider's terms require wherever its data is shown.
    attribution: Option<&'a str>,
    /// A sentence about a failure, a missing setting, unreadable fields, or what a free key would add.
    missing: Option<&'a str>,
    /// A stable code for `missing`, such as `rate_limited` or `disabled`.
    missing_code: Option<&'a str>,
}

impl<'a> From<&'a Source> for SourceJson<'a> {
    fn from(source: &'a Source) -> SourceJson<'a> {
        let Source { name, key, serves, state, latency_ms, budget, next_try_at, attribution, missing, missing_code } =
            source;
        SourceJson {
            name,
            key: KeyStateJson::from(*key),
            serves,
            state: SourceStateJson::from(*state),
            latency_ms: *latency_ms,
            budget: budget.as_ref().map(SourceBudgetJson::from),
            next_try_at: *next_try_at,
            attribution: attribution.as_deref(),
            missing: missing.as_deref(),
            missing_code: missing_code.as_deref(),
        }
    }
}

/// Whether a provider has an API key.
#[derive(Serialize, ToSchema)]
#[schema(as = KeyState)]
#[serde(rename_all = "snake_case")]
enum KeyStateJson {
    /// None; it works without.
    Keyless,
    /// None, but it needs one.
    Missing,
    /// One is configured.
    Configured,
}

impl From<KeyState> for KeyStateJson {
    fn from(key: KeyState) -> KeyStateJson {
        match key {
            KeyState::Keyless => KeyStateJson::Keyless,
            KeyState::Missing => KeyStateJson::Missing,
            KeyState::Configured => KeyStateJson::Configured,
        }
    }
}

/// The state of a provider.
#[derive(Serialize, ToSchema)]
#[schema(as = SourceState)]
#[serde(rename_all = "snake_case")]
enum SourceStateJson {
    /// The last request succeeded, or none was sent yet.
    Ready,
    /// The last request failed; it is retried automatically.
    Waiting,
    /// Off until the configuration changes or a test succeeds. A restart helps only a day after a key or operation was
    /// rejected.
    Off,
    /// Disabled, without a URL or key, or not used by any operation.
    Unused,
}

impl From<SourceState> for SourceStateJson {
    fn from(state: SourceState) -> SourceStateJson {
        match state {
            SourceState::Ready => SourceStateJson::Ready,
            SourceState::Waiting => SourceStateJson::Waiting,
            SourceState::Off => SourceStateJson::Off,
            SourceState::Unused => SourceStateJson::Unused,
        }
    }
}

/// The request limit of a provider.
#[derive(Serialize, ToSchema)]
#[schema(as = SourceBudget)]
struct SourceBudgetJson<'a> {
    /// Maximum requests in the period.
    limit: u64,
    /// `minute` or `month` (UTC).
    period: &'a str,
    /// Requests used in the period so far; `null` if unknown.
    used: Option<u64>,
}

impl<'a> From<&'a SourceBudget> for SourceBudgetJson<'a> {
    fn from(budget: &'a SourceBudget) -> SourceBudgetJson<'a> {
        let SourceBudget { limit, period, used } = budget;
        SourceBudgetJson { limit: *limit, period: period.as_str(), used: *used }
    }
}
