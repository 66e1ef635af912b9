//! Notes in a token's chart by their key: adding, editing, removing and undoing them, and how the chart shows them.

use satscope::app::{Effect, Message};
use satscope::client::{Request, ResponseData};
use satscope::glyphs::Glyphs;
use satscope::model::{Point, UtcTime};
use satscope::store::Database;
use satscope::user_data::{Change, MAX_NOTES, Note, UserData};

use crate::support::indexer::response;
use crate::support::screen::Screen;

/// A chart with a point every 30 minutes that falls and rises.
fn charted(request: &Request) -> Option<ResponseData> {
    let found = response(request)?;
    let ResponseData::Chart(mut chart) = found else { return Some(found) };
    let start = UtcTime::parse_rfc3339("2026-11-12T14:00:00Z").unwrap();
    let point = |index: u32| Point {
        time: start.plus(std::time::Duration::from_mins(30) * index),
        price: Some(8.0 + (f64::from(index) / 20.0).sin()),
        volume: None,
        market_cap: None,
    };
    chart.points = (0..336).map(point).collect();
    Some(ResponseData::Chart(chart))
}

fn open(screen: &mut Screen) {
    screen.serve(charted);
    screen.keys("jj<enter>");
    screen.serve(charted);
}

#[test]
fn lot_of_this_morning_is_marked_at_the_last_price() {
    let now = UtcTime::parse_rfc3339("2026-11-21T08:00:00Z").unwrap();
    // The last price is five minutes old.
    let service = |request: &Request| {
        let ResponseData::Chart(mut chart) = charted(request)? else { return charted(request) };
        let last = chart.points.last().unwrap().time;
        let later = now.since(last) - std::time::Duration::from_mins(5);
        chart.points.iter_mut().for_each(|point| point.time = point.time.plus(later));
        Some(ResponseData::Chart(chart))
    };
    let mut screen = Screen::new(120, 35);
    screen.send_at(Message::Tick, now);
    screen.serve(service);
    screen.keys("jj<enter>");
    screen.serve(service);
    let slug = screen.state.token.as_ref().unwrap().slug.clone().unwrap();
    screen.keys("<esc>4a");
    screen.keys(&format!("2 {slug} @ 8<enter>1<enter>"));
    screen.serve(service);
    assert!(!screen.text().contains("bought"), "{}", screen.text());
    screen.keys("<end>");
    assert!(screen.text().contains("bought 2 "), "{}", screen.text());
    // A lot of another day is not moved to the end.
    screen.keys("<esc><esc>4asell 1 ");
    screen.keys(&format!("{slug} @ 9 2026-11-20<enter>1<enter><end>"));
    screen.serve(service);
    let shown = screen.text();
    assert!(shown.contains("bought 2 ") && !shown.contains("sold"), "{shown}");
}

/// The token view of the third coin.
fn opened(columns: u16, rows: u16) -> Screen {
    let mut screen = Screen::new(columns, rows);
    open(&mut screen);
    screen
}

fn marks(screen: &mut Screen) -> usize {
    screen.text().matches('◆').count()
}

fn changes(screen: &Screen) -> Vec<Change> {
    let saved = screen.effects.iter().filter_map(|effect| match effect {
        Effect::Save(_, change @ (Change::PutNote(_) | Change::RemoveNote(_))) => Some(change.clone()),
        _ => None,
    });
    saved.collect()
}

#[test]
fn note_is_added_at_the_cursor_edited_and_removed() {
    let mut screen = opened(120, 35);
    screen.keys("<left><left><left><left>e");
    let dialog = screen.text();
    assert!(dialog.contains("Add note") && dialog.contains("Thu 19 Nov 10:30"), "{dialog}");
    screen.keys("listed on Binance<enter>");
    assert_eq!(marks(&mut screen), 1);
    assert!(screen.text().contains("“listed on Binance”"), "{}", screen.text());
    // Away from the note, only the mark is shown.
    screen.keys("<s-left>");
    assert!(marks(&mut screen) == 1 && !screen.text().contains("listed"), "{}", screen.text());
    screen.keys("<s-right>e");
    assert!(screen.text().contains("Edit note") && screen.text().contains("› listed on Binance"), "{}", screen.text());
    screen.keys("<c-u>sold half<enter>");
    assert_eq!(marks(&mut screen), 1);
    assert!(screen.text().contains("“sold half”") && !screen.text().contains("listed"), "{}", screen.text());
    screen.keys("e<c-u><enter>");
    assert_eq!(marks(&mut screen), 0);
    assert!(screen.text().contains("Removed note"), "{}", screen.text());
    assert_eq!(changes(&screen).len(), 3);
    for shown in ["“sold half”", "“listed on Binance”"] {
        screen.keys("u");
        assert!(screen.text().contains(shown), "{}", screen.text());
    }
    screen.keys("u");
    assert_eq!(marks(&mut screen), 0);
}

