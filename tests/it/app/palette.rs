//! The palette: from keys to the screen that opens.

use std::time::Duration;

use satscope::app::find::lookup::Subject;
use satscope::app::screen::list::{Sort, SortColumn};
use satscope::app::{Effect, Overlay, Panel, Preferences, Tab};
use satscope::client::{ErrorKind, Request, ResponseData};
use satscope::keymap::Context;
use satscope::model::{ChartStyle, CoinName, IndexedName, Period, Tag, Text};
use satscope::user_data::{Change, UserData, WalletAddress, Watched};

use super::fixtures::{coin, page};
use crate::support::indexer;
use crate::support::screen::{START, Screen, fixture};

/// The dashboard with loaded coins and tickers.
pub(super) fn loaded(columns: u16, rows: u16) -> Screen {
    let preferences = Preferences { page_size: 100, ..Preferences::default() };
    let mut screen = Screen::with(preferences, columns, rows);
    screen.serve(indexer::response);
    screen.keys("5");
    screen.serve(indexer::response);
    screen.keys("1");
    screen.effects.clear();
    screen
}

fn open_coin(screen: &Screen) -> (&str, Period, Panel) {
    let token = screen.state.token.as_ref().expect("a coin is open");
    (&token.symbol, token.period, token.focus)
}

/// The lines of the open palette with its items.
pub(super) fn lines(screen: &mut Screen) -> Vec<String> {
    let text = screen.text();
    let inside = text.lines().filter(|line| line.contains('│') && !line.contains('›'));
    inside
        .map(|line| line.split('│').nth(1).unwrap_or_default().trim().to_owned())
        .filter(|line| !line.is_empty())
        .collect()
}

#[test]
fn palette_opens_a_coin_far_down_the_list() {
    let mut screen = loaded(120, 35);
    screen.keys(":rats<enter>");
    assert_eq!(open_coin(&screen).0, "RATS");
    let list = screen.state.list(Tag::All);
    assert_eq!(list.selected().map(|coin| coin.symbol.as_str()), Some("RATS"), "its row is selected below");
    screen.keys("<esc><c-p>bitcion<enter>");
    assert_eq!(open_coin(&screen).0, "BTC", "one typo is forgiven");
}

#[test]
fn words_of_a_name_match_in_any_order() {
    for typed in [":ordinals rats", ":ordinals rat", ":ordinasl rats"] {
        let mut screen = loaded(120, 35);
        screen.keys(typed);
        screen.keys("<enter>");
        assert_eq!(open_coin(&screen).0, "RATS", "{typed}");
    }
}

#[test]
fn slug_finds_its_coin() {
    let mut screen = loaded(120, 35);
    let [id, slug, symbol, name] = ["99001", "usd-coin", "USDC", "USDC"].map(Into::into);
    let name = IndexedName::from(CoinName { id, slug, symbol, name, rank: Some(9) });
    screen.keys(":");
    screen.answer(&Request::CoinNames, ResponseData::CoinNames(vec![name]));
    screen.keys("usd-coin<enter>");
    assert_eq!(open_coin(&screen).0, "USDC");
}

#[test]
fn slug_at_a_provider_finds_its_coin() {
    let mut screen = loaded(120, 35);
    let [id, slug, symbol, name, alias] = ["52", "xrp", "XRP", "XRP", "ripple"].map(Text::from);
    let name = IndexedName::from(CoinName { id, slug, symbol, name, rank: Some(4) });
    let name = IndexedName { aliases: Box::from([alias]), ..name };
    screen.keys(":");
    screen.answer(&Request::CoinNames, ResponseData::CoinNames(vec![name]));
    screen.keys("ripple<enter>");
    assert_eq!(open_coin(&screen).0, "XRP");
}

#[test]
fn slug_of_several_coins_at_providers_finds_none() {
    let name = |id: &str, symbol: &str| {
        let [slug, name, alias] = [symbol, symbol, "two-tokens"].map(Text::from);
        let name = CoinName { id: id.into(), slug, symbol: symbol.into(), name, rank: None };
        IndexedName { aliases: Box::from([alias]), ..IndexedName::from(name) }
    };
    for (names, is_found) in [(vec![name("901", "ZQA")], true), (vec![name("901", "ZQA"), name("902", "ZQB")], false)] {
        let mut screen = loaded(120, 35);
        screen.keys(":");
        screen.answer(&Request::CoinNames, ResponseData::CoinNames(names));
        screen.keys("two-tokens");
        assert_eq!(lines(&mut screen).iter().any(|line| line.contains("ZQA")), is_found);
    }
}

