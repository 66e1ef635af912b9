//! `satscope sources`: the providers of live data and their state.

use serde_json::Value;

use super::args::Format;
use super::columns;
use super::failure::{Failure, say};
use super::output::{self, Envelope};
use super::runtime::block_on;
use super::sheet::{Layout, Sheet};
use crate::config::Settings;
use crate::model::{SourceBudget, UtcTime};
use crate::service::TimeSource;
use crate::service::backend::extensions::ExtensionProvider as _;
use crate::service::gateway::probe::ProbeResult;

const FIELDS: &[&str] =
    &["name", "key", "serves", "state", "latency_ms", "budget", "next_try_at", "attribution", "missing"];

/// Prints the providers that the configuration can name, those in use first. Sends requests only for `probe`: then the
/// undocumented facts about the providers go to standard error, and those that don't hold are warnings.
pub(super) fn run(probe: bool, settings: &Settings, format: Option<Format>) -> Result<(), Failure> {
    let gateway = settings.gateway(TimeSource::system(), &settings.store());
    let (facts, sources) = block_on(async {
        let facts = if probe { gateway.probe().await } else { Vec::new() };
        (facts, gateway.sources().await)
    })?;
    let mut warnings = Vec::new();
    for ProbeResult { provider, fact, outcome } in facts {
        let name = provider.title();
        match outcome {
            Ok(true) => say(&format!("{name}: passed: {fact}")),
            Ok(false) => warnings.push(format!("{name}: failed: {fact}")),
            Err(reason) => warnings.push(format!("{name}: not checked: {fact} ({reason})")),
        }
    }
    let envelope = Envelope {
        data: &sources,
        source: None,
        simulated: false,
        provider: None,
        fetched_at: UtcTime::now(),
        warnings: &warnings,
    };
    output::print(&envelope, format, &settings.display, || {
        let mut sheet = Sheet::list(FIELDS, Layout::Columns(columns::SOURCES), &sources);
        if output::format(format) == Format::Table {
            for (row, source) in sheet.rows.iter_mut().zip(&sources) {
                let budget = source
                    .budget
                    .as_ref()
                    .map(|SourceBudget { limit, period, used }| Value::from(format!("{used} of {limit} per {period}")));
                row.insert(String::from("budget"), budget.unwrap_or_default());
                row.insert(String::from("serves"), Value::from(source.serves.join(", ")));
            }
        }
        sheet
    })
}
