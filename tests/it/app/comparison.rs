//! The comparison of coins, by keys.

use satscope::app::{Effect, Message, Overlay, Preferences};
use satscope::client::{Client, ClientConfig, ErrorKind, Request, ResponseData};
use satscope::model::{Coin, CoinName, IndexedName, MarketSeries, Point, Tag, UtcTime, VolumeSpan};
use satscope::service::{self, Options, TimeSource};

use super::fixtures::{all, coin, page};
use crate::support::indexer;
use crate::support::screen::{Screen, fixture};

/// The series of the first coins of the list, each with its own waves.
fn response(request: &Request) -> Option<ResponseData> {
    let Request::MarketData { symbols, convert, count, interval } = request else { return indexer::response(request) };
    let coins = (0..8).map(|index| fixture::coin(Tag::All, index, convert));
    let series =
        (0..).zip(coins).filter(|(_, coin)| symbols.contains(&coin.symbol)).map(|(index, coin)| MarketSeries {
            id: Some(coin.id.0),
            name: Some(coin.name),
            symbol: coin.symbol,
            slug: coin.slug,
            convert: convert.clone(),
            interval: Some(interval.clone()),
            points: (0..*count).map(|hour| point(index, hour)).collect(),
            volume_span: VolumeSpan::Day,
            candles: None,
        });
    Some(ResponseData::Market(series.collect()))
}

fn point(coin: u32, hour: u32) -> Point {
    let (coin, at) = (f64::from(coin), f64::from(hour));
    let start = UtcTime::parse_rfc3339("2026-11-12T14:00:00Z").unwrap();
    Point {
        time: start.plus(std::time::Duration::from_hours(1) * hour),
        price: Some(1.0 + (at / (19.0 + 7.0 * coin)).sin() / (4.0 + coin)),
        volume: None,
        market_cap: None,
    }
}

fn list(columns: u16, rows: u16) -> Screen {
    let mut screen = Screen::new(columns, rows);
    screen.serve(response);
    screen
}

fn market(screen: &Screen) -> Vec<Request> {
    screen.wanted().into_iter().filter(|request| matches!(request, Request::MarketData { .. })).collect()
}

#[test]
fn four_keys_compare_two_coins() {
    let mut screen = list(120, 30);
    screen.keys("mjmv");
    assert!(matches!(screen.state.overlay, Some(Overlay::Compare)));
    let Some(Request::MarketData { symbols, interval, count, .. }) = market(&screen).first().cloned() else {
        panic!("one request for both")
    };
    assert_eq!((symbols.join(",").as_str(), interval.as_str(), count), ("BTC,ETH", "1h", 169));
    assert!(screen.text().contains("Loading the comparison…"), "{}", screen.text());
    screen.serve(response);
    let text = screen.text();
    for what in ["[7D]", "1Y", "A BTC", "B ETH", "0%┤", "% "] {
        assert!(text.contains(what), "{what} in\n{text}");
    }
}

#[test]
fn period_keys_request_other_intervals() {
    let mut screen = list(120, 30);
    screen.keys("mjmv[");
    let intervals = |screen: &Screen| match market(screen).first() {
        Some(Request::MarketData { interval, count, .. }) => format!("{interval} {count}"),
        _ => String::new(),
    };
    assert_eq!(intervals(&screen), "15m 97");
    screen.keys("]]]]");
    assert_eq!(intervals(&screen), "1d 365");
    for _ in 0..2 {
        screen.keys("]");
        assert_eq!(intervals(&screen), "1d 6500");
    }
    screen.serve(response);
    assert!(screen.text().contains("[All]"));
}

/// A comparison of BTC and ETH over all time, with daily prices that rise by one a day until 12 November
/// 2026. Each has those of the days in a range, counted back from the last one.
fn all_time(days: [std::ops::Range<u32>; 2]) -> Screen {
    let end = UtcTime::parse_rfc3339("2026-11-12T00:00:00Z").unwrap();
    let rising = |request: &Request| {
        let Some(ResponseData::Market(mut series)) = response(request) else { return response(request) };
        for (series, (days, last)) in series.iter_mut().zip(days.clone().into_iter().zip([2_000.0, 1_000.0])) {
            let day = |ago: u32| Point {
                time: end.minus(std::time::Duration::from_hours(24) * ago),
                price: Some(last - f64::from(ago)),
                volume: None,
                market_cap: None,
            };
            series.points = days.rev().map(day).collect();
        }
        Some(ResponseData::Market(series))
    };
    let mut screen = list(120, 30);
    screen.keys("mjmv]]]]");
    screen.serve(rising);
    screen
}

