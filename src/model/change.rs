//! Changes between prices.

/// The change between two prices in percent; `None` unless it is finite.
pub fn change_pct(from: f64, to: f64) -> Option<f64> {
    Some((to / from - 1.0) * 100.0).filter(|change| change.is_finite())
}

/// The change from the first to the last price of a line in percent, without its missing prices, which are not finite.
/// `None` unless it has two prices.
pub fn line_change_pct(prices: &[f64]) -> Option<f64> {
    let mut known = prices.iter().copied().filter(|price| price.is_finite());
    let first = known.next()?;
    change_pct(first, known.next_back()?)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::model::coin::GAP;

    #[test]
    fn change_is_known_only_between_prices() {
        assert_eq!((change_pct(4.0, 5.0), change_pct(4.0, 3.0)), (Some(25.0), Some(-25.0)));
        assert_eq!([change_pct(0.0, 1.0), change_pct(0.0, 0.0), change_pct(f64::NAN, 1.0)], [None; 3]);
        assert_eq!(line_change_pct(&[GAP, 4.0, f64::NAN, 8.0, 5.0, GAP]), Some(25.0));
        assert_eq!([line_change_pct(&[GAP, 4.0]), line_change_pct(&[])], [None; 2]);
    }
}
