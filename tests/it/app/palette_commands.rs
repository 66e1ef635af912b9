//! The palette: commands of other screens, actions on coins, and waiting for the names of all coins.

use satscope::app::screen::indexer::{TokenColumn, TokenSort};
use satscope::app::screen::list::{Sort, SortColumn};
use satscope::app::screen::token::{MarketColumn, MarketSort};
use satscope::app::screen::wallet::order::{HoldingSort, Order};
use satscope::app::{Overlay, Preferences, Tab};
use satscope::client::{ErrorKind, Request, ResponseData};
use satscope::keymap::Context;
use satscope::model::{CoinName, IndexedName, Period, Tag};

use super::palette::{lines, loaded};
use crate::support::screen::{Screen, fixture};

/// A list of the names of all coins, by symbol and name.
pub(super) fn names(coins: &[(&str, &str)]) -> ResponseData {
    let name = |(number, (symbol, name)): (usize, &(&str, &str))| CoinName {
        id: format!("99{number:03}").into(),
        slug: name.to_lowercase().replace(' ', "-").into(),
        symbol: (*symbol).into(),
        name: (*name).into(),
        rank: Some(9_000),
    };
    ResponseData::CoinNames(coins.iter().enumerate().map(name).map(IndexedName::from).collect())
}

/// The dashboard with loaded coins and the names of all coins.
pub(super) fn named(coins: &[(&str, &str)]) -> Screen {
    let mut screen = loaded(120, 35);
    screen.keys(":");
    screen.answer(&Request::CoinNames, names(coins));
    screen.keys("<esc>");
    screen
}

/// The first line of the palette that contains a string.
fn line_with(screen: &mut Screen, text: &str) -> String {
    let all = lines(screen);
    all.iter().find(|line| line.contains(text)).unwrap_or_else(|| panic!("{text}: {all:?}")).clone()
}

/// The symbol of the open coin.
fn open_symbol(screen: &Screen) -> &str {
    &screen.state.token.as_ref().expect("a coin is open").symbol
}

#[test]
fn movements_are_the_last_commands_without_a_text() {
    let mut screen = named(&[]);
    for place in ["", "<enter>", "<esc>4", "5", "6"] {
        screen.keys(place);
        screen.keys(":");
        let all = lines(&mut screen);
        assert!(all.iter().any(|line| line.contains("command")), "{all:?}");
        for movement in ["page up", "page down", "first row", "last row"] {
            assert!(!all.iter().any(|line| line.contains(movement)), "{movement}: {all:?}");
        }
        // They are found by name.
        screen.keys("page up");
        assert!(line_with(&mut screen, "page up").contains("command"));
        screen.keys("<esc>");
    }
}

#[test]
fn commands_of_the_coin_view_are_found_everywhere() {
    let mut screen = named(&[]);
    for place in ["", "<enter>", "<esc>6"] {
        screen.keys(place);
        for (typed, title) in [
            ("axis", "cycle price axis"),
            ("log", "cycle price axis"),
            ("percent", "cycle price axis"),
            ("moving", "toggle moving averages"),
            ("average", "toggle moving averages"),
            ("ema", "toggle moving averages"),
            ("bollinger", "toggle Bollinger bands"),
            ("rsi", "toggle RSI"),
            ("macd", "toggle MACD"),
            ("relative strength", "toggle RSI"),
            ("candle", "cycle chart style"),
            ("area chart", "cycle chart style"),
            ("chart style", "cycle chart style"),
            ("add note", "add / edit note"),
            ("mentioned", "open mentioned coin"),
        ] {
            screen.keys(":");
            screen.keys(typed);
            line_with(&mut screen, title);
            screen.keys("<esc>");
        }
    }
}

