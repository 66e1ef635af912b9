//! The change of the wallet's value, for rules about the wallet.

use super::needs::MAX_SLOW_DATA_AGE;
use crate::format::words::first_names;
use crate::model::{Decimal, Text, UtcTime};
use crate::portfolio::wallet::{BITCOIN, KnownAddress};
use crate::portfolio::{Unvalued, Valuation};
use crate::user_data::alert::ValueSource;

/// The change of the wallet's value over 24 hours.
#[derive(Clone, Debug, PartialEq)]
pub struct WalletChange {
    /// In percent.
    pub percent: f64,
    /// When the oldest price was up to date.
    pub at: UtcTime,
    /// Identifies the counted coins and how many lots of each count from their cost, so that a change of these is
    /// treated as a change of source: after midnight, lots of the day before count the whole change of their coin.
    pub source: ValueSource<&'static str>,
    /// The symbols of coins that it leaves out, since they have no price or no change.
    pub without: Vec<Text>,
}

impl WalletChange {
    /// Names the excluded coins: `wallet alerts exclude SATS (no price or 24h change)`. `None` without any.
    pub fn note(&self) -> Option<String> {
        let names = (!self.without.is_empty()).then(|| first_names(&self.without, MAX_NAMES))?;
        Some(format!("wallet alerts exclude {names} (no price or 24h change)"))
    }
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

/// Why the change of the wallet's value is unknown. Displays as a few words.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum UnknownChange {
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

/// The change of the wallet's value. As in the wallet's total, tokens without a known coin are left out, and so are
/// coins without a price or change once all prices are loaded. Before that, the result is an error, because leaving
/// them out would make the total jump. The details of a token only count as missing while `is_requested` is true of its
/// ticker.
///
/// # Errors
/// The change is unknown.
pub fn day_change(
    wallet: &LoadedWallet<'_>,
    is_requested: impl Fn(&Text) -> bool,
) -> Result<WalletChange, UnknownChange> {
    let LoadedWallet { addresses, valuation, .. } = *wallet;
    if let Some(address) = addresses.iter().find(|address| address.tokens.is_none()) {
        return Err(UnknownChange::Balances(address.name.clone()));
    }
    // Without the bitcoin of an address, the change would cover only the tokens.
    if let Some(address) = addresses.iter().find(|address| address.bitcoin.is_none() && !address.lacks_bitcoin) {
        return Err(UnknownChange::BitcoinBalance(address.name.clone()));
    }
    let has_bitcoin = addresses.iter().any(|address| address.bitcoin.is_some_and(|balance| balance.confirmed > 0));
    let may_get_price = !wallet.has_all_prices || wallet.is_partly_simulated;
    if has_bitcoin && !wallet.knows_bitcoin && may_get_price {
        return Err(UnknownChange::Price(BITCOIN));
    }
    let is_temporary =
        |reason: &Unvalued| matches!(reason, Unvalued::NotLoaded | Unvalued::NoDetails | Unvalued::PartlySimulated);
    let tokens = addresses.iter().flat_map(|address| address.tokens.unwrap_or_default());
    if let Some(reason) = tokens.filter_map(|token| token.problem(&is_requested)).find(is_temporary) {
        return Err(UnknownChange::Token(reason));
    }
    let held = || valuation.holdings.iter().filter(|held| !held.holding.amount.is_zero());
    let change = valuation.day_change_pct.as_ref().map(Decimal::to_f64);
    let is_needed = !wallet.has_all_prices || change.is_none();
    if let Some(held) = held().find(|held| held.day_change.is_none()).filter(|_| is_needed) {
        let symbol = held.holding.coin.symbol.clone();
        return Err(match held.price {
            None => UnknownChange::Price(symbol),
            Some(_) => UnknownChange::DayChange(symbol),
        });
    }
    let no_change = || if held().next().is_none() { UnknownChange::NoHoldings } else { UnknownChange::NoValue };
    let percent = change.ok_or_else(no_change)?;
    let mut counted: Vec<String> = held()
        .filter(|held| held.day_change.is_some())
        .map(|held| {
            let coin = &held.holding.coin;
            let id = coin.slug.as_ref().or(coin.id.as_ref()).unwrap_or(&coin.symbol);
            let address = held.holding.address.as_deref().unwrap_or_default();
            match held.lots_at_cost {
                0 => format!("{id}@{address}\n"),
                lots => format!("{id}@{address}+{lots}\n"),
            }
        })
        .collect();
    counted.sort_unstable();
    let coins = crc32fast::hash(counted.concat().as_bytes());
    let source = ValueSource::Wallet { coins, simulated: wallet.is_simulated };
    let prices_at = wallet.prices_at.ok_or(UnknownChange::NoPrices)?;
    // Balances are refreshed less often than prices.
    let at = wallet.balances_at.map_or(prices_at, |at| at.plus(MAX_SLOW_DATA_AGE).min(prices_at));
    Ok(WalletChange { percent, at, source, without: valuation.without_day_change() })
}

#[cfg(test)]
mod tests {
    use jiff::civil::Date;

