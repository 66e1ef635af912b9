//! Key maps with the keys of the configuration.
//!
//! Keys of a section override the keys of `[keys]`, which override the defaults: a command loses a key that is bound to
//! another command with a higher precedence. With equal precedence, this is an error.

use std::borrow::Cow;
use std::collections::BTreeMap;
use std::sync::Arc;

use super::command::Command;
use super::commands::COMMANDS;
use super::context::{Context, INPUT, SCREENS, SECTIONS, Section};
use super::entry::{Entry, Use};
use super::key::{Key, Sequence};
use super::map::{Binding, Keymap, usable};
use crate::format::words::join_words;

/// Keys of a command from the configuration.
#[derive(Clone, Debug)]
pub struct Override {
    /// The section; `None` for `[keys]` itself.
    pub section: Option<&'static Section>,
    /// The command.
    pub entry: &'static Entry,
    /// The keys; none unbinds.
    pub keys: Vec<Sequence>,
    /// The line of the file, counted from 1.
    pub line: usize,
}

/// An override that can't be used.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct OverrideError {
    /// The index of the override.
    pub index: usize,
    /// The reason, as a sentence without a full stop.
    pub message: String,
}

/// The precedence of a binding; the highest wins.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
enum Precedence {
    Default,
    General,
    Section,
}

/// A command in a context, before it may lose keys.
struct Candidate {
    binding: Binding,
    precedence: Precedence,
    /// The index of its override.
    index: Option<usize>,
}

impl Keymap {
    /// The default key map with overrides.
    ///
    /// # Errors
    /// All errors, in the order of the overrides.
    pub fn with_overrides(overrides: &[Override]) -> Result<Keymap, Vec<OverrideError>> {
        let mut errors = Vec::new();
        for (index, given) in overrides.iter().enumerate() {
            errors.extend(errors_of(given).into_iter().map(|message| OverrideError { index, message }));
        }
        for context in Context::ALL {
            let candidates = candidates(context, overrides);
            find_collisions(&candidates, overrides, &mut errors);
            find_missing_quit(context, &candidates, overrides, &mut errors);
            find_missing_back(context, &candidates, overrides, &mut errors);
        }
        errors.sort_by_key(|error| error.index);
        let mut seen: Vec<OverrideError> = Vec::new();
        for error in errors {
            if !seen.contains(&error) {
                seen.push(error);
            }
        }
        if !seen.is_empty() {
            return Err(seen);
        }
        let general: Vec<Override> = overrides.iter().filter(|given| given.section.is_none()).cloned().collect();
        let without_sections = (general.len() < overrides.len()).then(|| contexts(&general));
        Ok(Keymap { contexts: Arc::new(contexts(overrides)), without_sections })
    }
}

/// The bindings of each context.
fn contexts(overrides: &[Override]) -> BTreeMap<Context, Vec<Binding>> {
    let bindings = |context| {
        let candidates = candidates(context, overrides);
        let bindings = (0..candidates.len()).filter_map(|index| without_taken_keys(&candidates, index, overrides));
        (context, bindings.collect())
    };
    Context::ALL.into_iter().map(bindings).collect()
}

/// The errors of a single override.
fn errors_of(given: &Override) -> Vec<String> {
    let Override { section, entry, keys, .. } = given;
    let mut errors = Vec::new();
    let works = |used: &Use| match section {
        None => used.keys.is_none(),
        Some(section) => used.contexts.iter().any(|context| section.contexts.contains(context)),
    };
    if !entry.uses.iter().any(works) {
        errors.push(match section.and_then(|section| suggested_command(entry, section)) {
            Some(name) => format!("no such command here (similar: {name:?})"),
            None => format!("no such command here; {} belongs in {}", entry.name, sections_of(entry)),
        });
    }
    let is_input = section.is_some_and(|section| section.name == INPUT);
    for (index, keys) in keys.iter().enumerate() {
        if is_input && keys.first.is_printable() {
            errors.push(format!("\"{keys}\" types a character here"));
        }
        if keys.keys().any(|key| key == Key::CTRL_C)
            && (entry.command != Command::Quit || *keys != Sequence::one(Key::CTRL_C))
        {
            errors.push(String::from("\"ctrl-c\" always quits"));
        }
        match given.keys.iter().take(index).find(|other| other.collides(*keys)) {
            Some(other) if other == keys => errors.push(format!("\"{keys}\" is listed twice")),
            Some(other) => errors.push(format!("\"{keys}\" and \"{other}\" can't both be bound")),
            None => {}
        }
    }
    errors
}

