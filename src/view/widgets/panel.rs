//! What stands around the content: titles, tabs, scrollbars, and the sentence where content is missing.

use ratatui::buffer::Buffer;
use ratatui::layout::Rect;
use ratatui::style::Style;

use super::table::Window;
use super::text;
use crate::theme::Theme;

/// The title line of a panel: `Chart  1D [7D] 1M 3M        ▲ 11.02%`.
#[derive(Clone, Copy, Debug, Default)]
pub struct Title<'a> {
    /// The panel's name.
    pub name: &'a str,
    /// What can be chosen in the panel, such as periods.
    pub choices: &'a [&'a str],
    /// Which of the choices is in force.
    pub chosen: Option<usize>,
    /// What stands at the right, and its style.
    pub right: Option<(&'a str, Style)>,
    /// Whether the keys go to this panel.
    pub focused: bool,
}

impl Title<'_> {
    /// The columns that are left for what stands at the right, where all choices are shown.
    pub fn room(&self, width: u16) -> u16 {
        let choices: u16 = self.choices.iter().map(|choice| text::width(choice) + 1).sum();
        let brackets = if self.choices.is_empty() { 0 } else { 3 };
        width.saturating_sub(text::width(self.name) + choices + brackets + 2)
    }

    /// The same title with the choice in force alone if what wants to stand at its right is wider than the room that all
    /// choices leave in `width` columns.
    pub fn for_right(self, right: u16, width: u16) -> Self {
        let only = self.chosen.and_then(|chosen| self.choices.get(chosen..=chosen));
        match only.filter(|_| right > self.room(width)) {
            Some(choices) => Title { choices, chosen: Some(0), ..self },
            None => self,
        }
    }

    /// Paints the title over the first row of `area`. Where there is no room, the right's last parts go first, then the
    /// choices that are not in force.
    pub fn paint(&self, buf: &mut Buffer, area: Rect, theme: &Theme) {
        let area = text::line(area, 0);
        let name = if self.focused { theme.title_focused } else { theme.title };
        let mut used = text::put(buf, area, self.name, name);
        let chosen_style = if self.focused { theme.accent } else { theme.strong };
        for (index, x, length) in self.places(area.width) {
            let Some(choice) = self.choices.get(index) else { continue };
            let place = text::shifted(area, x);
            if self.chosen == Some(index) {
                text::put(buf, place, "[", chosen_style);
                text::put(buf, text::shifted(place, 1), choice, chosen_style);
                text::put(buf, text::shifted(place, length - 1), "]", chosen_style);
            } else {
                text::put(buf, place, choice, theme.dim);
            }
            used = x + length;
        }
        if let Some((right, style)) = self.right {
            let right = text::parts(right, area.width.saturating_sub(used + 2));
            if !right.is_empty() {
                text::put_right(buf, area, right, style);
            }
        }
    }

    /// The choices that have room in `width` columns: which, its first column, and how many it takes.
    pub fn places(&self, width: u16) -> Vec<(usize, u16, u16)> {
        let name = text::width(self.name);
        let all: u16 = self.choices.iter().map(|choice| text::width(choice) + 1).sum::<u16>() + 3;
        let narrow = name.saturating_add(all) > width;
        let mut x = name + 2;
        let mut places = Vec::with_capacity(self.choices.len());
        for (index, choice) in self.choices.iter().enumerate() {
            if narrow && self.chosen != Some(index) {
                continue;
            }
            let length = text::width(choice) + if self.chosen == Some(index) { 2 } else { 0 };
            if x + length > width {
                break;
            }
            places.push((index, x, length));
            x += length + 1;
        }
        places
    }
}

/// Why a panel has no content.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Placeholder<'a> {
    /// It is on its way. Its sign stands still, for nothing ticks.
    Loading(&'a str),
    /// It could not be fetched.
    Failed(&'a str),
    /// There is nothing.
    Empty(&'a str),
}

impl Placeholder<'_> {
    /// Paints the sentence where the content would begin, on as many rows as it needs.
    pub fn paint(&self, buf: &mut Buffer, area: Rect, theme: &Theme) {
        let (sign, style, sentence) = match *self {
            Placeholder::Loading(sentence) => ("⠋", theme.dim, sentence),
            Placeholder::Failed(sentence) => ("×", theme.warn, sentence),
            Placeholder::Empty(sentence) => ("", theme.dim, sentence),
        };
        let area = text::shifted(area.intersection(buf.area), 1);
        let used = text::put(buf, text::line(area, 0), sign, style);
        let words = text::shifted(area, if used == 0 { 0 } else { used + 1 });
        for (row, line) in (0..area.height).zip(text::wrap(sentence, words.width)) {
            text::put(buf, text::line(words, row), line, theme.dim);
        }
    }
}

/// A tab of [`tabs`].
#[derive(Clone, Copy, Debug)]
pub struct TabTitle<'a> {
    /// The key that opens it; may be empty.
    pub key: &'a str,
    /// Its title.
    pub title: &'a str,
}

