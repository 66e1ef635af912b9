//! `satscope sources`: the providers of live data, their state, and the user's choices about them.

use futures_util::future::join_all;
use serde::Serialize;
use serde_json::Value;

use super::args::{Format, SourcesCommand};
use super::columns;
use super::failure::{Failure, say};
use super::output::{self, Envelope};
use super::runtime::block_on;
use super::sheet::{Layout, Sheet};
use super::user_store;
use crate::client::Warning;
use crate::config::Settings;
use crate::format::{ABSENT, Count};
use crate::model::{ProviderName, Source, SourceBudget, SourceState, Text, UtcTime};
use crate::service::TimeSource;
use crate::service::backend::extensions::ExtensionProvider as _;
use crate::service::gateway::LiveSettings;
use crate::service::gateway::probe::ProbeResult;
use crate::service::operation::Operation;
use crate::user_data::{Change, SourceChange};

const FIELDS: &[&str] = &[
    "name",
    "key",
    "serves",
    "state",
    "latency_ms",
    "budget",
    "next_try_at",
    "attribution",
    "missing",
    "missing_code",
];

/// The result of a test in the output.
#[derive(Debug, Serialize)]
struct Tested {
    name: Text,
    passed: bool,
    latency_ms: Option<u64>,
    reason: Option<String>,
}

const TEST_FIELDS: &[&str] = &["name", "passed", "latency_ms", "reason"];

/// Runs a subcommand; the default is to list.
pub(super) fn run(
    command: Option<&SourcesCommand>,
    probe: bool,
    settings: &Settings,
    format: Option<Format>,
) -> Result<(), Failure> {
    let enable = |names: &[ProviderName], enabled| {
        let changes = names.iter().map(|name| SourceChange::Enable(*name, enabled)).collect();
        let settings = save(changes, settings)?;
        let sources = list(&settings)?;
        print(&of(&sources, names), &[], &settings, format)
    };
    match command {
        None | Some(SourcesCommand::List) if probe => print_probed(settings, format),
        None | Some(SourcesCommand::List) => print(&list(settings)?, &[], settings, format),
        Some(SourcesCommand::Enable { names }) => enable(names, true),
        Some(SourcesCommand::Disable { names }) => enable(names, false),
        Some(SourcesCommand::Order { operation, names }) => order(*operation, names, settings, format),
        Some(SourcesCommand::Test { names }) => test(names, settings, format),
        Some(SourcesCommand::Reset) => {
            let settings = save(vec![SourceChange::Reset], settings)?;
            print(&list(&settings)?, &[], &settings, format)
        }
    }
}

/// The providers that the configuration can name, those in use first. Sends no requests.
fn list(settings: &Settings) -> Result<Vec<Source>, Failure> {
    let gateway = settings.gateway(TimeSource::system(), &settings.store());
    block_on(async { gateway.sources().await })
}

/// The sources with these names, in the order of the names.
fn of(sources: &[Source], names: &[ProviderName]) -> Vec<Source> {
    names.iter().filter_map(|name| sources.iter().find(|source| source.name == name.as_str())).cloned().collect()
}

/// Sends test requests, then lists. The checks of undocumented behaviour are printed to standard error; failed ones are
/// warnings. Fails if no provider could be checked.
fn print_probed(settings: &Settings, format: Option<Format>) -> Result<(), Failure> {
    let gateway = settings.gateway(TimeSource::system(), &settings.store());
    let (facts, sources) = block_on(async { (gateway.probe().await, gateway.sources().await) })?;
    let is_checked = facts.iter().any(|fact| fact.outcome.is_ok());
    let has_checks = !facts.is_empty();
    let mut warnings = Vec::new();
    for ProbeResult { provider, fact, outcome } in facts {
        let name = provider.title();
        match outcome {
            Ok(true) => say(&format!("{name}: passed: {fact}")),
            Ok(false) => warnings.push(format!("{name}: failed: {fact}")),
            Err(reason) => warnings.push(format!("{name}: not checked: {fact} ({reason})")),
        }
    }
    print(&sources, &warnings, settings, format)?;
    if has_checks && !is_checked {
        Err(Failure::Operation(String::from("no provider could be checked (see the warnings)")))
    } else {
        Ok(())
    }
}

