//! Maestro: single BRC-20 tokens and balances of addresses. Needs a free key with daily credits.

use std::collections::{BTreeMap, HashMap};
use std::str::FromStr;
use std::sync::Arc;
use std::time::Duration;

use async_trait::async_trait;
use parking_lot::{Mutex, MutexGuard};
use serde::Deserialize;
use serde::de::DeserializeOwned;

use super::defaults::ProviderDefaults;
use super::info::{Probe, ProviderInfo};
use super::lenient::{self, BoundedMap, RawRow};
use super::page_of::page_of;
use super::source::{IndexerSource, Provider};
use super::url::segment;
use crate::model::{Amount, Balance, Brc20Token, Decimal, Page, ProviderName, Text, UtcTime};
use crate::service::backend::indexer::{BalancesQuery, PageQuery};
use crate::service::call::is_manual;
use crate::service::like::like_prefix;
use crate::service::operation::Operation;
use crate::service::time_source::Timestamp;
use crate::service::upstream::budget::RequestBudget;
use crate::service::upstream::calendar::until_midnight;
use crate::service::upstream::error::{ErrorClass, SourceError, SourceResult};
use crate::service::upstream::load::Load;
use crate::service::upstream::reported_usage::ReportedUsage;
use crate::service::upstream::settings::ResolvedSettings;
use crate::service::upstream::{Response, Upstream};

/// Maximum pages of an address's balances that are read. A page has 100.
const PAGES: usize = 20;

/// Maximum addresses whose balances are kept for further pages.
const LISTS: usize = 32;

/// How long the balances of an address are kept for further pages: while they include the newest block, while they
/// don't, and for a manual refresh.
const MAX_LIST_AGE: Duration = Duration::from_mins(10);
const MAX_OLD_LIST_AGE: Duration = Duration::from_mins(1);
const MANUAL_LIST_AGE: Duration = Duration::from_secs(10);

struct Maestro {
    upstream: Upstream,
    /// Balances by address.
    lists: Mutex<HashMap<String, List>>,
}

/// URLs, limits and key benefits.
pub(super) const INFO: ProviderInfo = ProviderInfo {
    needs_key: true,
    benefit: Some("A free key adds BRC-20 data (set providers.maestro.api_key)"),
    probe: Some(Probe {
        fact: "balances of an address have a total and an available amount",
        // The address of the first block, to which many have sent tokens.
        path: "/addresses/1A1zP1eP5QGefi2DMPTfTL5SLmv7DivfNa/brc20",
        holds: has_parts,
    }),
    ..ProviderInfo::new(
        ProviderName::Maestro,
        provider,
        ProviderDefaults::at("https://xbt-mainnet.gomaestro-api.org/v0", 250),
    )
};

/// The provider. It serves nothing without a key, because requests would then cost money.
pub(super) fn provider(settings: &ResolvedSettings, budget: RequestBudget) -> Provider {
    let upstream = Upstream::new(settings.clone(), |key| ("api-key", key.to_owned()), budget, api_error)
        .with_usage_reader(reported_usage);
    let source = Arc::new(Maestro { upstream: upstream.clone(), lists: Mutex::default() });
    let operations: &[Operation] = if upstream.has_key() { &[Operation::Brc20] } else { &[] };
    Provider::new(settings, upstream).tested_by("/assets/brc20/ordi").with_indexer(source, operations)
}

/// Whether balances are objects, not totals alone as in older versions of the API.
fn has_parts(response: &Response) -> bool {
    let Ok(Envelope::<BoundedMap<BoundedMap<RawRow>>> { data: BoundedMap(data), .. }) = response.json() else {
        return false;
    };
    let is_whole = |parts: &Object| parts.contains_key("total") && parts.contains_key("available");
    !data.is_empty() && data.values().all(|BoundedMap(parts)| is_whole(parts))
}

/// A list of balances of an address.
#[derive(Clone)]
struct List {
    fetched: Timestamp,
    /// The newest block that it includes, if known.
    height: Option<u64>,
    balances: Arc<[Balance]>,
    /// Whether there may be more balances on pages that were not read.
    is_cut: bool,
}

impl List {
    /// Whether it can be used for a further page. `tip` is the newest block, if known.
    fn is_usable(&self, tip: Option<u64>) -> bool {
        let includes_tip = tip.is_none_or(|tip| self.height.is_some_and(|height| height >= tip));
        let max_age = if is_manual() {
            MANUAL_LIST_AGE
        } else if includes_tip {
            MAX_LIST_AGE
        } else {
            MAX_OLD_LIST_AGE
        };
        self.fetched.age() < max_age
    }
}

