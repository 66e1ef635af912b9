//! What outlives the dashboard: changes that wait for the store, undo, and the session.

pub mod log;
pub(super) mod lost_changes;
pub mod session;
pub mod session_saves;
pub mod undo;
pub mod unsaved;
