//! The palette: words with several meanings, lines that it refuses, and words without the name of a coin.

use satscope::app::find::lookup::Subject;
use satscope::app::screen::list::SortColumn;
use satscope::app::{Overlay, Panel, Preferences, Tab};
use satscope::client::Request;
use satscope::keymap::Context;
use satscope::model::{Period, Tag};

use super::fixtures::{all, coin, page};
use super::palette::lines;
use super::palette_commands::{named, names};
use crate::support::indexer;
use crate::support::screen::Screen;

#[test]
fn command_with_the_typed_words_comes_before_abbreviated_panels() {
    let mut screen = named(&[("CAP", "Cap"), ("CAPR", "Canopy Protocol")]);
    screen.keys(":market cap");
    let shown = lines(&mut screen);
    assert!(shown[0].contains("sort by market cap"), "{shown:?}");
    assert!(shown.iter().any(|line| line.contains("CAP") && line.contains("open markets")), "{shown:?}");
    screen.keys("<enter>");
    assert_eq!(screen.state.list(Tag::All).sort.column, SortColumn::MarketCap);
    screen.keys(":marke capr");
    assert!(lines(&mut screen)[0].contains("Canopy Protocol"), "{:?}", lines(&mut screen));
    screen.keys("<enter>");
    let token = screen.state.token.as_ref().unwrap();
    assert_eq!((token.symbol.as_str(), token.focus), ("CAPR", Panel::Markets));
}

#[test]
fn part_of_a_hidden_name_matches_no_command_beside_coins() {
    let mut screen = named(&[("ORDX", "Ordex")]);
    for place in ["", "<enter>"] {
        screen.keys(place);
        screen.keys(":ord");
        let shown = lines(&mut screen);
        assert!(shown.iter().any(|line| line.contains("Ordex")), "{shown:?}");
        assert!(shown.iter().all(|line| !line.contains("latest posts")), "{place}: {shown:?}");
        screen.keys("er");
        assert!(screen.text().contains("top / latest posts"), "the whole word does: {}", screen.text());
        screen.keys("<esc>");
    }
}

#[test]
fn refused_lines_are_explained() {
    for (typed, reason) in [
        ("add 1,500 ordi", "Ambiguous number 1,500 (expected 1500 or 1.5)"),
        ("add 5 ordi @", "Expected a price after @"),
        ("filter 24h >", "Expected a number such as"),
        ("filter 24h > x", "Expected a number at character 14, found `x`"),
        ("24h > x", "Expected a number at character 7, found `x`"),
        ("ordi > x", "Character 8: "),
        ("fees 24h < -8%", "Character 6: fee rates have no 24h change"),
        ("alert ordi 20", "Character 12: unexpected `20`"),
        ("compare btc eth ordi sats rats btc eth", "Can't compare more than 6 coins"),
        ("compare btc Xyzzy eth", "No coin matches Xyzzy"),
        ("btc vs xyzzy", "No coin matches xyzzy"),
        ("sort foo", "Can't sort by foo (columns: rank, name, price, "),
    ] {
        for place in ["1", "6"] {
            let mut screen = named(&[]);
            screen.keys(&format!("{place}:{typed}"));
            let text = screen.text();
            assert!(text.contains(reason) && !text.contains("No matches"), "{typed}: {text}");
            screen.keys("<enter>");
            assert_eq!(screen.state.context(), Context::Palette, "{typed}");
        }
    }
}

#[test]
fn unknown_period_beside_a_coin_is_explained() {
    for typed in ["btc 5y", "2w bitcoin"] {
        let mut screen = named(&[]);
        screen.keys(&format!(":{typed}"));
        let shown = lines(&mut screen);
        assert!(shown[0].contains("Bitcoin") && shown[0].contains("no such period"), "{typed}: {shown:?}");
        screen.keys("<enter>");
        assert_eq!(screen.state.context(), Context::Palette, "{typed}");
        assert!(screen.text().contains("(periods: 1D, 7D, 1M, 3M, 1Y, All)"), "{typed}: {}", screen.text());
    }
    let mut screen = named(&[]);
    screen.keys(":100m sats");
    assert!(!screen.text().contains("no such period"), "an amount: {}", screen.text());
    screen.keys("<esc>:btc 1y");
    assert!(lines(&mut screen)[0].contains("open 1Y chart"), "{:?}", lines(&mut screen));
}

