//! The wallet's value and its change, for rules about the wallet.

use super::needs::MAX_SLOW_DATA_AGE;
use crate::client::endpoint::MAX_IDS;
use crate::client::{Request, ResponseData};
use crate::format::words::first_names;
use crate::model::{CoinId, Currency, Decimal, Text, UtcTime};
use crate::portfolio::wallet::{BITCOIN, KnownAddress};
use crate::portfolio::{HoldingValue, Unvalued, Valuation};
use crate::user_data::alert::{Measure, Rule, Target, ValueSource};

/// A value that rules about the wallet compare with their limits.
#[derive(Clone, Debug, PartialEq)]
pub struct WalletValue {
    /// The change over 24 hours in percent, or the value in a currency.
    pub number: f64,
    /// When the oldest price was up to date.
    pub at: UtcTime,
    /// Identifies the counted coins, so that a change in them is treated as a change of source. For the change over 24
    /// hours, also how many lots of each count from their cost: after midnight, lots of the day before count the whole
    /// change of their coin.
    pub source: ValueSource<&'static str>,
    /// The symbols of coins that it leaves out.
    pub without: Vec<Text>,
    /// What these lack: `price or 24h change`.
    pub lacking: &'static str,
}

impl WalletValue {
    /// Names the excluded coins: `wallet alerts exclude SATS (no price or 24h change)`. `None` without any.
    pub fn note(&self) -> Option<String> {
        let names = (!self.without.is_empty()).then(|| first_names(&self.without, MAX_NAMES))?;
        Some(format!("wallet alerts exclude {names} (no {})", self.lacking))
    }
}

/// All values that rules about the wallet compare with their limits.
#[derive(Clone, Debug)]
pub struct WalletValues {
    /// The change over 24 hours.
    change: Result<WalletValue, UnknownValue>,
    /// The value in each currency of a rule.
    values: Vec<(Currency, Result<WalletValue, UnknownValue>)>,
    /// Whether any price or balance is simulated.
    pub is_simulated: bool,
}

impl WalletValues {
    /// The change of a loaded wallet, and its value in these currencies. `price_in` finds the price of a holding in a
    /// currency other than the wallet's, and when it was up to date. The details of a token count as missing only while
    /// `is_requested` is true of its ticker.
    pub fn new(
        wallet: &LoadedWallet<'_>,
        currencies: impl IntoIterator<Item = Currency>,
        is_requested: impl Fn(&Text) -> bool,
        price_in: impl Fn(&HoldingValue, &Currency) -> Option<(Decimal, UtcTime)>,
    ) -> WalletValues {
        let checked = is_complete(wallet, is_requested);
        let value = |currency: Currency| {
            let value = checked.clone().and_then(|()| value_in(wallet, &currency, &price_in));
            (currency, value)
        };
        WalletValues {
            change: checked.clone().and_then(|()| day_change(wallet)),
            values: currencies.into_iter().map(value).collect(),
            is_simulated: wallet.is_simulated,
        }
    }

    /// The value of a measure of the wallet, or why it is unknown; `None` if the measure isn't one of the wallet, or in
    /// another currency.
    pub fn of(&self, measure: &Measure) -> Option<Result<&WalletValue, &UnknownValue>> {
        match measure {
            Measure::Change24h => Some(self.change.as_ref()),
            Measure::Value(currency) => {
                let found = self.values.iter().find(|(known, _)| known == currency);
                found.map(|(_, value)| value.as_ref())
            }
            _ => None,
        }
    }
}

/// The different measures of rules about the wallet.
pub fn measures<'a>(rules: impl Iterator<Item = &'a Rule>) -> Vec<Measure> {
    let mut measures = Vec::new();
    for rule in rules.filter(|rule| rule.target == Target::Wallet) {
        if !measures.contains(&rule.measure) {
            measures.push(rule.measure.clone());
        }
    }
    measures
}

/// The currencies of these measures.
pub fn currencies(measures: &[Measure]) -> Vec<Currency> {
    measures.iter().filter_map(Measure::currency).cloned().collect()
}

/// The requests for the prices of held coins in another currency.
pub fn price_requests(mut ids: Vec<CoinId>, convert: &Currency) -> Vec<Request> {
    // The same set is the same request.
    ids.sort_unstable();
    ids.dedup();
    ids.chunks(MAX_IDS).map(|ids| Request::CoinsById { ids: ids.to_vec(), convert: convert.clone() }).collect()
}

