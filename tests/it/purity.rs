//! Who may know what: what only computes does no I/O and reads no clock, so that every behaviour is a table test; and no
//! two parts know each other.

mod cycles;

use std::fs;
use std::path::{Path, PathBuf};

/// The parts of the source that stand between a message and a frame.
const PURE: [&str; 6] = ["app", "view", "keymap", "theme", "format", "model"];

/// What none of them may name.
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

/// The one file that reads the clock, for those outside.
const CLOCK: &str = "model/time.rs";

/// The parts of the source. Each knows only some of those that stand before it.
const PARTS: [&str; 19] = [
    "model", "clock", "log", "format", "glyphs", "theme", "terminal", "keymap", "client", "fetch", "app", "view",
    "store", "service", "config", "snapshot", "network", "runtime", "cli",
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

/// The files of a part of the source.
fn files(part: &str) -> Vec<PathBuf> {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("src");
    let mut files = Vec::from_iter(Some(root.join(part).with_extension("rs")).filter(|file| file.exists()));
    sources(&root.join(part), &mut files);
    assert!(!files.is_empty(), "there is no part called {part}");
    files
}

/// The lines of a file that are no comments, by their numbers.
fn lines(text: &str) -> impl Iterator<Item = (usize, &str)> {
    (1..).zip(text.lines()).filter(|(_, line)| !line.trim_start().starts_with("//"))
}

#[test]
fn between_a_message_and_a_frame_nothing_is_read_written_or_timed() {
    for file in PURE.iter().flat_map(|part| files(part)).filter(|file| !file.ends_with(CLOCK)) {
        for (number, line) in lines(&fs::read_to_string(&file).unwrap()) {
            let named = FORBIDDEN.iter().find(|word| line.contains(**word));
            assert_eq!(named, None, "{}:{number}: {line}", file.display());
        }
    }
}

#[test]
fn no_part_knows_one_that_stands_above_it() {
    let root = fs::read_to_string(Path::new(env!("CARGO_MANIFEST_DIR")).join("src/lib.rs")).unwrap();
    let parts = root.lines().filter_map(|line| line.trim_start_matches("pub ").strip_prefix("mod "));
    for part in parts {
        assert!(PARTS.contains(&part.trim_end_matches(';')), "where does {part} stand?");
    }
    for (place, part) in PARTS.iter().enumerate() {
        for file in files(part).iter().filter(|file| !file.ends_with("tests.rs")) {
            let text = fs::read_to_string(file).unwrap();
            let shipped = text.split("#[cfg(test)]\nmod tests {").next().unwrap();
            for (number, line) in lines(shipped) {
                for named in line.split("crate::").skip(1) {
                    let named = named.split(|c: char| c != '_' && !c.is_alphanumeric()).next().unwrap();
                    let stands = PARTS.iter().position(|part| *part == named);
                    assert!(stands.is_some_and(|there| there <= place), "{}:{number}: {line}", file.display());
                }
            }
        }
    }
}
