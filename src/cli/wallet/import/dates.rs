//! How a CSV file writes dates: whether the month or the day comes first.

use csv::StringRecord;
use jiff::civil::Date;

use crate::portfolio::date::{self, DateOrder};

/// The dates of a file, read before its lines.
pub(super) struct Dates {
    column: Option<usize>,
    /// The first date that shows that the month or the day comes first, and its line.
    month_first: Option<(u64, String)>,
    day_first: Option<(u64, String)>,
    /// The first ambiguous date that the others resolve, and its value.
    resolved: Option<(String, Date)>,
}

impl Dates {
    pub(super) fn new(header: &[String]) -> Dates {
        let column = header.iter().position(|name| name == "date");
        Dates { column, month_first: None, day_first: None, resolved: None }
    }

    /// Notes what the date of a line shows.
    pub(super) fn note(&mut self, line: u64, record: &StringRecord) {
        let Some(day) = self.day(record) else { return };
        let first = match date::order(day) {
            Some(DateOrder::MonthFirst) => &mut self.month_first,
            Some(DateOrder::DayFirst) => &mut self.day_first,
            None => return,
        };
        if first.is_none() {
            *first = Some((line, day.to_owned()));
        }
    }

    /// Replaces an ambiguous date of a line, if the whole file agrees.
    pub(super) fn resolve(&mut self, record: &mut StringRecord) {
        let order = match (&self.month_first, &self.day_first) {
            (Some(_), None) => DateOrder::MonthFirst,
            (None, Some(_)) => DateOrder::DayFirst,
            _ => return,
        };
        let Some((day, ambiguous)) = self.day(record).and_then(|day| Some((day.to_owned(), date::parse(day).err()?)))
        else {
            return;
        };
        let date = ambiguous.with_order(order);
        let resolved = |(index, cell): (usize, &str)| {
            if Some(index) == self.column { cell.replacen(&day, &date.to_string(), 1) } else { cell.to_owned() }
        };
        *record = record.iter().enumerate().map(resolved).collect();
        if self.resolved.is_none() {
            self.resolved = Some((day, date));
        }
    }

    /// A sentence on how ambiguous dates were read, if there were any.
    pub(super) fn reading(self) -> Option<String> {
        let ((text, date), (line, proof)) = self.resolved.zip(self.month_first.or(self.day_first))?;
        Some(format!("{text} is read as {date}, since line {line} has {proof}"))
    }

    /// The day of a line, without the time that may follow it.
    fn day<'a>(&self, record: &'a StringRecord) -> Option<&'a str> {
        let cell = record.get(self.column?)?.trim();
        cell.split([' ', 'T']).next()
    }
}
