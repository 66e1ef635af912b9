//! Screens driven by keys: header, lists, dialogs, wallet.

use std::collections::HashMap;
use std::time::Duration;

use crossterm::event::{KeyCode, KeyEvent};
use insta::assert_snapshot;
use proptest::prelude::*;
use satscope::app::screen::list::SortColumn;
use satscope::app::{Message, Preferences, Tab};
use satscope::client::{ErrorKind, Request, ResponseData};
use satscope::fetch::{Event, Receipt, Tick};
use satscope::glyphs::Glyphs;
use satscope::model::{ChainState, CoinId, Currency, DayRange, Fees, Page, Tag, Text};
use satscope::user_data::Watched;

use crate::support::screen::{Screen, fixture};

const SIZES: [(u16, u16); 3] = [(160, 45), (80, 24), (40, 12)];

/// The fully loaded list.
fn ready(columns: u16, rows: u16) -> Screen {
    let mut screen = Screen::new(columns, rows);
    screen.serve(fixture::response);
    screen
}

#[test]
fn list_in_every_size() {
    for (columns, rows) in SIZES {
        let mut screen = ready(columns, rows);
        screen.keys("jj f");
        screen.wait(Duration::from_secs(130));
        assert_snapshot!(format!("list-ready-{columns}x{rows}"), screen.picture());
    }
}

#[test]
fn list_with_prices_of_an_exchange() {
    for (columns, rows) in SIZES {
        let mut screen = Screen::new(columns, rows);
        let request = screen.wanted().into_iter().find(|it| matches!(it, Request::Coins { .. })).unwrap();
        let provider = Some(Text::const_new("coinmarketcap"));
        let named = |receipt| Receipt { provider: provider.clone(), ..receipt };
        screen.answer_as(&request, fixture::response(&request).unwrap(), named);
        let at = screen.state.now;
        let ticks = [("all-1", 61_250.0), ("all-3", 8.43)]
            .map(|(id, price)| (CoinId(id.into()), Tick { price, range: None, at }));
        let (provider, convert) = (Text::const_new("binance"), Currency::usd());
        screen.send(Message::Fetch(Event::Prices { provider, convert, ticks: HashMap::from(ticks) }));
        assert_eq!(screen.text().matches('∙').count(), 2, "{}", screen.text());
        assert_snapshot!(format!("list-live-{columns}x{rows}"), screen.picture());
    }
}

#[test]
fn ranges_that_a_list_lacks_come_from_the_exchange() {
    let mut screen = Screen::new(160, 12);
    let request = screen.wanted().into_iter().find(|it| matches!(it, Request::Coins { .. })).unwrap();
    let Some(ResponseData::Coins(mut page)) = fixture::response(&request) else { panic!("{request:?}") };
    page.items.iter_mut().for_each(|coin| (coin.low_24h, coin.high_24h) = (None, None));
    let named = |receipt| Receipt { provider: Some(Text::const_new("coinmarketcap")), ..receipt };
    screen.answer_as(&request, ResponseData::Coins(page), named);
    let line = |screen: &mut Screen| screen.text().lines().find(|line| line.contains("Bitcoin  ")).unwrap().to_owned();
    assert!(!line(&mut screen).contains("──"), "{}", screen.text());
    let range = Some(DayRange { low: 60_100.0, high: 62_900.0 });
    let tick = Tick { price: 61_250.0, range, at: screen.state.now };
    let ticks = HashMap::from([(CoinId("all-1".into()), tick)]);
    let (provider, convert) = (Text::const_new("binance"), Currency::usd());
    screen.send(Message::Fetch(Event::Prices { provider, convert, ticks }));
    let line = line(&mut screen);
    assert!(line.contains("60,100.00 ──") && line.contains("─ 62,900.00"), "{line}");
}

