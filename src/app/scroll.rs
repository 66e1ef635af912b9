//! The scroll position of text whose number of lines only the view knows.

use super::step::Step;

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
    /// Scrolls by lines, or to an end. `max` is the maximum number of lines, so that scrolling back from beyond an end
    /// soon takes effect.
    #[must_use]
    pub fn step(self, step: Step, max: usize) -> Scroll {
        match (step, self) {
            (Step::First, _) => Scroll::FromTop(0),
            (Step::Last, _) => Scroll::FromEnd(0),
            (Step::By(by), Scroll::FromTop(lines)) => Scroll::FromTop(lines.saturating_add_signed(by).min(max)),
            (Step::By(by), Scroll::FromEnd(lines)) => {
                Scroll::FromEnd(lines.saturating_add_signed(by.saturating_neg()).min(max))
            }
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
        let end = Scroll::default().step(Step::Last, 30);
        let by = |scroll: Scroll, lines| scroll.step(Step::By(lines), 30);
        assert_eq!((end.first(20, 5), by(end, -1).first(20, 5), by(end, 3).first(20, 5)), (15, 14, 15));
        assert_eq!(by(by(end, -1), 1), end);
        assert_eq!(end.step(Step::First, 30).first(20, 5), 0);
        assert_eq!(by(Scroll::FromTop(3), -9), Scroll::FromTop(0));
        assert_eq!(end.first(3, 5), 0, "all lines are visible");
    }
}
