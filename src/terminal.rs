//! The terminal: set up at the start, restored on every exit, painted in whole frames.

mod input;
mod modes;
mod output;
mod painter;
mod panics;

pub use input::{Decoder, Event, Wait};
pub use modes::{capture_mouse, cell_size, enter, is_foreground, is_stuck, leave, set_title, size};
pub use output::{FinalWriter, Output, Sink};
pub use painter::{Painter, write_lines};
pub use panics::{first_panic, restore_on_panic};
