//! Links to choose from, each shown completely, so that users see its real target before they open it.

use std::borrow::Cow;
use std::ops::Range;

use ratatui::buffer::Buffer;
use ratatui::layout::Rect;
use url::{Host, Url};

use super::frame::{Frame, scrollbar};
use crate::app::ClickTarget;
use crate::model::Link;
use crate::view::appearance::Appearance;
use crate::view::view_state::{TableScreen, ViewState};
use crate::view::widgets::text;

/// Maximum columns of a link.
const COLUMNS: u16 = 92;

/// The layout of a link.
struct Entry<'a> {
    link: &'a Link,
    lines: Vec<&'a str>,
    host: Range<usize>,
    /// The lines of its warning; none if it has no warning.
    warning: Vec<String>,
}

impl Entry<'_> {
    fn rows(&self) -> usize {
        1 + self.lines.len() + self.warning.len()
    }
}

/// The links of the dialog.
pub(super) struct LinkList<'a> {
    /// The title of the dialog.
    pub(super) title: &'a str,
    /// The links.
    pub(super) links: &'a [Link],
    /// The index of the selected link.
    pub(super) selected: usize,
}

pub(super) fn paint(
    buf: &mut Buffer,
    area: Rect,
    list: &LinkList<'_>,
    appearance: &Appearance,
    view_state: &mut ViewState,
) {
    let LinkList { title, links, selected } = *list;
    let columns = COLUMNS.min(area.width.saturating_sub(6)).max(1);
    let entries: Vec<Entry<'_>> = links.iter().map(|link| entry(link, columns)).collect();
    let rows: usize = entries.iter().map(Entry::rows).sum();
    let words = entries
        .iter()
        .flat_map(|entry| entry.lines.iter().copied().chain(entry.warning.iter().map(|line| line.trim_end())));
    let wide = words.map(|line| text::width(line) + 2).max().unwrap_or(0).max(text::width(title) + 2).max(40);
    let inner = Frame::new(title, wide.min(COLUMNS + 2), u16::try_from(rows).unwrap_or(u16::MAX))
        .paint(buf, area, appearance, view_state);
    let height = usize::from(inner.height);

    // All of the selected link is visible if it fits.
    let before: usize = entries.iter().take(selected).map(Entry::rows).sum();
    let own = entries.get(selected).map_or(0, Entry::rows);
    let offset = view_state.offset(TableScreen::Overlay, None);
    *offset = (*offset).max((before + own).saturating_sub(height)).min(before).min(rows.saturating_sub(height));
    let offset = *offset;

    let mut row = 0;
    for (index, entry) in entries.iter().enumerate() {
        for line in 0..entry.rows() {
            let Some(y) = visible_row(row + line, offset, inner) else { continue };
            let place = text::line(inner, y);
            paint_row(buf, place, entry, line, appearance);
            if index == selected {
                appearance.theme.selection.paint(buf, place);
            }
            view_state.target(place, ClickTarget::Choice(index));
        }
        row += entry.rows();
    }
    scrollbar(buf, inner, offset, rows, appearance);
}

fn visible_row(row: usize, offset: usize, area: Rect) -> Option<u16> {
    u16::try_from(row.checked_sub(offset)?).ok().filter(|&y| y < area.height)
}

/// Paints one row of an entry: its kind, a line of its URL, or its warning.
fn paint_row(buf: &mut Buffer, area: Rect, entry: &Entry<'_>, row: usize, appearance: &Appearance) {
    let theme = &appearance.theme;
    if row == 0 {
        text::put(buf, area, &kind_title(&entry.link.kind), theme.dim);
        return;
    }
    let area = text::shifted(area, 2);
    let Some(line) = entry.lines.get(row - 1) else {
        let warning = entry.warning.get(row - 1 - entry.lines.len()).map_or("", |line| line.trim_end());
        text::put(buf, area, warning, theme.warn);
        return;
    };
    let start: usize = entry.lines.iter().take(row - 1).map(|line| line.len()).sum();
    // Highlight the host, since other parts of a URL can be made to look like a host.
    let cut = |at: usize| at.saturating_sub(start).min(line.len());
    let (from, to) = (cut(entry.host.start), cut(entry.host.end));
    let mut used = 0;
    for (part, style) in [(0..from, theme.dim), (from..to, theme.strong), (to..line.len(), theme.dim)] {
        used += text::put(buf, text::shifted(area, used), line.get(part).unwrap_or(""), style);
    }
}