/// An object whose fields are read one by one.
type Object = BTreeMap<String, RawRow>;

#[derive(Deserialize)]
struct Envelope<T> {
    data: T,
    #[serde(default, deserialize_with = "lenient::or_none")]
    last_updated: Option<Block>,
    #[serde(default, deserialize_with = "lenient::message")]
    next_cursor: Option<String>,
}

#[derive(Deserialize)]
struct Block {
    #[serde(default, deserialize_with = "lenient::optional_count")]
    block_height: Option<u64>,
}

/// Reads the fields of an object. One of another type is unknown, and reported with the others of the response.
struct Fields<'a> {
    upstream: &'a Upstream,
    unreadable: Vec<String>,
}

impl<'a> Fields<'a> {
    fn of(upstream: &'a Upstream) -> Fields<'a> {
        Fields { upstream, unreadable: Vec::new() }
    }

    fn read_by<T>(&mut self, object: &Object, name: &str, read: impl FnOnce(&str) -> Option<T>) -> Option<T> {
        let value = object.get(name).map(|value| value.get()).filter(|value| *value != "null")?;
        let read = read(value);
        if read.is_none() {
            self.unreadable.push(name.to_owned());
        }
        read
    }

    fn read<T: DeserializeOwned>(&mut self, object: &Object, name: &str) -> Option<T> {
        self.read_by(object, name, |value| serde_json::from_str(value).ok())
    }

    /// Reads a number, which may be text.
    fn number<T: FromStr>(&mut self, object: &Object, name: &str) -> Option<T> {
        self.read_by(object, name, |value| value.trim_matches('"').trim().parse().ok())
    }

    /// Reads an exact amount: text, or a number with its digits.
    fn amount(&mut self, object: &Object, name: &str) -> Option<Amount> {
        self.read_by(object, name, |value| match serde_json::from_str::<String>(value) {
            Ok(text) => text.trim().parse().ok(),
            Err(_) => Decimal::from_json_digits(value)?.to_string().parse().ok(),
        })
    }

    /// Reads a balance: an object, or the total alone in older versions of the API.
    fn balance(&mut self, ticker: String, quantity: RawRow) -> Balance {
        let parts = if quantity.get().starts_with('{') {
            match serde_json::from_str(quantity.get()) {
                Ok(BoundedMap(parts)) => parts,
                Err(_) => {
                    self.unreadable.push(ticker.clone());
                    Object::new()
                }
            }
        } else {
            Object::from([(String::from("total"), quantity)])
        };
        let (overall, available) = (self.amount(&parts, "total"), self.amount(&parts, "available"));
        let transferable = overall.zip(available).and_then(|(overall, available)| overall.checked_sub(available));
        if overall.is_some() && available.is_some() && transferable.is_none() {
            // More is available than there is.
            self.unreadable.push(ticker.clone());
            return Balance { ticker: Some(Text::from(ticker)), available: None, transferable, overall };
        }
        Balance { ticker: Some(Text::from(ticker)), available, transferable, overall }
    }
}

impl Drop for Fields<'_> {
    fn drop(&mut self) {
        let first = self.unreadable.first().map(String::as_str);
        self.upstream.warnings().record(self.unreadable.len(), "field", first);
    }
}

#[async_trait]
impl IndexerSource for Maestro {
    async fn token(&self, ticker: &str) -> SourceResult<Brc20Token> {
        let response = match self.upstream.get(&format!("/assets/brc20/{}", segment(ticker))).await {
            // Its indexer ignores these tickers, so they may exist.
            Err(error) if error.class == ErrorClass::NotFound && ticker.len() == 6 => {
                return Err(SourceError::unsupported_because("6-byte tickers need UniSat or your own indexer"));
            }
            outcome => outcome?,
        };
        let Envelope::<BoundedMap<RawRow>> { data: BoundedMap(data), .. } = response.json()?;
        let mut fields = Fields::of(&self.upstream);
        let own: Text = fields.read(&data, "ticker").ok_or_else(|| SourceError::unexpected_format("no ticker"))?;
        if own.to_lowercase() != ticker.to_lowercase().as_str() {
            return Err(SourceError::unexpected_format("another token"));
        }
        let BoundedMap(terms) = fields.read(&data, "terms").unwrap_or(BoundedMap(Object::new()));
        Ok(Brc20Token {
            inscription_id: fields.read(&data, "deploy_inscription"),
            max_supply: fields.amount(&terms, "max"),
            minted_supply: fields.amount(&data, "minted_supply"),
            mint_limit: fields.amount(&terms, "limit"),
            decimals: fields.number(&terms, "dec").filter(|decimals| *decimals <= 18),
            self_mint: fields.read(&terms, "self_mint"),
            holders: fields.number(&data, "holders"),
            ..Brc20Token::new(own)
        })
    }

