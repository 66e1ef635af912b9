//! The inscriptions of a sat or at an address.

use ratatui::buffer::Buffer;
use ratatui::layout::Rect;

use super::amounts::shortened;
use super::listing::Listing;
use super::panel_context::PanelContext;
use crate::app::find::lookup::Subject;
use crate::app::panel::Panel;
use crate::app::panel::cells::InscriptionCell;
use crate::format::{ABSENT, Bytes, Count, Day, with_separators};
use crate::view::view_state::ViewState;
use crate::view::widgets::table::Column;
use crate::view::widgets::text;

fn columns() -> [Column; InscriptionCell::COUNT] {
    InscriptionCell::ALL.map(|cell| match cell {
        InscriptionCell::Number => Column::number("Number", 11, 9),
        InscriptionCell::Kind => Column::words("Content", 14, 8).growing(28),
        InscriptionCell::Size => Column::number("Size", 6, 5),
        InscriptionCell::Block => Column::number("Block", 9, 6),
        InscriptionCell::Day => Column::number("Day", 11, 4),
        InscriptionCell::Id => Column::words("ID", 15, 7).growing(68),
    })
}

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
        columns: &columns(),
        sort: None,
        headings: &[],
    };
    listing.paint(buf, area, context, view_state, |row, inscription| {
        match inscription.number {
            Some(number) => {
                let style = if number < 0 { theme.warn } else { theme.strong };
                row.number(InscriptionCell::Number, with_separators(&number.to_string()), style);
            }
            None => row.number(InscriptionCell::Number, ABSENT, theme.dim),
        }
        row.words(InscriptionCell::Kind, inscription.content_type.as_deref().unwrap_or(ABSENT), theme.text);
        match inscription.content_length {
            Some(length) => row.number(InscriptionCell::Size, Bytes(length), theme.dim),
            None => row.number(InscriptionCell::Size, ABSENT, theme.dim),
        }
        match inscription.genesis_block_height {
            Some(height) => row.number(InscriptionCell::Block, Count(height), theme.text),
            None => row.number(InscriptionCell::Block, ABSENT, theme.dim),
        }
        match inscription.genesis_time {
            Some(time) => {
                let day = zone.at(time);
                row.number(InscriptionCell::Day, format_args!("{} {}", Day(day), day.year()), theme.dim);
            }
            None => row.number(InscriptionCell::Day, ABSENT, theme.dim),
        }
        row.cell(InscriptionCell::Id, |buf, cell| {
            text::put(buf, cell, &shortened(&inscription.id, cell.width), theme.dim);
        });
    });
}
