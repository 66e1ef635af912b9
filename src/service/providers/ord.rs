//! ord servers: inscriptions on sats, and single inscriptions. Works with the user's own server, and with the recursive
//! endpoints (`/r/`) of any server, which are stable and return JSON even if the JSON API is disabled.

mod details;
mod sat_pages;

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

use async_trait::async_trait;
use serde::Deserialize;
use serde::de::DeserializeOwned;
use tokio::time::Instant;

use super::defaults::ProviderDefaults;
use super::info::ProviderInfo;
use super::lenient::{self, Bounded};
use super::source::{IndexerSource, Provider};
use super::url::segment;
use crate::client::{Request, ResponseData};
use crate::model::{Inscription, InscriptionRef, Page, ProviderName, SatNumber, Text, UtcTime};
use crate::service::backend::indexer::{Content, InscriptionsQuery, PageQuery};
use crate::service::operation::Operation;
use crate::service::upstream::budget::RequestBudget;
use crate::service::upstream::error::{ErrorClass, SourceError, SourceResult};
use crate::service::upstream::load::Load;
use crate::service::upstream::reported_usage::ReportedUsage;
use crate::service::upstream::settings::ResolvedSettings;
use crate::service::upstream::{Response, Upstream};

/// Ids per page.
const IDS: usize = 100;

/// The sentence about a missing index.
const NO_ADDRESS_INDEX: &str = "This ord server has no address index: start it with --index-addresses";

/// The sentence about the index of inscriptions.
const NO_INSCRIPTION_INDEX: &str = "This ord server has no inscription index: start it without --no-index-inscriptions";

/// The sentence about an inscription on no output, such as a lost one.
const NOT_LOCATED: &str = "The inscription exists, but this ord server can't locate it";

/// How long details of an inscription are cached. Only its location can change, and it takes a request per row.
const DETAILS_TTL: Duration = Duration::from_hours(24);

/// Time before a list requests failed details again.
const FAILED_TTL: Duration = Duration::from_mins(5);

/// Maximum cached inscriptions.
const MAX_CACHED: u64 = 5_000;

/// Maximum cached pages of sats.
const MAX_CACHED_PAGES: u64 = 500;

/// How long the number of the last page of a sat is used.
const LAST_PAGE_TTL: Duration = Duration::from_mins(10);

/// How long a page waits for details of its rows. The rest is fetched in the background.
const DETAILS_WAIT: Duration = Duration::from_secs(7);

/// How long a page of a sat may take with its details. Clients wait a little longer.
const SAT_WAIT: Duration = Duration::from_secs(10);

/// The wait after a rate limit without `Retry-After`, and the longest one: after it, another request may show whether the
/// limit still applies.
const RATE_LIMIT_WAIT: Duration = Duration::from_secs(60);
const MAX_RATE_LIMIT_WAIT: Duration = Duration::from_hours(1);

/// An ord server.
#[derive(Clone)]
pub(super) struct Ord {
    upstream: Upstream,
    details: moka::sync::Cache<Text, Arc<Inscription>>,
    /// Inscriptions whose details failed recently, with the error.
    failed: moka::sync::Cache<Text, SourceError>,
    /// The full pages of sats, by their numbers. They change only by a chain reorganisation.
    sat_pages: moka::sync::Cache<(SatNumber, usize), Arc<Vec<Text>>>,
    /// The first known pages of sats that are the last one, or beyond it.
    sat_ends: moka::sync::Cache<SatNumber, usize>,
    /// Held by the task that fetches in the background.
    background: Arc<tokio::sync::Mutex<()>>,
    /// Whether the JSON API may be available besides the recursive endpoints.
    json: Arc<AtomicBool>,
}

/// URLs, limits and key benefits.
pub(super) const INFO: ProviderInfo = ProviderInfo {
    benefit: Some("Your own ord server adds lists of inscriptions (set providers.ord.base_url)"),
    ..ProviderInfo::new(ProviderName::Ord, provider, ProviderDefaults::OWN_SERVER)
};

/// The provider: the user's own server.
pub(super) fn provider(settings: &ResolvedSettings, budget: RequestBudget) -> Provider {
    Ord::provider(settings, budget, true)
}

#[derive(Deserialize)]
struct Ids {
    #[serde(deserialize_with = "lenient::or_default")]
    ids: Bounded<Text>,
    #[serde(default)]
    more: bool,
}

