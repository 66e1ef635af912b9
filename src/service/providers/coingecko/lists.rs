//! Lists of coins. A proxy may send fewer coins per page than requested.

use std::sync::atomic::{AtomicUsize, Ordering};

use super::{CoinGecko, MARKETS, Markets, PAGE};
use crate::model::{Coin, Tag};
use crate::service::provider_response::partial_notice;
use crate::service::providers::source::CoinSlice;
use crate::service::upstream::Response;
use crate::service::upstream::error::{ErrorClass, SourceError, SourceResult};
use crate::service::upstream::load::Load;

/// Maximum requests for a page.
const MAX_PARTS: usize = 5;

/// A page that lacks at most a tenth of its coins has gaps; the pages are not smaller than requested.
const GAPS: usize = 10;

/// A page that the server sent.
struct ServerPage {
    markets: Markets,
    /// Reported length of the list.
    total: Option<usize>,
    /// Reported coins per page.
    per_page: Option<usize>,
}

impl ServerPage {
    /// The number of coins per page, if it is smaller than requested: a reported one, or the length of the page if the list
    /// continues.
    fn smaller_size(&self, offset: usize, requested: usize) -> Option<usize> {
        let rows = self.markets.rows;
        let is_possible = |size: &usize| rows > 0 && (rows.max(1)..requested).contains(size);
        if let Some(size) = self.per_page {
            return Some(size).filter(is_possible);
        }
        let expected = self.total?.saturating_sub(offset).min(requested);
        (is_possible(&rows) && rows + requested / GAPS < expected).then_some(rows)
    }

    /// Whether it is the last page. The reported length may be another list's, so a page with far fewer coins than
    /// requested is the last one, too.
    fn is_end(&self, offset: usize, requested: usize) -> bool {
        let rows = self.markets.rows;
        let continues = self.total.is_some_and(|total| total > offset + requested);
        rows == 0 || rows < requested && !(continues && rows + requested / GAPS >= requested)
    }
}

impl CoinGecko {
    /// The coins of a list, starting at `offset`, a multiple of `limit`.
    pub(super) async fn list(&self, tag: Tag, offset: usize, limit: usize) -> SourceResult<CoinSlice> {
        let limit = limit.clamp(1, PAGE);
        let offset = offset / limit * limit;
        // The first page shows how many coins the server sends at once. Later ones would not have the expected coins.
        let page_size = self.page_size(tag);
        let known_size = if offset == 0 { PAGE } else { page_size.load(Ordering::Relaxed) };
        if known_size < limit {
            return self.parts(tag, (offset, limit), known_size, None).await;
        }
        let page = self.server_page(tag, offset / limit, limit).await?;
        let smaller = page.smaller_size(offset, limit);
        if let Some(size) = smaller {
            page_size.store(size, Ordering::Relaxed);
            let first = Some(page).filter(|_| offset == 0);
            return self.parts(tag, (offset, limit), size, first).await;
        }
        // The list may also have become shorter than a page.
        if page.markets.rows > page_size.load(Ordering::Relaxed) {
            page_size.store(PAGE, Ordering::Relaxed);
        }
        Ok(CoinSlice { offset, is_end: page.is_end(offset, limit), coins: page.markets.coins, total: None })
    }

    /// The coins from a server that sends `size` coins per page. `first` is its first page, if known.
    ///
    /// # Errors
    /// The first request failed.
    async fn parts(
        &self,
        tag: Tag,
        (offset, limit): (usize, usize),
        size: usize,
        mut first: Option<ServerPage>,
    ) -> SourceResult<CoinSlice> {
        let end = offset + limit;
        let mut coins: Vec<Coin> = Vec::new();
        let slice = |coins, is_end| Ok(CoinSlice { offset, coins, is_end, total: None });
        let (mut number, mut requests) = (offset / size, 0);
        while number * size < end {
            if requests == MAX_PARTS {
                self.note_missing(coins.len(), limit, "the pages are too short", None);
                return slice(coins, false);
            }
            requests += 1;
            let page = match first.take() {
                Some(page) => page,
                None => match self.server_page(tag, number, size).await {
                    Ok(page) => page,
                    Err(error) if requests == 1 || error.class == ErrorClass::Cancelled => return Err(error),
                    Err(error) => {
                        self.note_missing(coins.len(), limit, &error.reason.clone(), Some(error));
                        return slice(coins, false);
                    }
                },
            };
            let ServerPage { markets: Markets { coins: part, rows }, total, .. } = page;
            let begin = number * size;
            let wanted = part.into_iter().skip(offset.saturating_sub(begin)).take(end - begin.max(offset));
            coins.extend(wanted);
            if rows == 0 || total.map_or(rows < size, |total| total <= begin + size) {
                return slice(coins, begin + rows <= end);
            }
            number += 1;
        }
        slice(coins, false)
    }

    /// How many coins per page of a list the server sends at most.
    fn page_size(&self, tag: Tag) -> &AtomicUsize {
        let [all, brc20, ecosystem] = &self.page_sizes;
        match tag {
            Tag::All => all,
            Tag::Brc20 => brc20,
            Tag::BitcoinEcosystem => ecosystem,
        }
    }

    fn note_missing(&self, loaded: usize, of: usize, reason: &str, error: Option<SourceError>) {
        self.upstream.warnings().note(partial_notice(loaded, of, "coins", reason));
        if let Some(load) = Load::current() {
            load.note_partial(of.saturating_sub(loaded), error);
        }
    }

    /// A page by its number, from 0.
    async fn server_page(&self, tag: Tag, number: usize, size: usize) -> SourceResult<ServerPage> {
        let category = match tag {
            Tag::All => "",
            Tag::Brc20 => "&category=brc-20",
            Tag::BitcoinEcosystem => "&category=bitcoin-ecosystem",
        };
        let path = format!(
            "{MARKETS}{category}&order=market_cap_desc&per_page={size}&page={}\
             &sparkline=true&price_change_percentage=1h,24h,7d&precision=full",
            number + 1
        );
        let response = self.upstream.get(&path).await?;
        let count = |response: &Response, name| response.header(name).and_then(|text| text.parse().ok());
        let (total, per_page) = (count(&response, "total"), count(&response, "per-page"));
        Ok(ServerPage { markets: self.markets_in(response, tag)?, total, per_page })
    }
}
