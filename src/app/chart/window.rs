//! The part of a chart's period that is shown.

use std::time::Duration;

use crate::model::UtcTime;

/// The part of a chart's period that is shown. Its length is fixed: a refresh may move it, but doesn't resize it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ChartWindow {
    length: Duration,
    /// The end; `None` to follow the end of the period.
    end: Option<UtcTime>,
}

/// The time from a start to an end, both included.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct TimeSpan {
    /// The start.
    pub start: UtcTime,
    /// The end.
    pub end: UtcTime,
}

impl TimeSpan {
    /// Whether a time is in it.
    pub fn contains(self, time: UtcTime) -> bool {
        (self.start..=self.end).contains(&time)
    }
}

impl ChartWindow {
    /// Returns a window of half the shown length: of `window`, or of the whole period. `anchor` keeps its place on the
    /// screen; without one, the end does.
    #[must_use]
    pub fn zoomed_in(window: Option<ChartWindow>, period: TimeSpan, anchor: Option<UtcTime>) -> ChartWindow {
        let last = period.end;
        let TimeSpan { start, end } = window.map_or(period, |window| window.span(last));
        let anchor = anchor.unwrap_or(end).clamp(start, end.max(start));
        let length = end.since(start) / 2;
        ChartWindow::until(anchor.plus(end.since(anchor) / 2), length, last)
    }

    /// Returns a window of twice the length within the period; `None` if it would show (nearly) all of it.
    #[must_use]
    pub fn zoomed_out(self, period: TimeSpan, anchor: Option<UtcTime>) -> Option<ChartWindow> {
        let TimeSpan { start: first, end: last } = period;
        let TimeSpan { start, end } = self.span(last);
        let length = self.length * 2;
        // A refresh moves the ends of the period a bit.
        if length >= last.since(first) * 19 / 20 {
            return None;
        }
        let anchor = anchor.unwrap_or(end).clamp(start, end.max(start));
        let end = anchor.plus(end.since(anchor) * 2).max(first.plus(length)).min(last);
        Some(ChartWindow::until(end, length, last))
    }

    /// This window, moved as little as possible to contain a time.
    #[must_use]
    pub fn scrolled_to(self, time: UtcTime, last: UtcTime) -> ChartWindow {
        let TimeSpan { start, end } = self.span(last);
        match time {
            time if time < start => ChartWindow::until(time.plus(self.length), self.length, last),
            time if time > end => ChartWindow::until(time, self.length, last),
            _ => self,
        }
    }

    /// The shown time, in a period whose last point is at this time.
    pub fn span(self, last: UtcTime) -> TimeSpan {
        let end = self.end.unwrap_or(last);
        TimeSpan { start: end.minus(self.length), end }
    }

