//! The underlying HTTP client: TLS, connection pool, redirects.

use std::sync::Arc;
use std::time::Duration;

use reqwest::header::{ACCEPT, ACCEPT_ENCODING, HeaderMap, HeaderName, HeaderValue};
use rustls::RootCertStore;
use rustls_platform_verifier::BuilderVerifierExt as _;

use super::{body, fault, redirect};
use crate::client::base::Base;
use crate::client::config::Limits;
use crate::client::config::Secret;
use crate::client::error::ErrorKind;

/// Maximum idle connections per host, more than the dashboard uses at once.
const IDLE_CONNECTIONS: usize = 8;

/// Interval of TCP keep-alive probes.
const KEEPALIVE: Duration = Duration::from_secs(30);

/// A connection whose peer acknowledges nothing for this long is dead (the machine slept, the network changed). Shorter
/// than the first-byte timeout, so that there is time to retry on a new connection.
const USER_TIMEOUT: Duration = Duration::from_secs(6);

/// An HTTP/2 connection gets a ping after this time without data, while a response is pending: an idle program sends
/// nothing. The peer has [`USER_TIMEOUT`] to answer it.
const PING_AFTER: Duration = Duration::from_secs(3);

/// Creates a client for this base URL. `uses_tls`: the connection to the service or to the proxy uses TLS.
pub(super) fn client(base: &Base, uses_tls: bool, limits: &Limits) -> Result<reqwest::Client, ErrorKind> {
    builder(base, uses_tls, limits)?.build().map_err(|error| ErrorKind::Internal(fault::root(&error)))
}

fn builder(base: &Base, uses_tls: bool, limits: &Limits) -> Result<reqwest::ClientBuilder, ErrorKind> {
    let mut builder = reqwest::Client::builder()
        .user_agent(concat!(env!("CARGO_PKG_NAME"), "/", env!("CARGO_PKG_VERSION")))
        .tls_backend_preconfigured(tls(uses_tls)?)
        .redirect(redirect::same_origin(limits.redirects))
        .referer(false)
        .pool_max_idle_per_host(IDLE_CONNECTIONS)
        .pool_idle_timeout(None)
        .tcp_keepalive(KEEPALIVE)
        .tcp_keepalive_interval(USER_TIMEOUT / 3)
        .tcp_keepalive_retries(3_u32)
        .http2_keep_alive_interval(PING_AFTER)
        .http2_keep_alive_timeout(USER_TIMEOUT);
    #[cfg(target_os = "linux")]
    {
        builder = builder.tcp_user_timeout(USER_TIMEOUT);
    }
    if base.is_loopback() {
        builder = builder.no_proxy();
    }
    Ok(builder)
}

/// TLS with ring and the system's certificates. A client without TLS needs none, since redirects to HTTPS are not
/// followed.
pub(super) fn tls(is_used: bool) -> Result<rustls::ClientConfig, ErrorKind> {
    let fault = |error: rustls::Error| fault::tls(&error);
    let builder = rustls::ClientConfig::builder_with_provider(Arc::new(rustls::crypto::ring::default_provider()))
        .with_safe_default_protocol_versions()
        .map_err(fault)?;
    let builder = if is_used {
        builder.with_platform_verifier().map_err(fault)?
    } else {
        builder.with_root_certificates(RootCertStore::empty())
    };
    let mut config = builder.with_no_client_auth();
    config.alpn_protocols = vec![b"h2".to_vec(), b"http/1.1".to_vec()];
    Ok(config)
}

/// The headers of every request: our defaults, overridden by the configured ones.
pub(super) fn headers(base: &Base, extra: &[(String, Secret)]) -> Result<HeaderMap, ErrorKind> {
    let mut headers = HeaderMap::new();
    headers.insert(ACCEPT, HeaderValue::from_static("application/json"));
    // On loopback, compression takes more time than it saves.
    let accepted = if base.is_loopback() { "identity" } else { body::ENCODING };
    headers.insert(ACCEPT_ENCODING, HeaderValue::from_static(accepted));
    for (name, Secret(value)) in extra {
        let key: HeaderName = name.trim().parse().map_err(|_| ErrorKind::BadHeader(name.escape_debug().to_string()))?;
        let mut value: HeaderValue = value.trim().parse().map_err(|_| ErrorKind::BadHeader(key.as_str().to_owned()))?;
        value.set_sensitive(true);
        headers.insert(key, value);
    }
    Ok(headers)
}

#[cfg(test)]
mod tests {
    use tokio::io::{AsyncReadExt as _, AsyncWriteExt as _};
    use tokio::net::{TcpListener, TcpStream};
    use tokio::time::Instant;

    use super::*;

    /// Empty HTTP/2 settings.
    const SETTINGS: &[u8] = &[0, 0, 0, 4, 0, 0, 0, 0, 0];

    /// The head of a response with status 200 on the first stream, and a part of its body.
    const BEGINNING: &[u8] = &[0, 0, 1, 1, 4, 0, 0, 0, 1, 0x88, 0, 0, 1, 0, 0, 0, 0, 0, 1, b'['];

    /// Reads the preface of an HTTP/2 connection, and frames until the head of a request.
    async fn read_request(connection: &mut TcpStream) {
        connection.read_exact(&mut [0; 24]).await.unwrap();
        loop {
            let mut head = [0; 9];
            connection.read_exact(&mut head).await.unwrap();
            let length = u32::from_be_bytes([0, head[0], head[1], head[2]]);
            connection.read_exact(&mut vec![0; length as usize]).await.unwrap();
            if head[3] == 1 {
                return;
            }
        }
    }

    /// An HTTP/2 server that responds with these bytes only, and then closes the connection if it `closes`.
    async fn server(bytes: Vec<u8>, closes: bool) -> (reqwest::Client, String) {
        let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
        let url = format!("http://{}", listener.local_addr().unwrap());
        tokio::spawn(async move {
            let (mut connection, _) = listener.accept().await.unwrap();
            read_request(&mut connection).await;
            connection.write_all(&bytes).await.unwrap();
            if closes {
                connection.shutdown().await.unwrap();
            }
            // Until the client closes it.
            let _ = connection.read_to_end(&mut Vec::new()).await;
        });
        let builder = builder(&Base::parse(&url).unwrap(), false, &Limits::default()).unwrap();
        (builder.http2_prior_knowledge().build().unwrap(), url)
    }

    #[tokio::test(start_paused = true)]
    async fn dead_http2_connection_is_noticed_in_time_for_a_retry() {
        let (client, url) = server(SETTINGS.to_vec(), false).await;
        let began = Instant::now();
        let error = client.get(url).send().await.unwrap_err();
        assert_eq!(fault::kind(&error), ErrorKind::Incomplete);
        assert!(began.elapsed() < Duration::from_secs(10), "{:?}", began.elapsed());
    }

    #[tokio::test]
    async fn http2_connection_that_closes_during_a_response_is_incomplete() {
        let (client, url) = server([SETTINGS, BEGINNING].concat(), true).await;
        let error = match client.get(url).send().await {
            Ok(response) => response.bytes().await.unwrap_err(),
            Err(error) => error,
        };
        assert_eq!(fault::kind(&error), ErrorKind::Incomplete);
    }
}