#[test]
fn command_of_the_coin_view_runs_on_the_selected_coin() {
    let mut screen = named(&[]);
    screen.keys("jj");
    let symbol = screen.state.list(Tag::All).selected().map(|coin| coin.symbol.to_string()).unwrap();
    let before = screen.state.chart.clone();
    screen.keys(":axis");
    let line = line_with(&mut screen, "cycle price axis");
    assert!(line.contains(&format!("in {symbol}'s view")) && line.contains("open coin"), "{line}");
    screen.keys("<enter>");
    assert_eq!(open_symbol(&screen), symbol);
    assert_ne!(screen.state.chart, before);
    // Without a selected coin, a message says that one is needed.
    screen.keys("6:axis<enter>");
    assert_eq!((screen.state.context(), screen.state.token.is_none()), (Context::Palette, true));
    assert!(screen.text().contains("Open a coin first"), "{}", screen.text());
}

#[test]
fn command_of_a_dialog_opens_the_dialog() {
    let mut screen = named(&[]);
    screen.keys("6:bell");
    let line = line_with(&mut screen, "toggle bell");
    assert!(line.contains("in alerts") && line.contains("open alerts"), "{line}");
    screen.keys("<enter>");
    assert!(matches!(screen.state.overlay, Some(Overlay::Alerts(_))), "{}", screen.text());
    screen.keys("<esc><esc>6:show column");
    line_with(&mut screen, "show / hide column");
    screen.keys("<enter>");
    assert_eq!((screen.state.context(), screen.state.tab), (Context::Columns, Tab::List(Tag::All)));
}

#[test]
fn coin_and_alert_open_the_line_of_a_new_alert() {
    for typed in [":ordi alert", ":alert ordi"] {
        let mut screen = named(&[]);
        screen.keys(typed);
        assert!(lines(&mut screen)[0].contains("new alert"), "{:?}", lines(&mut screen));
        screen.keys("<enter>");
        let Some(Overlay::Alerts(dialog)) = &screen.state.overlay else { panic!("{}", screen.text()) };
        let line = dialog.line.as_ref().map(|line| line.value().to_owned()).unwrap_or_default();
        assert!(line.starts_with("ordi > "), "{line}");
    }
    let mut screen = named(&[]);
    screen.keys(":bit alert");
    assert!(screen.text().contains("new alert"), "{}", screen.text());
    screen.keys("<esc>:bcn alert");
    assert!(!screen.text().contains("new alert"), "scattered letters name no coin: {}", screen.text());
}

#[test]
fn alert_and_rule_open_the_line_of_that_rule() {
    for (typed, rule) in [
        (":alert ordi > 20", "ordi > 20"),
        (":alrt ordi < 5 eur", "ordi < 5 eur"),
        (":alerts BTC 24h < -5", "BTC 24h < -5"),
        (":alert ordi >", "ordi >"),
    ] {
        let mut screen = named(&[]);
        screen.keys(typed);
        assert!(lines(&mut screen)[0].contains("new alert"), "{typed}: {:?}", lines(&mut screen));
        screen.keys("<enter>");
        let Some(Overlay::Alerts(dialog)) = &screen.state.overlay else { panic!("{typed}: {}", screen.text()) };
        assert_eq!(dialog.line.as_ref().map(|line| line.value()), Some(rule), "{typed}");
    }
    // Enter in the line adds it.
    let mut screen = named(&[]);
    screen.keys(":alert ordi > 20<enter><enter>");
    let rules: Vec<String> = screen.state.alerts.tracked.iter().map(|it| it.alert.rule.to_string()).collect();
    assert_eq!(rules, ["ordi > 20 usd"], "{}", screen.text());
}

#[test]
fn coin_and_copy_open_the_copy_menu() {
    for typed in [":ordi copy", ":copy ordi", ":cpoy ordi"] {
        let mut screen = named(&[]);
        screen.keys(typed);
        line_with(&mut screen, "open copy menu");
        let at = lines(&mut screen).iter().position(|line| line.contains("open copy menu")).unwrap();
        screen.keys(&"<down>".repeat(at));
        screen.keys("<enter>");
        let Some(menu) = &screen.state.menu else { panic!("{typed}: {}", screen.text()) };
        let labels: Vec<&str> = menu.items.iter().map(|item| item.label.as_ref()).collect();
        assert!(labels.contains(&"symbol") && labels.contains(&"price"), "{typed}: {labels:?}");
    }
}

