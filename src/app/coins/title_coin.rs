//! What is known about the coin in the window title.

use std::mem;

use crate::model::CoinId;

/// What is known about the coin in the window title.
#[derive(Debug, Default)]
pub(in crate::app) struct TitleCoin {
    /// Its id, once it is found.
    pub(super) id: Option<CoinId>,
    /// Whether a message has said that the configured title matches no coin, or several.
    is_problem_reported: bool,
}

impl TitleCoin {
    /// Whether to say that no coin is found: only at the first call without one.
    pub(super) fn take_problem(&mut self) -> bool {
        self.id.is_none() && !mem::replace(&mut self.is_problem_reported, true)
    }
}
