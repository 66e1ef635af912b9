//! The key map: which command a key runs, and which keys a command has.

use std::borrow::Cow;
use std::collections::BTreeMap;
use std::sync::{Arc, LazyLock};

use crossterm::event::{KeyCode, KeyEvent, KeyModifiers};
use tui_input::InputRequest;

use super::command::Command;
use super::commands::COMMANDS;
use super::context::{Context, DIALOG_TITLES, GENERAL, SCREENS, SECTIONS, Section};
use super::entry::{Entry, Use};
use super::key::{Key, Sequence};
use crate::glyphs::Glyphs;

/// Maps keys to commands, for each context.
#[derive(Clone, Debug)]
pub struct Keymap {
    /// The bindings of each context, in the order of [`COMMANDS`].
    pub(super) contexts: Arc<BTreeMap<Context, Vec<Binding>>>,
    /// The bindings without the sections of the configuration; `None` if it has none.
    pub(super) without_sections: Option<BTreeMap<Context, Vec<Binding>>>,
}

/// The keys of a command in a context.
#[derive(Clone, Debug)]
pub struct Binding {
    /// The command.
    pub entry: &'static Entry,
    /// What it does here.
    pub used: &'static Use,
    /// The keys; may be empty. Hints show the first one.
    pub keys: Cow<'static, [Sequence]>,
    /// The line of the configuration that sets them, or that takes one of them for another command.
    pub line: Option<usize>,
}

/// The effect of a pressed key.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Press {
    /// It runs a command.
    Run(Command),
    /// It is the first key of a sequence.
    Wait(Key),
    /// Nothing.
    Nothing,
}

/// A footer hint. Adjacent commands with the same word share one.
#[derive(Clone, Debug)]
pub struct Hint {
    /// The first key of each command.
    pub keys: Vec<Sequence>,
    /// The first command.
    pub command: Command,
    /// One word.
    pub word: &'static str,
}

/// A line of the help: keys and their description.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Row {
    /// The command.
    pub command: Command,
    /// The keys, at least one.
    pub keys: Vec<Sequence>,
    /// A verb and its object, or several.
    pub help: Cow<'static, str>,
}

/// The default bindings. Several defaults of the settings are read from the default preferences, which contain a key map.
static DEFAULT: LazyLock<Arc<BTreeMap<Context, Vec<Binding>>>> = LazyLock::new(|| {
    let bindings = |context: Context| {
        let binding = |entry: &'static Entry| {
            let used = entry.use_in(context)?;
            let keys = used.keys.unwrap_or(entry.keys);
            Some(Binding { entry, used, keys: usable(Cow::Borrowed(keys), context), line: None })
        };
        (context, COMMANDS.iter().filter_map(binding).collect())
    };
    Arc::new(Context::ALL.into_iter().map(bindings).collect())
});

impl Default for Keymap {
    fn default() -> Keymap {
        Keymap { contexts: Arc::clone(&DEFAULT), without_sections: None }
    }
}

