//! Turns a line of a CSV file into lots.

use csv::StringRecord;
use jiff::ToSpan as _;
use jiff::civil::Date;

use super::super::super::address::canonical;
use super::super::super::csv::unescape;
use super::draft::{CoinName, Draft, Format, Line, Problem, SkipReason, TransferSide, clean, is_zero, money};
use super::holdings::{cost_price, currency, ticker_coin, without_thousands};
use super::row_error::RowError;
use super::time::LotTime;
use super::trade::{Side, Trade, is_deposit_or_withdrawal, is_income};
use crate::model::{Amount, Decimal, Text};
use crate::portfolio::date;
use crate::portfolio::entry::{self, EntryError};
use crate::portfolio::number::without_sign;
use crate::user_data::{LotKind, LotPrice, Watched};

/// A line.
pub(super) struct Row<'a> {
    pub(super) header: &'a [String],
    /// The columns, as named in the file.
    pub(super) names: &'a [String],
    pub(super) cells: &'a StringRecord,
    pub(super) line: u64,
    pub(super) today: Date,
}

impl<'a> Row<'a> {
    /// The lots of this line.
    pub(super) fn line(&self, format: Format) -> Result<Line, RowError> {
        match format {
            Format::Own | Format::Json => self.own().map(Line::lot),
            Format::CoinTracking => self.cointracking()?.line(),
            Format::Koinly if self.cell("deleted").is_some_and(|cell| cell.eq_ignore_ascii_case("true")) => {
                Ok(Line::Skipped(SkipReason::Deleted))
            }
            Format::Koinly => self.koinly()?.line(),
            Format::KoinlySimple => self.koinly_simple()?.line(),
            Format::KoinlyTrades => self.koinly_trade()?.line(),
            Format::Coinbase => self.coinbase(),
            Format::Cointop | Format::CointopConfig => self.cointop(),
            Format::Ticker => self.ticker().map(Line::lot),
        }
    }

    /// The problem of this line.
    pub(super) fn problem(&self, format: Format, reason: RowError) -> Problem {
        let named = |name: &str| CoinName::Named(clean(name));
        Problem { line: self.line, reason, bought: self.bought(format).map(named) }
    }

