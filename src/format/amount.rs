//! Counts, exact BRC-20 amounts, bytes.

use std::fmt::{self, Write};

use super::digits::{Scratch, grouped};
use crate::model::Amount;

/// A count with thousands separators, at most 26 columns wide: `1,204`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Count(pub u64);

impl fmt::Display for Count {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let mut digits = Scratch::default();
        write!(digits, "{}", self.0)?;
        grouped(f, digits.as_str())
    }
}

/// A plain decimal number of any length with thousands separators: `-1,234.5678`.
pub fn with_separators(text: &str) -> String {
    let start = text.find(|c: char| c.is_ascii_digit()).unwrap_or(0);
    let (sign, number) = text.split_at(start);
    let (whole, fraction) = number.split_once('.').map_or((number, None), |(whole, rest)| (whole, Some(rest)));
    let mut out = String::from(sign);
    let _ = grouped(&mut out, whole);
    if let Some(fraction) = fraction {
        out.push('.');
        out.push_str(fraction);
    }
    out
}

/// A BRC-20 amount with all its digits and thousands separators, at most 46 columns wide: `21,000,000`,
/// `0.000000000000000001`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Exact(pub Amount);

impl fmt::Display for Exact {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        const UNIT: u128 = Amount::UNIT.atoms();
        let atoms = self.0.atoms();
        let mut digits = Scratch::default();
        write!(digits, "{}", atoms / UNIT)?;
        grouped(f, digits.as_str())?;
        if atoms.is_multiple_of(UNIT) {
            return Ok(());
        }
        let mut fraction = Scratch::default();
        write!(fraction, "{:018}", atoms % UNIT)?;
        write!(f, ".{}", fraction.as_str().trim_end_matches('0'))
    }
}

/// A number of bytes in decimal units, at most 6 columns wide: `999 B`, `1.2 kB`, `34 kB`, `7.5 MB`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Bytes(pub u64);

impl fmt::Display for Bytes {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        const UNITS: [(f64, &str); 5] = [(1e3, "kB"), (1e6, "MB"), (1e9, "GB"), (1e12, "TB"), (1e15, "PB")];
        if self.0 < 1000 {
            return write!(f, "{} B", self.0);
        }
        let bytes = self.0 as f64;
        for (unit, name) in UNITS {
            let value = bytes / unit;
            if value < 9.95 {
                return write!(f, "{value:.1} {name}");
            }
            if value < 999.5 {
                return write!(f, "{value:.0} {name}");
            }
        }
        f.write_str(">1 EB")
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn counts_have_thousands_separators() {
        for (count, shown) in
            [(0, "0"), (999, "999"), (1_204, "1,204"), (100_000, "100,000"), (u64::MAX, "18,446,744,073,709,551,615")]
        {
            assert_eq!(Count(count).to_string(), shown);
        }
    }

    #[test]
    fn amounts_keep_every_digit() {
        const UNIT: u128 = Amount::UNIT.atoms();
        for (atoms, shown) in [
            (0, "0"),
            (1, "0.000000000000000001"),
            (21_000_000 * UNIT, "21,000,000"),
            (1_234 * UNIT + UNIT / 2, "1,234.5"),
            (u128::from(u64::MAX) * UNIT + UNIT - 1, "18,446,744,073,709,551,615.999999999999999999"),
            (u128::MAX, "340,282,366,920,938,463,463.374607431768211455"),
        ] {
            assert_eq!(Exact(Amount::from_atoms(atoms)).to_string(), shown);
            assert!(shown.len() <= 46);
        }
    }

    #[test]
    fn bytes_have_decimal_units() {
        for (bytes, shown) in [
            (0, "0 B"),
            (999, "999 B"),
            (1_000, "1.0 kB"),
            (9_949, "9.9 kB"),
            (9_950, "10 kB"),
            (999_499, "999 kB"),
            (999_500, "1.0 MB"),
            (7_518_515, "7.5 MB"),
            (u64::MAX, ">1 EB"),
        ] {
            assert_eq!(Bytes(bytes).to_string(), shown);
        }
    }
}
