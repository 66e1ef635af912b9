//! The scroll position of text whose number of lines only the view knows.

/// A scroll position, as the distance from one end.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Scroll {
    /// This many lines above the first visible one.
    FromTop(usize),
    /// This many lines below the last visible one.
    FromEnd(usize),
}

impl Default for Scroll {
    fn default() -> Self {
        Scroll::FromTop(0)
    }
}

impl Scroll {
    /// Scrolls by lines, up if negative; `isize::MAX / 2` and `isize::MIN / 2` scroll to an end. `max` is the maximum
    /// number of lines, so that scrolling back from beyond an end soon takes effect.
    #[must_use]
    pub fn step(self, by: isize, max: usize) -> Scroll {
        match self {
            _ if by >= isize::MAX / 2 => Scroll::FromEnd(0),
            _ if by <= isize::MIN / 2 => Scroll::FromTop(0),
            Scroll::FromTop(lines) => Scroll::FromTop(lines.saturating_add_signed(by).min(max)),
            Scroll::FromEnd(lines) => Scroll::FromEnd(lines.saturating_add_signed(-by).min(max)),
        }
    }

    /// The first visible line of text with `lines` lines in an area of `rows` rows.
    pub fn first(self, lines: usize, rows: usize) -> usize {
        let max = lines.saturating_sub(rows);
        match self {
            Scroll::FromTop(above) => above.min(max),
            Scroll::FromEnd(below) => max.saturating_sub(below),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn one_line_up_from_the_end_is_one_line() {
        let end = Scroll::default().step(isize::MAX / 2, 30);
        assert_eq!((end.first(20, 5), end.step(-1, 30).first(20, 5), end.step(3, 30).first(20, 5)), (15, 14, 15));
        assert_eq!(end.step(-1, 30).step(1, 30), end);
        assert_eq!(end.step(isize::MIN / 2, 30).first(20, 5), 0);
        assert_eq!(Scroll::FromTop(3).step(-9, 30), Scroll::FromTop(0));
        assert_eq!(end.first(3, 5), 0, "all lines are visible");
    }
}
