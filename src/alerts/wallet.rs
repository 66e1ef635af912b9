//! The change of the wallet's value, for rules about the wallet.

use crate::format::words::first_names;
use crate::model::{Decimal, Text, UtcTime};
use crate::portfolio::{Unvalued, Valuation};
use crate::user_data::alert::ValueSource;

/// The change of the wallet's value over 24 hours.
#[derive(Clone, Debug, PartialEq)]
pub struct WalletChange {
    /// In percent.
    pub percent: f64,
    /// When the oldest price was up to date.
    pub at: UtcTime,
    /// Identifies the counted coins, so that counting other coins is treated as a change of source.
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

/// The change of the wallet's value at prices that were up to date `at`. As in the wallet's total, tokens without a
/// known coin are left out, and so are coins without a price or change once all prices are loaded (`is_loaded`). Before
/// that, the result is an error, because leaving them out would make the total jump. `tokens` has the reason
/// for each balance of an address without a coin; details only count as missing while they are requested. `simulated`
/// is whether any price or balance is.
///
/// # Errors
/// The change is unknown; the reason is a few words.
pub fn day_change(
    valuation: &Valuation,
    tokens: impl IntoIterator<Item = Unvalued>,
    at: Option<UtcTime>,
    is_loaded: bool,
    simulated: bool,
) -> Result<WalletChange, String> {
    let is_temporary =
        |reason: &Unvalued| matches!(reason, Unvalued::NotLoaded | Unvalued::NoDetails | Unvalued::PartlySimulated);
    if let Some(reason) = tokens.into_iter().find(is_temporary) {
        return Err(reason.as_str().to_owned());
    }
    let held = || valuation.holdings.iter().filter(|held| !held.holding.amount.is_zero());
    let change = valuation.day_change_pct.as_ref().map(Decimal::to_f64);
    if let Some(held) = held().find(|held| held.day_change.is_none()).filter(|_| !is_loaded || change.is_none()) {
        let missing = if held.price.is_none() { "price" } else { "24h change" };
        return Err(format!("no {missing} for {}", held.holding.coin.symbol));
    }
    let percent =
        change.ok_or_else(|| String::from(if held().next().is_none() { "no holdings" } else { "no value" }))?;
    let mut counted: Vec<String> = held()
        .filter(|held| held.day_change.is_some())
        .map(|held| {
            let coin = &held.holding.coin;
            let id = coin.slug.as_ref().or(coin.id.as_ref()).unwrap_or(&coin.symbol);
            format!("{id}@{}\n", held.holding.address.as_deref().unwrap_or_default())
        })
        .collect();
    counted.sort_unstable();
    let source = ValueSource::Wallet { coins: crc32fast::hash(counted.concat().as_bytes()), simulated };
    let at = at.ok_or_else(|| String::from("no prices"))?;
    Ok(WalletChange { percent, at, source, without: valuation.without_day_change() })
}
