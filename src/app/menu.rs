//! A one-line menu above the footer: a letter runs an item. Any key closes the menu, except the first unknown letter.

use std::borrow::Cow;

use super::posts::PostFilter;
use super::screen::indexer::{BalanceSort, TokenSort};
use super::screen::list::Sort;
use super::screen::token::MarketSort;
use super::screen::wallet::order::Order;
use crate::app::coins::named_coin::NamedCoin;
use crate::model::Tag;

/// An open menu.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Menu {
    /// The title, such as `copy` or `sort by`.
    pub title: &'static str,
    /// The items, in the order shown. No two have the same key.
    pub items: Vec<MenuItem>,
    /// A note after the items; may be empty.
    pub note: String,
    /// Whether an unknown letter was typed.
    pub is_mistyped: bool,
}

/// An item of a menu.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct MenuItem {
    /// The key that chooses it.
    pub key: char,
    /// One or two words.
    pub label: Cow<'static, str>,
    /// What it does.
    pub action: MenuAction,
}

/// What a menu and the palette offer: the letter in the menu, the title, and what it does.
pub type MenuChoice = (char, &'static str, MenuAction);

/// What an item of a menu does.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum MenuAction {
    /// Copies text.
    Copy {
        /// The text.
        text: String,
        /// Note at the end of the message; may be empty.
        note: String,
    },
    /// Filters a list of coins.
    FilterCoins(Tag, FilterChoice),
    /// Opens the view of a coin.
    OpenCoin(Box<NamedCoin>),
    /// Filters the posts of tokens.
    FilterPosts(PostFilter),
    /// Sorts a list of coins.
    SortCoins(Tag, Sort),
    /// Sorts the markets of the open token.
    SortMarkets(MarketSort),
    /// Sorts the indexer's tokens.
    SortTokens(TokenSort),
    /// Sorts the balances of the indexer's address; `None` is the order of the service.
    SortBalances(Option<BalanceSort>),
    /// Sorts the wallet's holdings and watched coins, in the reversed direction if the second part is set.
    SortHoldings(Order, bool),
}

/// A filter to choose.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum FilterChoice {
    /// Applies this filter.
    Apply(Cow<'static, str>),
    /// Opens the line with this beginning of a filter; the current filter if it is empty.
    Type(&'static str),
    /// Shows all coins.
    Clear,
}

impl MenuAction {
    /// The sort order in the other direction, and the label of that direction: `, lowest first`. `None` if it has none.
    pub fn reversed(&self) -> Option<(MenuAction, &'static str)> {
        match *self {
            MenuAction::SortCoins(tag, Sort { column, descending }) => {
                Some((MenuAction::SortCoins(tag, Sort { column, descending: !descending }), column.reversed_label()))
            }
            MenuAction::SortMarkets(sort) => {
                Some((MenuAction::SortMarkets(sort.reversed()), sort.column.reversed_label()))
            }
            MenuAction::SortTokens(TokenSort { column, descending }) => {
                Some((MenuAction::SortTokens(TokenSort { column, descending: !descending }), column.reversed_label()))
            }
            MenuAction::SortBalances(sort) => {
                sort.map(|sort| (MenuAction::SortBalances(Some(sort.reversed())), sort.column.reversed_label()))
            }
            MenuAction::SortHoldings(order, is_reversed) => {
                Some((MenuAction::SortHoldings(order, !is_reversed), order.reversed_label()))
            }
            MenuAction::Copy { .. }
            | MenuAction::FilterCoins(..)
            | MenuAction::OpenCoin(_)
            | MenuAction::FilterPosts(_) => None,
        }
    }
}

impl Menu {
    /// An empty menu.
    pub fn new(title: &'static str) -> Menu {
        Menu { title, items: Vec::new(), note: String::new(), is_mistyped: false }
    }

    /// Whether its items are sort orders.
    pub fn is_sort(&self) -> bool {
        self.items.first().is_some_and(|item| item.action.reversed().is_some())
    }

    /// Adds an item, unless its key is taken.
    pub fn add(&mut self, key: char, label: impl Into<Cow<'static, str>>, action: MenuAction) {
        if self.items.iter().all(|item| item.key != key) {
            self.items.push(MenuItem { key, label: label.into(), action });
        }
    }
}