#[test]
fn range_of_a_list_includes_the_live_price() {
    let (day_low, day_high) = ("58,784.74", "66,132.83");
    for (price, low, high) in
        [(61_250.0, day_low, day_high), (66_850.0, day_low, "66,850.00"), (57_150.0, "57,150.00", day_high)]
    {
        let mut screen = Screen::new(160, 12);
        let request = screen.wanted().into_iter().find(|it| matches!(it, Request::Coins { .. })).unwrap();
        let named = |receipt| Receipt { provider: Some(Text::const_new("coinmarketcap")), ..receipt };
        screen.answer_as(&request, fixture::response(&request).unwrap(), named);
        let ticks = HashMap::from([(CoinId("all-1".into()), Tick { price, range: None, at: screen.state.now })]);
        let (provider, convert) = (Text::const_new("binance"), Currency::usd());
        screen.send(Message::Fetch(Event::Prices { provider, convert, ticks }));
        let text = screen.text();
        let line = text.lines().find(|line| line.contains("Bitcoin  ")).unwrap();
        assert!(line.contains(&format!("{low} ─")) || line.contains(&format!("{low} ●")), "{line}");
        assert!(line.contains(&format!("─ {high}")) || line.contains(&format!("● {high}")), "{line}");
    }
}

#[test]
fn loading_list_matches_snapshots() {
    for (columns, rows) in SIZES {
        let mut screen = Screen::new(columns, rows);
        screen.start_all();
        assert_snapshot!(format!("list-loading-{columns}x{rows}"), screen.picture());
    }
}

#[test]
fn failed_list_matches_snapshots() {
    for (columns, rows) in SIZES {
        let mut screen = Screen::new(columns, rows);
        screen.fail_all(&ErrorKind::Refused);
        assert_snapshot!(format!("list-failed-{columns}x{rows}"), screen.picture());
    }
}

#[test]
fn stale_list_keeps_old_prices() {
    for (columns, rows) in SIZES {
        let mut screen = ready(columns, rows);
        screen.wait(Duration::from_mins(12));
        screen.fail_all(&ErrorKind::Resolve);
        assert_snapshot!(format!("list-stale-{columns}x{rows}"), screen.picture());
    }
}

#[test]
fn header_shows_block_height_and_fee_rate_if_there_is_room() {
    let header = |columns: u16, fees: Option<f64>| {
        let mut screen = ready(columns, 24);
        let fees = fees.map(|rate| Fees { fastest: Some(rate), ..Fees::default() });
        screen.answer(&Request::ChainState, ResponseData::ChainState(ChainState { height: 923_105, hash: None, fees }));
        let text = screen.text();
        text.lines().next().unwrap().split("6 Status").last().unwrap().trim().to_owned()
    };
    assert_eq!(header(160, Some(4.2)), "▣ 923,105 · 4.2 sat/vB  DEMO ●  USD  14:03 UTC");
    assert_eq!(header(160, None), "▣ 923,105  DEMO ●  USD  14:03 UTC");
    assert_eq!(header(120, Some(4.2)), "▣ 923,105  DEMO ●  USD  14:03 UTC");
    assert_eq!(header(80, Some(4.2)), "DEMO ● USD 14:03");
}

#[test]
fn list_shows_fee_rate_unless_header_does() {
    let summary = |columns: u16, fees: Option<f64>| {
        let mut screen = ready(columns, 24);
        let fees = fees.map(|rate| Fees { fastest: Some(rate), ..Fees::default() });
        screen.answer(&Request::ChainState, ResponseData::ChainState(ChainState { height: 923_105, hash: None, fees }));
        screen.text().lines().nth(1).unwrap().to_owned()
    };
    assert!(summary(120, Some(4.2)).contains("4.2 sat/vB"), "{}", summary(120, Some(4.2)));
    assert!(!summary(120, None).contains("sat/vB"));
    assert!(!summary(160, Some(4.2)).contains("sat/vB"), "not twice on a screen");
}

#[test]
fn long_source_is_hidden_before_tabs() {
    let preferences = Preferences {
        sources: ["market-data.example.org", "indexer.example.org"].map(String::from),
        ..Preferences::default()
    };
    for columns in [80, 84, 90] {
        let mut screen = Screen::with(preferences.clone(), columns, 24);
        screen.serve(fixture::response);
        let text = screen.text();
        let header = text.lines().next().unwrap();
        for title in ["All", "BRC-20", "Ecosystem", "Wallet", "Indexer", "Status", "market-da"] {
            assert!(header.contains(title), "{columns}: {title} in {header}");
        }
        assert!(header.contains('…'), "{columns}: it is cut, and says so: {header}");
    }
    let mut narrow = Screen::with(
        Preferences { sources: ["127.0.0.1", "127.0.0.1"].map(String::from), ..preferences.clone() },
        40,
        12,
    );
    narrow.keys("5");
    let text = narrow.text();
    assert!(text.lines().next().unwrap().contains("1 2 3 4 5 Indexer  6"), "the clock goes before the tabs: {text}");
    let mut wide = Screen::with(preferences, 160, 24);
    assert!(wide.text().lines().next().unwrap().contains("market-data.example.org"));
}

