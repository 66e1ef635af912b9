//! Routes of the market group.

pub(super) mod params;

use axum::Router;
use axum::extract::State as FromState;
use axum::http::HeaderMap;
use axum::response::Response;
use axum::routing::get;
use serde::Serialize;
#[cfg(test)]
use utoipa::OpenApi;

use self::params::{
    ChartParams, CoinsParams, CoinsStatsParams, ContentParams, ConvertParams, ExchangesParams, SeriesParams,
};
use crate::client::endpoint::{MAX_IDS, MAX_SYMBOLS};
use crate::model::{CoinId, Currency, Period, PostOrder, Tag, Text};
use crate::service::backend::Providers;
use crate::service::backend::market::{CoinsQuery, SeriesQuery};
use crate::service::caching;
use crate::service::errors::{Failure, FailureBody};
use crate::service::json::market::{BySymbol, ChartJson, CoinJson, CoinPairsJson, Envelope, Posts, SeriesJson};
use crate::service::params::Params;
use crate::service::provider_response::ProviderResponse;
use crate::service::series_limits::{MAX_COUNT, max_count};

/// Maximum position in a list.
const MAX_START: u32 = i32::MAX as u32;

#[cfg(test)]
#[derive(OpenApi)]
#[openapi(paths(coins, content, exchanges, chart, market_data, coins_stats))]
struct Document;

/// The router of the group.
pub(in crate::service) fn router(providers: Providers) -> Router {
    Router::new()
        .route("/coins", get(coins))
        .route("/content", get(content))
        .route("/exchanges", get(exchanges))
        .route("/chart", get(chart))
        .route("/market/data", get(market_data))
        .route("/coins/stats", get(coins_stats))
        .with_state(providers)
}

/// The OpenAPI description, as in `assets/openapi.json`.
#[cfg(test)]
pub(in crate::service) fn openapi() -> utoipa::openapi::OpenApi {
    Document::openapi()
}

/// Coins of a tag by rank, or coins by id.
#[utoipa::path(
    get,
    path = "/coins",
    tag = "market",
    params(CoinsParams, ConvertParams),
    responses(
        (status = 200, description = "A page of the list, or the coins in the order of ids", body = Envelope<Vec<CoinJson>>),
        (status = 400, description = "Invalid parameter", body = FailureBody),
    ),
)]
async fn coins(
    FromState(providers): FromState<Providers>,
    params: Params,
    headers: HeaderMap,
) -> Result<Response, Failure> {
    let query = CoinsQuery {
        tag: tag(&params, Tag::All)?,
        offset: params.integer("start", 1..=MAX_START, 1)? as usize - 1,
        limit: params.integer("limit", 1..=5_000, 100)? as usize,
        convert: convert(&params)?,
    };
    if params.get("ids")?.is_some() {
        let ids = coin_ids(&params)?;
        let page = providers.market.coins_by_id(&ids, &query.convert).await?;
        return Ok(respond(&headers, &page, page.data.items.iter().map(CoinJson::from).collect::<Vec<_>>(), None));
    }
    let page = providers.market.coins(query).await?;
    Ok(respond(&headers, &page, page.data.items.iter().map(CoinJson::from).collect::<Vec<_>>(), page.data.total))
}

/// Coins of a category with hourly 7-day charts.
#[utoipa::path(
    get,
    path = "/coins/stats",
    tag = "market",
    params(CoinsStatsParams, ConvertParams),
    responses(
        (status = 200, description = "The whole category", body = Envelope<Vec<CoinJson>>),
        (status = 400, description = "Invalid parameter", body = FailureBody),
    ),
)]
async fn coins_stats(
    FromState(providers): FromState<Providers>,
    params: Params,
    headers: HeaderMap,
) -> Result<Response, Failure> {
    let page = providers.market.stats(tag(&params, Tag::Brc20)?, &convert(&params)?).await?;
    Ok(respond(&headers, &page, page.data.items.iter().map(CoinJson::from).collect::<Vec<_>>(), page.data.total))
}

/// Posts about the coins of a symbol.
#[utoipa::path(
    get,
    path = "/content",
    tag = "market",
    params(ContentParams),
    responses(
        (status = 200, description = "Posts, top or latest first", body = Envelope<Posts>),
        (status = 400, description = "Invalid parameter", body = FailureBody),
        (status = 404, description = "Unknown symbol", body = FailureBody),
    ),
)]
async fn content(
    FromState(providers): FromState<Providers>,
    params: Params,
    headers: HeaderMap,
) -> Result<Response, Failure> {
    let order = match params.get("post_type")? {
        None | Some("top") => PostOrder::Top,
        Some("latest") => PostOrder::Latest,
        Some(_) => return Err(Failure::parameter("post_type", "\"top\" or \"latest\"")),
    };
    let posts = providers.market.posts(symbol(&params)?, params.get("slug")?, order).await?;
    Ok(respond(&headers, &posts, Posts::from(&posts.data), None))
}