#[test]
fn coins_of_all_time_are_compared_since_both_have_prices() {
    let text = all_time([0..1_000, 0..400]).text();
    assert!(text.contains("[All]") && text.contains("since 9 Oct 2025"), "{text}");
    let changes = ["A BTC", "B ETH"].map(|coin| change_after(&text, coin));
    assert_eq!(changes, ["24.9", "66.4"], "{text}");
    assert!(!text.contains("No daily prices"), "{text}");
}

#[test]
fn coin_whose_prices_end_before_the_common_start_is_named() {
    let text = all_time([400..1_000, 0..400]).text();
    assert!(text.contains("No daily prices for BTC since 9 Oct 2025"), "{text}");
    assert!(text.lines().any(|line| line.contains("A BTC") && line.contains('—')), "{text}");
    assert_eq!(change_after(&text, "B ETH"), "66.4", "{text}");
}

#[test]
fn comparison_opened_in_a_coin_view_has_the_period_of_its_chart() {
    for open in ["v", ":compare eth<enter>"] {
        let mut screen = list(120, 30);
        screen.keys("m<enter>]]");
        screen.serve(response);
        assert!(screen.text().contains("[3M]"), "{}", screen.text());
        screen.keys(open);
        screen.serve(response);
        assert!(matches!(screen.state.overlay, Some(Overlay::Compare)), "{open}");
        assert!(screen.text().contains("[3M]"), "{open}: {}", screen.text());
        // A coin added to it changes no period, nor does the list.
        screen.keys("[a");
        screen.keys("sats<enter>");
        assert!(screen.text().contains("[1M]"), "{open}: {}", screen.text());
        screen.keys("<esc><esc>v");
        assert!(screen.text().contains("[1M]"), "{open}: {}", screen.text());
    }
}

#[test]
fn cursor_reads_all_coins_and_back_removes_it() {
    let mut screen = list(120, 30);
    screen.keys("mjmv");
    screen.serve(response);
    let before = screen.text();
    screen.keys("<left><left>");
    assert!(screen.text().contains('│') && screen.state.comparison.cursor.is_some());
    let here = screen.state.comparison.cursor.unwrap();
    screen.keys("<s-left>");
    let day = screen.state.comparison.cursor.unwrap();
    assert_eq!(here.since(day).as_secs(), 86_400);
    screen.keys("<home>");
    assert!(screen.text().matches("0.0%").count() >= 2, "both start at zero\n{}", screen.text());
    screen.keys("<esc>");
    assert_eq!(screen.text(), before);
    screen.keys("<esc>");
    assert!(screen.state.overlay.is_none());
}

#[test]
fn wheel_moves_the_cursor_as_in_the_chart_of_a_coin() {
    let mut screen = list(120, 30);
    screen.keys("mjmv");
    screen.serve(response);
    let mut turned = |rows: isize| {
        screen.send(Message::Wheel(rows, None));
        assert_eq!(screen.state.comparison.selected, 0);
        screen.state.comparison.cursor.unwrap()
    };
    let (first, second, third) = (turned(-1), turned(-3), turned(3));
    assert!(second < first && third == first, "{first:?} {second:?} {third:?}");
    assert!(screen.text().contains('│'), "{}", screen.text());
}

#[test]
fn clicks_choose_the_period_and_move_the_cursor() {
    let mut screen = list(120, 30);
    screen.keys("mjmv");
    screen.serve(response);
    let text = screen.text();
    let (y, head) = text.lines().enumerate().find(|(_, line)| line.contains("[7D]")).unwrap();
    let x = |name: &str| u16::try_from(head[..head.find(name).unwrap()].chars().count()).unwrap();
    let y = u16::try_from(y).unwrap();
    screen.click(x("1M"), y);
    screen.serve(response);
    assert!(screen.text().contains("[1M]"), "{}", screen.text());
    screen.click(x("1D"), y);
    screen.serve(response);
    assert!(screen.text().contains("[1D]"), "{}", screen.text());

    let columns: Vec<u16> = (0..120)
        .filter(|&x| matches!(screen.view_state.hit(x, y + 5), Some(satscope::app::ClickTarget::ChartColumn(..))))
        .collect();
    let times = [0, columns.len() / 2, columns.len() - 1].map(|index| {
        screen.click(columns[index], y + 5);
        assert!(screen.text().contains('│') && screen.text().contains(" Nov "), "{}", screen.text());
        let line = screen.text().lines().nth(usize::from(y) + 5).unwrap().chars().nth(usize::from(columns[index]));
        assert!(line.is_some_and(|cell| cell != ' '), "the cursor is at the click\n{}", screen.text());
        screen.state.comparison.cursor.unwrap()
    });
    let start = UtcTime::parse_rfc3339("2026-11-12T14:00:00Z").unwrap();
    assert_eq!(times.map(|time| time.since(start).as_secs() / 3_600), [72, 84, 96], "the last day");
    screen.keys("<esc>");
    assert!(screen.state.comparison.cursor.is_none() && screen.state.overlay.is_some());
}