#[test]
fn stale_reason_is_not_cut_within_words() {
    let whole = "12 m old · Can't resolve coins.example · retrying in 30 s";
    let forms = [
        whole,
        "12 m old · can't resolve host · retrying in 30 s",
        "12 m old · DNS error · retrying in 30 s",
        "12 m old · DNS error · retry in 30 s",
        "12 m old · can't resolve host",
        "12 m old · DNS error",
    ];
    for columns in 30..=160 {
        let mut screen = ready(columns, 24);
        screen.wait(Duration::from_mins(12));
        screen.fail_all(&ErrorKind::Resolve);
        let text = screen.text();
        let line = text.lines().nth(1).unwrap();
        let shown = line.find("12 m old").and_then(|at| line.get(at..)).unwrap_or_default().trim_end();
        // The hint for the full text, if there is room for it.
        let without_hint = shown.strip_suffix(" · press 6 for details");
        assert!(
            without_hint.is_some()
                || shown == whole
                || line.contains("coins")
                || shown.chars().count() as u16 + 15 > columns - 2,
            "{columns}: {line}"
        );
        let shown = without_hint.unwrap_or(shown);
        assert!(forms.contains(&shown), "{columns}: {line}");
        assert!(columns < 50 || shown.contains("resolve"), "{columns}: {line}");
        assert!(columns < 71 || shown == whole, "{columns}: {line}");
    }
}

#[test]
fn search_results_in_every_size() {
    for (columns, rows) in SIZES {
        let mut screen = ready(columns, rows);
        screen.keys("/rat");
        screen.serve(fixture::response);
        assert_snapshot!(format!("list-searching-{columns}x{rows}"), screen.picture());
        screen.keys("<enter>j");
        assert_snapshot!(format!("list-found-{columns}x{rows}"), screen.picture());
        screen.keys("/zzqx");
        assert_snapshot!(format!("list-nothing-{columns}x{rows}"), screen.picture());
    }
}

#[test]
fn watched_coin_has_its_slug_only_if_it_shares_its_symbol() {
    let mut screen = ready(160, 45);
    screen.keys("4");
    screen.serve(fixture::response);
    let text = screen.text();
    assert!(text.contains("rats-ordinals  2 coins use RATS"), "{text}");
    assert!(!text.contains("sats-ordinals") && !text.contains(" bitcoin"), "{text}");
}

#[test]
fn wallet_in_every_state() {
    for (columns, rows) in SIZES {
        let mut screen = ready(columns, rows);
        screen.keys("4");
        screen.start_all();
        assert_snapshot!(format!("wallet-loading-{columns}x{rows}"), screen.picture());
        screen.serve(fixture::response);
        screen.keys("j");
        assert_snapshot!(format!("wallet-ready-{columns}x{rows}"), screen.picture());
        screen.wait(Duration::from_mins(20));
        screen.fail_all(&ErrorKind::RateLimited { message: None, retry_after: None });
        assert_snapshot!(format!("wallet-stale-{columns}x{rows}"), screen.picture());
        screen.keys("+");
        screen.fail_all(&ErrorKind::RateLimited { message: None, retry_after: None });
        assert_snapshot!(format!("wallet-failed-{columns}x{rows}"), screen.picture());
    }
}

#[test]
fn wallet_without_holdings_says_at_the_top_how_to_add_some() {
    for (columns, rows) in [(160, 45), (120, 35), (80, 24), (40, 12)] {
        let mut screen = ready(columns, rows);
        screen.keys("4");
        screen.serve(fixture::response);
        let text = screen.text();
        let line = text.lines().nth(1).unwrap();
        assert!(line.contains("No holdings") && line.contains(" A ") && !line.contains('…'), "{text}");
    }
}

