//! The state of each screen.

pub mod indexer;
mod known_values;
pub mod list;
pub mod status;
pub mod token;
pub mod wallet;

pub use indexer::IndexerScreen;
pub use list::ListScreen;
pub use status::StatusScreen;
pub use token::TokenScreen;
pub use wallet::WalletScreen;
