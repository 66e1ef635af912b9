//! The columns of a table, on the screen and in printed tables: which of them have room, how wide they are, and where a
//! number stands in one.

use super::words::width;

/// How wide a column can be, and when it is dropped.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Extent {
    /// Its least width.
    pub least: usize,
    /// Its greatest width, reached only if there is room.
    pub most: usize,
    /// Columns of a lower priority are dropped first, of equals the one further right; `None`: never dropped.
    pub priority: Option<u8>,
}

/// The blanks between columns.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Gaps {
    /// Least blanks between two columns.
    pub least: usize,
    /// Most blanks between two columns, if no column can use the room.
    pub most: usize,
    /// Blanks before the first column.
    pub before: usize,
    /// Blanks after the last column.
    pub after: usize,
}

/// The place of a column.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Place {
    /// Which of the columns.
    pub index: usize,
    /// Blanks and columns before it.
    pub start: usize,
    /// Its width: never less than its least.
    pub width: usize,
}

/// Places columns from left to right in `room` (`None`: any). Columns are dropped until the rest fits at its least
/// width; one always stays, and those that are never dropped may need more than the room. Then columns grow evenly, and
/// what none of them needs widens the gaps, the first ones first.
pub fn place(columns: &[Extent], gaps: Gaps, room: Option<usize>) -> Vec<Place> {
    let mut shown: Vec<(usize, Extent)> = columns.iter().copied().enumerate().collect();
    let Some(room) = room else {
        let widest: Vec<usize> = shown.iter().map(|(_, extent)| extent.most).collect();
        return placed(&shown, &widest, gaps, 0);
    };
    let room = room.saturating_sub(gaps.before + gaps.after);
    let needed = |shown: &[(usize, Extent)]| {
        let widths: usize = shown.iter().map(|(_, extent)| extent.least).sum();
        widths + gaps.least * shown.len().saturating_sub(1)
    };
    while shown.len() > 1 && needed(&shown) > room {
        let droppable = shown.iter().enumerate().rev().filter_map(|(at, (_, extent))| Some((at, extent.priority?)));
        let Some((at, _)) = droppable.min_by_key(|&(_, priority)| priority) else { break };
        shown.remove(at);
    }
    let mut spare = room.saturating_sub(needed(&shown));
    let mut widths: Vec<usize> = shown.iter().map(|(_, extent)| extent.least).collect();
    // Those that need least first: what they leave is shared by the others.
    let growth = |at: &usize| shown.get(*at).map_or(0, |(_, extent)| extent.most.saturating_sub(extent.least));
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

/// Puts columns beside each other; `spare` blanks widen the gaps.
fn placed(shown: &[(usize, Extent)], widths: &[usize], gaps: Gaps, mut spare: usize) -> Vec<Place> {
    let mut start = gaps.before;
    let place = |(&(index, _), &width): (&(usize, Extent), &usize)| {
        let place = Place { index, start, width };
        let wider = spare.min(gaps.most - gaps.least);
        spare -= wider;
        start += width + gaps.least + wider;
        place
    };
    shown.iter().zip(widths).map(place).collect()
}

/// Columns of a number from its decimal point on; 0 for one without.
pub fn fraction(number: &str) -> usize {
    number.rfind('.').and_then(|at| number.get(at..)).map_or(0, |rest| usize::from(width(rest)))
}

/// Blanks before a number in a column of `width`, so that its decimal point is `fraction` columns (the point included)
/// before the column's end. A number with a longer fraction ends with the column, one with a longer whole part begins
/// with it. `None` if it does not fit: a part of a number would be another number.
pub fn indent(number: &str, fraction: usize, width: usize) -> Option<usize> {
    let space = width.checked_sub(usize::from(self::width(number)))?;
    Some(space.saturating_sub(fraction.saturating_sub(self::fraction(number))))
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    const GAPS: Gaps = Gaps { least: 1, most: 2, before: 1, after: 1 };

    const fn fixed(width: usize, priority: u8) -> Extent {
        Extent { least: width, most: width, priority: Some(priority) }
    }

    fn places(columns: &[Extent], room: usize) -> Vec<(usize, usize, usize)> {
        place(columns, GAPS, Some(room)).iter().map(|place| (place.index, place.start, place.width)).collect()
    }

    #[test]
    fn column_of_the_lowest_priority_is_dropped_first() {
        let columns = [fixed(4, 3), fixed(6, 9), fixed(4, 3)];
        assert_eq!(places(&columns, 18), [(0, 1, 4), (1, 6, 6), (2, 13, 4)]);
        assert_eq!(places(&columns, 17), [(0, 1, 4), (1, 7, 6)], "of equals the one further right");
        assert_eq!(places(&columns, 12), [(1, 1, 6)]);
        assert_eq!(places(&columns, 0), [(1, 1, 6)], "one always stays");
    }

    #[test]
    fn column_without_a_priority_stays() {
        let columns = [Extent { priority: None, ..fixed(9, 0) }, fixed(2, 9), Extent { priority: None, ..fixed(9, 0) }];
        assert_eq!(places(&columns, 5), [(0, 1, 9), (2, 11, 9)]);
    }

    #[test]
    fn what_one_column_does_not_need_is_for_the_others() {
        let columns = [Extent { most: 40, ..fixed(4, 1) }, Extent { most: 6, ..fixed(4, 1) }];
        assert_eq!(places(&columns, 27), [(0, 1, 18), (1, 20, 6)]);
    }

    #[test]
    fn room_that_no_column_needs_widens_the_gaps() {
        let columns = [fixed(4, 1), fixed(4, 1), fixed(4, 1)];
        assert_eq!(places(&columns, 17), [(0, 1, 4), (1, 7, 4), (2, 12, 4)]);
        assert_eq!(places(&columns, 99), [(0, 1, 4), (1, 7, 4), (2, 13, 4)]);
    }

    #[test]
    fn without_a_limit_every_column_is_as_wide_as_it_can_be() {
        let columns = [Extent { most: 40, ..fixed(4, 1) }, fixed(4, 1)];
        let widths: Vec<_> = place(&columns, GAPS, None).iter().map(|place| place.width).collect();
        assert_eq!(widths, [40, 4]);
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
                .map(|&(least, more, priority)| Extent { least, most: least + more, priority: Some(priority) })
                .collect();
            let places = place(&columns, GAPS, Some(room));
            let mut end = 0;
            for place in &places {
                let Extent { least, most, .. } = columns[place.index];
                prop_assert!(place.start > end || end == 0);
                prop_assert!((least..=most).contains(&place.width));
                end = place.start + place.width;
            }
            prop_assert!(places.len() == 1 || end < room, "{places:?}");
            let is_narrow = |place: &Place| place.width < columns[place.index].most;
            prop_assert!(places.len() < columns.len() || !places.iter().any(is_narrow) || end + 1 >= room, "{places:?}");
        }
    }
}
