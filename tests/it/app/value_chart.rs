//! The chart of the portfolio's value in the wallet tab.

use std::sync::Arc;
use std::time::Duration;

use crossterm::event::KeyCode;
use satscope::app::{Effect, Message, Preferences, demand};
use satscope::client::{Request, ResponseData};
use satscope::fetch::Event;
use satscope::model::{Balance, BitcoinBalance, Currency, MarketSeries, Page, Point, Tag, Text};
use satscope::user_data::{Change, Lot, LotId, LotKind, LotPrice, PastBalance, UserData, WalletAddress, Watched};

use super::fixtures::{App, START, all, coin, page, series, three};

const COLD: &str = "bc1qar0srrr7xfkvy5l643lydnw9re59gtzzwf5mdq";

/// Hours of the series, which end at [`START`].
const HOURS: i64 = 72;

fn lot(id: i64, slug: &str, symbol: &str, amount: &str, date: &str) -> Lot {
    Lot {
        id: LotId(id),
        kind: LotKind::Buy,
        coin: Watched { symbol: symbol.into(), slug: Some(slug.into()), id: Some(Text::from(format!("id-{slug}"))) },
        amount: amount.parse().unwrap(),
        price: None,
        fee: None,
        currency: Currency::usd(),
        date: date.parse().unwrap(),
        note: None,
        address: None,
    }
}

/// The hourly prices of a coin; `price` is given the hours since the first one.
fn hourly(symbol: &str, slug: &str, price: impl Fn(i64) -> Option<f64>) -> MarketSeries {
    let point = |hour: i64| Point {
        time: START.minus(Duration::from_hours((HOURS - hour) as u64)),
        price: price(hour),
        volume: None,
        market_cap: None,
    };
    MarketSeries { points: (0..=HOURS).map(point).collect(), ..series(symbol, slug) }
}

/// The wallet tab with these lots, hourly charts and no watched coins.
fn wallet(lots: Vec<Lot>, addresses: Vec<WalletAddress>) -> App {
    let preferences = Preferences { watched: Vec::new(), ..Preferences::default() };
    let mut app = App::with(preferences);
    app.answer(&all(1), page(three(), Some(3)));
    app.send(Message::Loaded(Box::new(UserData { lots, addresses, ..UserData::default() })));
    app.keys("4");
    app
}

/// The requests for the chart.
fn history(app: &App) -> Vec<Request> {
    let is_history = |request: &Request| matches!(request, Request::MarketData { .. });
    demand(&app.state).visible.into_iter().filter(is_history).collect()
}

/// The values at these hours; `None` is a gap.
fn values(app: &App, hours: &[i64]) -> Vec<Option<f64>> {
    let points = &app.state.wallet.value_chart().points;
    let at = |hour: &i64| START.minus(Duration::from_hours((HOURS - hour) as u64));
    let value = |hour: &i64| points.iter().find(|point| point.time == at(hour)).expect("a step at each hour").price;
    hours.iter().map(value).collect()
}

/// Two ORDI since long ago, one bitcoin since the start of 19 November: 8 hours before the end.
fn two_coins() -> App {
    let mut app = wallet(
        vec![lot(1, "ordi", "ORDI", "2", "2026-01-02"), lot(2, "bitcoin", "BTC", "1", "2026-11-19")],
        Vec::new(),
    );
    let [request] = history(&app).try_into().unwrap();
    let ordi = hourly("ORDI", "ordi", |hour| Some(10.0 + hour as f64));
    app.answer(&request, ResponseData::Market(vec![ordi, hourly("BTC", "bitcoin", |_| Some(1_000.0))]));
    app
}

#[test]
fn value_chart_uses_the_amounts_held_at_each_time() {
    let mut app = two_coins();
    let since = HOURS - 8;
    let expected = [20.0, 30.0, 20.0 + 2.0 * (since - 1) as f64, 1_020.0 + 2.0 * since as f64, 1_164.0].map(Some);
    assert_eq!(values(&app, &[0, 5, since - 1, since, HOURS]), expected);
    for size in [(160, 45), (120, 35), (80, 24)] {
        let screen = app.screen(size);
        assert!(screen.contains("Value") && screen.contains("◀ 1,164"), "{screen}");
        assert!(!screen.contains("over 3 d"), "a purchase is no gain: {screen}");
        // From 1,148 at the end of the 64th hour to 1,164.
        assert!(screen.contains("holdings changed 19 Nov 00:00 · ▲ 1.4% since"), "{screen}");
        // The values before, of at most 148, would leave a flat line.
        let labels = screen.lines().filter_map(|line| line.split_once('┤'));
        let mut labels = labels.filter_map(|(label, _)| label.trim().replace(',', "").parse::<f64>().ok());
        assert!(labels.all(|label| label > 1_000.0), "{screen}");
    }
    assert!(!app.screen((40, 12)).contains("◀"));
}

