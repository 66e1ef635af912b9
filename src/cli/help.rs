//! Parses the command line. Each command's `--help` shows its own options and refers to `satscope --help` for the
//! global ones.

use std::ffi::{OsStr, OsString};

use clap::builder::StyledStr;
use clap::error::{ContextKind, ContextValue, ErrorKind};
use clap::parser::ValueSource;
use clap::{Arg, ArgMatches, Command, CommandFactory as _, Error, FromArgMatches as _, Id};

use super::args::Cli;
use crate::format::MINUS;

/// The server command, which has no currency or output format.
const SERVE: &str = "serve";

/// Global options that `serve` doesn't have.
const REJECTED_BY_SERVE: [&str; 4] = ["base_url", "indexer_url", "convert", "format"];

/// Wrong names for the options that set the URLs of services.
const SERVICE_OPTIONS: [&str; 3] = ["--service", "--server", "--url"];

/// Whether a command accepts an option of its parent commands. The names of those that reject one are unique.
pub(super) fn accepts(command: &str, option: &str) -> bool {
    match command {
        SERVE => !REJECTED_BY_SERVE.contains(&option),
        // It has no profits.
        "export" => option != "cost",
        "line" | "completions" | "man" | "path" | "init" | "default" | "backup" => option != "format",
        _ => true,
    }
}

/// Parses a command line.
///
/// # Errors
/// The command line is invalid, or asks for help or the version.
pub(super) fn parse(arguments: impl IntoIterator<Item = OsString>) -> Result<Cli, Error> {
    let arguments: Vec<OsString> = arguments.into_iter().collect();
    // Clap builds the arguments of all commands first, a fifth of the instructions before the first frame.
    if let [] | [_] = arguments.as_slice() {
        return Ok(Cli::default());
    }
    let matches = match Cli::command().try_get_matches_from(&arguments) {
        // Help is rarely shown, so its shortening is deferred.
        Err(error) if is_help(&error) => with_own_help(Cli::command()).try_get_matches_from(arguments)?,
        Err(error) if error.kind() == ErrorKind::UnknownArgument => match unquoted(&arguments) {
            Some(words) => Cli::command().try_get_matches_from(words).map_err(|_| error)?,
            None => return Err(error),
        },
        result => result?,
    };
    check_serve(&matches)?;
    Cli::from_arg_matches(&matches)
}

/// Adds a tip with the URL options to the error for an unknown option that looks like one of them.
pub(super) fn add_url_tip(error: &mut Error) {
    let is_service = match error.get(ContextKind::InvalidArg) {
        Some(ContextValue::String(option)) => SERVICE_OPTIONS.contains(&option.as_str()),
        _ => false,
    };
    let is_of_serve = match error.get(ContextKind::Usage) {
        Some(ContextValue::StyledStr(usage)) => usage.to_string().contains(&format!(" {SERVE} ")),
        _ => false,
    };
    if error.kind() != ErrorKind::UnknownArgument || !is_service || is_of_serve {
        return;
    }
    // The usage has an option with similar letters, too.
    if error.remove(ContextKind::SuggestedArg).is_some() {
        error.remove(ContextKind::Usage);
    }
    let tip = StyledStr::from("to set a URL, use '--base-url' (market data) or '--indexer-url' (indexer)");
    error.insert(ContextKind::Suggested, ContextValue::StyledStrs(vec![tip]));
}

/// The valid values of a positional argument in the notation of clap's errors, such as `<NAME>...`; empty if it takes any
/// text. Arguments with the same name take the same values.
pub(super) fn values_of(argument: &str) -> Vec<String> {
    fn find(command: &Command, argument: &str) -> Option<Vec<String>> {
        let own = command.get_positionals().find(|own| own.to_string() == argument).map(Arg::get_possible_values);
        let names = own.iter().flatten().map(|value| value.get_name().to_owned()).collect::<Vec<String>>();
        let names = Some(names).filter(|names| !names.is_empty());
        names.or_else(|| command.get_subcommands().find_map(|subcommand| find(subcommand, argument)))
    }
    let mut command = Cli::command();
    // Sets the numbers of values, which are part of the notation.
    command.build();
    find(&command, argument).unwrap_or_default()
}

/// The command line with negative numbers that don't look like options: a quoted line that begins with one, such as
/// `'-5 ordi'`, is split into its words, and a percentage such as `-8%` gets a minus sign instead of the hyphen. The
/// value of an option stays one value, as in `--note=-8%`. `None` if there are no such arguments.
fn unquoted(arguments: &[OsString]) -> Option<Vec<OsString>> {
    let options = options_with_values();
    let is_option = |argument: &OsString| options.iter().any(|option| *argument == option.as_str());
    let (mut words, mut is_changed) = (Vec::new(), false);
    let mut rest = arguments.iter();
    while let Some(argument) = rest.next() {
        if argument == "--" {
            words.push(argument.clone());
            words.extend(rest.by_ref().cloned());
        } else if is_option(argument)
            && let Some(value) = rest.as_slice().first().filter(|value| is_hyphenated_value(value))
        {
            let mut joined = argument.clone();
            joined.push("=");
            joined.push(value);
            words.push(joined);
            rest.next();
            is_changed = true;
        } else if let Some(line) = argument.to_str().filter(|line| is_negative(line) && looks_like_option(line)) {
            words.extend(line.split_whitespace().map(with_minus));
            is_changed = true;
        } else {
            words.push(argument.clone());
        }
    }
    is_changed.then_some(words)
}

