//! Keys of the token view: panels, zoom, periods, posts, markets, chart cursor and copying.

use crossterm::event::KeyCode;
use satscope::app::Panel;
use satscope::app::screen::token::{MarketColumn, MarketSort, PanelLayout};
use satscope::app::scroll::Scroll;
use satscope::app::{ClickTarget, Effect, Message, Overlay, Preferences, demand};
use satscope::client::{Request, ResponseData};
use satscope::model::{
    Chart, Contract, Currency, Link, MarketPair, Page, Period, Point, Post, PostOrder, Tag, Text, UtcTime, VolumeSpan,
};
use satscope::user_data::Watched;

use super::fixtures::{App, all, coin, many, page, series, three};

/// Points of the chart, one per minute.
const POINTS: i64 = 400;

fn at(minute: i64) -> UtcTime {
    UtcTime::from_secs(1_795_000_000 + 60 * minute)
}

fn chart() -> ResponseData {
    let point = |n| Point { time: at(n), price: (n as f64).into(), volume: None, market_cap: None };
    let points = (0..POINTS).map(point).collect();
    ResponseData::Chart(Chart {
        slug: "ordi".into(),
        period: Period::Week,
        convert: Currency::usd(),
        points,
        volume_span: VolumeSpan::Day,
        candles: None,
    })
}

pub(super) fn post(id: &str, text: &str) -> Post {
    Post {
        id: id.into(),
        author: None,
        network: None,
        text: text.to_owned(),
        likes: None,
        comments: None,
        reposts: None,
        posted_at: None,
        url: None,
        symbols: Vec::new(),
        language: None,
        sensitive: None,
    }
}

/// A market with a volume and a price; 0 means no value.
fn pair(exchange: &str, pair: &str, price: f64, volume: f64) -> MarketPair {
    let known = |number: f64| Some(number).filter(|number| *number != 0.0);
    MarketPair {
        exchange: Some(exchange.into()),
        pair: pair.into(),
        base: None,
        quote: None,
        category: None,
        price: known(price),
        volume_24h: known(volume),
        volume_share_pct: None,
        depth_plus_2pct: known(volume * 2.0),
        depth_minus_2pct: known(price),
        outlier: None,
        updated_at: None,
        convert: Currency::usd(),
    }
}

fn posts_of(order: PostOrder) -> Request {
    Request::Posts { symbol: "ORDI".into(), slug: Some("ordi".into()), order }
}

pub(super) fn posts(items: Vec<Post>) -> ResponseData {
    ResponseData::Posts(Page { items, total: None })
}

/// The token view of ORDI with a chart, two posts of each order and three markets.
pub(super) fn opened() -> App {
    let mut app = App::new();
    let mut coins = three();
    coins[1].links = [Link { kind: "website".into(), url: format!("https://{}.example/", "o".repeat(24)).into() }]
        .into_iter()
        .collect();
    coins[1].contracts = [Contract { platform: None, address: "x".repeat(66).into() }].into_iter().collect();
    coins[1].tags = ["one", "two"].map(Text::from).into_iter().collect();
    app.answer(&all(1), page(coins, Some(3)));
    app.key(KeyCode::Down);
    app.key(KeyCode::Enter);
    let convert = Currency::usd();
    app.answer(&Request::Chart { slug: "ordi".into(), period: Period::Week, convert: convert.clone() }, chart());
    app.answer(&posts_of(PostOrder::Top), posts(vec![post("1", "first"), post("2", "second")]));
    app.keys("p");
    app.answer(&posts_of(PostOrder::Latest), posts(vec![post("3", "third"), post("4", "fourth")]));
    app.keys("p");
    app.focus(Panel::Chart);
    let pairs = vec![
        pair("okx", "ORDI/B", 3.0, 20.0),
        pair("Binance", "ORDI/C", 2.0, 30.0),
        pair("kraken", "ORDI/A", 0.0, 0.0),
    ];
    let markets = Request::MarketPairs { symbol: "ORDI".into(), slug: Some("ordi".into()), convert };
    app.answer(&markets, ResponseData::MarketPairs(Page { items: pairs, total: Some(3) }));
    app
}

