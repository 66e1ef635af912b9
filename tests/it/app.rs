//! The app without screen and network: keys and responses in; demand, effects and selections out.

mod address_notice;
mod address_page;
mod addresses;
mod alerts;
mod all_time;
mod balance_sort;
mod bands_and_macd;
mod candle_volumes;
mod chart_zoom;
mod charts;
mod clock;
mod columns;
mod comparison;
mod copying;
mod demo_data;
mod dialog_clicks;
mod exchange_candles;
mod filters;
mod fixtures;
mod footer;
mod global_keys;
mod holdings;
mod identity;
mod images;
mod indexer;
mod indexer_panels;
mod keys;
mod list_providers;
mod lists;
mod live;
mod live_ranges;
mod missing_rows;
mod mistyped_addresses;
mod more_coins;
mod not_found;
mod notes;
mod overlays;
mod paging;
mod palette;
mod palette_commands;
mod palette_verbs;
mod palette_words;
mod pause;
mod posts;
mod rebound_keys;
mod rendering;
mod responses;
mod rsi;
mod search;
mod sequences;
mod session;
mod source_choice;
mod sources;
mod ten_tasks;
mod title;
mod token_charts;
mod token_prices;
mod tokens;
mod unlisted_coin;
mod value_chart;
mod wallet;
mod watched_filter;
mod year;

use std::time::Duration;

use crossterm::event::KeyCode;
use crossterm::event::{KeyEvent, KeyModifiers};
use fixtures::{App, all, coin, indexer_with, many, page, series, three};
use satscope::app::Panel;
use satscope::app::find::lookup::Subject;
use satscope::app::screen::list::{Sort, SortColumn};
use satscope::app::{ClickTarget, Effect, Message, Preferences, Tab, demand, next_deadline};
use satscope::client::{ErrorKind, Request, ResponseData};
use satscope::fetch::MAX_APP_RESPONSES;
use satscope::model::{Period, SatNumber, Tag};
use satscope::user_data::{Change, StoreNotice, Watched};

#[test]
fn cold_start_requests_only_the_first_page() {
    assert_eq!(App::new().wanted(), ["Coin list 1–200"]);
}

#[test]
fn refresh_that_reorders_rows_keeps_selected_coin() {
    let mut app = App::new();
    app.answer(&all(1), page(three(), Some(3)));
    app.key(KeyCode::Down);
    assert_eq!(app.selected(), "ordi");
    app.wait(Duration::from_secs(2));
    let mut other = three();
    other.swap(0, 1);
    other[0].rank = Some(1);
    other[1].rank = Some(2);
    app.answer(&all(1), page(other, Some(3)));
    assert_eq!(app.slugs(), ["ordi", "bitcoin", "void"]);
    assert_eq!((app.selected(), app.state.list(Tag::All).cursor.index()), ("ordi", 0));
}

#[test]
fn order_stays_while_keys_are_pressed() {
    let mut app = App::new();
    app.answer(&all(1), page(three(), Some(3)));
    app.wait(Duration::from_secs(10));
    app.key(KeyCode::Down);
    let mut other = three();
    other.swap(0, 1);
    (other[0].rank, other[1].rank, other[0].price) = (Some(1), Some(2), Some(9.0));
    app.answer(&all(1), page(other, Some(3)));
    assert_eq!(app.slugs(), ["bitcoin", "ordi", "void"], "a key was just pressed");
    assert_eq!(app.state.list(Tag::All).get(1).unwrap().price, Some(9.0), "but the prices are new");
    assert_eq!(next_deadline(&app.state), app.now.plus(Duration::from_secs(2)));
    app.wait(Duration::from_secs(2));
    assert_eq!(app.slugs(), ["ordi", "bitcoin", "void"]);
    assert_eq!(app.selected(), "ordi");
}