#[derive(Deserialize)]
struct Id {
    /// `null` for a sat without inscriptions. Required, so that another object is not mistaken for it.
    #[serde(deserialize_with = "Option::deserialize")]
    id: Option<Text>,
}

#[derive(Deserialize)]
struct Address {
    inscriptions: Option<Bounded<Text>>,
}

#[async_trait]
impl IndexerSource for Ord {
    async fn inscription_on(&self, number: SatNumber) -> SourceResult<Option<Text>> {
        let Id { id } = self.get(&format!("/r/sat/{number}/at/-1")).await?;
        Ok(id)
    }

    async fn sat_inscriptions(&self, number: SatNumber, page: PageQuery) -> SourceResult<Page<Inscription>> {
        let began = Instant::now();
        let offset = usize::try_from(page.offset).unwrap_or(usize::MAX);
        let (ids, total) = self.ids_on_sat(number, offset, page.limit).await?;
        let until = (Instant::now() + DETAILS_WAIT).min(began + SAT_WAIT);
        Ok(Page { items: self.with_details(ids, Some(number), until).await?, total: total.map(|total| total as u64) })
    }

    async fn inscriptions(&self, query: &InscriptionsQuery, page: PageQuery) -> SourceResult<Page<Inscription>> {
        if !self.json.load(Ordering::Relaxed) {
            return Err(no_list());
        }
        let plain = InscriptionsQuery { addresses: query.addresses.clone(), ..InscriptionsQuery::default() };
        let offset = usize::try_from(page.offset).unwrap_or(usize::MAX);
        let (ids, total): (Vec<Text>, _) = match query.addresses.as_slice() {
            _ if *query != plain => return Err(no_list()),
            [] => (self.list_ids(offset, page.limit).await?, None),
            [address] => {
                let Address { inscriptions } = self.get_json(&format!("/address/{}", segment(address))).await?;
                let Some(Bounded(ids)) = inscriptions else {
                    return Err(SourceError::unsupported_because(NO_INSCRIPTION_INDEX));
                };
                let total = ids.len() as u64;
                (ids.into_iter().skip(offset).take(page.limit).collect(), Some(total))
            }
            _ => return Err(no_list()),
        };
        Ok(Page { items: self.with_details(ids, None, Instant::now() + DETAILS_WAIT).await?, total })
    }

    async fn inscription(&self, inscription: &InscriptionRef) -> SourceResult<Inscription> {
        match inscription {
            InscriptionRef::Id(id) => self.fetch(id).await.map_err(|error| {
                if error.reason == NOT_LOCATED { SourceError::unsupported_because(NOT_LOCATED) } else { error }
            }),
            InscriptionRef::Number(number) => {
                if !self.json.load(Ordering::Relaxed) {
                    let reason = "Inscription numbers need your own indexer: use the ID, or set indexer_url";
                    return Err(SourceError::unsupported_because(reason));
                }
                let response = self.json_response(&format!("/inscription/{number}")).await?;
                one(&response, inscription)
            }
        }
    }

    async fn content(&self, inscription: &InscriptionRef) -> SourceResult<Content> {
        let id = match inscription {
            InscriptionRef::Id(id) => id.clone(),
            InscriptionRef::Number(_) => self.inscription(inscription).await?.id,
        };
        let response = self.upstream.get_content(&format!("/content/{}", segment(&id))).await?;
        let content_type = response.header("content-type").unwrap_or("application/octet-stream");
        Ok(Content { content_type: Text::from(content_type), bytes: response.body().to_vec() })
    }

    fn clear_blocks(&self) {
        self.sat_pages.invalidate_all();
        self.sat_ends.invalidate_all();
    }
}

impl Ord {
    /// The provider of a server with or without a JSON API.
    pub(super) fn provider(settings: &ResolvedSettings, budget: RequestBudget, has_json: bool) -> Provider {
        let upstream =
            Upstream::new(settings.clone(), |key| ("authorization", format!("Bearer {key}")), budget, api_error)
                .with_usage_reader(reported_usage);
        let details = moka::sync::Cache::builder().max_capacity(MAX_CACHED).time_to_live(DETAILS_TTL).build();
        let failed = moka::sync::Cache::builder().max_capacity(MAX_CACHED).time_to_live(FAILED_TTL).build();
        let sat_pages = moka::sync::Cache::new(MAX_CACHED_PAGES);
        let sat_ends = moka::sync::Cache::builder().max_capacity(MAX_CACHED_PAGES).time_to_live(LAST_PAGE_TTL).build();
        let json = Arc::new(AtomicBool::new(has_json));
        let background = Arc::default();
        let source = Ord { upstream: upstream.clone(), details, failed, sat_pages, sat_ends, background, json };
        Provider::new(settings, upstream)
            .tested_by("/r/blockheight")
            .with_indexer(Arc::new(source), &[Operation::Inscriptions])
    }

