//! Bounds the memory of large responses that clients have not read yet.

use std::sync::Arc;

use axum::body::{Body, Bytes, HttpBody as _};
use axum::extract::{Request, State};
use axum::middleware::Next;
use axum::response::{IntoResponse as _, Response};
use tokio::sync::{OwnedSemaphorePermit, Semaphore};

use super::errors::Failure;

/// Smaller responses are not counted.
const SMALL: u64 = 64 << 10;

/// Bytes per permit.
const UNIT: u64 = 1 << 10;

/// The bytes that large responses may still take. Cheap to clone.
#[derive(Clone, Debug)]
pub(super) struct Unsent(Arc<Semaphore>);

impl Unsent {
    pub(super) fn new(bytes: usize) -> Unsent {
        Unsent(Arc::new(Semaphore::new(bytes / UNIT as usize)))
    }
}

/// A body and its share, which it returns when the last reader has dropped it.
struct Counted {
    body: Bytes,
    _share: OwnedSemaphorePermit,
}

impl AsRef<[u8]> for Counted {
    fn as_ref(&self) -> &[u8] {
        &self.body
    }
}

/// Middleware that counts large responses, and fails those that don't fit.
pub(super) async fn limit(State(unsent): State<Unsent>, request: Request, next: Next) -> Response {
    let response = next.run(request).await;
    let Some(size) = response.body().size_hint().exact().filter(|size| *size > SMALL) else { return response };
    let units = u32::try_from(size / UNIT).unwrap_or(u32::MAX);
    let Ok(share) = unsent.0.try_acquire_many_owned(units) else { return Failure::overloaded().into_response() };
    let (parts, body) = response.into_parts();
    match axum::body::to_bytes(body, usize::MAX).await {
        Ok(body) => Response::from_parts(parts, Body::from(Bytes::from_owner(Counted { body, _share: share }))),
        Err(error) => Failure::internal(format!("can't read the response: {error}")).into_response(),
    }
}
