//! The section `[keys]`: errors, precedence, and the commented file.

use satscope::config::TEMPLATE;
use satscope::keymap::{self, COMMANDS, Command, Context, Keymap, Press, SECTIONS, Sequence};

use super::{Home, read};
use satscope::config::Flags;

fn keys(text: &str) -> Keymap {
    read(text).unwrap().keys
}

/// The keys of a command in the notation of the file.
fn of(map: &Keymap, command: Command, place: Context) -> Vec<String> {
    let binding = map.bindings(place).iter().find(|binding| binding.entry.command == command).unwrap();
    binding.keys.iter().map(Sequence::to_string).collect()
}

fn press(map: &Keymap, place: Context, keys: &str) -> Press {
    let keys: Sequence = keys.parse().unwrap();
    let first = map.press(place, None, keys.first.event());
    match keys.second {
        None => first,
        Some(second) => {
            assert_eq!(first, Press::Wait(keys.first));
            map.press(place, Some(keys.first), second.event())
        }
    }
}

#[test]
fn twenty_key_errors_are_reported_at_once() {
    let home = Home::with(
        r#"[display]
period = "2Y"
[keys]
opne = "o"
links = "entr"
zoom = 5
copy = ["y", true]
search = { now = "x" }
refresh = "ctrl-i"
help = "a b c"
currency = ""
redraw = "ctrl-c"
quit = []
first = "g"
last = ["g g", "G"]
next-coin = ["x", "x"]
line-end = "ctrl-e"
[keys.lst]
open = "o"
copy = "c"
[keys.token]
filter = "F"
next-period = "p"
zoom = "p"
[keys.input]
delete-line = "d"
[keys.status]
tab-al = "a"
[keys.list]
search = "super-s"
[keys.dialog]
close = ["c", "c c"]
copy = "c"
[keys.wallet.open]
deep = 1
"#,
    );
    let error = home.load(&Flags::default(), &[]).unwrap_err().to_string();
    let found: Vec<&str> =
        error.lines().map(|line| line.strip_prefix(home.file().to_str().unwrap()).unwrap()).collect();
    assert_eq!(
        found,
        [
            ":2: display.period: not one of 1D, 7D, 1M, 3M, 1Y, All",
            ":4: keys.opne: unknown command \"opne\" (similar: \"open\")",
            ":5: keys.links: unknown key \"entr\" (similar: \"enter\")",
            ":6: keys.zoom: expected a key such as \"r\" or a list of keys, found a number",
            ":7: keys.copy: expected a key such as \"r\" or a list of keys, found true or false",
            ":8: keys.search: expected a key such as \"r\" or a list of keys, found a table",
            ":9: keys.refresh: terminals send \"ctrl-i\" as \"tab\"; use \"tab\"",
            ":10: keys.help: \"a b c\" has 3 keys; a sequence has at most two",
            ":11: keys.currency: empty key; use [] to unbind",
            ":12: keys.redraw: \"ctrl-c\" always quits",
            ":13: keys.quit: quit needs a key; bind it to one (or set quit = \"ctrl-c\")",
            ":15: keys.last: \"g g\" can't start with \"g\", which is bound to first (line 14)",
            ":16: keys.next-coin: \"x\" is listed twice",
            ":17: keys.line-end: no such command here; line-end belongs in [keys.input]",
            ":19: unknown section [keys.lst] (similar: [keys.list])",
            ":22: keys.token.filter: no such command here; filter belongs in [keys.indexer]",
            ":24: keys.token.zoom: \"p\" is also bound to next-period (line 23)",
            ":26: keys.input.delete-line: \"d\" types a character here",
            ":28: keys.status.tab-al: unknown command \"tab-al\" (similar: \"tab-all\")",
            ":30: keys.list.search: unknown key \"super-s\" (expected a character, or a name such as \"enter\", \"f5\", \
             \"ctrl-x\")",
            ":32: keys.dialog.close: \"c c\" and \"c\" can't both be bound",
            ":33: keys.dialog.copy: \"c\" is also bound to close (line 32)",
            ":35: keys.wallet.open: expected a key such as \"r\" or a list of keys, found a table",
        ]
    );
}

