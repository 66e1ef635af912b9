//! The content of an inscription.

use crate::client::{MAX_CONTENT_BYTES, MAX_IMAGE_BYTES, Request};
use crate::format::Bytes;
use crate::model::{Inscription, text};

/// Whether this build can decode images.
pub const HAS_IMAGES: bool = cfg!(feature = "images");

/// The types of images that can be shown.
const IMAGES: [&str; 5] = ["image/png", "image/jpeg", "image/jpg", "image/gif", "image/webp"];

/// Maximum length of a quoted content type in characters.
const MAX_TYPE: usize = 40;

/// The content type in lower case, without parameters.
fn essence(inscription: &Inscription) -> Option<String> {
    let kind = inscription.content_type.as_deref()?.to_ascii_lowercase();
    Some(kind.split(';').next().unwrap_or_default().trim().to_owned())
}

/// The request for an inscription's content if it is a short text, which can be shown completely.
pub fn content_request(inscription: &Inscription) -> Option<Request> {
    let essence = essence(inscription)?;
    let is_text = essence.starts_with("text/") || matches!(essence.as_str(), "application/json" | "application/yaml");
    let is_short = inscription.content_length.is_some_and(|length| length <= MAX_CONTENT_BYTES);
    (is_text && is_short).then(|| Request::InscriptionContent { id: inscription.id.clone() })
}

/// Whether the content is an image of a format that can be shown.
pub fn is_image(inscription: &Inscription) -> bool {
    essence(inscription).is_some_and(|essence| IMAGES.contains(&essence.as_str()))
}

/// The request for an inscription's content if it is an image that can be shown.
///
/// # Errors
/// Why it can't be shown, as a sentence without a full stop.
pub fn image_request(inscription: &Inscription) -> Result<Request, String> {
    if !is_image(inscription) {
        return Err(match essence(inscription) {
            Some(essence) => {
                let essence = text::cut(text::clean(&essence), MAX_TYPE).into_owned();
                if essence.starts_with("image/") {
                    format!("Can't show {essence} (only PNG, JPEG, GIF and WebP)")
                } else {
                    format!("{essence} is not an image")
                }
            }
            None => String::from("Unknown content type"),
        });
    }
    match inscription.content_length {
        Some(length) if length > MAX_IMAGE_BYTES => {
            Err(format!("Image too large: {} (limit {})", Bytes(length), Bytes(MAX_IMAGE_BYTES)))
        }
        _ => Ok(Request::InscriptionImage { id: inscription.id.clone() }),
    }
}
