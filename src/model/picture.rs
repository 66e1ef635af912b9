//! Decoded images.

use serde::{Deserialize, Serialize};

use super::text::Text;

/// Maximum length of the longer side in pixels; larger images are reduced to it. It is enough for a dialog on a large
/// screen.
pub const MAX_SIDE: u32 = 512;

/// A decoded image, reduced to at most [`MAX_SIDE`] pixels on each side. The first frame of an animation.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Picture {
    /// Pixels per row, at least 1.
    pub width: u32,
    /// Rows of pixels, at least 1.
    pub height: u32,
    /// Red, green, blue and opacity of each pixel, row by row.
    pub pixels: Vec<u8>,
    /// Width and height before the reduction.
    pub original: (u32, u32),
    /// The format of the file, such as `PNG`.
    pub format: Text,
    /// Length of the file in bytes.
    pub bytes: u64,
}
