//! Panel titles and the tab bar.

use ratatui::buffer::Buffer;
use ratatui::layout::Rect;
use ratatui::style::{Modifier, Style};
use ratatui::widgets::Widget;

use super::text;
use crate::theme::Theme;

/// The title line of a panel: `Chart  1D [7D] 1M 3M        ▲ 11.0%`. Its content is below it, without a border.
///
/// If there is no room, the last parts of the text on the right are dropped first, then the choices that are not
/// chosen.
///
/// ```
/// use ratatui::{buffer::Buffer, layout::Rect, style::{Style, Stylize}, widgets::{Paragraph, Widget}};
/// use satscope::view::widgets::PanelTitle;
///
/// let mut buf = Buffer::empty(Rect::new(0, 0, 30, 2));
/// let panel = PanelTitle::new("Chart").choices(&["1D", "7D"], Some(1)).right("▲ 11.0%", Style::new().green());
/// let content = panel.inner(buf.area);
/// panel.render(buf.area, &mut buf);
/// Paragraph::new("any widget").render(content, &mut buf);
/// let text: Vec<String> = buf.content.chunks(30).map(|row| row.iter().map(|cell| cell.symbol()).collect()).collect();
/// assert_eq!(text, ["Chart  1D [7D]         ▲ 11.0%", "any widget                    "]);
/// ```
#[derive(Clone, Copy, Debug)]
pub struct PanelTitle<'a> {
    name: &'a str,
    choices: &'a [&'a str],
    chosen: Option<usize>,
    right: Option<(&'a str, Style)>,
    source: &'a str,
    legend: (&'a str, &'a [(String, Style)]),
    focused: bool,
    theme: &'a Theme,
}

