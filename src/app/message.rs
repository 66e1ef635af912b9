//! The messages that change the state.

use std::time::Duration;

use crossterm::event::KeyEvent;

use crate::fetch::Event;
use crate::keymap::{Command, Tab};
use crate::model::{ProviderName, UtcTime};
use crate::user_data::alert::{Checker, DataKind};
use crate::user_data::assigned_ids::AssignedIds;
use crate::user_data::{StoreNotice, UserData};

use super::panel::Panel;
use super::panel_scroll::ScrollLimits;
use super::responses::CachedResponse;

/// An event. [`super::update()`] also receives its time.
#[derive(Clone, Debug)]
pub enum Message {
    /// A pressed key.
    Key(KeyEvent),
    /// A command of the user.
    Command(Command),
    /// Pasted text.
    Paste(String),
    /// A click on something.
    Click(ClickTarget),
    /// The mouse wheel was turned: rows, up if negative; and the panel under the pointer.
    Wheel(isize, Option<Panel>),
    /// How far the tables of the last frame can be scrolled sideways.
    ScrollLimits(ScrollLimits),
    /// The terminal's size in cells: columns, rows.
    Resize(u16, u16),
    /// Something happened to a request.
    Fetch(Event),
    /// Cached responses of an earlier run.
    Restored(Vec<CachedResponse>),
    /// A deadline of [`super::next_deadline()`] has passed, or the clock has changed.
    Tick,
    /// The user data as read from the store, at the start and after another process changed them.
    Loaded(Box<UserData>),
    /// The store has assigned IDs to new lots and alerts.
    IdsAssigned(AssignedIds),
    /// Which process checks the alerts on a kind of data; one does at a time.
    AlertLease {
        /// The kind of data.
        kind: DataKind,
        /// Who checks them.
        checker: Checker,
    },
    /// The change with this number is a firing that another process had recorded before.
    FiredElsewhere(u64),
    /// The store has saved the change with this number, or failed to.
    Saved(u64, Result<(), StoreNotice>),
    /// The edit with this number was not applied, in one sentence: another process has removed its subject, or there
    /// are too many notes.
    NotEdited(u64, String),
    /// The store can't save changes.
    StoreFailed(StoreNotice),
    /// The store couldn't read the user data: the database with the reason, `satscope.db (permission denied)`.
    StoreUnread(String),
    /// Something happened to the saved data.
    StoreNotice(StoreNotice),
    /// The test of a provider has ended: its latency, or why it doesn't work.
    SourceTested {
        /// The provider.
        name: ProviderName,
        /// The latency, or the reason.
        outcome: Result<Duration, String>,
    },
    /// No browser could be started for this link.
    LinkNotOpened(String),
    /// The user's command for an alert has ended; the error is one sentence.
    AlertCommandEnded(Result<(), String>),
    /// A side effect failed; the text is one sentence.
    EffectFailed(String),
    /// A side effect succeeded; a few words for the user.
    Notice(String),
}

impl Message {
    /// Whether it is an input of the user.
    pub(super) fn is_input(&self) -> bool {
        matches!(
            self,
            Message::Key(_) | Message::Command(_) | Message::Paste(_) | Message::Click(_) | Message::Wheel(..)
        )
    }
}

/// What a mouse click hits. The view records where it drew each of these.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ClickTarget {
    /// A tab's title.
    Tab(Tab),
    /// A row of the list on the screen or of a panel, counted from 0 in the whole list.
    Row(Option<Panel>, usize),
    /// The heading of a column, by its index in the table.
    Heading(Option<Panel>, usize),
    /// A panel.
    Panel(Panel),
    /// A period of the chart.
    Period(crate::model::Period),
    /// An order of posts.
    PostOrder(crate::model::PostOrder),
    /// A column of a line or area chart: its index and the number of columns.
    ChartColumn(u16, u16),
    /// A candle of the chart: the time of its last point.
    Candle(UtcTime),
    /// An item of the open menu.
    MenuItem(usize),
    /// The open menu beside its items.
    Menu,
    /// A row of the open dialog.
    Choice(usize),
    /// The screen outside the open dialog.
    Outside,
}

impl ClickTarget {
    /// The panel of a row or heading, or the panel itself.
    pub fn panel(self) -> Option<Panel> {
        match self {
            ClickTarget::Panel(panel) => Some(panel),
            ClickTarget::Row(panel, _) | ClickTarget::Heading(panel, _) => panel,
            ClickTarget::Tab(_)
            | ClickTarget::Period(_)
            | ClickTarget::PostOrder(_)
            | ClickTarget::ChartColumn(..)
            | ClickTarget::Candle(_)
            | ClickTarget::MenuItem(_)
            | ClickTarget::Menu
            | ClickTarget::Choice(_)
            | ClickTarget::Outside => None,
        }
    }
}
