//! CoinPaprika: a list of coins, and market pairs. Needs no key; its terms allow personal use only.

use std::sync::Arc;

use async_trait::async_trait;
use serde::Deserialize;

use super::coin_ref::CoinRef;
use super::defaults::ProviderDefaults;
use super::expect::decode;
use super::info::{CoinIds, Probe, ProviderInfo};
use super::lenient::{self, Bounded, Rows, readable_rows};
use super::own_pairs::own_pairs;
use super::source::{CoinLookup, CoinSlice, FoundCoins, MarketSource, Provider};
use super::url::segment;
use super::with_ids::{coins_with_ids, list_of};
use crate::client::Request;
use crate::model::{Coin, CoinName, Currency, MarketPair, Page, ProviderName, Tag, Text};
use crate::service::operation::Operation;
use crate::service::upstream::budget::RequestBudget;
use crate::service::upstream::error::{ErrorClass, SourceError, SourceResult};
use crate::service::upstream::settings::ResolvedSettings;
use crate::service::upstream::{ErrorParser, Response, Upstream};

/// Maximum coins of a symbol whose market caps are fetched.
const CANDIDATES: usize = 3;

/// Maximum results of a search, the maximum of the API.
const RESULTS: usize = 250;

struct CoinPaprika {
    upstream: Upstream,
}

/// URLs, limits and key benefits.
pub(super) const INFO: ProviderInfo = ProviderInfo {
    coin_ids: Some(CoinIds::Words),
    redistribution: Some("personal use only without a paid plan; no redistribution"),
    probe: Some(Probe {
        fact: "ORDI has the ID ordi-ordi",
        path: "/coins/ordi-ordi",
        holds: |response| Probe::text_at(response, "/symbol").is_some_and(|symbol| symbol == "ORDI"),
    }),
    // Paid plans have their own host. Their limits vary.
    keyed: ProviderDefaults::at("https://api-pro.coinpaprika.com/v1", 250),
    ..ProviderInfo::new(
        ProviderName::CoinPaprika,
        provider,
        ProviderDefaults { per_month: Some(20_000), ..ProviderDefaults::at("https://api.coinpaprika.com/v1", 250) },
    )
};

/// The provider.
pub(super) fn provider(settings: &ResolvedSettings, budget: RequestBudget) -> Provider {
    // The key is sent without "Bearer".
    let errors: ErrorParser = if settings.api_key.is_some() { error_with_key } else { api_error };
    let upstream = Upstream::new(settings.clone(), |key| ("authorization", key.to_owned()), budget, errors);
    let source = Arc::new(CoinPaprika { upstream: upstream.clone() });
    Provider::new(settings, upstream)
        .tested_by("/tickers/btc-bitcoin?quotes=USD")
        .with_market(source, &[Operation::Coins, Operation::Pairs])
        .with_coin_ids(ProviderName::CoinPaprika)
}

#[async_trait]
impl MarketSource for CoinPaprika {
    async fn coins(&self, tag: Tag, _offset: usize, _limit: usize) -> SourceResult<CoinSlice> {
        if tag != Tag::All {
            return Err(SourceError::unsupported());
        }
        let mut coins = self.tickers().await?;
        coins.retain(|coin| coin.rank.is_some());
        coins.sort_by_key(|coin| coin.rank);
        let total = Some(coins.len() as u64);
        Ok(CoinSlice { offset: 0, coins, is_end: true, total })
    }

    async fn find(&self, lookup: &CoinLookup) -> SourceResult<FoundCoins> {
        #[derive(Deserialize)]
        struct Found {
            #[serde(default, deserialize_with = "lenient::or_default")]
            currencies: Rows,
        }
        #[derive(Deserialize)]
        struct Named {
            id: String,
            symbol: String,
            #[serde(default, deserialize_with = "lenient::optional_count")]
            rank: Option<u32>,
            #[serde(default)]
            is_active: Option<bool>,
        }
        let CoinLookup::Symbols(symbols) = lookup else { return Ok(FoundCoins::default()) };
        let mut coins = Vec::new();
        for symbol in symbols {
            let path = format!("/search?q={}&c=currencies&modifier=symbol_search&limit={RESULTS}", segment(symbol));
            let Found { currencies } = self.upstream.get(&path).await?.json()?;
            let mut named: Vec<Named> = readable_rows(&currencies, "coin", self.upstream.warnings())?;
            named.retain(|named| named.symbol.eq_ignore_ascii_case(symbol) && named.is_active != Some(false));
            // 0: no rank.
            named.sort_by_key(|named| named.rank.filter(|rank| *rank > 0).unwrap_or(u32::MAX));
            // Only tickers have the market cap, which distinguishes coins of the same symbol.
            for Named { id, .. } in named.into_iter().take(CANDIDATES) {
                let path = format!("/tickers/{}?quotes=USD", segment(&id));
                match self.upstream.get(&path).await.and_then(|response| coins_in(&response)) {
                    Ok(found) => coins.extend(found.into_iter().filter(|coin| *coin.id.0 == *id)),
                    // A coin without market data.
                    Err(SourceError { class: ErrorClass::NotFound | ErrorClass::Empty, .. }) => {}
                    Err(error) => return Err(error),
                }
            }
        }
        Ok(coins.into())
    }

