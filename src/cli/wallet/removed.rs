//! Messages of `satscope wallet remove`, with which lots removed by mistake can be added again.

use crate::app::wallet::lot_line::line_of;
use crate::format::words::counted;
use crate::user_data::{Change, WalletAddress};

/// Maximum number of lots listed.
const MAX_NAMED: usize = 20;

/// The lines that add the removed lots again, and the command. Unreadable lots have no line.
pub(super) fn removed_sentences(removed: &[Change], addresses: &[WalletAddress]) -> Vec<String> {
    let lots = removed.iter().filter_map(|change| if let Change::RemoveLot(lot) = change { Some(lot) } else { None });
    let lines = lots.filter(|lot| !lot.coin.symbol.is_empty()).map(|lot| line_of(lot, addresses));
    let mut sentences: Vec<String> = lines.take(MAX_NAMED).map(|line| format!("removed: {line}")).collect();
    if !sentences.is_empty() {
        let others = removed.len() - sentences.len();
        if others > 0 {
            sentences.push(format!("removed: {}", counted(others, "other lot")));
        }
        sentences.push(String::from("to add a lot again: satscope wallet add 'LOT'"));
    }
    sentences
}
