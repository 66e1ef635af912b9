//! The market group: coins, posts, market pairs, charts.

mod by_id;
mod cached;
mod check_pairs;
mod check_points;
mod coins;
mod currency;
mod details;
mod failed_lookup;
mod historical_rates;
mod limits;
mod list;
mod names;
mod period_prices;
mod plausible_rates;
mod posts;
mod quote_coin;
mod ranges;
mod series;
mod sparklines;

use std::collections::HashSet;
use std::time::Duration;

use async_trait::async_trait;
use tokio::time::{Instant, timeout};

use self::failed_lookup::FailedLookup;
use self::period_prices::PeriodPrices;
use self::series::Steps;
use super::Gateway;
use super::cache::Failure;
use super::fetch::FALLBACK_TIMEOUT;
use super::stored::Stored;
use crate::client::NoticeCode;
use crate::client::notice::no_prices;
use crate::format::words::{in_sentence, join_words};
use crate::model::{
    Chart, Coin, CoinId, Currency, MarketPair, MarketSeries, Page, Period, Post, PostOrder, Tag, Text, VolumeSpan,
    interval,
};
use crate::service::backend::market::{CoinPairs, CoinsQuery, MarketProvider, SeriesQuery};
use crate::service::operation::{Key, Operation};
use crate::service::provider_response::{ProviderError, ProviderResult, joined_notices};
use crate::service::providers::coin_ref::CoinRef;
use crate::service::providers::source::ChartPrices;
use crate::service::series_limits::live_interval;
use crate::service::upstream::error::SourceError;

const DAY: Duration = Duration::from_hours(24);

/// Maximum coins per symbol in a series request.
const MAX_PER_SYMBOL: usize = 3;

#[async_trait]
impl MarketProvider for Gateway {
    async fn coins(&self, query: CoinsQuery) -> ProviderResult<Page<Coin>> {
        let began = Instant::now();
        let list = self.list(query.tag, query.offset, query.limit);
        let (list, rate) = tokio::try_join!(list, self.rate_or_dollars(&query.convert))?;
        let mut response = rate.note_in(list);
        self.add_details(&mut response, began).await;
        self.add_ranges(&mut response);
        let rate = rate.for_list(&response);
        response.data.items.iter_mut().for_each(|coin| currency::convert_coin(coin, &rate));
        Ok(response)
    }

    async fn coins_by_id(&self, ids: &[CoinId], convert: &Currency) -> ProviderResult<Page<Coin>> {
        self.coins_with_ids(ids, convert).await
    }

    async fn stats(&self, tag: Tag, convert: &Currency) -> ProviderResult<Page<Coin>> {
        let began = Instant::now();
        // The list of all coins is too long for one request.
        let limit = if tag == Tag::All { list::PAGE } else { list::PAGE * list::PAGES };
        let (list, rate) = tokio::try_join!(self.list(tag, 0, limit), self.rate_or_dollars(convert))?;
        let mut response = rate.note_in(list);
        self.add_sparklines(&mut response, began).await;
        let rate = rate.for_list(&response);
        response.data.items.iter_mut().for_each(|coin| currency::convert_coin(coin, &rate));
        Ok(response)
    }

    async fn posts(&self, symbol: &str, slug: Option<&str>, order: PostOrder) -> ProviderResult<Vec<Post>> {
        let coin = self.selected_coin(symbol, slug).await?;
        let topic = self.post_topic(coin.clone());
        let is_distinguished = self.serving(Operation::Posts).any(|provider| provider.posts.distinguishes_coins());
        if !is_distinguished && !topic.is_distinct() {
            return Err(ProviderError::NoData(posts::not_distinct(&topic)));
        }
        let key = Key::new(Operation::Posts, format!("{}/{}", coin.slug, order.as_str()));
        let (gateway, requested) = (self.clone(), coin.clone());
        let fetched = self.get_or_fetch(key, move |provider| {
            let (coin, gateway) = (requested.clone(), gateway.clone());
            async move {
                let topic = gateway.post_topic(gateway.with_native_id(&provider, coin).await?);
                if !provider.posts.distinguishes_coins() && !topic.is_distinct() {
                    return Err(SourceError::not_found(posts::not_distinct(&topic)));
                }
                let mut posts = provider.posts.posts(&topic, order).await?;
                posts::remove_repeated(&mut posts);
                if let Some(upstream) = provider.upstream_for(Operation::Posts) {
                    upstream.remove_future_dates(&mut posts);
                }
                Ok(posts)
            }
        });
        let stored = fetched.await.map_err(|failure| match failure {
            // The coin is known.
            Failure::NotFound(reason) => ProviderError::NoData(reason),
            other => other.into_error(),
        })?;
        let mut response = stored.response(Vec::clone(&stored.value));
        if slug.is_none() {
            self.note_shared_symbol(&mut response, &coin);
        }
        Ok(response)
    }

