//! How concentrated the holders of a token are.

use crate::model::Amount;

/// The combined share of the supply of the first `count` holders, in percent. `None` unless that many balances
/// are known, largest first: any other sum could be too small. Also `None` if they exceed the supply, since it was
/// fetched at another time.
pub fn concentration(balances: impl Iterator<Item = Option<Amount>>, supply: Amount, count: usize) -> Option<f64> {
    let balances: Vec<Amount> = balances.collect::<Option<_>>()?;
    if balances.len() < count || !balances.is_sorted_by(|a, b| a >= b) {
        return None;
    }
    let sum = balances.iter().take(count).try_fold(0_u128, |sum, balance| sum.checked_add(balance.atoms()))?;
    Amount::from_atoms(sum).ratio(supply).map(|share| share * 100.0).filter(|share| *share <= 100.0)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn share(balances: &[Option<u128>], count: usize) -> Option<f64> {
        let balances = balances.iter().map(|balance| balance.map(Amount::from_atoms));
        concentration(balances, Amount::from_atoms(200), count)
    }

    #[test]
    fn share_needs_enough_sorted_balances() {
        assert_eq!(share(&[Some(60), Some(30), Some(10)], 2), Some(45.0));
        assert_eq!(share(&[Some(60), Some(30), Some(10)], 10), None, "too few are loaded");
        assert_eq!(share(&[Some(60), Some(30), Some(70)], 2), None, "a larger one comes later");
        assert_eq!(share(&[Some(60), None], 1), None, "an unknown balance");
        assert_eq!(share(&[], 10), None);
        assert_eq!(share(&[Some(150), Some(60)], 2), None, "more than the supply");
        assert_eq!(share(&[Some(u128::MAX), Some(u128::MAX)], 2), None, "too large");
    }
}
