//! Sorts the balances of an address.

use super::IndexerScreen;
use super::balance_sort::{BalanceColumn, BalanceSort};
use super::sort::SortValues;
use super::sub_list::SubList;
use crate::app::responses::Responses;

impl IndexerScreen {
    /// Changes the sort order of the balances and selects the first one. `None` is the order of the service.
    pub(in crate::app) fn sort_balances(&mut self, sort: Option<BalanceSort>) {
        self.balance_sort = sort;
        self.balances = SubList { depth: self.balances.depth.clone(), ..SubList::default() };
    }

    /// Whether the address has balances, as far as they are loaded.
    pub(in crate::app) fn has_balances(&self, responses: &Responses) -> bool {
        self.balance_list(responses).is_some_and(|list| !list.is_empty())
    }

    /// Whether the balances are sorted by their value.
    pub(in crate::app) fn sorts_balances_by_value(&self) -> bool {
        self.balance_sort.is_some_and(|sort| sort.column == BalanceColumn::Value)
    }

    /// Whether the values by which the balances are sorted are known. Prices may arrive after the balances.
    pub(super) fn has_balance_values(&self) -> bool {
        !self.sorts_balances_by_value() || !self.balance_prices.is_empty()
    }

    /// Sets the prices by which the balances are sorted; the selection stays on its balance.
    pub(in crate::app) fn set_balance_prices(&mut self, prices: SortValues, responses: &Responses, rows: usize) {
        if self.balance_prices != prices {
            self.balance_prices = prices;
            self.balances.reorder();
            self.sync(responses, rows);
        }
    }
}
