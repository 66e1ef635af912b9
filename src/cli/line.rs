//! `satscope line`: one line for tmux or a prompt.
//!
//! It prints values cached by a background process, and starts one if they are old, so that it never waits for the
//! network. If the configuration turns the cache off, it fetches them itself.

mod cache;
mod template;

use std::ffi::{OsStr, OsString};
use std::fs;
use std::io::{self, Write as _};
use std::os::unix::process::CommandExt as _;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::time::Duration;

use super::failure::{Failure, MAX_QUOTED};
use super::find;
use super::found_coins::{self, FoundCoins};
use super::user_store;
use super::wallet;
use crate::client::Group;
use crate::config::Settings;
use crate::format::words::join_words;
use crate::format::{ABSENT, Age, Arrow, MoneyIn, PriceIn, with_currency};
use crate::model::{Coin, Currency, Decimal, Text, UtcTime, system_error, text};
use crate::portfolio::Valuation;
use crate::service;

use cache::CachedLine;
use template::{Field, Part, Subject};

/// How long cached values are fresh.
const FRESH_FOR: Duration = Duration::from_mins(1);

/// Minimum age of the values at which their age is shown.
const SHOW_AGE_AFTER: Duration = Duration::from_mins(10);

/// Minimum time between two background processes.
const MIN_INTERVAL: Duration = Duration::from_secs(30);

/// The option that fetches values instead of printing them.
pub(super) const REFRESH: &str = "refresh";

/// Prints the line with cached values, and starts a background process if they are old. It is an error
/// if the last background process found no coin for a value, or if it failed and nothing is cached.
pub(super) fn print(format: &str, settings: &Settings) -> Result<(), Failure> {
    let parts = template::parse(format).map_err(Failure::Usage)?;
    let file = file(format, settings)?;
    let now = UtcTime::now();
    let mut cached = cache::read(&file).unwrap_or_default();
    if cached.is_damaged && check_database(&parts, settings).is_ok() {
        // The database has been repaired or replaced since, so the next process may start at once.
        cached = CachedLine { failure: None, is_damaged: false, ..cached };
        let _ = cache::write(&file, &cached).and_then(|()| fs::remove_file(started(&file)));
    }
    let at = cached.at.map(UtcTime::from_millis);
    let age = at.map(|at| now.since(at));
    // If they are from the future, the clock was set back, and their age is unknown.
    let is_fresh = at.is_some_and(|at| at <= now && now.since(at) < FRESH_FOR);
    let mut not_started = None;
    if !is_fresh {
        // The line is printed in any case.
        if let Err(error) = start(&file, now) {
            tracing::info!(%error, "line not refreshed");
            not_started = Some(not_cached(&error, &file));
        }
    }
    let unknown = parts.iter().find_map(|part| match part {
        Part::Value { name, subject: Subject::Coin(coin), .. } if cached.at.is_none() => {
            not_in_demo(name, coin, settings)
        }
        Part::Value { name, .. } => cached.value_errors.get(name).cloned(),
        Part::Text(_) => None,
    });
    if let Some(sentence) = unknown {
        return Err(Failure::Operation(sentence));
    }
    write(&parts, &cached, age, settings)?;
    match cached.failure.or(not_started).filter(|_| cached.values.is_empty()) {
        Some(sentence) => Err(Failure::Operation(sentence)),
        None => Ok(()),
    }
}

/// Fetches the values and prints the line, without a cache. If that fails, the line has no values.
pub(super) fn print_uncached(format: &str, settings: &Settings) -> Result<(), Failure> {
    let parts = template::parse(format).map_err(Failure::Usage)?;
    let outcome = check_database(&parts, settings).and_then(|()| fetch(&parts, settings));
    match outcome {
        Ok(fetched) => match fetched.value_errors.values().next() {
            Some(sentence) => Err(Failure::Operation(sentence.clone())),
            None => write(&parts, &fetched, None, settings),
        },
        Err(failure) => {
            write(&parts, &CachedLine::default(), None, settings)?;
            Err(failure)
        }
    }
}

/// Writes the line with these values and, if they are old, their age.
fn write(parts: &[Part], values: &CachedLine, age: Option<Duration>, settings: &Settings) -> Result<(), Failure> {
    let mut line = String::new();
    if values.simulated {
        line += "DEMO ";
    }
    for part in parts {
        match part {
            Part::Text(words) => line += words,
            Part::Value { name, .. } => line += values.values.get(name).map_or(ABSENT, String::as_str),
        }
    }
    if let Some(age) = age.filter(|age| *age >= SHOW_AGE_AFTER) {
        line += &format!(" ({} old)", Age(age));
    }
    let mut out = io::stdout().lock();
    writeln!(out, "{}", settings.display.glyphs().lines(&text::clean(&line)))?;
    out.flush()?;
    Ok(())
}