    async fn get<T: DeserializeOwned>(&self, path: &str) -> SourceResult<T> {
        self.upstream.get(path).await?.json()
    }

    async fn get_json<T: DeserializeOwned>(&self, path: &str) -> SourceResult<T> {
        self.json_response(path).await?.json()
    }

    /// Sends a request to the JSON API. If it is disabled, later calls don't try again.
    async fn json_response(&self, path: &str) -> SourceResult<Response> {
        let outcome = self.upstream.get(path).await;
        if let Err(SourceError { class: ErrorClass::Unsupported, .. }) = &outcome {
            self.json.store(false, Ordering::Relaxed);
        }
        outcome
    }

    /// Ids of all inscriptions, newest first.
    async fn list_ids(&self, offset: usize, limit: usize) -> SourceResult<Vec<Text>> {
        let end = offset.saturating_add(limit);
        let mut ids = Vec::new();
        for at in offset / IDS..end.div_ceil(IDS) {
            let next: Ids = self.get_json(&format!("/inscriptions/{at}")).await?;
            let first = at * IDS;
            let part = offset.saturating_sub(first)..end.saturating_sub(first).min(next.ids.len());
            ids.extend(next.ids.get(part).unwrap_or_default().iter().cloned());
            if !next.more {
                break;
            }
        }
        Ok(ids)
    }

    /// Continues in the background, unless there is such a task: two of them would send the same requests.
    fn in_background(&self, work: impl Future<Output = ()> + Send + 'static) {
        let Ok(guard) = Arc::clone(&self.background).try_lock_owned() else { return };
        let work = async move {
            work.await;
            drop(guard);
        };
        match Load::current() {
            Some(load) => tokio::spawn(load.run(work)),
            None => tokio::spawn(work),
        };
    }

    async fn fetch(&self, id: &Text) -> SourceResult<Inscription> {
        let response = self.upstream.get(&format!("/r/inscription/{}", segment(id))).await?;
        let found = one(&response, &InscriptionRef::Id(id.clone()))?;
        self.details.insert(id.clone(), Arc::new(found.clone()));
        Ok(found)
    }
}

fn one(response: &Response, inscription: &InscriptionRef) -> SourceResult<Inscription> {
    match response.decode_data(&Request::Inscription { inscription: inscription.clone() })? {
        ResponseData::Inscription(found) => Ok(*found),
        _ => Err(SourceError::unexpected_format("no inscription")),
    }
}

fn no_list() -> SourceError {
    SourceError::unsupported_because("Lists of inscriptions need your own indexer: set indexer_url")
}

/// The wait after a rejected request. The gateway pauses the provider, too, but it doesn't learn the errors of requests
/// in the background.
fn reported_usage(response: &Response, _now: UtcTime) -> ReportedUsage {
    let wait = || response.retry_after().unwrap_or(RATE_LIMIT_WAIT).min(MAX_RATE_LIMIT_WAIT);
    ReportedUsage::waiting((response.status() == 429).then(wait))
}

/// Errors are plain text.
fn api_error(response: &Response) -> Option<SourceError> {
    let has_text = |words: &str| response.text().is_ok_and(|text| text.contains(words));
    match response.status() {
        406 if has_text("content encoding") => {
            let encoding = response.text().ok().and_then(|text| text.split('`').nth(1)).unwrap_or("unknown");
            let reason = format!("Unsupported content encoding: {encoding}");
            Some(SourceError::unsupported_because(reason))
        }
        406 => Some(SourceError::unsupported_because("The JSON API of this ord server is disabled")),
        404 if has_text("no sat index") => {
            Some(SourceError::unsupported_because("This ord server has no sat index: start it with --index-sats"))
        }
        404 if has_text("no address index") => Some(SourceError::unsupported_because(NO_ADDRESS_INDEX)),
        404 if has_text("current transaction not found") => Some(SourceError::not_found(NOT_LOCATED)),
        _ => None,
    }
}
