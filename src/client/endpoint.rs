//! Request URLs.
//!
//! Every byte of a parameter outside RFC 3986's unreserved set is percent-encoded, so that tickers such as `a/b?`,
//! `#&%+` or `🔥` arrive unchanged. The path segments `.` and `..` can't be transmitted (RFC 3986, 5.2.4 removes them,
//! encoded or not) and are rejected. No BRC-20 ticker is that short.

use std::fmt::Write as _;

use percent_encoding::{AsciiSet, NON_ALPHANUMERIC, utf8_percent_encode};

pub use super::base::Base;

use super::config::ClientConfig;
use super::error::ErrorKind;
use super::request::Request;
use crate::model::text::unescape_ticker;
use crate::model::{CoinId, Currency, InscriptionRef, Text};

/// Maximum page size of the indexer (Hiro's API rejects 61).
pub const MAX_INDEXER_PAGE: u32 = 60;

/// Maximum symbols per market data request.
pub const MAX_SYMBOLS: usize = 200;

/// Maximum points of a market data response: symbols times points of each. The embedded service serves no more.
pub const MAX_SERIES_POINTS: usize = 25_000;

/// Maximum length of these symbols in the URL in bytes. Servers accept request lines of 8 kB.
const SYMBOL_BYTES: usize = 6_000;

/// Maximum ids per request for coins.
pub const MAX_IDS: usize = 200;

/// Maximum BRC-20 balances of an address that [`balances_of`] requests.
const MAX_BALANCES: u32 = 500;

/// The path of our own service's state of its providers.
pub const SOURCES: &str = "/x/sources";

/// The path of our own service's newest block.
pub const CHAIN: &str = "/x/chain";

/// The path of our own service's balance of a Bitcoin address.
pub const ADDRESS: &str = "/x/address/{address}";

/// The path of our own service's names of all coins.
pub const NAMES: &str = "/x/names";

/// The path of our own service's exchange rates of past days.
pub const RATES: &str = "/x/rates";

/// The path of our own service's live prices, whose response doesn't end.
pub const STREAM: &str = "/x/stream";

/// Sorts BRC-20 tokens by number of events (Hiro's API; other services may reject it).
const MOST_ACTIVE_FIRST: (&str, &str) = ("order_by", "tx_count");

/// All characters except RFC 3986's unreserved ones.
const RESERVED: &AsciiSet = &NON_ALPHANUMERIC.remove(b'-').remove(b'.').remove(b'_').remove(b'~');

/// Path and query of a stream of live prices.
pub(super) fn price_stream(ids: &[CoinId], convert: &Currency) -> String {
    let ids: Vec<String> = ids.iter().map(|id| utf8_percent_encode(&id.0, RESERVED).to_string()).collect();
    format!("{STREAM}?ids={}&convert={convert}", ids.join(","))
}

/// Path and query of a request, relative to its group's base URL. The `limit` of indexer lists is clamped to 1 to
/// [`MAX_INDEXER_PAGE`].
///
/// # Errors
/// [`ErrorKind::InvalidRequest`] for a parameter that a path can't contain, [`ErrorKind::BadUrl`] for a configured path
/// without its placeholder.
pub fn path_and_query(config: &ClientConfig, request: &Request) -> Result<String, ErrorKind> {
    query_of(config, request).map(|query| query.text)
}

/// The path and query without our sort parameter; `None` if there is none.
pub(super) fn without_order(config: &ClientConfig, request: &Request) -> Option<String> {
    let query = query_of(config, request).ok()?;
    Some(query.text.get(..query.order_at?)?.to_owned())
}