#[test]
fn no_row_moves_after_a_key_while_coins_change_their_page() {
    let mut app = App::new();
    app.answer(&all(1), page(many(1, 200), Some(400)));
    app.key(KeyCode::End);
    app.answer(&all(201), page(many(201, 200), Some(400)));
    app.keys("sp");
    app.wait(Duration::from_secs(10));
    app.key(KeyCode::Down);
    let slugs = |app: &App| app.slugs().into_iter().map(str::to_owned).collect::<Vec<_>>();
    let before = slugs(&app);
    // Coins 200 and 201 swap their ranks. First, both pages have coin 201, and none has coin 200.
    let mut first = many(1, 200);
    first[199] = many(201, 1).remove(0);
    first[4].price = Some(900.0);
    app.answer(&all(1), page(first.clone(), Some(400)));
    assert_eq!(slugs(&app), before, "the second page is older");
    app.wait(Duration::from_secs(1));
    app.key(KeyCode::Up);
    let mut second = many(201, 200);
    second[0] = many(200, 1).remove(0);
    app.answer(&all(201), page(second, Some(400)));
    assert_eq!(slugs(&app), before);
    app.wait(Duration::from_secs(1));
    app.answer(&all(1), page(first, Some(400)));
    assert_eq!(slugs(&app), before, "the second key holds them, too");
    app.wait(Duration::from_secs(1));
    assert_eq!((app.slugs()[0], app.slugs().len()), ("coin-5", 400), "no key was pressed for 2 s");
}

#[test]
fn removed_coin_stays_until_two_seconds_after_a_key() {
    let mut app = App::new();
    app.answer(&all(1), page(three(), Some(3)));
    app.key(KeyCode::Down);
    app.answer(&all(1), page(three().split_off(1), Some(2)));
    assert_eq!(app.slugs(), ["bitcoin", "ordi", "void"]);
    app.answer(&all(1), page(three().split_off(1), Some(2)));
    assert_eq!(app.slugs(), ["bitcoin", "ordi", "void"], "also after another refresh");
    app.wait(Duration::from_secs(2));
    assert_eq!(app.slugs(), ["ordi", "void"]);
    assert_eq!(app.selected(), "ordi");
}

#[test]
fn filtered_and_found_rows_stay_while_keys_are_pressed() {
    for keys in ["Fg", "/coin"] {
        let mut app = App::new();
        let mut coins = many(1, 20);
        coins.iter_mut().for_each(|coin| coin.change_24h_pct = Some(1.0));
        app.answer(&all(1), page(coins.clone(), Some(20)));
        app.keys(keys);
        if keys.starts_with('/') {
            app.key(KeyCode::Enter);
        }
        app.key(KeyCode::Down);
        let before = app.slugs().len();
        coins[0].change_24h_pct = Some(-1.0);
        let coin = coins.remove(10);
        app.answer(&all(1), page(coins, Some(19)));
        assert_eq!(app.slugs().len(), before, "{keys}");
        assert_eq!(app.slugs()[10], coin.slug.as_deref().unwrap(), "{keys}");
        app.wait(Duration::from_secs(2));
        assert_eq!(app.slugs().len(), if keys == "Fg" { 18 } else { 19 }, "{keys}");
    }
}

#[test]
fn failure_keeps_old_value_and_success_clears_failure() {
    let mut app = App::new();
    app.answer(&all(1), page(three(), Some(3)));
    app.fail(&all(1));
    let remote = app.state.responses.coins(&all(1));
    assert!(remote.value.is_some() && !remote.is_stale(app.now), "a failure doesn't make it stale");
    app.wait(Duration::from_mins(5) + Duration::from_millis(1));
    let remote = app.state.responses.coins(&all(1));
    assert!(remote.value.is_some() && remote.is_stale(app.now));
    assert!(remote.failure().unwrap().error.to_string().contains("refused"));
    assert_eq!(app.slugs().len(), 3);
    app.answer(&all(1), page(three(), Some(3)));
    assert!(!app.state.responses.coins(&all(1)).is_stale(app.now));
    assert_eq!(app.state.responses.errors().len(), 1);
}

