//! Paginated responses of the indexer, and how they are joined.

use std::borrow::Cow;
use std::collections::HashSet;

use super::reply::Reply;
use crate::client::response_data::ResponseData;
use crate::model::{Identity, Page};

/// Evaluates an expression with the page of a paginated response.
macro_rules! with_page {
    ($response:expr, Some($page:ident) => $then:expr, else $other:expr) => {
        match $response {
            Some(ResponseData::Brc20Tokens($page)) => $then,
            Some(ResponseData::Holders($page)) => $then,
            Some(ResponseData::Balances($page)) => $then,
            Some(ResponseData::Activity($page)) => $then,
            Some(ResponseData::Inscriptions($page)) => $then,
            _ => $other,
        }
    };
    ($response:expr, $page:ident => $then:expr, else $other:expr) => {
        match $response {
            ResponseData::Brc20Tokens($page) => $then,
            ResponseData::Holders($page) => $then,
            ResponseData::Balances($page) => $then,
            ResponseData::Activity($page) => $then,
            ResponseData::Inscriptions($page) => $then,
            _ => $other,
        }
    };
}
pub(super) use with_page;

/// Removes rows of earlier pages from a page; returns how many are left, and the list's length. Duplicates on one page
/// stay: growth of the list doesn't explain them.
pub(super) fn keep_new(response: &mut ResponseData, seen: &mut HashSet<String>) -> (usize, Option<u64>) {
    fn of<T: Identity>(page: &mut Page<T>, seen: &mut HashSet<String>) -> (usize, Option<u64>) {
        let mut new = Vec::new();
        page.items.retain(|item| {
            let identity = item.identity().map(Cow::into_owned);
            let is_new = identity.as_ref().is_none_or(|identity| !seen.contains(identity));
            new.extend(identity.filter(|_| is_new));
            is_new
        });
        seen.extend(new);
        (page.items.len(), page.total)
    }
    with_page!(response, page => of(page, seen), else (0, None))
}

/// Removes rows without an identity that equal a row of earlier pages.
pub(super) fn remove_equal(response: &mut ResponseData, joined: &ResponseData) {
    fn remove<T: Identity + PartialEq>(page: &mut Page<T>, known: &Page<T>) {
        page.items.retain(|item| item.identity().is_some() || !known.items.contains(item));
    }
    match (response, joined) {
        (ResponseData::Brc20Tokens(page), ResponseData::Brc20Tokens(known)) => remove(page, known),
        (ResponseData::Holders(page), ResponseData::Holders(known)) => remove(page, known),
        (ResponseData::Balances(page), ResponseData::Balances(known)) => remove(page, known),
        (ResponseData::Activity(page), ResponseData::Activity(known)) => remove(page, known),
        (ResponseData::Inscriptions(page), ResponseData::Inscriptions(known)) => remove(page, known),
        _ => {}
    }
}

/// Appends a page. A page without a total keeps the known one.
pub(super) fn append(joined: &mut Reply, more: ResponseData) {
    fn join<T>(page: &mut Page<T>, more: Page<T>) {
        page.items.extend(more.items);
        page.total = more.total.or(page.total);
    }
    match (joined.response.as_mut(), more) {
        (Some(ResponseData::Brc20Tokens(page)), ResponseData::Brc20Tokens(more)) => join(page, more),
        (Some(ResponseData::Holders(page)), ResponseData::Holders(more)) => join(page, more),
        (Some(ResponseData::Balances(page)), ResponseData::Balances(more)) => join(page, more),
        (Some(ResponseData::Activity(page)), ResponseData::Activity(more)) => join(page, more),
        (Some(ResponseData::Inscriptions(page)), ResponseData::Inscriptions(more)) => join(page, more),
        _ => {}
    }
}

/// Items on a page.
pub(super) fn length(response: &ResponseData) -> u64 {
    with_page!(response, page => page.items.len() as u64, else 0)
}
