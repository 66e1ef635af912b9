//! The layout of table columns, on the screen and in printed tables: which columns are shown, how wide they are, and
//! where numbers are placed in them.

use super::words::width;

/// The possible widths of a column, and when it is dropped.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Extent {
    /// Minimum width.
    pub min: usize,
    /// Maximum width, if there is room.
    pub max: usize,
    /// Columns with a lower priority are dropped first; among equals, the rightmost. `None` is never dropped.
    pub priority: Option<u8>,
}

/// The blanks between columns.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Gaps {
    /// Minimum blanks between two columns.
    pub min: usize,
    /// Maximum blanks between two columns, if no column needs the room.
    pub max: usize,
    /// Blanks before the first column.
    pub before: usize,
    /// Blanks after the last column.
    pub after: usize,
}

/// The position of a column.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ColumnPosition {
    /// The index of the column.
    pub index: usize,
    /// Where it starts.
    pub start: usize,
    /// The width; at least the minimum.
    pub width: usize,
}

/// Places columns from left to right in `room` (`None` for unlimited). Columns are dropped until the rest fits with
/// minimum widths; one column always stays, and columns that are never dropped may need more than the room. Then the
/// columns grow evenly, and the remaining room widens the gaps, the first ones first.
pub fn place(columns: &[Extent], gaps: Gaps, room: Option<usize>) -> Vec<ColumnPosition> {
    let mut shown: Vec<(usize, Extent)> = columns.iter().copied().enumerate().collect();
    let Some(room) = room else {
        let widest: Vec<usize> = shown.iter().map(|(_, extent)| extent.max).collect();
        return placed(&shown, &widest, gaps, 0);
    };
    let room = room.saturating_sub(gaps.before + gaps.after);
    let needed = |shown: &[(usize, Extent)]| {
        let widths: usize = shown.iter().map(|(_, extent)| extent.min).sum();
        widths + gaps.min * shown.len().saturating_sub(1)
    };
    while shown.len() > 1 && needed(&shown) > room {
        let droppable = shown.iter().enumerate().rev().filter_map(|(at, (_, extent))| Some((at, extent.priority?)));
        let Some((at, _)) = droppable.min_by_key(|&(_, priority)| priority) else { break };
        shown.remove(at);
    }
    let mut spare = room.saturating_sub(needed(&shown));
    let mut widths: Vec<usize> = shown.iter().map(|(_, extent)| extent.min).collect();
    // Start with the columns that need the least, so that the others share the rest.
    let growth = |at: &usize| shown.get(*at).map_or(0, |(_, extent)| extent.max.saturating_sub(extent.min));
    let mut growing: Vec<usize> = (0..shown.len()).filter(|at| growth(at) > 0).collect();
    growing.sort_by_key(growth);
    for (done, at) in growing.iter().enumerate() {
        let more = growth(at).min(spare / (growing.len() - done));
        spare -= more;
        if let Some(width) = widths.get_mut(*at) {
            *width += more;
        }
    }
    placed(&shown, &widths, gaps, spare)
}

/// Places columns next to each other; `spare` blanks widen the gaps.
fn placed(shown: &[(usize, Extent)], widths: &[usize], gaps: Gaps, mut spare: usize) -> Vec<ColumnPosition> {
    let mut start = gaps.before;
    let place = |(&(index, _), &width): (&(usize, Extent), &usize)| {
        let place = ColumnPosition { index, start, width };
        let wider = spare.min(gaps.max - gaps.min);
        spare -= wider;
        start += width + gaps.min + wider;
        place
    };
    shown.iter().zip(widths).map(place).collect()
}

/// The width of a number's decimal point and decimals; 0 if there is no point. Of `0.5 of 1.25`, the last number counts.
pub fn fraction(number: &str) -> usize {
    let last = number.rsplit(" of ").next().unwrap_or(number);
    last.rfind('.').and_then(|at| last.get(at..)).map_or(0, |rest| usize::from(width(rest)))
}

