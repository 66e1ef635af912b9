//! The image of an inscription.

use ratatui::buffer::Buffer;
use ratatui::layout::Rect;
use ratatui::widgets::Widget;

use super::frame::Frame;
use crate::client::Request;
use crate::format::Bytes;
use crate::model::{Picture, Text};
use crate::view::appearance::Appearance;
use crate::view::area::below;
use crate::view::chrome::health::Missing;
use crate::view::paint_context::PaintContext;
use crate::view::view_state::ViewState;
use crate::view::widgets::Placeholder;
use crate::view::widgets::text;

/// Minimum rows of the dialog's content with a line of facts below the image.
const MIN_FACTS_ROWS: u16 = 5;

pub(super) fn paint(
    buf: &mut Buffer,
    area: Rect,
    context: PaintContext<'_>,
    (id, title): (&Text, &str),
    view_state: &mut ViewState,
) {
    let PaintContext { state, appearance } = context;
    let theme = &appearance.theme;
    let remote = state.responses.picture(&Request::InscriptionImage { id: id.clone() });
    let Some(picture) = remote.value else {
        let inner = Frame::new(title, MESSAGE_COLUMNS, 2).paint(buf, area, appearance, view_state);
        return match remote.failure() {
            // A retry would not change the image.
            Some(failure) if failure.not_found.is_none() && !failure.error.is_retryable() => {
                Placeholder::failed(&failure.error.reason()).theme(theme).render(inner, buf);
            }
            _ => Missing::new(remote, "the image", state, theme).paint(buf, inner),
        };
    };
    let inner = Frame::new(title, u16::MAX, u16::MAX).paint(buf, area, appearance, view_state);
    let has_facts = inner.height >= MIN_FACTS_ROWS;
    let room = Rect { height: inner.height - u16::from(has_facts), ..inner };
    draw(buf, room, id, picture, appearance, view_state);
    if has_facts {
        text::put(buf, text::line(below(inner, room.height), 0), &facts(picture), theme.dim);
    }
}

/// Columns of a message instead of the image.
const MESSAGE_COLUMNS: u16 = 60;

/// Format, size in pixels and length of the file.
fn facts(picture: &Picture) -> String {
    let (width, height) = picture.original;
    format!("{}   {width}×{height}   {}", picture.format, Bytes(picture.bytes))
}

#[cfg(feature = "images")]
fn draw(
    buf: &mut Buffer,
    area: Rect,
    id: &Text,
    picture: &Picture,
    appearance: &Appearance,
    view_state: &mut ViewState,
) {
    crate::view::picture::paint(buf, area, (id, picture), appearance, &mut view_state.picture);
}

#[cfg(not(feature = "images"))]
fn draw(_buf: &mut Buffer, _area: Rect, _id: &Text, _picture: &Picture, _look: &Appearance, _memo: &mut ViewState) {}
