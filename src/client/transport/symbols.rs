//! Market data for more symbols than fit in one URL or one response: requested in batches and joined into one response.

use std::collections::HashSet;

use super::exchange::Service;
use super::reply::Reply;
use crate::client::config::ClientConfig;
use crate::client::endpoint;
use crate::client::error::ErrorKind;
use crate::client::request::Request;
use crate::client::response_data::ResponseData;
use crate::model::{MarketSeries, Text};

/// The batches of symbols, if the request needs several.
pub(super) fn batches(request: &Request) -> Option<Vec<Vec<Text>>> {
    let Request::MarketData { symbols, count, .. } = request else { return None };
    let batches = endpoint::symbol_batches(symbols.iter().cloned(), endpoint::max_symbols(*count));
    (batches.len() > 1).then_some(batches)
}

/// Fetches the batches one after another, until all are complete or a limit is reached.
pub(super) async fn get(
    service: &Service,
    config: &ClientConfig,
    request: &Request,
    batches: Vec<Vec<Text>>,
) -> Result<Reply, ErrorKind> {
    let mut joined: Option<Reply> = None;
    let mut all: Vec<MarketSeries> = Vec::new();
    let mut seen = HashSet::new();
    for batch in batches {
        if let Some(joined) = &mut joined {
            let next = batch.first().map_or("", |symbol| symbol.as_str());
            if let Some(cut) = config.limits.truncation_warning(all.len() as u64, joined.bytes, next) {
                joined.warnings.push(cut);
                break;
            }
        }
        let mut request = request.clone();
        if let Request::MarketData { symbols, .. } = &mut request {
            *symbols = batch;
        }
        let mut reply = service.exchange(config, &request, None).await?;
        // A service that ignores the symbols returns the same series for each batch.
        if let Some(ResponseData::Market(mut series)) = reply.response.take() {
            series.retain(|series| !seen.contains(&identity(series)));
            seen.extend(series.iter().map(identity));
            all.extend(series);
        }
        match &mut joined {
            None => joined = Some(Reply { validator: None, ..reply }),
            Some(joined) => joined.append(reply),
        }
    }
    let mut joined = joined.ok_or_else(|| ErrorKind::InvalidRequest(String::from("the symbol is empty")))?;
    joined.rows = all.len();
    joined.response = Some(ResponseData::Market(all));
    Ok(joined)
}

fn identity(series: &MarketSeries) -> (Option<Text>, Option<Text>, Text) {
    (series.id.clone(), series.slug.clone(), series.symbol.to_lowercase())
}