impl App {
    fn view(&self) -> &satscope::app::screen::TokenScreen {
        self.state.token.as_ref().expect("a token's view")
    }

    fn focus(&mut self, panel: Panel) {
        self.send(Message::Click(ClickTarget::Panel(panel)));
    }

    /// The exchanges of the markets, in the order of the rows.
    fn exchanges(&self) -> Vec<String> {
        let convert = Currency::usd();
        let request = self.view().markets_request(&convert);
        let pairs = &self.state.responses.market_pairs(&request).value.expect("markets").items;
        (0..self.view().market_count())
            .map(|row| self.view().market(pairs, row).unwrap().exchange.clone().unwrap().to_string())
            .collect()
    }
}

#[test]
fn tab_cycles_panels_in_both_directions() {
    let mut app = opened();
    let mut round = |code| -> Vec<Panel> {
        let step = |app: &mut App| {
            app.key(code);
            app.view().focus
        };
        (0..4).map(|_| step(&mut app)).collect()
    };
    assert_eq!(round(KeyCode::Tab), [Panel::About, Panel::Posts, Panel::Markets, Panel::Chart]);
    assert_eq!(round(KeyCode::BackTab), [Panel::Markets, Panel::Posts, Panel::About, Panel::Chart]);
}

#[test]
fn esc_undoes_one_step_at_a_time() {
    let mut app = opened();
    app.keys("z");
    app.key(KeyCode::Left);
    assert!(app.view().zoom && app.view().chart_cursor.is_some());
    app.key(KeyCode::Esc);
    assert!(app.view().zoom && app.view().chart_cursor.is_none());
    app.key(KeyCode::Esc);
    assert!(!app.view().zoom);
    app.key(KeyCode::Esc);
    assert!(app.state.token.is_none());
}

#[test]
fn enter_toggles_zoom_and_opens_post() {
    let mut app = opened();
    for panel in [Panel::Chart, Panel::About, Panel::Markets] {
        app.focus(panel);
        app.key(KeyCode::Enter);
        assert!(app.view().zoom, "{panel:?}");
        app.key(KeyCode::Enter);
        assert!(!app.view().zoom, "{panel:?}");
    }
    app.focus(Panel::Posts);
    app.key(KeyCode::Down);
    app.key(KeyCode::Enter);
    assert!(!app.view().zoom);
    let Some(Overlay::Post { id, .. }) = &app.state.overlay else { panic!("{:?}", app.state.overlay) };
    assert_eq!(id, "2");
}

#[test]
fn period_keys_stop_at_both_ends() {
    let mut app = opened();
    let mut walk = |keys: &str| -> Vec<Period> {
        let step = |app: &mut App, key: char| {
            app.keys(key.encode_utf8(&mut [0; 4]));
            app.view().period
        };
        keys.chars().map(|key| step(&mut app, key)).collect()
    };
    let longer = [Period::Month, Period::Quarter, Period::Year, Period::AllTime, Period::AllTime];
    assert_eq!(walk("]]]]]"), longer);
    let shorter = [Period::Year, Period::Quarter, Period::Month, Period::Week, Period::Day, Period::Day];
    assert_eq!(walk("[[,[[["), shorter);
    assert_eq!(walk("."), [Period::Week]);
}

#[test]
fn post_order_key_toggles_top_and_latest() {
    let mut app = opened();
    let selected = |app: &App| app.view().posts.key().map(ToString::to_string);
    app.focus(Panel::Posts);
    app.key(KeyCode::Down);
    assert_eq!(selected(&app).as_deref(), Some("2"));
    app.key(KeyCode::Left);
    assert_eq!(
        (app.view().order, selected(&app).as_deref()),
        (PostOrder::Latest, Some("3")),
        "the newest is read first"
    );
    app.key(KeyCode::Right);
    assert_eq!((app.view().order, selected(&app).as_deref()), (PostOrder::Top, Some("1")));
    app.focus(Panel::Markets);
    app.key(KeyCode::Left);
    assert_eq!(app.view().order, PostOrder::Top, "elsewhere the arrows do not change posts");
    app.keys("p");
    assert_eq!((app.view().order, app.view().focus), (PostOrder::Latest, Panel::Posts));
}

