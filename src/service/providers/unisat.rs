//! UniSat: BRC-20 and single inscriptions. Works best with a free key; without one, requests are often rejected.
//!
//! Only confirmed transactions count for BRC-20, so its responses change only with a new block. Inscriptions may be in the
//! mempool.

mod errors;
mod history;
mod rows;
mod server;

use std::collections::HashMap;
use std::sync::Arc;
use std::time::Duration;

use async_trait::async_trait;
use parking_lot::Mutex;

use self::errors::{api_error, keyless_api_error};
use self::history::History;
use self::server::{ROWS, Server};
use super::defaults::ProviderDefaults;
use super::expect::{decode, decode_with_rows};
use super::full_page::full_page;
use super::info::{Probe, ProviderInfo};
use super::page_of::page_of;
use super::source::{IndexerSource, Provider};
use super::url::segment;
use crate::client::Request;
use crate::model::{Activity, Balance, Brc20Token, Holder, Inscription, InscriptionRef, Page, ProviderName, Text};
use crate::service::backend::indexer::{
    ActivityQuery, BalancesQuery, InscriptionsQuery, PageQuery, TokenOrder, TokensQuery,
};
use crate::service::like::like_prefix;
use crate::service::operation::Operation;
use crate::service::time_source::Timestamp;
use crate::service::upstream::Upstream;
use crate::service::upstream::budget::RequestBudget;
use crate::service::upstream::error::{ErrorClass, SourceError, SourceResult};
use crate::service::upstream::load::Load;
use crate::service::upstream::settings::ResolvedSettings;

/// Includes tickers of 4, 5 and 6 bytes; the default is 4 only.
const ALL_TICKERS: &str = "tick_filter=56";

/// Maximum pages of an address's balances that are searched.
const BALANCE_PAGES: u64 = 20;

/// How long the token list for searches is cached.
const SEARCH_LIST_TTL: Duration = Duration::from_mins(10);

/// A list of tokens, and when it was fetched.
type SearchList = (Timestamp, Arc<Page<Brc20Token>>);

struct UniSat {
    server: Arc<Server>,
    /// The most active and the newest tokens, for searches.
    lists: Mutex<HashMap<TokenOrder, SearchList>>,
    history: History,
}

/// URLs, limits and key benefits.
pub(super) const INFO: ProviderInfo = ProviderInfo {
    keyed: ProviderDefaults { per_month: Some(60_000), ..ProviderDefaults::at("https://open-api.unisat.io", 250) },
    benefit: Some("A free key makes BRC-20 data reliable (set providers.unisat.api_key)"),
    probe: Some(Probe {
        fact: "token list works (with the key, if set)",
        path: "/v1/indexer/brc20/status?start=0&limit=5&sort=transactions",
        holds: |response| Probe::rows(response, "/data/detail") > 0,
    }),
    ..ProviderInfo::new(ProviderName::UniSat, provider, ProviderDefaults::at("https://open-api.unisat.io", 250))
};

/// The provider.
pub(super) fn provider(settings: &ResolvedSettings, budget: RequestBudget) -> Provider {
    let error_parser = if settings.api_key.is_some() { api_error } else { keyless_api_error };
    let upstream =
        Upstream::new(settings.clone(), |key| ("authorization", format!("Bearer {key}")), budget, error_parser);
    let server = Arc::new(Server::new(upstream.clone()));
    let history = History::new(Arc::clone(&server));
    let source = Arc::new(UniSat { server, lists: Mutex::default(), history });
    Provider::new(settings, upstream)
        .tested_by("/v1/indexer/brc20/status?start=0&limit=1&sort=transactions")
        .with_indexer(source, &[Operation::Brc20, Operation::Inscriptions])
}

#[async_trait]
impl IndexerSource for UniSat {
    async fn tokens(&self, query: &TokensQuery, page: PageQuery) -> SourceResult<Page<Brc20Token>> {
        if query.tickers.is_empty() {
            let part = |part| self.list(query.order, part);
            return full_page(page, self.server.upstream.warnings(), part).await;
        }
        self.search(query, page).await
    }

    async fn token(&self, ticker: &str) -> SourceResult<Brc20Token> {
        let response = self.server.ticker_resource(ticker, server::INFO).await?;
        self.server.note_height(&response);
        decode!(response, Request::Brc20Token { ticker: Text::from(ticker) }, Brc20Token).map(|token| *token)
    }

