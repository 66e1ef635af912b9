//! After every key is rebound, the new keys work, the default keys do nothing, and the screen shows no default key.

use std::collections::BTreeSet;
use std::time::Duration;

use ratatui::buffer::Buffer;
use ratatui::style::{Color, Style};
use satscope::app::{Effect, Message, Preferences};
use satscope::client::{ErrorKind, Request, ResponseData};
use satscope::config::{self, Environment, Flags};
use satscope::fetch::{Event, SkipReason};
use satscope::glyphs::Glyphs;
use satscope::keymap::{COMMANDS, Command, Context, Key, Keymap, Press, SCREENS, SECTIONS, Sequence, Tab};
use satscope::model::{Page, Tag};
use satscope::user_data::Watched;

use crate::support::indexer;
use crate::support::screen::Screen;

/// Letters that no text of the tests contains.
const LETTERS: &str = "абвгдежзийклмнопрстуфхцчшщъыьэюяαβγδεζηθικλμνξοπρστυφχψωґєіїўђѓљњќћџѥѧѩѫѭѯѱѳѵѷӑӓӕӗәӛӝӟӡӣӥӧөӫӭӯӱҁғҕҗҙқҝҟҡңҥҩҫҭүұҳҷҹһ";

/// A configuration that binds every command to these keys, of which the last two begin sequences, and to Alt with a
/// letter in text input.
fn moved(keys: &[String]) -> String {
    let [.., more, most] = keys else { panic!("too few keys") };
    let mut keys = keys.iter();
    let mut text = String::from("[keys]\n");
    for entry in COMMANDS.iter().filter(|entry| entry.uses.iter().any(|used| used.keys.is_none())) {
        let key = keys.next().unwrap();
        match entry.command {
            Command::First | Command::PageUp => text += &format!("{} = \"{most} {key}\"\n", entry.name),
            Command::Down | Command::Copy => text += &format!("{} = [\"{key}\", \"{more} {key}\"]\n", entry.name),
            _ => text += &format!("{} = \"{key}\"\n", entry.name),
        }
    }
    text += "[keys.input]\n";
    let typing = |place: &Context| matches!(place, Context::Choice | Context::Line | Context::Palette);
    let has_input = |command: Command| command != Command::Quit;
    let input = COMMANDS.iter().filter(|entry| entry.uses.iter().any(|used| used.contexts.iter().any(typing)));
    // Alt with these two is a default key.
    let letters = ('a'..='z').rev().filter(|letter| !matches!(letter, 'b' | 'f'));
    for (entry, letter) in input.filter(|entry| has_input(entry.command)).zip(letters) {
        text += &format!("{} = \"alt-{letter}\"\n", entry.name);
    }
    text
}

