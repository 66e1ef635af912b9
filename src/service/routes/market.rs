//! The market group.
//!
//! Freshness (`Cache-Control: max-age`): what shows the last price 10 s, so that the simulation is seen to move; longer
//! charts a minute (`7D`) or five (`1M`, `3M`); market pairs and the latest posts a minute, the top posts five.

mod build;
mod shapes;

use std::time::Duration;

use axum::Router;
use axum::extract::State as FromState;
use axum::http::HeaderMap;
use axum::response::Response;
use axum::routing::get;
use serde::Serialize;
#[cfg(test)]
use utoipa::OpenApi;

use self::shapes::{BySymbol, CoinItem, CoinPairs, Envelope, Posts, Series, Status};
use crate::model::{Period, PostOrder, UtcTime};
use crate::service::caching;
use crate::service::demo::market::interval::Interval;
use crate::service::demo::market::series::{DAY, grid};
use crate::service::demo::market::{Coin, Market, Money};
use crate::service::errors::{Failure, FailureBody};
use crate::service::params::Params;
use crate::service::shared::State;

/// Freshness of what shows the last price.
const MOVING: Duration = Duration::from_secs(10);
const MINUTE: Duration = Duration::from_secs(60);
const FIVE_MINUTES: Duration = Duration::from_secs(300);

/// Seconds between the prices of a sparkline: for a list of any length, and for a category, which is short.
const LIST_STEP: i64 = 3 * 3_600;
const CATEGORY_STEP: i64 = 3_600;

/// Symbols of one request.
const SYMBOLS: usize = 200;

#[cfg(test)]
#[derive(OpenApi)]
#[openapi(paths(coins, content, exchanges, chart, market_data, coins_stats))]
struct Document;

/// What the group answers.
pub(in crate::service) fn router(state: State) -> Router {
    Router::new()
        .route("/coins", get(coins))
        .route("/content", get(content))
        .route("/exchanges", get(exchanges))
        .route("/chart", get(chart))
        .route("/market/data", get(market_data))
        .route("/coins/stats", get(coins_stats))
        .with_state(state)
}

/// Its description, which `assets/openapi.json` has.
#[cfg(test)]
pub(in crate::service) fn openapi() -> utoipa::openapi::OpenApi {
    Document::openapi()
}

/// Coins of a tag, by rank.
#[utoipa::path(
    get,
    path = "/coins",
    tag = "market",
    params(
        ("tag" = Option<String>, Query, description = "`all` (default), `brc-20` or `bitcoin-ecosystem`", example = "brc-20"),
        ("start" = Option<u32>, Query, description = "Place of the first coin, from 1 (default)", minimum = 1, example = 1),
        ("limit" = Option<u32>, Query, description = "Coins on the page, default 100", minimum = 1, maximum = 5000, example = 20),
        ("convert" = Option<String>, Query, description = "Currency of the money, default `USD`", example = "EUR"),
    ),
    responses(
        (status = 200, description = "A page of the list", body = Envelope<Vec<CoinItem>>),
        (status = 400, description = "A parameter is wrong", body = FailureBody),
    ),
)]
async fn coins(FromState(state): FromState<State>, params: Params, headers: HeaderMap) -> Result<Response, Failure> {
    let tag = tag(&params, "all")?;
    let start = params.integer("start", 1..=u32::MAX, 1)?;
    let limit = params.integer("limit", 1..=5_000, 100)?;
    let money = money(&params)?;
    let page = Page { start: start as usize - 1, limit: limit as usize, step: LIST_STEP };
    Ok(list(&state, &headers, tag, page, money))
}

/// Tokens of a category, each with a chart of seven days, hour by hour.
#[utoipa::path(
    get,
    path = "/coins/stats",
    tag = "market",
    params(
        ("tag" = Option<String>, Query, description = "`brc-20` (default), `bitcoin-ecosystem` or `all`", example = "brc-20"),
        ("convert" = Option<String>, Query, description = "Currency of the money, default `USD`", example = "USD"),
    ),
    responses(
        (status = 200, description = "The whole category", body = Envelope<Vec<CoinItem>>),
        (status = 400, description = "A parameter is wrong", body = FailureBody),
    ),
)]
async fn coins_stats(
    FromState(state): FromState<State>,
    params: Params,
    headers: HeaderMap,
) -> Result<Response, Failure> {
    let tag = tag(&params, "brc-20")?;
    let money = money(&params)?;
    Ok(list(&state, &headers, tag, Page { start: 0, limit: usize::MAX, step: CATEGORY_STEP }, money))
}

