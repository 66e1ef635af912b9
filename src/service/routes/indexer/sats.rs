//! Sats. As in Hiro's API, responses have no caching headers, unless the data is live, and all errors have the same
//! message.

use axum::extract::{Path, State as Extract};
use axum::http::HeaderMap;
use axum::response::Response;

use super::query::{PageParams, Query};
use super::reply::{ErrorReply, Indexer, Plain, live, ok};
use crate::model::SatNumber;
use crate::service::json::indexer::{InscriptionJson, PagedJson, SatJson};
use crate::service::provider_response::ProviderResponse;

/// A sat with its properties.
#[utoipa::path(
    get,
    path = "/ordinals/sats/{ordinal}",
    operation_id = "getSatoshi",
    tag = "Satoshis",
    params(("ordinal" = u64, Path, description = "Number of the sat", maximum = 2_099_999_997_689_999u64, example = 1_111_111_111_111_111u64)),
    responses(
        (status = 200, description = "The sat", body = SatJson),
        (status = 400, description = "Invalid sat number", body = Plain),
    ),
)]
pub(super) async fn one(
    Extract(indexer): Extract<Indexer>,
    Path(ordinal): Path<String>,
    headers: HeaderMap,
) -> Result<Response, ErrorReply> {
    let sat = indexer.sat(number(&ordinal)?).await?;
    Ok(respond(&headers, &sat, |sat| ok(&SatJson::from(sat))).await)
}

/// Inscriptions on a sat, highest number first.
#[utoipa::path(
    get,
    path = "/ordinals/sats/{ordinal}/inscriptions",
    operation_id = "getSatoshiInscriptions",
    tag = "Satoshis",
    params(
        ("ordinal" = u64, Path, description = "Number of the sat", maximum = 2_099_999_997_689_999u64, example = 1_111_111_111_111_111u64),
        PageParams,
    ),
    responses(
        (status = 200, description = "A page of inscriptions", body = PagedJson<InscriptionJson>),
        (status = 400, description = "Invalid sat number or page", body = Plain),
    ),
)]
pub(super) async fn inscriptions(
    Extract(indexer): Extract<Indexer>,
    Path(ordinal): Path<String>,
    headers: HeaderMap,
    query: Query,
) -> Result<Response, ErrorReply> {
    let page = query.page().map_err(|_| ErrorReply::InvalidSat)?;
    let inscriptions = indexer.sat_inscriptions(number(&ordinal)?, page).await?;
    Ok(respond(&headers, &inscriptions, |data| ok(&PagedJson::<InscriptionJson>::new(page, data))).await)
}

async fn respond<M>(
    headers: &HeaderMap,
    response: &ProviderResponse<M>,
    write: impl FnOnce(&M) -> Response,
) -> Response {
    match response.provider {
        Some(_) => live(headers, response, write).await,
        None => write(&response.data),
    }
}

fn number(text: &str) -> Result<SatNumber, ErrorReply> {
    let number = super::query::whole(text).and_then(|number| u64::try_from(number).ok());
    number.and_then(SatNumber::new).ok_or(ErrorReply::InvalidSat)
}
