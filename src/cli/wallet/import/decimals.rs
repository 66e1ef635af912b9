//! How a CSV file writes decimals: where it has decimal commas, a point may separate thousands.

use csv::StringRecord;

use super::draft::Problem;
use crate::portfolio::entry::EntryError;
use crate::portfolio::number::NumberError;

/// The columns whose numbers are imported.
const NUMBERS: [&str; 12] = [
    "amount",
    "unit_price",
    "total_price",
    "fee",
    "buy",
    "sell",
    "sent amount",
    "received amount",
    "fee amount",
    "net worth amount",
    "holdings",
    "quantity",
];

/// Whether a file has decimal commas, and the numbers that are ambiguous if so.
pub(super) struct Decimals {
    columns: Vec<usize>,
    /// Whether a number has a decimal comma.
    has_commas: bool,
    /// Numbers such as `1.234`, with their lines.
    points: Vec<(u64, String)>,
}

impl Decimals {
    pub(super) fn new(header: &[String]) -> Decimals {
        let is_value = |name: &str| name.starts_with("buy value in ") || name.starts_with("sell value in ");
        let is_number =
            |(index, name): (usize, &String)| (NUMBERS.contains(&name.as_str()) || is_value(name)).then_some(index);
        let columns = header.iter().enumerate().filter_map(is_number).collect();
        Decimals { columns, has_commas: false, points: Vec::new() }
    }

    /// Reads the numbers of a line.
    pub(super) fn read(&mut self, line: u64, record: &StringRecord) {
        for number in self.columns.iter().filter_map(|index| record.get(*index)).map(str::trim) {
            self.has_commas |= has_decimal_comma(number);
            if has_ambiguous_point(number) {
                self.points.push((line, number.to_owned()));
            }
        }
    }

    /// The ambiguous numbers, if the file has decimal commas.
    pub(super) fn ambiguous(self) -> impl Iterator<Item = Problem> {
        let Decimals { has_commas, points, .. } = self;
        points.into_iter().filter(move |_| has_commas).map(|(line, text)| {
            let (whole, fraction) = (text.replace('.', ""), text.replace('.', ","));
            let error = EntryError::Number(NumberError::Ambiguous { text, whole, fraction });
            Problem { line, reason: error.into() }
        })
    }
}

/// Whether the only comma of a number can't separate thousands: `14,10`, `1.234,567`.
fn has_decimal_comma(number: &str) -> bool {
    let is_digits = |text: &str| !text.is_empty() && text.bytes().all(|byte| byte.is_ascii_digit());
    number.split_once(',').is_some_and(|(whole, decimals)| {
        is_digits(decimals) && is_digits(&whole.replace('.', "")) && (decimals.len() != 3 || whole.contains('.'))
    })
}

/// Whether a point may also separate thousands: `1.234`.
fn has_ambiguous_point(number: &str) -> bool {
    let is_digits = |text: &str| text.bytes().all(|byte| byte.is_ascii_digit());
    number.split_once('.').is_some_and(|(whole, decimals)| {
        matches!(whole.len(), 1..=3)
            && !whole.starts_with('0')
            && decimals.len() == 3
            && is_digits(whole)
            && is_digits(decimals)
    })
}
