//! Tests of configured keys.

use super::*;
use crate::keymap::{Press, find_entry};

fn given(section: &str, name: &str, keys: &[&str], line: usize) -> Override {
    Override {
        section: SECTIONS.iter().find(|other| other.name == section),
        entry: find_entry(name).unwrap(),
        keys: keys.iter().map(|keys| keys.parse().unwrap()).collect(),
        line,
    }
}

fn press(map: &Keymap, context: Context, keys: &str) -> Press {
    let keys: Sequence = keys.parse().unwrap();
    match keys.second {
        None => map.press(context, None, keys.first.event()),
        Some(second) => {
            assert_eq!(map.press(context, None, keys.first.event()), Press::Wait(keys.first));
            map.press(context, Some(keys.first), second.event())
        }
    }
}

fn keys(map: &Keymap, command: Command, context: Context) -> Vec<String> {
    let binding = map.bindings(context).iter().find(|binding| binding.entry.command == command).unwrap();
    binding.keys.iter().map(Sequence::to_string).collect()
}

#[test]
fn sections_override_general_keys_which_override_defaults() {
    let map = Keymap::with_overrides(&[
        given("", "refresh", &["s", "f5"], 1),
        given("list", "refresh", &["u"], 2),
        given("token", "copy", &["f5"], 3),
    ])
    .unwrap();
    assert_eq!(press(&map, Context::List, "u"), Press::Run(Command::Refresh));
    assert_eq!(press(&map, Context::List, "s"), Press::Run(Command::SortMenu), "not taken in the lists");
    assert_eq!(press(&map, Context::List, "f5"), Press::Nothing);
    assert_eq!(press(&map, Context::Token, "s"), Press::Run(Command::Refresh));
    assert_eq!(keys(&map, Command::SortMenu, Context::Token), Vec::<String>::new());
    assert_eq!(press(&map, Context::Token, "f5"), Press::Run(Command::Copy));
    assert_eq!(keys(&map, Command::Refresh, Context::Token), ["s"]);
    assert_eq!(press(&map, Context::Token, "r"), Press::Nothing, "an override replaces the defaults");
    assert_eq!(press(&map, Context::Wallet, "f5"), Press::Run(Command::Refresh));
}

#[test]
fn sequences_take_their_first_key_from_defaults() {
    let map =
        Keymap::with_overrides(&[given("", "first", &["g g", "home"], 1), given("", "last", &["g e"], 2)]).unwrap();
    assert_eq!(press(&map, Context::Indexer, "g g"), Press::Run(Command::First));
    assert_eq!(press(&map, Context::Indexer, "g e"), Press::Run(Command::Last));
    assert!(keys(&map, Command::Lookup, Context::Indexer).is_empty());
    assert_eq!(press(&map, Context::List, "g x"), Press::Nothing);
    let g = Key::plain(crossterm::event::KeyCode::Char('g'));
    let followers: Vec<_> = map.followers(Context::List, g).map(|(key, help)| (key.to_string(), help)).collect();
    assert_eq!(followers, [("g".into(), "first row, chart start"), ("e".into(), "last row, chart end")]);
    assert_eq!(press(&map, Context::Line, "g"), Press::Run(Command::Edit(tui_input::InputRequest::InsertChar('g'))));
}

#[test]
fn ctrl_c_always_quits() {
    let map = Keymap::with_overrides(&[given("", "quit", &["ctrl-q"], 1), given("input", "quit", &[], 2)]).unwrap();
    for context in Context::ALL {
        assert_eq!(press(&map, context, "ctrl-c"), Press::Run(Command::Quit), "{context:?}");
        assert_eq!(map.press(context, Some(Key::control('x')), Key::CTRL_C.event()), Press::Run(Command::Quit));
    }
    assert_eq!(keys(&map, Command::Quit, Context::List), ["ctrl-q", "ctrl-c"]);
    assert_eq!(press(&map, Context::List, "q"), Press::Nothing);
    assert!(Keymap::with_overrides(&[given("", "quit", &["ctrl-c"], 1)]).is_ok());
}

#[test]
fn shift_is_ignored_unless_it_is_bound() {
    let map = Keymap::with_overrides(&[given("token", "first", &["shift-up"], 1)]).unwrap();
    assert_eq!(press(&map, Context::Token, "shift-up"), Press::Run(Command::First));
    assert_eq!(press(&map, Context::Token, "shift-down"), Press::Run(Command::Down));
    assert_eq!(press(&map, Context::Sources, "shift-left"), Press::Run(Command::Left));
}

