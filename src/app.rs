//! The application core: its [`State`], how messages change it ([`update()`]), which data it needs ([`demand()`]) and
//! when the screen changes without a message ([`next_deadline()`]).
//!
//! Nothing here does I/O, reads a clock or spawns a task: each message comes with its time, and side effects are
//! returned as [`Effect`]s, so all behaviour can be tested as a function of messages.

pub mod address_line;
mod alert_line;
mod alert_problems;
pub mod alert_values;
pub mod alerts;
pub mod chart_view;
pub mod chart_window;
pub mod coin_names;
pub mod compare;
mod compared_lines;
pub mod cursor;
pub mod deadline;
pub mod demand;
pub mod effect;
mod exchange_rate;
pub mod extension;
pub mod filter;
pub mod fuzzy;
pub mod holdings;
mod keys;
pub mod last_seen;
pub mod listed_change;
mod listed_price;
mod live;
pub mod live_coins;
pub mod lookup;
mod lost_changes;
pub mod lot_line;
pub mod menu;
pub mod message;
mod more_coins;
pub mod named_coin;
mod note;
pub mod overlay;
pub mod pages;
pub mod palette;
pub mod panel;
pub mod panel_scroll;
pub mod past_alerts;
mod paused_events;
pub mod posts;
mod privacy;
pub mod recent;
pub mod recent_changes;
pub mod responses;
pub mod screen;
pub mod scroll;
pub mod search;
pub mod session;
mod source_rows;
pub mod sources;
pub mod state;
pub mod status;
pub mod store_log;
pub mod title_coin;
pub mod toast;
pub mod token_prices;
pub mod typed_alert;
pub mod typed_lot;
pub mod undo;
pub mod unsaved;
pub mod update;
mod value_chart;
mod wallet_change;
pub(crate) mod watched_order;
pub mod year;

pub use chart_view::ChartView;
pub use chart_window::ChartWindow;
pub use cursor::Cursor;
pub use deadline::next_deadline;
pub use demand::{demand, visible_requests};
pub use effect::Effect;
pub use menu::Menu;
pub use message::{Message, Target};
pub use overlay::Overlay;
pub use panel::Panel;
pub use responses::{Remote, Responses};
pub use session::Session;
pub use state::{Preferences, State};
pub use update::{last_announcements, update};

pub use crate::keymap::{Command, Tab};
