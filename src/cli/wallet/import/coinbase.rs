//! The lines of Coinbase's transaction history.

use super::draft::{Line, SkipReason};
use super::row_error::RowError;
use super::rows::Row;
use super::trade::{Side, Trade, is_money};

/// Types that move coins between the products of Coinbase.
const OWN_TRANSFERS: [&str; 8] = [
    "cash to savings",
    "exchange deposit",
    "exchange withdrawal",
    "pro deposit",
    "pro withdrawal",
    "retail staking transfer",
    "retail unstaking transfer",
    "vault withdrawal",
];

/// What a line does with its coin.
#[derive(Clone, Copy)]
enum Effect {
    Buy,
    Sell,
    Convert,
    Receive,
    Send,
    /// Income, whose value is its cost.
    Income,
}

impl Effect {
    /// The effect of a type in lower case.
    fn parse(kind: &str) -> Option<Effect> {
        const INCOME: [&str; 5] = ["reward", "income", "earn", "interest", "rebate"];
        Some(match kind {
            "buy" | "advanced trade buy" | "advance trade buy" => Effect::Buy,
            "sell" | "advanced trade sell" | "advance trade sell" | "card spend" => Effect::Sell,
            "convert" => Effect::Convert,
            "receive" | "deposit" => Effect::Receive,
            "send" | "withdrawal" | "donation" | "admin debit" => Effect::Send,
            _ if INCOME.iter().any(|word| kind.contains(word)) => Effect::Income,
            _ => return None,
        })
    }
}

impl<'a> Row<'a> {
    /// The lots of a line of Coinbase. Its amounts may have a sign, and money a currency sign: `-€1,234.50`.
    pub(super) fn coinbase(&self) -> Result<Line, RowError> {
        let kind = self.cell("transaction type").unwrap_or_default();
        let lower = kind.to_lowercase();
        if OWN_TRANSFERS.contains(&lower.as_str()) {
            return Ok(Line::Skipped(SkipReason::OwnTransfer));
        }
        let effect = Effect::parse(&lower).ok_or_else(|| RowError::Type(kind.to_owned()))?;
        let asset = self.cell("asset").ok_or(RowError::NoCoin)?;
        let own = self.cell("quantity transacted").and_then(|number| Side::new(plain(number), asset));
        let own = Some(own.ok_or(RowError::NoAmount)?);
        let subtotal = self.coinbase_money(&["subtotal"]);
        let total = self.coinbase_money(&["total (inclusive of fees and/or spread)", "total (inclusive of fees)"]);
        let fee = self.coinbase_money(&["fees and/or spread", "fees"]);
        let notes = self.coinbase_notes();
        let quote = coin_quote(&notes);
        let (bought, sold) = match effect {
            Effect::Buy => (own, quote.or(subtotal)),
            Effect::Sell => (quote.or(subtotal), own),
            Effect::Convert => (Some(converted(&notes).ok_or(RowError::Conversion)?), own),
            Effect::Receive | Effect::Income => (own, None),
            Effect::Send => (None, own),
        };
        let is_trade = bought.is_some() && sold.is_some();
        // What was paid in a coin includes the fee.
        let (worth, fee) = match quote.filter(|_| is_trade) {
            Some(_) => (total, None),
            None => (subtotal, fee.filter(|_| is_trade)),
        };
        let day = self.day_in("timestamp")?.ok_or(RowError::NoDate)?;
        let is_income = matches!(effect, Effect::Income);
        let trade = Trade {
            line: self.line,
            bought,
            sold,
            worth: [worth, worth],
            fee,
            is_income,
            transfer: None,
            day,
            note: None,
        };
        trade.line()
    }

    /// The coin that a line of Coinbase adds to the wallet, even if another cell is invalid.
    pub(super) fn coinbase_bought(&self) -> Option<&'a str> {
        match Effect::parse(&self.cell("transaction type")?.to_lowercase())? {
            Effect::Buy | Effect::Receive | Effect::Income => self.cell("asset"),
            Effect::Convert => converted(&self.coinbase_notes()).map(|side| side.unit()),
            Effect::Sell | Effect::Send => None,
        }
    }

    fn coinbase_notes(&self) -> Vec<&'a str> {
        self.cell("notes").unwrap_or_default().split_whitespace().collect()
    }

    /// The money in the first of these columns that exists. Older files name the currency differently.
    fn coinbase_money(&self, columns: &[&str]) -> Option<Side<'a>> {
        let unit = self.cell("price currency").or(self.cell("spot price currency"))?;
        Side::new(plain(columns.iter().find_map(|column| self.cell(column))?), unit)
    }
}

/// A number without its sign and the sign of its currency.
fn plain(number: &str) -> &str {
    number.trim_start_matches(|char: char| !char.is_ascii_alphanumeric() && char != '.')
}

/// What a conversion resulted in, from its note: `Converted 0.01 BTC to 0.2 ETH`.
fn converted<'a>(notes: &[&'a str]) -> Option<Side<'a>> {
    match *notes {
        ["Converted", _, _, "to", number, unit, ..] => Side::new(plain(number), unit),
        _ => None,
    }
}

/// The amount of a coin that was paid or received, from a note: `Bought 2 SOL for 301.8 USDC on SOL-USDC at …`. `None` if
/// it is money, which has columns.
fn coin_quote<'a>(notes: &[&'a str]) -> Option<Side<'a>> {
    let start = notes.iter().position(|word| *word == "for")? + 1;
    match *notes.get(start..)? {
        [number, unit, "on", ..] if !is_money(unit) => Side::new(plain(number), unit),
        _ => None,
    }
}