#[test]
fn verb_with_a_typo_is_understood() {
    for (typed, effect) in [(":wacth ordi", "watch"), (":ordi alerst", "new alert"), (":comapre ordi", "compare")] {
        let mut screen = named(&[]);
        screen.keys(typed);
        let line = line_with(&mut screen, effect);
        assert!(line.contains("ORDI"), "{typed}: {line}");
    }
}

#[test]
fn coins_are_compared_by_their_names() {
    let symbols = |screen: &Screen| -> Vec<String> {
        screen.state.comparison.coins().iter().map(|coin| coin.symbol.to_string()).collect()
    };
    for typed in [":compare btc ordi<enter>", ":btc ordi compare<enter>", ":btc vs ordi<enter>"] {
        let mut screen = named(&[]);
        screen.keys("jjjmj");
        screen.keys(typed);
        assert_eq!(screen.state.context(), Context::Compare, "{typed}");
        assert_eq!(symbols(&screen), ["BTC", "ORDI"], "{typed}");
    }
    let mut screen = named(&[("BCH", "Bitcoin Cash"), ("CASH", "Cash")]);
    screen.keys(":btc compare<enter>");
    assert_eq!((screen.state.context(), symbols(&screen)), (Context::Compare, vec![String::from("BTC")]));
    screen.keys("<esc>:ordi<enter>:compare bitcoin cash<enter>");
    assert_eq!(symbols(&screen), ["BTC", "ORDI", "BCH"], "beside the marked coins and the open one");
}

#[test]
fn selected_item_stays_selected_when_names_arrive() {
    let mut screen = loaded(120, 35);
    screen.keys(":ord");
    assert!(screen.text().contains("Loading names…"), "{}", screen.text());
    let before = lines(&mut screen)[0].clone();
    assert!(before.contains("ORDI"), "{before}");
    screen.answer(&Request::CoinNames, names(&[("ORD", "Order"), ("ORDX", "Ordex")]));
    assert!(lines(&mut screen)[0].contains("Order  ORD"), "{:?}", lines(&mut screen));
    assert!(!screen.text().contains("Loading names"), "{}", screen.text());
    screen.keys("<enter>");
    assert_eq!(open_symbol(&screen), "ORDI");
}

#[test]
fn palette_says_why_coins_are_missing() {
    let mut screen = loaded(80, 24);
    screen.keys(":ord");
    screen.fail(&Request::CoinNames, ErrorKind::Refused);
    let text = screen.text();
    assert!(text.contains("Some coins are missing: Can't reach coins.example (connection refused)"), "{text}");
    assert!(!text.contains("Loading names"), "{text}");
    screen.resize(40, 12);
    let text = screen.text();
    assert!(text.contains("Some coins are missing: Can't reach") && text.contains("refused)"), "{text}");
    screen.resize(80, 24);
    screen.answer(&Request::CoinNames, names(&[]));
    assert!(!screen.text().contains("missing"), "{}", screen.text());
}

#[test]
fn palette_without_any_coin_says_that_none_can_be_loaded() {
    let mut screen = Screen::new(80, 24);
    screen.keys(":ord");
    screen.fail_all(&ErrorKind::Refused);
    let text = screen.text();
    assert!(text.contains("Can't load coins: Can't reach coins.example (connection refused)"), "{text}");
}

#[test]
fn period_of_charts_is_found_by_its_name() {
    let mut screen = named(&[]);
    for typed in [":chart period 1y", ":period 1y", ":1y", ":chart period"] {
        screen.keys(typed);
        line_with(&mut screen, "chart period 1Y");
        screen.keys("<esc>");
    }
    screen.keys(":chart period 1y<enter>");
    assert_eq!(screen.state.period, Period::Year);
    // An open coin has a period of its own.
    screen.keys("<enter>:period 3m<enter>");
    assert_eq!(screen.state.token.as_ref().unwrap().period, Period::Quarter);
}

