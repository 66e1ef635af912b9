//! Images: PNG, JPEG, GIF and WebP, with limits regardless of the file's claims.

use std::io::Cursor;

use image::error::LimitErrorKind;
use image::{DynamicImage, ImageDecoder as _, ImageError, ImageFormat, ImageReader, Limits};

use crate::client::error::ErrorKind;
use crate::model::picture::MAX_SIDE;
use crate::model::{Picture, Text, text};

/// Maximum pixels of an image.
const MAX_PIXELS: u64 = 8_000_000;

/// Maximum memory of a decoded image in bytes: 8 million pixels of 16 bits per channel with opacity.
const MAX_MEMORY: u64 = 64 << 20;

/// Maximum length of a quoted content type in characters.
const MAX_TYPE: usize = 40;

/// Decodes an image and reduces it to [`MAX_SIDE`]. Of an animation, it decodes the first frame.
///
/// The format is detected from the bytes, since content types of inscriptions are often wrong. A type other than an
/// image is rejected, though: the content isn't meant as an image.
///
/// # Errors
/// [`ErrorKind::Image`]: the content is of another type, damaged, or has too many pixels.
pub(super) fn decode(body: &[u8], content_type: Option<&str>) -> Result<Picture, ErrorKind> {
    let essence = content_type.and_then(|kind| kind.split(';').next()).unwrap_or_default().trim().to_ascii_lowercase();
    let may_be_image = matches!(essence.as_str(), "" | "application/octet-stream" | "binary/octet-stream")
        || essence.starts_with("image/") && !essence.contains("svg");
    let format = image::guess_format(body).ok().filter(|_| may_be_image);
    let Some((format, name)) = format.and_then(|format| Some((format, name(format)?))) else {
        return Err(ErrorKind::Image(not_an_image(&essence)));
    };
    let failed = |error: ImageError| {
        ErrorKind::Image(match error {
            ImageError::Limits(error) if !matches!(error.kind(), LimitErrorKind::Unsupported { .. }) => {
                format!("The {name} needs too much memory")
            }
            ImageError::Unsupported(_) => format!("This kind of {name} can't be shown"),
            _ => format!("The {name} is damaged"),
        })
    };
    let mut reader = ImageReader::with_format(Cursor::new(body), format);
    let mut limits = Limits::no_limits();
    limits.max_alloc = Some(MAX_MEMORY);
    reader.limits(limits);
    let mut decoder = reader.into_decoder().map_err(failed)?;
    let (width, height) = decoder.dimensions();
    if u64::from(width) * u64::from(height) > MAX_PIXELS || decoder.total_bytes() > MAX_MEMORY {
        let max = MAX_PIXELS / 1_000_000;
        return Err(ErrorKind::Image(format!("The {name} is too large: {width}×{height}, limit {max} megapixels")));
    }
    let orientation = decoder.orientation().map_err(failed)?;
    let mut image = DynamicImage::from_decoder(decoder).map_err(failed)?;
    if width > MAX_SIDE || height > MAX_SIDE {
        image = image.thumbnail(MAX_SIDE, MAX_SIDE);
    }
    image.apply_orientation(orientation);
    let image = image.into_rgba8();
    if image.width() == 0 || image.height() == 0 {
        return Err(ErrorKind::Image(format!("The {name} is damaged")));
    }
    Ok(Picture {
        width: image.width(),
        height: image.height(),
        original: (width, height),
        format: Text::const_new(name),
        bytes: body.len() as u64,
        pixels: image.into_raw(),
    })
}

/// The name of a supported format.
fn name(format: ImageFormat) -> Option<&'static str> {
    match format {
        ImageFormat::Png => Some("PNG"),
        ImageFormat::Jpeg => Some("JPEG"),
        ImageFormat::Gif => Some("GIF"),
        ImageFormat::WebP => Some("WebP"),
        _ => None,
    }
}

fn not_an_image(essence: &str) -> String {
    match essence {
        "" => String::from("Not a PNG, JPEG, GIF or WebP"),
        essence => {
            let essence = text::clean(essence);
            format!("Not a PNG, JPEG, GIF or WebP ({})", text::cut(essence, MAX_TYPE))
        }
    }
}

#[cfg(test)]
mod tests;
