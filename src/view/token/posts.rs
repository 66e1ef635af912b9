//! The posts panel: a line about each post, and the beginning of its text.

use ratatui::buffer::Buffer;
use ratatui::layout::Rect;
use ratatui::widgets::Widget;

use super::panel_context::{PanelContext, TWO_COLUMNS};
use crate::app::ClickTarget;
use crate::app::panel::Panel;
use crate::client::Group;
use crate::format::{Age, Count};
use crate::keymap::{Command, Context};
use crate::model::{CONTENT_WARNING, Post, PostOrder};
use crate::view::area::{below, split_right};
use crate::view::chrome::health::{self, Health, Missing};
use crate::view::view_state::{TableScreen, ViewState};
use crate::view::widgets::{PanelTitle, Placeholder, table, text};

/// Maximum rows of a post: one line about it, then its text.
const ROWS: u16 = 3;

/// Columns of a shortened author's name if there is little room.
const AUTHOR: u16 = 14;

/// Maximum rows of a post in a zoomed panel.
const ROWS_ZOOMED: u16 = 9;

pub(super) fn paint(buf: &mut Buffer, area: Rect, context: &PanelContext<'_>, view_state: &mut ViewState) {
    let PanelContext { state, token, appearance, .. } = context;
    let theme = &appearance.theme;
    let remote = state.responses.posts(&token.posts_request());
    let bad = remote.value.map(|_| context.explained.health(remote, state)).filter(|health| health.is_bad);
    let chosen = Some(usize::from(token.order == PostOrder::Latest));
    let focused = context.is_focused(Panel::Posts);
    let title = PanelTitle::new("Posts").choices(&["Top", "Latest"], chosen).focused(focused).theme(theme);
    let count = remote.value.map(|page| count(&page.items, context)).unwrap_or_default();
    let title = if count.is_empty() || bad.is_some() { title } else { title.right(&count, theme.dim) };
    // A problem and a filter are more important than the other order of posts.
    let problem = bad.as_ref().map(Health::text);
    let needed = match &problem {
        Some(problem) => problem.as_str(),
        None if state.posts.filter.is_empty() => "",
        None => count.split(" · ").next().unwrap_or_default(),
    };
    let (title, orders) = if text::width(needed) > title.room(area.width) {
        (title.chosen_only(), std::slice::from_ref(&token.order))
    } else {
        (title, &[PostOrder::Top, PostOrder::Latest][..])
    };
    view_state.choices(text::line(area, 0), &title, orders, ClickTarget::PostOrder);
    let source = health::source(remote, state.now).unwrap_or_default();
    let place = health::title(buf, area, title.source(&source), bad.as_ref(), theme);
    let Some(page) = remote.value else {
        let missing = Missing::new(remote, "posts", state, theme).of(Group::Market);
        return context.explained.missing(buf, place, &missing);
    };
    if page.items.is_empty() {
        return Placeholder::empty("No posts yet").theme(theme).render(place, buf);
    }
    if token.post_count() == 0 {
        let filter = state.posts.filter.describe();
        let all = state.keys().name(Command::FilterPosts, Context::Token, appearance.glyphs);
        let hint = all.map_or_else(String::new, |key| format!(" · {key}: filter"));
        return Placeholder::empty(&format!("No posts match {filter}{hint}")).theme(theme).render(place, buf);
    }
    let posts: Vec<&Post> = (0..token.post_count()).filter_map(|row| token.post(&page.items, row)).collect();
    let two = context.is_alone() && place.width >= TWO_COLUMNS;
    let columns = match split_right(place, (place.width / 2).saturating_sub(1)) {
        (left, right) if two => vec![left, right],
        _ => vec![place],
    };
    let width = columns.first().map_or(0, |column| column.width);
    let max_lines = if token.is_zoomed(state.size) { ROWS_ZOOMED } else { ROWS };
    let height = |post: &&Post| if token.is_folded(post) { 1 } else { height(post, width, max_lines) };
    let heights: Vec<u16> = posts.iter().map(height).collect();
    let flow = Flow { heights: &heights, columns: columns.len(), height: place.height };
    let offset = view_state.offset(TableScreen::Token, Some(Panel::Posts));
    *offset = flow.offset(*offset, token.posts.index());
    let offset = *offset;
    for slot in flow.slots(offset) {
        let (Some(post), Some(column)) = (posts.get(slot.index), columns.get(slot.column)) else { break };
        let cell = Rect { height: slot.rows, ..below(*column, slot.top) };
        paint_post(buf, cell, post, context);
        if slot.index == token.posts.index() {
            let bar = if focused { theme.selection } else { theme.selection_idle };
            bar.paint(buf, text::line(cell, 0));
        }
        view_state.row(cell, (Some(Panel::Posts), slot.index), Some(*post));
    }
    if remote.is_stale(state.now) {
        health::fade(buf, place);
    }
    let (above, len) = flow.rows(offset);
    table::scrollbar(buf, place, above, len, theme);
}

