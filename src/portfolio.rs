//! The wallet's holdings: cost, profit and value of its lots, exact to the last digit.
//!
//! [`wallet`] turns lots and balances into holdings with values: [`cost`] turns lots into holdings, [`balance`] counts
//! the balances of addresses, and [`value`] values holdings with prices; [`history`] with past prices. Sums
//! and products are exact; quotients are rounded half to even at 18 decimals.

pub mod balance;
pub mod cost;
pub mod date;
pub mod entry;
pub mod history;
pub mod number;
pub mod oversold;
mod places;
pub mod rates;
pub mod token_prices;
pub mod value;
pub mod wallet;

pub use balance::{AddressBalances, Unvalued, count_balances};
pub use cost::{CostMethod, Holding, LotProblem, LotState, UnknownCostMethod, holdings};
pub use history::{AmountHistory, value_history};
pub use oversold::{Oversold, newly_oversold, oversold};
pub use rates::HistoricalRates;
pub use token_prices::{Deploys, TokenPrices, is_token};
pub use value::{HoldingValue, Quote, Valuation};
