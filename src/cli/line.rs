//! `satscope line`: one line for tmux or a prompt.
//!
//! It prints values cached by a background process, and starts one if they are old, so that it never waits for the
//! network. The values of a coin are cached for all formats. If the configuration turns the cache off, it fetches them
//! itself.

mod cache;
mod fetch;
mod template;
mod text;

use std::ffi::{OsStr, OsString};
use std::fs;
use std::io::{self, Write as _};
use std::os::unix::process::CommandExt as _;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::time::Duration;

use super::failure::{Failure, MAX_QUOTED};
use super::found_coins;
use crate::client::Group;
use crate::config::Settings;
use crate::format::words::join_words;
use crate::model::text::{clean, cut};
use crate::model::{Text, UtcTime, system_error};
use crate::service;

use cache::{CachedValues, FRESH_FOR, Line};
use fetch::{check_database, fetch};
use template::{Part, Subject, subjects};

/// Minimum time between two background processes.
const MIN_INTERVAL: Duration = Duration::from_secs(30);

/// The option that fetches values instead of printing them.
pub(super) const REFRESH: &str = "refresh";

/// Prints the line with cached values, and starts a background process if they are old. It is an error
/// if the last background process found no coin for a value, if it failed and nothing is cached, or if the database is
/// damaged, which only the user can repair.
pub(super) fn print(format: &str, settings: &Settings) -> Result<(), Failure> {
    let parts = template::parse(format).map_err(Failure::Usage)?;
    let files = Files::new(settings)?;
    let now = UtcTime::now();
    let started = files.started(format);
    let mut line = Line::new();
    for subject in subjects(&parts) {
        line.insert(subject.clone(), cache::read(&files.values(subject)).unwrap_or_default());
    }
    if line.values().any(|cached| cached.is_damaged) && check_database(&parts, settings).is_ok() {
        // The database has been repaired or replaced since, so the next process may start at once.
        for (subject, cached) in line.iter_mut().filter(|(_, cached)| cached.is_damaged) {
            (cached.failure, cached.is_damaged) = (None, false);
            let _ = cache::write(&files.values(subject), cached);
        }
        let _ = fs::remove_file(&started);
    }
    let times = || line.values().map(|cached| cached.at.map(UtcTime::from_millis));
    // If they are from the future, the clock was set back, and their age is unknown.
    let is_fresh = times().all(|at| at.is_some_and(|at| at <= now && now.since(at) < FRESH_FOR));
    let mut not_started = None;
    if !is_fresh {
        // The line is printed in any case.
        if let Err(error) = start(&started, now) {
            tracing::info!(%error, "line not refreshed");
            not_started = Some(not_cached(&error, &started));
        }
    }
    let in_demo = |part: &Part| match part {
        Part::Value { name, subject: subject @ Subject::Coin(coin), .. }
            if line.get(subject).is_none_or(|cached| cached.at.is_none()) =>
        {
            not_in_demo(name, coin, settings)
        }
        _ => None,
    };
    if let Some(sentence) = parts.iter().find_map(|part| in_demo(part).or_else(|| unknown(part, &line))) {
        return Err(Failure::Operation(sentence));
    }
    write(&parts, &line, now, settings)?;
    let damage = line.values().filter(|cached| cached.is_damaged).find_map(|cached| cached.failure.clone());
    let is_empty = line.values().all(|cached| cached.values.is_empty());
    let any = || line.values().find_map(|cached| cached.failure.clone()).or(not_started);
    match damage.or_else(|| if is_empty { any() } else { None }) {
        Some(sentence) => Err(Failure::Operation(sentence)),
        None => Ok(()),
    }
}

/// Fetches the values and prints the line, without a cache. It is an error if a value can't be fetched; the
/// other values are still printed.
pub(super) fn print_uncached(format: &str, settings: &Settings) -> Result<(), Failure> {
    let parts = template::parse(format).map_err(Failure::Usage)?;
    let (line, outcome) = fetch(&parts, settings);
    match parts.iter().find_map(|part| unknown(part, &line)) {
        Some(sentence) => Err(Failure::Operation(sentence)),
        None => write(&parts, &line, UtcTime::now(), settings).and(outcome),
    }
}

