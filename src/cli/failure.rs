//! Failures of commands, and messages on standard error.

use std::borrow::Cow;
use std::fs::File;
use std::io::{self, IsTerminal as _, Write as _};
use std::os::fd::AsFd as _;
use std::sync::atomic::{AtomicBool, Ordering};

use crate::config;
use crate::glyphs::Glyphs;
use crate::model::{address, system_error, text};

/// Why a command failed.
#[derive(Debug)]
pub(super) enum Failure {
    /// Exit status 2: the command line or the configuration is invalid.
    Usage(String),
    /// Exit status 2: the configuration is invalid.
    Configuration(config::Error),
    /// Exit status 1: the operation failed.
    Operation(String),
    /// Exit status 1: the source can't be reached or fails, so the same command may succeed later.
    Outage(String),
    /// Standard output can't be written.
    Output(io::Error),
    /// Exit status 128 plus the signal number, as in shells.
    Signal(u8),
}

impl Failure {
    /// Why the operation failed; `None` for other failures.
    pub(super) fn reason(&self) -> Option<&str> {
        match self {
            Failure::Operation(reason) | Failure::Outage(reason) => Some(reason),
            _ => None,
        }
    }

    /// Says first what wasn't done, such as `lot not added`, if the operation failed.
    pub(super) fn with_context(self, context: &str) -> Failure {
        match self {
            Failure::Operation(reason) => Failure::Operation(format!("{context}: {reason}")),
            Failure::Outage(reason) => Failure::Outage(format!("{context}: {reason}")),
            other => other,
        }
    }
}

impl From<io::Error> for Failure {
    fn from(error: io::Error) -> Self {
        Failure::Output(error)
    }
}

impl From<config::Error> for Failure {
    fn from(error: config::Error) -> Self {
        Failure::Configuration(error)
    }
}

impl From<crate::client::Error> for Failure {
    fn from(error: crate::client::Error) -> Self {
        Failure::Operation(error.to_string())
    }
}

impl From<crate::service::Error> for Failure {
    fn from(error: crate::service::Error) -> Self {
        Failure::Operation(error.to_string())
    }
}

/// The message that standard output can't be written to.
pub(super) fn unwritable_output(error: &io::Error) -> String {
    format!("can't write to standard output ({})", system_error::reason(error))
}

/// Maximum length of an invalid argument in an error message.
pub(super) const MAX_QUOTED: usize = 80;

/// Shortens the long words of a sentence about an invalid argument. They are from the argument.
pub(super) fn with_short_words(sentence: &str) -> String {
    let short = |word: &str| {
        let (word, end) = word.split_at(word.trim_end_matches(['`', ',', ':', ')']).len());
        format!("{}{end}", text::cut(Cow::Borrowed(word), MAX_QUOTED))
    };
    sentence.split(' ').map(short).collect::<Vec<_>>().join(" ")
}

/// The failure for an invalid rule or filter. If its operator is missing, the shell may have taken a `>` for a
/// redirection.
pub(super) fn invalid_condition(sentence: &str, condition: &str, lacks_operator: bool) -> Failure {
    let sentence = with_short_words(sentence);
    if !lacks_operator || condition.contains(['<', '>']) {
        return Failure::Usage(sentence);
    }
    let stdout = io::stdout().as_fd().try_clone_to_owned().map(File::from);
    let is_redirected = stdout.and_then(|stdout| stdout.metadata()).is_ok_and(|about| about.is_file());
    Failure::Usage(if is_redirected { format!("{sentence} (a condition with > or < needs quotes)") } else { sentence })
}

/// Whether messages contain only ASCII.
static IS_ASCII: AtomicBool = AtomicBool::new(false);

/// Sets the characters of messages: by the locale, and by the configuration once it is loaded.
pub(super) fn set_glyphs(glyphs: Glyphs) {
    IS_ASCII.store(glyphs == Glyphs::Ascii, Ordering::Relaxed);
}

/// A message in these characters.
pub(super) fn in_glyphs(words: &str) -> Cow<'_, str> {
    let glyphs = if IS_ASCII.load(Ordering::Relaxed) { Glyphs::Ascii } else { Glyphs::Unicode };
    glyphs.lines(words)
}

/// Prints a line to standard error, with control characters removed and extended keys shortened. Errors are ignored, and
/// a blocked terminal doesn't keep the program from exiting.
pub(super) fn say(sentence: &str) {
    print("satscope: ", sentence);
}

/// Prints a line that belongs to the one before, like [`say`].
pub(super) fn say_below(line: &str) {
    print("  ", line);
}

fn print(prefix: &str, words: &str) {
    if crate::terminal::is_stuck() && io::stderr().is_terminal() {
        return;
    }
    let words = text::clean(words);
    let _ = writeln!(io::stderr().lock(), "{prefix}{}", in_glyphs(&address::redact_extended_keys(&words)));
}
