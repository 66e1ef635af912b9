//! An entry of the table of commands.

use super::command::Command;
use super::context::Context;
use super::key::Sequence;

/// A command with its name, default keys and contexts.
#[derive(Clone, Copy, Debug)]
pub struct Entry {
    /// The name in the configuration.
    pub name: &'static str,
    /// The command.
    pub command: Command,
    /// The default keys, unless a use has its own. Hints show the first one.
    pub keys: &'static [Sequence],
    /// Where it works. No context occurs twice.
    pub uses: &'static [Use],
    /// What users call it besides its name and help, in lower case, for the palette.
    pub aliases: &'static [&'static str],
}

/// The use of a command in some contexts.
#[derive(Clone, Copy, Debug)]
pub struct Use {
    /// The contexts.
    pub contexts: &'static [Context],
    /// One word for the footer; empty for none.
    pub hint: &'static str,
    /// A verb and its object for the help.
    pub help: &'static str,
    /// Separate default keys of these contexts, which `[keys]` of the configuration does not change.
    pub keys: Option<&'static [Sequence]>,
}

impl Entry {
    /// The use in a context.
    pub fn use_in(&self, context: Context) -> Option<&'static Use> {
        self.uses.iter().find(|used| used.contexts.contains(&context))
    }

    /// All default keys.
    pub fn all_keys(&self) -> impl Iterator<Item = Sequence> {
        self.uses.iter().flat_map(|used| used.keys.unwrap_or(self.keys)).copied()
    }
}

/// An entry.
pub(super) const fn entry(
    name: &'static str,
    command: Command,
    keys: &'static [Sequence],
    uses: &'static [Use],
) -> Entry {
    Entry { name, command, keys, uses, aliases: &[] }
}

impl Entry {
    /// Sets other names for the palette.
    pub(super) const fn known_as(self, aliases: &'static [&'static str]) -> Entry {
        Entry { aliases, ..self }
    }
}

/// A use with the entry's keys.
pub(super) const fn at(contexts: &'static [Context], hint: &'static str, help: &'static str) -> Use {
    Use { contexts, hint, help, keys: None }
}

impl Use {
    /// Sets keys for this use only.
    pub(super) const fn by(self, keys: &'static [Sequence]) -> Use {
        Use { keys: Some(keys), ..self }
    }
}