/// Prefers the named providers of an operation, and prints its providers in the new order.
fn order(
    operation: Operation,
    names: &[ProviderName],
    settings: &Settings,
    format: Option<Format>,
) -> Result<(), Failure> {
    let live = settings.live_settings();
    let known = live.order(operation);
    if let Some(name) = names.iter().find(|name| !known.contains(name)) {
        if !LiveSettings::can_serve(*name, operation) {
            return Err(Failure::Usage(format!("{name} doesn't serve {operation}")));
        }
        let listed: Vec<&str> = known.iter().map(|name| name.as_str()).collect();
        return Err(Failure::Usage(format!(
            "{name} is not in live.{operation} ({}); add it to the configuration first",
            if listed.is_empty() { String::from("empty") } else { listed.join(", ") }
        )));
    }
    let others = known.iter().filter(|name| !names.contains(name));
    let order = names.iter().chain(others).copied().collect();
    let settings = save(vec![SourceChange::Order(Text::from(operation.as_str()), order)], settings)?;
    let sources = list(&settings)?;
    print(&of(&sources, settings.live_settings().order(operation)), &[], &settings, format)
}

/// Sends one request to each of these providers, or to all in use. Fails if a provider does.
fn test(names: &[ProviderName], settings: &Settings, format: Option<Format>) -> Result<(), Failure> {
    let gateway = settings.gateway(TimeSource::system(), &settings.store());
    let tested = block_on(async {
        let mut names = names.to_vec();
        if names.is_empty() {
            let sources = gateway.sources().await;
            let in_use = sources.iter().filter(|source| source.state != SourceState::Unused);
            names = in_use.filter_map(|source| ProviderName::parse(&source.name)).collect();
        }
        let tests = names.into_iter().map(|name| {
            let gateway = &gateway;
            async move {
                let outcome = gateway.test_source(name).await;
                let latency = outcome.as_ref().ok().map(|latency| latency.as_millis());
                Tested {
                    name: Text::from(name.as_str()),
                    passed: outcome.is_ok(),
                    latency_ms: latency.and_then(|millis| u64::try_from(millis).ok()),
                    reason: outcome.err(),
                }
            }
        });
        join_all(tests).await
    })?;
    let envelope = envelope(&tested, &[]);
    output::print(&envelope, format, &settings.display, || {
        Sheet::list(TEST_FIELDS, Layout::Columns(columns::SOURCE_TESTS), &tested)
    })?;
    let failed: Vec<&str> = tested.iter().filter(|test| !test.passed).map(|test| test.name.as_str()).collect();
    match failed.as_slice() {
        [] => Ok(()),
        failed => Err(Failure::Operation(format!("test failed: {}", failed.join(", ")))),
    }
}

/// Saves changes, and returns the settings with them.
fn save(changes: Vec<SourceChange>, settings: &Settings) -> Result<Settings, Failure> {
    let mut settings = settings.clone();
    changes.iter().for_each(|change| settings.sources.apply(change));
    let changes: Vec<Change> = changes.into_iter().map(Change::Source).collect();
    user_store::save("choice", &changes, &settings)?;
    Ok(settings)
}

fn envelope<'a, T>(data: &'a [T], warnings: &'a [Warning]) -> Envelope<'a, &'a [T]> {
    Envelope { data, source: None, simulated: false, provider: None, fetched_at: UtcTime::now(), warnings }
}

/// What is missing at each provider, in one paragraph.
fn notes(sources: &[Source]) -> Vec<String> {
    let missing = sources.iter().filter_map(|source| Some(format!("{}: {}", source.name, source.missing.as_ref()?)));
    let lines: Vec<String> = missing.collect();
    if lines.is_empty() { Vec::new() } else { vec![lines.join("\n")] }
}

fn print(sources: &[Source], warnings: &[Warning], settings: &Settings, format: Option<Format>) -> Result<(), Failure> {
    output::print(&envelope(sources, warnings), format, &settings.display, || {
        let mut sheet = Sheet::list(FIELDS, Layout::Columns(columns::SOURCES), sources);
        if output::format(format) == Format::Table {
            for (row, source) in sheet.rows.iter_mut().zip(sources) {
                let budget = source.budget.as_ref().map(|SourceBudget { limit, period, used }| {
                    let used = used.map_or_else(|| String::from(ABSENT), |used| Count(used).to_string());
                    Value::from(format!("{used} of {} per {}", Count(*limit), period.as_str()))
                });
                row.insert(String::from("budget"), budget.unwrap_or_default());
                row.insert(String::from("serves"), Value::from(source.serves.join(", ")));
            }
            // Too long for a column.
            sheet.notes = notes(sources);
        }
        sheet
    })
}