#[test]
fn cursor_shows_its_time_on_small_screens() {
    for (columns, rows) in [(80, 24), (40, 12)] {
        let mut screen = list(columns, rows);
        screen.keys("mjmv");
        screen.serve(response);
        screen.keys("<left><left>");
        let text = screen.text();
        let head = text.lines().find(|line| line.contains("[7D]")).unwrap();
        assert!(head.contains("Thu 19 Nov 13:00"), "{text}");
    }
}

#[test]
fn names_of_the_wallet_stay_in_one_column_while_coins_are_marked() {
    for (columns, rows) in [(80, 24), (120, 35), (160, 45)] {
        let mut screen = list(columns, rows);
        screen.keys("4a2 ordi @ 8<enter>a1 btc @ 50000<enter>");
        screen.serve(response);
        for marks in 0..2 {
            let text = screen.text();
            let column = |name: &str| -> Vec<usize> {
                let places = text.lines().filter_map(|line| line.split_once(name).map(|(before, _)| before));
                places.filter(|before| before.len() <= 6).map(|before| before.chars().count()).collect()
            };
            assert_eq!(column("Bitcoin "), column("ORDI "), "{text}");
            assert_eq!(column("Bitcoin ").len(), 2, "{text}");
            assert_eq!(text.contains("\nA ▸ "), marks > 0, "{text}");
            screen.keys("m");
        }
    }
}

#[test]
fn marks_are_letters_in_the_list_and_coins_can_be_removed() {
    let mut screen = list(120, 30);
    screen.keys("mjjm");
    let text = screen.text();
    assert!(text.contains("Added ORDI to comparison (2 of 6) · v: compare"), "{text}");
    // Letters have the colours of their lines, in other shades on the selected row.
    screen.keys("j");
    let (buf, lines) = (screen.paint(), screen.appearance.theme.lines);
    for (letter, line) in ["A", "B"].into_iter().zip(lines) {
        assert!(buf.content.iter().any(|cell| cell.symbol() == letter && Some(cell.fg) == line.fg), "{letter}");
    }
    screen.keys("v");
    screen.serve(response);
    assert!(screen.text().contains("B ORDI"));
    screen.keys("jd");
    let text = screen.text();
    assert!(!text.contains("B ORDI") && text.contains("press a to add a coin"), "{text}");
    screen.keys("d");
    assert!(screen.state.overlay.is_none(), "nothing is left");
    screen.keys("mm");
    assert!(screen.state.comparison.coins().is_empty());
}

#[test]
fn marks_are_cleared_at_once() {
    let mut screen = list(80, 24);
    screen.keys("mjmj:unmark");
    assert!(screen.text().contains("clear marks"), "{}", screen.text());
    screen.keys("<enter>");
    assert!(
        screen.state.comparison.coins().is_empty() && screen.text().contains("Cleared 2 marks"),
        "{}",
        screen.text()
    );
    screen.keys(":clear-marks<enter>");
    assert!(screen.text().contains("No coins marked"), "{}", screen.text());
    // The first letter is free again.
    screen.keys("m");
    assert_eq!(screen.state.comparison.letter(0), 'A');
}

