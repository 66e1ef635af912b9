//! Tolerant JSON decoders, one file per resource.
//!
//! Pipeline: bytes → text → `tape` (parses only the outer levels) → `envelope` (finds the list or the error) → one item
//! at a time through the resource's decoder, which finds fields by the names in its table (`names`) and reads them with
//! the readers in `read`. To support a new field name, add it to the table of that resource.

mod bitcoin_balance;
mod candles;
mod chain;
mod charset;
mod chart;
mod chart_currency;
mod chart_lists;
mod chart_period;
mod coin;
mod coin_names;
mod envelope;
mod escape;
mod field_name;
mod historical_rates;
mod holder_rows;
mod identity;
#[cfg(feature = "images")]
mod image;
mod indexer;
mod inherited;
mod json_lines;
mod kind;
mod market_data;
mod market_pair;
mod money;
mod names;
mod names_around;
mod pair_name;
mod points;
mod post;
mod read;
mod requested_coin;
mod sources;
mod stated_zone;
mod table;
mod tape;
mod time_zone;
mod warning;
mod wide_rows;

use std::borrow::Cow;
use std::slice;

use self::inherited::Inherited;
use self::read::Context;
use self::tape::{Document, Tape, Value};
use super::config::{Limits, TextForm};
use super::error::ErrorKind;
use super::request::{Group, Request, Warning};
use super::response_data::ResponseData;
use crate::model::{Content, Text, text};

pub use self::envelope::error_message;
pub use self::warning::{DecodeWarning, Subject};

/// Magic number of gzip (RFC 1952).
const GZIP: &[u8] = &[0x1f, 0x8b];

/// Decodes the body of a successful response.
///
/// Never panics. Unreadable values become `None` in the model, with a warning.
///
/// # Errors
/// [`ErrorKind::Empty`], [`ErrorKind::NotJson`], [`ErrorKind::Incomplete`], [`ErrorKind::TooDeep`],
/// [`ErrorKind::TooMany`] and [`ErrorKind::Corrupt`] if the body is not (complete) JSON, [`ErrorKind::InBody`] if it
/// reports an error, [`ErrorKind::Unrecognised`] if its format is unknown.
pub fn decode(
    request: &Request,
    body: &[u8],
    content_type: Option<&str>,
    limits: &Limits,
) -> Result<(ResponseData, Vec<Warning>), ErrorKind> {
    let decoded = decode_as(TextForm::Clean, request, body, content_type, limits)?;
    Ok((decoded.response, decoded.warnings.into_iter().map(|warning| warning.sentence).collect()))
}

/// A decoded body.
#[derive(Clone, Debug, PartialEq)]
pub struct Decoded {
    /// The response.
    pub response: ResponseData,
    /// Unreadable parts.
    pub warnings: Vec<DecodeWarning>,
    /// Number of rows in the body, skipped and unreadable ones included.
    pub rows: usize,
    /// Whether the list has more rows than the body, according to the service.
    pub has_more: bool,
    /// Whether the body has pairs of several coins that may be the requested one. Those of the first were read.
    pub has_several_coins: bool,
    /// The `provider` field next to the data.
    pub provider: Option<Text>,
}

impl Decoded {
    /// A response that is not a page of a list and names no provider. `charset` is the warning about its encoding.
    fn whole(
        response: ResponseData,
        rows: usize,
        charset: Option<Warning>,
        warnings: impl IntoIterator<Item = DecodeWarning>,
    ) -> Decoded {
        let warnings = charset.into_iter().map(DecodeWarning::of_response).chain(warnings).collect();
        Decoded { response, warnings, rows, has_more: false, has_several_coins: false, provider: None }
    }
}

/// Maximum length of a provider's name in characters.
pub(crate) const MAX_PROVIDER: usize = 160;

