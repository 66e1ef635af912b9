//! Inscriptions: lists, one, its content, where it has been.

use axum::body::Body;
use axum::extract::{Path, State as Extract};
use axum::http::{HeaderMap, HeaderValue, header};
use axum::response::Response;
use utoipa::IntoParams;

use super::Indexer;
use super::query::{PageParams, Query};
use super::reply::{BadRequest, Plain, Refusal, cached, ok};
use crate::model::InscriptionRef;
use crate::model::Text;
use crate::service::json::indexer::{InscriptionJson, LocationJson, PagedJson, TransferJson};
use crate::service::providers::{BlockRef, Content, InscriptionOrder, InscriptionsQuery};

const RARITIES: [&str; 6] = ["common", "uncommon", "rare", "epic", "legendary", "mythic"];
const BLOCK: &str = "must be a block height or a block hash";
const ID: &str = "must match pattern \"^[a-fA-F0-9]{64}i[0-9]+$\"";

#[derive(IntoParams)]
#[into_params(parameter_in = Query)]
#[expect(dead_code, reason = "describes the parameters")]
struct InscriptionsParams {
    /// Height or hash of the block that brought them.
    genesis_block: Option<String>,
    /// From this block on.
    #[param(pattern = "^[0-9]+$")]
    from_genesis_block_height: Option<String>,
    /// Up to this block.
    #[param(pattern = "^[0-9]+$")]
    to_genesis_block_height: Option<String>,
    /// From this time on, milliseconds.
    from_genesis_timestamp: Option<i64>,
    /// Up to this time, milliseconds.
    to_genesis_timestamp: Option<i64>,
    /// From this sat on.
    from_sat_ordinal: Option<u64>,
    /// Up to this sat.
    to_sat_ordinal: Option<u64>,
    /// On sats of this block and later ones.
    #[param(pattern = "^[0-9]+$")]
    from_sat_coinbase_height: Option<String>,
    /// On sats of this block and earlier ones.
    #[param(pattern = "^[0-9]+$")]
    to_sat_coinbase_height: Option<String>,
    /// From this number on.
    from_number: Option<i64>,
    /// Up to this number.
    to_number: Option<i64>,
    /// Ids. Repeated for several.
    #[param(required = false)]
    id: Vec<String>,
    /// Numbers. Repeated for several.
    #[param(required = false)]
    number: Vec<i64>,
    /// The output that holds them, `txid:vout`.
    output: Option<String>,
    /// Their owners. Repeated for several.
    #[param(required = false)]
    address: Vec<String>,
    /// Who inscribed them. Repeated for several.
    #[param(required = false)]
    genesis_address: Vec<String>,
    /// Types without parameters. Repeated for several.
    #[param(required = false)]
    mime_type: Vec<String>,
    /// Rarities of their sats. Repeated for several.
    #[param(required = false)]
    rarity: Vec<String>,
    /// Refers to others.
    recursive: Option<bool>,
    /// Has a number below zero.
    cursed: Option<bool>,
    /// `genesis_block_height` (the default), `number`, `ordinal`, `rarity`.
    #[param(pattern = "^(genesis_block_height|number|ordinal|rarity)$")]
    order_by: Option<String>,
    /// `desc` (the default), `asc`.
    #[param(pattern = "^(asc|desc)$")]
    order: Option<String>,
}

/// Inscriptions.
#[utoipa::path(
    get,
    path = "/ordinals/inscriptions",
    operation_id = "getInscriptions",
    tag = "Inscriptions",
    params(InscriptionsParams, PageParams),
    responses(
        (status = 200, description = "A page of inscriptions", body = PagedJson<InscriptionJson>),
        (status = 304, description = "It is what the ETag stands for"),
        (status = 400, description = "A parameter is wrong", body = BadRequest),
    ),
)]
pub(super) async fn list(
    Extract(indexer): Extract<Indexer>,
    headers: HeaderMap,
    query: Query,
) -> Result<Response, Refusal> {
    let page = query.page()?;
    let allowed = "must be equal to one of the allowed values";
    let order_by = query.one("order_by", allowed, |word| match word {
        "genesis_block_height" => Some(InscriptionOrder::GenesisBlockHeight),
        "number" => Some(InscriptionOrder::Number),
        "ordinal" => Some(InscriptionOrder::Ordinal),
        "rarity" => Some(InscriptionOrder::Rarity),
        _ => None,
    })?;
    let ascending = query.one("order", allowed, |word| match word {
        "asc" => Some(true),
        "desc" => Some(false),
        _ => None,
    })?;
    let query = InscriptionsQuery {
        order: order_by.unwrap_or_default(),
        ascending: ascending.unwrap_or(false),
        ..conditions(&query)?
    };
    let list = indexer.inscriptions(&query, page);
    cached(&headers, &*indexer, list, |list| ok(&PagedJson::<InscriptionJson>::new(page, list))).await
}