/// Market pairs of the coins of a symbol.
#[utoipa::path(
    get,
    path = "/exchanges",
    tag = "market",
    params(ExchangesParams, ConvertParams),
    responses(
        (
            status = 200,
            description = "Map from symbol to a list of coins, each with its market pairs",
            body = Envelope<std::collections::HashMap<String, Vec<CoinPairsJson>>>,
        ),
        (status = 400, description = "Invalid parameter", body = FailureBody),
        (status = 404, description = "Unknown symbol", body = FailureBody),
    ),
)]
async fn exchanges(
    FromState(providers): FromState<Providers>,
    params: Params,
    headers: HeaderMap,
) -> Result<Response, Failure> {
    let convert = convert(&params)?;
    let coins = providers.market.market_pairs(symbol(&params)?, params.get("slug")?, &convert).await?;
    let by_symbol = coins.data.iter().map(|coin| (coin.symbol.as_str(), CoinPairsJson::from(coin)));
    Ok(respond(&headers, &coins, BySymbol::group(by_symbol), None))
}

/// Chart of a coin.
#[utoipa::path(
    get,
    path = "/chart",
    tag = "market",
    params(ChartParams, ConvertParams),
    responses(
        (status = 200, description = "The chart; its first point is exactly one period ago", body = Envelope<ChartJson>),
        (status = 400, description = "Invalid parameter", body = FailureBody),
        (status = 404, description = "Unknown slug", body = FailureBody),
    ),
)]
async fn chart(
    FromState(providers): FromState<Providers>,
    params: Params,
    headers: HeaderMap,
) -> Result<Response, Failure> {
    let slug = params.required("slug", "a coin's slug, such as \"bitcoin\"")?;
    let period = match params.get("period")? {
        None => Period::Day,
        Some(name) => Period::CHART_ENDPOINT
            .into_iter()
            .find(|period| period.as_str() == name)
            .ok_or_else(|| Failure::parameter("period", "one of 1D, 7D, 1M, 3M"))?,
    };
    let chart = providers.market.chart(slug, period, &convert(&params)?).await?;
    Ok(respond(&headers, &chart, ChartJson::from(&chart.data), None))
}

/// Price history of several coins. Unknown symbols are skipped; if all are unknown, the response is 404.
#[utoipa::path(
    get,
    path = "/market/data",
    tag = "market",
    params(SeriesParams),
    responses(
        (
            status = 200,
            description = "Map from symbol to a list of coins, each with its points",
            body = Envelope<std::collections::HashMap<String, Vec<SeriesJson>>>,
        ),
        (status = 400, description = "Invalid parameter", body = FailureBody),
        (status = 404, description = "All symbols are unknown", body = FailureBody),
    ),
)]
async fn market_data(
    FromState(providers): FromState<Providers>,
    params: Params,
    headers: HeaderMap,
) -> Result<Response, Failure> {
    let symbols: Vec<String> = params.list("symbol", MAX_SYMBOLS, "symbols")?.into_iter().map(str::to_owned).collect();
    let count = params.integer("count", 1..=MAX_COUNT, 10)?;
    let most = max_count(symbols.len());
    if count > most {
        return Err(Failure::parameter("count", &format!("at most {most} for {} symbols", symbols.len())));
    }
    let query = SeriesQuery {
        symbols,
        convert: convert(&params)?,
        count: count as usize,
        interval: params.get("interval")?.unwrap_or("5m").to_owned(),
    };
    let series = providers.market.series(query).await?;
    let by_symbol = series.data.iter().map(|series| (series.symbol.as_str(), SeriesJson::from(series)));
    Ok(respond(&headers, &series, BySymbol::group(by_symbol), None))
}

/// Builds the response with envelope and caching headers.
fn respond<A>(
    headers: &HeaderMap,
    provided: &ProviderResponse<A>,
    data: impl Serialize,
    total_count: Option<u64>,
) -> Response {
    let max_age = caching::max_age(provided.age, provided.fresh_for);
    let mut response = caching::json(headers, &Envelope::new(provided, data, total_count), max_age);
    caching::set_origin(&mut response, provided, provided.fresh_for);
    response
}

fn tag(params: &Params, default: Tag) -> Result<Tag, Failure> {
    let Some(name) = params.get("tag")? else { return Ok(default) };
    let tag = Tag::ALL.into_iter().find(|tag| tag.as_str() == name);
    tag.ok_or_else(|| Failure::parameter("tag", "one of all, brc-20, bitcoin-ecosystem"))
}

/// The coin ids of a request, without repeated ones.
fn coin_ids(params: &Params) -> Result<Vec<CoinId>, Failure> {
    let mut ids: Vec<CoinId> = Vec::new();
    for id in params.list("ids", MAX_IDS, "ids")? {
        let id = CoinId(Text::from(id));
        if !ids.contains(&id) {
            ids.push(id);
        }
    }
    Ok(ids)
}

fn convert(params: &Params) -> Result<Currency, Failure> {
    params.currency("convert")
}

fn symbol(params: &Params) -> Result<&str, Failure> {
    params.required("symbol", "a coin's symbol, such as \"BTC\"")
}
