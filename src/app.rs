//! The heart: what the program knows ([`State`]), how that changes ([`update()`]), what it wants to see next
//! ([`demand()`]) and when time alone changes the picture ([`next_deadline()`]).
//!
//! Nothing in here does I/O, reads a clock or spawns anything: time arrives with every message, wishes leave as
//! [`Effect`]s. So every behaviour is a table test.

pub mod cursor;
pub mod deadline;
pub mod demand;
pub mod effect;
mod keys;
pub mod lookup;
pub mod menu;
pub mod message;
pub mod overlay;
pub mod pages;
pub mod screen;
pub mod scroll;
pub mod search;
pub mod session;
pub mod state;
pub mod store;
pub mod update;
pub mod user_data;
pub mod watch;

pub use cursor::Cursor;
pub use deadline::next_deadline;
pub use demand::demand;
pub use effect::Effect;
pub use menu::Menu;
pub use message::{Message, Target};
pub use overlay::Overlay;
pub use session::Session;
pub use state::{Preferences, State};
pub use store::{Remote, Store};
pub use update::update;
pub use user_data::{Change, UserData};

pub use crate::keymap::{Command, Tab};
