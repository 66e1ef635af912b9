//! Posts on a terminal: in full, wrapped as in the dashboard.

use std::io::{self, BufWriter, Write};

use ratatui::buffer::Buffer;
use ratatui::layout::Rect;

use super::failure::Failure;
use super::output::warn_about_time_zone;
use super::plot::{columns, theme};
use super::table::Output;
use crate::app::overlay::reader;
use crate::config::Display;
use crate::format::{Clock, Count, Date, words};
use crate::glyphs::Glyphs;
use crate::model::post::CONTENT_WARNING;
use crate::model::{Post, Zone};
use crate::terminal::write_lines;
use crate::theme::Theme;
use crate::view::widgets::text;

/// Maximum lines of a post's text.
const MAX_LINES: usize = 200;

/// Prints posts, with a blank line between them. Sensitive ones are folded, as in the dashboard.
pub(super) fn print(posts: &[Post], display: &Display) -> Result<(), Failure> {
    let stdout = io::stdout().lock();
    warn_about_time_zone(display);
    let device = Output::terminal(display.time_zone.zone());
    let (width, theme) = (columns(&device), theme(display, &device));
    let mut out = BufWriter::with_capacity(64 * 1024, stdout);
    for (index, post) in posts.iter().enumerate() {
        if index > 0 {
            writeln!(out)?;
        }
        let context = Context { width, glyphs: display.glyphs(), zone: &device.zone, theme: &theme };
        context.write(&mut out, post, device.colour)?;
    }
    Ok(out.flush()?)
}

/// Size, characters, time zone and styles of posts.
struct Context<'a> {
    width: u16,
    glyphs: Glyphs,
    zone: &'a Zone,
    theme: &'a Theme,
}

impl Context<'_> {
    /// Writes author and facts, the text, and the URL; line by line, since text may have very many lines.
    fn write(&self, out: &mut impl Write, post: &Post, colour: bool) -> io::Result<()> {
        let theme = self.theme;
        let mut row = Buffer::empty(Rect::new(0, 0, self.width, 1));
        let place = row.area;
        let author = post.author_name();
        let used = text::put(&mut row, place, author, theme.strong);
        let rest = text::shifted(place, used);
        let facts = facts(post, self.glyphs, self.zone);
        text::put(&mut row, rest, text::parts(&facts, rest.width), theme.dim);
        self.write_row(out, &mut row, colour)?;
        if post.is_sensitive() {
            return Ok(());
        }
        let columns = reader::COLUMNS.min(self.width).max(1);
        let mut lines = words::wrap(&post.text, columns);
        for line in lines.by_ref().take(MAX_LINES) {
            text::put(&mut row, place, line, theme.text);
            self.write_row(out, &mut row, colour)?;
        }
        let more = lines.count();
        if more > 0 {
            text::put(&mut row, place, &format!("… {} more lines", Count(more as u64)), theme.dim);
            self.write_row(out, &mut row, colour)?;
        }
        for line in words::wrap(post.url.as_deref().unwrap_or_default(), columns) {
            text::put(&mut row, place, line, theme.dim);
            self.write_row(out, &mut row, colour)?;
        }
        Ok(())
    }

    /// Writes a row and clears it.
    fn write_row(&self, out: &mut impl Write, row: &mut Buffer, colour: bool) -> io::Result<()> {
        self.glyphs.apply(row);
        write_lines(out, row, colour)?;
        row.reset();
        Ok(())
    }
}

/// Network, time and reactions: ` · Bluesky · 23 Nov 2026 14:00 · ♥ 37 · ↩ 4 · ⇄ 1`, or why a post is folded.
fn facts(post: &Post, glyphs: Glyphs, zone: &Zone) -> String {
    let mut facts = vec![String::new()];
    facts.extend(post.network.as_ref().map(ToString::to_string));
    facts.extend(post.posted_at.map(|at| {
        let day = zone.at(at);
        format!("{} {}", Date { day, with_year: true }, Clock(day))
    }));
    if post.is_sensitive() {
        facts.push(match post.content_warning() {
            Some(warning) => format!("{CONTENT_WARNING}{warning}"),
            None => String::from("sensitive"),
        });
        facts.push(String::from("use --format table to show it"));
        return facts.join(" · ");
    }
    for (sign, count) in glyphs.reactions().into_iter().zip([post.likes, post.comments, post.reposts]) {
        facts.extend(count.map(|count| format!("{sign} {}", Count(count))));
    }
    facts.join(" · ")
}
