//! How fresh a list is, and what is wrong with it.

use std::time::Duration;

use super::rows;
use crate::app::State;
use crate::app::screen::ListScreen;
use crate::client::Request;
use crate::format::Age;
use crate::model::coin::old_list_age;
use crate::model::provider;
use crate::view::chrome::health::{self, Health, Kind, Part};

/// How fresh the list is: the page of the selected row or, if the whole list is sorted, the worst page; and the age of
/// the oldest page, if it is older: `oldest 14 m ago`. It counts for the statistics, a sort order and a filter.
pub(super) fn list_health(state: &State, list: &ListScreen, providers: &str) -> (Health, Option<String>) {
    let get = |request: &Request| state.responses.get(request);
    let failing = || list.loaded_requests(&state.convert).find(|request| get(request).failure().is_some());
    let worst_page = || list.needs_all().then(|| failing().or_else(|| list.oldest_fresh(&state.convert))).flatten();
    let request = worst_page().unwrap_or_else(|| rows::request(state, list));
    let remote = get(&request);
    // Pages without watched coins may be old if only watched coins are shown.
    let oldest = list.oldest(&state.convert).filter(|_| !list.has_all_watched()).zip(remote.updated_at());
    let oldest = oldest.and_then(|((_, oldest), at)| (at.since(oldest) >= MIN_AGE_DIFFERENCE).then_some(oldest));
    let oldest = oldest.map(|oldest| format!("oldest {}", health::ago(state.now.since(oldest))));
    (Health::with_providers(remote, providers, state), oldest)
}

/// The health of a list with what is wrong with its rows, trends or prices, unless it is bad itself; or else with the age
/// of its oldest page.
pub(super) fn with_details(
    health: Health,
    oldest: Option<String>,
    credit: &str,
    state: &State,
    list: &ListScreen,
) -> Health {
    let problem = if health.is_bad {
        None
    } else {
        kept_rows(state, list).or_else(|| missing_trends(state, list)).or_else(|| old_prices(state, list))
    };
    match (problem, oldest) {
        (Some(problem), _) if credit.is_empty() => problem,
        (Some(problem), _) => problem.after(Part::new(Kind::Attribution, credit.to_owned())),
        (None, Some(oldest)) => health.before(Part::new(Kind::Detail, oldest)),
        (None, None) => health,
    }
}

/// The providers of the loaded pages and of the coins that a search found beyond them: each may come from a different one.
pub(super) fn providers(state: &State, list: &ListScreen) -> String {
    let requests = list.loaded_requests(&state.convert).chain(state.more_coins_requests(list.tag));
    requests.fold(String::new(), |names, request| {
        provider::merged(&names, state.responses.get(&request).provider().unwrap_or_default())
    })
}

/// Whether the first page is not loaded yet.
pub(super) fn is_missing(state: &State, list: &ListScreen) -> bool {
    state.responses.get(&list.first_request(&state.convert)).value.is_none()
}

/// Minimum difference to the age of the selected row's page for showing the age of the oldest page.
const MIN_AGE_DIFFERENCE: Duration = Duration::from_mins(1);

/// The age of the prices and of the list, if even the newest price is old although the pages are not: the service keeps
/// sending old data.
fn old_prices(state: &State, list: &ListScreen) -> Option<Health> {
    let age = old_list_age(list.newest_update_of_all()?, state.now)?;
    let updated = list.updated_at(list.cursor.index());
    let updated = updated.map(|at| Part::new(Kind::Age, format!("updated {}", health::ago(state.now.since(at)))));
    Some(Health::problem([Part::note(format!("prices {} old", Age(age)))].into_iter().chain(updated)))
}

/// The age of the selected row, and why it is kept: `14 m old · page from CoinGecko, list from CoinMarketCap · retrying…`;
/// `None` unless its page keeps coming from a provider other than the list's.
fn kept_rows(state: &State, list: &ListScreen) -> Option<Health> {
    let row = list.cursor.index();
    let start = list.page_start(row).filter(|start| list.is_kept_and_stale(*start, state.now))?;
    let reason = rows::rejection(state, list, &list.page_request(start, &state.convert))?;
    let age = health::old(state.now.since(list.updated_at(row)?));
    Some(Health::problem(reason).after(Part::new(Kind::Age, age)))
}

/// Why trends are missing, if their request failed.
fn missing_trends(state: &State, list: &ListScreen) -> Option<Health> {
    if !state.shows_trends(list) {
        return None;
    }
    let requests = list.trend_requests(state.content_rows(), &state.convert);
    let remotes = requests.iter().map(|request| state.responses.get(request));
    let (remote, failure) = remotes.filter_map(|remote| Some((remote, remote.failure()?))).next()?;
    let reason = health::sentence_parts(failure, remote.is_loading(), state.now);
    Some(Health::problem(reason).after(Part::note("no charts")))
}
