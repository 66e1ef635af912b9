//! What only computes does no I/O and reads no clock, so that every behaviour is a table test.

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

fn sources(place: &Path, found: &mut Vec<PathBuf>) {
    if place.is_dir() {
        for entry in fs::read_dir(place).unwrap() {
            sources(&entry.unwrap().path(), found);
        }
    } else if place.extension().is_some_and(|kind| kind == "rs") {
        found.push(place.to_owned());
    }
}

#[test]
fn between_a_message_and_a_frame_nothing_is_read_written_or_timed() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("src");
    let mut files = Vec::new();
    for part in PURE {
        let before = files.len();
        sources(&root.join(part), &mut files);
        files.extend(Some(root.join(part).with_extension("rs")).filter(|file| file.exists()));
        assert!(files.len() > before, "there is no part called {part}");
    }
    for file in files.iter().filter(|file| !file.ends_with(CLOCK)) {
        let text = fs::read_to_string(file).unwrap();
        for (number, line) in (1..).zip(text.lines()).filter(|(_, line)| !line.trim_start().starts_with("//")) {
            let named = FORBIDDEN.iter().find(|word| line.contains(**word));
            assert_eq!(named, None, "{}:{number}: {line}", file.display());
        }
    }
}
