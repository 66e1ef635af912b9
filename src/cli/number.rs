//! Numbers for people: as many digits as say something. Programs read `json` and `csv`, which are exact.

/// A price: two decimals from 1000 on (`61,234.10`), four significant digits below, and the zeros after the point
/// counted where they are many (`0.0₆7341`).
pub(super) fn price(price: f64) -> String {
    let size = price.abs();
    if !price.is_finite() {
        String::from("—")
    } else if size == 0.0 {
        String::from("0")
    } else if size >= 1e15 {
        format!("{price:.3e}")
    } else if size >= 1000.0 {
        grouped(&format!("{price:.2}"))
    } else if size >= 1.0 {
        // From 1.000 to 999.9, but never fewer than two decimals.
        let decimals = if size >= 10.0 { 2 } else { 3 };
        format!("{price:.decimals$}")
    } else {
        small(price)
    }
}

/// Below 1: four significant digits.
fn small(price: f64) -> String {
    // `7.341e-7`: rounding may carry into the exponent, so it is read from the rounded text.
    let text = format!("{:.3e}", price.abs());
    let Some((digits, exponent)) = text.split_once('e') else { return text };
    let digits: String = digits.chars().filter(char::is_ascii_digit).collect();
    let zeros = exponent.parse::<i32>().map_or(0, |exponent| exponent.unsigned_abs().saturating_sub(1));
    let sign = if price < 0.0 { "-" } else { "" };
    if exponent == "0" {
        // 0.99996 rounds up to 1.000.
        format!("{sign}1.000")
    } else if zeros < 4 {
        format!("{sign}0.{}{digits}", "0".repeat(zeros as usize))
    } else {
        format!("{sign}0.0{}{digits}", subscript(zeros))
    }
}

fn subscript(number: u32) -> String {
    number.to_string().chars().filter_map(|c| char::from_u32(0x2080 + c.to_digit(10)?)).collect()
}

/// Three significant digits and a unit: `61.2M`, `1.21T`.
pub(super) fn compact(number: f64) -> String {
    if !number.is_finite() {
        return String::from("—");
    }
    let units = [(1e12, "T"), (1e9, "B"), (1e6, "M"), (1e3, "k")];
    let size = number.abs();
    // A number that rounds up to the next unit is written in that unit.
    match units.into_iter().find(|(unit, _)| size >= unit * 0.9995) {
        Some((unit, name)) if size / unit < 999_500.0 => format!("{}{name}", three(number / unit)),
        Some(_) => format!("{number:.2e}"),
        None if size == 0.0 => String::from("0"),
        None if size < 1.0 => small(number),
        None => three(number),
    }
}

/// Three significant digits without trailing zeros after the point.
fn three(number: f64) -> String {
    let size = number.abs();
    let decimals = if size < 9.995 {
        2
    } else if size < 99.95 {
        1
    } else {
        0
    };
    let text = format!("{number:.decimals$}");
    if text.contains('.') { text.trim_end_matches('0').trim_end_matches('.').to_owned() } else { text }
}

/// A change in percent, with its sign: `+0.21%`, `-3.80%`, `0.00%`.
pub(super) fn change(percent: f64) -> String {
    if !percent.is_finite() {
        return String::from("—");
    }
    let decimals = if percent.abs() < 100.0 { 2 } else { 0 };
    let text = format!("{percent:+.decimals$}");
    if text.bytes().all(|b| !(b'1'..=b'9').contains(&b)) {
        return String::from("0.00%");
    }
    format!("{}%", grouped(&text))
}

/// Thousands parted by commas, in a decimal text of any length.
pub(super) fn grouped(text: &str) -> String {
    let start = text.find(|c: char| c.is_ascii_digit()).unwrap_or(0);
    let (sign, number) = text.split_at(start);
    let (whole, fraction) = number.split_once('.').map_or((number, None), |(whole, rest)| (whole, Some(rest)));
    let mut out = String::from(sign);
    for (index, digit) in whole.chars().enumerate() {
        if index > 0 && (whole.len() - index) % 3 == 0 {
            out.push(',');
        }
        out.push(digit);
    }
    if let Some(fraction) = fraction {
        out.push('.');
        out.push_str(fraction);
    }
    out
}

/// A chart of blocks, `width` wide at most, from the lowest to the highest number.
pub(super) fn trend(numbers: &[f64], width: usize) -> String {
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
    fn prices_have_the_digits_that_say_something() {
        for (number, text) in [
            (61234.1, "61,234.10"),
            (1_234_567.891, "1,234,567.89"),
            (999.996, "1000.00"),
            (8.4127, "8.413"),
            (42.0, "42.00"),
            (0.99996, "1.000"),
            (0.1234, "0.1234"),
            (0.000_734, "0.0007340"),
            (0.000_000_734_1, "0.0₆7341"),
            (1.5e-12, "0.0₁₁1500"),
            (0.0, "0"),
            (-0.5, "-0.5000"),
            (1e300, "1.000e300"),
            (f64::NAN, "—"),
        ] {
            assert_eq!(price(number), text, "{number}");
        }
    }

    #[test]
    fn compact_numbers_have_three_digits_and_a_unit() {
        for (number, text) in [
            (61_233_901.2, "61.2M"),
            (1.21e12, "1.21T"),
            (999_950.0, "1M"),
            (21_000_000.0, "21M"),
            (950.0, "950"),
            (12.0, "12"),
            (0.0, "0"),
            (0.25, "0.2500"),
            (-5200.0, "-5.2k"),
            (2.1e15, "2100T"),
            (1e30, "1.00e30"),
        ] {
            assert_eq!(compact(number), text, "{number}");
        }
    }

    #[test]
    fn changes_carry_their_sign() {
        assert_eq!(change(0.21), "+0.21%");
        assert_eq!(change(-3.8), "-3.80%");
        assert_eq!(change(-0.0001), "0.00%");
        assert_eq!(change(12345.6), "+12,346%");
    }

    #[test]
    fn a_trend_is_no_wider_than_asked_and_ends_with_the_last_number() {
        assert_eq!(trend(&[1.0, 2.0, 3.0], 14), "▁▅█");
        assert_eq!(trend(&[5.0; 20], 4), "▅▅▅▅");
        assert_eq!(trend(&[], 4), "");
        assert_eq!(trend(&(0..100).map(f64::from).collect::<Vec<_>>(), 5).chars().count(), 5);
    }
}
