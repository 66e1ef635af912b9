//! The status tab: every resource asked for, and the last errors.

/// What the status tab remembers.
#[derive(Debug, Default)]
pub struct StatusScreen {
    /// First row shown.
    pub scroll: usize,
}
