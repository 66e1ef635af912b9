//! The look of the screen.

use super::images::Images;
use crate::glyphs::Glyphs;
use crate::theme::Theme;

/// The look of the screen, which is fixed for a run.
#[derive(Clone, Debug)]
pub struct Appearance {
    /// The styles.
    pub theme: Theme,
    /// The characters.
    pub glyphs: Glyphs,
    /// How images are shown.
    pub images: Images,
}

impl Appearance {
    /// A look with half blocks as images.
    pub fn new(theme: Theme, glyphs: Glyphs) -> Appearance {
        Appearance { theme, glyphs, images: Images::default() }
    }
}
