//! The responses: staleness, eviction, deadlines, and the demand of background rules.

use std::sync::Arc;
use std::time::Duration;

use satscope::app::responses::{GRACE, MAX_BODY_BYTES, Responses};
use satscope::app::status::{self, Line};
use satscope::app::toast::Toast;
use satscope::app::{Message, demand, next_deadline};
use satscope::client::{Error, ErrorKind, Notice, Request, ResponseData};
use satscope::fetch::{BackgroundNeed, Event, FetchId, MAX_APP_RESPONSES, Receipt};
use satscope::model::{ChainState, Chart, CoinId, Currency, Period, VolumeSpan};
use satscope::user_data::StoreNotice;

use super::fixtures::{App, START, all, many, page, three};

#[test]
fn value_is_stale_just_after_grace() {
    let mut app = App::new();
    app.answer(&all(1), page(three(), Some(3)));
    app.wait(Duration::from_mins(5) + GRACE);
    assert!(!app.state.responses.coins(&all(1)).is_stale(app.now));
    app.wait(Duration::from_millis(1));
    assert!(app.state.responses.coins(&all(1)).is_stale(app.now));
}

#[test]
fn store_is_bounded_and_reports_loading() {
    let mut app = App::new();
    assert!(!app.state.responses.is_loading());
    let fetch_id = app.start(&all(1));
    assert!(app.state.responses.is_loading());
    app.arrive(&all(1), fetch_id, page(three(), Some(3)));
    assert!(!app.state.responses.is_loading());
    for n in 0..2 * MAX_APP_RESPONSES {
        app.state.responses.record_demand(&[Request::Brc20Token { ticker: format!("x{n}").into() }]);
    }
    assert_eq!(app.state.responses.all().len(), MAX_APP_RESPONSES);
}

#[test]
fn large_invisible_responses_are_evicted_oldest_first_and_visible_ones_never() {
    let mut app = App::new();
    let chart =
        |n: usize| Request::Chart { slug: format!("coin-{n}").into(), period: Period::Day, convert: Currency::usd() };
    let day = |n: usize| {
        let (slug, convert) = (format!("coin-{n}").into(), Currency::usd());
        ResponseData::Chart(Chart {
            slug,
            period: Period::Day,
            convert,
            points: Vec::new(),
            volume_span: VolumeSpan::Day,
            candles: None,
        })
    };
    let kept = |app: &App| (0..6).filter(|n| app.state.responses.response(&chart(*n)).is_some()).collect::<Vec<_>>();
    let arrive = |app: &mut App, bytes, request: &Request, response: Option<ResponseData>| {
        app.state.responses.record_demand(std::slice::from_ref(request));
        let fetch_id = FetchId(1);
        app.state.responses.apply(Event::Started { request: request.clone(), fetch_id, at: app.now });
        app.arrive_of(bytes, request, fetch_id, response);
    };
    for n in 0..6 {
        arrive(&mut app, MAX_BODY_BYTES / 4, &chart(n), Some(day(n)));
    }
    assert_eq!(kept(&app), [2, 3, 4, 5]);
    // A very large page evicts none of them: neither while it is visible, nor while its list keeps it.
    arrive(&mut app, 3 * MAX_BODY_BYTES, &all(1), Some(page(three(), Some(3))));
    assert_eq!((app.slugs().len(), kept(&app)), (3, vec![2, 3, 4, 5]));
    app.keys("4");
    assert_eq!(kept(&app), [2, 3, 4, 5]);
    app.keys("1");
    assert_eq!((app.slugs().len(), kept(&app)), (3, vec![2, 3, 4, 5]));
    // A confirmed response keeps its size, although it had no body.
    arrive(&mut app, 0, &chart(2), None);
    let receipt = app.state.responses.get(&chart(2)).entry.and_then(|entry| entry.receipt.as_ref());
    assert_eq!(receipt.map(|receipt| receipt.bytes), Some(MAX_BODY_BYTES / 4), "also in the snapshot");
    arrive(&mut app, MAX_BODY_BYTES / 4, &chart(0), Some(day(0)));
    assert_eq!(kept(&app), [0, 2, 4, 5]);
    // The page isn't evicted before newer ones while its list keeps it: that would free nothing.
    app.keys("4");
    for n in 1..6 {
        arrive(&mut app, MAX_BODY_BYTES / 4, &chart(n), Some(day(n)));
    }
    app.state.responses.record_demand(&[]);
    assert_eq!((kept(&app), app.state.responses.response(&all(1)).is_some()), (vec![2, 3, 4, 5], true));
}