#[test]
fn sort_orders_and_filters_of_lists_are_offered_elsewhere() {
    let mut screen = named(&[]);
    screen.keys("6:sort 24h");
    let line = line_with(&mut screen, "sort by 24h");
    assert!(line.contains("in lists"), "{line}");
    screen.keys("<enter>");
    assert_eq!(screen.state.tab, Tab::List(Tag::All));
    assert!(screen.text().contains("24h▾"), "{}", screen.text());
    screen.keys("4:filter gainers<enter>");
    assert_eq!(screen.state.tab, Tab::List(Tag::All));
    assert!(screen.text().contains("filter gainers"), "{}", screen.text());
}

#[test]
fn filter_is_found_by_its_name() {
    for (typed, filter) in [
        ("losers", "losers"),
        ("gainers", "gainers"),
        ("loser", "losers"),
        ("tag memes", "tag memes"),
        ("watched", "watched"),
        ("filter watched", "watched"),
        ("watched and 24h > 5", "watched and 24h > 5"),
    ] {
        for place in ["", "6"] {
            let mut screen = named(&[]);
            screen.keys(&format!("{place}:{typed}"));
            assert!(lines(&mut screen)[0].contains(&format!("filter {filter}")), "{typed}: {:?}", lines(&mut screen));
            screen.keys("<enter>");
            let applied = screen.state.list(Tag::All).applied_filter().map(|applied| applied.text.as_str());
            assert_eq!(applied, Some(filter), "{typed}");
        }
    }
}

#[test]
fn sort_order_is_reversed_by_a_word() {
    for (typed, title, column, descending) in [
        ("sort cap", "sort by market cap", SortColumn::MarketCap, true),
        ("sort cap reverse", "sort by market cap, lowest first", SortColumn::MarketCap, false),
        ("name reversed", "sort by name, Z to A", SortColumn::Name, true),
        ("sort 7d losers", "sort by 7d change, losers first", SortColumn::Change7d, false),
    ] {
        for place in ["", "6"] {
            let mut screen = named(&[]);
            screen.keys(&format!("{place}:{typed}"));
            assert!(lines(&mut screen)[0].contains(title), "{typed}: {:?}", lines(&mut screen));
            screen.keys("<enter>");
            assert_eq!(screen.state.list(Tag::All).sort, Sort { column, descending }, "{typed}");
        }
    }
    // The command that reverses the current order comes first.
    let mut screen = named(&[]);
    for typed in ["reverse", "reverse sort", "sort reverse"] {
        screen.keys(&format!(":{typed}"));
        assert!(lines(&mut screen)[0].contains("reverse sort"), "{typed}: {:?}", lines(&mut screen));
        screen.keys("<esc>");
    }
}

/// Runs a sort order in the palette; it must be the first item.
fn sort_by(screen: &mut Screen, typed: &str, title: &str) {
    screen.keys(&format!(":{typed}"));
    let shown = lines(screen);
    assert!(shown[0].contains(title), "{typed}: {shown:?}");
    screen.keys("<enter>");
}

