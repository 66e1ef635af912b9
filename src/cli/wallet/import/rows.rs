//! Turns a line of a CSV file into lots.

use csv::StringRecord;
use jiff::civil::{Date, Time};

use super::super::super::csv::unescape;
use super::super::addresses::canonical;
use super::draft::{CoinName, Draft, Format};
use super::row_error::RowError;
use crate::model::{Amount, Currency, Decimal, Text, text};
use crate::portfolio::date;
use crate::portfolio::entry::{self, EntryError};
use crate::user_data::{LotKind, LotPrice, Watched};

/// Currencies that are money, not coins: those with reference rates of the European Central Bank.
const MONEY: [&str; 32] = [
    "USD", "EUR", "GBP", "JPY", "CNY", "KRW", "INR", "CHF", "CAD", "AUD", "BRL", "BGN", "CZK", "DKK", "HKD", "HUF",
    "IDR", "ILS", "ISK", "MXN", "MYR", "NOK", "NZD", "PHP", "PLN", "RON", "SEK", "SGD", "THB", "TRY", "ZAR", "RUB",
];

/// A line.
pub(super) struct Row<'a> {
    pub(super) header: &'a [String],
    /// The columns, as named in the file.
    pub(super) names: &'a [String],
    pub(super) cells: &'a StringRecord,
    pub(super) line: u64,
    pub(super) today: Date,
}

/// An amount of a coin or of money.
#[derive(Clone, Copy)]
struct Side<'a> {
    number: &'a str,
    unit: &'a str,
}

impl Side<'_> {
    /// The currency, if it is money.
    fn money(&self) -> Option<Currency> {
        Currency::parse(self.unit).filter(|code| MONEY.contains(&code.as_str()))
    }

    /// The currency, if it is a coin used as a quote currency with known historical prices.
    fn priced_coin(&self) -> Option<Currency> {
        Currency::parse(self.unit).filter(Currency::is_coin)
    }
}

impl<'a> Row<'a> {
    /// The lots of this line; none if it only moves money.
    pub(super) fn drafts(&self, format: Format) -> Result<Vec<Draft>, RowError> {
        match format {
            Format::Own | Format::Json => self.own().map(|draft| vec![draft]),
            Format::CoinTracking => {
                // An export has several columns `Cur.`, each beside its number.
                let side = |name, unit| {
                    let index = self.index(name)?;
                    self.side(self.cells.get(index)?, self.cells.get(self.index(unit).unwrap_or(index + 1))?)
                };
                let (bought, sold) = (side("buy", "buy currency"), side("sell", "sell currency"));
                let worth = [self.value_in("buy value in "), self.value_in("sell value in ")];
                self.trade([bought, sold], worth, None, self.day("date")?, self.foreign("comment"))
            }
            Format::Koinly if self.cell("deleted").is_some_and(|cell| cell.eq_ignore_ascii_case("true")) => Ok(vec![]),
            Format::Koinly => {
                let side = |number, unit| self.side(self.cell(number)?, without_id(self.cell(unit)?));
                let received = side("received amount", "received currency");
                let sent = side("sent amount", "sent currency");
                let fee = side("fee amount", "fee currency");
                let worth = side("net worth amount", "net worth currency").filter(|worth| worth.money().is_some());
                self.trade([received, sent], [worth, worth], fee, self.day("date")?, self.foreign("description"))
            }
            Format::Cointop => Ok(vec![self.draft(LotKind::Receive, self.cell("symbol"), self.cell("holdings"))?]),
            Format::Ticker => {
                // It writes millions as "1.5 M".
                let number = |name| self.cell(name).map(|cell| cell.replace(' ', ""));
                let symbol = self.cell("symbol").map(ticker_coin);
                let draft = self.draft(LotKind::Buy, symbol, number("quantity").as_deref())?;
                let cost = number("cost").map(|cost| money(&cost)).transpose()?;
                Ok(vec![Draft { price: cost.map(LotPrice::Total), ..draft }])
            }
        }
    }

    fn index(&self, name: &str) -> Option<usize> {
        self.header.iter().position(|column| column == name)
    }

