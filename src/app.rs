//! The application core: its [`State`], how messages change it ([`update()`]), which data it needs ([`demand()`]) and
//! when the screen changes without a message ([`next_deadline()`]).
//!
//! Nothing here does I/O, reads a clock or spawns a task: each message comes with its time, and side effects are
//! returned as [`Effect`]s, so all behaviour can be tested as a function of messages.
//!
//! # Where things are
//!
//! - [`state`]: the [`State`]. [`screen`] and [`overlay`]: the data of each screen and dialog, with methods that change
//!   nothing else, such as moving a cursor or sorting a list.
//! - [`update`](mod@update): the behaviour. A file for each screen, dialog and group of commands handles messages,
//!   changes the state and adds effects.
//! - [`alerts`], [`chart`], [`coins`], [`find`], [`live`], [`posts`], [`saved`], [`sources`], [`status`], [`wallet`]:
//!   one topic each: data that no screen owns, and values computed from the state for `update` and the view.
//! - The other modules: types that all of these use, such as [`cursor`], [`menu`] and [`responses`], and the interface
//!   to the runtime: [`message`], [`effect`], [`demand`](mod@demand), [`deadline`].
//!
//! A new file belongs in `update/` if it handles messages or adds effects, in `screen/` or `overlay/` if it holds the
//! data of one screen or dialog, and otherwise in the folder of its topic.

pub mod alerts;
pub mod chart;
pub mod coins;
pub mod cursor;
pub mod deadline;
pub mod demand;
pub mod effect;
pub mod extension;
pub mod find;
mod keys;
pub mod live;
pub mod live_choice;
pub mod manual_refresh;
pub mod menu;
pub mod message;
pub mod order_hold;
pub mod overlay;
pub mod pages;
pub mod panel;
pub mod panel_scroll;
mod paused_events;
pub mod posts;
pub mod preferences;
pub mod previous_currency;
pub mod responses;
pub mod saved;
pub mod screen;
pub mod scroll;
pub mod sources;
pub mod state;
pub mod status;
pub mod step;
pub mod toast;
pub mod update;
pub mod wallet;

pub use chart::view::ChartView;
pub use chart::window::ChartWindow;
pub use cursor::Cursor;
pub use deadline::next_deadline;
pub use demand::{demand, visible_requests};
pub use effect::Effect;
pub use menu::Menu;
pub use message::{ClickTarget, Message};
pub use overlay::Overlay;
pub use panel::Panel;
pub use preferences::Preferences;
pub use responses::{Remote, Responses};
pub use saved::session::Session;
pub use state::State;
pub use update::{Click, ScreenId, last_announcements, switch_source, update};

pub use crate::keymap::{Command, Tab};