/// Fetches the values of a format and caches them. If that fails, it caches the reason and keeps the last values.
pub(super) fn refresh(format: &str, settings: &Settings) -> Result<(), Failure> {
    let parts = template::parse(format).map_err(Failure::Usage)?;
    let file = file(format, settings)?;
    let checked = check_database(&parts, settings);
    let is_damaged = checked.is_err();
    let outcome = checked.and_then(|()| fetch(&parts, settings));
    let cached = match &outcome {
        Ok(cached) => cached.clone(),
        Err(Failure::Operation(reason) | Failure::Outage(reason)) => {
            CachedLine { failure: Some(reason.clone()), is_damaged, ..cache::read(&file).unwrap_or_default() }
        }
        Err(_) => return outcome.map(drop),
    };
    cache::write(&file, &cached).map_err(|error| Failure::Operation(not_cached(&error, &file)))?;
    outcome.map(drop)
}

/// Fails if the database is corrupt and would be opened: for the wallet, and to count requests to providers.
fn check_database(parts: &[Part], settings: &Settings) -> Result<(), Failure> {
    let is_wallet = |part: &Part| matches!(part, Part::Value { subject: Subject::Wallet, .. });
    let is_live = [Group::Market, Group::Indexer].into_iter().any(|group| settings.is_live(group));
    if is_live || parts.iter().any(is_wallet) {
        user_store::refuse_corrupt(settings).map_err(|error| {
            Failure::Operation(format!("can't read the user data: {}", user_store::unreadable_database(&error)))
        })
    } else {
        Ok(())
    }
}

fn not_cached(error: &io::Error, file: &Path) -> String {
    format!("line not cached ({}): {}", system_error::reason(error), file.display())
}

fn fetch(parts: &[Part], settings: &Settings) -> Result<CachedLine, Failure> {
    let subjects =
        || parts.iter().filter_map(|part| if let Part::Value { subject, .. } = part { Some(subject) } else { None });
    let slugs: Vec<Text> = subjects()
        .filter_map(|subject| if let Subject::Coin(slug) = subject { Some(slug.clone()) } else { None })
        .collect();
    let mut cached = CachedLine { at: Some(UtcTime::now().millis()), ..CachedLine::default() };
    let mut coins = FoundCoins::default();
    if !slugs.is_empty() {
        let (found, reply) = find::find(&slugs, settings)?;
        cached.simulated |= reply.simulated;
        coins = found;
    }
    let mut total = None;
    if subjects().any(|subject| *subject == Subject::Wallet) {
        let (valuation, is_simulated) = wallet::valuation(settings)?;
        cached.simulated |= is_simulated;
        total = Some(valuation);
    }
    let convert = &settings.display.convert;
    for part in parts {
        let Part::Value { name, subject, field } = part else { continue };
        let value = match subject {
            Subject::Coin(slug) => match coin(slug, &coins) {
                Ok(coin) => Some(coin_value(coin, *field, convert)),
                Err(slugs) => {
                    cached.value_errors.insert(name.clone(), unknown_value(name, &slugs));
                    None
                }
            },
            Subject::Wallet => total.as_ref().map(|total| wallet_value(total, *field, convert)),
        };
        cached.values.extend(value.map(|value| (name.clone(), value)));
    }
    Ok(cached)
}

/// The coin with a slug, or the only one with a symbol; otherwise the slugs of the coins with the symbol. A slug in
/// capitals may be a symbol, so the symbol counts first.
fn coin<'a>(name: &Text, found: &'a FoundCoins) -> Result<&'a Coin, Vec<&'a str>> {
    let coins = &found.coins;
    let of_symbol: Vec<&Coin> = coins.iter().filter(|coin| coin.symbol.eq_ignore_ascii_case(name)).collect();
    let exact = coins.iter().find(|coin| coin.slug.as_ref() == Some(name));
    match (exact, of_symbol.as_slice()) {
        (Some(coin), _) => Ok(coin),
        (None, [only]) => Ok(only),
        (None, []) => coins.iter().find(|coin| found.has_slug(coin, name)).ok_or_else(Vec::new),
        (None, several) => Err(several.iter().filter_map(|coin| coin.slug.as_deref()).collect()),
    }
}

