//! BRC-20: tokens, holders, balances, activity.

use axum::extract::{Path, State as Extract};
use axum::http::HeaderMap;
use axum::response::Response;
use utoipa::IntoParams;

use super::Group;
use super::query::{PageParams, Query};
use super::reply::{BadRequest, Plain, Refusal, cached};
use crate::service::demo::indexer::answer::{Paged, Token, TokenActivity, TokenBalance, TokenDetails, TokenHolder};
use crate::service::demo::indexer::{ActivityFilter, TokenOrder};

const OPERATIONS: [&str; 4] = ["deploy", "mint", "transfer", "transfer_send"];

#[derive(IntoParams)]
#[into_params(parameter_in = Query)]
#[expect(dead_code, reason = "describes the parameters")]
struct TokensParams {
    /// Beginnings of tickers, in any case; `%` and `_` stand for any text and any character. Repeated for several.
    #[param(required = false)]
    ticker: Vec<String>,
    /// `index`: the newest deploy first (the default). `tx_count`: the most events first.
    #[param(pattern = "^(index|tx_count)$")]
    order_by: Option<String>,
}

/// BRC-20 tokens.
#[utoipa::path(
    get,
    path = "/ordinals/brc-20/tokens",
    operation_id = "getBrc20Tokens",
    tag = "BRC-20",
    params(TokensParams, PageParams),
    responses(
        (status = 200, description = "A page of tokens", body = Paged<Token>),
        (status = 304, description = "It is what the ETag stands for"),
        (status = 400, description = "A parameter is wrong", body = BadRequest),
    ),
)]
pub(super) async fn tokens(
    Extract(group): Extract<Group>,
    headers: HeaderMap,
    query: Query,
) -> Result<Response, Refusal> {
    let page = query.page()?;
    let order = query.one("order_by", "must be equal to one of the allowed values", |word| match word {
        "index" => Some(TokenOrder::Index),
        "tx_count" => Some(TokenOrder::TxCount),
        _ => None,
    })?;
    let now = group.now();
    let tokens = || now.tokens(&query.all("ticker"), order.unwrap_or_default(), page);
    Ok(cached(&headers, &now.version(), || Some(tokens())))
}

/// One BRC-20 token and its supply.
#[utoipa::path(
    get,
    path = "/ordinals/brc-20/tokens/{ticker}",
    operation_id = "getBrc20TokenDetails",
    tag = "BRC-20",
    params(("ticker" = String, Path, description = "Ticker in any case, percent-encoded", example = "ordi")),
    responses(
        (status = 200, description = "The token", body = TokenDetails),
        (status = 304, description = "It is what the ETag stands for"),
        (status = 404, description = "There is no such token", body = Plain),
    ),
)]
pub(super) async fn token(Extract(group): Extract<Group>, headers: HeaderMap, Path(ticker): Path<String>) -> Response {
    let now = group.now();
    cached(&headers, &now.version(), || now.token_details(&ticker))
}

/// Who holds a BRC-20 token, the richest first. The list can name some who no longer hold any.
#[utoipa::path(
    get,
    path = "/ordinals/brc-20/tokens/{ticker}/holders",
    operation_id = "getBrc20TokenHolders",
    tag = "BRC-20",
    params(("ticker" = String, Path, description = "Ticker in any case, percent-encoded", example = "ordi"), PageParams),
    responses(
        (status = 200, description = "A page of holders", body = Paged<TokenHolder>),
        (status = 304, description = "It is what the ETag stands for"),
        (status = 400, description = "A parameter is wrong", body = BadRequest),
        (status = 404, description = "There is no such token", body = Plain),
    ),
)]
pub(super) async fn holders(
    Extract(group): Extract<Group>,
    headers: HeaderMap,
    Path(ticker): Path<String>,
    query: Query,
) -> Result<Response, Refusal> {
    let page = query.page()?;
    let now = group.now();
    Ok(cached(&headers, &now.version(), || now.holders(&ticker, page)))
}

#[derive(IntoParams)]
#[into_params(parameter_in = Query)]
#[expect(dead_code, reason = "describes the parameters")]
struct BalancesParams {
    /// Beginnings of tickers, in any case. Repeated for several.
    #[param(required = false)]
    ticker: Vec<String>,
    /// What was held after this block; 0 counts as absent.
    #[param(pattern = "^[0-9]+$")]
    block_height: Option<String>,
}

/// What an address holds. An address that nobody knows, or that is none, holds nothing.
#[utoipa::path(
    get,
    path = "/ordinals/brc-20/balances/{address}",
    operation_id = "getBrc20Balances",
    tag = "BRC-20",
    params(("address" = String, Path, description = "Bitcoin address", example = "bc1pppkq8drc6nnqpl9cucw7s085m2rl8lfvlprf96cvl8lju8dhq88s29yr6n"), BalancesParams, PageParams),
    responses(
        (status = 200, description = "A page of balances", body = Paged<TokenBalance>),
        (status = 304, description = "It is what the ETag stands for"),
        (status = 400, description = "A parameter is wrong", body = BadRequest),
    ),
)]
pub(super) async fn balances(
    Extract(group): Extract<Group>,
    headers: HeaderMap,
    Path(address): Path<String>,
    query: Query,
) -> Result<Response, Refusal> {
    let (page, height) = (query.page()?, query.height("block_height")?);
    let now = group.now();
    let balances = || now.balances(&address, &query.all("ticker"), height, page);
    Ok(cached(&headers, &now.version(), || Some(balances())))
}

#[derive(IntoParams)]
#[into_params(parameter_in = Query)]
#[expect(dead_code, reason = "describes the parameters")]
struct ActivityParams {
    /// Tickers, exactly (in lower case). Repeated for several.
    #[param(required = false)]
    ticker: Vec<String>,
    /// Events of this block; 0 counts as absent.
    #[param(pattern = "^[0-9]+$")]
    block_height: Option<String>,
    /// `deploy`, `mint`, `transfer` (inscribed), `transfer_send` (sent). Repeated for several.
    #[param(required = false)]
    operation: Vec<String>,
    /// Events from or to this address.
    address: Option<String>,
}

/// What happened to BRC-20 tokens, newest first.
#[utoipa::path(
    get,
    path = "/ordinals/brc-20/activity",
    operation_id = "getBrc20Activity",
    tag = "BRC-20",
    params(ActivityParams, PageParams),
    responses(
        (status = 200, description = "A page of events", body = Paged<TokenActivity>),
        (status = 304, description = "It is what the ETag stands for"),
        (status = 400, description = "A parameter is wrong", body = BadRequest),
    ),
)]
pub(super) async fn activity(
    Extract(group): Extract<Group>,
    headers: HeaderMap,
    query: Query,
) -> Result<Response, Refusal> {
    let page = query.page()?;
    let filter = ActivityFilter {
        tickers: query.all("ticker"),
        block_height: query.height("block_height")?,
        operations: query.words("operation", &OPERATIONS)?,
        address: query.one("address", "must be string", |text| Some(text.to_owned()))?,
    };
    let now = group.now();
    Ok(cached(&headers, &now.version(), || Some(now.activity(&filter, page))))
}