#[test]
fn filter_with_its_expression_is_applied() {
    for typed in [":filter 24h > 1e1", ":filtr 24h > 10"] {
        let mut screen = loaded(120, 35);
        screen.keys(typed);
        screen.keys("<enter>");
        let applied = screen.state.list(Tag::All).applied_filter().map(|applied| applied.text.clone());
        assert_eq!(applied.as_deref(), typed.split_once(' ').map(|(_, text)| text), "{typed}");
    }
    for typed in ["24h > 10", "24h>10 && cap<1bn"] {
        let mut screen = loaded(120, 35);
        screen.keys(":");
        screen.keys(typed);
        screen.keys("<enter>");
        let applied = screen.state.list(Tag::All).applied_filter().map(|applied| applied.text.clone());
        assert_eq!(applied.as_deref(), Some(typed), "without the name of the command");
    }
    let mut screen = loaded(120, 35);
    screen.keys(":filter 24h >");
    assert!(lines(&mut screen).iter().all(|line| !line.contains("24h >")), "{:?}", lines(&mut screen));
}

#[test]
fn top_gainers_and_losers_are_sort_orders() {
    for (typed, descending) in [(":top gainer", true), (":top losers", false)] {
        let mut screen = loaded(120, 35);
        screen.keys(typed);
        screen.keys("<enter>");
        assert_eq!(screen.state.list(Tag::All).sort, Sort { column: SortColumn::Change24h, descending }, "{typed}");
    }
}

#[test]
fn texts_of_a_named_coin_are_copied() {
    for typed in [":copy ordi link", ":ordi copy link", ":link copy ordi", ":ordi link copy"] {
        let mut screen = loaded(120, 35);
        screen.keys(typed);
        assert!(lines(&mut screen)[0].contains("copy link"), "{typed}: {:?}", lines(&mut screen));
        screen.keys("<enter>");
        let is_link = |effect: &Effect| matches!(effect, Effect::Copy(link) if link.starts_with("https://"));
        assert!(screen.effects.iter().any(is_link), "{typed}: {:?}", screen.effects);
    }
}

#[test]
fn words_that_are_read_in_several_ways_share_their_searches() {
    let mut screen = Screen::with(Preferences { watched: Vec::new(), ..Preferences::default() }, 120, 35);
    let name = |n: usize| {
        let kind = ["Alpha", "Meta", "Ordinals", "Bitcoin", "Cash"][n % 5];
        let (id, slug, symbol, name) = (format!("n{n}"), format!("c-{n}"), format!("C{n}"), format!("{kind} coin {n}"));
        let (id, slug, symbol, name) = (id.into(), slug.into(), symbol.into(), name.into());
        IndexedName::from(CoinName { id, slug, symbol, name, rank: None })
    };
    screen.keys(":");
    screen.answer(&Request::CoinNames, ResponseData::CoinNames((0..15_000).map(name).collect()));
    let examined = |screen: &Screen| match &screen.state.overlay {
        Some(Overlay::Palette(palette, _)) => palette.index.examined(),
        _ => panic!("the palette is open"),
    };
    for (typed, most) in [("meta 3m candles", 9_000), ("candles 3m meta", 21_000), ("compare meta cash", 21_000)] {
        let mut counts = Vec::new();
        for key in typed.chars() {
            let before = examined(&screen);
            screen.keys(&key.to_string());
            counts.push(examined(&screen) - before);
        }
        assert!(counts.iter().skip(4).all(|read| *read <= most), "{typed}: {counts:?}");
        screen.keys("<c-u>");
    }
}

