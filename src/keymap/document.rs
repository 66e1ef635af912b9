//! The default keys as a Markdown table for the README, and as TOML for the commented configuration file.

use std::collections::BTreeMap;

use super::commands::COMMANDS;
use super::context::{Context, SECTIONS, Section};
use super::entry::Entry;
use super::key::Sequence;
use super::map::{Binding, Keymap};
use crate::glyphs::Glyphs;

/// The default keys as a table with a line per command and section. Commands with the same keys share a line.
pub fn markdown() -> String {
    let mut text = String::from("| where | keys | what they do |\n|---|---|---|\n");
    for (title, rows) in Keymap::default().help(None) {
        let mut lines: Vec<(String, String)> = Vec::new();
        for row in rows {
            let keys: Vec<String> = row.keys.iter().map(|keys| format!("`{}`", keys.name(Glyphs::Unicode))).collect();
            let keys = keys.join(" ");
            match lines.iter_mut().find(|(known, _)| *known == keys) {
                Some((_, help)) => help.push_str(&format!(", {}", row.help)),
                None => lines.push((keys, row.help.to_string())),
            }
        }
        lines.iter().for_each(|(keys, help)| text.push_str(&format!("| {title} | {keys} | {help} |\n")));
    }
    text
}

/// The default keys for the configuration file, as comments: `[keys]` and its sections.
pub fn toml() -> String {
    let mut text = String::new();
    let mut last = None;
    for Setting { section, entry, keys, .. } in Keymap::default().settings() {
        if last != Some(section) {
            let name = section.map_or_else(String::new, |section| format!(".{}", section.name));
            let blank = if last.is_some() { "\n" } else { "" };
            text.push_str(&format!("{blank}[keys{name}]\n"));
            last = Some(section);
        }
        text.push_str(&format!("# {} = {}\n", entry.name, toml_value(&keys)));
    }
    text
}

/// Keys as a value of the configuration.
pub fn toml_value(keys: &[Sequence]) -> String {
    let quoted = |keys: &Sequence| match keys.to_string() {
        text if text.contains(['"', '\\']) => format!("'{text}'"),
        text => format!("\"{text}\""),
    };
    match keys {
        [one] => quoted(one),
        several => format!("[{}]", several.iter().map(quoted).collect::<Vec<_>>().join(", ")),
    }
}

/// The keys of a command as a line of the configuration.
#[derive(Clone, Debug)]
pub struct Setting {
    /// The section; `None` is `[keys]` itself.
    pub section: Option<&'static Section>,
    /// The command.
    pub entry: &'static Entry,
    /// The keys of the command.
    pub keys: Vec<Sequence>,
    /// The line of the configuration that sets them, or that takes one of them for another command.
    pub line: Option<usize>,
}

/// The binding of a command in the first context of a section that has it.
fn binding_in<'a>(
    section: &Section,
    entry: &Entry,
    contexts: &'a BTreeMap<Context, Vec<Binding>>,
) -> Option<&'a Binding> {
    let mut bindings = section.contexts.iter().filter_map(|context| contexts.get(context)).flatten();
    bindings.find(|binding| binding.entry.command == entry.command)
}

impl Keymap {
    /// The keys in use as lines of the configuration: first the section `[keys]`, then, for each other section, the
    /// keys that differ or that the configuration sets there.
    pub fn settings(&self) -> Vec<Setting> {
        let mut settings: Vec<Setting> = Vec::new();
        for entry in COMMANDS.iter().filter(|entry| entry.uses.iter().any(|used| used.keys.is_none())) {
            let (keys, line) = self.general_keys(entry);
            settings.push(Setting { section: None, entry, keys, line });
        }
        for section in SECTIONS {
            for entry in COMMANDS {
                let Some(binding) = binding_in(section, entry, &self.contexts) else { continue };
                let general = self.without_sections.as_ref();
                let general = general.and_then(|contexts| binding_in(section, entry, contexts));
                let is_set = general.is_some_and(|general| general.line != binding.line);
                if is_set || binding.used.keys.is_some() || *binding.keys != self.general_keys(entry).0 {
                    let (keys, line) = (binding.keys.to_vec(), binding.line);
                    settings.push(Setting { section: Some(section), entry, keys, line });
                }
            }
        }
        settings
    }

    /// The keys of a command in most of the contexts to which `[keys]` applies, and the line that they are from; without
    /// the sections of the configuration.
    fn general_keys(&self, entry: &Entry) -> (Vec<Sequence>, Option<usize>) {
        let general = self.without_sections.as_ref().unwrap_or(&self.contexts);
        let contexts = entry.uses.iter().filter(|used| used.keys.is_none()).flat_map(|used| used.contexts);
        let keys = contexts.filter_map(|context| {
            let binding = general.get(context)?.iter().find(|binding| binding.entry.command == entry.command)?;
            Some((binding.keys.to_vec(), binding.line))
        });
        let all: Vec<(Vec<Sequence>, Option<usize>)> = keys.collect();
        let count = |(keys, _): &&(Vec<Sequence>, Option<usize>)| all.iter().filter(|(other, _)| other == keys).count();
        // `max_by_key` returns the last maximum, so reverse to get the first.
        all.iter().rev().max_by_key(count).cloned().unwrap_or_default()
    }
}
