//! Keys of the dialogs: help, posts, links, currencies and lookup.

use crossterm::event::KeyCode;
use satscope::app::Panel;
use satscope::app::{ClickTarget, Effect, Message, Overlay};
use satscope::client::{ErrorKind, Request};
use satscope::glyphs::Glyphs;
use satscope::model::{Link, Period, PostOrder};

use super::filters::dialog;
use super::fixtures::{App, all, page, three};
use super::tokens::{opened, post, posts};
use crate::support::screen::Screen;

fn scroll(app: &App) -> usize {
    match app.state.overlay {
        Some(Overlay::Help { scroll, .. } | Overlay::Post { scroll, .. }) => scroll,
        _ => panic!("{:?}", app.state.overlay),
    }
}

fn selected(app: &App) -> usize {
    match app.state.overlay {
        Some(Overlay::Links { selected, .. } | Overlay::Currency { selected, .. }) => selected,
        Some(Overlay::Palette(ref palette, _)) => palette.selected,
        _ => panic!("{:?}", app.state.overlay),
    }
}

/// Presses these keys and returns the position after each.
fn walk(app: &mut App, codes: &[KeyCode], place: impl Fn(&App) -> usize) -> Vec<usize> {
    let step = |app: &mut App, code| {
        app.key(code);
        place(app)
    };
    codes.iter().map(|code| step(app, *code)).collect()
}

#[test]
fn help_scrolls_within_its_ends_and_closes_with_its_key() {
    let mut app = App::new();
    app.send(Message::Resize(60, 12));
    app.keys("?");
    app.key(KeyCode::End);
    let end = scroll(&app);
    assert!(end > 20, "{end}");
    let codes = [
        KeyCode::Down,
        KeyCode::Up,
        KeyCode::PageUp,
        KeyCode::PageDown,
        KeyCode::Home,
        KeyCode::Up,
        KeyCode::Down,
        KeyCode::PageDown,
    ];
    assert_eq!(walk(&mut app, &codes, scroll), [end, end - 1, end - 11, end - 1, 0, 0, 1, 11]);
    app.send(Message::Wheel(3, None));
    assert_eq!(scroll(&app), 14);
    app.keys("?");
    assert!(app.state.overlay.is_none());
}

#[test]
fn dialog_scrolls_to_last_line_at_any_height() {
    let ends = |columns: u16, rows: std::ops::RangeInclusive<u16>| -> Vec<usize> {
        let end = |rows| {
            let mut app = App::new();
            app.send(Message::Resize(columns, rows));
            app.keys("?");
            app.key(KeyCode::End);
            scroll(&app)
        };
        rows.map(end).collect()
    };
    // Each additional row is one line less to scroll. Header and footer take two rows when they appear, and so does the
    // border.
    let far = ends(60, 8..=20);
    assert!(far.windows(2).all(|pair| pair[0] == pair[1] + 1), "{far:?}");
    let [three, four, five, six, seven, eight] = ends(60, 3..=8)[..] else { panic!() };
    assert_eq!((three, five, six, seven, eight), (four - 1, four - 1, five - 1, six - 1, seven + 1));
}

#[test]
fn long_post_scrolls_to_its_end_and_can_be_copied() {
    let mut app = opened();
    let text: Vec<String> = (1..=50).map(|line| format!("line {line}")).collect();
    let latest = Request::Posts { symbol: "ORDI".into(), slug: Some("ordi".into()), order: PostOrder::Latest };
    app.keys("p");
    app.answer(&latest, posts(vec![post("long", &text.join("\n"))]));
    app.key(KeyCode::Enter);
    // 45 rows minus header, footer, border and the two lines of the post's head.
    let codes = [KeyCode::Down, KeyCode::PageDown, KeyCode::PageDown, KeyCode::Up, KeyCode::Home, KeyCode::End];
    let end = 50 - (45 - 2 - 2 - 2);
    assert_eq!(walk(&mut app, &codes, scroll), [1, end, end, end - 1, 0, end]);
    assert_eq!(app.keys("yt"), [Effect::Copy(text.join("\n"))]);
    app.send(Message::Resize(160, 7));
    app.key(KeyCode::End);
    assert_eq!(scroll(&app), 50 - 3, "without the header's rows, but with the post's own");
    app.send(Message::Resize(160, 5));
    app.key(KeyCode::End);
    assert_eq!(scroll(&app), 50 - 3, "too low for who and when");
}

