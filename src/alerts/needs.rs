//! The requests for the values of rules, grouped: one for all coins in a currency, one for each ticker or address, and
//! one for the fees.

use std::time::Duration;

use crate::client::endpoint::{MAX_IDS, balances_of};
use crate::client::{Group, Request};
use crate::model::{CoinId, Currency, Text};
use crate::user_data::Alert;
use crate::user_data::alert::{BITCOIN, DataScope, Measure, Rule, Target};

/// Maximum symbols of one request.
const MAX_SYMBOLS: usize = 100;

/// Maximum age of prices and fees.
pub const MAX_PRICE_AGE: Duration = Duration::from_mins(1);

/// Maximum age of tokens, balances and the series of 24-hour changes.
pub const MAX_SLOW_DATA_AGE: Duration = Duration::from_mins(5);

/// How long until a coin that the service could not return by its id is requested by id again.
pub const MISSING_RETRY: Duration = Duration::from_hours(1);

/// The interval of series.
const INTERVAL: Text = Text::const_new("5m");

/// Points of a series that has the change over 24 hours.
const DAY_POINTS: u32 = 24 * 12 + 2;

/// The coins whose live prices in `convert` these alerts depend on.
pub fn live_coins<'a>(alerts: impl Iterator<Item = &'a Alert>, convert: &Currency) -> impl Iterator<Item = CoinId> {
    let price = Measure::Price(convert.clone());
    alerts.filter(move |alert| alert.on && alert.rule.measure == price).filter_map(|alert| alert.rule.coin_id())
}

/// Whether a request is for the last values of coins that the service can't return by id.
pub fn is_series(request: &Request) -> bool {
    matches!(request, Request::MarketData { count: DAY_POINTS, interval, .. } if *interval == INTERVAL)
}

/// Whether a request is for the balance of an address.
pub fn is_balance(request: &Request) -> bool {
    matches!(request, Request::Brc20Balances { .. } | Request::BitcoinBalance { .. })
}

/// The group of requests that has the values of a target. The wallet's change comes with its prices.
pub fn group_of(target: &Target) -> Group {
    match target.data_scope() {
        DataScope::Market | DataScope::Wallet => Group::Market,
        DataScope::Indexer => Group::Indexer,
    }
}

/// What the rules need.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Needs {
    /// The requests, and the maximum age of each response.
    pub requests: Vec<(Request, Duration)>,
    /// Whether a rule needs the value of the wallet.
    pub wallet: bool,
}

impl Needs {
    fn add(&mut self, request: Request, every: Duration) {
        if !self.requests.iter().any(|(known, _)| *known == request) {
            self.requests.push((request, every));
        }
    }
}

/// Whether the response to a request of [`needs`] contains the value that a rule checks. Rules without a currency use
/// `convert`.
pub fn can_answer(request: &Request, rule: &Rule, convert: &Currency) -> bool {
    let currency = rule.measure.currency().unwrap_or(convert);
    match &rule.target {
        Target::Coin(coin) => match request {
            Request::CoinsById { ids, convert } => {
                convert == currency && rule.coin_id().is_some_and(|id| ids.contains(&id))
            }
            Request::MarketData { symbols, convert, .. } => {
                let has_coin = convert == currency && symbols.contains(&coin.symbol);
                has_coin && is_series(request) && rule.measure.is_in_series()
            }
            _ => false,
        },
        Target::Token(own) => matches!(request, Request::Brc20Token { ticker } if ticker == own),
        Target::Address(own) => match request {
            Request::Brc20Balances { address, offset: 0, .. } => address == own && needs_tokens(rule),
            Request::BitcoinBalance { address } => address == own && rule.needs_bitcoin(),
            _ => false,
        },
        Target::Fees => matches!(request, Request::ChainState),
        // Many responses together have the wallet's change.
        Target::Wallet => false,
    }
}

