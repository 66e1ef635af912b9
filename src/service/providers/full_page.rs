//! Pages of lists whose server may send fewer rows at once than requested.

use std::borrow::Cow;
use std::collections::HashSet;

use crate::model::{Identity, Page};
use crate::service::backend::indexer::PageQuery;
use crate::service::provider_response::partial_notice;
use crate::service::upstream::error::{ErrorClass, INCOMPLETE, SourceResult};
use crate::service::upstream::load::Load;
use crate::service::upstream::warnings::Warnings;

/// Maximum requests for a page.
const MAX_PARTS: usize = 12;

/// Fetches a page. `part` sends one request and returns its rows, and how many the server sent, unreadable ones
/// included. While they are fewer than requested, it is called again for the rows after them, until the list ends: by
/// its total, or with a part without new rows. If rows are missing at the end of the list, its total is unknown, so that
/// the list ends there for the caller, too. If only some of the page are missing, the list continues with the next page.
///
/// # Errors
/// The first request failed. If a later one fails, the rows before it are returned, with a warning.
pub(super) async fn full_page<T, C, F>(page: PageQuery, warnings: &Warnings, part: C) -> SourceResult<Page<T>>
where
    T: Identity,
    C: Fn(PageQuery) -> F,
    F: Future<Output = SourceResult<(Page<T>, usize)>>,
{
    let PageQuery { offset, limit } = page;
    let (mut list, mut received) = (Page { items: Vec::new(), total: None }, 0);
    for _ in 0..MAX_PARTS {
        let next = offset.saturating_add(received as u64);
        let (Page { mut items, total }, rows) = match part(PageQuery { offset: next, limit: limit - received }).await {
            Ok(part) => part,
            Err(error) if received == 0 || error.class == ErrorClass::Cancelled => return Err(error),
            Err(error) => {
                let of = page.expected_items(list.total);
                warnings.note(partial_notice(received, of, "rows", &error.reason));
                if let Some(load) = Load::current() {
                    load.note_partial(of.saturating_sub(received), Some(error));
                }
                return Ok(list);
            }
        };
        list.total = total.or(list.total);
        let ignores_offset = received > 0 && is_first(&items, &list.items);
        let is_repeated = keep_new(&mut items, &list.items);
        list.items.append(&mut items);
        if rows == 0 || is_repeated {
            let reached = offset.saturating_add(received as u64);
            if list.total.is_some_and(|total| reached < total)
                && let Some(load) = Load::current()
            {
                load.note_unconfirmed_end(INCOMPLETE);
            }
            let continues = list.total.is_some_and(|total| total > offset.saturating_add(limit as u64));
            if continues && received > 0 && !ignores_offset {
                warnings.note(String::from("Some rows are missing: incomplete response"));
            } else if list.total.take_if(|total| reached < *total).is_some() {
                warnings.note(String::from("The list has fewer rows than its total"));
            }
            return Ok(list);
        }
        received += rows;
        let reached = offset.saturating_add(received as u64);
        if received >= limit || list.total.is_some_and(|total| reached >= total) {
            return Ok(list);
        }
    }
    warnings.note(partial_notice(received, limit, "rows", "the pages are too short"));
    Ok(Page { total: None, ..list })
}

/// Whether a part starts with the first row of the page: the server ignores the offset.
fn is_first<T: Identity>(items: &[T], earlier: &[T]) -> bool {
    let first = |items: &[T]| items.first().and_then(T::key);
    first(items).is_some_and(|item| first(earlier) == Some(item))
}

/// Removes rows of earlier parts from a part, and returns whether it has only such rows.
/// Duplicates in one part stay.
fn keep_new<T: Identity>(items: &mut Vec<T>, earlier: &[T]) -> bool {
    let known: HashSet<Cow<'_, str>> = earlier.iter().filter_map(T::identity).collect();
    let before = items.len();
    items.retain(|item| item.identity().is_none_or(|identity| !known.contains(&identity)));
    items.is_empty() && before > 0
}

#[cfg(test)]
mod tests {
    use parking_lot::Mutex;

    use super::*;
    use crate::model::{Brc20Token, Text};
    use crate::service::upstream::error::SourceError;

    /// The result for a page of 20 rows of a list of `len`, of which the server sends `at_once`, and the requests.
    async fn page(offset: u64, len: u64, at_once: u64, total: Option<u64>) -> (SourceResult<Page<Brc20Token>>, Warned) {
        let (warnings, requests) = (Warnings::default(), Mutex::new(Vec::new()));
        let outcome = full_page(PageQuery { offset, limit: 20 }, &warnings, |PageQuery { offset, limit }| {
            requests.lock().push((offset, limit));
            let end = len.min(offset + at_once.min(limit as u64));
            // The first row is unreadable.
            let items: Vec<_> = (offset..end).filter(|row| *row > 0).map(token).collect();
            let rows = end.saturating_sub(offset) as usize;
            async move { Ok((Page { items, total }, rows)) }
        });
        (outcome.await, (requests.into_inner(), warnings.sentence()))
    }