/// Steps end with the newest price, so they are at other times than the prices.
#[test]
fn change_since_a_holdings_change_starts_at_a_known_price() {
    for (times, title) in [
        ([-4, 0, 4, 7], "holdings changed 19 Nov 00:00 · ▲ 9.8% since"),
        ([-6, -2, 2, 7], "holdings changed 19 Nov 00:00 · 0.0% since 19 Nov 03:00"),
    ] {
        let mut app = wallet(
            vec![lot(1, "ordi", "ORDI", "2", "2026-01-02"), lot(2, "bitcoin", "BTC", "1", "2026-11-19")],
            Vec::new(),
        );
        app.keys("]");
        let midnight = START.minus(Duration::from_hours(8));
        let points = times.map(|hour: i64| {
            let hours = Duration::from_hours(hour.unsigned_abs());
            let time = if hour < 0 { midnight.minus(hours) } else { midnight.plus(hours) };
            Point { time, price: Some(if hour <= 0 { 1_000.0 } else { 1_100.0 }), volume: None, market_cap: None }
        });
        for request in history(&app) {
            let interval = Some("4h".into());
            let btc = MarketSeries { points: points.to_vec(), interval, ..series("BTC", "bitcoin") };
            let ordi = points.map(|point| Point { price: Some(10.0), ..point }).to_vec();
            let ordi = MarketSeries { points: ordi, interval: btc.interval.clone(), ..series("ORDI", "ordi") };
            app.answer(&request, ResponseData::Market(vec![ordi, btc]));
        }
        let screen = app.screen((160, 45));
        assert!(screen.contains(title), "{title}: {screen}");
    }
}

#[test]
fn value_chart_keeps_the_values_before_a_coin_was_sold_completely() {
    let sale = Lot { kind: LotKind::Sell, ..lot(3, "bitcoin", "BTC", "1", "2026-11-19") };
    let bought = [lot(1, "ordi", "ORDI", "2", "2026-01-02"), lot(2, "bitcoin", "BTC", "1", "2026-01-02")];
    let mut app = wallet(bought.into_iter().chain([sale]).collect(), Vec::new());
    let [request] = history(&app).try_into().unwrap();
    let ordi = hourly("ORDI", "ordi", |hour| Some(10.0 + hour as f64));
    app.answer(&request, ResponseData::Market(vec![ordi, hourly("BTC", "bitcoin", |_| Some(1_000.0))]));
    for size in [(160, 45), (120, 35)] {
        let screen = app.screen(size);
        assert!(screen.contains("◀ 164"), "{screen}");
        let labels = screen.lines().filter_map(|line| line.split_once('┤'));
        let mut labels = labels.filter_map(|(label, _)| label.trim().replace(',', "").parse::<f64>().ok());
        assert!(labels.any(|label| label >= 1_000.0), "{screen}");
    }
}

#[test]
fn value_chart_fills_the_screen_below_few_rows() {
    let mut app = two_coins();
    for size in [(160, 45), (120, 35), (160, 90)] {
        let screen = app.screen(size);
        let blank = screen.lines().filter(|line| line.trim().is_empty()).count();
        assert!(blank <= 3 && screen.contains("1 lot"), "{screen}");
    }
}

#[test]
fn change_of_the_same_amounts_is_a_gain() {
    let mut app = wallet(vec![lot(1, "ordi", "ORDI", "2", "2026-01-02")], Vec::new());
    let [request] = history(&app).try_into().unwrap();
    app.answer(&request, ResponseData::Market(vec![hourly("ORDI", "ordi", |hour| Some(100.0 + hour as f64))]));
    assert!(app.screen((120, 35)).contains("72.0% over 3 d"), "{}", app.screen((120, 35)));
}

