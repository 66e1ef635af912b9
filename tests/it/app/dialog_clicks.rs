//! Clicks beside an open dialog or the items of a menu, on the first row, and after the wheel; the wheel.

use satscope::app::panel::Panel;
use satscope::app::{ClickTarget, Message, Overlay, Tab};
use satscope::model::Tag;

use crate::support::screen::{Screen, fixture};

/// A screen with a list and a dialog.
fn with_dialog(keys: &str) -> Screen {
    let mut screen = Screen::new(160, 45);
    screen.serve(fixture::response);
    screen.keys(keys);
    assert!(screen.state.overlay.is_some(), "{keys}");
    screen.paint();
    screen
}

#[test]
fn click_outside_a_dialog_closes_it() {
    for keys in [":", ":ordi", "?", "c", "cxyz", "C", "!", "D"] {
        let mut screen = with_dialog(keys);
        screen.click(0, 16);
        assert!(screen.state.overlay.is_none(), "{keys}: {}", screen.text());
        assert_eq!(screen.state.list(Tag::All).cursor.index(), 0, "{keys}: the click selects nothing");
    }
    let mut screen = with_dialog(":");
    let header = screen.text().lines().next().unwrap_or_default().find("Wallet").unwrap();
    screen.click(u16::try_from(header).unwrap(), 0);
    assert_eq!((screen.state.overlay.is_none(), screen.state.tab), (true, Tab::List(Tag::All)), "only closes it");
}

#[test]
fn click_outside_goes_back_like_esc() {
    let mut screen = with_dialog("C?");
    screen.click(0, 0);
    assert!(matches!(screen.state.overlay, Some(Overlay::Columns { .. })), "{:?}", screen.state.overlay);
    screen.paint();
    screen.click(0, 0);
    assert!(screen.state.overlay.is_none(), "{:?}", screen.state.overlay);
}

#[test]
fn click_on_a_dialog_does_not_close_it() {
    for keys in [":", "?", "c", "C"] {
        let mut screen = with_dialog(keys);
        let text = screen.text();
        let (row, column) = text.lines().enumerate().find_map(|(row, line)| Some((row, line.find('┌')?))).unwrap();
        let column = text.lines().nth(row).unwrap()[..column].chars().count();
        let (column, row) = (u16::try_from(column).unwrap(), u16::try_from(row).unwrap());
        assert_eq!(screen.view_state.hit(column, row), None, "{keys}");
        assert_eq!(screen.view_state.hit(column, row - 1), Some(ClickTarget::Outside), "{keys}");
    }
}

#[test]
fn click_between_the_items_of_a_menu_does_nothing() {
    let mut screen = Screen::new(120, 35);
    screen.serve(fixture::response);
    screen.keys("s");
    let text = screen.text();
    let (row, line) = text.lines().enumerate().find(|(_, line)| line.contains("sort by")).unwrap();
    let gap = line.find("sort by").unwrap() + "sort by".len();
    let columns = line[..gap].chars().count();
    screen.click(u16::try_from(columns).unwrap(), u16::try_from(row).unwrap());
    assert!(screen.state.menu.is_some(), "{}", screen.text());
    assert_eq!(screen.state.list(Tag::All).cursor.index(), 0, "the click selects no row below the menu");
}

#[test]
fn first_click_on_the_first_row_does_not_open_it() {
    let mut screen = Screen::new(120, 35);
    screen.serve(fixture::response);
    screen.send(Message::Click(ClickTarget::Row(None, 0)));
    assert!(screen.state.token.is_none(), "{}", screen.text());
    screen.send(Message::Click(ClickTarget::Row(None, 0)));
    assert!(screen.state.token.is_some(), "{}", screen.text());
}

#[test]
fn click_on_the_row_that_the_wheel_selected_does_not_open_it() {
    let mut screen = Screen::new(120, 35);
    screen.serve(fixture::response);
    screen.send(Message::Wheel(1, None));
    let row = screen.state.list(Tag::All).cursor.index();
    screen.send(Message::Click(ClickTarget::Row(None, row)));
    assert!(screen.state.token.is_none() && row > 0, "{}", screen.text());
    screen.send(Message::Click(ClickTarget::Row(None, row)));
    assert!(screen.state.token.is_some(), "{}", screen.text());
}

#[test]
fn wheel_moves_the_selection_of_the_panel_under_the_pointer() {
    let mut screen = Screen::new(120, 40);
    screen.serve(fixture::response);
    screen.keys("<enter>");
    screen.serve(fixture::response);
    let text = screen.text();
    let (row, line) = text.lines().enumerate().find(|(_, line)| line.contains("Markets")).unwrap();
    let column = line.split("Markets").next().unwrap().chars().count();
    let (column, row) = (u16::try_from(column).unwrap(), u16::try_from(row).unwrap());
    // Its title, its headings and its rows.
    for row in row..row + 3 {
        assert_eq!(screen.view_state.panel(column, row), Some(Panel::Markets), "{row}");
    }
    screen.send(Message::Wheel(2, screen.view_state.panel(column, row)));
    let token = screen.state.token.as_ref().unwrap();
    assert_eq!((token.focus, token.markets.index(), token.chart_cursor), (Panel::Markets, 2, None));
    screen.keys("?");
    screen.paint();
    assert_eq!(screen.view_state.panel(column, row), None, "the help covers it");
}
