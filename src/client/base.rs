//! Base URLs.

use std::fmt;
use std::net::{Ipv4Addr, Ipv6Addr};

use url::{Host, Url};

use crate::client::error::ErrorKind;

/// A validated base URL of a group. User name and password are stored separately.
#[derive(Clone, PartialEq, Eq)]
pub struct Base {
    prefix: String,
    origin: String,
    user: Option<(String, Option<String>)>,
    https: bool,
    loopback: bool,
}

impl Base {
    /// Parses a base URL: http or https, without query and fragment. User name and password are removed from it; they
    /// are sent as a header and never shown.
    ///
    /// # Errors
    /// [`ErrorKind::BadUrl`] with a reason that doesn't contain the URL.
    pub fn parse(text: &str) -> Result<Base, ErrorKind> {
        let bad = |why: &str| ErrorKind::BadUrl(why.to_owned());
        let mut url = Url::parse(text.trim()).map_err(|error| bad(&error.to_string()))?;
        let https = match url.scheme() {
            "https" => true,
            "http" => false,
            _ => return Err(bad("not an http or https URL")),
        };
        if url.query().is_some() || url.fragment().is_some() {
            return Err(bad("query and fragment not allowed; put API keys in a header"));
        }
        let user = (!url.username().is_empty() || url.password().is_some())
            .then(|| (percent_decode(url.username()), url.password().map(percent_decode)));
        if user.is_some() && (url.set_username("").is_err() || url.set_password(None).is_err()) {
            return Err(bad("invalid user name"));
        }
        let loopback = match url.host() {
            Some(Host::Ipv4(ip)) => ip.is_loopback() || ip == Ipv4Addr::UNSPECIFIED,
            Some(Host::Ipv6(ip)) => ip.is_loopback() || ip == Ipv6Addr::UNSPECIFIED,
            Some(Host::Domain(name)) => name == "localhost",
            None => return Err(bad("no host")),
        };
        let origin = url.origin().ascii_serialization();
        let prefix = url.as_str().trim_end_matches('/').to_owned();
        Ok(Base { prefix, origin, user, https, loopback })
    }

    /// Appends a path to the base URL.
    pub fn join(&self, path_and_query: &str) -> String {
        format!("{}{path_and_query}", self.prefix)
    }

    /// Scheme, host and port.
    pub fn origin(&self) -> &str {
        &self.origin
    }

    /// User name and password, if the URL had them.
    pub fn user(&self) -> Option<(&str, Option<&str>)> {
        self.user.as_ref().map(|(name, password)| (name.as_str(), password.as_deref()))
    }

    /// Whether it uses TLS.
    pub fn is_https(&self) -> bool {
        self.https
    }

    /// Whether the host is a loopback address.
    pub fn is_loopback(&self) -> bool {
        self.loopback
    }
}

impl fmt::Debug for Base {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_tuple("Base").field(&self.prefix).finish()
    }
}

fn percent_decode(text: &str) -> String {
    percent_encoding::percent_decode_str(text).decode_utf8_lossy().into_owned()
}
