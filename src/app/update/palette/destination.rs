//! Which part of a coin or ticker to open, from the last typed word.

use crate::app::fuzzy::Quality;
use crate::app::palette::Item;
use crate::app::panel::Panel;
use crate::model::Period;

/// An item with its order: its quality, its kind among items of the same quality, and its place in its kind.
pub(super) type Found = ((Quality, u8, usize), Item);

/// Which part of a coin or ticker to open.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Destination {
    /// The period of its chart.
    pub(super) period: Option<Period>,
    /// A panel of the token's view.
    pub(super) panel: Option<Panel>,
    /// A panel of the indexer.
    pub(super) indexer_panel: Option<Panel>,
}

impl Destination {
    /// Reads a word: a period, or at least two letters of a panel's name.
    pub(super) fn parse(word: &str) -> Option<Destination> {
        let period = Period::ALL.into_iter().find(|period| period.as_str().eq_ignore_ascii_case(word));
        let is_panel = |name: &str| word.len() >= 2 && name.starts_with(word);
        let panel = TOKEN_PANELS.into_iter().find(|(name, _)| is_panel(name)).map(|(_, panel)| panel);
        let indexer_panel = INDEXER_PANELS.into_iter().find(|(name, _)| is_panel(name)).map(|(_, panel)| panel);
        let destination = Destination { period, panel, indexer_panel };
        (period.is_some() || panel.is_some() || indexer_panel.is_some()).then_some(destination)
    }

    /// Whether no part was typed.
    pub(super) fn is_empty(self) -> bool {
        self.period.is_none() && self.panel.is_none() && self.indexer_panel.is_none()
    }
}

const TOKEN_PANELS: [(&str, Panel); 4] =
    [("chart", Panel::Chart), ("about", Panel::About), ("posts", Panel::Posts), ("markets", Panel::Markets)];

const INDEXER_PANELS: [(&str, Panel); 3] =
    [("details", Panel::Details), ("holders", Panel::Holders), ("activity", Panel::Activity)];

/// The name of a panel that can be typed.
pub(super) fn panel_word(panel: Panel) -> Option<&'static str> {
    TOKEN_PANELS.iter().chain(&INDEXER_PANELS).find(|(_, other)| *other == panel).map(|(name, _)| *name)
}
