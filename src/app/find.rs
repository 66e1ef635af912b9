//! What the palette and searches find, and how well it matches.

pub mod fuzzy;
pub mod lookup;
pub mod palette;
pub mod recent;
pub mod search;