#[test]
fn sort_order_of_every_list_is_reversed_by_a_word() {
    let mut screen = named(&[]);
    screen.keys("<enter>");
    let markets = |screen: &Screen| screen.state.token.as_ref().unwrap().market_sort;
    sort_by(&mut screen, "sort depth", "sort by depth");
    assert_eq!(markets(&screen), MarketSort { column: MarketColumn::Depth, descending: true });
    sort_by(&mut screen, "sort depth reverse", "sort by depth, lowest first");
    assert_eq!(markets(&screen), MarketSort { column: MarketColumn::Depth, descending: false });
    sort_by(&mut screen, "sort exchange reversed", "sort by exchange, Z to A");
    assert_eq!(markets(&screen), MarketSort { column: MarketColumn::Exchange, descending: true });

    screen.keys("<esc>5");
    for (typed, title, column) in [
        ("sort events reverse", "sort by events, least active first", TokenColumn::Events),
        ("sort price reverse", "sort by price, lowest first", TokenColumn::Price),
        ("sort minted reverse", "sort by minted, least first", TokenColumn::Minted),
        ("sort supply reverse", "sort by supply, smallest first", TokenColumn::Supply),
        ("sort deployed reverse", "sort by deployed, oldest first", TokenColumn::Deployed),
    ] {
        sort_by(&mut screen, typed, title);
        assert_eq!(screen.state.indexer.sort, TokenSort { column, descending: false });
    }

    screen.keys("4");
    let wallet = |screen: &Screen| screen.state.wallet.holdings().order().0;
    sort_by(&mut screen, "sort price reverse", "sort by price, lowest first");
    assert_eq!(wallet(&screen), HoldingSort::from(Order::Price).reversed());
    sort_by(&mut screen, "sort name reverse", "sort by name, Z to A");
    assert_eq!(wallet(&screen), HoldingSort::from(Order::Name).reversed());
    sort_by(&mut screen, "sort name", "sort by name");
    assert_eq!(wallet(&screen), HoldingSort::from(Order::Name));
}

#[test]
fn words_that_say_what_to_open_are_no_ticker() {
    let mut screen = named(&[("ORDX", "Ordex")]);
    for typed in ["ord 3m", "a bcd"] {
        screen.keys(&format!(":{typed}"));
        let shown = lines(&mut screen);
        assert!(shown.iter().all(|line| !line.contains(&format!("token {typed}"))), "{shown:?}");
        screen.keys("<esc>");
    }
    // A word before them says so.
    screen.keys(":token a bcd");
    assert!(lines(&mut screen)[0].contains("token a bcd"), "{:?}", lines(&mut screen));
}

#[test]
fn enter_does_not_open_a_guess_while_names_load() {
    let mut screen = Screen::with(Preferences::default(), 120, 35);
    screen.keys(":junk");
    let shown = lines(&mut screen);
    assert!(shown[0].contains("Loading names…") && shown[1].contains("open in the indexer"), "{shown:?}");
    screen.keys("<enter>");
    assert_eq!((screen.state.context(), screen.state.tab), (Context::Palette, Tab::List(Tag::All)));
    assert!(lines(&mut screen)[0].contains("Opening the first match…"), "{}", screen.text());
    screen.answer(&Request::CoinNames, names(&[("JUNK", "Junk Coin")]));
    assert_eq!(open_symbol(&screen), "JUNK");
    // Once the names are known, it is the best that there is.
    screen.keys("<esc>:zzjunk");
    assert!(lines(&mut screen)[0].contains("open in the indexer"), "{:?}", lines(&mut screen));
}

#[test]
fn enter_pressed_before_names_opens_the_first_match() {
    let coins = names(&[("MEGAX", "Megaland"), ("MEGA", "Mega Coin")]);
    for typed in [":mega<enter>", ":mega<enter><enter>", ":mega 3m<enter>"] {
        let mut screen = Screen::with(Preferences::default(), 120, 35);
        screen.keys(typed);
        assert!(screen.text().contains("Opening the first match…"), "{typed}: {}", screen.text());
        screen.answer(&Request::CoinNames, coins.clone());
        assert_eq!((open_symbol(&screen), screen.state.context()), ("MEGA", Context::Token), "{typed}");
    }
    // A list with matches may lack the best one.
    for enter in ["", "<enter>"] {
        let mut screen = Screen::with(Preferences { watched: Vec::new(), ..Preferences::default() }, 120, 35);
        screen.keys(":ordi<enter>");
        screen.serve(|request| fixture::response(request).filter(|_| *request != Request::CoinNames));
        assert_eq!(screen.state.context(), Context::Palette);
        assert!(screen.text().contains("Opening the first match…"), "{}", screen.text());
        // On a match, Enter runs it at once.
        screen.keys(enter);
        assert_eq!(screen.state.token.is_none(), enter.is_empty());
        screen.answer(&Request::CoinNames, coins.clone());
        assert_eq!(open_symbol(&screen), "ORDI");
    }
}