#[test]
fn expired_value_is_stale_without_failure() {
    let mut app = App::new();
    app.answer(&all(1), page(three(), Some(3)));
    app.wait(Duration::from_mins(5));
    assert!(!app.state.responses.coins(&all(1)).is_stale(app.now));
    app.wait(Duration::from_mins(1));
    assert!(app.state.responses.coins(&all(1)).is_stale(app.now));
}

#[test]
fn late_reply_does_not_replace_newer_one() {
    let mut app = App::new();
    let late = app.start(&all(1));
    let newer = app.start(&all(1));
    app.arrive(&all(1), late, page(vec![coin(1, "late", "L", None)], Some(1)));
    assert!(app.slugs().is_empty());
    app.arrive(&all(1), newer, page(three(), Some(3)));
    app.arrive(&all(1), late, page(vec![coin(1, "late", "L", None)], Some(1)));
    assert_eq!(app.slugs(), ["bitcoin", "ordi", "void"]);
}

#[test]
fn next_page_loads_near_the_end_and_is_joined_by_id() {
    let mut app = App::new();
    app.answer(&all(1), page(many(1, 200), None));
    assert_eq!(app.wanted(), ["Coin list 1–200"]);
    app.key(KeyCode::End);
    assert_eq!(app.wanted(), ["Coin list 1–200", "Coin list 201–400"]);
    // The server counts from 0, or a coin fell behind meanwhile: an overlap of one.
    app.answer(&all(201), page(many(200, 30), None));
    assert_eq!(app.slugs().len(), 229);
    assert_eq!(app.state.list(Tag::All).total(), Some(229));
    app.key(KeyCode::End);
    assert_eq!(app.wanted(), ["Coin list 1–200", "Coin list 201–400"], "a short page is the last one");
}

#[test]
fn capped_page_continues_where_it_stopped() {
    let mut app = App::new();
    app.answer(&all(1), page(many(1, 100), None));
    app.key(KeyCode::End);
    assert_eq!(app.wanted(), ["Coin list 1–200", "Coin list 101–300"]);
    app.answer(&all(101), page(Vec::new(), None));
    assert_eq!(app.state.list(Tag::All).total(), Some(100));
}

#[test]
fn search_and_sort_load_the_whole_list() {
    let mut app = App::new();
    app.answer(&all(1), page(many(1, 200), Some(450)));
    app.keys("/coin-4");
    let last_page = |app: &App| app.wanted().into_iter().rfind(|words| words.starts_with("Coin list")).unwrap();
    assert_eq!(last_page(&app), "Coin list 201–400");
    app.answer(&all(201), page(many(201, 200), Some(450)));
    assert_eq!(last_page(&app), "Coin list 401–600");
    app.answer(&all(401), page(many(401, 50), Some(450)));
    assert_eq!(app.slugs().len(), 1 + 10 + 51, "4, 40 to 49, 400 to 450");
    app.key(KeyCode::Enter);
    assert_eq!(app.slugs().len(), 62, "Enter keeps the search");
    app.key(KeyCode::Esc);
    assert_eq!(app.slugs().len(), 450);
}

#[test]
fn keys_are_typed_while_editing() {
    let mut app = App::new();
    app.answer(&all(1), page(three(), Some(3)));
    app.keys("/");
    assert!(app.keys("q1f").is_empty(), "neither quits nor watches");
    assert_eq!(app.state.list(Tag::All).search.value(), "q1f");
    assert!(app.slugs().is_empty());
    app.key(KeyCode::Esc);
    assert_eq!(app.keys("q"), [Effect::Quit]);
}

#[test]
fn sort_puts_missing_numbers_last_in_both_directions() {
    let mut app = App::new();
    app.answer(&all(1), page(three(), Some(3)));
    for (descending, expected) in [(true, ["bitcoin", "ordi", "void"]), (false, ["ordi", "bitcoin", "void"])] {
        app.state.list_mut(Tag::All).sort_by(Sort { column: SortColumn::Price, descending });
        assert_eq!(app.slugs(), expected);
    }
}