/// The requests that the active alerts need. `has_value` tells whether a rule already has a value, and `lacks_ids` whether
/// the service can't return its coin by id, so that the coin's series is requested instead. Values without a currency are
/// requested in `convert`.
pub fn needs<'a>(
    alerts: impl Iterator<Item = &'a Alert>,
    convert: &Currency,
    has_value: impl Fn(&Rule) -> bool,
    lacks_ids: impl Fn(&Rule) -> bool,
) -> Needs {
    let mut needs = Needs::default();
    let mut coins: Vec<(&Currency, Vec<CoinId>)> = Vec::new();
    let mut series: Vec<(&Currency, Vec<Text>)> = Vec::new();
    for rule in alerts.filter(|alert| alert.on).map(|alert| &alert.rule).filter(|rule| !has_value(rule)) {
        let currency = rule.measure.currency().unwrap_or(convert);
        match (&rule.target, rule.coin_id()) {
            (Target::Coin(_), Some(id)) if !lacks_ids(rule) => group(&mut coins, currency, id),
            (Target::Coin(coin), _) if rule.measure.is_in_series() => {
                group(&mut series, currency, coin.symbol.clone());
            }
            (Target::Coin(_), _) => {}
            (Target::Token(ticker), _) => needs.add(Request::Brc20Token { ticker: ticker.clone() }, MAX_SLOW_DATA_AGE),
            (Target::Address(address), _) => {
                if needs_tokens(rule) {
                    needs.add(balances_of(address), MAX_SLOW_DATA_AGE);
                }
                if rule.needs_bitcoin() {
                    needs.add(Request::BitcoinBalance { address: address.clone() }, MAX_SLOW_DATA_AGE);
                }
            }
            (Target::Fees, _) => needs.add(Request::ChainState, MAX_PRICE_AGE),
            (Target::Wallet, _) => needs.wallet = true,
        }
    }
    for (currency, mut ids) in coins {
        // The same set is the same request.
        ids.sort_unstable();
        for ids in ids.chunks(MAX_IDS) {
            needs.add(Request::CoinsById { ids: ids.to_vec(), convert: currency.clone() }, MAX_PRICE_AGE);
        }
    }
    for (currency, mut symbols) in series {
        symbols.sort_unstable();
        for symbols in symbols.chunks(MAX_SYMBOLS) {
            let (symbols, convert) = (symbols.to_vec(), currency.clone());
            needs.add(
                Request::MarketData { symbols, convert, count: DAY_POINTS, interval: INTERVAL },
                MAX_SLOW_DATA_AGE,
            );
        }
    }
    needs
}

/// Whether a rule about an address needs its BRC-20 balances.
fn needs_tokens(rule: &Rule) -> bool {
    !matches!(&rule.measure, Measure::Balance(ticker) if *ticker == BITCOIN)
}

fn group<'a, T: PartialEq>(groups: &mut Vec<(&'a Currency, Vec<T>)>, currency: &'a Currency, item: T) {
    match groups.iter_mut().find(|(known, _)| *known == currency) {
        Some((_, items)) if items.contains(&item) => {}
        Some((_, items)) => items.push(item),
        None => groups.push((currency, vec![item])),
    }
}

#[cfg(test)]
mod tests {
    use super::super::parse::parse;
    use super::*;
    use crate::user_data::Watched;

    fn alerts(lines: &[&str]) -> Vec<Alert> {
        let alert = |line: &&str| {
            let draft = parse(line).unwrap();
            let name = line.split(' ').next().unwrap();
            let coin = Watched { symbol: name.to_uppercase().into(), slug: Some(name.into()), id: Some(name.into()) };
            Alert::new(draft.rule(Some(coin), &Currency::usd()).unwrap(), false)
        };
        lines.iter().map(alert).collect()
    }

    #[test]
    fn requests_are_grouped() {
        let lines = [
            "sats > 1",
            "ordi > 1",
            "ordi < 5",
            "ordi 24h < -8%",
            "ordi < 8.5 eur",
            "nova holders > 5",
            "nova minted > 5%",
            "fees < 3",
            "fees < 2",
            "wallet 24h < -5%",
            "bc1qar0srrr7xfkvy5l643lydnw9re59gtzzwf5mdq receives",
            "bc1qar0srrr7xfkvy5l643lydnw9re59gtzzwf5mdq ordi > 5",
        ];
        let mut alerts = alerts(&lines);
        let found = needs(alerts.iter(), &Currency::usd(), |_| false, |_| false);
        let names: Vec<String> = found.requests.iter().map(|(request, _)| request.describe()).collect();
        assert_eq!(names[..2], ["BRC-20 token nova", "Block height and fees"]);
        assert!(names[2].starts_with("BRC-20 balances of bc1q") && names[3].starts_with("Bitcoin"), "{names:?}");
        assert_eq!(names[4..], ["2 coins by ID", "Coin with ID ordi"]);
        assert!(found.wallet);
        let series = needs(alerts.iter(), &Currency::usd(), |_| false, |_| true);
        let names: Vec<String> = series.requests.iter().map(|(request, _)| request.describe()).collect();
        assert_eq!(names[4..], ["Price history of ORDI + 1 more (USD, 5m)", "Price history of ORDI (EUR, 5m)"]);
        for alert in &alerts {
            for lacks_ids in [false, true] {
                let needs = needs([alert].into_iter(), &Currency::usd(), |_| false, |_| lacks_ids);
                let can_answer =
                    |(request, _): &(Request, Duration)| can_answer(request, &alert.rule, &Currency::usd());
                assert!(needs.requests.iter().all(can_answer), "{} {needs:?}", alert.rule);
            }
        }
        assert!(needs(alerts.iter(), &Currency::usd(), |_| true, |_| false).requests.is_empty());
        alerts.iter_mut().for_each(|alert| alert.on = false);
        assert_eq!(needs(alerts.iter(), &Currency::usd(), |_| false, |_| false), Needs::default());
    }
}