#[test]
fn chart_cursor_moves_by_points_and_strides_and_stays_inside() {
    let mut app = opened();
    let point = |app: &App| app.view().chart_cursor.map(|time| (time.secs() - at(0).secs()) / 60);
    // 400 points on 160 columns: two per column.
    let mut walk = |codes: &[KeyCode]| {
        codes.iter().for_each(|code| drop(app.key(*code)));
        point(&app)
    };
    assert_eq!(walk(&[KeyCode::Left]), Some(399), "it begins at the newest");
    assert_eq!(walk(&[KeyCode::Left]), Some(397));
    assert_eq!(walk(&[KeyCode::Right, KeyCode::Right]), Some(399));
    assert_eq!(walk(&[KeyCode::Up]), Some(379));
    assert_eq!(walk(&[KeyCode::PageUp]), Some(359));
    assert_eq!(walk(&[KeyCode::Down]), Some(379));
    assert_eq!(walk(&[KeyCode::Up; 30]), Some(0));
    assert_eq!(walk(&[KeyCode::Left]), Some(0));
    app.focus(Panel::About);
    app.key(KeyCode::Right);
    assert_eq!(point(&app), Some(0), "the arrows are the chart's only where it has the keys");
}

#[test]
fn chart_click_selects_nearest_point() {
    let mut app = opened();
    let mut click = |column, of| {
        app.send(Message::Click(ClickTarget::ChartColumn(column, of)));
        app.view().chart_cursor.map(|time| (time.secs() - at(0).secs()) / 60)
    };
    assert_eq!(click(0, 120), Some(0));
    assert_eq!(click(119, 120), Some(399));
    assert_eq!(click(60, 121), Some(199), "of two as near the earlier");
    assert_eq!(click(30, 121), Some(100));
    assert_eq!(click(0, 1), Some(0));
    // A shorter chart of the same period keeps the cursor at the nearest point.
    let points = vec![at(10), at(20), at(31)].into_iter();
    let points = points.map(|time| Point { time, price: 1.0.into(), volume: None, market_cap: None }).collect();
    let convert = Currency::usd();
    let request = Request::Chart { slug: "ordi".into(), period: Period::Week, convert: convert.clone() };
    for (minute, nearest) in [(5, 10), (12, 10), (15, 10), (16, 20), (25, 20), (26, 31), (399, 31)] {
        app.answer(&request, chart());
        app.send(Message::Click(ClickTarget::ChartColumn(minute, 400)));
        let points: Vec<Point> = Vec::clone(&points);
        let short = Chart {
            slug: "ordi".into(),
            period: Period::Week,
            convert: convert.clone(),
            points,
            volume_span: VolumeSpan::Day,
            candles: None,
        };
        app.answer(&request, ResponseData::Chart(short));
        assert_eq!(app.view().chart_cursor, Some(at(nearest)), "{minute}");
    }
}

