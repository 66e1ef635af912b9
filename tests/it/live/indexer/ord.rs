//! Inscriptions over ordinals.com and other ord servers.

use super::*;

#[tokio::test]
async fn ordinals_lists_inscriptions_on_a_sat_newest_first() {
    let ordinals = fakes::ord(false, true);
    let live = Live::in_order(&[(Ordinals, &ordinals)]);
    let ResponseData::Sat(sat) = live.answer(Request::Sat { number: SatNumber::new(SAT).unwrap() }).await else {
        panic!("no sat")
    };
    assert_eq!((sat.inscription_id.as_deref(), sat.name.as_str()), (Some(id(230).as_str()), "ahehcbywzae"));
    assert_eq!(sat.disagreements, []);
    let none = live.answer(Request::Sat { number: SatNumber::new(12).unwrap() }).await;
    assert!(matches!(none, ResponseData::Sat(sat) if sat.inscription_id.is_none() && sat.rarity == "common"));
    let page = live.on_sat(SAT, 5, 3).await;
    assert_eq!(page.total, Some(230));
    let ids: Vec<String> = page.items.iter().map(|found| found.id.to_string()).collect();
    assert_eq!(ids, [id(225), id(224), id(223)]);
    let first = &page.items[0];
    assert_eq!((first.number, first.address.as_deref()), (Some(775), Some(fakes::OWNER)));
    assert_eq!((first.genesis_block_height, first.genesis_fee, first.value), (Some(921_300), Some(1200), Some(546)));
    assert_eq!(first.genesis_time, Some(UtcTime::from_secs(1_795_075_200)));
    assert_eq!(first.charms, [Text::from("cursed")]);
    assert_eq!((first.sat, first.rarity.as_deref()), (SatNumber::new(SAT), Some("common")), "computed");
    let paths = ordinals.paths();
    assert_eq!(
        paths,
        [
            format!("/r/sat/{SAT}/at/-1"),
            String::from("/r/sat/12/at/-1"),
            format!("/r/sat/{SAT}"),
            format!("/r/sat/{SAT}/1"),
            format!("/r/sat/{SAT}/2"),
            format!("/r/inscription/{}", id(225)),
            format!("/r/inscription/{}", id(224)),
            format!("/r/inscription/{}", id(223)),
        ]
    );
    // Details are cached.
    assert_eq!(live.on_sat(SAT, 5, 2).await.items.len(), 2);
    assert_eq!(ordinals.paths().len(), paths.len() + 1, "full pages, too");
}

#[tokio::test]
async fn inscriptions_on_a_sat_with_many_pages_are_found_in_few_requests() {
    let ordinals = fakes::ord(false, true);
    let live = Live::in_order(&[(Ordinals, &ordinals)]);
    let pages = || ordinals.paths().iter().filter(|path| path.starts_with("/r/sat/")).count();
    for (offset, first, requests) in [(0, 15_029, 14), (25, 15_004, 6), (5_000, 10_029, 6), (5_029, 10_000, 6)] {
        let before = pages();
        let page = live.on_sat(8, offset, 10).await;
        let ids: Vec<String> = page.items.iter().map(|found| found.id.to_string()).collect();
        let expected: Vec<String> = (10_000..=first).rev().take(10).map(id).collect();
        assert_eq!((ids, page.total), (expected, Some(5_030)), "{offset}");
        assert!(pages() - before <= requests, "{offset}: {:?}", ordinals.paths());
    }
    let page = live.on_sat(8, 5_030, 10).await;
    assert_eq!((page.items.len(), page.total), (0, Some(5_030)));
}

#[tokio::test]
async fn ordinals_serves_inscriptions_by_id_only() {
    let ordinals = fakes::ord(false, true);
    let live = Live::in_order(&[(Ordinals, &ordinals)]);
    let found = live.inscription(InscriptionRef::Id(id(3).into())).await;
    assert_eq!((found.number, found.location.as_deref()), (Some(997), Some(format!("{}:0:0", tx(77)).as_str())));
    let request = Request::Inscription { inscription: InscriptionRef::Number(3) };
    assert!(live.not_served(request).await.contains("use the ID"));
    let stats = live.not_served(Request::InscriptionStats { from_block: None, to_block: None }).await;
    assert_eq!(stats, "Inscription statistics need your own indexer: set indexer_url");
    let unknown = Request::Inscription { inscription: InscriptionRef::Id(id(5_000).into()) };
    let error = live.get(&unknown).await.unwrap_err();
    assert!(matches!(error.kind, ErrorKind::NotFound { .. }), "{error:?}");
    assert!(ordinals.paths().iter().all(|path| path.starts_with("/r/")), "other routes return HTML");
    let ResponseData::InscriptionContent(content) = live.answer(Request::InscriptionContent { id: id(3).into() }).await
    else {
        panic!("no content")
    };
    assert_eq!(content.text, "<html>gm</html>");
}

