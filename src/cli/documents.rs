//! Shell completions and the manual page, generated from the grammar.

use std::io::{self, Write as _};

use clap::Command;
use clap_mangen::Man;

use super::failure::Failure;

/// Prints the completions of a shell.
pub(super) fn completions(shell: clap_complete::Shell, mut command: Command) -> Result<(), Failure> {
    // Buffered, because the generator panics on write errors.
    let mut script = Vec::new();
    clap_complete::generate(shell, &mut command, "satscope", &mut script);
    write(&script)
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
    for_each_command(&command, "satscope", &mut page)?;
    man.render_extra_section(&mut page)?;
    man.render_version_section(&mut page)?;
    write(&page)
}

fn for_each_command(parent: &Command, name: &str, page: &mut Vec<u8>) -> io::Result<()> {
    for command in parent.get_subcommands().filter(|command| command.get_name() != "help") {
        let name = format!("{name} {}", command.get_name());
        let about = command.get_about().map(ToString::to_string).unwrap_or_default();
        // Global options are described once, at the top.
        let own = command.clone().mut_args(|argument| {
            let hidden = argument.is_global_set() || argument.get_id() == "help";
            argument.hide(hidden)
        });
        let mut section = Vec::new();
        let man = Man::new(own);
        man.render_synopsis_section(&mut section)?;
        man.render_options_section(&mut section)?;
        let section = String::from_utf8_lossy(&section).replace(".SH ", ".SS ");
        write!(page, ".SH \"{}\"\n{about}\n{section}", name.to_uppercase())?;
        for_each_command(command, &name, page)?;
    }
    Ok(())
}

fn write(bytes: &[u8]) -> Result<(), Failure> {
    let mut out = io::stdout().lock();
    out.write_all(bytes)?;
    Ok(out.flush()?)
}
