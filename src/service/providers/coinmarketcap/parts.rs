//! A page of a list in parts: the server may send fewer coins at once than requested.

use super::CoinMarketCap;
use super::rows::row_count;
use crate::model::{Coin, Tag};
use crate::service::call::is_manual;
use crate::service::provider_response::partial_notice;
use crate::service::providers::source::CoinSlice;
use crate::service::upstream::Response;
use crate::service::upstream::error::{ErrorClass, INCOMPLETE, SourceError, SourceResult};
use crate::service::upstream::load::Load;

/// If the first part has fewer coins, it is the whole list, regardless of the reported length.
const MIN_PART: usize = 50;

/// Maximum requests for a page, in case a request returns fewer coins than requested.
const MAX_PARTS: usize = 5;

/// A part of a page.
struct Part {
    coins: Vec<Coin>,
    /// Number of rows that the server sent, unreadable ones included.
    rows: usize,
    /// Reported length of the list.
    total: Option<u64>,
}

/// How a page ended.
enum End {
    /// It has as many rows as requested, or all that there are according to the length of the list.
    Whole,
    /// The first part is very short.
    Short,
    /// The server has no more rows of the page.
    NoMore,
    /// The server ignores the start: each part is the first one.
    Repeated,
    /// A request failed.
    Failed(SourceError),
    /// Too many requests.
    TooMany,
}

impl CoinMarketCap {
    /// Coins of a page of a list, and the list's reported length.
    ///
    /// # Errors
    /// The first request failed.
    pub(super) async fn parts(
        &self,
        tag: Tag,
        (offset, limit): (usize, usize),
        path: impl Fn(usize, usize) -> String,
        length: fn(&Response) -> Option<u64>,
    ) -> SourceResult<(CoinSlice, Option<u64>)> {
        let (mut coins, mut rows, mut total): (Vec<Coin>, _, _) = (Vec::new(), 0, None);
        let mut end = End::TooMany;
        for _ in 0..MAX_PARTS {
            let requested = limit - rows;
            let mut part = match self.part(tag, &path(offset + rows + 1, requested), length).await {
                Ok(part) => part,
                Err(error) if rows == 0 || error.class == ErrorClass::Cancelled => return Err(error),
                Err(error) => {
                    // There may be no such part.
                    if is_rejection(&error) {
                        self.short_pages.insert(tag, offset, rows, total);
                    }
                    let is_end = is_rejection(&error) && self.short_pages.contains(tag, offset, rows, total);
                    end = if is_end { End::NoMore } else { End::Failed(error) };
                    break;
                }
            };
            total = part.total.or(total);
            let is_known = |coin: &Coin| coins.iter().any(|known| known.id == coin.id);
            // Unreadable rows are no end.
            let is_unreadable = part.coins.is_empty() && part.rows > 0;
            if rows > 0 && !is_unreadable && part.coins.iter().all(is_known) {
                let is_first = part.coins.first().is_some_and(|coin| coins.first().is_some_and(|it| it.id == coin.id));
                end = if is_first { End::Repeated } else { End::NoMore };
                if !is_first {
                    self.short_pages.insert(tag, offset, rows, total);
                    // A list of unknown length normally ends with an empty part.
                    if total.is_some() && !self.short_pages.contains(tag, offset, rows, total) {
                        note_unconfirmed_end(INCOMPLETE);
                    }
                }
                break;
            }
            part.coins.retain(|coin| !is_known(coin));
            let is_short = rows == 0 && part.rows < MIN_PART.min(requested);
            rows += part.rows;
            coins.extend(part.coins);
            self.short_pages.remove_shorter(tag, offset, rows);
            if rows >= limit || total.is_some_and(|total| total <= (offset + rows) as u64) {
                end = End::Whole;
                break;
            }
            // A manual refresh requests the rest again.
            if is_short || !is_manual() && self.short_pages.contains(tag, offset, rows, total) {
                end = if is_short { End::Short } else { End::NoMore };
                break;
            }
        }
        // The list continues after the page.
        let continues = total.is_some_and(|total| total > (offset + limit) as u64);
        let is_end = rows < limit
            && match &end {
                End::Whole | End::NoMore => !continues,
                End::Short | End::Repeated => true,
                End::Failed(_) | End::TooMany => total.is_some() && !continues,
            };
        let of = total.map_or(limit, |total| limit.min(usize::try_from(total).unwrap_or(limit).saturating_sub(offset)));
        match end {
            End::NoMore if continues => {
                self.upstream.warnings().note(String::from("Some coins are missing: incomplete response"));
            }
            End::Failed(error) => {
                self.upstream.warnings().note(partial_notice(rows, of, "coins", &error.reason));
                if is_rejection(&error) {
                    note_unconfirmed_end(&error.reason);
                } else if let Some(load) = Load::current() {
                    load.note_partial(of.saturating_sub(rows), Some(error));
                }
            }
            End::Repeated => total = None,
            End::NoMore | End::Whole | End::Short | End::TooMany => {}
        }
        Ok((CoinSlice { offset, coins, is_end, total: None }, total))
    }

    async fn part(&self, tag: Tag, path: &str, length: fn(&Response) -> Option<u64>) -> SourceResult<Part> {
        let response = self.upstream.get(path).await?;
        let (coins, reported) = self.coins_in(&response, tag)?;
        let rows = row_count(&response).unwrap_or(coins.len());
        Ok(Part { coins, rows, total: reported.or_else(|| length(&response)) })
    }
}

fn note_unconfirmed_end(reason: &str) {
    if let Some(load) = Load::current() {
        load.note_unconfirmed_end(reason);
    }
}

fn is_rejection(error: &SourceError) -> bool {
    matches!(error.class, ErrorClass::Rejected | ErrorClass::NotFound)
}