#[test]
fn typed_filter_applies_to_a_list_from_other_screens() {
    for keys in ["6:filter 24h > 10", "4:24h > 10", "<enter>:filter 24h > 10"] {
        let mut screen = named(&[]);
        screen.keys(keys);
        let shown = lines(&mut screen);
        assert!(shown[0].contains("filter 24h > 10") && shown[0].contains("in lists"), "{keys}: {shown:?}");
        screen.keys("<enter>");
        assert_eq!((screen.state.tab, screen.state.token.is_none()), (Tab::List(Tag::All), true), "{keys}");
        let applied = screen.state.list(Tag::All).applied_filter().map(|applied| applied.text.as_str());
        assert_eq!(applied, Some("24h > 10"), "{keys}");
    }
}

#[test]
fn rule_about_a_coin_named_nearly_like_a_command_keeps_the_coin() {
    let rules = ["aleo > 0.5", "alex > 20", "ale > 5", "aleo 24h > 5", "fil > 5", "lte > 5"].map(|rule| (rule, rule));
    let with_verb = [
        ("alert > 20", "> 20"),
        ("> 20 alert", "> 20"),
        ("aleo > 0.5 alert", "aleo > 0.5"),
        ("aleo 24h > 5 alert", "aleo 24h > 5"),
    ];
    for (typed, rule) in rules.into_iter().chain(with_verb) {
        let mut screen = named(&[]);
        screen.keys(&format!(":{typed}"));
        assert!(lines(&mut screen)[0].contains("new alert"), "{typed}: {:?}", lines(&mut screen));
        screen.keys("<enter>");
        let Some(Overlay::Alerts(dialog)) = &screen.state.overlay else { panic!("{typed}: {}", screen.text()) };
        assert_eq!(dialog.line.as_ref().map(|line| line.value()), Some(rule));
    }
    for typed in ["film xyz", "file xyz", "aleo foo bar", "ale foo bar"] {
        let mut screen = named(&[]);
        screen.keys(&format!(":{typed}"));
        let text = screen.text();
        assert!(text.contains("No matches"), "{typed}: {text}");
    }
}

#[test]
fn rule_without_a_verb_is_a_new_alert() {
    let mut screen = named(&[]);
    screen.keys(":ordi > 20");
    assert!(lines(&mut screen)[0].contains("new alert"), "{:?}", lines(&mut screen));
    screen.keys("<enter>");
    let Some(Overlay::Alerts(dialog)) = &screen.state.overlay else { panic!("{}", screen.text()) };
    assert_eq!(dialog.line.as_ref().map(|line| line.value()), Some("ordi > 20"));
    screen.keys("<esc><esc>:24h > 20");
    assert!(lines(&mut screen).iter().all(|line| !line.contains("new alert")), "{:?}", lines(&mut screen));
}

#[test]
fn names_that_begin_with_a_command_are_not_refused_while_they_load() {
    for (typed, name, reason) in [
        ("alert bitcoin cash", "Bitcoin Cash", "unexpected `cash`"),
        ("add xyz", "Add xyz", "Expected an amount before"),
        ("filter xyz", "Filter xyz", "Expected"),
    ] {
        let mut screen = Screen::with(Preferences { watched: Vec::new(), ..Preferences::default() }, 120, 35);
        screen.keys(&format!(":{typed}<enter>"));
        let text = screen.text();
        assert!(text.contains("Opening the first match…") && !text.contains(reason), "{typed}: {text}");
        screen.answer(&Request::CoinNames, names(&[("XYZ", name)]));
        assert_ne!(screen.state.context(), Context::Palette, "{typed}: {}", screen.text());
        // Without such a coin, they are.
        let mut screen = Screen::with(Preferences { watched: Vec::new(), ..Preferences::default() }, 120, 35);
        screen.keys(&format!(":{typed}<enter>"));
        screen.answer(&Request::CoinNames, names(&[]));
        assert!(screen.text().contains(reason), "{typed}: {}", screen.text());
    }
    let mut screen = Screen::with(Preferences::default(), 120, 35);
    screen.keys(":add 5 ordi @");
    assert!(screen.text().contains("Expected a price after @"), "{}", screen.text());
}

