//! Proxy settings from the environment.

use std::env;
use std::ffi::OsString;

use hyper_util::client::proxy::matcher::Matcher;
use reqwest::header::HeaderValue;
use url::Url;

use crate::client::base::Base;
use crate::client::error::ErrorKind;

/// The proxy that the HTTP client uses for this service: scheme, host and port. The client reads the same variables,
/// but ignores a malformed one.
///
/// # Errors
/// [`ErrorKind::BadProxy`] if the variable is invalid. Otherwise, the connection would be direct.
pub(super) fn origin_for(base: &Base) -> Result<Option<String>, ErrorKind> {
    Ok(find(base)?.map(|Proxy { origin, .. }| origin))
}

/// A proxy.
pub(super) struct Proxy {
    /// Scheme, host and port.
    pub(super) origin: String,
    /// The value of `Proxy-Authorization`.
    pub(super) authorization: Option<HeaderValue>,
}

/// The proxy, like [`origin_for`], with the password.
///
/// # Errors
/// [`ErrorKind::BadProxy`] if the variable is invalid.
pub(super) fn find(base: &Base) -> Result<Option<Proxy>, ErrorKind> {
    let Some(service) = base.origin().parse().ok().filter(|_| !base.is_loopback()) else { return Ok(None) };
    // Set for a CGI program, where HTTP_PROXY may come from a header of the request.
    let is_cgi = env::var_os("REQUEST_METHOD").is_some();
    if let Some((variable, value)) = setting(base).filter(|_| !is_cgi) {
        let excepted = set(&["NO_PROXY", "no_proxy"]).and_then(|(_, value)| value.into_string().ok());
        let any = Matcher::builder().all("http://proxy.invalid").no(excepted.unwrap_or_default()).build();
        if any.intercept(&service).is_some() {
            value.to_str().ok_or("not UTF-8").and_then(check).map_err(|why| ErrorKind::BadProxy { variable, why })?;
        }
    }
    let Some(proxy) = Matcher::from_system().intercept(&service) else { return Ok(None) };
    let (Some(scheme), Some(host)) = (proxy.uri().scheme_str(), proxy.uri().host()) else { return Ok(None) };
    let port = proxy.uri().port_u16().map(|port| format!(":{port}")).unwrap_or_default();
    let origin = format!("{scheme}://{host}{port}");
    Ok(Some(Proxy { origin, authorization: proxy.basic_auth().cloned() }))
}

/// The variable that applies to the scheme of this service, and its value.
fn setting(base: &Base) -> Option<(&'static str, OsString)> {
    let own = if base.is_https() { ["HTTPS_PROXY", "https_proxy"] } else { ["HTTP_PROXY", "http_proxy"] };
    set(&own).or_else(|| set(&["ALL_PROXY", "all_proxy"]))
}

/// The first variable that is set, unless it is empty.
fn set(names: &[&'static str]) -> Option<(&'static str, OsString)> {
    let first = names.iter().find_map(|name| Some((*name, env::var_os(name)?)));
    first.filter(|(_, value)| !value.is_empty())
}

/// Validates a proxy URL; the scheme is optional. The error doesn't contain the URL, which may include a password.
fn check(value: &str) -> Result<(), &'static str> {
    let whole = if value.contains("://") { value.to_owned() } else { format!("http://{value}") };
    let url = Url::parse(&whole).map_err(|_| "not a URL")?;
    match url.scheme() {
        "http" | "https" | "socks4" | "socks4a" | "socks5" | "socks5h" => {}
        _ => return Err("not an HTTP or SOCKS proxy URL"),
    }
    let read = Matcher::builder().all(value.to_owned()).build();
    let is_read = read.intercept(&hyper::Uri::from_static("http://service.invalid")).is_some();
    if is_read && url.host().is_some() { Ok(()) } else { Err("not a URL") }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn proxy_must_be_http_or_socks_url_with_optional_scheme() {
        for good in [
            "http://proxy:3128",
            "https://user:pass@proxy.example/",
            "proxy:3128",
            "proxy",
            "[::1]:3128",
            "socks4a://proxy",
            "socks5h://127.0.0.1:9050",
        ] {
            assert_eq!(check(good), Ok(()), "{good}");
        }
        for bad in [
            "http://",
            "://",
            "http:/proxy",
            "http//proxy:3128",
            "http://proxy:99999",
            "proxy:port",
            "http://pro xy:3128",
            " ",
            "ftp://proxy",
            "file:///proxy",
            "http://user:pa ss@proxy",
            "http://[::1",
            "ht!tp://proxy",
            "socks6://proxy",
        ] {
            assert!(check(bad).is_err(), "{bad}");
        }
    }
}
