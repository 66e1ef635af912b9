//! Ids of the transactions and inscriptions of tokens, in their usual notation.

use crate::client::decode::identity::is_number;
use crate::model::{Text, is_inscription_id};

/// Length of a transaction's id in hex digits.
const TX_ID_LENGTH: usize = 64;

/// The id of a transaction, without `0x` and the number of an output (`<txid>:0`). `None` for the id of something else,
/// such as a database row.
pub(super) fn tx_id(id: Text) -> Option<Text> {
    match plain(&id).split_at_checked(TX_ID_LENGTH) {
        Some((tx, rest)) if is_hex(tx) && is_index(rest) => Some(Text::from(tx.to_ascii_lowercase())),
        _ => Some(id).filter(|id| may_be_id(id)),
    }
}

/// The id of an inscription, without `0x`. `None` for the id of something else, such as a database row.
pub(super) fn inscription_id(id: Text) -> Option<Text> {
    let plain = plain(&id);
    if is_inscription_id(plain) {
        return Some(Text::from(plain.to_ascii_lowercase()));
    }
    Some(id).filter(|id| may_be_id(id))
}

fn plain(id: &str) -> &str {
    let id = id.trim();
    id.strip_prefix("0x").or_else(|| id.strip_prefix("0X")).unwrap_or(id)
}

fn is_hex(text: &str) -> bool {
    text.bytes().all(|b| b.is_ascii_hexdigit())
}

/// Whether nothing follows the id of a transaction, or the number of an output or an inscription.
fn is_index(rest: &str) -> bool {
    rest.is_empty() || rest.strip_prefix([':', 'i', 'I']).is_some_and(is_number)
}

/// Whether a text may be an id in another notation, such as a shortened one (`b61b…i0`).
fn may_be_id(id: &str) -> bool {
    let plain = plain(id);
    !is_number(plain) && plain.chars().all(|c| c.is_ascii_hexdigit() || matches!(c, 'i' | 'I' | ':' | '.' | '…'))
}
