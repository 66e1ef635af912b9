//! The client against real servers on loopback: what is asked on the wire, and what becomes of any answer.

mod lists;
mod server;

use std::io::Write as _;
use std::time::Duration;

use satscope::client::config::Secret;
use satscope::client::{Answer, Client, ClientConfig, Error, ErrorKind, Limits, Paths, Reply, Request};
use satscope::model::{Currency, SatNumber, Tag, Text};
use server::{Server, Step, answer};

const SAT: &str = r#"{"coinbase_height":0,"cycle":0,"epoch":0,"period":0,"offset":7,"decimal":"0.7",
    "degree":"0°0′0″7‴","name":"nvtdijuwxli","percentile":"0.0000000000003333333337%","rarity":"common"}"#;

fn config(url: &str) -> ClientConfig {
    ClientConfig {
        base_url: url.to_owned(),
        indexer_url: url.to_owned(),
        market_headers: Vec::new(),
        indexer_headers: Vec::new(),
        paths: Paths::default(),
        first_index: 1,
        limits: Limits::default(),
    }
}

fn limited(url: &str, change: impl FnOnce(&mut Limits)) -> Client {
    let mut config = config(url);
    change(&mut config.limits);
    Client::new(config).unwrap()
}

fn client(url: &str) -> Client {
    limited(url, |_| {})
}

fn sat() -> Request {
    Request::Sat { number: SatNumber::new(7).unwrap() }
}

async fn get(server: &Server) -> Result<Reply, Error> {
    client(&server.url).get(&sat(), None).await
}

async fn fails(server: &Server) -> ErrorKind {
    get(server).await.unwrap_err().kind
}

fn gzip(bytes: &[u8]) -> Vec<u8> {
    let mut encoder = flate2::write::GzEncoder::new(Vec::new(), flate2::Compression::best());
    encoder.write_all(bytes).unwrap();
    encoder.finish().unwrap()
}

// What is asked.

