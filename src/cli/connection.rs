//! Requests of commands to a service.

use super::coins::{self, CoinQuery};
use super::embedded;
use super::failure::Failure;
use super::progress;
use super::runtime::block_on;
use crate::client::config::Secret;
use crate::client::{Client, ClientConfig, Error, ErrorKind, Group, Reply, Request, TextForm};
use crate::config::Settings;
use crate::model::Currency;

/// Placeholder URL of the other group, which isn't used.
const UNUSED_URL: &str = "http://localhost";

/// Name of the embedded service in messages.
const EMBEDDED: &str = "the embedded service";

/// The longest time that data may have been stale, as our own service understands it: it responds with newer data then,
/// if a provider has any.
const MAX_STALE: &str = "max-stale=60";

fn header(name: &str, value: &str) -> (String, Secret) {
    (name.to_owned(), Secret(value.to_owned()))
}

/// A client for a group's service. If it is the embedded one, it runs until the command ends.
pub(super) struct Connection {
    pub(super) client: Client,
    pub(super) config: ClientConfig,
    is_embedded: bool,
}

impl Connection {
    /// Connects to a group's service; `text` is the form of text in responses.
    pub(super) fn to(settings: &Settings, group: Group, text: TextForm) -> Result<Connection, Failure> {
        // A command prints only once, so it waits for links and contracts, which lists get later.
        let wait = settings.is_live(group).then(|| header("prefer", "wait=6"));
        Connection::with_headers(settings, group, text, wait)
    }

    /// Connects to the service of the market group, for coins without links and contracts.
    pub(super) fn without_details(settings: &Settings) -> Result<Connection, Failure> {
        Connection::with_headers(settings, Group::Market, TextForm::Clean, None)
    }

    fn with_headers(
        settings: &Settings,
        group: Group,
        text: TextForm,
        headers: Option<(String, Secret)>,
    ) -> Result<Connection, Failure> {
        let is_embedded = settings.url(group).is_none();
        let url = if is_embedded { embedded::url(settings)? } else { String::from(UNUSED_URL) };
        let mut config = ClientConfig { text, waits_if_limited: true, ..settings.client_config(&url) };
        config.market_headers.extend(headers);
        // A service may respond with a stale value while it refreshes it, which only helps those who ask again.
        config.market_headers.push(header("cache-control", MAX_STALE));
        config.indexer_headers.push(header("cache-control", MAX_STALE));
        Ok(Connection { client: Client::new(config.clone())?, config, is_embedded })
    }

    /// Sends a request; `coins` may send several.
    pub(super) fn fetch(&self, request: &Request, settings: &Settings) -> Result<Result<Reply, Error>, Failure> {
        let work = send(&self.client, request, settings);
        let outcome =
            block_on(progress::show(&self.client, progress::limit(request), settings.display.glyphs(), work))?;
        Ok(outcome.map_err(|error| self.with_service_name(error)))
    }

    /// Replaces the address of the embedded service, whose port is random, with its name.
    pub(super) fn with_service_name(&self, error: Error) -> Error {
        if self.is_embedded { Error { origin: String::from(EMBEDDED), ..error } } else { error }
    }
}

/// The message of an error, without the advice to check the URL if it is the embedded service. A rejected currency is a
/// mistyped option, so the request doesn't matter. If live data was chosen in the dashboard, it says so, since nothing
/// on the command line does.
pub(super) fn error_sentence(error: &Error, settings: &Settings) -> String {
    let convert = &settings.display.convert;
    if rejects_currency(error, convert) {
        if convert.as_str() == "SATS" {
            return format!("unsupported currency {convert} (SAT is the currency, SATS a token)");
        }
        let hint = match convert.as_str() {
            "EUR" => "try USD or BTC",
            "BTC" => "try USD or EUR",
            _ => "try USD, EUR or BTC",
        };
        return match error.lacking_rate() {
            Some(reason) => format!("{reason} ({hint})"),
            None => format!("unsupported currency {convert} ({hint})"),
        };
    }
    if error.origin != EMBEDDED {
        return error.to_string();
    }
    let sentence = error.to_string().replace(" and the URL", "");
    if settings.is_live_by_choice() && !is_unknown(error, convert) {
        format!("{sentence}; live data was chosen in the dashboard (pass --demo for simulated data)")
    } else {
        sentence
    }
}

/// The failure of a command whose request failed.
pub(super) fn failed(error: &Error, settings: &Settings) -> Failure {
    let sentence = error_sentence(error, settings);
    if error.is_retryable() && !rejects_currency(error, &settings.display.convert) {
        Failure::Outage(sentence)
    } else {
        Failure::Operation(sentence)
    }
}

/// The response to a request, or the failure of its command.
pub(super) fn succeeded(outcome: Result<Reply, Error>, settings: &Settings) -> Result<Reply, Failure> {
    outcome.map_err(|error| failed(&error, settings))
}

/// Whether the service doesn't know the requested item, or returned another one.
pub(super) fn is_unknown(error: &Error, convert: &Currency) -> bool {
    use ErrorKind::{Mismatch, NotFound, Status};
    let is_client_error = matches!(&error.kind, NotFound { .. } | Mismatch { .. } | Status { status: 400 | 422, .. });
    is_client_error && !rejects_currency(error, convert) && !error.rejects_count_or_interval()
}

/// Whether the service rejects the currency. All services support the dollar.
fn rejects_currency(error: &Error, convert: &Currency) -> bool {
    *convert != Currency::usd() && error.rejects_currency(convert)
}

async fn send(client: &Client, request: &Request, settings: &Settings) -> Result<Reply, Error> {
    match request {
        Request::Coins { tag, start, limit, convert } => {
            let page = settings.display.page_size;
            let query = CoinQuery { tag: *tag, start: *start, limit: *limit, convert: convert.clone(), page };
            coins::get(client, &query, &settings.limits).await
        }
        other => client.get(other, None).await,
    }
}
