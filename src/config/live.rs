//! The sections `[live]` and `[providers.NAME]`.

use std::time::Duration;

use super::environment::Environment;
use super::error::short;
use super::hint;
use super::value::{self, Raw};
use super::value_error::ValueError;
use crate::client::config::Secret;
use crate::model::ProviderName;
use crate::service::gateway::LiveSettings;
use crate::service::operation::Operation;
use crate::service::upstream::settings::ResolvedSettings;

/// Maximum gap between two requests in milliseconds: an hour.
const MAX_GAP: i64 = 3_600_000;

/// A setting of these sections.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Setting {
    /// `live.OPERATION`.
    Order(Operation),
    /// `providers.NAME.KEY`.
    Provider(ProviderName, Field),
}

/// A key of `[providers.NAME]`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Field {
    Enabled,
    BaseUrl,
    StreamUrl,
    ApiKey,
    PerMinute,
    PerMonth,
    MinGap,
}

impl Field {
    const ALL: [(Field, &'static str); 7] = [
        (Field::Enabled, "enabled"),
        (Field::BaseUrl, "base_url"),
        (Field::StreamUrl, "stream_url"),
        (Field::ApiKey, "api_key"),
        (Field::PerMinute, "per_minute"),
        (Field::PerMonth, "per_month"),
        (Field::MinGap, "min_gap_ms"),
    ];
}

impl Setting {
    /// Parses a dotted key; `None` if it is unknown or belongs to another section.
    pub(super) fn parse(key: &str) -> Option<Setting> {
        if let Some(operation) = key.strip_prefix("live.") {
            return Operation::parse(operation).map(Setting::Order);
        }
        let (provider, field) = key.strip_prefix("providers.")?.split_once('.')?;
        let (field, _) = Field::ALL.into_iter().find(|(_, name)| *name == field)?;
        Some(Setting::Provider(ProviderName::parse(provider)?, field))
    }
}

/// Whether a name is one of these sections.
pub(super) fn is_section(name: &str) -> bool {
    let provider = || name.strip_prefix("providers.").is_some_and(|name| ProviderName::parse(name).is_some());
    matches!(name, "live" | "providers") || provider()
}

/// Why a key below `live` or `providers` is unknown; `None` for keys of other sections and for the sections themselves.
pub(super) fn unknown_key(key: &str) -> Option<String> {
    let unknown = |section: &str, field: &str, names: &[&'static str]| {
        let similar = hint::closest(field, names).map(|name| format!(" (similar: \"{section}.{name}\")"));
        format!("unknown key {:?}{}", short(key), similar.unwrap_or_else(|| hint::list("keys")))
    };
    if let Some(operation) = key.strip_prefix("live.") {
        return Some(unknown("live", operation, &Operation::ALL.map(Operation::as_str)));
    }
    let (name, field) = key.strip_prefix("providers.").map(|rest| rest.split_once('.').unwrap_or((rest, "")))?;
    match ProviderName::parse(name) {
        None => Some(unknown_provider(name).to_string()),
        Some(_) if field.is_empty() => None,
        Some(provider) => Some(unknown(&format!("providers.{provider}"), field, &Field::ALL.map(|(_, name)| name))),
    }
}

/// Sets a value.
pub(super) fn set(
    live: &mut LiveSettings,
    setting: Setting,
    raw: &Raw,
    environment: &Environment,
) -> Result<(), ValueError> {
    match setting {
        Setting::Order(operation) => {
            live.order.insert(operation, providers(operation, raw)?);
        }
        Setting::Provider(name, field) => {
            let provider = live.providers.entry(name).or_default();
            match field {
                Field::Enabled => provider.enabled = Some(value::flag(raw)?),
                Field::BaseUrl => provider.base_url = Some(value::base_url(raw)?),
                Field::StreamUrl => provider.stream_url = Some(value::stream_url(raw)?),
                Field::ApiKey => provider.api_key = Some(secret(raw, environment)?),
                Field::PerMinute => {
                    let limit = value::integer(raw, 0..=100_000)?;
                    provider.per_minute = u32::try_from(limit).ok();
                }
                Field::PerMonth => {
                    let limit = value::integer(raw, 0..=1_000_000_000)?;
                    provider.per_month = u64::try_from(limit).ok();
                }
                Field::MinGap => {
                    let millis = value::integer(raw, 0..=MAX_GAP)?;
                    provider.min_gap = Some(Duration::from_millis(millis.unsigned_abs()));
                }
            }
        }
    }
    Ok(())
}

/// All keys with their values; API keys are hidden.
pub(super) fn rows(live: &LiveSettings) -> Vec<(String, String)> {
    let mut rows = Vec::new();
    for operation in Operation::ALL {
        let names: Vec<&str> = live.order(operation).iter().map(|name| name.as_str()).collect();
        let names = if names.is_empty() { String::from("(off)") } else { names.join(", ") };
        rows.push((format!("live.{operation}"), names));
    }
    for name in ProviderName::ALL.into_iter().filter(|name| *name != ProviderName::Demo) {
        let ResolvedSettings { base_url, stream_url, api_key, per_minute, per_month, min_gap, .. } =
            live.provider(name).with_key();
        for (field, key) in Field::ALL {
            let value = match field {
                Field::Enabled => Some(live.is_enabled(name).to_string()),
                Field::BaseUrl => base_url.clone(),
                Field::StreamUrl => stream_url.clone(),
                Field::ApiKey => api_key.as_ref().map(|_| String::from("(set, not shown)")),
                Field::PerMinute => per_minute.map(|limit| limit.to_string()),
                Field::PerMonth => per_month.map(|limit| limit.to_string()),
                Field::MinGap => Some(min_gap.as_millis().to_string()),
            };
            // A missing value means no key or no limit.
            rows.extend(value.map(|value| (format!("providers.{name}.{key}"), value)));
        }
    }
    rows
}

/// Reads the providers of an operation.
fn providers(operation: Operation, raw: &Raw) -> Result<Vec<ProviderName>, ValueError> {
    let Raw::List(items) = raw else {
        return Err(ValueError::of_type("a list such as [\"coingecko\", \"coinmarketcap\"]", raw.kind()));
    };
    let mut names = Vec::new();
    for item in items {
        let text = value::text(item)?;
        let name = ProviderName::parse(text).ok_or_else(|| unknown_provider(text))?;
        if !LiveSettings::can_serve(name, operation) {
            return Err(ValueError::NotServed { provider: name, operation });
        }
        if !names.contains(&name) {
            names.push(name);
        }
    }
    Ok(names)
}

/// The error for an unknown provider.
fn unknown_provider(name: &str) -> ValueError {
    let hint = hint::similar_or_list(name, ProviderName::ALL.map(ProviderName::as_str), "providers");
    ValueError::Unknown { what: "provider", name: short(name).into_owned(), hint }
}

/// Reads an API key, or the environment variable that contains it. Errors never contain the key.
fn secret(raw: &Raw, environment: &Environment) -> Result<Secret, ValueError> {
    let text = value::text(raw)?;
    let key = match text.strip_prefix("env:") {
        None => text,
        Some(variable) => environment
            .get(variable)
            .ok_or_else(|| ValueError::Variable { name: short(variable).into_owned(), user: "key" })?,
    };
    let key = key.trim();
    if key.is_empty() || !key.bytes().all(|byte| byte.is_ascii_graphic()) {
        return Err(ValueError::Format("a key without spaces, or env:NAME"));
    }
    Ok(Secret(key.to_owned()))
}