#[test]
fn coin_name_combines_with_period_or_panel() {
    let mut screen = loaded(120, 35);
    screen.keys(":ord 3m");
    assert!(lines(&mut screen)[0].contains("open 3M chart"), "{:?}", lines(&mut screen));
    screen.keys("<enter>");
    assert_eq!(open_coin(&screen), ("ORDI", Period::Quarter, Panel::Chart));
    screen.keys(":rats markets<enter>");
    assert_eq!(open_coin(&screen), ("RATS", Period::Quarter, Panel::Markets));
    screen.keys(":rats holders<enter>");
    assert_eq!(screen.state.indexer.subject(), Some(Subject::Token("rats".into())));
    assert_eq!(screen.state.indexer.focus, Panel::Holders);
    assert_eq!((screen.state.tab, screen.state.token.is_none()), (Tab::Indexer, true));
}

#[test]
fn words_combine_in_any_order() {
    for typed in [":3m ord", ":ord 3m", ":3m ordi chart"] {
        let mut screen = loaded(120, 35);
        screen.keys(typed);
        assert!(lines(&mut screen)[0].contains("ORDI"), "{typed}: {:?}", lines(&mut screen));
        screen.keys("<enter>");
        assert_eq!(open_coin(&screen), ("ORDI", Period::Quarter, Panel::Chart), "{typed}");
    }
    for typed in [":ord 3m candles", ":candles ord 3m", ":3m candle ordi"] {
        let mut screen = loaded(120, 35);
        screen.keys(typed);
        assert!(lines(&mut screen)[0].contains("open 3M candles"), "{typed}: {:?}", lines(&mut screen));
        screen.keys("<enter>");
        assert_eq!(open_coin(&screen), ("ORDI", Period::Quarter, Panel::Chart), "{typed}");
        assert_eq!(screen.state.chart.style, ChartStyle::Candles, "{typed}");
    }
    for typed in [":holders rats<enter>", ":holdrs rats<enter>"] {
        let mut screen = loaded(120, 35);
        screen.keys(typed);
        assert_eq!(screen.state.indexer.subject(), Some(Subject::Token("rats".into())), "{typed}");
        assert_eq!(screen.state.indexer.focus, Panel::Holders, "{typed}");
    }
    let mut screen = loaded(120, 35);
    screen.keys(":holders rats<enter>");
    screen.keys(":activity<enter>");
    assert_eq!(screen.state.indexer.focus, Panel::Activity, "of the open ticker");
    screen.keys("1:7 sat<enter>");
    assert_eq!(screen.state.indexer.subject().map(|it| it.describe()).as_deref(), Some("sat 7"));
    screen.keys("1:ordi > 20 alert<enter>");
    let Some(Overlay::Alerts(dialog)) = &screen.state.overlay else { panic!("{}", screen.text()) };
    assert_eq!(dialog.line.as_ref().map(|line| line.value()), Some("ordi > 20"));
}

#[test]
fn words_about_a_coin_offer_no_other_coin() {
    let mut screen = loaded(120, 35);
    screen.keys(":posts ordi");
    let shown = lines(&mut screen);
    assert!(shown[0].contains("ORDI") && shown[0].contains("open posts"), "{shown:?}");
    assert!(shown.iter().all(|line| !line.contains("BTC's view")), "{shown:?}");
    screen.keys("<enter>");
    assert_eq!(open_coin(&screen), ("ORDI", Period::Week, Panel::Posts));
}

#[test]
fn period_without_a_coin_applies_to_selected_coin_or_all_charts() {
    let mut screen = loaded(120, 35);
    screen.keys("jj:3m");
    let shown = lines(&mut screen);
    let symbol = screen.state.list(Tag::All).selected().map(|coin| coin.symbol.to_string()).unwrap();
    assert!(shown[0].contains(&symbol) && shown[0].contains("open 3M chart"), "{shown:?}");
    assert!(shown[1].contains("chart period 3M"), "{shown:?}");
    screen.keys("<down><enter>");
    assert_eq!((screen.state.period, screen.state.token.is_none()), (Period::Quarter, true));
    assert!(screen.text().contains("Charts show 3M"), "{}", screen.text());
    screen.keys("4:1m<enter>");
    assert_eq!((screen.state.period, screen.state.tab), (Period::Month, Tab::Wallet));
    screen.keys("1:posts<enter>");
    assert_eq!(open_coin(&screen).2, Panel::Posts);
}

