//! The screens as keys make them: header, lists, overlays, wallet.

use std::time::Duration;

use insta::assert_snapshot;
use satscope::client::ErrorKind;

use crate::support::screen::{Screen, fixture};

const SIZES: [(u16, u16); 3] = [(160, 45), (80, 24), (40, 12)];

/// The list as it is once everything has come.
fn ready(columns: u16, rows: u16) -> Screen {
    let mut screen = Screen::new(columns, rows);
    screen.serve(fixture::answer);
    screen
}

#[test]
fn the_list() {
    for (columns, rows) in SIZES {
        let mut screen = ready(columns, rows);
        screen.keys("jj f");
        screen.wait(Duration::from_secs(130));
        assert_snapshot!(format!("list-ready-{columns}x{rows}"), screen.picture());
    }
}

#[test]
fn a_list_that_loads() {
    for (columns, rows) in SIZES {
        let mut screen = Screen::new(columns, rows);
        screen.start_all();
        assert_snapshot!(format!("list-loading-{columns}x{rows}"), screen.picture());
    }
}

#[test]
fn a_list_that_failed() {
    for (columns, rows) in SIZES {
        let mut screen = Screen::new(columns, rows);
        screen.fail_all(&ErrorKind::Refused);
        assert_snapshot!(format!("list-failed-{columns}x{rows}"), screen.picture());
    }
}

#[test]
fn a_list_that_is_stale() {
    for (columns, rows) in SIZES {
        let mut screen = ready(columns, rows);
        screen.wait(Duration::from_mins(12));
        screen.fail_all(&ErrorKind::Resolve);
        assert_snapshot!(format!("list-stale-{columns}x{rows}"), screen.picture());
    }
}
