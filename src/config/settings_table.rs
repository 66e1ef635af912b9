//! The table of all settings: name, parser and display of each. `config show`, the check for unknown keys and the
//! template are based on it.

mod suggestion;

use std::time::Duration;

use super::environment::Environment;
use super::error::{Error, short};
use super::headers::SECTIONS as HEADERS;
use super::origin::Origin;
use super::settings::{Ascii, Images, QuietHours, Settings};
use super::time_zone::TimeZone;
use super::value::{self, Raw};
use super::value_error::ValueError;
use super::{averages, bindings, coins, headers, live};
use crate::model::Currency;
use crate::portfolio::CostMethod;
use crate::theme::{Background, Theme, colour_name};

struct Key {
    name: &'static str,
    set: fn(&mut Settings, &Raw) -> Result<(), ValueError>,
    show: fn(&Settings) -> String,
}

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
    } else if raw != &Raw::Other("a table") {
        return Err(wrong(ValueError::of_type("a table", raw.kind())));
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

fn shown(url: &Option<String>) -> String {
    url.clone().unwrap_or_else(|| String::from("(embedded service)"))
}

fn secs(duration: Duration) -> String {
    duration.as_secs_f64().to_string()
}

fn fresh(raw: &Raw) -> Result<Option<Duration>, ValueError> {
    value::seconds(raw, 2.0..=86_400.0).map(Some)
}

fn or_interface(freshness: Option<Duration>) -> String {
    freshness.map_or_else(|| String::from("(default per operation)"), secs)
}

/// A row for a path of `source.paths`.
macro_rules! path {
    ($field:ident, $placeholder:expr) => {
        Key {
            name: concat!("source.paths.", stringify!($field)),
            set: |s, raw| value::path(raw, $placeholder).map(|path| s.source.paths.$field = path),
            show: |s| s.source.paths.$field.clone(),
        }
    };
}

/// A row for an override of `freshness`.
macro_rules! freshness {
    ($field:ident) => {
        Key {
            name: concat!("freshness.", stringify!($field)),
            set: |s, raw| fresh(raw).map(|time| s.freshness.$field = time),
            show: |s| or_interface(s.freshness.$field),
        }
    };
}

/// A row for a colour of `theme`.
macro_rules! colour {
    ($field:ident) => {
        Key {
            name: concat!("theme.", stringify!($field)),
            set: |s, raw| value::colour(raw).map(|colour| s.display.theme.$field = Some(colour)),
            show: |s| s.display.theme.$field.or(Theme::ANSI.$field.fg).map(colour_name).unwrap_or_default(),
        }
    };
}

#[rustfmt::skip]
const KEYS: &[Key] = &[
    Key {
        name: "source.base_url",
        set: |s, raw| value::base_url(raw).map(|url| s.source.base_url = Some(url)),
        show: |s| shown(&s.source.base_url),
    },
    Key {
        name: "source.indexer_url",
        set: |s, raw| value::base_url(raw).map(|url| s.source.indexer_url = Some(url)),
        show: |s| shown(&s.source.indexer_url),
    },
    Key {
        name: "source.live",
        set: |s, raw| value::flag(raw).map(|live| s.source.live = live),
        show: |s| s.source.live.to_string(),
    },
    Key {
        name: "source.first_index",
        set: |s, raw| value::integer(raw, 0..=1).map(|first| s.source.first_index = u32::from(first == 1)),
        show: |s| s.source.first_index.to_string(),
    },
    Key {
        name: "source.cache",
        set: |s, raw| value::flag(raw).map(|cache| s.source.cache = cache),
        show: |s| s.source.cache.to_string(),
    },
    path!(coins, None),
    path!(content, None),
    path!(exchanges, None),
    path!(chart, None),
    path!(market_data, None),
    path!(coins_stats, None),
    path!(brc20_tokens, None),
    path!(brc20_token, Some("{ticker}")),
    path!(brc20_holders, Some("{ticker}")),
    path!(brc20_balances, Some("{address}")),
    path!(brc20_activity, None),
    path!(sat, Some("{ordinal}")),
    path!(sat_inscriptions, Some("{ordinal}")),
    path!(inscriptions, None),
    path!(inscription, Some("{id}")),
    path!(inscription_content, Some("{id}")),
    path!(inscription_stats, None),
    Key {
        name: "limits.max_body_mib",
        set: |s, raw| {
            let mib = value::integer(raw, 1..=1024)?;
            s.limits.body_bytes = mib.unsigned_abs() * 1024 * 1024;
            Ok(())
        },
        show: |s| (s.limits.body_bytes / (1024 * 1024)).to_string(),
    },
    Key {
        name: "limits.timeout",
        set: |s, raw| value::seconds(raw, 0.01..=3600.0).map(|time| s.limits.total = time),
        show: |s| secs(s.limits.total),
    },
    Key {
        name: "limits.first_byte_timeout",
        set: |s, raw| value::seconds(raw, 0.01..=3600.0).map(|time| s.limits.first_byte = time),
        show: |s| secs(s.limits.first_byte),
    },
    Key {
        name: "limits.redirects",
        set: |s, raw| {
            s.limits.redirects = usize::try_from(value::integer(raw, 0..=20)?).unwrap_or(0);
            Ok(())
        },
        show: |s| s.limits.redirects.to_string(),
    },
    Key {
        name: "limits.depth",
        set: |s, raw| {
            s.limits.depth = usize::try_from(value::integer(raw, 8..=128)?).unwrap_or(8);
            Ok(())
        },
        show: |s| s.limits.depth.to_string(),
    },
    Key {
        name: "limits.background_per_minute",
        set: |s, raw| {
            s.background.per_minute = u32::try_from(value::integer(raw, 0..=600)?).unwrap_or(0);
            Ok(())
        },
        show: |s| s.background.per_minute.to_string(),
    },
    Key {
        name: "display.convert",
        set: |s, raw| {
            let code = value::text(raw)?;
            s.display.convert = Currency::parse(code)
                .filter(Currency::exists)
                .ok_or_else(|| ValueError::Currency(short(code).into_owned()))?;
            Ok(())
        },
        show: |s| s.display.convert.to_string(),
    },
    Key {
        name: "display.period",
        set: |s, raw| {
            let text = value::text(raw)?;
            s.display.period = value::period(text).ok_or(ValueError::Unrecognised("one of 1D, 7D, 1M, 3M, 1Y"))?;
            Ok(())
        },
        show: |s| s.display.period.as_str().to_owned(),
    },
    Key {
        name: "display.page_size",
        set: |s, raw| {
            s.display.page_size = u32::try_from(value::integer(raw, 10..=5000)?).unwrap_or(200);
            Ok(())
        },
        show: |s| s.display.page_size.to_string(),
    },
    Key {
        name: "display.time_zone",
        set: |s, raw| TimeZone::parse(value::text(raw)?).map(|zone| s.display.time_zone = zone),
        show: |s| s.display.time_zone.name(),
    },
    Key {
        name: "display.ascii",
        set: |s, raw| {
            s.display.ascii = match raw {
                Raw::Bool(true) => Ascii::Always,
                Raw::Bool(false) => Ascii::Never,
                Raw::Text(text) if text == "auto" => Ascii::Auto,
                _ => return Err(ValueError::Unrecognised("one of true, false, \"auto\"")),
            };
            Ok(())
        },
        show: |s| {
            let word = match s.display.ascii {
                Ascii::Auto => "auto",
                Ascii::Always => "true",
                Ascii::Never => "false",
            };
            word.to_owned()
        },
    },
    Key {
        name: "display.images",
        set: |s, raw| {
            let text = value::text(raw)?;
            let found = Images::ALL.iter().find(|(name, _)| *name == text);
            let names = || Images::ALL.map(|(name, _)| name).join(", ");
            let (_, images) = found.ok_or_else(|| ValueError::Choice(names()))?;
            s.display.images = *images;
            Ok(())
        },
        show: |s| {
            let found = Images::ALL.iter().find(|(_, images)| *images == s.display.images);
            found.map(|(name, _)| *name).unwrap_or_default().to_owned()
        },
    },
    Key {
        name: "display.title",
        set: |s, raw| {
            s.display.title = value::text(raw)?.trim().into();
            Ok(())
        },
        show: |s| s.display.title.to_string(),
    },
    Key {
        name: "display.averages",
        set: |s, raw| averages::parse(raw).map(|parsed| s.display.averages = parsed),
        show: |s| s.display.averages.iter().map(averages::text).collect::<Vec<_>>().join(", "),
    },
    Key {
        name: "display.rsi",
        set: |s, raw| {
            s.display.rsi = usize::try_from(value::integer(raw, 2..=100)?).unwrap_or(14);
            Ok(())
        },
        show: |s| s.display.rsi.to_string(),
    },
    Key {
        name: "theme.background",
        set: |s, raw| {
            let text = value::text(raw)?;
            let found = Background::ALL.iter().find(|(name, _)| *name == text);
            let names = || Background::ALL.map(|(name, _)| name).join(", ");
            let (_, background) = found.ok_or_else(|| ValueError::Choice(names()))?;
            s.display.theme.background = *background;
            Ok(())
        },
        show: |s| {
            let found = Background::ALL.iter().find(|(_, background)| *background == s.display.theme.background);
            found.map(|(name, _)| *name).unwrap_or_default().to_owned()
        },
    },
    colour!(gain),
    colour!(loss),
    colour!(warn),
    colour!(accent),
    Key {
        name: "list.columns",
        set: |s, raw| value::columns(raw).map(|columns| s.list.columns = columns),
        show: |s| s.list.columns.iter().map(|column| column.as_str()).collect::<Vec<_>>().join(", "),
    },
    Key {
        name: "wallet.symbols",
        set: |s, raw| value::symbols(raw).map(|symbols| s.wallet.symbols = symbols),
        show: |s| s.wallet.symbols.join(", "),
    },
    Key {
        name: "wallet.cost",
        set: |s, raw| CostMethod::parse(value::text(raw)?).map(|cost| s.wallet.cost = cost).map_err(ValueError::from),
        show: |s| s.wallet.cost.as_str().to_owned(),
    },
    Key {
        name: "alerts.command",
        set: |s, raw| value::command(raw).map(|command| s.alerts.command = command),
        show: |s| s.alerts.command.join(" "),
    },
    Key {
        name: "alerts.quiet",
        set: |s, raw| {
            let text = value::text(raw)?;
            let hours = QuietHours::parse(text);
            if hours.is_none() && !text.is_empty() {
                return Err(ValueError::Format("a time range such as \"22:00-07:00\""));
            }
            s.alerts.quiet = hours;
            Ok(())
        },
        show: |s| s.alerts.quiet.map(|hours| hours.to_string()).unwrap_or_default(),
    },
    freshness!(coins),
    freshness!(posts),
    freshness!(pairs),
    freshness!(chart),
    freshness!(market),
    freshness!(indexer),
    Key {
        name: "log.file",
        set: |s, raw| value::file_path(raw).map(|path| s.log.file = Some(path)),
        show: |s| s.log.file.as_ref().map_or_else(|| String::from("(off)"), |path| path.display().to_string()),
    },
    Key {
        name: "log.filter",
        set: |s, raw| {
            let text = value::text(raw)?;
            crate::log::check_filter(text)?;
            s.log.filter = text.to_owned();
            Ok(())
        },
        show: |s| s.log.filter.clone(),
    },
];
