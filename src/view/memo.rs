//! What the view remembers between frames.

use std::collections::HashMap;

use ratatui::layout::{Position, Rect};

use crate::app::Target;
use crate::app::state::Panel;

/// Scroll offsets, and where the last frame painted what the mouse can hit.
#[derive(Debug, Default)]
pub struct Memo {
    targets: Vec<(Rect, Target)>,
    offsets: HashMap<(u8, Option<Panel>), usize>,
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

    /// The first row shown of a list, to be kept stable between frames: `screen` is any number that tells screens apart.
    pub fn offset(&mut self, screen: u8, panel: Option<Panel>) -> &mut usize {
        self.offsets.entry((screen, panel)).or_default()
    }
}
