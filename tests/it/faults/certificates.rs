//! Certificates of HTTPS servers: those in `SSL_CERT_FILE` are trusted, and errors say what is wrong with others.

use tokio::io::{AsyncReadExt as _, AsyncWriteExt as _};
use tokio::net::TcpStream;
use tokio_rustls::server::TlsStream;

use super::responses;
use super::tls::{Contents, TlsServer, VALID};
use crate::cli::server::Shell;
use crate::client::server::response;

/// Whether certificates are verified by the system, which ignores `SSL_CERT_FILE`.
const IGNORES_FILE: bool = cfg!(target_vendor = "apple");

/// A service that is reachable only through a proxy.
const SERVICE: &str = "http://coins.invalid";

/// Responds as a service or as a proxy.
async fn respond(mut stream: TlsStream<TcpStream>) {
    let mut head = Vec::new();
    while !head.ends_with(b"\r\n\r\n") {
        if !stream.read_buf(&mut head).await.is_ok_and(|count| count > 0) {
            return;
        }
    }
    let head = String::from_utf8(head).unwrap();
    let target = head.split(' ').nth(1).unwrap().trim_start_matches(SERVICE);
    let body = responses::body(target, 1);
    let _ = stream.write_all(&response("200 OK", "", body.as_bytes())).await;
    let _ = stream.shutdown().await;
}

/// The binary on this server. It trusts only these certificates in PEM.
fn shell(server: &TlsServer, trusted: &str) -> Shell {
    let shell = Shell::new();
    let file = shell.home.path().join("trusted.pem");
    std::fs::write(&file, trusted).unwrap();
    let shell = shell.with("SATSCOPE_BASE_URL", &server.url).with("SATSCOPE_INDEXER_URL", &server.url);
    shell.with("SSL_CERT_FILE", file.to_str().unwrap())
}

#[tokio::test(flavor = "multi_thread")]
async fn certificate_in_ssl_cert_file_is_trusted() {
    if !IGNORES_FILE {
        let server = TlsServer::start(VALID, "http/1.1", respond).await;
        shell(&server, &server.certificate).run("brc20 tokens").ok();
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn tls_error_says_what_is_wrong_with_the_certificate() {
    if IGNORES_FILE {
        return;
    }
    let elsewhere = Contents { address: [127, 0, 0, 2], ..VALID };
    let expired = Contents { not_after: "210101000000Z", ..VALID };
    for (contents, is_trusted, why) in [
        (elsewhere, true, "certificate is for another host"),
        (expired, true, "certificate expired"),
        (VALID, false, "No CA certificates were loaded from the system"),
    ] {
        let server = TlsServer::start(contents, "http/1.1", respond).await;
        let trusted = if is_trusted { server.certificate.as_str() } else { "" };
        let host = server.url.trim_start_matches("https://");
        let says = format!("TLS error from {host} ({why}); check the URL, the clock and the CA certificates");
        shell(&server, trusted).run("coins").fails(1, &says);
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn https_proxy_of_an_http_service_is_trusted() {
    if !IGNORES_FILE {
        let proxy = TlsServer::start(VALID, "http/1.1", respond).await;
        let shell = shell(&proxy, &proxy.certificate).with("SATSCOPE_BASE_URL", SERVICE);
        shell.with("SATSCOPE_INDEXER_URL", SERVICE).with("HTTP_PROXY", &proxy.url).run("brc20 tokens").ok();
    }
}
