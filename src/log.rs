//! The log: a file, off unless asked for. The terminal belongs to the dashboard, standard output to the data.
//!
//! Only this program's own events are written, whatever the filter says: libraries below log headers and bodies, and
//! a key in a header must never reach a file.

use std::fs::OpenOptions;
use std::io::{self, Write};
use std::path::Path;
use std::sync::Mutex;

use tracing_subscriber::filter::{Targets, filter_fn};
use tracing_subscriber::layer::SubscriberExt as _;
use tracing_subscriber::util::SubscriberInitExt as _;
use tracing_subscriber::{Layer as _, fmt};

use crate::model::text;

/// Starts to append to `file` what `filter` lets through (`info`, `satscope::fetch=debug,warn`, …).
///
/// # Errors
/// The file cannot be opened, or the filter cannot be read; in one sentence.
pub fn start(file: &Path, filter: &str) -> Result<(), String> {
    let filter = parse(filter).map_err(|why| format!("the log's filter cannot be read ({why})"))?;
    let mut options = OpenOptions::new();
    options.create(true).append(true);
    std::os::unix::fs::OpenOptionsExt::mode(&mut options, 0o600);
    let writer = options
        .open(file)
        .map_err(|error| format!("the log {} cannot be written ({error}); name another file", file.display()))?;
    let lines = fmt::layer().with_ansi(false).with_writer(Mutex::new(Harmless(writer)));
    let own = filter_fn(|metadata| {
        let target = metadata.target();
        target == "satscope" || target.starts_with("satscope::")
    });
    tracing_subscriber::registry()
        .with(lines.with_filter(own).with_filter(filter))
        .try_init()
        .map_err(|error| format!("the log cannot be started ({error})"))
}

/// Writes every event on one line without a character that the terminal of a later reader would obey. An event comes in
/// one piece.
struct Harmless<W>(W);

impl<W: Write> Write for Harmless<W> {
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

/// Whether a filter can be read.
///
/// # Errors
/// What is wrong with it.
pub fn check_filter(filter: &str) -> Result<(), String> {
    parse(filter).map(drop).map_err(|why| format!("not a log filter such as info or debug ({why})"))
}

/// Reads a filter. Names of modules are ASCII, and the library panics at some texts that are not.
fn parse(filter: &str) -> Result<Targets, String> {
    if !filter.is_ascii() {
        return Err(String::from("it holds a character that is not ASCII"));
    }
    filter.parse().map_err(|error: tracing_subscriber::filter::ParseError| error.to_string())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn filters_are_read_or_refused() {
        for good in ["info", "satscope::fetch=debug,warn", "off", ""] {
            assert_eq!(check_filter(good), Ok(()), "{good}");
        }
        for bad in ["satscope=loud", "日本=info", " --t\u{fffd}\u{fffd}[wallet]\nsymbols=[\"B\""] {
            assert!(check_filter(bad).unwrap_err().starts_with("not a log filter"), "{bad}");
        }
    }

    #[test]
    fn an_event_is_one_harmless_line() {
        let mut out = Vec::new();
        Harmless(&mut out).write_all("INFO a\u{1b}[31m\u{202e}b\nforged line\n".as_bytes()).unwrap();
        assert_eq!(String::from_utf8(out).unwrap(), "INFO a[31mb forged line\n");
    }
}
