//! The corpus in `tests/corpus`, one folder for each fuzz target of `fuzz/`: seeds and inputs found by fuzzing.

mod entries;

use std::path::Path;

/// Passes every file of a folder to an entry point, and names the file if that fails.
fn replay(folder: &str, entry: fn(&[u8])) {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/corpus").join(folder);
    let mut count = 0;
    for file in std::fs::read_dir(&folder).unwrap() {
        let path = file.unwrap().path();
        let data = std::fs::read(&path).unwrap();
        let outcome = std::panic::catch_unwind(|| entry(&data));
        assert!(outcome.is_ok(), "{} fails", path.display());
        count += 1;
    }
    assert!(count > 0, "{} is empty", folder.display());
}

#[test]
fn corpus_bodies_decode_without_panic() {
    replay("body", entries::body);
}

#[test]
fn corpus_sats_parse_without_panic() {
    replay("sat", entries::sat);
}

#[test]
fn corpus_amounts_parse_without_panic() {
    replay("amount", entries::amount);
}

#[test]
fn corpus_configurations_load_without_panic() {
    replay("configuration", entries::configuration);
}

#[test]
fn corpus_keys_parse_without_panic() {
    replay("keys", entries::keys);
}
