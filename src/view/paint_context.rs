//! What screens and dialogs are painted from.

use super::appearance::Appearance;
use crate::app::State;

/// What screens and dialogs are painted from.
#[derive(Clone, Copy, Debug)]
pub(super) struct PaintContext<'a> {
    /// The state.
    pub(super) state: &'a State,
    /// The look.
    pub(super) appearance: &'a Appearance,
}
