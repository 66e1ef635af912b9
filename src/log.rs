//! The log file, off by default.
//!
//! Only events of this crate are written, regardless of the filter: libraries log headers and bodies, and an API key in
//! a header must never reach a file.

mod queue;

use std::fs::OpenOptions;
use std::io::{self, Write};
use std::os::unix::fs::OpenOptionsExt as _;
use std::path::{Path, PathBuf};

use tracing_subscriber::filter::{LevelFilter, Targets, filter_fn};
use tracing_subscriber::layer::SubscriberExt as _;
use tracing_subscriber::util::{SubscriberInitExt as _, TryInitError};
use tracing_subscriber::{Layer as _, fmt};

use crate::model::{system_error, text};

pub use queue::FlushOnDrop;

/// Why the log can't be started.
#[derive(Debug, thiserror::Error)]
pub enum Error {
    /// The filter is invalid.
    #[error("invalid log filter ({0})")]
    Filter(#[from] InvalidFilter),
    /// The file is a pipe without a reader.
    #[error("can't log to pipe {}: it has no reader", .0.display())]
    NoReader(PathBuf),
    /// The file can't be opened.
    #[error("can't write to the log {} ({})", .path.display(), system_error::reason(.source))]
    Open {
        /// The file.
        path: PathBuf,
        /// Why.
        source: io::Error,
    },
    /// Logging was started before.
    #[error("can't start logging ({0})")]
    Start(#[from] TryInitError),
}

/// A log filter that can't be parsed. Displays as the reason.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum InvalidFilter {
    /// It contains a non-ASCII character.
    #[error("contains a non-ASCII character")]
    NotAscii,
    /// It can't be parsed, for this reason.
    #[error("{0}")]
    Syntax(String),
    /// A word that is neither a level nor a module of this program.
    #[error("{0:?} is not one of error, warn, info, debug, trace, off")]
    Level(String),
}

/// The name of standard error in place of a file.
pub const STDERR: &str = "-";

/// Maximum length of a word of a filter in an error.
const MAX_WORD: usize = 40;

/// Starts logging to `file`, which is appended to, or to [`STDERR`]. `filter` is a `tracing` target filter such as
/// `info` or `satscope::fetch=debug,warn`. Returns a guard that flushes the queue on drop.
///
/// A slow reader never blocks the program; lines that don't fit are lost.
///
/// # Errors
/// The file can't be opened or the filter is invalid.
pub fn start(file: &Path, filter: &str) -> Result<Option<FlushOnDrop>, Error> {
    let filter = parse(filter)?;
    let cannot_open = |source| Error::Open { path: file.to_owned(), source };
    if file.as_os_str() == STDERR {
        // Others may have the same pipe, so it can't be made non-blocking.
        let (writer, flush) = queue::start(io::stderr()).map_err(cannot_open)?;
        install(writer, filter)?;
        return Ok(Some(flush));
    }
    let mut options = OpenOptions::new();
    options.create(true).append(true).mode(0o600);
    // For a pipe: a missing reader is an error, and a slow one doesn't block.
    options.custom_flags(rustix::fs::OFlags::NONBLOCK.bits().cast_signed());
    let writer = options.open(file).map_err(|error| match rustix::io::Errno::from_io_error(&error) {
        Some(rustix::io::Errno::NXIO) => Error::NoReader(file.to_owned()),
        _ => cannot_open(error),
    })?;
    install(writer, filter)?;
    Ok(None)
}

fn install(writer: impl Write + Send + 'static, filter: Targets) -> Result<(), Error> {
    #[expect(clippy::disallowed_types, reason = "the only lock that `tracing-subscriber` can write to")]
    let lines = fmt::layer().with_ansi(false).with_writer(std::sync::Mutex::new(SanitisingWriter(writer)));
    let own = filter_fn(|metadata| is_own_module(metadata.target()));
    tracing_subscriber::registry().with(lines.with_filter(own).with_filter(filter)).try_init()?;
    Ok(())
}

/// Whether a target is a module of this program.
fn is_own_module(target: &str) -> bool {
    target.strip_prefix("satscope").is_some_and(|rest| rest.is_empty() || rest.starts_with("::"))
}

/// Writes each event on one line without control characters, so that viewing the log can't affect a terminal. Every
/// write must be a whole event.
struct SanitisingWriter<W>(W);

impl<W: Write> Write for SanitisingWriter<W> {
    fn write(&mut self, event: &[u8]) -> io::Result<usize> {
        let words = String::from_utf8_lossy(event);
        let mut line = text::clean(&words).into_owned();
        line.push('\n');
        self.0.write_all(line.as_bytes())?;
        Ok(event.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        self.0.flush()
    }
}

/// Checks that a filter is valid.
///
/// # Errors
/// The filter is invalid.
pub fn check_filter(filter: &str) -> Result<(), InvalidFilter> {
    parse(filter).map(drop)
}

/// Parses a filter. Rejects non-ASCII text, since `Targets` panics on some of it; module names are ASCII anyway. Rejects
/// mistyped levels, which `Targets` takes for modules, so that nothing would be logged.
fn parse(filter: &str) -> Result<Targets, InvalidFilter> {
    if !filter.is_ascii() {
        return Err(InvalidFilter::NotAscii);
    }
    let is_known = |word: &&str| {
        word.is_empty() || word.contains('=') || word.parse::<LevelFilter>().is_ok() || is_own_module(word)
    };
    if let Some(word) = filter.split(',').map(str::trim).find(|word| !is_known(word)) {
        return Err(InvalidFilter::Level(text::cut(word.into(), MAX_WORD).into_owned()));
    }
    filter.parse().map_err(|error: tracing_subscriber::filter::ParseError| {
        let reason = error.to_string();
        InvalidFilter::Syntax(reason.strip_prefix("invalid filter directive: ").unwrap_or(&reason).to_owned())
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn invalid_filter_is_an_error() {
        for good in ["info", "satscope::fetch=debug,warn", "off", "", "INFO, hyper=warn", "satscope::fetch", "satscope"]
        {
            assert_eq!(check_filter(good), Ok(()), "{good}");
        }
        for bad in [
            "deubg",
            "satscope=info,inf",
            "satscopes",
            "satscope=loud",
            "日本=info",
            " --t\u{fffd}\u{fffd}[wallet]\nsymbols=[\"B\"",
        ] {
            assert!(check_filter(bad).is_err(), "{bad}");
        }
    }

    #[test]
    fn event_is_one_line_without_control_characters() {
        let mut out = Vec::new();
        SanitisingWriter(&mut out).write_all("INFO a\u{1b}[31m\u{202e}b\nforged line\n".as_bytes()).unwrap();
        assert_eq!(String::from_utf8(out).unwrap(), "INFO a[31mb forged line\n");
    }
}
