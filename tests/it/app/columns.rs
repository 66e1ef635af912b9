//! The columns of the lists: chosen, ordered and scrolled.

use satscope::app::Message;
use satscope::app::Preferences;
use satscope::app::screen::list::CoinColumn;
use satscope::client::{Request, ResponseData};
use satscope::keymap::Context;
use satscope::model::Tag;
use satscope::user_data::UserData;

use crate::support::indexer;
use crate::support::screen::Screen;

fn loaded(columns: u16) -> Screen {
    let mut screen = Screen::new(columns, 24);
    screen.serve(indexer::response);
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
    assert!(screen.text().contains("No more columns to the right"), "{}", screen.text());
    screen.keys("<lt><lt><lt><lt><lt><lt><lt>".replace("<lt>", "<").as_str());
    assert_eq!(headings(&mut screen), first);
    screen.keys("<s-left>");
    assert!(screen.text().contains("No more columns to the left"), "{}", screen.text());
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
    let shown = screen.state.list(Tag::All).columns.shown();
    assert_eq!((shown[0], shown[1]), (CoinColumn::Price, CoinColumn::Symbol));
    assert_eq!(screen.state.session().columns[0].as_deref(), Some(shown));
    screen.keys("CRC");
    assert_eq!(headings(&mut screen), before);
    assert_eq!(screen.state.session().columns, [const { None }; 3], "as configured");
}

#[test]
fn each_list_keeps_its_own_columns() {
    let mut screen = loaded(160);
    screen.keys("2");
    screen.serve(indexer::response);
    let before = headings(&mut screen);
    screen.keys("C<space>");
    assert!(screen.text().contains("Columns · BRC-20"), "{}", screen.text());
    screen.keys("<esc>");
    assert!(before.contains('#') && !headings(&mut screen).contains('#'));
    screen.keys("1");
    assert!(headings(&mut screen).contains('#'), "the other lists keep theirs");
    // A restart keeps both.
    let entries = screen.state.session().entries();
    let mut next = Screen::new(160, 24);
    next.send(Message::Loaded(Box::new(UserData { session: entries, ..UserData::default() })));
    let has_rank = Tag::ALL.map(|tag| next.state.list(tag).columns.shown().contains(&CoinColumn::Rank));
    assert_eq!(has_rank, [true, false, true]);
}

#[test]
fn columns_of_an_earlier_session_apply_to_all_lists() {
    let mut screen = Screen::new(160, 24);
    let session = [(String::from("list-columns"), String::from("price,beauty,24h"))].into_iter().collect();
    screen.send(Message::Loaded(Box::new(UserData { session, ..UserData::default() })));
    for tag in Tag::ALL {
        assert_eq!(screen.state.list(tag).columns.shown(), [CoinColumn::Price, CoinColumn::Change24h], "{tag:?}");
    }
}

#[test]
fn last_shown_column_cannot_be_hidden() {
    let preferences = Preferences { columns: vec![CoinColumn::Price], page_size: 100, ..Preferences::default() };
    let mut screen = Screen::with(preferences, 80, 24);
    screen.serve(indexer::response);
    screen.keys("C<space>");
    assert!(screen.text().contains("Lists need at least one column"), "{}", screen.text());
    assert_eq!(screen.state.list(Tag::All).columns.shown(), [CoinColumn::Price]);
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
    assert!(!screen.state.list(Tag::All).columns.shown().contains(&CoinColumn::Volume));
}

#[test]
fn chosen_columns_survive_a_restart() {
    let mut screen = loaded(120);
    screen.keys("C<space><esc>");
    let session = screen.state.session();
    let mut next = Screen::new(120, 24);
    next.send(Message::Loaded(Box::new(UserData { session: session.entries(), ..UserData::default() })));
    assert_eq!(next.state.list(Tag::All).columns.shown(), screen.state.list(Tag::All).columns.shown());
}

