//! The lots of a trade, deposit, withdrawal or transfer in another program's file.

use jiff::civil::Date;

use super::draft::{Draft, Line, SkipReason, TransferSide, is_zero, money};
use super::row_error::RowError;
use super::time::LotTime;
use crate::model::{Currency, Decimal, Text};
use crate::portfolio::number::without_sign;
use crate::user_data::{LotKind, LotPrice};

/// Currencies that are money, not coins: those with reference rates of the European Central Bank.
const MONEY: [&str; 32] = [
    "USD", "EUR", "GBP", "JPY", "CNY", "KRW", "INR", "CHF", "CAD", "AUD", "BRL", "BGN", "CZK", "DKK", "HKD", "HUF",
    "IDR", "ILS", "ISK", "MXN", "MYR", "NOK", "NZD", "PHP", "PLN", "RON", "SEK", "SGD", "THB", "TRY", "ZAR", "RUB",
];

/// Labels of income in CoinTracking and Koinly, in lower case, without punctuation.
const INCOME_LABELS: [&str; 35] = [
    "airdrop",
    "airdrop non taxable",
    "airdrop steuerfrei",
    "belohnung bonus",
    "cashback",
    "dividenden einnahme",
    "dividends income",
    "einnahme",
    "einnahme steuerfrei",
    "fork",
    "hard fork",
    "income",
    "income non taxable",
    "ingresos",
    "ingresos por intereses",
    "interest income",
    "lending einnahme",
    "lending income",
    "lending interest",
    "loan interest",
    "lp rewards",
    "masternode",
    "mining",
    "mining commercial",
    "mining kommerziell",
    "minting",
    "other income",
    "recompensa bonificación",
    "reward",
    "reward bonus",
    "rewards",
    "salary",
    "sonstige einnahme",
    "staking",
    "zinsen",
];

/// Whether a label or type of another program means income: `Reward / Bonus`, `lending_interest`.
pub(super) fn is_income(label: &str) -> bool {
    let lower = label.to_lowercase();
    let words: Vec<&str> = lower.split(|c: char| !c.is_alphanumeric()).filter(|word| !word.is_empty()).collect();
    INCOME_LABELS.contains(&words.join(" ").as_str())
}

/// Whether a type of CoinTracking is a deposit or withdrawal: one side of a transfer, or a payment.
pub(super) fn is_deposit_or_withdrawal(kind: &str) -> bool {
    const TYPES: [&str; 6] = ["deposit", "withdrawal", "einzahlung", "auszahlung", "depósito", "retirada"];
    TYPES.contains(&kind.to_lowercase().as_str())
}

/// Whether a currency code stands for money.
pub(super) fn is_money(code: &str) -> bool {
    MONEY.contains(&code)
}

/// An amount of a coin or of money.
#[derive(Clone, Copy)]
pub(super) struct Side<'a> {
    number: &'a str,
    unit: &'a str,
}

impl<'a> Side<'a> {
    /// An amount that is not zero. CoinTracking writes an empty cell as `-`.
    pub(super) fn new(number: &'a str, unit: &'a str) -> Option<Side<'a>> {
        let side = Side { number: number.trim(), unit: unit.trim() };
        (!matches!(side.number, "" | "-") && !is_zero(side.number)).then_some(side)
    }

    /// The coin or currency.
    pub(super) fn unit(&self) -> &'a str {
        self.unit
    }

    /// The amount without its minus sign; `None` if it isn't negative.
    pub(super) fn negated(&self) -> Option<Side<'a>> {
        Some(Side { number: without_sign(self.number)?, unit: self.unit })
    }

    /// The amount as a number; `None` if it isn't one.
    pub(super) fn amount(&self) -> Option<Decimal> {
        money(self.number).ok()
    }

    /// The currency, if it is money.
    pub(super) fn money(&self) -> Option<Currency> {
        Currency::parse(self.unit).filter(|code| is_money(code.as_str()))
    }

    /// The currency, if it is a coin used as a quote currency with known historical prices.
    fn priced_coin(&self) -> Option<Currency> {
        Currency::parse(self.unit).filter(Currency::is_coin)
    }

    pub(super) fn has_unit(&self, other: &Side<'_>) -> bool {
        self.unit.eq_ignore_ascii_case(other.unit)
    }
}

