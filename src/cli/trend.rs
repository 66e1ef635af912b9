//! A small chart of block characters, for a table's cell.

/// A chart of blocks, `width` wide at most, from the lowest to the highest number.
pub(super) fn blocks(numbers: &[f64], width: usize) -> String {
    const BLOCKS: [char; 8] = ['▁', '▂', '▃', '▄', '▅', '▆', '▇', '█'];
    let numbers: Vec<f64> = numbers.iter().copied().filter(|number| number.is_finite()).collect();
    let low = numbers.iter().copied().fold(f64::INFINITY, f64::min);
    let high = numbers.iter().copied().fold(f64::NEG_INFINITY, f64::max);
    let block = |number: f64| {
        let share = if high > low { (number - low) / (high - low) } else { 0.5 };
        #[expect(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "a share of 0 to 1, times 7")]
        BLOCKS.get((share * 7.0).round() as usize).copied().unwrap_or('▄')
    };
    let columns = width.min(numbers.len());
    (0..columns)
        .filter_map(|column| {
            let last = (numbers.len() * (column + 1) / columns).checked_sub(1)?;
            numbers.get(last).map(|number| block(*number))
        })
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_trend_is_no_wider_than_asked_and_ends_with_the_last_number() {
        assert_eq!(blocks(&[1.0, 2.0, 3.0], 14), "▁▅█");
        assert_eq!(blocks(&[5.0; 20], 4), "▅▅▅▅");
        assert_eq!(blocks(&[], 4), "");
        assert_eq!(blocks(&(0..100).map(f64::from).collect::<Vec<_>>(), 5).chars().count(), 5);
    }
}