/// The command to suggest for one that a section doesn't have: `previous-char` for `left`, by the text of its help.
fn suggested_command(entry: &Entry, section: &Section) -> Option<&'static str> {
    let is_here = |used: &Use| used.contexts.iter().any(|context| section.contexts.contains(context));
    let is_suggested = |other: &&Entry| other.uses.iter().any(|used| is_here(used) && used.help == entry.name);
    COMMANDS.iter().find(is_suggested).map(|other| other.name)
}

/// The sections of a command: `[keys.token] or [keys.indexer]`.
fn sections_of(entry: &Entry) -> String {
    let has = |section: &&Section| section.contexts.iter().any(|context| entry.use_in(*context).is_some());
    let names: Vec<String> = SECTIONS.iter().filter(has).map(|section| format!("[keys.{}]", section.name)).collect();
    join_words(&names, "or")
}

fn candidates(context: Context, overrides: &[Override]) -> Vec<Candidate> {
    let candidate = |entry: &'static Entry| {
        let used = entry.use_in(context)?;
        let is_own = |given: &Override| given.entry.command == entry.command;
        let of_section = |given: &Override| given.section.is_some_and(|section| section.contexts.contains(&context));
        let section = overrides.iter().position(|given| is_own(given) && of_section(given));
        let general = overrides.iter().position(|given| is_own(given) && given.section.is_none());
        let (precedence, index) = match (section, general.filter(|_| used.keys.is_none())) {
            (Some(index), _) => (Precedence::Section, Some(index)),
            (None, Some(index)) => (Precedence::General, Some(index)),
            (None, None) => (Precedence::Default, None),
        };
        let given = index.and_then(|index| overrides.get(index));
        let mut keys = match given {
            Some(given) => Cow::Owned(given.keys.clone()),
            None => Cow::Borrowed(used.keys.unwrap_or(entry.keys)),
        };
        let ctrl_c = Sequence::one(Key::CTRL_C);
        if entry.command == Command::Quit && !keys.contains(&ctrl_c) {
            keys.to_mut().push(ctrl_c);
        }
        let line = given.map(|given| given.line);
        Some(Candidate { binding: Binding { entry, used, keys: usable(keys, context), line }, precedence, index })
    };
    COMMANDS.iter().filter_map(candidate).collect()
}

/// The binding of a candidate without the keys that those with a higher precedence use.
fn without_taken_keys(candidates: &[Candidate], index: usize, overrides: &[Override]) -> Option<Binding> {
    let Candidate { binding, precedence, .. } = candidates.get(index)?;
    let taker = |keys: &Sequence| {
        let mut stronger = candidates.iter().filter(|other| other.precedence > *precedence);
        stronger.find(|other| other.binding.keys.iter().any(|taken| taken.collides(*keys)))
    };
    let mut binding = binding.clone();
    if let Some(first) = binding.keys.iter().find_map(taker) {
        binding.keys = binding.keys.iter().copied().filter(|keys| taker(keys).is_none()).collect();
        binding.line = first.index.and_then(|index| overrides.get(index)).map(|given| given.line);
    }
    Some(binding)
}

