//! A coin that is opened by its symbol before any list has it, or whose list loses it.

use std::time::Duration;

use ratatui::style::Modifier;
use satscope::app::coins::named_coin::NamedCoin;
use satscope::app::find::recent::Recent;
use satscope::app::{Effect, Message, Preferences};
use satscope::client::{ErrorKind, Request, ResponseData};
use satscope::fetch::Receipt;
use satscope::model::{CoinId, CoinName, Currency, IndexedName, ProviderName, Text};
use satscope::user_data::Watched;

use super::fixtures::{all, coin, many, page};
use crate::support::screen::Screen;

/// The view of ORDI, opened from the palette.
fn opened(columns: u16, rows: u16) -> Screen {
    let preferences = Preferences { watched: vec![Watched::by_symbol("ORDI")], ..Preferences::default() };
    let mut screen = Screen::with(preferences, columns, rows);
    screen.keys(":ordi<enter>");
    screen
}

#[test]
fn chart_says_that_the_list_is_missing() {
    for (columns, rows) in [(160, 45), (80, 24), (40, 12)] {
        let mut screen = opened(columns, rows);
        assert!(screen.text().contains("Loading the coin list…"), "{}", screen.text());
        screen.fail_all(&ErrorKind::Refused);
        let text = screen.text();
        // There is no room for the reason on the smallest screen.
        let sentence = if columns > 40 { "Can't reach" } else { "Can't load the coin list" };
        assert!(text.contains(sentence) && !text.contains("slug"), "{text}");
    }
}

#[test]
fn coin_is_found_when_the_list_arrives() {
    let mut screen = opened(120, 35);
    let chart = |screen: &Screen| screen.wanted().into_iter().find(|it| matches!(it, Request::Chart { .. }));
    assert_eq!(chart(&screen), None);
    let coins = vec![coin(1, "bitcoin", "BTC", Some(60_000.0)), coin(90, "ordinals", "ORDI", Some(8.4))];
    screen.answer(&all(1), page(coins, Some(2)));
    let token = screen.state.token.as_ref().unwrap();
    assert_eq!((token.slug.as_deref(), token.symbol.as_str()), (Some("ordinals"), "ORDI"));
    let Some(Request::Chart { slug, .. }) = chart(&screen) else { panic!("{:?}", screen.wanted()) };
    assert_eq!(slug, "ordinals");
    // The palette offers it once, with its name.
    screen.keys("<esc>:");
    let text = screen.text();
    assert_eq!(text.lines().filter(|line| line.contains("recent")).count(), 1, "{text}");
}

#[test]
fn chart_says_why_the_coin_is_unknown() {
    let mut screen = opened(120, 35);
    screen.answer(&all(1), page(vec![coin(1, "bitcoin", "BTC", None)], Some(1)));
    for sentence in ["No chart (ORDI is not in any list)", "No details (ORDI is not in any list)"] {
        assert!(screen.text().contains(sentence), "{}", screen.text());
    }
    let several = vec![coin(1, "ordi", "ORDI", None), coin(2, "other-ordi", "ORDI", None)];
    screen.answer(&all(1), page(several, Some(2)));
    for sentence in ["No chart (several coins use ORDI)", "No details (several coins use ORDI)"] {
        assert!(screen.text().contains(sentence), "{}", screen.text());
    }
}

#[test]
fn empty_list_leaves_nothing_loading() {
    let mut screen = opened(160, 45);
    screen.answer(&all(1), page(Vec::new(), None));
    screen.answer(&Request::CoinNames, names(&[]));
    assert!(screen.text().contains("No details (ORDI is not in any list)"), "{}", screen.text());
    assert!(!screen.text().contains("Loading details"), "{}", screen.text());
}

#[test]
fn symbol_is_compared_without_regard_to_case() {
    let mut screen = opened(120, 35);
    let several = vec![coin(1, "ordi", "Ordi", None), coin(2, "other-ordi", "ordi", None)];
    screen.answer(&all(1), page(several, Some(2)));
    assert!(screen.text().contains("No chart (several coins use ORDI)"), "{}", screen.text());
}

fn names(coins: &[(&str, &str)]) -> ResponseData {
    let name = |(slug, symbol): &(&str, &str)| {
        let (slug, symbol) = (Text::from(*slug), Text::from(*symbol));
        IndexedName::from(CoinName { id: format!("id-{slug}").into(), name: slug.clone(), slug, symbol, rank: None })
    };
    ResponseData::CoinNames(coins.iter().map(name).collect())
}

/// The view of ORDI after the first of two pages.
fn after_first_page(on_page: &str) -> Screen {
    let mut screen = opened(120, 35);
    let mut coins = many(1, 200);
    coins[89] = coin(90, "ordinals", on_page, Some(8.4));
    screen.answer(&all(1), page(coins, Some(400)));
    screen
}