/// Posts on the coins of a symbol.
#[utoipa::path(
    get,
    path = "/content",
    tag = "market",
    params(
        ("post_type" = Option<String>, Query, description = "`top` (default): the most liked of the last days; `latest`: the newest", example = "latest"),
        ("symbol" = String, Query, description = "Symbol, in any case", example = "ORDI"),
    ),
    responses(
        (status = 200, description = "Posts, the best or the newest first", body = Envelope<Posts>),
        (status = 400, description = "A parameter is wrong", body = FailureBody),
        (status = 404, description = "No coin has this symbol", body = FailureBody),
    ),
)]
async fn content(FromState(state): FromState<State>, params: Params, headers: HeaderMap) -> Result<Response, Failure> {
    let (order, fresh) = match params.get("post_type") {
        None | Some("top") => (PostOrder::Top, FIVE_MINUTES),
        Some("latest") => (PostOrder::Latest, MINUTE),
        Some(_) => return Err(Failure::parameter("post_type", "\"top\" or \"latest\"")),
    };
    let coins = of_symbol(state.market(), symbol(&params)?)?;
    let now = Market::now(state.now());
    let list = state.market().posts(&coins, order, now).into_iter().map(build::post).collect();
    Ok(answer(&headers, now, Posts { list }, None, fresh))
}

/// Market pairs of the coins of a symbol.
#[utoipa::path(
    get,
    path = "/exchanges",
    tag = "market",
    params(
        ("symbol" = String, Query, description = "Symbol, in any case", example = "ORDI"),
        ("convert" = Option<String>, Query, description = "Currency of the money, default `USD`", example = "USD"),
    ),
    responses(
        (
            status = 200,
            description = "By symbol, a list of the coins that share it, each with its pairs",
            body = Envelope<std::collections::HashMap<String, Vec<CoinPairs>>>,
        ),
        (status = 400, description = "A parameter is wrong", body = FailureBody),
        (status = 404, description = "No coin has this symbol", body = FailureBody),
    ),
)]
async fn exchanges(
    FromState(state): FromState<State>,
    params: Params,
    headers: HeaderMap,
) -> Result<Response, Failure> {
    let money = money(&params)?;
    let coins = of_symbol(state.market(), symbol(&params)?)?;
    let now = Market::now(state.now());
    let list = coins.iter().map(|coin| with_pairs(state.market(), coin, money, now)).collect();
    let symbol = coins.first().map_or("", |coin| coin.symbol.as_str());
    Ok(answer(&headers, now, BySymbol(vec![(symbol, list)]), None, MINUTE))
}

/// A coin's chart.
#[utoipa::path(
    get,
    path = "/chart",
    tag = "market",
    params(
        ("slug" = String, Query, description = "The coin's slug", example = "ordi"),
        ("period" = Option<String>, Query, description = "`1D` (default; a point in 5 minutes), `7D` (15 minutes), `1M` or `3M` (an hour)", example = "7D"),
        ("convert" = Option<String>, Query, description = "Currency of the money, default `USD`", example = "USD"),
    ),
    responses(
        (status = 200, description = "Its series; the first point is a whole period ago", body = Envelope<Series>),
        (status = 400, description = "A parameter is wrong", body = FailureBody),
        (status = 404, description = "No coin has this slug", body = FailureBody),
    ),
)]
async fn chart(FromState(state): FromState<State>, params: Params, headers: HeaderMap) -> Result<Response, Failure> {
    let slug = params.required("slug", "a coin's slug, such as \"bitcoin\"")?;
    let period = match params.get("period") {
        None => Period::Day,
        Some(name) => Period::ALL
            .into_iter()
            .find(|period| period.as_str() == name)
            .ok_or_else(|| Failure::parameter("period", "one of 1D, 7D, 1M, 3M"))?,
    };
    let (step, fresh) = match period {
        Period::Day => (300, MOVING),
        Period::Week => (900, MINUTE),
        Period::Month | Period::Quarter => (3_600, FIVE_MINUTES),
    };
    let money = money(&params)?;
    let market = state.market();
    let coin = market.by_slug(slug).ok_or_else(|| Failure::not_found(format!("no coin has the slug \"{slug}\"")))?;
    let now = Market::now(state.now());
    let samples = market.line(coin, money, &grid(i64::from(period.days()) * DAY, step, now));
    Ok(answer(&headers, now, build::series(coin, money, samples), None, fresh))
}

