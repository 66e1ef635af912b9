//! BRC-20: tokens, holders, balances, activity.

use axum::extract::{Path, State as Extract};
use axum::http::HeaderMap;
use axum::response::Response;
use utoipa::IntoParams;

use super::query::{PageParams, Query};
use super::reply::{BadRequest, ErrorReply, Indexer, Plain, cached, ok};
use crate::service::backend::indexer::{ActivityQuery, BalancesQuery, TokenOrder, TokensQuery};
use crate::service::json::indexer::{ActivityJson, BalanceJson, HolderJson, PagedJson, TokenDetailsJson, TokenJson};

/// The values of [`OPERATIONS`].
#[derive(utoipa::ToSchema)]
#[schema(rename_all = "snake_case")]
#[expect(dead_code, reason = "describes the parameter")]
enum OperationName {
    Deploy,
    Mint,
    Transfer,
    TransferSend,
}

const OPERATIONS: [&str; 4] = ["deploy", "mint", "transfer", "transfer_send"];

#[derive(IntoParams)]
#[into_params(parameter_in = Query)]
#[expect(dead_code, reason = "describes the parameters")]
struct TokensParams {
    /// Ticker prefixes (case-insensitive); `%` matches any text, `_` any character. Repeatable.
    #[param(required = false)]
    ticker: Vec<String>,
    /// `index`: newest deploy first. `tx_count`: most events first.
    #[param(pattern = "^(index|tx_count)$", default = "index")]
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
        (status = 200, description = "A page of tokens", body = PagedJson<TokenJson>),
        (status = 400, description = "Invalid parameter", body = BadRequest),
    ),
)]
pub(super) async fn tokens(
    Extract(indexer): Extract<Indexer>,
    headers: HeaderMap,
    query: Query,
) -> Result<Response, ErrorReply> {
    let page = query.page()?;
    let order = query.one("order_by", "must be equal to one of the allowed values", |word| match word {
        "index" => Some(TokenOrder::Index),
        "tx_count" => Some(TokenOrder::TxCount),
        _ => None,
    })?;
    let tokens = TokensQuery { tickers: query.all("ticker"), order: order.unwrap_or_default() };
    cached(&headers, &*indexer, indexer.tokens(&tokens, page), |tokens| {
        ok(&PagedJson::<TokenJson>::brc20(page, tokens))
    })
    .await
}

/// One BRC-20 token and its supply.
#[utoipa::path(
    get,
    path = "/ordinals/brc-20/tokens/{ticker}",
    operation_id = "getBrc20TokenDetails",
    tag = "BRC-20",
    params(("ticker" = String, Path, description = "Ticker (case-insensitive), percent-encoded", example = "ordi")),
    responses(
        (status = 200, description = "The token", body = TokenDetailsJson),
        (status = 404, description = "Token not found", body = Plain),
    ),
)]
pub(super) async fn token(
    Extract(indexer): Extract<Indexer>,
    headers: HeaderMap,
    Path(ticker): Path<String>,
) -> Result<Response, ErrorReply> {
    cached(&headers, &*indexer, indexer.token(&ticker), |token| ok(&TokenDetailsJson::from(token))).await
}

/// Holders of a BRC-20 token, largest balance first. May include former holders.
#[utoipa::path(
    get,
    path = "/ordinals/brc-20/tokens/{ticker}/holders",
    operation_id = "getBrc20TokenHolders",
    tag = "BRC-20",
    params(("ticker" = String, Path, description = "Ticker (case-insensitive), percent-encoded", example = "ordi"), PageParams),
    responses(
        (status = 200, description = "A page of holders", body = PagedJson<HolderJson>),
        (status = 400, description = "Invalid parameter", body = BadRequest),
        (status = 404, description = "Token not found", body = Plain),
    ),
)]
pub(super) async fn holders(
    Extract(indexer): Extract<Indexer>,
    headers: HeaderMap,
    Path(ticker): Path<String>,
    query: Query,
) -> Result<Response, ErrorReply> {
    let page = query.page()?;
    let holders = indexer.holders(&ticker, page);
    cached(&headers, &*indexer, holders, |holders| ok(&PagedJson::<HolderJson>::brc20(page, holders))).await
}

#[derive(IntoParams)]
#[into_params(parameter_in = Query)]
#[expect(dead_code, reason = "describes the parameters")]
struct BalancesParams {
    /// Ticker prefixes (case-insensitive). Repeatable.
    #[param(required = false)]
    ticker: Vec<String>,
    /// Balances after this block; 0 means no filter.
    #[param(pattern = "^[0-9]+$")]
    block_height: Option<String>,
}

/// BRC-20 balances of an address. Unknown and invalid addresses have none.
#[utoipa::path(
    get,
    path = "/ordinals/brc-20/balances/{address}",
    operation_id = "getBrc20Balances",
    tag = "BRC-20",
    params(("address" = String, Path, description = "Bitcoin address", example = "bc1pppkq8drc6nnqpl9cucw7s085m2rl8lfvlprf96cvl8lju8dhq88s29yr6n"), BalancesParams, PageParams),
    responses(
        (status = 200, description = "A page of balances", body = PagedJson<BalanceJson>),
        (status = 400, description = "Invalid parameter", body = BadRequest),
    ),
)]
pub(super) async fn balances(
    Extract(indexer): Extract<Indexer>,
    headers: HeaderMap,
    Path(address): Path<String>,
    query: Query,
) -> Result<Response, ErrorReply> {
    let page = query.page()?;
    let query = BalancesQuery { address, tickers: query.all("ticker"), block_height: query.height("block_height")? };
    let balances = indexer.balances(&query, page);
    cached(&headers, &*indexer, balances, |balances| ok(&PagedJson::<BalanceJson>::brc20(page, balances))).await
}

#[derive(IntoParams)]
#[into_params(parameter_in = Query)]
#[expect(dead_code, reason = "describes the parameters")]
struct ActivityParams {
    /// Exact tickers in lower case. Repeatable.
    #[param(required = false)]
    ticker: Vec<String>,
    /// Block height; 0 means no filter.
    #[param(pattern = "^[0-9]+$")]
    block_height: Option<String>,
    /// `deploy`, `mint`, `transfer` (inscribed), `transfer_send` (sent). Repeatable.
    #[param(required = false, inline)]
    operation: Vec<OperationName>,
    /// Events from or to this address.
    address: Option<String>,
}

/// BRC-20 activity, newest first.
#[utoipa::path(
    get,
    path = "/ordinals/brc-20/activity",
    operation_id = "getBrc20Activity",
    tag = "BRC-20",
    params(ActivityParams, PageParams),
    responses(
        (status = 200, description = "A page of events", body = PagedJson<ActivityJson>),
        (status = 400, description = "Invalid parameter", body = BadRequest),
    ),
)]
pub(super) async fn activity(
    Extract(indexer): Extract<Indexer>,
    headers: HeaderMap,
    query: Query,
) -> Result<Response, ErrorReply> {
    let page = query.page()?;
    let query = ActivityQuery {
        tickers: query.all("ticker"),
        block_height: query.height("block_height")?,
        operations: query.words("operation", &OPERATIONS)?,
        address: query.one("address", "must be string", |text| Some(text.to_owned()))?,
    };
    let activity = indexer.activity(&query, page);
    cached(&headers, &*indexer, activity, |events| ok(&PagedJson::<ActivityJson>::brc20(page, events))).await
}