#[test]
fn going_back_clears_the_marks_last() {
    for (columns, rows) in [(160, 45), (80, 24)] {
        let mut screen = list(columns, rows);
        let back = |screen: &mut Screen| {
            let footer = screen.text().lines().last().unwrap().to_owned();
            screen.keys("<esc>");
            footer.trim_start().split("  ").next().unwrap().to_owned()
        };
        let marks = |screen: &Screen| screen.state.comparison.coins().len();
        screen.keys("mjm");
        screen.wait(std::time::Duration::from_mins(1));
        screen.keys("Fg/or<enter>");
        assert_eq!((back(&mut screen).as_str(), marks(&screen)), ("Esc clear search", 2));
        assert_eq!((back(&mut screen).as_str(), marks(&screen)), ("Esc all coins", 2));
        assert_eq!((back(&mut screen).as_str(), marks(&screen)), ("Esc unmark", 0));
        assert!(screen.text().contains("Cleared 2 marks"), "{}", screen.text());
        screen.wait(std::time::Duration::from_mins(1));
        assert!(!screen.text().contains("unmark"), "{}", screen.text());

        screen.keys("m4");
        screen.serve(response);
        screen.wait(std::time::Duration::from_mins(1));
        assert_eq!((back(&mut screen).as_str(), marks(&screen)), ("Esc unmark", 0));
        screen.wait(std::time::Duration::from_mins(1));
        let before = screen.text();
        assert!(!before.contains("unmark"), "{before}");
        screen.keys("<esc>");
        assert_eq!(screen.text(), before, "nothing is left to clear");
    }
}

#[test]
fn marks_are_cleared_before_the_offer_of_live_data_is_hidden() {
    let mut screen = Screen::with(Preferences { offers_live: true, ..Preferences::default() }, 120, 30);
    screen.serve(response);
    screen.keys("m");
    assert!(!screen.text().contains("Esc hide"), "{}", screen.text());
    screen.keys("<esc>");
    assert!(screen.state.comparison.coins().is_empty() && screen.text().contains("Esc hide"), "{}", screen.text());
    screen.keys("<esc>");
    assert!(!screen.text().contains("Simulated data"), "{}", screen.text());
}

#[test]
fn selected_coin_opens_with_the_period_of_the_comparison() {
    let mut screen = list(120, 30);
    screen.keys("mjmv]");
    screen.serve(response);
    screen.keys("<down><enter>");
    assert!(screen.state.overlay.is_none(), "{}", screen.text());
    let text = screen.text();
    assert!(text.contains("#2 Ethereum") && text.contains("[1M]"), "{text}");
    assert_eq!(screen.state.comparison.coins().len(), 2, "the marks stay");
    screen.keys("<esc>");
    assert!(screen.state.token.is_none() && screen.state.overlay.is_none(), "{}", screen.text());
    // One that was not marked before stays unmarked.
    let mut screen = list(120, 30);
    screen.keys("v<enter>");
    assert!(screen.state.comparison.coins().is_empty() && screen.text().contains("#1 Bitcoin"), "{}", screen.text());
}

#[test]
fn comparing_a_single_coin_leaves_no_mark() {
    let mut screen = list(120, 30);
    screen.keys("v<esc>");
    assert!(screen.state.comparison.coins().is_empty());
    screen.keys("vv");
    assert!(screen.state.comparison.coins().is_empty(), "the same key closes it");
    screen.keys("va");
    screen.keys("eth<enter>");
    assert_eq!(screen.state.comparison.coins().len(), 2, "another one was added to it");
    screen.keys("<esc>mjm");
    assert!(screen.state.comparison.coins().is_empty(), "both were marked, and now aren't");
    screen.keys("k");
    // A marked one keeps its mark, and so do several.
    screen.keys("mv<esc>");
    assert_eq!(screen.state.comparison.coins().len(), 1);
    screen.keys("jv<esc>");
    assert_eq!(screen.state.comparison.coins().len(), 2);
}

#[test]
fn single_compared_coin_leaves_no_mark_whatever_closes_the_comparison() {
    for keys in ["vq", "v:ordi<enter>"] {
        let mut screen = list(120, 30);
        screen.keys(keys);
        assert!(screen.state.overlay.is_none() && screen.state.comparison.coins().is_empty(), "{keys}");
    }
    let mut screen = list(120, 30);
    screen.keys("v<esc>:compare ordi<enter><esc>");
    assert_eq!(screen.state.comparison.coins().len(), 1, "a coin that was named is marked");
    let mut screen = list(120, 30);
    screen.keys("v:compare ordi<enter><up>d<esc>");
    let marked: Vec<&str> = screen.state.comparison.coins().iter().map(|coin| coin.symbol.as_str()).collect();
    assert_eq!(marked, ["ORDI"]);
}

