//! The palette: what to do with a coin, before or after its name.

use satscope::app::Overlay;
use satscope::keymap::Context;

use super::palette::lines;
use super::palette_commands::named;
use crate::support::screen::Screen;

#[test]
fn watch_only_watches_and_unwatch_only_unwatches() {
    let mut screen = named(&[]);
    let watched = |symbol: &str, screen: &Screen| screen.state.watched.coins().iter().any(|coin| coin.symbol == symbol);
    for (typed, effect, toast, is_watched) in [
        ("unwatch eth", "not watched", "Not watching ETH", false),
        ("eth watch", "watch", "Watching ETH", true),
        ("watch eth", "already watched", "Already watching ETH", true),
        ("unwatch eth", "unwatch", "Stopped watching ETH", false),
    ] {
        screen.keys(&format!(":{typed}"));
        assert!(lines(&mut screen)[0].contains(effect), "{typed}: {:?}", lines(&mut screen));
        screen.keys("<enter>");
        assert!(screen.text().contains(toast), "{typed}: {}", screen.text());
        assert_eq!(watched("ETH", &screen), is_watched, "{typed}");
    }
}

#[test]
fn remove_unwatches_only_as_a_whole_word() {
    let mut screen = named(&[]);
    screen.keys(":watch eth<enter>:rem eth");
    let shown = lines(&mut screen);
    assert!(shown.iter().all(|line| !line.contains("watch")), "{shown:?}");
    for (typed, effect, toast) in
        [("remove eth", "unwatch", "Stopped watching ETH"), ("eth remove", "not watched", "Not watching ETH")]
    {
        screen.keys(&format!("<esc>:{typed}"));
        assert!(lines(&mut screen)[0].contains(effect), "{typed}: {:?}", lines(&mut screen));
        screen.keys("<enter>");
        assert!(screen.text().contains(toast), "{typed}: {}", screen.text());
    }
    // In the wallet, it is the command that removes lots.
    screen.keys("4:remove lot");
    assert!(lines(&mut screen)[0].contains("remove lot or address"), "{:?}", lines(&mut screen));
}

#[test]
fn named_coin_is_marked_or_gets_a_note() {
    let mut screen = named(&[("CAPR", "Canopy Protocol")]);
    for (typed, effect, toast) in [
        ("mark ordi", "mark for comparison", "Added ORDI to comparison (1 of 6)"),
        ("capr mark", "mark for comparison", "Added CAPR to comparison (2 of 6)"),
        ("mark ordi", "already marked", "ORDI is already marked"),
    ] {
        screen.keys(&format!(":{typed}"));
        assert!(lines(&mut screen)[0].contains(effect), "{typed}: {:?}", lines(&mut screen));
        screen.keys("<enter>");
        assert!(screen.text().contains(toast), "{typed}: {}", screen.text());
    }
    screen.keys(":note ordi");
    assert!(lines(&mut screen)[0].contains("add note"), "{:?}", lines(&mut screen));
    screen.keys("<enter>");
    assert_eq!(screen.state.token.as_ref().map(|token| token.symbol.as_str()), Some("ORDI"));
    assert!(matches!(screen.state.overlay, Some(Overlay::Note { .. })), "{}", screen.text());
    for typed in ["mar capr", "marke capr", "capr marke"] {
        let mut screen = named(&[("CAPR", "Canopy Protocol")]);
        screen.keys(&format!(":{typed}"));
        assert!(lines(&mut screen)[0].contains("open markets"), "{typed}: {:?}", lines(&mut screen));
    }
}

#[test]
fn limit_relative_to_the_price_is_a_new_alert() {
    for typed in ["alert ordi +5%", "ordi +5% alert", "ordi +5%"] {
        let mut screen = named(&[]);
        screen.keys(&format!(":{typed}"));
        assert!(lines(&mut screen)[0].contains("new alert"), "{typed}: {:?}", lines(&mut screen));
        screen.keys("<enter>");
        let Some(Overlay::Alerts(dialog)) = &screen.state.overlay else { panic!("{typed}: {}", screen.text()) };
        assert_eq!(dialog.line.as_ref().map(|line| line.value()), Some("ordi +5%"), "{typed}");
        assert!(screen.text().contains("Fires when ORDI > "), "{typed}: {}", screen.text());
    }
    // A percentage after other words is not a sat.
    for (typed, reason) in [("alert ordi 5%", "unexpected `5%`"), ("ordi 101%", "No matches")] {
        let mut screen = named(&[]);
        screen.keys(&format!(":{typed}"));
        assert!(screen.text().contains(reason), "{typed}: {}", screen.text());
    }
}

#[test]
fn rule_without_a_name_is_about_the_selected_coin() {
    for (typed, meaning) in [
        ("+5%", "Fires when BTC > "),
        ("-3% once", "Fires when BTC < "),
        ("> 20", "BTC > 20"),
        ("alert +5%", "Fires when BTC > "),
        ("+5% alert", "Fires when BTC > "),
    ] {
        for place in ["", "<enter>"] {
            let mut screen = named(&[]);
            screen.keys(place);
            screen.keys(&format!(":{typed}"));
            assert!(lines(&mut screen)[0].contains("new alert"), "{typed}: {:?}", lines(&mut screen));
            assert!(!screen.text().contains("look up sat"), "{typed}: {}", screen.text());
            screen.keys("<enter>");
            let Some(Overlay::Alerts(dialog)) = &screen.state.overlay else { panic!("{typed}: {}", screen.text()) };
            let rule = typed.trim_start_matches("alert ").trim_end_matches(" alert");
            assert_eq!(dialog.line.as_ref().map(|line| line.value()), Some(rule), "{typed}");
            assert!(screen.text().contains(meaning), "{typed}: {}", screen.text());
        }
    }
    // The screen of the sources has no coin.
    let mut screen = named(&[]);
    screen.keys("6:+5%");
    let shown = lines(&mut screen);
    assert!(shown.iter().all(|line| !line.contains("new alert") && !line.contains("sat ")), "{shown:?}");
}

#[test]
fn two_coins_are_compared_without_a_verb() {
    let mut screen = named(&[]);
    screen.keys(":btc ordi");
    assert!(lines(&mut screen)[0].contains("compare 2 coins"), "{:?}", lines(&mut screen));
    screen.keys("<enter>");
    let compared: Vec<&str> = screen.state.comparison.coins().iter().map(|coin| coin.symbol.as_str()).collect();
    assert_eq!((screen.state.context(), compared), (Context::Compare, vec!["BTC", "ORDI"]));
    // A coin may have both words in its names.
    for typed in ["ordi sats", "sats ordi", "ordi rats"] {
        let mut screen = named(&[]);
        screen.keys(&format!(":{typed}"));
        assert!(lines(&mut screen)[0].contains("compare 2 coins"), "{typed}: {:?}", lines(&mut screen));
    }
    for typed in ["btc btc", "5 ordi", "btc xyz"] {
        let mut screen = named(&[("FIVE", "5")]);
        screen.keys(&format!(":{typed}"));
        assert!(lines(&mut screen).iter().all(|line| !line.contains("compare")), "{typed}: {:?}", lines(&mut screen));
    }
}
