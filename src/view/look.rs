//! The look of the screen.

use crate::glyphs::Glyphs;
use crate::theme::Theme;

/// The look of the screen, which is fixed for a run.
#[derive(Clone, Debug)]
pub struct Look {
    /// The styles.
    pub theme: Theme,
    /// The characters.
    pub glyphs: Glyphs,
}
