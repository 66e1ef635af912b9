//! The order of the tokens at the left of the indexer tab.

use std::cmp::Ordering;

use super::IndexerScreen;
use crate::app::store::Store;
use crate::model::Brc20Token;

/// What the tokens can be sorted by.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum TokenColumn {
    /// The number of events.
    Events,
    /// The ticker.
    Ticker,
    /// The minted part of the maximum supply.
    Minted,
    /// The maximum supply.
    Supply,
    /// When it was deployed.
    Deployed,
}

impl TokenColumn {
    /// All of them, in the order of the menu.
    pub const ALL: [TokenColumn; 5] =
        [TokenColumn::Events, TokenColumn::Ticker, TokenColumn::Minted, TokenColumn::Supply, TokenColumn::Deployed];

    /// Its key in the menu.
    pub fn key(self) -> char {
        match self {
            TokenColumn::Events => 'e',
            TokenColumn::Ticker => 't',
            TokenColumn::Minted => 'm',
            TokenColumn::Supply => 'u',
            TokenColumn::Deployed => 'd',
        }
    }

    /// As people read it.
    pub fn title(self) -> &'static str {
        match self {
            TokenColumn::Events => "events",
            TokenColumn::Ticker => "ticker",
            TokenColumn::Minted => "minted",
            TokenColumn::Supply => "supply",
            TokenColumn::Deployed => "deployed",
        }
    }
}

/// A column and a direction.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct TokenSort {
    /// By what.
    pub column: TokenColumn,
    /// The greatest (the newest) first.
    pub descending: bool,
}

impl From<TokenColumn> for TokenSort {
    /// Words begin at A, numbers at the greatest.
    fn from(column: TokenColumn) -> TokenSort {
        TokenSort { column, descending: column != TokenColumn::Ticker }
    }
}

impl Default for TokenSort {
    /// The most active first.
    fn default() -> TokenSort {
        TokenSort::from(TokenColumn::Events)
    }
}

impl TokenSort {
    /// Whether the most active tokens are first, the order that services are asked for.
    pub fn is_most_active(self) -> bool {
        self == TokenSort::default()
    }

    /// Compares two tokens; what is unknown comes last in either direction.
    pub(super) fn compare(self, a: &Brc20Token, b: &Brc20Token) -> Ordering {
        let minted = |token: &Brc20Token| token.minted_supply.zip(token.max_supply).and_then(|(m, of)| m.ratio(of));
        match self.column {
            TokenColumn::Events => self.known(a.tx_count, b.tx_count),
            TokenColumn::Ticker => self.known(Some(&a.ticker), Some(&b.ticker)),
            TokenColumn::Minted => self.known_by(minted(a), minted(b), f64::total_cmp),
            TokenColumn::Supply => self.known(a.max_supply, b.max_supply),
            TokenColumn::Deployed => self.known(a.deployed_at, b.deployed_at),
        }
    }

    fn known<T: Ord>(self, a: Option<T>, b: Option<T>) -> Ordering {
        self.known_by(a, b, T::cmp)
    }

    fn known_by<T>(self, a: Option<T>, b: Option<T>, compare: impl Fn(&T, &T) -> Ordering) -> Ordering {
        match (a, b) {
            (Some(a), Some(b)) if self.descending => compare(&b, &a),
            (Some(a), Some(b)) => compare(&a, &b),
            (a, b) => b.is_some().cmp(&a.is_some()),
        }
    }
}

impl IndexerScreen {
    /// Sorts the tokens by a column, or in the other direction; their top is selected then.
    pub fn sort_by(&mut self, sort: TokenSort, store: &Store) {
        self.sort = sort;
        self.tokens.reorder();
        let tokens = self.token_list(store);
        self.tokens.cursor.select(0, tokens.len(), |row| tokens.get(row));
        self.choose(&tokens);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn token(ticker: &str, events: Option<u64>) -> Brc20Token {
        Brc20Token { tx_count: events, ..Brc20Token::new(ticker.into()) }
    }

    #[test]
    fn unknown_values_come_last_in_both_directions() {
        let tokens = [token("none", None), token("few", Some(1)), token("many", Some(9))];
        for (descending, expected) in [(true, ["many", "few", "none"]), (false, ["few", "many", "none"])] {
            let sort = TokenSort { column: TokenColumn::Events, descending };
            let mut sorted: Vec<&Brc20Token> = tokens.iter().collect();
            sorted.sort_by(|a, b| sort.compare(a, b));
            assert_eq!(sorted.iter().map(|token| token.ticker.as_str()).collect::<Vec<_>>(), expected);
        }
    }
}