#[tokio::test]
async fn the_wire_holds_every_byte_of_a_ticker() {
    let server = Server::answering("404 Not Found", "", r#"{"error":"Not found"}"#).await;
    let client = client(&server.url);
    let tickers = ["🔥", "a/b?", "#&%+", "$OG$", "a b\\", "....", "%2e.", "..;", "\t\r\n\0"];
    for ticker in tickers {
        client.get(&Request::Brc20Token { ticker: Text::from(ticker) }, None).await.unwrap_err();
    }
    let encoded =
        ["%F0%9F%94%A5", "a%2Fb%3F", "%23%26%25%2B", "%24OG%24", "a%20b%5C", "....", "%252e.", "..%3B", "%09%0D%0A%00"];
    assert_eq!(server.targets(), encoded.map(|ticker| format!("/ordinals/brc-20/tokens/{ticker}")));
}

#[tokio::test]
async fn a_ticker_that_a_path_cannot_hold_asks_nothing() {
    let server = Server::answering("200 OK", "", "{}").await;
    for ticker in [".", "..", ""] {
        let request = Request::Brc20Holders { ticker: Text::from(ticker), offset: 0, limit: 20 };
        let error = client(&server.url).get(&request, None).await.unwrap_err();
        assert!(matches!(error.kind, ErrorKind::Unaskable(_)), "{error}");
    }
    assert_eq!(server.connections(), 0);
}

#[tokio::test]
async fn requests_carry_the_right_headers_and_no_secret_elsewhere() {
    let server = Server::answering("500 Oops", "", "").await;
    let mut config = config(&server.url.replace("http://", "http://me:hunter2@"));
    config.market_headers = vec![(String::from("X-CMC_PRO_API_KEY"), Secret(String::from("k3y")))];
    let client = Client::new(config.clone()).unwrap();
    let coins = Request::Coins { tag: Tag::All, start: 1, limit: 2, convert: Currency::usd() };
    let error = client.get(&coins, None).await.unwrap_err();
    client.get(&sat(), None).await.unwrap_err();
    let heads: Vec<String> = server.heads().iter().map(|head| head.to_lowercase()).collect();
    let (market, indexer) = (&heads[0], &heads[1]);
    assert!(market.contains("x-cmc_pro_api_key: k3y\r\n"), "{market}");
    assert!(!indexer.contains("k3y"), "{indexer}");
    for head in [market, indexer] {
        assert!(head.contains("\r\naccept: application/json\r\n"), "{head}");
        assert!(head.contains("\r\naccept-encoding: identity\r\n"), "{head}");
        assert!(head.contains("\r\nauthorization: basic bwu6ahvudgvymg==\r\n"), "{head}");
        assert!(head.contains("\r\nuser-agent: satscope/"), "{head}");
    }
    let shown = format!("{error} {error:?} {client:?} {config:?}");
    for secret in ["hunter2", "k3y", "bWU6"] {
        assert!(!shown.contains(secret), "{secret} in {shown}");
    }
    assert_eq!(error.place, server.url);
}

#[tokio::test]
async fn a_url_or_header_that_cannot_be_used_is_told_at_once() {
    let kind = |change: fn(&mut ClientConfig)| {
        let mut config = config("http://127.0.0.1:1");
        change(&mut config);
        Client::new(config).unwrap_err().kind
    };
    assert!(matches!(kind(|config| config.base_url = String::from("nowhere")), ErrorKind::BadUrl(_)));
    assert!(matches!(kind(|config| config.indexer_url = String::from("ftp://x.example")), ErrorKind::BadUrl(_)));
    let header = |name: &str, value: &str| vec![(String::from(name), Secret(String::from(value)))];
    for (name, value) in [("a b", "x"), ("", "x"), ("x-key", "se\ncret")] {
        let mut config = config("http://127.0.0.1:1");
        config.market_headers = header(name, value);
        let error = Client::new(config).unwrap_err();
        assert!(matches!(error.kind, ErrorKind::BadHeader(_)), "{error}");
        assert!(!error.to_string().contains("cret"), "{error}");
    }
}

#[tokio::test]
async fn refreshes_share_one_connection() {
    let server = Server::answering("200 OK", "", SAT).await;
    let client = client(&server.url);
    for _ in 0..50 {
        client.get(&sat(), None).await.unwrap();
    }
    assert_eq!((server.heads().len(), server.connections()), (50, 1));
}

#[tokio::test]
async fn dropping_the_future_cancels_the_request() {
    let server = Server::start(|_, _| vec![Step::Hang]).await;
    let client = client(&server.url);
    let task = tokio::spawn(async move { client.get(&sat(), None).await });
    while server.heads().is_empty() {
        tokio::task::yield_now().await;
    }
    task.abort();
    server.gone(1).await;
}

// What comes back.

#[tokio::test]
async fn an_answer_tells_where_and_when_it_came_from() {
    let server = Server::answering("200 OK", "ETag: \"7\"\r\nCache-Control: max-age=30\r\n", SAT).await;
    let reply = get(&server).await.unwrap();
    assert!(matches!(reply.answer, Some(Answer::Sat(_))));
    assert_eq!((reply.status, reply.bytes), (200, SAT.len() as u64));
    assert_eq!(reply.url, format!("{}/ordinals/sats/7", server.url));
    assert_eq!(reply.max_age, Some(Duration::from_secs(30)));
    let validator = reply.validator.unwrap();
    assert_eq!((validator.url, validator.etag.as_str()), (reply.url, "\"7\""));
}

#[tokio::test]
async fn a_kept_answer_is_confirmed_without_a_body() {
    let server = Server::start(|head, _| {
        let confirmed = head.to_lowercase().contains("\r\nif-none-match: \"7\"\r\n");
        vec![Step::Send(match confirmed {
            true => b"HTTP/1.1 304 Not Modified\r\nCache-Control: max-age=5\r\n\r\n".to_vec(),
            false => answer("200 OK", "ETag: \"7\"\r\n", SAT.as_bytes()),
        })]
    })
    .await;
    let client = client(&server.url);
    let first = client.get(&sat(), None).await.unwrap();
    let second = client.get(&sat(), first.validator.as_ref()).await.unwrap();
    assert!(second.answer.is_none());
    assert_eq!((second.status, second.bytes), (304, 0));
    assert_eq!(second.max_age, Some(Duration::from_secs(5)));
    assert_eq!(second.validator, first.validator);
    // One server sends one tag for all its URLs: it means nothing for another one.
    let other = Request::Sat { number: SatNumber::new(8).unwrap() };
    assert!(client.get(&other, first.validator.as_ref()).await.unwrap().answer.is_some());
    assert_eq!(server.connections(), 1);
}

#[tokio::test]
async fn a_confirmation_that_nobody_asked_for_is_an_error() {
    let server = Server::answering("304 Not Modified", "", "").await;
    assert!(matches!(fails(&server).await, ErrorKind::Status { status: 304, .. }));
}

#[tokio::test]
async fn compressed_answers_are_read() {
    let server = Server::answering("200 OK", "Content-Encoding: gzip\r\n", gzip(SAT.as_bytes())).await;
    assert_eq!(get(&server).await.unwrap().bytes, SAT.len() as u64);
}

#[tokio::test]
async fn chunked_answers_are_read() {
    let (head, tail) = SAT.split_at(20);
    let chunk = |text: &str| format!("{:x}\r\n{text}\r\n", text.len());
    let body = format!("{}{}0\r\n\r\n", chunk(head), chunk(tail));
    let server = Server::start(move |_, _| {
        let head = "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n";
        vec![Step::Send(format!("{head}{body}").into_bytes())]
    })
    .await;
    assert_eq!(get(&server).await.unwrap().bytes, SAT.len() as u64);
}

#[tokio::test]
async fn a_large_answer_is_decoded_on_another_thread() {
    let rows: Vec<_> = (0..60).map(|n| format!(r#"{{"ticker":"t{n}","x":"{}"}}"#, "y".repeat(10_000))).collect();
    let body = format!(r#"{{"total":60,"results":[{}]}}"#, rows.join(","));
    let size = body.len() as u64;
    let server = Server::answering("200 OK", "", body).await;
    let request = Request::Brc20Tokens { ticker: None, offset: 0, limit: 60 };
    let reply = client(&server.url).get(&request, None).await.unwrap();
    assert_eq!(reply.bytes, size);
    let Some(Answer::Brc20Tokens(page)) = reply.answer else { panic!() };
    assert_eq!((page.items.len(), page.total), (60, Some(60)));
}

#[tokio::test]
async fn an_answer_nested_too_deep_is_not_read() {
    let server = Server::answering("200 OK", "", "[".repeat(100_000)).await;
    assert!(matches!(fails(&server).await, ErrorKind::TooDeep(64)));
}

#[tokio::test]
async fn the_log_holds_no_secret() {
    #[derive(Clone, Default)]
    struct Log(std::sync::Arc<std::sync::Mutex<Vec<u8>>>);
    impl std::io::Write for Log {
        fn write(&mut self, bytes: &[u8]) -> std::io::Result<usize> {
            self.0.lock().unwrap().write(bytes)
        }
        fn flush(&mut self) -> std::io::Result<()> {
            Ok(())
        }
    }
    let log = Log::default();
    let writer = log.clone();
    let subscriber = tracing_subscriber::fmt()
        .with_max_level(tracing::Level::TRACE)
        .with_ansi(false)
        .with_writer(move || writer.clone())
        .finish();
    let guard = tracing::subscriber::set_default(subscriber);
    let server = Server::answering("401 Unauthorized", "", r#"{"error":"bad key"}"#).await;
    let mut config = config(&server.url.replace("http://", "http://me:hunter2@"));
    config.indexer_headers = vec![(String::from("x-api-key"), Secret(String::from("k3y")))];
    Client::new(config).unwrap().get(&sat(), None).await.unwrap_err();
    drop(guard);
    let log = String::from_utf8(log.0.lock().unwrap().clone()).unwrap();
    assert!(log.contains("/ordinals/sats/7") && log.contains("bad key"), "{log}");
    for secret in ["hunter2", "k3y", "bWU6"] {
        assert!(!log.contains(secret), "{secret} in {log}");
    }
}

// What goes wrong.

#[tokio::test]
async fn nobody_there() {
    let listener = tokio::net::TcpListener::bind("127.0.0.1:0").await.unwrap();
    let url = format!("http://{}", listener.local_addr().unwrap());
    drop(listener);
    let error = client(&url).get(&sat(), None).await.unwrap_err();
    assert_eq!(error.kind, ErrorKind::Refused);
    assert!(error.is_retryable());
    assert_eq!(
        error.to_string(),
        format!("sat 7 from {url}: nothing answers there (connection refused); is the service running?")
    );
}

#[tokio::test]
async fn a_name_without_an_address() {
    let error = client("http://nonexistent.invalid").get(&sat(), None).await.unwrap_err();
    assert_eq!(error.kind, ErrorKind::Resolve, "{error}");
}

#[tokio::test]
async fn https_to_a_plain_server() {
    let listener = tokio::net::TcpListener::bind("127.0.0.1:0").await.unwrap();
    let url = format!("https://{}", listener.local_addr().unwrap());
    tokio::spawn(async move {
        while let Ok((mut stream, _)) = listener.accept().await {
            use tokio::io::{AsyncReadExt as _, AsyncWriteExt as _};
            let _ = stream.read(&mut [0; 16]).await;
            let _ = stream.write_all(b"HTTP/1.1 400 Bad Request\r\n\r\n").await;
        }
    });
    let error = client(&url).get(&sat(), None).await.unwrap_err();
    assert!(matches!(error.kind, ErrorKind::Tls(_)), "{error:?}");
}

#[tokio::test]
async fn no_first_byte_in_time() {
    let server = Server::start(|_, _| vec![Step::Hang]).await;
    let limit = Duration::from_millis(50);
    let client = limited(&server.url, |limits| limits.first_byte = limit);
    let error = client.get(&sat(), None).await.unwrap_err();
    assert_eq!(error.kind, ErrorKind::TimeoutFirstByte(limit));
}

#[tokio::test]
async fn an_answer_that_drips_is_given_up() {
    let head = b"HTTP/1.1 200 OK\r\nContent-Length: 100000\r\n\r\n".to_vec();
    let server = Server::start(move |_, _| vec![Step::Send(head.clone()), Step::Drip(b" ".to_vec())]).await;
    let limit = Duration::from_millis(100);
    let client = limited(&server.url, |limits| limits.total = limit);
    let error = client.get(&sat(), None).await.unwrap_err();
    assert_eq!(error.kind, ErrorKind::TimeoutTotal(limit));
    server.gone(1).await;
}

#[tokio::test]
async fn a_head_that_drips_is_given_up() {
    let server = Server::start(|_, _| vec![Step::Drip(b"HTTP/1.1".to_vec())]).await;
    let client = limited(&server.url, |limits| limits.total = Duration::from_millis(50));
    let error = client.get(&sat(), None).await.unwrap_err();
    assert!(matches!(error.kind, ErrorKind::TimeoutTotal(_) | ErrorKind::Damaged(_)), "{error}");
}

#[tokio::test]
async fn a_declared_length_over_the_limit_is_not_read() {
    let server = Server::start(|_, _| {
        let head = "HTTP/1.1 200 OK\r\nContent-Length: 99999999999999\r\n\r\n";
        vec![Step::Send(head.as_bytes().to_vec()), Step::Hang]
    })
    .await;
    let client = limited(&server.url, |limits| limits.body_bytes = 1000);
    assert_eq!(client.get(&sat(), None).await.unwrap_err().kind, ErrorKind::TooLarge(1000));
    server.gone(1).await;
}

#[tokio::test]
async fn an_endless_answer_ends_at_the_limit() {
    let server = Server::start(|_, _| {
        let chunk = format!("1000\r\n{}\r\n", "x".repeat(0x1000));
        let head = "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n";
        vec![Step::Send(head.as_bytes().to_vec()), Step::Repeat(chunk.into_bytes())]
    })
    .await;
    let client = limited(&server.url, |limits| limits.body_bytes = 1 << 20);
    assert_eq!(client.get(&sat(), None).await.unwrap_err().kind, ErrorKind::TooLarge(1 << 20));
    server.gone(1).await;
}

#[tokio::test]
async fn a_bomb_is_not_unpacked() {
    let bomb = gzip(&vec![b' '; 64 << 20]);
    assert!(bomb.len() < 1 << 17);
    let server = Server::answering("200 OK", "Content-Encoding: gzip\r\n", bomb).await;
    assert_eq!(fails(&server).await, ErrorKind::TooLarge(32 << 20));
}

#[tokio::test]
async fn an_answer_that_breaks_off_is_told_from_a_damaged_one() {
    let body = answer("200 OK", "", SAT.as_bytes());
    let cut = body[..body.len() - 10].to_vec();
    let server = Server::start(move |_, _| vec![Step::Send(cut.clone()), Step::Close]).await;
    assert_eq!(fails(&server).await, ErrorKind::BrokenOff);

    let packed = gzip(SAT.as_bytes());
    let cut = packed[..packed.len() - 12].to_vec();
    let server = Server::answering("200 OK", "Content-Encoding: gzip\r\n", cut).await;
    assert!(matches!(fails(&server).await, ErrorKind::Damaged(_)));

    let server = Server::answering("200 OK", "Content-Encoding: gzip\r\n", SAT).await;
    assert!(matches!(fails(&server).await, ErrorKind::Damaged(_)));

    let server = Server::start(|_, _| vec![Step::Send(b"+OK POP3 ready\r\n\r\n".to_vec()), Step::Close]).await;
    assert!(matches!(fails(&server).await, ErrorKind::Damaged(_)));
}

#[tokio::test]
async fn an_endless_head_is_not_read() {
    let server = Server::start(|_, _| {
        let line = "X-Filler: 0123456789012345678901234567890123456789\r\n".repeat(100);
        vec![Step::Send(b"HTTP/1.1 200 OK\r\n".to_vec()), Step::Repeat(line.into_bytes())]
    })
    .await;
    assert!(matches!(fails(&server).await, ErrorKind::Damaged(_)));
    server.gone(1).await;
}

#[tokio::test]
async fn chunks_that_are_none_are_damage() {
    let server = Server::start(|_, _| {
        let answer = "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\nmany\r\n{}\r\n";
        vec![Step::Send(answer.as_bytes().to_vec()), Step::Hang]
    })
    .await;
    assert!(matches!(fails(&server).await, ErrorKind::Damaged(_)));
}

#[tokio::test]
async fn a_connection_that_closed_while_idle_is_replaced_unnoticed() {
    let server = Server::start(|_, number| match number {
        1 => vec![Step::Close],
        _ => vec![Step::Send(answer("200 OK", "", SAT.as_bytes()))],
    })
    .await;
    let client = client(&server.url);
    client.get(&sat(), None).await.unwrap();
    client.get(&sat(), None).await.unwrap();
    assert_eq!(server.heads().len(), 3);
}

#[tokio::test]
async fn a_server_that_never_answers_is_not_asked_for_ever() {
    let server = Server::start(|_, _| vec![Step::Close]).await;
    assert_eq!(fails(&server).await, ErrorKind::BrokenOff);
    assert_eq!(server.heads().len(), 2);
}

#[tokio::test]
async fn an_empty_answer_says_so() {
    for status in ["200 OK", "204 No Content"] {
        let server = Server::answering(status, "", "").await;
        assert_eq!(fails(&server).await, ErrorKind::Empty, "{status}");
    }
}

#[tokio::test]
async fn a_page_for_people_is_no_answer() {
    let server = Server::answering("200 OK", "Content-Type: text/html\r\n", "<!doctype html><p>Login").await;
    assert!(matches!(fails(&server).await, ErrorKind::NotJson(_)));
}

#[tokio::test]
async fn redirects_stay_at_home() {
    let server = Server::start(|head, _| {
        vec![Step::Send(match head.contains("GET /moved") {
            true => answer("200 OK", "", SAT.as_bytes()),
            false => answer("308 Permanent Redirect", "Location: /moved\r\n", b""),
        })]
    })
    .await;
    let reply = get(&server).await.unwrap();
    assert_eq!(reply.url, format!("{}/ordinals/sats/7", server.url));
    assert_eq!(server.targets(), ["/ordinals/sats/7", "/moved"]);

    let elsewhere = Server::answering("200 OK", "", SAT).await;
    let location = format!("Location: {}/x\r\n", elsewhere.url);
    let server = Server::start(move |_, _| vec![Step::Send(answer("302 Found", &location, b""))]).await;
    let kind = fails(&server).await;
    assert_eq!(kind, ErrorKind::Redirect(format!("it redirects to {}, which is not followed", elsewhere.url)));
    assert_eq!(elsewhere.connections(), 0);

    let server = Server::answering("302 Found", "Location: https://127.0.0.1/\r\n", "").await;
    assert!(matches!(fails(&server).await, ErrorKind::Redirect(_)));

    let server = Server::answering("302 Found", "Location: /again\r\n", "").await;
    assert!(matches!(fails(&server).await, ErrorKind::Redirect(_)));
    assert_eq!(server.heads().len(), 6);

    let server = Server::answering("302 Found", "", "").await;
    assert!(matches!(fails(&server).await, ErrorKind::Redirect(_)));
}

#[tokio::test]
async fn a_rate_limit_says_how_long_to_wait() {
    let server = Server::answering("429 Too Many Requests", "Retry-After: 7\r\n", "slow down").await;
    let error = get(&server).await.unwrap_err();
    assert_eq!(error.kind, ErrorKind::RateLimited { retry_after: Some(Duration::from_secs(7)) });
    assert!(error.is_retryable());
    let server = Server::answering("503 Unavailable", "Retry-After: 3\r\n", "").await;
    assert_eq!(get(&server).await.unwrap_err().retry_after(), Some(Duration::from_secs(3)));
}

#[tokio::test]
async fn refusals_keep_the_service_s_words() {
    let server = Server::answering("404 Not Found", "", r#"{"error":"Not found"}"#).await;
    assert_eq!(fails(&server).await, ErrorKind::NotFound { message: Some(String::from("Not found")) });
    let body = r#"{"statusCode":400,"error":"Bad Request","message":"querystring/limit must be <= 60"}"#;
    let server = Server::answering("400 Bad Request", "", body).await;
    let kind = fails(&server).await;
    assert!(kind.to_string().contains("querystring/limit must be <= 60"), "{kind}");
    let server = Server::answering("502 Bad Gateway", "Content-Type: text/html\r\n", "<h1>\u{1b}[2J</h1>").await;
    let kind = fails(&server).await;
    assert!(!kind.to_string().contains('\u{1b}'), "{kind}");
}

#[tokio::test]
async fn an_endless_refusal_is_still_a_refusal() {
    let server = Server::start(|_, _| {
        let head = "HTTP/1.1 500 Oops\r\nContent-Length: 99999999999\r\n\r\n";
        vec![Step::Send(head.as_bytes().to_vec()), Step::Repeat(vec![b'x'; 4096])]
    })
    .await;
    assert!(matches!(fails(&server).await, ErrorKind::Status { status: 500, .. }));
}
