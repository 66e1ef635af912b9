//! The posts panel: a line about each post, and the beginning of its text.

use ratatui::buffer::Buffer;
use ratatui::layout::Rect;

use super::Scene;
use crate::app::Target;
use crate::app::state::Panel;
use crate::format::{Age, Count};
use crate::glyphs::Glyphs;
use crate::model::{Post, PostOrder};
use crate::view::chrome::health;
use crate::view::memo::Screen;
use crate::view::widgets::panel::{self, Placeholder, Title};
use crate::view::widgets::text;
use crate::view::{Memo, below};

/// Rows of a post: one about it, the others its text.
const ROWS: u16 = 3;

/// Columns that an author's name keeps where there are few.
const AUTHOR: u16 = 14;

/// Rows of a post where the panel has the whole screen.
const ROWS_ZOOMED: u16 = 5;

pub(super) fn paint(buf: &mut Buffer, area: Rect, scene: &Scene<'_>, memo: &mut Memo) {
    let Scene { state, token, look, .. } = scene;
    let theme = &look.theme;
    let remote = state.store.posts(&token.posts_request());
    let bad = remote.value.map(|_| scene.told.health(remote, state.now)).filter(|health| health.is_bad);
    let chosen = Some(usize::from(token.order == PostOrder::Latest));
    let focused = scene.is_focused(Panel::Posts);
    let title = Title { name: "Posts", choices: &["Top", "Latest"], chosen, right: None, focused };
    let place = health::title(buf, area, title, bad.as_ref(), theme);
    let Some(page) = remote.value else {
        return scene.told.missing(buf, place, remote, "posts", state.now, theme);
    };
    if page.items.is_empty() {
        return Placeholder::Empty("nobody has written about it").paint(buf, place, theme);
    }
    let rows = if token.zoom { ROWS_ZOOMED } else { ROWS }.min(place.height.max(1));
    let fit = (place.height / rows).max(1);
    let window = memo.window(Screen::Token, Some(Panel::Posts), page.items.len(), Some(token.posts.index()), fit);
    for slot in 0..place.height.div_ceil(rows) {
        let index = window.offset + usize::from(slot);
        let Some(post) = page.items.get(index) else { break };
        let top = below(place, slot * rows);
        let cell = Rect { height: rows.min(top.height), ..top };
        let selected = index == token.posts.index();
        paint_post(buf, cell, post, scene);
        if selected {
            let bar = if focused { theme.selection } else { theme.selection_idle };
            buf.set_style(text::line(cell, 0).intersection(buf.area), bar);
        }
        memo.target(cell, Target::Row(Some(Panel::Posts), index));
    }
    if remote.is_stale(state.now) {
        health::fade(buf, place);
    }
    panel::scrollbar(buf, place, &scaled(&window, rows), theme);
}

/// The window in rows of the screen, for the scrollbar.
fn scaled(window: &crate::view::widgets::table::Window, rows: u16) -> crate::view::widgets::table::Window {
    let by = usize::from(rows);
    crate::view::widgets::table::Window { offset: window.offset * by, len: window.len * by, selected: None }
}

fn paint_post(buf: &mut Buffer, cell: Rect, post: &Post, scene: &Scene<'_>) {
    let theme = &scene.look.theme;
    let line = text::line(cell, 0);
    let name = post.author.as_deref().unwrap_or("somebody");
    let head = about(post, scene, line.width.saturating_sub(text::width(name).min(AUTHOR)));
    let room = line.width.saturating_sub(text::width(&head));
    let used = text::put(buf, Rect { width: room, ..line }, name, theme.strong);
    text::put(buf, text::shifted(line, used), &head, theme.dim);
    let words = Rect { width: cell.width.saturating_sub(3), ..text::shifted(below(cell, 1), 2) };
    let mut lines = text::wrap(&post.text, words.width).filter(|line| !line.trim().is_empty()).peekable();
    for row in 0..words.height {
        let Some(line) = lines.next() else { break };
        let at = text::line(words, row);
        if row + 1 == words.height && lines.peek().is_some() {
            let used = text::put(buf, at, text::cut_off(line, at.width), theme.text);
            text::put(buf, text::shifted(at, used), text::ELLIPSIS, theme.dim);
        } else {
            text::put(buf, at, line, theme.text);
        }
    }
}

/// ` · 2 h · ♥ 37  ↩ 4  ⇄ 1`, as much of it as there is room for: half a number is another number.
fn about(post: &Post, scene: &Scene<'_>, room: u16) -> String {
    let mut words = String::new();
    let mut add = |piece: String| {
        let fits = text::width(&words) + text::width(&piece) <= room;
        if fits {
            words.push_str(&piece);
        }
        fits
    };
    if let Some(posted) = post.posted_at {
        add(format!(" · {}", Age(scene.state.now.since(posted))));
    }
    let mut gap = " · ";
    // No ASCII sign looks like these, so words stand there instead.
    let signs = match scene.look.glyphs {
        Glyphs::Unicode => ["♥", "↩", "⇄"],
        Glyphs::Ascii => ["likes", "comments", "reposts"],
    };
    for (sign, count) in signs.into_iter().zip([post.likes, post.comments, post.reposts]) {
        let Some(count) = count else { continue };
        if !add(format!("{gap}{sign} {}", Count(count))) {
            break;
        }
        gap = "  ";
    }
    words
}
