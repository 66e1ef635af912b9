//! The table of all settings: name, parser and display of each. Those with a key for each header, coin, provider or
//! command are elsewhere.

use std::time::Duration;

use crate::config::averages;
use crate::config::error::short;
use crate::config::settings::{Ascii, Images, QuietHours, Settings};
use crate::config::time_zone::TimeZone;
use crate::config::value::{self, Raw};
use crate::config::value_error::ValueError;
use crate::model::Currency;
use crate::portfolio::CostMethod;
use crate::theme::{Background, Theme, colour_name};

/// A setting.
pub(super) struct Key {
    /// The path in the configuration file.
    pub(super) name: &'static str,
    /// Parses and sets a value.
    pub(super) set: fn(&mut Settings, &Raw) -> Result<(), ValueError>,
    /// The value as text.
    pub(super) show: fn(&Settings) -> String,
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

/// All settings, in the order of the template.
#[rustfmt::skip]
pub(super) const KEYS: &[Key] = &[
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
            s.display.period = value::period(text).ok_or(ValueError::Unrecognised("one of 1D, 7D, 1M, 3M, 1Y, All"))?;
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