/// Decodes like [`decode`], with text in this form.
///
/// # Errors
/// As [`decode`].
pub fn decode_as(
    text_form: TextForm,
    request: &Request,
    body: &[u8],
    content_type: Option<&str>,
    limits: &Limits,
) -> Result<Decoded, ErrorKind> {
    if let Request::InscriptionImage { .. } = request {
        return Ok(Decoded::whole(image(body, content_type)?, 0, None, Vec::new()));
    }
    if body.starts_with(GZIP) {
        return Err(ErrorKind::NotJson(String::from("gzip data")));
    }
    let (text, charset) = charset::to_text(body, content_type);
    match request {
        Request::InscriptionContent { .. } => {
            let text = match text_form {
                TextForm::Clean => text::clean_lines(&text),
                TextForm::Original => text,
            };
            let content = Content { text: text.into_owned() };
            return Ok(Decoded::whole(ResponseData::InscriptionContent(Box::new(content)), 0, charset, Vec::new()));
        }
        Request::Sources => {
            let (sources, warnings) = sources::decode(&text)?;
            let rows = sources.len() + warnings.len();
            let warnings = warnings.into_iter().map(DecodeWarning::of_field);
            return Ok(Decoded::whole(ResponseData::Sources(sources), rows, charset, warnings));
        }
        Request::CoinNames => {
            let (names, warnings) = coin_names::decode(&text)?;
            let rows = names.len();
            let warnings = warnings.into_iter().map(DecodeWarning::of_response);
            return Ok(Decoded::whole(ResponseData::CoinNames(names), rows, charset, warnings));
        }
        Request::HistoricalRates { .. } => {
            let (rates, warnings) = historical_rates::decode(request, &text)?;
            let rows = rates.len() + warnings.len();
            let warnings = warnings.into_iter().map(DecodeWarning::of_field);
            return Ok(Decoded::whole(ResponseData::HistoricalRates(rates), rows, charset, warnings));
        }
        _ => {}
    }
    let inherited = Inherited { charset: charset.as_ref(), zone: None };
    let text = json_lines::without_guard(&text);
    let document = Document::parse(text, limits.depth)?;
    if document.trailing
        && let Some(list) = json_lines::to_array(text)
        && let Ok(lines) = Document::parse(&list, limits.depth)
        && let Ok(decoded) = read_any(text_form, request, (&lines, &list), MAX_INNER, limits, &inherited)
    {
        return Ok(decoded);
    }
    read_any(text_form, request, (&document, text), MAX_INNER, limits, &inherited)
}

/// Maximum levels of lists and strings around a response: a limit for hostile responses, since each is parsed again.
const MAX_INNER: usize = 4;