#[test]
fn negligible_purchase_keeps_the_change_over_the_period() {
    let bought = |amount| lot(2, "bitcoin", "BTC", amount, "2026-11-19");
    for (amount, is_notable) in [("0.00001", false), ("0.01", true)] {
        let mut app = wallet(vec![lot(1, "ordi", "ORDI", "2", "2026-01-02"), bought(amount)], Vec::new());
        let [request] = history(&app).try_into().unwrap();
        let ordi = hourly("ORDI", "ordi", |hour| Some(100.0 + hour as f64));
        app.answer(&request, ResponseData::Market(vec![ordi, hourly("BTC", "bitcoin", |_| Some(1_000.0))]));
        for size in [(160, 45), (120, 35), (80, 24)] {
            let screen = app.screen(size);
            assert_eq!(screen.contains("holdings changed 19 Nov 00:00"), is_notable, "{screen}");
            assert_eq!(screen.contains("72.0% over 3 d"), !is_notable, "{screen}");
        }
    }
}

#[test]
fn value_of_all_time_starts_with_the_first_holding() {
    let mut app = wallet(vec![lot(1, "ordi", "ORDI", "2", "2023-11-20")], Vec::new());
    app.keys("]]]]");
    let [request] = history(&app).try_into().unwrap();
    assert!(matches!(request, Request::MarketData { count: 6_500, .. }), "{request:?}");
    // A price every third day, although one a day was requested, for four years.
    let point = |ago: u32| Point {
        time: START.minus(Duration::from_hours(3 * 24) * ago),
        price: Some(500.0 - f64::from(ago)),
        volume: None,
        market_cap: None,
    };
    let points = (0..480).rev().map(point).collect();
    let coarse = MarketSeries { interval: Some("1d".into()), points, ..series("ORDI", "ordi") };
    app.answer(&request, ResponseData::Market(vec![coarse]));
    let points = &app.state.wallet.value_chart().points;
    // 1,095 days and 8 hours.
    assert_eq!(points.iter().filter(|point| point.price.is_some()).count(), 366);
    assert!(points.iter().all(|point| point.price.is_some()));
    let screen = app.screen((120, 35));
    assert!(screen.contains("% over 3 y") && !screen.contains("gaps"), "{screen}");
}

#[test]
fn value_chart_ends_with_the_total() {
    let mut app = wallet(vec![lot(1, "ordi", "ORDI", "2", "2026-01-02")], Vec::new());
    let [request] = history(&app).try_into().unwrap();
    app.answer(&request, ResponseData::Market(vec![hourly("ORDI", "ordi", |_| Some(10.0))]));
    app.wait(Duration::from_mins(5));
    // The second price is in another unit.
    for (price, tag) in [(10.25, "◀ 20.50"), (10_250.0, "◀ 20.00")] {
        for request in demand(&app.state).visible {
            if matches!(request, Request::CoinsById { .. }) {
                app.answer(&request, page(vec![coin(2, "ordi", "ORDI", Some(price))], Some(1)));
            }
        }
        let screen = app.screen((120, 35));
        let change = if price < 100.0 { "▲ 2.5% over 3 d" } else { "0.0% over 3 d" };
        assert!(screen.contains(tag) && screen.contains(change), "{price}: {screen}");
    }
}

#[test]
fn chart_is_requested_only_where_there_is_room() {
    let mut app = two_coins();
    for (size, count) in [((160, 45), 1), ((80, 24), 1), ((80, 10), 0), ((39, 45), 0)] {
        app.send(Message::Resize(size.0, size.1));
        assert_eq!(history(&app).len(), count, "{size:?}");
    }
    app.keys("1");
    assert_eq!(history(&app), []);
}

#[test]
fn value_chart_has_the_period_of_the_tab() {
    let mut app = two_coins();
    app.keys("]");
    assert!(app.state.wallet.value_chart().points.is_empty());
    let [request] = history(&app).try_into().unwrap();
    assert!(matches!(&request, Request::MarketData { interval, .. } if interval == "4h"), "{request:?}");
    assert!(app.screen((120, 35)).contains("Loading the chart…"), "{}", app.screen((120, 35)));
    app.fail(&request);
    let screen = app.screen((120, 35));
    assert!(screen.contains("[1M]") && screen.contains("connection refused"), "{screen}");
    app.keys("[");
    assert!(!app.state.wallet.value_chart().points.is_empty());
}