#[test]
fn coin_is_resolved_when_the_names_of_all_coins_are_known() {
    let mut screen = after_first_page("ORDI");
    let slug = |screen: &Screen| screen.state.token.as_ref().and_then(|token| token.slug.clone());
    assert_eq!(slug(&screen), None, "a coin of a later page may share the symbol");
    assert!(screen.text().contains("Loading the names of all coins…"), "{}", screen.text());
    assert!(screen.wanted().contains(&Request::CoinNames), "{:?}", screen.wanted());
    screen.answer(&Request::CoinNames, names(&[("bitcoin", "BTC"), ("ordinals", "ORDI")]));
    assert_eq!(slug(&screen).as_deref(), Some("ordinals"));
}

#[test]
fn symbol_that_a_coin_of_a_later_page_shares_stays_unresolved() {
    let mut screen = after_first_page("ORDI");
    screen.answer(&Request::CoinNames, names(&[("ordinals", "ORDI"), ("other-ordi", "Ordi")]));
    assert!(screen.text().contains("No chart (several coins use ORDI)"), "{}", screen.text());
    assert!(screen.state.token.as_ref().is_some_and(|token| token.has_only_symbol()));
}

#[test]
fn coin_of_a_later_page_is_found_by_its_name() {
    let mut screen = after_first_page("OTHER");
    screen.answer(&Request::CoinNames, names(&[("ordinals", "OTHER"), ("late-ordi", "ordi")]));
    let token = screen.state.token.as_ref().unwrap();
    assert_eq!((token.slug.as_deref(), token.name.as_str()), (Some("late-ordi"), "late-ordi"));
}

#[test]
fn service_without_names_has_only_the_coins_of_its_list() {
    let mut screen = after_first_page("ORDI");
    screen.fail(&Request::CoinNames, ErrorKind::Status { status: 404, message: None, retry_after: None });
    assert_eq!(screen.state.token.as_ref().and_then(|token| token.slug.as_deref()), Some("ordinals"));
}

#[test]
fn resolved_coin_is_a_recent_place_once() {
    let preferences = Preferences { watched: vec![Watched::by_symbol("ORDI")], ..Preferences::default() };
    let mut screen = Screen::with(preferences, 120, 35);
    let named = NamedCoin::from(&coin(90, "ordinals", "ORDI", Some(8.4)));
    screen.keys(":ordi<enter>");
    screen.state.recent.push(Recent::Coin(NamedCoin { rank: None, ..named.clone() }));
    screen.answer(&all(1), page(vec![coin(90, "ordinals", "ORDI", Some(8.4))], Some(1)));
    assert_eq!(screen.state.recent, [Recent::Coin(named)]);
}

/// The line with the price and the changes of the open coin, and whether the price is dimmed.
fn headline(screen: &mut Screen, price: &str) -> (String, bool) {
    let text = screen.text();
    let found = (0..).zip(text.lines()).find(|(_, line)| line.contains(price) && line.contains(" 24h"));
    let (row, line) = found.unwrap_or_else(|| panic!("{price} in\n{text}"));
    let column = u16::try_from(line[..line.find(price).unwrap()].chars().count()).unwrap();
    (line.to_owned(), screen.paint().cell((column, row)).unwrap().modifier.contains(Modifier::DIM))
}

#[test]
fn coin_that_leaves_its_list_keeps_its_last_values_until_it_is_listed_again() {
    let bitcoin = || coin(1, "bitcoin", "BTC", Some(60_000.0));
    let ordi = |price: f64| {
        let mut ordi = coin(90, "ordinals", "ORDI", Some(price));
        (ordi.change_24h_pct, ordi.market_cap) = (Some(-3.8), Some(176.7e6));
        ordi
    };
    let mut screen = opened(160, 45);
    screen.answer(&all(1), page(vec![bitcoin(), ordi(8.41)], Some(2)));
    assert!(!headline(&mut screen, "$8.41").1);

    screen.wait(Duration::from_mins(3));
    screen.answer(&all(1), page(vec![bitcoin()], Some(1)));
    let by_id = Request::CoinsById { ids: vec![CoinId("id-ordinals".into())], convert: Currency::usd() };
    assert!(screen.wanted().contains(&by_id), "{:?}", screen.wanted());
    let expect_old = |screen: &mut Screen, why: &str| {
        let (line, is_dim) = headline(screen, "$8.41");
        assert!(is_dim, "{line}");
        for part in ["▼ 3.8%", "cap 176.7M", "3 m old", why] {
            assert!(line.contains(part), "{part} in {line}");
        }
        let text = screen.text();
        assert!(!text.contains("No details") && !text.contains("Loading details"), "{text}");
    };
    expect_old(&mut screen, "waiting to refresh");
    screen.start(&by_id);
    expect_old(&mut screen, "refreshing…");
    screen.fail(&by_id, ErrorKind::Refused);
    expect_old(&mut screen, "Can't reach");
    screen.answer(&by_id, page(Vec::new(), None));
    expect_old(&mut screen, "not in any list");

    screen.answer(&all(1), page(vec![bitcoin(), ordi(9.5)], Some(2)));
    let (line, is_dim) = headline(&mut screen, "$9.50");
    assert!(!is_dim && !line.contains("old"), "{line}");
}

