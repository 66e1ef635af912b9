//! 7-day sparklines of a list whose provider has none.

use std::time::Duration;

use tokio::sync::watch;
use tokio::time::{Instant, timeout_at};

use super::failed_lookup::FailedLookup;
use super::series::{Found, Steps};
use crate::format::words::in_sentence;
use crate::model::coin::line_of;
use crate::model::{Coin, Page};
use crate::service::call::in_background;
use crate::service::data_version;
use crate::service::gateway::Gateway;
use crate::service::gateway::fetch::FALLBACK_TIMEOUT;
use crate::service::operation::Operation;
use crate::service::provider_response::{ProviderResponse, joined_notices};
use crate::service::providers::coin_ref::CoinRef;

/// The points of a sparkline, no more than it can show: providers limit the points of all coins in a request.
const STEPS: Steps<'_> = Steps { count: 42, length: Duration::from_hours(4), name: "4h", with_candles: false };

/// Maximum coins, those with the highest rank.
const MAX_COINS: usize = 50;

/// The notice of a list whose 7-day charts are still loading.
const PENDING: &str = "Some 7-day charts are still loading";

/// Freshness of a list whose sparklines are still loading.
const PENDING_FRESH_FOR: Duration = Duration::from_secs(10);

impl Gateway {
    /// Adds sparklines, in dollars, from the providers of series if no coin has one. The request `began` earlier.
    pub(super) async fn add_sparklines(&self, response: &mut ProviderResponse<Page<Coin>>, began: Instant) {
        let coins = &mut response.data.items;
        if coins.iter().any(|coin| !coin.sparkline_7d.is_empty()) {
            return;
        }
        let known: Vec<CoinRef> = {
            let identity = self.identity();
            coins.iter().take(MAX_COINS).filter_map(|coin| identity.by_id(&coin.id)).collect()
        };
        // The task can't note it.
        data_version::note(Operation::Series);
        let (gateway, (part, parts)) = (self.clone(), watch::channel(None));
        // A task, so that sparklines that take longer are there for the next request.
        let loading = tokio::spawn(in_background(async move {
            let part = |found: Found| drop(part.send_replace(Some(found)));
            gateway.series_in_parts(&known, STEPS, part).await
        }));
        let latest = self.optional_until(began).min(Instant::now() + FALLBACK_TIMEOUT);
        let found = match timeout_at(latest, loading).await {
            Ok(Ok(Ok(found))) => Some(found),
            Ok(Ok(Err(failure))) => {
                let wait = failure.wait();
                if let Some(reason) = failure.reason() {
                    let sentence = format!("No 7-day charts: {}", in_sentence(&reason));
                    response.notice = joined_notices(response.notice.take(), Some(sentence));
                    response.fresh_for = response.fresh_for.min(wait);
                }
                return;
            }
            // The program has a bug, which is logged.
            Ok(Err(_)) => return,
            Err(_) => {
                response.fresh_for = response.fresh_for.min(PENDING_FRESH_FOR);
                response.notice.get_or_insert_with(|| String::from(PENDING));
                parts.borrow().clone()
            }
        };
        let Some((stored, further)) = found else { return };
        for coin in coins.iter_mut() {
            if let Some(prices) = coin.slug.as_ref().and_then(|slug| stored.value.of(slug)) {
                coin.sparkline_7d = line_of(&prices.points);
            }
        }
        let is_missing =
            |failed: &&FailedLookup| coins.iter().any(|coin| coin.sparkline_7d.is_empty() && failed.has(&coin.symbol));
        if let Some(failed) = stored.value.failed.as_ref().filter(is_missing) {
            let sentence = format!("Some 7-day charts are missing: {}", failed.reason);
            response.notice = joined_notices(response.notice.take(), Some(sentence));
            response.fresh_for = response.fresh_for.min(stored.rest());
        }
        response.add_others(stored.origins().chain(further));
    }
}