#[test]
fn failed_watchlist_of_any_length_shows_the_reason() {
    for (columns, rows) in [(160, 45), (80, 24), (40, 12)] {
        let watched = (0..40).map(|number| Watched::by_symbol(&format!("C{number}"))).collect();
        let mut screen = Screen::with(Preferences { watched, ..Preferences::default() }, columns, rows);
        screen.keys("4");
        screen.fail_all(&ErrorKind::Refused);
        assert!(screen.text().contains("Can't reach"), "{}", screen.text());
    }
}

#[test]
fn old_data_show_their_age_in_the_coin_view_at_any_width() {
    for columns in 40..=170 {
        let mut screen = ready(columns, 24);
        screen.keys("jj<enter>");
        screen.serve(fixture::response);
        screen.wait(Duration::from_mins(12));
        screen.fail_all(&ErrorKind::Resolve);
        let text = screen.text();
        assert!(text.lines().nth(1).unwrap().contains("12 m old"), "{columns}: {text}");
    }
}

#[test]
fn wallet_shows_list_prices_until_its_own_arrive() {
    let mut screen = ready(80, 24);
    let price = |screen: &mut Screen| {
        let row = screen.text().lines().find(|line| line.contains("BTC")).unwrap().to_owned();
        row.rsplit_once("BTC").unwrap().1.split_whitespace().next().unwrap().to_owned()
    };
    let listed = screen.text().lines().find(|line| line.contains("BTC")).unwrap().to_owned();
    screen.keys("4");
    screen.start_all();
    let shown = price(&mut screen);
    assert!(listed.contains(&shown) && shown.contains('.'), "{shown}: {listed}");
    screen.fail_all(&ErrorKind::Refused);
    assert_eq!(price(&mut screen), shown);
    // A price in another currency is labelled.
    screen.keys("ceur<enter>");
    screen.start_all();
    assert_eq!(price(&mut screen), shown);
    assert!(screen.text().contains(&format!("{shown}    in USD")), "{}", screen.text());
}

#[test]
fn empty_wallet_shows_how_to_fill_it() {
    let watched = Vec::new();
    let mut screen = Screen::with(Preferences { watched, ..Preferences::default() }, 60, 10);
    screen.keys("4");
    assert_snapshot!(screen.picture());
    // It shows how to fill it wherever a few words fit.
    for (columns, rows) in [(24, 8), (40, 12), (80, 24), (160, 45)] {
        screen.resize(columns, rows);
        let words = screen.text().split_whitespace().collect::<Vec<_>>().join(" ");
        assert!(
            words.contains("Empty wallet · press a to add a lot, A for an address · 1, then f to watch a coin"),
            "{columns}x{rows}:\n{}",
            screen.text()
        );
        assert!(!words.contains("unwatch") && !words.contains("refresh"), "{columns}x{rows}: there is none");
    }
}

#[test]
fn new_sort_shows_top_of_list() {
    let mut screen = ready(80, 24);
    screen.keys("sn");
    screen.serve(fixture::response);
    let first = |screen: &mut Screen| screen.text().lines().nth(3).unwrap().to_owned();
    let top = first(&mut screen);
    screen.keys("S");
    assert_ne!(first(&mut screen), top, "the other end of the order");
    screen.keys("S");
    assert_eq!(first(&mut screen), top);
    // From wherever the reader was.
    for keys in ["jjjSS", "<pgdn><pgdn>SS", "<end>kkSS"] {
        screen.keys(keys);
        screen.serve(fixture::response);
        assert_eq!(first(&mut screen), top, "{keys}");
        assert_eq!(screen.state.list(Tag::All).selected_row(), Some(0), "{keys}");
    }
}

#[test]
fn search_results_show_their_sort() {
    for (columns, rows) in [(80, 24), (160, 45)] {
        let mut screen = ready(columns, rows);
        screen.keys("/ord<enter>");
        screen.serve(fixture::response);
        let says = |screen: &mut Screen| {
            let text = screen.text();
            (text.contains("best match first"), text.contains(['▴', '▾']))
        };
        assert_eq!(says(&mut screen), (true, false), "{columns}");
        screen.keys("sp");
        assert_eq!(says(&mut screen), (false, true), "{columns}: by price");
        screen.keys("<esc>");
        assert_eq!(says(&mut screen), (false, true), "{columns}: as the list from then on");
        screen.keys("/ord<enter>");
        assert_eq!(says(&mut screen), (true, false), "{columns}");
    }
}

