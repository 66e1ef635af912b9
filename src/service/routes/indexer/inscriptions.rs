//! Inscriptions: lists, single ones, content, locations, transfers.

use axum::body::Body;
use axum::extract::{Path, State as Extract};
use axum::http::{HeaderMap, HeaderValue, header};
use axum::response::Response;
use utoipa::IntoParams;

use super::query::{PageParams, Query};
use super::reply::{BadRequest, ErrorReply, Indexer, Plain, cached, ok};
use crate::model::{InscriptionRef, Text, is_inscription_id};
use crate::service::backend::indexer::{BlockRef, Content, InscriptionOrder, InscriptionsQuery};
use crate::service::json::indexer::{InscriptionJson, LocationJson, PagedJson, TransferJson};

const RARITIES: [&str; 6] = ["common", "uncommon", "rare", "epic", "legendary", "mythic"];
const BLOCK: &str = "must be a block height or a block hash";
const ID: &str = "must match pattern \"^[a-fA-F0-9]{64}i[0-9]+$\"";

/// An id of an inscription.
#[derive(utoipa::ToSchema)]
#[schema(pattern = "^[a-fA-F0-9]{64}i[0-9]+$")]
#[expect(dead_code, reason = "describes the parameter")]
struct IdParam(String);

/// The values of [`RARITIES`].
#[derive(utoipa::ToSchema)]
#[schema(rename_all = "snake_case")]
#[expect(dead_code, reason = "describes the parameter")]
enum RarityName {
    Common,
    Uncommon,
    Rare,
    Epic,
    Legendary,
    Mythic,
}

#[derive(IntoParams)]
#[into_params(parameter_in = Query)]
#[expect(dead_code, reason = "describes the parameters")]
struct InscriptionsParams {
    /// Height or hash of the genesis block.
    #[param(pattern = "^([0-9]+|0{8}[a-fA-F0-9]{56})$")]
    genesis_block: Option<String>,
    /// Minimum genesis block height.
    #[param(pattern = "^[0-9]+$")]
    from_genesis_block_height: Option<String>,
    /// Maximum genesis block height.
    #[param(pattern = "^[0-9]+$")]
    to_genesis_block_height: Option<String>,
    /// Minimum genesis time in milliseconds.
    from_genesis_timestamp: Option<i64>,
    /// Maximum genesis time in milliseconds.
    to_genesis_timestamp: Option<i64>,
    /// Minimum sat number.
    from_sat_ordinal: Option<i64>,
    /// Maximum sat number.
    to_sat_ordinal: Option<i64>,
    /// Minimum block height of the sat.
    #[param(pattern = "^[0-9]+$")]
    from_sat_coinbase_height: Option<String>,
    /// Maximum block height of the sat.
    #[param(pattern = "^[0-9]+$")]
    to_sat_coinbase_height: Option<String>,
    /// Minimum inscription number.
    from_number: Option<i64>,
    /// Maximum inscription number.
    to_number: Option<i64>,
    /// IDs. Repeatable.
    #[param(required = false, inline)]
    id: Vec<IdParam>,
    /// Numbers. Repeatable.
    #[param(required = false)]
    number: Vec<i64>,
    /// Output, `txid:vout`.
    #[param(pattern = "^[a-fA-F0-9]{64}:[0-9]+$")]
    output: Option<String>,
    /// Owner addresses. Repeatable.
    #[param(required = false)]
    address: Vec<String>,
    /// Genesis addresses. Repeatable.
    #[param(required = false)]
    genesis_address: Vec<String>,
    /// MIME types without parameters. Repeatable.
    #[param(required = false)]
    mime_type: Vec<String>,
    /// Rarities of the sats. Repeatable.
    #[param(required = false, inline)]
    rarity: Vec<RarityName>,
    /// Whether it refers to other inscriptions.
    recursive: Option<bool>,
    /// Whether it is cursed.
    cursed: Option<bool>,
    /// `genesis_block_height`, `number`, `ordinal`, `rarity`.
    #[param(pattern = "^(genesis_block_height|number|ordinal|rarity)$", default = "genesis_block_height")]
    order_by: Option<String>,
    /// `desc`, `asc`.
    #[param(pattern = "^(asc|desc)$", default = "desc")]
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
        (status = 400, description = "Invalid parameter", body = BadRequest),
    ),
)]
pub(super) async fn list(
    Extract(indexer): Extract<Indexer>,
    headers: HeaderMap,
    query: Query,
) -> Result<Response, ErrorReply> {
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
        ..filters(&query)?
    };
    let list = indexer.inscriptions(&query, page);
    cached(&headers, &*indexer, list, |list| ok(&PagedJson::<InscriptionJson>::new(page, list))).await
}