/// The filter with the number of posts that it accepts, and the number of unread posts: `12 of 40 (en) · 3 unread`. A
/// narrow title drops the end, and a filter must be visible.
fn count(posts: &[Post], context: &PanelContext<'_>) -> String {
    let PanelContext { state, token, .. } = context;
    let shown = || (0..token.post_count()).filter_map(|row| token.post(posts, row));
    let unread = shown().filter(|post| !state.posts.is_read(post)).count();
    let filter = (!state.posts.filter.is_empty()).then(|| {
        let filter = state.posts.filter.describe();
        format!("{} of {} ({filter})", Count(token.post_count() as u64), Count(posts.len() as u64))
    });
    let unread = (unread > 0).then(|| format!("{} unread", Count(unread as u64)));
    let parts: Vec<String> = filter.into_iter().chain(unread).collect();
    parts.join(" · ")
}

/// The layout of posts with different heights, in columns that are read from the left.
struct Flow<'a> {
    /// The rows of each post.
    heights: &'a [u16],
    columns: usize,
    /// The rows of each column.
    height: u16,
}

/// The position of a post.
#[derive(Debug, PartialEq, Eq)]
struct Slot {
    index: usize,
    column: usize,
    top: u16,
    rows: u16,
}

impl Flow<'_> {
    /// The visible posts, starting at `offset`. The last one may be cut off at the end of the last column.
    fn slots(&self, offset: usize) -> Vec<Slot> {
        let (mut slots, mut column, mut top) = (Vec::new(), 0, 0);
        for (index, &rows) in self.heights.iter().enumerate().skip(offset) {
            if top > 0 && top + rows > self.height && column + 1 < self.columns {
                (column, top) = (column + 1, 0);
            }
            if top >= self.height {
                break;
            }
            slots.push(Slot { index, column, top, rows: rows.min(self.height - top) });
            top += rows;
        }
        slots
    }

    /// Whether a post is completely visible with this `offset`, as far as it fits into a column.
    fn shows(&self, offset: usize, index: usize) -> bool {
        let whole = self.heights.get(index).map_or(0, |rows| *rows.min(&self.height));
        self.slots(offset).iter().any(|slot| slot.index == index && slot.rows == whole)
    }

    /// The first visible post, as close as possible to the previous one (`before`) such that the selected post is
    /// visible and no row is empty while there are more posts.
    fn offset(&self, before: usize, selected: usize) -> usize {
        let Some(last) = self.heights.len().checked_sub(1) else { return 0 };
        let selected = selected.min(last);
        let mut offset = before.min(selected);
        while offset < selected && !self.shows(offset, selected) {
            offset += 1;
        }
        while offset > 0 && self.shows(offset - 1, last) && self.shows(offset - 1, selected) {
            offset -= 1;
        }
        offset
    }

    /// The rows above the post at `offset`, and the rows of all posts, for the scrollbar.
    fn rows(&self, offset: usize) -> (usize, usize) {
        let rows = |heights: &[u16]| heights.iter().map(|rows| usize::from(*rows)).sum::<usize>() / self.columns.max(1);
        (rows(self.heights.get(..offset).unwrap_or_default()), rows(self.heights))
    }
}

/// The lines of a post's text in a column of this width.
fn lines(post: &Post, width: u16) -> impl Iterator<Item = &str> {
    text::wrap(&post.text, width.saturating_sub(3)).filter(|line| !line.trim().is_empty())
}

