//! The service that the values of alerts come from.

use std::time::Duration;

use super::super::embedded;
use super::super::failure::Failure;
use super::super::privacy::PrivacyNotices;
use super::super::runtime::block_on;
use super::received::Received;
use super::wallet::Wallet;
use crate::alerts::source::response_source;
use crate::alerts::values::{Origin, stale_since};
use crate::alerts::wallet::WalletValues;
use crate::alerts::{Values, needs, text};
use crate::client::{Client, ClientConfig, ErrorKind, Group, Reply, Request, ResponseData, Warning};
use crate::config::Settings;
use crate::format::words::in_sentence;
use crate::model::{Text, UtcTime};
use crate::user_data::alert::{Rule, Target, ValueSource};
use crate::user_data::{Alert, UserData, Watched};

/// A client of both groups. The embedded service, if needed, runs until the command ends.
pub(super) struct Service {
    pub(super) client: Client,
}

impl Service {
    /// Connects to the services of both groups. See [`ClientConfig::waits_if_limited`].
    pub(super) fn start(settings: &Settings, waits_if_limited: bool) -> Result<Service, Failure> {
        let url = if settings.needs_service() { embedded::url(settings)? } else { String::new() };
        let config = ClientConfig { waits_if_limited, ..settings.client_config(&url) };
        Ok(Service { client: Client::new(config)? })
    }
}

/// The source of a response.
pub(super) fn source_of<'a>(
    group: Group,
    provider: Option<&'a str>,
    simulated: bool,
    settings: &'a Settings,
) -> ValueSource<&'a str> {
    response_source(provider, settings.url(group), simulated)
}

/// Whether the data of a group are simulated, as far as known before the first response.
pub(super) fn is_simulated(group: Group, settings: &Settings) -> bool {
    settings.url(group).is_none() && !settings.is_live(group)
}

/// Names alerts that the current data can't check, in one sentence; `None` without any.
pub(super) fn not_checked(alerts: &[&Alert]) -> Option<String> {
    let ids: Vec<String> = alerts.iter().map(|alert| alert.id.to_string()).collect();
    let (noun, needs, them) = if ids.len() == 1 { ("alert", "needs", "it") } else { ("alerts", "need", "them") };
    let reason = if alerts.first()?.state.is_simulated() {
        format!("created with simulated data; turn {them} off and on to use live data")
    } else {
        format!("{needs} live data")
    };
    Some(format!("{noun} {} not checked ({reason})", ids.join(", ")))
}

/// The responses to the requests of some alerts.
#[derive(Default)]
pub(super) struct Fetched {
    pub(super) replies: Vec<(Request, Reply)>,
    /// The source of each reply.
    sources: Vec<ValueSource>,
    pub(super) warnings: Vec<Warning>,
    /// The requests that failed.
    failed: Vec<Request>,
    /// The requests that the service doesn't offer.
    lacking: Vec<Request>,
    /// The first failure.
    pub(super) failure: Option<String>,
    /// Why the bitcoin of an address is unknown.
    pub(super) bitcoin_problem: Option<String>,
    /// The ticker of a token that doesn't exist.
    pub(super) unknown_token: Option<Text>,
    /// The wallet's value and its change, if an alert needs one of them.
    wallet: Option<WalletValues>,
    /// Why one of them is unknown, if an alert needs it.
    pub(super) wallet_problem: Option<String>,
    privacy_notices: PrivacyNotices,
}

impl Fetched {
    /// The values of all responses.
    pub(super) fn values(&self) -> Values<'_> {
        let mut values = Values::default();
        self.responses().for_each(|(request, response, origin)| values.add(request, response, origin));
        if let Some(wallet) = &self.wallet {
            values.add_wallet(wallet);
        }
        values.sort();
        values
    }

    fn responses(&self) -> impl Iterator<Item = (&Request, &ResponseData, Origin<'_>)> {
        self.replies.iter().zip(&self.sources).filter_map(|((request, reply), source)| {
            Some((
                request,
                reply.response.as_ref()?,
                Origin { at: reply.fetched_at.minus(reply.age), source: source.borrowed() },
            ))
        })
    }

    /// Why there is no value for a rule although no request failed. `now`: the current time.
    pub(super) fn missing_reason(&self, rule: &Rule, now: UtcTime) -> String {
        let old = |coin: &Watched| {
            self.responses().find_map(|(_, response, origin)| {
                let ResponseData::Coins(page) = response else { return None };
                page.items.iter().filter(|own| coin.is_coin(own)).find_map(|own| stale_since(own, origin))
            })
        };
        let reason = match &rule.target {
            Target::Coin(coin) => old(coin).map(|updated| text::old_data(now.since(updated))),
            Target::Fees => self.fees_notice().map(str::to_owned),
            Target::Token(_) | Target::Address(_) | Target::Wallet => None,
        };
        reason.unwrap_or_else(|| String::from(text::NO_VALUE))
    }

    /// The notice of the response with the fee rates: why there are none.
    fn fees_notice(&self) -> Option<&str> {
        let (_, reply) = self.replies.iter().find(|(request, _)| *request == Request::ChainState)?;
        reply.notice.as_deref()
    }

    /// Whether a group's data is simulated; `None` without a response.
    pub(super) fn is_simulated(&self, group: Group) -> Option<bool> {
        self.replies.iter().find(|(request, _)| request.group() == group).map(|(_, reply)| reply.simulated)
    }

    /// The response to a request.
    fn response_to(&self, request: &Request) -> Option<Received<'_>> {
        let (_, reply) = self.replies.iter().find(|(own, _)| own == request)?;
        let at = reply.fetched_at.minus(reply.age);
        Some(Received { response: reply.response.as_ref()?, at, simulated: reply.simulated, rows: reply.rows })
    }
}

