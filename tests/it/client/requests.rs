//! Requests: bytes on the wire, headers, connections.

use satscope::client::config::Secret;
use satscope::client::{Client, ClientConfig, ErrorKind, Request, ResponseData};
use satscope::model::{Currency, PostOrder, Tag, Text};

use super::server::{Server, Step};
use super::{SAT, client, sat};

#[tokio::test]
async fn request_line_has_every_byte_of_ticker() {
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

/// Another server may reject the parameter.
#[tokio::test]
async fn coin_of_a_symbol_is_selected_by_slug_at_satscope_only() {
    const POSTS: &str = r#"{"data":{"list":[{"post_id":"1","text_content":"$PEPE"}]}}"#;
    for (header, targets) in [
        ("", &["/content?post_type=top&symbol=PEPE"; 2][..]),
        (
            "x-satscope-data-time: Thu, 19 Nov 2026 08:00:00 GMT\r\n",
            &[
                "/content?post_type=top&symbol=PEPE",
                "/content?post_type=top&symbol=PEPE&slug=pepe-2",
                "/content?post_type=top&symbol=PEPE&slug=pepe-2",
            ],
        ),
    ] {
        let server = Server::answering("200 OK", header, POSTS).await;
        let client = client(&server.url);
        let request = Request::Posts { symbol: "PEPE".into(), slug: Some("pepe-2".into()), order: PostOrder::Top };
        for _ in 0..2 {
            client.get(&request, None).await.unwrap();
        }
        assert_eq!(server.targets(), targets);
    }
}

#[tokio::test]
async fn ticker_invalid_in_a_path_sends_nothing() {
    let server = Server::answering("200 OK", "", "{}").await;
    for ticker in [".", "..", ""] {
        let request = Request::Brc20Holders { ticker: Text::from(ticker), offset: 0, limit: 20 };
        let error = client(&server.url).get(&request, None).await.unwrap_err();
        assert!(matches!(error.kind, ErrorKind::InvalidRequest(_)), "{error}");
    }
    assert_eq!(server.connections(), 0);
}

#[tokio::test]
async fn requests_have_headers_and_secrets_only_for_their_group() {
    let server = Server::answering("500 Oops", "", "").await;
    let mut config = ClientConfig::at(&server.url.replace("http://", "http://me:hunter2@"));
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
    assert_eq!(error.origin, server.url);
}

#[tokio::test]
async fn invalid_url_or_header_fails_at_once() {
    let kind = |change: fn(&mut ClientConfig)| {
        let mut config = ClientConfig::at("http://127.0.0.1:1");
        change(&mut config);
        Client::new(config).unwrap_err().kind
    };
    assert!(matches!(kind(|config| config.base_url = String::from("nowhere")), ErrorKind::BadUrl(_)));
    assert!(matches!(kind(|config| config.indexer_url = String::from("ftp://x.example")), ErrorKind::BadUrl(_)));
    let header = |name: &str, value: &str| vec![(String::from(name), Secret(String::from(value)))];
    for (name, value) in [("a b", "x"), ("", "x"), ("x-key", "se\ncret")] {
        let mut config = ClientConfig::at("http://127.0.0.1:1");
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
    server.wait_for_closed(1).await;
}

#[tokio::test]
async fn log_has_no_secrets() {
    #[derive(Clone, Default)]
    struct Log(std::sync::Arc<parking_lot::Mutex<Vec<u8>>>);
    impl std::io::Write for Log {
        fn write(&mut self, bytes: &[u8]) -> std::io::Result<usize> {
            self.0.lock().write(bytes)
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
    // With a single subscriber, tracing caches whether a line logs from the first thread that reaches it, which may
    // belong to another test without a subscriber.
    let _second = tracing::Dispatch::new(tracing::subscriber::NoSubscriber::new());
    let guard = tracing::subscriber::set_default(subscriber);
    let server = Server::answering("401 Unauthorized", "", r#"{"error":"bad key"}"#).await;
    let mut config = ClientConfig::at(&server.url.replace("http://", "http://me:hunter2@"));
    config.indexer_headers = vec![(String::from("x-api-key"), Secret(String::from("k3y")))];
    Client::new(config).unwrap().get(&sat(), None).await.unwrap_err();
    drop(guard);
    let log = String::from_utf8(log.0.lock().clone()).unwrap();
    assert!(log.contains("/ordinals/sats/7") && log.contains("bad key"), "{log}");
    for secret in ["hunter2", "k3y", "bWU6"] {
        assert!(!log.contains(secret), "{secret} in {log}");
    }
}

/// The list of tokens, in pages of 60.
fn tokens(limit: u32) -> Request {
    Request::Brc20Tokens { ticker: Some(Text::from("o")), offset: 0, limit }
}

const TOKENS: &str = r#"{"limit":60,"offset":0,"total":1,"results":[{"ticker":"ordi","tx_count":7}]}"#;

#[tokio::test]
async fn tokens_are_requested_most_active_first() {
    let server = Server::answering("200 OK", "", TOKENS).await;
    client(&server.url).get(&tokens(60), None).await.unwrap();
    assert_eq!(server.targets(), ["/ordinals/brc-20/tokens?ticker=o&offset=0&limit=60&order_by=tx_count"]);
    let mut config = ClientConfig::at(&server.url);
    config.paths.brc20_tokens = String::from("/tokens?order_by=index");
    Client::new(config).unwrap().get(&tokens(60), None).await.unwrap();
    assert_eq!(server.targets()[1], "/tokens?order_by=index&ticker=o&offset=0&limit=60");
}

#[tokio::test]
async fn rejected_order_is_retried_without_order() {
    for status in ["400 Bad Request", "422 Unprocessable Content"] {
        let server = Server::start(move |head, _| {
            let is_refused = head.contains("order_by");
            let (status, body) =
                if is_refused { (status, r#"{"error":"unknown order_by"}"#) } else { ("200 OK", TOKENS) };
            vec![Step::Send(super::server::response(status, "", body.as_bytes()))]
        })
        .await;
        let client = client(&server.url);
        client.get(&tokens(60), None).await.unwrap();
        client.get(&tokens(60), None).await.unwrap();
        let ordered: Vec<bool> = server.targets().iter().map(|target| target.contains("order_by")).collect();
        assert_eq!(ordered, [true, false, false], "the rejection is remembered");
    }
}

#[tokio::test]
async fn unrelated_failure_keeps_order() {
    let server = Server::answering("400 Bad Request", "", r#"{"error":"no"}"#).await;
    let client = client(&server.url);
    client.get(&tokens(60), None).await.unwrap_err();
    client.get(&tokens(60), None).await.unwrap_err();
    let ordered: Vec<bool> = server.targets().iter().map(|target| target.contains("order_by")).collect();
    assert_eq!(ordered, [true, false, true, false]);
}

#[tokio::test]
async fn inscription_content_is_text_of_limited_size() {
    let content = |id: &str| Request::InscriptionContent { id: Text::from(id) };
    let id = format!("{}i0", "b61b0172".repeat(8));
    let server = Server::answering("200 OK", "content-type: text/plain\r\n", "gm\u{202e}\r\n\u{1b}[31mred").await;
    let reply = client(&server.url).get(&content(&id), None).await.unwrap();
    let Some(ResponseData::InscriptionContent(content_of)) = reply.response else { panic!() };
    assert_eq!(content_of.text, "gm\n[31mred");
    assert_eq!(server.targets(), [format!("/ordinals/inscriptions/{id}/content")]);
    let large = Server::answering("200 OK", "", "x".repeat(20_000)).await;
    let error = client(&large.url).get(&content(&id), None).await.unwrap_err();
    assert!(matches!(error.kind, ErrorKind::TooLarge(16_384)), "{error}");
}