    async fn market_pairs(
        &self,
        symbol: &str,
        slug: Option<&str>,
        convert: &Currency,
    ) -> ProviderResult<Vec<CoinPairs>> {
        let in_dollars = self.pairs_in_dollars(symbol, slug);
        let ((coin, stored), rate) = tokio::try_join!(in_dollars, self.rate_or_dollars(convert))?;
        let id = Some(coin.id.clone()).filter(|_| coin.has_id());
        let (name, symbol, own_slug) = (coin.name.clone(), coin.symbol.clone(), coin.slug.clone());
        let Page { items: mut pairs, total } = Page::clone(&stored.value);
        pairs.iter_mut().for_each(|pair| currency::convert_pair(pair, &rate));
        let data = vec![CoinPairs { id, name, symbol, slug: Some(own_slug), total, pairs }];
        let mut response = rate.note_in(stored.response(data));
        if slug.is_none() {
            self.note_shared_symbol(&mut response, &coin);
        }
        Ok(response)
    }

    async fn chart(&self, slug: &str, period: Period, convert: &Currency) -> ProviderResult<Chart> {
        let (in_dollars, rate) = (self.chart_in_dollars(slug, period), self.rate_or_dollars(convert));
        let history = async { Ok::<_, ProviderError>(self.quote_chart(convert, period).await) };
        let (stored, rate, history) = tokio::try_join!(in_dollars, rate, history)?;
        let (rate, history) = rate.for_past(history);
        let in_dollars = &stored.value.prices;
        let (prices, rate, history) = match currency::converted_prices(slug, in_dollars, &rate, history.as_ref()) {
            Some(prices) => (prices, rate, history),
            None => (in_dollars.clone(), rate.without_past(), None),
        };
        let ChartPrices { points, candles } = prices;
        let (slug, convert) = (Text::from(slug), rate.currency.clone());
        let chart = Chart { slug, period, convert, points, volume_span: VolumeSpan::Day, candles };
        let mut response = rate.note_in(stored.response(chart));
        if let Some(history) = history {
            response = history.note_in(response);
        }
        for notice in [stored.value.notice(), rate.past_notice()] {
            response.notice = joined_notices(response.notice, notice);
        }
        Ok(response)
    }

    async fn series(&self, query: SeriesQuery) -> ProviderResult<Vec<MarketSeries>> {
        // A year's chart, like the shorter ones, has the candles of an exchange. No exchange has candles of all time.
        let is_all_time = interval::is_all_time(u32::try_from(query.count).unwrap_or(u32::MAX), &query.interval);
        let is_chart = query.symbols.len() == 1 && interval::length(&query.interval) == Some(DAY) && !is_all_time;
        self.series_with(query, is_chart).await
    }
}

impl Gateway {
    /// The market pairs of a coin, in dollars.
    async fn pairs_in_dollars(
        &self,
        symbol: &str,
        slug: Option<&str>,
    ) -> Result<(CoinRef, Stored<Page<MarketPair>>), ProviderError> {
        let coin = self.selected_coin(symbol, slug).await?;
        let (key, requested, gateway) = (Key::new(Operation::Pairs, coin.slug.as_str()), coin.clone(), self.clone());
        let fetched = self.get_or_fetch(key, move |provider| {
            let (coin, gateway) = (requested.clone(), gateway.clone());
            async move {
                let coin = gateway.with_native_id(&provider, coin).await?;
                let mut page = provider.market.market_pairs(&coin).await?;
                gateway.check_pairs(&provider, &coin, &mut page.items)?;
                Ok(page)
            }
        });
        match fetched.await {
            Ok(stored) => Ok((coin, stored)),
            Err(failure) => Err(self.no_data("No market pairs of", &[&coin], failure).await),
        }
    }

