//! Looks up coins by slug or symbol.

use super::CoinMarketCap;
use crate::model::{Coin, Tag, Text};
use crate::service::providers::source::FoundCoins;
use crate::service::providers::url::segment;
use crate::service::upstream::Response;
use crate::service::upstream::error::{ErrorClass, SourceError, SourceResult};

impl CoinMarketCap {
    /// The coins of these symbols; none yet if CoinMarketCap rejects the symbols because of one of them.
    pub(super) async fn coins_of_symbols(&self, symbols: &[Text]) -> SourceResult<FoundCoins> {
        let names: Vec<String> = symbols
            .iter()
            .filter(|symbol| is_valid(symbol))
            .map(|symbol| segment(&symbol.to_uppercase()).to_string())
            .collect();
        if names.is_empty() {
            return Ok(FoundCoins::default());
        }
        let found = self.quotes(&format!("symbol={}", names.join(","))).await?;
        let is_partial = found.is_none() && names.len() > 1;
        Ok(FoundCoins { coins: found.unwrap_or_default(), is_partial })
    }

    /// The coins of a query; `None` if it was rejected, as for an unknown slug or symbol.
    pub(super) async fn quotes(&self, filter: &str) -> SourceResult<Option<Vec<Coin>>> {
        match self.latest_quotes(filter).await? {
            Some(response) => Ok(Some(self.coins_in(&response, Tag::All)?.0)),
            None => Ok(None),
        }
    }

    /// The response to a query for the last prices of coins; `None` if it was rejected.
    pub(super) async fn latest_quotes(&self, filter: &str) -> SourceResult<Option<Response>> {
        let path = format!("/v3/cryptocurrency/quotes/latest?{filter}&convert=USD&skip_invalid=true");
        match self.upstream.get(&path).await {
            Ok(response) => Ok(Some(response)),
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
