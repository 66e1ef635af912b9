//! Commands that send one request and print the response.

use std::io::{self, IsTerminal as _};

use super::args::{Command, Format};
use super::block_range;
use super::coin_selection::CoinSelection;
use super::connection::failed;
use super::failure::{Failure, say};
use super::last_seen;
use super::named;
use super::output::{self, Data, Envelope};
use super::plot;
use super::posts;
use super::privacy::PrivacyNotices;
use super::request;
use super::series;
use super::sheet::Sheet;
use super::source_url::source_url;
use crate::client::{ClientConfig, Group, Reply, Request, ResponseData, TextForm, Warning, endpoint};
use crate::config::{Display, Settings};
use crate::format::words::counted;
use crate::model::{ChartStyle, Sat};

pub(super) use super::connection::{Connection, error_sentence};

/// Runs a command and prints the response. If no provider of live data answers, what the dashboard saw last is printed,
/// and the exit status still indicates the failure.
pub(super) fn run(command: &Command, settings: &Settings, format: Option<Format>) -> Result<(), Failure> {
    let Some(request) = request::from_command(command, settings)? else {
        return Err(Failure::Usage(String::from("no command given; see --help")));
    };
    let selection = CoinSelection::from_command(command, settings)?;
    let format = plot::default_format(format, command);
    PrivacyNotices::default().announce(&request, settings);
    let is_list = matches!(request, Request::Coins { .. } | Request::CategoryStats { .. });
    let connection = if is_list && output::format(format) == Format::Table {
        // Tables of coins have no links and contracts.
        Connection::without_details(settings)?
    } else {
        Connection::to(settings, request.group(), text_form(format))?
    };
    let display = &settings.display;
    let style = plot::style(command).unwrap_or_default();
    let (mut reply, incomplete) = match fetch(&request, &connection, settings) {
        Err(Failure::Operation(reason)) => {
            print_computed(&request, &connection.config, &reason, format, display)?;
            return Err(Failure::Operation(reason));
        }
        Err(Failure::Outage(reason)) => {
            print_computed(&request, &connection.config, &reason, format, display)?;
            let mut seen = last_seen::find(&request, settings, &reason);
            if let Some(seen) = &mut seen {
                let removed = selection.apply(seen.response.as_mut());
                arrange(seen, request::printed_rows(command));
                seen.url = source_url(seen, request.group(), settings);
                print(seen, removed, format, style, display)?;
            }
            // The warning says it.
            let is_said = seen.is_some() && output::format(format) != Format::Json;
            return Err(Failure::Outage(if is_said { String::from("no new data") } else { reason }));
        }
        fetched => fetched?,
    };
    let uncovered = selection.uncovered(reply.response.as_ref());
    let removed = selection.apply(reply.response.as_mut());
    arrange(&mut reply, request::printed_rows(command));
    for reason in [&uncovered, &incomplete] {
        reply.warnings.extend(output::reason_in_json(reason.as_deref(), format));
    }
    reply.url = source_url(&reply, request.group(), settings);
    print(&reply, removed, format, style, display)?;
    if let Some(sentence) = uncovered.filter(|_| output::format(format) != Format::Json) {
        say(&sentence);
    }
    note_simulated([(request.group(), reply.simulated)], settings);
    incomplete.map_or(Ok(()), |sentence| Err(Failure::Operation(sentence)))
}

/// Fetches the response to a request, and a warning if it has only part of the result.
fn fetch(request: &Request, connection: &Connection, settings: &Settings) -> Result<(Reply, Option<Warning>), Failure> {
    match request {
        Request::Chart { slug, period, convert } => {
            Ok((named::chart(connection, slug, *period, convert, settings)?, None))
        }
        Request::Posts { symbol, .. } | Request::MarketPairs { symbol, .. } => {
            Ok((named::of_symbol(connection, request, symbol, settings)?, None))
        }
        Request::MarketData { symbols, .. } => series::fetch(connection, request, symbols, settings),
        _ => {
            let outcome = connection.fetch(request, settings)?;
            let mut reply = outcome.map_err(|error| failed(&error, settings))?;
            reply.warnings.extend(block_range::warning(request, &reply, connection, settings)?);
            Ok((reply, None))
        }
    }
}

/// Moves outliers to the end of market pairs, and removes the rows after the first `limit` from a list that has no pages.
fn arrange(reply: &mut Reply, limit: Option<u32>) {
    if let Some(ResponseData::MarketPairs(page)) = &mut reply.response {
        page.items.sort_by_key(|pair| pair.outlier == Some(true));
    }
    let Some(limit) = limit.and_then(|limit| usize::try_from(limit).ok()) else { return };
    match &mut reply.response {
        Some(ResponseData::Coins(page)) => page.items.truncate(limit),
        Some(ResponseData::Posts(page)) => page.items.truncate(limit),
        Some(ResponseData::MarketPairs(page)) => page.items.truncate(limit),
        _ => {}
    }
}

/// JSON and CSV contain text unchanged. CSV on a terminal doesn't, because CSV has no escapes.
fn text_form(format: Option<Format>) -> TextForm {
    match output::format(format) {
        Format::Json => TextForm::Original,
        Format::Csv if !io::stdout().is_terminal() => TextForm::Original,
        Format::Csv | Format::Table | Format::Plot => TextForm::Clean,
    }
}