#[test]
fn coins_that_are_watched_too_are_requested_once() {
    let watched = vec![Watched::by_symbol("BTC"), Watched::by_symbol("VOID")];
    let mut app = App::with(Preferences { watched, ..Preferences::default() });
    app.answer(&all(1), page(three(), Some(3)));
    let lots = vec![lot(1, "bitcoin", "BTC", "1", "2026-01-02")];
    app.send(Message::Loaded(Box::new(UserData { lots: lots.clone(), ..UserData::default() })));
    app.keys("4");
    let symbols = |app: &App| -> Vec<Vec<Text>> {
        let all = history(app).into_iter();
        all.map(|request| if let Request::MarketData { symbols, .. } = request { symbols } else { Vec::new() })
            .collect()
    };
    assert_eq!(symbols(&app), [["BTC", "VOID"]]);
    let lots = [lots, vec![lot(2, "ordi", "ORDI", "1", "2026-01-02")]].concat();
    app.send(Message::Loaded(Box::new(UserData { lots, ..UserData::default() })));
    assert_eq!(symbols(&app), [vec!["BTC", "VOID"], vec!["ORDI"]]);
}

#[test]
fn missing_price_is_a_marked_gap() {
    let mut app = two_coins();
    let [request] = history(&app).try_into().unwrap();
    let ordi = hourly("ORDI", "ordi", |hour| (!(20..40).contains(&hour)).then_some(10.0));
    let btc = hourly("BTC", "bitcoin", |hour| (hour >= 30).then_some(10.0));
    app.answer(&request, ResponseData::Market(vec![ordi, btc]));
    // Bitcoin, which is not held yet, needs no price.
    assert_eq!(values(&app, &[0, 19, 20, 39, 40, HOURS]), [Some(20.0), Some(20.0), None, None, Some(20.0), Some(30.0)]);
    let screen = app.screen((120, 35));
    assert!(screen.contains("gaps: no price for ORDI") && screen.contains("░░░░"), "{screen}");
}

#[test]
fn coin_without_history_is_named() {
    let mut app = two_coins();
    let [request] = history(&app).try_into().unwrap();
    let other = hourly("ORDI", "ordi-classic", |_| Some(1e6));
    app.answer(&request, ResponseData::Market(vec![hourly("BTC", "bitcoin", |_| Some(1_000.0)), other]));
    assert_eq!(values(&app, &[HOURS]), [Some(1_000.0)], "another coin with the symbol is not this one");
    assert!(app.screen((120, 35)).contains("without ORDI"), "{}", app.screen((120, 35)));
    app.answer(&request, ResponseData::Market(Vec::new()));
    assert!(app.screen((120, 35)).contains("No price history for your holdings"), "{}", app.screen((120, 35)));
}

#[test]
fn coin_that_was_sold_before_the_chart_needs_no_history() {
    let sale = |date: &str| Lot { kind: LotKind::Sell, ..lot(2, "void", "VOID", "3", date) };
    let lots = |sold: &str| {
        vec![lot(1, "void", "VOID", "3", "2026-01-02"), sale(sold), lot(3, "ordi", "ORDI", "2", "2026-01-02")]
    };
    let app = wallet(lots("2026-02-03"), Vec::new());
    let [request] = history(&app).try_into().unwrap();
    assert!(matches!(&request, Request::MarketData { symbols, .. } if symbols.as_slice() == ["ORDI"]), "{request:?}");
    let mut app = wallet(lots("2026-11-18"), Vec::new());
    let [request] = history(&app).try_into().unwrap();
    assert!(
        matches!(&request, Request::MarketData { symbols, .. } if symbols.as_slice() == ["VOID", "ORDI"]),
        "{request:?}"
    );
    app.answer(&request, ResponseData::Market(vec![hourly("ORDI", "ordi", |_| Some(10.0))]));
    assert!(app.screen((120, 35)).contains("without VOID"), "it was held in the chart's time");
}

#[test]
fn value_chart_shows_percentages_while_amounts_are_hidden() {
    let mut app = two_coins();
    app.keys("H");
    for size in [(160, 45), (80, 24)] {
        let screen = app.screen(size);
        let chart = &screen[screen.find("Value  [1h]").or(screen.rfind("Value")).unwrap()..];
        // Since the purchase, which is no gain.
        assert!(chart.contains("+1.4%") && !chart.contains("k%"), "{screen}");
        assert!(!chart.contains("164") && !chart.contains("open 20"), "{screen}");
    }
}