#[test]
fn links_are_chosen_copied_and_opened() {
    let mut app = App::new();
    let mut coins = three();
    let link = |url: &str| Link { kind: "website".into(), url: url.into() };
    coins[0].links = ["https://a.example/", "https://b.example/", "https://c.example/"].map(link).into_iter().collect();
    app.answer(&all(1), page(coins, Some(3)));
    app.keys("o");
    let codes =
        [KeyCode::Up, KeyCode::Down, KeyCode::End, KeyCode::Down, KeyCode::Up, KeyCode::PageUp, KeyCode::PageDown];
    assert_eq!(walk(&mut app, &codes, selected), [0, 1, 2, 2, 1, 0, 2]);
    assert_eq!(app.keys("y"), [Effect::Copy("https://c.example/".into())]);
    app.keys("??");
    assert_eq!(selected(&app), 2, "the help returns to the dialog");
    assert!(app.send(Message::Click(ClickTarget::Choice(1))).is_empty());
    assert_eq!(app.send(Message::Click(ClickTarget::Choice(1))), [Effect::OpenLink("https://b.example/".into())]);
    assert!(app.state.overlay.is_none());
    app.keys("o");
    app.keys("oo");
    assert_eq!(selected(&app), 0);
    app.key(KeyCode::Esc);
    app.key(KeyCode::Down);
    app.keys("o");
    assert!(app.state.overlay.is_none());
    assert_eq!(app.state.toast.as_ref().unwrap().text, "No links here");
}

#[test]
fn link_warning_wraps_on_a_narrow_screen() {
    let mut screen = Screen::new(40, 12);
    let mut coins = three();
    let link = Link { kind: "website".into(), url: "https://bank.example@evil.example/".into() };
    coins[0].links = [link].into_iter().collect();
    let request = screen.wanted().remove(0);
    screen.answer(&request, page(coins, Some(3)));
    screen.keys("o");
    let warning = "The part before @ is a user name, not the site · opens evil.example";
    assert!(dialog(&screen.text()).contains(warning), "{}", screen.text());
}

#[test]
fn input_errors_wrap_on_a_narrow_screen() {
    let alert = "unexpected `price24` (expected price, 1h, 24h, 7d, vol, cap, rank, holders or minted)";
    for (keys, typed, error) in [
        ("!", "ordi price24 > 1", alert),
        ("4a", "1 ordi @ 3 yesterdy", "Unexpected `yesterdy` (expected a currency, date, address or quoted note)"),
        ("4A", "bc1qcold", "Not a Bitcoin address: "),
    ] {
        for columns in [40, 60] {
            let mut screen = Screen::new(columns, 12);
            let request = screen.wanted().remove(0);
            screen.answer(&request, page(three(), Some(3)));
            screen.keys(&format!("{keys}<c-u>{typed}"));
            let text = dialog(&screen.text());
            assert!(text.contains(error) && !text.contains('…'), "{columns}: {}", screen.text());
        }
    }
}

#[test]
fn input_errors_show_only_the_beginning_of_an_extended_key() {
    let key = format!("xprv9s21Z{}", "rQH143K2".repeat(13));
    for (keys, typed) in
        [("!", format!("ordi {key} > 1")), ("4a", format!("1 ordi @ 3 {key}")), ("4a", format!("1 ordi @ {key}"))]
    {
        let mut screen = Screen::new(60, 12);
        let request = screen.wanted().remove(0);
        screen.answer(&request, page(three(), Some(3)));
        screen.keys(&format!("{keys}<c-u>{typed}"));
        let text = dialog(&screen.text());
        assert!(text.to_lowercase().contains("xprv9s21…") && !text.contains("prv9s21Z"), "{}", screen.text());
    }
}

#[test]
fn links_have_readable_kinds() {
    let mut app = App::new();
    let mut coins = three();
    let link = |kind: &str| Link { kind: kind.into(), url: format!("https://a.example/{kind}").into() };
    coins[0].links = ["technical_doc", "twitter", "source_code", "website"].map(link).into_iter().collect();
    app.answer(&all(1), page(coins, Some(3)));
    app.keys("o");
    let screen = app.screen((120, 35));
    for (kind, title) in [("technical_doc", "white paper"), ("twitter", "X"), ("source_code", "source code")] {
        assert!(screen.contains(&format!("│ {title} ")), "{title}: {screen}");
        assert!(!screen.contains(&format!("│ {kind}")), "{kind}: {screen}");
    }
}