#[test]
fn markets_sort_by_every_column_and_reverse() {
    let mut app = opened();
    assert_eq!(app.exchanges(), ["Binance", "okx", "kraken"], "by volume, absent ones last");
    app.focus(Panel::Markets);
    for (column, order, turned) in [
        (MarketColumn::Share, ["okx", "Binance", "kraken"], ["okx", "Binance", "kraken"]),
        (MarketColumn::Depth, ["okx", "Binance", "kraken"], ["Binance", "okx", "kraken"]),
        (MarketColumn::Exchange, ["Binance", "kraken", "okx"], ["okx", "kraken", "Binance"]),
        (MarketColumn::Pair, ["kraken", "okx", "Binance"], ["Binance", "okx", "kraken"]),
        (MarketColumn::Price, ["okx", "Binance", "kraken"], ["Binance", "okx", "kraken"]),
        (MarketColumn::Volume, ["Binance", "okx", "kraken"], ["okx", "Binance", "kraken"]),
    ] {
        app.keys(&format!("s{}", column.key()));
        assert_eq!((app.view().market_sort.column, app.exchanges()), (column, order.map(String::from).to_vec()));
        app.keys("S");
        assert_eq!(app.exchanges(), turned, "{column:?}");
        let heading = MarketColumn::ALL.iter().position(|other| *other == column).unwrap();
        app.send(Message::Click(ClickTarget::Heading(Some(Panel::Markets), heading)));
        assert_eq!(app.exchanges(), order, "{column:?}: a click turns it round as well");
    }
    for (heading, descending) in [(0, false), (1, false), (2, true), (5, true)] {
        app.send(Message::Click(ClickTarget::Heading(Some(Panel::Markets), heading)));
        assert_eq!(
            app.view().market_sort,
            MarketSort { column: MarketColumn::ALL[heading], descending },
            "words from A, numbers from the top"
        );
    }
}

#[test]
fn outliers_are_last_by_default_and_by_price_in_both_directions() {
    let mut app = opened();
    let outlier = |exchange, price| MarketPair { outlier: Some(true), ..pair(exchange, "ORDI/D", price, 99.0) };
    let mut pairs = vec![outlier("high", 900.0), outlier("low", 0.001)];
    pairs.extend([("okx", 3.0), ("Binance", 2.0)].map(|(exchange, price)| pair(exchange, "ORDI/B", price, 20.0)));
    let request = app.view().markets_request(&Currency::usd());
    app.answer(&request, ResponseData::MarketPairs(Page { items: pairs, total: Some(4) }));
    assert_eq!(app.exchanges(), ["okx", "Binance", "high", "low"], "although their volume is the largest");
    app.focus(Panel::Markets);
    app.keys("S");
    assert_eq!(app.exchanges(), ["okx", "Binance", "high", "low"], "in the order of their volume, the smallest first");
    app.keys(&format!("s{}", MarketColumn::Price.key()));
    assert_eq!(app.exchanges(), ["okx", "Binance", "high", "low"]);
    app.keys("S");
    assert_eq!(app.exchanges(), ["Binance", "okx", "low", "high"]);
    app.keys(&format!("s{}", MarketColumn::Depth.key()));
    assert_eq!(app.exchanges().first().map(String::as_str), Some("high"), "another order is exact");
}

#[test]
fn markets_sort_selects_first_row() {
    let mut app = opened();
    app.focus(Panel::Markets);
    let exchange = |key: &Text| key.split(' ').next().unwrap_or_default().to_owned();
    let selected = |app: &App| (app.view().markets.index(), exchange(app.view().markets.key().unwrap()));
    assert_eq!(selected(&app), (0, "Binance".into()));
    app.keys("ss");
    assert_eq!(selected(&app), (0, "okx".into()));
    app.key(KeyCode::End);
    assert_eq!(selected(&app), (2, "kraken".into()));
    app.keys("seS");
    assert_eq!(selected(&app), (0, "okx".into()), "from wherever it began");
    app.key(KeyCode::End);
    let exchange = MarketColumn::ALL.iter().position(|column| *column == MarketColumn::Exchange).unwrap();
    app.send(Message::Click(ClickTarget::Heading(Some(Panel::Markets), exchange)));
    assert_eq!(selected(&app), (0, "Binance".into()));
}

#[test]
fn about_panel_scrolls_within_its_maximum_length() {
    let mut app = opened();
    app.focus(Panel::About);
    for _ in 0..100 {
        app.key(KeyCode::Down);
    }
    // Twelve facts; a link, a contract with its chain and two tags in 16 columns.
    assert_eq!(app.view().about_scroll, Scroll::FromTop(12 + 3 + 6 + 2));
    app.key(KeyCode::End);
    assert_eq!(app.view().about_scroll, Scroll::FromEnd(0));
    app.key(KeyCode::Home);
    assert_eq!(app.view().about_scroll, Scroll::FromTop(0));
}

