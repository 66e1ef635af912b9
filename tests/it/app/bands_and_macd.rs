//! Bollinger bands and the MACD in the chart of the token view by their keys.

use ratatui::style::Color;
use satscope::app::Session;
use satscope::client::{Request, ResponseData};
use satscope::glyphs::Glyphs;
use satscope::theme::Theme;
use satscope::view::Appearance;

use super::charts::{charted, over_its_period, title, token, token_with};
use crate::support::screen::Screen;

/// The cells of the lines of the bands.
fn band_cells(screen: &mut Screen) -> usize {
    let buf = screen.paint();
    let is_line = |symbol: &str| symbol.starts_with(|c| ('\u{2801}'..='\u{28ff}').contains(&c));
    buf.content.iter().filter(|cell| cell.fg == Color::Blue && is_line(cell.symbol())).count()
}

/// The number after a label on the screen.
fn value(screen: &mut Screen, label: &str) -> f64 {
    let text = screen.text();
    let rest = text.split(label).nth(1).unwrap_or_else(|| panic!("{label} in {text}"));
    let number = rest.split([' ', '–', '\n']).next().unwrap().replace('−', "-");
    number.parse().unwrap_or_else(|_| panic!("{number} after {label} in {text}"))
}

/// The last points of the chart.
fn last(count: usize) -> impl Fn(&Request) -> Option<ResponseData> {
    move |request| {
        let mut found = charted(request)?;
        if let ResponseData::Chart(chart) = &mut found {
            chart.points.drain(..chart.points.len() - count);
        }
        Some(found)
    }
}

#[test]
fn key_and_palette_toggle_the_bands() {
    let mut screen = token(160, 45);
    let before = screen.text();
    assert_eq!(band_cells(&mut screen), 0);
    screen.keys("b");
    assert!(band_cells(&mut screen) > 60, "{}", screen.text());
    assert!(title(&mut screen).contains("BB 20 (1h)"), "{}", title(&mut screen));
    screen.keys("a");
    assert!(title(&mut screen).contains("MA 7/25 · BB 20 (1h)"), "{}", title(&mut screen));
    screen.keys("ab");
    assert_eq!(screen.text(), before);
    screen.keys(":bollinger<enter>");
    assert!(band_cells(&mut screen) > 60, "{}", screen.text());
}

#[test]
fn cursor_shows_the_bands_at_every_size() {
    for (columns, rows, keys, hours) in [(160, 45, "b<left>", 1), (160, 45, "bC<left>", 2), (80, 24, "zb<left>", 1)] {
        // The mean of the last 20 closes, and twice their deviation.
        let closes: Vec<f64> =
            (0..20).map(|close: i32| 8.0 + (f64::from(335 - close * hours * 2) / 20.0).sin()).collect();
        let mean = closes.iter().sum::<f64>() / 20.0;
        let deviation = (closes.iter().map(|close| (close - mean).powi(2)).sum::<f64>() / 20.0).sqrt();
        let mut screen = token(columns, rows);
        screen.keys(keys);
        let text = screen.text();
        let bands = format!(" · BB {:.2}–{:.2}", mean - 2.0 * deviation, mean + 2.0 * deviation);
        assert!(text.contains(&bands), "{bands} in {text}");
    }
}

#[test]
fn key_toggles_the_macd_with_its_values() {
    let mut screen = token(160, 45);
    let before = screen.text();
    assert!(!before.contains("MACD"), "{before}");
    screen.keys("m");
    let text = screen.text();
    assert!(text.contains("MACD│") && title(&mut screen).contains("MACD (1h)"), "{text}");
    assert_eq!(text.matches('◀').count(), before.matches('◀').count() + 1, "the last value\n{text}");
    screen.keys("<left>");
    let (line, signal) = (value(&mut screen, " · MACD "), value(&mut screen, " signal "));
    assert!(line < 0.0 && line < signal, "the price has been falling: {}", screen.text());
    assert_eq!(value(&mut screen, "◀ −"), -line, "at its edge: {}", screen.text());
    screen.keys("<home>");
    assert!(!screen.text().contains(" · MACD "), "{}", screen.text());
    screen.keys("<esc>m");
    assert_eq!(screen.text(), before);
    screen.keys(":macd<enter>");
    assert!(screen.text().contains("MACD│"), "{}", screen.text());
}

#[test]
fn axis_of_the_macd_has_its_highest_value() {
    let mut screen = token(160, 45);
    screen.keys("zm");
    let text = screen.text();
    let labels: Vec<&str> = text.lines().skip_while(|line| !line.contains("vol 24h")).collect();
    let labels = labels.iter().filter_map(|line| line.split_once('┤')).map(|(label, _)| label.trim());
    let labels: Vec<f64> = labels.filter_map(|label| label.parse().ok()).collect();
    assert!(labels.len() == 2 && labels[0] > 0.0 && labels[1] == 0.0, "{labels:?} in {text}");
}

#[test]
fn tags_of_rsi_and_macd_follow_the_cursor() {
    // Of the price, the RSI and the MACD.
    let tags = |screen: &mut Screen| -> Vec<String> {
        let text = screen.text();
        text.split("◀ ").skip(1).map(|rest| rest.split_whitespace().next().unwrap().to_owned()).collect()
    };
    // There are fewer candles than points, and as many have no MACD yet.
    for (keys, steps) in [("zim", 40), ("zimC", 8)] {
        let mut screen = token(160, 45);
        screen.keys(keys);
        let newest = tags(&mut screen);
        screen.keys(&"<left>".repeat(steps));
        let here = tags(&mut screen);
        assert_eq!((newest.len(), here.len()), (3, 3), "{}", screen.text());
        assert!(here[0] == newest[0], "{newest:?} {here:?}");
        assert!(here[1] != newest[1] && here[2] != newest[2], "{newest:?} {here:?}");
        if keys == "zim" {
            let text = screen.text();
            let shown = format!(" · RSI {} · MACD {} signal ", here[1], here[2]);
            assert!(text.contains(&shown), "{shown} in {text}");
        }
        screen.keys("<home>");
        assert_eq!(tags(&mut screen), newest[..1], "there is none yet: {}", screen.text());
    }
}

