//! `satscope sources`: the providers of live data and their state.

use serde_json::Value;

use super::args::Format;
use super::columns;
use super::failure::Failure;
use super::output::{self, Envelope};
use super::runtime::block_on;
use super::sheet::{Layout, Sheet};
use crate::config::Settings;
use crate::model::{SourceBudget, UtcTime};
use crate::service::TimeSource;

const FIELDS: &[&str] = &["name", "key", "serves", "state", "latency_ms", "budget", "next_try_at", "missing"];

/// Prints the providers that the configuration can name, those in use first. Sends no requests.
pub(super) fn run(settings: &Settings, format: Option<Format>) -> Result<(), Failure> {
    let providers = settings.live_providers(TimeSource::system());
    let sources = block_on(providers.extensions.sources())?;
    let envelope = Envelope {
        data: &sources,
        source: None,
        simulated: false,
        provider: None,
        fetched_at: UtcTime::now(),
        warnings: &[],
    };
    output::print(&envelope, format, settings.display.glyphs(), || {
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