impl<'a> PanelTitle<'a> {
    /// A panel with a name.
    pub fn new(name: &'a str) -> PanelTitle<'a> {
        PanelTitle {
            name,
            choices: &[],
            chosen: None,
            right: None,
            source: "",
            legend: ("", &[]),
            focused: false,
            theme: Theme::ANSI,
        }
    }

    /// The choices of the panel, such as periods, and the index of the chosen one.
    pub fn choices(self, choices: &'a [&'a str], chosen: Option<usize>) -> PanelTitle<'a> {
        PanelTitle { choices, chosen, ..self }
    }

    /// The text on the right, in parts separated by ` · `.
    pub fn right(self, text: &'a str, style: Style) -> PanelTitle<'a> {
        PanelTitle { right: Some((text, style)), ..self }
    }

    /// Where the content comes from, left of the text on the right if there is room for it.
    pub fn source(self, source: &'a str) -> PanelTitle<'a> {
        PanelTitle { source, ..self }
    }

    /// Words of the source in styles of their own, such as `7` and `25` in `MA 7/25`: each is the first one after the
    /// one before, and the first of them after `label`.
    pub fn legend(self, label: &'a str, words: &'a [(String, Style)]) -> PanelTitle<'a> {
        PanelTitle { legend: (label, words), ..self }
    }

    /// Where the content comes from, as set by [`PanelTitle::source`].
    pub fn source_words(&self) -> &'a str {
        self.source
    }

    /// Whether the panel has the focus.
    pub fn focused(self, focused: bool) -> PanelTitle<'a> {
        PanelTitle { focused, ..self }
    }

    /// The styles.
    pub fn theme(self, theme: &'a Theme) -> PanelTitle<'a> {
        PanelTitle { theme, ..self }
    }

    /// Shows only the chosen choice.
    pub fn chosen_only(self) -> PanelTitle<'a> {
        match self.chosen.and_then(|chosen| self.choices.get(chosen..=chosen)) {
            Some(choices) => PanelTitle { choices, chosen: Some(0), ..self },
            None => self,
        }
    }

    /// Whether there is text on the right.
    pub fn has_right(&self) -> bool {
        self.right.is_some()
    }

    /// The area of the content.
    pub fn inner(&self, area: Rect) -> Rect {
        let title = area.height.min(1);
        Rect { y: area.y.saturating_add(title), height: area.height - title, ..area }
    }

    /// The columns for the text on the right of a title with `width` columns and all choices.
    pub fn room(&self, width: u16) -> u16 {
        let choices: u16 = self.choices.iter().map(|choice| text::width(choice) + 1).sum();
        let brackets = if self.choices.is_empty() { 0 } else { 3 };
        width.saturating_sub(text::width(self.name) + choices + brackets + 2)
    }

    /// The visible choices of a title with `width` columns: index, first column and width of each.
    pub fn places(&self, width: u16) -> Vec<(usize, u16, u16)> {
        let name = text::width(self.name);
        let all: u16 = self.choices.iter().map(|choice| text::width(choice) + 1).sum::<u16>() + 3;
        let is_narrow = name.saturating_add(all) > width;
        let mut x = name + 2;
        let mut places = Vec::with_capacity(self.choices.len());
        for (index, choice) in self.choices.iter().enumerate() {
            if is_narrow && self.chosen != Some(index) {
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

impl Widget for PanelTitle<'_> {
    fn render(self, area: Rect, buf: &mut Buffer) {
        let theme = self.theme;
        let area = text::line(area, 0);
        let name = if self.focused { theme.title_focused } else { theme.title };
        let (mut used, mut taken) = (text::put(buf, area, self.name, name), 0);
        let chosen_style = if self.focused { theme.accent } else { theme.strong };
        for (index, x, length) in self.places(area.width) {
            let Some(choice) = self.choices.get(index) else { continue };
            let place = text::shifted(area, x);
            if self.chosen == Some(index) {
                text::put(buf, place, &format!("[{choice}]"), chosen_style);
            } else {
                text::put(buf, place, choice, theme.dim);
            }
            used = x + length;
        }
        if let Some((right, style)) = self.right {
            let right = text::parts(right, area.width.saturating_sub(used + 2));
            text::put_right(buf, area, right, style);
            taken = text::width(right) + 2;
        }
        let rest = Rect { width: area.width.saturating_sub(taken), ..area };
        let source = text::parts(self.source, rest.width.saturating_sub(used + 2));
        let width = text::put_right(buf, rest, source, theme.dim);
        self.paint_legend(buf, text::shifted(rest, rest.width.saturating_sub(width)), source);
    }
}

impl PanelTitle<'_> {
    /// Paints the words of the legend over the words of the source.
    fn paint_legend(&self, buf: &mut Buffer, area: Rect, source: &str) {
        let (label, words) = self.legend;
        let Some(start) = source.find(label).filter(|_| !words.is_empty()) else { return };
        let mut from = start + label.len();
        for (word, style) in words {
            let Some((before, _)) = source.get(from..).and_then(|rest| rest.split_once(word.as_str())) else { return };
            let at = from + before.len();
            let column = source.get(..at).map_or(0, text::width);
            // The source below is dim.
            text::put(buf, text::shifted(area, column), word, style.remove_modifier(Modifier::DIM));
            from = at + word.len();
        }
    }
}

/// A tab of a [`TabBar`].
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct TabTitle<'a> {
    /// The key that opens it; may be empty.
    pub key: &'a str,
    /// The title; empty if there is no room for it.
    pub title: &'a str,
}

impl TabTitle<'_> {
    /// Columns of key and title.
    pub fn width(&self) -> u16 {
        let between = u16::from(!self.key.is_empty() && !self.title.is_empty());
        text::width(self.key) + between + text::width(self.title)
    }
}

/// Tabs in one line: `1 All  2 BRC-20  3 …`; the active one is highlighted. If there is no room, the others shrink to
/// their keys.
///
/// ```
/// use ratatui::{buffer::Buffer, layout::Rect, widgets::Widget};
/// use satscope::view::widgets::{TabBar, panel::TabTitle};
///
/// let tabs = [("1", "All"), ("2", "BRC-20"), ("3", "Wallet")].map(|(key, title)| TabTitle { key, title });
/// let mut buf = Buffer::empty(Rect::new(0, 0, 14, 1));
/// TabBar::new(&tabs, 1).render(buf.area, &mut buf);
/// let text: String = buf.content.iter().map(|cell| cell.symbol()).collect();
/// assert_eq!(text, "1 2 BRC-20  3 ");
/// ```
#[derive(Clone, Copy, Debug)]
pub struct TabBar<'a> {
    tabs: &'a [TabTitle<'a>],
    active: usize,
    theme: &'a Theme,
}

