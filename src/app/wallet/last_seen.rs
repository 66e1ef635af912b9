//! What the user last saw of the wallet.

use std::collections::BTreeMap;

use crate::model::{Currency, Decimal, Text, UtcTime};
use crate::user_data::SessionEntries;

/// The prices and balances that the user last saw.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct LastSeen {
    /// When the user saw them.
    pub at: UtcTime,
    /// The currency of the prices.
    pub convert: Currency,
    /// The price of each holding, by the identity of its coin.
    pub prices: BTreeMap<Text, Decimal>,
    /// The balances of each address by ticker.
    pub balances: BTreeMap<Text, BTreeMap<Text, Decimal>>,
}

impl LastSeen {
    /// Writes them as session entries.
    pub(in crate::app) fn write(&self, entries: &mut SessionEntries) {
        entries.insert(String::from("seen-at"), self.at.millis().to_string());
        entries.insert(String::from("seen-convert"), self.convert.to_string());
        entries.extend(self.prices.iter().map(|(key, price)| (format!("seen-price {key}"), price.to_string())));
        for (address, balances) in &self.balances {
            entries.insert(format!("seen-address {address}"), String::new());
            let named = balances.iter();
            entries
                .extend(named.map(|(ticker, amount)| (format!("seen-balance {address} {ticker}"), amount.to_string())));
        }
    }

    /// Reads the entries of [`LastSeen::write`].
    pub(in crate::app) fn read(entries: &SessionEntries) -> Option<LastSeen> {
        let at = UtcTime::from_millis(entries.get("seen-at")?.parse().ok()?);
        let convert = Currency::parse(entries.get("seen-convert")?)?;
        let mut seen = LastSeen { at, convert, prices: BTreeMap::new(), balances: BTreeMap::new() };
        for (name, value) in entries {
            if let Some(key) = name.strip_prefix("seen-price ") {
                seen.prices.extend(value.parse().ok().map(|price| (Text::from(key), price)));
            } else if let Some(address) = name.strip_prefix("seen-address ") {
                seen.balances.entry(Text::from(address)).or_default();
            } else if let Some((address, ticker)) =
                name.strip_prefix("seen-balance ").and_then(|rest| rest.split_once(' '))
            {
                let own = seen.balances.entry(Text::from(address)).or_default();
                own.extend(value.parse().ok().map(|amount| (Text::from(ticker), amount)));
            }
        }
        Some(seen)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn entries_round_trip() {
        let amount = |text: &str| text.parse::<Decimal>().unwrap();
        let balances =
            BTreeMap::from([(Text::from("ordi"), amount("0.000000000000000001")), ("a b".into(), amount("2"))]);
        let seen = LastSeen {
            at: UtcTime::from_secs(1_795_075_200),
            convert: Currency::usd(),
            prices: BTreeMap::from([(Text::from("holding sats.ordinals"), amount("0.000000734"))]),
            balances: BTreeMap::from([(Text::from("bc1qa"), balances), (Text::from("bc1qb"), BTreeMap::new())]),
        };
        let mut entries = SessionEntries::new();
        seen.write(&mut entries);
        assert_eq!(LastSeen::read(&entries), Some(seen));
        assert_eq!(LastSeen::read(&SessionEntries::new()), None);
    }
}
