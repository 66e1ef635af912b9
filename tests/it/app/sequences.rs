//! Sequences of two keys.

use std::time::Duration;

use crossterm::event::{KeyCode, KeyEvent, KeyModifiers};
use satscope::app::{Message, Preferences};
use satscope::client::ErrorKind;
use satscope::keymap::{Context, Keymap, Override, SECTIONS, find_entry};

use crate::support::screen::{Screen, fixture};

/// A screen whose keys include `g g`, `g e` and `space q`, and `ctrl-x a` while typing.
fn screen(columns: u16, rows: u16) -> Screen {
    let given =
        [("", "first", "g g"), ("", "last", "g e"), ("", "quit", "space q"), ("input", "line-start", "ctrl-x a")];
    let overrides = given.map(|(section, name, keys)| Override {
        section: SECTIONS.iter().find(|known| known.name == section),
        entry: find_entry(name).unwrap(),
        keys: vec![keys.parse().unwrap()],
        line: 1,
    });
    let keys = Keymap::with_overrides(&overrides).unwrap();
    let mut screen = Screen::with(Preferences { keys, ..Preferences::default() }, columns, rows);
    screen.serve(fixture::response);
    screen
}

fn footer(screen: &mut Screen) -> String {
    screen.text().lines().last().unwrap_or_default().to_owned()
}

fn row(screen: &Screen) -> usize {
    let satscope::app::Tab::List(tag) = screen.state.tab else { panic!("{:?}", screen.state.tab) };
    screen.state.list(tag).cursor.index()
}

#[test]
fn pending_key_shows_what_can_follow() {
    let mut screen = screen(80, 24);
    let before = footer(&mut screen);
    screen.keys("jjg");
    assert_eq!(footer(&mut screen), " g …  g first row, chart start  e last row, chart end  Esc cancel");
    assert_eq!(row(&screen), 2, "nothing is done yet");
    screen.resize(50, 24);
    assert_eq!(footer(&mut screen), " g …  g first row, chart start …  Esc cancel");
    screen.resize(80, 24);
    screen.keys("g");
    assert_eq!((row(&screen), footer(&mut screen)), (0, before));
    screen.keys("<space>");
    assert_eq!(footer(&mut screen), " Space …  q quit  Esc cancel");
    screen.keys("q");
    assert_eq!(screen.effects, [satscope::app::Effect::Quit]);
}

#[test]
fn other_key_cancels_a_sequence_and_does_nothing() {
    for cancel in ["<esc>", "x", "j", "<up>", "<f1>"] {
        let mut screen = screen(80, 24);
        screen.keys("jjg");
        let pending = footer(&mut screen);
        screen.keys(cancel);
        assert!(screen.state.pending.is_none() && footer(&mut screen) != pending, "{cancel}");
        assert_eq!(row(&screen), 2, "{cancel}");
        screen.keys("gg");
        assert_eq!(row(&screen), 0, "{cancel}: the next sequence works");
    }
    let mut screen = screen(80, 24);
    screen.keys("g<c-c>");
    assert_eq!(screen.effects, [satscope::app::Effect::Quit]);
}

#[test]
fn mouse_and_paste_cancel_a_sequence_but_responses_do_not() {
    let mut screen = screen(80, 24);
    screen.keys("g");
    screen.wait(Duration::from_mins(10));
    screen.fail_all(&ErrorKind::Refused);
    assert!(screen.state.pending.is_some() && footer(&mut screen).starts_with(" g …"));
    screen.send(Message::Wheel(3, None));
    assert!(screen.state.pending.is_none());
    screen.keys("g");
    screen.send(Message::Paste(String::from("g")));
    assert!(screen.state.pending.is_none());
}

#[test]
fn sequence_works_while_typing() {
    let mut screen = screen(80, 24);
    screen.keys("/gg<c-x>");
    assert_eq!(footer(&mut screen), " Ctrl-x …  a start of line  Esc cancel");
    screen.keys("a-");
    assert!(screen.text().contains("-gg"), "{}", screen.text());
}

#[test]
fn pending_key_is_shown_at_any_size_and_over_messages() {
    for (columns, rows) in [(40, 12), (20, 4), (30, 2), (80, 1), (160, 45)] {
        let mut screen = screen(columns, rows);
        screen.keys("jM");
        assert!(screen.state.toast.is_some());
        screen.keys("g");
        assert!(footer(&mut screen).starts_with(" g …"), "{columns}x{rows}:\n{}", screen.text());
    }
}

#[test]
fn esc_and_a_key_in_one_read_only_cancel_the_sequence() {
    let mut screen = screen(80, 24);
    screen.keys("jj<enter>g");
    screen.key(KeyEvent::new(KeyCode::Char('?'), KeyModifiers::ALT));
    assert_eq!(screen.state.context(), Context::Help);
    screen.keys("<esc>");
    assert_eq!(screen.state.context(), Context::Token, "Esc closed the coin's view, too");
}