#[test]
fn note_without_a_cursor_is_at_the_latest_point() {
    let mut screen = opened(120, 35);
    screen.keys("e<enter>");
    assert_eq!((changes(&screen), marks(&mut screen)), (vec![], 0), "an empty text adds nothing");
    screen.keys("enow<esc>");
    assert_eq!(changes(&screen), []);
    screen.keys("ea  b <enter>");
    let time = UtcTime::parse_rfc3339("2026-11-19T13:30:00Z").unwrap();
    let slug = screen.state.token.as_ref().unwrap().slug.clone().unwrap();
    assert_eq!(changes(&screen), [Change::PutNote(Note { slug, time, text: "a b".into() })]);
    assert!(!screen.text().contains("“a b”"), "no cursor");
    screen.keys("<end>");
    assert!(screen.text().contains("“a b”"), "{}", screen.text());
    screen.keys("e<enter>");
    assert_eq!(changes(&screen).len(), 1, "an unchanged text saves nothing");
}

#[test]
fn note_is_found_in_another_width_and_in_its_candle() {
    let mut screen = opened(160, 45);
    screen.keys("z<left><left><left>elisted<enter>");
    screen.resize(60, 24);
    screen.keys("e");
    assert!(screen.text().contains("Edit note"), "{}", screen.text());
    screen.keys("<esc><esc>C<left><left>");
    assert!(screen.text().contains("“listed”"), "{}", screen.text());
    screen.keys("e");
    assert!(screen.text().contains("Edit note"), "{}", screen.text());
}

#[test]
fn note_on_a_candle_has_the_time_of_the_cursor() {
    let mut screen = opened(120, 35);
    let symbol = screen.state.token.as_ref().unwrap().symbol.clone();
    screen.keys("C}}}}}<left><left>");
    let chart = screen.text();
    let days = ["17 Nov 00:00", "18 Nov 00:00"];
    let day = days.into_iter().find(|day| chart.contains(day)).unwrap_or_else(|| panic!("{chart}"));
    screen.keys("e");
    let dialog = screen.text();
    let moment = dialog.lines().find_map(|line| line.split(&format!("{symbol} · ")).nth(1));
    assert!(dialog.contains("Add note") && moment.is_some_and(|moment| moment.contains(day)), "{day}: {dialog}");
    screen.keys("listed<enter>");
    assert!(screen.text().contains("“listed”"), "{}", screen.text());
}

#[test]
fn one_of_several_notes_at_the_cursor_can_be_chosen() {
    let mut screen = opened(160, 45);
    // Two notes three hours apart, in a chart that is too narrow to distinguish them.
    screen.keys("z<left><left>esecond<enter><left><left>efirst<enter>");
    assert_eq!(changes(&screen).len(), 2, "{}", screen.text());
    screen.resize(60, 24);
    screen.keys("e");
    let shown = screen.text();
    assert!(shown.contains(" · note 1 of 2") && shown.contains("› first"), "{shown}");
    assert!(shown.trim_end().lines().last().unwrap().contains("↑↓ select"), "{shown}");
    screen.keys("<down>");
    let shown = screen.text();
    assert!(shown.contains(" · note 2 of 2") && shown.contains("› second"), "{shown}");
    // A changed text is not replaced by that of another note.
    screen.keys("!<down>");
    let shown = screen.text();
    assert!(shown.contains("› second!") && !shown.trim_end().lines().last().unwrap().contains("select"), "{shown}");
    screen.keys("<enter>");
    let saved = changes(&screen).pop().unwrap();
    assert!(matches!(&saved, Change::PutNote(note) if note.text == "second!"), "{saved:?}");
}

#[test]
fn many_notes_in_a_column_have_one_mark_and_are_all_reached() {
    let mut screen = opened(160, 45);
    let slug = screen.state.token.as_ref().unwrap().slug.clone().unwrap();
    let start = UtcTime::parse_rfc3339("2026-11-19T11:30:00Z").unwrap().millis();
    let note = |n: i64| Note {
        slug: slug.clone(),
        time: UtcTime::from_millis(start + n),
        text: format!("note {n}").as_str().into(),
    };
    let notes = (0..40).map(note).collect();
    screen.send(Message::Loaded(Box::new(UserData { notes, ..UserData::default() })));
    assert_eq!(marks(&mut screen), 1, "{}", screen.text());
    screen.keys("z<left><left><left>");
    assert_eq!(marks(&mut screen), 1, "{}", screen.text());
    assert!(screen.text().contains("40 notes · “note 0”"), "{}", screen.text());
    screen.keys("e");
    assert!(screen.text().contains(" · note 1 of 40") && screen.text().contains("› note 0"), "{}", screen.text());
    screen.keys(&"<down>".repeat(39));
    assert!(screen.text().contains(" · note 40 of 40") && screen.text().contains("› note 39"), "{}", screen.text());
}