/// The name of a kind of links on the screen.
fn kind_title(kind: &str) -> Cow<'_, str> {
    match kind {
        "technical_doc" => Cow::Borrowed("white paper"),
        "twitter" => Cow::Borrowed("X"),
        _ if kind.contains('_') => Cow::Owned(kind.replace('_', " ")),
        _ => Cow::Borrowed(kind),
    }
}

fn entry(link: &Link, columns: u16) -> Entry<'_> {
    let parsed = Url::parse(&link.url).ok();
    let host = parsed.as_ref().and_then(|url| host_range(&link.url, url));
    let warning = match &parsed {
        None => Some(String::from("Not a valid URL")),
        Some(url) => warning(url, host.is_some()),
    };
    let warning = warning.iter().flat_map(|warning| text::wrap(warning, columns)).map(str::to_owned).collect();
    Entry { link, lines: pieces(&link.url, columns), host: host.unwrap_or(0..0), warning }
}

/// The warning for a suspicious link.
fn warning(url: &Url, host_is_seen: bool) -> Option<String> {
    let host = url.host_str().unwrap_or("");
    match url.host() {
        _ if !url.username().is_empty() || url.password().is_some() => {
            Some(format!("The part before @ is a user name, not the site · opens {host}"))
        }
        Some(Host::Ipv4(_) | Host::Ipv6(_)) => Some(String::from("IP address instead of a domain")),
        Some(Host::Domain(name)) if name.split('.').any(|label| label.starts_with("xn--")) => {
            Some(format!("Look-alike letters in the domain: {name}"))
        }
        Some(_) if !host_is_seen => Some(format!("Opens {host}")),
        Some(_) if url.scheme() == "http" => Some(String::from("Not encrypted (http)")),
        Some(_) => None,
        None => Some(String::from("No host in this URL")),
    }
}

/// The range of the host in the text of the URL; `None` if the text doesn't contain the host literally.
fn host_range(text: &str, url: &Url) -> Option<Range<usize>> {
    let host = url.host_str().filter(|host| !host.is_empty())?;
    let authority = text.find("://")? + 3;
    let end = text.get(authority..)?.find(['/', '?', '#', '\\']).map_or(text.len(), |at| authority + at);
    // Everything before the last @ is user information, not the host.
    let from = text.get(authority..end)?.rfind('@').map_or(authority, |at| authority + at + 1);
    let shown = text.get(from..from + host.len())?;
    shown.eq_ignore_ascii_case(host).then(|| from..from + host.len())
}

/// Splits the text into lines of at most `columns`, without dropping characters.
fn pieces(text: &str, columns: u16) -> Vec<&str> {
    let mut lines = Vec::new();
    let (mut start, mut used) = (0, 0);
    for (at, char) in text.char_indices() {
        let end = at + char.len_utf8();
        let wide = text::width(text.get(at..end).unwrap_or(""));
        if used + wide > columns && at > start {
            lines.push(text.get(start..at).unwrap_or(""));
            (start, used) = (at, 0);
        }
        used += wide;
    }
    lines.push(text.get(start..).unwrap_or(""));
    lines
}

#[cfg(test)]
mod tests {
    use super::*;

    fn seen(url: &str) -> (String, Option<String>) {
        let link = Link { kind: "website".into(), url: url.into() };
        let entry = entry(&link, 20);
        assert_eq!(entry.lines.concat(), url, "the whole link is shown");
        let warning = Some(entry.warning.join(" ")).filter(|warning| !warning.is_empty());
        (url[entry.host.clone()].to_owned(), warning)
    }

    #[test]
    fn host_is_highlighted() {
        assert_eq!(seen("https://ordi.example/a/b?c=d"), ("ordi.example".into(), None));
        assert_eq!(seen("https://ORDI.example:8443"), ("ORDI.example".into(), None));
        assert_eq!(seen("http://ordi.example/").1.as_deref(), Some("Not encrypted (http)"));
    }

    #[test]
    fn misleading_links_have_a_warning() {
        for (url, host, words) in [
            ("https://bank.example@evil.example/", "evil.example", "opens evil.example"),
            ("https://xn--80ak6aa92e.example/", "xn--80ak6aa92e.example", "Look-alike letters"),
            ("https://аррӏе.example/", "", "xn--"),
            ("http://192.0.2.7/x", "192.0.2.7", "IP address"),
            ("https://[2001:db8::1]/", "[2001:db8::1]", "IP address"),
            ("https://3221225991/", "", "IP address"),
            ("nonsense", "", "Not a valid URL"),
        ] {
            let (shown, warning) = seen(url);
            assert_eq!(shown, host, "{url}");
            assert!(warning.as_deref().is_some_and(|warning| warning.contains(words)), "{url}: {warning:?}");
        }
    }
}