fn conditions(query: &Query) -> Result<InscriptionsQuery, Refusal> {
    let block = query.one("genesis_block", BLOCK, |text| is_block(text).then(|| text.to_owned()))?;
    let height = block.as_ref().and_then(|text| text.parse::<u64>().ok());
    let heights = (
        query.digits("from_genesis_block_height")?.unwrap_or(0),
        query.digits("to_genesis_block_height")?.unwrap_or(u64::MAX),
    );
    let heights = match height {
        Some(height) => heights.0.max(height)..=heights.1.min(height),
        None => heights.0..=heights.1,
    };
    let integer = |name: &str, default| Ok::<i64, Refusal>(query.integer(name)?.unwrap_or(default));
    // Below the first sat there is none, as below zero.
    let ordinal = |name: &str, default| {
        Ok::<u64, Refusal>(query.integer(name)?.map_or(default, |n| u64::try_from(n).unwrap_or(0)))
    };
    Ok(InscriptionsQuery {
        ids: query.items("id", ID, |text| is_id(text).then(|| text.to_owned()))?,
        numbers: query.items("number", "must be integer", super::query::whole)?,
        block_hash: block.filter(|_| height.is_none()),
        heights,
        timestamps: integer("from_genesis_timestamp", i64::MIN)?..=integer("to_genesis_timestamp", i64::MAX)?,
        sats: ordinal("from_sat_ordinal", 0)?..=ordinal("to_sat_ordinal", u64::MAX)?,
        sat_heights: query.digits("from_sat_coinbase_height")?.unwrap_or(0)
            ..=query.digits("to_sat_coinbase_height")?.unwrap_or(u64::MAX),
        number_range: integer("from_number", i64::MIN)?..=integer("to_number", i64::MAX)?,
        output: query.one("output", "must match pattern \"^[a-fA-F0-9]{64}:[0-9]+$\"", |text| {
            let (tx, vout) = text.split_once(':')?;
            (is_hash(tx) && is_digits(vout)).then(|| text.to_ascii_lowercase())
        })?,
        addresses: query.all("address"),
        genesis_addresses: query.all("genesis_address"),
        mime_types: query.all("mime_type"),
        rarities: query.words("rarity", &RARITIES)?,
        recursive: query.flag("recursive")?,
        cursed: query.flag("cursed")?,
        ..InscriptionsQuery::default()
    })
}

/// Inscriptions that moved in a block, the newest inscription first.
#[utoipa::path(
    get,
    path = "/ordinals/inscriptions/transfers",
    operation_id = "getTransfersPerBlock",
    tag = "Inscriptions",
    params(("block" = String, Query, description = "Height or hash of the block", example = "966000"), PageParams),
    responses(
        (status = 200, description = "A page of transfers", body = PagedJson<TransferJson>),
        (status = 304, description = "It is what the ETag stands for"),
        (status = 400, description = "A parameter is wrong", body = BadRequest),
    ),
)]
pub(super) async fn transfers(
    Extract(indexer): Extract<Indexer>,
    headers: HeaderMap,
    query: Query,
) -> Result<Response, Refusal> {
    let page = query.page()?;
    let block = query
        .one("block", BLOCK, block_ref)?
        .ok_or_else(|| Refusal::Invalid(String::from("querystring must have required property 'block'")))?;
    let transfers = indexer.transfers(&block, page);
    cached(&headers, &*indexer, transfers, |list| ok(&PagedJson::<TransferJson>::new(page, list))).await
}

