//! Changes of the wallet since the user last looked at it.

use std::collections::{BTreeMap, BTreeSet};

use crate::keymap::Tab;
use crate::model::{Decimal, Text};
use crate::portfolio::HoldingValue;
use crate::portfolio::value::percent;
use crate::portfolio::wallet::BITCOIN;

use crate::app::screen::wallet::order::key;
use crate::app::state::State;
use crate::app::wallet::last_seen::LastSeen;

/// Minimum change of a price that is reported, in percent.
const LARGE: f64 = 5.0;

/// A change since then.
#[derive(Clone, Debug, PartialEq)]
pub enum RecentChange {
    /// The price of a coin with this symbol changed by this many percent.
    Moved(Text, f64),
    /// An address has more of a ticker.
    Received(Text, Decimal),
    /// An address has less of a ticker.
    Sent(Text, Decimal),
    /// An alert with this title fired. Not part of [`LastSeen`]: the user may see alerts elsewhere.
    Fired(Text),
}

impl State {
    /// The wallet's values that the user last saw: those in its tab, or those when the tab was left.
    pub(in crate::app) fn seen_now(&self) -> Option<LastSeen> {
        if self.tab != Tab::Wallet {
            return self.seen.latest().cloned();
        }
        self.seen_in_wallet()
    }

    /// The values that the wallet's tab shows, or showed just before it was left. Falls back to the previous run if the
    /// tab was not open, or no value is known, or one is simulated.
    pub(in crate::app) fn seen_in_wallet(&self) -> Option<LastSeen> {
        let holdings = self.wallet.holdings();
        let valued = &holdings.valuation().holdings;
        let is_known = valued.iter().any(|held| held.price.is_some())
            || holdings.addresses().iter().any(|held| held.tokens.is_some());
        if !self.wallet.was_open || !is_known || self.has_simulated_wallet() {
            return self.seen.earlier.clone();
        }
        // One unknown value does not discard the others: its last seen value is kept.
        let before = self.seen.latest();
        let old_price = |key: &Text| before.filter(|seen| seen.convert == self.convert)?.prices.get(key).cloned();
        let price = |held: &HoldingValue| {
            let key = key(&held.holding.coin);
            let price = held.price.clone().or_else(|| old_price(&key))?;
            Some((key, price))
        };
        let prices = valued.iter().filter_map(price).collect();
        let balances = holdings.addresses().iter().filter_map(|held| {
            let address = held.entry.address.clone();
            let balances = match held.tokens {
                Some(_) => held.balances(),
                None => before?.balances.get(&address)?.clone(),
            };
            Some((address, balances))
        });
        let balances = balances.collect();
        Some(LastSeen { at: self.now, convert: self.convert.clone(), prices, balances })
    }

    /// The changes since the user last looked: fired alerts, then large price moves, then tokens received and sent.
    pub fn recent_changes(&self) -> Vec<RecentChange> {
        let Some(seen) = &self.seen.earlier else { return Vec::new() };
        let holdings = self.wallet.holdings();
        let mut moved: Vec<(Text, f64)> = Vec::new();
        // A coin may be held at several places, and coins may share a symbol.
        let mut moved_keys: BTreeSet<Text> = BTreeSet::new();
        // The values that the user saw are never simulated.
        let is_comparable = !self.has_simulated_wallet();
        let valued = holdings.valuation().holdings.iter().filter(|_| is_comparable && seen.convert == self.convert);
        for held in valued {
            let key = key(&held.holding.coin);
            let before = seen.prices.get(&key);
            let change =
                held.price.as_ref().zip(before).and_then(|(now, before)| percent(&(now.clone() - before), before));
            if let Some(change) = change.map(|change| change.to_f64()).filter(|change| change.abs() >= LARGE)
                && moved_keys.insert(key)
            {
                moved.push((held.holding.coin.symbol.clone(), change));
            }
        }
        moved.sort_by(|a, b| b.1.abs().total_cmp(&a.1.abs()));
        let user = self.user.current();
        let fired = user.alert_events.iter().rev().filter(|event| !event.seen && event.at > seen.at);
        let mut titles: Vec<Text> = Vec::new();
        for event in fired {
            let private = self.alerts.title_without_amounts(event.alert).filter(|_| self.wallet.hides_amounts);
            let title = private.map_or_else(|| event.title.clone(), Text::from);
            if !titles.contains(&title) {
                titles.push(title);
            }
        }
        let mut changes: Vec<RecentChange> = titles.into_iter().map(RecentChange::Fired).collect();
        changes.extend(moved.into_iter().map(|(symbol, change)| RecentChange::Moved(symbol, change)));
        let complete = holdings.addresses().iter().filter(|held| held.tokens.is_some() && held.more == 0);
        for held in complete.filter(|_| is_comparable) {
            let Some(before) = seen.balances.get(&held.entry.address) else { continue };
            let now = held.balances();
            let tickers: BTreeSet<&Text> = before.keys().chain(now.keys()).collect();
            // A bitcoin balance may be unknown at one of the times.
            let is_known =
                |ticker: &&Text| **ticker != BITCOIN || before.contains_key(*ticker) && now.contains_key(*ticker);
            for ticker in tickers.into_iter().filter(is_known) {
                let amount = |all: &BTreeMap<Text, Decimal>| all.get(ticker).cloned().unwrap_or_default();
                let change = amount(&now) - &amount(before);
                if change.is_zero() {
                    continue;
                }
                changes.push(if change.is_negative() {
                    RecentChange::Sent(ticker.clone(), -change)
                } else {
                    RecentChange::Received(ticker.clone(), change)
                });
            }
        }
        changes
    }
}
