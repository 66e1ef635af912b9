//! A post's full text.

use ratatui::buffer::Buffer;
use ratatui::layout::Rect;
use ratatui::widgets::Widget;

use super::frame::{Frame, scrollbar};
use crate::app::State;
use crate::app::overlay::reader::{self, Line};
use crate::format::{Count, Moment};
use crate::glyphs::Glyphs;
use crate::model::post::cashtags;
use crate::model::{Post, Text};
use crate::view::appearance::Appearance;
use crate::view::area::below;
use crate::view::chrome::health;
use crate::view::chrome::pieces::{self, Piece};
use crate::view::paint_context::PaintContext;
use crate::view::view_state::ViewState;
use crate::view::widgets::Placeholder;
use crate::view::widgets::text;

pub(super) fn paint(
    buf: &mut Buffer,
    area: Rect,
    context: PaintContext<'_>,
    (id, scroll): (&Text, usize),
    view_state: &mut ViewState,
) {
    let PaintContext { state, appearance } = context;
    let theme = &appearance.theme;
    let post = state.token.as_ref().map(|token| token.posts_request()).and_then(|request| {
        state.responses.posts(&request).value.and_then(|page| page.items.iter().find(|post| post.id == *id))
    });
    let Some(post) = post else {
        let inner = Frame::new("Post", reader::COLUMNS, 1).paint(buf, area, appearance, view_state);
        return Placeholder::empty("This post is no longer available").theme(theme).render(inner, buf);
    };
    let lines = reader::lines(post, area.width);
    let (columns, rows) = reader::content_size(lines.len());
    let author = post.author_name();
    let inner = Frame::new(author, columns, rows).paint(buf, area, appearance, view_state);
    let head = reader::header_rows(inner.height);
    if head > 0 {
        let line = text::line(inner, 0);
        pieces::paint(buf, line, &facts(post, state, line.width, appearance), GAP);
    }
    let body = below(inner, head);
    let scroll = scroll.min(lines.len().saturating_sub(usize::from(body.height)));
    for (row, shown) in (0..body.height).zip(lines.iter().skip(scroll)) {
        let (words, style) = match shown {
            Line::Text(words) => (words, theme.text),
            Line::Url(words) => (words, theme.dim),
        };
        let line = text::line(body, row);
        text::put(buf, line, words, style);
        if matches!(shown, Line::Text(_)) {
            mark_cashtags(buf, line, words, appearance);
        }
    }
    scrollbar(buf, body, scroll, lines.len(), appearance);
}

/// Shows the cashtags of a line in the colour of links.
fn mark_cashtags(buf: &mut Buffer, line: Rect, words: &str, appearance: &Appearance) {
    for range in cashtags(words) {
        if let (Some(before), Some(tag)) = (words.get(..range.start), words.get(range)) {
            text::put(buf, text::shifted(line, text::width(before)), tag, appearance.theme.accent);
        }
    }
}

/// Columns between the facts about a post.
const GAP: u16 = 3;

/// Network, time, reactions and language of a post; its age without the time if there is no room for both.
fn facts(post: &Post, state: &State, columns: u16, appearance: &Appearance) -> Vec<Piece<'static>> {
    let theme = &appearance.theme;
    let mut facts = Vec::new();
    if let Some(network) = &post.network {
        facts.push(Piece::new(network.to_string(), theme.text));
    }
    if let Some(at) = post.posted_at {
        let ago = health::ago(state.now.since(at));
        let zone = &state.preferences.zone;
        let when = format!(" · {} {}", Moment(zone.at(at)), zone.abbreviation(at));
        let age = Piece::new(ago, theme.text);
        facts.push(age.clone().and(when, theme.dim));
        if pieces::width(&facts, GAP) > columns {
            facts.pop();
            facts.push(age);
        }
    }
    for (sign, word, count) in
        [("♥ ", " likes", post.likes), ("↩ ", " comments", post.comments), ("⇄ ", " reposts", post.reposts)]
    {
        let sign = if appearance.glyphs == Glyphs::Ascii { "" } else { sign };
        if let Some(count) = count {
            facts.push(Piece::new(format!("{sign}{}", Count(count)), theme.text).and(word, theme.dim));
        }
    }
    if let Some(language) = &post.language {
        facts.push(Piece::new(language.to_string(), theme.dim));
    }
    facts
}
