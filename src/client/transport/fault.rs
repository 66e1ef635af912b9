//! Converts errors of the HTTP client by walking the chain of their causes.

use std::error::Error as StdError;
use std::io;

use super::redirect::RedirectRefused;
use crate::client::error::ErrorKind;
use crate::model::text;

/// Classifies an error.
pub(super) fn kind(error: &reqwest::Error) -> ErrorKind {
    if let Some(refused) = find::<RedirectRefused>(error) {
        return ErrorKind::Redirect(refused.to_string());
    }
    if error.is_builder() {
        return ErrorKind::BadUrl(root(error));
    }
    if error.is_dns() {
        return ErrorKind::Resolve;
    }
    if let Some(error) = find::<rustls::Error>(error) {
        return tls(error);
    }
    if error.is_connect() {
        let refused = find::<io::Error>(error).is_some_and(|error| error.kind() == io::ErrorKind::ConnectionRefused);
        return if refused { ErrorKind::Refused } else { ErrorKind::Connect(root(error)) };
    }
    let hyper = find::<hyper::Error>(error);
    if hyper.is_some_and(hyper::Error::is_parse) {
        return ErrorKind::Corrupt(root(error));
    }
    let broken = |error: &io::Error| {
        use io::ErrorKind::{BrokenPipe, ConnectionAborted, ConnectionReset, NotConnected, TimedOut, UnexpectedEof};
        matches!(
            error.kind(),
            BrokenPipe | ConnectionAborted | ConnectionReset | NotConnected | TimedOut | UnexpectedEof
        )
    };
    // An HTTP/2 connection times out if a ping is not answered.
    let ended = |error: &hyper::Error| {
        error.is_incomplete_message() || error.is_closed() || error.is_canceled() || error.is_timeout()
    };
    if hyper.is_some_and(ended)
        || causes(error).any(|cause| cause.downcast_ref::<io::Error>().is_some_and(broken))
        || root(error).ends_with(CLOSED)
    {
        return ErrorKind::Incomplete;
    }
    ErrorKind::Corrupt(root(error))
}

/// The HTTP client's message for an HTTP/2 connection that is closed during a response.
const CLOSED: &str = "closed because of a broken pipe";

/// Classifies a failed TLS handshake.
pub(super) fn of_handshake(error: &io::Error) -> ErrorKind {
    find::<rustls::Error>(error).map_or_else(|| ErrorKind::Tls(root(error)), tls)
}

/// Describes a TLS error. The library describes most invalid certificates by the names of its types.
pub(super) fn tls(error: &rustls::Error) -> ErrorKind {
    use rustls::{CertificateError as Invalid, Error, InvalidMessage};
    let why = match error {
        Error::InvalidCertificate(certificate) => match certificate {
            Invalid::UnknownIssuer => "unknown certificate issuer",
            Invalid::Expired | Invalid::ExpiredContext { .. } => "certificate expired",
            Invalid::NotValidYet | Invalid::NotValidYetContext { .. } => "certificate not valid yet",
            Invalid::NotValidForName | Invalid::NotValidForNameContext { .. } => "certificate is for another host",
            Invalid::Revoked => "certificate revoked",
            Invalid::BadSignature
            | Invalid::UnsupportedSignatureAlgorithmContext { .. }
            | Invalid::UnsupportedSignatureAlgorithmForPublicKeyContext { .. } => {
                "invalid or unsupported certificate signature"
            }
            Invalid::Other(other) if other.to_string() == CA_AS_SERVER => "self-signed certificate",
            other => return ErrorKind::Tls(short(&format!("invalid certificate: {other}"))),
        },
        Error::InvalidMessage(InvalidMessage::InvalidContentType) => "the server doesn't use TLS",
        // A sentence of the verifier.
        Error::General(why) => why.as_str(),
        other => return ErrorKind::Tls(short(&other.to_string())),
    };
    ErrorKind::Tls(short(why))
}

/// The verifier's error for a server whose certificate is a certificate authority's. Self-signed certificates usually
/// are, and are rejected even if the system trusts them.
const CA_AS_SERVER: &str = "CaUsedAsEndEntity";