/// Answers the requests for the chart of a year with daily prices that end now.
fn answer_year(app: &mut App) {
    for request in history(app) {
        assert!(matches!(&request, Request::MarketData { interval, .. } if interval == "1d"), "{request:?}");
        let daily = |symbol, slug, price: f64| {
            let point = |day: u64| Point {
                time: app.now.minus(Duration::from_hours(24 * day)),
                price: Some(price + day as f64),
                volume: None,
                market_cap: None,
            };
            MarketSeries {
                points: (0..=365).rev().map(point).collect(),
                interval: Some("1d".into()),
                ..series(symbol, slug)
            }
        };
        let all = vec![daily("ORDI", "ordi", 10.0), daily("BTC", "bitcoin", 1_000.0)];
        app.answer(&request, ResponseData::Market(all));
    }
}

#[test]
fn missing_chart_of_hidden_amounts_has_the_reason_and_time_of_the_title() {
    let mut app = wallet(
        vec![lot(1, "ordi", "ORDI", "2", "2026-01-02"), lot(2, "bitcoin", "BTC", "1", "2026-11-19")],
        Vec::new(),
    );
    app.keys("]]]");
    answer_year(&mut app);
    let sizes = [(160, 45), (120, 35), (80, 24)];
    for size in sizes {
        let screen = app.screen(size);
        assert!(screen.contains("holdings changed 19 Nov 00:00") && screen.contains("◀"), "{screen}");
    }
    app.keys("H");
    for size in sizes {
        let screen = app.screen(size);
        assert!(screen.contains("No chart while amounts are hidden (holdings changed 19 Nov 00:00)"), "{screen}");
        assert_eq!(screen.matches("holdings changed").count(), 1, "{screen}");
        assert!(!screen.contains("No history yet"), "{screen}");
    }
    app.keys("H");
    assert!(app.screen((120, 35)).contains("◀"), "{}", app.screen((120, 35)));
}

#[test]
fn start_of_the_holdings_stays_the_same_when_prices_are_refreshed() {
    let sentence = "No history yet (nothing held before 19 Nov 00:00)";
    let bought = || vec![lot(2, "bitcoin", "BTC", "1", "2026-11-19")];
    let mut app = wallet(bought(), Vec::new());
    app.keys("]]]");
    for _ in 0..3 {
        answer_year(&mut app);
        for size in [(160, 45), (120, 35), (80, 24)] {
            let screen = app.screen(size);
            assert!(screen.contains(sentence), "{screen}");
            assert!(!screen.contains("holdings changed"), "{screen}");
        }
        app.wait(Duration::from_mins(3));
    }
    // An address that was added after the last price makes no chart of a few minutes.
    let added = WalletAddress { added_at: app.now, ..cold_address() };
    app.send(Message::Loaded(Box::new(UserData { lots: bought(), addresses: vec![added], ..UserData::default() })));
    let balance = BitcoinBalance { address: COLD.into(), confirmed: 200_000_000, unconfirmed: 0 };
    app.answer(&Request::BitcoinBalance { address: COLD.into() }, ResponseData::BitcoinBalance(balance));
    assert!(app.screen((120, 35)).contains(sentence), "{}", app.screen((120, 35)));
    app.wait(Duration::from_mins(3));
    answer_year(&mut app);
    assert!(app.screen((120, 35)).contains(sentence), "{}", app.screen((120, 35)));
    // The shorter periods have prices since then.
    app.keys("[[[");
    let [request] = history(&app).try_into().unwrap();
    app.answer(&request, ResponseData::Market(vec![hourly("BTC", "bitcoin", |_| Some(1_000.0))]));
    assert!(app.screen((120, 35)).contains("◀"), "{}", app.screen((120, 35)));
}

