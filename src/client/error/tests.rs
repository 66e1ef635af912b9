use super::*;

fn error(kind: ErrorKind) -> Error {
    Error { what: String::from("Coin list 1–200"), origin: String::from("http://api.example"), kind }
}

fn words(text: &str) -> Option<String> {
    Some(String::from(text))
}

#[test]
fn error_states_request_host_reason_and_advice() {
    let retry_after = Some(Duration::from_secs(7));
    for (kind, sentence) in [
        (ErrorKind::Refused, "Coin list 1–200: Can't reach api.example (connection refused)"),
        (
            ErrorKind::TimeoutFirstByte(Duration::from_millis(1500)),
            "Coin list 1–200: No response from api.example within 1.5 s; try a longer --timeout",
        ),
        (
            ErrorKind::RateLimited { message: None, retry_after },
            "Coin list 1–200 from api.example: Rate-limited (429); try again in 7 s",
        ),
        (
            ErrorKind::RateLimited { message: None, retry_after: Some(Duration::from_secs(601)) },
            "Coin list 1–200 from api.example: Rate-limited (429); try again in 11 min",
        ),
        (
            ErrorKind::RateLimited { message: None, retry_after: Some(Duration::from_secs(7_201)) },
            "Coin list 1–200 from api.example: Rate-limited (429); try again in 3 h",
        ),
        (
            ErrorKind::RateLimited { message: words("no calls left"), retry_after: Some(Duration::MAX) },
            "Coin list 1–200 from api.example: Rate-limited (429): no calls left; try again in more than 2 days",
        ),
        (
            ErrorKind::Status { status: 503, message: None, retry_after },
            "Coin list 1–200 from api.example: Server error (503); try again in 7 s",
        ),
        (
            ErrorKind::Explained {
                status: 503,
                message: String::from("CoinGecko: timed out"),
                retry_after,
                must_wait: false,
            },
            "Coin list 1–200: CoinGecko: timed out; try again in 7 s",
        ),
        (
            ErrorKind::Status { status: 401, message: words("bad key"), retry_after: None },
            "Coin list 1–200 from api.example: Access denied (401): bad key; check the API key",
        ),
        (
            ErrorKind::Status { status: 502, message: None, retry_after: Some(Duration::ZERO) },
            "Coin list 1–200 from api.example: Server error (502)",
        ),
        (
            ErrorKind::Status { status: 400, message: None, retry_after: None },
            "Coin list 1–200 from api.example: Request failed (400); check the URL",
        ),
        (
            ErrorKind::NotFound { message: words("Not found") },
            "Coin list 1–200 from api.example: Not found (404); check the spelling and the URL",
        ),
        (
            ErrorKind::Mismatch { found: String::from("sats"), requested: String::from("ordi") },
            "Coin list 1–200 from api.example: Response is about sats, not ordi; check the spelling",
        ),
    ] {
        assert_eq!(error(kind).to_string(), sentence);
    }
}

#[test]
fn explanation_that_names_the_request_is_not_repeated() {
    let message = String::from("Inscription statistics need your own indexer: set indexer_url");
    let kind = ErrorKind::Explained { status: 501, message: message.clone(), retry_after: None, must_wait: false };
    let sentence = |what: &str| Error { what: what.to_owned(), ..error(kind.clone()) }.to_string();
    assert_eq!(sentence("Inscription statistics"), message);
    assert_eq!(sentence("Inscription stat"), format!("Inscription stat: {message}"));
}

#[test]
fn only_transient_errors_are_retryable() {
    let status = |status| ErrorKind::Status { status, message: None, retry_after: None };
    let in_body = |code| ErrorKind::InBody { code, message: None };
    for kind in [
        ErrorKind::Resolve,
        ErrorKind::Incomplete,
        ErrorKind::NoRows,
        ErrorKind::NoPrices,
        ErrorKind::TooFewCoins { found: 40, known: 200 },
        ErrorKind::RateLimited { message: None, retry_after: None },
        status(408),
        status(503),
        in_body(None),
        in_body(Some(-1)),
        in_body(Some(1008)),
    ] {
        assert!(error(kind.clone()).is_retryable(), "{kind:?}");
    }
    for kind in [
        ErrorKind::BadUrl(String::new()),
        ErrorKind::TooLarge(1),
        ErrorKind::NotFound { message: None },
        ErrorKind::Mismatch { found: String::from("sats"), requested: String::from("ordi") },
        status(400),
        status(403),
        in_body(Some(1001)),
        in_body(Some(1010)),
    ] {
        assert!(!error(kind.clone()).is_retryable(), "{kind:?}");
    }
}

#[test]
fn web_page_does_not_mean_that_an_extension_is_permanently_unsupported() {
    let status = |status, message: Option<&str>| ErrorKind::Status {
        status,
        message: message.map(String::from),
        retry_after: None,
    };
    let not_found = |message: Option<&str>| ErrorKind::NotFound { message: message.map(String::from) };
    let page = "an HTML page (“404 Not Found”)";
    for (kind, is_final) in [
        (status(501, None), true),
        (
            ErrorKind::Explained {
                status: 501,
                message: String::from("No provider"),
                retry_after: None,
                must_wait: false,
            },
            true,
        ),
        (not_found(Some("no such route")), true),
        (status(405, None), true),
        (not_found(Some(page)), false),
        (not_found(None), false),
        (status(405, Some(page)), false),
        (status(403, Some("forbidden")), false),
        (status(400, Some("bad request")), false),
        (ErrorKind::NotJson(String::from("an HTML page")), false),
        (ErrorKind::Unrecognised(String::from("{}")), false),
    ] {
        assert!(error(kind.clone()).is_not_offered(), "{kind:?}");
        assert_eq!(error(kind.clone()).is_permanently_unsupported(), is_final, "{kind:?}");
    }
}