/// Shown for a tab without a key if there is no room for its title.
const NO_KEY: &str = "·";

impl<'a> TabBar<'a> {
    /// A tab bar.
    pub fn new(tabs: &'a [TabTitle<'a>], active: usize) -> TabBar<'a> {
        TabBar { tabs, active, theme: Theme::ANSI }
    }

    /// The styles.
    pub fn theme(self, theme: &'a Theme) -> TabBar<'a> {
        TabBar { theme, ..self }
    }

    /// The visible tabs of a bar with `width` columns: first column, and key and title as shown.
    pub fn places(&self, width: u16) -> Vec<(u16, TabTitle<'a>)> {
        let all: u16 = self.tabs.iter().map(|tab| tab.width() + 2).sum::<u16>().saturating_sub(2);
        let is_narrow = all > width;
        let mut x = 0;
        let place = |(index, tab): (usize, &TabTitle<'a>)| {
            let tab = if !is_narrow || index == self.active {
                *tab
            } else if tab.key.is_empty() {
                TabTitle { key: NO_KEY, title: "" }
            } else {
                TabTitle { title: "", ..*tab }
            };
            let place = (x, tab);
            x += tab.width() + if tab.title.is_empty() { 1 } else { 2 };
            place
        };
        self.tabs.iter().enumerate().map(place).collect()
    }
}