/// Classifies an error of an exchange through a proxy: failures before the service is reached are the proxy's.
pub(super) fn of_proxy(kind: ErrorKind, origin: &str) -> ErrorKind {
    let fault = match kind {
        ErrorKind::Refused => String::from("connection refused"),
        // These proxies get an address, so it is the service's name that was looked up here.
        ErrorKind::Resolve if origin.starts_with("socks4:") => {
            String::from("can't resolve the service locally (use socks4a://)")
        }
        ErrorKind::Resolve if origin.starts_with("socks5:") => {
            String::from("can't resolve the service locally (use socks5h://)")
        }
        ErrorKind::Resolve => String::from("can't resolve host"),
        // The proxy rejected CONNECT, usually because it can't reach the service.
        ErrorKind::Connect(why) if why.ends_with(TUNNEL_REFUSED) => {
            return ErrorKind::Tunnel { origin: origin.to_owned() };
        }
        ErrorKind::Connect(why) if why.ends_with(TUNNEL_UNAUTHORIZED) => String::from(UNAUTHORIZED),
        ErrorKind::Connect(why) if why.ends_with(SOCKS_NO_METHOD) => {
            String::from("authentication required or not supported")
        }
        ErrorKind::Connect(why) if why.ends_with(SOCKS_UNREACHABLE) => String::from("can't connect"),
        ErrorKind::Connect(why) => format!("can't connect ({why})"),
        ErrorKind::Tls(why) if origin.starts_with("https:") => format!("TLS error ({why})"),
        ErrorKind::TimeoutFirstByte(limit) => format!("no response within {} s", limit.as_secs_f32()),
        ErrorKind::Status { status: 407, .. } => String::from(UNAUTHORIZED),
        other => return other,
    };
    ErrorKind::Proxy { origin: origin.to_owned(), fault }
}

/// The HTTP client's message for a rejected tunnel. It doesn't expose the status or the reason.
const TUNNEL_REFUSED: &str = "tunnel error: unsuccessful";

/// The HTTP client's message for a tunnel that needs a password (407).
const TUNNEL_UNAUTHORIZED: &str = "tunnel error: proxy authorization required";

/// The fault of a proxy that needs a password.
pub(super) const UNAUTHORIZED: &str = "authentication required (407)";

/// The HTTP client's message for a SOCKS proxy that accepts none of the offered ways to authenticate, for example because
/// there is no password.
const SOCKS_NO_METHOD: &str = "server does not support user/pass authentication";

/// The HTTP client's message for a SOCKS proxy without a connection. It doesn't expose the reason.
const SOCKS_UNREACHABLE: &str = "failed to create underlying connection";

/// The message of the root cause.
pub(super) fn root(error: &(dyn StdError + 'static)) -> String {
    let deepest = causes(error).last().map(ToString::to_string).unwrap_or_default();
    short(&deepest)
}

/// Cleans and cuts a library's message, which may contain text from the server.
fn short(words: &str) -> String {
    text::cut(text::clean(words), 200).into_owned()
}

fn find<'e, E: StdError + 'static>(error: &'e (dyn StdError + 'static)) -> Option<&'e E> {
    causes(error).find_map(|cause| cause.downcast_ref::<E>())
}

fn causes<'e>(error: &'e (dyn StdError + 'static)) -> impl Iterator<Item = &'e (dyn StdError + 'static)> {
    std::iter::successors(Some(error), |error: &&'e (dyn StdError + 'static)| {
        let error: &'e (dyn StdError + 'static) = *error;
        // An io::Error returns its inner error's source, so the inner error itself would be skipped.
        match error.downcast_ref::<io::Error>().and_then(io::Error::get_ref) {
            Some(content) => Some(content as &(dyn StdError + 'static)),
            None => error.source(),
        }
    })
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;
    use std::time::Duration;

    use rustls::pki_types::UnixTime;
    use rustls::{AlertDescription, CertificateError, Error, InvalidMessage, OtherError};

    use super::*;

    #[test]
    fn tls_errors_are_in_plain_words() {
        let time = |secs| UnixTime::since_unix_epoch(Duration::from_secs(secs));
        let expired = CertificateError::ExpiredContext { time: time(2), not_after: time(1) };
        let own = CertificateError::Other(OtherError(Arc::new(io::Error::other("CaUsedAsEndEntity"))));
        for (error, why) in [
            (Error::InvalidCertificate(CertificateError::UnknownIssuer), "unknown certificate issuer"),
            (Error::InvalidCertificate(expired), "certificate expired"),
            (Error::InvalidCertificate(CertificateError::NotValidYet), "certificate not valid yet"),
            (Error::InvalidCertificate(CertificateError::NotValidForName), "certificate is for another host"),
            (Error::InvalidCertificate(own), "self-signed certificate"),
            (Error::InvalidCertificate(CertificateError::BadEncoding), "invalid certificate: BadEncoding"),
            (Error::InvalidMessage(InvalidMessage::InvalidContentType), "the server doesn't use TLS"),
            (Error::General(String::from("No CA certificates")), "No CA certificates"),
            (Error::AlertReceived(AlertDescription::ProtocolVersion), "received fatal alert: ProtocolVersion"),
        ] {
            let wrapped = io::Error::new(io::ErrorKind::InvalidData, error);
            assert_eq!(of_handshake(&wrapped), ErrorKind::Tls(String::from(why)));
        }
    }
}
