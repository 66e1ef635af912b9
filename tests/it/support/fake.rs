//! A source for the fetch task without network.

use std::collections::{HashMap, VecDeque};
use std::sync::Arc;
use std::time::Duration;

use parking_lot::{Mutex, MutexGuard};
use satscope::client::{Error, ErrorKind, Group, Reply, Request, ResponseData, Validator};
use satscope::fetch::Source;
use satscope::model::{Coin, CoinId, Page, Post, Text, UtcTime};

/// The fake's response to one request.
#[derive(Clone, Debug)]
pub(crate) enum Script {
    /// A response with its `max-age` in seconds and its ETag.
    Respond { max_age: Option<u64>, etag: Option<&'static str> },
    /// A response without rows.
    Empty,
    /// A list of coins.
    Coins(Coins),
    /// The balances of an address without any, with this total.
    NoBalances(Option<u64>),
    /// A response with its `max-age` in seconds after a refresh without newer data.
    NotRefreshed(u64),
    /// 304.
    Confirm,
    /// A failure.
    Fail(ErrorKind),
    /// A failure after a delay.
    FailAfter(Duration, ErrorKind),
    /// No response.
    Hang,
    /// A panic.
    Panic,
}

/// A list of coins. The last ones have no price.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Coins {
    pub(crate) count: usize,
    pub(crate) priced: usize,
    /// Whether our own service sends it.
    pub(crate) is_own: bool,
    /// The names of its providers.
    pub(crate) provider: Option<&'static str>,
}

impl Coins {
    /// A list of another service.
    pub(crate) const fn new(count: usize, priced: usize) -> Coins {
        Coins { count, priced, is_own: false, provider: None }
    }

    fn page(self) -> Page<Coin> {
        let coin = |n: usize| {
            let name = Text::from(format!("coin-{n}"));
            let coin = Coin::new(CoinId(name.clone()), name.clone(), name);
            Coin { price: (n < self.priced).then_some(1.5), ..coin }
        };
        Page { items: (0..self.count).map(coin).collect(), total: None }
    }
}

/// A response without `max-age` and ETag.
pub(crate) const PLAIN: Script = Script::Respond { max_age: None, etag: None };

/// A source without network: responds by script after [`LATENCY`] of the runtime's clock, and records its requests.
#[derive(Clone, Default)]
pub(crate) struct Fake(Arc<Mutex<FakeState>>);

#[derive(Default)]
struct FakeState {
    scripts: HashMap<Request, VecDeque<Script>>,
    requests: Vec<(Request, Option<Validator>)>,
    refreshes: usize,
    in_flight: HashMap<Group, usize>,
    peak: HashMap<Group, usize>,
    one_place: bool,
}

/// Latency of each response.
pub(crate) const LATENCY: Duration = Duration::from_millis(100);

impl Fake {
    fn state(&self) -> MutexGuard<'_, FakeState> {
        self.0.lock()
    }

    /// A fake with both groups on one host.
    pub(crate) fn on_one_host() -> Fake {
        let fake = Fake::default();
        fake.state().one_place = true;
        fake
    }

    /// Sets the responses to a request; the last one is repeated. Without a script, the response is [`PLAIN`].
    pub(crate) fn script(&self, request: &Request, scripts: impl IntoIterator<Item = Script>) {
        self.state().scripts.insert(request.clone(), scripts.into_iter().collect());
    }

    /// All requests, in order.
    pub(crate) fn requests(&self) -> Vec<Request> {
        self.state().requests.iter().map(|(request, _)| request.clone()).collect()
    }

    /// Number of refreshes among the requests.
    pub(crate) fn refreshes(&self) -> usize {
        self.state().refreshes
    }

    /// The ETags sent with a request.
    pub(crate) fn etags(&self, request: &Request) -> Vec<Option<String>> {
        let state = self.state();
        let sent = state.requests.iter().filter(|(sent, _)| sent == request);
        sent.map(|(_, kept)| kept.as_ref().map(|kept| kept.etag.clone())).collect()
    }

    /// Requests in flight, of both groups.
    pub(crate) fn in_flight(&self) -> usize {
        self.state().in_flight.values().sum()
    }

    /// Maximum number of requests of a group in flight at once.
    pub(crate) fn peak(&self, group: Group) -> usize {
        self.state().peak.get(&group).copied().unwrap_or_default()
    }
}