#[test]
fn menus_take_printable_keys_as_letters() {
    let map = Keymap::with_overrides(&[given("", "back", &["x", "ctrl-g"], 1)]).unwrap();
    let typed = Press::Run(Command::Edit(tui_input::InputRequest::InsertChar('x')));
    assert_eq!(press(&map, Context::Menu, "x"), typed);
    assert_eq!(keys(&map, Command::Back, Context::Menu), ["ctrl-g"]);
    for keys in ["ctrl-g", "esc", "f7"] {
        assert_eq!(press(&map, Context::Menu, keys), Press::Run(Command::Back), "any key closes it");
    }
}

#[test]
fn all_errors_are_reported() {
    let overrides = [
        given("list", "open", &["x"], 1),
        given("list", "copy", &["x"], 2),
        given("", "first", &["g"], 3),
        given("", "last", &["g g", "g e"], 4),
        given("", "quit", &[], 5),
        given("input", "delete-line", &["d"], 6),
        given("", "line-end", &["ctrl-e"], 7),
        given("status", "zoom", &["z"], 8),
        given("", "redraw", &["ctrl-c"], 9),
        given("", "zoom", &["z", "Z", "z"], 10),
        given("", "up", &["u", "u u"], 11),
        given("token", "search", &["f3"], 12),
        given("input", "left", &["ctrl-b"], 13),
    ];
    let errors = Keymap::with_overrides(&overrides).unwrap_err();
    let found: Vec<_> = errors.iter().map(|error| (overrides[error.index].line, error.message.as_str())).collect();
    assert_eq!(
        found,
        [
            (2, "\"x\" is also bound to open (line 1)"),
            (4, "\"g g\" can't start with \"g\", which is bound to first (line 3)"),
            (4, "\"g e\" can't start with \"g\", which is bound to first (line 3)"),
            (5, "quit needs a key; bind it to one (or set quit = \"ctrl-c\")"),
            (6, "\"d\" types a character here"),
            (7, "no such command here; line-end belongs in [keys.input]"),
            (8, "no such command here; zoom belongs in [keys.token] or [keys.indexer]"),
            (9, "\"ctrl-c\" always quits"),
            (10, "\"z\" is listed twice"),
            (11, "\"u u\" and \"u\" can't both be bound"),
            (12, "no such command here; search belongs in [keys.list]"),
            (13, "no such command here (similar: \"previous-char\")"),
        ]
    );
}

#[test]
fn taking_the_only_quit_key_is_an_error() {
    let errors = Keymap::with_overrides(&[given("list", "copy", &["q"], 1)]).unwrap_err();
    let message = "\"q\" is the last key for quit; bind quit to another key (or set quit = \"ctrl-c\")";
    assert_eq!(errors, [OverrideError { index: 0, message: message.into() }]);
    assert!(Keymap::with_overrides(&[given("list", "copy", &["q"], 1), given("list", "quit", &["Q"], 2)]).is_ok());
    assert!(Keymap::with_overrides(&[given("list", "copy", &["q"], 1), given("", "quit", &["ctrl-c"], 2)]).is_ok());
}

#[test]
fn dialogs_and_text_fields_keep_a_key_to_close_them() {
    let found = |overrides: &[Override]| -> Vec<(usize, String)> {
        let errors = Keymap::with_overrides(overrides).err().unwrap_or_default();
        errors.into_iter().map(|error| (overrides[error.index].line, error.message)).collect()
    };
    let (no_back, no_close) = (given("", "back", &[], 1), given("", "close", &[], 2));
    let dialog = [
        (1, "back needs a key; bind it to one (or bind close)"),
        (2, "close needs a key; bind it to one (or bind back)"),
    ]
    .map(|(line, message)| (line, String::from(message)));
    assert_eq!(found(&[no_back.clone(), no_close.clone()]), dialog);
    assert_eq!(found(&[given("dialog", "back", &[], 1), given("dialog", "close", &[], 2)]), dialog);
    assert_eq!(found(&[given("input", "back", &[], 1)]), [(1, "back needs a key; bind it to one".into())]);
    let taken = found(&[given("input", "redraw", &["esc"], 1)]);
    assert_eq!(taken, [(1, "\"esc\" is the last key for back; bind back to another key".into())]);
    for allowed in [[no_back.clone(), given("input", "back", &["f9"], 2)], [no_close, given("", "back", &["x"], 2)]] {
        assert_eq!(found(&allowed), []);
    }
    assert_eq!(found(&[no_back]), [], "q still closes dialogs");
}
