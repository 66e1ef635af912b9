//! The command line: starts the dashboard or runs a single command.
//!
//! Standard output contains only data. Errors (one line each), warnings and notes about simulated data go to standard
//! error. Exit status: 0 success, 1 the operation failed, 2 the command line or the configuration is invalid. A closed
//! pipe is not an error.

mod address;
mod alerts;
mod aliases;
mod args;
mod block_range;
mod card;
mod cells;
mod coin_selection;
mod coins;
mod columns;
mod config_command;
mod connection;
mod csv;
mod documents;
mod embedded;
mod failure;
mod files;
mod find;
mod found_coins;
mod help;
mod json;
mod last_seen;
mod line;
mod named;
mod notes;
mod notices;
mod output;
mod plot;
mod posts;
mod privacy;
mod progress;
mod query;
mod request;
mod runtime;
mod saved_watchlist;
mod series;
mod serve;
mod sheet;
mod source_url;
mod sources;
mod table;
mod today;
mod user_store;
mod wallet;
mod watchlist;

use std::borrow::Cow;
use std::ffi::OsString;
use std::io::{self, IsTerminal as _, Write as _};
use std::process::ExitCode;

use clap::CommandFactory as _;
use clap::error::{ContextKind, ContextValue, ErrorKind};

pub use args::{
    AlertsCommand, Brc20, Cli, CoinRows, Command, ConfigCommand, Format, Global, PageArgs, SatCommand, Serve,
    SourcesCommand, WalletCommand, WatchlistCommand,
};

use failure::{Failure, MAX_QUOTED, say, say_below};

use crate::config::{self, Environment, Paragraph, Settings};
use crate::format::words;
use crate::model::{self, text};
use crate::runtime::End;

/// Runs the program.
pub fn main(arguments: impl IntoIterator<Item = OsString>) -> ExitCode {
    failure::set_glyphs(config::Display::default().glyphs());
    let outcome = match help::parse(arguments) {
        Ok(cli) => run(&cli),
        Err(error) if error.use_stderr() => {
            let _ = writeln!(io::stderr().lock(), "{}", failure::in_glyphs(&usage_message(error)));
            return ExitCode::from(2);
        }
        Err(error) => {
            // Help and version are reported as errors, too.
            let words = error.render().to_string();
            let shown = failure::in_glyphs(&words);
            let mut out = io::stdout().lock();
            // `print` adds styles, but prints the unchanged text.
            let printed =
                if out.is_terminal() && shown == words { error.print() } else { out.write_all(shown.as_bytes()) };
            let printed = printed.and_then(|()| out.flush());
            return match printed {
                Ok(()) => ExitCode::SUCCESS,
                Err(failure) => output_error(&failure),
            };
        }
    };
    match outcome {
        Ok(()) => ExitCode::SUCCESS,
        Err(Failure::Usage(sentence)) => report(&sentence, 2),
        Err(Failure::Configuration(error)) => {
            for Paragraph { first, lines } in error.paragraphs() {
                say(&first);
                lines.iter().for_each(|line| say_below(line));
            }
            ExitCode::from(2)
        }
        Err(Failure::Operation(sentence) | Failure::Outage(sentence)) => report(&sentence, 1),
        Err(Failure::Signal(number)) => ExitCode::from(128_u8.saturating_add(number)),
        Err(Failure::Output(error)) => output_error(&error),
    }
}

/// Maximum length of a list of valid values in an error. The list of all providers fits. `--help` shows longer ones.
const MAX_VALUES: usize = 200;

/// The message of clap's error, with our prefix and with shortened, harmless arguments.
fn usage_message(mut error: clap::Error) -> String {
    if let Some(ContextValue::Strings(values)) = error.get(ContextKind::ValidValue)
        && values.join(", ").len() > MAX_VALUES
    {
        error.remove(ContextKind::ValidValue);
    }
    if let (ErrorKind::MissingRequiredArgument, Some(ContextValue::Strings(missing))) =
        (error.kind(), error.get(ContextKind::InvalidArg))
    {
        let explained = missing.iter().map(|argument| with_values(argument)).collect();
        error.insert(ContextKind::InvalidArg, ContextValue::Strings(explained));
    }
    // clap's tip to pass an unknown option as a value never applies: no value begins with two hyphens.
    if let Some(ContextValue::StyledStrs(tips)) = error.get(ContextKind::Suggested)
        && tips.iter().any(|tip| tip.to_string().contains("as a value"))
    {
        error.remove(ContextKind::Suggested);
    }
    help::add_url_tip(&mut error);
    for kind in [ContextKind::InvalidValue, ContextKind::InvalidArg, ContextKind::InvalidSubcommand] {
        if let Some(ContextValue::String(said)) = error.get(kind) {
            let short = text::cut(Cow::Borrowed(said), MAX_QUOTED).into_owned();
            error.insert(kind, ContextValue::String(short));
        }
    }
    let words = error.render().to_string();
    let words = text::clean_lines(&words);
    let words = model::address::redact_extended_keys(&words);
    let words = words.split_inclusive('\n').map(wrapped).collect::<String>();
    match words.strip_prefix("error: ") {
        Some(reason) => format!("satscope: {reason}"),
        None => words,
    }
}