#[test]
fn copy_key_copies_the_selection_of_each_panel() {
    let mut app = opened();
    let copied = |app: &mut App, keys: &str| match app.keys(keys).as_slice() {
        [Effect::Copy(text)] => text.clone(),
        other => panic!("{other:?}"),
    };
    assert_eq!(copied(&mut app, "yi"), "ordi");
    app.key(KeyCode::Left);
    assert_eq!(copied(&mut app, "yr"), format!("{} 399 USD", at(399)));
    assert_eq!(copied(&mut app, "yp"), "399");
    app.key(KeyCode::Tab);
    assert_eq!(copied(&mut app, "yi"), "ordi");
    app.key(KeyCode::Tab);
    app.key(KeyCode::Down);
    assert_eq!(copied(&mut app, "yt"), "second");
    app.key(KeyCode::Tab);
    assert_eq!(copied(&mut app, "ym"), "Binance ORDI/C");
    app.key(KeyCode::Down);
    assert_eq!(copied(&mut app, "ym"), "okx ORDI/B");
    assert_eq!(copied(&mut app, "ye"), "okx");
}

#[test]
fn sorting_markets_focuses_markets_panel() {
    let volume = MarketColumn::ALL.iter().position(|column| *column == MarketColumn::Volume).unwrap();
    for focus in [Panel::Chart, Panel::About, Panel::Posts] {
        for sort in ["ss", "S", "click"] {
            let mut app = opened();
            app.focus(focus);
            match sort {
                "click" => drop(app.send(Message::Click(ClickTarget::Heading(Some(Panel::Markets), volume)))),
                key => drop(app.keys(key)),
            }
            assert_eq!(app.view().focus, Panel::Markets, "{sort}");
            assert_eq!(app.keys("ym"), [Effect::Copy(String::from("okx ORDI/B"))], "{focus:?} {sort}");
        }
    }
}

#[test]
fn panel_arrangement_depends_on_size() {
    let mut app = opened();
    for (size, layout) in [
        ((76, 20), PanelLayout::Grid),
        ((160, 45), PanelLayout::Grid),
        ((75, 20), PanelLayout::Stack),
        ((76, 19), PanelLayout::Stack),
        ((30, 15), PanelLayout::Stack),
        ((29, 40), PanelLayout::Single),
        ((160, 14), PanelLayout::Single),
    ] {
        assert_eq!(app.view().panel_layout(size), layout, "{size:?}");
    }
    let shown = |app: &App, size| -> Vec<Panel> {
        [Panel::Chart, Panel::About, Panel::Posts, Panel::Markets]
            .into_iter()
            .filter(|p| app.view().shows(*p, size))
            .collect()
    };
    assert_eq!(shown(&app, (75, 20)), [Panel::Chart, Panel::Markets]);
    assert_eq!(shown(&app, (29, 40)), [Panel::Chart]);
    assert_eq!(shown(&app, (160, 45)).len(), 4);
    app.focus(Panel::About);
    assert_eq!(shown(&app, (75, 20)), [Panel::Chart, Panel::About]);
    assert_eq!(shown(&app, (29, 40)), [Panel::About]);
    app.keys("z");
    assert_eq!(shown(&app, (160, 45)), [Panel::About]);
}

