//! The RSI in the chart of the token view by its key: its pane, the cursor, small terminals and the session.

use insta::assert_snapshot;
use ratatui::style::{Color, Modifier};
use satscope::app::{Preferences, Session};
use satscope::glyphs::Glyphs;
use satscope::theme::Theme;
use satscope::view::Appearance;

use super::charts::{charted, title, token};
use crate::support::screen::Screen;

#[test]
fn rsi_is_off_until_its_key() {
    let mut screen = token(160, 45);
    let before = screen.text();
    assert!(!before.contains("RSI"), "{before}");
    screen.keys("i");
    let text = screen.text();
    assert!(["70┤", "RSI 14│", "30┤"].iter().all(|label| text.contains(label)), "{text}");
    assert!(title(&mut screen).contains("RSI (1h)"), "the closes that it is computed from");
    assert_eq!(text.matches('◀').count(), before.matches('◀').count() + 1, "the last RSI\n{text}");
    assert!(text.contains("vol 24h"), "{text}");
    screen.keys("C");
    assert!(screen.text().contains("RSI 14│") && title(&mut screen).contains("RSI (2h)"), "{}", title(&mut screen));
    screen.keys("CCi");
    assert_eq!(screen.text(), before);
}

#[test]
fn rsi_and_averages_at_every_size() {
    for (columns, rows, keys) in [(160, 45, "ai"), (120, 35, "ziC"), (80, 24, "zai<left>"), (40, 12, "i")] {
        let mut screen = token(columns, rows);
        screen.keys(keys);
        assert_snapshot!(format!("rsi-{columns}x{rows}"), screen.picture());
    }
}

#[test]
fn rsi_levels_have_a_row_between_them() {
    for (columns, rows) in [(160, 45), (160, 60), (80, 24)] {
        let mut screen = token(columns, rows);
        screen.keys("zi");
        let text = screen.text();
        let [high, low] = ["70┤", "30┤"].map(|level| text.lines().position(|line| line.contains(level)).unwrap());
        assert_eq!(low - high, 2, "{text}");
    }
}

#[test]
fn low_chart_has_no_rsi_below_it() {
    let has_rsi = |rows: u16| {
        let mut screen = token(80, rows);
        screen.keys("zi");
        let text = screen.text();
        let (has_pane, has_volume) = (text.contains("RSI 14│"), text.contains("vol 24h"));
        assert!(has_volume || !has_pane, "the volume outranks it\n{text}");
        let head = title(&mut screen);
        assert_eq!(head.contains("RSI: no room"), !has_pane, "{text}");
        has_pane
    };
    let rows: Vec<bool> = (12..=30).map(has_rsi).collect();
    assert!(rows.is_sorted() && !rows[0] && rows[18], "{rows:?}");
    // The smallest terminal still has its value at the cursor.
    let mut screen = token(40, 12);
    screen.keys("i");
    assert!(title(&mut screen).contains("RSI: no room"), "{}", screen.text());
    screen.keys("<left>");
    assert!(screen.text().contains(" · RSI "), "{}", screen.text());
}

#[test]
fn chart_of_medium_height_shows_the_rsi_without_zoom() {
    let mut screen = token(120, 35);
    screen.keys("i");
    let text = screen.text();
    assert!(text.contains("RSI 14│") && text.contains("vol 24h"), "{text}");
    assert!(!title(&mut screen).contains("no room"), "{text}");
}

#[test]
fn small_chart_says_that_there_is_no_room_for_the_rsi() {
    for (columns, rows) in [(80, 24), (60, 15), (40, 12)] {
        for keys in ["i", "Ci", "CCi"] {
            let mut screen = token(columns, rows);
            screen.keys(keys);
            let text = screen.text();
            assert!(title(&mut screen).contains("RSI: no room") && !text.contains("no RSI"), "{keys}\n{text}");
        }
    }
}

#[test]
fn cursor_shows_the_rsi() {
    let mut screen = token(160, 45);
    screen.keys("<left>");
    assert!(!screen.text().contains("RSI"));
    screen.keys("i");
    let text = screen.text();
    let rest = text.split(" · RSI ").nth(1).unwrap_or_else(|| panic!("{text}"));
    let at_cursor = rest.split_whitespace().next().unwrap();
    assert!(at_cursor.parse::<f64>().unwrap() < 50.0, "the price has been falling\n{text}");
    assert!(text.contains(&format!("◀ {at_cursor}")), "the last value at its edge\n{text}");
    // There is none yet at the first candle.
    screen.keys("<home>");
    assert!(!screen.text().contains(" · RSI "), "{}", screen.text());
}

#[test]
fn rsi_needs_one_candle_more_than_its_length() {
    let mut screen = Screen::with(Preferences { rsi: 168, ..Preferences::default() }, 160, 45);
    screen.serve(charted);
    screen.keys("jj<enter>");
    screen.serve(charted);
    screen.keys("i");
    let text = screen.text();
    assert!(text.contains("RSI needs 169 candles") && text.contains("RSI 168│"), "{text}");
}

#[test]
fn rsi_is_readable_in_ascii_and_without_colours() {
    let mut screen = token(120, 45);
    screen.keys("zi");
    screen.appearance = Appearance::new(Theme::plain(), Glyphs::Ascii);
    let text = screen.text();
    assert!(["70+", "RSI 14|", "30+"].iter().all(|label| text.contains(label)) && text.is_ascii(), "{text}");
    screen.appearance = Appearance::new(Theme::plain(), Glyphs::Unicode);
    let buf = screen.paint();
    assert!(buf.content.iter().all(|cell| cell.fg == Color::Reset));
    let row = screen.text().lines().position(|line| line.contains("70┤")).unwrap();
    let cells = &buf.content[row * 120..(row + 1) * 120];
    let level = cells.iter().find(|cell| cell.symbol() == "┄").unwrap();
    assert!(level.modifier.contains(Modifier::DIM), "the levels are faint");
}

#[test]
fn rsi_is_kept_for_other_coins_and_the_next_run() {
    let mut screen = token(160, 45);
    screen.keys("in");
    screen.serve(charted);
    assert!(screen.text().contains("RSI 14│"), "{}", screen.text());
    let mut entries = screen.state.session().entries();
    assert_eq!(Session::from_entries(&entries).chart.unwrap(), screen.state.chart);
    // An earlier session has no such entry.
    entries.remove("rsi").unwrap();
    assert!(!Session::from_entries(&entries).chart.unwrap_or_default().has_rsi);
}

#[test]
fn comparison_and_wallet_have_no_rsi() {
    let mut screen = token(160, 45);
    screen.keys("iv");
    screen.serve(charted);
    assert!(!screen.text().contains("RSI"), "{}", screen.text());
    screen.keys("<esc><esc><esc>4");
    screen.serve(charted);
    assert!(!screen.text().contains("RSI"), "{}", screen.text());
}
