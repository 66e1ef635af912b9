//! The sort order of an address's balances.

use std::cmp::Ordering;

use super::sort::SortValues;
use crate::app::screen::known_values::compare_known;
use crate::model::{Balance, Text};

/// The sort columns of the balances, in the order of the menu and of the columns on the screen.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum BalanceColumn {
    /// The ticker.
    Ticker,
    /// The whole balance.
    Balance,
    /// The value at the price of the token's coin.
    Value,
    /// The available part.
    Available,
    /// The transferable part.
    Transferable,
}

impl BalanceColumn {
    /// All columns, in the order of the menu.
    pub const ALL: [BalanceColumn; 5] = [
        BalanceColumn::Ticker,
        BalanceColumn::Balance,
        BalanceColumn::Value,
        BalanceColumn::Available,
        BalanceColumn::Transferable,
    ];

    /// The name in the session.
    pub fn as_str(self) -> &'static str {
        match self {
            BalanceColumn::Ticker => "ticker",
            BalanceColumn::Balance => "balance",
            BalanceColumn::Value => "value",
            BalanceColumn::Available => "available",
            BalanceColumn::Transferable => "transferable",
        }
    }

    /// The key in the menu.
    pub fn key(self) -> char {
        match self {
            BalanceColumn::Ticker => 't',
            BalanceColumn::Balance => 'b',
            BalanceColumn::Value => 'v',
            BalanceColumn::Available => 'a',
            BalanceColumn::Transferable => 'r',
        }
    }

    /// The title in menus and commands.
    pub fn title(self) -> &'static str {
        self.as_str()
    }

    /// Label of the reversed direction, appended to a sentence: `, smallest first`.
    pub fn reversed_label(self) -> &'static str {
        if self == BalanceColumn::Ticker { ", Z to A" } else { ", smallest first" }
    }
}

/// A column and a direction.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct BalanceSort {
    /// The sort column.
    pub column: BalanceColumn,
    /// Whether the largest value comes first.
    pub descending: bool,
}

impl From<BalanceColumn> for BalanceSort {
    /// The default direction: tickers from A, amounts from the largest.
    fn from(column: BalanceColumn) -> BalanceSort {
        BalanceSort { column, descending: column != BalanceColumn::Ticker }
    }
}

impl BalanceSort {
    /// The other direction.
    #[must_use]
    pub fn reversed(self) -> BalanceSort {
        BalanceSort { descending: !self.descending, ..self }
    }

    /// Compares two balances; unknown values come last in both directions. `prices` has the prices of the tokens, by
    /// ticker in lower case.
    pub(super) fn compare(self, a: &Balance, b: &Balance, prices: &SortValues) -> Ordering {
        let ticker = |balance: &Balance| balance.ticker.as_ref().map(Text::to_lowercase);
        let value = |balance: &Balance| Some(balance.overall?.to_f64() * prices.get(&ticker(balance)?)?);
        match self.column {
            BalanceColumn::Ticker => compare_known(self.descending, ticker(a), ticker(b), Ord::cmp),
            BalanceColumn::Balance => compare_known(self.descending, a.overall, b.overall, Ord::cmp),
            BalanceColumn::Value => compare_known(self.descending, value(a), value(b), f64::total_cmp),
            BalanceColumn::Available => compare_known(self.descending, a.available, b.available, Ord::cmp),
            BalanceColumn::Transferable => compare_known(self.descending, a.transferable, b.transferable, Ord::cmp),
        }
    }
}