#[test]
fn sort_orders_and_commands_run_from_the_palette() {
    let mut screen = loaded(120, 35);
    screen.keys(":sort 24h<enter>");
    assert_eq!(screen.state.list(Tag::All).sort, Sort { column: SortColumn::Change24h, descending: true });
    screen.keys(":24h losers<enter>");
    assert_eq!(screen.state.list(Tag::All).sort, Sort { column: SortColumn::Change24h, descending: false });
    screen.keys(":wallet<enter>");
    assert_eq!(screen.state.tab, Tab::Wallet);
    screen.keys(":change currency<enter>");
    assert_eq!(screen.state.context(), Context::Choice);
    screen.keys("<esc>1:add lot<enter>");
    assert_eq!((screen.state.tab, screen.state.context()), (Tab::Wallet, Context::Choice), "a command of another tab");
    screen.keys("<esc>1jjj:copy symbol<enter>");
    let symbol = screen.state.list(Tag::All).selected().map(|coin| coin.symbol.to_string()).unwrap();
    assert_eq!(screen.effects, [Effect::Copy(symbol)]);
}

#[test]
fn tab_is_found_with_the_word_go() {
    for typed in [":go status<enter>", ":go to stat<enter>"] {
        let mut screen = loaded(120, 35);
        screen.keys(typed);
        assert_eq!(screen.state.tab, Tab::Status, "{typed}");
    }
}

#[test]
fn top_gainer_opens_with_three_keys() {
    let mut screen = loaded(120, 35);
    screen.keys("sd<enter>");
    let list = screen.state.list(Tag::All);
    let best = list.coins().filter_map(|coin| coin.change_24h_pct).fold(f64::MIN, f64::max);
    assert_eq!(list.selected().and_then(|coin| coin.change_24h_pct), Some(best));
    assert!(screen.state.token.is_some());
}

#[test]
fn lookup_is_part_of_the_palette() {
    let mut screen = loaded(120, 35);
    for (keys, subject) in [
        (":block 840000<enter>", Subject::Block(840_000)),
        (":840,000<enter>", Subject::Block(840_000)),
        (":ordi in block 840000<enter>", Subject::TokenInBlock("ordi".into(), 840_000)),
        ("5gordi<enter>", Subject::Token("ordi".into())),
    ] {
        screen.keys("1");
        screen.keys(keys);
        assert_eq!(screen.state.indexer.subject(), Some(subject), "{keys}");
    }
    screen.keys("g");
    let text = screen.text();
    assert!(text.contains("an inscription by its ID or number"), "{text}");
}

#[test]
fn number_of_a_listed_inscription_comes_before_the_sat() {
    let mut screen = loaded(120, 35);
    screen.keys(":sat 0<enter>");
    screen.serve(indexer::response);
    let list = screen.state.indexer.inscription_list(&screen.state.responses).unwrap();
    assert!(list.iter().any(|inscription| inscription.number == Some(70_000_000)));
    screen.keys(":70000000");
    let shown = lines(&mut screen);
    let place = |words: &str| shown.iter().position(|line| line.contains(words));
    assert!(place("inscription #70").is_some() && place("inscription #70") < place("sat 70"), "{shown:?}");
}

/// The list of all coins, with this many named `Coin 1 (Ordinals)` and so on, and none of the tickers.
fn many_ordinals(count: u32) -> Screen {
    let mut screen = Screen::new(160, 45);
    screen.serve(|request| {
        let Some(ResponseData::Coins(mut page)) = fixture::response(request) else { return None };
        for coin in page.items.iter_mut().skip(10).take(count as usize) {
            coin.name = format!("{} (Ordinals)", coin.name).into();
        }
        for coin in page.items.iter_mut().filter(|coin| coin.symbol == "ORDI") {
            coin.brc20_ticker = Some("ordi".into());
        }
        Some(ResponseData::Coins(page))
    });
    screen
}

#[test]
fn ticker_of_a_coin_comes_directly_after_the_coin() {
    let mut screen = many_ordinals(40);
    screen.keys(":ordi");
    let found = lines(&mut screen);
    assert!(found[0].starts_with("coin") && found[0].contains("ORDI"), "{found:?}");
    assert!(found[1].starts_with("ticker") && found[1].contains("ordi"), "{found:?}");
    assert_eq!(found.iter().filter(|line| line.starts_with("ticker") && line.contains("ordi")).count(), 1, "{found:?}");
}

