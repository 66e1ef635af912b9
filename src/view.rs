//! Paints the state: it changes nothing and asks for nothing.

pub mod glyphs;
pub mod widgets;
