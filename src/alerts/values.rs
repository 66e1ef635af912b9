//! Finds the value of a rule among the responses. Finding one allocates nothing.

use super::evaluate::Reading;
use super::needs::is_series;
use super::source::{LIVE_SOURCE_SWITCH_DELAY, SOURCE_SWITCH_DELAY};
use super::wallet::WalletValues;
use crate::client::{Request, ResponseData};
use crate::model::coin::MAX_UPDATE_AGE;
use crate::model::live_price::is_plausible;
use crate::model::{
    Amount, Coin, CoinId, Currency, Decimal, MarketSeries, ProviderName, Text, UtcTime, VolumeSpan, chart, provider,
};
use crate::user_data::Watched;
use crate::user_data::alert::{AlertState, BITCOIN, Measure, Rule, Target, Value, ValueSource};

/// The values of several responses.
#[derive(Clone, Debug, Default)]
pub struct Values<'a> {
    /// Sorted by slug.
    by_slug: Vec<CoinValues<'a>>,
    /// Sorted by id, for rules without a slug.
    by_id: Vec<CoinValues<'a>>,
    tokens: Vec<TokenValues<'a>>,
    balances: Vec<Balances<'a>>,
    bitcoin: Vec<Bitcoin<'a>>,
    fees: Option<(f64, UtcTime, ValueSource<&'a str>)>,
    wallet: Option<&'a WalletValues>,
    /// No value is later than this.
    now: Option<UtcTime>,
}

#[derive(Clone, Copy, Debug)]
struct CoinValues<'a> {
    slug: &'a str,
    id: &'a str,
    convert: &'a str,
    price: Option<f64>,
    change_1h: Option<f64>,
    change_24h: Option<f64>,
    change_7d: Option<f64>,
    volume: Option<f64>,
    market_cap: Option<f64>,
    rank: Option<f64>,
    at: UtcTime,
    updated_at: Option<UtcTime>,
    source: ValueSource<&'a str>,
}

impl<'a> CoinValues<'a> {
    /// No values of a coin without a name, in this currency.
    fn new(convert: &'a str, at: UtcTime, source: ValueSource<&'a str>) -> CoinValues<'a> {
        CoinValues {
            slug: "",
            id: "",
            convert,
            price: None,
            change_1h: None,
            change_24h: None,
            change_7d: None,
            volume: None,
            market_cap: None,
            rank: None,
            at,
            updated_at: None,
            source,
        }
    }
}

#[derive(Clone, Copy, Debug)]
struct TokenValues<'a> {
    ticker: &'a str,
    holders: Option<f64>,
    minted: Option<f64>,
    at: UtcTime,
    source: ValueSource<&'a str>,
}

/// The balances of an address.
#[derive(Clone, Debug)]
pub struct Balances<'a> {
    pub(super) address: &'a str,
    /// By ticker in lower case.
    pub list: Vec<(Text, Amount)>,
    /// Whether a missing ticker has no balance.
    pub is_complete: bool,
    /// When they were current.
    pub at: UtcTime,
    /// The source of the balances.
    pub source: ValueSource<&'a str>,
}

/// The confirmed bitcoin of an address.
#[derive(Clone, Copy, Debug)]
pub struct Bitcoin<'a> {
    address: &'a str,
    /// In bitcoin.
    pub amount: Amount,
    /// When it was current.
    pub at: UtcTime,
    /// The source of the balance.
    pub source: ValueSource<&'a str>,
}

/// Where and when a response comes from.
#[derive(Clone, Copy, Debug)]
pub struct Origin<'a> {
    /// When it was current.
    pub at: UtcTime,
    /// The source of the values.
    pub source: ValueSource<&'a str>,
}

