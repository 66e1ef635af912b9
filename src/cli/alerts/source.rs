//! The service that the values of alerts come from.

use super::super::failure::Failure;
use super::super::privacy;
use super::super::runtime::block_on;
use crate::alerts::values::Origin;
use crate::alerts::{Values, needs};
use crate::client::{Client, ErrorKind, Group, Reply, Request, Warning};
use crate::config::Settings;
use crate::model::Text;
use crate::service;
use crate::user_data::Alert;
use crate::user_data::alert::Rule;

/// A client of both groups. The embedded service, if needed, runs until this is dropped.
pub(super) struct Service {
    pub(super) client: Client,
    _running: Option<service::Running>,
}

impl Service {
    /// Connects to the services of both groups.
    pub(super) fn start(settings: &Settings) -> Result<Service, Failure> {
        let running = match settings.needs_service() {
            true => Some(service::start(settings.service_options(&settings.store()))?),
            false => None,
        };
        let url = running.as_ref().map(service::Running::url).unwrap_or_default();
        Ok(Service { client: Client::new(settings.client_config(&url))?, _running: running })
    }
}

/// The name of a group's source, if its responses name no provider.
pub(super) fn source_name(group: Group, simulated: bool, settings: &Settings) -> &str {
    settings.url(group).unwrap_or(if simulated { "simulated" } else { "live" })
}

/// The answers to the requests of some alerts.
#[derive(Default)]
pub(super) struct Fetched {
    pub(super) replies: Vec<(Request, Reply)>,
    /// The name of each reply's source.
    sources: Vec<String>,
    pub(super) warnings: Vec<Warning>,
    /// The first failure.
    pub(super) failure: Option<String>,
    /// The ticker of a token that doesn't exist.
    pub(super) unknown_token: Option<Text>,
}

impl Fetched {
    /// The values of all answers.
    pub(super) fn values(&self) -> Values<'_> {
        let mut values = Values::default();
        for ((request, reply), source) in self.replies.iter().zip(&self.sources) {
            if let Some(answer) = &reply.answer {
                values.add(request, answer, Origin { at: reply.fetched_at.minus(reply.age), source });
            }
        }
        values.sort();
        values
    }
}

/// Fetches the values of alerts: coins by id, and the series of coins that the service can't return by id.
pub(super) fn fetch(alerts: &[Alert], settings: &Settings) -> Result<Fetched, Failure> {
    let mut fetched = Fetched::default();
    let service = Service::start(settings)?;
    let convert = &settings.display.convert;
    for by_id in [true, false] {
        let requests = {
            let values = fetched.values();
            let has_value = |rule: &Rule| values.reading(rule, &Default::default()).is_some();
            let is_new =
                |alert: &&Alert| by_id || matches!(alert.rule.target, crate::user_data::alert::Target::Coin(_));
            needs(alerts.iter().filter(is_new), convert, has_value, |_| !by_id).requests
        };
        for (request, _) in requests {
            privacy::announce(&request, settings);
            match block_on(service.client.get(&request, None))? {
                Ok(reply) => {
                    let own = source_name(request.group(), reply.simulated, settings);
                    let provider = reply.provider.as_ref().map(ToString::to_string);
                    fetched.sources.push(provider.unwrap_or_else(|| own.to_owned()));
                    fetched.warnings.extend(reply.warnings.iter().cloned());
                    fetched.replies.push((request, reply));
                }
                Err(error) => {
                    if let (ErrorKind::NotFound { .. }, Request::Brc20Token { ticker }) = (&error.kind, &request) {
                        fetched.unknown_token = Some(ticker.clone());
                    }
                    let is_final = !by_id || !matches!(request, Request::CoinsById { .. });
                    if is_final && fetched.failure.is_none() {
                        fetched.failure = Some(error.to_string());
                    }
                }
            }
        }
    }
    Ok(fetched)
}