/// Keys that a terminal with these glyphs can show.
fn new_keys(glyphs: Glyphs) -> Vec<String> {
    match glyphs {
        Glyphs::Unicode => LETTERS.chars().map(String::from).collect(),
        Glyphs::Ascii => {
            let letters = ('!'..='~').filter(|key| !r#"-"\#,/:()"#.contains(*key)).map(|key| format!("alt-{key}"));
            // Not F10 to F12, whose names contain that of F1.
            let numbered =
                |modifier: &'static str, first| (first..=9).map(move |number| format!("{modifier}f{number}"));
            letters.chain(numbered("", 2)).chain(numbered("ctrl-", 5)).chain(numbered("alt-", 4)).collect()
        }
    }
}

fn load(text: &str) -> Keymap {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("config.toml");
    std::fs::write(&file, text).unwrap();
    let flags = Flags { config: Some(file), ..Flags::default() };
    config::load(&flags, &Environment::default()).unwrap().keys
}

/// The style of keys, found again in a frame.
const KEY: Color = Color::Indexed(201);

struct Walk {
    screen: Screen,
    map: Keymap,
    /// The sentences that were seen, by the words beside their keys.
    seen: BTreeSet<&'static str>,
}

impl Walk {
    fn new(size: (u16, u16), glyphs: Glyphs) -> Walk {
        let map = load(&moved(&new_keys(glyphs)));
        let watched = ["ORDI", "RATS", "NOVA"].map(Watched::by_symbol).to_vec();
        let preferences = Preferences { keys: map.clone(), watched, page_size: 100, ..Preferences::default() };
        let mut screen = Screen::with(preferences, size.0, size.1);
        screen.appearance.glyphs = glyphs;
        screen.appearance.theme.key = Style::new().fg(KEY);
        let mut walk = Walk { screen, map, seen: BTreeSet::new() };
        walk.check();
        walk.serve();
        walk
    }

    fn serve(&mut self) {
        self.screen.wait(Duration::from_millis(200));
        self.screen.serve(indexer::response);
        self.check();
    }

    fn press(&mut self, keys: Sequence) {
        self.screen.key(keys.first.event());
        if let Some(second) = keys.second {
            assert_eq!(self.screen.state.pending, Some(keys.first));
            self.check();
            self.screen.key(second.event());
        }
        assert_eq!(self.screen.state.pending, None);
    }

    /// Presses the new keys of a command.
    fn run(&mut self, command: Command) {
        let place = self.screen.state.context();
        let keys = self.map.key(command, place).unwrap_or_else(|| panic!("no key for {command:?} in {place:?}"));
        self.press(keys);
        self.check();
        self.serve();
    }

    fn go(&mut self, commands: &[Command]) {
        commands.iter().for_each(|command| self.run(*command));
    }

    fn type_text(&mut self, text: &str) {
        self.screen.keys(text);
        self.check();
        self.serve();
    }

    /// Presses all old keys of the place, of which none may change anything.
    fn press_old_keys(&mut self) {
        let place = self.screen.state.context();
        let before = self.screen.text();
        for binding in Keymap::default().bindings(place) {
            for keys in binding.keys.iter().filter(|keys| keys.first != Key::CTRL_C) {
                self.screen.effects.clear();
                self.screen.key(keys.first.event());
                assert!(self.screen.effects.is_empty(), "{keys} in {place:?}: {:?}", self.screen.effects);
                assert_eq!(self.screen.text(), before, "{keys} in {place:?}");
            }
        }
    }

    /// No key that the frame names is an old one.
    fn check(&mut self) {
        let buf = self.screen.paint();
        let text = self.screen.text();
        let glyphs = self.screen.appearance.glyphs;
        let bindings = Context::ALL.iter().flat_map(|place| self.map.bindings(*place));
        let sequences = bindings.flat_map(|binding| binding.keys.iter().copied());
        let mut names: BTreeSet<String> = BTreeSet::new();
        for keys in sequences {
            names.insert(keys.name(glyphs));
            names.extend(keys.keys().map(|key| key.name(glyphs)));
        }
        let is_new = |name: &str| {
            names.contains(name) || name.chars().all(|c| names.contains(&c.to_string())) || names.contains(name.trim())
        };
        let menu: Vec<String> =
            self.screen.state.menu.iter().flat_map(|menu| &menu.items).map(|i| i.key.into()).collect();
        for run in key_runs(&buf) {
            for name in run.split("  ").flat_map(|part| part.split('/')).filter(|name| !name.trim().is_empty()) {
                assert!(is_new(name) || menu.iter().any(|key| key == name), "{name:?} is an old key:\n{text}");
            }
        }
        for old in ["Esc", "Enter", "↵", "Space", "PgUp", "PgDn", "Backspace", "Shift-Tab", "F1"] {
            assert!(!text.contains(old), "{old}:\n{text}");
        }
        for (before, after, words) in [
            ("press ", " on ", "press … on yours"),
            ("· press ", " to add a lot", "press … to add a lot"),
            ("· ", ", then", "· …, then"),
            ("then ", " to watch a coin", "then … to watch a coin"),
            ("press ", " for details", "press … for details"),
            ("press ", " in a list", "press … in a list"),
            ("(", ": now)", "(…: now)"),
            ("(", ": in ", "(…: in 7 s)"),
            ("(", " reverses)", "(… reverses)"),
            ("links (", ")", "links (…)"),
        ] {
            for line in text.lines().filter(|line| line.contains(before)) {
                let Some(name) = line.split(after).next().filter(|head| head.len() < line.len()) else { continue };
                let Some((_, name)) = name.rsplit_once(before) else { continue };
                // Another sentence that begins alike.
                if name.split(' ').count() > 2 {
                    continue;
                }
                assert!(is_new(name), "{name:?} is an old key: {line}");
                self.seen.insert(words);
            }
        }
        let header = text.lines().next().unwrap_or_default();
        assert!(
            !["1 All", "2 BRC-20", "4 Wallet", "5 Indexer", "6 Status"].iter().any(|t| header.contains(t)),
            "{header}"
        );
    }
}

/// The words in the style of keys.
fn key_runs(buf: &Buffer) -> Vec<String> {
    let mut runs = Vec::new();
    for y in buf.area.top()..buf.area.bottom() {
        let mut run = String::new();
        for x in buf.area.left()..buf.area.right() {
            if buf[(x, y)].fg == KEY {
                run.push_str(buf[(x, y)].symbol());
            } else {
                runs.push(std::mem::take(&mut run));
            }
        }
        runs.push(run);
    }
    runs.retain(|run| !run.trim().is_empty());
    runs
}

/// Goes through all places; on each, the old keys do nothing.
fn walk(size: (u16, u16), glyphs: Glyphs) -> BTreeSet<&'static str> {
    use Command::*;
    let mut walk = Walk::new(size, glyphs);
    walk.press_old_keys();
    walk.go(&[Down, Up, PageDown, PageUp, Last, First, SortMenu]);
    walk.type_text("n");
    walk.go(&[NextSortColumn, ReverseSort, ToggleWatch, ToggleWatch, Down]);
    walk.go(&[Help]);
    walk.press_old_keys();
    walk.go(&[PageDown, PageDown, Back, Copy]);
    assert!(walk.screen.state.menu.is_some());
    walk.type_text("l");
    walk.go(&[Links, Down, Copy, Close, Search]);
    walk.type_text("rats");
    walk.go(&[Down, Open, Back, Search, Back, Palette]);
    walk.type_text("ord");
    walk.press_old_input_keys();
    walk.go(&[Down, Complete, Back, Currency]);
    walk.type_text("eu");
    walk.press_old_input_keys();
    walk.go(&[Down, Back, Open]);

    assert_eq!(walk.screen.state.context(), Context::Token);
    walk.press_old_keys();
    walk.go(&[Left, Right, NextPeriod, PreviousPeriod, NextPanel, NextPanel, TogglePostOrder, Down, Open]);
    assert_eq!(walk.screen.state.context(), Context::Post);
    walk.press_old_keys();
    walk.go(&[Down, Links]);
    walk.press_old_keys();
    walk.go(&[Back, Back, NextPanel, NextSortColumn, Zoom, Zoom, PreviousPanel, NextCoin, PreviousCoin, Back]);

    walk.go(&[Go(Tab::Wallet)]);
    walk.press_old_keys();
    walk.go(&[Down, Down, NextPeriod, PreviousPeriod, Open, Back]);
    walk.go(&[ToggleWatch, First, ToggleWatch, First, ToggleWatch, First, ToggleWatch]);

    walk.go(&[Go(Tab::Indexer)]);
    walk.press_old_keys();
    walk.go(&[Filter]);
    walk.type_text("o");
    walk.press_old_input_keys();
    walk.go(&[Open, Back, SortMenu]);
    walk.type_text("t");
    walk.go(&[Lookup]);
    walk.type_text("ordi in block 1");
    walk.go(&[Open, Copy, Back, BlockStats, Back, NextPanel, Left, Right, Zoom, Open, Zoom, Back]);

    walk.go(&[Go(Tab::Status)]);
    walk.press_old_keys();
    walk.go(&[Down, NextList, Go(Tab::List(Tag::All))]);
    let until = walk.screen.state.now.plus(Duration::from_secs(7));
    walk.screen.send(Message::Fetch(Event::RefreshSkipped { sent: 0, skipped: 1, reason: SkipReason::Recent, until }));
    walk.check();
    walk.screen.wait(Duration::from_mins(12));
    // A reason that the line has no room for.
    walk.screen.fail_all(&ErrorKind::Connect("x".repeat(80)));
    for columns in (50..120).step_by(6) {
        walk.screen.resize(columns, size.1);
        walk.check();
    }
    walk.screen.effects.clear();
    let quit = walk.map.key(Quit, Context::List).unwrap();
    walk.press(quit);
    assert_eq!(walk.screen.effects, [Effect::Quit]);
    walk.seen
}