#[test]
fn heading_click_sorts_and_second_click_reverses() {
    let mut app = App::new();
    app.answer(&all(1), page(three(), Some(3)));
    let price = SortColumn::ALL.iter().position(|c| *c == SortColumn::Price).unwrap();
    app.send(Message::Click(ClickTarget::Heading(None, price)));
    assert_eq!(app.slugs(), ["bitcoin", "ordi", "void"]);
    app.send(Message::Click(ClickTarget::Heading(None, price)));
    assert_eq!(app.slugs(), ["ordi", "bitcoin", "void"]);
}

#[test]
fn enter_opens_token_and_esc_returns_to_the_row() {
    let mut app = App::new();
    app.answer(&all(1), page(three(), Some(3)));
    app.key(KeyCode::Down);
    app.key(KeyCode::Enter);
    assert_eq!(app.wanted(), ["ordi 7D chart", "Top posts about ORDI", "Markets of ORDI", "Coin list 1–200"]);
    app.keys("]");
    assert_eq!(app.state.token.as_ref().unwrap().period, Period::Month);
    assert_eq!(app.wanted()[0], "ordi 1M chart");
    app.key(KeyCode::Esc);
    assert_eq!((app.state.token.is_none(), app.selected()), (true, "ordi"));
}

#[test]
fn small_screen_requests_only_visible_panels() {
    let mut app = App::new();
    app.answer(&all(1), page(three(), Some(3)));
    app.send(Message::Resize(40, 12));
    app.key(KeyCode::Enter);
    assert_eq!(app.wanted(), ["bitcoin 7D chart", "Coin list 1–200"]);
    app.key(KeyCode::Tab);
    app.key(KeyCode::Tab);
    assert_eq!(app.wanted(), ["Top posts about BTC", "Coin list 1–200"]);
}

#[test]
fn watched_coin_is_saved_and_added_to_wallet_request() {
    let watched = vec![Watched::by_symbol("BTC")];
    let mut app = App::with(Preferences { watched, ..Preferences::default() });
    app.answer(&all(1), page(three(), Some(3)));
    app.key(KeyCode::Down);
    let ordi = Watched { symbol: "ORDI".into(), slug: Some("ordi".into()), id: Some("id-ordi".into()) };
    assert_eq!(app.keys("f"), [Effect::Save(1, Change::Watch(ordi.clone()))]);
    assert!(!app.screen((160, 45)).contains("Watching ORDI"), "a kill would lose it");
    app.wait(Duration::from_secs(5));
    app.send(Message::Saved(1, Ok(())));
    assert!(app.screen((160, 45)).contains("Watching ORDI"));
    app.wait(Duration::from_secs(5));
    assert!(!app.screen((160, 45)).contains("Watching ORDI"));
    app.keys("4");
    assert_eq!(app.wanted(), ["Price history of BTC + 1 more (USD, 1h)"]);
    app.keys("[");
    assert_eq!(app.wanted(), ["Price history of BTC + 1 more (USD, 15m)"]);
    app.keys("1");
    assert_eq!(app.keys("f"), [Effect::Save(2, Change::Unwatch(ordi))]);
    app.keys("4");
    assert_eq!(app.wanted(), ["Price history of BTC (USD, 15m)"]);
}

#[test]
fn shared_symbol_is_ambiguous_and_known_coin_is_not() {
    let cat = Watched { symbol: "CAT".into(), slug: Some("cat-two".into()), id: None };
    let watched = vec![Watched::by_symbol("DOG"), cat];
    let mut app = App::with(Preferences { watched, ..Preferences::default() });
    app.keys("4");
    let request = demand(&app.state).visible[0].clone();
    let response =
        vec![series("DOG", "dog-one"), series("DOG", "dog-two"), series("CAT", "cat-one"), series("CAT", "cat-two")];
    app.answer(&request, ResponseData::Market(response));
    let rows: Vec<_> = app.state.wallet.rows().iter().map(|row| (row.series, row.ambiguous)).collect();
    assert_eq!(rows, [(Some(0), Some(2)), (Some(1), Some(2)), (Some(3), None)]);
}

