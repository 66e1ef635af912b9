//! Changes and shares in percent.

use std::cmp::Ordering;
use std::fmt::{self, Write};

use super::digits::{ABSENT, MINUS, Scratch, pad};

/// The direction of a change as it is shown: `Equal` if it rounds to zero; `None` if it is not finite, which is shown
/// as [`ABSENT`].
pub fn direction(change: f64) -> Option<Ordering> {
    let direction = match change {
        0.05.. => Ordering::Greater,
        ..=-0.05 => Ordering::Less,
        _ => Ordering::Equal,
    };
    change.is_finite().then_some(direction)
}

/// A change with an arrow, always [`Change::WIDTH`] columns wide: `▲ 0.2%`, `▼ 3.8%`, `▲11.0%`, `▲ 123%`, `▲1.2k%`. A
/// change that rounds to zero has no arrow.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Change(pub Option<f64>);

impl Change {
    /// The width of all values.
    pub const WIDTH: u16 = 6;
}

impl fmt::Display for Change {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Some(change) = self.0.filter(|change| change.is_finite()) else { return pad(f, 6, ABSENT) };
        f.write_char(match direction(change) {
            Some(Ordering::Greater) => '▲',
            Some(Ordering::Less) => '▼',
            _ => ' ',
        })?;
        pad(f, 4, size(change.abs())?.as_str())?;
        f.write_char('%')
    }
}

/// A change with an arrow for running text, at most 7 columns wide: `▲ 12.4%`, `▼ 8.1%`, `0.0%`.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Arrow(pub Option<f64>);

impl fmt::Display for Arrow {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Some(change) = self.0.filter(|change| change.is_finite()) else { return f.write_str(ABSENT) };
        f.write_str(match direction(change) {
            Some(Ordering::Greater) => "▲ ",
            Some(Ordering::Less) => "▼ ",
            _ => "",
        })?;
        write!(f, "{}%", size(change.abs())?.as_str())
    }
}

/// A change with a sign, at most 6 columns wide: `+12.4%`, `−8.1%`, `0.0%`.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Signed(pub Option<f64>);

impl fmt::Display for Signed {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Some(change) = self.0.filter(|change| change.is_finite()) else { return f.write_str(ABSENT) };
        f.write_str(match direction(change) {
            Some(Ordering::Greater) => "+",
            Some(Ordering::Less) => MINUS,
            _ => "",
        })?;
        write!(f, "{}%", size(change.abs())?.as_str())
    }
}

/// A share, at most 5 columns wide: `19.9%`, `100%`, `0.0%`; `<0.1%` for a small but nonzero share.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Share(pub Option<f64>);

impl fmt::Display for Share {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.0 {
            Some(share) if share > 0.0 && share < 0.05 => f.write_str("<0.1%"),
            // More than 100% is a mistake of the service; show it unchanged.
            Some(share) if share.is_finite() && share > -0.05 => write!(f, "{}%", size(share.abs())?.as_str()),
            _ => f.write_str(ABSENT),
        }
    }
}

/// The absolute value in at most four columns.
fn size(change: f64) -> Result<Scratch, fmt::Error> {
    let mut text = Scratch::default();
    if change < 99.95 {
        write!(text, "{change:.1}")?;
    } else if change < 999.5 {
        write!(text, "{change:.0}")?;
    } else if change < 999.5e3 {
        thousands(&mut text, change / 1e3, 'k')?;
    } else if change < 999.5e6 {
        thousands(&mut text, change / 1e6, 'M')?;
    } else {
        text.write_str(">1B")?;
    }
    Ok(text)
}

fn thousands(text: &mut Scratch, value: f64, unit: char) -> fmt::Result {
    let decimals = usize::from(value < 9.95);
    write!(text, "{value:.decimals$}{unit}")
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    #[test]
    fn changes_have_an_arrow_or_a_sign() {
        for (change, shown, signed) in [
            (0.2, "▲ 0.2%", "+0.2%"),
            (-3.8, "▼ 3.8%", "−3.8%"),
            (11.02, "▲11.0%", "+11.0%"),
            (99.96, "▲ 100%", "+100%"),
            (-1234.0, "▼1.2k%", "−1.2k%"),
            (12_340.0, "▲ 12k%", "+12k%"),
            (9_960.0, "▲ 10k%", "+10k%"),
            (1e30, "▲ >1B%", "+>1B%"),
            (0.04, "  0.0%", "0.0%"),
            (-0.04, "  0.0%", "0.0%"),
            (f64::NAN, "     —", "—"),
            (f64::NEG_INFINITY, "     —", "—"),
        ] {
            assert_eq!(Change(Some(change)).to_string(), shown, "{change}");
            assert_eq!(Signed(Some(change)).to_string(), signed, "{change}");
        }
        assert_eq!(Change(None).to_string(), "     —");
        for (change, shown) in [(Some(12.4), "▲ 12.4%"), (Some(-8.1), "▼ 8.1%"), (Some(-0.04), "0.0%"), (None, "—")]
        {
            assert_eq!(Arrow(change).to_string(), shown);
        }
    }

    #[test]
    fn small_shares_are_not_zero() {
        for (share, shown) in
            [(19.9, "19.9%"), (100.0, "100%"), (0.0, "0.0%"), (0.01, "<0.1%"), (-3.0, "—"), (f64::NAN, "—")]
        {
            assert_eq!(Share(Some(share)).to_string(), shown, "{share}");
        }
    }

    proptest! {
        #[test]
        fn all_changes_have_one_width(change: f64, near in -2e9..2e9_f64) {
            for change in [change, near] {
                prop_assert_eq!(Change(Some(change)).to_string().chars().count(), usize::from(Change::WIDTH));
            }
        }
    }
}
