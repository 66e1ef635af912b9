//! The layout of dialogs. `update` needs it too, since scrolling must stop at the end of the content.

/// Minimum rows of a screen on which header and footer stay visible behind a dialog.
pub const MIN_CHROME_ROWS: u16 = 8;

/// Minimum columns and rows of a dialog with a border.
const MIN_BORDER_SIZE: (u16, u16) = (12, 4);

/// Columns of the border, including its padding.
pub const BORDER_COLUMNS: u16 = 4;

/// Rows of the border.
const BORDER_ROWS: u16 = 2;

/// Maximum width of a dialog's content on a screen of this width.
pub fn max_columns(columns: u16) -> u16 {
    columns.saturating_sub(BORDER_COLUMNS)
}

/// The size of a dialog, including its border, for content of this size in an area of this size.
pub fn outer(area: (u16, u16), content: (u16, u16)) -> (u16, u16) {
    (content.0.saturating_add(BORDER_COLUMNS).min(area.0), content.1.saturating_add(BORDER_ROWS).min(area.1))
}

/// Whether a dialog of this size has a border.
pub fn has_border(outer: (u16, u16)) -> bool {
    outer.0 >= MIN_BORDER_SIZE.0 && outer.1 >= MIN_BORDER_SIZE.1
}

/// The rows available for content of this size on a screen of this size.
pub fn rows(screen: (u16, u16), content: (u16, u16)) -> u16 {
    let spare = u16::from(screen.1 >= MIN_CHROME_ROWS);
    let outer = outer((screen.0, screen.1 - 2 * spare), content);
    if has_border(outer) { outer.1 - BORDER_ROWS } else { outer.1 }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn content_rows_exclude_border_header_and_footer_if_there_is_room() {
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
