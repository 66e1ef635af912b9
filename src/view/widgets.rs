//! Reusable painters over a cell buffer.
//!
//! They write cells themselves, for a frame of a list is painted many times a minute: no widget tree, no text objects,
//! one scratch string. All of them accept any rectangle, an empty one or one that lies partly outside of the buffer.
//! They paint Unicode; a terminal that has none is served by [`crate::glyphs::Glyphs::apply`] on the finished buffer.

pub mod bar;
pub mod bars;
pub mod chart;
pub mod panel;
pub mod range;
pub mod table;
pub mod text;
pub mod trend;