/// A missing argument, such as `<OPERATION>`, above a line with its valid values, if it has a short list of them.
fn with_values(argument: &str) -> String {
    let values = help::values_of(argument).join(", ");
    match values.len() {
        1..=MAX_VALUES => format!("{argument}\n  [possible values: {values}]"),
        _ => argument.to_owned(),
    }
}

/// A line of clap's error; a long list of valid values in several lines.
fn wrapped(line: &str) -> Cow<'_, str> {
    const COLUMNS: u16 = 76;
    let Some(values) = line.trim_end().strip_prefix("  [possible values").filter(|_| line.len() > 80) else {
        return Cow::Borrowed(line);
    };
    let values = format!("[possible values{values}");
    let lines = words::wrap(&values, COLUMNS).enumerate();
    let indented = lines.map(|(number, line)| format!("{}{line}\n", if number == 0 { "  " } else { "   " }));
    Cow::Owned(indented.collect())
}

/// Handles an error of standard output. A closed pipe is not an error.
fn output_error(error: &io::Error) -> ExitCode {
    match error.kind() {
        io::ErrorKind::BrokenPipe => ExitCode::SUCCESS,
        _ => {
            // Otherwise, a script would try again, and add it twice.
            let saved = if user_store::has_saved() { "; the change was saved" } else { "" };
            report(&format!("{}{saved}", failure::unwritable_output(error)), 1)
        }
    }
}

fn run(cli: &Cli) -> Result<(), Failure> {
    if let Some(command) = &cli.command {
        plot::check(cli.global.format, command)?;
        check_format(cli.global.format, command)?;
    }
    let environment = if cli.global.demo || matches!(cli.command, Some(Command::Serve(_))) {
        Environment::process().without_urls()
    } else {
        Environment::process()
    };
    let flags = cli.global.flags();
    match &cli.command {
        // Commands that work even if the configuration is invalid.
        Some(Command::Completions { shell }) => return documents::completions(*shell, &Cli::command()),
        Some(Command::Man) => return documents::manual(Cli::command()),
        Some(Command::Config(ConfigCommand::Path)) => return config_command::path(&flags, &environment),
        Some(Command::Config(ConfigCommand::Init)) => return config_command::init(&flags, &environment),
        Some(Command::Config(ConfigCommand::Default)) => return config_command::default(),
        Some(Command::Config(ConfigCommand::Backup { file })) => return config_command::backup(file, &environment),
        _ => {}
    }
    let mut settings = config::load(&flags, &environment)?;
    failure::set_glyphs(settings.display.glyphs());
    let mut _flush_log = None;
    if let Some(file) = &settings.log.file {
        if cli.command.is_none() && file.as_os_str() == crate::log::STDERR {
            let sentence = "the dashboard can't log to its own terminal; pass --log FILE";
            return Err(Failure::Usage(String::from(sentence)));
        }
        let started = crate::log::start(file, &settings.log.filter);
        _flush_log = started.map_err(|error| Failure::Usage(error.to_string()))?;
    }
    // Before any slow work, since a prompt waits for it.
    if let Some(Command::Line { template, refresh: false }) = &cli.command
        && settings.source.cache
    {
        return line::print(template, &settings);
    }
    if let Some(command) = &cli.command {
        // Simulated data needs no choices.
        let read = if cli.global.demo { crate::store::read } else { crate::store::read_waiting };
        match settings.dirs.state.as_deref().map(read) {
            Some(Ok(user)) => {
                // Not for `serve`: a key press in the dashboard must not decide whether others get live data.
                if !matches!(command, Command::Serve(_)) {
                    settings.apply_session(&user.session);
                }
                settings.sources = user.sources;
            }
            Some(Err(error)) if needs_choices(command, cli.global.demo, &settings) => {
                let reason = user_store::unreadable_database(&error);
                notices::warn(format!("can't read the provider choices: {reason}"));
            }
            Some(Err(_)) | None => {}
        }
    }
    if let Some(Command::Config(_)) = &cli.command {
        return config_command::show(&settings, cli.global.format);
    }
    files::check_limit()?;
    let _stop_service = embedded::StopAtEnd;
    match &cli.command {
        None => dashboard(settings),
        Some(Command::Serve(serve)) => serve::run(serve, &settings),
        Some(Command::Line { template, .. }) if !settings.source.cache => line::print_uncached(template, &settings),
        Some(Command::Line { template, .. }) => line::refresh(template, &settings),
        Some(Command::Watchlist { command }) => watchlist::run(command.as_ref(), &settings, cli.global.format),
        Some(Command::Wallet { command: Some(WalletCommand::Export), cost: Some(_) }) => {
            Err(Failure::Usage(String::from("--cost doesn't apply to wallet export, which has no profits")))
        }
        Some(Command::Wallet { command, cost }) => {
            let mut settings = settings;
            settings.wallet.cost = cost.unwrap_or(settings.wallet.cost);
            wallet::run(command.as_ref(), &settings, cli.global.format)
        }
        Some(Command::Alerts { command }) => alerts::run(command.as_ref(), &settings, cli.global.format),
        Some(Command::Notes { command }) => notes::run(command.as_ref(), &settings, cli.global.format),
        Some(Command::Sources { command, probe }) => {
            sources::run(command.as_ref(), *probe, &settings, cli.global.format)
        }
        Some(operation) => query::run(operation, &settings, cli.global.format),
    }
}