#[test]
fn value_chart_counts_an_address_from_when_it_was_added() {
    let added_at = START.minus(Duration::from_hours(10));
    let cold = WalletAddress { address: COLD.into(), label: None, added_at };
    let mut there = lot(1, "ordi", "ORDI", "2", "2026-11-18");
    there.address = Some(COLD.into());
    let mut app = wallet(vec![there, lot(2, "bitcoin", "BTC", "1", "2026-01-02")], vec![cold]);
    let tokens = Request::Coins { tag: Tag::Brc20, start: 1, limit: 200, convert: Currency::usd() };
    let mut ordi = coin(2, "ordi", "ORDI", Some(10.0));
    ordi.brc20_ticker = Some("ordi".into());
    app.answer(&tokens, page(vec![ordi], Some(1)));
    let amount = |units: &str| Some(units.parse().unwrap());
    let balance = Balance {
        ticker: Some("ordi".into()),
        available: amount("7"),
        transferable: amount("0"),
        overall: amount("7"),
    };
    let balances = Request::Brc20Balances { address: COLD.into(), offset: 0, limit: 500 };
    app.answer(&balances, ResponseData::Balances(Page { items: vec![balance], total: Some(1) }));
    let [request] = history(&app).try_into().unwrap();
    let flat = |symbol, slug, price| hourly(symbol, slug, move |_| Some(price));
    app.answer(&request, ResponseData::Market(vec![flat("ORDI", "ordi", 10.0), flat("BTC", "bitcoin", 1_000.0)]));
    // Before: the lot at the address, since the start of its day.
    let bought = HOURS - 32;
    let hours = [bought - 1, bought, HOURS - 11, HOURS - 10, HOURS];
    assert_eq!(values(&app, &hours), [1_000.0, 1_020.0, 1_020.0, 1_070.0, 1_070.0].map(Some));
    // The jump is marked and explained.
    let at = app.state.preferences.zone.at(added_at);
    let legend = format!("◆ bc1qar0s…5mdq added {} {}", satscope::format::Day(at), satscope::format::Clock(at));
    for size in [(160, 45), (120, 35), (80, 24)] {
        let screen = app.screen(size);
        assert!(screen.contains(&legend), "{legend}: {screen}");
        assert_eq!(screen.matches('◆').count(), 2, "the mark and its legend: {screen}");
    }
    // Hidden amounts leave changes in percent, which the inflow would distort.
    app.keys("H");
    let screen = app.screen((120, 35));
    assert!(screen.contains(&legend) && !screen.contains("+5.0%") && !screen.contains("−4.7%"), "{screen}");
    app.keys("H");
    // Not in a chart of the time since.
    let later = WalletAddress { added_at: START.minus(Duration::from_hours(100)), ..cold_address() };
    let mut there = lot(1, "ordi", "ORDI", "2", "2026-11-01");
    there.address = Some(COLD.into());
    app.send(Message::Loaded(Box::new(UserData { lots: vec![there], addresses: vec![later], ..UserData::default() })));
    assert!(!app.screen((120, 35)).contains('◆'), "{}", app.screen((120, 35)));
}

/// Answers the requests for the tokens at the address: 7 ORDI.
fn answer_seven_ordi(app: &mut App) {
    let tokens = Request::Coins { tag: Tag::Brc20, start: 1, limit: 200, convert: Currency::usd() };
    let mut ordi = coin(2, "ordi", "ORDI", Some(10.0));
    ordi.brc20_ticker = Some("ordi".into());
    app.answer(&tokens, page(vec![ordi], Some(1)));
    let overall = "7".parse().ok();
    let balance = Balance { ticker: Some("ordi".into()), available: overall, transferable: None, overall };
    let balances = Request::Brc20Balances { address: COLD.into(), offset: 0, limit: 500 };
    app.answer(&balances, ResponseData::Balances(Page { items: vec![balance], total: Some(1) }));
}

/// The wallet with bitcoin lots, half an hour after the last step of the chart, with an address that was added then and
/// has 7 ORDI.
fn just_added(lots: Vec<Lot>) -> App {
    let now = Duration::from_mins(30);
    let mut app = wallet(lots, vec![WalletAddress { added_at: START.plus(now), ..cold_address() }]);
    app.wait(now);
    answer_seven_ordi(&mut app);
    let [request] = history(&app).try_into().unwrap();
    let flat = |symbol, slug, price| hourly(symbol, slug, move |_| Some(price));
    app.answer(&request, ResponseData::Market(vec![flat("ORDI", "ordi", 10.0), flat("BTC", "bitcoin", 1_000.0)]));
    app
}

#[test]
fn address_that_was_just_added_is_at_the_end_of_the_chart() {
    let mut app = just_added(vec![lot(2, "bitcoin", "BTC", "1", "2026-01-02")]);
    let ends =
        |app: &App| app.state.wallet.value_chart().points.iter().rev().take(2).map(|point| point.price).collect();
    let found: Vec<Option<f64>> = ends(&app);
    assert_eq!(found, [Some(1_070.0), Some(1_000.0)]);
    let screen = app.screen((120, 35));
    assert!(screen.contains("◀ 1,070") && screen.contains("◆ bc1qar0s…5mdq added"), "{screen}");

    let mut empty = just_added(Vec::new());
    let screen = empty.screen((120, 35));
    assert!(screen.contains("No history yet (nothing held before "), "{screen}");
    assert!(!screen.contains("over 0 s"), "a single value has no change: {screen}");
}

