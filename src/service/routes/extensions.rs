//! Extensions of the interface under `/x/`: the newest block, bitcoin balances, live prices, the names of all coins,
//! past exchange rates, and the state of the providers.

use std::collections::BTreeSet;
use std::convert::Infallible;
use std::time::Duration;

use axum::extract::rejection::PathRejection;
use axum::extract::{Path, State as FromState};
use axum::http::{HeaderMap, HeaderName, StatusCode};
use axum::response::sse::{Event, KeepAlive, Sse};
use axum::response::{IntoResponse, Response};
use axum::routing::get;
use axum::{Extension, Router};
use futures_util::{StreamExt as _, stream};
use jiff::civil::Date;
use serde::Serialize;
use tokio::sync::watch;
use utoipa::IntoParams;
#[cfg(test)]
use utoipa::OpenApi;

use super::market::params::ConvertParams;
use crate::client::endpoint;
use crate::model::historical_rate::{MAX_CURRENCIES, MAX_DAYS};
use crate::model::{CoinId, CoinName, Currency, address};
use crate::service::backend::Providers;
use crate::service::caching::{self, Freshness};
use crate::service::errors::{Failure, FailureBody};
use crate::service::fair_share::FairShare;
use crate::service::json::extensions::{
    BitcoinBalanceJson, ChainStateJson, CoinNameJson, HistoricalRateJson, PriceUpdateJson, SourceJson,
};
use crate::service::params::{Params, list_rule};
use crate::service::provider_response::{ProviderError, ProviderResponse};
use crate::service::unread_responses::Client;

/// `max-age` of the providers' state.
const SOURCES_FRESH: Duration = Duration::from_secs(5);

/// Maximum coins of a stream, as many as a socket to an exchange serves.
const MAX_IDS: usize = 400;

/// Interval of the comments that keep a stream alive.
const HEARTBEAT: Duration = Duration::from_secs(15);

/// `Retry-After` when there are too many streams.
const BUSY_RETRY: Duration = Duration::from_secs(30);

/// Whether nginx buffers a response.
const X_ACCEL_BUFFERING: HeaderName = HeaderName::from_static("x-accel-buffering");

/// How long clients wait before they reconnect.
const RECONNECT: Duration = Duration::from_secs(5);

#[cfg(test)]
#[derive(OpenApi)]
#[openapi(paths(chain, bitcoin_balance, names, rates, sources, stream_prices), components(schemas(PriceUpdateJson)))]
struct Document;

/// What streams need.
#[derive(Clone)]
struct Streams {
    providers: Providers,
    streams: FairShare,
    stopping: watch::Receiver<bool>,
}

/// The routes of the extensions. Streams end when `stopping` becomes true or its sender is dropped. The providers'
/// state is cached for `sources_fresh_for`.
pub(in crate::service) fn router(
    providers: Providers,
    streams: FairShare,
    stopping: watch::Receiver<bool>,
    sources_fresh_for: Duration,
) -> Router {
    let sources =
        Router::new().route(endpoint::SOURCES, get(sources)).with_state((providers.clone(), sources_fresh_for));
    let state = Streams { providers: providers.clone(), streams, stopping };
    let streams = Router::new().route(endpoint::STREAM, get(stream_prices)).with_state(state);
    let others = Router::new()
        .route(endpoint::CHAIN, get(chain))
        .route(endpoint::ADDRESS, get(bitcoin_balance))
        .route(endpoint::NAMES, get(names))
        .route(endpoint::RATES, get(rates))
        .with_state(providers);
    streams.merge(sources).merge(others)
}

/// Their description in `assets/openapi.json`.
#[cfg(test)]
pub(in crate::service) fn openapi() -> utoipa::openapi::OpenApi {
    Document::openapi()
}

/// The newest block and fee rates.
#[utoipa::path(
    get,
    path = "/x/chain",
    tag = "extensions",
    responses(
        (status = 200, description = "The newest block", body = ChainStateJson),
        (status = 501, description = "No provider of blocks is configured", body = FailureBody),
        (status = 503, description = "All block providers failed", body = FailureBody),
    ),
)]
async fn chain(FromState(providers): FromState<Providers>, headers: HeaderMap) -> Result<Response, Failure> {
    let provided = providers.extensions.chain().await?;
    Ok(respond(&headers, &provided, &ChainStateJson::from(&provided.data)))
}

