//! Held coins whose prices their provider has not updated for long.

use ratatui::style::Modifier;
use satscope::model::Coin;

use super::*;

/// ORDI with a price that was updated this many hours ago.
fn ordi(price: Option<f64>, hours: u64, now: UtcTime) -> Coin {
    Coin { updated_at: Some(now.minus(Duration::from_hours(hours))), ..coin(2, "ordi", "ORDI", price) }
}

#[test]
fn list_without_a_current_price_does_not_replace_that_of_the_coin() {
    for (price, hours) in [(None, 0), (Some(5.0), 24 * 11)] {
        let mut app = wallet();
        add(&mut app, "2 ordi @ 8");
        let by_id = demand(&app.state).visible.into_iter().find(|it| matches!(it, Request::CoinsById { .. })).unwrap();
        let current = ordi(Some(11.0), 0, app.now);
        app.answer(&by_id, page(vec![current], Some(1)));
        app.now = app.now.plus(Duration::from_mins(1));
        let listed = ordi(price, hours, app.now);
        app.answer(&all(1), page(vec![listed], Some(1)));
        assert_eq!(value(&app), "22", "{price:?}");
    }
}

#[test]
fn row_with_an_old_price_is_dimmed() {
    for (hours, expected) in [(0, false), (24 * 11, true)] {
        let preferences = Preferences { watched: Vec::new(), images: false, ..Preferences::default() };
        let mut screen = Screen::with(preferences, 120, 35);
        let now = screen.state.now;
        let bitcoin = Coin { updated_at: Some(now), ..coin(1, "bitcoin", "BTC", Some(60_000.0)) };
        screen.answer(&all(1), page(vec![bitcoin, ordi(Some(8.41), hours, now)], Some(2)));
        // The selection is on the other row.
        screen.keys("4a2 ordi @ 8<enter>a1 bitcoin @ 50000<enter><home>");
        let text = screen.text();
        let found = (0..).zip(text.lines()).find(|(_, line)| line.contains("ordi") && line.contains("8.41"));
        let (row, line) = found.unwrap_or_else(|| panic!("{text}"));
        let column = u16::try_from(line[..line.find("8.41").unwrap()].chars().count()).unwrap();
        let is_dim = screen.paint().cell((column, row)).unwrap().modifier.contains(Modifier::DIM);
        assert_eq!(is_dim, expected, "{line}");
    }
}
