//! The filter of the tokens.

use super::sub_list::SubList;
use super::{BeforeFilter, IndexerScreen};
use crate::app::panel::Panel;
use crate::app::responses::Responses;

impl IndexerScreen {
    /// Starts to edit the filter.
    pub(in crate::app) fn start_filter(&mut self) {
        self.filtering = true;
        self.focus = Panel::Tokens;
        self.was_filtered = self.is_filtered();
        self.before_filter = None;
    }

    /// Starts another list of tokens after the filter was edited.
    pub(in crate::app) fn apply_filter(&mut self) {
        let lookup = (!self.trail.is_empty()).then(|| self.take_place());
        let tokens = std::mem::take(&mut self.tokens);
        let restored = self.restored.take();
        let trail = std::mem::take(&mut self.trail);
        let chosen = || self.chosen.clone();
        self.before_filter.get_or_insert_with(|| BeforeFilter { tokens, chosen: chosen(), restored, trail, lookup });
    }

    /// Ends editing the filter, and keeps it.
    pub(in crate::app) fn keep_filter(&mut self) {
        self.filtering = false;
        self.before_filter = None;
    }

    /// Ends editing the filter, and shows all tokens with the one selected that was selected before.
    pub(in crate::app) fn cancel_filter(&mut self, responses: &Responses, rows: usize) {
        self.filtering = false;
        let filtered = self.chosen.clone();
        match self.before_filter.take() {
            Some(BeforeFilter { tokens, chosen, restored, trail, lookup }) if !self.was_filtered => {
                self.filter.reset();
                (self.tokens, self.chosen, self.restored, self.trail) = (tokens, chosen, restored, trail);
                match lookup {
                    Some(place) => self.restore_place(place),
                    None if self.chosen != filtered => self.reset_right(),
                    None => {}
                }
            }
            Some(BeforeFilter { chosen, .. }) => {
                if chosen != filtered {
                    self.reset_right();
                }
                self.chosen = chosen;
                self.clear_filter(responses, rows);
            }
            None if self.is_filtered() => self.clear_filter(responses, rows),
            None => {}
        }
    }

    /// Shows all tokens; the selected one stays selected if it is among those loaded.
    pub(in crate::app) fn clear_filter(&mut self, responses: &Responses, rows: usize) {
        self.filter.reset();
        self.tokens = SubList::default();
        self.restored = None;
        if let Some(ticker) = self.chosen.clone() {
            self.restore_ticker(ticker, responses, rows);
        }
    }
}