#[test]
fn age_of_last_values_is_shown_before_a_provider_that_is_not_required() {
    let mut screen = opened(40, 12);
    let mut ordi = coin(90, "ordinals", "ORDI", Some(8.41));
    ordi.change_24h_pct = Some(-3.8);
    let from_binance = |receipt| Receipt { provider: Some("binance".into()), ..receipt };
    screen.answer_as(&all(1), page(vec![ordi], Some(1)), from_binance);
    screen.wait(Duration::from_mins(3));
    screen.answer(&all(1), page(vec![coin(1, "bitcoin", "BTC", None)], Some(1)));
    for failure in [None, Some(ErrorKind::Refused)] {
        if let Some(failure) = failure {
            screen.fail_all(&failure);
        }
        let (line, _) = headline(&mut screen, "$8.41");
        assert!(line.contains("3 m old") && !line.contains("Binance"), "{line}");
    }
}

#[test]
fn last_values_of_a_coin_are_forgotten_when_its_view_is_left() {
    let mut screen = opened(160, 45);
    screen.answer(&all(1), page(vec![coin(90, "ordinals", "ORDI", Some(8.41))], Some(1)));
    screen.wait(Duration::from_mins(3));
    screen.answer(&all(1), page(vec![coin(1, "bitcoin", "BTC", None)], Some(1)));
    assert!(screen.text().contains("$8.41"), "{}", screen.text());
    screen.keys("<esc>:ordi<enter>");
    assert!(!screen.text().contains("$8.41"), "{}", screen.text());
}

#[test]
fn last_values_are_forgotten_when_providers_change_even_during_a_lookup() {
    for (lookup, back) in [("", ""), (":block 840000<enter>", "<esc>")] {
        let mut screen = opened(160, 45);
        screen.answer(&all(1), page(vec![coin(90, "ordinals", "ORDI", Some(8.41))], Some(1)));
        screen.answer(&Request::CoinNames, names(&[("ordinals", "ORDI")]));
        screen.keys(lookup);
        assert_eq!(screen.state.token.is_none(), !lookup.is_empty());
        screen.wait(Duration::from_mins(3));
        screen.answer(&all(1), page(vec![coin(1, "bitcoin", "BTC", None)], Some(1)));
        screen.fail_all(&ErrorKind::Refused);
        let outcome = Ok(Duration::from_millis(123));
        screen.send(Message::SourceTested { name: ProviderName::CoinGecko, outcome });
        screen.keys(back);
        let text = screen.text();
        assert!(screen.state.token.is_some() && !text.contains("$8.41"), "{lookup}: {text}");
    }
}

#[test]
fn last_price_is_copied_with_its_age_and_not_suggested_for_alerts() {
    let mut screen = opened(160, 45);
    screen.answer(&all(1), page(vec![coin(90, "ordinals", "ORDI", Some(8.41))], Some(1)));
    let copied = |screen: &mut Screen, keys: &str| {
        screen.keys(keys);
        assert!(matches!(screen.effects.last(), Some(Effect::Copy(text)) if text.contains("8.41")), "{keys}");
        screen.state.toast.as_ref().unwrap().text.clone()
    };
    assert_eq!(copied(&mut screen, "yp"), "Copied “8.41”");
    assert!(!copied(&mut screen, "yr").contains(" · "));
    screen.keys("!");
    assert!(screen.text().contains("ordinals > 8.8"), "{}", screen.text());
    screen.keys("<esc>");

    screen.wait(Duration::from_mins(3));
    screen.answer(&all(1), page(vec![coin(1, "bitcoin", "BTC", None)], Some(1)));
    assert_eq!(copied(&mut screen, "yp"), "Copied “8.41” · price from 3 m ago");
    let row = copied(&mut screen, "yr");
    assert!(row.ends_with("” · price from 3 m ago"), "{row}");
    screen.keys("!");
    let text = screen.text();
    assert!(text.contains("ordinals 24h") && !text.contains("ordinals >"), "{text}");
}

#[test]
fn no_coin_is_skipped_after_one_has_left_the_list() {
    for (index, keys) in [
        (0, vec![("N", 0), ("n", 1), ("n", 2)]),
        (1, vec![("n", 2), ("n", 3), ("N", 2), ("N", 0)]),
        (2, vec![("n", 3), ("N", 1)]),
        (3, vec![("n", 3), ("N", 2), ("N", 1)]),
    ] {
        let mut screen = Screen::with(Preferences::default(), 120, 35);
        let mut coins = many(1, 4);
        screen.answer(&all(1), page(coins.clone(), Some(4)));
        screen.keys(&"j".repeat(index));
        screen.keys("<enter>");
        screen.wait(Duration::from_secs(3));
        coins.remove(index);
        screen.answer(&all(1), page(coins, Some(3)));
        for (key, shown) in [("", index)].into_iter().chain(keys) {
            screen.keys(key);
            let token = screen.state.token.as_ref().unwrap();
            assert_eq!(token.symbol.as_str(), format!("C{}", shown + 1), "{index} {key}");
        }
    }
}