#[test]
fn click_on_selected_panel_row_opens_it() {
    let mut app = opened();
    app.send(Message::Click(ClickTarget::Row(Some(Panel::Posts), 0)));
    let at = (app.view().focus, app.view().posts.index(), app.state.overlay.is_some());
    assert_eq!(at, (Panel::Posts, 0, false), "the panel had no focus");
    app.send(Message::Click(ClickTarget::Row(Some(Panel::Posts), 1)));
    assert_eq!((app.view().focus, app.view().posts.index(), app.state.overlay.is_some()), (Panel::Posts, 1, false));
    app.send(Message::Click(ClickTarget::Row(Some(Panel::Posts), 0)));
    assert_eq!((app.view().posts.index(), app.state.overlay.is_some()), (0, false));
    app.send(Message::Click(ClickTarget::Row(Some(Panel::Posts), 0)));
    assert!(app.state.overlay.is_some());
    app.key(KeyCode::Esc);
    app.send(Message::Click(ClickTarget::Row(Some(Panel::Markets), 2)));
    assert_eq!((app.view().focus, app.view().markets.index(), app.view().zoom), (Panel::Markets, 2, false));
    app.send(Message::Click(ClickTarget::Row(Some(Panel::Markets), 2)));
    assert!(app.view().zoom);
    app.send(Message::Click(ClickTarget::Row(Some(Panel::About), 5)));
    assert!(app.state.overlay.is_none() && app.view().focus == Panel::About, "it has no rows to open");
}

#[test]
fn home_and_end_move_chart_cursor_to_the_ends() {
    let mut app = opened();
    let mut press = |code| {
        app.key(code);
        app.view().chart_cursor
    };
    assert_eq!(press(KeyCode::Home), Some(at(0)));
    assert_eq!(press(KeyCode::End), Some(at(POINTS - 1)));
    assert_eq!(press(KeyCode::Char('0')), Some(at(0)));
    assert_eq!(press(KeyCode::Char('G')), Some(at(POINTS - 1)));
}

/// Symbols of the open token and of the list's selected coin.
fn open_and_selected(app: &App) -> (&str, &str) {
    let selected = app.state.list(Tag::All).selected().map_or("", |coin| &coin.symbol);
    (app.state.token.as_ref().map_or("", |token| &token.symbol), selected)
}

#[test]
fn next_and_previous_coin_follow_the_order_of_the_list() {
    let mut app = opened();
    app.keys("n");
    assert_eq!(open_and_selected(&app), ("VOID", "VOID"));
    assert_eq!(app.wanted()[0], "void 7D chart");
    app.keys("n");
    assert_eq!(open_and_selected(&app), ("VOID", "VOID"));
    assert_eq!(app.state.toast.as_ref().unwrap().text, "This is the last coin");
    app.keys("NN");
    assert_eq!(open_and_selected(&app), ("BTC", "BTC"));
    app.keys("N");
    assert_eq!(app.state.toast.as_ref().unwrap().text, "This is the first coin");
    app.key(KeyCode::Esc);
    assert_eq!(open_and_selected(&app), ("", "BTC"), "back to the coin seen last");
    // By descending price: BTC, ORDI; VOID has no price.
    app.keys("sp");
    app.key(KeyCode::Enter);
    app.keys("n");
    assert_eq!(open_and_selected(&app), ("ORDI", "ORDI"));
    app.key(KeyCode::Esc);
    app.keys("/ord");
    app.key(KeyCode::Enter);
    app.key(KeyCode::Enter);
    let found = app.slugs().len();
    assert!(found < 3, "{:?}", app.slugs());
    for _ in 0..found {
        app.keys("n");
    }
    assert_eq!(app.state.toast.as_ref().unwrap().text, "This is the last coin", "of those found");
}

#[test]
fn next_coin_loads_the_next_page_of_the_list() {
    let mut app = App::new();
    app.answer(&all(1), page(many(1, 200), Some(230)));
    for _ in 0..150 {
        app.key(KeyCode::Down);
    }
    app.key(KeyCode::Enter);
    assert!(!app.wanted().contains(&String::from("Coin list 201–400")), "{:?}", app.wanted());
    for _ in 0..49 {
        app.keys("n");
    }
    assert_eq!(open_and_selected(&app).0, "C200");
    assert!(app.wanted().contains(&String::from("Coin list 201–400")), "{:?}", app.wanted());
    app.keys("n");
    assert_eq!(app.state.toast.as_ref().unwrap().text, "Loading more coins…");
    app.answer(&all(201), page(many(201, 30), Some(230)));
    app.keys("n");
    assert_eq!(open_and_selected(&app), ("C201", "C201"));
}

