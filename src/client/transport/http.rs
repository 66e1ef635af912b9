//! The HTTP client below: TLS, pool, redirects.

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

/// Idle connections kept for each host: more than the dashboard ever asks for at once.
const IDLE_CONNECTIONS: usize = 8;

/// An idle connection is tested by the kernel this often.
const KEEPALIVE: Duration = Duration::from_secs(30);

/// A connection on which the other side confirms nothing for so long is dead (the machine slept, the network changed).
/// Shorter than the limit on the first byte, so that there is time left to ask again on a new one.
const DEAD: Duration = Duration::from_secs(6);

/// A client fit for this base URL.
pub(super) fn client(base: &Base, limits: &Limits) -> Result<reqwest::Client, ErrorKind> {
    let mut builder = reqwest::Client::builder()
        .user_agent(concat!(env!("CARGO_PKG_NAME"), "/", env!("CARGO_PKG_VERSION")))
        .tls_backend_preconfigured(tls(base)?)
        .redirect(redirect::same_origin(limits.redirects))
        .referer(false)
        .pool_max_idle_per_host(IDLE_CONNECTIONS)
        .pool_idle_timeout(None)
        .tcp_keepalive(KEEPALIVE)
        .tcp_keepalive_interval(DEAD / 3)
        .tcp_keepalive_retries(3_u32)
        // Only while an answer is awaited: an idle program sends nothing.
        .http2_keep_alive_interval(DEAD)
        .http2_keep_alive_timeout(DEAD);
    #[cfg(target_os = "linux")]
    {
        builder = builder.tcp_user_timeout(DEAD);
    }
    if base.is_loopback() {
        builder = builder.no_proxy();
    }
    builder.build().map_err(|error| ErrorKind::Internal(fault::root(&error)))
}

/// TLS with ring and the system's certificates. Plain HTTP is never redirected to HTTPS, so that it needs none.
fn tls(base: &Base) -> Result<rustls::ClientConfig, ErrorKind> {
    let fault = |error: rustls::Error| ErrorKind::Tls(error.to_string());
    let builder = rustls::ClientConfig::builder_with_provider(Arc::new(rustls::crypto::ring::default_provider()))
        .with_safe_default_protocol_versions()
        .map_err(fault)?;
    let builder = if base.is_https() {
        builder.with_platform_verifier().map_err(fault)?
    } else {
        builder.with_root_certificates(RootCertStore::empty())
    };
    let mut config = builder.with_no_client_auth();
    config.alpn_protocols = vec![b"h2".to_vec(), b"http/1.1".to_vec()];
    Ok(config)
}

/// The headers of every request to a service: the ones that we always send, and the configured ones over them.
pub(super) fn headers(base: &Base, extra: &[(String, Secret)]) -> Result<HeaderMap, ErrorKind> {
    let mut headers = HeaderMap::new();
    headers.insert(ACCEPT, HeaderValue::from_static("application/json"));
    // On this machine, compression takes more time than it saves.
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
