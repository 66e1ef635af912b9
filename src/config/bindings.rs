//! The section `[keys]`: key bindings, global or per section.

use super::error::short;
use super::file::Entry;
use super::hint::{self, closest};
use super::value::Raw;
use crate::keymap::{self, COMMANDS, Keymap, Override, SECTIONS, Section, Sequence, Setting};

/// A line number and its error message.
pub(super) type OverrideError = (usize, String);

/// The expected value of a command, for errors.
const EXPECTED: &str = "expected a key such as \"r\" or a list of keys";

/// Whether a dotted key is part of `[keys]`.
pub(super) fn is_binding(key: &str) -> bool {
    key == "keys" || key.starts_with("keys.")
}

/// Reads the entries of `[keys]`.
///
/// # Errors
/// All errors.
pub(super) fn read<'a>(entries: impl Iterator<Item = &'a Entry>) -> Result<Keymap, Vec<OverrideError>> {
    let (mut overrides, mut keys, mut errors) = (Vec::new(), Vec::new(), Vec::new());
    let mut reported: Vec<&str> = Vec::new();
    for entry in entries {
        match one(entry, &mut reported) {
            Ok(None) => {}
            // Its valid keys may collide with others: all errors are reported at once.
            Ok(Some((given, wrong))) => {
                errors.extend(wrong.into_iter().map(|message| (entry.line, message)));
                keys.push(entry.key.as_str());
                overrides.push(given);
            }
            Err(wrong) => errors.extend(wrong.into_iter().map(|message| (entry.line, message))),
        }
    }
    let built = Keymap::with_overrides(&overrides);
    let map = built.map_err(|found| {
        errors.extend(found.into_iter().filter_map(|error| {
            let line = overrides.get(error.index)?.line;
            Some((line, format!("{}: {}", short(keys.get(error.index)?), error.message)))
        }));
    });
    map.ok().filter(|_| errors.is_empty()).ok_or(errors)
}

/// An entry with at least one valid key, or with none at all, and the errors of its other keys.
type Given = (Override, Vec<String>);

/// Reads an entry; `None` if it is an empty table, or part of a table that was `reported`.
fn one<'a>(entry: &'a Entry, reported: &mut Vec<&'a str>) -> Result<Option<Given>, Vec<String>> {
    let name = entry.key.strip_prefix("keys").unwrap_or_default().trim_start_matches('.');
    let wrong = |message: String| Err(vec![format!("{}: {message}", short(&entry.key))]);
    let is_table = entry.value == Raw::Table;
    if let Some(command) = table_of_command(name) {
        if reported.contains(&command) {
            return Ok(None);
        }
        reported.push(command);
        return Err(vec![format!("keys.{}: {EXPECTED}, found a table", short(command))]);
    }
    let (section, command) = match name.split_once('.') {
        None if name.is_empty() || section(name).is_some() => {
            return if is_table { Ok(None) } else { wrong(format!("expected a table, found {}", entry.value.kind())) };
        }
        None => (if is_table && keymap::find_entry(name).is_none() { Some(name) } else { None }, name),
        Some((section, command)) => (Some(section), command),
    };
    let section = match section.map(|name| (name, self::section(name))) {
        None => None,
        Some((_, Some(section))) => Some(section),
        Some((name, None)) if reported.contains(&name) => return Ok(None),
        Some((name, None)) => {
            reported.push(name);
            return Err(vec![unknown_section(name)]);
        }
    };
    let Some(command) = keymap::find_entry(command) else {
        let hint = match described(command) {
            Some(known) => format!(" (similar: {known:?})"),
            None => hint::similar_or_list(command, COMMANDS.iter().map(|entry| entry.name), "commands"),
        };
        return wrong(format!("unknown command {:?}{hint}", short(command)));
    };
    let (keys, wrong) = sequences(&entry.value);
    let errors: Vec<String> = wrong.into_iter().map(|message| format!("{}: {message}", short(&entry.key))).collect();
    if keys.is_empty() && !errors.is_empty() {
        return Err(errors);
    }
    Ok(Some((Override { section, entry: command, keys, line: entry.line }, errors)))
}

/// The command with a table as its value, with its section: `list.zoom` of `list.zoom.a`.
fn table_of_command(name: &str) -> Option<&str> {
    let known = |command: &str| keymap::find_entry(command).is_some();
    name.match_indices('.').filter_map(|(at, _)| name.get(..at)).find(|part| match part.split_once('.') {
        None => section(part).is_none() && known(part),
        Some((of, command)) => section(of).is_some() && known(command),
    })
}

/// The name of the command that the help or the palette describes in these words: `tab-all` for `all-coins`.
fn described(name: &str) -> Option<&'static str> {
    let words = name.replace('-', " ");
    let mut entries = COMMANDS.iter();
    let found = entries.find(|entry| {
        let mut known = entry.uses.iter().map(|used| used.help).chain(entry.aliases.iter().copied());
        known.any(|known| known.replace('-', " ").eq_ignore_ascii_case(&words))
    });
    found.map(|entry| entry.name)
}

fn section(name: &str) -> Option<&'static Section> {
    SECTIONS.iter().find(|section| section.name == name)
}

fn unknown_section(name: &str) -> String {
    let hint = match closest(name, SECTIONS.iter().map(|section| section.name)) {
        Some(name) => format!(" (similar: [keys.{name}])"),
        None => hint::list("sections"),
    };
    format!("unknown section [keys.{}]{hint}", short(name))
}

/// Reads a key, or a list of keys: the valid ones, and the errors of the others.
fn sequences(value: &Raw) -> (Vec<Sequence>, Vec<String>) {
    let items = match value {
        Raw::List(items) => items.as_slice(),
        one => std::slice::from_ref(one),
    };
    let (mut keys, mut wrong) = (Vec::new(), Vec::new());
    for item in items {
        match item {
            Raw::Text(text) => match short(text).parse::<Sequence>() {
                Ok(sequence) => keys.push(sequence),
                Err(error) => wrong.push(error.to_string()),
            },
            other => wrong.push(format!("{EXPECTED}, found {}", other.kind())),
        }
    }
    (keys, wrong)
}

/// The key bindings as printed by `config show`.
pub(super) fn rows(map: &Keymap) -> Vec<(String, String)> {
    map.settings().iter().map(|setting| (name(setting), keymap::toml_value(&setting.keys))).collect()
}

/// The settings that lines of the file decide, including those that lose a key to another command, with these lines.
pub(super) fn lines(map: &Keymap) -> impl Iterator<Item = (String, usize)> {
    map.settings().into_iter().filter_map(|setting| Some((name(&setting), setting.line?)))
}

/// The dotted key of a setting.
fn name(Setting { section, entry, .. }: &Setting) -> String {
    let section = section.map_or_else(String::new, |section| format!("{}.", section.name));
    format!("keys.{section}{}", entry.name)
}