#[test]
fn next_coin_in_the_wallet_skips_unknown_symbols() {
    let watched = ["BTC", "NOPE", "ORDI"].map(Watched::by_symbol).to_vec();
    let mut app = App::with(Preferences { watched, ..Preferences::default() });
    app.keys("4");
    let request = demand(&app.state).visible[0].clone();
    app.answer(&request, ResponseData::Market(vec![series("BTC", "bitcoin"), series("ORDI", "ordi")]));
    app.key(KeyCode::Enter);
    let symbol = |app: &App| app.state.token.as_ref().map(|token| token.symbol.to_string());
    assert_eq!(symbol(&app).as_deref(), Some("BTC"));
    app.keys("n");
    assert_eq!(symbol(&app).as_deref(), Some("ORDI"));
    app.keys("n");
    assert_eq!(symbol(&app).as_deref(), Some("ORDI"));
    app.keys("N");
    assert_eq!(symbol(&app).as_deref(), Some("BTC"));
}

#[test]
fn period_and_zoom_persist_when_another_coin_is_opened() {
    let mut app = opened();
    app.keys("]");
    app.key(KeyCode::Esc);
    app.key(KeyCode::Down);
    app.key(KeyCode::Enter);
    assert_eq!((app.view().symbol.as_str(), app.view().period), ("VOID", Period::Month));
    app.focus(Panel::Markets);
    app.keys("sszn");
    app.keys("N");
    let view = app.view();
    assert_eq!(
        (view.symbol.as_str(), view.focus, view.zoom, view.period),
        ("ORDI", Panel::Markets, true, Period::Month)
    );
    assert_eq!(view.market_sort, MarketSort::from(MarketColumn::Share), "the markets keep their order");
    app.keys("1");
    app.key(KeyCode::Enter);
    assert!(app.view().zoom && app.view().focus == Panel::Markets, "left zoomed, opened zoomed");
    app.key(KeyCode::Esc);
    app.key(KeyCode::Esc);
    app.key(KeyCode::Enter);
    assert!(!app.view().zoom && app.view().focus == Panel::Chart);
}

/// The line with the names, price and changes of a coin.
fn headline(name: &str, columns: u16) -> String {
    let mut app = App::new();
    let mut coin = coin(362, "annoying", "THEMOSTANNOYING", Some(0.01));
    coin.name = name.into();
    (coin.change_1h_pct, coin.change_24h_pct, coin.change_7d_pct) = (Some(1.1), Some(2.2), Some(3.3));
    (coin.market_cap, coin.volume_24h, coin.total_supply) = (Some(4.4e6), Some(5.5e6), Some(6.6e6));
    app.answer(&all(1), page(vec![coin], Some(1)));
    app.key(KeyCode::Enter);
    app.screen((columns, 35)).lines().nth(1).unwrap().to_owned()
}

#[test]
fn long_name_is_cut_before_the_numbers_of_the_headline_are_dropped() {
    let line = headline("The Most Annoying Token Name Ever Written on a Long Tape", 120);
    for part in [" The Most Annoying", "…", "THEMOSTANNOYING", "7d", "cap 4.4M", "vol 5.5M", "updated"] {
        assert!(line.contains(part), "{part}: {line}");
    }
    let line = headline("Annoying", 80);
    assert!(line.contains("Annoying  THEMOSTANNOYING") && line.contains("cap 4.4M"), "{line}");
}

#[test]
fn changes_of_the_headline_are_in_the_order_of_their_spans() {
    let line = headline("Annoying", 160);
    let place = |part: &str| line.find(part).unwrap_or_else(|| panic!("{part}: {line}"));
    assert!(place(" 1h ") < place(" 24h ") && place(" 24h ") < place(" 7d ") && place(" 7d ") < place("cap"), "{line}");
    assert!(place("vol") < place("supply 6.6M"), "{line}");
    assert!(!headline("Annoying", 110).contains(" 1h "), "it is dropped first");
}
