//! The Status tab: all requested resources, and recent errors and warnings.

/// The state of the Status tab.
#[derive(Debug, Default)]
pub struct StatusScreen {
    /// First row shown.
    pub scroll: usize,
}