/// The bitcoin balance of an address.
#[utoipa::path(
    get,
    path = "/x/address/{address}",
    tag = "extensions",
    params(("address" = String, Path, description = "Bitcoin mainnet address", pattern = "^[0-9A-Za-z]{26,90}$", example = "bc1qar0srrr7xfkvy5l643lydnw9re59gtzzwf5mdq")),
    responses(
        (status = 200, description = "The confirmed balance and the unconfirmed change, in sats", body = BitcoinBalanceJson),
        (status = 400, description = "Not 26 to 90 letters and digits", body = FailureBody),
        (status = 404, description = "Not a Bitcoin mainnet address", body = FailureBody),
        (status = 501, description = "No provider of bitcoin balances is configured", body = FailureBody),
        (status = 503, description = "All providers of bitcoin balances failed", body = FailureBody),
    ),
)]
async fn bitcoin_balance(
    FromState(providers): FromState<Providers>,
    headers: HeaderMap,
    path: Result<Path<String>, PathRejection>,
) -> Result<Response, Failure> {
    let text = path
        .ok()
        .map(|Path(text)| text)
        .filter(|text| (26..=90).contains(&text.len()) && text.bytes().all(|byte| byte.is_ascii_alphanumeric()));
    let text = text.ok_or_else(|| Failure::parameter("address", "26 to 90 letters and digits"))?;
    // A schema can't describe the checksum: there is no resource for another text.
    let address = address::parse(&text).map_err(|error| Failure::from(ProviderError::NotFound(error.of(&text))))?;
    let provided = providers.extensions.bitcoin_balance(&address.text).await?;
    Ok(respond(&headers, &provided, &BitcoinBalanceJson::from(&provided.data)))
}

/// The names of all coins, by rank.
#[utoipa::path(
    get,
    path = "/x/names",
    tag = "extensions",
    responses(
        (status = 200, description = "The names by rank; coins without a rank come last", body = Vec<CoinNameJson>),
        (status = 501, description = "No provider of coin lists is configured", body = FailureBody),
        (status = 503, description = "All providers of coin lists failed", body = FailureBody),
    ),
)]
async fn names(FromState(providers): FromState<Providers>, headers: HeaderMap) -> Result<Response, Failure> {
    let provided = providers.extensions.names().await?;
    let aliases = providers.extensions.coin_aliases();
    let aliases_of = |name: &CoinName| aliases.get(&name.id).map_or(&[][..], Vec::as_slice);
    let names: Vec<CoinNameJson<'_>> =
        provided.data.iter().map(|name| CoinNameJson::new(name, aliases_of(name))).collect();
    Ok(respond(&headers, &provided, &names))
}

#[derive(IntoParams)]
#[into_params(parameter_in = Query)]
#[expect(dead_code, reason = "describes the parameters")]
struct RatesParams {
    /// Up to 400 days, separated by commas, repeated ones included.
    #[param(
        pattern = "^,*[0-9]{4}-(0[1-9]|1[0-2])-(0[1-9]|[12][0-9]|3[01])(,([0-9]{4}-(0[1-9]|1[0-2])-(0[1-9]|[12][0-9]|3[01]))?){0,399}$",
        example = "2025-03-02"
    )]
    dates: String,
    /// Up to 20 currencies, separated by commas, repeated ones included.
    #[param(pattern = "^,*[A-Za-z0-9]{2,10}(,([A-Za-z0-9]{2,10})?){0,19}$", example = "EUR,GBP")]
    from: String,
    /// Currency of the rates.
    #[param(pattern = "^$|^[A-Za-z0-9]{2,10}$", default = "USD", example = "USD")]
    to: Option<String>,
}

