//! The content of an inscription.

use crate::client::{CONTENT_BYTES, Request};
use crate::model::Inscription;

/// The request for an inscription's content if it is a short text, which can be shown completely.
pub fn content_request(inscription: &Inscription) -> Option<Request> {
    let kind = inscription.content_type.as_deref()?.to_ascii_lowercase();
    let essence = kind.split(';').next().unwrap_or_default().trim();
    let is_text = essence.starts_with("text/") || matches!(essence, "application/json" | "application/yaml");
    let is_short = inscription.content_length.is_some_and(|length| length <= CONTENT_BYTES);
    (is_text && is_short).then(|| Request::InscriptionContent { id: inscription.id.clone() })
}