/// Whether a command depends on the user's choices of providers and live data, and doesn't open the database itself,
/// which would report its errors.
fn needs_choices(command: &Command, is_demo: bool, settings: &Settings) -> bool {
    match command {
        Command::Sources { command, .. } => {
            matches!(command, None | Some(SourcesCommand::List | SourcesCommand::Test { .. }))
        }
        Command::Config(_) => true,
        Command::Serve(_) => settings.source.live,
        Command::Wallet { .. }
        | Command::Watchlist { .. }
        | Command::Alerts { .. }
        | Command::Notes { .. }
        // Nobody sees the messages of its background process.
        | Command::Line { .. } => false,
        _ => !is_demo && settings.needs_service(),
    }
}

/// Rejects `--format` for a command that has only one, and a format that a command lacks.
fn check_format(format: Option<Format>, command: &Command) -> Result<(), Failure> {
    let name = match command {
        Command::Wallet { command: Some(WalletCommand::Export), .. } if format == Some(Format::Table) => {
            return Err(Failure::Usage(String::from(
                "--format table doesn't apply to wallet export (use csv or json)",
            )));
        }
        Command::Line { .. } => "line",
        Command::Completions { .. } => "completions",
        Command::Man => "man",
        Command::Config(ConfigCommand::Path) => "config path",
        Command::Config(ConfigCommand::Init) => "config init",
        Command::Config(ConfigCommand::Default) => "config default",
        Command::Config(ConfigCommand::Backup { .. }) => "config backup",
        _ => return Ok(()),
    };
    match format {
        Some(_) => Err(Failure::Usage(format!("--format doesn't apply to {name}"))),
        None => Ok(()),
    }
}

/// Opens the dashboard.
fn dashboard(settings: Settings) -> Result<(), Failure> {
    if !io::stdin().is_terminal() || !io::stdout().is_terminal() {
        return Err(Failure::Usage(String::from(
            "the dashboard needs a terminal; in scripts, use a command (see --help)",
        )));
    }
    if std::env::var_os("TERM").is_some_and(|term| term == "dumb") {
        return Err(Failure::Usage(String::from("TERM=dumb is not supported; use a command (see --help)")));
    }
    match crate::runtime::run(settings, say) {
        Ok(End::Quit) => Ok(()),
        Ok(End::Signal(number)) => Err(Failure::Signal(number)),
        Err(error) => Err(Failure::Operation(error.to_string())),
    }
}

/// Prints an error to standard error.
fn report(sentence: &str, status: u8) -> ExitCode {
    tracing::error!(error = sentence, status, "exiting");
    say(sentence);
    ExitCode::from(status)
}