impl Walk {
    /// Presses all old keys of the text field that are not characters.
    fn press_old_input_keys(&mut self) {
        let place = self.screen.state.context();
        for binding in Keymap::default().bindings(place) {
            for keys in binding.keys.iter().filter(|keys| keys.first != Key::CTRL_C) {
                assert_eq!(self.map.press(place, None, keys.first.event()), Press::Nothing, "{keys} in {place:?}");
            }
        }
    }
}

/// A failure and a detail that is missing, at the start.
fn failures(size: (u16, u16)) -> BTreeSet<&'static str> {
    let mut walk = Walk::new(size, Glyphs::Unicode);
    let mut cold = Screen::with(walk.screen.state.preferences.clone(), size.0, size.1);
    cold.appearance = walk.screen.appearance.clone();
    walk.screen = cold;
    for tab in [Tab::List(Tag::All), Tab::Wallet, Tab::Indexer] {
        let keys = walk.map.key(Command::Go(tab), walk.screen.state.screen_context()).unwrap();
        walk.press(keys);
        walk.screen.fail_all(&ErrorKind::Refused);
        walk.check();
    }
    // A coin that is on no page of a list.
    walk.screen.serve(|request| match request {
        Request::Coins { .. } => Some(ResponseData::Coins(Page { items: Vec::new(), total: Some(1_000) })),
        other => indexer::response(other),
    });
    for command in [Command::Go(Tab::Wallet), Command::Open, Command::NextPanel, Command::Zoom] {
        let keys = walk.map.key(command, walk.screen.state.context()).unwrap();
        walk.press(keys);
        walk.screen.serve(indexer::response);
        walk.check();
    }
    walk.seen
}