#[test]
fn sort_column_is_visible_at_any_size() {
    for (columns, rows) in [(24, 8), (40, 12), (60, 20), (80, 24)] {
        let mut screen = ready(columns, rows);
        for column in
            [SortColumn::Name, SortColumn::Price, SortColumn::Change1h, SortColumn::Change24h, SortColumn::Change7d]
        {
            screen.keys(&format!("s{}", column.key()));
            assert_eq!(screen.state.list(Tag::All).sort.column, column);
            screen.serve(fixture::response);
            assert!(screen.text().contains(['▴', '▾']), "{columns}: by {column:?}\n{}", screen.text());
        }
    }
}

#[test]
fn unknown_symbol_in_wallet_matches_snapshot() {
    let watched = ["ORDI", "GONE"].map(Watched::by_symbol).to_vec();
    let mut screen = Screen::with(Preferences { watched, ..Preferences::default() }, 100, 14);
    screen.keys("4");
    screen.serve(fixture::response);
    assert_snapshot!(screen.picture());
}

#[test]
fn coin_on_no_loaded_page_shows_chart_price() {
    let watched = vec![Watched::by_symbol("ORDI")];
    let mut screen = Screen::with(Preferences { watched, ..Preferences::default() }, 120, 35);
    screen.keys("4");
    screen.serve(|request| match request {
        Request::Coins { .. } => Some(ResponseData::Coins(Page { items: Vec::new(), total: Some(1_000) })),
        other => fixture::response(other),
    });
    screen.keys("<enter>");
    screen.serve(fixture::response);
    let text = screen.text();
    let headline = text.lines().nth(1).unwrap();
    assert!(headline.contains("$") && headline.contains("(last chart price)"), "{text}");
}

#[test]
fn help_dialog_matches_snapshots() {
    for (columns, rows) in SIZES {
        let mut screen = ready(columns, rows);
        screen.keys("?jj");
        assert_snapshot!(format!("help-{columns}x{rows}"), screen.picture());
    }
}

#[test]
fn post_dialog_matches_snapshots() {
    for (columns, rows) in SIZES {
        let mut screen = ready(columns, rows);
        screen.keys("jj<enter>");
        screen.serve(fixture::response);
        screen.keys("<tab><tab>");
        screen.serve(fixture::response);
        screen.keys("j<enter>j");
        assert_snapshot!(format!("post-{columns}x{rows}"), screen.picture());
        screen.keys("oj");
        assert_snapshot!(format!("post-links-{columns}x{rows}"), screen.picture());
    }
}

#[test]
fn overscrolled_dialog_scrolls_back_with_first_key() {
    for (columns, rows) in [(160, 45), (80, 24), (40, 12), (30, 7), (11, 4), (200, 80)] {
        for open in ["?", "jj<enter><tab><tab>j<enter>"] {
            let mut screen = ready(columns, rows);
            for key in open.split_inclusive(['>', 'j', '?']) {
                screen.keys(key);
                screen.serve(fixture::response);
            }
            assert!(screen.state.overlay.is_some(), "{open}");
            let top = screen.text();
            screen.keys("<end>");
            let end = screen.text();
            screen.keys("<pgdn><down><down>");
            assert_eq!(screen.text(), end);
            screen.keys("<up>");
            // If everything fits, there is nothing to scroll.
            assert_eq!(screen.text() == end, top == end, "{columns}x{rows} {open}:\n{end}");
            screen.keys("<home>");
            assert_eq!(screen.text(), top);
        }
    }
}

#[test]
fn currency_dialog_matches_snapshots() {
    for (columns, rows) in SIZES {
        let mut screen = ready(columns, rows);
        screen.keys("c<down>");
        assert_snapshot!(format!("currency-{columns}x{rows}"), screen.picture());
        screen.keys("chfx");
        assert_snapshot!(format!("currency-typed-{columns}x{rows}"), screen.picture());
    }
}