#[tokio::test]
async fn failed_details_do_not_affect_others() {
    for failing in [230, 229] {
        let ordinals = fakes::ord(false, true);
        ordinals.edit(move |request, response| {
            if request.path.ends_with(&id(failing)) {
                FakeResponse { status: 500, body: b"Internal Server Error".to_vec(), ..response }
            } else {
                response
            }
        });
        let live = Live::in_order(&[(Ordinals, &ordinals)]);
        for limit in [4, 5] {
            let request = Request::SatInscriptions { number: SatNumber::new(SAT).unwrap(), offset: 0, limit };
            let reply = live.get(&request).await.unwrap();
            let Some(ResponseData::Inscriptions(page)) = &reply.response else { panic!("{reply:?}") };
            let without: Vec<&str> =
                page.items.iter().filter(|found| found.number.is_none()).map(|found| found.id.as_str()).collect();
            assert_eq!((page.items.len(), without), (limit as usize, vec![id(failing).as_str()]));
            let notice = format!("Only {} of {limit} inscription details loaded", limit - 1);
            assert!(reply.warnings.iter().any(|warning| warning.contains(&notice)), "{:?}", reply.warnings);
        }
        let asked = ordinals.paths().iter().filter(|path| path.ends_with(&id(failing))).count();
        assert_eq!(asked, 1, "not again at once");
    }
}

/// The newest inscriptions on the sat, and the warnings about them.
async fn rows_on_sat(live: &Live, limit: u32) -> (Vec<Inscription>, Vec<String>) {
    let request = Request::SatInscriptions { number: SatNumber::new(SAT).unwrap(), offset: 0, limit };
    let reply = live.get(&request).await.unwrap();
    let Some(ResponseData::Inscriptions(page)) = reply.response else { panic!("{reply:?}") };
    (page.items, reply.warnings.iter().map(ToString::to_string).collect())
}

/// An inscription on the sat without details.
fn only_id(number: u64) -> Inscription {
    let (sat, rarity) = (SatNumber::new(SAT), Some(Text::from("common")));
    Inscription { sat, rarity, ..Inscription::new(id(number).into()) }
}