/// Reads the response from a document. Its list may be wrapped in the only item of another list or in a string, up to
/// this many times.
fn read_any(
    text_form: TextForm,
    request: &Request,
    (document, text): (&Document<'_>, &str),
    levels: usize,
    limits: &Limits,
    inherited: &Inherited<'_>,
) -> Result<Decoded, ErrorKind> {
    let response = match read_rows(text_form, request, (document, text), limits, inherited) {
        // The list may be nested deeper than the first pass parses.
        Err(ErrorKind::Unrecognised(_)) if document.is_deep => {
            let deep = Document::parse_deep(text, limits.depth)?;
            read_rows(text_form, request, (&deep, text), limits, inherited)
        }
        response => response,
    };
    let inner = || {
        let item = envelope::only_item(document.root()).map(Cow::Borrowed);
        item.or_else(|| envelope::json_in_text(document.root()).map(Cow::Owned))
    };
    match response {
        Err(error @ ErrorKind::Unrecognised(_)) => {
            let Some(levels) = levels.checked_sub(1) else { return Err(error) };
            let Some(inner) = inner() else { return Err(error) };
            let inherited = inherited.inside(document);
            let document = Document::parse(&inner, limits.depth).map_err(|_| error.clone())?;
            read_any(text_form, request, (&document, &inner), levels, limits, &inherited).map_err(|_| error)
        }
        response => response,
    }
}

/// Reads the response from a document, whose list may be a table. Charts have tables of their own, and price histories
/// may be in wide rows.
fn read_rows(
    text_form: TextForm,
    request: &Request,
    (document, text): (&Document<'_>, &str),
    limits: &Limits,
    inherited: &Inherited<'_>,
) -> Result<Decoded, ErrorKind> {
    if !matches!(request, Request::Chart { .. } | Request::MarketData { .. })
        && let Some(objects) = table::to_objects(document.root(), text)
        && let Ok(objects) = Document::parse_deep(&objects, limits.depth)
        && let Ok(decoded) = read(text_form, request, &objects, &inherited.inside(document))
    {
        return Ok(decoded);
    }
    let response = read(text_form, request, document, inherited);
    if let (Err(ErrorKind::Unrecognised(_)), Request::MarketData { symbols, .. }) = (&response, request) {
        let objects = table::to_objects(document.root(), text);
        let text = objects.as_deref().unwrap_or(text);
        let series = wide_rows::to_series(Document::parse_deep(text, limits.depth)?.root(), text, symbols);
        if let Some(series) = series
            && let Ok(series) = Document::parse_deep(&series, limits.depth)
            && let Ok(decoded) = read(text_form, request, &series, &inherited.inside(document))
        {
            return Ok(decoded);
        }
    }
    if let Err(ErrorKind::Unrecognised(_)) = &response
        && let Some(plain) = rewritten(request, text, limits)
        && let Ok(plain) = Document::parse_deep(&plain, limits.depth)
        && let Ok(decoded) = read(text_form, request, &plain, &inherited.inside(document))
        && has_stated_period(document.root(), &decoded.response)
    {
        return Ok(decoded);
    }
    response
}

/// Whether a chart covers the period that the response states around it.
fn has_stated_period(root: Value<'_>, response: &ResponseData) -> bool {
    if let ResponseData::Chart(chart) = response { chart_period::check(root, chart).is_ok() } else { true }
}

/// The text of a response in a format that no list or chart has, rewritten to one that is read.
fn rewritten(request: &Request, text: &str, limits: &Limits) -> Option<String> {
    if !matches!(request, Request::Chart { .. } | Request::Brc20Holders { .. }) {
        return None;
    }
    let document = Document::parse_deep(text, limits.depth).ok()?;
    // The items of lists, too.
    let mut tape = Tape::default();
    let root = tape.expand(document.root()).ok()?;
    match request {
        Request::Chart { slug, .. } => chart_lists::to_plain(root, slug),
        Request::Brc20Holders { .. } => holder_rows::to_objects(root, text),
        _ => None,
    }
}

#[cfg(feature = "images")]
fn image(body: &[u8], content_type: Option<&str>) -> Result<ResponseData, ErrorKind> {
    image::decode(body, content_type).map(|picture| ResponseData::Picture(Box::new(picture)))
}

#[cfg(not(feature = "images"))]
fn image(_body: &[u8], _content_type: Option<&str>) -> Result<ResponseData, ErrorKind> {
    Err(ErrorKind::Image(String::from("This build can't decode images")))
}

/// Reads the response from a document. If one of its numbers has a decimal comma, points between groups of three digits
/// are ambiguous in all of them.
fn read(
    text_form: TextForm,
    request: &Request,
    document: &Document<'_>,
    inherited: &Inherited<'_>,
) -> Result<Decoded, ErrorKind> {
    let mut context = Context::new(document).with_text(text_form);
    let mut outcome = read_into(&mut context, request, document, inherited);
    if context.has_ambiguous_points() {
        drop(outcome);
        context = Context::new(document).with_text(text_form).with_decimal_commas();
        outcome = read_into(&mut context, request, document, inherited);
    }
    let response = outcome?;
    let provider = document.root().get("provider").and_then(|name| name.str());
    let provider = provider.map(|name| Text::from(text::cut(text::clean(&name), MAX_PROVIDER)));
    let provider = provider.filter(|name| !name.is_empty());
    Ok(Decoded {
        response,
        rows: context.rows(),
        has_more: context.has_more(),
        has_several_coins: context.has_several_coins,
        warnings: context.into_warnings(),
        provider,
    })
}

fn read_into(
    context: &mut Context<'_>,
    request: &Request,
    document: &Document<'_>,
    inherited: &Inherited<'_>,
) -> Result<ResponseData, ErrorKind> {
    if let Some(warning) = inherited.charset {
        context.warn(|| warning.clone());
    }
    if document.trailing {
        context.warn(|| "ignored data after the JSON".to_owned());
    }
    let root = document.root();
    if let Some(error) = envelope::error_in(root, &|key| is_list_key(request, key)) {
        return Err(error);
    }
    context.enter_zone(inherited.zone_of(document));
    if let Some(reported) = envelope::warning_in(root) {
        context.warn(|| reported);
    }
    let response = response(request, root, context).map_err(|error| match error {
        ErrorKind::Unrecognised(_) if !document.is_deep => {
            envelope::message_in(root).or_else(|| envelope::failure_in(root)).unwrap_or(error)
        }
        error => error,
    })?;
    // A failure must not look like an empty list.
    let is_empty = !response.has_rows() && context.rows() == 0;
    let of_yahoo = || envelope::failure_in(chart_lists::yahoo(root).filter(|_| is_series(request))?);
    let failure = || envelope::failure_in(root).or_else(of_yahoo);
    is_empty.then(failure).flatten().map_or(Ok(response), Err)
}

/// Whether points are requested.
fn is_series(request: &Request) -> bool {
    matches!(request, Request::Chart { .. } | Request::MarketData { .. })
}

/// Whether this key may hold the requested list.
fn is_list_key(request: &Request, key: &str) -> bool {
    let (lists, names): (&[&str], &[Text]) = match request {
        Request::Coins { .. } | Request::CoinsById { .. } | Request::CategoryStats { .. } => (coin::SPEC.lists, &[]),
        Request::Posts { symbol, .. } => (post::SPEC.lists, slice::from_ref(symbol)),
        Request::MarketPairs { symbol, .. } => (market_pair::SPEC.lists, slice::from_ref(symbol)),
        Request::Chart { slug, .. } => (points::SERIES, slice::from_ref(slug)),
        Request::MarketData { symbols, .. } => (points::SERIES, symbols),
        _ => (indexer::lists(request), &[]),
    };
    let is_id = || matches!(request.group(), Group::Market) && identity::is_number(key);
    let more = if is_series(request) { market_data::LISTS } else { &[] };
    lists.iter().chain(more).chain(envelope::WRAPPERS).any(|name| field_name::same_name(name, key))
        || names.iter().any(|name| name.eq_ignore_ascii_case(key))
        || is_id()
}

fn response(request: &Request, root: Value<'_>, context: &mut Context<'_>) -> Result<ResponseData, ErrorKind> {
    Ok(match request {
        Request::Coins { convert, .. } | Request::CategoryStats { convert, .. } => {
            ResponseData::Coins(coin::decode(root, convert, context)?)
        }
        Request::Posts { symbol, .. } => ResponseData::Posts(post::decode(root, symbol, context)?),
        Request::MarketPairs { symbol, slug, convert } => {
            ResponseData::MarketPairs(market_pair::decode(root, (symbol, slug.as_ref(), convert), context)?)
        }
        Request::Chart { slug, period, convert } => {
            ResponseData::Chart(chart::decode(root, (slug, *period, convert), context)?)
        }
        Request::ChainState => ResponseData::ChainState(chain::decode(root, context)?),
        Request::BitcoinBalance { address } => {
            ResponseData::BitcoinBalance(bitcoin_balance::decode(root, address, context)?)
        }
        Request::CoinsById { ids, convert } => {
            let mut page = coin::decode(root, convert, context)?;
            page.items.retain(|coin| ids.contains(&coin.id));
            page.total = Some(page.items.len() as u64);
            ResponseData::Coins(page)
        }
        Request::MarketData { symbols, convert, interval, .. } => {
            ResponseData::Market(market_data::decode_requested(root, symbols, interval, convert, context)?)
        }
        _ => indexer::decode(request, root, context)?,
    })
}