#[test]
fn notice_of_a_confirmation_replaces_the_one_before() {
    let mut app = App::new();
    let request = all(1);
    let unread: Arc<[String]> = Arc::from([String::from("$[7]: expected a price")]);
    app.state.responses.record_demand(std::slice::from_ref(&request));
    for (fetch_id, response, notice) in
        [(1, Some(Arc::new(page(three(), None))), Some("loading")), (2, None, Some("still loading")), (3, None, None)]
    {
        let (fetch_id, at) = (FetchId(fetch_id), app.now);
        app.state.responses.apply(Event::Started { request: request.clone(), fetch_id, at });
        let warnings = if response.is_some() { Arc::clone(&unread) } else { Arc::default() };
        let receipt = Receipt { warnings, notice: notice.map(Notice::from).map(Box::new), ..app.receipt() };
        app.state.responses.apply(Event::Arrived { request: request.clone(), fetch_id, response, receipt });
        let receipt = app.state.responses.get(&request).entry.and_then(|entry| entry.receipt.as_ref()).unwrap();
        assert_eq!((receipt.notice.as_deref().map(|notice| &**notice), receipt.warnings.as_ref()), (notice, &*unread));
    }
}

#[test]
fn error_of_evicted_request_is_released_and_stays_logged() {
    let mut app = App::new();
    let request = all(1);
    app.state.responses.record_demand(std::slice::from_ref(&request));
    let (fetch_id, at) = (FetchId(1), app.now);
    app.state.responses.apply(Event::Started { request: request.clone(), fetch_id, at });
    let kind = ErrorKind::Refused;
    let error = Arc::new(Error { what: request.describe(), origin: String::from("http://localhost"), kind });
    // The fetch task uses this to decide on an early retry.
    let weak = Arc::downgrade(&error);
    app.state.responses.apply(Event::Failed { request, fetch_id, error, at, next_try: None });
    assert_eq!(weak.strong_count(), 1);
    for n in 0..2 * MAX_APP_RESPONSES {
        app.state.responses.record_demand(&[Request::Brc20Token { ticker: format!("x{n}").into() }]);
    }
    assert_eq!((weak.strong_count(), app.state.responses.errors().len()), (0, 1));
}

#[test]
fn visible_data_is_never_evicted_and_evicts_nothing_else() {
    let mut responses = Responses::default();
    let token = |n: usize| Request::Brc20Token { ticker: format!("x{n}").into() };
    let many: Vec<_> = (0..MAX_APP_RESPONSES + 20).map(token).collect();
    responses.record_demand(&[token(9999)]);
    responses.keep(&[token(9999)]);
    responses.record_demand(&many);
    assert_eq!(responses.all().len(), MAX_APP_RESPONSES + 21);
    responses.record_demand(&many[..1]);
    assert_eq!(responses.all().len(), MAX_APP_RESPONSES);
    let mut arrive = |request: Request, bytes| {
        let fetch_id = FetchId(1);
        responses.record_demand(&[request.clone(), all(1)]);
        responses.apply(Event::Started { request: request.clone(), fetch_id, at: START });
        let (response, receipt) = (Some(Arc::new(page(three(), None))), Receipt { bytes, ..App::new().receipt() });
        responses.apply(Event::Arrived { request, fetch_id, response, receipt });
    };
    arrive(token(7), 1);
    arrive(all(1), 3 * MAX_BODY_BYTES);
    arrive(token(8), 1);
    assert!([token(7), token(8), all(1)].iter().all(|request| responses.response(request).is_some()));
    responses.record_demand(&[]);
    assert!(responses.response(&all(1)).is_none(), "neither demanded nor kept by a list");
}

