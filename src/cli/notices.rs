//! What happened to the database in this process, and what could not be read from it.
//!
//! A static, like standard error, which has the same sentences: any of the functions that open the database may add
//! some, but only the JSON of a command has them. As values, they would pass through every command that reads or
//! writes the user's data.

use parking_lot::Mutex;

use super::failure::say;
use crate::client::Warning;
use crate::format::words::in_sentence;
use crate::user_data::StoreNotice;

/// What happened to the database while it was opened: a corrupt one was moved aside, or could not be read.
static NOTICES: Mutex<Vec<Warning>> = Mutex::new(Vec::new());

/// Warnings about what happened to the database, for the JSON of every command. Standard error has them, too.
pub(super) fn all() -> Vec<Warning> {
    NOTICES.lock().clone()
}

/// Prints that a part of the database can't be read, and keeps it for JSON.
pub(super) fn warn(warning: Warning) {
    say(&format!("warning: {warning}"));
    NOTICES.lock().push(warning);
}

/// Prints what happened to the database, and keeps it for JSON.
pub(super) fn announce(new: &[StoreNotice]) {
    let mut notices = NOTICES.lock();
    for sentence in new.iter().map(|notice| in_sentence(&notice.details)) {
        say(&sentence);
        notices.push(sentence);
    }
}
