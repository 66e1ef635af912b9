//! The wallet's lots: purchases, sales, and amounts received or sent.

use std::fmt;

use jiff::civil::Date;

use super::watchlist::Watched;
use crate::model::{Amount, Currency, Decimal, Text};

/// The ID of a lot, from 1, never reused. A new lot has a temporary ID below 0 until the store has assigned one.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct LotId(pub i64);

impl LotId {
    /// The order of lots of one day: by ID, those with temporary ones last, as they were added.
    pub fn sort_key(self) -> (bool, u64) {
        (self.0 <= 0, self.0.unsigned_abs())
    }
}

impl fmt::Display for LotId {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.fmt(f)
    }
}

/// What happened to the amount of a lot.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum LotKind {
    /// Bought for a price.
    #[default]
    Buy,
    /// Sold for a price.
    Sell,
    /// Received, such as a gift or a mint. A price, if known, is its cost.
    Receive,
    /// Sent to someone else. The cost leaves with it; there is no profit.
    Send,
}

impl LotKind {
    /// All kinds.
    pub const ALL: [LotKind; 4] = [LotKind::Buy, LotKind::Sell, LotKind::Receive, LotKind::Send];

    /// The name on the command line and in the store.
    pub fn as_str(self) -> &'static str {
        match self {
            LotKind::Buy => "buy",
            LotKind::Sell => "sell",
            LotKind::Receive => "receive",
            LotKind::Send => "send",
        }
    }

    /// The kind with this name.
    pub fn parse(name: &str) -> Option<LotKind> {
        LotKind::ALL.into_iter().find(|kind| kind.as_str() == name)
    }

    /// Whether it adds to the holding.
    pub fn adds(self) -> bool {
        matches!(self, LotKind::Buy | LotKind::Receive)
    }
}

/// The price of a lot, in its currency.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum LotPrice {
    /// For one whole unit.
    Unit(Decimal),
    /// For the whole amount, without the fee.
    Total(Decimal),
}

impl LotPrice {
    /// The price of an amount, exact.
    pub fn total(&self, amount: Amount) -> Decimal {
        match self {
            LotPrice::Unit(unit) => unit * &amount.into(),
            LotPrice::Total(total) => total.clone(),
        }
    }

    /// The price of one whole unit of an amount; a quotient is rounded half to even at 18 decimals. `None` if the
    /// amount is zero.
    pub fn unit(&self, amount: Amount) -> Option<Decimal> {
        match self {
            LotPrice::Unit(unit) => Some(unit.clone()),
            LotPrice::Total(total) => total.divided_by(&amount.into()),
        }
    }
}

/// A lot.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Lot {
    /// The ID of the lot.
    pub id: LotId,
    /// What happened.
    pub kind: LotKind,
    /// The coin.
    pub coin: Watched,
    /// The amount in whole units, not zero.
    pub amount: Amount,
    /// The price, if known; not negative.
    pub price: Option<LotPrice>,
    /// The fee, in the same currency; not negative.
    pub fee: Option<Decimal>,
    /// The currency of price and fee.
    pub currency: Currency,
    /// The day, in the user's time zone.
    pub date: Date,
    /// A note.
    pub note: Option<Text>,
    /// The address that holds the amount.
    pub address: Option<Text>,
}

impl Lot {
    /// A lot of which only the ID is known, so that it can be removed.
    pub fn unreadable(id: LotId) -> Lot {
        Lot {
            id,
            kind: LotKind::default(),
            coin: Watched::by_symbol(""),
            amount: Amount::ZERO,
            price: None,
            fee: None,
            currency: Currency::usd(),
            date: Date::ZERO,
            note: None,
            address: None,
        }
    }
}

#[cfg(test)]
impl Lot {
    /// A purchase without price on 2 March 2025, for tests.
    pub(crate) fn bought(coin: Watched, amount: Amount) -> Lot {
        Lot {
            id: LotId::default(),
            kind: LotKind::Buy,
            coin,
            amount,
            price: None,
            fee: None,
            currency: Currency::usd(),
            date: Date::constant(2025, 3, 2),
            note: None,
            address: None,
        }
    }
}
