//! Dependencies between modules: app and view do no I/O and read no clock, so that their tests need neither; and no two
//! modules use each other.

mod cycles;

use std::fs;
use std::path::{Path, PathBuf};

/// The modules between a message and a frame.
const PURE: [&str; 9] = ["app", "user_data", "portfolio", "alerts", "view", "keymap", "theme", "format", "model"];

/// Items that none of them may use.
const FORBIDDEN: [&str; 16] = [
    "SystemTime",
    "Instant",
    "UtcTime::now",
    "Timestamp::now",
    "Zoned::now",
    "std::env",
    "std::fs",
    "std::io",
    "std::net",
    "std::process",
    "std::thread",
    "tokio",
    "reqwest",
    "println!",
    "eprintln!",
    "tracing",
];

/// The only file that reads the clock.
const CLOCK: &str = "model/time.rs";

/// The parts of the source, and which others each may use. A part uses only parts above it in this list, so there are
/// no cycles: the client knows nothing of its callers, the service only what it requests and serves, and nothing but
/// the runtime and the command line knows the terminal.
const PARTS: [(&str, &[&str]); 23] = [
    ("allocator", &[]),
    ("model", &[]),
    ("clock", &["model"]),
    ("log", &["model"]),
    ("format", &["model"]),
    ("glyphs", &[]),
    ("theme", &[]),
    ("terminal", &[]),
    ("keymap", &["model", "format", "glyphs"]),
    ("client", &["model", "format"]),
    ("fetch", &["model", "clock", "client"]),
    ("user_data", &["model"]),
    ("portfolio", &["model", "user_data"]),
    ("alerts", &["model", "format", "client", "user_data", "portfolio"]),
    ("app", &["model", "format", "glyphs", "keymap", "client", "fetch", "user_data", "portfolio", "alerts"]),
    (
        "view",
        &["model", "format", "glyphs", "theme", "keymap", "client", "fetch", "app", "user_data", "portfolio", "alerts"],
    ),
    ("store", &["model", "user_data"]),
    // Its providers request other services through the client, and count their requests in the store.
    ("service", &["allocator", "model", "format", "client", "store"]),
    (
        "config",
        &[
            "model",
            "log",
            "glyphs",
            "theme",
            "keymap",
            "client",
            "service",
            "store",
            "fetch",
            "app",
            "user_data",
            "portfolio",
        ],
    ),
    ("snapshot", &["model", "client", "fetch", "app", "config"]),
    ("network", &["model", "clock", "client", "service", "store", "fetch", "config", "user_data"]),
    (
        "runtime",
        &[
            "allocator",
            "model",
            "clock",
            "glyphs",
            "theme",
            "terminal",
            "keymap",
            "fetch",
            "app",
            "view",
            "store",
            "config",
            "snapshot",
            "network",
        ],
    ),
    (
        "cli",
        &[
            "allocator",
            "model",
            "clock",
            "log",
            "format",
            "glyphs",
            "theme",
            "terminal",
            "client",
            "fetch",
            "service",
            "app",
            "view",
            "store",
            "config",
            "snapshot",
            "runtime",
            "user_data",
            "portfolio",
            "alerts",
        ],
    ),
];

fn sources(place: &Path, found: &mut Vec<PathBuf>) {
    if place.is_dir() {
        for entry in fs::read_dir(place).unwrap() {
            sources(&entry.unwrap().path(), found);
        }
    } else if place.extension().is_some_and(|kind| kind == "rs") {
        found.push(place.to_owned());
    }
}

/// The files of a module.
fn files(part: &str) -> Vec<PathBuf> {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("src");
    let mut files = Vec::from_iter(Some(root.join(part).with_extension("rs")).filter(|file| file.exists()));
    sources(&root.join(part), &mut files);
    assert!(!files.is_empty(), "there is no part called {part}");
    files
}

/// The lines of a file that are not comments, with their numbers.
fn lines(text: &str) -> impl Iterator<Item = (usize, &str)> {
    (1..).zip(text.lines()).filter(|(_, line)| !line.trim_start().starts_with("//"))
}

#[test]
fn app_and_view_do_no_io_and_read_no_clock() {
    for file in PURE.iter().flat_map(|part| files(part)).filter(|file| !file.ends_with(CLOCK)) {
        for (number, line) in lines(&fs::read_to_string(&file).unwrap()) {
            // A group may name them without their full path.
            let named = FORBIDDEN.iter().chain(&["std::{"]).find(|word| line.contains(**word));
            assert_eq!(named, None, "{}:{number}: {line}", file.display());
        }
    }
}

#[test]
fn modules_use_only_allowed_modules() {
    let root = fs::read_to_string(Path::new(env!("CARGO_MANIFEST_DIR")).join("src/lib.rs")).unwrap();
    let parts = root.lines().filter_map(|line| line.trim_start_matches("pub ").strip_prefix("mod "));
    for part in parts {
        assert!(PARTS.iter().any(|(name, _)| *name == part.trim_end_matches(';')), "what may {part} use?");
    }
    for (place, (part, uses)) in PARTS.iter().enumerate() {
        for used in *uses {
            assert!(PARTS[..place].iter().any(|(name, _)| name == used), "{part} uses {used}, which is not above it");
        }
        for file in files(part).iter().filter(|file| !file.ends_with("tests.rs")) {
            let text = fs::read_to_string(file).unwrap();
            let shipped = text.split("#[cfg(test)]\nmod tests {").next().unwrap();
            for (number, line) in lines(shipped) {
                for named in line.split("crate::").skip(1) {
                    let named = named.split(|c: char| c != '_' && !c.is_alphanumeric()).next().unwrap();
                    assert!(named == *part || uses.contains(&named), "{}:{number}: {line}", file.display());
                }
            }
        }
    }
}

/// Names of keys that no string may contain; they take them from the key map.
const KEY_NAMES: [&str; 9] = ["Esc", "Enter", "↵", "Ctrl-", "PgUp", "PgDn", "Backspace", "Shift-Tab", "Space"];

/// The terminal's own key, which no key map changes, once the dashboard has left the terminal.
const INTERRUPT: &str = "press Ctrl-C to quit without saving";

#[test]
fn texts_name_keys_only_from_the_key_map() {
    for file in ["app", "view", "runtime", "service", "client", "fetch", "store"].iter().flat_map(|part| files(part)) {
        let text = fs::read_to_string(&file).unwrap();
        let shipped = text.split("#[cfg(test)]\nmod tests {").next().unwrap();
        for (number, line) in lines(shipped).filter(|_| !file.ends_with("tests.rs")) {
            // Every second part is in quotes.
            for literal in line.split('"').skip(1).step_by(2) {
                let literal = literal.replace(INTERRUPT, "");
                let named = KEY_NAMES.iter().find(|name| literal.contains(**name));
                let pressed = literal.split("press ").skip(1).find(|rest| !rest.starts_with('{'));
                assert_eq!(named.or(pressed.as_ref()), None, "{}:{number}: {line}", file.display());
            }
        }
    }
}