#[test]
fn many_coins_do_not_push_other_items_out_of_sight() {
    let mut screen = many_ordinals(40);
    screen.keys(":ord");
    let found = lines(&mut screen);
    let is_coin = |line: &&String| line.starts_with("coin");
    assert!(found.iter().take(9).any(|line| line.starts_with("ticker")), "{found:?}");
    assert_eq!(found.iter().take(9).filter(is_coin).count(), 8, "{found:?}");
    assert!(found.iter().filter(is_coin).count() > 8, "the others come last: {found:?}");
}

#[test]
fn indexer_palette_prefers_tickers_but_not_sat_names() {
    let mut screen = loaded(120, 35);
    screen.keys("5:ordi<enter>");
    assert_eq!(screen.state.indexer.subject(), Some(Subject::Token("ordi".into())));
    screen.keys("5:ord 3m<enter>");
    assert_eq!((open_coin(&screen).0, open_coin(&screen).1), ("ORDI", Period::Quarter));
    screen.keys("<esc>5:bitcoin");
    assert!(lines(&mut screen)[0].contains("BTC"), "not the sat of that name: {:?}", lines(&mut screen));
}

#[test]
fn unknown_tickers_are_lookups_and_sat_names_come_last() {
    let mut screen = loaded(120, 35);
    screen.keys(":");
    screen.answer(&Request::CoinNames, ResponseData::CoinNames(Vec::new()));
    screen.keys("zzzzqq");
    let shown = lines(&mut screen);
    assert!(shown[0].starts_with("look up") && shown[0].contains("token zzzzqq"), "{shown:?}");
    assert!(shown[1].starts_with("look up") && shown[1].contains("sat "), "{shown:?}");
    screen.keys("<c-u>wallet");
    let shown = lines(&mut screen);
    assert!(shown[0].contains("Wallet") && shown.iter().all(|line| !line.contains("sat 2,")), "{shown:?}");
    screen.keys("<esc>5gzzzzqq");
    let shown = lines(&mut screen);
    assert!(shown[0].starts_with("look up") && shown[0].contains("token zzzzqq"), "{shown:?}");
    screen.keys("<enter>");
    assert_eq!(screen.state.indexer.subject(), Some(Subject::Token("zzzzqq".into())));
}

#[test]
fn addresses_of_the_wallet_are_found_by_their_label() {
    let mut screen = loaded(120, 35);
    let address = "bc1qd2mzs0p9rhjrp9494u0edtlleulfqt4x268cg8";
    let mut data = UserData::default();
    data.apply(&Change::PutAddress(WalletAddress {
        address: address.into(),
        label: Some("cold".into()),
        added_at: START,
    }));
    screen.send(satscope::app::Message::Loaded(Box::new(data)));
    screen.keys(":");
    let name = CoinName { id: "9".into(), name: "Cold".into(), symbol: "COLD".into(), slug: "cold".into(), rank: None };
    screen.answer(&Request::CoinNames, ResponseData::CoinNames(vec![IndexedName::from(name)]));
    screen.keys("cold");
    let shown = lines(&mut screen);
    assert!(shown[0].contains("“cold”") && shown[1].contains("COLD"), "the user's own name first: {shown:?}");
    for (columns, rows) in [(160, 45), (120, 35), (80, 24), (40, 12)] {
        screen.resize(columns, rows);
        assert!(screen.text().contains("“cold”  address bc1q"), "{}", screen.text());
    }
    screen.resize(120, 35);
    screen.keys("<enter>");
    assert_eq!(screen.state.indexer.subject(), Some(Subject::Address(address.into())));
}

#[test]
fn empty_palette_lists_recent_places_first() {
    let mut screen = loaded(120, 35);
    screen.keys(":rats<enter><esc>:block 840000<enter>1:");
    let shown = lines(&mut screen);
    assert!(shown[0].contains("recent") && shown[0].contains("block 840,000"), "{shown:?}");
    assert!(shown[1].contains("recent") && shown[1].contains("RATS"), "{shown:?}");
    screen.keys("<down><enter>");
    assert_eq!(open_coin(&screen).0, "RATS");
}