/// Answers the request for the chart of three months: a price of 10 and 1,000, every 12 hours until [`START`].
fn answer_three_months(app: &mut App) {
    app.keys("]]");
    let [request] = history(app).try_into().unwrap();
    assert!(matches!(&request, Request::MarketData { interval, .. } if interval == "12h"), "{request:?}");
    let flat = |symbol, slug, price: f64| {
        let point = |step: u64| Point {
            time: START.minus(Duration::from_hours(12 * step)),
            price: Some(price),
            volume: None,
            market_cap: None,
        };
        let points = (0..180).rev().map(point).collect();
        MarketSeries { points, interval: Some("12h".into()), ..series(symbol, slug) }
    };
    app.answer(&request, ResponseData::Market(vec![flat("ORDI", "ordi", 10.0), flat("BTC", "bitcoin", 1_000.0)]));
}

#[test]
fn address_added_between_steps_is_a_vertical_line() {
    let added_at = START.minus(Duration::from_hours(1));
    let addresses = vec![WalletAddress { added_at, ..cold_address() }];
    let mut app = wallet(vec![lot(2, "bitcoin", "BTC", "1", "2026-11-18")], addresses);
    answer_seven_ordi(&mut app);
    answer_three_months(&mut app);
    let points = &app.state.wallet.value_chart().points;
    let (last, added): (Vec<_>, Vec<_>) =
        points.iter().rev().take(4).map(|point| (point.price, point.time >= added_at)).unzip();
    assert_eq!(last, [1_070.0, 1_070.0, 1_000.0, 1_000.0].map(Some));
    assert_eq!(added, [true, true, false, false]);
    let is_line = |char: &char| ('\u{2801}'..='\u{28ff}').contains(char) && !"⠂⠐".contains(*char);
    for size in [(160, 45), (120, 35), (80, 24)] {
        let screen = app.screen(size);
        let chart = &screen[screen.rfind("Value").unwrap()..];
        // The levels before and after; a slope would have several cells of the line in each row.
        let long = chart.lines().filter(|row| row.chars().filter(is_line).count() > 1).count();
        assert!((1..=2).contains(&long), "{long}: {screen}");
    }
}

#[test]
fn many_changes_within_a_step_leave_no_gap() {
    let past = |step: u64| PastBalance {
        address: COLD.into(),
        ticker: "BTC".into(),
        since: START.minus(Duration::from_mins(5 * step)),
        amount: step.to_string().parse().unwrap(),
    };
    let added_at = START.minus(Duration::from_hours(1));
    let user = UserData {
        lots: vec![lot(2, "bitcoin", "BTC", "1", "2026-11-18")],
        addresses: vec![WalletAddress { added_at, ..cold_address() }],
        past_balances: (1..12).rev().map(past).collect(),
        ..UserData::default()
    };
    let mut app = wallet(Vec::new(), Vec::new());
    app.send(Message::Loaded(Box::new(user)));
    receive_two_bitcoin(&mut app);
    answer_three_months(&mut app);
    assert!(app.state.wallet.value_chart().points.len() > 20);
    let screen = app.screen((120, 35));
    assert!(screen.contains('◀') && !screen.contains('░'), "{screen}");
}

fn cold_address() -> WalletAddress {
    WalletAddress { address: COLD.into(), label: None, added_at: START }
}

#[test]
fn chart_follows_the_currency() {
    let mut app = two_coins();
    app.keys("c");
    app.keys("eur");
    app.key(KeyCode::Enter);
    assert_eq!(app.state.convert, Currency::parse("EUR").unwrap());
    let screen = app.screen((120, 35));
    assert!(screen.contains("in USD"), "{screen}");
    let [request] = history(&app).try_into().unwrap();
    let euros = |symbol, slug, price| MarketSeries {
        convert: Currency::parse("EUR").unwrap(),
        ..hourly(symbol, slug, move |_| Some(price))
    };
    app.answer(&request, ResponseData::Market(vec![euros("ORDI", "ordi", 9.0), euros("BTC", "bitcoin", 900.0)]));
    assert_eq!(values(&app, &[HOURS]), [Some(918.0)]);
    assert!(!app.screen((120, 35)).contains("in USD"));
}

