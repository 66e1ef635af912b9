//! The styles of the screen, named by their meaning.
//!
//! By default, the colours are the terminal's own sixteen on its own background, so that they fit the user's palette;
//! only the selection bar has its own grey. Colour is never the only sign: gain and loss have an arrow and a sign, focus
//! is bold, the selection is a bar.

mod bar;
mod choice;
mod nearest;
mod styles;

pub use bar::Bar;
pub use choice::{Background, ThemeChoice, colour_name, parse_colour};
pub use nearest::{color_term, has_24_bit_colours, nearest_of_256, nearest_of_sixteen};
pub use styles::{Theme, has_light_background};