#[test]
fn rsi_and_macd_have_a_pane_each_if_there_is_room() {
    let mut screen = token(160, 45);
    screen.keys("imz");
    let text = screen.text();
    let row = |label: &str| text.lines().position(|line| line.contains(label)).unwrap_or_else(|| panic!("{text}"));
    assert!(row("RSI 14│") < row("MACD│"), "{text}");
    let shown = |rows: u16| {
        let mut screen = token(80, rows);
        screen.keys("imz");
        let (text, head) = (screen.text(), title(&mut screen));
        let (has_rsi, has_macd) = (text.contains("RSI 14│"), text.contains("MACD│"));
        assert!(has_rsi || !has_macd, "the RSI outranks it: {text}");
        let reason = match (has_rsi, has_macd) {
            (true, true) => "",
            (true, false) => "MACD: no room",
            _ => "RSI/MACD: no room",
        };
        assert!(head.contains(reason) && (!has_macd || !head.contains("no room")), "{text}");
        usize::from(has_rsi) + usize::from(has_macd)
    };
    let panes: Vec<usize> = (12..=34).map(shown).collect();
    assert!(panes.is_sorted() && panes[0] == 0 && panes.contains(&1) && panes[22] == 2, "{panes:?}");
    // Even the smallest terminal says so.
    let mut screen = token(40, 12);
    screen.keys("m");
    assert!(title(&mut screen).contains("MACD: no room"), "{}", screen.text());
}

#[test]
fn bands_and_macd_need_enough_closes() {
    // 19 hours, then 25.
    for (points, has_bands) in [(38, false), (50, true)] {
        let mut screen = token_with(160, 45, last(points));
        screen.keys("bm");
        let (text, head) = (screen.text(), title(&mut screen));
        assert!(text.contains("MACD needs 26 candles"), "{text}");
        assert_eq!(head.contains("BB needs 20 candles"), !has_bands, "{head}");
        assert_eq!(head.contains("BB 20 (1h)"), has_bands, "{head}");
    }
}

#[test]
fn default_candles_are_enough_for_the_bands_and_the_macd() {
    let mut screen = token_with(80, 24, over_its_period);
    screen.keys("zC]");
    screen.serve(over_its_period);
    let before = title(&mut screen);
    assert!(before.contains("2d "), "{before}");
    for key in ["b", "m"] {
        screen.keys(key);
        let head = title(&mut screen);
        assert!(head.contains("1d ") && !head.contains("no BB"), "{head}");
        assert!(!screen.text().contains("needs"), "{}", screen.text());
        screen.keys(key);
        assert_eq!(title(&mut screen), before);
    }
    // Chosen ones stay.
    screen.keys("}{b");
    assert!(title(&mut screen).contains("2d "), "{}", title(&mut screen));
}

#[test]
fn message_about_too_few_candles_names_the_key_that_helps() {
    let mut screen = token(160, 45);
    screen.keys("C}}}}}}}b");
    assert!(title(&mut screen).contains("BB needs 20 candles ({: narrower)"), "{}", screen.text());
    screen.keys("m");
    assert!(screen.text().contains("MACD needs 26 candles ({: narrower)"), "{}", screen.text());
    screen.keys("{{{{{{{");
    assert!(!screen.text().contains(": narrower"), "{}", screen.text());
    // So many candles fit only if the chart fills the screen.
    let mut screen = token_with(76, 24, over_its_period);
    screen.keys("C]]b");
    screen.serve(over_its_period);
    assert!(title(&mut screen).contains("no BB (z: zoom)"), "{}", title(&mut screen));
    screen.keys("z");
    let head = title(&mut screen);
    assert!(head.contains("BB") && !head.contains("no BB") && !head.contains("needs"), "{head}");
    // Candles don't help a line.
    let mut screen = token_with(160, 45, last(38));
    screen.keys("b");
    assert!(!screen.text().contains("(z: zoom)") && title(&mut screen).contains("BB needs 20 candles"));
}

#[test]
fn macd_is_readable_in_ascii_and_without_colours() {
    let mut screen = token(120, 45);
    screen.keys("zm");
    screen.appearance = Appearance::new(Theme::plain(), Glyphs::Ascii);
    let text = screen.text();
    assert!(["0+", "MACD|"].iter().all(|label| text.contains(label)) && text.is_ascii(), "{text}");
    screen.keys("b<left>");
    assert!(screen.text().is_ascii() && screen.text().contains(" BB "), "{}", screen.text());
}

#[test]
fn bands_and_macd_are_kept_for_the_next_run() {
    let mut screen = token(160, 45);
    screen.keys("bm");
    let mut entries = screen.state.session().entries();
    assert_eq!(Session::from_entries(&entries).chart.unwrap(), screen.state.chart);
    // An earlier session has no such entries.
    assert!(["bollinger", "macd"].iter().all(|name| entries.remove(*name).is_some()));
    let chart = Session::from_entries(&entries).chart.unwrap_or_default();
    assert!(!chart.has_bands && !chart.has_macd);
}