#[test]
fn recent_places_survive_a_restart() {
    let mut screen = loaded(120, 35);
    screen.keys(":rats<enter><esc>:block 840000<enter>");
    let session = screen.state.session();
    let mut next = loaded(120, 35);
    next.keys("1jj<enter><esc>");
    let data = UserData { session: session.entries(), ..UserData::default() };
    next.send(satscope::app::Message::Loaded(Box::new(data)));
    next.keys("1:");
    let shown = lines(&mut next);
    assert!(shown[0].contains("ORDI"), "the place of this run comes first: {shown:?}");
    assert!(shown[1].contains("recent") && shown[1].contains("block 840,000"), "{shown:?}");
    assert!(shown[2].contains("recent") && shown[2].contains("RATS"), "{shown:?}");
    next.keys("<down><down><enter>");
    assert_eq!(open_coin(&next).0, "RATS");
}

#[test]
fn coins_that_no_list_has_are_found_in_the_names_of_all_coins() {
    let mut screen = loaded(120, 35);
    screen.keys(":");
    assert!(screen.wanted().contains(&Request::CoinNames));
    let names = vec![IndexedName::from(CoinName {
        id: "99001".into(),
        slug: "zebra-coin".into(),
        symbol: "ZBR".into(),
        name: "Zebra Coin".into(),
        rank: Some(9_001),
    })];
    screen.keys("zebra");
    assert!(lines(&mut screen).iter().all(|line| !line.contains("Zebra Coin")));
    screen.answer(&Request::CoinNames, ResponseData::CoinNames(names));
    assert!(lines(&mut screen)[0].contains("Zebra Coin  ZBR"), "{:?}", lines(&mut screen));
    for size in [(160, 45), (120, 35), (80, 24), (40, 12)] {
        screen.resize(size.0, size.1);
        let line = lines(&mut screen)[0].clone();
        assert!(line.contains("#9,001") && !line.contains('—'), "its price is not loaded: {line}");
    }
    screen.keys("<enter>");
    assert_eq!(open_coin(&screen).0, "ZBR");
    assert!(screen.wanted().iter().any(|request| matches!(request, Request::CoinsById { .. })));
}

/// Nothing but the watchlist and the recent places can be found without a network.
#[test]
fn watched_and_recent_coins_are_found_before_any_coin_is_loaded() {
    let preferences = Preferences { watched: vec![Watched::by_symbol("ORDI")], ..Preferences::default() };
    let mut screen = Screen::with(preferences.clone(), 120, 35);
    screen.keys(":");
    screen.fail_all(&ErrorKind::Resolve);
    screen.keys("ordi");
    let shown = lines(&mut screen);
    assert!(shown[0].contains("coin") && shown[0].contains("ORDI"), "{shown:?}");
    screen.keys("<enter>");
    assert_eq!(open_coin(&screen).0, "ORDI");
    // Once its name is known, it is offered once.
    let name = |slug: &str, symbol: &str| {
        let (id, slug, symbol) = (slug.into(), slug.into(), symbol.into());
        IndexedName::from(CoinName { id, slug, symbol, name: "Ordinals".into(), rank: Some(90) })
    };
    screen.keys("<esc>:ordi");
    screen.answer(&Request::CoinNames, ResponseData::CoinNames(vec![name("ordinals", "ORDI")]));
    let shown = lines(&mut screen);
    assert!(shown[0].contains("Ordinals  ORDI"), "{shown:?}");
    assert!(!shown[1].starts_with("coin"), "{shown:?}");
    // A coin that was opened before has its name.
    let mut before = loaded(120, 35);
    before.keys(":rats<enter>");
    let session = before.state.session();
    let mut next = Screen::with(preferences, 120, 35);
    let data = UserData { session: session.entries(), ..UserData::default() };
    next.send(satscope::app::Message::Loaded(Box::new(data)));
    next.keys(":rats");
    let shown = lines(&mut next);
    assert!(shown[0].contains("RATS"), "{shown:?}");
    next.keys("<enter>");
    assert_eq!(open_coin(&next).0, "RATS");
}