/// The price of a held coin in another currency, and when it was up to date, from the response to one of the
/// [`price_requests`].
pub fn price_in<'a>(
    requests: &[Request],
    id: &CoinId,
    response_to: impl Fn(&Request) -> Option<(&'a ResponseData, UtcTime)>,
) -> Option<(Decimal, UtcTime)> {
    let (request, convert) = requests.iter().find_map(|request| match request {
        Request::CoinsById { ids, convert } if ids.contains(id) => Some((request, convert)),
        _ => None,
    })?;
    let (response, at) = response_to(request)?;
    let ResponseData::Coins(page) = response else { return None };
    // A service without the currency responds in another one.
    let coin = page.items.iter().find(|coin| coin.id == *id && coin.convert == *convert)?;
    Some((coin.exact_price()?, at))
}

/// Maximum coins that are named.
const MAX_NAMES: usize = 3;

/// What a process has loaded of the wallet.
#[derive(Clone, Copy, Debug)]
pub struct LoadedWallet<'a> {
    /// The addresses with their known balances. An address whose bitcoin is not requested lacks it.
    pub addresses: &'a [KnownAddress<'a>],
    /// The holdings with their values.
    pub valuation: &'a Valuation,
    /// The currency of these values.
    pub convert: &'a Currency,
    /// Whether the coin of bitcoin balances is known.
    pub knows_bitcoin: bool,
    /// When the oldest price was up to date; `None` without prices.
    pub prices_at: Option<UtcTime>,
    /// When the oldest balance of an address was up to date; `None` without balances.
    pub balances_at: Option<UtcTime>,
    /// Whether all prices are loaded, so that a missing one doesn't exist.
    pub has_all_prices: bool,
    /// Whether any price or balance is simulated.
    pub is_simulated: bool,
    /// Whether only the prices or only the balances are simulated.
    pub is_partly_simulated: bool,
}

impl LoadedWallet<'_> {
    /// Whether an address has bitcoin, whose coin is not known.
    fn lacks_bitcoin_price(&self) -> bool {
        let has_some = |address: &KnownAddress<'_>| address.bitcoin.is_some_and(|balance| balance.confirmed > 0);
        !self.knows_bitcoin && self.addresses.iter().any(has_some)
    }
}

/// Why the wallet's value or its change is unknown. Displays as a few words.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum UnknownValue {
    /// The balances of an address are not loaded.
    #[error("no balances for {0}")]
    Balances(Text),
    /// The bitcoin balance of an address is not loaded.
    #[error("no bitcoin balance for {0}")]
    BitcoinBalance(Text),
    /// The coin of a token is not certain yet.
    #[error("{}", .0.as_str())]
    Token(Unvalued),
    /// A coin has no price.
    #[error("no price for {0}")]
    Price(Text),
    /// A coin has no price in the currency of a rule.
    #[error("no {1} price for {0}")]
    PriceIn(Text, Currency),
    /// A coin has a price without a change.
    #[error("no 24h change for {0}")]
    DayChange(Text),
    /// The wallet is empty.
    #[error("no holdings")]
    NoHoldings,
    /// The holdings are worth nothing.
    #[error("no value")]
    NoValue,
    /// No prices are loaded.
    #[error("no prices")]
    NoPrices,
}

/// Checks that the balances are loaded, with the coins of their tokens. As in the wallet's total, tokens without a
/// known coin are left out. The details of a token only count as missing while `is_requested` is true of its ticker.
///
/// # Errors
/// Something that may still arrive is missing: leaving it out would make the total jump.
fn is_complete(wallet: &LoadedWallet<'_>, is_requested: impl Fn(&Text) -> bool) -> Result<(), UnknownValue> {
    let LoadedWallet { addresses, .. } = *wallet;
    if let Some(address) = addresses.iter().find(|address| address.tokens.is_none()) {
        return Err(UnknownValue::Balances(address.name.clone()));
    }
    // Without the bitcoin of an address, the change would cover only the tokens.
    if let Some(address) = addresses.iter().find(|address| address.bitcoin.is_none() && !address.lacks_bitcoin) {
        return Err(UnknownValue::BitcoinBalance(address.name.clone()));
    }
    let may_get_price = !wallet.has_all_prices || wallet.is_partly_simulated;
    if wallet.lacks_bitcoin_price() && may_get_price {
        return Err(UnknownValue::Price(BITCOIN));
    }
    let is_temporary =
        |reason: &Unvalued| matches!(reason, Unvalued::NotLoaded | Unvalued::NoDetails | Unvalued::PartlySimulated);
    let tokens = addresses.iter().flat_map(|address| address.tokens.unwrap_or_default());
    if let Some(reason) = tokens.filter_map(|token| token.problem(&is_requested)).find(is_temporary) {
        return Err(UnknownValue::Token(reason));
    }
    Ok(())
}