#[test]
fn enter_pressed_before_names_opens_no_guess() {
    for typed in [":megaland<enter>", ":zzjunk<enter>"] {
        let mut screen = Screen::with(Preferences::default(), 120, 35);
        screen.keys(typed);
        screen.resize(40, 12);
        assert!(screen.text().contains("Opening the first match…"), "{typed}: {}", screen.text());
        screen.resize(120, 35);
        screen.answer(&Request::CoinNames, names(&[("ORD", "Order")]));
        assert_eq!((screen.state.context(), screen.state.tab), (Context::Palette, Tab::List(Tag::All)), "{typed}");
        assert!(lines(&mut screen)[0].contains("open in the indexer"), "{typed}: {:?}", lines(&mut screen));
        screen.keys("<enter>");
        assert_eq!(screen.state.tab, Tab::Indexer, "{typed}");
    }
}

#[test]
fn enter_pressed_before_names_changes_nothing() {
    for (typed, effect, message) in
        [(":watch mega<enter>", "watch", "Watching MEGA"), (":copy mega symbol<enter>", "copy symbol", "Copied")]
    {
        let mut screen = Screen::with(Preferences::default(), 120, 35);
        screen.keys(typed);
        assert!(screen.text().contains("Opening the first match…"), "{typed}: {}", screen.text());
        screen.answer(&Request::CoinNames, names(&[("MEGA", "Mega Coin")]));
        assert_eq!(screen.state.context(), Context::Palette, "{typed}");
        assert!(lines(&mut screen)[0].ends_with(effect), "{typed}: {:?}", lines(&mut screen));
        screen.keys("<enter>");
        assert!(screen.text().contains(message), "{typed}: {}", screen.text());
    }
}

#[test]
fn enter_pressed_before_names_opens_only_what_was_selected() {
    let mut screen = Screen::with(Preferences { watched: Vec::new(), ..Preferences::default() }, 120, 35);
    screen.keys(":ethereu<enter>");
    assert!(screen.text().contains("Opening the first match…"), "{}", screen.text());
    screen.serve(|request| fixture::response(request).filter(|_| *request != Request::CoinNames));
    assert!(lines(&mut screen)[0].contains("Ethereum"), "{:?}", lines(&mut screen));
    screen.answer(&Request::CoinNames, names(&[("ETHEREU", "Some Coin")]));
    assert!(lines(&mut screen)[0].contains("Some Coin  ETHEREU"), "{:?}", lines(&mut screen));
    assert_eq!((screen.state.context(), screen.state.token.is_none()), (Context::Palette, true));
    screen.keys("<enter>");
    assert_eq!(open_symbol(&screen), "ETH");
}

#[test]
fn enter_pressed_before_names_is_forgotten_at_the_next_key_or_failure() {
    let coins = names(&[("MEGA", "Mega Coin")]);
    for typed in [":mega<enter><down>", ":mega<enter>x<bs>", ":mega<enter><tab>", ":mega<enter><esc>:mega"] {
        let mut screen = Screen::with(Preferences::default(), 120, 35);
        screen.keys(typed);
        assert!(screen.text().contains("Loading names…"), "{typed}: {}", screen.text());
        screen.answer(&Request::CoinNames, coins.clone());
        assert_eq!((screen.state.context(), screen.state.token.is_none()), (Context::Palette, true), "{typed}");
    }
    for error in [ErrorKind::Refused, ErrorKind::NotFound { message: None }] {
        let mut screen = Screen::with(Preferences::default(), 120, 35);
        screen.keys(":mega<enter>");
        screen.fail(&Request::CoinNames, error.clone());
        assert_eq!(screen.state.context(), Context::Palette, "{error:?}");
        assert!(!screen.text().contains("Loading names"), "{error:?}: {}", screen.text());
        screen.answer(&Request::CoinNames, coins.clone());
        assert_eq!((screen.state.context(), screen.state.token.is_none()), (Context::Palette, true), "{error:?}");
    }
}

