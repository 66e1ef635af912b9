//! UniSat: BRC-20 and single inscriptions. With a free key, or without one as long as it lasts.
//!
//! Only confirmed transactions count, so its answers change with a block and at no other time.

mod history;
mod rows;

use std::collections::HashMap;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;

use async_trait::async_trait;
use serde::Deserialize;
use tokio::time::Instant;

use self::history::History;
use super::source::{IndexerSource, Provider};
use super::upstream::{Response, Upstream};
use super::url::segment;
use super::{ActivityQuery, BalancesQuery, InscriptionsQuery, PageQuery, TokenOrder, TokensQuery};
use super::{Resolved, SourceError, SourceResult};
use crate::client::{Answer, Request};
use crate::model::{Activity, Balance, Brc20Token, Holder, Inscription, InscriptionRef, Page, Text};
use crate::service::gateway::{ErrorClass, Gate, Operation};
use crate::service::like::like_prefix;

/// The most rows of one page.
const ROWS: usize = 500;

/// Tickers of 4, 5 and 6 bytes; without this, only those of 4.
const ALL_TICKERS: &str = "tick_filter=56";

/// The list in which tickers are searched is fetched again after this.
const SEARCHED: Duration = Duration::from_mins(10);

/// Without a key, it is left alone for this long after it refused.
const REFUSED: Duration = Duration::from_hours(1);

/// A list of tokens, and when it was fetched.
type SearchList = (Instant, Arc<Page<Brc20Token>>);

struct UniSat {
    upstream: Upstream,
    /// The most active and the newest tokens, for searches.
    lists: Mutex<HashMap<TokenOrder, SearchList>>,
    history: History,
    /// Height of the newest block in its answers; 0: unknown.
    height: AtomicU64,
}

/// The provider.
pub(super) fn provider(settings: &Resolved, gate: Gate) -> Provider {
    let faults = if settings.api_key.is_some() { fault } else { fault_without_key };
    let upstream = Upstream::new(settings.clone(), |key| ("authorization", format!("Bearer {key}")), gate, faults);
    let source = Arc::new(UniSat {
        upstream: upstream.clone(),
        lists: Mutex::default(),
        history: History::default(),
        height: AtomicU64::new(0),
    });
    Provider::new(settings, upstream).with_indexer(source, &[Operation::Brc20, Operation::Inscriptions])
}

#[async_trait]
impl IndexerSource for UniSat {
    async fn tokens(&self, query: &TokensQuery, page: PageQuery) -> SourceResult<Page<Brc20Token>> {
        if query.tickers.is_empty() {
            return self.list(query.order, page).await;
        }
        self.search(query, page).await
    }

    async fn token(&self, ticker: &str) -> SourceResult<Brc20Token> {
        let response = self.of_ticker(ticker, "info", "").await?;
        match response.answer(&Request::Brc20Token { ticker: Text::from(ticker) })? {
            Answer::Brc20Token(token) => Ok(*token),
            _ => Err(SourceError::changed("no token")),
        }
    }

    async fn holders(&self, ticker: &str, PageQuery { offset, limit }: PageQuery) -> SourceResult<Page<Holder>> {
        let response = self.of_ticker(ticker, "holders", &format!("?start={offset}&limit={limit}")).await?;
        let request = Request::Brc20Holders { ticker: Text::from(ticker), offset, limit: rows(limit) };
        match response.answer(&request)? {
            Answer::Holders(holders) => Ok(holders),
            _ => Err(SourceError::changed("no holders")),
        }
    }

    async fn balances(&self, query: &BalancesQuery, page: PageQuery) -> SourceResult<Page<Balance>> {
        if query.tickers.is_empty() {
            return self.balances_page(query, page).await;
        }
        let mut all: Page<Balance> = Page::default();
        loop {
            let part = PageQuery { offset: all.items.len() as u64, limit: ROWS };
            let Page { items, total } = self.balances_page(query, part).await?;
            let is_last = items.len() < ROWS || total.is_some_and(|total| part.offset + items.len() as u64 >= total);
            all.items.extend(items);
            if is_last {
                break;
            }
        }
        let wanted = |balance: &Balance| {
            balance.ticker.as_deref().is_some_and(|own| query.tickers.iter().any(|asked| like_prefix(own, asked)))
        };
        all.items.retain(wanted);
        Ok(part_of(all.items, page))
    }

    async fn activity(&self, query: &ActivityQuery, page: PageQuery) -> SourceResult<Page<Activity>> {
        history::activity(self, query, page).await
    }

    async fn inscriptions(&self, query: &InscriptionsQuery, page: PageQuery) -> SourceResult<Page<Inscription>> {
        let PageQuery { offset, limit } = page;
        let [address] = query.addresses.as_slice() else { return Err(no_list()) };
        if *query != (InscriptionsQuery { addresses: query.addresses.clone(), ..InscriptionsQuery::default() }) {
            return Err(no_list());
        }
        let path = format!("/v1/indexer/address/{}/inscription-data?cursor={offset}&size={limit}", segment(address));
        let response = self.upstream.get(&path).await?;
        let request = Request::Inscriptions { address: Some(Text::from(address.as_str())), offset, limit: rows(limit) };
        match response.answer(&request)? {
            Answer::Inscriptions(inscriptions) => Ok(inscriptions),
            _ => Err(SourceError::changed("no inscriptions")),
        }
    }

