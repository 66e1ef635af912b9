//! The left part of the header: the program's name and the tabs.

use ratatui::buffer::Buffer;
use ratatui::layout::Rect;
use ratatui::widgets::Widget;

use crate::app::{ClickTarget, Command, State, Tab};
use crate::glyphs::Glyphs;
use crate::theme::Theme;
use crate::view::view_state::ViewState;
use crate::view::widgets::panel::TabTitle;
use crate::view::widgets::{TabBar, text};

/// The program's name, and its columns including the space after it.
const NAME: &str = "satscope";
const NAME_WIDTH: u16 = 11;

/// The variants of the left part, widest first.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Left {
    NameAndTabs,
    Tabs,
    ShortTabs,
    /// All tabs except the active one are only numbers.
    Numbers,
    Active,
}

/// The name and the tabs.
pub(super) struct LeftPart {
    /// The key of each tab; may be empty.
    keys: [String; Tab::ALL.len()],
    /// The index of the open tab.
    active: usize,
}

impl LeftPart {
    pub(super) fn new(state: &State, glyphs: Glyphs) -> LeftPart {
        LeftPart {
            keys: Tab::ALL
                .map(|tab| state.keys().name(Command::Go(tab), state.screen_context(), glyphs).unwrap_or_default()),
            active: Tab::ALL.iter().position(|tab| *tab == state.tab).unwrap_or(0),
        }
    }

    fn titles(&self, left: Left) -> [TabTitle<'_>; Tab::ALL.len()] {
        let is_long = matches!(left, Left::NameAndTabs | Left::Tabs);
        let words = Tab::ALL.map(if is_long { Tab::title } else { Tab::short_title });
        let mut tabs = [TabTitle { key: "", title: "" }; Tab::ALL.len()];
        for ((tab, key), title) in tabs.iter_mut().zip(&self.keys).zip(words) {
            *tab = TabTitle { key, title };
        }
        tabs
    }

    /// Columns of a variant.
    pub(super) fn width(&self, left: Left) -> u16 {
        let titles = self.titles(left);
        let all = || titles.iter().map(|tab| tab.width() + 2).sum::<u16>().saturating_sub(2);
        match left {
            Left::NameAndTabs => NAME_WIDTH + all(),
            Left::Tabs | Left::ShortTabs => all(),
            Left::Numbers => {
                // A width of 0 makes all other tabs shrink.
                let places = TabBar::new(&titles, self.active).places(0);
                places.last().map_or(0, |(x, tab)| x + tab.width())
            }
            Left::Active => titles.get(self.active).map_or(0, |tab| text::width(tab.title)),
        }
    }

    /// Paints a variant, and makes its tabs clickable.
    pub(super) fn paint(
        &self,
        buf: &mut Buffer,
        mut area: Rect,
        left: Left,
        theme: &Theme,
        view_state: &mut ViewState,
    ) {
        let titles = self.titles(left);
        match left {
            Left::Active => {
                text::put(buf, area, titles.get(self.active).map_or("", |tab| tab.title), theme.accent);
                return;
            }
            Left::NameAndTabs => {
                text::put(buf, area, NAME, theme.strong);
                area = text::shifted(area, NAME_WIDTH);
            }
            Left::Tabs | Left::ShortTabs => {}
            Left::Numbers => area.width = self.width(left),
        }
        let tabs = TabBar::new(&titles, self.active).theme(theme);
        tabs.render(area, buf);
        for (tab, (x, shown)) in Tab::ALL.into_iter().zip(tabs.places(area.width)) {
            view_state.target(Rect { width: shown.width(), ..text::shifted(area, x) }, ClickTarget::Tab(tab));
        }
    }
}