#[test]
fn period_alone_applies_to_the_open_coin() {
    let mut screen = loaded(120, 35);
    screen.keys(":rats<enter>:3m");
    assert!(lines(&mut screen)[0].contains("open 3M chart"), "{:?}", lines(&mut screen));
    screen.keys("<enter>:posts<enter>");
    assert_eq!(open_coin(&screen), ("RATS", Period::Quarter, Panel::Posts));
}

#[test]
fn best_match_is_selected_some_time_after_the_last_key() {
    let title = |screen: &Screen| match &screen.state.overlay {
        Some(Overlay::Palette(palette, _)) => palette.items[palette.selected].detail.clone(),
        other => panic!("{other:?}"),
    };
    let names = || {
        let name =
            CoinName { id: "99001".into(), slug: "r".into(), symbol: "RAT".into(), name: "Rat".into(), rank: None };
        ResponseData::CoinNames(vec![IndexedName::from(name)])
    };
    let mut screen = loaded(120, 35);
    screen.keys(":rat");
    assert_eq!(title(&screen), "RATS");
    screen.answer(&Request::CoinNames, names());
    assert!(lines(&mut screen)[0].contains("RAT "), "{:?}", lines(&mut screen));
    assert_eq!(title(&screen), "RATS", "the user may be about to open it");
    screen.wait(Duration::from_secs(3));
    assert_eq!(title(&screen), "RAT");
    // A chosen item stays.
    let mut screen = loaded(120, 35);
    screen.keys(":rat<down><up>");
    screen.answer(&Request::CoinNames, names());
    screen.wait(Duration::from_secs(3));
    assert_eq!(title(&screen), "RATS");
}

#[test]
fn pages_are_loaded_while_searching_without_names() {
    let mut screen = loaded(120, 35);
    screen.keys(":");
    screen.fail(&Request::CoinNames, ErrorKind::NotFound { message: None });
    let pages = |screen: &Screen| screen.wanted().iter().filter(|r| matches!(r, Request::Coins { .. })).count();
    let before = pages(&screen);
    screen.keys("zebra");
    let is_whole = screen.state.list(Tag::All).is_complete();
    assert_eq!(screen.state.loads_pages(), !is_whole);
    if !is_whole {
        assert_eq!(pages(&screen), before + 1, "one page after the other");
        assert!(
            screen.text().contains("Loading coins: ") && screen.text().contains("Esc stop loading"),
            "{}",
            screen.text()
        );
        screen.keys("<esc>");
        assert_eq!((screen.state.context(), pages(&screen)), (Context::Palette, before));
    }
    screen.keys("<esc>");
    assert_eq!(screen.state.context(), Context::List);
}

#[test]
fn failing_pages_are_explained_and_one_escape_closes_the_palette() {
    let mut screen = Screen::new(80, 24);
    let first = screen.wanted().remove(0);
    screen.answer(&first, page(vec![coin(1, "bitcoin", "BTC", Some(1.0))], Some(1_000)));
    screen.keys(":");
    screen.fail(&Request::CoinNames, ErrorKind::NotFound { message: None });
    screen.keys("zebra");
    assert!(screen.text().contains("Loading coins: 1 of 1,000"), "{}", screen.text());
    let pages = screen.wanted().into_iter().filter(|request| matches!(request, Request::Coins { start: 2.., .. }));
    for request in pages.collect::<Vec<_>>() {
        screen.fail(&request, ErrorKind::Refused);
    }
    let text = screen.text();
    assert!(text.contains("Can't reach coins.example (connection refused) · retrying in"), "{text}");
    assert!(!text.contains('▱') && !text.contains("Esc stop"), "{text}");
    screen.resize(120, 35);
    assert!(screen.text().contains("Loaded 1 of 1,000 coins · Can't reach"), "{}", screen.text());
    screen.keys("<esc>");
    assert_eq!(screen.state.context(), Context::List);
}