#[test]
fn valid_keys_beside_an_invalid_one_are_checked() {
    let home = Home::with("[keys]\nrefresh = [\"r\", \"f99\"]\nquit = [\"r\"]\n");
    let error = home.load(&Flags::default(), &[]).unwrap_err().to_string();
    let lines: Vec<&str> = error.lines().collect();
    assert_eq!(lines.len(), 2, "{error}");
    assert!(lines[0].contains(":2: keys.refresh: unknown key \"f99\""), "{error}");
    assert!(lines[1].ends_with(":3: keys.quit: \"r\" is also bound to refresh (line 2)"), "{error}");
}

#[test]
fn unknown_command_is_also_found_by_its_description() {
    for (name, known) in [("all-coins", "tab-all"), ("brc-20-tokens", "tab-brc-20"), ("simulated-data", "toggle-live")]
    {
        let error = read(&format!("[keys]\n{name} = 'x'")).unwrap_err().to_string();
        let expected = format!("keys.{name}: unknown command {name:?} (similar: {known:?})");
        assert!(error.ends_with(&expected), "{error}");
    }
}

#[test]
fn table_in_place_of_keys_is_reported_once() {
    for (text, key) in [
        ("[keys]\nzoom = { a = 1, b = { c = 2 } }", "keys.zoom"),
        ("[keys]\nzoom = {}", "keys.zoom"),
        ("[keys.list]\nopen = { a = 1, b = 2 }", "keys.list.open"),
        ("[keys.list]\nopen = {}", "keys.list.open"),
    ] {
        let error = read(text).unwrap_err().to_string();
        let expected = format!(":2: {key}: expected a key such as \"r\" or a list of keys, found a table");
        assert!(error.ends_with(&expected) && error.lines().count() == 1, "{error}");
    }
    let sections = "unknown section [keys.magic] (list sections: satscope config default)";
    assert!(read("[keys.magic]\nopen = 'o'").unwrap_err().to_string().ends_with(sections));
}

#[test]
fn section_keys_override_general_keys_and_defaults() {
    let map = keys(
        "[keys]\nrefresh = [\"s\", \"f5\"]\ncopy = []\n[keys.list]\nrefresh = \"u\"\n[keys.input]\ndown = \"ctrl-n\"\n",
    );
    assert_eq!(of(&map, Command::Refresh, Context::Token), ["s", "f5"]);
    assert_eq!(of(&map, Command::Refresh, Context::List), ["u"]);
    assert_eq!(press(&map, Context::Token, "s"), Press::Run(Command::Refresh), "taken from its default command");
    assert_eq!(press(&map, Context::List, "s"), Press::Run(Command::SortMenu));
    assert_eq!(of(&map, Command::SortMenu, Context::Token), [""; 0]);
    assert_eq!(press(&map, Context::Token, "r"), Press::Nothing);
    assert!([Context::List, Context::Post].iter().all(|place| press(&map, *place, "y") == Press::Nothing), "unbound");
    assert_eq!(of(&map, Command::Down, Context::Choice), ["ctrl-n"]);
    assert_eq!(of(&map, Command::Down, Context::List), ["down", "j"], "the input section is for typing only");
}

#[test]
fn general_keys_do_not_apply_while_typing() {
    let map = keys("[keys]\nback = [\"backspace\", \"x\"]\nup = \"ctrl-w\"\n");
    assert_eq!(press(&map, Context::Help, "x"), Press::Run(Command::Back));
    assert_eq!(of(&map, Command::Back, Context::Line), ["esc"]);
    assert_eq!(of(&map, Command::Up, Context::Choice), ["up"]);
    let backspace = press(&map, Context::Line, "backspace");
    assert_eq!(backspace, Press::Run(keymap::find_entry("delete-previous-char").unwrap().command));
}

#[test]
fn sequences_of_two_keys_are_read() {
    let map =
        keys("[keys]\nfirst = [\"g g\", \"home\"]\nquit = \"space q\"\n[keys.input]\nline-start = \"ctrl-x a\"\n");
    assert_eq!(press(&map, Context::List, "g g"), Press::Run(Command::First));
    assert_eq!(press(&map, Context::Indexer, "g g"), Press::Run(Command::First));
    assert!(of(&map, Command::Lookup, Context::Indexer).is_empty());
    assert_eq!(press(&map, Context::Token, "space q"), Press::Run(Command::Quit));
    assert_eq!(of(&map, Command::ToggleWatch, Context::Token), ["f"]);
    assert_eq!(press(&map, Context::Token, "space x"), Press::Nothing);
    assert_eq!(press(&map, Context::Line, "ctrl-x a"), Press::Run(keymap::find_entry("line-start").unwrap().command));
}

