//! Shell completions and the manual page, generated from the grammar.

use std::io::{self, Write as _};

use clap::{Arg, Command, Id};
use clap_mangen::Man;

use super::failure::Failure;
use super::help::accepts;

/// Prints the completions of a shell.
pub(super) fn completions(shell: clap_complete::Shell, command: &Command) -> Result<(), Failure> {
    // Buffered, because the generator panics on write errors.
    let mut script = Vec::new();
    clap_complete::generate(shell, &mut completed(command), NAME, &mut script);
    write(&script)
}

/// The program's name.
const NAME: &str = "satscope";

/// The command with a hidden option.
const LINE: &str = "line";

/// The grammar without hidden options, and without the inherited options that a command rejects: the generators would
/// offer them.
fn completed(command: &Command) -> Command {
    let globals: Vec<Arg> = globals(command).collect();
    Command::new(NAME)
        .version(env!("CARGO_PKG_VERSION"))
        .args(command.get_arguments().cloned().map(|arg| arg.global(false)))
        .subcommands(command.get_subcommands().map(|own| with_accepted(own, &globals)))
}

/// The options that a command passes on to its subcommands.
fn globals(command: &Command) -> impl Iterator<Item = Arg> {
    command.get_arguments().filter(|arg| arg.is_global_set()).cloned()
}

/// A command with the inherited options that it accepts, instead of all of them.
fn with_accepted(command: &Command, inherited: &[Arg]) -> Command {
    let name = command.get_name();
    let own = match name {
        LINE => {
            let shown = command.get_arguments().filter(|arg| !arg.is_hide_set()).cloned();
            Command::new(LINE).about(command.get_about().cloned().unwrap_or_default()).args(shown)
        }
        _ => command.clone(),
    };
    let accepted = inherited.iter().filter(|arg| accepts(name, arg.get_id().as_str())).cloned();
    let passed: Vec<Arg> = globals(command).chain(inherited.iter().cloned()).collect();
    // clap would add the options of a command to all of its subcommands.
    own.args(accepted)
        .mut_args(|arg| arg.global(false))
        .mut_subcommands(|subcommand| with_accepted(&subcommand, &passed))
}

/// Prints the manual page of the program and all commands.
pub(super) fn manual(mut command: Command) -> Result<(), Failure> {
    command.build();
    let mut page = Vec::new();
    let man = Man::new(command.clone());
    man.render_title(&mut page)?;
    man.render_name_section(&mut page)?;
    man.render_synopsis_section(&mut page)?;
    man.render_description_section(&mut page)?;
    man.render_options_section(&mut page)?;
    for_each_command(&command, NAME, &mut page, &mut Vec::new())?;
    writeln!(page, ".SH \"DETAILS\"")?;
    write_text(&after_help(&command), &mut page)?;
    man.render_version_section(&mut page)?;
    write(&page)
}

/// Describes the subcommands of a command. `printed` is the reference text so far: some commands share one.
fn for_each_command(parent: &Command, name: &str, page: &mut Vec<u8>, printed: &mut Vec<String>) -> io::Result<()> {
    for command in parent.get_subcommands().filter(|command| command.get_name() != "help") {
        let name = format!("{name} {}", command.get_name());
        let about = command.get_about().map(ToString::to_string).unwrap_or_default();
        // Options that a command passes on to its subcommands are described once, where they come from.
        let inherited: Vec<&Id> =
            parent.get_arguments().filter(|argument| argument.is_global_set()).map(Arg::get_id).collect();
        let own = command.clone().mut_args(|argument| {
            let id = argument.get_id();
            let hidden = inherited.contains(&id) || argument.is_hide_set() || id == "help";
            argument.hide(hidden)
        });
        let mut section = Vec::new();
        let man = Man::new(own);
        man.render_synopsis_section(&mut section)?;
        man.render_options_section(&mut section)?;
        let section = String::from_utf8_lossy(&section).replace(".SH ", ".SS ");
        write!(page, ".SH \"{}\"\n{about}\n{section}", name.to_uppercase())?;
        let reference = after_help(command);
        if !reference.is_empty() && !printed.contains(&reference) {
            writeln!(page, ".SS \"DETAILS\"")?;
            write_text(&reference, page)?;
            printed.push(reference);
        }
        for_each_command(command, &name, page, printed)?;
    }
    Ok(())
}

/// The end of a command's help.
fn after_help(command: &Command) -> String {
    command.get_after_help().map(ToString::to_string).unwrap_or_default()
}

/// Writes text with its paragraphs; indented lines, such as examples, stay as they are.
fn write_text(text: &str, page: &mut Vec<u8>) -> io::Result<()> {
    let mut is_indented = false;
    // A command would be hyphenated and filled.
    let text = text.replace("Example: ", "Example:\n  ");
    for line in text.lines() {
        if is_indented != line.starts_with("  ") {
            is_indented = !is_indented;
            writeln!(page, "{}", if is_indented { ".nf" } else { ".fi" })?;
        }
        let escaped = line.replace('\\', "\\e").replace('-', "\\-");
        match escaped.as_str() {
            "" => writeln!(page, ".PP")?,
            line if line.starts_with(['.', '\'']) => writeln!(page, "\\&{line}")?,
            line => writeln!(page, "{line}")?,
        }
    }
    if is_indented {
        writeln!(page, ".fi")?;
    }
    Ok(())
}

fn write(bytes: &[u8]) -> Result<(), Failure> {
    let mut out = io::stdout().lock();
    out.write_all(bytes)?;
    Ok(out.flush()?)
}