#[test]
fn deadlines_are_in_the_future_and_for_visible_data() {
    let mut app = App::new();
    app.answer(&all(1), page(three(), Some(3)));
    let secs = |app: &App| next_deadline(&app.state).secs() - app.now.secs();
    assert_eq!(secs(&app), 60, "now becomes 1 m");
    app.keys("6");
    assert_eq!(secs(&app), 60, "the status tab shows the age of everything");
    app.keys("5");
    assert_eq!(secs(&app), 60, "the indexer shows none of it");
    app.keys("6");
    app.start(&all(1));
    app.fail(&all(1));
    let failing = secs(&app);
    let fetch_id = app.start(&all(1));
    assert!(failing <= 10, "{failing}");
    app.arrive(&all(1), fetch_id, page(three(), Some(3)));
    let mut app = App::new();
    app.fail(&all(1));
    assert_eq!(secs(&app), 10, "the retry countdown");
    app.start(&all(1));
    assert_eq!(secs(&app), 60, "no countdown while a request is running");
    app.state.toast =
        Some(Toast { text: String::new(), is_error: false, ends_with: None, waits_for: None, until: Some(START) });
    app.state.indexer.debounce_until = Some(START);
    assert_eq!(secs(&app), 60, "a time in the past is no deadline");
}

#[test]
fn deadline_follows_data_that_just_became_stale() {
    let mut app = App::new();
    let fetch_id = app.start(&all(1));
    app.arrive(&all(1), fetch_id, page(three(), Some(3)));
    app.wait(Duration::from_mins(5) + GRACE + Duration::from_secs(10) - Duration::from_millis(1));
    assert!(app.state.responses.coins(&all(1)).is_stale(app.now));
    assert!(next_deadline(&app.state) > app.now);
    app.wait(Duration::from_millis(1));
    assert!(next_deadline(&app.state) > app.now);
}

#[test]
fn newest_block_is_demanded_in_the_background_and_shown_in_status_tab() {
    let mut app = App::new();
    app.state.preferences.background_per_minute = 7;
    app.answer(&all(1), page(three(), Some(3)));
    let wanted = demand(&app.state);
    let later = BackgroundNeed::new(Request::ChainState, Duration::from_mins(1));
    let need = BackgroundNeed { retries_soon: true, ..later.clone() };
    assert_eq!((&wanted.visible[..], &wanted.background[..]), (&[all(1)][..], &[need][..]));
    assert_eq!(wanted.has_rows, [true, false]);
    // It stays in the responses, regardless of the screen.
    app.answer(&Request::ChainState, ResponseData::ChainState(ChainState { height: 923_105, hash: None, fees: None }));
    assert_eq!(demand(&app.state).background, [later]);
    for n in 0..2 * MAX_APP_RESPONSES as u64 {
        app.state.responses.record_demand(&[Request::Brc20Token { ticker: format!("x{n}").into() }]);
        app.send(Message::Tick);
    }
    assert!(app.state.responses.response(&Request::ChainState).is_some());

    let texts = |app: &App| -> Vec<String> {
        let lines = status::lines(&app.state, 80);
        lines.into_iter().filter_map(|line| if let Line::Text(text) = line { Some(text) } else { None }).collect()
    };
    assert_eq!(texts(&app)[0], "At most 7 a minute · none waiting");
    let until = Some(app.now.plus(Duration::from_secs(25)));
    app.send(Message::Fetch(Event::Background { waiting: 3, until }));
    assert_eq!(texts(&app)[0], "At most 7 a minute · 3 waiting, next in 30 s");
    app.keys("6");
    assert_eq!(next_deadline(&app.state), app.now.plus(Duration::from_secs(20)), "the countdown");
    app.send(Message::Fetch(Event::Background { waiting: 1, until: None }));
    assert_eq!(texts(&app)[0], "At most 7 a minute · 1 waiting");
}

