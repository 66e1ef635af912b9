//! Reads and sets settings by their keys. `config show`, the check for unknown keys and the template are based on it.

mod keys;
mod suggestion;

use super::environment::Environment;
use super::error::{Error, short};
use super::headers::SECTIONS as HEADERS;
use super::origin::Origin;
use super::settings::Settings;
use super::value::Raw;
use super::value_error::ValueError;
use super::{bindings, coins, headers, live};
use keys::KEYS;

impl Settings {
    /// All keys with their values as text (secrets are hidden) and origins, in the order of the template.
    pub fn rows(&self) -> Vec<(String, String, &Origin)> {
        rows(self).into_iter().map(|(key, value)| (key.clone(), value, self.origin(&key))).collect()
    }
}

/// Sets a value.
pub(super) fn set(
    settings: &mut Settings,
    name: &str,
    raw: &Raw,
    origin: Origin,
    environment: &Environment,
) -> Result<(), Error> {
    // A flag has a name of its own.
    let wrong = |error: ValueError| match origin {
        Origin::Flag(_) => Error::at(&origin, error.to_string()),
        _ => Error::at(&origin, format!("{}: {error}", short(name))),
    };
    let header = HEADERS.iter().find_map(|table| Some((*table, name.strip_prefix(table)?.strip_prefix('.')?)));
    if let Some((table, header)) = header {
        let list = if table == "source.market_headers" {
            &mut settings.source.market_headers
        } else {
            &mut settings.source.indexer_headers
        };
        headers::set(list, header, raw, environment).map_err(wrong)?;
        settings.origins.insert(format!("{table}.{}", header.to_ascii_lowercase()), origin);
    } else if let Some(setting) = live::Setting::parse(name) {
        live::set(&mut settings.live, setting, raw, environment).map_err(wrong)?;
        settings.origins.insert(name.to_owned(), origin);
    } else if let Some(coin) = coins::parse(name) {
        coins::set(&mut settings.live, coin, raw).map_err(wrong)?;
        settings.origins.insert(name.to_owned(), origin);
    } else if let Some(key) = KEYS.iter().find(|key| key.name == name) {
        (key.set)(settings, raw).map_err(wrong)?;
        settings.origins.insert(name.to_owned(), origin);
    } else if let Some(unknown) = live::unknown_key(name) {
        return Err(Error::at(&origin, unknown));
    } else if !is_section(name) {
        return Err(Error::at(
            &origin,
            format!("unknown key {:?}{}", short(name), suggestion::nearest(&short(name), &names())),
        ));
    } else if *raw != Raw::Table {
        return Err(wrong(ValueError::of_type(Raw::Table.kind(), raw.kind())));
    }
    Ok(())
}

/// All keys with their values; header values are hidden.
fn rows(settings: &Settings) -> Vec<(String, String)> {
    let mut rows: Vec<_> = KEYS.iter().map(|key| (key.name.to_owned(), (key.show)(settings))).collect();
    let lists = [&settings.source.market_headers, &settings.source.indexer_headers];
    for (table, list) in HEADERS.into_iter().zip(lists) {
        rows.extend(list.iter().map(|(name, _)| (format!("{table}.{name}"), String::from("(set, not shown)"))));
    }
    rows.extend(coins::rows(&settings.live));
    rows.extend(live::rows(&settings.live_settings()));
    rows.extend(bindings::rows(&settings.keys));
    rows
}

/// The names of all keys.
fn names() -> Vec<&'static str> {
    KEYS.iter().map(|key| key.name).collect()
}

fn is_section(name: &str) -> bool {
    let known = KEYS.iter().map(|key| key.name).chain(HEADERS);
    HEADERS.contains(&name)
        || live::is_section(name)
        || coins::is_section(name)
        || known.into_iter().any(|key| key.strip_prefix(name).is_some_and(|k| k.starts_with('.')))
}