#[test]
fn currency_change_requests_again_and_keeps_old_prices_labelled() {
    let mut app = App::new();
    app.answer(&all(1), page(three(), Some(3)));
    app.keys("c");
    app.keys("eur");
    app.key(KeyCode::Enter);
    assert_eq!(app.state.convert.as_str(), "EUR");
    assert_eq!(app.slugs().len(), 3);
    let usd = |coin: &satscope::model::Coin| coin.convert == satscope::model::Currency::usd();
    assert!(app.state.list(Tag::All).coins().all(usd), "old prices keep their currency");
    assert!(
        app.state.responses.response(&demand(&app.state).visible[0]).is_none(),
        "no response in the new currency yet"
    );
    let Request::Coins { convert, .. } = &demand(&app.state).visible[0] else { panic!() };
    assert_eq!(convert.as_str(), "EUR");
}

#[test]
fn invisible_indexer_list_is_not_requested() {
    let lists = |app: &App| -> Vec<String> {
        let wanted = app.wanted().into_iter();
        wanted.filter(|what| what.starts_with("Holders") || what.contains("activity")).collect()
    };
    let mut app = indexer_with(&["ordi"]);
    assert_eq!(
        lists(&app),
        ["Holders of ordi (1–60)", "BRC-20 activity of ordi (1–60)"],
        "side by side at 160 columns"
    );
    app.send(Message::Resize(80, 24));
    assert_eq!(lists(&app), ["Holders of ordi (1–60)"]);
    for _ in 0..3 {
        app.key(KeyCode::Tab);
    }
    assert_eq!(lists(&app), ["BRC-20 activity of ordi (1–60)"]);
}

#[test]
fn moving_through_tokens_requests_details_after_debounce() {
    let mut app = indexer_with(&["ordi", "sats", "rats"]);
    app.key(KeyCode::Down);
    app.key(KeyCode::Down);
    assert_eq!(app.wanted(), ["BRC-20 tokens 1–60", "BRC-20 coins 1–200"]);
    let debounced = next_deadline(&app.state);
    assert_eq!(debounced, app.now.plus(Duration::from_millis(150)));
    app.wait(Duration::from_millis(150));
    assert_eq!(
        app.wanted(),
        [
            "BRC-20 tokens 1–60",
            "BRC-20 token rats",
            "Holders of rats (1–60)",
            "BRC-20 activity of rats (1–60)",
            "BRC-20 coins 1–200"
        ]
    );
}

#[test]
fn lookup_shows_subject_and_esc_goes_back() {
    let mut app = indexer_with(&["ordi"]);
    app.keys(":840000");
    app.key(KeyCode::Enter);
    assert_eq!(app.state.indexer.subject(), Some(Subject::Block(840_000)));
    assert!(app.wanted().contains(&String::from("BRC-20 activity in block 840000 (1–60)")));
    app.keys(":sat 5000000000");
    app.key(KeyCode::Enter);
    let sat = SatNumber::new(5_000_000_000).unwrap();
    assert_eq!(app.state.indexer.subject(), Some(Subject::Sat(sat)));
    app.key(KeyCode::Esc);
    assert_eq!(app.state.indexer.subject(), Some(Subject::Block(840_000)));
    app.key(KeyCode::Esc);
    assert_eq!(app.state.indexer.subject(), Some(Subject::Token("ordi".into())));
    assert_eq!(app.state.indexer.focus, Panel::Tokens);
}