#[test]
fn newest_block_is_not_demanded_from_a_service_without_it() {
    for kind in [
        ErrorKind::NotFound { message: None },
        ErrorKind::Status { status: 501, message: None, retry_after: None },
        ErrorKind::Explained {
            status: 501,
            message: String::from("No source of blocks"),
            retry_after: None,
            must_wait: false,
        },
        ErrorKind::NotJson(String::from("HTML")),
    ] {
        let mut app = App::new();
        app.answer(&all(1), page(three(), Some(3)));
        app.fail_with(&Request::ChainState, ErrorKind::Refused);
        assert_eq!(demand(&app.state).background.len(), 1, "it is retried");
        app.fail_with(&Request::ChainState, kind.clone());
        assert!(demand(&app.state).background.is_empty(), "{kind:?}");
        assert!(app.state.responses.errors().next().is_none() && app.state.responses.all().len() == 1, "not an error");
        let lines = status::lines(&app.state, 80);
        assert!(lines.iter().any(|line| {
            matches!(line, Line::Text(text) if text.starts_with("Block height: not supported by this service"))
        }));
    }
}

#[test]
fn web_page_in_place_of_an_extension_is_retried_slowly() {
    let mut app = App::new();
    app.answer(&all(1), page(three(), Some(3)));
    let web_page = || ErrorKind::NotFound { message: Some(String::from("an HTML page (“404 Not Found”)")) };
    let is_requested = |app: &App| demand(&app.state).background.iter().any(|need| need.request == Request::ChainState);
    for minutes in [5, 10, 20, 40] {
        app.fail_with(&Request::ChainState, web_page());
        let lines = format!("{:?}", status::lines(&app.state, 80));
        let retry = format!("not supported by this service · next check in {minutes} m");
        assert!(lines.contains(&retry), "{minutes}: {lines}");
        app.wait(Duration::from_mins(minutes) - Duration::from_secs(1));
        assert!(!is_requested(&app), "{minutes}");
        app.wait(Duration::from_secs(1));
        assert!(is_requested(&app), "{minutes}");
        let lines = format!("{:?}", status::lines(&app.state, 80));
        assert!(lines.contains("Block height: not supported by this service\""), "until it arrives: {lines}");
    }
    // A service that had the extension has it.
    app.answer(&Request::ChainState, ResponseData::ChainState(ChainState { height: 923_105, hash: None, fees: None }));
    app.fail_with(&Request::ChainState, web_page());
    assert!(is_requested(&app) && app.state.responses.response(&Request::ChainState).is_some());
    // Unless it says that it has not.
    app.fail_with(&Request::ChainState, ErrorKind::NotFound { message: Some(String::from("no such route")) });
    app.wait(Duration::from_hours(48));
    assert!(!is_requested(&app));
}

#[test]
fn status_tab_names_the_coins_that_are_requested_by_id() {
    let mut app = App::new();
    let mut coins = three();
    coins.extend(many(4, 3));
    app.answer(&all(1), page(coins, Some(6)));
    let label = |slugs: &[&str]| {
        let ids = slugs.iter().map(|slug| CoinId(format!("id-{slug}").into())).collect();
        app.state.request_label(&Request::CoinsById { ids, convert: Currency::parse("EUR").unwrap() })
    };
    assert_eq!(label(&["ordi"]), "Coin ORDI EUR");
    assert_eq!(label(&["bitcoin", "ordi"]), "Coins BTC, ORDI EUR");
    assert_eq!(label(&["bitcoin", "ordi", "void", "coin-4", "coin-5"]), "Coins BTC, ORDI, VOID and 2 more EUR");
    assert_eq!(label(&["unknown"]), "Coin with ID id-unknown EUR");
}