/// The options of all commands that have a value, with their hyphens.
fn options_with_values() -> Vec<String> {
    fn collect(command: &Command, options: &mut Vec<String>) {
        let with_value = command.get_arguments().filter(|arg| arg.get_action().takes_values());
        options.extend(with_value.filter_map(|arg| Some(format!("--{}", arg.get_long()?))));
        command.get_subcommands().for_each(|subcommand| collect(subcommand, options));
    }
    let mut options = Vec::new();
    collect(&Cli::command(), &mut options);
    options
}

/// Whether the value of an option begins with a hyphen, but isn't an option: a negative number, or text with spaces.
fn is_hyphenated_value(value: &OsStr) -> bool {
    let text = value.to_str().filter(|text| text.starts_with('-'));
    text.is_some_and(|text| is_negative(text) || text.contains(char::is_whitespace))
}

/// Whether a line begins with a negative number.
fn is_negative(line: &str) -> bool {
    let number = line.strip_prefix('-');
    number.is_some_and(|number| number.starts_with(|first: char| first.is_ascii_digit() || first == '.'))
}

/// Whether clap takes a line that begins with a negative number for an option.
fn looks_like_option(line: &str) -> bool {
    line.contains(char::is_whitespace) || line.ends_with('%')
}

/// A word with a minus sign instead of the hyphen if it is a negative percentage. clap recognises other numbers.
fn with_minus(word: &str) -> OsString {
    match word.strip_prefix('-').filter(|number| number.ends_with('%')) {
        Some(number) => format!("{MINUS}{number}").into(),
        None => word.into(),
    }
}

fn is_help(error: &Error) -> bool {
    matches!(error.kind(), ErrorKind::DisplayHelp | ErrorKind::DisplayHelpOnMissingArgumentOrSubcommand)
}

/// Hides the global options in the help of each command. The options that a command passes on to its own subcommands
/// are shown.
fn with_own_help(mut command: Command) -> Command {
    let globals: Vec<Id> =
        command.get_arguments().filter(|arg| arg.is_global_set()).map(|arg| arg.get_id().clone()).collect();
    // Copies the global options to all commands.
    command.build();
    command.mut_subcommands(|subcommand| shorten(subcommand, &globals))
}

fn shorten(command: Command, hidden: &[Id]) -> Command {
    let name = command.get_name().to_owned();
    let reference = match name.as_str() {
        SERVE => {
            let is_accepted = |id: &Id| hidden.contains(id) && accepts(SERVE, id.as_str());
            let globals = command.get_arguments().filter(|arg| is_accepted(arg.get_id()));
            let names: Vec<String> = globals.filter_map(|arg| Some(format!("--{}", arg.get_long()?))).collect();
            format!("Global options: {} (see satscope --help)", names.join(", "))
        }
        _ => String::from("Global options: see satscope --help"),
    };
    let rest = command.get_after_help().map(|rest| format!("\n\n{rest}")).unwrap_or_default();
    let is_hidden = |id: &Id| hidden.contains(id) || !accepts(&name, id.as_str());
    command
        .mut_args(|arg| if is_hidden(arg.get_id()) { arg.hide(true) } else { arg })
        .after_help(format!("{reference}{rest}"))
        .mut_subcommands(|subcommand| shorten(subcommand, hidden))
}

/// Rejects the options that `serve` doesn't have.
fn check_serve(matches: &ArgMatches) -> Result<(), Error> {
    let Some((SERVE, serve)) = matches.subcommand() else { return Ok(()) };
    let is_given = |id: &&str| serve.value_source(id) == Some(ValueSource::CommandLine);
    match REJECTED_BY_SERVE.into_iter().find(is_given) {
        Some(id) => {
            let message = format!("--{} doesn't apply to serve", id.replace('_', "-"));
            Err(Error::raw(ErrorKind::UnknownArgument, message))
        }
        None => Ok(()),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn no_arguments_have_the_result_of_clap() {
        let program = || [OsString::from("satscope")];
        let parsed = Cli::from_arg_matches(&Cli::command().try_get_matches_from(program()).unwrap()).unwrap();
        assert_eq!(format!("{:?}", parse(program()).unwrap()), format!("{parsed:?}"));
    }
}
