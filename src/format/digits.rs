//! Digits, separators and signs, which all formats share.

use std::fmt;

/// Shown instead of an absent value.
pub const ABSENT: &str = "—";

/// The sign of a negative number, as wide as a digit. In some fonts, a hyphen is not.
pub const MINUS: &str = "−";

/// Writes `text` right-aligned in `width` columns; its characters must be one column wide.
pub(super) fn pad(f: &mut fmt::Formatter<'_>, width: usize, text: &str) -> fmt::Result {
    write!(f, "{text:>width$}")
}

/// A short string on the stack, for formats that must know their width before they are written.
pub(super) struct Scratch {
    bytes: [u8; 64],
    len: usize,
}

impl Default for Scratch {
    fn default() -> Self {
        Scratch { bytes: [0; 64], len: 0 }
    }
}

impl Scratch {
    pub(super) fn as_str(&self) -> &str {
        self.bytes.get(..self.len).and_then(|bytes| std::str::from_utf8(bytes).ok()).unwrap_or("")
    }
}

impl fmt::Write for Scratch {
    /// Fails without writing anything if `text` does not fit.
    fn write_str(&mut self, text: &str) -> fmt::Result {
        let end = self.len + text.len();
        self.bytes.get_mut(self.len..end).ok_or(fmt::Error)?.copy_from_slice(text.as_bytes());
        self.len = end;
        Ok(())
    }
}

/// Writes decimal `digits` with a comma before each group of three.
pub(crate) fn grouped(f: &mut impl fmt::Write, digits: &str) -> fmt::Result {
    for (at, digit) in digits.chars().enumerate() {
        if at > 0 && (digits.len() - at).is_multiple_of(3) {
            f.write_char(',')?;
        }
        f.write_char(digit)?;
    }
    Ok(())
}

/// Writes a nonnegative number with `decimals` decimals and thousands separators.
pub(crate) fn fixed(f: &mut impl fmt::Write, value: f64, decimals: usize) -> fmt::Result {
    use fmt::Write as _;
    let mut scratch = Scratch::default();
    write!(scratch, "{value:.decimals$}")?;
    let (whole, fraction) = scratch.as_str().split_once('.').unwrap_or((scratch.as_str(), ""));
    grouped(f, whole)?;
    if fraction.is_empty() { Ok(()) } else { write!(f, ".{fraction}") }
}

/// The decimal exponent of a positive number after rounding to `digits` significant digits: 2 for 999.4 and three
/// digits, 3 for 999.6.
pub(super) fn exponent(value: f64, digits: usize) -> i32 {
    use fmt::Write as _;
    let mut scratch = Scratch::default();
    let after_point = digits.saturating_sub(1);
    // Formatting rounds correctly; `log10` is off by one near powers of ten.
    if write!(scratch, "{value:.after_point$e}").is_err() {
        return 0;
    }
    scratch.as_str().rsplit_once('e').and_then(|(_, exponent)| exponent.parse().ok()).unwrap_or(0)
}
