//! Details and balances of BRC-20 over Maestro.

use super::*;

#[tokio::test]
async fn maestro_follows_unisat_for_details_and_balances() {
    let unisat = fakes::UniSat::default().start();
    unisat.respond_with(json(500, "oops"));
    let maestro = fakes::maestro();
    let providers = [(UniSat, unisat.url.as_str(), None), (Maestro, maestro.url.as_str(), Some("maestro-key"))];
    let live = Live::with(settings(&providers));
    let token = live.token("ordi").await;
    assert_eq!(
        (token.max_supply, token.minted_supply, token.mint_limit, token.decimals, token.self_mint, token.holders),
        (
            amount("21000000"),
            amount("20999999.000000000000000001"),
            amount("1000"),
            Some(18),
            Some(false),
            Some(23_411)
        )
    );
    let balances = live.balances("bc1qholder").await;
    let read: Vec<_> = balances
        .items
        .iter()
        .map(|balance| (balance.ticker.as_deref(), balance.overall, balance.available, balance.transferable))
        .collect();
    assert_eq!(
        read,
        [
            (Some("ordi"), amount("7.000000000000000001"), None, None),
            (Some("sats"), amount("312000"), amount("0.123"), amount("311999.877"))
        ]
    );
    assert_eq!(live.balances("bc1qnobody").await.items, []);
    let error = live.get(&Request::Brc20Token { ticker: "liar".into() }).await.unwrap_err();
    assert!(error.to_string().contains("server error (500)"), "{error}");
    // No other provider serves these.
    let error = live.get(&Request::Brc20Holders { ticker: "ordi".into(), offset: 0, limit: 20 }).await.unwrap_err();
    assert!(matches!(error.kind, ErrorKind::Explained { status: 503, .. }), "{error:?}");
}

#[tokio::test]
async fn maestro_balances_are_read_to_the_last_page() {
    let maestro = fakes::maestro();
    let live = Live::with(settings(&[(Maestro, &maestro.url, Some("maestro-key"))]));
    let mut tickers = Vec::new();
    for offset in [0, 60, 120] {
        let request = Request::Brc20Balances { address: "bc1qmany".into(), offset, limit: 60 };
        let ResponseData::Balances(page) = live.answer(request).await else { panic!("no balances") };
        assert_eq!(page.total, Some(130));
        tickers.extend(page.items.into_iter().filter_map(|balance| balance.ticker));
    }
    let expected: Vec<String> = (0..130).map(|n| format!("t{n:03}")).collect();
    assert_eq!(tickers, expected);
    assert_eq!(maestro.paths().len(), 2, "its two pages serve all of ours");
}

#[tokio::test]
async fn maestro_balances_beyond_page_limit_give_a_warning() {
    let maestro = fakes::maestro();
    let live = Live::with(settings(&[(Maestro, &maestro.url, Some("maestro-key"))]));
    let request = Request::Brc20Balances { address: "bc1qendless".into(), offset: 0, limit: 60 };
    let reply = live.get(&request).await.unwrap();
    let Some(ResponseData::Balances(page)) = reply.response else { panic!("no balances") };
    assert_eq!((page.items.len(), page.total), (60, None));
    assert_eq!(reply.warnings, ["Only the first 2000 balances loaded"]);
    assert_eq!(maestro.paths().len(), 20);
}

#[tokio::test]
async fn maestro_numbers_may_be_text_and_amounts_numbers() {
    let maestro = fakes::maestro();
    let live = Live::with(settings(&[(Maestro, &maestro.url, Some("maestro-key"))]));
    let token = live.token("sats").await;
    assert_eq!((token.holders, token.decimals, token.self_mint), (Some(51_234), Some(8), None));
    assert_eq!([token.minted_supply, token.mint_limit, token.max_supply], ["2100.5", "1000", "2200"].map(amount));
}

#[tokio::test]
async fn maestro_without_key_gets_no_requests() {
    let maestro = fakes::maestro();
    let live = Live::in_order(&[(Maestro, &maestro)]);
    let sentence = live.not_served(Request::Brc20Token { ticker: "ordi".into() }).await;
    assert_eq!(sentence, "BRC-20 needs an indexer: set indexer_url or a free UniSat key");
    assert_eq!(maestro.requests().len(), 0);
}

#[tokio::test]
async fn maestro_does_not_decide_whether_a_six_byte_ticker_exists() {
    let maestro = fakes::maestro();
    maestro.edit(|_, response| match response.status {
        404 => {
            let headers = vec![("content-type", String::from("text/plain; charset=utf-8"))];
            FakeResponse { headers, body: b"Unable to find requested data on-chain".to_vec(), ..response }
        }
        _ => response,
    });
    let live = Live::with(settings(&[(Maestro, &maestro.url, Some("maestro-key"))]));
    let sentence = live.not_served(Request::Brc20Token { ticker: "sixbyt".into() }).await;
    assert_eq!(sentence, "6-byte tickers need UniSat or your own indexer");
    let error = live.get(&Request::Brc20Token { ticker: "none".into() }).await.unwrap_err();
    assert!(matches!(error.kind, ErrorKind::NotFound { .. }), "{error:?}");
}

#[tokio::test]
async fn error_402_of_maestro_may_mean_an_invalid_key() {
    let maestro = fakes::maestro();
    for (credits, expected) in [
        (None, "Maestro: no credits left today, or an invalid key (402)"),
        (Some("0"), "Maestro: no credits left today (402)"),
    ] {
        maestro.edit(move |_, mut response| {
            response.headers.extend(credits.map(|left| ("x-maestro-credits-remaining", String::from(left))));
            response
        });
        let live = Live::with(settings(&[(Maestro, &maestro.url, Some("old-key"))]));
        let error = live.get(&Request::Brc20Token { ticker: "ordi".into() }).await.unwrap_err();
        let ErrorKind::Explained { status: 503, message, .. } = &error.kind else { panic!("{error:?}") };
        assert_eq!(message, expected);
    }
}

#[tokio::test]
async fn only_a_404_of_maestro_means_no_balance() {
    let maestro = fakes::maestro();
    let live = Live::with(settings(&[(Maestro, &maestro.url, Some("maestro-key"))]));
    assert_eq!(live.balances("bc1qnobody").await.items, []);
    for body in ["<html>nginx 404</html>", r#"{"message":"no Route matched with those values"}"#, ""] {
        let maestro = fakes::maestro();
        maestro.respond_with(json(404, body));
        let live = Live::with(settings(&[(Maestro, &maestro.url, Some("maestro-key"))]));
        let request = Request::Brc20Balances { address: "bc1qnobody".into(), offset: 0, limit: 20 };
        let error = live.get(&request).await.unwrap_err();
        assert!(error.to_string().contains("404"), "{error}");
    }
}

#[tokio::test]
async fn maestro_balance_with_more_available_than_there_is_has_no_parts() {
    let maestro = fakes::maestro();
    maestro.respond_with(json(200, r#"{"data":{"ordi":{"total":"5","available":"7"}},"next_cursor":null}"#));
    let live = Live::with(settings(&[(Maestro, &maestro.url, Some("maestro-key"))]));
    let balances = live.balances("bc1qholder").await;
    assert_eq!((balances.items[0].overall, balances.items[0].available), (amount("5"), None));
}
