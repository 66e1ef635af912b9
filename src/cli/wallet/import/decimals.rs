//! How a CSV file writes numbers: whether a comma or a point separates decimals.

use csv::StringRecord;

use super::row_error::RowError;
use crate::portfolio::entry::EntryError;
use crate::portfolio::number::{NumberError, unambiguous_fraction, without_sign};

/// The columns whose numbers are imported.
const NUMBERS: [&str; 13] = [
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
    "total",
];

/// How the names of columns with values in a currency start.
const VALUES: [&str; 3] = ["buy value in ", "sell value in ", "net value ("];

/// The separators that a number reveals.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Separators {
    Nothing,
    /// `1.234` or `1,234`, which has two meanings.
    Ambiguous,
    /// The separator of decimals, as in `14,10`.
    Decimals(char),
    /// The separators of thousands and decimals, as in `1.234,56` or `1,234,567`.
    Both(char),
}

/// The numbers of a file, read before its lines.
pub(super) struct Decimals {
    columns: Vec<usize>,
    has_decimal_commas: bool,
    has_decimal_points: bool,
    /// The first number with both separators, its line, and its separator of decimals.
    grouped: Option<(u64, String, char)>,
    /// The first number that only the others make unambiguous, and its value.
    resolved: Option<(String, String)>,
}

impl Decimals {
    pub(super) fn new(header: &[String]) -> Decimals {
        let is_value = |name: &str| VALUES.iter().any(|prefix| name.starts_with(prefix));
        let is_number =
            |(index, name): (usize, &String)| (NUMBERS.contains(&name.as_str()) || is_value(name)).then_some(index);
        let columns = header.iter().enumerate().filter_map(is_number).collect();
        Decimals { columns, has_decimal_commas: false, has_decimal_points: false, grouped: None, resolved: None }
    }

    /// Notes what the numbers of a line show.
    pub(super) fn note(&mut self, line: u64, record: &StringRecord) {
        for number in self.columns.iter().filter_map(|index| record.get(*index)).map(str::trim) {
            let (Separators::Decimals(separator) | Separators::Both(separator)) = shown(number) else { continue };
            self.has_decimal_commas |= separator == ',';
            self.has_decimal_points |= separator == '.';
            if matches!(shown(number), Separators::Both(_)) && self.grouped.is_none() {
                self.grouped = Some((line, number.to_owned(), separator));
            }
        }
    }

    /// Removes the thousands separators from ambiguous numbers of a line, if the whole file agrees.
    ///
    /// # Errors
    /// `1.234` in a file that has decimal commas, but no number that shows what separates thousands, or also decimal
    /// points.
    pub(super) fn resolve(&mut self, record: &mut StringRecord) -> Result<(), RowError> {
        let is_ambiguous =
            |index: usize| record.get(index).is_some_and(|cell| shown(cell.trim()) == Separators::Ambiguous);
        if !self.columns.iter().any(|index| is_ambiguous(*index)) {
            return Ok(());
        }
        let agreed = self.grouped.as_ref().filter(|_| self.has_decimal_commas != self.has_decimal_points);
        let mut cells: Vec<String> = record.iter().map(str::to_owned).collect();
        for index in &self.columns {
            let Some(cell) = cells.get_mut(*index).filter(|cell| shown(cell.trim()) == Separators::Ambiguous) else {
                continue;
            };
            let text = cell.trim().to_owned();
            match agreed {
                Some((_, _, ',')) => {
                    *cell = if text.contains('.') { text.replace('.', "") } else { text.replace(',', ".") }
                }
                Some(_) => *cell = text.replace(',', ""),
                None if self.has_decimal_commas && text.contains('.') => {
                    let text = without_sign(&text).unwrap_or(&text).to_owned();
                    let whole = text.replace('.', "");
                    let fraction = unambiguous_fraction(&text).replace('.', ",");
                    return Err(EntryError::Number(NumberError::Ambiguous { text, whole, fraction }).into());
                }
                None => {}
            }
            if cell.trim() != text && self.resolved.is_none() {
                self.resolved = Some((text, cell.clone()));
            }
        }
        *record = StringRecord::from(cells);
        Ok(())
    }

    /// A sentence on how ambiguous numbers were read, if there were any.
    pub(super) fn reading(self) -> Option<String> {
        let ((text, number), (line, proof, _)) = self.resolved.zip(self.grouped)?;
        Some(format!("{text} is read as {number}, since line {line} has {proof}"))
    }
}

/// What a number shows.
fn shown(number: &str) -> Separators {
    let number = without_sign(number).unwrap_or(number);
    let mut separators = number.chars().filter(|char| !char.is_ascii_digit());
    let (first, last, count) = (separators.next(), separators.next_back(), number.matches([',', '.']).count());
    if number.chars().any(|char| !char.is_ascii_digit() && !matches!(char, ',' | '.')) {
        return Separators::Nothing;
    }
    let other = |separator: char| if separator == ',' { '.' } else { ',' };
    let groups: Vec<&str> = number.split([',', '.']).collect();
    let (Some(head), Some(tail)) = (groups.first(), groups.last()) else { return Separators::Nothing };
    let is_head = (1..=3).contains(&head.len()) && !head.starts_with('0');
    let are_groups = |groups: &[&str]| is_head && groups.iter().all(|group| group.len() == 3);
    match (first, last) {
        (Some(separator), None) => match (are_groups(groups.get(1..).unwrap_or_default()), tail.is_empty()) {
            (true, _) => Separators::Ambiguous,
            (false, true) => Separators::Nothing,
            (false, false) => Separators::Decimals(separator),
        },
        // A repeated separator is the thousands separator.
        (Some(first), Some(last)) if first == last && are_groups(groups.get(1..).unwrap_or_default()) => {
            if number.contains(other(first)) { Separators::Nothing } else { Separators::Both(other(first)) }
        }
        (Some(first), Some(last))
            if first != last
                && number.matches(last).count() == 1
                && !tail.is_empty()
                && are_groups(groups.get(1..count).unwrap_or_default()) =>
        {
            Separators::Both(last)
        }
        _ => Separators::Nothing,
    }
}
