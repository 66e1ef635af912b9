//! The failures of `satscope wallet` about lots.

use super::super::failure::{Failure, with_short_words};
use crate::portfolio::entry::EntryError;
use crate::portfolio::number;
use crate::user_data::{LotId, LotKind};

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
    match (error, words) {
        (EntryError::Unknown(unexpected), [_, .., last]) if may_be_note(last, unexpected) => {
            Failure::Usage(with_short_words(&format!("{error}; for a note, use --note")))
        }
        _ => usage(error),
    }
}

/// Whether an argument with an unexpected word may be a note. A single word isn't if it is another part of a lot.
fn may_be_note(argument: &str, unexpected: &str) -> bool {
    if argument.trim() == unexpected {
        let is_known = unexpected.eq_ignore_ascii_case("at") || LotKind::parse(&unexpected.to_lowercase()).is_some();
        return !is_known && number::parse(unexpected).is_err();
    }
    argument.split(|c: char| c.is_whitespace() || c == '@').any(|word| word == unexpected)
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