#[test]
fn block_lookup_offers_whole_block_and_selected_token() {
    let mut app = indexer_with(&["ordi"]);
    app.key(KeyCode::Enter);
    app.keys(":block 840000");
    app.key(KeyCode::Enter);
    assert!(app.wanted().contains(&String::from("BRC-20 activity in block 840000 (1–60)")));
    app.key(KeyCode::Esc);
    app.keys(":block 840000");
    app.key(KeyCode::Down);
    app.key(KeyCode::Enter);
    assert_eq!(app.state.indexer.subject(), Some(Subject::TokenInBlock("ordi".into(), 840_000)));
    assert!(app.wanted().contains(&String::from("BRC-20 activity of ordi in block 840000 (1–60)")));
    // From there, the lookup also offers the same token in another block.
    app.keys(":block 840001");
    app.key(KeyCode::Down);
    app.key(KeyCode::Enter);
    assert!(app.wanted().contains(&String::from("BRC-20 activity of ordi in block 840001 (1–60)")));
    app.key(KeyCode::Esc);
    app.key(KeyCode::Esc);
    assert_eq!(app.state.indexer.subject(), Some(Subject::Token("ordi".into())));
}

#[test]
fn quit_key_closes_the_dialog_first() {
    let mut app = App::new();
    app.keys("?");
    assert!(app.state.overlay.is_some());
    assert!(app.keys("q").is_empty());
    assert!(app.state.overlay.is_none());
    assert_eq!(app.keys("q"), [Effect::Quit]);
    app.keys("c");
    let control_c = KeyEvent::new(KeyCode::Char('c'), KeyModifiers::CONTROL);
    assert_eq!(app.send(Message::Key(control_c)), [Effect::Quit]);
}

#[test]
fn new_sort_selects_first_row_and_refresh_keeps_coin() {
    let mut app = App::new();
    app.answer(&all(1), page(many(1, 200), Some(230)));
    app.keys("sp");
    assert_eq!(app.selected(), "coin-200", "the most expensive of the loaded coins");
    app.answer(&all(201), page(many(201, 30), Some(230)));
    assert_eq!(app.selected(), "coin-230", "the sort applies to the whole list, while nobody moves the selection");
    app.wait(Duration::from_secs(2));
    let mut cheap = many(201, 30);
    cheap[29].price = 0.5.into();
    app.answer(&all(201), page(cheap, Some(230)));
    assert_eq!((app.selected(), app.state.list(Tag::All).cursor.index()), ("coin-230", 229));
    app.keys("S");
    assert_eq!((app.selected(), app.state.list(Tag::All).cursor.index()), ("coin-230", 0));
    app.key(KeyCode::PageDown);
    app.keys("S");
    assert_eq!((app.selected(), app.state.list(Tag::All).cursor.index()), ("coin-229", 0), "from any row");
    app.key(KeyCode::End);
    app.send(Message::Click(ClickTarget::Heading(None, 0)));
    assert_eq!((app.selected(), app.state.list(Tag::All).cursor.index()), ("coin-1", 0), "a click does the same");
}

#[test]
fn end_key_selects_last_row_of_the_whole_list() {
    let mut app = App::new();
    app.answer(&all(1), page(many(1, 200), Some(450)));
    app.key(KeyCode::End);
    app.answer(&all(201), page(many(201, 200), Some(450)));
    assert_eq!(app.selected(), "coin-400");
    app.answer(&all(401), page(many(401, 50), Some(450)));
    assert_eq!(app.selected(), "coin-450");
    app.answer(&all(401), page(many(401, 49), Some(449)));
    app.wait(Duration::from_secs(2));
    app.key(KeyCode::End);
    app.key(KeyCode::Up);
    assert_eq!(app.selected(), "coin-448");
}

#[test]
fn leaving_search_keeps_selected_coin() {
    let mut app = App::new();
    app.answer(&all(1), page(three(), Some(3)));
    app.keys("/ordi");
    app.key(KeyCode::Enter);
    app.key(KeyCode::Enter);
    assert!(app.state.token.is_some());
    app.key(KeyCode::Esc);
    app.key(KeyCode::Esc);
    assert_eq!((app.slugs().len(), app.selected(), app.state.list(Tag::All).cursor.index()), (3, "ordi", 1));
}