#[test]
fn trends_are_requested_only_while_their_column_is_shown() {
    let has_trends =
        |screen: &Screen| screen.wanted().iter().any(|request| matches!(request, Request::MarketData { .. }));
    let shows_trends = |columns| {
        let preferences = Preferences { columns, page_size: 100, ..Preferences::default() };
        let mut screen = Screen::with(preferences, 60, 24);
        screen.serve(|request| match indexer::response(request)? {
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
    assert!(has_trends(&screen), "it is visible: {}", screen.text());
    assert!(has_trends(&shows_trends(vec![CoinColumn::Trend])));
    assert!(!has_trends(&shows_trends(vec![CoinColumn::Price])));
}

/// The line with this heading.
fn line_with(screen: &mut Screen, heading: &str) -> String {
    let text = screen.text();
    text.lines().find(|line| line.contains(heading)).unwrap_or_else(|| panic!("no {heading} in {text}")).to_owned()
}

/// Scrolls to the right end and back; returns all headings that were shown. The table has the heading `fixed`.
fn scroll_through(screen: &mut Screen, fixed: &str) -> String {
    let first = line_with(screen, fixed);
    assert!(first.contains('›') && !first.contains('‹'), "{first}");
    let mut seen = first.clone();
    for _ in 0..12 {
        screen.keys(">");
        seen += &line_with(screen, fixed);
    }
    let last = line_with(screen, fixed);
    assert!(last.contains('‹') && !last.contains('›'), "{last}");
    assert!(screen.text().contains("No more columns to the right"), "{}", screen.text());
    let mut at = last;
    for _ in 0..12 {
        screen.keys("<");
        let now = line_with(screen, fixed);
        assert!(now != at || screen.text().contains("No more columns to the left"), "`<` moved nothing: {now}");
        at = now;
    }
    assert_eq!(at, first);
    seen
}

#[test]
fn tables_of_panels_scroll_beside_their_name() {
    for (size, keys, fixed, headings) in [
        ((80, 24), "4a2 ordi<enter>", "Holding", &["Amount", "Price", "Value", "Share", "24h", "Profit"][..]),
        (
            (80, 24),
            "5",
            "Ticker",
            &["Price", "Minted", "Supply", "Events", "Mint limit", "Deployed", "Number", "Deployer"],
        ),
        ((40, 24), "5<tab><tab>", "Address", &["Balance", "Share", "Value"]),
        ((40, 24), "5<tab><tab><tab>", "Event", &["Age", "Amount", "Address", "Block"]),
        ((44, 24), "jj<enter><tab><tab><tab>z", "Exchange", &["Pair", "Price", "Volume", "Share", "depth"]),
    ] {
        let mut screen = Screen::new(size.0, size.1);
        screen.serve(indexer::response);
        for keys in keys.split_inclusive("<enter>").flat_map(|keys| keys.split_inclusive('5')) {
            screen.keys(keys);
            screen.serve(indexer::response);
        }
        let seen = scroll_through(&mut screen, fixed);
        for heading in headings {
            assert!(seen.contains(heading), "{heading} in {seen}");
        }
    }
}

#[test]
fn scrolled_markets_start_at_the_prices_of_another_coin() {
    let mut screen = Screen::new(44, 24);
    screen.serve(indexer::response);
    screen.keys("jj<enter>");
    screen.serve(indexer::response);
    screen.keys("<tab><tab><tab>z");
    screen.keys(">");
    let position = |screen: &Screen| screen.state.panel_scroll.position(satscope::app::Panel::Markets);
    assert_eq!(position(&screen), 1);
    screen.keys("n");
    assert_eq!(position(&screen), 1, "the next coin is compared in the same columns");
    screen.keys("1<enter>");
    assert!(screen.state.token.is_some());
    assert_eq!(position(&screen), 0);
}

#[test]
fn narrow_wallet_shows_value_and_change() {
    let mut screen = Screen::new(40, 12);
    screen.serve(indexer::response);
    screen.keys("4a2 ordi<enter>");
    screen.serve(indexer::response);
    let heading = line_with(&mut screen, "Holding");
    assert!(heading.contains("Value") && heading.contains("24h"), "{heading}");
}

#[test]
fn chosen_columns_are_sorted_by_their_letters() {
    let mut screen = loaded(200);
    screen.keys("su");
    assert!(screen.text().contains("u is not in this menu"), "the column is not shown: {}", screen.text());
    screen.keys("<esc>C<end><space><esc>");
    assert!(headings(&mut screen).contains("Supply"), "{}", headings(&mut screen));
    screen.keys("su");
    assert!(headings(&mut screen).contains("Supply▾"), "{}", headings(&mut screen));
    let supplies = |screen: &Screen| -> Vec<f64> {
        screen.state.list(Tag::All).coins().filter_map(|coin| coin.circulating_supply).collect()
    };
    let sorted = supplies(&screen);
    assert!(sorted.len() > 2 && sorted.is_sorted_by(|a, b| a >= b), "{sorted:?}");
    screen.keys("st");
    assert!(headings(&mut screen).contains("7 days▾"), "{}", headings(&mut screen));
}

#[test]
fn dialog_says_which_columns_do_not_fit() {
    let mut screen = loaded(80);
    screen.keys("C");
    let line = |screen: &mut Screen, title: &str| line_with(screen, title);
    assert!(line(&mut screen, "● 24h volume").contains("doesn't fit"), "{}", screen.text());
    assert!(!line(&mut screen, "● price").contains("doesn't fit"), "{}", screen.text());
    screen.resize(160, 24);
    assert!(!screen.text().contains("doesn't fit"), "{}", screen.text());
}
