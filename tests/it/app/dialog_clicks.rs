//! Clicks beside an open dialog or the items of a menu, on the first row, after the wheel, and on a frame that is no
//! longer current; the wheel.

use satscope::app::panel::Panel;
use satscope::app::{ClickTarget, Command, Message, Overlay, Tab};
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

/// The row of the last frame where this target is.
fn row_of(screen: &Screen, target: ClickTarget) -> u16 {
    (0..35).find(|&y| screen.view_state.hit(60, y) == Some(target)).unwrap_or_else(|| panic!("no {target:?}"))
}

#[test]
fn click_selects_the_coin_of_the_last_frame() {
    let mut screen = Screen::new(120, 35);
    screen.serve(fixture::response);
    screen.paint();
    let row = row_of(&screen, ClickTarget::Row(None, 3));
    let painted = screen.state.list(Tag::All).get(3).map(|coin| coin.id.clone());
    screen.send(Message::Command(Command::ReverseSort));
    assert_ne!(screen.state.list(Tag::All).get(3).map(|coin| coin.id.clone()), painted);
    screen.click(60, row);
    assert_eq!(screen.state.list(Tag::All).selected().map(|coin| coin.id.clone()), painted);
}

#[test]
fn click_on_a_screen_that_was_left_does_nothing() {
    let mut screen = Screen::new(120, 35);
    screen.serve(fixture::response);
    screen.keys("2");
    screen.serve(fixture::response);
    screen.keys("1");
    screen.paint();
    let row = row_of(&screen, ClickTarget::Row(None, 3));
    screen.keys("2");
    screen.click(60, row);
    screen.click(60, row);
    assert!(screen.state.token.is_none(), "{}", screen.text());
    assert_eq!(screen.state.list(Tag::Brc20).cursor.index(), 0);
    screen.paint();
    screen.click(60, row);
    assert_eq!(screen.state.list(Tag::Brc20).cursor.index(), 3, "a click on its own frame");
}

#[test]
fn click_opens_no_other_item_of_the_palette() {
    let mut screen = with_dialog(":ordi");
    let row = row_of(&screen, ClickTarget::Choice(0));
    screen.keys("<bs><bs><bs><bs>rats");
    screen.click(60, row);
    assert!(screen.state.token.is_none() && screen.state.overlay.is_some(), "{}", screen.text());
    screen.paint();
    screen.click(60, row);
    assert!(screen.state.overlay.is_none(), "a click on its own frame: {}", screen.text());
}

#[test]
fn click_selects_no_other_column_after_a_move() {
    let mut screen = Screen::new(120, 35);
    screen.serve(fixture::response);
    screen.keys("C");
    screen.paint();
    let row = row_of(&screen, ClickTarget::Choice(0));
    let selected = |screen: &Screen| match &screen.state.overlay {
        Some(Overlay::Columns { rows, selected, .. }) => (*selected, rows[*selected].0),
        other => panic!("{other:?}"),
    };
    let (_, first) = selected(&screen);
    screen.keys("J");
    screen.click(60, row);
    assert_eq!(selected(&screen), (1, first), "another column has moved into its row");
    screen.paint();
    screen.click(60, row);
    assert_eq!(selected(&screen).0, 0, "a click on its own frame");
}
