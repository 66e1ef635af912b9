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

/// Creates a client for this base URL. `uses_tls`: the connection to the service or to the proxy uses TLS.
pub(super) fn client(base: &Base, uses_tls: bool, limits: &Limits) -> Result<reqwest::Client, ErrorKind> {
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
        // Only while a response is pending: an idle program sends nothing.
        .http2_keep_alive_interval(USER_TIMEOUT)
        .http2_keep_alive_timeout(USER_TIMEOUT);
    #[cfg(target_os = "linux")]
    {
        builder = builder.tcp_user_timeout(USER_TIMEOUT);
    }
    if base.is_loopback() {
        builder = builder.no_proxy();
    }
    builder.build().map_err(|error| ErrorKind::Internal(fault::root(&error)))
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