fn query_of(config: &ClientConfig, request: &Request) -> Result<Query, ErrorKind> {
    let paths = &config.paths;
    let query = Query::new;
    Ok(match request {
        Request::Coins { tag, start, limit, convert } => query(&paths.coins)
            .with("tag", tag.as_str())
            .with("start", u64::from(start.saturating_sub(1)) + u64::from(config.first_index))
            .with("limit", limit)
            .convert(convert),
        Request::Posts { symbol, slug, order } => query(&paths.content)
            .with("post_type", order.as_str())
            .with("symbol", required("symbol", symbol)?)
            .with_some("slug", slug.as_ref().filter(|_| config.is_own_market)),
        Request::MarketPairs { symbol, slug, convert } => query(&paths.exchanges)
            .with("symbol", required("symbol", symbol)?)
            .with_some("slug", slug.as_ref().filter(|_| config.is_own_market))
            .convert(convert),
        Request::Chart { slug, period, convert } => {
            query(&paths.chart).with("slug", required("slug", slug)?).with("period", period.as_str()).convert(convert)
        }
        Request::MarketData { symbols, convert, count, interval } => query(&paths.market_data)
            .with_list("symbol", symbols)?
            .with("convert", convert)
            .with("count", count)
            .with("interval", interval),
        Request::CategoryStats { tag, convert } => query(&paths.coins_stats).with("tag", tag.as_str()).convert(convert),
        Request::Brc20Tokens { ticker, offset, limit } => {
            let ticker = ticker.as_deref().map(unescape_ticker);
            query(&paths.brc20_tokens).with_some("ticker", ticker).page(*offset, *limit).most_active_first()
        }
        Request::Brc20Token { ticker } => query(&fill(&paths.brc20_token, "ticker", &unescape_ticker(ticker))?),
        Request::Brc20Holders { ticker, offset, limit } => {
            query(&fill(&paths.brc20_holders, "ticker", &unescape_ticker(ticker))?).page(*offset, *limit)
        }
        Request::Brc20Balances { address, offset, limit } => {
            query(&fill(&paths.brc20_balances, "address", address)?).page(*offset, *limit)
        }
        Request::Brc20Activity { ticker, block_height, offset, limit } => query(&paths.brc20_activity)
            .with_some("ticker", ticker.as_deref().map(|ticker| unescape_ticker(ticker).to_lowercase()))
            .with_some("block_height", *block_height)
            .page(*offset, *limit),
        Request::Sat { number } => query(&fill(&paths.sat, "ordinal", &number.to_string())?),
        Request::SatInscriptions { number, offset, limit } => {
            query(&fill(&paths.sat_inscriptions, "ordinal", &number.to_string())?).page(*offset, *limit)
        }
        Request::Inscription { inscription: InscriptionRef::Id(id) } => query(&fill(&paths.inscription, "id", id)?),
        Request::Inscription { inscription: InscriptionRef::Number(number) } => {
            query(&fill(&paths.inscription, "id", &number.to_string())?)
        }
        Request::InscriptionContent { id } | Request::InscriptionImage { id } => {
            query(&fill(&paths.inscription_content, "id", id)?)
        }
        Request::Inscriptions { address, offset, limit } => {
            query(&paths.inscriptions).with_some("address", address.as_ref()).page(*offset, *limit)
        }
        Request::Sources => query(SOURCES),
        Request::InscriptionStats { from_block, to_block } => query(&paths.inscription_stats)
            .with_some("from_block_height", *from_block)
            .with_some("to_block_height", *to_block),
        Request::ChainState => query(CHAIN),
        Request::BitcoinBalance { address } => query(&fill(ADDRESS, "address", address)?),
        Request::CoinsById { ids, convert } => {
            let ids: Vec<&str> = ids.iter().map(|id| id.0.as_str()).collect();
            query(&paths.coins).with_list("ids", &ids)?.convert(convert)
        }
        Request::CoinNames => query(NAMES),
        Request::HistoricalRates { days, from, to } => {
            let days: Vec<String> = days.iter().map(ToString::to_string).collect();
            let from: Vec<&str> = from.iter().map(Currency::as_str).collect();
            query(RATES).with_list("dates", &days)?.with_list("from", &from)?.with("to", to)
        }
    })
}

/// The request for the BRC-20 balances of an address. Those of the wallet and of alerts are equal, so that they share
/// the response.
pub fn balances_of(address: &Text) -> Request {
    Request::Brc20Balances { address: address.clone(), offset: 0, limit: MAX_BALANCES }
}

/// The most symbols of a market data request with this many points of each.
pub fn max_symbols(count: u32) -> usize {
    let most = usize::try_from(count).ok().and_then(|count| MAX_SERIES_POINTS.checked_div(count));
    most.unwrap_or(MAX_SYMBOLS).clamp(1, MAX_SYMBOLS)
}

/// Splits symbols into batches, in order. Each batch has at most `most` symbols and fits into a URL that servers accept.
pub fn symbol_batches(symbols: impl IntoIterator<Item = Text>, most: usize) -> Vec<Vec<Text>> {
    let mut batches: Vec<Vec<Text>> = Vec::new();
    let mut bytes = 0;
    for symbol in symbols {
        let length = utf8_percent_encode(&symbol, RESERVED).map(str::len).sum::<usize>() + 1;
        match batches.last_mut().filter(|last| last.len() < most && bytes + length <= SYMBOL_BYTES) {
            Some(last) => {
                last.push(symbol);
                bytes += length;
            }
            None => {
                batches.push(vec![symbol]);
                bytes = length;
            }
        }
    }
    batches
}

/// The list at another offset and limit; `None` if the request isn't paginated.
pub(super) fn with_page(request: &Request, new_offset: u64, new_limit: u32) -> Option<Request> {
    let mut request = request.clone();
    match &mut request {
        Request::Brc20Tokens { offset, limit, .. }
        | Request::Brc20Holders { offset, limit, .. }
        | Request::Brc20Balances { offset, limit, .. }
        | Request::Brc20Activity { offset, limit, .. }
        | Request::SatInscriptions { offset, limit, .. }
        | Request::Inscriptions { offset, limit, .. } => (*offset, *limit) = (new_offset, new_limit),
        _ => return None,
    }
    Some(request)
}