/// One inscription.
#[utoipa::path(
    get,
    path = "/ordinals/inscriptions/{id}",
    operation_id = "getInscription",
    tag = "Inscriptions",
    params(("id" = String, Path, description = "Id or number", example = "0")),
    responses(
        (status = 200, description = "The inscription", body = InscriptionJson),
        (status = 304, description = "It is what the ETag stands for"),
        (status = 400, description = "Neither an id nor a number", body = BadRequest),
        (status = 404, description = "There is no such inscription", body = Plain),
    ),
)]
pub(super) async fn one(
    Extract(indexer): Extract<Indexer>,
    headers: HeaderMap,
    Path(id): Path<String>,
) -> Result<Response, Refusal> {
    let inscription = inscription_ref(&id)?;
    let found = indexer.inscription(&inscription);
    cached(&headers, &*indexer, found, |inscription| ok(&InscriptionJson::from(inscription))).await
}

/// The content of an inscription.
#[utoipa::path(
    get,
    path = "/ordinals/inscriptions/{id}/content",
    operation_id = "getInscriptionContent",
    tag = "Inscriptions",
    params(("id" = String, Path, description = "Id or number", example = "0")),
    responses(
        (status = 200, description = "Its bytes, in its own type", content_type = "application/octet-stream", body = Vec<u8>),
        (status = 304, description = "It is what the ETag stands for"),
        (status = 400, description = "Neither an id nor a number", body = BadRequest),
        (status = 404, description = "There is no such inscription", body = Plain),
    ),
)]
pub(super) async fn content(
    Extract(indexer): Extract<Indexer>,
    headers: HeaderMap,
    Path(id): Path<String>,
) -> Result<Response, Refusal> {
    let inscription = inscription_ref(&id)?;
    cached(&headers, &*indexer, indexer.content(&inscription), content_response).await
}

/// The bytes in their own type.
fn content_response(content: &Content) -> Response {
    let mut response = Response::new(Body::from(content.bytes.clone()));
    // A type that is no header value is unknown to the client, too.
    let unknown = HeaderValue::from_static("application/octet-stream");
    let content_type = HeaderValue::from_str(&content.content_type).unwrap_or(unknown);
    response.headers_mut().insert(header::CONTENT_TYPE, content_type);
    response
}

/// Where an inscription has been, newest first.
#[utoipa::path(
    get,
    path = "/ordinals/inscriptions/{id}/transfers",
    operation_id = "getInscriptionTransfers",
    tag = "Inscriptions",
    params(("id" = String, Path, description = "Id or number", example = "0"), PageParams),
    responses(
        (status = 200, description = "A page of locations", body = PagedJson<LocationJson>),
        (status = 304, description = "It is what the ETag stands for"),
        (status = 400, description = "A parameter is wrong", body = BadRequest),
        (status = 404, description = "There is no such inscription", body = Plain),
    ),
)]
pub(super) async fn locations(
    Extract(indexer): Extract<Indexer>,
    headers: HeaderMap,
    Path(id): Path<String>,
    query: Query,
) -> Result<Response, Refusal> {
    let (inscription, page) = (inscription_ref(&id)?, query.page()?);
    let locations = indexer.locations(&inscription, page);
    cached(&headers, &*indexer, locations, |list| ok(&PagedJson::<LocationJson>::new(page, list))).await
}

fn inscription_ref(text: &str) -> Result<InscriptionRef, Refusal> {
    if is_id(text) {
        return Ok(InscriptionRef::Id(Text::from(text.to_ascii_lowercase())));
    }
    if is_digits(text.strip_prefix('-').unwrap_or(text)) {
        // A number that 64 bits cannot hold is that of no inscription, as is the lowest that they can.
        return Ok(InscriptionRef::Number(text.parse().unwrap_or(i64::MIN)));
    }
    Err(Refusal::Invalid(format!("params/id {ID}, params/id must be integer, params/id must match a schema in anyOf")))
}

fn is_id(text: &str) -> bool {
    text.split_once('i').is_some_and(|(tx, index)| is_hash(tx) && is_digits(index))
}

fn is_block(text: &str) -> bool {
    block_ref(text).is_some()
}

fn block_ref(text: &str) -> Option<BlockRef> {
    if is_digits(text) {
        return Some(BlockRef::Height(text.parse().unwrap_or(u64::MAX)));
    }
    (is_hash(text) && text.starts_with("00000000")).then(|| BlockRef::Hash(text.to_ascii_lowercase()))
}

fn is_hash(text: &str) -> bool {
    text.len() == 64 && text.bytes().all(|byte| byte.is_ascii_hexdigit())
}

fn is_digits(text: &str) -> bool {
    !text.is_empty() && text.bytes().all(|byte| byte.is_ascii_digit())
}