    /// The chart of a coin, in dollars.
    async fn chart_in_dollars(&self, slug: &str, period: Period) -> Result<Stored<PeriodPrices>, ProviderError> {
        let coin = self.coin_by_slug(slug).await?;
        let key = Key::new(Operation::Chart, format!("{}/{}", coin.slug, period.as_str()));
        let (gateway, known) = (self.clone(), coin.clone());
        let fetched = self.get_or_fetch(key, move |provider| {
            let (coin, gateway) = (coin.clone(), gateway.clone());
            async move {
                let coin = gateway.with_native_id(&provider, coin).await?;
                let prices = provider.market.chart(&coin, period).await;
                gateway.drop_unlisted(provider.name, std::slice::from_ref(&coin));
                let mut prices = prices?;
                gateway.remove_wrong_points(&provider, Operation::Chart, &mut prices)?;
                gateway.check_chart(&coin, &prices.points)?;
                let prices = PeriodPrices::new(prices, period);
                if let (Some(warning), Some(upstream)) = (prices.warning(), provider.upstream_for(Operation::Chart)) {
                    upstream.warnings().note(warning);
                }
                Ok(prices)
            }
        });
        match fetched.await {
            Ok(stored) => Ok(stored),
            Err(failure) => Err(self.no_data("No prices for", &[&known], failure).await),
        }
    }

    /// The series of a query, `with_candles` from an exchange if one has them.
    async fn series_with(&self, query: SeriesQuery, with_candles: bool) -> ProviderResult<Vec<MarketSeries>> {
        let SeriesQuery { symbols, convert, count, interval } = query;
        let step = live_interval(&interval).map_err(|must| ProviderError::Parameter { name: "interval", must })?;
        let steps = Steps { count, length: step, name: &interval, with_candles };
        let in_dollars = async {
            let (coins, failed) = self.coins_by_symbols(&symbols).await?;
            match self.series_of(&coins, steps).await {
                Ok((stored, others)) => Ok((coins, failed, stored, others)),
                Err(failure) => Err(self.no_data("No prices for", &coins.iter().collect::<Vec<_>>(), failure).await),
            }
        };
        let history = async { Ok::<_, ProviderError>(self.quote_series(&convert, steps).await) };
        let ((coins, unknown, stored, others), rate, history) =
            tokio::try_join!(in_dollars, self.rate_or_dollars(&convert), history)?;
        let (rate, history) = rate.for_past(history);
        let all: Vec<Text> = coins.iter().map(|coin| coin.symbol.clone()).collect();
        let series = coins.into_iter().filter_map(|coin| {
            let prices = stored.value.of(&coin.slug)?;
            let ChartPrices { points, candles } =
                currency::converted_prices(&coin.slug, prices, &rate, history.as_ref())?;
            Some(MarketSeries {
                id: Some(coin.id.0).filter(|id| !id.is_empty()),
                name: Some(coin.name),
                symbol: coin.symbol,
                slug: Some(coin.slug),
                convert: rate.currency.clone(),
                interval: Some(Text::from(interval.as_str())),
                points,
                volume_span: VolumeSpan::Day,
                candles,
            })
        });
        let series: Vec<MarketSeries> = series.filter(|series| !series.points.is_empty()).collect();
        let has_prices = |symbol: &&Text| series.iter().any(|series| series.symbol.eq_ignore_ascii_case(symbol));
        let without = distinct(all.iter().filter(|symbol| !has_prices(symbol)));
        let mut without: Vec<Text> = without.into_iter().map(Text::from).collect();
        let unmatched = stored.value.failed.as_ref().and_then(|failed| failed.only(&without));
        // They may have prices.
        without.retain(|symbol| unmatched.as_ref().is_none_or(|failed| !failed.has(symbol)));
        let notice = (!without.is_empty()).then(|| no_prices(&without));
        let mut response = rate.note_in(stored.response(series).with_others(others));
        if let Some(history) = history {
            response = history.note_in(response);
        }
        let failed = unknown.iter().chain(&unmatched).flat_map(|failed| failed.symbols.iter().cloned()).collect();
        if notice.is_some() || unknown.is_some() || unmatched.is_some() {
            response.notice_code = Some(NoticeCode::NoPrices { symbols: without, failed });
        }
        for notice in [notice, rate.past_notice()] {
            response.notice = joined_notices(response.notice, notice);
        }
        if let Some(failed) = &unknown {
            response.fresh_for = response.fresh_for.min(failed.wait());
        }
        let ages = [(unmatched, stored.age()), (unknown, Duration::ZERO)];
        for (failed, age) in ages.into_iter().filter_map(|(failed, age)| Some((failed?, age))) {
            // The dashboard shows when it refreshes.
            let sentence = failed.sentence(self.settings().is_command.then_some(age));
            response.notice = joined_notices(Some(sentence), response.notice);
        }
        Ok(response)
    }

