//! The charts of coins: how they are drawn, which part is shown, and the comparison of several coins.

pub mod compare;
pub(super) mod compared_lines;
pub mod limits;
pub(super) mod listed_price;
pub(super) mod note;
pub mod view;
pub mod window;
pub mod year;