/// What a line of another program says. A trade has two sides.
pub(super) struct Trade<'a> {
    pub(super) line: u64,
    pub(super) bought: Option<Side<'a>>,
    pub(super) sold: Option<Side<'a>>,
    /// The values of what was bought and sold in money.
    pub(super) worth: [Option<Side<'a>>; 2],
    pub(super) fee: Option<Side<'a>>,
    /// Whether the received amount is income, so that its value is its cost. A deposit may come from another of the
    /// user's wallets, where it had its own cost.
    pub(super) is_income: bool,
    /// Whether it may be one side of a transfer whose other side is another line.
    pub(super) transfer: Option<TransferSide>,
    /// The day, and the time if it is known.
    pub(super) day: (Date, LotTime),
    pub(super) note: Option<Text>,
}

impl Trade<'_> {
    /// The lots of the line. A trade of two coins is a lot of each, in money according to the file. Without that, the
    /// price is in BTC, ETH, USDT or USDC if one of them is that.
    pub(super) fn line(&self) -> Result<Line, RowError> {
        let (mut drafts, fee, reason) = match (&self.bought, &self.sold) {
            (None, None) if self.fee.is_none() => return Err(RowError::NoAmount),
            (Some(bought), Some(sold)) if bought.has_unit(sold) => self.transfer(bought, sold)?,
            _ => (self.lots()?, self.fee, SkipReason::NoCoin),
        };
        for draft in &mut drafts {
            draft.note = draft.note.take().or_else(|| self.note.clone());
        }
        if let Some(first) = drafts.first_mut() {
            first.transfer.clone_from(&self.transfer);
        }
        if let Some(fee) = fee {
            self.add_fee(&mut drafts, &fee)?;
        }
        for draft in &mut drafts {
            (draft.date, draft.time) = (Some(self.day.0), self.day.1);
        }
        Ok(if drafts.is_empty() { Line::Skipped(reason) } else { Line::Lots(drafts) })
    }

    /// A transfer between two wallets of the user. What doesn't arrive is a fee, and Koinly's fee column contains it, so
    /// that only the larger of both counts.
    fn transfer(
        &self,
        bought: &Side<'_>,
        sold: &Side<'_>,
    ) -> Result<(Vec<Draft>, Option<Side<'_>>, SkipReason), RowError> {
        if bought.money().is_some() {
            return Ok((Vec::new(), self.fee, SkipReason::NoCoin));
        }
        let mut lost = money(sold.number)? - &money(bought.number)?;
        let mut fee = self.fee;
        if let Some(own) = fee.filter(|fee| fee.has_unit(sold)) {
            lost = lost.max(money(own.number)?);
            fee = None;
        }
        let is_lost = !lost.is_zero() && !lost.is_negative();
        let drafts = is_lost.then(|| self.coin_fee(sold.unit, &lost.to_string())).transpose()?;
        Ok((drafts.into_iter().collect(), fee, SkipReason::OwnTransfer))
    }

    /// The lots without the fee; none if only money moves.
    fn lots(&self) -> Result<Vec<Draft>, RowError> {
        let [bought_worth, sold_worth] = self.fitting_worth();
        let lot = |kind, side: &Side<'_>| Draft::new(self.line, kind, Some(side.unit), Some(side.number));
        let priced = |kind, side: &Side<'_>, price: &Side<'_>, currency| -> Result<Draft, RowError> {
            let price = Some(LotPrice::Total(money(price.number)?));
            Ok(Draft { price, currency, ..lot(kind, side)? })
        };
        let as_itself = |kind, side: &Side<'_>| -> Result<Draft, RowError> {
            let price = Some(LotPrice::Unit(Decimal::from(1)));
            Ok(Draft { price, currency: side.priced_coin(), ..lot(kind, side)? })
        };
        Ok(match (&self.bought, &self.sold) {
            (None, None) => Vec::new(),
            (Some(side), None) | (None, Some(side)) if side.money().is_some() => Vec::new(),
            // A fee in another currency is an error: without the value, the cost would be lost.
            (Some(bought), None) => match self.worth[0].filter(|_| self.is_income) {
                Some(worth) => vec![priced(LotKind::Receive, bought, &worth, worth.money())?],
                None => vec![lot(LotKind::Receive, bought)?],
            },
            (None, Some(sold)) => vec![lot(LotKind::Send, sold)?],
            (Some(bought), Some(sold)) => match (bought.money(), sold.money()) {
                (Some(_), Some(_)) => Vec::new(),
                (None, Some(code)) => vec![priced(LotKind::Buy, bought, sold, Some(code))?],
                (Some(code), None) => vec![priced(LotKind::Sell, sold, bought, Some(code))?],
                (None, None) => match (bought_worth.or(sold_worth), sold_worth.or(bought_worth)) {
                    (Some(cost), Some(proceeds)) => vec![
                        priced(LotKind::Sell, sold, &proceeds, proceeds.money())?,
                        priced(LotKind::Buy, bought, &cost, cost.money())?,
                    ],
                    _ if sold.priced_coin().is_some() => {
                        vec![priced(LotKind::Buy, bought, sold, sold.priced_coin())?, as_itself(LotKind::Sell, sold)?]
                    }
                    _ if bought.priced_coin().is_some() => {
                        vec![
                            priced(LotKind::Sell, sold, bought, bought.priced_coin())?,
                            as_itself(LotKind::Buy, bought)?,
                        ]
                    }
                    _ => vec![lot(LotKind::Sell, sold)?, lot(LotKind::Receive, bought)?],
                },
            },
        })
    }

    /// The values in the currency of the fee: a lot has one currency, so others are ignored.
    fn fitting_worth(&self) -> [Option<Side<'_>>; 2] {
        let fee = self.fee.and_then(|fee| fee.money());
        self.worth.map(|worth| worth.filter(|worth| fee.is_none() || fee == worth.money()))
    }

    /// Adds a fee to the first lot, or as a lot of the coin in which it was paid. Without a lot, money is ignored.
    fn add_fee(&self, drafts: &mut Vec<Draft>, fee: &Side<'_>) -> Result<(), RowError> {
        match drafts.first_mut() {
            Some(first) if first.price.is_some() && is_in(first.currency.as_ref(), fee) => {
                first.fee = Some(money(fee.number)?);
                if let Some(coin) = fee.priced_coin() {
                    // The fee is part of the cost, and its coins are gone.
                    let price = Some(LotPrice::Unit(Decimal::from(1)));
                    let sold = Draft::new(self.line, LotKind::Sell, Some(fee.unit), Some(fee.number))?;
                    let note = Some(Text::const_new("fee"));
                    drafts.push(Draft { price, currency: Some(coin), note, ..sold });
                }
            }
            Some(first) if first.price.is_none() && fee.money().is_some() => {
                first.currency = fee.money();
                first.fee = Some(money(fee.number)?);
            }
            None if fee.money().is_some() => {}
            Some(_) if fee.money().is_some() => return Err(RowError::FeeCurrency(fee.unit.to_owned())),
            _ => drafts.push(self.coin_fee(fee.unit, fee.number)?),
        }
        Ok(())
    }

    /// A fee that was paid in a coin.
    fn coin_fee(&self, coin: &str, number: &str) -> Result<Draft, RowError> {
        let lot = Draft::new(self.line, LotKind::Send, Some(coin), Some(number))?;
        Ok(Draft { note: Some(Text::const_new("fee")), ..lot })
    }
}

fn is_in(currency: Option<&Currency>, side: &Side<'_>) -> bool {
    currency.is_some() && currency == Currency::parse(side.unit).as_ref()
}