    use super::*;
    use crate::model::BitcoinBalance;
    use crate::portfolio::wallet::TokenBalance;
    use crate::portfolio::{CostMethod, Quote, holdings};
    use crate::user_data::{Lot, LotPrice, Watched};

    const NO_TOKENS: &[TokenBalance] = &[];

    #[test]
    fn unknown_change_has_a_reason() {
        let balance = BitcoinBalance { address: "bc1q".into(), confirmed: 1, unconfirmed: 0 };
        let (text, valuation) = (Text::from("bc1q"), Valuation::default());
        let reason = |tokens, bitcoin, lacks_bitcoin, has_all_prices, is_partly_simulated| {
            let addresses = [KnownAddress {
                address: &text,
                name: "cold".into(),
                tokens,
                is_complete: true,
                bitcoin,
                lacks_bitcoin,
            }];
            let wallet = LoadedWallet {
                addresses: &addresses,
                valuation: &valuation,
                knows_bitcoin: false,
                prices_at: None,
                balances_at: None,
                has_all_prices,
                is_simulated: is_partly_simulated,
                is_partly_simulated,
            };
            day_change(&wallet, |_| false).unwrap_err().to_string()
        };
        let (tokens, bitcoin) = (Some(NO_TOKENS), Some(&balance));
        assert_eq!(reason(None, bitcoin, false, true, false), "no balances for cold");
        assert_eq!(reason(tokens, None, false, true, false), "no bitcoin balance for cold");
        assert_eq!(reason(tokens, None, true, true, false), "no holdings");
        assert_eq!(reason(tokens, bitcoin, false, false, false), "no price for BTC");
        assert_eq!(reason(tokens, bitcoin, false, true, true), "no price for BTC");
        assert_eq!(reason(tokens, bitcoin, false, true, false), "no holdings");
    }

    #[test]
    fn midnight_after_a_purchase_changes_the_source() {
        let (price, quote) = (Some(LotPrice::Unit(Decimal::from(9))), Some(Decimal::from(10)));
        let lot = Lot { price, ..Lot::bought(Watched::by_symbol("ORDI"), "2".parse().unwrap()) };
        let change = |today: Date, day_range| {
            let held = holdings(std::slice::from_ref(&lot), CostMethod::Fifo, &|_, _| Some(Decimal::from(1).into()));
            let quote = Quote { price: quote.clone(), change_24h_pct: Some(25.0), day_range, ..Quote::default() };
            let valuation = Valuation::new(held, today, |_| quote.clone());
            let wallet = LoadedWallet {
                addresses: &[],
                valuation: &valuation,
                knows_bitcoin: false,
                prices_at: Some(UtcTime::from_secs(100_000)),
                balances_at: None,
                has_all_prices: true,
                is_simulated: false,
                is_partly_simulated: false,
            };
            let WalletChange { percent, source, .. } = day_change(&wallet, |_| false).unwrap();
            (percent.round(), source)
        };
        let range = Some((7.5, 10.5));
        let (bought, next_day) = (change(lot.date, range), change(lot.date.tomorrow().unwrap(), range));
        assert_eq!((bought.0, next_day.0), (11.0, 25.0));
        assert_ne!(bought.1, next_day.1);
        assert_eq!(change(lot.date, None), next_day, "a lot that counts the whole change");
    }

    #[test]
    fn old_balances_make_the_change_older_than_its_prices() {
        let valuation = Valuation { day_change_pct: Some(Decimal::from(1)), ..Valuation::default() };
        for (balances, at) in [(None, 100_000), (Some(99_900), 100_000), (Some(1_000), 1_000)] {
            let wallet = LoadedWallet {
                addresses: &[],
                valuation: &valuation,
                knows_bitcoin: false,
                prices_at: Some(UtcTime::from_secs(100_000)),
                balances_at: balances.map(UtcTime::from_secs),
                has_all_prices: true,
                is_simulated: false,
                is_partly_simulated: false,
            };
            let slow = if at == 1_000 { MAX_SLOW_DATA_AGE } else { std::time::Duration::ZERO };
            assert_eq!(day_change(&wallet, |_| false).unwrap().at, UtcTime::from_secs(at).plus(slow));
        }
    }
}