#[test]
fn coin_compared_alone_in_its_view_leaves_no_mark() {
    for close in ["<esc>", "v"] {
        let mut screen = list(120, 30);
        screen.keys(&format!("<enter>v{close}"));
        assert!(screen.state.overlay.is_none() && screen.state.comparison.coins().is_empty(), "{close}");
        // The next coin is compared alone, and can be marked.
        screen.keys(&format!("nv{close}<esc>m"));
        assert!(screen.text().contains("to comparison (1 of 6)"), "{close}: {}", screen.text());
        // A mark from before stays.
        screen.keys("<enter>v<esc>");
        assert_eq!(screen.state.comparison.coins().len(), 1, "{close}");
    }
}

#[test]
fn comparison_opens_without_the_cursor_of_the_last_one() {
    for keys in ["qv", "vv", "q:compare btc<enter>"] {
        let mut screen = list(120, 30);
        screen.keys("mjmv");
        screen.serve(response);
        screen.keys("<left>");
        assert!(screen.state.comparison.cursor.is_some());
        screen.keys(keys);
        assert!(matches!(screen.state.overlay, Some(Overlay::Compare)), "{keys}");
        assert_eq!(screen.state.comparison.cursor, None, "{keys}");
    }
}

#[test]
fn comparison_stays_open_if_a_coin_cannot_be_added() {
    let mut screen = Screen::with(Preferences::default(), 120, 30);
    let coins = vec![coin(1, "bitcoin", "BTC", Some(60_000.0)), coin(2, "zeta", "A,B", Some(1.0))];
    let name = |coin: &Coin| CoinName {
        id: coin.id.0.clone(),
        name: coin.name.clone(),
        symbol: coin.symbol.clone(),
        slug: coin.name.clone(),
        rank: coin.rank,
    };
    let names = coins.iter().map(|coin| IndexedName::from(name(coin))).collect();
    screen.answer(&all(1), page(coins, Some(2)));
    screen.keys("v:compare zeta");
    screen.answer(&Request::CoinNames, ResponseData::CoinNames(names));
    screen.keys("<enter>");
    assert!(matches!(screen.state.overlay, Some(Overlay::Compare)), "{}", screen.text());
    assert!(screen.state.toast.as_ref().unwrap().text.starts_with("Can't compare A,B"));
    screen.keys("<esc>");
    assert!(screen.state.overlay.is_none() && screen.state.comparison.coins().is_empty());
}

#[test]
fn coins_that_share_a_symbol_have_their_own_lines() {
    let mut screen = list(120, 30);
    // Two coins use RATS.
    screen.keys("jjjjmjmv");
    let Some(Request::MarketData { symbols, .. }) = market(&screen).first().cloned() else { panic!() };
    assert_eq!(symbols, ["RATS"]);
    screen.serve(response);
    let text = screen.text();
    assert!(text.contains("A RATS") && text.contains("B RATS"), "{text}");
}

#[test]
fn coin_without_prices_is_named() {
    let mut screen = list(120, 30);
    screen.keys("mjmv");
    let request = market(&screen).remove(0);
    let Some(ResponseData::Market(mut series)) = response(&request) else { panic!() };
    series.retain(|series| series.symbol == "BTC");
    screen.answer(&request, ResponseData::Market(series));
    let text = screen.text();
    assert!(text.contains("No 7D prices for ETH") && text.contains("B ETH") && text.contains('—'), "{text}");
    let request = market(&screen).remove(0);
    screen.answer(&request, ResponseData::Market(Vec::new()));
    assert!(screen.text().contains("No prices for 7D"), "{}", screen.text());
}

#[test]
fn failure_shows_its_reason_and_keeps_old_lines() {
    let mut screen = list(120, 30);
    screen.keys("mjmv");
    let request = market(&screen).remove(0);
    screen.fail(&request, ErrorKind::Incomplete);
    assert!(screen.text().contains("Response ended early"), "{}", screen.text());
    screen.serve(response);
    let lines = screen.text();
    assert!(lines.contains("A BTC"));
    screen.fail(&request, ErrorKind::Incomplete);
    assert!(screen.text().contains("A BTC"), "{}", screen.text());
}

#[test]
fn token_view_adds_its_coin_and_seven_do_not_fit() {
    let mut screen = list(160, 45);
    screen.keys("mjmjmjmjmj<enter>v");
    screen.serve(response);
    assert_eq!(screen.state.comparison.coins().len(), 6);
    screen.keys("<esc><esc>jm");
    assert!(screen.text().contains("comparison is full: 6 coins"), "{}", screen.text());
    assert!(screen.state.overlay.is_none());
    // The view of a coin that doesn't fit opens the comparison all the same, where another one can be removed.
    screen.keys("<enter>v");
    assert!(screen.text().contains("comparison is full: 6 coins"), "{}", screen.text());
    screen.keys("d");
    assert_eq!(screen.state.comparison.coins().len(), 5);
}