#[test]
fn currency_codes_change_the_currency() {
    for typed in [":eur<enter>", ":currency eur<enter>", ":convert eur<enter>", ":c eur<enter>"] {
        let mut screen = named(&[("EURC", "Euro Coin"), ("TEUR", "Some Euro")]);
        screen.keys(typed);
        assert_eq!(screen.state.convert.as_str(), "EUR", "{typed}");
        screen.keys(":eur");
        let line = line_with(&mut screen, "currency EUR");
        assert!(line.contains("current"), "{line}");
    }
    let mut screen = named(&[]);
    screen.keys(":currency sek<enter>");
    assert_eq!(screen.state.convert.as_str(), "SEK");
    for typed in [":currency sat", ":c sat", ":sat currency"] {
        screen.keys(typed);
        let shown = lines(&mut screen);
        let rest = shown.get(1..).unwrap_or_default();
        let has_sat = rest.iter().any(|line| line.contains("sat 2,"));
        assert!(shown[0].contains("currency SAT") && has_sat, "{typed}: {shown:?}");
        screen.keys("<esc>");
    }
    screen.keys(":btc");
    assert!(lines(&mut screen)[0].contains("Bitcoin"), "a coin comes first: {:?}", lines(&mut screen));
}

#[test]
fn command_that_cannot_run_comes_after_a_ticker() {
    let mut screen = Screen::with(Preferences { watched: Vec::new(), ..Preferences::default() }, 120, 35);
    screen.keys("6:ordi");
    let shown = lines(&mut screen);
    // `posts order` is the command's other name.
    let place = |text: &str| shown.iter().position(|line| line.contains(text)).unwrap_or_else(|| panic!("{shown:?}"));
    assert!(place("look up  token ordi") < place("top / latest posts"), "{shown:?}");
}

#[test]
fn empty_palette_lists_each_command_once() {
    for place in ["1", "4", "5", "1<enter>"] {
        let mut screen = loaded(160, 45);
        screen.keys(place);
        screen.keys(":");
        let Some(Overlay::Palette(palette, _)) = &screen.state.overlay else { panic!("the palette is open") };
        let mut titles: Vec<_> = palette.items.iter().map(|item| (&item.title, &item.detail, item.kind)).collect();
        let all = titles.len();
        titles.sort_by_key(|(title, detail, _)| (title.as_str(), detail.as_str()));
        titles.dedup();
        assert_eq!(titles.len(), all, "{place}: {titles:?}");
    }
}

#[test]
fn command_of_the_screen_comes_before_one_of_another_tab() {
    for (place, title) in [("", "filter coins"), ("<enter>", "filter posts"), ("5", "filter by prefix")] {
        let mut screen = named(&[]);
        screen.keys(&format!("{place}:filter"));
        let shown = lines(&mut screen);
        assert!(shown[0].contains(title) && !shown[0].contains("in Indexer"), "{place}: {shown:?}");
    }
    // Without one, a whole name still counts.
    let mut screen = named(&[]);
    screen.keys(":add lot");
    assert!(lines(&mut screen)[0].contains("add lot"), "{:?}", lines(&mut screen));
}

#[test]
fn rank_of_a_coin_without_a_price_leaves_the_room_to_its_name() {
    let mut screen = named(&[("OIX", "Ordinal Index Fund Two")]);
    screen.resize(40, 12);
    screen.keys(":ordinal index");
    let line = line_with(&mut screen, "#9,000");
    assert!(line.starts_with("Ordinal Index Fund Two") && line.ends_with("#9,000"), "{line}");
}
