//! What the view remembers between frames.

use std::collections::HashMap;

use ratatui::layout::{Position, Rect};

use super::widgets::table::Window;
use crate::app::Target;
use crate::app::state::Panel;

/// Scroll offsets, and where the last frame painted what the mouse can hit.
#[derive(Debug, Default)]
pub struct Memo {
    targets: Vec<(Rect, Target)>,
    offsets: HashMap<(u8, Option<Panel>), usize>,
}

/// Numbers that tell the screens' scroll offsets apart.
pub mod screen {
    /// The list of a tag: its place in [`crate::model::Tag::ALL`].
    pub fn list(tag: crate::model::Tag) -> u8 {
        match tag {
            crate::model::Tag::All => 0,
            crate::model::Tag::Brc20 => 1,
            crate::model::Tag::BitcoinEcosystem => 2,
        }
    }

    /// The wallet tab.
    pub const WALLET: u8 = 3;
    /// The indexer tab.
    pub const INDEXER: u8 = 4;
    /// A token's view.
    pub const TOKEN: u8 = 5;
    /// Whatever lies on top.
    pub const OVERLAY: u8 = 6;
}

impl Memo {
    /// Before a frame: forgets what the mouse could hit.
    pub(super) fn begin(&mut self) {
        self.targets.clear();
    }

    /// Notes that the mouse hits `target` in `area`; what is noted later lies on top.
    pub fn target(&mut self, area: Rect, target: Target) {
        self.targets.push((area, target));
    }

    /// Overlays cover everything: nothing noted so far can be hit any more.
    pub fn cover(&mut self) {
        self.targets.clear();
    }

    /// What the mouse hits in a cell.
    pub fn hit(&self, column: u16, row: u16) -> Option<Target> {
        let at = Position { x: column, y: row };
        self.targets.iter().rev().find(|(area, _)| area.contains(at)).map(|(_, target)| *target)
    }

    /// The first row shown of a list, to be kept stable between frames: `screen` is one of [`screen`].
    pub fn offset(&mut self, screen: u8, panel: Option<Panel>) -> &mut usize {
        self.offsets.entry((screen, panel)).or_default()
    }

    /// The window of `height` rows on a list of `len` rows, moved as little as the selection allows.
    pub fn window(
        &mut self,
        screen: u8,
        panel: Option<Panel>,
        len: usize,
        selected: Option<usize>,
        height: u16,
    ) -> Window {
        let offset = self.offset(screen, panel);
        let window = Window::new(*offset, len, selected, height);
        *offset = window.offset;
        window
    }
}
