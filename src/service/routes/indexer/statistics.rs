//! Statistics.

use axum::extract::State as Extract;
use axum::http::HeaderMap;
use axum::response::Response;
use utoipa::IntoParams;

use super::query::Query;
use super::reply::{BadRequest, ErrorReply, Indexer, cached, ok};
use crate::service::json::indexer::StatisticsJson;

#[derive(IntoParams)]
#[into_params(parameter_in = Query)]
#[expect(dead_code, reason = "describes the parameters")]
struct StatisticsParams {
    /// First block.
    #[param(pattern = "^[0-9]+$")]
    from_block_height: Option<String>,
    /// Last block.
    #[param(pattern = "^[0-9]+$")]
    to_block_height: Option<String>,
}

/// Inscriptions per block, newest first, for at most the last 528 blocks.
#[utoipa::path(
    get,
    path = "/ordinals/stats/inscriptions",
    operation_id = "getStatsInscriptionCount",
    tag = "Statistics",
    params(StatisticsParams),
    responses(
        (status = 200, description = "The blocks", body = StatisticsJson),
        (status = 400, description = "Invalid parameter", body = BadRequest),
    ),
)]
pub(super) async fn inscriptions(
    Extract(indexer): Extract<Indexer>,
    headers: HeaderMap,
    query: Query,
) -> Result<Response, ErrorReply> {
    let (from, to) = (query.digits("from_block_height")?, query.digits("to_block_height")?);
    let stats = indexer.inscription_stats(from, to);
    cached(&headers, &*indexer, stats, |blocks| ok(&StatisticsJson::from(blocks))).await
}