/// Exchange rates of past days, one for each day and currency.
///
/// Unknown currencies and invalid dates (30 February) are left out.
#[utoipa::path(
    get,
    path = "/x/rates",
    tag = "extensions",
    params(RatesParams),
    responses(
        (
            status = 200,
            description = "The rates. A day without a rate, such as a Sunday, gets the last rate before it, from at \
                           most 10 days before.",
            body = Vec<HistoricalRateJson>,
        ),
        (status = 400, description = "Invalid parameter", body = FailureBody),
        (status = 501, description = "No provider of exchange rates is configured", body = FailureBody),
        (status = 503, description = "All providers of exchange rates failed", body = FailureBody),
    ),
)]
async fn rates(
    FromState(providers): FromState<Providers>,
    headers: HeaderMap,
    params: Params,
) -> Result<Response, Failure> {
    let days = list(&params, "dates", MAX_DAYS, "dates such as 2025-03-02", day)?;
    let days: Vec<Date> = days.into_iter().filter_map(Day::date).collect();
    let from = list(&params, "from", MAX_CURRENCIES, "currency codes such as EUR", Currency::parse)?;
    let to = params.currency("to")?;
    let provided = providers.extensions.historical_rates(&days, &from, &to).await?;
    Ok(respond(&headers, &provided, &list_of::<HistoricalRateJson<'_>, _>(&provided.data)))
}

/// A day of the parameters.
#[derive(PartialEq, Eq, PartialOrd, Ord)]
enum Day {
    /// A date such as 2025-02-30.
    Nonexistent,
    Valid(Date),
}

impl Day {
    fn date(self) -> Option<Date> {
        match self {
            Day::Nonexistent => None,
            Day::Valid(date) => Some(date),
        }
    }
}

/// The day with this date; `None` if it is not a date.
fn day(date: &str) -> Option<Day> {
    let mut parts = date.splitn(3, '-');
    let mut part = |digits: usize| {
        parts.next().filter(|part| part.len() == digits && part.bytes().all(|byte| byte.is_ascii_digit()))
    };
    let (year, month, day) = (part(4)?, part(2)?, part(2)?);
    let is_possible = (1..=12).contains(&month.parse::<u8>().ok()?) && (1..=31).contains(&day.parse::<u8>().ok()?);
    let date = || Date::new(year.parse().ok()?, month.parse().ok()?, day.parse().ok()?).ok();
    is_possible.then(|| date().map_or(Day::Nonexistent, Day::Valid))
}

/// Builds the response with caching headers; the extensions have no envelope.
fn respond<T>(headers: &HeaderMap, provided: &ProviderResponse<T>, body: &impl Serialize) -> Response {
    let mut response = caching::json(headers, body, caching::max_age(provided.age, provided.fresh_for));
    caching::set_origin(&mut response, provided, provided.fresh_for);
    response
}

/// The JSON of a list.
fn list_of<'a, J: From<&'a T>, T>(items: &'a [T]) -> Vec<J> {
    items.iter().map(J::from).collect()
}

/// The distinct items of a list separated by commas without spaces, sorted.
fn list<T: Ord>(
    params: &Params,
    name: &str,
    max: usize,
    what: &str,
    parse: impl Fn(&str) -> Option<T>,
) -> Result<Vec<T>, Failure> {
    let items: Option<BTreeSet<T>> = params.list(name, max, what)?.into_iter().map(parse).collect();
    let has_spaces = params.get(name)?.is_some_and(|text| text.contains(char::is_whitespace));
    let items = items.filter(|_| !has_spaces).map(|items| items.into_iter().collect());
    items.ok_or_else(|| Failure::parameter(name, &list_rule(max, what)))
}

/// The providers of live data and their state.
#[utoipa::path(
    get,
    path = "/x/sources",
    tag = "extensions",
    responses((status = 200, description = "The providers, those in use first", body = Vec<SourceJson>)),
)]
async fn sources(FromState((providers, fresh_for)): FromState<(Providers, Duration)>, headers: HeaderMap) -> Response {
    let sources = providers.extensions.sources().await;
    let mut response = caching::json(&headers, &list_of::<SourceJson<'_>, _>(&sources), SOURCES_FRESH);
    if !fresh_for.is_zero() {
        response.extensions_mut().insert(Freshness { age: Duration::ZERO, fresh_for });
    }
    response
}

/// Live prices of coins as server-sent events, until the client disconnects.
#[utoipa::path(
    get,
    path = "/x/stream",
    tag = "extensions",
    params(
        ("ids" = String, Query, description = "IDs of up to 400 coins, separated by commas", pattern = r"^[,\s]*[^,\s][^,]*(,[^,]*){0,399}$", example = "1,25028"),
        ConvertParams,
    ),
    responses(
        (
            status = 200,
            description = "Events named `prices`, at most two a second, each with a `PriceUpdate` as its data. \
                           Comments keep the connection alive.",
            body = String,
            content_type = "text/event-stream",
        ),
        (status = 204, description = "No exchange in use lists any of the coins, or `convert` is a coin"),
        (status = 400, description = "Invalid parameter", body = FailureBody),
        (status = 501, description = "Live prices are off", body = FailureBody),
        (status = 503, description = "Too many streams, or all exchanges are paused after a failure", body = FailureBody),
    ),
)]
async fn stream_prices(
    FromState(Streams { providers, streams, mut stopping }): FromState<Streams>,
    client: Option<Extension<Client>>,
    params: Params,
) -> Result<Response, Failure> {
    let ids = params.list("ids", MAX_IDS, "coin IDs")?;
    let ids: Vec<CoinId> = ids.into_iter().map(|id| CoinId(id.into())).collect();
    let convert = params.currency("convert")?;
    let share = streams.take(Client::address(client.as_deref()), 1).ok_or_else(too_many_streams)?;
    let Some(updates) = providers.extensions.prices(&ids, &convert).await? else {
        return Ok(StatusCode::NO_CONTENT.into_response());
    };
    let event = move |update| {
        // The stream counts until its last event.
        let _share = &share;
        Event::default().event("prices").json_data(PriceUpdateJson::from(&update)).ok()
    };
    let events = updates.filter_map(move |update| std::future::ready(event(update)));
    let first = stream::once(async { Event::default().retry(RECONNECT) });
    let stopped = async move {
        // An error means that the service has ended.
        let _ = stopping.wait_for(|stopping| *stopping).await;
    };
    let events = first.chain(events).take_until(stopped).map(Ok::<_, Infallible>);
    let stream = Sse::new(events).keep_alive(KeepAlive::new().interval(HEARTBEAT));
    // nginx would collect events before it sends them.
    Ok(([(X_ACCEL_BUFFERING, "no")], stream).into_response())
}

fn too_many_streams() -> Failure {
    let reason = String::from("Too many live price streams");
    ProviderError::Unavailable { reason, retry_after: Some(BUSY_RETRY), must_wait: false }.into()
}