#[test]
fn comparison_fits_small_screens() {
    for (columns, rows) in [(160, 45), (80, 24), (40, 12)] {
        let mut screen = list(columns, rows);
        screen.keys("mjmjmv");
        screen.serve(response);
        insta::assert_snapshot!(format!("compare-{columns}x{rows}"), screen.picture());
    }
}

/// The change after a string on the screen, as `-1.2` for `▼ 1.2%` and `−1.2%`.
fn change_after(text: &str, before: &str) -> String {
    let line = text.lines().find(|line| line.contains(before)).unwrap_or_else(|| panic!("{before} in\n{text}"));
    let (_, rest) = line.split_once(before).unwrap();
    let place = rest.rfind('%').unwrap_or_else(|| panic!("a change after {before} in {line}"));
    let number = rest[..place].rsplit(['▲', '▼', '+', '−']).next().unwrap().trim();
    let is_loss = rest[..place].rfind(['▼', '−']) > rest[..place].rfind(['▲', '+']);
    format!("{}{number}", if is_loss { "-" } else { "" })
}

#[test]
fn comparison_and_chart_have_the_same_changes() {
    let runtime = tokio::runtime::Runtime::new().unwrap();
    // Some minutes and hours after the start of an interval of each period.
    let time = TimeSource::fixed(UtcTime::from_secs(1_795_075_200 + 7 * 3_600 + 437));
    let service = service::start(Options { time, ..Options::default() }).unwrap();
    let client = Client::new(ClientConfig::at(&service.url())).unwrap();
    let world = |request: &Request| runtime.block_on(client.get(request, None)).ok()?.response;
    let mut screen = Screen::new(160, 45);
    screen.serve(world);
    screen.keys("j<enter>");
    screen.serve(world);
    let (symbol, periods) =
        (screen.state.token.as_ref().unwrap().symbol.clone(), ["1D", "7D", "1M", "3M", "1Y", "All"]);
    screen.keys("[[[[");
    let charts = periods.map(|period| {
        screen.serve(world);
        let text = screen.text();
        screen.keys("]");
        change_after(text.split('│').next().unwrap_or(&text), &format!("[{period}]"))
    });
    screen.keys("<esc>mv[[[[[");
    let compared = periods.map(|period| {
        screen.serve(world);
        let text = screen.text();
        assert!(text.contains(&format!("[{period}]")), "{text}");
        let change = change_after(&text, &format!("A {symbol}"));
        screen.keys("<end>");
        let text = screen.text();
        assert_eq!(change_after(&text, &format!("A {symbol}")), change, "at the last point of the line: {text}");
        screen.keys("<home>");
        let text = screen.text();
        assert_eq!(change_after(&text, &format!("A {symbol}")), "0.0", "{text}");
        screen.keys("<esc>]");
        change
    });
    // Compared coins start together, at a whole interval of 4 or 12 hours, and the chart of one coin at its first price.
    for (index, period) in periods.iter().enumerate().filter(|(_, period)| !matches!(**period, "1M" | "3M")) {
        assert_eq!(compared[index], charts[index], "{period}");
    }
}

#[test]
fn implausible_change_of_a_list_moves_no_line() {
    let mut screen = Screen::new(120, 35);
    let wrong = |request: &Request| match response(request)? {
        ResponseData::Coins(mut page) => {
            page.items.iter_mut().for_each(|coin| coin.change_7d_pct = Some(900.0));
            Some(ResponseData::Coins(page))
        }
        other => Some(other),
    };
    screen.serve(wrong);
    screen.keys("jmv");
    screen.serve(wrong);
    let label = change_after(&screen.text(), "A ETH");
    screen.keys("<end>");
    assert_eq!(change_after(&screen.text(), "A ETH"), label);
    assert_ne!(label, "900.0");
}