/// Blanks before a number in a column of `width`, such that its decimal point is `fraction` columns (including the
/// point) before the end of the column. A number with more decimals is right-aligned, one with a longer integer part is
/// left-aligned. `None` if it does not fit; it must not be cut, since a part of a number would be another number.
pub fn indent(number: &str, fraction: usize, width: usize) -> Option<usize> {
    let space = width.checked_sub(usize::from(self::width(number)))?;
    Some(space.saturating_sub(fraction.saturating_sub(self::fraction(number))))
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    const GAPS: Gaps = Gaps { min: 1, max: 2, before: 1, after: 1 };

    const fn fixed(width: usize, priority: u8) -> Extent {
        Extent { min: width, max: width, priority: Some(priority) }
    }

    fn places(columns: &[Extent], room: usize) -> Vec<(usize, usize, usize)> {
        place(columns, GAPS, Some(room)).iter().map(|place| (place.index, place.start, place.width)).collect()
    }

    #[test]
    fn column_with_the_lowest_priority_is_dropped_first() {
        let columns = [fixed(4, 3), fixed(6, 9), fixed(4, 3)];
        assert_eq!(places(&columns, 18), [(0, 1, 4), (1, 6, 6), (2, 13, 4)]);
        assert_eq!(places(&columns, 17), [(0, 1, 4), (1, 7, 6)], "the rightmost of equals");
        assert_eq!(places(&columns, 12), [(1, 1, 6)]);
        assert_eq!(places(&columns, 0), [(1, 1, 6)], "one column always stays");
    }

    #[test]
    fn column_without_a_priority_stays() {
        let columns = [Extent { priority: None, ..fixed(9, 0) }, fixed(2, 9), Extent { priority: None, ..fixed(9, 0) }];
        assert_eq!(places(&columns, 5), [(0, 1, 9), (2, 11, 9)]);
    }

    #[test]
    fn unused_column_width_is_shared() {
        let columns = [Extent { max: 40, ..fixed(4, 1) }, Extent { max: 6, ..fixed(4, 1) }];
        assert_eq!(places(&columns, 27), [(0, 1, 18), (1, 20, 6)]);
    }

    #[test]
    fn spare_room_widens_the_gaps() {
        let columns = [fixed(4, 1), fixed(4, 1), fixed(4, 1)];
        assert_eq!(places(&columns, 17), [(0, 1, 4), (1, 7, 4), (2, 12, 4)]);
        assert_eq!(places(&columns, 99), [(0, 1, 4), (1, 7, 4), (2, 13, 4)]);
    }

    #[test]
    fn unlimited_room_gives_maximum_widths() {
        let columns = [Extent { max: 40, ..fixed(4, 1) }, fixed(4, 1)];
        let widths: Vec<_> = place(&columns, GAPS, None).iter().map(|place| place.width).collect();
        assert_eq!(widths, [40, 4]);
    }

    #[test]
    fn last_number_of_a_part_is_aligned() {
        for (number, width) in [("0.5 of 1", 0), ("0.5 of 1.25", 3), ("400 of 500", 0), ("1.25", 3), ("9.50 SAT", 7)] {
            assert_eq!(fraction(number), width, "{number}");
        }
    }

    #[test]
    fn numbers_align_on_the_decimal_point() {
        for (number, indent) in [
            ("61,234.10", Some(1)),
            ("8.41", Some(6)),
            ("0.8412", Some(6)),
            ("0.0₆734", Some(5)),
            ("123,456,789", Some(0)),
            ("1,234", Some(2)),
            ("—", Some(6)),
            ("1,123,456,789", None),
        ] {
            assert_eq!(super::indent(number, 5, 12), indent, "{number}");
        }
    }

    proptest! {
        #[test]
        fn columns_fill_the_room_and_never_overlap(
            columns in prop::collection::vec((1..20_usize, 0..20_usize, 0..9_u8), 1..9),
            room in 0..200_usize,
        ) {
            let columns: Vec<Extent> = columns
                .iter()
                .map(|&(min, more, priority)| Extent { min, max: min + more, priority: Some(priority) })
                .collect();
            let places = place(&columns, GAPS, Some(room));
            let mut end = 0;
            for place in &places {
                let Extent { min, max, .. } = columns[place.index];
                prop_assert!(place.start > end || end == 0);
                prop_assert!((min..=max).contains(&place.width));
                end = place.start + place.width;
            }
            prop_assert!(places.len() == 1 || end < room, "{places:?}");
            let is_narrow = |place: &ColumnPosition| place.width < columns[place.index].max;
            prop_assert!(places.len() < columns.len() || !places.iter().any(is_narrow) || end + 1 >= room, "{places:?}");
        }
    }
}