    /// The text of a cell; `None` if it is empty.
    fn cell(&self, name: &str) -> Option<&'a str> {
        let cell = self.cells.get(self.index(name)?)?.trim();
        Some(unescape(cell)).filter(|text| !text.is_empty())
    }

    /// The text of another program's cell; `None` if it is empty, which CoinTracking writes as `-`.
    fn foreign(&self, name: &str) -> Option<&'a str> {
        self.cell(name).filter(|text| *text != "-")
    }

    /// An amount that is not zero.
    fn side(&self, number: &'a str, unit: &'a str) -> Option<Side<'a>> {
        let is_zero = |number: &str| entry::money(number).is_ok_and(|number| number.is_zero());
        let side = Side { number: number.trim(), unit: unit.trim() };
        (!matches!(side.number, "" | "-") && !is_zero(side.number)).then_some(side)
    }

    fn day(&self, name: &str) -> Result<Option<Date>, RowError> {
        let Some(text) = self.cell(name) else { return Ok(None) };
        // A time of day may follow.
        let day = text.split([' ', 'T']).next().unwrap_or_default();
        match date::parse(day).map_err(EntryError::from)? {
            Some(date) => Ok(Some(entry::checked_day(date, self.today)?)),
            None => Err(RowError::Date(text.to_owned())),
        }
    }

    fn draft(&self, kind: LotKind, coin: Option<&str>, number: Option<&str>) -> Result<Draft, RowError> {
        let number = number.ok_or(RowError::NoAmount)?;
        let coin = coin.filter(|coin| !coin.is_empty()).ok_or(RowError::NoCoin)?;
        let (coin, amount) = (CoinName::Named(clean(coin)), amount(number)?);
        let (price, fee, currency, date, note, address) = Default::default();
        let time = self.cell("date").and_then(time);
        Ok(Draft { line: self.line, kind, coin, amount, price, fee, currency, date, time, note, address })
    }

    /// A line with our own columns.
    fn own(&self) -> Result<Draft, RowError> {
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
        let price = match (self.cell("unit_price"), self.cell("total_price")) {
            (Some(unit), Some(total)) => Some(LotPrice::Total(self.total(draft.amount, unit, total)?)),
            (Some(unit), None) => Some(LotPrice::Unit(money(unit)?)),
            (None, Some(total)) => Some(LotPrice::Total(money(total)?)),
            (None, None) => None,
        };
        let currency =
            self.cell("currency").map(|code| currency(code).ok_or_else(|| RowError::Currency(code.to_owned())));
        Ok(Draft {
            coin,
            price,
            fee: self.cell("fee").map(money).transpose()?,
            currency: currency.transpose()?,
            date: self.day("date")?,
            note: self.cell("note").and_then(entry::note_text),
            address: self.cell("address").map(canonical).transpose()?,
            ..draft
        })
    }

    /// The total, if it equals the amount times the price within the precision of both.
    fn total(&self, amount: Amount, unit: &str, total: &str) -> Result<Decimal, RowError> {
        let (amount, price, sum) = (Decimal::from(amount), money(unit)?, money(total)?);
        let expected = &amount * &price;
        let tolerance = (&amount * &half_digit(unit)) + &half_digit(total);
        let difference = expected.clone() - &sum;
        let distance = if difference.is_negative() { -difference } else { difference };
        if distance <= tolerance {
            return Ok(sum);
        }
        let named = |column, number| {
            let name = self.index(column).and_then(|index| self.names.get(index)).map_or(column, String::as_str);
            format!("{name} {number}")
        };
        let (price, total) = (named("unit_price", unit), named("total_price", total));
        Err(RowError::Total { price, total, expected })
    }

    /// A fee that was paid in a coin.
    fn fee(&self, coin: &str, number: &str) -> Result<Draft, RowError> {
        let lot = self.draft(LotKind::Send, Some(coin), Some(number))?;
        Ok(Draft { note: Some(Text::const_new("fee")), ..lot })
    }

    /// The number of a column whose name ends with its currency, such as `buy value in eur`.
    fn value_in(&self, prefix: &str) -> Option<Side<'a>> {
        let (index, code) =
            self.header.iter().enumerate().find_map(|(at, name)| Some((at, name.strip_prefix(prefix)?)))?;
        self.side(self.cells.get(index)?, code).filter(|worth| worth.money().is_some())
    }

    /// A trade, deposit or withdrawal. A trade of two coins is a lot of each: `worth` is the value of both sides in
    /// money according to the file. Without it, the price is in BTC or ETH if either coin is one of them.
    fn trade(
        &self,
        [bought, sold]: [Option<Side<'_>>; 2],
        worth: [Option<Side<'_>>; 2],
        fee: Option<Side<'_>>,
        date: Option<Date>,
        note: Option<&str>,
    ) -> Result<Vec<Draft>, RowError> {
        // A lot has one currency, so a value in a currency other than the fee's is ignored.
        let fee_money = fee.and_then(|fee| fee.money());
        let fits = |worth: &Side<'_>| fee_money.is_none() || fee_money == worth.money();
        let [bought_worth, sold_worth] = worth.map(|worth| worth.filter(fits));
        let lot = |kind, side: &Side<'_>| self.draft(kind, Some(side.unit), Some(side.number));
        let priced = |kind, side: &Side<'_>, price: &Side<'_>, currency| -> Result<Draft, RowError> {
            let price = Some(LotPrice::Total(money(price.number)?));
            Ok(Draft { price, currency, ..lot(kind, side)? })
        };
        let as_itself = |kind, side: &Side<'_>| -> Result<Draft, RowError> {
            let price = Some(LotPrice::Unit(Decimal::from(1)));
            Ok(Draft { price, currency: side.priced_coin(), ..lot(kind, side)? })
        };
        let mut drafts = match (&bought, &sold) {
            (None, None) if fee.is_none() => return Err(RowError::NoAmount),
            (None, None) => Vec::new(),
            (Some(side), None) | (None, Some(side)) if side.money().is_some() => Vec::new(),
            (Some(bought), None) => vec![lot(LotKind::Receive, bought)?],
            (None, Some(sold)) => vec![lot(LotKind::Send, sold)?],
            // Between two wallets of the user. The difference is a fee.
            (Some(bought), Some(sold)) if bought.unit.eq_ignore_ascii_case(sold.unit) => {
                let lost = money(sold.number)? - &money(bought.number)?;
                let is_lost = bought.money().is_none() && !lost.is_zero() && !lost.is_negative();
                let lost = is_lost.then(|| self.fee(sold.unit, &lost.to_string())).transpose()?;
                lost.into_iter().collect()
            }
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
        };
        for draft in &mut drafts {
            draft.note = note.and_then(entry::note_text);
        }
        match (fee, drafts.first_mut()) {
            (None, _) => {}
            (Some(fee), Some(first)) if first.price.is_some() && is_in(first.currency.as_ref(), &fee) => {
                first.fee = Some(money(fee.number)?);
            }
            (Some(fee), Some(first)) if first.price.is_none() && fee.money().is_some() => {
                first.currency = fee.money();
                first.fee = Some(money(fee.number)?);
            }
            (Some(fee), None) if fee.money().is_some() => {}
            (Some(fee), Some(_)) if fee.money().is_some() => {
                return Err(RowError::FeeCurrency(fee.unit.to_owned()));
            }
            (Some(fee), _) => {
                drafts.push(self.fee(fee.unit, fee.number)?);
            }
        }
        drafts.iter_mut().for_each(|draft| draft.date = date);
        Ok(drafts)
    }
}

