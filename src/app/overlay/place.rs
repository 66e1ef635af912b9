//! Where an overlay's content stands: known here and not to the painter alone, for scrolling must stop at the end.

/// Rows of the header and of the footer, which stay in sight where there are rows to spare.
pub const SPARE_FROM: u16 = 8;

/// Columns and rows under which an overlay has no border.
pub const BORDER_FROM: (u16, u16) = (12, 4);

/// The columns that the border takes, with its air.
pub const BORDER_COLUMNS: u16 = 4;

/// The rows that the border takes.
pub const BORDER_ROWS: u16 = 2;

/// The widest that content can be on a screen of so many columns.
pub fn widest(columns: u16) -> u16 {
    columns.saturating_sub(BORDER_COLUMNS)
}

/// The overlay's columns and rows, border included, for a content of that size in an area of that size.
pub fn outer(area: (u16, u16), content: (u16, u16)) -> (u16, u16) {
    (content.0.saturating_add(BORDER_COLUMNS).min(area.0), content.1.saturating_add(BORDER_ROWS).min(area.1))
}

/// Whether an overlay of that size has a border.
pub fn has_border(outer: (u16, u16)) -> bool {
    outer.0 >= BORDER_FROM.0 && outer.1 >= BORDER_FROM.1
}

/// The rows of a screen of that size that a content of that size gets.
pub fn rows(screen: (u16, u16), content: (u16, u16)) -> u16 {
    let spare = u16::from(screen.1 >= SPARE_FROM);
    let outer = outer((screen.0, screen.1 - 2 * spare), content);
    if has_border(outer) { outer.1 - BORDER_ROWS } else { outer.1 }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_border_and_the_screens_own_rows_are_left_out_where_there_is_room() {
        for (screen, content, expected) in [
            ((80, 24), (60, 10), 10),
            ((80, 24), (60, 100), 24 - 2 - 2),
            ((80, 8), (60, 100), 8 - 2 - 2),
            ((80, 7), (60, 100), 7 - 2),
            ((80, 4), (60, 100), 4 - 2),
            ((80, 3), (60, 100), 3),
            ((12, 24), (60, 100), 24 - 2 - 2),
            ((11, 24), (60, 100), 24 - 2),
        ] {
            assert_eq!(rows(screen, content), expected, "{screen:?}");
        }
    }
}
