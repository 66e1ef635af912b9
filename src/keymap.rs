//! Commands and their keys. A [`Keymap`] is built from the defaults in [`COMMANDS`] and the `[keys]` section of the
//! configuration. Help, footer, README and all messages that name a key read it.

mod command;
mod commands;
mod context;
mod custom;
mod document;
mod entry;
pub mod help;
mod key;
mod map;
mod notation;
mod tab;

pub use command::Command;
pub use commands::{COMMANDS, find_entry};
pub use context::{Context, DIALOGS, GENERAL, INPUT, SCREENS, SECTIONS, Section};
pub use custom::{Override, OverrideError};
pub use document::{Setting, markdown, toml, toml_value};
pub use entry::{Entry, Use};
pub use key::{Key, Sequence};
pub use map::{Binding, Hint, Keymap, Press, Row};
pub use notation::InvalidKey;
pub use tab::Tab;