#[test]
fn tab_completes_and_escape_closes() {
    let mut screen = loaded(120, 35);
    screen.keys(":orde<tab>");
    assert!(screen.text().contains("› ORDI "), "{}", screen.text());
    screen.keys("<esc>:3M Orde<tab>");
    assert!(screen.text().contains("› ORDI 3M "), "{}", screen.text());
    screen.keys("<esc>:orde<tab>3m<enter>");
    assert_eq!(open_coin(&screen).1, Period::Quarter);
    screen.keys(":x<esc>");
    assert_eq!(screen.state.context(), Context::Token);
    // The dialog below appears again.
    screen.keys("?:<esc>");
    assert_eq!(screen.state.context(), Context::Help);
    screen.keys("<esc>:zzzzqqqq zz<enter>");
    assert_eq!(screen.state.context(), Context::Palette, "there is nothing to run");
    assert!(screen.text().contains("No matches"), "{}", screen.text());
}

#[test]
fn address_is_looked_up_as_it_was_typed() {
    let (legacy, lower) = ("1A1zP1eP5QGefi2DMPTfTL5SLmv7DivfNa", "bc1qar0srrr7xfkvy5l643lydnw9re59gtzzwf5mdq");
    for (keys, address) in [
        (format!("g{legacy}"), legacy),
        (format!(":{legacy}"), legacy),
        (format!(":address {legacy}"), legacy),
        (String::from("g3J98t1WpEZ73CNmQviecrnyiWrnqRhWNLy"), "3J98t1WpEZ73CNmQviecrnyiWrnqRhWNLy"),
        (format!("g{}", lower.to_uppercase()), lower),
    ] {
        let mut screen = loaded(120, 35);
        screen.keys(&format!("5{keys}<enter>"));
        let subject = screen.state.indexer.trail.last().map(|visit| visit.subject.describe());
        assert_eq!(subject, Some(format!("address {address}")), "{keys}");
    }
}

#[test]
fn palette_opens_from_a_menu() {
    for keys in ["s:", "s<c-p>", "F:", "y<c-p>"] {
        let mut screen = loaded(120, 35);
        screen.keys(keys);
        assert_eq!((screen.state.context(), screen.state.menu.is_none()), (Context::Palette, true), "{keys}");
    }
}

#[test]
fn mistyped_subjects_are_explained() {
    for (typed, reason) in [
        ("bc1qd2mzs0p9rhjrp9494u0edtlleulfqt4x268cg9", "Not a Bitcoin address: invalid checksum"),
        ("bc1qd2mzs0p9", "Incomplete Bitcoin address"),
        ("sat 2099999997690000", "Not a sat: sats are numbered from 0 to 2099999997689999"),
        ("100.01%", "Not a sat: a percentile must be from 0% to 100%"),
        ("50%%", "Not a sat: a percentile must be from 0% to 100%"),
        (&format!("{}i0", "a".repeat(63)), "Not an inscription ID (64 hex digits, i, index)"),
    ] {
        let mut screen = loaded(120, 35);
        screen.keys(&format!("5g{typed}<enter>"));
        assert_eq!(screen.state.context(), Context::Palette, "{typed}");
        assert!(screen.text().contains(reason) && !screen.text().contains("No matches"), "{}", screen.text());
    }
}

#[test]
fn palette_fits_into_a_small_terminal() {
    let mut screen = loaded(40, 12);
    screen.keys(":ord");
    let text = screen.text();
    assert!(text.lines().any(|line| line.contains("ORDI")), "{text}");
    screen.keys("<enter>");
    screen.wait(Duration::from_secs(1));
    assert_eq!(open_coin(&screen).0, "ORDI");
}

#[test]
fn small_palette_shows_what_an_item_opens() {
    for (typed, effects) in [
        ("ord 3m", ["ORDI", "3M chart"]),
        ("rats holders", ["rats", "holders"]),
        ("840000", ["block 840,000", "in the indexer"]),
        ("ordi", ["ordi", "in the indexer"]),
        ("watch eth", ["ETH", " watch"]),
        ("wallet", ["Wallet", "go to tab 4"]),
    ] {
        for size in [(60, 20), (40, 12)] {
            let mut screen = loaded(size.0, size.1);
            screen.keys(":");
            screen.keys(typed);
            let shown = lines(&mut screen);
            let is_shown = |line: &&String| effects.iter().all(|words| line.replace("  ", " ").contains(words));
            assert!(shown.iter().any(|line| is_shown(&line)), "{typed} at {size:?}: {shown:?}");
        }
    }
}