fn filters(query: &Query) -> Result<InscriptionsQuery, ErrorReply> {
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
    let integer = |name: &str, default| Ok::<i64, ErrorReply>(query.integer(name)?.unwrap_or(default));
    // There are no sats below zero.
    let ordinal = |name: &str, default| {
        Ok::<u64, ErrorReply>(query.integer(name)?.map_or(default, |n| u64::try_from(n).unwrap_or(0)))
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

/// Inscriptions that moved in a block, newest inscription first.
#[utoipa::path(
    get,
    path = "/ordinals/inscriptions/transfers",
    operation_id = "getTransfersPerBlock",
    tag = "Inscriptions",
    params(("block" = String, Query, description = "Height or hash of the block", pattern = "^([0-9]+|0{8}[a-fA-F0-9]{56})$", example = "966000"), PageParams),
    responses(
        (status = 200, description = "A page of transfers", body = PagedJson<TransferJson>),
        (status = 400, description = "Invalid parameter", body = BadRequest),
    ),
)]
pub(super) async fn transfers(
    Extract(indexer): Extract<Indexer>,
    headers: HeaderMap,
    query: Query,
) -> Result<Response, ErrorReply> {
    let page = query.page()?;
    let block = query
        .one("block", BLOCK, block_ref)?
        .ok_or_else(|| ErrorReply::Invalid(String::from("querystring must have required property 'block'")))?;
    let transfers = indexer.transfers(&block, page);
    cached(&headers, &*indexer, transfers, |list| ok(&PagedJson::<TransferJson>::new(page, list))).await
}

/// One inscription.
#[utoipa::path(
    get,
    path = "/ordinals/inscriptions/{id}",
    operation_id = "getInscription",
    tag = "Inscriptions",
    params(("id" = String, Path, description = "ID or number", pattern = "^([a-fA-F0-9]{64}i[0-9]+|-?[0-9]+)$", example = "0")),
    responses(
        (status = 200, description = "The inscription", body = InscriptionJson),
        (status = 400, description = "Neither an ID nor a number", body = BadRequest),
        (status = 404, description = "Inscription not found", body = Plain),
    ),
)]
pub(super) async fn one(
    Extract(indexer): Extract<Indexer>,
    headers: HeaderMap,
    Path(id): Path<String>,
) -> Result<Response, ErrorReply> {
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
    params(("id" = String, Path, description = "ID or number", pattern = "^([a-fA-F0-9]{64}i[0-9]+|-?[0-9]+)$", example = "0")),
    responses(
        (status = 200, description = "The content with its own type", content_type = "*/*", body = Value),
        (status = 400, description = "Neither an ID nor a number", body = BadRequest),
        (status = 404, description = "Inscription not found", body = Plain),
    ),
)]
pub(super) async fn content(
    Extract(indexer): Extract<Indexer>,
    headers: HeaderMap,
    Path(id): Path<String>,
) -> Result<Response, ErrorReply> {
    let inscription = inscription_ref(&id)?;
    cached(&headers, &*indexer, indexer.content(&inscription), content_response).await
}

/// What a browser may do with the content of an inscription: show it, without scripts and requests. Anyone can inscribe
/// HTML, which must not act for the user of this service.
const CONTENT_POLICY: HeaderValue = HeaderValue::from_static("default-src 'none'; style-src 'unsafe-inline'; sandbox");

/// Responds with the bytes and their content type.
fn content_response(content: &Content) -> Response {
    let mut response = Response::new(Body::from(content.bytes.clone()));
    // An invalid header value would be useless to the client.
    let unknown = HeaderValue::from_static("application/octet-stream");
    let content_type = HeaderValue::from_str(&content.content_type).unwrap_or(unknown);
    let headers = response.headers_mut();
    headers.insert(header::CONTENT_TYPE, content_type);
    headers.insert(header::CONTENT_SECURITY_POLICY, CONTENT_POLICY);
    headers.insert(header::X_CONTENT_TYPE_OPTIONS, HeaderValue::from_static("nosniff"));
    response
}

/// Locations of an inscription, newest first.
#[utoipa::path(
    get,
    path = "/ordinals/inscriptions/{id}/transfers",
    operation_id = "getInscriptionTransfers",
    tag = "Inscriptions",
    params(("id" = String, Path, description = "ID or number", pattern = "^([a-fA-F0-9]{64}i[0-9]+|-?[0-9]+)$", example = "0"), PageParams),
    responses(
        (status = 200, description = "A page of locations", body = PagedJson<LocationJson>),
        (status = 400, description = "Invalid parameter", body = BadRequest),
        (status = 404, description = "Inscription not found", body = Plain),
    ),
)]
pub(super) async fn locations(
    Extract(indexer): Extract<Indexer>,
    headers: HeaderMap,
    Path(id): Path<String>,
    query: Query,
) -> Result<Response, ErrorReply> {
    let (inscription, page) = (inscription_ref(&id)?, query.page()?);
    let locations = indexer.locations(&inscription, page);
    cached(&headers, &*indexer, locations, |list| ok(&PagedJson::<LocationJson>::new(page, list))).await
}

fn inscription_ref(text: &str) -> Result<InscriptionRef, ErrorReply> {
    if is_id(text) {
        return Ok(InscriptionRef::Id(Text::from(text.to_ascii_lowercase())));
    }
    if is_digits(text.strip_prefix('-').unwrap_or(text)) {
        // No inscription has a number beyond 64 bits.
        return Ok(InscriptionRef::Number(text.parse().unwrap_or(i64::MIN)));
    }
    Err(ErrorReply::Invalid(format!(
        "params/id {ID}, params/id must be integer, params/id must match a schema in anyOf"
    )))
}

/// Whether a text is an id, which other indexers accept only with a small `i`.
fn is_id(text: &str) -> bool {
    is_inscription_id(text) && !text.contains('I')
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
