//! Looks up coins by slug or symbol.

use super::CoinMarketCap;
use crate::model::{Coin, Tag, Text};
use crate::service::providers::url::segment;
use crate::service::upstream::error::{ErrorClass, SourceError, SourceResult};

/// Maximum requests for the symbols of a lookup: enough to find the one among eight that makes it fail.
const MAX_REQUESTS: usize = 7;

impl CoinMarketCap {
    /// The coins of these symbols. If they are rejected together, each half is requested alone.
    ///
    /// # Errors
    /// A request failed, or too many were rejected to know which symbols are unknown.
    pub(super) async fn coins_of_symbols(&self, symbols: &[Text]) -> SourceResult<Vec<Coin>> {
        let symbols: Vec<Text> =
            symbols.iter().filter(|symbol| is_valid(symbol)).map(|symbol| symbol.to_uppercase()).collect();
        let (mut coins, mut rest, mut requests) = (Vec::new(), vec![symbols.as_slice()], 0);
        while let Some(part) = rest.pop().filter(|part| !part.is_empty()) {
            if requests == MAX_REQUESTS {
                return Err(SourceError::new(ErrorClass::Rejected, "Too many symbols were rejected"));
            }
            requests += 1;
            let names: Vec<String> = part.iter().map(|symbol| segment(symbol).to_string()).collect();
            match self.quotes(&format!("symbol={}", names.join(","))).await? {
                Some(found) => coins.extend(found),
                None if part.len() > 1 => {
                    let (first, second) = part.split_at(part.len() / 2);
                    rest.extend([second, first]);
                }
                None => {}
            }
        }
        Ok(coins)
    }

    /// The coins of a query; `None` if it was rejected, as for an unknown slug or symbol.
    pub(super) async fn quotes(&self, filter: &str) -> SourceResult<Option<Vec<Coin>>> {
        let path = format!("/v3/cryptocurrency/quotes/latest?{filter}&convert=USD&skip_invalid=true");
        match self.upstream.get(&path).await {
            Ok(response) => Ok(Some(self.coins_in(&response, Tag::All)?.0)),
            Err(SourceError { class: ErrorClass::Rejected | ErrorClass::NotFound, .. }) => Ok(None),
            Err(error) => Err(error),
        }
    }
}

/// Whether CoinMarketCap accepts a symbol in a request. Another one would fail the whole request.
fn is_valid(symbol: &str) -> bool {
    let is_accepted = |byte: u8| byte.is_ascii_alphanumeric() || matches!(byte, b'$' | b'@' | b'-');
    !symbol.is_empty() && symbol.bytes().all(is_accepted)
}