    /// The coin that this line adds to the wallet, even if another cell is invalid.
    fn bought(&self, format: Format) -> Option<&'a str> {
        let is_sale =
            |name| self.cell(name).is_some_and(|text| ["sell", "send"].iter().any(|it| text.eq_ignore_ascii_case(it)));
        match format {
            Format::Own | Format::Json if is_sale("kind") => None,
            Format::Own | Format::Json => self.cell("slug").or(self.cell("symbol")),
            Format::CoinTracking => {
                let index = self.index("buy currency").or(self.index("buy").map(|index| index + 1))?;
                self.cells.get(index).map(str::trim)
            }
            Format::Koinly => self.cell("received currency").map(without_id),
            Format::KoinlySimple if self.cell("amount").is_some_and(|text| without_sign(text).is_some()) => None,
            Format::KoinlySimple => self.cell("currency").map(without_id),
            Format::KoinlyTrades => {
                let (base, quote) = pair(self.cell("pair")?)?;
                Some(without_id(if is_sale("side") { quote } else { base }))
            }
            Format::Coinbase => self.coinbase_bought(),
            Format::Cointop | Format::CointopConfig => self.cell("symbol"),
            Format::Ticker => self.cell("symbol").map(|symbol| ticker_coin(symbol).0),
        }
    }

    /// An amount of CoinTracking. An export has several columns `Cur.`, each beside its number.
    fn cointracking_side(&self, name: &str) -> Option<Side<'a>> {
        let index = self.index(name)?;
        let unit = self.index(&format!("{name} currency")).unwrap_or(index + 1);
        Side::new(self.cells.get(index)?, self.cells.get(unit)?)
    }

    fn cointracking(&self) -> Result<Trade<'a>, RowError> {
        let [bought, sold, fee] = ["buy", "sell", "fee"].map(|name| self.cointracking_side(name));
        let own_fee = fee.filter(|fee| sold.is_some_and(|sold| sold.has_unit(fee)));
        let is_income = self.is_income(&["type"]);
        let is_trade = bought.is_some() && sold.is_some();
        let transfer_side = |kind| TransferSide {
            fee: own_fee.and_then(|fee| fee.amount()),
            has_known_type: is_deposit_or_withdrawal(kind),
            hash: None,
        };
        Ok(Trade {
            bought,
            sold,
            transfer: self.cell("type").filter(|_| !is_income && !is_trade).map(transfer_side),
            worth: [self.value_in("buy value in ", ""), self.value_in("sell value in ", "")],
            fee: None,
            is_income,
            line: self.line,
            day: self.foreign_day()?,
            note: self.foreign("comment").map(Text::from),
        })
    }

    fn koinly(&self) -> Result<Trade<'a>, RowError> {
        let (bought, sold) =
            (self.side("received amount", "received currency"), self.side("sent amount", "sent currency"));
        self.koinly_line(bought, sold)
    }

    /// A holding of cointop, which also lists coins that were sold. With `--human-readable`, commas separate thousands.
    fn cointop(&self) -> Result<Line, RowError> {
        let number = self.cell("holdings").map(without_thousands);
        if number.as_deref().is_some_and(is_zero) {
            return Ok(Line::Skipped(SkipReason::NoHoldings));
        }
        let draft = self.draft(LotKind::Receive, self.cell("symbol"), number.as_deref())?;
        let cost = self.cell("cost_price").map(cost_price).transpose()?.flatten();
        Ok(Line::lot(match cost {
            Some((price, currency)) => {
                let (price, currency) = (Some(LotPrice::Unit(price)), Some(currency));
                Draft { kind: LotKind::Buy, price, currency, ..draft }
            }
            None => draft,
        }))
    }

    /// A holding from ticker. Its cost is zero if ticker's configuration has no unit cost.
    fn ticker(&self) -> Result<Draft, RowError> {
        // It writes millions as "1.5 M".
        let number = |name| self.cell(name).map(|cell| cell.replace(' ', ""));
        let (coin, currency) = self.cell("symbol").map(ticker_coin).unzip();
        let draft = self.draft(LotKind::Receive, coin, number("quantity").as_deref())?;
        let cost = number("cost").map(|cost| money(&cost)).transpose()?.filter(|cost| !cost.is_zero());
        Ok(match cost.map(LotPrice::Total) {
            None => draft,
            price => Draft { kind: LotKind::Buy, price, currency: currency.flatten(), ..draft },
        })
    }

    /// A line of Koinly's template for deposits and withdrawals, which are negative.
    fn koinly_simple(&self) -> Result<Trade<'a>, RowError> {
        let side = self.side("amount", "currency");
        match side.and_then(|side| side.negated()) {
            Some(sent) => self.koinly_line(None, Some(sent)),
            None => self.koinly_line(side, None),
        }
    }

    /// A line of Koinly's template for trades.
    fn koinly_trade(&self) -> Result<Trade<'a>, RowError> {
        let pair = self.cell("pair").unwrap_or_default();
        let (base, quote) = self::pair(pair).ok_or_else(|| RowError::Pair(pair.to_owned()))?;
        let side = |number, unit| Side::new(self.cell(number)?, without_id(unit));
        let (amount, total) = (side("amount", base), side("total", quote));
        match self.cell("side").unwrap_or_default() {
            buy if buy.eq_ignore_ascii_case("buy") => self.koinly_line(amount, total),
            sell if sell.eq_ignore_ascii_case("sell") => self.koinly_line(total, amount),
            other => Err(RowError::Side(other.to_owned())),
        }
    }

    fn koinly_line(&self, bought: Option<Side<'a>>, sold: Option<Side<'a>>) -> Result<Trade<'a>, RowError> {
        let value = |number, unit| self.side(number, unit).filter(|worth| worth.money().is_some());
        let worth = value("net worth amount", "net worth currency")
            .or_else(|| value("net value (read-only)", "value currency (read-only)"))
            // A report has the currency in the name of the column.
            .or_else(|| self.value_in("net value (", ")"));
        let fee = self.koinly_fee()?;
        let note = self.foreign("description").map(Text::from);
        Ok(Trade {
            line: self.line,
            bought,
            sold,
            worth: [worth, worth],
            fee,
            is_income: self.is_income(&["label", "tag"]),
            transfer: self.koinly_transfer().filter(|_| bought.is_some() != sold.is_some()),
            day: self.foreign_day()?,
            note,
        })
    }

    /// The fee of a line of Koinly, whose templates have two names for its column.
    fn koinly_fee(&self) -> Result<Option<Side<'a>>, RowError> {
        let unit = self.cell("fee currency").map(without_id);
        let fee = self.cell("fee amount").or(self.cell("fee")).and_then(|number| Side::new(number, unit.unwrap_or("")));
        if fee.is_some() && unit.is_none() { Err(RowError::NoFeeCurrency) } else { Ok(fee) }
    }

    /// One side of a transfer in Koinly's files, where both sides are one line or share a transaction. A label such as
    /// `gift` means that the line is not a transfer.
    fn koinly_transfer(&self) -> Option<TransferSide> {
        let mut labels = ["label", "tag"].into_iter().filter_map(|column| self.cell(column));
        let hash = self.cell("txhash").filter(|_| labels.all(is_deposit_or_withdrawal)).map(transaction)?;
        Some(TransferSide { fee: None, has_known_type: true, hash: Some(hash) })
    }

    /// Whether CoinTracking's fee is in none of the currencies of its line, so that their amounts can't include it.
    pub(super) fn has_other_fee(&self) -> bool {
        let [bought, sold, fee] = ["buy", "sell", "fee"].map(|name| self.cointracking_side(name));
        fee.is_some_and(|fee| [bought, sold].into_iter().flatten().all(|side| !side.has_unit(&fee)))
    }

    /// Whether one of these cells says that the received amount is income.
    fn is_income(&self, columns: &[&str]) -> bool {
        columns.iter().filter_map(|column| self.cell(column)).any(is_income)
    }

    fn index(&self, name: &str) -> Option<usize> {
        self.header.iter().position(|column| column == name)
    }

    /// The text of a cell; `None` if it is empty.
    pub(super) fn cell(&self, name: &str) -> Option<&'a str> {
        let cell = self.cells.get(self.index(name)?)?.trim();
        Some(unescape(cell)).filter(|text| !text.is_empty())
    }

    /// The text of another program's cell; `None` if it is empty, which CoinTracking writes as `-`.
    fn foreign(&self, name: &str) -> Option<&'a str> {
        self.cell(name).filter(|text| *text != "-")
    }

    /// An amount of Koinly that is not zero.
    fn side(&self, number: &str, unit: &str) -> Option<Side<'a>> {
        Side::new(self.cell(number)?, without_id(self.cell(unit)?))
    }

    /// The day of a line of another program, which always has one, and its time.
    fn foreign_day(&self) -> Result<(Date, LotTime), RowError> {
        self.day()?.ok_or(RowError::NoDate)
    }

    fn day(&self) -> Result<Option<(Date, LotTime)>, RowError> {
        self.day_in("date")
    }

    /// The day in a column, and the time that may follow it.
    pub(super) fn day_in(&self, column: &str) -> Result<Option<(Date, LotTime)>, RowError> {
        let Some(text) = self.cell(column) else { return Ok(None) };
        let (day, time) = text.split_at(text.find([' ', 'T']).unwrap_or(text.len()));
        match date::parse(day).map_err(EntryError::from)? {
            Some(date) => {
                let time = LotTime::parse(date, time);
                // A time may be in another time zone, such as UTC, where tomorrow has begun.
                let last = if time == LotTime::Unknown { self.today } else { self.today.saturating_add(1.day()) };
                Ok(Some((entry::checked_day(date, last)?, time)))
            }
            None => Err(RowError::Date(text.to_owned())),
        }
    }

    fn draft(&self, kind: LotKind, coin: Option<&str>, number: Option<&str>) -> Result<Draft, RowError> {
        Draft::new(self.line, kind, coin, number)
    }

    /// A lot with our own columns.
    pub(super) fn own(&self) -> Result<Draft, RowError> {
        let kind = self.cell("kind").map_or(Ok(LotKind::default()), |name| {
            LotKind::parse(&name.to_ascii_lowercase()).ok_or_else(|| RowError::Kind(name.to_owned()))
        })?;
        let (slug, symbol, id) = (self.cell("slug"), self.cell("symbol"), self.cell("coin_id"));
        let draft = self.draft(kind, slug.or(symbol), self.cell("amount"))?;
        let coin = match symbol {
            Some(symbol) if slug.is_some() || id.is_some() => {
                CoinName::Exact(Watched { symbol: clean(symbol), slug: slug.map(clean), id: id.map(clean) })
            }
            _ => draft.coin,
        };
        let fee = self.cell("fee").map(money).transpose()?;
        let price = match (self.cell("unit_price"), self.cell("total_price")) {
            (Some(unit), Some(total)) => {
                let total = self.total(kind, draft.amount, unit, total, fee.as_ref())?;
                Some(LotPrice::Total(total))
            }
            (Some(unit), None) => Some(LotPrice::Unit(money(unit)?)),
            (None, Some(total)) => Some(LotPrice::Total(money(total)?)),
            (None, None) => None,
        };
        let currency =
            self.cell("currency").map(|code| currency(code).ok_or_else(|| RowError::Currency(code.to_owned())));
        let (date, time) = self.day()?.unzip();
        Ok(Draft {
            coin,
            price,
            fee,
            currency: currency.transpose()?,
            date,
            time: time.unwrap_or_default(),
            note: self.cell("note").map(Text::from),
            address: self.cell("address").map(canonical).transpose()?,
            ..draft
        })
    }

    /// The total without the fee, if it equals the amount times the price within the precision of both. The closer one
    /// counts: the total as given, or with the fee that it may contain.
    fn total(
        &self,
        kind: LotKind,
        amount: Amount,
        unit: &str,
        total: &str,
        fee: Option<&Decimal>,
    ) -> Result<Decimal, RowError> {
        let (amount, price, sum) = (Decimal::from(amount), money(unit)?, money(total)?);
        let expected = &amount * &price;
        let without_fee = fee.map(|fee| if kind.adds() { sum.clone() - fee } else { sum.clone() + fee });
        let without_fee = without_fee.filter(|total| !total.is_negative());
        let is_within = |total: &Decimal, tolerance: &Decimal| {
            let difference = expected.clone() - total;
            let distance = if difference.is_negative() { -difference } else { difference };
            distance <= *tolerance
        };
        for tolerance in [Decimal::default(), half_digit(total)] {
            let readings = [Some(&sum), without_fee.as_ref()].into_iter().flatten();
            if let Some(fitting) = readings.into_iter().find(|reading| is_within(reading, &tolerance)) {
                return Ok(fitting.clone());
            }
        }
        // A price with few digits would match almost any total. That of a cheap token may be rounded to cents.
        let is_cheap = price < Decimal::from(1);
        let rounding = if is_cheap { half_digit(unit) } else { half_digit(unit).min(&price * &max_rounding()) };
        if is_within(&sum, &((&amount * &rounding) + &half_digit(total))) {
            return Ok(sum);
        }
        let named = |column, number| {
            let name = self.index(column).and_then(|index| self.names.get(index)).map_or(column, String::as_str);
            format!("{name} {number}")
        };
        let (price, total) = (named("unit_price", unit), named("total_price", total));
        Err(RowError::Total { price, total, expected })
    }

    /// The number of a column whose name has its currency, such as `buy value in eur` or `net value (usd)`.
    fn value_in(&self, prefix: &str, suffix: &str) -> Option<Side<'a>> {
        let code = |name: &'a String| name.strip_prefix(prefix)?.strip_suffix(suffix);
        let (index, code) = self.header.iter().enumerate().find_map(|(at, name)| Some((at, code(name)?)))?;
        Side::new(self.cells.get(index)?, code).filter(|worth| worth.money().is_some())
    }
}

