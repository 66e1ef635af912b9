//! The rows of `satscope coins` and `satscope stats`.

use clap::Args;

use super::value::sort_column;
use crate::app::screen::list::SortColumn;

/// The end of the help of `satscope coins`.
pub(super) const COINS_HELP: &str = "\
Examples:
  satscope coins --tag bitcoin-ecosystem --start 101 --limit 100 --format csv
  satscope coins --limit 10 --filter '24h > 5 and cap < 1b' --sort 24h

--sort, --reverse and --filter cover the fetched coins, 200 by default (display.page_size). With --limit, they cover at least 1,000 coins from --start, and the first N of the result are printed. A filter compares price, 1h, 24h, 7d, volume, cap and rank (< <= > >= = !=), or is one of gainers, losers, brc-20, watched and tag NAME. Combine them with and, or, not and parentheses. Amounts are in the display currency (1.5b is 1.5 billion). A coin without the value doesn't match.";

/// The end of the help of `satscope stats`.
pub(super) const STATS_HELP: &str = "\
Example: satscope stats --sort 24h --limit 10

Filters are explained in satscope coins --help.";

/// Which of the fetched coins are printed, and in which order.
#[derive(Args, Clone, Debug, Default)]
pub struct CoinRows {
    /// Sort the fetched coins by a column, largest numbers first [default: rank]
    #[arg(long, value_name = "COLUMN", ignore_case = true, value_parser = sort_column())]
    pub sort: Option<SortColumn>,
    /// Reverse the order of the fetched coins
    #[arg(long)]
    pub reverse: bool,
    /// Print only the fetched coins that match, such as '24h > 5 and cap < 1b'
    #[arg(long, value_name = "FILTER")]
    pub filter: Option<String>,
}

impl CoinRows {
    /// Whether the printed coins are the first ones of a sorted or filtered list.
    pub(in crate::cli) fn are_selected(&self) -> bool {
        self.sort.is_some() || self.reverse || self.filter.is_some()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::app::coins::filter::Field;

    #[test]
    fn help_names_all_numbers_of_filters() {
        for name in Field::names() {
            assert!(COINS_HELP.contains(name), "{name}");
        }
    }
}