/// The note about simulated data if `--demo` isn't set.
pub(super) const SIMULATED: &str = "simulated data: pass --live for real data, or --demo to silence this";

/// The note that a group's data is simulated, unless requested by `--demo`.
pub(super) fn simulated_note(simulated: bool, group: Group, settings: &Settings) -> Option<String> {
    let (option, name, other) = match group {
        Group::Market => ("--base-url", "market", Group::Indexer),
        Group::Indexer => ("--indexer-url", "indexer", Group::Market),
    };
    match settings.url(group) {
        Some(_) if simulated => Some(format!("simulated data, according to the service at {option}")),
        // Data of the other group may be printed beside it.
        None if settings.simulates_by_default(group) && settings.url(other).is_some() => {
            Some(format!("simulated {name} data: pass --live or {option} for real data"))
        }
        None if settings.simulates_by_default(group) => Some(SIMULATED.to_owned()),
        _ => None,
    }
}

/// Prints the notes about the groups with responses, each of which is simulated or not.
pub(super) fn note_simulated(groups: impl IntoIterator<Item = (Group, bool)>, settings: &Settings) {
    let mut notes = Vec::new();
    for (group, simulated) in groups {
        notes.extend(simulated_note(simulated, group, settings).filter(|note| !notes.contains(note)));
    }
    notes.iter().for_each(|note| say(note));
}

/// Prints a computed sat if the indexer failed; nothing for other requests. The exit status still indicates the
/// failure, so that a script can distinguish an unknown inscription from none.
fn print_computed(
    request: &Request,
    config: &ClientConfig,
    failure: &str,
    format: Option<Format>,
    display: &Display,
) -> Result<(), Failure> {
    let Request::Sat { number } = request else { return Ok(()) };
    let source = format!("{}{}", config.indexer_url, endpoint::path_and_query(config, request).unwrap_or_default());
    let response = ResponseData::Sat(Box::new(Sat::computed(*number)));
    // With a table or CSV, standard error has the message.
    let warnings = match output::format(format) {
        Format::Json => vec![format!("computed locally; indexer failed: {failure}")],
        Format::Table | Format::Csv | Format::Plot => Vec::new(),
    };
    let envelope = Envelope::fetched(Data(&response), None, Some(source), &warnings);
    output::print(&envelope, format, display, || Sheet::from_response(&response))
}

/// Prints a response, from which a filter has removed some coins.
fn print(
    reply: &Reply,
    removed: usize,
    format: Option<Format>,
    style: ChartStyle,
    display: &Display,
) -> Result<(), Failure> {
    let Some(response) = &reply.response else {
        return Err(Failure::Operation(format!("{} returned 304 (not modified) for a first request", reply.url)));
    };
    if format == Some(Format::Plot) {
        plot::print(response, reply.provider.as_deref(), style, display)?;
        output::warn(&reply.warnings);
        return Ok(());
    }
    if let ResponseData::Posts(page) = response
        && format.is_none()
        && io::stdout().is_terminal()
        && !page.items.is_empty()
    {
        posts::print(&page.items, display)?;
        output::warn(&reply.warnings);
        return Ok(());
    }
    let envelope = Envelope::fetched(Data(response), Some(reply), Some(reply.url.clone()), &reply.warnings);
    output::print(&envelope, format, display, || Sheet::from_response(response))?;
    // A table without rows is empty.
    if output::format(format) == Format::Table
        && let Some(items) = empty_message(response)
    {
        match removed {
            0 => say(&format!("no {items}")),
            removed => say(&format!("no matches among {}", counted(removed, "coin"))),
        }
    }
    Ok(())
}

/// The message for an empty list.
fn empty_message(response: &ResponseData) -> Option<&'static str> {
    let (is_empty, items) = match response {
        ResponseData::Coins(page) => (page.items.is_empty(), "coins"),
        ResponseData::Posts(page) => (page.items.is_empty(), "posts"),
        ResponseData::MarketPairs(page) => (page.items.is_empty(), "market pairs"),
        ResponseData::Chart(chart) => (chart.points.is_empty(), "points"),
        ResponseData::Market(series) => (series.is_empty(), "series"),
        ResponseData::Brc20Tokens(page) => (page.items.is_empty(), "tokens"),
        ResponseData::Holders(page) => (page.items.is_empty(), "holders"),
        ResponseData::Balances(page) => (page.items.is_empty(), "balances"),
        ResponseData::Activity(page) => (page.items.is_empty(), "activity"),
        ResponseData::Inscriptions(page) => (page.items.is_empty(), "inscriptions"),
        ResponseData::InscriptionStats(page) => (page.items.is_empty(), "statistics"),
        ResponseData::Brc20Token(_)
        | ResponseData::Sat(_)
        | ResponseData::Inscription(_)
        | ResponseData::InscriptionContent(_)
        | ResponseData::Sources(_)
        | ResponseData::ChainState(_)
        | ResponseData::BitcoinBalance(_)
        | ResponseData::CoinNames(_)
        | ResponseData::HistoricalRates(_)
        | ResponseData::Picture(_) => (false, ""),
    };
    is_empty.then_some(items)
}