    async fn inscription(&self, inscription: &InscriptionRef) -> SourceResult<Inscription> {
        let name = match inscription {
            InscriptionRef::Id(id) => id.clone(),
            InscriptionRef::Number(number) => Text::from(number.to_string()),
        };
        let response = self.upstream.get(&format!("/v1/indexer/inscription/info/{}", segment(&name))).await?;
        match response.answer(&Request::Inscription { inscription: inscription.clone() })? {
            Answer::Inscription(inscription) => Ok(*inscription),
            _ => Err(SourceError::changed("no inscription")),
        }
    }

    fn height(&self) -> Option<u64> {
        Some(self.height.load(Ordering::Relaxed)).filter(|height| *height > 0)
    }

    fn forget_blocks(&self) {
        self.history.forget();
    }
}

impl UniSat {
    async fn list(&self, order: TokenOrder, PageQuery { offset, limit }: PageQuery) -> SourceResult<Page<Brc20Token>> {
        let sort = match order {
            TokenOrder::Index => "deploy",
            TokenOrder::TxCount => "transactions",
        };
        let path = format!("/v1/indexer/brc20/status?start={offset}&limit={limit}&sort={sort}&{ALL_TICKERS}");
        let response = self.upstream.get(&path).await?;
        self.see_height(&response);
        match response.answer(&Request::Brc20Tokens { ticker: None, offset, limit: rows(limit) })? {
            Answer::Brc20Tokens(tokens) => Ok(tokens),
            _ => Err(SourceError::changed("no tokens")),
        }
    }

    /// Tokens that begin with something. It has no such search: they are those among the first of the list, and the one
    /// whose whole ticker was given.
    async fn search(&self, query: &TokensQuery, page: PageQuery) -> SourceResult<Page<Brc20Token>> {
        let list = self.first(query.order).await?;
        let matches = |token: &&Brc20Token| query.tickers.iter().any(|asked| like_prefix(&token.ticker, asked));
        let mut found: Vec<Brc20Token> = list.items.iter().filter(matches).cloned().collect();
        for asked in query.tickers.iter().filter(|asked| is_whole(asked)).take(3) {
            if found.iter().any(|token| token.ticker.to_lowercase() == asked.to_lowercase().as_str()) {
                continue;
            }
            match self.token(&asked.to_lowercase()).await {
                Ok(token) => found.insert(0, token),
                Err(SourceError { class: ErrorClass::NotFound | ErrorClass::Rejected, .. }) => {}
                Err(error) => return Err(error),
            }
        }
        let is_all = list.total == Some(list.items.len() as u64);
        let part = part_of(found, page);
        Ok(Page { total: part.total.filter(|_| is_all), ..part })
    }

    async fn first(&self, order: TokenOrder) -> SourceResult<Arc<Page<Brc20Token>>> {
        let known = self.lists.lock().unwrap_or_else(PoisonError::into_inner).get(&order).cloned();
        if let Some((_, list)) = known.filter(|(since, _)| since.elapsed() < SEARCHED) {
            return Ok(list);
        }
        let list = Arc::new(self.list(order, PageQuery { offset: 0, limit: ROWS }).await?);
        let kept = (Instant::now(), Arc::clone(&list));
        self.lists.lock().unwrap_or_else(PoisonError::into_inner).insert(order, kept);
        Ok(list)
    }

    async fn balances_page(&self, query: &BalancesQuery, page: PageQuery) -> SourceResult<Page<Balance>> {
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
        let response = self.upstream.get(&path).await?;
        match query.block_height {
            Some(height) => rows::check_height(&response, height)?,
            None => self.see_height(&response),
        }
        let request =
            Request::Brc20Balances { address: Text::from(query.address.as_str()), offset, limit: rows(limit) };
        match response.answer(&request)? {
            Answer::Balances(balances) => Ok(balances),
            _ => Err(SourceError::changed("no balances")),
        }
    }

    /// A resource of a token. Those of 6 bytes had a place of their own, and may still have it.
    async fn of_ticker(&self, ticker: &str, what: &str, query: &str) -> SourceResult<Response> {
        let name = path_name(ticker);
        match self.upstream.get(&format!("/v1/indexer/brc20/{name}/{what}{query}")).await {
            Err(SourceError { class: ErrorClass::NotFound | ErrorClass::Rejected, .. }) if ticker.len() == 6 => {
                self.upstream.get(&format!("/v1/indexer/brc20-prog/{name}/{what}{query}")).await
            }
            outcome => outcome,
        }
    }

    /// Notes the height that an answer is of.
    fn see_height(&self, response: &Response) {
        if let Some(height) = rows::height(response) {
            self.height.store(height, Ordering::Relaxed);
        }
    }
}

