//! A post's full text.

use ratatui::buffer::Buffer;
use ratatui::layout::Rect;
use ratatui::style::Style;

use super::{frame, scrollbar};
use crate::app::State;
use crate::format::{Count, Moment};
use crate::model::{Post, Text};
use crate::view::Look;
use crate::view::chrome::health;
use crate::view::chrome::pieces::{self, Piece};
use crate::view::widgets::panel::Placeholder;
use crate::view::widgets::text;

/// The widest that text is set: longer lines are hard to read.
const COLUMNS: u16 = 92;

pub(super) fn paint(buf: &mut Buffer, area: Rect, state: &State, id: &Text, scroll: usize, look: &Look) {
    let theme = &look.theme;
    let post = state.token.as_ref().map(|token| token.posts_request()).and_then(|request| {
        state.store.posts(&request).value.and_then(|page| page.items.iter().find(|post| post.id == *id))
    });
    let Some(post) = post else {
        let inner = frame(buf, area, COLUMNS, 1, "Post", look);
        return Placeholder::Empty("this post is no longer among those that the service gives")
            .paint(buf, inner, theme);
    };
    let columns = COLUMNS.min(area.width.saturating_sub(4)).max(1);
    let mut lines: Vec<(&str, Style)> = text::wrap(&post.text, columns).map(|line| (line, theme.text)).collect();
    if let Some(url) = &post.url {
        lines.push(("", theme.text));
        lines.extend(text::wrap(url, columns).map(|line| (line, theme.dim)));
    }
    let rows = lines.len() + 2;
    let author = post.author.as_deref().unwrap_or("unknown author");
    let inner = frame(buf, area, COLUMNS, u16::try_from(rows).unwrap_or(u16::MAX), author, look);
    let head = u16::from(inner.height > 3);
    if head > 0 {
        pieces::paint(buf, text::line(inner, 0), &facts(post, state, look), 3);
    }
    let body = crate::view::below(inner, 2 * head);
    let scroll = scroll.min(lines.len().saturating_sub(usize::from(body.height)));
    for (row, (line, style)) in (0..body.height).zip(lines.iter().skip(scroll)) {
        text::put(buf, text::line(body, row), line, *style);
    }
    scrollbar(buf, body, scroll, lines.len(), look);
}

/// When it was written, and what people did with it.
fn facts(post: &Post, state: &State, look: &Look) -> Vec<Piece<'static>> {
    let theme = &look.theme;
    let mut facts = Vec::new();
    if let Some(at) = post.posted_at {
        let ago = health::ago(state.now.since(at));
        facts.push(Piece::new(ago, theme.text).and(format!(" · {} UTC", Moment(at)), theme.dim));
    }
    for (sign, word, count) in
        [("♥ ", " likes", post.likes), ("↩ ", " comments", post.comments), ("⇄ ", " reposts", post.reposts)]
    {
        if let Some(count) = count {
            facts.push(Piece::new(format!("{sign}{}", Count(count)), theme.text).and(word, theme.dim));
        }
    }
    if let Some(language) = &post.language {
        facts.push(Piece::new(language.to_string(), theme.dim));
    }
    facts
}
