//! The screens as keys make them: header, lists, overlays, wallet.

use std::time::Duration;

use insta::assert_snapshot;
use satscope::app::Preferences;
use satscope::app::watch::Watched;
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

#[test]
fn a_search() {
    for (columns, rows) in SIZES {
        let mut screen = ready(columns, rows);
        screen.keys("/rat");
        screen.serve(fixture::answer);
        assert_snapshot!(format!("list-searching-{columns}x{rows}"), screen.picture());
        screen.keys("<enter>j");
        assert_snapshot!(format!("list-found-{columns}x{rows}"), screen.picture());
        screen.keys("/zzqx");
        assert_snapshot!(format!("list-nothing-{columns}x{rows}"), screen.picture());
    }
}

#[test]
fn the_wallet() {
    for (columns, rows) in SIZES {
        let mut screen = ready(columns, rows);
        screen.keys("4");
        screen.start_all();
        assert_snapshot!(format!("wallet-loading-{columns}x{rows}"), screen.picture());
        screen.serve(fixture::answer);
        screen.keys("j");
        assert_snapshot!(format!("wallet-ready-{columns}x{rows}"), screen.picture());
        screen.wait(Duration::from_mins(20));
        screen.fail_all(&ErrorKind::RateLimited { retry_after: None });
        assert_snapshot!(format!("wallet-stale-{columns}x{rows}"), screen.picture());
        screen.keys("+");
        screen.fail_all(&ErrorKind::RateLimited { retry_after: None });
        assert_snapshot!(format!("wallet-failed-{columns}x{rows}"), screen.picture());
    }
}

#[test]
fn a_wallet_with_nothing_in_it() {
    let watched = Vec::new();
    let mut screen = Screen::with(Preferences { watched, ..Preferences::default() }, 60, 10);
    screen.keys("4");
    assert_snapshot!(screen.picture());
}

#[test]
fn a_symbol_of_which_nothing_is_known() {
    let watched = ["ORDI", "GONE"].map(Watched::by_symbol).to_vec();
    let mut screen = Screen::with(Preferences { watched, ..Preferences::default() }, 100, 14);
    screen.keys("4");
    screen.serve(fixture::answer);
    assert_snapshot!(screen.picture());
}

#[test]
fn the_help() {
    for (columns, rows) in SIZES {
        let mut screen = ready(columns, rows);
        screen.keys("?jj");
        assert_snapshot!(format!("help-{columns}x{rows}"), screen.picture());
    }
}

#[test]
fn a_post() {
    for (columns, rows) in SIZES {
        let mut screen = ready(columns, rows);
        screen.keys("jj<enter>");
        screen.serve(fixture::answer);
        screen.keys("<tab><tab>j<enter>j");
        assert_snapshot!(format!("post-{columns}x{rows}"), screen.picture());
        screen.keys("oj");
        assert_snapshot!(format!("post-links-{columns}x{rows}"), screen.picture());
    }
}

#[test]
fn the_currencies() {
    for (columns, rows) in SIZES {
        let mut screen = ready(columns, rows);
        screen.keys("cj");
        assert_snapshot!(format!("currency-{columns}x{rows}"), screen.picture());
        screen.keys("chfx");
        assert_snapshot!(format!("currency-typed-{columns}x{rows}"), screen.picture());
    }
}

#[test]
fn the_look_up_line() {
    for (columns, rows) in SIZES {
        let mut screen = ready(columns, rows);
        screen.keys("5:");
        assert_snapshot!(format!("lookup-{columns}x{rows}"), screen.picture());
        screen.keys("840000<down>");
        assert_snapshot!(format!("lookup-typed-{columns}x{rows}"), screen.picture());
    }
}