/// A ticker in a path: with characters that may be lost on the way, the hexadecimal digits of its bytes.
fn path_name(ticker: &str) -> String {
    use std::fmt::Write as _;

    if !ticker.is_empty() && ticker.bytes().all(|byte| byte.is_ascii_alphanumeric()) {
        return ticker.to_owned();
    }
    ticker.bytes().fold(String::new(), |mut hex, byte| {
        // Writing to a string can't fail.
        let _ = write!(hex, "{byte:02x}");
        hex
    })
}

/// Whether a prefix may be a whole ticker.
fn is_whole(prefix: &str) -> bool {
    (4..=6).contains(&prefix.len()) && !prefix.contains(['%', '\\'])
}

fn rows(limit: usize) -> u32 {
    u32::try_from(limit).unwrap_or(u32::MAX)
}

/// A page of a whole list.
fn part_of<T>(items: Vec<T>, PageQuery { offset, limit }: PageQuery) -> Page<T> {
    let total = Some(items.len() as u64);
    let offset = usize::try_from(offset).unwrap_or(usize::MAX);
    Page { items: items.into_iter().skip(offset).take(limit).collect(), total }
}

fn no_list() -> SourceError {
    SourceError::unsupported_because("Lists of inscriptions need your own indexer: set indexer_url")
}

#[derive(Deserialize)]
struct Fault {
    code: Option<i64>,
    msg: Option<String>,
}

/// A code other than 0 is an error, also with status 200.
fn fault(response: &Response) -> Option<SourceError> {
    if response.first_byte() != Some(b'{') {
        return None;
    }
    let Fault { code, msg } = serde_json::from_slice(response.body()).ok()?;
    let code = code.filter(|code| *code != 0)?;
    let said = msg.filter(|msg| !msg.trim().is_empty());
    let reason = said.map_or_else(|| format!("error {code}"), |msg| format!("error {code}: {msg}"));
    let class = match (response.status(), code) {
        (401, _) => ErrorClass::KeyOff,
        (429, _) => ErrorClass::Wait(response.retry_after()),
        // The allowance is used up, or the key is one for another network.
        (_, -2003) => ErrorClass::UntilNextMonth,
        // Its word for what it does not know; and the errors of BRC-20.
        (..500, -1 | -3999..=-3000) => ErrorClass::NotFound,
        (status, _) if !(200..300).contains(&status) => {
            return Some(SourceError { reason, ..SourceError::by_status(status, None, response.retry_after(), false) });
        }
        _ => ErrorClass::Unreachable,
    };
    Some(SourceError::new(class, reason))
}

/// The same without a key: calls are refused as soon as others used up what is left for them.
fn fault_without_key(response: &Response) -> Option<SourceError> {
    let error = fault(response);
    let is_refused = matches!(response.status(), 401 | 402 | 403 | 429)
        || error.as_ref().is_some_and(|error| error.class == ErrorClass::UntilNextMonth);
    if !is_refused || response.is_html() {
        return error;
    }
    let reason = "No calls without a key at present; a free key fixes this: set providers.unisat.api_key";
    Some(SourceError::new(ErrorClass::Wait(Some(REFUSED)), reason))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn special_tickers_are_hexadecimal_in_paths() {
        for (ticker, path) in [("ordi", "ordi"), ("🔥", "f09f94a5"), ("a/b?", "612f623f"), ("x\"y z", "7822792 07a")]
        {
            assert_eq!(path_name(ticker), path.replace(' ', ""), "{ticker}");
        }
    }

    #[test]
    fn codes_have_classes() {
        let error = |status, body: &str| fault(&Response::of(status, &[], body)).map(|error| error.class);
        let keyless = |status, body: &str| fault_without_key(&Response::of(status, &[], body)).map(|error| error.class);
        let quota = r#"{"code":-2003,"msg":"quota unavailable","data":null}"#;
        let unknown = r#"{"code":-1,"msg":"get brc20 status failed","data":null}"#;
        assert_eq!(error(403, quota), Some(ErrorClass::UntilNextMonth));
        assert_eq!(error(200, quota), Some(ErrorClass::UntilNextMonth));
        assert_eq!(error(200, unknown), Some(ErrorClass::NotFound));
        assert_eq!(error(500, unknown), Some(ErrorClass::Unreachable));
        assert_eq!(error(200, r#"{"code":-3001,"msg":"x"}"#), Some(ErrorClass::NotFound));
        assert_eq!(error(200, r#"{"code":-5,"msg":""}"#), Some(ErrorClass::Unreachable));
        assert_eq!(error(401, r#"{"code":-1,"msg":"invalid key"}"#), Some(ErrorClass::KeyOff));
        assert_eq!(error(200, r#"{"code":0,"msg":"OK","data":{}}"#), None);
        assert_eq!(keyless(403, quota), Some(ErrorClass::Wait(Some(REFUSED))));
        assert_eq!(keyless(200, quota), Some(ErrorClass::Wait(Some(REFUSED))));
        assert_eq!(keyless(429, ""), Some(ErrorClass::Wait(Some(REFUSED))));
        assert_eq!(keyless(403, "<html>"), None, "the status says that the network is refused");
        assert_eq!(keyless(200, unknown), Some(ErrorClass::NotFound));
    }
}
