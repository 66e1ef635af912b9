//! One operation: ask, print, end.

use std::io::{self, IsTerminal as _};

use bitcoin::Address;
use bitcoin::address::NetworkUnchecked;

use super::args::{Command, Format};
use super::coins::{self, Wish};
use super::output::{self, Data, Envelope};
use super::sheet::Sheet;
use super::{Failure, request, runtime};
use crate::client::{Answer, Client, Error, ErrorKind, Group, Reply, Request, Warning, endpoint};
use crate::config::Settings;
use crate::glyphs::Glyphs;
use crate::model::{Sat, SatNumber, Text, UtcTime};
use crate::service::{self, Options};

/// Stands for the other group's URL where no service runs, because nothing is asked of it.
const NEVER_ASKED: &str = "http://localhost";

/// What the embedded service is called in sentences.
const EMBEDDED: &str = "the embedded service";

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
    let glyphs = settings.display.glyphs();
    let outcome = runtime()?.block_on(ask(&client, &request, settings)).map_err(|error| match service {
        // Its port is another at every run.
        Some(_) => Error { place: String::from(EMBEDDED), ..error },
        None => error,
    });
    match (outcome, &request) {
        (Err(error), Request::Sat { number }) => {
            let source =
                format!("{}{}", config.indexer_url, endpoint::path_and_query(&config, &request).unwrap_or_default());
            print_computed(*number, source, &told(&error), format, glyphs)?;
            Err(Failure::Operation(told(&error)))
        }
        (Err(error), Request::Chart { .. }) if is_unknown(&error) => {
            let advice =
                "a chart is asked for by the coin's slug, such as bitcoin; `satscope coins --format csv` lists them";
            Err(Failure::Operation(format!("{}; {advice}", told(&error))))
        }
        (outcome, _) => {
            let mut reply = outcome.map_err(|error| Failure::Operation(told(&error)))?;
            if let Some(answer) = &reply.answer {
                reply.warnings.extend(doubts(&request, answer));
            }
            print(&reply, format, glyphs)?;
            // A person is told; to a script it would look like a failure.
            if io::stderr().is_terminal() && settings.simulates_unasked(request.group()) {
                super::say(simulated(request.group()));
            }
            Ok(())
        }
    }
}

/// That what was printed is of nobody's market, which neither its numbers nor its source's address tell.
fn simulated(group: Group) -> &'static str {
    match group {
        Group::Market => {
            "simulated data, as no service is configured: --base-url names one, --demo says that simulated is meant"
        }
        Group::Indexer => {
            "simulated data, as no indexer is configured: --indexer-url names one, --demo says that simulated is meant"
        }
    }
}

/// What ordinal theory alone says of a sat, when the indexer could not be asked. The failure still is one: without
/// the exit status, a script could not tell an unknown inscription from none.
fn print_computed(
    number: SatNumber,
    source: String,
    failure: &str,
    format: Option<Format>,
    glyphs: Glyphs,
) -> Result<(), Failure> {
    let answer = Answer::Sat(Box::new(Sat::computed(number)));
    // Beside a table or CSV the failure's own sentence says it.
    let warnings = match output::format(format) {
        Format::Json => vec![format!("computed only, without the indexer's part: {failure}")],
        Format::Table | Format::Csv => Vec::new(),
    };
    let source = Some(source);
    let envelope = Envelope { data: Data(&answer), source, fetched_at: UtcTime::now(), warnings: &warnings };
    output::print(&envelope, format, glyphs, || Sheet::of(&answer))
}

/// A failure in a sentence. The embedded service has no URL that could be checked.
fn told(error: &Error) -> String {
    match error.place == EMBEDDED {
        true => error.to_string().replace(" and the URL", ""),
        false => error.to_string(),
    }
}

/// Whether the service says that it does not know what was asked for.
fn is_unknown(error: &Error) -> bool {
    matches!(&error.kind, ErrorKind::NotFound { .. } | ErrorKind::Status { status: 400 | 422, .. })
}

/// What an answer without any sign of trouble leaves open, in sentences.
fn doubts(request: &Request, answer: &Answer) -> Vec<Warning> {
    match (request, answer) {
        (Request::MarketData { symbols, .. }, Answer::Market(series)) => {
            let missing = |symbol: &&Text| !series.iter().any(|series| series.symbol.eq_ignore_ascii_case(symbol));
            symbols
                .iter()
                .filter(missing)
                .map(|symbol| format!("nothing came for {symbol}; is the symbol right?"))
                .collect()
        }
        (Request::Brc20Balances { address, .. }, Answer::Balances(page)) if page.items.is_empty() => mistyped(address),
        (Request::Inscriptions { address: Some(address), .. }, Answer::Inscriptions(page)) if page.items.is_empty() => {
            mistyped(address)
        }
        _ => Vec::new(),
    }
}

/// Indexers answer for any text as an address: an empty list may only mean a typing mistake.
fn mistyped(address: &str) -> Vec<Warning> {
    match address.parse::<Address<NetworkUnchecked>>() {
        Ok(_) => Vec::new(),
        Err(_) => vec![format!("{address} is not a valid Bitcoin address; the list is empty for any such text")],
    }
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

fn print(reply: &Reply, format: Option<Format>, glyphs: Glyphs) -> Result<(), Failure> {
    let Some(answer) = &reply.answer else {
        return Err(Failure::Operation(format!("{} said “not modified” to a first request", reply.url)));
    };
    let envelope = Envelope {
        data: Data(answer),
        source: Some(reply.url.clone()),
        fetched_at: reply.fetched_at,
        warnings: &reply.warnings,
    };
    output::print(&envelope, format, glyphs, || Sheet::of(answer))?;
    // A head without rows leaves people wondering; programs see the empty list.
    if output::format(format) == Format::Table
        && let Some(items) = nothing(answer)
    {
        super::say(&format!("no {items}"));
    }
    Ok(())
}

/// What a list without items is a list of.
fn nothing(answer: &Answer) -> Option<&'static str> {
    let (is_empty, items) = match answer {
        Answer::Coins(page) => (page.items.is_empty(), "coins"),
        Answer::Posts(page) => (page.items.is_empty(), "posts"),
        Answer::MarketPairs(page) => (page.items.is_empty(), "market pairs"),
        Answer::Chart(chart) => (chart.points.is_empty(), "points"),
        Answer::Market(series) => (series.is_empty(), "series"),
        Answer::Brc20Tokens(page) => (page.items.is_empty(), "tokens"),
        Answer::Holders(page) => (page.items.is_empty(), "holders"),
        Answer::Balances(page) => (page.items.is_empty(), "balances"),
        Answer::Activity(page) => (page.items.is_empty(), "activity"),
        Answer::Inscriptions(page) => (page.items.is_empty(), "inscriptions"),
        Answer::InscriptionStats(page) => (page.items.is_empty(), "statistics"),
        Answer::Brc20Token(_) | Answer::Sat(_) | Answer::Inscription(_) => (false, ""),
    };
    is_empty.then_some(items)
}
