//! From the HTTP client's errors to ours, by walking the chain of their causes.

use std::error::Error as StdError;
use std::io;

use super::redirect::RedirectRefused;
use crate::client::error::ErrorKind;
use crate::model::text;

/// Why an exchange failed.
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
        return ErrorKind::Damaged(root(error));
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
        return ErrorKind::BrokenOff;
    }
    ErrorKind::Damaged(root(error))
}

/// The error of an exchange through a proxy: until the service is reached, failures are the proxy's.
pub(super) fn of_proxy(kind: ErrorKind, place: &str) -> ErrorKind {
    let fault = match kind {
        ErrorKind::Refused => String::from("connection refused"),
        ErrorKind::Resolve => String::from("can't resolve host"),
        // The proxy answered CONNECT with a failure, most often because the service does not answer it.
        ErrorKind::Connect(why) if why.ends_with(TUNNEL_REFUSED) => {
            return ErrorKind::Tunnel { place: place.to_owned() };
        }
        ErrorKind::Connect(why) => format!("can't connect ({why})"),
        ErrorKind::Tls(why) if place.starts_with("https:") => format!("TLS error ({why})"),
        ErrorKind::TimeoutFirstByte(limit) => format!("no response within {} s", limit.as_secs_f32()),
        ErrorKind::Status { status: 407, .. } => String::from("authentication required (407)"),
        other => return other,
    };
    ErrorKind::Proxy { place: place.to_owned(), fault }
}

/// How the HTTP client says that a proxy refused a tunnel; it keeps the status and the reason to itself.
const TUNNEL_REFUSED: &str = "tunnel error: unsuccessful";

/// What the deepest cause says.
pub(super) fn root(error: &(dyn StdError + 'static)) -> String {
    let deepest = causes(error).last().map(ToString::to_string).unwrap_or_default();
    short(&deepest)
}

/// The words of a library, which may hold words of the other side.
fn short(words: &str) -> String {
    text::cut(text::clean(words), 200).into_owned()
}

fn find<'e, E: StdError + 'static>(error: &'e (dyn StdError + 'static)) -> Option<&'e E> {
    causes(error).find_map(|cause| cause.downcast_ref::<E>())
}

fn causes<'e>(error: &'e (dyn StdError + 'static)) -> impl Iterator<Item = &'e (dyn StdError + 'static)> {
    std::iter::successors(Some(error), |error: &&'e (dyn StdError + 'static)| {
        let error: &'e (dyn StdError + 'static) = *error;
        // An io::Error's source is its content's source: the content itself would be left out.
        match error.downcast_ref::<io::Error>().and_then(io::Error::get_ref) {
            Some(content) => Some(content as &(dyn StdError + 'static)),
            None => error.source(),
        }
    })
}