/// Writes the line with these values.
fn write(parts: &[Part], line: &Line, now: UtcTime, settings: &Settings) -> Result<(), Failure> {
    let text = text::render(parts, line, now);
    let mut out = io::stdout().lock();
    writeln!(out, "{}", settings.display.glyphs().lines(&clean(&text)))?;
    out.flush()?;
    Ok(())
}

/// Fetches the values of a format and caches them. For values that can't be fetched, it caches the reason and keeps the
/// last ones.
pub(super) fn refresh(format: &str, settings: &Settings) -> Result<(), Failure> {
    let parts = template::parse(format).map_err(Failure::Usage)?;
    let files = Files::new(settings)?;
    let (line, outcome) = fetch(&parts, settings);
    if outcome.as_ref().is_err_and(|failure| failure.reason().is_none()) {
        return outcome;
    }
    for (subject, fetched) in line {
        let file = files.values(&subject);
        let cached = if fetched.failure.is_some() {
            let CachedValues { failure, is_damaged, .. } = fetched;
            CachedValues { failure, is_damaged, ..cache::read(&file).unwrap_or_default() }
        } else {
            fetched
        };
        cache::write(&file, &cached).map_err(|error| Failure::Operation(not_cached(&error, &file)))?;
    }
    cache::remove_unused(files.directory);
    outcome
}

fn not_cached(error: &io::Error, file: &Path) -> String {
    format!("line not cached ({}): {}", system_error::reason(error), file.display())
}

/// The sentence about a part of the format for which no coin was found; `None` for others.
fn unknown(part: &Part, line: &Line) -> Option<String> {
    let Part::Value { name, subject, .. } = part else { return None };
    let slugs: Vec<&str> = line.get(subject)?.candidates.as_ref()?.iter().map(String::as_str).collect();
    Some(unknown_value(name, &slugs))
}

/// The sentence about a value without a coin; `slugs` are the slugs of the coins that share its symbol.
fn unknown_value(name: &str, slugs: &[&str]) -> String {
    let name = cut(clean(name), MAX_QUOTED);
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

/// The files of the cached values of a source and a currency.
struct Files<'a> {
    directory: &'a Path,
    /// What distinguishes the source and the currency from others.
    key: String,
}

impl Files<'_> {
    fn new(settings: &Settings) -> Result<Files<'_>, Failure> {
        let none =
            || Failure::Operation(String::from("no cache directory; set HOME or XDG_CACHE_HOME to an absolute path"));
        let directory = settings.dirs.cache.as_ref().ok_or_else(none)?;
        let urls = [Group::Market, Group::Indexer].map(|group| settings.url(group).unwrap_or_default());
        let key = format!("{}\n{}\n{}", settings.display.convert, settings.source.live, urls.join("\n"));
        Ok(Files { directory, key })
    }

    /// The file with the values of a coin or of the wallet.
    fn values(&self, subject: &Subject) -> PathBuf {
        let name = match subject {
            Subject::Coin(name) => format!("coin {name}"),
            Subject::Wallet => String::from("wallet"),
        };
        self.file(&name, "json")
    }

    /// The file with the time of the last start of a background process for a format.
    fn started(&self, format: &str) -> PathBuf {
        self.file(format, "started")
    }

    fn file(&self, name: &str, extension: &str) -> PathBuf {
        let hash = crc32fast::hash(format!("{name}\n{}", self.key).as_bytes());
        self.directory.join(format!("{}{hash:08x}.{extension}", cache::PREFIX))
    }
}

/// Starts a process that fetches the values, unless one was started a moment ago. It has its own process group, so
/// that it outlives the shell's command.
fn start(started: &Path, now: UtcTime) -> io::Result<()> {
    let before = fs::read_to_string(started).ok().and_then(|text| text.trim().parse::<i64>().ok());
    if before.is_some_and(|before| now.since(UtcTime::from_millis(before)) < MIN_INTERVAL && before <= now.millis()) {
        return Ok(());
    }
    if let Some(directory) = started.parent() {
        fs::create_dir_all(directory)?;
    }
    fs::write(started, now.millis().to_string())?;
    let mut child = Command::new(std::env::current_exe()?);
    child.args(refresh_arguments(std::env::args_os().skip(1))).process_group(0);
    let child = child.stdin(Stdio::null()).stdout(Stdio::null()).stderr(Stdio::null()).spawn();
    if child.is_err() {
        // The next call tries again at once.
        let _ = fs::remove_file(started);
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
