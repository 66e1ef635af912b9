//! Successful responses.

use std::time::Duration;

use satscope::client::{ErrorKind, Request, ResponseData};
use satscope::model::SatNumber;

use super::server::{Server, Step, response};
use super::{SAT, client, fails, get, gzip, sat};

#[tokio::test]
async fn reply_has_url_and_time() {
    let server = Server::answering("200 OK", "ETag: \"7\"\r\nCache-Control: max-age=30\r\n", SAT).await;
    let reply = get(&server).await.unwrap();
    assert!(matches!(reply.response, Some(ResponseData::Sat(_))));
    assert_eq!((reply.status, reply.bytes), (200, SAT.len() as u64));
    assert_eq!(reply.url, format!("{}/ordinals/sats/7", server.url));
    assert_eq!(reply.max_age, Some(Duration::from_secs(30)));
    let validator = reply.validator.unwrap();
    assert_eq!((validator.url, validator.etag.as_str()), (reply.url, "\"7\""));
}

#[tokio::test]
async fn cached_response_is_confirmed_without_body() {
    let server = Server::start(|head, _| {
        let confirmed = head.to_lowercase().contains("\r\nif-none-match: \"7\"\r\n");
        vec![Step::Send(if confirmed {
            b"HTTP/1.1 304 Not Modified\r\nCache-Control: max-age=5\r\n\r\n".to_vec()
        } else if head.contains("/sats/8") {
            response("200 OK", "ETag: \"7\"\r\n", br#"{"decimal":"0.8"}"#)
        } else {
            response("200 OK", "ETag: \"7\"\r\n", SAT.as_bytes())
        })]
    })
    .await;
    let client = client(&server.url);
    let first = client.get(&sat(), None).await.unwrap();
    let second = client.get(&sat(), first.validator.as_ref()).await.unwrap();
    assert!(second.response.is_none());
    assert_eq!((second.status, second.bytes), (304, 0));
    assert_eq!(second.max_age, Some(Duration::from_secs(5)));
    assert_eq!(second.validator, first.validator);
    // A server may send the same ETag for all its URLs: it is valid for one URL only.
    let other = Request::Sat { number: SatNumber::new(8).unwrap() };
    assert!(client.get(&other, first.validator.as_ref()).await.unwrap().response.is_some());
    assert_eq!(server.connections(), 1);
}

#[tokio::test]
async fn reason_of_old_data_is_read_with_and_without_a_body() {
    const FAILED: &str = "Age: 420\r\nx-satscope-refresh-error: CoinGecko: server error (503)\r\n";
    let server = Server::start(|_, number| {
        vec![Step::Send(match number {
            0 => response("200 OK", &format!("ETag: \"7\"\r\n{FAILED}"), SAT.as_bytes()),
            1 => format!("HTTP/1.1 304 Not Modified\r\n{FAILED}\r\n").into_bytes(),
            2 => b"HTTP/1.1 304 Not Modified\r\nx-satscope-notice: Skipped 1 unreadable field\r\n\r\n".to_vec(),
            3 => b"HTTP/1.1 304 Not Modified\r\nx-satscope-not-refreshed: Rate-limited\r\n\r\n".to_vec(),
            _ => b"HTTP/1.1 304 Not Modified\r\n\r\n".to_vec(),
        })]
    })
    .await;
    let client = client(&server.url);
    let first = client.get(&sat(), None).await.unwrap();
    let reason = Some("CoinGecko: server error (503)");
    assert_eq!((first.refresh_error.as_deref(), first.age), (reason, Duration::from_secs(420)));
    let skipped = Some("Skipped 1 unreadable field");
    let limited = Some("Rate-limited");
    for (reason, notice, not_refreshed, warnings) in
        [(reason, None, None, 1), (None, skipped, None, 1), (None, None, limited, 0), (None, None, None, 0)]
    {
        let next = client.get(&sat(), first.validator.as_ref()).await.unwrap();
        assert_eq!((next.status, next.refresh_error.as_deref()), (304, reason));
        assert_eq!(next.not_refreshed.as_deref(), not_refreshed);
        assert_eq!((next.notice.as_deref(), next.warnings.len()), (notice, warnings), "{:?}", next.warnings);
    }
}

#[tokio::test]
async fn response_without_etag_ends_conditional_requests() {
    let server = Server::start(|_, number| {
        let headers = if number == 0 { "ETag: \"7\"\r\n" } else { "" };
        vec![Step::Send(response("200 OK", headers, SAT.as_bytes()))]
    })
    .await;
    let client = client(&server.url);
    let first = client.get(&sat(), None).await.unwrap();
    let second = client.get(&sat(), first.validator.as_ref()).await.unwrap();
    assert!(first.validator.is_some() && second.response.is_some());
    assert_eq!(second.validator, None);
}

#[tokio::test]
async fn unrequested_304_is_an_error() {
    let server = Server::answering("304 Not Modified", "", "").await;
    assert!(matches!(fails(&server).await, ErrorKind::Status { status: 304, .. }));
}

#[tokio::test]
async fn compressed_responses_are_decoded() {
    let server = Server::answering("200 OK", "Content-Encoding: gzip\r\n", gzip(SAT.as_bytes())).await;
    assert_eq!(get(&server).await.unwrap().bytes, SAT.len() as u64);
}

#[tokio::test]
async fn gzip_with_several_members_or_alias_is_decompressed() {
    let (head, tail) = SAT.as_bytes().split_at(70);
    let members = [gzip(head), gzip(b""), gzip(tail)].concat();
    for headers in [
        "Content-Encoding: gzip\r\n",
        "Content-Encoding: GZIP\r\n",
        "content-encoding: x-gzip\r\n",
        "Content-Encoding: gzip, identity\r\n",
        "Content-Encoding: identity\r\nContent-Encoding: gzip\r\n",
    ] {
        let server = Server::answering("200 OK", headers, members.clone()).await;
        assert_eq!(get(&server).await.unwrap().bytes, SAT.len() as u64, "{headers}");
    }
    let server = Server::answering("200 OK", "Content-Encoding: identity\r\n", SAT).await;
    assert_eq!(get(&server).await.unwrap().bytes, SAT.len() as u64);
    let refusal = gzip(br#"{"message":"not on your plan"}"#);
    let server = Server::answering("403 Forbidden", "Content-Encoding: GZip\r\n", refusal).await;
    let kind = fails(&server).await.to_string();
    assert!(kind.contains("not on your plan"), "{kind}");
}

#[tokio::test]
async fn chunked_responses_are_read() {
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
async fn large_response_is_decoded_on_another_thread() {
    let rows: Vec<_> = (0..60).map(|n| format!(r#"{{"ticker":"t{n}","x":"{}"}}"#, "y".repeat(10_000))).collect();
    let body = format!(r#"{{"total":60,"results":[{}]}}"#, rows.join(","));
    let size = body.len() as u64;
    let server = Server::answering("200 OK", "", body).await;
    let request = Request::Brc20Tokens { ticker: None, offset: 0, limit: 60 };
    let reply = client(&server.url).get(&request, None).await.unwrap();
    assert_eq!(reply.bytes, size);
    let Some(ResponseData::Brc20Tokens(page)) = reply.response else { panic!() };
    assert_eq!((page.items.len(), page.total), (60, Some(60)));
}

#[tokio::test]
async fn too_deeply_nested_response_is_rejected() {
    let server = Server::answering("200 OK", "", "[".repeat(100_000)).await;
    assert!(matches!(fails(&server).await, ErrorKind::TooDeep(64)));
}