#[test]
fn lookup_dialog_matches_snapshots() {
    for (columns, rows) in SIZES {
        let mut screen = ready(columns, rows);
        screen.keys("5g");
        let text = screen.text();
        assert!(columns < 80 || !text.contains("… │"), "a line is cut:\n{text}");
        for part in ["0°1′1″0‴", "b61b…735i0", "sat 7"] {
            assert!(text.contains(part), "{part} is missing:\n{text}");
        }
        assert_snapshot!(format!("lookup-{columns}x{rows}"), screen.picture());
        screen.keys("840000<down>");
        assert_snapshot!(format!("lookup-typed-{columns}x{rows}"), screen.picture());
    }
}

#[test]
fn unsupported_currency_is_marked() {
    let mut screen = ready(100, 12);
    screen.keys("ceur<enter>");
    screen.serve(|request| match request {
        Request::Coins { tag, start, limit, .. } => {
            let convert = Currency::usd();
            fixture::response(&Request::Coins { tag: *tag, start: *start, limit: *limit, convert })
        }
        other => fixture::response(other),
    });
    assert!(screen.text().contains("Price USD"), "{}", screen.text());
}

#[test]
fn next_page_shows_loading_and_failure() {
    let mut screen = Screen::with(Preferences { page_size: 10, ..Preferences::default() }, 100, 30);
    let first = screen.wanted().remove(0);
    screen.answer(&first, fixture::response(&first).unwrap());
    screen.start_all();
    assert!(screen.text().contains("Loading more…"), "{}", screen.text());
    for request in screen.wanted().into_iter().skip(1) {
        screen.fail(&request, ErrorKind::Incomplete);
    }
    let text = screen.text();
    assert!(text.contains("Can't load more · Response ended early · retrying in 30 s"), "{text}");
}

#[test]
fn mouse_clicks_hit_their_target() {
    let mut screen = ready(120, 20);
    let text = screen.text();
    let row = text.lines().position(|line| line.contains("rats (Ordinals)")).unwrap() as u16;
    screen.click(20, row);
    assert_eq!(screen.state.list(Tag::All).selected().unwrap().name, "rats (Ordinals)");
    let head = text.lines().nth(2).unwrap();
    let price = head.chars().take_while(|c| *c != 'P').count() as u16;
    screen.click(price, 2);
    assert_eq!(screen.state.list(Tag::All).sort.column, SortColumn::Price);
    screen.paint();
    let wallet = text.lines().next().unwrap().find("4 Wallet").unwrap() as u16;
    screen.click(wallet + 3, 0);
    assert_eq!(screen.state.tab, Tab::Wallet);
    screen.keys("c");
    let text = screen.text();
    let row = text.lines().position(|line| line.contains("Swiss franc")).unwrap() as u16;
    screen.click(60, row);
    screen.paint();
    screen.click(60, row);
    assert_eq!(screen.state.convert.as_str(), "CHF", "a click selects, the next one chooses");
}

#[test]
fn toast_replaces_footer() {
    let mut screen = ready(60, 12);
    screen.keys("f");
    assert!(screen.text().lines().last().unwrap().contains("Stopped watching BTC"));
    screen.wait(Duration::from_secs(5));
    assert!(screen.text().lines().last().unwrap().contains("open"));
    screen.send(Message::EffectFailed("Can't open the browser (no such program) · set BROWSER to yours".into()));
    let text = screen.text();
    assert!(text.contains("× Can't open the browser") && text.contains("to yours"), "{text}");
}

#[test]
fn long_error_wraps_on_a_narrow_screen() {
    let sentence = "Can't import watched.json (line 3, column 17: expected a list of coins, found an object) · the file \
                    was kept, and nothing was changed; delete it to start with an empty watchlist";
    for (columns, rows) in [(40, 12), (60, 24), (80, 24)] {
        let mut screen = ready(columns, rows);
        screen.send(Message::EffectFailed(sentence.into()));
        let text = screen.text().split_whitespace().collect::<Vec<_>>().join(" ");
        assert!(text.contains(&sentence.split_whitespace().collect::<Vec<_>>().join(" ")), "{text}");
    }
    // What doesn't fit ends with an ellipsis.
    let mut screen = ready(40, 12);
    screen.send(Message::EffectFailed(sentence.repeat(5)));
    assert!(screen.text().trim_end().ends_with('…'), "{}", screen.text());
}

