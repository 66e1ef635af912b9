//! Which of the fetched coins a command prints, and in which order.

use super::args::{CoinRows, Command};
use super::failure::{Failure, invalid_condition};
use super::saved_watchlist;
use crate::app::coins::filter::{self, Filter};
use crate::app::screen::list::{Sort, sorted_coins};
use crate::client::ResponseData;
use crate::config::Settings;
use crate::format::Count;
use crate::user_data::watchlist::{ResolvedCoins, Watched};

/// A filter and a sort order; without them, all coins in the order of the service.
#[derive(Default)]
pub(super) struct CoinSelection {
    filter: Option<Filter>,
    /// The watchlist, if the filter depends on it.
    watched: Vec<Watched>,
    sort: Option<Sort>,
}

impl CoinSelection {
    /// Reads the options of a command.
    ///
    /// # Errors
    /// The filter is invalid, or it depends on a watchlist that can't be read.
    pub(super) fn from_command(command: &Command, settings: &Settings) -> Result<CoinSelection, Failure> {
        let (Command::Coins { rows, .. } | Command::Stats { rows, .. }) = command else {
            return Ok(CoinSelection::default());
        };
        let CoinRows { sort, reverse, filter } = rows;
        let filter = filter.as_ref().map(|text| {
            filter::parse(text, &settings.display.convert).map_err(|error| {
                let sentence = format!("invalid value '{text}' for '--filter <FILTER>': {error}");
                invalid_condition(&sentence, text, error.missing.is_some())
            })
        });
        let filter = filter.transpose()?;
        let watched = if filter.as_ref().is_some_and(Filter::uses_watchlist) {
            saved_watchlist::read(settings)?
        } else {
            Vec::new()
        };
        let sort = (sort.is_some() || *reverse).then(|| {
            let column = sort.unwrap_or(Sort::default().column);
            Sort { column, descending: column.is_descending_by_default() != *reverse }
        });
        Ok(CoinSelection { filter, watched, sort })
    }

    /// The sentence that the list has more coins than the response, which are not sorted and filtered.
    pub(super) fn uncovered(&self, response: Option<&ResponseData>) -> Option<String> {
        let Some(ResponseData::Coins(page)) = response else { return None };
        let fetched = page.items.len() as u64;
        let total = page.total.filter(|total| *total > fetched)?;
        let done = match (&self.filter, self.sort) {
            (Some(_), _) => "searched",
            (None, Some(_)) => "sorted",
            (None, None) => return None,
        };
        Some(format!("{done} {} of {} coins", Count(fetched), Count(total)))
    }

    /// Filters and sorts a response with coins. Returns how many the filter has removed.
    pub(super) fn apply(&self, response: Option<&mut ResponseData>) -> usize {
        let Some(ResponseData::Coins(page)) = response else { return 0 };
        let before = page.items.len();
        if let Some(filter) = &self.filter {
            // Configured coins may have only a symbol.
            let resolve = |coin: &Watched| coin.resolve(page.items.iter().map(Watched::from_coin));
            let watched = ResolvedCoins::of(&self.watched.iter().map(resolve).collect::<Vec<_>>());
            page.items.retain(|coin| filter.accepts(coin, &watched));
        }
        let removed = before - page.items.len();
        if let Some(sort) = self.sort {
            page.items = sorted_coins(std::mem::take(&mut page.items), sort);
        }
        removed
    }
}
