//! Lists of coins, made of pages of a fixed size.

use std::collections::HashSet;

use tokio::time::Instant;

use crate::model::{Coin, Page, ProviderName, Tag};
use crate::service::gateway::cache::{Failure, Key, Stored};
use crate::service::gateway::{Gateway, Operation};
use crate::service::providers::{CoinSlice, ProviderResult};

/// Coins of an upstream page. Whatever part of a list is asked for, it is made of these.
pub(super) const PAGE: usize = 250;

/// The most pages that the whole list of a tag is made of.
pub(super) const PAGES: usize = 40;

impl Gateway {
    /// A part of a list.
    pub(super) async fn list(&self, tag: Tag, offset: usize, limit: usize) -> ProviderResult<Page<Coin>> {
        let operation = if tag == Tag::All { Operation::Coins } else { Operation::Tagged };
        let end = offset.saturating_add(limit);
        let (mut items, mut seen) = (Vec::new(), HashSet::new());
        let mut total = None;
        let mut oldest: Option<Stored<CoinSlice>> = None;
        for page in (offset / PAGE..end.div_ceil(PAGE)).take(PAGES) {
            let stored = match self.page(operation, tag, page).await {
                Ok(stored) => stored,
                // What is there is shown; the rest comes with the next page.
                Err(_) if !items.is_empty() => break,
                Err(failure) => return Err(failure.into_error(operation)),
            };
            let slice = &stored.value;
            let part = offset.max(slice.offset) - slice.offset..end.saturating_sub(slice.offset).min(slice.coins.len());
            let part = slice.coins.get(part).unwrap_or_default();
            // Coins move between pages that are of different times.
            items.extend(part.iter().filter(|coin| seen.insert(coin.id.clone())).cloned());
            let is_end = slice.is_end;
            total = slice.total.or_else(|| is_end.then(|| (slice.offset + slice.coins.len()) as u64)).or(total);
            if oldest.as_ref().is_none_or(|oldest| stored.since < oldest.since) {
                oldest = Some(stored);
            }
            if is_end {
                break;
            }
        }
        match oldest {
            Some(oldest) => Ok(oldest.answer(Page { items, total })),
            None => Err(Failure::NotFound(String::from("an empty page")).into_error(operation)),
        }
    }

    /// A page of a list.
    pub(super) async fn page(&self, operation: Operation, tag: Tag, page: usize) -> Result<Stored<CoinSlice>, Failure> {
        let gateway = self.clone();
        self.ask(key(operation, tag, page), move |provider| {
            let gateway = gateway.clone();
            async move {
                let mut slice = provider.market.coins(tag, page * PAGE, PAGE).await?;
                gateway.identity().adopt(provider.name, &mut slice.coins);
                if slice.coins.len() <= PAGE {
                    return Ok(slice);
                }
                // A provider without pages answers all of them at once.
                let fresh_for = operation.fresh_for().max(provider.fresh_at_least);
                let all = split(slice);
                for (at, part) in all.iter().enumerate().filter(|(at, _)| *at != page) {
                    gateway.keep(key(operation, tag, at), provider.name, fresh_for, part.clone());
                }
                Ok(all.into_iter().nth(page).unwrap_or_else(|| nothing(page)))
            }
        })
        .await
    }

    fn keep(&self, key: Key, provider: ProviderName, fresh_for: std::time::Duration, slice: CoinSlice) {
        let (at, since) = (self.0.time.now(), Instant::now());
        self.0.cache.put(key, Stored { provider, at, since, fresh_for, notice: None, value: slice.into() });
    }
}

fn key(operation: Operation, tag: Tag, page: usize) -> Key {
    Key::new(operation, format!("{}/{page}", tag.as_str()))
}

/// Cuts a list that begins with its first coin into pages.
fn split(slice: CoinSlice) -> Vec<CoinSlice> {
    let CoinSlice { coins, is_end, total, .. } = slice;
    let total = total.or(is_end.then_some(coins.len() as u64));
    let count = coins.len().div_ceil(PAGE);
    let part = |(at, coins): (usize, &[Coin])| CoinSlice {
        offset: at * PAGE,
        coins: coins.to_vec(),
        is_end: is_end && at + 1 == count,
        total,
    };
    coins.chunks(PAGE).enumerate().map(part).collect()
}

/// A page behind the end.
fn nothing(page: usize) -> CoinSlice {
    CoinSlice { offset: page * PAGE, coins: Vec::new(), is_end: true, total: None }
}