/// Series of several coins. Symbols that no coin has are left out; if none is known, it is 404.
#[utoipa::path(
    get,
    path = "/market/data",
    tag = "market",
    params(
        ("symbol" = String, Query, description = "Symbols in any case, joined by commas", example = "BTC,ORDI"),
        ("convert" = Option<String>, Query, description = "Currency of the money, default `USD`", example = "EUR"),
        ("count" = Option<u32>, Query, description = "Points a series, default 10; fewer where a coin is younger", minimum = 1, maximum = 10000, example = 24),
        ("interval" = Option<String>, Query, description = "Step between points, default `5m`: 5m to 45m, 1h to 24h, 1d to 365d, hourly to yearly", example = "1h"),
    ),
    responses(
        (
            status = 200,
            description = "By symbol, a list of the coins that share it, each with its series",
            body = Envelope<std::collections::HashMap<String, Vec<Series>>>,
        ),
        (status = 400, description = "A parameter is wrong", body = FailureBody),
        (status = 404, description = "No coin has any of these symbols", body = FailureBody),
    ),
)]
async fn market_data(
    FromState(state): FromState<State>,
    params: Params,
    headers: HeaderMap,
) -> Result<Response, Failure> {
    let symbols = symbol(&params)?;
    if symbols.split(',').count() > SYMBOLS {
        return Err(Failure::parameter("symbol", &format!("at most {SYMBOLS} symbols")));
    }
    let money = money(&params)?;
    let count = params.integer("count", 1..=10_000, 10)? as usize;
    let interval = Interval::parse(params.get("interval").unwrap_or("5m"))
        .ok_or_else(|| Failure::parameter("interval", &Interval::known()))?;
    let market = state.market();
    let now = Market::now(state.now());
    let mut found: Vec<(&str, Vec<Series<'_>>)> = Vec::new();
    for wanted in symbols.split(',').map(str::trim) {
        let coins = market.by_symbol(wanted);
        let Some(key) = coins.first().map(|coin| coin.symbol.as_str()) else { continue };
        if found.iter().any(|(known, _)| *known == key) {
            continue;
        }
        let series = coins.iter().map(|coin| {
            let times = interval.times(count, coin.launched.min(now), now);
            build::series(coin, money, market.line(coin, money, &times))
        });
        found.push((key, series.collect()));
    }
    if found.is_empty() {
        return Err(Failure::not_found(format!("no coin has any of the symbols \"{symbols}\"")));
    }
    Ok(answer(&headers, now, BySymbol(found), None, MOVING))
}

/// A part of a list, and the step of its sparklines.
struct Page {
    start: usize,
    limit: usize,
    step: i64,
}

fn list(state: &State, headers: &HeaderMap, tag: Option<&str>, page: Page, money: Money) -> Response {
    let market = state.market();
    let now = Market::now(state.now());
    let board = market.board(money, now);
    let all = board.tagged(tag);
    let time = UtcTime::from_secs(now);
    let data: Vec<CoinItem<'_>> = all
        .iter()
        .skip(page.start)
        .take(page.limit)
        .map(|(rank, coin)| {
            let figures = board.figures(coin);
            let sparkline = market.sparkline(coin, money, page.step, now, figures.price);
            let deploy = coin.token.and_then(|token| state.deploy_inscription(token));
            build::coin(coin, *rank, money, figures, sparkline, deploy, time)
        })
        .collect();
    answer(headers, now, data, Some(all.len()), MOVING)
}

fn with_pairs<'a>(market: &Market, coin: &'a Coin, money: Money, now: i64) -> CoinPairs<'a> {
    let pairs = market.pairs(coin, money, now);
    CoinPairs {
        coin: build::names(coin),
        num_market_pairs: pairs.len(),
        market_pairs: pairs.into_iter().map(|pair| build::pair(coin, pair, money)).collect(),
    }
}

fn answer<T: Serialize>(
    headers: &HeaderMap,
    now: i64,
    data: T,
    total_count: Option<usize>,
    fresh: Duration,
) -> Response {
    let status = Status {
        timestamp: UtcTime::from_secs(now),
        error_code: 0,
        error_message: None,
        elapsed: 0,
        credit_count: 0,
        total_count,
    };
    caching::json(headers, &Envelope { data, status }, fresh)
}

/// The tag as the catalogue knows it; `None` for all coins.
fn tag<'a>(params: &'a Params, default: &'a str) -> Result<Option<&'a str>, Failure> {
    match params.get("tag").unwrap_or(default) {
        "all" => Ok(None),
        tag @ ("brc-20" | "bitcoin-ecosystem") => Ok(Some(tag)),
        _ => Err(Failure::parameter("tag", "one of all, brc-20, bitcoin-ecosystem")),
    }
}

fn money(params: &Params) -> Result<Money, Failure> {
    match params.get("convert") {
        None => Ok(Money::USD),
        Some(code) => Money::parse(code).ok_or_else(|| Failure::parameter("convert", &Money::known())),
    }
}

fn symbol(params: &Params) -> Result<&str, Failure> {
    params.required("symbol", "a coin's symbol, such as \"BTC\"")
}

fn of_symbol<'a>(market: &'a Market, symbol: &str) -> Result<Vec<&'a Coin>, Failure> {
    let coins = market.by_symbol(symbol);
    if coins.is_empty() {
        return Err(Failure::not_found(format!("no coin has the symbol \"{symbol}\"")));
    }
    Ok(coins)
}