#[test]
fn holdings_have_two_line_rows_where_there_is_room() {
    let mut app = two_coins();
    let mut bought = lot(3, "ordi", "ORDI", "2", "2026-01-02");
    bought.price = Some(LotPrice::Unit("14.1".parse().unwrap()));
    app.send(Message::Loaded(Box::new(UserData { lots: vec![bought], ..UserData::default() })));
    for (size, is_high) in [((160, 45), true), ((80, 24), true), ((60, 24), false), ((40, 12), false)] {
        let screen = app.screen(size);
        assert_eq!(screen.contains("1 lot"), is_high, "{size:?}\n{screen}");
    }
    let screen = app.screen((160, 45));
    assert!(screen.contains("average cost") && screen.contains("14.10"), "{screen}");
    let many = (1..=60).map(|n| lot(n, &format!("coin-{n}"), &format!("C{n}"), "1", "2026-01-02")).collect();
    app.send(Message::Loaded(Box::new(UserData { lots: many, ..UserData::default() })));
    for size in [(160, 45), (80, 24)] {
        let screen = app.screen(size);
        assert!(!screen.contains("1 lot") && screen.contains("C12"), "{screen}");
    }
}

/// The effects of a response with two bitcoin at the address.
fn receive_two_bitcoin(app: &mut App) -> Vec<Effect> {
    let request = Request::BitcoinBalance { address: COLD.into() };
    let fetch_id = app.start(&request);
    let balance = BitcoinBalance { address: COLD.into(), confirmed: 200_000_000, unconfirmed: 0 };
    let response = Some(Arc::new(ResponseData::BitcoinBalance(balance)));
    let arrived = Event::Arrived { request, fetch_id, response, receipt: app.receipt() };
    app.send(Message::Fetch(arrived))
}

#[test]
fn balance_that_changed_counts_since_then() {
    let added_at = START.minus(Duration::from_hours(40));
    let cold = WalletAddress { address: COLD.into(), label: None, added_at };
    let past = |hours: u64, amount: &str| PastBalance {
        address: COLD.into(),
        ticker: "BTC".into(),
        since: START.minus(Duration::from_hours(hours)),
        amount: amount.parse().unwrap(),
    };
    let past_balances = vec![past(39, "1"), past(20, "3")];
    let mut app = wallet(Vec::new(), Vec::new());
    let user = UserData { addresses: vec![cold], past_balances, ..UserData::default() };
    app.send(Message::Loaded(Box::new(user)));
    let effects = receive_two_bitcoin(&mut app);
    let recorded = effects.iter().find_map(|effect| match effect {
        Effect::Save(_, Change::BalancesChanged(balances)) => Some(balances.clone()),
        _ => None,
    });
    assert_eq!(recorded, Some(vec![past(0, "2")]));
    let [request] = history(&app).try_into().unwrap();
    app.answer(&request, ResponseData::Market(vec![hourly("BTC", "bitcoin", |_| Some(1_000.0))]));
    let hours = [HOURS - 40, HOURS - 21, HOURS - 20, HOURS - 1, HOURS];
    assert_eq!(values(&app, &hours), [1_000.0, 1_000.0, 3_000.0, 3_000.0, 2_000.0].map(Some));
    assert!(!app.screen((120, 35)).contains("over 40 h"), "what was received is no gain");
}

#[test]
fn balance_is_recorded_once_after_the_clock_was_set_back() {
    let cold = WalletAddress { address: COLD.into(), label: None, added_at: START };
    let of_wrong_clock = PastBalance {
        address: COLD.into(),
        ticker: "BTC".into(),
        since: START.plus(Duration::from_hours(3)),
        amount: "3".parse().unwrap(),
    };
    let mut app = wallet(Vec::new(), Vec::new());
    let user = UserData { addresses: vec![cold], past_balances: vec![of_wrong_clock], ..UserData::default() };
    app.send(Message::Loaded(Box::new(user)));
    let mut recorded = 0;
    for _ in 0..3 {
        app.now = app.now.plus(Duration::from_mins(1));
        let effects = receive_two_bitcoin(&mut app);
        let is_record = |effect: &&Effect| matches!(effect, Effect::Save(_, Change::BalancesChanged(_)));
        recorded += effects.iter().filter(is_record).count();
    }
    assert_eq!(recorded, 1);
}
