//! The Providers dialog.

use std::time::Duration;

use satscope::app::sources::{ConfiguredSources, SourceControl};
use satscope::app::{Effect, Message, Overlay, Preferences, demand};
use satscope::client::{ErrorKind, Request, ResponseData};
use satscope::fetch::{Event, PriceState, Receipt};
use satscope::model::ProviderName::{self, CoinGecko, Maestro, UniSat};
use satscope::user_data::{Change, SourceChange, UserData};

use crate::support::screen::{Screen, fixture};

fn open(columns: u16, rows: u16) -> Screen {
    let mut screen = Screen::new(columns, rows);
    screen.serve(fixture::response);
    screen.keys("D");
    screen
}

#[test]
fn dialog_shows_state_limit_and_what_is_missing() {
    for (columns, rows) in [(160, 45), (80, 24), (40, 12)] {
        let mut screen = open(columns, rows);
        assert_eq!(screen.wanted().first(), Some(&Request::Sources), "the dialog comes first");
        assert!(screen.text().contains("Loading providers"), "{}", screen.text());
        screen.answer(&Request::Sources, ResponseData::Sources(fixture::sources()));
        let text = screen.text();
        for words in ["● CoinGecko", "◐ UniSat", "○ Maestro", "serves coin list, coin details"] {
            assert!(text.contains(words), "{words} at {columns}x{rows}:\n{text}");
        }
        assert!(columns < 160 || text.contains("6,900 of 10,000 a month"), "{text}");
        screen.keys("jj");
        let text = screen.text();
        assert!(text.contains("Set providers.maestro.api_key"), "{columns}x{rows}:\n{text}");
        screen.keys("D");
        assert!(screen.state.overlay.is_none() && !screen.wanted().contains(&Request::Sources));
    }
}

#[test]
fn unknown_usage_is_not_shown_as_an_unused_limit() {
    let mut screen = open(160, 45);
    let mut sources = fixture::sources();
    sources[0].budget.as_mut().unwrap().used = None;
    screen.answer(&Request::Sources, ResponseData::Sources(sources));
    assert!(screen.text().contains("— of 10,000 a month"), "{}", screen.text());
}

#[test]
fn selection_stops_at_the_last_source() {
    let mut screen = open(80, 24);
    screen.answer(&Request::Sources, ResponseData::Sources(fixture::sources()));
    screen.keys("jjjjj");
    assert!(matches!(&screen.state.overlay, Some(Overlay::Sources { selected: Some(name), .. }) if name == "maestro"));
    screen.keys("r");
    let refreshed = screen
        .effects
        .iter()
        .any(|effect| matches!(effect, Effect::Refresh(requests) if requests.contains(&Request::Sources)));
    assert!(refreshed, "{:?}", screen.effects);
}

#[test]
fn service_without_sources_shows_a_message() {
    let mut screen = open(80, 24);
    screen.fail(&Request::Sources, ErrorKind::NotFound { message: None });
    let text = screen.text();
    assert!(text.contains("This service doesn't report its providers") && !text.contains("retry"), "{text}");
    screen.keys("<esc>6");
    assert!(screen.text().contains("not found"), "{}", screen.text());
}

/// The sizes at which each command is tested.
const SIZES: [(u16, u16); 3] = [(160, 45), (80, 24), (40, 12)];

/// The dialog over live data of the embedded service.
fn open_own(columns: u16, rows: u16) -> Screen {
    let orders = vec![
        ("coins".into(), vec![CoinGecko, Maestro]),
        ("posts".into(), vec![ProviderName::Bluesky]),
        ("brc20".into(), vec![UniSat, Maestro]),
    ];
    let configured = ConfiguredSources { disabled: Vec::new(), orders };
    let sources_control = SourceControl::Own(configured);
    let mut screen =
        Screen::with(Preferences { live: Some(true), sources_control, ..Preferences::default() }, columns, rows);
    screen.serve(fixture::response);
    screen.keys("D");
    screen.answer(&Request::Sources, ResponseData::Sources(fixture::sources()));
    screen.effects.clear();
    screen
}

/// The line of a provider.
fn line(screen: &mut Screen, title: &str) -> String {
    let text = screen.text();
    text.lines().find(|line| line.contains(title)).unwrap_or_else(|| panic!("no {title} in\n{text}")).to_owned()
}

fn changes(screen: &Screen) -> Vec<SourceChange> {
    let change = |effect: &Effect| match effect {
        Effect::Save(_, Change::Source(change)) => Some(change.clone()),
        _ => None,
    };
    screen.effects.iter().filter_map(change).collect()
}

#[test]
fn space_disables_and_enables_the_selected_provider_at_once() {
    for (columns, rows) in SIZES {
        let mut screen = open_own(columns, rows);
        screen.keys("j<space>");
        assert!(line(&mut screen, "UniSat").contains('○'), "{}", screen.text());
        assert!(screen.text().contains("disabled (Space: enable)"), "{columns}x{rows}:\n{}", screen.text());
        assert_eq!(changes(&screen), [SourceChange::Enable(UniSat, false)]);
        assert!(matches!(screen.effects.last(), Some(Effect::ApplySources(choices)) if !choices.enabled[&UniSat]));
        screen.keys("<space>");
        assert!(line(&mut screen, "UniSat").contains('◐'), "{}", screen.text());
        assert_eq!(changes(&screen).last(), Some(&SourceChange::Enable(UniSat, true)));
    }
}