/// The keys that can be used in a context; a menu handles printable keys itself.
pub(super) fn usable(keys: Cow<'static, [Sequence]>, context: Context) -> Cow<'static, [Sequence]> {
    let is_text = |keys: &Sequence| context == Context::Menu && keys.first.is_printable();
    if keys.iter().any(is_text) { keys.iter().copied().filter(|keys| !is_text(keys)).collect() } else { keys }
}

impl Keymap {
    /// The bindings of a context, in the order of the hints.
    pub fn bindings(&self, context: Context) -> &[Binding] {
        self.contexts.get(&context).map_or(&[], Vec::as_slice)
    }

    /// Returns the effect of a key in a context, or after the first key of a sequence. Ctrl-C always quits.
    pub fn press(&self, context: Context, first: Option<Key>, event: KeyEvent) -> Press {
        let key = Key::from_event(event);
        if key == Some(Key::CTRL_C) {
            return Press::Run(Command::Quit);
        }
        // A key with Shift has the effect of the key without it, unless it has its own binding.
        let mut keys = key.into_iter().chain(key.and_then(Key::without_shift));
        if let Some(first) = first {
            let run = |second| self.command(context, Sequence { first, second: Some(second) });
            return keys.find_map(run).map_or(Press::Nothing, Press::Run);
        }
        if let KeyCode::Char(c) = event.code
            && context.takes_text()
            && !event.modifiers.intersects(KeyModifiers::CONTROL | KeyModifiers::ALT)
        {
            return Press::Run(Command::Edit(InputRequest::InsertChar(c)));
        }
        let press = |key| match self.command(context, Sequence::one(key)) {
            Some(command) => Some(Press::Run(command)),
            None => self.followers(context, key).next().map(|_| Press::Wait(key)),
        };
        let closes = context == Context::Menu && !event.modifiers.contains(KeyModifiers::ALT);
        let other = if closes { Press::Run(Command::Back) } else { Press::Nothing };
        keys.find_map(press).unwrap_or(other)
    }

    fn command(&self, context: Context, keys: Sequence) -> Option<Command> {
        self.bindings(context).iter().find(|binding| binding.keys.contains(&keys)).map(|binding| binding.entry.command)
    }

    /// The keys that can follow the first key of a sequence, with their descriptions.
    pub fn followers(&self, context: Context, first: Key) -> impl Iterator<Item = (Key, &'static str)> {
        self.bindings(context).iter().flat_map(move |binding| {
            let keys = binding.keys.iter().filter(move |keys| keys.first == first);
            keys.filter_map(|keys| Some((keys.second?, binding.used.help)))
        })
    }

    /// The first key of a command in a context; `None` if it has none there.
    pub fn key(&self, command: Command, context: Context) -> Option<Sequence> {
        let binding = self.bindings(context).iter().find(|binding| binding.entry.command == command)?;
        binding.keys.first().copied()
    }

    /// The name of that key.
    pub fn name(&self, command: Command, context: Context, glyphs: Glyphs) -> Option<String> {
        self.key(command, context).map(|keys| keys.name(glyphs))
    }

    /// The footer's hints for a context.
    pub fn hints(&self, context: Context) -> Vec<Hint> {
        let mut hints: Vec<Hint> = Vec::new();
        for binding in self.bindings(context) {
            let (word, Some(&keys)) = (binding.used.hint, binding.keys.first()) else { continue };
            match hints.last_mut() {
                _ if word.is_empty() => {}
                Some(last) if last.word == word => last.keys.push(keys),
                _ => hints.push(Hint { keys: vec![keys], command: binding.entry.command, word }),
            }
        }
        hints
    }

    /// The help: a title and lines for each section. The section of `here` comes first, then the keys of all screens.
    pub fn help(&self, here: Option<Context>) -> Vec<(&'static str, Vec<Row>)> {
        let is_here = |section: &&Section| here.is_some_and(|here| section.contexts.contains(&here));
        let rows = |section: &'static Section| self.titled_rows(section);
        let own = SECTIONS.iter().filter(is_here).flat_map(rows);
        let general = COMMANDS.iter().filter_map(|entry| self.general_row(entry)).collect();
        let others = SECTIONS.iter().filter(|section| !is_here(section)).flat_map(rows);
        let all = own.chain([(GENERAL, general)]).chain(others).filter(|(_, rows)| !rows.is_empty());
        let mut all: Vec<(&'static str, Vec<Row>)> = all.collect();
        // The keys that only this dialog has come before the keys of all dialogs.
        if let Some((_, own)) = DIALOG_TITLES.iter().find(|(context, _)| Some(*context) == here) {
            all.sort_by_key(|(title, _)| title != own);
        }
        all.into_iter().map(|(title, rows)| (title, merged(rows))).collect()
    }

    fn row(&self, entry: &Entry, context: Context) -> Option<Row> {
        self.row_of(entry.command, context)
    }

    fn row_of(&self, command: Command, context: Context) -> Option<Row> {
        let binding = self.bindings(context).iter().find(|binding| binding.entry.command == command)?;
        let row = Row { command, keys: binding.keys.to_vec(), help: Cow::Borrowed(binding.used.help) };
        (!row.keys.is_empty()).then_some(row)
    }

    /// The line of a command whose keys are the same on all screens.
    fn general_row(&self, entry: &Entry) -> Option<Row> {
        let mut rows = SCREENS.iter().map(|screen| self.row(entry, *screen));
        let first = rows.next()??;
        rows.all(|row| row.as_ref() == Some(&first)).then_some(first)
    }

    /// A section's lines under its title. Those that only one dialog has are under the title of that dialog.
    fn titled_rows(&self, section: &Section) -> Vec<(&'static str, Vec<Row>)> {
        let mut common = self.section_rows(section.contexts);
        let mut titled = Vec::new();
        for (context, title) in DIALOG_TITLES.iter().filter(|(context, _)| section.contexts.contains(context)) {
            let is_shared = |row: &Row| {
                let others = section.contexts.iter().filter(|other| *other != context);
                others.filter_map(|other| self.row_of(row.command, *other)).any(|other| other == *row)
            };
            let own = self.section_rows(&[*context]).into_iter().filter(|row| !is_shared(row)).collect::<Vec<_>>();
            common.retain(|row| !own.contains(row));
            titled.push((*title, own));
        }
        titled.insert(0, (section.title, common));
        titled
    }

    fn section_rows(&self, contexts: &[Context]) -> Vec<Row> {
        let mut rows: Vec<Row> = Vec::new();
        for entry in COMMANDS {
            let general = self.general_row(entry);
            let is_general = |row: &Row| {
                let has = |general: &Row| row.keys.iter().all(|keys| general.keys.contains(keys));
                general.as_ref().is_some_and(|general| general.help == row.help && has(general))
            };
            for row in contexts.iter().filter_map(|context| self.row(entry, *context)) {
                if !is_general(&row) && !rows.contains(&row) {
                    rows.push(row);
                }
            }
        }
        rows
    }
}

/// Merges the lines of a command with the same keys: it may do something else in each context.
fn merged(rows: Vec<Row>) -> Vec<Row> {
    let mut merged: Vec<Row> = Vec::new();
    for row in rows {
        match merged.iter_mut().find(|known| known.command == row.command && known.keys == row.keys) {
            Some(known) => known.help.to_mut().push_str(&format!(", {}", row.help)),
            None => merged.push(row),
        }
    }
    merged
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::keymap::Tab;

    #[test]
    fn default_keys_do_not_collide() {
        for context in Context::ALL {
            let map = Keymap::default();
            let mut bound: Vec<(Sequence, &str)> = Vec::new();
            for binding in map.bindings(context) {
                for &keys in binding.keys.iter() {
                    let other = bound.iter().find(|(other, _)| other.collides(keys));
                    assert_eq!(other, None, "{keys} of {} in {context:?}", binding.entry.name);
                    assert!(!context.takes_text() || !keys.first.is_printable(), "{keys} in {context:?}");
                    bound.push((keys, binding.entry.name));
                }
            }
        }
    }

    #[test]
    fn every_tab_has_a_key_everywhere() {
        for tab in Tab::ALL {
            for context in SCREENS {
                assert!(Keymap::default().key(Command::Go(tab), *context).is_some(), "{tab:?} in {context:?}");
            }
        }
        let names: Vec<_> = Tab::ALL.into_iter().map(Tab::name).collect();
        assert_eq!(names, ["all", "brc-20", "bitcoin-ecosystem", "wallet", "indexer", "status"]);
    }

    #[test]
    fn command_names_are_unique_and_match_the_variants() {
        for (index, entry) in COMMANDS.iter().enumerate() {
            assert!(
                COMMANDS.iter().skip(index + 1).all(|other| other.name != entry.name && other.command != entry.command)
            );
            let is_plain = !matches!(entry.command, Command::Go(_) | Command::Edit(_));
            let kebab = |name: String| {
                let dashed = name.char_indices().map(|(at, c)| {
                    if c.is_uppercase() && at > 0 {
                        format!("-{}", c.to_ascii_lowercase())
                    } else {
                        c.to_ascii_lowercase().to_string()
                    }
                });
                dashed.collect::<String>()
            };
            assert!(!is_plain || kebab(format!("{:?}", entry.command)) == entry.name, "{}", entry.name);
            for (number, used) in entry.uses.iter().enumerate() {
                let before = entry.uses.iter().take(number).flat_map(|used| used.contexts);
                assert!(
                    used.contexts.iter().all(|context| before.clone().all(|other| other != context)),
                    "{}",
                    entry.name
                );
            }
        }
    }

    #[test]
    fn help_has_one_line_for_each_command_and_keys() {
        for here in Context::ALL.into_iter().map(Some).chain([None]) {
            for (title, rows) in Keymap::default().help(here) {
                for (index, row) in rows.iter().enumerate() {
                    let is_same = |other: &Row| other.command == row.command && other.keys == row.keys;
                    assert!(!rows.iter().skip(index + 1).any(is_same), "{title}: {row:?}");
                }
            }
        }
    }

    #[test]
    fn help_texts_are_short() {
        for used in COMMANDS.iter().flat_map(|entry| entry.uses) {
            assert!(
                (1..=4).contains(&used.help.split_whitespace().filter(|word| *word != "/").count()),
                "{}",
                used.help
            );
            assert!(!used.hint.contains(' '), "{}", used.hint);
        }
    }

    #[test]
    fn adjacent_commands_with_the_same_word_share_a_hint() {
        let hints = Keymap::default().hints(Context::Links);
        let words: Vec<_> = hints.iter().map(|hint| (hint.keys.len(), hint.word)).collect();
        assert_eq!(words, [(1, "open"), (2, "select"), (1, "copy"), (1, "close")]);
    }

    #[test]
    fn every_context_has_one_section() {
        for context in Context::ALL {
            assert_eq!(SECTIONS.iter().filter(|section| section.contexts.contains(&context)).count(), 1, "{context:?}");
        }
    }
}
