//! The failures of `satscope wallet` about lots.

use super::super::failure::{Failure, with_short_words};
use crate::portfolio::entry::EntryError;
use crate::user_data::LotId;

/// A usage error for an invalid part of a lot.
pub(super) fn usage(error: &EntryError) -> Failure {
    let hint = match error {
        EntryError::OnlyAddress => " (to add an address: satscope wallet address add ADDRESS)",
        _ => "",
    };
    Failure::Usage(with_short_words(&format!("{error}{hint}")))
}

/// Like [`usage`], for a lot given as these words. The shell removes the quotes around a note.
pub(super) fn usage_in(words: &[String], error: &EntryError) -> Failure {
    let may_be_note = words.len() > 1 && words.last().is_some_and(|last| last.trim().contains(char::is_whitespace));
    match error {
        EntryError::Unknown(_) if may_be_note => {
            Failure::Usage(with_short_words(&format!("{error}; for a note, use --note")))
        }
        _ => usage(error),
    }
}

/// The failure if there are no lots with IDs in this range.
pub(super) fn unknown_lots(first: LotId, last: LotId) -> Failure {
    if first == last {
        unknown_lot(first)
    } else {
        Failure::Operation(format!("no lots with IDs {first}-{last} (list lots: satscope wallet)"))
    }
}

/// The failure if there is no lot with this ID.
pub(super) fn unknown_lot(id: LotId) -> Failure {
    Failure::Operation(format!("unknown lot {id} (list lots: satscope wallet)"))
}
