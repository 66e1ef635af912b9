//! The inscriptions of a sat or at an address.

use ratatui::buffer::Buffer;
use ratatui::layout::Rect;

use super::amounts::shortened;
use super::listing::Listing;
use super::panel_context::PanelContext;
use crate::app::find::lookup::Subject;
use crate::app::panel::Panel;
use crate::format::{ABSENT, Bytes, Count, Day};
use crate::view::view_state::ViewState;
use crate::view::widgets::table::Column;
use crate::view::widgets::text;

const NUMBER: usize = 0;
const KIND: usize = 1;
const SIZE: usize = 2;
const BLOCK: usize = 3;
const DAY: usize = 4;
const ID: usize = 5;

const COLUMNS: [Column; Panel::Inscriptions.columns()] = [
    Column::number("Number", 11, 9),
    Column::words("Content", 14, 8).growing(28),
    Column::number("Size", 6, 5),
    Column::number("Block", 9, 6),
    Column::number("Day", 11, 4),
    Column::words("ID", 15, 7).growing(68),
];

pub(super) fn paint(buf: &mut Buffer, area: Rect, context: &PanelContext<'_>, view_state: &mut ViewState) {
    let theme = &context.appearance.theme;
    let zone = &context.state.preferences.zone;
    let Some(list) = context.screen.inscription_list(&context.state.responses) else { return };
    let is_sat = matches!(context.screen.subject(), Some(Subject::Sat(_)));
    let listing = Listing {
        panel: Panel::Inscriptions,
        name: if is_sat { "Inscriptions on this sat" } else { "Inscriptions at this address" },
        actual: None,
        notes: &[],
        items: "inscriptions",
        none: if is_sat { "No inscriptions on this sat" } else { "No inscriptions at this address" },
        list,
        selected: Some(context.screen.inscriptions.cursor.index()),
        columns: &COLUMNS,
        sort: None,
        headings: &[],
    };
    listing.paint(buf, area, context, view_state, |row, inscription| {
        match inscription.number {
            Some(number) => row.number(NUMBER, number, if number < 0 { theme.warn } else { theme.strong }),
            None => row.number(NUMBER, ABSENT, theme.dim),
        }
        row.words(KIND, inscription.content_type.as_deref().unwrap_or(ABSENT), theme.text);
        match inscription.content_length {
            Some(length) => row.number(SIZE, Bytes(length), theme.dim),
            None => row.number(SIZE, ABSENT, theme.dim),
        }
        match inscription.genesis_block_height {
            Some(height) => row.number(BLOCK, Count(height), theme.text),
            None => row.number(BLOCK, ABSENT, theme.dim),
        }
        match inscription.genesis_time {
            Some(time) => {
                let day = zone.at(time);
                row.number(DAY, format_args!("{} {}", Day(day), day.year()), theme.dim);
            }
            None => row.number(DAY, ABSENT, theme.dim),
        }
        row.cell(ID, |buf, cell| {
            text::put(buf, cell, &shortened(&inscription.id, cell.width), theme.dim);
        });
    });
}
