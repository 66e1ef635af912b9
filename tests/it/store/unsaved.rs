//! Changes that can't be saved: the mark in the header, and the last message.

use std::fs;
use std::path::Path;

use portable_pty::CommandBuilder;
use rustix::process::Signal;
use satscope::store;

use super::{database, state};
use crate::support::session::Session;

/// A dashboard in which a lot was added that can't be saved.
fn with_lost_lot(home: &Path, variables: &[(&str, Option<&str>)]) -> Session {
    let command = CommandBuilder::new(env!("CARGO_BIN_EXE_satscope"));
    let mut session = Session::start_in(home, (160, 30), command, variables);
    session.until_text("BTC");
    session.press("4");
    session.until_text("SATS");
    session.press("a");
    session.until_text("Add lot");
    session.press("3 ordi @ 5\r");
    session.until_text("1 change not saved");
    session
}

/// A file where the state directory should be.
fn block(home: &Path) {
    fs::create_dir_all(state(home).parent().unwrap()).unwrap();
    fs::write(state(home), "in the way").unwrap();
}

#[test]
fn lost_lot_is_marked_and_reported_at_the_end() {
    let home = tempfile::tempdir().unwrap();
    block(home.path());
    let mut session = with_lost_lot(home.path(), &[]);
    // Another key press dismisses the toast, but not the mark.
    session.press("1");
    session.until("the list without the toast", |screen| {
        let text = screen.contents();
        text.contains("Market cap") && text.contains("1 change not saved") && !text.contains("changes stay in memory")
    });
    session.press("fj");
    session.until_text("2 changes not saved");
    session.resize((80, 24));
    session.until("the short mark, with the titles of the tabs", |screen| {
        screen.contents().contains("⊘ 2") && screen.contents().contains("4 Wallet")
    });
    session.press("q");
    let (status, screen) = session.wait();
    let reason = format!("{} (not a directory)", state(home.path()).display());
    let said: String = screen.lines().collect();
    assert!(said.contains(&format!("satscope: 2 changes not saved: can't write {reason}")), "{screen}");
    assert_eq!((status, screen.matches("satscope: ").count()), (1, 1), "{screen}");
}

#[test]
fn lost_lot_is_reported_without_a_home_directory_and_after_a_signal() {
    let home = tempfile::tempdir().unwrap();
    let mut session = with_lost_lot(home.path(), &[("HOME", Some("relative"))]);
    session.press("q");
    let (status, screen) = session.wait();
    let reason = "1 change not saved: no home directory; set HOME or XDG_STATE_HOME";
    assert!(status == 1 && screen.contains(&format!("satscope: {reason}")), "{screen}");
    let session = with_lost_lot(home.path(), &[("HOME", Some("relative"))]);
    session.signal(Signal::TERM);
    let (status, screen) = session.wait();
    assert!(status == 143 && screen.contains(&format!("satscope: {reason}")), "{screen}");
}

#[test]
fn change_that_could_not_be_saved_is_saved_at_the_end() {
    let home = tempfile::tempdir().unwrap();
    block(home.path());
    let mut session = with_lost_lot(home.path(), &[]);
    fs::remove_file(state(home.path())).unwrap();
    session.press("q");
    assert_eq!(session.wait().0, 0);
    assert!(database(home.path()).exists());
    assert_eq!(store::read_all(&state(home.path())).unwrap().lots.len(), 1, "it was saved at the end");
}
