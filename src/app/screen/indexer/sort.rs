//! The sort order of the indexer's tokens.

use std::cmp::Ordering;
use std::collections::HashMap;

use crate::app::screen::known_values::compare_known;
use crate::model::{Brc20Token, Coin, Text};

/// The sort columns of the tokens.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum TokenColumn {
    /// The number of events.
    Events,
    /// The ticker.
    Ticker,
    /// The price of its coin.
    Price,
    /// The change of its coin's price over a day.
    Change24h,
    /// The minted share of the max supply.
    Minted,
    /// The max supply.
    Supply,
    /// The time of the deploy.
    Deployed,
}

impl TokenColumn {
    /// All columns, in the order of the menu.
    pub const ALL: [TokenColumn; 7] = [
        TokenColumn::Events,
        TokenColumn::Ticker,
        TokenColumn::Price,
        TokenColumn::Change24h,
        TokenColumn::Minted,
        TokenColumn::Supply,
        TokenColumn::Deployed,
    ];

    /// The name in the session.
    pub fn as_str(self) -> &'static str {
        match self {
            TokenColumn::Events => "events",
            TokenColumn::Ticker => "ticker",
            TokenColumn::Price => "price",
            TokenColumn::Change24h => "24h",
            TokenColumn::Minted => "minted",
            TokenColumn::Supply => "supply",
            TokenColumn::Deployed => "deployed",
        }
    }

    /// The key in the menu.
    pub fn key(self) -> char {
        match self {
            TokenColumn::Events => 'e',
            TokenColumn::Ticker => 't',
            TokenColumn::Price => 'p',
            TokenColumn::Change24h => 'd',
            TokenColumn::Minted => 'm',
            TokenColumn::Supply => 'u',
            TokenColumn::Deployed => 'o',
        }
    }

    /// The title in the menu.
    pub fn title(self) -> &'static str {
        match self {
            TokenColumn::Events => "events",
            TokenColumn::Ticker => "ticker",
            TokenColumn::Price => "price",
            TokenColumn::Change24h => "24h change",
            TokenColumn::Minted => "minted",
            TokenColumn::Supply => "supply",
            TokenColumn::Deployed => "deployed",
        }
    }

    /// Label of the reversed direction, appended to a sentence: `, oldest first`.
    pub fn reversed_label(self) -> &'static str {
        match self {
            TokenColumn::Events => ", least active first",
            TokenColumn::Ticker => ", Z to A",
            TokenColumn::Price => ", lowest first",
            TokenColumn::Change24h => ", losers first",
            TokenColumn::Minted => ", least first",
            TokenColumn::Supply => ", smallest first",
            TokenColumn::Deployed => ", oldest first",
        }
    }

    /// Reads the column's value from a coin; `None` if tokens have the value themselves.
    pub(in crate::app) fn of_coin(self) -> Option<fn(&Coin) -> Option<f64>> {
        match self {
            TokenColumn::Price => Some(|coin| coin.price),
            TokenColumn::Change24h => Some(|coin| coin.change_24h_pct),
            _ => None,
        }
    }
}

/// The values of coins by which the tokens are sorted, by ticker.
pub type SortValues = HashMap<Text, f64>;

/// A column and a direction.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct TokenSort {
    /// The sort column.
    pub column: TokenColumn,
    /// Whether the largest (or newest) value comes first.
    pub descending: bool,
}

impl From<TokenColumn> for TokenSort {
    /// The default direction: tickers from A, numbers from the largest.
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
    /// Compares two tokens; unknown values come last in both directions.
    pub(super) fn compare(self, a: &Brc20Token, b: &Brc20Token, values: &SortValues) -> Ordering {
        let value = |token: &Brc20Token| values.get(&token.ticker).copied();
        let minted = |token: &Brc20Token| token.minted_supply.zip(token.max_supply).and_then(|(m, of)| m.ratio(of));
        match self.column {
            TokenColumn::Events => self.known(a.tx_count, b.tx_count),
            TokenColumn::Ticker => self.known(Some(&a.ticker), Some(&b.ticker)),
            TokenColumn::Price | TokenColumn::Change24h => self.known_by(value(a), value(b), f64::total_cmp),
            TokenColumn::Minted => self.known_by(minted(a), minted(b), f64::total_cmp),
            TokenColumn::Supply => self.known(a.max_supply, b.max_supply),
            TokenColumn::Deployed => self.known(a.deployed_at, b.deployed_at),
        }
    }

    fn known<T: Ord>(self, a: Option<T>, b: Option<T>) -> Ordering {
        self.known_by(a, b, T::cmp)
    }

    fn known_by<T>(self, a: Option<T>, b: Option<T>, compare: impl Fn(&T, &T) -> Ordering) -> Ordering {
        compare_known(self.descending, a, b, compare)
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
            sorted.sort_by(|a, b| sort.compare(a, b, &SortValues::new()));
            assert_eq!(sorted.iter().map(|token| token.ticker.as_str()).collect::<Vec<_>>(), expected);
        }
    }
}