#[test]
fn long_unneeded_responses_are_evicted() {
    let mut app = App::new();
    app.answer(&all(1), page(many(1, 200), Some(200)));
    for _ in 0..150 {
        app.key(KeyCode::Enter);
        app.key(KeyCode::Esc);
        app.key(KeyCode::Down);
    }
    assert!(app.state.responses.all().len() <= MAX_APP_RESPONSES);
    assert_eq!(app.slugs().len(), 200, "the list itself is still there");
}

#[test]
fn refresh_requests_visible_data() {
    let mut app = App::new();
    assert_eq!(app.keys("r"), [Effect::Refresh(vec![all(1)])]);
}

#[test]
fn click_selects_and_second_click_opens() {
    let mut app = App::new();
    app.answer(&all(1), page(three(), Some(3)));
    app.send(Message::Click(ClickTarget::Row(None, 1)));
    assert_eq!((app.selected(), app.state.token.is_some()), ("ordi", false));
    app.send(Message::Click(ClickTarget::Row(None, 1)));
    assert!(app.state.token.is_some());
    app.send(Message::Click(ClickTarget::Tab(Tab::Status)));
    assert!(app.state.token.is_none());
}

#[test]
fn rejected_currency_reverts_to_previous_one() {
    let mut app = App::new();
    app.answer(&all(1), page(three(), Some(3)));
    app.keys("Feprice > $0");
    app.key(KeyCode::Enter);
    app.keys("czzz");
    app.key(KeyCode::Enter);
    assert!(app.state.list(Tag::All).applied_filter().is_none());
    let refused = ErrorKind::Status { status: 400, message: None, retry_after: None };
    let first = demand(&app.state).visible[0].clone();
    app.fail_with(&first, refused.clone());
    assert_eq!((app.state.convert.as_str(), app.slugs().len()), ("USD", 2));
    assert_eq!(app.state.toast.as_ref().unwrap().text, "Unsupported currency: ZZZ");
    assert_eq!(app.state.list(Tag::All).applied_filter().map(|applied| applied.text.as_str()), Some("price > $0"));
    // A currency with one response is known to be supported, even if a later request fails.
    app.keys("ceur");
    app.key(KeyCode::Enter);
    let first = demand(&app.state).visible[0].clone();
    app.answer(&first, page(three(), Some(3)));
    app.fail_with(&first, refused);
    assert_eq!(app.state.convert.as_str(), "EUR");
}

#[test]
fn toast_disappears_with_the_next_key_or_its_screen() {
    let mut app = App::new();
    app.answer(&all(1), page(three(), Some(3)));
    app.send(Message::EffectFailed(String::from("it did not work")));
    app.send(Message::Tick);
    assert!(app.state.toast.is_some(), "no key");
    app.key(KeyCode::Down);
    assert!(app.state.toast.is_none());
    app.send(Message::EffectFailed(String::from("it did not work")));
    app.send(Message::Click(ClickTarget::Tab(Tab::Wallet)));
    assert!(app.state.toast.is_none(), "another screen");
    app.keys("1");
    app.send(Message::EffectFailed(String::from("it did not work")));
    app.send(Message::Loaded(Box::default()));
    assert!(app.state.toast.is_some(), "loading user data keeps the toast");
}

#[test]
fn successful_save_clears_only_save_failure_toast() {
    let mut app = App::new();
    app.send(Message::EffectFailed(String::from("Can't suspend")));
    app.send(Message::Saved(1, Ok(())));
    assert_eq!(app.state.toast.as_ref().unwrap().text, "Can't suspend");
    app.send(Message::Saved(2, Err(StoreNotice::from(String::from("Not saved: disk full")))));
    app.send(Message::Saved(2, Ok(())));
    assert!(app.state.toast.is_none());
}