/// The rows of a post, at most `max_lines`.
fn height(post: &Post, width: u16, max_lines: u16) -> u16 {
    1 + u16::try_from(lines(post, width).take(usize::from(max_lines - 1)).count()).unwrap_or(0)
}

fn paint_post(buf: &mut Buffer, cell: Rect, post: &Post, context: &PanelContext<'_>) {
    let theme = &context.appearance.theme;
    // The last column is for the scrollbar.
    let line = Rect { width: cell.width.saturating_sub(1), ..text::line(cell, 0) };
    let name = post.author_name();
    let head = about(post, context, line.width.saturating_sub(text::width(name).min(AUTHOR)));
    let room = line.width.saturating_sub(text::width(&head));
    // Read posts are dim.
    let is_read = context.state.posts.is_read(post);
    let (name_style, style) = if is_read { (theme.dim, theme.dim) } else { (theme.strong, theme.text) };
    let used = text::put(buf, Rect { width: room, ..line }, name, name_style);
    text::put(buf, text::shifted(line, used), &head, theme.dim);
    let words = Rect { width: cell.width.saturating_sub(3), ..text::shifted(below(cell, 1), 2) };
    let mut lines = lines(post, cell.width).peekable();
    for row in 0..words.height {
        let Some(line) = lines.next() else { break };
        let at = text::line(words, row);
        if row + 1 == words.height && lines.peek().is_some() {
            let used = text::put(buf, at, text::cut_off(line, at.width), style);
            text::put(buf, text::shifted(at, used), text::ELLIPSIS, theme.dim);
        } else {
            text::put(buf, at, line, style);
        }
    }
}

/// The facts about a post, as many as fit completely: ` · Bluesky · 2 h · ♥ 37  ↩ 4  ⇄ 1`, or ` · Bluesky · 2 h ·
/// sensitive` for a folded one.
fn about(post: &Post, context: &PanelContext<'_>, room: u16) -> String {
    let mut words = String::new();
    let mut add = |piece: String| {
        let fits = text::width(&words) + text::width(&piece) <= room;
        if fits {
            words.push_str(&piece);
        }
        fits
    };
    if let Some(network) = &post.network {
        add(format!(" · {network}"));
    }
    if let Some(posted) = post.posted_at {
        add(format!(" · {}", Age(context.state.now.since(posted))));
    }
    if context.token.is_folded(post) {
        if !post.content_warning().is_some_and(|warning| add(format!(" · {CONTENT_WARNING}{warning}"))) {
            add(String::from(" · sensitive"));
        }
        return words;
    }
    let mut gap = " · ";
    let signs = context.appearance.glyphs.reactions();
    for (sign, count) in signs.into_iter().zip([post.likes, post.comments, post.reposts]) {
        let Some(count) = count else { continue };
        if !add(format!("{gap}{sign} {}", Count(count))) {
            break;
        }
        gap = "  ";
    }
    words
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    #[test]
    fn posts_leave_no_blank_rows() {
        let flow = Flow { heights: &[2, 3, 1, 3], columns: 1, height: 7 };
        let places = |flow: &Flow<'_>, offset| -> Vec<_> {
            flow.slots(offset).iter().map(|slot| (slot.index, slot.column, slot.top, slot.rows)).collect()
        };
        assert_eq!(places(&flow, 0), [(0, 0, 0, 2), (1, 0, 2, 3), (2, 0, 5, 1), (3, 0, 6, 1)]);
        let two = Flow { columns: 2, height: 5, ..flow };
        assert_eq!(places(&two, 0), [(0, 0, 0, 2), (1, 0, 2, 3), (2, 1, 0, 1), (3, 1, 1, 3)]);
        assert_eq!(Flow { heights: &[], ..two }.offset(7, 7), 0);
    }

    proptest! {
        #[test]
        fn selected_post_is_visible(
            heights in prop::collection::vec(1..9_u16, 1..40),
            (before, selected) in (0..50_usize, 0..40_usize),
            (columns, height) in (1..3_usize, 1..30_u16),
        ) {
            let selected = selected.min(heights.len() - 1);
            let flow = Flow { heights: &heights, columns, height };
            let offset = flow.offset(before, selected);
            prop_assert!(flow.shows(offset, selected));
            prop_assert!(flow.slots(offset).iter().all(|slot| slot.top + slot.rows <= height && slot.column < columns));
        }
    }
}
