//! The Alerts dialog: the list with its filter, or a line with a new or edited rule.

use tui_input::Input;

use crate::alerts::Tracked;
use crate::app::alerts::past::PastKey;
use crate::app::alerts::typed::TypedAlert;
use crate::user_data::assigned_ids::AssignedIds;
use crate::user_data::{Alert, AlertId, Edit};

/// The Alerts dialog: the list, or a line with a new or edited rule.
#[derive(Clone, Debug)]
pub struct AlertsDialog {
    /// The typed text; `None` while the list has the focus.
    pub line: Option<Input>,
    /// Index of the coin that the line is about.
    pub chosen: usize,
    /// Rules about the row on which the dialog was opened.
    pub suggestions: Vec<String>,
    /// The selected alert.
    pub selected: Option<AlertId>,
    /// The selected row below the alerts instead of an alert.
    pub past: Option<PastKey>,
    /// The alert that is edited; `None` for a new one.
    pub edited: Option<AlertId>,
    /// The edited alert, with the edits that could not be saved before the line opened, even if another process has
    /// removed it since.
    pub opened: Option<Edit<Alert>>,
    /// What the line means, as of the last update.
    pub typed: Option<TypedAlert>,
    /// The filter of the list; empty if there is none.
    pub filter: Input,
    /// Whether the filter is being typed.
    pub is_filtering: bool,
    /// While the filter is being typed, the alert that was selected before.
    before_filter: Option<AlertId>,
    /// The indices of the alerts that match the filter, updated when it, the alerts or the names of coins change; `None`
    /// without a filter.
    matches: Option<Vec<usize>>,
}

impl AlertsDialog {
    /// The dialog with a line, or with the list and its selected alert.
    pub fn new(line: Option<Input>, suggestions: Vec<String>, selected: Option<AlertId>) -> AlertsDialog {
        AlertsDialog {
            line,
            chosen: 0,
            suggestions,
            selected,
            past: None,
            edited: None,
            opened: None,
            typed: None,
            filter: Input::default(),
            is_filtering: false,
            before_filter: None,
            matches: None,
        }
    }

    /// The alerts in the list, of all alerts.
    pub fn listed<'a>(&'a self, all: &'a [Tracked]) -> ListedAlerts<'a> {
        ListedAlerts { all, matches: self.matches.as_deref() }
    }

    /// Whether a filter hides alerts.
    pub fn is_filtered(&self) -> bool {
        self.matches.is_some()
    }

    /// Whether it lists a firing or unchecked period of one of `all` alerts: only of a listed one. One whose alert no
    /// longer exists is listed if its text has each word of the filter.
    pub(in crate::app) fn lists_past(&self, all: &[Tracked], alert: AlertId, text: &str) -> bool {
        if !self.is_filtered() || self.listed(all).row_of(alert).is_some() {
            return true;
        }
        let text = text.to_lowercase();
        !has_alert(all, alert) && self.filter.value().to_lowercase().split_whitespace().all(|word| text.contains(word))
    }

    /// Follows the selected and the edited alert, to which the store may have given another ID. If the selected one
    /// is gone, the first one is selected.
    pub(in crate::app) fn follow(&mut self, before: &[Tracked], now: &[Tracked]) {
        let with = |all: &[Tracked], id| all.iter().find(|own| own.alert.id == id).map(|own| own.alert.rule.clone());
        let find = |id: AlertId| match with(now, id) {
            Some(_) => Some(id),
            None => {
                let rule = with(before, id)?;
                now.iter().rev().find(|own| own.alert.rule == rule).map(|own| own.alert.id)
            }
        };
        self.edited = self.edited.and_then(|id| find(id).or(Some(id)));
        self.before_filter = self.before_filter.and_then(find);
        self.selected = self.selected.and_then(find).or_else(|| now.first().map(|own| own.alert.id));
    }

    /// Replaces temporary IDs with those that the store has assigned.
    pub(super) fn assign_ids(&mut self, ids: &AssignedIds) {
        let opened = self.opened.iter_mut().flat_map(|edit| [&mut edit.before.id, &mut edit.after.id]);
        let open = self.edited.iter_mut().chain(&mut self.selected).chain(&mut self.before_filter).chain(opened);
        let open = open.chain(self.past.iter_mut().map(PastKey::alert_mut));
        open.for_each(|id| *id = ids.alert(*id));
    }

    /// Opens the line with this text; `edited` is the alert to edit, if any.
    pub fn type_line(&mut self, text: String, edited: Option<Alert>) {
        (self.line, self.chosen) = (Some(Input::new(text)), 0);
        (self.edited, self.opened) = (edited.as_ref().map(|alert| alert.id), edited.map(Edit::unchanged));
        self.suggestions.clear();
    }

    /// Starts to type the filter.
    pub(in crate::app) fn start_filter(&mut self) {
        (self.is_filtering, self.before_filter) = (true, self.selected);
    }

    /// Stops typing the filter, and keeps it.
    pub(in crate::app) fn keep_filter(&mut self) {
        (self.is_filtering, self.before_filter) = (false, None);
    }

    /// Stops typing the filter, shows all alerts, and restores the selection from before.
    pub(in crate::app) fn cancel_filter(&mut self) {
        self.selected = self.before_filter.or(self.selected);
        self.clear_filter();
    }

    /// Shows all alerts.
    pub(in crate::app) fn clear_filter(&mut self) {
        self.keep_filter();
        self.filter.reset();
        self.matches = None;
    }

    /// Shows only the alerts that match the filter, by their indices among `all` alerts; `None` shows all. If the
    /// selected one is hidden, the one from before the filter is selected, or the first one. A hidden firing
    /// is no longer selected.
    pub(in crate::app) fn show_matches(&mut self, matches: Option<Vec<usize>>, all: &[Tracked]) {
        self.matches = matches;
        let listed = self.listed(all);
        let is_listed = |id: &AlertId| listed.row_of(*id).is_some();
        let kept = [self.selected, self.before_filter].into_iter().flatten().find(is_listed);
        let first = listed.get(0).map(|tracked| tracked.alert.id);
        let is_hidden = |past: PastKey| has_alert(all, past.alert()) && listed.row_of(past.alert()).is_none();
        let past = self.past.filter(|past| !is_hidden(*past));
        (self.selected, self.past) = (kept.or(first).or(self.selected), past);
    }
}

fn has_alert(all: &[Tracked], id: AlertId) -> bool {
    all.iter().any(|tracked| tracked.alert.id == id)
}

/// The alerts in the list: all, or those that match the filter.
#[derive(Clone, Copy, Debug)]
pub struct ListedAlerts<'a> {
    all: &'a [Tracked],
    matches: Option<&'a [usize]>,
}

impl<'a> ListedAlerts<'a> {
    /// The number of rows.
    pub fn len(&self) -> usize {
        self.matches.map_or(self.all.len(), <[usize]>::len)
    }

    /// Whether there are none.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// The alert in a row.
    pub fn get(&self, row: usize) -> Option<&'a Tracked> {
        let index = match self.matches {
            Some(matches) => *matches.get(row)?,
            None => row,
        };
        self.all.get(index)
    }

    /// The row of an alert.
    pub fn row_of(&self, id: AlertId) -> Option<usize> {
        (0..self.len()).find(|row| self.get(*row).is_some_and(|tracked| tracked.alert.id == id))
    }
}
