//! The lengths of a chart's indicators, in closes.

/// The number of closes that Bollinger bands are computed from.
pub const BOLLINGER_LENGTH: usize = 20;

/// The lengths of the fast, the slow and the signal average of the MACD.
pub const MACD_LENGTHS: [usize; 3] = [12, 26, 9];
