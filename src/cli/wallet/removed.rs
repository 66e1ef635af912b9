//! What `satscope wallet remove` says about the removed lots, which may have been removed by mistake.

use crate::app::wallet::lot_line::line_of;
use crate::format::words::counted;
use crate::user_data::{Change, WalletAddress};

/// Maximum lots that are named.
const MAX_NAMED: usize = 20;

/// The removed lots as the lines that would add them again, and how to do that. Those that could not be read have none.
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