#[test]
fn coins_are_added_in_the_comparison() {
    for (columns, rows) in [(120, 30), (80, 24)] {
        let mut screen = list(columns, rows);
        screen.keys("mjmv");
        screen.serve(response);
        let footer = screen.text().lines().last().unwrap().to_owned();
        assert!(footer.contains("a add") && footer.contains("d remove"), "{footer}");
        screen.keys("aordi<enter>");
        let symbols: Vec<&str> = screen.state.comparison.coins().iter().map(|coin| coin.symbol.as_str()).collect();
        assert_eq!(symbols, ["BTC", "ETH", "ORDI"]);
        assert!(matches!(screen.state.overlay, Some(Overlay::Compare)));
        screen.serve(response);
        assert!(screen.text().contains("C ORDI"), "{}", screen.text());
        screen.keys("a");
        assert!(screen.text().contains("Add coin to comparison"), "{}", screen.text());
        // Only coins to add match: no tab, no view.
        screen.keys("<c-u>wallet");
        let Some(Overlay::Palette(palette, _)) = &screen.state.overlay else { panic!("{}", screen.text()) };
        assert!(palette.items.iter().all(|item| item.effect == "compare".into()), "{:?}", palette.items);
        // Nothing is chosen.
        screen.keys("<esc>");
        assert!(matches!(screen.state.overlay, Some(Overlay::Compare)), "only the palette closes");
        for symbol in ["sats", "c9", "c11"] {
            screen.keys("a");
            screen.keys(symbol);
            screen.keys("<enter>");
        }
        let footer = screen.text().lines().last().unwrap().to_owned();
        assert!(!footer.contains("a add"), "{footer}");
        screen.keys("a");
        assert!(screen.text().contains("Comparison is full: 6 coins"), "{}", screen.text());
    }
}

#[test]
fn added_coin_is_selected_and_its_removal_can_be_undone() {
    let coins = |screen: &Screen| {
        let comparison = &screen.state.comparison;
        let letters =
            (0..).zip(comparison.coins()).map(|(index, coin)| format!("{} {}", comparison.letter(index), coin.symbol));
        (letters.collect::<Vec<_>>().join(", "), comparison.selected)
    };
    let mut screen = list(120, 30);
    screen.keys("mjmvaordi<enter>");
    assert_eq!(coins(&screen), ("A BTC, B ETH, C ORDI".into(), 2));
    screen.keys("d");
    assert_eq!(coins(&screen), ("A BTC, B ETH".into(), 1));
    assert!(screen.text().contains("Removed ORDI (u: undo)"), "{}", screen.text());
    screen.keys("kdu");
    assert!(screen.text().contains("Restored BTC"), "{}", screen.text());
    assert_eq!(coins(&screen), ("A BTC, B ETH".into(), 0));
    screen.keys("u");
    assert_eq!(coins(&screen), ("A BTC, B ETH, C ORDI".into(), 2));
    // Removing the last one closes the comparison; then its mark is restored.
    screen.keys("ddd");
    assert!(screen.state.overlay.is_none(), "{}", screen.text());
    screen.keys("u");
    assert_eq!(screen.state.comparison.coins().len(), 1);
}

#[test]
fn lines_typed_over_the_comparison_return_to_it() {
    let compared = |screen: &Screen| {
        let coins = screen.state.comparison.coins().iter();
        coins.map(|coin| coin.symbol.to_string()).collect::<Vec<_>>()
    };
    for line in ["add 5 ordi @ 14", "alert ordi > 20", "ordi alert"] {
        let mut screen = list(120, 30);
        screen.keys(":compare btc eth<enter>");
        screen.serve(response);
        screen.keys(&format!(":{line}<enter>"));
        let is_line = matches!(screen.state.overlay, Some(Overlay::Lot { .. } | Overlay::Alerts(_)));
        assert!(is_line, "{line}: {}", screen.text());
        screen.keys("<esc>");
        assert!(matches!(screen.state.overlay, Some(Overlay::Compare)), "{line}: {}", screen.text());
        assert_eq!(compared(&screen), ["BTC", "ETH"], "{line}");
        screen.keys("<esc>");
        assert!(screen.state.overlay.is_none(), "{line}: {}", screen.text());
    }
    // A coin that was marked just to open it stays until then.
    let mut screen = list(120, 30);
    screen.keys("v:add 5 ordi @ 14<enter><esc>");
    assert_eq!(compared(&screen), ["BTC"]);
    screen.keys("<esc>");
    assert_eq!(compared(&screen), [""; 0]);
    // An added lot is shown in the wallet, and another tab is not covered.
    for keys in ["<enter>", "<esc>6"] {
        let mut screen = list(120, 30);
        screen.keys(":compare btc eth<enter>:add 5 ordi @ 14<enter>");
        screen.keys(keys);
        assert!(screen.state.overlay.is_none(), "{keys}: {}", screen.text());
    }
}

