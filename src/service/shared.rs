//! State shared by instances on several machines through Redis or Valkey: responses, locks, and the providers' budgets.
//!
//! Without Redis each instance uses its own cache and its share of the budgets: it assumes that each of the others
//! sends as many requests as itself. A request never waits long for Redis, and never fails because of it.

mod budget;
mod claim;
mod instances;
mod reason;
mod state;
#[cfg(test)]
mod tests;

pub(in crate::service) use budget::{AccountMonth, Budget, SharedSlot};
pub(in crate::service) use claim::{Claim, StoredResponse, StoredResponseRef};
pub use state::SharedState;