    async fn coins_by_id(&self, _ids: &[Text]) -> SourceResult<Vec<Coin>> {
        self.tickers().await
    }

    fn has_id_filter(&self) -> bool {
        false
    }

    async fn names(&self) -> SourceResult<Vec<CoinName>> {
        #[derive(Deserialize)]
        struct Named {
            id: Text,
            name: Text,
            symbol: Text,
            #[serde(default, deserialize_with = "lenient::optional_count")]
            rank: Option<u32>,
            #[serde(default)]
            is_active: Option<bool>,
        }
        let rows: Rows = self.upstream.get("/coins").await?.json()?;
        let named: Vec<Named> = readable_rows(&rows, "name", self.upstream.warnings())?;
        let active = named.into_iter().filter(|named| named.is_active != Some(false));
        let name = |Named { id, name, symbol, rank, .. }: Named| {
            // 0: no rank.
            CoinName { slug: id.clone(), id, name, symbol, rank: rank.filter(|rank| *rank > 0) }
        };
        Ok(active.map(name).collect())
    }

    async fn market_pairs(&self, coin: &CoinRef) -> SourceResult<Page<MarketPair>> {
        let id = id(coin)?;
        let response = self.upstream.get(&format!("/coins/{}/markets?quotes=USD", segment(id))).await?;
        if response.first_byte() != Some(b'[') {
            return Err(SourceError::unexpected_format("expected a list of market pairs"));
        }
        let Bounded(rows) = response.json::<Rows>().unwrap_or_default();
        let own = own_pairs(&rows, id, &coin.symbol, self.upstream.warnings())?;
        let response = if own.len() == rows.len() { response } else { response.with_body(list_of(&own)) };
        let request = Request::MarketPairs { symbol: coin.symbol.clone(), slug: None, convert: Currency::usd() };
        let mut page = decode!(response, request, MarketPairs)?;
        page.items.sort_by(|a, b| b.volume_24h.unwrap_or(0.0).total_cmp(&a.volume_24h.unwrap_or(0.0)));
        page.total = Some(page.items.len() as u64);
        Ok(page)
    }
}

impl CoinPaprika {
    /// All coins. The endpoint has no pagination.
    async fn tickers(&self) -> SourceResult<Vec<Coin>> {
        let response = self.upstream.get("/tickers?quotes=USD").await?;
        if response.first_byte() != Some(b'[') {
            return Err(SourceError::unexpected_format("expected a list of coins"));
        }
        let (response, _) = coins_with_ids(response, self.upstream.warnings());
        coins_in(&response)
    }
}

fn id(coin: &CoinRef) -> SourceResult<&Text> {
    let id = coin.native_id(ProviderName::CoinPaprika);
    id.ok_or_else(|| SourceError::not_found(format!("CoinPaprika doesn't list {}", coin.name)))
}

fn coins_in(response: &Response) -> SourceResult<Vec<Coin>> {
    let request = Request::Coins { tag: Tag::All, start: 1, limit: u32::MAX, convert: Currency::usd() };
    decode!(response, request, Coins).map(|page| page.items)
}

/// 402 means either that the monthly quota is used up, or that the plan doesn't include the request.
fn api_error(response: &Response) -> Option<SourceError> {
    if response.status() != 402 {
        return None;
    }
    let message = response.message().unwrap_or("payment required").to_owned();
    let has = |words: &str| message.to_lowercase().contains(words);
    let is_used_up = ["limit", "quota", "exceed"].into_iter().any(has);
    let class =
        if has("not allowed") || has("plan") && !is_used_up { ErrorClass::Forbidden } else { ErrorClass::MonthlyQuota };
    Some(SourceError::new(class, format!("Access denied (402): {message}")))
}

/// With a key, 403 means that the key is invalid. HTML pages come from its CDN.
fn error_with_key(response: &Response) -> Option<SourceError> {
    if response.status() != 403 || response.is_html() {
        return api_error(response);
    }
    let error = SourceError::by_status(403, response.message().map(str::to_owned), None, false);
    Some(SourceError { class: ErrorClass::InvalidKey, ..error })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn paid_plans_have_their_own_host_and_no_free_limit() {
        let (free, paid) = (INFO.defaults(false), INFO.defaults(true));
        assert_eq!((free.base_url, free.per_month), (Some("https://api.coinpaprika.com/v1"), Some(20_000)));
        assert_eq!((paid.base_url, paid.per_month), (Some("https://api-pro.coinpaprika.com/v1"), None));
    }

    #[test]
    fn payment_is_required_for_a_plan_or_until_the_next_month() {
        for (message, class) in [
            ("Getting hourly historical data before 2026-11-20 is not allowed in this plan.", ErrorClass::Forbidden),
            ("This endpoint needs a higher plan", ErrorClass::Forbidden),
            ("Monthly limit of your plan exceeded", ErrorClass::MonthlyQuota),
            ("", ErrorClass::MonthlyQuota),
        ] {
            let response = Response::of(402, &[], serde_json::json!({ "error": message }).to_string());
            assert_eq!(api_error(&response).unwrap().class, class, "{message}");
        }
        assert_eq!(api_error(&Response::of(429, &[], "{}")), None);
    }
}