#[test]
fn post_has_its_own_links() {
    let mut app = opened();
    let top = Request::Posts { symbol: "ORDI".into(), slug: Some("ordi".into()), order: PostOrder::Top };
    let mut linked = post("2", "see (https://inside.example/a).");
    linked.url = Some("https://post.example/2".to_owned());
    app.answer(&top, posts(vec![post("1", "nothing"), linked]));
    let urls = |app: &App| match &app.state.overlay {
        Some(Overlay::Links { links, .. }) => links.iter().map(|link| link.url.clone()).collect::<Vec<_>>(),
        other => panic!("{other:?}"),
    };
    app.keys("o");
    assert_eq!(urls(&app).len(), 1, "the coin's own: {:?}", urls(&app));
    app.key(KeyCode::Esc);
    app.send(Message::Click(ClickTarget::Panel(Panel::Posts)));
    app.key(KeyCode::Down);
    for is_open in [false, true] {
        if is_open {
            app.key(KeyCode::Enter);
        }
        app.keys("o");
        assert_eq!(urls(&app), ["https://post.example/2", "https://inside.example/a"], "{is_open}");
        app.key(KeyCode::Esc);
        assert_eq!(matches!(app.state.overlay, Some(Overlay::Post { .. })), is_open, "only the links close");
    }
    app.keys("o");
    assert_eq!(app.key(KeyCode::Enter), [Effect::OpenLink("https://post.example/2".into())]);
    // A post that disappears while it is open has no links, and doesn't show those of its neighbour.
    assert!(matches!(app.state.overlay, Some(Overlay::Post { .. })), "the post is still open");
    let mut other = post("1", "");
    other.url = Some("https://post.example/1".to_owned());
    app.answer(&top, posts(vec![other]));
    app.keys("o");
    assert!(!urls(&app).contains(&"https://post.example/1".into()), "{:?}", urls(&app));
}

#[test]
fn command_over_the_links_of_a_post_closes_both() {
    for (typed, is_dialog) in [(":currency", true), (":bitcoin", false)] {
        let mut app = opened();
        let top = Request::Posts { symbol: "ORDI".into(), slug: Some("ordi".into()), order: PostOrder::Top };
        app.answer(&top, posts(vec![post("1", "see (https://inside.example/a).")]));
        app.send(Message::Click(ClickTarget::Panel(Panel::Posts)));
        app.key(KeyCode::Enter);
        app.keys("o");
        assert!(matches!(app.state.overlay, Some(Overlay::Links { .. })), "{:?}", app.state.overlay);
        app.keys(typed);
        app.key(KeyCode::Enter);
        if is_dialog {
            assert!(matches!(app.state.overlay, Some(Overlay::Currency { .. })), "{:?}", app.state.overlay);
        } else {
            assert!(app.state.overlay.is_none(), "{:?}", app.state.overlay);
        }
    }
}

#[test]
fn choosing_the_same_currency_changes_nothing() {
    let mut app = App::new();
    app.answer(&all(1), page(three(), Some(3)));
    app.keys("c");
    app.key(KeyCode::Enter);
    assert_eq!((app.state.convert.as_str(), app.slugs().len()), ("USD", 3));
    assert!(app.state.convert_before.is_none());
    app.keys("c");
    let first = selected(&app);
    assert_eq!(walk(&mut app, &[KeyCode::Down, KeyCode::Up], selected), [first + 1, first]);
    app.key(KeyCode::Down);
    app.keys("e");
    assert_eq!(selected(&app), 0, "typing selects the first match");
}

#[test]
fn invalid_currency_code_stays_editable() {
    let mut app = App::new();
    app.answer(&all(1), page(three(), Some(3)));
    app.keys("c12");
    app.key(KeyCode::Enter);
    let typed = match &app.state.overlay {
        Some(Overlay::Currency { input, .. }) => Some(input.value()),
        _ => None,
    };
    assert_eq!((typed, app.state.convert.as_str()), (Some("12"), "USD"));
    assert!(app.screen((80, 24)).contains("A code has 3 to 10 letters or digits"));
}

