//! Messages of `satscope wallet remove`, with which lots removed by mistake can be added again.

use crate::app::wallet::lot_line::line_of;
use crate::format::words::counted;
use crate::user_data::{Change, WalletAddress};

/// Maximum number of lots listed.
const MAX_NAMED: usize = 20;

/// The commands that add the removed lots again, and the number of other lots. Unreadable lots have no command.
pub(super) fn removed_sentences(removed: &[Change], addresses: &[WalletAddress]) -> Vec<String> {
    let lots = removed.iter().filter_map(|change| if let Change::RemoveLot(lot) = change { Some(lot) } else { None });
    let undo = lots.filter(|lot| !lot.coin.symbol.is_empty()).map(|lot| {
        format!("removed lot {}; to undo: satscope wallet add {}", lot.id, shell_quoted(&line_of(lot, addresses)))
    });
    let mut sentences: Vec<String> = undo.take(MAX_NAMED).collect();
    let others = removed.len() - sentences.len();
    if !sentences.is_empty() && others > 0 {
        sentences.push(format!("removed {}", counted(others, "more lot")));
    }
    sentences
}

/// A string as one argument of a POSIX shell.
fn shell_quoted(text: &str) -> String {
    format!("'{}'", text.replace('\'', r"'\''"))
}
