//! The selected token, now and in an earlier session.

use super::IndexerScreen;
use crate::app::cursor::Cursor;
use crate::app::pages::PagedList;
use crate::app::responses::Responses;
use crate::model::{Brc20Token, Identity as _, Text};

impl IndexerScreen {
    /// Records which token is selected.
    pub(super) fn choose(&mut self, tokens: &PagedList<'_, Brc20Token>) {
        let cursor = &self.tokens.cursor;
        if let Some(token) = tokens.get(cursor.index()).filter(|token| cursor.is_on(*token)) {
            self.chosen = Some(token.ticker.clone());
        }
    }

    /// Stops waiting for selected items that disappeared.
    pub(in crate::app) fn forget_missing(&mut self) {
        let IndexerScreen { tokens, holders, activity, balances, inscriptions, .. } = self;
        for list in [tokens, holders, activity, balances, inscriptions] {
            list.cursor.forget_missing();
        }
    }

    /// Selects the token of an earlier session as soon as it is loaded. No page is requested only to find it.
    pub(in crate::app) fn restore_ticker(&mut self, ticker: Text, responses: &Responses, rows: usize) {
        if let Some(key) = Brc20Token::new(ticker.clone()).key() {
            self.tokens.cursor = Cursor::on(key);
            self.chosen = Some(ticker.clone());
            self.restored = Some(ticker);
            self.sync_tokens(responses, rows);
        }
    }

    /// The ticker to select at the next start. `None` in the first row: the user is at the top of the list, regardless
    /// of the token there. A restored one that has not been found stays until the user selects another one.
    pub(in crate::app) fn saved_ticker(&self, responses: &Responses) -> Option<Text> {
        let selected = || self.chosen.clone().filter(|_| self.tokens.cursor.key().is_some());
        let is_first = |ticker: &Text| self.token_list(responses).get(0).is_some_and(|token| token.ticker == *ticker);
        self.restored.clone().or_else(|| selected().filter(|ticker| !is_first(ticker)))
    }

    /// Updates the tokens from the responses.
    pub(super) fn sync_tokens(&mut self, responses: &Responses, rows: usize) {
        let tokens = self.token_list(responses);
        // Only a new list, as after an edit of the filter, has no selected token yet.
        let before = self.chosen.clone().filter(|_| self.tokens.cursor.key().is_none());
        if self.restored.is_some() && tokens.is_loaded() {
            // A further page that is visible anyway may have it.
            self.tokens.depth.follow(self.tokens.cursor.index(), rows, &tokens);
        }
        self.tokens.reselect(&tokens, rows);
        let is_found = |ticker: &Text| {
            let wanted = Brc20Token::new(ticker.clone());
            tokens.get(self.tokens.cursor.index()).is_some_and(|token| token.identity() == wanted.identity())
        };
        if self.restored.as_ref().is_some_and(is_found) || tokens.is_whole(&self.tokens.depth) && !tokens.has_more() {
            self.restored = None;
        }
        self.choose(&tokens);
        if before.is_some() && self.chosen != before && self.trail.is_empty() {
            self.reset_right();
        }
    }
}