/// Fetches the values of alerts: coins by id, and the series of coins that the service can't return by id. `data` has
/// the wallet.
pub(super) fn fetch(alerts: &[Alert], data: &UserData, settings: &Settings) -> Result<Fetched, Failure> {
    let mut fetched = Fetched::default();
    let service = Service::start(settings, true)?;
    let convert = &settings.display.convert;
    let needs_wallet = alerts.iter().any(|alert| alert.on && alert.rule.target == Target::Wallet);
    let wallet = needs_wallet.then(|| Wallet::of(data, alerts));
    for by_id in [true, false] {
        let requests = {
            let values = fetched.values();
            let has_value = |rule: &Rule| values.reading(rule, &Default::default()).is_some();
            let is_new = |alert: &&Alert| by_id || matches!(alert.rule.target, Target::Coin(_));
            needs(alerts.iter().filter(is_new), convert, has_value, |_| !by_id).requests
        };
        fetched.send_new(requests, false, &service, settings)?;
    }
    if let Some(wallet) = wallet {
        loop {
            let has_failed = |request: &Request| fetched.failed.contains(request);
            let requests = wallet.requests(settings, |request| fetched.response_to(request), has_failed);
            // The responses determine what else is needed.
            if !fetched.send_new(requests, true, &service, settings)? {
                break;
            }
        }
        let is_lacking = |request: &Request| fetched.lacking.contains(request);
        let values = wallet.values(settings, |request| fetched.response_to(request), is_lacking);
        let (note, problem) = wallet.note_and_problem(&values);
        fetched.warnings.extend(note);
        (fetched.wallet, fetched.wallet_problem) = (Some(values), problem);
    }
    Ok(fetched)
}

impl Fetched {
    /// Sends the requests that were not sent yet, for the rules or for the wallet's value. Returns whether there are
    /// any.
    fn send_new(
        &mut self,
        requests: Vec<(Request, Duration)>,
        is_for_wallet: bool,
        service: &Service,
        settings: &Settings,
    ) -> Result<bool, Failure> {
        let mut has_sent = false;
        for (request, _) in requests {
            if self.response_to(&request).is_none() && !self.failed.contains(&request) {
                self.send(request, is_for_wallet, service, settings)?;
                has_sent = true;
            }
        }
        Ok(has_sent)
    }

    /// Sends a request.
    fn send(
        &mut self,
        request: Request,
        is_for_wallet: bool,
        service: &Service,
        settings: &Settings,
    ) -> Result<(), Failure> {
        self.privacy_notices.announce(&request, settings);
        match block_on(service.client.get(&request, None))? {
            Ok(reply) => {
                let provider = reply.provider.as_deref();
                let source = source_of(request.group(), provider, reply.simulated, settings).into_owned();
                self.sources.push(source);
                self.warnings.extend(reply.warnings.iter().cloned());
                self.replies.push((request, reply));
            }
            Err(error) => {
                if let (ErrorKind::NotFound { .. }, Request::Brc20Token { ticker }) = (&error.kind, &request) {
                    self.unknown_token = Some(ticker.clone());
                }
                // Coins that the service can't return by id are requested as series, and not every service has bitcoin.
                let is_optional = match request {
                    Request::CoinsById { .. } | Request::BitcoinBalance { .. } => true,
                    Request::Coins { start: 2.., .. } => error.is_not_offered(),
                    Request::Brc20Token { .. } => is_for_wallet && error.is_not_offered(),
                    _ => false,
                };
                if !is_optional && self.failure.is_none() {
                    self.failure = Some(error.to_string());
                }
                if matches!(request, Request::BitcoinBalance { .. }) {
                    self.bitcoin_problem = Some(if error.is_not_offered() {
                        String::from("no enabled provider has it")
                    } else {
                        in_sentence(&error.kind.to_string())
                    });
                }
                if error.is_not_offered() {
                    self.lacking.push(request.clone());
                }
                self.failed.push(request);
            }
        }
        Ok(())
    }
}
