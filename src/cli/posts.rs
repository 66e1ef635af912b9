//! Posts on a terminal: in full, wrapped as in the dashboard.

use std::io::{self, BufWriter, Write as _};

use ratatui::buffer::Buffer;
use ratatui::layout::Rect;

use super::failure::Failure;
use super::output::device;
use super::plot::{columns, theme};
use crate::app::overlay::reader;
use crate::config::Display;
use crate::format::{Count, Moment, words};
use crate::glyphs::Glyphs;
use crate::model::post::CONTENT_WARNING;
use crate::model::{Post, Zone};
use crate::terminal::write_lines;
use crate::theme::Theme;
use crate::view::widgets::text;

/// Prints posts, with a blank line between them. Sensitive ones are folded, as in the dashboard.
pub(super) fn print(posts: &[Post], display: &Display) -> Result<(), Failure> {
    let stdout = io::stdout().lock();
    let device = device(display, true, true);
    let (width, theme) = (columns(&device), theme());
    let mut out = BufWriter::with_capacity(64 * 1024, stdout);
    for (index, post) in posts.iter().enumerate() {
        if index > 0 {
            writeln!(out)?;
        }
        let mut block = block(post, width, display.glyphs(), &device.zone, &theme);
        display.glyphs().apply(&mut block);
        write_lines(&mut out, &block, device.colour)?;
    }
    Ok(out.flush()?)
}

/// Author and facts, the text, and the URL.
fn block(post: &Post, width: u16, glyphs: Glyphs, zone: &Zone, theme: &Theme) -> Buffer {
    let columns = reader::COLUMNS.min(width).max(1);
    let is_folded = post.is_sensitive();
    let (body, url) = match is_folded {
        true => ("", ""),
        false => (post.text.as_str(), post.url.as_deref().unwrap_or_default()),
    };
    let text_lines = words::wrap(body, columns).map(|line| (line, theme.text));
    let lines: Vec<_> = text_lines.chain(words::wrap(url, columns).map(|line| (line, theme.dim))).collect();

    let rows = u16::try_from(lines.len()).unwrap_or(u16::MAX).saturating_add(1);
    let mut buf = Buffer::empty(Rect::new(0, 0, width, rows));
    let head = text::line(buf.area, 0);
    let author = post.author.as_deref().unwrap_or("unknown author");
    let used = text::put(&mut buf, head, author, theme.strong);
    let rest = text::shifted(head, used);
    let facts = facts(post, is_folded, glyphs, zone);
    text::put(&mut buf, rest, text::parts(&facts, rest.width), theme.dim);
    for (row, (line, style)) in (1..rows).zip(lines) {
        let place = text::line(buf.area, row);
        text::put(&mut buf, place, line, style);
    }
    buf
}

/// Network, time and reactions: ` · Bluesky · Mon 23 Nov 14:00 · ♥ 37 · ↩ 4 · ⇄ 1`, or why a post is folded.
fn facts(post: &Post, is_folded: bool, glyphs: Glyphs, zone: &Zone) -> String {
    let mut facts = vec![String::new()];
    facts.extend(post.network.as_ref().map(ToString::to_string));
    facts.extend(post.posted_at.map(|at| Moment(zone.at(at)).to_string()));
    if is_folded {
        facts.push(match post.content_warning() {
            Some(warning) => format!("{CONTENT_WARNING}{warning}"),
            None => String::from("sensitive"),
        });
        facts.push(String::from("use --format table to show it"));
        return facts.join(" · ");
    }
    let signs = match glyphs {
        Glyphs::Unicode => ["♥", "↩", "⇄"],
        Glyphs::Ascii => ["likes", "comments", "reposts"],
    };
    for (sign, count) in signs.into_iter().zip([post.likes, post.comments, post.reposts]) {
        facts.extend(count.map(|count| format!("{sign} {}", Count(count))));
    }
    facts.join(" · ")
}
