//! The exchanges that stream prices, and the listeners that need them.

pub(super) mod contradicting;
pub(super) mod event_times;
pub(super) mod exchange;
pub(super) mod hub;
pub(super) mod price_checks;
