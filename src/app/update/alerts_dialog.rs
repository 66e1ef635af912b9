//! The Alerts dialog: the list of alerts, or a line with a new or edited rule.

use std::cell::LazyCell;

use compact_str::format_compact;
use tui_input::Input;

use crate::app::alerts::past::PastKey;
use crate::app::coins::named_coin::NamedCoin;
use crate::app::effect::Effect;
use crate::app::extension::Extension;
use crate::app::overlay::{AlertsDialog, Overlay};
use crate::app::state::State;
use crate::app::step::Step;
use crate::client::Request;
use crate::keymap::{Command, Context};
use crate::model::{Tag, Text};

use super::dialog::{ChoiceKeys, Dialog};
use super::{alerts, selected_alert};

/// The alerts.
pub(super) struct AlertsListDialog;

impl Dialog for AlertsListDialog {
    fn context(&self, state: &State) -> Context {
        match open(state) {
            Some(AlertsDialog { line: Some(_), .. }) => Context::Choice,
            Some(AlertsDialog { is_filtering: true, .. }) => Context::Line,
            _ => Context::Alerts,
        }
    }

    fn run(&self, state: &mut State, command: Command, effects: &mut Vec<Effect>) {
        alerts::run(state, command, effects);
    }

    fn step(&self, state: &mut State, step: Step) {
        alerts::step(state, step);
    }

    /// Leaves the line for the list, or clears the filter.
    fn back(&self, state: &mut State, effects: &mut Vec<Effect>) {
        alerts::run(state, Command::Back, effects);
    }

    fn choice_key(&self, state: &State, index: usize) -> Option<Text> {
        self.choice_keys(state)(index)
    }

    fn choice_keys<'a>(&'a self, state: &'a State) -> ChoiceKeys<'a> {
        let Some(dialog) = open(state) else { return Box::new(|_| None) };
        if dialog.line.is_some() {
            return Box::new(move |index| dialog.typed.as_ref()?.coins.get(index).map(NamedCoin::key));
        }
        let listed = dialog.listed(&state.alerts.tracked);
        let past_alerts = LazyCell::new(move || state.listed_past_alerts(dialog));
        Box::new(move |index| {
            if let Some(tracked) = listed.get(index) {
                return Some(format_compact!("alert {}", tracked.alert.id));
            }
            let past = past_alerts.get(index.checked_sub(listed.len())?)?.key;
            Some(match past {
                PastKey::Firing(alert, number) => format_compact!("firing {alert} {number}"),
                PastKey::Unchecked(alert, from) => format_compact!("unchecked {alert} {}", from.millis()),
            })
        })
    }

    fn click(&self, state: &mut State, index: usize) -> bool {
        alerts::click(state, index);
        false
    }

    fn field<'a>(&self, state: &'a mut State) -> Option<&'a mut Input> {
        match &mut state.overlay {
            Some(Overlay::Alerts(dialog)) => match &mut dialog.line {
                Some(line) => Some(line),
                None => dialog.is_filtering.then_some(&mut dialog.filter),
            },
            _ => None,
        }
    }

    /// The dialog explains the new text, or lists the alerts that match the filter.
    fn edited(&self, state: &mut State) {
        state.toast = None;
        let Some(Overlay::Alerts(dialog)) = &mut state.overlay else { return };
        match dialog.line {
            Some(_) => dialog.chosen = 0,
            None => {
                dialog.past = None;
                state.filter_alerts();
            }
        }
    }

    /// The token of a typed rule. The names of all coins, or else the first page of the list, if it names a coin that
    /// is not known.
    fn lookups(&self, state: &State) -> Vec<Request> {
        let typed = open(state).and_then(|dialog| dialog.typed.as_ref());
        if let Some(ticker) = typed.and_then(|typed| typed.ticker.clone()) {
            return vec![Request::Brc20Token { ticker }];
        }
        if !typed.is_some_and(|typed| typed.needs_names) {
            return Vec::new();
        }
        let list = || state.list(Tag::All).first_request(&state.convert);
        let names = state.may_request(Extension::Names).then_some(Request::CoinNames);
        state.lacks(Extension::Names).then(list).into_iter().chain(names).collect()
    }

    /// In the list, most commands need an alert; in the line, selecting needs several suggestions or coins.
    fn offers(&self, state: &State, command: Command) -> bool {
        let Some(AlertsDialog { suggestions, typed: Some(typed), line: Some(_), .. }) = open(state) else {
            let is_typing = open(state).is_some_and(|dialog| dialog.line.is_some() || dialog.is_filtering);
            return match command {
                _ if is_typing => true,
                Command::FilterAlerts => !state.alerts.tracked.is_empty(),
                _ => !selected_alert::needs_alert(command) || selected_alert::selected(state).is_some(),
            };
        };
        let is_suggested = suggestions.len() > 1 && suggestions.contains(&typed.line);
        !matches!(command, Command::Up | Command::Down) || is_suggested || typed.coins.len() > 1
    }

    fn is_prefilled(&self, state: &State) -> bool {
        let Some((dialog, line)) = open(state).and_then(|dialog| Some((dialog, dialog.line.as_ref()?.value()))) else {
            return false;
        };
        let is_invalid = dialog.typed.as_ref().is_some_and(|typed| typed.outcome.is_err());
        // A rule may have been typed after the text instead of replacing it.
        let is_kept = |text: &str| line == text || (is_invalid && line.starts_with(text));
        dialog.suggestions.iter().any(|known| is_kept(known))
            || dialog.opened.as_ref().is_some_and(|edit| is_kept(&selected_alert::edited_line(state, &edit.after)))
    }

    /// Without alerts, there is no list to go back to.
    fn back_label(&self, state: &State) -> Option<&'static str> {
        let dialog = open(state)?;
        match dialog.line {
            Some(_) => (!state.alerts.tracked.is_empty()).then_some("list"),
            None => (dialog.is_filtered() && !dialog.is_filtering).then_some("all alerts"),
        }
    }

    fn open_label(&self, state: &State) -> Option<&'static str> {
        let dialog = open(state).filter(|dialog| dialog.line.is_some() && dialog.typed.is_some())?;
        Some(if dialog.edited.is_some() { "save" } else { "add" })
    }
}

fn open(state: &State) -> Option<&AlertsDialog> {
    match &state.overlay {
        Some(Overlay::Alerts(dialog)) => Some(dialog),
        _ => None,
    }
}