/// The sentence about a value without a coin; `slugs` are the slugs of the coins that share its symbol.
fn unknown_value(name: &str, slugs: &[&str]) -> String {
    let name = text::cut(text::clean(name), MAX_QUOTED);
    let (symbol, field) = name.split_at(name.rfind('.').unwrap_or(name.len()));
    match slugs {
        [] => format!("unknown value {{{name}}} (expected wallet, a slug or a symbol; {})", found_coins::ADVICE),
        several => {
            let mut some: Vec<String> = several.iter().take(3).map(|slug| format!("{{{slug}{field}}}")).collect();
            if several.len() > some.len() {
                some.push(String::from("others"));
            }
            format!("several coins use {} (use {})", symbol.trim(), join_words(&some, "or"))
        }
    }
}

/// The sentence about a value that matches no single coin of the simulated market, which needs no request.
fn not_in_demo(name: &str, coin: &Text, settings: &Settings) -> Option<String> {
    if settings.url(Group::Market).is_some() || settings.is_live(Group::Market) {
        return None;
    }
    let slugs = service::backend::demo::slugs(coin);
    let slugs: Vec<&str> = slugs.iter().map(Text::as_str).collect();
    (slugs.len() != 1).then(|| unknown_value(name, &slugs))
}

fn coin_value(coin: &Coin, field: Field, convert: &Currency) -> String {
    let price = || PriceIn(convert, coin.price.filter(|_| coin.convert == *convert)).to_string();
    let change = || Arrow(coin.change_24h_pct).to_string().replace(' ', "");
    match field {
        Field::All => format!("{} {} {}", coin.symbol, price(), change()),
        Field::Price => price(),
        Field::Change => change(),
        Field::Symbol => coin.symbol.to_string(),
    }
}

fn wallet_value(total: &Valuation, field: Field, convert: &Currency) -> String {
    let sign = convert.sign().map_or_else(|| format!("{convert} "), str::to_owned);
    // Mark that the value was truncated.
    let mark = if total.unvalued.is_empty() { "" } else { "*" };
    let has_price = total.holdings.iter().any(|held| held.price.is_some());
    let value = || {
        if has_price {
            with_currency(&sign, &format!("{}{mark}", MoneyIn(convert, total.value.to_f64())))
        } else {
            ABSENT.to_owned()
        }
    };
    let change = || Arrow(total.day_change_pct.as_ref().map(Decimal::to_f64)).to_string().replace(' ', "");
    match field {
        Field::All => format!("{} {}", value(), change()),
        Field::Price => value(),
        Field::Change => change(),
        Field::Symbol => convert.to_string(),
    }
}

/// The file of a format, which depends on the source and the currency.
fn file(format: &str, settings: &Settings) -> Result<PathBuf, Failure> {
    let none =
        || Failure::Operation(String::from("no cache directory; set HOME or XDG_CACHE_HOME to an absolute path"));
    let directory = settings.dirs.cache.as_ref().ok_or_else(none)?;
    let urls = [Group::Market, Group::Indexer].map(|group| settings.url(group).unwrap_or_default());
    let key = format!("{format}\n{}\n{}\n{}", settings.display.convert, settings.source.live, urls.join("\n"));
    Ok(directory.join(format!("line-{:08x}.json", crc32fast::hash(key.as_bytes()))))
}

/// The file with the time of the last start of a background process.
fn started(file: &Path) -> PathBuf {
    file.with_extension("started")
}

/// Starts a process that fetches the values, unless one was started a moment ago. It has its own process group, so
/// that it outlives the shell's command.
fn start(file: &Path, now: UtcTime) -> io::Result<()> {
    let started = started(file);
    let before = fs::read_to_string(&started).ok().and_then(|text| text.trim().parse::<i64>().ok());
    if before.is_some_and(|before| now.since(UtcTime::from_millis(before)) < MIN_INTERVAL && before <= now.millis()) {
        return Ok(());
    }
    if let Some(directory) = file.parent() {
        fs::create_dir_all(directory)?;
    }
    fs::write(&started, now.millis().to_string())?;
    let mut child = Command::new(std::env::current_exe()?);
    child.args(refresh_arguments(std::env::args_os().skip(1))).process_group(0);
    let child = child.stdin(Stdio::null()).stdout(Stdio::null()).stderr(Stdio::null()).spawn();
    if child.is_err() {
        // The next call tries again at once.
        let _ = fs::remove_file(&started);
    }
    child.map(drop)
}

/// The arguments of this process with the option to refresh, placed before a `--`, after which it would be read as a
/// value.
fn refresh_arguments(own: impl Iterator<Item = OsString>) -> Vec<OsString> {
    let mut arguments: Vec<OsString> = own.collect();
    let end = arguments.iter().position(|argument| argument == OsStr::new("--"));
    arguments.insert(end.unwrap_or(arguments.len()), OsString::from(format!("--{REFRESH}")));
    arguments
}
