//! Duplicate rows in a response.

use std::borrow::Cow;
use std::collections::{HashMap, HashSet};

use super::page_response::with_page;
use crate::client::request::Warning;
use crate::client::response_data::ResponseData;
use crate::model::{Balance, Identity, Page};

/// Removes duplicate balances, which would count twice. If the balances of a token differ, it is unknown which one is
/// right, so all of them are. Other duplicates stay. Returns warnings.
pub(super) fn remove(response: &mut ResponseData) -> Vec<Warning> {
    match response {
        ResponseData::Balances(page) => remove_balances(page),
        response => warning(response).into_iter().collect(),
    }
}

fn remove_balances(page: &mut Page<Balance>) -> Vec<Warning> {
    let is_new = {
        let mut seen = HashSet::with_capacity(page.items.len());
        page.items.iter().all(|balance| balance.identity().is_none_or(|identity| seen.insert(identity)))
    };
    if is_new {
        return Vec::new();
    }
    let items = std::mem::take(&mut page.items);
    let mut kept: Vec<Balance> = Vec::with_capacity(items.len());
    // The place of each token, and whether its balances differ.
    let mut places: HashMap<String, (usize, bool)> = HashMap::new();
    let mut equal: Option<(String, usize)> = None;
    for balance in items {
        let Some(identity) = balance.identity().map(Cow::into_owned) else {
            kept.push(balance);
            continue;
        };
        match places.get_mut(&identity).map(|place| (kept.get(place.0), &mut place.1)) {
            None => {
                places.insert(identity, (kept.len(), false));
                kept.push(balance);
            }
            Some((Some(first), _)) if has_same_amounts(first, &balance) => {
                equal = Some(equal.map_or((identity, 1), |(name, count)| (name, count + 1)));
            }
            Some((_, differs)) => {
                *differs = true;
                kept.push(balance);
            }
        }
    }
    let mut different: Option<(String, usize)> = None;
    for balance in &mut kept {
        let Some(identity) = balance.identity() else { continue };
        let Some((_, true)) = places.get(identity.as_ref()) else { continue };
        let name = identity.into_owned();
        different = Some(different.map_or((name, 1), |(name, count)| (name, count + 1)));
        (balance.available, balance.transferable, balance.overall) = (None, None, None);
    }
    page.total = page.total.map(|total| total.saturating_sub(equal.as_ref().map_or(0, |(_, count)| *count as u64)));
    page.items = kept;
    let equal = equal.map(|(name, count)| match count {
        1 => format!("ignored a duplicate balance: {name}"),
        _ => format!("ignored {count} duplicate balances, such as {name}"),
    });
    let different =
        different.map(|(name, count)| format!("ignored {count} different balances of the same token, such as {name}"));
    equal.into_iter().chain(different).collect()
}

fn has_same_amounts(a: &Balance, b: &Balance) -> bool {
    (a.available, a.transferable, a.overall) == (b.available, b.transferable, b.overall)
}

/// Returns a warning if a response contains duplicate rows. Joined lists show only one of them.
fn warning(response: &ResponseData) -> Option<Warning> {
    fn of<T: Identity>(page: &Page<T>) -> Option<Warning> {
        let mut seen = HashSet::with_capacity(page.items.len());
        let mut repeated =
            page.items.iter().filter_map(Identity::identity).filter(|identity| !seen.insert(identity.clone()));
        let first = repeated.next()?;
        let count = repeated.count() + 1;
        let ids = if count == 1 { "ID" } else { "IDs" };
        Some(format!("{count} duplicate {ids} in the response, such as {first}; lists may omit duplicates"))
    }
    match response {
        ResponseData::Coins(page) => of(page),
        other => with_page!(other, page => of(page), else None),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::model::{Amount, Brc20Token, Text};

    #[test]
    fn duplicate_ids_are_counted() {
        let token = |ticker: &'static str| Brc20Token::new(Text::const_new(ticker));
        let warning = |tickers: &[&'static str]| {
            let items = tickers.iter().map(|ticker| token(ticker)).collect();
            warning(&ResponseData::Brc20Tokens(Page { items, total: None }))
        };
        assert_eq!(warning(&["ordi", "sats", "rats"]), None);
        let one = "1 duplicate ID in the response, such as ordi; lists may omit duplicates";
        assert_eq!(warning(&["ordi", "sats", "ORDI"]).as_deref(), Some(one));
        let more = "3 duplicate IDs in the response, such as sats; lists may omit duplicates";
        assert_eq!(warning(&["ordi", "sats", "sats", "ordi", "sats"]).as_deref(), Some(more));
    }

    #[test]
    fn equal_balances_count_once_and_different_ones_are_unknown() {
        let balance = |ticker: &'static str, overall: u64| {
            let overall = Some(Amount::from_units(overall));
            Balance { ticker: Some(Text::const_new(ticker)), available: None, transferable: None, overall }
        };
        let items = [("ordi", 5), ("sats", 7), ("ORDI", 5), ("sats", 8), ("rats", 9), ("ordi", 5)];
        let items: Vec<Balance> = items.map(|(ticker, overall)| balance(ticker, overall)).into();
        let mut response = ResponseData::Balances(Page { items, total: Some(10) });
        let warnings = remove(&mut response);
        let ResponseData::Balances(page) = response else { panic!("{response:?}") };
        let rows: Vec<_> = page.items.iter().map(|it| (it.ticker.as_deref().unwrap(), it.overall.is_some())).collect();
        assert_eq!(rows, [("ordi", true), ("sats", false), ("sats", false), ("rats", true)]);
        assert_eq!(page.total, Some(8));
        assert_eq!(
            warnings,
            [
                "ignored 2 duplicate balances, such as ordi",
                "ignored 2 different balances of the same token, such as sats"
            ]
        );
    }
}