    async fn holders(&self, ticker: &str, page: PageQuery) -> SourceResult<Page<Holder>> {
        let part = |part| self.holders_page(ticker, part);
        full_page(page, self.server.upstream.warnings(), part).await
    }

    async fn balances(&self, query: &BalancesQuery, page: PageQuery) -> SourceResult<Page<Balance>> {
        if query.tickers.is_empty() {
            let part = |part| self.balances_page(query, part);
            return full_page(page, self.server.upstream.warnings(), part).await;
        }
        let mut all: Page<Balance> = Page::default();
        let (mut offset, mut is_complete) = (0, false);
        for _ in 0..BALANCE_PAGES {
            let part = PageQuery { offset, limit: ROWS };
            let (Page { items, total }, rows) = self.balances_page(query, part).await?;
            all.items.extend(items);
            // A page may be shorter than requested.
            offset += rows as u64;
            if rows == 0 || total.is_some_and(|total| offset >= total) {
                is_complete = true;
                break;
            }
        }
        let wanted = |balance: &Balance| {
            balance.ticker.as_deref().is_some_and(|own| query.tickers.iter().any(|prefix| like_prefix(own, prefix)))
        };
        all.items.retain(wanted);
        let found = page_of(all.items, page);
        if is_complete {
            return Ok(found);
        }
        // There may be more on the pages that were not read.
        if let Some(load) = Load::current() {
            load.warn(&format!("Only the first {offset} balances searched"));
        }
        Ok(Page { total: None, ..found })
    }

    async fn activity(&self, query: &ActivityQuery, page: PageQuery) -> SourceResult<Page<Activity>> {
        // The tokens, holders and balances may be readable, so they are not paused.
        history::activity(&self.history, query, page).await.map_err(|error| match error.class {
            ErrorClass::UnexpectedFormat => SourceError { class: ErrorClass::Empty, ..error },
            _ => error,
        })
    }

    async fn inscriptions(&self, query: &InscriptionsQuery, page: PageQuery) -> SourceResult<Page<Inscription>> {
        let [address] = query.addresses.as_slice() else { return Err(no_list()) };
        if *query != (InscriptionsQuery { addresses: query.addresses.clone(), ..InscriptionsQuery::default() }) {
            return Err(no_list());
        }
        full_page(page, self.server.upstream.warnings(), |part| self.inscriptions_page(address, part)).await
    }

    async fn inscription(&self, inscription: &InscriptionRef) -> SourceResult<Inscription> {
        let name = match inscription {
            InscriptionRef::Id(id) => id.clone(),
            InscriptionRef::Number(number) => Text::from(number.to_string()),
        };
        let response = self.server.upstream.get(&format!("/v1/indexer/inscription/info/{}", segment(&name))).await?;
        let request = Request::Inscription { inscription: inscription.clone() };
        let found: Box<Inscription> = decode!(response, request, Inscription)?;
        Ok(*found)
    }

    fn clear_blocks(&self) {
        self.history.clear();
    }
}

impl UniSat {
    /// A page of the token list, and the number of its rows, unreadable ones included.
    async fn list(&self, order: TokenOrder, page: PageQuery) -> SourceResult<(Page<Brc20Token>, usize)> {
        let PageQuery { offset, limit } = page;
        let sort = match order {
            TokenOrder::Index => "deploy",
            TokenOrder::TxCount => "transactions",
        };
        let path = format!("/v1/indexer/brc20/status?start={offset}&limit={limit}&sort={sort}&{ALL_TICKERS}");
        let response = self.server.list(&path).await?;
        self.server.note_height(&response);
        decode_with_rows!(response, Request::Brc20Tokens { ticker: None, offset, limit: rows(limit) }, Brc20Tokens)
    }

    /// A page of a token's holders, and the number of its rows, unreadable ones included.
    async fn holders_page(&self, ticker: &str, page: PageQuery) -> SourceResult<(Page<Holder>, usize)> {
        let PageQuery { offset, limit } = page;
        // The list of a path that lacks the token may be empty.
        self.server.is_at_separate_path(ticker).await?;
        let response = match self.server.ticker_resource(ticker, &format!("holders?start={offset}&limit={limit}")).await
        {
            Err(error) if error.class == ErrorClass::NotFound => {
                return Err(self.server.missing(ticker, error).await.1);
            }
            outcome => outcome?,
        };
        self.server.note_height(&response);
        let request = Request::Brc20Holders { ticker: Text::from(ticker), offset, limit: rows(limit) };
        decode_with_rows!(response, request, Holders)
    }

