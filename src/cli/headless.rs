//! One operation: ask, print, end.

use super::args::{Command, Format};
use super::coins::{self, Wish};
use super::output::{self, Data, Envelope};
use super::sheet::Sheet;
use super::{Failure, request, runtime};
use crate::client::{Answer, Client, Error, Reply, Request, endpoint};
use crate::config::Settings;
use crate::model::{Sat, SatNumber, UtcTime};
use crate::service::{self, Options};

/// Stands for the other group's URL where no service runs, because nothing is asked of it.
const NEVER_ASKED: &str = "http://localhost";

/// Performs a command and prints what came.
pub(super) fn run(command: &Command, settings: &Settings, format: Option<Format>) -> Result<(), Failure> {
    let Some(request) = request::of(command, settings)? else {
        return Err(Failure::Usage(String::from("there is nothing to do; see --help")));
    };
    // Only where this request's group has no URL of its own.
    let service = match settings.url(request.group()) {
        Some(_) => None,
        None => Some(service::start(Options::default())?),
    };
    let embedded = service.as_ref().map_or_else(|| String::from(NEVER_ASKED), service::Running::url);
    let config = settings.client_config(&embedded);
    let client = Client::new(config.clone())?;
    let outcome = runtime()?.block_on(ask(&client, &request, settings));
    match (outcome, &request) {
        (Err(error), Request::Sat { number }) => {
            let source =
                format!("{}{}", config.indexer_url, endpoint::path_and_query(&config, &request).unwrap_or_default());
            print_computed(*number, source, &error, format)?;
            Err(error.into())
        }
        (outcome, _) => print(&outcome?, format),
    }
}

/// What ordinal theory alone says of a sat, when the indexer could not be asked. The failure still is one: without
/// the exit status, a script could not tell an unknown inscription from none.
fn print_computed(number: SatNumber, source: String, error: &Error, format: Option<Format>) -> Result<(), Failure> {
    let answer = Answer::Sat(Box::new(Sat::computed(number)));
    let warning = format!("computed only, without the indexer's part: {error}");
    let warnings = [warning];
    let envelope =
        Envelope { data: Data(&answer), source: Some(source), fetched_at: UtcTime::now(), warnings: &warnings };
    output::print(&envelope, format, || Sheet::of(&answer))
}

async fn ask(client: &Client, request: &Request, settings: &Settings) -> Result<Reply, Error> {
    match request {
        Request::Coins { tag, start, limit, convert } => {
            let page = settings.display.page_size;
            let wish = Wish { tag: *tag, start: *start, limit: *limit, convert: convert.clone(), page };
            coins::get(client, &wish).await
        }
        other => client.get(other, None).await,
    }
}

fn print(reply: &Reply, format: Option<Format>) -> Result<(), Failure> {
    let Some(answer) = &reply.answer else {
        return Err(Failure::Operation(format!("{} said “not modified” to a first request", reply.url)));
    };
    let envelope = Envelope {
        data: Data(answer),
        source: Some(reply.url.clone()),
        fetched_at: reply.fetched_at,
        warnings: &reply.warnings,
    };
    output::print(&envelope, format, || Sheet::of(answer))
}