/// A request in flight, until it is dropped.
struct InFlight(Fake, Group);

impl Drop for InFlight {
    fn drop(&mut self) {
        *self.0.state().in_flight.entry(self.1).or_default() -= 1;
    }
}

impl Source for Fake {
    async fn get(&self, request: &Request, kept: Option<&Validator>) -> Result<Reply, Error> {
        let group = request.group();
        let script = {
            let mut state = self.state();
            state.requests.push((request.clone(), kept.cloned()));
            let now = state.in_flight.entry(group).or_default();
            *now += 1;
            let now = *now;
            let peak = state.peak.entry(group).or_default();
            *peak = now.max(*peak);
            match state.scripts.get_mut(request) {
                Some(scripts) if scripts.len() > 1 => scripts.pop_front(),
                Some(scripts) => scripts.front().cloned(),
                None => None,
            }
        };
        let _in_flight = InFlight(self.clone(), group);
        tokio::time::sleep(LATENCY).await;
        let url = format!("http://fake/{}", request.describe());
        let reply = |status, response, max_age: Option<u64>, etag: Option<&str>| Reply {
            is_own: false,
            simulated: false,
            notice: None,
            refresh_error: None,
            not_refreshed: None,
            provider: None,
            rate: None,
            age: Duration::ZERO,
            response,
            url: url.clone(),
            status,
            bytes: 2,
            latency: LATENCY,
            fetched_at: UtcTime::from_millis(0),
            validator: etag.map(|etag| Validator { url: url.clone(), etag: String::from(etag) }),
            max_age: max_age.map(Duration::from_secs),
            warnings: Vec::new(),
            rows: 0,
            has_more: false,
            warns_of_more_rows: false,
            has_several_coins: false,
        };
        match script.unwrap_or(PLAIN) {
            Script::Respond { max_age, etag } => {
                let items = vec![Post {
                    id: "1".into(),
                    author: None,
                    network: None,
                    text: String::from("a post"),
                    likes: None,
                    comments: None,
                    reposts: None,
                    posted_at: None,
                    url: None,
                    symbols: Vec::new(),
                    language: None,
                    sensitive: None,
                }];
                Ok(reply(200, Some(ResponseData::Posts(Page { items, total: None })), max_age, etag))
            }
            Script::NotRefreshed(max_age) => {
                let response = ResponseData::Coins(Coins::new(1, 1).page());
                let not_refreshed = Some(String::from("CoinGecko: server error (503)"));
                Ok(Reply { not_refreshed, ..reply(200, Some(response), Some(max_age), None) })
            }
            Script::Empty => Ok(reply(200, Some(ResponseData::Posts(Page::default())), Some(86_400), None)),
            Script::Coins(coins) => {
                let response = ResponseData::Coins(coins.page());
                let (is_own, provider) = (coins.is_own, coins.provider.map(Text::from));
                Ok(Reply { is_own, provider, ..reply(200, Some(response), Some(86_400), None) })
            }
            Script::NoBalances(total) => {
                let balances = Page { items: Vec::new(), total };
                Ok(reply(200, Some(ResponseData::Balances(balances)), None, None))
            }
            Script::Confirm => Ok(reply(304, None, None, None)),
            Script::Fail(kind) => Err(Error { what: request.describe(), origin: self.origin(group), kind }),
            Script::FailAfter(wait, kind) => {
                tokio::time::sleep(wait).await;
                Err(Error { what: request.describe(), origin: self.origin(group), kind })
            }
            Script::Hang => std::future::pending().await,
            Script::Panic => panic!("scripted"),
        }
    }

    async fn refresh(&self, request: &Request, kept: Option<&Validator>) -> Result<Reply, Error> {
        self.state().refreshes += 1;
        self.get(request, kept).await
    }

    fn origin(&self, group: Group) -> String {
        match group {
            Group::Indexer if !self.state().one_place => String::from("http://indexer"),
            _ => String::from("http://market"),
        }
    }
}
