//! Failures and their error messages.

use std::time::Duration;

use satscope::client::ErrorKind;

use super::server::{Server, Step, response};
use super::{SAT, client, fails, get, gzip, limited, sat};

#[tokio::test]
async fn connection_refused_is_reported() {
    let listener = tokio::net::TcpListener::bind("127.0.0.1:0").await.unwrap();
    let url = format!("http://{}", listener.local_addr().unwrap());
    drop(listener);
    let error = client(&url).get(&sat(), None).await.unwrap_err();
    assert_eq!(error.kind, ErrorKind::Refused);
    assert!(error.is_retryable());
    assert_eq!(
        error.to_string(),
        format!("Sat 7: Can't reach {} (connection refused)", url.trim_start_matches("http://"))
    );
}

#[tokio::test]
async fn unresolved_host_is_reported() {
    let error = client("http://nonexistent.invalid").get(&sat(), None).await.unwrap_err();
    assert_eq!(error.kind, ErrorKind::Resolve, "{error}");
}

#[tokio::test]
async fn https_to_plain_http_server_is_reported() {
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
async fn missing_first_byte_times_out() {
    let server = Server::start(|_, _| vec![Step::Hang]).await;
    let limit = Duration::from_millis(50);
    let client = limited(&server.url, |limits| limits.first_byte = limit);
    let error = client.get(&sat(), None).await.unwrap_err();
    assert_eq!(error.kind, ErrorKind::TimeoutFirstByte(limit));
    let client = limited(&server.url, |limits| (limits.first_byte, limits.total) = (limit, limit));
    let error = client.get(&sat(), None).await.unwrap_err();
    assert_eq!(error.kind, ErrorKind::TimeoutFirstByte(limit), "no byte arrived");
}

#[tokio::test]
async fn maximum_limits_do_not_overflow() {
    let server = Server::answering("200 OK", "", SAT).await;
    let most = Duration::MAX;
    let client = limited(&server.url, |limits| {
        (limits.first_byte, limits.total, limits.body_bytes) = (most, most, u64::MAX);
    });
    client.get(&sat(), None).await.unwrap();
}

#[tokio::test]
async fn huge_declared_length_is_not_allocated() {
    let server = Server::start(|_, _| {
        let head = "HTTP/1.1 200 OK\r\nContent-Length: 999999999999999\r\n\r\n{";
        vec![Step::Send(head.as_bytes().to_vec()), Step::Close]
    })
    .await;
    let client = limited(&server.url, |limits| limits.body_bytes = u64::MAX);
    assert_eq!(client.get(&sat(), None).await.unwrap_err().kind, ErrorKind::Incomplete);
}

#[tokio::test]
async fn slow_body_times_out() {
    let head = b"HTTP/1.1 200 OK\r\nContent-Length: 100000\r\n\r\n".to_vec();
    let server = Server::start(move |_, _| vec![Step::Send(head.clone()), Step::Drip(b" ".to_vec())]).await;
    let limit = Duration::from_millis(100);
    let client = limited(&server.url, |limits| limits.total = limit);
    let error = client.get(&sat(), None).await.unwrap_err();
    assert_eq!(error.kind, ErrorKind::TimeoutTotal(limit));
    server.wait_for_closed(1).await;
}

#[tokio::test]
async fn slow_head_times_out() {
    let server = Server::start(|_, _| vec![Step::Drip(b"HTTP/1.1".to_vec())]).await;
    let client = limited(&server.url, |limits| limits.total = Duration::from_millis(50));
    let error = client.get(&sat(), None).await.unwrap_err();
    assert!(matches!(error.kind, ErrorKind::TimeoutTotal(_) | ErrorKind::Corrupt(_)), "{error}");
}

#[tokio::test]
async fn declared_length_over_the_limit_is_rejected() {
    let server = Server::start(|_, _| {
        let head = "HTTP/1.1 200 OK\r\nContent-Length: 99999999999999\r\n\r\n";
        vec![Step::Send(head.as_bytes().to_vec()), Step::Hang]
    })
    .await;
    let client = limited(&server.url, |limits| limits.body_bytes = 1000);
    assert_eq!(client.get(&sat(), None).await.unwrap_err().kind, ErrorKind::TooLarge(1000));
    server.wait_for_closed(1).await;
}

#[tokio::test]
async fn endless_body_ends_at_the_limit() {
    let server = Server::start(|_, _| {
        let chunk = format!("1000\r\n{}\r\n", "x".repeat(0x1000));
        let head = "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n";
        vec![Step::Send(head.as_bytes().to_vec()), Step::Repeat(chunk.into_bytes())]
    })
    .await;
    let client = limited(&server.url, |limits| limits.body_bytes = 1 << 20);
    assert_eq!(client.get(&sat(), None).await.unwrap_err().kind, ErrorKind::TooLarge(1 << 20));
    server.wait_for_closed(1).await;
}

#[tokio::test]
async fn gzip_bomb_is_stopped_at_the_limit() {
    let bomb = gzip(&vec![b' '; 16 << 20]);
    assert!(bomb.len() < 1 << 15);
    let server = Server::answering("200 OK", "Content-Encoding: gzip\r\n", bomb).await;
    let client = limited(&server.url, |limits| limits.body_bytes = 1 << 20);
    assert_eq!(client.get(&sat(), None).await.unwrap_err().kind, ErrorKind::TooLarge(1 << 20));
}

#[tokio::test]
async fn size_of_all_gzip_members_is_limited() {
    let limit = 1 << 16;
    let members = [gzip(&vec![b' '; 40_000]), gzip(&vec![b' '; 40_000])].concat();
    let nothings = gzip(b"").repeat(4_000);
    assert!(members.len() < limit && nothings.len() > limit);
    for bomb in [members, nothings] {
        let server = Server::answering("200 OK", "Content-Encoding: gzip\r\n", bomb).await;
        let client = limited(&server.url, |limits| limits.body_bytes = limit as u64);
        assert_eq!(client.get(&sat(), None).await.unwrap_err().kind, ErrorKind::TooLarge(limit as u64));
    }
}

#[tokio::test]
async fn unsupported_content_encoding_is_named() {
    for (headers, coding) in [
        ("Content-Encoding: br\r\n", "br"),
        ("Content-Encoding: Zstd\r\n", "zstd"),
        ("Content-Encoding: gzip, gzip\r\n", "gzip, gzip"),
    ] {
        let server =
            Server::start(move |_, _| vec![Step::Send(response("200 OK", headers, b"\x0b\x02\x80{}\x03"))]).await;
        let error = get(&server).await.unwrap_err();
        assert_eq!(error.kind, ErrorKind::UnsupportedEncoding(String::from(coding)));
        assert!(error.to_string().contains(&format!("Unsupported content encoding ({coding})")), "{error}");
    }
    // Some servers send a charset or another coding in this header.
    let server = Server::answering("200 OK", "Content-Encoding: utf-8\r\n", SAT).await;
    assert!(get(&server).await.is_ok());
    let server = Server::answering("200 OK", "Content-Encoding: utf-8\r\n", r#"{"error":"Not found"}"#).await;
    let error = fails(&server).await;
    assert!(matches!(error, ErrorKind::InBody { .. }), "{error:?}");
}

#[tokio::test]
async fn truncated_response_differs_from_corrupt_one() {
    let body = response("200 OK", "", SAT.as_bytes());
    let cut = body[..body.len() - 10].to_vec();
    let server = Server::start(move |_, _| vec![Step::Send(cut.clone()), Step::Close]).await;
    assert_eq!(fails(&server).await, ErrorKind::Incomplete);

    let packed = gzip(SAT.as_bytes());
    let cut = packed[..packed.len() - 12].to_vec();
    let server = Server::answering("200 OK", "Content-Encoding: gzip\r\n", cut).await;
    assert!(matches!(fails(&server).await, ErrorKind::Corrupt(_)));

    let server = Server::answering("200 OK", "Content-Encoding: gzip\r\n", SAT).await;
    assert!(matches!(fails(&server).await, ErrorKind::Corrupt(_)));

    let server = Server::start(|_, _| vec![Step::Send(b"+OK POP3 ready\r\n\r\n".to_vec()), Step::Close]).await;
    assert!(matches!(fails(&server).await, ErrorKind::Corrupt(_)));
}

#[tokio::test]
async fn endless_head_is_rejected() {
    let server = Server::start(|_, _| {
        let line = "X-Filler: 0123456789012345678901234567890123456789\r\n".repeat(100);
        vec![Step::Send(b"HTTP/1.1 200 OK\r\n".to_vec()), Step::Repeat(line.into_bytes())]
    })
    .await;
    assert!(matches!(fails(&server).await, ErrorKind::Corrupt(_)));
    server.wait_for_closed(1).await;
}

#[tokio::test]
async fn endless_interim_responses_end_at_the_timeout() {
    let limit = Duration::from_millis(50);
    for interim in ["HTTP/1.1 100 Continue\r\n\r\n", "HTTP/1.1 103 Early Hints\r\nLink: </a>; rel=preload\r\n\r\n"] {
        let server = Server::start(move |_, _| vec![Step::Drip(interim.as_bytes().to_vec())]).await;
        let client = limited(&server.url, |limits| limits.first_byte = limit);
        let error = client.get(&sat(), None).await.unwrap_err();
        assert_eq!(error.kind, ErrorKind::TimeoutFirstByte(limit));
        server.wait_for_closed(1).await;
    }
}

#[tokio::test]
async fn a_few_interim_responses_are_skipped() {
    let server = Server::start(|_, _| {
        let interim = "HTTP/1.1 103 Early Hints\r\n\r\n".repeat(5);
        vec![Step::Send(interim.into_bytes()), Step::Send(response("200 OK", "", SAT.as_bytes()))]
    })
    .await;
    assert!(get(&server).await.is_ok());
}

#[tokio::test]
async fn invalid_chunks_are_an_error() {
    let server = Server::start(|_, _| {
        let response = "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\nmany\r\n{}\r\n";
        vec![Step::Send(response.as_bytes().to_vec()), Step::Hang]
    })
    .await;
    assert!(matches!(fails(&server).await, ErrorKind::Corrupt(_)));
}

#[tokio::test]
async fn closed_idle_connection_is_replaced() {
    let server = Server::start(|_, number| match number {
        1 => vec![Step::Close],
        _ => vec![Step::Send(response("200 OK", "", SAT.as_bytes()))],
    })
    .await;
    let client = client(&server.url);
    client.get(&sat(), None).await.unwrap();
    client.get(&sat(), None).await.unwrap();
    assert_eq!(server.heads().len(), 3);
}

#[tokio::test]
async fn closed_connection_is_retried_once() {
    let server = Server::start(|_, _| vec![Step::Close]).await;
    assert_eq!(fails(&server).await, ErrorKind::Incomplete);
    assert_eq!(server.heads().len(), 2);
}

#[tokio::test]
async fn empty_body_is_an_error() {
    for status in ["200 OK", "204 No Content"] {
        let server = Server::answering(status, "", "").await;
        assert_eq!(fails(&server).await, ErrorKind::Empty, "{status}");
    }
}

#[tokio::test]
async fn html_page_is_an_error() {
    let server = Server::answering("200 OK", "Content-Type: text/html\r\n", "<!doctype html><p>Login").await;
    assert!(matches!(fails(&server).await, ErrorKind::NotJson(_)));
}

#[tokio::test]
async fn redirects_stay_on_the_same_host() {
    let server = Server::start(|head, _| {
        vec![Step::Send(if head.contains("GET /moved") {
            response("200 OK", "", SAT.as_bytes())
        } else {
            response("308 Permanent Redirect", "Location: /moved\r\n", b"")
        })]
    })
    .await;
    let reply = get(&server).await.unwrap();
    assert_eq!(reply.url, format!("{}/ordinals/sats/7", server.url));
    assert_eq!(server.targets(), ["/ordinals/sats/7", "/moved"]);

    let elsewhere = Server::answering("200 OK", "", SAT).await;
    let location = format!("Location: {}/x\r\n", elsewhere.url);
    let server = Server::start(move |_, _| vec![Step::Send(response("302 Found", &location, b""))]).await;
    let kind = fails(&server).await;
    assert_eq!(kind, ErrorKind::Redirect(format!("to {}", elsewhere.url)));
    assert_eq!(elsewhere.connections(), 0);

    let server = Server::answering("302 Found", "Location: https://127.0.0.1/\r\n", "").await;
    assert!(matches!(fails(&server).await, ErrorKind::Redirect(_)));

    for location in
        ["Location: file:///etc/passwd\r\n", "Location: javascript:alert(1)\r\n", "Location: mailto:a@b.example\r\n"]
    {
        let server = Server::answering("302 Found", location, "").await;
        let kind = fails(&server).await.to_string();
        assert!(kind.contains("to a non-HTTP address"), "{location}: {kind}");
    }

    let server = Server::answering("302 Found", "Location: /again\r\n", "").await;
    assert!(matches!(fails(&server).await, ErrorKind::Redirect(_)));
    assert_eq!(server.heads().len(), 6);

    let server = Server::answering("300 Multiple Choices", "Location: /one\r\n", "").await;
    let kind = fails(&server).await.to_string();
    assert!(kind.starts_with("Redirect not followed (status 300)"), "{kind}");

    let server = Server::answering("302 Found", "", "").await;
    assert!(matches!(fails(&server).await, ErrorKind::Redirect(_)));
}

#[tokio::test]
async fn rate_limit_has_retry_time() {
    let server = Server::answering("429 Too Many Requests", "Retry-After: 7\r\n", "slow down").await;
    let error = get(&server).await.unwrap_err();
    let message = Some(String::from("slow down"));
    assert_eq!(error.kind, ErrorKind::RateLimited { message, retry_after: Some(Duration::from_secs(7)) });
    assert!(error.is_retryable());
    let again = client(&server.url);
    for _ in 0..3 {
        again.get(&sat(), None).await.unwrap_err();
    }
    assert_eq!(server.connections(), 2, "an error response keeps its connection");
    let server = Server::answering("503 Unavailable", "Retry-After: 3\r\n", "").await;
    assert_eq!(get(&server).await.unwrap_err().retry_after(), Some(Duration::from_secs(3)));
}

#[tokio::test]
async fn http_errors_keep_the_service_message() {
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
async fn endless_error_body_keeps_its_status() {
    let server = Server::start(|_, _| {
        let head = "HTTP/1.1 500 Oops\r\nContent-Length: 99999999999\r\n\r\n";
        vec![Step::Send(head.as_bytes().to_vec()), Step::Repeat(vec![b'x'; 4096])]
    })
    .await;
    assert!(matches!(fails(&server).await, ErrorKind::Status { status: 500, .. }));
}