/// The maximum rows of a page of a list; `None` if the request has no limit.
pub(super) fn limit(request: &Request) -> Option<u32> {
    match request {
        Request::Coins { limit, .. } => Some(*limit),
        _ => span(request).map(|(_, limit)| limit),
    }
}

/// The page with at most so many rows; `None` if it has no more than that, or no limit.
pub(super) fn with_limit(request: &Request, most: u32) -> Option<Request> {
    if limit(request)? <= most {
        return None;
    }
    let mut shorter = request.clone();
    match &mut shorter {
        Request::Coins { limit, .. } => *limit = most,
        _ => return with_page(request, span(request)?.0, most),
    }
    Some(shorter)
}

/// Offset and limit of an indexer list.
pub(super) fn span(request: &Request) -> Option<(u64, u32)> {
    match request {
        Request::Brc20Tokens { offset, limit, .. }
        | Request::Brc20Holders { offset, limit, .. }
        | Request::Brc20Balances { offset, limit, .. }
        | Request::Brc20Activity { offset, limit, .. }
        | Request::SatInscriptions { offset, limit, .. }
        | Request::Inscriptions { offset, limit, .. } => Some((*offset, *limit)),
        _ => None,
    }
}

/// Rejects an empty required parameter.
fn required<'v>(name: &str, value: &'v str) -> Result<&'v str, ErrorKind> {
    if value.is_empty() { Err(ErrorKind::InvalidRequest(format!("the {name} is empty"))) } else { Ok(value) }
}

/// Replaces a placeholder in a path (some deployments have it in the query, `…?tick={ticker}`).
fn fill(template: &str, name: &str, value: &str) -> Result<String, ErrorKind> {
    let value = required(name, value)?;
    let place = format!("{{{name}}}");
    if !template.contains(&place) {
        return Err(ErrorKind::BadUrl(format!("the path {template} lacks {place}")));
    }
    let filled = template.replace(&place, &encode(value));
    let path = filled.split(['?', '#']).next().unwrap_or_default();
    if path.split('/').any(|segment| segment == "." || segment == "..") {
        return Err(ErrorKind::InvalidRequest(format!("a URL path can't contain the {name} “{value}”")));
    }
    Ok(filled)
}

fn encode(value: &str) -> String {
    utf8_percent_encode(value, RESERVED).to_string()
}

/// Builds a path with a query string.
struct Query {
    text: String,
    joint: char,
    /// Where our sort parameter begins; it is the last parameter.
    order_at: Option<usize>,
}

impl Query {
    fn new(path: &str) -> Query {
        let slash = if path.starts_with('/') { "" } else { "/" };
        let joint = if path.contains('?') { '&' } else { '?' };
        Query { text: format!("{slash}{path}"), joint, order_at: None }
    }

    /// Adds an encoded parameter.
    fn raw(mut self, name: &str, value: &str) -> Query {
        // Writing to a String cannot fail.
        let _ = write!(self.text, "{}{name}={value}", self.joint);
        self.joint = '&';
        self
    }

    fn with(self, name: &str, value: impl ToString) -> Query {
        self.raw(name, &encode(&value.to_string()))
    }

    fn with_some(self, name: &str, value: Option<impl ToString>) -> Query {
        match value {
            Some(value) => self.with(name, value),
            None => self,
        }
    }

    /// Adds a list joined by unencoded commas.
    fn with_list(self, name: &str, values: &[impl AsRef<str>]) -> Result<Query, ErrorKind> {
        let values: Vec<_> = values.iter().map(|value| encode(value.as_ref())).collect();
        Ok(self.raw(name, required(name, &values.join(","))?))
    }

    /// Adds `convert` unless it is the default. The interface documents it for `/market/data` only.
    fn convert(self, currency: &Currency) -> Query {
        if *currency == Currency::usd() { self } else { self.with("convert", currency) }
    }

    fn page(self, offset: u64, limit: u32) -> Query {
        self.with("offset", offset).with("limit", limit.clamp(1, MAX_INDEXER_PAGE))
    }

    /// Sorts by number of events, unless the configured path has a sort parameter.
    fn most_active_first(mut self) -> Query {
        let (name, value) = MOST_ACTIVE_FIRST;
        let parameters = self.text.split(['?', '&']).skip(1);
        if parameters.filter_map(|parameter| parameter.split('=').next()).any(|known| known == name) {
            return self;
        }
        self.order_at = Some(self.text.len());
        self.raw(name, value)
    }
}

#[cfg(test)]
mod tests;