    fn until(end: UtcTime, length: Duration, last: UtcTime) -> ChartWindow {
        ChartWindow { length, end: (end < last).then_some(end) }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn at(hour: i64) -> UtcTime {
        UtcTime::from_secs(hour * 3_600)
    }

    /// Start and end in hours.
    fn hours(window: ChartWindow, last: UtcTime) -> (i64, i64) {
        let TimeSpan { start, end } = window.span(last);
        (start.secs() / 3_600, end.secs() / 3_600)
    }

    #[test]
    fn zoom_keeps_its_anchor_in_place() {
        let last = at(160);
        let ends = TimeSpan { start: at(0), end: last };
        for (anchors, spans) in [
            ([None, None], [(80, 160), (120, 160)]),
            ([Some(160), Some(160)], [(80, 160), (120, 160)]),
            ([Some(0), Some(0)], [(0, 80), (0, 40)]),
            ([Some(40), None], [(20, 100), (60, 100)]),
            ([Some(40), Some(40)], [(20, 100), (30, 70)]),
            ([Some(80), Some(10)], [(40, 120), (40, 80)]),
        ] {
            let [one, two] = anchors.map(|hour| hour.map(at));
            let half = ChartWindow::zoomed_in(None, ends, one);
            let quarter = ChartWindow::zoomed_in(Some(half), ends, two);
            assert_eq!([half, quarter].map(|window| hours(window, last)), spans, "{anchors:?}");
            let back = quarter.zoomed_out(ends, two);
            assert_eq!(back.map(|window| hours(window, last)), Some(spans[0]), "{anchors:?}");
            assert_eq!(back.and_then(|window| window.zoomed_out(ends, one)), None);
        }
    }

    #[test]
    fn window_at_the_end_follows_it() {
        let ends = TimeSpan { start: at(0), end: at(160) };
        let newest = ChartWindow::zoomed_in(None, ends, None);
        let older = ChartWindow::zoomed_in(None, ends, Some(at(40)));
        assert_eq!((hours(newest, at(170)), hours(older, at(170))), ((90, 170), (20, 100)));
        let scrolled = |window: ChartWindow, hour| window.scrolled_to(at(hour), at(160));
        assert_eq!(hours(scrolled(older, 110), at(170)), (30, 110));
        assert_eq!(hours(scrolled(older, 10), at(170)), (10, 90));
        assert_eq!(hours(scrolled(older, 160), at(170)), (90, 170), "it has reached the end");
        assert_eq!(hours(scrolled(newest, 70), at(170)), (70, 150), "it has left the end");
        assert_eq!((scrolled(newest, 80), scrolled(older, 100)), (newest, older));
    }

    #[test]
    fn zooming_out_stops_at_the_ends() {
        let ends = TimeSpan { start: at(0), end: at(160) };
        let quarter = |end| ChartWindow { length: at(40).since(at(0)), end: Some(at(end)) };
        let out = |window: ChartWindow, anchor| window.zoomed_out(ends, anchor).map(|window| hours(window, at(160)));
        assert_eq!(out(quarter(45), Some(at(45))), Some((0, 80)));
        assert_eq!(out(quarter(150), Some(at(110))), Some((80, 160)));
        let nearly_half = ChartWindow { length: at(77).since(at(0)), end: None };
        assert_eq!(out(nearly_half, None), None, "the period was shorter before a refresh");
    }

    /// A user action: zoom in or out, with or without an anchor, or scroll to a time.
    #[derive(Clone, Copy, Debug)]
    enum Step {
        In(Option<i64>),
        Out(Option<i64>),
        To(i64),
    }

    fn step(end: i64) -> impl Strategy<Value = Step> {
        let anchor = || prop::option::of(0..=end);
        prop_oneof![anchor().prop_map(Step::In), anchor().prop_map(Step::Out), (0..=end).prop_map(Step::To)]
    }

    proptest! {
        #[test]
        fn window_stays_within_the_period(steps in prop::collection::vec(step(100_000), 0..40)) {
            let ends = TimeSpan { start: UtcTime::from_secs(0), end: UtcTime::from_secs(100_000) };
            let time = |secs: Option<i64>| secs.map(UtcTime::from_secs);
            let mut window: Option<ChartWindow> = None;
            for step in steps {
                window = match (step, window) {
                    (Step::In(anchor), window) => {
                        Some(ChartWindow::zoomed_in(window, ends, time(anchor))).filter(|it| it.length.as_secs() > 60)
                    }
                    (Step::Out(anchor), Some(window)) => window.zoomed_out(ends, time(anchor)),
                    (Step::To(secs), Some(window)) => {
                        let moved = window.scrolled_to(UtcTime::from_secs(secs), ends.end);
                        prop_assert!(moved.span(ends.end).contains(UtcTime::from_secs(secs)));
                        prop_assert_eq!(moved.length, window.length);
                        Some(moved)
                    }
                    (_, None) => None,
                };
                if let Some(window) = window {
                    let TimeSpan { start, end } = window.span(ends.end);
                    // Halves of milliseconds are cut off.
                    prop_assert!(start.plus(Duration::from_millis(50)) >= ends.start, "{window:?}");
                    prop_assert!(start < end && end <= ends.end, "{window:?}");
                }
            }
        }

        #[test]
        fn zooming_in_and_out_returns_to_the_whole(
            anchors in prop::collection::vec(prop::option::of(0..=100_000_i64), 1..9),
        ) {
            let ends = TimeSpan { start: UtcTime::from_secs(0), end: UtcTime::from_secs(100_000) };
            let mut windows = vec![None];
            let anchor = |secs: &Option<i64>| secs.map(UtcTime::from_secs);
            for secs in &anchors {
                let last = windows.last().copied().flatten();
                windows.push(Some(ChartWindow::zoomed_in(last, ends, anchor(secs))));
            }
            let mut window = windows.pop().flatten();
            for (secs, before) in anchors.iter().zip(windows.iter()).rev() {
                prop_assert!(window.is_some());
                window = window.and_then(|window| window.zoomed_out(ends, anchor(secs)));
                prop_assert_eq!(window.is_some(), before.is_some());
            }
        }
    }
}