impl<'a> Values<'a> {
    /// Values as of `now`. Later ones count as of now, since a time in the future would end all checks.
    pub fn as_of(now: UtcTime) -> Values<'a> {
        Values { now: Some(now), ..Values::default() }
    }

    /// The time of these values, if known.
    pub(super) fn now(&self) -> Option<UtcTime> {
        self.now
    }

    /// Whether [`Values::add`] finds values in the response to a request. The series of charts are left out, since their
    /// last points may be old.
    pub fn can_use(request: &Request) -> bool {
        match request {
            Request::Coins { .. }
            | Request::CoinsById { .. }
            | Request::Brc20Token { .. }
            | Request::Brc20Balances { offset: 0, .. }
            | Request::BitcoinBalance { .. }
            | Request::ChainState => true,
            Request::MarketData { .. } => is_series(request),
            _ => false,
        }
    }

    /// Adds the values of a response, which belong to `request`.
    pub fn add(&mut self, request: &'a Request, response: &'a ResponseData, origin: Origin<'a>) {
        let Origin { at, source } = origin;
        match (request, response) {
            (_, ResponseData::Coins(page)) => self.add_coins(page.items.iter(), origin),
            (_, ResponseData::Market(series)) => series.iter().for_each(|series| self.add_series(series, source)),
            (_, ResponseData::Brc20Token(token)) => {
                let share = token.minted_supply.zip(token.max_supply).and_then(|(minted, max)| percent(minted, max));
                self.tokens.push(TokenValues {
                    ticker: &token.ticker,
                    holders: token.holders.map(|holders| holders as f64),
                    minted: share,
                    at,
                    source,
                });
            }
            (Request::Brc20Balances { address, limit, .. }, ResponseData::Balances(page)) => {
                let balance = |item: &crate::model::Balance| {
                    Some((Text::from(item.ticker.as_ref()?.to_lowercase()), item.overall?))
                };
                let list: Vec<_> = page.items.iter().filter_map(balance).collect();
                let has_all = page.total.is_none_or(|total| total <= page.items.len() as u64);
                let is_complete = list.len() == page.items.len() && list.len() < *limit as usize && has_all;
                self.balances.push(Balances { address, list, is_complete, at, source });
            }
            (Request::BitcoinBalance { address }, ResponseData::BitcoinBalance(balance)) => {
                self.bitcoin.push(Bitcoin { address, amount: balance.amount(), at, source });
            }
            (_, ResponseData::ChainState(chain)) => {
                self.fees = chain.fees.and_then(|fees| fees.fastest).map(|rate| (rate, at, source));
            }
            _ => {}
        }
    }

    /// Adds coins, except those whose prices a provider has not updated for hours.
    pub fn add_coins(&mut self, coins: impl Iterator<Item = &'a Coin>, origin: Origin<'a>) {
        for coin in coins.filter(|coin| stale_since(coin, origin).is_none()) {
            self.add_coin(CoinValues {
                slug: coin.slug.as_deref().unwrap_or_default(),
                id: &coin.id.0,
                convert: coin.convert.as_str(),
                price: coin.price,
                change_1h: coin.change_1h_pct,
                change_24h: coin.change_24h_pct,
                change_7d: coin.change_7d_pct,
                volume: coin.volume_24h,
                market_cap: coin.market_cap,
                rank: coin.rank.map(f64::from),
                at: origin.at,
                updated_at: coin.updated_at,
                source: match coin.provider {
                    Some(provider) if !origin.source.is_simulated() => ValueSource::provider(provider.as_str()),
                    _ => origin.source,
                },
            });
        }
    }

    /// Adds a live price.
    pub fn add_live(&mut self, id: &'a CoinId, price: f64, convert: &'a Currency, origin: Origin<'a>) {
        self.add_coin(CoinValues {
            id: &id.0,
            price: Some(price),
            ..CoinValues::new(convert.as_str(), origin.at, origin.source)
        });
    }

    /// Adds the last point of a series, with the change over the day before it.
    pub fn add_series(&mut self, series: &'a MarketSeries, source: ValueSource<&'a str>) {
        let Some(place) = series.points.iter().rposition(|point| point.price.is_some()) else { return };
        let Some(last) = series.points.get(place) else { return };
        self.add_coin(CoinValues {
            slug: series.slug.as_deref().unwrap_or_default(),
            id: series.id.as_deref().unwrap_or_default(),
            price: last.price,
            change_24h: chart::day_change(&series.points, place),
            volume: last.volume.filter(|_| series.volume_span == VolumeSpan::Day),
            market_cap: last.market_cap,
            ..CoinValues::new(series.convert.as_str(), last.time, source)
        });
    }

    /// Adds the wallet's change over 24 hours and its value.
    pub fn add_wallet(&mut self, values: &'a WalletValues) {
        self.wallet = Some(values);
    }

    fn add_coin(&mut self, coin: CoinValues<'a>) {
        if !coin.slug.is_empty() {
            self.by_slug.push(coin);
        }
        if !coin.id.is_empty() {
            self.by_id.push(coin);
        }
    }

    /// Sorts the coins. Called once, after everything was added.
    pub fn sort(&mut self) {
        self.by_slug.sort_by_key(|coin| coin.slug);
        self.by_id.sort_by_key(|coin| coin.id);
    }

    /// The value of a rule: the newest one, or one of the source that its last value came from, if that is not much
    /// older. `None` if there is none.
    pub fn reading(&self, rule: &Rule, state: &AlertState) -> Option<Reading<'a>> {
        Some(self.by_now(self.find(rule, state, None)?))
    }

    /// The newest value of a rule from one source.
    pub(super) fn reading_of(&self, rule: &Rule, source: ValueSource<&str>) -> Option<Reading<'a>> {
        let reading = self.find(rule, &AlertState::default(), Some(source))?;
        (reading.source == source).then(|| self.by_now(reading))
    }

    /// A reading that is not in the future.
    fn by_now(&self, reading: Reading<'a>) -> Reading<'a> {
        Reading { at: self.now.map_or(reading.at, |now| reading.at.min(now)), ..reading }
    }

    fn find(&self, rule: &Rule, state: &AlertState, only: Option<ValueSource<&str>>) -> Option<Reading<'a>> {
        let reading = |value, at, source| Reading { value, at, source, updated_at: None };
        let number = |value: f64, at, source| value.is_finite().then_some(reading(Value::Number(value), at, source));
        let target = &rule.target;
        let wallet = || {
            let found = self.wallet?.of(&rule.measure)?.ok()?;
            number(found.number, found.at, found.source)
        };
        let coin = |of: Option<&Currency>, value: fn(&CoinValues<'a>) -> Option<f64>| {
            if let Target::Coin(coin) = target { self.coin(coin, of, (state, only), value) } else { None }
        };
        let token = || if let Target::Token(ticker) = target { self.token(ticker) } else { None };
        let address = || if let Target::Address(address) = target { Some(address) } else { None };
        // No wildcard, so that the compiler reports a new measure without a value.
        match &rule.measure {
            Measure::Price(of) => coin(Some(of), |coin| coin.price),
            Measure::Change1h => coin(None, |coin| coin.change_1h),
            Measure::Change7d => coin(None, |coin| coin.change_7d),
            Measure::Change24h if *target == Target::Wallet => wallet(),
            Measure::Change24h => coin(None, |coin| coin.change_24h),
            Measure::Value(_) => wallet(),
            Measure::Volume(of) => coin(Some(of), |coin| coin.volume),
            Measure::MarketCap(of) => coin(Some(of), |coin| coin.market_cap),
            Measure::Rank => coin(None, |coin| coin.rank),
            Measure::Holders => token().and_then(|token| number(token.holders?, token.at, token.source)),
            Measure::Minted => token().and_then(|token| number(token.minted?, token.at, token.source)),
            Measure::Balance(ticker) if *ticker == BITCOIN => {
                let Bitcoin { amount, at, source, .. } = *self.bitcoin(address()?)?;
                Some(reading(Value::Amount(amount), at, source))
            }
            Measure::Balance(ticker) => {
                let Balances { list, is_complete, at, source, .. } = self.balances(address()?)?;
                let own = list.iter().find(|(own, _)| own == ticker).map(|(_, amount)| *amount);
                let amount = own.or(is_complete.then_some(Amount::ZERO))?;
                Some(reading(Value::Amount(amount), *at, *source))
            }
            // Received and sent tokens are found by comparing balances.
            Measure::Receives | Measure::Sends => None,
            Measure::FeeRate => self.fees.and_then(|(rate, at, source)| number(rate, at, source)),
        }
    }

    /// The balances of an address.
    pub fn balances(&self, address: &str) -> Option<&Balances<'a>> {
        self.balances.iter().find(|balances| balances.address == address)
    }

    /// The bitcoin of an address.
    pub fn bitcoin(&self, address: &str) -> Option<&Bitcoin<'a>> {
        self.bitcoin.iter().find(|bitcoin| bitcoin.address == address)
    }

    fn token(&self, ticker: &str) -> Option<&TokenValues<'a>> {
        self.tokens.iter().find(|token| token.ticker.eq_ignore_ascii_case(ticker))
    }

    /// A value of a coin, in `currency` if it is money, and of the `only` source if given.
    fn coin(
        &self,
        coin: &Watched,
        currency: Option<&Currency>,
        (state, only): (&AlertState, Option<ValueSource<&str>>),
        value: impl Fn(&CoinValues<'a>) -> Option<f64>,
    ) -> Option<Reading<'a>> {
        // By the rule of `Watched::is_coin`.
        let slug = coin.slug.as_deref().unwrap_or_default();
        let id = coin.id.as_deref().unwrap_or_default();
        let from_slug = self.by_slug.get(self.by_slug.partition_point(|known| known.slug < slug)..).unwrap_or_default();
        let from_id = self.by_id.get(self.by_id.partition_point(|known| known.id < id)..).unwrap_or_default();
        let of_slug = from_slug.iter().take_while(|known| known.slug == slug && !slug.is_empty());
        let is_sure = |known: &&CoinValues<'_>| slug.is_empty() || known.slug.is_empty();
        let of_id = from_id.iter().take_while(|known| known.id == id && !id.is_empty()).filter(is_sure);
        let is_current = |known: &&CoinValues<'_>| currency.is_none_or(|currency| currency.as_str() == known.convert);
        let is_wanted = |known: &&CoinValues<'_>| is_current(known) && only.is_none_or(|only| only == known.source);
        let values = of_slug.chain(of_id).filter(is_wanted);
        let mut best: Option<Reading<'a>> = None;
        for known in values {
            let Some(value) = value(known).filter(|value| value.is_finite()) else { continue };
            let CoinValues { at, source, updated_at, .. } = *known;
            let reading = Reading { value: Value::Number(value), at, source, updated_at };
            let is_better = best.is_none_or(|best| {
                let [is_live, was_live] = [&reading, &best].map(|it| it.source.is_live());
                let [own, other] = [&reading, &best].map(|it| state.has_source(it.source));
                match (own, other) {
                    _ if is_live != was_live => {
                        // A live price that stops arriving, or is far from the polled one, gives way to it.
                        let (live, polled) = if is_live { (&reading, &best) } else { (&best, &reading) };
                        let is_recent = polled.at.since(live.at) < LIVE_SOURCE_SWITCH_DELAY;
                        is_live == (is_recent && is_plausible(live.value.to_f64(), polled.value.to_f64()))
                    }
                    (true, false) => best.at.since(reading.at) < SOURCE_SWITCH_DELAY,
                    (false, true) => reading.at.since(best.at) >= SOURCE_SWITCH_DELAY,
                    _ => reading.at > best.at,
                }
            });
            if is_better {
                best = Some(reading);
            }
        }
        best
    }
}

/// When the provider of a coin last updated it, if that was hours before the response: alerts don't use its values.
pub fn stale_since(coin: &Coin, origin: Origin<'_>) -> Option<UtcTime> {
    let updated = coin.updated_at.filter(|updated| origin.at.since(*updated) > MAX_UPDATE_AGE)?;
    // Another service may send local times.
    let provider = coin.provider.or_else(|| ProviderName::parse(provider::first(origin.source.name()?)));
    provider.filter(|provider| *provider != ProviderName::Service).map(|_| updated)
}

/// The share of an amount in percent, and 100 only if both are equal; `None` if `of` is zero.
fn percent(amount: Amount, of: Amount) -> Option<f64> {
    let share = (&Decimal::from(amount) * &Decimal::from(100)).divided_by(&of.into())?.to_f64();
    Some(if amount < of { share.min(100.0_f64.next_down()) } else { share })
}
