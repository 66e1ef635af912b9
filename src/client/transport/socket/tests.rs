//! Connections of sockets, directly and through a proxy.

use reqwest::header::HeaderValue;
use tokio::net::{TcpListener, TcpSocket};

use super::*;

#[tokio::test(start_paused = true)]
async fn next_address_is_tried_if_one_does_not_answer() {
    // Its connections are never accepted, so once its queue is full, further ones wait.
    let socket = TcpSocket::new_v4().unwrap();
    socket.bind("127.0.0.1:0".parse().unwrap()).unwrap();
    let full = socket.listen(1).unwrap();
    let dead = full.local_addr().unwrap();
    let mut queue = Vec::new();
    while let Ok(Ok(connection)) = timeout(Duration::from_secs(1), TcpStream::connect(dead)).await {
        queue.push(connection);
    }
    let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
    let live = listener.local_addr().unwrap();
    let connection = timeout(Duration::from_secs(5), connect_to_any([dead, live].into_iter())).await;
    assert_eq!(connection.unwrap().unwrap().peer_addr().unwrap(), live);
    let result = connect_to_any([dead].into_iter()).await;
    assert!(matches!(result, Err(ErrorKind::Connect(reason)) if reason == "timed out"));
}

#[tokio::test]
async fn connection_that_closes_before_a_response_is_incomplete() {
    let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
    let url = format!("ws://{}", listener.local_addr().unwrap());
    tokio::spawn(async move {
        let (mut connection, _) = listener.accept().await.unwrap();
        let _ = connection.read(&mut [0; 4_096]).await;
    });
    let opened = Socket::open(&url, "test", Duration::from_secs(20)).await;
    assert_eq!(opened.err(), Some(Refusal::Failed(ErrorKind::Incomplete)));
}

/// A proxy that answers CONNECT with `response`; on success it echoes the tunnelled bytes.
async fn proxy(response: &'static [u8]) -> (Proxy, tokio::task::JoinHandle<String>) {
    let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
    let origin = format!("http://{}", listener.local_addr().unwrap());
    let served = tokio::spawn(async move {
        let (mut connection, _) = listener.accept().await.unwrap();
        let mut request = Vec::new();
        while !request.ends_with(b"\r\n\r\n") {
            request.push(connection.read_u8().await.unwrap());
        }
        connection.write_all(response).await.unwrap();
        if response.ends_with(b"\r\n\r\nA") {
            let byte = connection.read_u8().await.unwrap();
            connection.write_u8(byte).await.unwrap();
        }
        String::from_utf8(request).unwrap()
    });
    (Proxy { origin, authorization: Some(HeaderValue::from_static("Basic c2VjcmV0")) }, served)
}

#[tokio::test]
async fn socket_goes_through_the_tunnel_of_an_http_proxy() {
    // The first byte of the tunnel arrives with the response.
    let (found, served) = proxy(b"HTTP/1.1 200 Connection established\r\nvia: fake\r\n\r\nA").await;
    let mut tunnel = through(&found, "stream.invalid", 443).await.unwrap();
    tunnel.write_u8(b'B').await.unwrap();
    assert_eq!((tunnel.read_u8().await.unwrap(), tunnel.read_u8().await.unwrap()), (b'A', b'B'));
    let request = served.await.unwrap();
    let lines: Vec<&str> = request.lines().collect();
    assert_eq!(
        lines,
        ["CONNECT stream.invalid:443 HTTP/1.1", "host: stream.invalid:443", "proxy-authorization: Basic c2VjcmV0", ""]
    );
}

#[tokio::test]
async fn failing_proxy_is_named_and_its_password_is_not() {
    for (response, says) in [
        (b"HTTP/1.1 407 Proxy Authentication Required\r\n\r\n".as_slice(), "authentication required (407)"),
        (b"HTTP/1.1 403 Forbidden\r\n\r\n", "Tunnel"),
        (b"HTTP/1.1 200 OK\r\n", "connection closed"),
        (b"", "connection closed"),
        (&[b'x'; MAX_PROXY_RESPONSE_BYTES + 1], "response too long"),
    ] {
        let (found, served) = proxy(response).await;
        let error = format!("{:?}", through(&found, "stream.invalid", 443).await.unwrap_err());
        assert!(error.contains(says) && error.contains(&found.origin), "{says}: {error}");
        assert!(!error.contains("c2VjcmV0"), "{error}");
        served.abort();
    }
    let other = Proxy { origin: String::from("socks5://127.0.0.1:1080"), authorization: None };
    let error = through(&other, "stream.invalid", 443).await.unwrap_err();
    assert!(matches!(error, ErrorKind::Proxy { fault, .. } if fault == "WebSocket needs an http:// proxy"));
}

#[tokio::test]
async fn silent_proxy_ends_at_the_timeout() {
    let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
    let found = Proxy { origin: format!("http://{}", listener.local_addr().unwrap()), authorization: None };
    let limit = Duration::from_millis(50);
    assert!(timeout(limit, through(&found, "stream.invalid", 443)).await.is_err());
}