#[test]
fn holders_belong_to_the_selected_or_last_ticker() {
    let mut screen = named(&[]);
    screen.keys("2");
    screen.serve(indexer::response);
    let list = screen.state.list(Tag::Brc20);
    let row = (0..list.len()).position(|row| list.get(row).is_some_and(|coin| coin.brc20_ticker.is_some())).unwrap();
    let ticker = list.get(row).and_then(|coin| coin.brc20_ticker.clone()).unwrap();
    for opened in ["", "<enter>"] {
        screen.keys(&format!("2<home>{}{opened}:holders", "j".repeat(row)));
        let shown = lines(&mut screen);
        let is_it = |line: &String| line.starts_with("ticker") && line.contains(ticker.as_str());
        assert!(shown.iter().any(|line| is_it(line) && line.contains("open holders")), "{shown:?}");
        assert!(shown.iter().all(|line| !line.contains("sat 2,")), "{shown:?}");
        screen.keys("<enter>");
        assert_eq!(screen.state.indexer.subject(), Some(Subject::Token(ticker.clone())));
        assert_eq!((screen.state.tab, screen.state.indexer.focus), (Tab::Indexer, Panel::Holders));
    }
    // The last one.
    screen.keys("6:activity<enter>");
    assert_eq!(screen.state.indexer.subject(), Some(Subject::Token(ticker)));
    assert_eq!((screen.state.tab, screen.state.indexer.focus), (Tab::Indexer, Panel::Activity));
}

#[test]
fn settings_theme_and_export_say_where_they_are() {
    for (typed, row, message) in [
        ("settings", "configuration: satscope config", "satscope config init creates it"),
        ("theme", "[theme]", "in [theme] of the configuration file"),
        ("dark", "[theme]", "in [theme] of the configuration file"),
        ("export", "--format csv", "satscope --help"),
        ("import", "satscope wallet import FILE", "adds lots from a file"),
        ("backup", "satscope config backup FILE", "copies your data"),
    ] {
        let mut screen = named(&[]);
        screen.keys(&format!(":{typed}"));
        let shown = lines(&mut screen);
        assert!(shown[0].contains(row), "{typed}: {shown:?}");
        assert!(shown.iter().all(|line| !line.contains("sat 2,")), "{typed}: {shown:?}");
        screen.keys("<enter>");
        assert!(screen.text().contains(message), "{typed}: {}", screen.text());
    }
    let mut screen = named(&[("THEME", "Theme Coin")]);
    screen.keys(":theme");
    assert!(lines(&mut screen)[0].contains("Theme Coin"), "{:?}", lines(&mut screen));
}

#[test]
fn aliases_find_tabs_and_commands() {
    for (typed, row) in [("portfolio", "Wallet"), ("go to holdings", "Wallet"), ("convert", "change currency")] {
        let mut screen = named(&[]);
        screen.keys(&format!(":{typed}"));
        assert!(lines(&mut screen)[0].contains(row), "{typed}: {:?}", lines(&mut screen));
    }
}

#[test]
fn mistyped_words_are_understood() {
    let mut screen = named(&[("FOXW", "Fox Wallet"), ("ARGW", "Argon Wallet")]);
    screen.keys(":walet");
    assert!(lines(&mut screen)[0].contains("go to tab"), "{:?}", lines(&mut screen));
    for typed in ["sel 3 ordi @ 9", "selll 3 ordi @ 9"] {
        screen.keys(&format!("<c-u>{typed}"));
        let first = lines(&mut screen)[0].clone();
        assert!(first.contains("sell 3 ordi @ 9") && first.contains("review and add"), "{typed}: {first}");
    }
    screen.keys("<c-u>curency eur<enter>");
    assert_eq!(screen.state.convert.as_str(), "EUR");
}