/// The change of the wallet's value. Coins without a price or change are left out once all prices are loaded.
///
/// # Errors
/// The change is unknown, or a price may still arrive.
fn day_change(wallet: &LoadedWallet<'_>) -> Result<WalletValue, UnknownValue> {
    let LoadedWallet { valuation, .. } = *wallet;
    let held = || held(valuation);
    let change = valuation.day_change_pct.as_ref().map(Decimal::to_f64);
    let is_needed = !wallet.has_all_prices || change.is_none();
    if let Some(held) = held().find(|held| held.day_change.is_none()).filter(|_| is_needed) {
        let symbol = held.holding.coin.symbol.clone();
        return Err(match held.price {
            None => UnknownValue::Price(symbol),
            Some(_) => UnknownValue::DayChange(symbol),
        });
    }
    let no_change = || if held().next().is_none() { UnknownValue::NoHoldings } else { UnknownValue::NoValue };
    let number = change.ok_or_else(no_change)?;
    let counted = held().filter(|held| held.day_change.is_some()).map(|held| (held, held.lots_at_cost));
    Ok(WalletValue {
        number,
        at: current_at(wallet)?,
        source: source(wallet, counted),
        without: valuation.without_day_change(),
        lacking: "price or 24h change",
    })
}

/// The wallet's value in a currency. Tokens of addresses without a known coin are left out.
///
/// # Errors
/// A held coin has no price, even once all prices are loaded: the rest would look like a loss.
fn value_in(
    wallet: &LoadedWallet<'_>,
    currency: &Currency,
    price_in: impl Fn(&HoldingValue, &Currency) -> Option<(Decimal, UtcTime)>,
) -> Result<WalletValue, UnknownValue> {
    let LoadedWallet { valuation, convert, .. } = *wallet;
    if wallet.lacks_bitcoin_price() {
        return Err(UnknownValue::Price(BITCOIN));
    }
    if let Some(unpriced) = held(valuation).find(|held| held.price.is_none()) {
        return Err(UnknownValue::Price(unpriced.holding.coin.symbol.clone()));
    }
    if held(valuation).next().is_none() {
        return Err(UnknownValue::NoHoldings);
    }
    let mut at = current_at(wallet)?;
    let mut total = Decimal::default();
    for held in held(valuation) {
        let value = if currency == convert {
            held.value.clone()
        } else {
            price_in(held, currency).map(|(price, priced_at)| {
                at = at.min(priced_at);
                &price * &held.holding.amount
            })
        };
        let unknown = || UnknownValue::PriceIn(held.holding.coin.symbol.clone(), currency.clone());
        total = total + &value.ok_or_else(unknown)?;
    }
    if total.is_zero() {
        return Err(UnknownValue::NoValue);
    }
    let source = source(wallet, held(valuation).map(|held| (held, 0)));
    let without = valuation.unvalued.clone();
    Ok(WalletValue { number: total.to_f64(), at, source, without, lacking: "known balance or price" })
}

/// The holdings that are not empty.
fn held(valuation: &Valuation) -> impl Iterator<Item = &HoldingValue> {
    valuation.holdings.iter().filter(|held| !held.holding.amount.is_zero())
}

/// Identifies the counted holdings, each with its number of lots that count from their cost.
fn source<'a>(
    wallet: &LoadedWallet<'_>,
    counted: impl Iterator<Item = (&'a HoldingValue, usize)>,
) -> ValueSource<&'static str> {
    let name = |(held, lots): (&HoldingValue, usize)| {
        let coin = &held.holding.coin;
        let id = coin.slug.as_ref().or(coin.id.as_ref()).unwrap_or(&coin.symbol);
        let address = held.holding.address.as_deref().unwrap_or_default();
        match lots {
            0 => format!("{id}@{address}\n"),
            lots => format!("{id}@{address}+{lots}\n"),
        }
    };
    let mut names: Vec<String> = counted.map(name).collect();
    names.sort_unstable();
    let coins = crc32fast::hash(names.concat().as_bytes());
    ValueSource::Wallet { coins, simulated: wallet.is_simulated }
}

/// When the oldest price was up to date, or earlier if balances are older than usual.
fn current_at(wallet: &LoadedWallet<'_>) -> Result<UtcTime, UnknownValue> {
    let prices_at = wallet.prices_at.ok_or(UnknownValue::NoPrices)?;
    // Balances are refreshed less often than prices.
    Ok(wallet.balances_at.map_or(prices_at, |at| at.plus(MAX_SLOW_DATA_AGE).min(prices_at)))
}

#[cfg(test)]
mod tests;