/// A transaction hash in lower case and without `0x`, since programs differ in both.
fn transaction(hash: &str) -> Text {
    let hash = hash.to_ascii_lowercase();
    clean(hash.strip_prefix("0x").unwrap_or(&hash))
}

/// The base and quote currency of a pair.
fn pair(text: &str) -> Option<(&str, &str)> {
    text.split_once(['-', '/', '_'])
}

/// A unit without the number that Koinly adds to it, such as `7` in `ORDI;7`.
fn without_id(unit: &str) -> &str {
    match unit.rsplit_once(';') {
        Some((unit, id)) if !id.is_empty() && id.bytes().all(|byte| byte.is_ascii_digit()) => unit,
        _ => unit,
    }
}

/// Maximum rounding of a price, as a share of it: 5%.
fn max_rounding() -> Decimal {
    Decimal::from_json_digits("0.05").unwrap_or_default()
}

/// Half of the last digit of a number: the maximum error if it was rounded.
fn half_digit(number: &str) -> Decimal {
    let (number, exponent) = number.split_once(['e', 'E']).unwrap_or((number, "0"));
    let separator = number.chars().rev().find(|char| matches!(char, '.' | ','));
    let decimals = separator
        // Several separate thousands.
        .filter(|separator| number.matches(*separator).count() == 1)
        .and_then(|separator| number.split_once(separator))
        .map_or(0, |(_, digits)| digits.chars().take_while(char::is_ascii_digit).count());
    Decimal::from_json_digits(&format!("0.{}5e{exponent}", "0".repeat(decimals))).unwrap_or_default()
}