impl TabTitle<'_> {
    /// Columns of key and title.
    pub fn width(&self) -> u16 {
        let between = u16::from(!self.key.is_empty() && !self.title.is_empty());
        text::width(self.key) + between + text::width(self.title)
    }
}

/// Paints tabs over the first row of `area`: `1 All  2 BRC-20  3 …`, the active one in the accent. If there is no room
/// for all, the others shrink to their keys. Returns the columns used.
pub fn tabs(buf: &mut Buffer, area: Rect, tabs: &[TabTitle<'_>], active: usize, theme: &Theme) -> u16 {
    let mut used = 0;
    tab_places(area.width, tabs, active, |index, tab, x| {
        let rest = text::shifted(text::line(area, 0), x);
        let (key, word) = if index == active { (theme.accent, theme.accent) } else { (theme.dim, theme.text) };
        text::put(buf, rest, tab.key, key);
        text::put(buf, text::shifted(rest, tab.width() - text::width(tab.title)), tab.title, word);
        used = (x + tab.width()).min(area.width);
    });
    used
}

/// The places of the tabs that [`tabs`] paints: calls `place` with each one's index, key and title as shown, and first
/// column.
pub fn tab_places(width: u16, tabs: &[TabTitle<'_>], active: usize, mut place: impl FnMut(usize, TabTitle<'_>, u16)) {
    let all: u16 = tabs.iter().map(|tab| tab.width() + 2).sum::<u16>().saturating_sub(2);
    let short = all > width;
    let mut x = 0;
    for (index, tab) in tabs.iter().enumerate() {
        let tab = match short && index != active {
            true if tab.key.is_empty() => TabTitle { key: NO_KEY, title: "" },
            true => TabTitle { title: "", ..*tab },
            false => *tab,
        };
        place(index, tab, x);
        x += tab.width() + if tab.title.is_empty() { 1 } else { 2 };
    }
}

/// What stands for a tab without a key that has no room for its title.
const NO_KEY: &str = "·";

/// Paints a thin scrollbar down the last column of `area`, where the list is longer than `area` is high.
pub fn scrollbar(buf: &mut Buffer, area: Rect, window: &Window, theme: &Theme) {
    let height = usize::from(area.height);
    if window.len <= height || area.is_empty() {
        return;
    }
    let length = (height * height / window.len).max(1);
    let hidden = window.len - height;
    let start = (window.offset.min(hidden) * (height - length) + hidden / 2) / hidden;
    let column = text::shifted(area, area.width - 1);
    for row in start..start + length {
        text::put(buf, text::line(column, u16::try_from(row).unwrap_or(u16::MAX)), "▐", theme.dim);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use ratatui::style::{Color, Modifier};

    fn painted(width: u16, height: u16, paint: impl FnOnce(&mut Buffer, Rect, &Theme)) -> (Buffer, String) {
        let area = Rect::new(0, 0, width, height);
        let mut buf = Buffer::empty(area);
        paint(&mut buf, area, &Theme::ansi());
        let rows = buf.content.chunks(usize::from(width));
        let rows: Vec<String> = rows.map(|row| row.iter().map(|cell| cell.symbol()).collect()).collect();
        let text = rows.iter().map(|row| row.trim_end()).collect::<Vec<_>>().join("\n");
        (buf, text)
    }

    #[test]
    fn titles() {
        let title = Title {
            name: "Chart",
            choices: &["1D", "7D", "1M", "3M"],
            chosen: Some(1),
            right: Some(("▲ 11.0%", Style::new().fg(Color::Green))),
            focused: true,
        };
        for (width, shown) in [
            (40, "Chart  1D [7D] 1M 3M             ▲ 11.0%"),
            (29, "Chart  1D [7D] 1M 3M  ▲ 11.0%"),
            (28, "Chart  1D [7D] 1M 3M"),
            (20, "Chart  1D [7D] 1M 3M"),
            (19, "Chart  [7D]"),
            (12, "Chart  [7D]"),
            (4, "Cha…"),
        ] {
            assert_eq!(painted(width, 1, |buf, area, theme| title.paint(buf, area, theme)).1, shown, "{width}");
        }
        assert_eq!(title.places(40), [(0, 7, 2), (1, 10, 4), (2, 15, 2), (3, 18, 2)]);
        assert_eq!(title.places(19), [(1, 7, 4)]);
        let late = Title { right: Some(("12 m old · next try in 30 s", Style::new())), ..title };
        assert_eq!(
            painted(32, 1, |buf, area, theme| late.paint(buf, area, theme)).1,
            "Chart  1D [7D] 1M 3M    12 m old"
        );
        let (buf, _) = painted(40, 1, |buf, area, theme| title.paint(buf, area, theme));
        assert_eq!((buf.content[0].fg, buf.content[39].fg), (Color::Cyan, Color::Green));
        let idle = Title { focused: false, ..title };
        let (buf, _) = painted(40, 1, |buf, area, theme| idle.paint(buf, area, theme));
        assert_eq!((buf.content[0].fg, buf.content[0].modifier), (Color::Reset, Modifier::BOLD));
    }

    #[test]
    fn what_is_missing_says_why() {
        for (placeholder, shown) in [
            (Placeholder::Loading("loading the chart"), " ⠋ loading the\n   chart"),
            (Placeholder::Failed("no answer"), " × no answer"),
            (Placeholder::Empty("no posts yet"), " no posts yet"),
        ] {
            assert_eq!(painted(16, 2, |buf, area, theme| placeholder.paint(buf, area, theme)).1.trim_end(), shown);
        }
        let (buf, _) = painted(16, 2, |buf, area, theme| Placeholder::Failed("no").paint(buf, area, theme));
        assert_eq!((buf.content[1].fg, buf.content[3].modifier), (Color::Yellow, Modifier::DIM));
    }

    #[test]
    fn tabs_shrink_to_their_numbers() {
        let titles = [("1", "All"), ("2", "BRC-20"), ("3", "Wallet")].map(|(key, title)| TabTitle { key, title });
        for (width, shown) in
            [(40, "1 All  2 BRC-20  3 Wallet"), (25, "1 All  2 BRC-20  3 Wallet"), (24, "1 2 BRC-20  3")]
        {
            let (buf, text) = painted(width, 1, |buf, area, theme| {
                let used = tabs(buf, area, &titles, 1, theme);
                assert!(used <= width);
            });
            assert_eq!(text, shown);
            let at = text.find("BRC").unwrap();
            assert_eq!(buf.content[at].fg, Color::Cyan);
        }
    }

    #[test]
    fn the_scrollbar_reaches_both_ends() {
        for (offset, len, shown) in
            [(0, 4, "\n\n\n"), (0, 8, " ▐\n ▐\n\n"), (4, 8, "\n\n ▐\n ▐"), (999_996, 1_000_000, "\n\n\n ▐")]
        {
            let window = Window { offset, len, selected: None };
            assert_eq!(
                painted(2, 4, |buf, area, theme| scrollbar(buf, area, &window, theme)).1,
                shown,
                "{offset} {len}"
            );
        }
    }

    #[test]
    fn any_rectangle_is_safe() {
        let mut buf = Buffer::empty(Rect::new(1, 1, 3, 3));
        let theme = Theme::ansi();
        let window = Window { offset: 7, len: 90_000, selected: Some(9) };
        for area in [Rect::ZERO, Rect::new(0, 0, 9, 9), Rect::new(2, 2, 60_000, 60_000), Rect::new(9, 9, 2, 2)] {
            Title { name: "Chart", choices: &["1D"], chosen: Some(0), right: Some(("x", theme.dim)), focused: true }
                .paint(&mut buf, area, &theme);
            Placeholder::Loading("one sentence").paint(&mut buf, area, &theme);
            tabs(&mut buf, area, &[TabTitle { key: "1", title: "All" }, TabTitle { key: "", title: "" }], 9, &theme);
            scrollbar(&mut buf, area, &window, &theme);
        }
    }
}