    async fn balances(&self, query: &BalancesQuery, page: PageQuery) -> SourceResult<Page<Balance>> {
        if query.block_height.is_some() {
            return Err(SourceError::unsupported_because("Balances at a block height need UniSat or your own indexer"));
        }
        let load = Load::current();
        let tip = load.as_ref().and_then(|load| load.known_height());
        let known = self.lists().get(&query.address).filter(|list| page.offset > 0 && list.is_usable(tip)).cloned();
        let list = match known {
            Some(list) => list,
            None => self.list(&query.address).await?,
        };
        if let Some((load, height)) = load.zip(list.height) {
            load.note_height(height);
        }
        if list.is_cut {
            self.upstream.warnings().note(format!("Only the first {} balances loaded", list.balances.len()));
        }
        let wanted = |balance: &&Balance| {
            query.tickers.is_empty()
                || balance
                    .ticker
                    .as_deref()
                    .is_some_and(|own| query.tickers.iter().any(|prefix| like_prefix(own, prefix)))
        };
        let found = page_of(list.balances.iter().filter(wanted).cloned().collect(), page);
        Ok(Page { total: found.total.filter(|_| !list.is_cut), ..found })
    }

    fn clear_blocks(&self) {
        self.lists().clear();
    }
}

impl Maestro {
    fn lists(&self) -> MutexGuard<'_, HashMap<String, List>> {
        self.lists.lock()
    }

    /// Fetches all balances of an address. Pages can't be requested by number, so all pages of ours are from this list.
    async fn list(&self, address: &str) -> SourceResult<List> {
        let path = format!("/addresses/{}/brc20", segment(address));
        let (mut quantities, mut height, mut cursor) = (Object::new(), None, None::<String>);
        for page in 0..PAGES {
            let next = cursor.as_ref().map(|cursor| format!("?cursor={}", segment(cursor))).unwrap_or_default();
            let response = match self.upstream.get(&format!("{path}{next}")).await {
                Err(error) if page == 0 && is_unknown_address(&error) => break,
                outcome => outcome?,
            };
            let Envelope::<BoundedMap<RawRow>> { data: BoundedMap(data), last_updated, next_cursor } =
                response.json()?;
            quantities.extend(data);
            let seen = last_updated.and_then(|block| block.block_height);
            // The first page may be of an earlier block than the last one.
            height = if page == 0 { seen } else { height.min(seen) };
            let before = std::mem::replace(&mut cursor, next_cursor.filter(|cursor| !cursor.is_empty()));
            if cursor.is_none() {
                break;
            }
            if cursor == before {
                return Err(SourceError::unexpected_format("the same page again"));
            }
        }
        let mut fields = Fields::of(&self.upstream);
        let balances = quantities.into_iter().map(|(ticker, quantity)| fields.balance(ticker, quantity));
        let balances = balances.filter(|balance| balance.overall != Some(Amount::ZERO)).collect();
        let list = List { fetched: self.upstream.stamp(), height, balances, is_cut: cursor.is_some() };
        let mut lists = self.lists();
        if lists.len() >= LISTS {
            lists.retain(|_, list| list.fetched.age() < MAX_OLD_LIST_AGE);
        }
        if lists.len() < LISTS {
            lists.insert(address.to_owned(), list.clone());
        }
        Ok(list)
    }
}

/// Whether Maestro doesn't know an address, which has no balances then. Other services, and Maestro for an unknown path,
/// respond with the same status but another message.
fn is_unknown_address(error: &SourceError) -> bool {
    error.class == ErrorClass::NotFound && error.reason.to_lowercase().contains("entity not found")
}

/// The wait until there are credits again, if a successful response used the last ones.
fn reported_usage(response: &Response, now: UtcTime) -> ReportedUsage {
    ReportedUsage::waiting(has_no_credits(response).then(|| until_midnight(now)))
}

fn has_no_credits(response: &Response) -> bool {
    let left = response.header("x-maestro-credits-remaining").and_then(|left| left.trim().parse::<f64>().ok());
    left.is_some_and(|left| left <= 0.0)
}

/// Recognises used-up daily credits. The server sends 402 (payment required) for an invalid key, too.
fn api_error(response: &Response) -> Option<SourceError> {
    let reason = match response.status() {
        status @ (402 | 429) if has_no_credits(response) => format!("No credits left today ({status})"),
        402 => String::from("No credits left today, or an invalid key (402)"),
        _ => return None,
    };
    Some(SourceError::new(ErrorClass::DailyQuota, reason))
}