#[test]
fn only_currency_error_reverts_currency() {
    let status = |status| ErrorKind::Status { status, message: None, retry_after: None };
    let in_body = |code| ErrorKind::InBody { code: Some(code), message: None };
    let says = |text: &str| ErrorKind::Status { status: 400, message: Some(text.to_owned()), retry_after: None };
    let not_found = || ErrorKind::NotFound { message: None };
    let pages = |app: &App| satscope::app::demand(&app.state).visible[0].clone();
    for (kind, back) in [
        (status(400), true),
        (status(422), true),
        (status(500), false),
        (not_found(), false),
        (in_body(400), true),
        (in_body(1008), false),
        (ErrorKind::Refused, false),
    ] {
        let mut app = App::new();
        app.answer(&all(1), page(three(), Some(3)));
        app.keys("czzz");
        app.key(KeyCode::Enter);
        let request = pages(&app);
        app.fail_with(&request, kind.clone());
        assert_eq!(app.state.convert.as_str() == "USD", back, "{kind:?}");
    }
    // This request never succeeded in USD, so the message must name the currency.
    for (kind, back) in [
        (status(400), false),
        (in_body(400), false),
        (not_found(), false),
        (says("Invalid value for \"symbol\": cryptocurrency NOPE"), false),
        (says("Invalid value for \"convert\": \"ZZZ\""), true),
        (says("unsupported vs_currency"), true),
        (says("zzz is not supported"), true),
    ] {
        let mut app = App::new();
        app.answer(&all(1), page(three(), Some(3)));
        app.keys("czzz");
        app.key(KeyCode::Enter);
        app.keys("4");
        let request = pages(&app);
        assert!(matches!(request, Request::MarketData { .. }), "{request:?}");
        app.fail_with(&request, kind.clone());
        assert_eq!(app.state.convert.as_str() == "USD", back, "{kind:?}");
    }
    // A 404 of a chart says nothing about the currency, and neither does a response in the previous one.
    let mut app = opened();
    app.keys("czzz");
    app.key(KeyCode::Enter);
    let convert = app.state.convert.clone();
    app.fail_with(&Request::Chart { slug: "ordi".into(), period: Period::Week, convert: convert.clone() }, not_found());
    app.fail_with(&Request::MarketPairs { symbol: "ORDI".into(), slug: Some("ordi".into()), convert }, not_found());
    app.fail_with(&all(1), status(400));
    assert_eq!(app.state.convert.as_str(), "ZZZ");
    app.answer(&all(1), page(three(), Some(3)));
    assert!(app.state.convert_before.is_some(), "a response in USD says nothing about it");
    let request = Request::Posts { symbol: "ORDI".into(), slug: Some("ordi".into()), order: PostOrder::Top };
    app.answer(&request, posts(vec![]));
    assert!(app.state.convert_before.is_some(), "posts have no currency");
}

#[test]
fn help_legend_explains_screen_glyphs() {
    let mut screen = Screen::new(160, 100);
    for tab in ["1", "4", "5", "6"] {
        screen.keys(&format!("{tab}?"));
        let text = screen.text();
        assert!(text.contains("0.0₄169") && text.contains("0.0000169 (4 zeros)"), "{text}");
        assert!(text.contains("BTC 55%") && text.contains("bitcoin dominance"), "{text}");
        assert!(text.contains("note in a chart") && text.contains("incoming / outgoing lot"), "{text}");
        assert!(text.contains("!5") && text.contains("more sold than held"), "{text}");
        screen.keys("<esc>");
    }
    screen.keys("1C?");
    assert!(!screen.text().contains("Legend"), "a dialog has no legend");
}

#[test]
fn help_legend_uses_screen_glyphs_in_ascii() {
    let signs = |glyphs| {
        let mut screen = Screen::new(160, 100);
        screen.appearance.glyphs = glyphs;
        screen.keys("?");
        let text = screen.text();
        let mut lines =
            text.lines().filter_map(|line| line.split_once("Legend").map(|(before, _)| before.chars().count()));
        let column = lines.next_back().unwrap_or_else(|| panic!("{text}"));
        let from_legend = text.lines().skip_while(|line| !line.contains("Legend")).skip(1).take(9);
        let signs = from_legend.map(|line| line.chars().skip(column).take(8).collect::<String>().trim().to_owned());
        (signs.collect::<Vec<_>>(), text)
    };
    let (unicode, _) = signs(Glyphs::Unicode);
    let (ascii, text) = signs(Glyphs::Ascii);
    assert_eq!(unicode[..2], ["0.0₄169", "≈"]);
    let converted: Vec<_> = unicode.iter().map(|sign| Glyphs::Ascii.lines(sign).into_owned()).collect();
    assert_eq!(ascii, converted);
    assert!(text.contains("1.69e-5") && text.contains("0.0000169 (4 zeros)"), "{text}");
    let different: std::collections::BTreeSet<_> = ascii.iter().collect();
    assert_eq!(different.len(), ascii.len(), "{ascii:?}");
}

#[test]
fn help_of_a_dialog_shows_its_keys_and_returns_to_it() {
    let mut app = App::new();
    app.answer(&all(1), page(three(), Some(3)));
    app.keys("C?");
    let screen = app.screen((120, 35));
    assert!(screen.contains("move column up"), "{screen}");
    app.key(KeyCode::Esc);
    assert!(matches!(app.state.overlay, Some(Overlay::Columns { .. })), "{:?}", app.state.overlay);
    app.key(KeyCode::Esc);
    assert!(app.state.overlay.is_none());
}

#[test]
fn alerts_in_40_columns_show_how_far_the_selected_one_is() {
    let mut app = App::new();
    app.answer(&all(1), page(three(), Some(3)));
    app.checks_alerts(true);
    app.keys("j!");
    app.key(KeyCode::Enter);
    app.answer(&all(1), page(three(), Some(3)));
    let screen = app.screen((40, 12));
    assert!(!screen.contains("State") && screen.contains("ORDI > 8.4: 5.0% away"), "{screen}");
    let screen = app.screen((120, 35));
    assert!(screen.contains("State") && screen.contains("ORDI > 8.4: checked at least every"), "{screen}");
}
