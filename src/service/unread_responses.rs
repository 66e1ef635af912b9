//! Bounds the memory of large responses that clients have not read yet.

use std::net::{IpAddr, Ipv6Addr};

use axum::body::{Body, Bytes, HttpBody as _};
use axum::extract::{Request, State};
use axum::middleware::Next;
use axum::response::{IntoResponse as _, Response};

use super::errors::Failure;
use super::fair_share::{FairShare, FairShareGuard};

/// Smaller responses are not counted.
const SMALL: u64 = 64 << 10;

/// The client of a request, an extension of it.
#[derive(Clone, Copy, Debug)]
pub(super) struct Client(pub(super) IpAddr);

impl Client {
    /// The address of a client; requests that were not made over a connection count as one client.
    pub(super) fn address(client: Option<&Client>) -> IpAddr {
        client.map_or(IpAddr::V6(Ipv6Addr::UNSPECIFIED), |Client(address)| *address)
    }
}

/// A body and its share of the memory, released when the last reader has dropped it.
struct CountedBody {
    body: Bytes,
    _share: FairShareGuard,
}

impl AsRef<[u8]> for CountedBody {
    fn as_ref(&self) -> &[u8] {
        &self.body
    }
}

/// A body derived from a counted one, which it keeps alive.
struct DerivedBody {
    body: Bytes,
    _source: Bytes,
}

impl AsRef<[u8]> for DerivedBody {
    fn as_ref(&self) -> &[u8] {
        &self.body
    }
}

/// Drops the unused capacity of a body that will be kept.
fn compact(body: Bytes) -> Bytes {
    Bytes::from(Vec::from(body).into_boxed_slice())
}

/// [`compact`] for a body that is not counted. A counted one is compact already, and a copy of it would not be counted.
pub(super) fn compact_small(body: Bytes) -> Bytes {
    if body.len() as u64 > SMALL { body } else { compact(body) }
}

/// A body that is counted if it is large, like the bodies of [`limit`]; `None` if it doesn't fit.
pub(super) fn counted(bytes: &FairShare, client: IpAddr, body: Bytes) -> Option<Bytes> {
    if body.len() as u64 <= SMALL {
        return Some(body);
    }
    let share = bytes.take(client, body.len())?;
    Some(Bytes::from_owner(CountedBody { body: compact(body), _share: share }))
}

/// Returns a body derived from a counted one, which stays counted until this body is read.
pub(super) fn counted_with(body: Bytes, source: &Bytes) -> Bytes {
    if source.len() as u64 <= SMALL {
        return body;
    }
    Bytes::from_owner(DerivedBody { body, _source: source.clone() })
}

/// Middleware that counts large responses, and fails those that don't fit.
pub(super) async fn limit(State(bytes): State<FairShare>, request: Request, next: Next) -> Response {
    let client = Client::address(request.extensions().get());
    let response = next.run(request).await;
    let Some(size) = response.body().size_hint().exact().filter(|size| *size > SMALL) else { return response };
    let share = bytes.take(client, usize::try_from(size).unwrap_or(usize::MAX));
    let Some(share) = share else { return Failure::overloaded().into_response() };
    let (parts, body) = response.into_parts();
    match axum::body::to_bytes(body, usize::MAX).await {
        Ok(body) => {
            let body = compact(body);
            Response::from_parts(parts, Body::from(Bytes::from_owner(CountedBody { body, _share: share })))
        }
        Err(error) => Failure::internal(format!("can't read the response: {error}")).into_response(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn large_body_counts_until_its_last_reader_drops_it() {
        let (bytes, client) = (FairShare::new(4 * SMALL as usize), Client::address(None));
        let body = |size: u64| Bytes::from(vec![0; size as usize]);
        let first = counted(&bytes, client, body(2 * SMALL)).unwrap();
        let reader = first.clone();
        drop(first);
        assert!(counted(&bytes, client, body(SMALL + 1)).is_none());
        assert!(counted(&bytes, client, body(SMALL)).is_some(), "a small one");
        drop(reader);
        assert!(counted(&bytes, client, body(SMALL + 1)).is_some());
    }
}