#[test]
fn ascii_mode_has_only_ascii_cells() {
    let mut screen = ready(160, 45);
    screen.appearance.glyphs = Glyphs::Ascii;
    for keys in ["", "?", "<esc>c", "<esc>4", "5:"] {
        screen.keys(keys);
        assert!(screen.text().is_ascii(), "{}", screen.text());
    }
}

#[test]
fn wide_screen_is_used_to_its_edge() {
    let mut screen = ready(240, 20);
    let buf = screen.paint();
    let used = (0..240).rev().find(|&x| buf[(x, 3)].symbol() != " ");
    assert!(used >= Some(230), "{used:?}\n{}", screen.text());
}

#[test]
fn remote_names_and_posts_have_no_escape_sequences() {
    let mut screen = Screen::new(80, 12);
    screen.serve(|request| match fixture::response(request)? {
        ResponseData::Coins(mut page) => {
            for coin in &mut page.items {
                coin.name = "\u{1b}[31mred\u{7}".into();
                coin.symbol = "\u{9b}2J".into();
            }
            Some(ResponseData::Coins(page))
        }
        other => Some(other),
    });
    let buf = screen.paint();
    assert!(
        buf.content.iter().all(|cell| !cell.symbol().chars().any(char::is_control)),
        "the decode border is not the only guard"
    );
}

#[derive(Clone, Debug)]
enum Step {
    Keys(&'static str),
    Type(char),
    Resize(u16, u16),
    Serve,
    Fail,
    Start,
    Wait(u64),
    Click(u16, u16),
    Wheel(isize),
    Paste(String),
}

fn step() -> impl Strategy<Value = Step> {
    const KEYS: [&str; 30] = [
        "<enter>", "<esc>", "<tab>", "<up>", "<down>", "<left>", "<right>", "<home>", "<end>", "<pgup>", "<pgdn>",
        "<bs>", "1", "2", "3", "4", "5", "6", "/", "s", "S", "f", "t", "c", "o", "r", "?", "z", ":", "+",
    ];
    prop_oneof![
        8 => prop::sample::select(&KEYS[..]).prop_map(Step::Keys),
        2 => any::<char>().prop_map(Step::Type),
        2 => (0_u16..200, 0_u16..200).prop_map(|(columns, rows)| Step::Resize(columns, rows)),
        2 => (0_u16..20, 0_u16..12).prop_map(|(columns, rows)| Step::Resize(columns, rows)),
        3 => Just(Step::Serve),
        1 => Just(Step::Fail),
        1 => Just(Step::Start),
        1 => (0_u64..100_000).prop_map(Step::Wait),
        2 => (0_u16..80, 0_u16..30).prop_map(|(x, y)| Step::Click(x, y)),
        1 => (-50_isize..50).prop_map(Step::Wheel),
        1 => ".{0,20}".prop_map(Step::Paste),
    ]
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 64, ..ProptestConfig::default() })]

    #[test]
    fn no_input_at_any_size_panics(steps in prop::collection::vec(step(), 1..40)) {
        let mut screen = Screen::new(80, 24);
        for step in steps {
            match step {
                Step::Keys(keys) => screen.keys(keys),
                Step::Type(c) => screen.key(KeyEvent::from(KeyCode::Char(c))),
                Step::Resize(columns, rows) => screen.resize(columns, rows),
                Step::Serve => screen.serve(fixture::response),
                Step::Fail => screen.fail_all(&ErrorKind::Incomplete),
                Step::Start => screen.start_all(),
                Step::Wait(secs) => screen.wait(Duration::from_secs(secs)),
                Step::Click(x, y) => {
                    if let Some(target) = screen.view_state.hit(x, y) {
                        screen.send(Message::Click(target));
                    }
                }
                Step::Wheel(rows) => screen.send(Message::Wheel(rows, None)),
                Step::Paste(text) => screen.send(Message::Paste(text)),
            }
            let buf = screen.paint();
            prop_assert!(buf.content.iter().all(|cell| !cell.symbol().chars().any(char::is_control)));
            if let Some((x, y)) = screen.cursor {
                prop_assert!(buf.area.contains((x, y).into()), "cursor at {x},{y} outside of {}", buf.area);
            }
        }
    }
}