#[test]
fn keys_of_all_screens_work_in_the_comparison() {
    let dialog = |screen: &Screen| screen.state.overlay.as_ref().map(std::mem::discriminant);
    for keys in ["!", "D", "c", ":providers<enter>", ":change currency<enter>"] {
        let mut screen = list(120, 30);
        screen.keys("mjmv");
        let comparison = dialog(&screen);
        screen.keys(keys);
        assert!(dialog(&screen).is_some_and(|dialog| Some(dialog) != comparison), "{keys}: {}", screen.text());
        screen.keys("<esc>");
        assert_eq!(dialog(&screen), comparison, "{keys}: {}", screen.text());
        assert_eq!(screen.state.comparison.coins().len(), 2, "{keys}");
        screen.keys("<esc>");
        assert!(dialog(&screen).is_none(), "{keys}: {}", screen.text());
    }
    // The alert is about the selected coin of the comparison.
    let mut screen = list(120, 30);
    screen.keys("jmkmv");
    // The second time, in the list of alerts, too.
    for (keys, start) in [("!", "ethereum > "), ("<enter>!", "ethereum < ")] {
        screen.keys(keys);
        let Some(Overlay::Alerts(dialog)) = &screen.state.overlay else { panic!("{}", screen.text()) };
        let line = dialog.line.as_ref().map(|line| line.value().to_owned()).unwrap_or_default();
        assert!(line.starts_with(start), "{line}");
    }
    // Another currency applies to it.
    let mut screen = list(120, 30);
    screen.keys("mjmvceur<enter>");
    assert!(matches!(screen.state.overlay, Some(Overlay::Compare)), "{}", screen.text());
    let Some(Request::MarketData { convert, .. }) = market(&screen).first().cloned() else { panic!("one request") };
    assert_eq!(convert.as_str(), "EUR");
    // These open nothing.
    let mut screen = list(120, 30);
    screen.keys("mjmvT");
    assert!(screen.text().contains("ive prices"), "{}", screen.text());
    screen.keys("L");
    assert!(screen.effects.iter().any(|effect| matches!(effect, Effect::SwitchSource { live: true })));
    assert!(matches!(screen.state.overlay, Some(Overlay::Compare)), "{}", screen.text());
}

#[test]
fn coin_below_the_comparison_is_not_added_again() {
    let mut screen = list(120, 30);
    screen.keys("mj<enter>vjd");
    assert_eq!(screen.state.comparison.coins().len(), 1, "without the coin whose view is open");
    screen.keys("aordi<enter>");
    let symbols: Vec<&str> = screen.state.comparison.coins().iter().map(|coin| coin.symbol.as_str()).collect();
    assert_eq!(symbols, ["BTC", "ORDI"]);
}

#[test]
fn watched_coins_are_offered_for_the_comparison() {
    let mut screen = list(120, 30);
    screen.keys("jjfkkmv");
    screen.serve(response);
    screen.keys("a");
    let Some(Overlay::Palette(palette, _)) = &screen.state.overlay else { panic!("{}", screen.text()) };
    let offered: Vec<&str> = palette.items.iter().take(3).map(|item| item.title.as_str()).collect();
    let watched = screen.state.list(Tag::All).coins().find(|coin| coin.rank == Some(3)).unwrap().name.clone();
    assert!(offered.contains(&watched.as_str()), "{offered:?}");
    assert!(palette.items.len() > 8 && palette.items.iter().all(|item| item.effect.words == "compare"), "{offered:?}");
    assert!(!offered.contains(&"Bitcoin"), "already compared: {offered:?}");
    let first = offered[0].to_owned();
    screen.keys("<enter>");
    let added = screen.state.comparison.coins().last().unwrap().clone();
    let coin = screen.state.list(Tag::All).coins().find(|coin| added.is_coin(coin)).unwrap();
    assert_eq!(coin.name.as_str(), first);
    assert!(matches!(screen.state.overlay, Some(Overlay::Compare)));
}

#[test]
fn comparison_without_prices_says_so_once() {
    let empty = |request: &Request| match request {
        Request::MarketData { .. } => Some(ResponseData::Market(Vec::new())),
        _ => response(request),
    };
    let mut screen = Screen::new(120, 30);
    screen.serve(empty);
    screen.keys("mjmv");
    screen.serve(empty);
    let text = screen.text();
    assert!(text.contains("No prices for 7D") && !text.contains("No 7D prices"), "{text}");
    assert!(!text.lines().last().unwrap().contains("cursor"), "{text}");
}