#[tokio::test]
async fn list_of_a_sat_says_why_details_are_missing() {
    let cases: [(u16, &'static [u64], &str); 6] = [
        (404, &[229], "Only 2 of 3 inscription details loaded: not found (404)"),
        (404, &[230, 229, 228], "No inscription details loaded: not found (404)"),
        (429, &[230], "No inscription details loaded: rate-limited (429)"),
        (429, &[229], "Only 1 of 3 inscription details loaded: rate-limited (429)"),
        (503, &[230], "Only 2 of 3 inscription details loaded: server error (503)"),
        (401, &[230], "No inscription details loaded: "),
    ];
    for (status, failing, reason) in cases {
        let ordinals = fakes::ord(false, true);
        ordinals.edit(move |request, response| {
            let fails = failing.iter().any(|number| request.path == format!("/r/inscription/{}", id(*number)));
            if fails { FakeResponse { status, body: Vec::new(), ..response } } else { response }
        });
        let live = Live::in_order(&[(Ordinals, &ordinals)]);
        let (rows, warnings) = rows_on_sat(&live, 3).await;
        for (row, number) in rows.iter().zip([230, 229, 228]) {
            assert_eq!((row.id.as_str(), row.sat), (id(number).as_str(), SatNumber::new(SAT)), "{reason}");
        }
        assert_eq!(rows.len(), 3, "{reason}");
        let without = rows.iter().zip([230, 229, 228]).filter(|(row, _)| row.number.is_none());
        assert!(without.clone().all(|(row, number)| *row == only_id(number)), "{rows:?}");
        assert!(without.count() >= failing.len(), "{reason}");
        assert!(matches!(warnings.as_slice(), [warning] if warning.starts_with(reason)), "{reason}: {warnings:?}");
    }
}

#[tokio::test]
async fn next_provider_adds_missing_details() {
    let (ord, ordinals) = (fakes::ord(true, true), fakes::ord(false, true));
    ord.edit(|request, response| {
        if request.path.starts_with("/r/inscription/") { FakeResponse { status: 429, ..response } } else { response }
    });
    let live = Live::in_order(&[(Ord, &ord), (Ordinals, &ordinals)]);
    let (rows, warnings) = rows_on_sat(&live, 3).await;
    let numbers: Vec<_> = rows.iter().map(|row| row.number).collect();
    assert_eq!((numbers, warnings), (vec![Some(770), Some(771), Some(772)], Vec::new()));
}

#[tokio::test]
async fn details_are_not_requested_after_three_failures_in_a_row() {
    let ordinals = fakes::ord(false, true);
    ordinals.edit(|request, response| {
        if request.path.starts_with("/r/inscription/") { FakeResponse { status: 500, ..response } } else { response }
    });
    let live = Live::in_order(&[(Ordinals, &ordinals)]);
    for _ in 0..2 {
        let (rows, warnings) = rows_on_sat(&live, 10).await;
        let expected: Vec<Inscription> = (221..=230).rev().map(only_id).collect();
        assert_eq!(
            (rows, warnings),
            (expected, vec![String::from("No inscription details loaded: server error (500)")])
        );
    }
    let asked = ordinals.paths().iter().filter(|path| path.starts_with("/r/inscription/")).count();
    assert_eq!(asked, 3);
}

#[tokio::test]
async fn own_ord_server_lists_inscriptions() {
    let ord = fakes::ord(true, true);
    let live = Live::in_order(&[(Ord, &ord)]);
    let all = live.answer(Request::Inscriptions { address: None, offset: 95, limit: 10 }).await;
    let ResponseData::Inscriptions(page) = all else { panic!("{all:?}") };
    let ids: Vec<String> = page.items.iter().map(|found| found.id.to_string()).collect();
    assert_eq!(ids, (146..=155).rev().map(id).collect::<Vec<_>>());
    let own = live.answer(Request::Inscriptions { address: Some(fakes::OWNER.into()), offset: 0, limit: 10 }).await;
    let ResponseData::Inscriptions(own) = own else { panic!("{own:?}") };
    assert_eq!((own.items.len(), own.total, own.items[0].id.as_str()), (2, Some(2), id(3).as_str()));
    let found = live.inscription(InscriptionRef::Number(348_020)).await;
    assert_eq!(found.id.as_str(), id(1));
}

#[tokio::test]
async fn compressed_content_is_not_served() {
    let ord = fakes::ord(true, true);
    ord.edit(|request, response| {
        let body = b"inscription content encoding `br` is not acceptable. `Accept-Encoding` header: `gzip`".to_vec();
        if request.path.starts_with("/content/") { FakeResponse { status: 406, body, ..response } } else { response }
    });
    let live = Live::in_order(&[(Ord, &ord)]);
    let reason = live.not_served(Request::InscriptionContent { id: id(3).into() }).await;
    assert_eq!(reason, "Unsupported content encoding: br");
    assert_eq!(live.inscription(InscriptionRef::Number(348_020)).await.id.as_str(), id(1), "other requests work");
}

#[tokio::test]
async fn ord_server_without_indexes_names_missing_option() {
    let ord = fakes::ord(false, false);
    let live = Live::in_order(&[(Ord, &ord)]);
    let sat = Request::SatInscriptions { number: SatNumber::new(SAT).unwrap(), offset: 0, limit: 10 };
    assert_eq!(live.not_served(sat).await, "This ord server has no sat index: start it with --index-sats");
    let number = |number| Request::Inscription { inscription: InscriptionRef::Number(number) };
    assert_eq!(live.not_served(number(1)).await, "The JSON API of this ord server is disabled");
    live.not_served(number(2)).await;
    assert_eq!(ord.paths().iter().filter(|path| path.starts_with("/inscription/")).count(), 1, "it is requested once");
    assert_eq!(live.inscription(InscriptionRef::Id(id(3).into())).await.number, Some(997));
}

#[tokio::test]
async fn ord_server_without_an_index_for_addresses_names_the_option() {
    for (status, body, sentence) in [
        (404, "this server has no address index", "no address index: start it with --index-addresses"),
        (
            200,
            r#"{"outputs":[],"inscriptions":null,"sat_balance":1,"runes_balances":null}"#,
            "no inscription index: start it without --no-index-inscriptions",
        ),
    ] {
        let ord = fakes::ord(true, true);
        ord.edit(move |request, response| {
            if request.path.starts_with("/address/") {
                FakeResponse { status, body: body.as_bytes().to_vec(), ..response }
            } else {
                response
            }
        });
        let live = Live::in_order(&[(Ord, &ord)]);
        let own = Request::Inscriptions { address: Some(fakes::OWNER.into()), offset: 0, limit: 10 };
        assert_eq!(live.not_served(own).await, format!("This ord server has {sentence}"));
    }
}

#[tokio::test]
async fn lost_inscription_exists_and_other_inscriptions_of_its_sat_have_details() {
    let ord = fakes::ord(true, true);
    let lost = format!("/r/inscription/{}", id(230));
    ord.edit(move |request, response| {
        if request.path == lost {
            let body = format!("inscription {} current transaction not found", id(230)).into_bytes();
            FakeResponse { status: 404, body, ..response }
        } else {
            response
        }
    });
    let live = Live::in_order(&[(Ord, &ord)]);
    let request = Request::Inscription { inscription: InscriptionRef::Id(id(230).into()) };
    let sentence = "The inscription exists, but this ord server can't locate it";
    assert_eq!(live.not_served(request.clone()).await, sentence);
    let (rows, warnings) = rows_on_sat(&live, 2).await;
    let rows: Vec<_> = rows.iter().map(|found| (found.id.to_string(), found.number)).collect();
    assert_eq!(rows, [(id(230), None), (id(229), Some(771))]);
    let reason = sentence.replace("The inscription", "the inscription");
    assert_eq!(warnings, [format!("Only 1 of 2 inscription details loaded: {reason}")]);
    // Another provider may know more.
    let ordinals = fakes::ord(false, true);
    let live = Live::in_order(&[(Ord, &ord), (Ordinals, &ordinals)]);
    assert!(matches!(live.answer(request).await, ResponseData::Inscription(found) if found.number == Some(770)));
}

#[tokio::test]
async fn slow_details_are_fetched_later() {
    let ordinals = fakes::ord(false, true);
    let mut settings = settings(&[(Ordinals, &ordinals.url, None)]);
    let provider = settings.providers.get_mut(&Ordinals).unwrap();
    provider.min_gap = Some(Duration::from_secs(30));
    let live = Live::with(settings);
    // The first request is sent at once, the next one after 30 s.
    let request = Request::SatInscriptions { number: SatNumber::new(7).unwrap(), offset: 0, limit: 10 };
    let mut reply = std::pin::pin!(live.get(&request));
    while ordinals.paths().is_empty() {
        tokio::select! {
            reply = &mut reply => panic!("{reply:?}"),
            () = tokio::task::yield_now() => {}
        }
    }
    let early = tokio::time::timeout(Duration::from_millis(300), &mut reply).await;
    assert!(early.is_err(), "{early:?}");
    assert_eq!(ordinals.paths(), ["/r/sat/7"]);
}

#[tokio::test]
async fn request_that_no_provider_supports_needs_no_block_height() {
    let (ordinals, mempool) = (fakes::ord(false, true), Fake::start(|_| json(200, "923106")));
    let live = Live::in_order(&[(Ordinals, &ordinals), (Mempool, &mempool)]);
    live.not_served(Request::InscriptionStats { from_block: None, to_block: None }).await;
    live.not_served(Request::Inscription { inscription: InscriptionRef::Number(3) }).await;
    assert_eq!((mempool.paths(), ordinals.paths()), (Vec::<String>::new(), Vec::new()));
    live.inscription(InscriptionRef::Id(id(3).into())).await;
    assert_eq!(mempool.paths().first().map(String::as_str), Some("/blocks/tip/height"));
    assert_eq!(ordinals.paths().len(), 1);
}
