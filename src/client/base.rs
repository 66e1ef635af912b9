//! Where a group of the interface lives.

use std::fmt;
use std::net::{Ipv4Addr, Ipv6Addr};

use url::{Host, Url};

use crate::client::error::ErrorKind;

/// A group's base URL, checked, with its secret parts apart.
#[derive(Clone, PartialEq, Eq)]
pub struct Base {
    prefix: String,
    place: String,
    user: Option<(String, Option<String>)>,
    https: bool,
    loopback: bool,
}

impl Base {
    /// Reads a base URL: http or https, without query and fragment. A user and password in it are taken out; they are
    /// sent as a header and shown nowhere.
    ///
    /// # Errors
    /// [`ErrorKind::BadUrl`] says what is wrong, without repeating the URL.
    pub fn parse(text: &str) -> Result<Base, ErrorKind> {
        let bad = |why: &str| ErrorKind::BadUrl(why.to_owned());
        let mut url = Url::parse(text.trim()).map_err(|error| bad(&error.to_string()))?;
        let https = match url.scheme() {
            "https" => true,
            "http" => false,
            _ => return Err(bad("it begins neither with http:// nor with https://")),
        };
        if url.query().is_some() || url.fragment().is_some() {
            return Err(bad("a base URL has no “?” and no “#”; keys belong into a header"));
        }
        let user = (!url.username().is_empty() || url.password().is_some())
            .then(|| (decoded(url.username()), url.password().map(decoded)));
        if user.is_some() && (url.set_username("").is_err() || url.set_password(None).is_err()) {
            return Err(bad("invalid user name"));
        }
        let loopback = match url.host() {
            Some(Host::Ipv4(ip)) => ip.is_loopback() || ip == Ipv4Addr::UNSPECIFIED,
            Some(Host::Ipv6(ip)) => ip.is_loopback() || ip == Ipv6Addr::UNSPECIFIED,
            Some(Host::Domain(name)) => name == "localhost",
            None => return Err(bad("it names no host")),
        };
        let place = url.origin().ascii_serialization();
        let prefix = url.as_str().trim_end_matches('/').to_owned();
        Ok(Base { prefix, place, user, https, loopback })
    }

    /// The full URL of a path below it.
    pub fn join(&self, path_and_query: &str) -> String {
        format!("{}{path_and_query}", self.prefix)
    }

    /// Scheme, host and port.
    pub fn place(&self) -> &str {
        &self.place
    }

    /// User name and password, where the URL had them.
    pub fn user(&self) -> Option<(&str, Option<&str>)> {
        self.user.as_ref().map(|(name, password)| (name.as_str(), password.as_deref()))
    }

    /// Whether connections to it are secured by TLS.
    pub fn is_https(&self) -> bool {
        self.https
    }

    /// Whether it lives on this machine.
    pub fn is_loopback(&self) -> bool {
        self.loopback
    }
}

impl fmt::Debug for Base {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_tuple("Base").field(&self.prefix).finish()
    }
}

fn decoded(text: &str) -> String {
    percent_encoding::percent_decode_str(text).decode_utf8_lossy().into_owned()
}