#[test]
fn config_show_lists_commands_with_keys_and_origin() {
    let home = Home::with("[keys]\nrefresh = [\"R\", \"g r\"]\nzoom = []\n[keys.token]\ncopy = \"s\"\n");
    let settings = home.load(&Flags::default(), &[]).unwrap();
    let line = |line: u32| format!("{}:{line}", home.file().display());
    let rows: Vec<(String, String, String)> =
        settings.rows().into_iter().map(|(key, value, origin)| (key, value, origin.to_string())).collect();
    let row = |key: &str| rows.iter().find(|row| row.0 == key).map(|row| (row.1.as_str(), row.2.clone()));
    assert_eq!(row("keys.refresh"), Some(("[\"R\", \"g r\"]", line(2))));
    assert_eq!(row("keys.zoom"), Some(("[]", line(3))));
    assert_eq!(row("keys.copy"), Some(("\"y\"", "default".into())));
    assert_eq!(row("keys.token.copy"), Some(("\"s\"", line(5))));
    assert_eq!(row("keys.token.sort-menu"), Some(("[]", line(5))), "the line that took its key");
    assert_eq!(row("keys.sort-menu"), Some(("\"s\"", "default".into())));
    assert_eq!(row("keys.input.back"), Some(("\"esc\"", "default".into())));
    for entry in COMMANDS {
        let names = SECTIONS.iter().map(|section| format!("keys.{}.{}", section.name, entry.name));
        assert!(names.chain([format!("keys.{}", entry.name)]).any(|name| row(&name).is_some()), "{}", entry.name);
    }
}

/// Finds the value and the origin of a key of a configuration, as `config show` prints them: `"Z" line 2`.
fn shown(text: &str) -> impl Fn(&str) -> Option<String> {
    let home = Home::with(text);
    let settings = home.load(&Flags::default(), &[]).unwrap();
    let file = format!("{}:", home.file().display());
    move |key| {
        let (_, value, origin) = settings.rows().into_iter().find(|row| row.0 == key)?;
        Some(format!("{value} {}", origin.to_string().replace(&file, "line ")))
    }
}

#[test]
fn config_show_lists_keys_of_two_sections_with_their_lines() {
    let row =
        shown("[keys]\nzoom = 'Z'\n[keys.token]\nzoom = 'W'\n[keys.list]\nsearch = 'X'\n[keys.indexer]\nzoom = 'V'\n");
    for (key, expected) in [
        ("keys.zoom", "\"Z\" line 2"),
        ("keys.token.zoom", "\"W\" line 4"),
        ("keys.search", "\"/\" default"),
        ("keys.list.search", "\"X\" line 6"),
        ("keys.indexer.zoom", "\"V\" line 8"),
    ] {
        assert_eq!(row(key).as_deref(), Some(expected), "{key}");
    }
}

#[test]
fn config_show_lists_keys_of_a_section_that_equal_the_general_ones() {
    let row = shown("[keys]\nzoom = 'Z'\n[keys.token]\nzoom = 'Z'\ncopy = 'y'\n");
    for (key, expected) in [
        ("keys.zoom", "\"Z\" line 2"),
        ("keys.token.zoom", "\"Z\" line 4"),
        ("keys.copy", "\"y\" default"),
        // Written, though it is the default.
        ("keys.token.copy", "\"y\" line 5"),
    ] {
        assert_eq!(row(key).as_deref(), Some(expected), "{key}");
    }
    assert_eq!((row("keys.indexer.zoom"), row("keys.indexer.copy")), (None, None), "not written");
}

#[test]
fn template_lists_default_keys() {
    assert!(TEMPLATE.ends_with(&keymap::toml()), "end assets/config.toml with:\n\n{}", keymap::toml());
}

#[test]
fn empty_key_sections_change_nothing() {
    let map = keys("[keys]\n[keys.list]\n[keys.input]\n");
    assert_eq!(map.settings().len(), Keymap::default().settings().len());
    for text in ["keys = 5", "[keys]\nlist = 'x'"] {
        assert!(read(text).unwrap_err().to_string().contains("expected a table, found a"), "{text}");
    }
}
