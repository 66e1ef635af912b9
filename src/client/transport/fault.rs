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
    if let Some(tls) = find::<rustls::Error>(error) {
        return ErrorKind::Tls(short(&tls.to_string()));
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
    let ended = |error: &hyper::Error| error.is_incomplete_message() || error.is_closed() || error.is_canceled();
    if hyper.is_some_and(ended) || causes(error).any(|cause| cause.downcast_ref::<io::Error>().is_some_and(broken)) {
        return ErrorKind::Incomplete;
    }
    ErrorKind::Corrupt(root(error))
}

/// Classifies an error of an exchange through a proxy: failures before the service is reached are the proxy's.
pub(super) fn of_proxy(kind: ErrorKind, origin: &str) -> ErrorKind {
    let fault = match kind {
        ErrorKind::Refused => String::from("connection refused"),
        ErrorKind::Resolve => String::from("can't resolve host"),
        // The proxy rejected CONNECT, usually because it can't reach the service.
        ErrorKind::Connect(why) if why.ends_with(TUNNEL_REFUSED) => {
            return ErrorKind::Tunnel { origin: origin.to_owned() };
        }
        ErrorKind::Connect(why) if why.ends_with(SOCKS_UNREACHABLE) => String::from("can't connect"),
        ErrorKind::Connect(why) => format!("can't connect ({why})"),
        ErrorKind::Tls(why) if origin.starts_with("https:") => format!("TLS error ({why})"),
        ErrorKind::TimeoutFirstByte(limit) => format!("no response within {} s", limit.as_secs_f32()),
        ErrorKind::Status { status: 407, .. } => String::from("authentication required (407)"),
        other => return other,
    };
    ErrorKind::Proxy { origin: origin.to_owned(), fault }
}

/// The HTTP client's message for a rejected tunnel. It doesn't expose the status or the reason.
const TUNNEL_REFUSED: &str = "tunnel error: unsuccessful";

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
        // The source of an io::Error is that of its inner error, so the inner error itself would be skipped.
        match error.downcast_ref::<io::Error>().and_then(io::Error::get_ref) {
            Some(content) => Some(content as &(dyn StdError + 'static)),
            None => error.source(),
        }
    })
}