#[test]
fn status_tab_says_why_changes_are_not_saved_until_they_are() {
    let mut app = App::new();
    app.answer(&all(1), page(three(), Some(3)));
    let notice = |path: &str| StoreNotice {
        summary: String::from("Can't write satscope.db (disk full); changes stay in memory"),
        details: format!("Can't write {path}/satscope.db (disk full)"),
    };
    let texts = |app: &App| -> Vec<String> {
        let lines = status::lines(&app.state, 80).into_iter();
        lines.filter_map(|line| if let Line::Text(text) = line { Some(text) } else { None }).collect()
    };
    let before = texts(&app);
    app.send(Message::StoreFailed(notice("/home/me")));
    assert_eq!(app.state.toast.as_ref().unwrap().text, notice("").summary);
    app.wait(Duration::from_mins(2));
    let line = "2 m ago  Can't write /home/me/satscope.db (disk full); changes stay in memory";
    assert_eq!(texts(&app).iter().filter(|text| *text == line).count(), 1, "{:?}", texts(&app));
    app.keys("f");
    app.send(Message::Saved(1, Err(notice("/home/other"))));
    assert!(texts(&app).iter().any(|text| text.contains("/home/other")) && !texts(&app).contains(&line.to_owned()));
    app.keys("6");
    assert!(app.state.toast.is_none() && texts(&app).iter().any(|text| text.contains("/home/other")));
    app.send(Message::Saved(1, Ok(())));
    assert_eq!(texts(&app), before);
    // What happened once stays.
    let moved = StoreNotice {
        summary: String::from("Damaged database moved to satscope.db.damaged-1"),
        details: String::from("Damaged database moved to /home/me/satscope.db.damaged-1; started a new one"),
    };
    app.send(Message::StoreNotice(moved.clone()));
    app.send(Message::StoreNotice(moved.clone()));
    app.send(Message::Saved(2, Ok(())));
    assert_eq!(
        texts(&app).iter().filter(|text| text.contains("Damaged database moved")).count(),
        1,
        "{:?}",
        texts(&app)
    );
}

#[test]
fn notice_about_saved_data_stays_in_the_header_until_the_status_tab_shows_it() {
    let mut app = App::new();
    app.answer(&all(1), page(three(), Some(3)));
    let moved = "Damaged database moved to satscope.db.damaged-1";
    for _ in 0..2 {
        app.send(Message::StoreNotice(StoreNotice::from(moved.to_owned())));
    }
    let toast = |app: &App| app.state.shown_toast().map(|toast| toast.text.clone());
    app.wait(Duration::from_mins(1));
    assert_eq!(toast(&app), Some(format!("{moved} (6: details)")), "until the next key");
    app.keys("j");
    assert_eq!(toast(&app), None);
    app.wait(Duration::from_hours(1));
    assert!(app.screen((160, 45)).contains("1 notice in Status"), "{}", app.screen((160, 45)));
    assert!(app.screen((80, 24)).contains("◈ 1"), "{}", app.screen((80, 24)));
    app.keys("6");
    let screen = app.screen((80, 24));
    assert!(screen.contains(moved) && !screen.contains("◈"), "{screen}");
    // Not while it is below the last row.
    app.screen((80, 8));
    app.send(Message::StoreNotice(StoreNotice::from(String::from("satscope.db was deleted"))));
    assert_eq!((app.state.store_log.unseen(), toast(&app).as_deref()), (1, Some("satscope.db was deleted")));
    for _ in 0..10 {
        app.keys("j");
    }
    assert_eq!(app.state.store_log.unseen(), 0, "{}", app.screen((80, 8)));
}
