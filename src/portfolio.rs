//! What the wallet holds: cost, profit and value of its lots, exact to the last digit.
//!
//! [`cost`] turns lots into holdings, and [`value`] values holdings with prices. Sums and products are exact; quotients
//! are rounded half to even at 18 decimals.

pub mod cost;
pub mod entry;
pub mod number;
pub mod rates;
pub mod value;

pub use cost::{CostMethod, Holding, LotProblem, LotState, holdings};
pub use rates::PastRates;
pub use value::{HoldingValue, Quote, Valuation};