    /// A page of the inscriptions of an address, and the number of its rows, unreadable ones included.
    async fn inscriptions_page(&self, address: &str, page: PageQuery) -> SourceResult<(Page<Inscription>, usize)> {
        let PageQuery { offset, limit } = page;
        let path = format!("/v1/indexer/address/{}/inscription-data?cursor={offset}&size={limit}", segment(address));
        let response = self.server.list(&path).await?;
        let request = Request::Inscriptions { address: Some(Text::from(address)), offset, limit: rows(limit) };
        decode_with_rows!(response, request, Inscriptions)
    }

    /// Tokens by ticker prefix. The API has no such search, so this filters the first page of the list and looks up the
    /// prefix as a whole ticker.
    async fn search(&self, query: &TokensQuery, page: PageQuery) -> SourceResult<Page<Brc20Token>> {
        let list = self.search_list(query.order).await?;
        let matches = |token: &&Brc20Token| query.tickers.iter().any(|prefix| like_prefix(&token.ticker, prefix));
        let mut found: Vec<Brc20Token> = list.items.iter().filter(matches).cloned().collect();
        for ticker in query.tickers.iter().filter(|prefix| may_be_ticker(prefix)).take(3) {
            if found.iter().any(|token| token.ticker.to_lowercase() == ticker.to_lowercase().as_str()) {
                continue;
            }
            match self.token(&ticker.to_lowercase()).await {
                Ok(token) => found.insert(0, token),
                Err(SourceError { class: ErrorClass::NotFound | ErrorClass::Rejected, .. }) => {}
                Err(error) => return Err(error),
            }
        }
        let is_all = list.total == Some(list.items.len() as u64);
        let part = page_of(found, page);
        if !is_all && let Some(load) = Load::current() {
            load.warn(&format!("Only the first {} tokens searched", list.items.len()));
        }
        Ok(Page { total: part.total.filter(|_| is_all), ..part })
    }

    async fn search_list(&self, order: TokenOrder) -> SourceResult<Arc<Page<Brc20Token>>> {
        let known = self.lists.lock().get(&order).cloned();
        if let Some((_, list)) = known.filter(|(fetched, _)| fetched.age() < SEARCH_LIST_TTL) {
            return Ok(list);
        }
        let (list, _) = self.list(order, PageQuery { offset: 0, limit: ROWS }).await?;
        let list = Arc::new(list);
        let kept = (self.server.upstream.stamp(), Arc::clone(&list));
        self.lists.lock().insert(order, kept);
        Ok(list)
    }

    /// A page of an address's balances, and the number of its rows, unreadable ones included.
    async fn balances_page(&self, query: &BalancesQuery, page: PageQuery) -> SourceResult<(Page<Balance>, usize)> {
        let PageQuery { offset, limit } = page;
        let address = segment(&query.address);
        let path = match query.block_height {
            Some(height) => format!(
                "/v1/indexer/address/{address}/brc20/summary-by-height/{height}?start={offset}&limit={limit}&{ALL_TICKERS}"
            ),
            None => format!(
                "/v1/indexer/address/{address}/brc20/summary?start={offset}&limit={limit}&{ALL_TICKERS}&exclude_zero=true"
            ),
        };
        let response = self.server.list(&path).await?;
        match query.block_height {
            Some(height) => rows::check_height(&response, height)?,
            None => self.server.note_height(&response),
        }
        let request =
            Request::Brc20Balances { address: Text::from(query.address.as_str()), offset, limit: rows(limit) };
        let (mut balances, rows): (Page<Balance>, _) = decode_with_rows!(response, request, Balances)?;
        rows::remove_wrong_parts(&mut balances.items, self.server.upstream.warnings());
        Ok((balances, rows))
    }
}

/// Whether a prefix can be a whole ticker.
fn may_be_ticker(prefix: &str) -> bool {
    (4..=6).contains(&prefix.len()) && !prefix.contains(['%', '\\'])
}

fn rows(limit: usize) -> u32 {
    u32::try_from(limit).unwrap_or(u32::MAX)
}

fn no_list() -> SourceError {
    SourceError::unsupported_because("Lists of inscriptions need your own indexer: set indexer_url")
}
