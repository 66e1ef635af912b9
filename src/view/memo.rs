//! What the view remembers between frames.

use std::collections::HashMap;

use ratatui::layout::{Position, Rect};

use super::widgets::table::TableState;
use crate::app::Target;
use crate::app::state::Panel;
use crate::model::Tag;

/// Scroll offsets, and of the last frame: where it painted what the mouse can hit, and where the line is edited.
#[derive(Debug, Default)]
pub struct Memo {
    targets: Vec<(Rect, Target)>,
    cursor: Option<(u16, u16)>,
    offsets: HashMap<(Screen, Option<Panel>), usize>,
}

/// Whose scroll offset it is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Screen {
    /// The list of a tag.
    List(Tag),
    /// The wallet tab.
    Wallet,
    /// The indexer tab.
    Indexer,
    /// A token's view.
    Token,
    /// Whatever lies on top.
    Overlay,
}

impl Memo {
    /// Before a frame: forgets where things were painted.
    pub(super) fn begin(&mut self) {
        self.cover();
    }

    /// Notes that the mouse hits `target` in `area`; what is noted later lies on top.
    pub fn target(&mut self, area: Rect, target: Target) {
        self.targets.push((area, target));
    }

    /// Overlays cover everything: nothing noted so far can be hit or edited any more.
    pub fn cover(&mut self) {
        self.targets.clear();
        self.cursor = None;
    }

    /// Notes where in a line that is being edited the next character goes: column and row.
    pub fn edit_at(&mut self, column: u16, row: u16) {
        self.cursor = Some((column, row));
    }

    /// Where the terminal's cursor belongs; `None` while no line is edited.
    pub fn cursor(&self) -> Option<(u16, u16)> {
        self.cursor
    }

    /// What the mouse hits in a cell.
    pub fn hit(&self, column: u16, row: u16) -> Option<Target> {
        let at = Position { x: column, y: row };
        self.targets.iter().rev().find(|(area, _)| area.contains(at)).map(|(_, target)| *target)
    }

    /// The first row shown of a list, to be kept stable between frames.
    pub fn offset(&mut self, screen: Screen, panel: Option<Panel>) -> &mut usize {
        self.offsets.entry((screen, panel)).or_default()
    }

    /// The rows on the screen of a list of `len` rows, of which `height` have room, scrolled as little as the selection
    /// allows.
    pub fn table(
        &mut self,
        screen: Screen,
        panel: Option<Panel>,
        len: usize,
        selected: Option<usize>,
        height: u16,
    ) -> TableState {
        let offset = self.offset(screen, panel);
        let mut state = TableState { offset: *offset, selected };
        state.scroll(len, usize::from(height));
        *offset = state.offset;
        state
    }
}
