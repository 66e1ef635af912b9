//! Checks undocumented provider behaviour with one request each. Maintainers run it before a release.

use serde_json::Value;

use super::Gateway;
use crate::model::ProviderName;
use crate::service::upstream::Response;

/// An undocumented fact about a provider, and the request that checks it.
struct Probe {
    provider: ProviderName,
    fact: &'static str,
    path: &'static str,
    /// Whether the fact holds, by a successful response.
    holds: fn(&Response) -> bool,
}

/// A checked fact.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ProbeResult {
    /// The provider.
    pub provider: ProviderName,
    /// The fact, in a few words.
    pub fact: &'static str,
    /// Whether it holds; the reason if the request failed.
    pub outcome: Result<bool, String>,
}

const PROBES: &[Probe] = &[
    Probe {
        provider: ProviderName::CoinMarketCap,
        fact: "listings accept tag=brc-20",
        path: "/v3/cryptocurrency/listings/latest?start=1&limit=5&convert=USD&tag=brc-20",
        holds: |response| has_rows(response, "/data"),
    },
    Probe {
        provider: ProviderName::CoinGecko,
        fact: "market lists have a total header",
        path: "/coins/markets?vs_currency=usd&category=brc-20&per_page=5&page=1",
        holds: |response| response.header("total").is_some(),
    },
    Probe {
        provider: ProviderName::CoinPaprika,
        fact: "ORDI has the ID ordi-ordi",
        path: "/coins/ordi-ordi",
        holds: |response| text_at(response, "/symbol").is_some_and(|symbol| symbol == "ORDI"),
    },
    Probe {
        provider: ProviderName::DefiLlama,
        fact: "charts of small coins have 5-minute points",
        path: "/chart/coingecko:ordinals?span=24&period=5m",
        holds: |response| rows(response, "/coins/coingecko:ordinals/prices") >= 20,
    },
    Probe {
        provider: ProviderName::Binance,
        fact: "SATS is listed as 1000SATSUSDT",
        path: "/api/v3/ticker/price?symbol=1000SATSUSDT",
        holds: |response| text_at(response, "/symbol").is_some_and(|symbol| symbol == "1000SATSUSDT"),
    },
    Probe {
        provider: ProviderName::Bluesky,
        fact: "search works without an account",
        path: "/xrpc/app.bsky.feed.searchPosts?q=%24ORDI&limit=5",
        holds: |response| has_rows(response, "/posts"),
    },
    Probe {
        provider: ProviderName::Mastodon,
        fact: "tag timelines work without an account",
        path: "/api/v1/timelines/tag/bitcoin?limit=5",
        holds: |response| has_rows(response, ""),
    },
    Probe {
        provider: ProviderName::UniSat,
        fact: "token list works (with the key, if set)",
        path: "/v1/indexer/brc20/status?start=0&limit=5&sort=transactions",
        holds: |response| has_rows(response, "/data/detail"),
    },
    Probe {
        provider: ProviderName::Frankfurter,
        fact: "USD rates are available",
        path: "/v2/rates?base=USD",
        holds: |response| json(response).is_some(),
    },
    Probe {
        provider: ProviderName::Ordinals,
        fact: "inscriptions of a sat are available as JSON",
        path: "/r/sat/1914287520444193/at/-1",
        holds: |response| json(response).is_some_and(|body| body.get("id").is_some()),
    },
    Probe {
        provider: ProviderName::Mempool,
        fact: "block height is plain text",
        path: "/blocks/tip/height",
        holds: |response| response.text().is_ok_and(|text| text.trim().parse::<u64>().is_ok()),
    },
];

impl Gateway {
    /// Checks the facts about the providers in use, one request each, within their rate limits.
    pub async fn probe(&self) -> Vec<ProbeResult> {
        let mut results = Vec::new();
        for Probe { provider: name, fact, path, holds } in PROBES {
            let provider = self.provider(*name).filter(|_| self.settings().is_enabled(*name));
            let Some(provider) = provider else { continue };
            let (Some(upstream), Some(operation)) = (&provider.upstream, provider.operations.first()) else { continue };
            let outcome = match upstream.get(path).await {
                Ok(response) => {
                    self.succeeded(provider, *operation);
                    Ok(holds(&response))
                }
                Err(error) => {
                    self.failed(provider, *operation, &error).await;
                    Err(error.reason)
                }
            };
            results.push(ProbeResult { provider: *name, fact, outcome });
        }
        results
    }
}

fn json(response: &Response) -> Option<Value> {
    serde_json::from_slice(response.body()).ok()
}

fn text_at(response: &Response, pointer: &str) -> Option<String> {
    json(response)?.pointer(pointer)?.as_str().map(str::to_owned)
}

/// The number of rows at a JSON pointer.
fn rows(response: &Response, pointer: &str) -> usize {
    json(response).and_then(|body| Some(body.pointer(pointer)?.as_array()?.len())).unwrap_or(0)
}

fn has_rows(response: &Response, pointer: &str) -> bool {
    rows(response, pointer) > 0
}