#[test]
fn providers_of_an_operation_are_reordered() {
    for (columns, rows) in SIZES {
        let mut screen = open_own(columns, rows);
        screen.keys("<right>");
        let text = screen.text();
        assert!(
            text.contains("Providers · coin list, in order") && !text.contains("UniSat"),
            "{columns}x{rows}:\n{text}"
        );
        assert!(text.find("CoinGecko") < text.find("Maestro"), "{text}");
        screen.keys("J");
        let text = screen.text();
        assert!(text.find("Maestro") < text.find("CoinGecko"), "{columns}x{rows}:\n{text}");
        assert_eq!(changes(&screen), [SourceChange::Order("coins".into(), vec![Maestro, CoinGecko])]);
        screen.keys("J");
        assert_eq!(changes(&screen).len(), 1, "CoinGecko is the last one already");
        screen.keys("K");
        assert_eq!(changes(&screen).last(), Some(&SourceChange::Order("coins".into(), vec![CoinGecko, Maestro])));
        screen.keys("<right>");
        assert!(screen.text().contains("Providers · BRC-20, in order"), "posts have one provider only");
        screen.keys("<right>");
        assert!(!screen.text().contains("in order"), "all providers again");
        screen.keys("<left>");
        assert!(screen.text().contains("Providers · BRC-20, in order"));
    }
}

#[test]
fn order_key_in_the_list_of_all_providers_shows_an_operation_first() {
    let mut screen = open_own(80, 24);
    screen.keys("jJ");
    let text = screen.text();
    assert!(text.contains("Providers · BRC-20, in order") && changes(&screen).is_empty(), "{text}");
    screen.keys("J");
    assert_eq!(changes(&screen), [SourceChange::Order("brc20".into(), vec![Maestro, UniSat])]);
}

#[test]
fn test_shows_its_outcome_and_latency() {
    for (columns, rows) in SIZES {
        let mut screen = open_own(columns, rows);
        screen.keys("tt");
        assert_eq!(screen.effects, [Effect::TestSource(CoinGecko)], "one at a time");
        assert!(screen.text().contains("Testing…"), "{columns}x{rows}:\n{}", screen.text());
        let outcome = Ok(Duration::from_millis(123));
        screen.send(Message::SourceTested { name: CoinGecko, outcome });
        assert!(screen.text().contains("Test passed in 123 ms"), "{columns}x{rows}:\n{}", screen.text());
        screen.keys("j");
        assert!(!screen.text().contains("Test passed"), "of the selected provider only");
        screen.keys("t");
        let outcome = Err(String::from("Rate-limited (429)"));
        screen.send(Message::SourceTested { name: UniSat, outcome });
        assert!(screen.text().contains("Test failed: Rate-limited (429)"), "{}", screen.text());
    }
}

#[test]
fn reset_returns_to_the_configured_sources() {
    let mut screen = open_own(80, 24);
    screen.keys("<space>");
    screen.keys("R");
    assert_eq!(changes(&screen).last(), Some(&SourceChange::Reset));
    assert!(line(&mut screen, "CoinGecko").contains('●'));
}

#[test]
fn screen_below_is_refreshed_after_a_change() {
    let mut screen = open_own(80, 24);
    screen.keys("<esc>");
    assert!(screen.effects.is_empty(), "nothing was changed");
    screen.keys("D<space><esc>");
    let refreshed = screen.effects.iter().any(
        |effect| matches!(effect, Effect::Reload(requests) if matches!(requests.first(), Some(Request::Coins { .. }))),
    );
    assert!(refreshed, "{:?}", screen.effects);
}

#[test]
fn screen_is_refreshed_once_a_failing_provider_passes_its_test() {
    let passed = || Message::SourceTested { name: CoinGecko, outcome: Ok(Duration::from_millis(123)) };
    let reloads = |screen: &Screen| screen.effects.iter().filter(|effect| matches!(effect, Effect::Reload(_))).count();
    let mut screen = open_own(80, 24);
    screen.keys("t");
    screen.send(passed());
    screen.keys("<esc>");
    assert_eq!(reloads(&screen), 0, "nothing fails");
    let list = screen.wanted().into_iter().find(|request| matches!(request, Request::Coins { .. })).unwrap();
    screen.fail(&list, ErrorKind::Refused);
    screen.keys("Dt");
    screen.send(Message::SourceTested { name: CoinGecko, outcome: Err(String::from("Refused")) });
    screen.keys("<esc>");
    assert_eq!(reloads(&screen), 0, "it still fails");
    screen.keys("Dt");
    screen.send(passed());
    screen.keys("<esc>");
    assert_eq!(reloads(&screen), 1);
    // The dialog was closed earlier.
    screen.keys("Dt<esc>");
    screen.send(passed());
    assert_eq!(reloads(&screen), 2);
}

