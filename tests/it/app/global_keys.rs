//! Keys that work on every tab: suspend, redraw, quit, mouse capture, lists, page up and down, sorting.

use crossterm::event::{KeyCode, KeyEvent, KeyModifiers};
use satscope::app::screen::list::SortColumn;
use satscope::app::{Effect, Message, Overlay, Tab};
use satscope::model::{Link, Tag};

use super::fixtures::{App, all, many, page, three};

fn control(app: &mut App, c: char) -> Vec<Effect> {
    app.send(Message::Key(KeyEvent::new(KeyCode::Char(c), KeyModifiers::CONTROL)))
}

#[test]
fn suspend_redraw_and_quit_work_on_every_tab() {
    let mut app = App::new();
    for keys in ["", "4", "5", "6", "?"] {
        app.keys(keys);
        assert_eq!(control(&mut app, 'z'), [Effect::Suspend], "{keys}");
        assert_eq!(control(&mut app, 'l'), [Effect::Redraw], "{keys}");
        assert_eq!(control(&mut app, 'c'), [Effect::Quit], "{keys}");
    }
}

#[test]
fn mouse_capture_toggles() {
    let mut app = App::new();
    assert!(app.state.mouse);
    assert_eq!(app.keys("M"), [Effect::CaptureMouse(false)]);
    assert!(!app.state.mouse && app.state.toast.as_ref().unwrap().text.contains("Mouse capture off"));
    assert_eq!(app.keys("M"), [Effect::CaptureMouse(true)]);
    assert!(app.state.mouse && app.state.toast.as_ref().unwrap().text.contains("Mouse capture on"));
}

#[test]
fn next_list_key_cycles_lists_from_any_tab() {
    let mut app = App::new();
    let lists = Tag::ALL.map(Tab::List);
    for (from, to) in [("1", lists[1]), ("2", lists[2]), ("3", lists[0]), ("4", lists[0]), ("6", lists[0])] {
        app.keys(from);
        app.keys("t");
        assert_eq!(app.state.tab, to, "{from}");
    }
}

#[test]
fn tab_keys_close_dialogs_without_a_text_field() {
    let mut app = App::new();
    app.answer(&all(1), page(three(), Some(3)));
    for dialog in ["v", "?", "C", "D", "v?"] {
        app.keys("1");
        app.keys(dialog);
        assert!(app.state.overlay.is_some(), "{dialog}");
        app.keys("6");
        assert_eq!((app.state.overlay.is_none(), app.state.tab), (true, Tab::Status), "{dialog}");
    }
    assert!(app.state.comparison.coins().is_empty(), "a coin compared alone is not marked");
    // In the view of a coin, too, and to the tab that it covers.
    app.keys("1");
    app.key(KeyCode::Enter);
    app.keys("v1");
    assert!(app.state.overlay.is_none() && app.state.token.is_none(), "{:?}", app.state.overlay);
    // In a text field, they are text.
    app.keys("c6");
    assert_eq!((app.state.overlay.is_some(), app.state.tab), (true, Tab::List(Tag::All)));
}

#[test]
fn tab_keys_in_the_help_above_a_text_field_keep_the_text() {
    let mut app = App::new();
    app.answer(&all(1), page(three(), Some(3)));
    app.keys("/or");
    app.key(KeyCode::F(1));
    app.keys("6");
    assert!(matches!(app.state.overlay, Some(Overlay::Help { .. })), "{:?}", app.state.overlay);
    app.key(KeyCode::Esc);
    app.keys("d");
    assert_eq!((app.state.tab, app.state.list(Tag::All).search.value()), (Tab::List(Tag::All), "ord"));
}

#[test]
fn page_keys_move_one_screen_less_one_row() {
    let mut app = App::new();
    app.answer(&all(1), page(many(1, 200), Some(200)));
    let step = app.state.content_rows() - 1;
    assert!(step > 20);
    let mut row = |code| {
        app.key(code);
        app.state.list(Tag::All).cursor.index()
    };
    assert_eq!([row(KeyCode::PageDown), row(KeyCode::PageDown), row(KeyCode::PageUp)], [step, 2 * step, step]);
    assert_eq!([row(KeyCode::PageUp), row(KeyCode::PageUp)], [0, 0]);
    assert_eq!([row(KeyCode::End), row(KeyCode::Home)], [199, 0]);
}

#[test]
fn text_sorts_ascending_and_numbers_descending_first() {
    let mut app = App::new();
    app.answer(&all(1), page(three(), Some(3)));
    let mut sort = |column: SortColumn| {
        app.keys(&format!("s{}", column.key()));
        let sort = app.state.list(Tag::All).sort;
        (sort.column, sort.descending)
    };
    let chosen =
        [SortColumn::Low, SortColumn::High, SortColumn::AllTimeHigh, SortColumn::FromAllTimeHigh, SortColumn::Supply];
    for column in SortColumn::ALL.into_iter().filter(|column| !chosen.contains(column)) {
        assert_eq!(sort(column), (column, !matches!(column, SortColumn::Rank | SortColumn::Name)));
    }
}

#[test]
fn help_has_no_links() {
    let mut app = App::new();
    let mut coins = three();
    coins[0].links = [Link { kind: "website".into(), url: "https://a.example/".into() }].into_iter().collect();
    app.answer(&all(1), page(coins, Some(3)));
    app.keys("?o");
    assert!(matches!(app.state.overlay, Some(Overlay::Help { .. })));
}