#[test]
fn tag_without_its_command_is_a_filter() {
    let mut screen = Screen::with(Preferences { watched: Vec::new(), ..Preferences::default() }, 120, 35);
    let mut rune = coin(1, "dog", "DOG", Some(1.0));
    rune.tags = [satscope::model::Text::from("Runes")].into_iter().collect();
    screen.answer(&all(1), page(vec![rune, coin(2, "ordi", "ORDI", Some(8.0))], Some(2)));
    screen.keys(":");
    screen.answer(&Request::CoinNames, names(&[("RUNE", "THORChain")]));
    screen.keys("runes");
    assert!(lines(&mut screen)[0].contains("filter tag runes"), "{:?}", lines(&mut screen));
    screen.keys("<enter>");
    let applied = screen.state.list(Tag::All).applied_filter().map(|applied| applied.text.as_str());
    assert_eq!(applied, Some("tag runes"));
}

#[test]
fn currencies_are_found_by_their_names() {
    for (typed, first) in [("dollar", "US dollar"), ("swiss", "CHF"), ("rupees", "INR"), ("sats", "SAT")] {
        let mut screen = named(&[]);
        screen.keys(&format!("c{typed}"));
        let text = screen.text();
        assert!(text.contains(first) && !text.contains("if supported"), "{typed}: {text}");
    }
    let mut screen = named(&[]);
    screen.keys("csats<enter>");
    assert_eq!(screen.state.convert.as_str(), "SAT");
    screen.keys(":currency franc<enter>");
    assert_eq!(screen.state.convert.as_str(), "CHF");
}

#[test]
fn verbs_without_a_name_are_not_sat_names() {
    for (typed, hint, message) in [
        ("holders", "holders TICKER", "Add a ticker: holders TICKER"),
        ("about", "about COIN", "Add a coin: about COIN"),
        ("versus", "versus COIN", "Add a coin: versus COIN"),
    ] {
        let mut screen = Screen::with(Preferences { watched: Vec::new(), ..Preferences::default() }, 120, 35);
        screen.keys(&format!("6:{typed}"));
        screen.answer(&Request::CoinNames, names(&[]));
        let shown = lines(&mut screen);
        assert!(shown[0].contains(hint), "{typed}: {shown:?}");
        assert!(shown.iter().all(|line| !line.contains("sat 2,")), "{typed}: {shown:?}");
        screen.keys("<enter>");
        assert_eq!((screen.state.context(), screen.state.tab), (Context::Palette, Tab::Status), "{typed}");
        assert!(screen.text().contains(message), "{typed}: {}", screen.text());
        screen.keys("<tab>");
        let Some(Overlay::Palette(palette, _)) = &screen.state.overlay else { panic!("{typed}: {}", screen.text()) };
        assert_eq!(palette.input.value(), format!("{typed} "));
    }
}

#[test]
fn coins_named_like_a_verb_are_opened_once_names_are_known() {
    for typed in ["vs", "about", "versus"] {
        let mut screen = Screen::with(Preferences { watched: Vec::new(), ..Preferences::default() }, 120, 35);
        screen.keys(&format!(":{typed}<enter>"));
        let text = screen.text();
        assert!(text.contains("Opening the first match…") && !text.contains("Add a coin"), "{typed}: {text}");
        screen.answer(&Request::CoinNames, names(&[(&typed.to_uppercase(), "Some Coin")]));
        let symbol = screen.state.token.as_ref().map(|token| token.symbol.to_string());
        assert_eq!(symbol, Some(typed.to_uppercase()), "{}", screen.text());
    }
}

#[test]
fn wallet_opens_over_a_typed_period() {
    for typed in ["wallet 1m", "1m wallet", "portf 1M"] {
        let mut screen = named(&[("WAL", "Walrus")]);
        screen.keys(&format!(":{typed}"));
        let shown = lines(&mut screen);
        assert!(shown[0].contains("Wallet") && shown[0].contains("open 1M"), "{typed}: {shown:?}");
        screen.keys("<enter>");
        assert_eq!((screen.state.tab, screen.state.wallet.period()), (Tab::Wallet, Period::Month), "{typed}");
    }
    let mut screen = named(&[("WAL", "Walrus")]);
    screen.keys(":wal 1m<enter>");
    assert_eq!(screen.state.token.as_ref().map(|token| token.symbol.as_str()), Some("WAL"), "its symbol comes first");
}
