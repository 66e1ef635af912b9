//! The market group.

use std::collections::HashSet;
use std::sync::{MutexGuard, PoisonError};

use async_trait::async_trait;

use super::cache::{Failure, Key, Stored, Weigh};
use super::identity::Identity;
use super::{CoinRef, Gateway, Operation};
use crate::model::{Chart, Coin, Currency, MarketPair, MarketSeries, Page, Period, Point, Post, PostOrder, Tag, Text};
use crate::service::providers::{
    CoinPairs, CoinSlice, CoinsQuery, MarketProvider, ProviderError, ProviderResult, SeriesQuery,
};

/// Coins of an upstream page. Whatever part of a list is asked for, it is made of these.
const PAGE: usize = 250;

/// The most pages that the whole list of a tag is made of.
const PAGES: usize = 40;

#[async_trait]
impl MarketProvider for Gateway {
    async fn coins(&self, query: CoinsQuery) -> ProviderResult<Page<Coin>> {
        in_dollars(&query.convert)?;
        self.list(query.tag, query.offset, query.limit).await
    }

    async fn stats(&self, tag: Tag, convert: &Currency) -> ProviderResult<Page<Coin>> {
        in_dollars(convert)?;
        // Nobody wants the trends of all coins at once.
        let limit = if tag == Tag::All { PAGE } else { PAGE * PAGES };
        self.list(tag, 0, limit).await
    }

    async fn posts(&self, symbol: &str, order: PostOrder) -> ProviderResult<Vec<Post>> {
        let coin = self.coin_of_symbol(symbol);
        let key = Key::new(Operation::Posts, format!("{}/{}", coin.slug, order.as_str()));
        let ask = self.ask(key, move |provider| {
            let coin = coin.clone();
            async move { provider.posts.posts(&coin, order).await }
        });
        let stored = ask.await.map_err(|failure| failure.into_error(Operation::Posts))?;
        Ok(stored.answer(Vec::clone(&stored.value)))
    }

    async fn market_pairs(&self, symbol: &str, convert: &Currency) -> ProviderResult<Vec<CoinPairs>> {
        in_dollars(convert)?;
        let coin = self.coin_of_symbol(symbol);
        let (key, asked) = (Key::new(Operation::Pairs, coin.slug.as_str()), coin.clone());
        let ask = self.ask(key, move |provider| {
            let coin = asked.clone();
            async move { provider.market.market_pairs(&coin).await }
        });
        let stored = ask.await.map_err(|failure| failure.into_error(Operation::Pairs))?;
        let CoinRef { id, name, symbol, slug, .. } = coin;
        let pairs = stored.value.items.clone();
        Ok(stored.answer(vec![CoinPairs { id, name, symbol, slug: Some(slug), pairs }]))
    }

    async fn chart(&self, slug: &str, period: Period, convert: &Currency) -> ProviderResult<Chart> {
        in_dollars(convert)?;
        let coin = self.coin_of_slug(slug);
        let key = Key::new(Operation::Chart, format!("{}/{}", coin.slug, period.as_str()));
        let ask = self.ask(key, move |provider| {
            let coin = coin.clone();
            async move { provider.market.chart(&coin, period).await }
        });
        let stored = ask.await.map_err(|failure| failure.into_error(Operation::Chart))?;
        let points = Vec::clone(&stored.value);
        Ok(stored.answer(Chart { slug: Text::from(slug), period, convert: convert.clone(), points }))
    }

    async fn series(&self, _query: SeriesQuery) -> ProviderResult<Vec<MarketSeries>> {
        Err(Failure::Unsupported.into_error(Operation::Series))
    }
}

/// Providers are asked in US dollars.
fn in_dollars(convert: &Currency) -> Result<(), ProviderError> {
    match *convert == Currency::usd() {
        true => Ok(()),
        false => Err(Failure::Unsupported.into_error(Operation::Fiat)),
    }
}

impl Gateway {
    /// A part of a list, made of pages of a fixed size.
    async fn list(&self, tag: Tag, offset: usize, limit: usize) -> ProviderResult<Page<Coin>> {
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

    async fn page(&self, operation: Operation, tag: Tag, page: usize) -> Result<Stored<CoinSlice>, Failure> {
        let key = Key::new(operation, format!("{}/{page}", tag.as_str()));
        let gateway = self.clone();
        self.ask(key, move |provider| {
            let gateway = gateway.clone();
            async move {
                let mut slice = provider.market.coins(tag, page * PAGE, PAGE).await?;
                gateway.identity().adopt(provider.name, &mut slice.coins);
                Ok(slice)
            }
        })
        .await
    }

    fn identity(&self) -> MutexGuard<'_, Identity> {
        self.0.identity.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// The coin of a slug. One that no list has shown yet may be a provider's own.
    fn coin_of_slug(&self, slug: &str) -> CoinRef {
        self.identity().by_slug(slug).unwrap_or_else(|| {
            let slug = Text::from(slug);
            let mut coin = CoinRef::new(crate::model::CoinId(slug.clone()), slug.clone(), slug.clone(), slug.clone());
            coin.coingecko = Some(slug);
            coin
        })
    }

    /// The coin of a symbol: of those that share it the one with the highest market cap.
    fn coin_of_symbol(&self, symbol: &str) -> CoinRef {
        self.identity().by_symbol(symbol).into_iter().next().unwrap_or_else(|| {
            let symbol = Text::from(symbol);
            let id = crate::model::CoinId(symbol.clone());
            CoinRef::new(id, Text::from(symbol.to_lowercase()), symbol.clone(), symbol)
        })
    }
}

impl Weigh for CoinSlice {
    fn weight(&self) -> usize {
        let coin = |coin: &Coin| size_of::<Coin>() + coin.sparkline_7d.len() * size_of::<f64>();
        self.coins.iter().map(coin).sum()
    }
}

impl Weigh for Vec<Post> {
    fn weight(&self) -> usize {
        self.iter().map(|post| size_of::<Post>() + post.text.len()).sum()
    }
}

impl Weigh for Page<MarketPair> {
    fn weight(&self) -> usize {
        self.items.len() * size_of::<MarketPair>()
    }
}

impl Weigh for Vec<Point> {
    fn weight(&self) -> usize {
        self.len() * size_of::<Point>()
    }
}
