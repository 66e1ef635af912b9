//! Formats of numbers, amounts and times: of limited width, with only significant digits.
//!
//! Each format is a small type with `Display`, so that a row can be written into a scratch string (`write!(scratch,
//! "{}", Price(coin.price))`) without an allocation. Values that are absent, NaN or infinite print as [`ABSENT`], never
//! as zero. Each format documents its maximum width, which no value exceeds.

pub mod amount;
pub mod columns;
mod digits;
pub mod money;
pub mod percent;
pub mod price;
pub mod sparkline;
pub mod time;
pub mod words;

pub use amount::{Bytes, Count, Exact, with_separators};
pub use digits::{ABSENT, MINUS};
pub(crate) use digits::{fixed, grouped};
pub use money::{ComparedPrice, FullMoney, Money, MoneyIn, PriceFormat, PriceIn, ValueIn, with_currency};
pub use percent::{Arrow, Change, Share, Signed, direction};
pub use price::{Price, ShortPrice};
pub use time::{Age, Clock, Date, Day, Latency, Moment, Span, TimeRange, Until};

/// Shown instead of hidden amounts.
pub const HIDDEN: &str = "•••";