/// The coin of ticker's symbols: `BTC-USD` at Yahoo, `SOL.X` in its own list, `SOL.CB` at Coinbase and `solana.CG` at
/// CoinGecko.
fn ticker_coin(symbol: &str) -> &str {
    if let Some((coin, unit)) = symbol.split_once('-')
        && MONEY.contains(&unit)
    {
        return coin;
    }
    let is_source = |suffix: &str| ["X", "CB", "CG"].iter().any(|source| suffix.eq_ignore_ascii_case(source));
    symbol.rsplit_once('.').filter(|(_, suffix)| is_source(suffix)).map_or(symbol, |(coin, _)| coin)
}

/// A unit without the number that Koinly adds to it, such as `7` in `ORDI;7`.
fn without_id(unit: &str) -> &str {
    match unit.rsplit_once(';') {
        Some((unit, id)) if !id.is_empty() && id.bytes().all(|byte| byte.is_ascii_digit()) => unit,
        _ => unit,
    }
}

/// Half of the last digit of a number: the maximum error if it was rounded.
fn half_digit(number: &str) -> Decimal {
    let separator = number.chars().rev().find(|char| matches!(char, '.' | ','));
    let decimals = separator
        // Several separate thousands.
        .filter(|separator| number.matches(*separator).count() == 1)
        .and_then(|separator| number.split_once(separator))
        .map_or(0, |(_, digits)| digits.chars().take_while(char::is_ascii_digit).count());
    format!("0.{}5", "0".repeat(decimals)).parse().unwrap_or_default()
}

fn is_in(currency: Option<&Currency>, side: &Side<'_>) -> bool {
    currency.is_some() && currency == Currency::parse(side.unit).as_ref()
}

fn clean(cell: &str) -> Text {
    Text::from(text::clean(cell))
}

/// An existing currency: a mistyped code would never have a rate. `SATS` is a token.
fn currency(code: &str) -> Option<Currency> {
    Currency::parse(code).filter(|code| code.exists() && code.as_str() != "SATS")
}

fn amount(text: &str) -> Result<Amount, RowError> {
    entry::amount(text).map_err(RowError::from)
}

fn money(text: &str) -> Result<Decimal, RowError> {
    entry::money(text).map_err(RowError::from)
}

/// The time of day after a day: `2025-03-02 14:05`, `2025-03-02T14:05:07Z`.
fn time(text: &str) -> Option<Time> {
    let (_, time) = text.split_once([' ', 'T'])?;
    let clock = time.trim().split(['Z', '+', ' ', '-']).next()?;
    let mut parts = clock.split(':');
    let mut number = || parts.next().map(|part| part.split('.').next().unwrap_or(part).parse::<i8>().ok());
    let (hour, minute, second) = (number()??, number()??, number().unwrap_or(Some(0))?);
    Time::new(hour, minute, second, 0).ok()
}