    /// The error when no coin matches. For a renamed coin, it names the new one.
    fn unknown(&self, what: &str, value: &str, failure: Option<Failure>) -> ProviderError {
        if let Some(renaming) = self.identity().renamed_from(value) {
            return ProviderError::NoData(renaming);
        }
        match failure {
            Some(failure @ Failure::Unavailable { .. }) => failure.into_error(),
            _ => ProviderError::NotFound(format!("no coin has the {what} \"{value}\"")),
        }
    }

    /// The error for known coins of which no provider has the data, or which no provider lists any more.
    async fn no_data(&self, what: &str, coins: &[&CoinRef], failure: Failure) -> ProviderError {
        let reason = match failure {
            Failure::NotFound(reason) => reason,
            other => return other.into_error(),
        };
        if let Some(sentence) = self.not_listed(coins).await {
            return ProviderError::NoData(sentence);
        }
        let symbols = distinct(coins.iter().map(|coin| &coin.symbol));
        let reason = if coins.len() == 1 { format!(" ({})", in_sentence(&reason)) } else { String::new() };
        ProviderError::NoData(format!("{what} {}{reason}", join_words(&symbols, "and")))
    }

    /// The sentence that no provider lists any of these coins. Only for commands, since the dashboard learns it from
    /// its lists.
    async fn not_listed(&self, coins: &[&CoinRef]) -> Option<String> {
        let now = self.0.time.now();
        if !self.settings().is_command || coins.iter().any(|coin| self.identity().was_seen(&coin.id, now)) {
            return None;
        }
        let ids: Vec<CoinId> = coins.iter().map(|coin| coin.id.clone()).collect();
        let response = timeout(FALLBACK_TIMEOUT, self.coins_with_ids(&ids, &Currency::usd())).await.ok()?.ok()?;
        let is_unlisted = response.data.items.is_empty() && response.notice_code == Some(NoticeCode::NotListed);
        response.notice.filter(|_| is_unlisted)
    }

    /// The coins of each symbol, at most [`MAX_PER_SYMBOL`], and why others could not be looked up.
    async fn coins_by_symbols(
        &self,
        symbols: &[String],
    ) -> Result<(Vec<CoinRef>, Option<FailedLookup>), ProviderError> {
        let named: Vec<Text> = symbols.iter().map(|symbol| Text::from(symbol.as_str())).collect();
        let failure = self.look_up_symbols(&named).await;
        let (mut coins, mut seen, mut missing) = (Vec::new(), HashSet::new(), Vec::new());
        for symbol in &named {
            let found = self.identity().by_symbol(symbol);
            if found.is_empty() {
                missing.push(symbol);
            }
            let found = found.into_iter().take(MAX_PER_SYMBOL);
            coins.extend(found.filter(|coin| seen.insert(coin.id.clone())));
        }
        match (symbols.first(), failure) {
            (Some(first), failure) if coins.is_empty() => Err(self.unknown("symbol", first, failure)),
            (_, Some(failure @ Failure::Unavailable { .. })) if !missing.is_empty() => {
                let missing = distinct(missing.into_iter()).into_iter().map(Text::from).collect();
                Ok((coins, Some(FailedLookup::new(missing, failure))))
            }
            _ => Ok((coins, None)),
        }
    }
}

/// Different symbols, in order.
fn distinct<'a>(symbols: impl Iterator<Item = &'a Text>) -> Vec<&'a str> {
    let mut seen = HashSet::new();
    symbols.filter(|symbol| seen.insert(symbol.to_uppercase())).map(Text::as_str).collect()
}
