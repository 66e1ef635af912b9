//! The columns of the lists: chosen, ordered and scrolled.

use satscope::app::Message;
use satscope::app::Preferences;
use satscope::app::screen::list::CoinColumn;
use satscope::client::{Request, ResponseData};
use satscope::keymap::Context;
use satscope::user_data::UserData;

use crate::support::indexer;
use crate::support::screen::Screen;

fn loaded(columns: u16) -> Screen {
    let mut screen = Screen::new(columns, 24);
    screen.serve(indexer::answer);
    screen
}

/// The line of headings.
fn headings(screen: &mut Screen) -> String {
    screen.text().lines().nth(2).unwrap().to_owned()
}

#[test]
fn columns_scroll_beside_the_name() {
    let mut screen = loaded(80);
    let first = headings(&mut screen);
    assert!(first.ends_with('›') && !first.contains("Volume"), "{first}");
    screen.keys(">>>");
    let scrolled = headings(&mut screen);
    assert!(scrolled.starts_with('‹') && scrolled.contains("Coin") && scrolled.contains("range"), "{scrolled}");
    assert!(screen.text().contains("Bitcoin"), "names stay: {}", screen.text());
    screen.keys("<s-right><s-right><s-right><s-right>");
    let last = headings(&mut screen);
    assert!(last.contains("Volume") && last.contains("7 days") && !last.contains('›'), "{last}");
    screen.keys(">");
    assert!(screen.text().contains("No more columns on the right"), "{}", screen.text());
    screen.keys("<lt><lt><lt><lt><lt><lt><lt>".replace("<lt>", "<").as_str());
    assert_eq!(headings(&mut screen), first);
    screen.keys("<s-left>");
    assert!(screen.text().contains("No more columns on the left"), "{}", screen.text());
}

#[test]
fn everything_fits_on_a_wide_screen() {
    let mut screen = loaded(160);
    let all = headings(&mut screen);
    assert!(!all.contains('›') && !all.contains('‹'), "{all}");
    screen.keys(">");
    assert_eq!(headings(&mut screen), all);
}

#[test]
fn dialog_shows_hides_orders_and_resets_columns() {
    let mut screen = loaded(160);
    let before = headings(&mut screen);
    screen.keys("C");
    assert_eq!(screen.state.context(), Context::Columns);
    // Hides the rank, and moves the symbol behind the price.
    screen.keys("<space>jJ");
    // Shows the all-time high.
    screen.keys("<end>kk<space><esc>");
    assert_eq!(screen.state.context(), Context::List);
    let after = headings(&mut screen);
    assert!(!after.contains('#') && after.contains("ATH"), "{after}");
    let shown = screen.state.columns.shown();
    assert_eq!((shown[0], shown[1]), (CoinColumn::Price, CoinColumn::Symbol));
    assert_eq!(screen.state.session().columns.as_deref(), Some(shown));
    screen.keys("CRC");
    assert_eq!(headings(&mut screen), before);
    assert_eq!(screen.state.session().columns, None, "as configured");
}

#[test]
fn last_shown_column_cannot_be_hidden() {
    let preferences = Preferences { columns: vec![CoinColumn::Price], page_size: 100, ..Preferences::default() };
    let mut screen = Screen::with(preferences, 80, 24);
    screen.serve(indexer::answer);
    screen.keys("C<space>");
    assert!(screen.text().contains("Lists need at least one column"), "{}", screen.text());
    assert_eq!(screen.state.columns.shown(), [CoinColumn::Price]);
}

#[test]
fn dialog_works_with_the_mouse() {
    let mut screen = loaded(120);
    screen.keys("C");
    let text = screen.text();
    let row = text.lines().position(|line| line.contains("● 24h volume")).unwrap();
    let column = text.lines().nth(row).unwrap().chars().position(|c| c == '●').unwrap();
    let (column, row) = (u16::try_from(column).unwrap(), u16::try_from(row).unwrap());
    screen.click(column, row);
    screen.paint();
    screen.click(column, row);
    assert!(!screen.state.columns.shown().contains(&CoinColumn::Volume));
}

#[test]
fn chosen_columns_survive_a_restart() {
    let mut screen = loaded(120);
    screen.keys("C<space><esc>");
    let session = screen.state.session();
    let mut next = Screen::new(120, 24);
    next.send(Message::Loaded(Box::new(UserData { session: session.entries(), ..UserData::default() })));
    assert_eq!(next.state.columns.shown(), screen.state.columns.shown());
    let mut entries = session.entries();
    entries.insert(String::from("list-columns"), String::from("price,beauty,24h"));
    let mut newer = Screen::new(120, 24);
    newer.send(Message::Loaded(Box::new(UserData { session: entries, ..UserData::default() })));
    assert_eq!(newer.state.columns.shown(), [CoinColumn::Price, CoinColumn::Change24h]);
}

#[test]
fn trends_are_requested_only_while_their_column_is_shown() {
    let has_trends =
        |screen: &Screen| screen.wanted().iter().any(|request| matches!(request, Request::MarketData { .. }));
    let shows_trends = |columns| {
        let preferences = Preferences { columns, page_size: 100, ..Preferences::default() };
        let mut screen = Screen::with(preferences, 60, 24);
        screen.serve(|request| match indexer::answer(request)? {
            ResponseData::Coins(mut page) => {
                page.items.iter_mut().for_each(|coin| coin.sparkline_7d.clear());
                Some(ResponseData::Coins(page))
            }
            other => Some(other),
        });
        screen
    };
    let mut screen = shows_trends(vec![CoinColumn::Price, CoinColumn::Symbol, CoinColumn::Range, CoinColumn::Trend]);
    assert!(!has_trends(&screen), "the column is out of sight");
    screen.keys(">>>");
    assert!(has_trends(&screen), "it is in sight: {}", screen.text());
    assert!(has_trends(&shows_trends(vec![CoinColumn::Trend])));
    assert!(!has_trends(&shows_trends(vec![CoinColumn::Price])));
}
