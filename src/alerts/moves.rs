//! Finds balances that rose or fell.

use super::values::{Balances, Bitcoin};
use crate::model::{Amount, Text};
use crate::user_data::alert::{AlertState, BITCOIN, Value, ValueSource};

/// A balance that rose or fell.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Move {
    /// The ticker, in lower case.
    pub ticker: Text,
    /// By how much.
    pub amount: Amount,
}

/// Records the balances of an address, and returns those that rose (`receives`) or fell since the last ones. The first
/// balances, and the first ones of another source, are only recorded. Unless they are complete, a missing balance is
/// unknown and not zero.
pub fn moves(state: &mut AlertState, receives: bool, tokens: &Balances<'_>) -> Vec<Move> {
    let Balances { list: balances, .. } = tokens;
    let Balances { is_complete, at, source, .. } = *tokens;
    if state.checked_at.is_some_and(|checked| at <= checked) {
        return Vec::new();
    }
    state.checked_at = Some(at);
    let is_same_source = state.has_source(source);
    let Some(before) = state.balances.take().filter(|_| is_same_source) else {
        (state.source, state.balances) = (Some(source.into_owned()), Some(balances.clone()));
        return Vec::new();
    };
    let of =
        |list: &[(Text, Amount)], ticker: &Text| list.iter().find(|(own, _)| own == ticker).map(|&(_, amount)| amount);
    let mut now = balances.clone();
    for (ticker, amount) in &before {
        if of(balances, ticker).is_none() {
            now.push((ticker.clone(), if is_complete { Amount::ZERO } else { *amount }));
        }
    }
    let mut moves = Vec::new();
    for (ticker, after) in &now {
        let known = of(&before, ticker);
        // A token missing from an incomplete list may have been there before.
        let Some(before) = known.or(is_complete.then_some(Amount::ZERO)) else { continue };
        let (larger, smaller) = if receives { (*after, before) } else { (before, *after) };
        if let Some(amount) = larger.checked_sub(smaller).filter(|amount| *amount > Amount::ZERO) {
            moves.push(Move { ticker: ticker.clone(), amount });
        }
    }
    state.balances = Some(now);
    if !moves.is_empty() {
        state.fired = state.fired.saturating_add(1);
        state.fired_at = Some(at);
    }
    moves
}

/// Records the bitcoin of an address, and returns it as a move if it rose (`receives`) or fell since the last time. The
/// first amount, and the first one of another source, is only recorded. One that is not newer than the last is ignored.
pub fn bitcoin_move(state: &mut AlertState, receives: bool, bitcoin: &Bitcoin<'_>) -> Option<Move> {
    let Bitcoin { amount, at, source, .. } = *bitcoin;
    if state.bitcoin_at.is_some_and(|seen| at <= seen) {
        return None;
    }
    state.bitcoin_at = Some(at);
    let before = state.last.replace(Value::Amount(amount));
    if state.bitcoin_source.as_ref().map(ValueSource::borrowed) != Some(source) {
        state.bitcoin_source = Some(source.into_owned());
        return None;
    }
    let Some(Value::Amount(before)) = before else { return None };
    let (larger, smaller) = if receives { (amount, before) } else { (before, amount) };
    let amount = larger.checked_sub(smaller).filter(|amount| *amount > Amount::ZERO)?;
    state.fired = state.fired.saturating_add(1);
    state.fired_at = Some(at);
    Some(Move { ticker: BITCOIN, amount })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::model::UtcTime;

    fn balances(list: &[(&str, &str)], is_complete: bool, secs: i64, source: &'static str) -> Balances<'static> {
        let list = list.iter().map(|(ticker, amount)| (Text::from(*ticker), amount.parse().unwrap())).collect();
        Balances { address: "", list, is_complete, at: UtcTime::from_secs(secs), source: ValueSource::parse(source) }
    }

    #[test]
    fn received_and_sent_tokens_are_the_differences_of_balances() {
        let mut state = AlertState::default();
        let mut see = |secs, list: &[(&str, &str)], complete, receives| {
            let moves = super::moves(&mut state, receives, &balances(list, complete, secs, "a"));
            moves.iter().map(|it| format!("{} {}", it.ticker, it.amount)).collect::<Vec<_>>()
        };
        assert!(see(1, &[("ordi", "5")], true, true).is_empty(), "the first balances");
        assert_eq!(
            see(2, &[("ordi", "5.000000000000000001"), ("sats", "7")], true, true),
            ["ordi 0.000000000000000001", "sats 7"]
        );
        assert!(see(3, &[("sats", "7")], false, false).is_empty(), "an incomplete list");
        assert_eq!(see(4, &[("sats", "7")], true, false), ["ordi 5.000000000000000001"]);
        let mut other = state.clone();
        assert!(moves(&mut other, false, &balances(&[], true, 5, "b")).is_empty(), "another source");
    }
}