#[test]
fn notes_are_kept_and_seen_by_other_instances() {
    let directory = tempfile::tempdir().unwrap();
    let mut screen = opened(120, 35);
    screen.keys("<left><left>elisted<enter>");
    Database::open(directory.path()).unwrap().save(&changes(&screen)).unwrap();
    // Another instance has the coin open; a new one loads the notes first.
    for is_open in [true, false] {
        let mut other = Screen::new(120, 35);
        if is_open {
            open(&mut other);
            assert_eq!(marks(&mut other), 0);
        }
        let data = Database::open(directory.path()).unwrap().load().unwrap();
        other.send(Message::Loaded(Box::new(data)));
        if !is_open {
            open(&mut other);
        }
        assert_eq!(marks(&mut other), 1, "{}", other.text());
        other.keys("<left><left>");
        assert!(other.text().contains("“listed”"), "{}", other.text());
        // The next coin has no notes.
        other.keys("n");
        other.serve(charted);
        assert_eq!(marks(&mut other), 0);
    }
}

#[test]
fn too_many_notes_are_refused_and_the_text_stays() {
    let mut screen = Screen::new(120, 35);
    let note = |n| Note { slug: "other".into(), time: UtcTime::from_secs(n), text: "x".into() };
    let notes = (0..i64::try_from(MAX_NOTES).unwrap()).map(note).collect();
    screen.send(Message::Loaded(Box::new(UserData { notes, ..UserData::default() })));
    open(&mut screen);
    screen.keys("eone more<enter>");
    assert!(
        screen.text().contains("Can't add note (limit of 1,000 for all coins reached) · remove one first"),
        "{}",
        screen.text()
    );
    assert!(screen.text().contains("› one more"), "{}", screen.text());
    assert_eq!(changes(&screen), []);
}

#[test]
fn text_of_a_note_that_the_store_refuses_stays() {
    let mut screen = opened(120, 35);
    let refuse = |screen: &mut Screen| {
        let saved = screen.effects.iter().rev().find_map(|effect| match effect {
            Effect::Save(number, change @ Change::PutNote(_)) => Some((*number, change.not_saved())),
            _ => None,
        });
        // Another process has filled the table.
        let (number, sentence) = saved.unwrap();
        screen.send(Message::NotEdited(number, sentence));
    };
    screen.keys("<left><left>elisted<enter>");
    refuse(&mut screen);
    let shown = screen.text();
    assert!(
        shown.contains("Can't add note (limit of 1,000 for all coins reached) · remove one first")
            && shown.contains("› listed"),
        "{shown}"
    );
    assert!(screen.state.user.current().notes.is_empty());
    screen.keys("<enter>");
    assert_eq!(changes(&screen).len(), 2, "another attempt");
    // The user is elsewhere.
    screen.keys("<esc><esc>");
    refuse(&mut screen);
    let shown = screen.text();
    assert!(
        shown.contains("Can't add note (limit of 1,000 for all coins reached) · remove one first")
            && !shown.contains("› listed"),
        "{shown}"
    );
}

#[test]
fn note_is_about_now_until_the_chart_is_loaded() {
    let mut screen = Screen::new(120, 35);
    screen.serve(response);
    screen.keys("jj<enter>e");
    let dialog = screen.text();
    assert!(dialog.contains("Add note") && dialog.contains("ORDI · Fri 20 Nov 14:03"), "{dialog}");
}

#[test]
fn note_has_an_ascii_mark_and_long_text_is_cut_where_it_does_not_fit() {
    let mut screen = opened(80, 24);
    screen.appearance.glyphs = Glyphs::Ascii;
    let stars = screen.text().matches('*').count();
    screen.keys("<left><left>e");
    screen.send(Message::Paste(format!("a\u{1b}[2J{}", "long ".repeat(60))));
    screen.keys("<enter>");
    let text = screen.text();
    assert_eq!(text.matches('*').count(), stars + 1, "{text}");
    assert!(text.contains("long long ..."), "{text}");
    let Some(Change::PutNote(note)) = changes(&screen).pop() else { panic!() };
    assert!(note.text.chars().count() <= 200 && !note.text.contains(char::is_control), "{note:?}");
}

#[test]
fn note_is_marked_in_the_indexers_chart_and_in_the_comparison() {
    let mut screen = opened(160, 45);
    let symbol = screen.state.token.as_ref().unwrap().symbol.clone();
    screen.keys("<left><left><left><left>elisted on Binance<enter><esc><esc>5");
    screen.serve(charted);
    assert_eq!(symbol, "ORDI");
    assert_eq!(marks(&mut screen), 1, "{}", screen.text());
    screen.keys("1mv");
    screen.serve(charted);
    assert_eq!(marks(&mut screen), 1, "{}", screen.text());
}

#[test]
fn note_of_the_selected_coin_is_added_from_the_list() {
    let mut screen = Screen::new(120, 35);
    screen.serve(response);
    screen.keys("j:add note<enter>");
    let text = screen.text();
    assert!(text.contains("Add note") && text.contains("ETH · "), "{text}");
    screen.keys("merge<enter>");
    screen.serve(response);
    let notes = &screen.state.user.current().notes;
    let note = notes.first().map(|note| (note.slug.as_str(), note.text.as_str()));
    assert_eq!(note, Some(("ethereum", "merge")));
    assert!(screen.wanted().iter().any(|request| matches!(request, Request::Chart { .. })));
    let text = screen.text();
    assert!(text.contains("Chart") && !text.contains("Can't add"), "{text}");
}