impl Widget for TabBar<'_> {
    fn render(self, area: Rect, buf: &mut Buffer) {
        let theme = self.theme;
        for (index, (x, tab)) in self.places(area.width).into_iter().enumerate() {
            let place = text::shifted(text::line(area, 0), x);
            let (key, words) =
                if index == self.active { (theme.accent, theme.accent) } else { (theme.dim, theme.text) };
            text::put(buf, place, tab.key, key);
            text::put(buf, text::shifted(place, tab.width() - text::width(tab.title)), tab.title, words);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::super::Placeholder;
    use super::*;
    use ratatui::buffer::Cell;
    use ratatui::style::Color;

    fn painted(width: u16, height: u16, widget: impl Widget) -> (Buffer, String) {
        let area = Rect::new(0, 0, width, height);
        let mut buf = Buffer::empty(area);
        widget.render(area, &mut buf);
        let rows = buf.content.chunks(usize::from(width));
        let rows: Vec<String> = rows.map(|row| row.iter().map(|cell| cell.symbol()).collect()).collect();
        let text = rows.iter().map(|row| row.trim_end()).collect::<Vec<_>>().join("\n");
        (buf, text)
    }

    #[test]
    fn title_drops_parts_from_the_right() {
        let periods = ["1D", "7D", "1M", "3M"];
        let panel = PanelTitle::new("Chart").choices(&periods, Some(1)).focused(true);
        let gain = panel.right("▲ 11.0%", Style::new().fg(Color::Green));
        for (width, shown) in [
            (40, "Chart  1D [7D] 1M 3M             ▲ 11.0%"),
            (29, "Chart  1D [7D] 1M 3M  ▲ 11.0%"),
            (28, "Chart  1D [7D] 1M 3M"),
            (20, "Chart  1D [7D] 1M 3M"),
            (19, "Chart  [7D]"),
            (12, "Chart  [7D]"),
            (4, "Cha…"),
        ] {
            assert_eq!(painted(width, 1, gain).1, shown, "{width}");
        }
        assert_eq!(panel.places(40), [(0, 7, 2), (1, 10, 4), (2, 15, 2), (3, 18, 2)]);
        assert_eq!(panel.places(19), [(1, 7, 4)]);
        assert_eq!(panel.chosen_only().places(40), [(0, 7, 4)]);
        let late = panel.right("12 m old · retrying in 30 s", Style::new());
        assert_eq!(painted(32, 1, late).1, "Chart  1D [7D] 1M 3M    12 m old");
        let (buf, _) = painted(40, 1, gain);
        assert_eq!((buf.content[0].fg, buf.content[39].fg), (Color::Cyan, Color::Green));
        let (buf, _) = painted(40, 1, gain.focused(false));
        assert_eq!((buf.content[0].fg, buf.content[0].modifier), (Color::Reset, Modifier::BOLD));
    }

    #[test]
    fn legend_has_the_styles_of_its_words() {
        let words =
            [("7", Color::Cyan), ("25", Color::Magenta)].map(|(word, colour)| (word.into(), Style::new().fg(colour)));
        let title = PanelTitle::new("Chart").source("17h candles · MA 7/25 · Sample 7").legend("MA ", &words);
        for (width, shown) in [(40, "Chart   17h candles · MA 7/25 · Sample 7"), (30, "Chart    17h candles · MA 7/25")]
        {
            let (buf, text) = painted(width, 1, title);
            assert_eq!(text, shown);
            let is_coloured = |cell: &&Cell| cell.fg != Color::Reset && !cell.modifier.contains(Modifier::DIM);
            let coloured: String = buf.content.iter().filter(is_coloured).map(|cell| cell.symbol()).collect();
            assert_eq!(coloured, "725", "{width}");
        }
        let (buf, _) = painted(20, 1, title);
        assert!(buf.content.iter().all(|cell| cell.fg == Color::Reset), "no averages in the title");
    }

    #[test]
    fn content_is_below_the_title() {
        assert_eq!(PanelTitle::new("Chart").inner(Rect::new(3, 4, 9, 9)), Rect::new(3, 5, 9, 8));
        assert_eq!(PanelTitle::new("Chart").inner(Rect::new(3, 4, 9, 0)), Rect::new(3, 4, 9, 0));
    }

    #[test]
    fn missing_content_is_explained() {
        for (placeholder, shown) in [
            (Placeholder::loading("loading the chart"), " ⠋ loading the\n   chart"),
            (Placeholder::failed("no response"), " × no response"),
            (Placeholder::empty("no posts yet"), " no posts yet"),
            (Placeholder::failed("Server error (500) · retrying in 30 s"), " × Server error\n   (500)…"),
        ] {
            assert_eq!(painted(16, 2, placeholder).1.trim_end(), shown);
        }
        let (buf, _) = painted(16, 2, Placeholder::failed("no"));
        assert_eq!((buf.content[1].fg, buf.content[3].modifier), (Color::Yellow, Modifier::DIM));
    }

    #[test]
    fn tabs_shrink_to_their_keys() {
        let titles = [("1", "All"), ("2", "BRC-20"), ("", "Wallet")].map(|(key, title)| TabTitle { key, title });
        let tabs = TabBar::new(&titles, 1);
        for (width, shown) in [(40, "1 All  2 BRC-20  Wallet"), (23, "1 All  2 BRC-20  Wallet"), (22, "1 2 BRC-20  ·")]
        {
            let (buf, text) = painted(width, 1, tabs);
            assert_eq!(text, shown);
            for (x, tab) in tabs.places(width) {
                let words = [tab.key, tab.title]
                    .map(str::to_owned)
                    .join(if tab.width() > text::width(tab.key) + text::width(tab.title) { " " } else { "" });
                let at: String = text.chars().skip(usize::from(x)).take(usize::from(tab.width())).collect();
                assert_eq!(at, words);
            }
            let at = text.find("BRC").unwrap();
            assert_eq!(buf.content[at].fg, Color::Cyan);
        }
    }

    #[test]
    fn any_area_is_safe() {
        let mut buf = Buffer::empty(Rect::new(1, 1, 3, 3));
        for area in [Rect::ZERO, Rect::new(0, 0, 9, 9), Rect::new(2, 2, 60_000, 60_000), Rect::new(9, 9, 2, 2)] {
            PanelTitle::new("Chart")
                .choices(&["1D"], Some(0))
                .right("x", Style::new())
                .focused(true)
                .render(area, &mut buf);
            Placeholder::loading("one sentence").render(area, &mut buf);
            TabBar::new(&[TabTitle { key: "1", title: "All" }, TabTitle { key: "", title: "" }], 9)
                .render(area, &mut buf);
        }
    }
}