    type Warned = (Vec<(u64, usize)>, Option<String>);

    fn token(row: u64) -> Brc20Token {
        Brc20Token::new(Text::from(format!("t{row}")))
    }

    #[tokio::test]
    async fn short_pages_continue_after_the_rows_received() {
        for (offset, len, at_once, total, expected) in [
            (0, 50, 20, Some(50), vec![(0, 20)]),
            (0, 50, 7, Some(50), vec![(0, 20), (7, 13), (14, 6)]),
            (40, 50, 7, Some(50), vec![(40, 20), (47, 13)]),
            (40, 50, 7, None, vec![(40, 20), (47, 13), (50, 10)]),
            (60, 50, 7, Some(50), vec![(60, 20)]),
        ] {
            let (outcome, (requests, warning)) = page(offset, len, at_once, total).await;
            let found: Vec<Brc20Token> = (offset.max(1)..len.min(offset + 20)).map(token).collect();
            assert_eq!(outcome.unwrap(), Page { items: found, total }, "{offset} {at_once}");
            assert_eq!((requests, warning), (expected, None));
        }
        let (outcome, (requests, warning)) = page(1, 50, 1, Some(50)).await;
        assert_eq!(outcome.unwrap(), Page { items: (1..13).map(token).collect(), total: None });
        let expected = "Only 12 of 20 rows loaded: the pages are too short";
        assert_eq!((requests.len(), warning.as_deref()), (12, Some(expected)));
    }

    #[tokio::test]
    async fn list_shorter_than_its_total_has_a_warning() {
        let (outcome, (requests, warning)) = page(0, 10, 20, Some(12)).await;
        let list = outcome.unwrap();
        assert_eq!((list.items.len(), list.total, requests), (9, None, vec![(0, 20), (10, 10)]));
        assert_eq!(warning.as_deref(), Some("The list has fewer rows than its total"));
        // The server ignores the offset.
        let warnings = Warnings::default();
        let first = |_| async { Ok((Page { items: (0..10).map(token).collect(), total: Some(50) }, 10)) };
        let found = full_page(PageQuery { offset: 0, limit: 20 }, &warnings, first).await.unwrap();
        assert_eq!((found.items.len(), found.total, warnings.sentence()), (10, None, warning));
    }

    #[tokio::test]
    async fn list_filtered_after_pagination_keeps_its_total() {
        for (total, expected, warning) in [
            (50, Some(50), "Some rows are missing: incomplete response"),
            // The last page.
            (20, None, "The list has fewer rows than its total"),
        ] {
            let warnings = Warnings::default();
            let part = |PageQuery { offset, limit }| async move {
                let items: Vec<_> = (offset..offset + limit as u64).filter(|row| row % 10 != 3).map(token).collect();
                let rows = items.len();
                Ok((Page { items, total: Some(total) }, rows))
            };
            let found = full_page(PageQuery { offset: 0, limit: 20 }, &warnings, part).await.unwrap();
            assert_eq!((found.items.len(), found.total), (18, expected));
            assert_eq!(warnings.sentence().as_deref(), Some(warning));
        }
    }

    #[tokio::test]
    async fn rows_before_a_part_that_fails_are_kept() {
        let warnings = Warnings::default();
        let part = |PageQuery { offset, .. }| async move {
            match offset {
                20 => Ok((Page { items: (20..25).map(token).collect(), total: Some(28) }, 5)),
                _ => Err(SourceError::new(ErrorClass::Failing, "Server error (500)")),
            }
        };
        let found = full_page(PageQuery { offset: 20, limit: 20 }, &warnings, part).await.unwrap();
        assert_eq!((found.items.len(), found.total), (5, Some(28)));
        assert_eq!(warnings.sentence().as_deref(), Some("Only 5 of 8 rows loaded: server error (500)"));
        for (offset, class) in [(0, ErrorClass::Failing), (20, ErrorClass::Cancelled)] {
            let part = |PageQuery { offset, .. }| async move {
                match offset {
                    20 => Ok((Page { items: vec![token(20)], total: None }, 1)),
                    _ => Err(SourceError::new(class, "error")),
                }
            };
            let outcome = full_page(PageQuery { offset, limit: 20 }, &warnings, part).await;
            assert_eq!(outcome.unwrap_err().class, class);
        }
    }
}