#[test]
fn change_by_another_instance_is_applied_and_shown() {
    let mut screen = open_own(80, 24);
    let mut data = UserData::default();
    data.apply(&Change::Source(SourceChange::Enable(CoinGecko, false)));
    let choices = data.sources.clone();
    screen.send(Message::Loaded(Box::new(data.clone())));
    assert_eq!(screen.effects, [Effect::ApplySources(choices)]);
    assert!(screen.text().contains("disabled (Space: enable)"), "{}", screen.text());
    screen.send(Message::Loaded(Box::new(data)));
    assert_eq!(screen.effects.len(), 1, "only if it has changed");
}

#[test]
fn sources_of_another_service_and_of_simulated_data_cannot_be_changed() {
    let remote = Preferences {
        live: None,
        sources: ["coins.example", "coins.example"].map(String::from),
        sources_control: SourceControl::Remote,
        ..Preferences::default()
    };
    for (columns, rows) in SIZES {
        for (preferences, sentence) in [
            (remote.clone(), "Providers of coins.example (can't be changed here)"),
            (Preferences::default(), "Simulated data needs no providers"),
        ] {
            let mut screen = Screen::with(preferences, columns, rows);
            screen.serve(fixture::response);
            screen.keys("D");
            screen.answer(&Request::Sources, ResponseData::Sources(fixture::sources()));
            screen.effects.clear();
            let text = screen.text().split_whitespace().collect::<Vec<_>>().join(" ").replace("│ │ ", "");
            assert!(text.contains(sentence) || columns < 60, "{columns}x{rows}:\n{}", screen.text());
            assert!(!text.contains("on/off") && !text.contains("test"), "the footer offers nothing in vain: {text}");
            screen.keys("<space>Jt<right>R");
            assert!(screen.effects.is_empty(), "{:?}", screen.effects);
            assert!(screen.state.toast.as_ref().is_some_and(|toast| toast.text == sentence));
        }
    }
}

#[test]
fn more_providers_than_rows_have_a_scrollbar_and_whole_texts() {
    let mut screen = open(40, 12);
    let mut sources = fixture::sources();
    let more: Vec<_> = sources.iter().cycle().take(12).cloned().collect();
    sources.extend(more);
    screen.answer(&Request::Sources, ResponseData::Sources(sources));
    assert!(screen.text().contains('▐'), "{}", screen.text());
    screen.resize(80, 24);
    let text = screen.text();
    assert!(text.contains("coin list + ") || text.contains("coin list, coin details"), "{text}");
    let head = text.lines().position(|line| line.contains("Serves")).unwrap();
    assert!(text.lines().skip(head + 1).take(3).all(|line| !line.contains('…')), "{text}");
}

#[test]
fn reason_of_a_failing_provider_is_not_cut_off_by_its_operations() {
    for (columns, rows) in SIZES {
        let mut screen = open_own(columns, rows);
        let mut sources = fixture::sources();
        sources[1].serves = (1..=20).map(|number| format!("operation {number}").into()).collect();
        sources[1].missing = Some("Can't reach api.example.com (proxy http://127.0.0.1:9: connection refused)".into());
        screen.answer(&Request::Sources, ResponseData::Sources(sources));
        screen.keys("j");
        let text = screen.text();
        assert!(text.contains("serves operation 1, ") && text.contains("refused)"), "{columns}x{rows}:\n{text}");
    }
}

#[test]
fn change_of_providers_requests_again_what_they_lacked() {
    let mut screen = open_own(80, 24);
    screen.keys("<esc>");
    let list = screen.wanted().into_iter().find(|request| matches!(request, Request::Coins { .. })).unwrap();
    let response = fixture::response(&list).unwrap();
    screen.answer_as(&list, response, |receipt| Receipt { provider: Some("coingecko".into()), ..receipt });
    let lacks_all = |screen: &mut Screen| {
        let unserved = |what: &str| ErrorKind::Explained {
            status: 501,
            message: what.to_owned(),
            retry_after: None,
            must_wait: false,
        };
        screen.fail(&Request::ChainState, unserved("No provider of blocks"));
        screen.send(Message::Fetch(Event::PriceState(PriceState::Unsupported(String::from("enable Binance or OKX")))));
    };
    let offered = |screen: &Screen| {
        let demand = demand(&screen.state);
        let has_chain = demand.background.iter().any(|need| need.request == Request::ChainState);
        (has_chain, demand.live.is_some(), demand.source_changes)
    };
    assert_eq!(offered(&screen), (true, true, 0));
    lacks_all(&mut screen);
    assert_eq!(offered(&screen), (false, false, 0));
    screen.keys("D<space>");
    assert_eq!(offered(&screen), (true, true, 1), "at once, with the dialog still open");
    lacks_all(&mut screen);
    screen.keys("<esc>");
    assert_eq!(offered(&screen), (false, false, 1), "once for each change");
    // An open stream goes on.
    screen.send(Message::Fetch(Event::PriceState(PriceState::Open)));
    screen.keys("D<space>");
    assert_eq!(screen.state.live.state, Some(PriceState::Open));
}