/// Finds keys that two overrides of the same precedence use.
fn find_collisions(candidates: &[Candidate], overrides: &[Override], errors: &mut Vec<OverrideError>) {
    let given = || candidates.iter().filter_map(|candidate| Some((candidate, candidate.index?)));
    for (later, index) in given() {
        for (earlier, before) in
            given().filter(|(other, before)| *before < index && other.precedence == later.precedence)
        {
            let Some(line) = overrides.get(before).map(|given| given.line) else { continue };
            let name = earlier.binding.entry.name;
            // Ctrl-C is reported separately.
            let ctrl_c = Sequence::one(Key::CTRL_C);
            for keys in later.binding.keys.iter().filter(|keys| **keys != ctrl_c) {
                // One message for each key, even if it collides with several of the same command.
                let colliding = || earlier.binding.keys.iter().filter(|other| other.collides(*keys));
                if let Some(other) = colliding().find(|other| *other == keys).or_else(|| colliding().next()) {
                    let message = if other == keys {
                        format!("\"{keys}\" is also bound to {name} (line {line})")
                    } else if other.second.is_none() {
                        format!("\"{keys}\" can't start with \"{other}\", which is bound to {name} (line {line})")
                    } else {
                        format!("\"{keys}\" is the first key of \"{other}\", bound to {name} (line {line})")
                    };
                    errors.push(OverrideError { index, message });
                }
            }
        }
    }
}

/// Finds overrides that leave a screen without a key to quit. Ctrl-C is enough only if the configuration binds it.
fn find_missing_quit(
    context: Context,
    candidates: &[Candidate],
    overrides: &[Override],
    errors: &mut Vec<OverrideError>,
) {
    let Some(at) = candidates.iter().position(|candidate| candidate.binding.entry.command == Command::Quit) else {
        return;
    };
    let (Some(quit), Some(binding)) = (candidates.get(at), without_taken_keys(candidates, at, overrides)) else {
        return;
    };
    let is_ctrl_c = |keys: &Sequence| *keys == Sequence::one(Key::CTRL_C);
    let given = quit.index.and_then(|index| overrides.get(index));
    let binds_ctrl_c = given.is_some_and(|given| given.keys.iter().any(is_ctrl_c));
    if !SCREENS.contains(&context) || binds_ctrl_c || !binding.keys.iter().all(is_ctrl_c) {
        return;
    }
    report_lost(quit, " (or set quit = \"ctrl-c\")", candidates, overrides, errors);
}

/// Finds overrides that leave a dialog or a text field without a key to close it. Any key closes a menu.
fn find_missing_back(
    context: Context,
    candidates: &[Candidate],
    overrides: &[Override],
    errors: &mut Vec<OverrideError>,
) {
    let closes = |index: &usize| {
        let command = candidates.get(*index).map(|candidate| candidate.binding.entry.command);
        matches!(command, Some(Command::Back | Command::Close))
    };
    let closing: Vec<usize> = (0..candidates.len()).filter(closes).collect();
    let has_key =
        |index: &usize| without_taken_keys(candidates, *index, overrides).is_some_and(|it| !it.keys.is_empty());
    if SCREENS.contains(&context) || context == Context::Menu || closing.iter().any(has_key) {
        return;
    }
    for lost in closing.iter().filter_map(|index| candidates.get(*index)) {
        let or_other = match (lost.binding.entry.command, closing.len()) {
            (_, 1) => "",
            (Command::Back, _) => " (or bind close)",
            _ => " (or bind back)",
        };
        report_lost(lost, or_other, candidates, overrides, errors);
    }
}

/// Reports the override without keys of a command that needs one, or those that take its keys. `or_other` is another
/// way to correct them.
fn report_lost(
    lost: &Candidate,
    or_other: &str,
    candidates: &[Candidate],
    overrides: &[Override],
    errors: &mut Vec<OverrideError>,
) {
    let name = lost.binding.entry.name;
    let has_none = |index: &usize| overrides.get(*index).is_some_and(|given| given.keys.is_empty());
    if let Some(index) = lost.index.filter(has_none) {
        errors.push(OverrideError { index, message: format!("{name} needs a key; bind it to one{or_other}") });
    }
    for keys in lost.binding.keys.iter().filter(|keys| **keys != Sequence::one(Key::CTRL_C)) {
        let takes = |other: &&Candidate| {
            other.precedence > lost.precedence && other.binding.keys.iter().any(|k| k.collides(*keys))
        };
        if let Some(index) = candidates.iter().find(takes).and_then(|other| other.index) {
            errors.push(OverrideError {
                index,
                message: format!("\"{keys}\" is the last key for {name}; bind {name} to another key{or_other}"),
            });
        }
    }
}

#[cfg(test)]
mod tests;
