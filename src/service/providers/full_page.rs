//! Pages of lists whose server may send fewer rows at once than requested.

use std::borrow::Cow;
use std::collections::HashSet;

use crate::model::{Identity, Page};
use crate::service::backend::indexer::PageQuery;
use crate::service::upstream::error::SourceResult;
use crate::service::upstream::warnings::Warnings;

/// Maximum requests for a page.
const MAX_PARTS: usize = 12;

/// Fetches a page. `part` sends one request and returns its rows, and how many the server sent, unreadable ones
/// included. While they are fewer than requested, it is called again for the rows after them, until the list ends: by
/// its total, or with a part without new rows. If rows are missing before the total, it is unknown, so that the list
/// ends there for the caller, too.
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
        let (Page { mut items, total }, rows) = part(PageQuery { offset: next, limit: limit - received }).await?;
        list.total = total.or(list.total);
        let is_repeated = keep_new(&mut items, &list.items);
        list.items.append(&mut items);
        if rows == 0 || is_repeated {
            let reached = offset.saturating_add(received as u64);
            if list.total.take_if(|total| reached < *total).is_some() {
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
    warnings.note(format!("Only {received} of {limit} rows loaded: the pages are too short"));
    Ok(Page { total: None, ..list })
}

/// Removes rows of earlier parts from a part, and returns whether it has only such rows: the server ignores the offset.
/// Duplicates in one part stay.
fn keep_new<T: Identity>(items: &mut Vec<T>, earlier: &[T]) -> bool {
    let known: HashSet<Cow<'_, str>> = earlier.iter().filter_map(T::identity).collect();
    let before = items.len();
    items.retain(|item| item.identity().is_none_or(|identity| !known.contains(&identity)));
    items.is_empty() && before > 0
}

#[cfg(test)]
mod tests {
    use std::sync::Mutex;

    use super::*;
    use crate::model::{Brc20Token, Text};

    /// The result for a page of 20 rows of a list of `len`, of which the server sends `at_once`, and the requests.
    async fn page(offset: u64, len: u64, at_once: u64, total: Option<u64>) -> (SourceResult<Page<Brc20Token>>, Warned) {
        let (warnings, requests) = (Warnings::default(), Mutex::new(Vec::new()));
        let outcome = full_page(PageQuery { offset, limit: 20 }, &warnings, |PageQuery { offset, limit }| {
            requests.lock().unwrap().push((offset, limit));
            let end = len.min(offset + at_once.min(limit as u64));
            // The first row is unreadable.
            let items: Vec<_> = (offset..end).filter(|row| *row > 0).map(token).collect();
            let rows = end.saturating_sub(offset) as usize;
            async move { Ok((Page { items, total }, rows)) }
        });
        (outcome.await, (requests.into_inner().unwrap(), warnings.sentence()))
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
        assert_eq!((found.items.len(), warnings.sentence()), (10, warning));
    }
}