#[test]
fn rebound_keys_replace_default_keys_on_every_screen() {
    let mut seen = BTreeSet::new();
    for size in [(160, 45), (80, 24), (40, 12)] {
        seen.extend(walk(size, Glyphs::Unicode));
        seen.extend(failures(size));
    }
    seen.extend(walk((100, 30), Glyphs::Ascii));
    let all = [
        "(…: in 7 s)",
        "(…: now)",
        "(… reverses)",
        "links (…)",
        "press … to add a lot",
        "· …, then",
        "press … for details",
        "press … in a list",
        "press … on yours",
        "then … to watch a coin",
    ];
    let missing: Vec<_> = all.iter().filter(|words| !seen.contains(**words)).collect();
    assert!(missing.is_empty(), "no screen showed {missing:?}");
}

#[test]
fn help_wraps_keys_that_do_not_fit() {
    let keys = load(
        "[keys]\nup = [\"alt-shift-up\", \"alt-shift-home\", \"f11\"]\n\
        refresh = [\"ctrl-x ctrl-pageup\", \"alt-shift-pagedown\"]\nzoom = [\"alt-shift-left alt-shift-right\", \"z\"]\n",
    );
    let help = |columns, glyphs| {
        let mut screen = Screen::with(Preferences { keys: keys.clone(), ..Preferences::default() }, columns, 200);
        screen.appearance.glyphs = glyphs;
        screen.keys("?");
        screen.text()
    };
    for (glyphs, up) in [(Glyphs::Unicode, "Alt-Shift-↑ "), (Glyphs::Ascii, "Alt-Shift-Up ")] {
        let text = help(160, glyphs);
        for name in [up, "Alt-Shift-Home  F11 ", "Ctrl-x Ctrl-PgUp ", "Alt-Shift-PgDn "] {
            assert!(text.contains(name), "{name}: {text}");
        }
    }
    // A sequence on two lines differs from two keys.
    for (columns, glyphs, first, second) in [
        (40, Glyphs::Unicode, "Ctrl-x … ", "Ctrl-PgUp "),
        (40, Glyphs::Ascii, "Ctrl-x ~ ", "Ctrl-PgUp "),
        (160, Glyphs::Unicode, "Alt-Shift-← … ", "Alt-Shift-→    "),
        (160, Glyphs::Ascii, "Alt-Shift-Left ... ", "Alt-Shift-Right    "),
    ] {
        let text = help(columns, glyphs);
        let after = text.lines().skip_while(|line| !line.contains(first)).nth(1);
        assert!(after.is_some_and(|line| line.contains(second)), "{first}: {text}");
    }
}

#[test]
fn rebound_keys_disable_default_keys() {
    let (map, old) = (load(&moved(&new_keys(Glyphs::Unicode))), Keymap::default());
    for place in Context::ALL {
        for binding in old.bindings(place) {
            for keys in binding.keys.iter().filter(|keys| keys.first != Key::CTRL_C) {
                let pressed = map.press(place, None, keys.first.event());
                let nothing = if place == Context::Menu { Press::Run(Command::Back) } else { Press::Nothing };
                assert_eq!(pressed, nothing, "{keys} in {place:?}");
            }
        }
    }
    assert!(SCREENS.iter().all(|screen| map.hints(*screen).len() == old.hints(*screen).len()));
    assert_eq!(SECTIONS.len(), 7);
}
