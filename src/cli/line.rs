//! `satscope line`: one line for tmux or a prompt.
//!
//! It prints what a background process has cached, and starts one if that is old. It never waits for the network.

mod template;

use std::collections::BTreeMap;
use std::fs;
use std::io::{self, Write as _};
use std::os::unix::process::CommandExt as _;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::time::Duration;

use serde::{Deserialize, Serialize};

use super::failure::Failure;
use super::find;
use super::wallet;
use crate::client::Group;
use crate::config::Settings;
use crate::format::{ABSENT, Age, Arrow, FullMoney, Price};
use crate::model::{Coin, Currency, Decimal, Text, UtcTime, text};
use crate::portfolio::Valuation;

use template::{Field, Part, Subject};

/// How long cached values are fresh.
const FRESH: Duration = Duration::from_mins(1);

/// Age from which it is shown.
const OLD: Duration = Duration::from_mins(10);

/// Minimum time between two background processes.
const MIN_INTERVAL: Duration = Duration::from_secs(30);

/// The option that fetches values instead of printing them.
pub(super) const REFRESH: &str = "refresh";

/// The cached values.
#[derive(Debug, Default, Serialize, Deserialize)]
struct Cached {
    /// When they were fetched, in milliseconds since 1970.
    at: i64,
    simulated: bool,
    /// By the text between the braces.
    values: BTreeMap<String, String>,
}

/// Prints the line with cached values, and starts a background process if they are old.
pub(super) fn print(format: &str, settings: &Settings) -> Result<(), Failure> {
    let parts = template::parse(format).map_err(Failure::Usage)?;
    let file = file(format, settings)?;
    let now = UtcTime::now();
    let cached = read(&file);
    let age = cached.as_ref().map(|cached| now.since(UtcTime::from_millis(cached.at)));
    if age.is_none_or(|age| age >= FRESH) {
        // The line is printed all the same.
        if let Err(error) = start(&file, now) {
            tracing::info!(%error, "line not refreshed");
        }
    }
    let mut line = String::new();
    if cached.as_ref().is_some_and(|cached| cached.simulated) {
        line += "DEMO ";
    }
    for part in &parts {
        match part {
            Part::Text(words) => line += words,
            Part::Value { name, .. } => {
                let value = cached.as_ref().and_then(|cached| cached.values.get(name));
                line += value.map_or(ABSENT, String::as_str);
            }
        }
    }
    if let Some(age) = age.filter(|age| *age >= OLD) {
        line += &format!(" ({} old)", Age(age));
    }
    let mut out = io::stdout().lock();
    writeln!(out, "{}", text::clean(&line))?;
    Ok(out.flush()?)
}

/// Fetches the values of a format and caches them.
pub(super) fn refresh(format: &str, settings: &Settings) -> Result<(), Failure> {
    let parts = template::parse(format).map_err(Failure::Usage)?;
    let file = file(format, settings)?;
    let subjects =
        || parts.iter().filter_map(|part| if let Part::Value { subject, .. } = part { Some(subject) } else { None });
    let slugs: Vec<Text> = subjects()
        .filter_map(|subject| if let Subject::Coin(slug) = subject { Some(slug.clone()) } else { None })
        .collect();
    let mut cached = Cached { at: UtcTime::now().millis(), ..Cached::default() };
    let mut coins = Vec::new();
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
    for part in &parts {
        let Part::Value { name, subject, field } = part else { continue };
        let value = match subject {
            Subject::Coin(slug) => coin(slug, &coins).map(|coin| coin_value(coin, *field, convert)),
            Subject::Wallet => total.as_ref().map(|total| wallet_value(total, *field, convert)),
        };
        cached.values.extend(value.map(|value| (name.clone(), value)));
    }
    write(&file, &cached).map_err(|error| Failure::Operation(format!("line not cached ({error}): {}", file.display())))
}

/// The coin with a slug, or the only one with a symbol.
fn coin<'a>(name: &Text, coins: &'a [Coin]) -> Option<&'a Coin> {
    let mut of_symbol = coins.iter().filter(|coin| coin.symbol.eq_ignore_ascii_case(name));
    let only = of_symbol.next().filter(|_| of_symbol.next().is_none());
    coins.iter().find(|coin| find::has_slug(coin, name)).or(only)
}

fn coin_value(coin: &Coin, field: Field, convert: &Currency) -> String {
    let price = || Price(coin.price.filter(|_| coin.convert == *convert)).to_string();
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
    // What is left out of the value must not go unnoticed.
    let mark = if total.unvalued.is_empty() { "" } else { "*" };
    let has_price = total.holdings.iter().any(|held| held.price.is_some());
    let value = || match has_price {
        true => format!("{sign}{}{mark}", FullMoney(Some(total.value.to_f64()))),
        false => ABSENT.to_owned(),
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

fn read(file: &Path) -> Option<Cached> {
    /// More than any format needs.
    const MAX_BYTES: u64 = 64 * 1024;
    let about = fs::metadata(file).ok()?;
    if !about.is_file() || about.len() > MAX_BYTES {
        return None;
    }
    serde_json::from_slice(&fs::read(file).ok()?).ok()
}

/// Replaces the file, so that a reader sees all of it or the one before.
fn write(file: &Path, cached: &Cached) -> io::Result<()> {
    let directory = file.parent().ok_or(io::ErrorKind::NotFound)?;
    fs::create_dir_all(directory)?;
    let mut new = tempfile::NamedTempFile::new_in(directory)?;
    serde_json::to_writer(&mut new, cached)?;
    new.persist(file)?;
    Ok(())
}

/// Starts a process that fetches the values, unless one was started a moment ago. It has a process group of its own, so
/// that it outlives the shell's command.
fn start(file: &Path, now: UtcTime) -> io::Result<()> {
    let started = file.with_extension("started");
    let before = fs::read_to_string(&started).ok().and_then(|text| text.trim().parse::<i64>().ok());
    if before.is_some_and(|before| now.since(UtcTime::from_millis(before)) < MIN_INTERVAL && before <= now.millis()) {
        return Ok(());
    }
    if let Some(directory) = file.parent() {
        fs::create_dir_all(directory)?;
    }
    fs::write(&started, now.millis().to_string())?;
    let mut child = Command::new(std::env::current_exe()?);
    child.args(std::env::args_os().skip(1)).arg(format!("--{REFRESH}")).process_group(0);
    child.stdin(Stdio::null()).stdout(Stdio::null()).stderr(Stdio::null()).spawn().map(drop)
}
