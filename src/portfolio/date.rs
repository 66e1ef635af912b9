//! Dates in the formats of people and programs.

use jiff::civil::Date;

/// An ambiguous date.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("ambiguous date {text} (expected {month_first} or {day_first})")]
pub struct AmbiguousDate {
    text: String,
    month_first: Date,
    day_first: Date,
}

impl AmbiguousDate {
    /// The date, if the order of month and day is known.
    pub fn with_order(&self, order: DateOrder) -> Date {
        match order {
            DateOrder::MonthFirst => self.month_first,
            DateOrder::DayFirst => self.day_first,
        }
    }
}

/// The order of month and day before a year.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum DateOrder {
    /// `03/14/2025`
    MonthFirst,
    /// `14/03/2025`
    DayFirst,
}

/// The order that a date with slashes or dashes reveals; `None` if it fits both, or if the year comes first.
pub fn order(text: &str) -> Option<DateOrder> {
    let mut parts = text.split(['-', '/']).map(|part| part.parse::<u16>().ok());
    let (first, second) = (parts.next()??, parts.next()??);
    parse(text).ok().flatten()?;
    match (first, second) {
        (1..=12, 13..) => Some(DateOrder::MonthFirst),
        (13..=31, 1..=12) => Some(DateOrder::DayFirst),
        _ => None,
    }
}

/// Parses a date such as `2025-03-02`, `2025/3/2`, `2025.03.02` or `02.03.2025`; `None` if it isn't one. Before a year,
/// slashes and dashes may separate a month and a day or a day and a month.
///
/// # Errors
/// The date is ambiguous.
pub fn parse(text: &str) -> Result<Option<Date>, AmbiguousDate> {
    let separators: Vec<char> = text.chars().filter(|char| !char.is_ascii_digit()).collect();
    let parts: Vec<&str> = text.split(['-', '/', '.']).collect();
    let ([first, second, third], [separator, other]) = (parts.as_slice(), separators.as_slice()) else {
        return Ok(None);
    };
    if separator != other {
        return Ok(None);
    }
    let day = |year: &str, month: &str, day: &str| {
        let is_short = |part: &str| matches!(part.len(), 1 | 2);
        if year.len() != 4 || !is_short(month) || !is_short(day) {
            return None;
        }
        Date::new(year.parse().ok()?, month.parse().ok()?, day.parse().ok()?).ok()
    };
    match (first.len(), separator) {
        (4, _) => Ok(day(first, second, third)),
        (_, '.') => Ok(day(third, second, first)),
        _ => match (day(third, first, second), day(third, second, first)) {
            (Some(month_first), Some(day_first)) if month_first != day_first => {
                Err(AmbiguousDate { text: text.to_owned(), month_first, day_first })
            }
            (month_first, day_first) => Ok(month_first.or(day_first)),
        },
    }
}

/// Whether a string has the form of a date, even of a day that doesn't exist.
pub fn is_similar(text: &str) -> bool {
    let Some(separator) = text.chars().find(|char| !char.is_ascii_digit()).filter(|char| "-/.".contains(*char)) else {
        return false;
    };
    let parts: Vec<&str> = text.split(separator).collect();
    let is_number = |part: &&str| matches!(part.len(), 1 | 2 | 4) && part.bytes().all(|byte| byte.is_ascii_digit());
    parts.len() == 3 && parts.iter().all(is_number) && parts.iter().filter(|part| part.len() == 4).count() == 1
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ambiguous_day_is_rejected() {
        for (text, day) in [
            ("2025-03-02", "2025-03-02"),
            ("2025/3/2", "2025-03-02"),
            ("02.03.2025", "2025-03-02"),
            ("13/2/2025", "2025-02-13"),
            ("2/13/2025", "2025-02-13"),
            ("3/3/2025", "2025-03-03"),
            ("3/2/2025", "ambiguous date 3/2/2025 (expected 2025-03-02 or 2025-02-03)"),
            ("2025-13-01", "none"),
            ("2025.03.02", "2025-03-02"),
            ("2025-03/02", "none"),
            ("25-03-02", "none"),
            ("2025-03-002", "none"),
            ("10/4", "none"),
            ("x-y-z", "none"),
            ("", "none"),
        ] {
            let shown = match parse(text) {
                Ok(Some(date)) => date.to_string(),
                Ok(None) => String::from("none"),
                Err(error) => error.to_string(),
            };
            assert_eq!(shown, day, "{text}");
        }
        for (text, has_form) in
            [("2025-02-30", true), ("31/13/2025", true), ("1.5.1", false), ("2025-03/02", false), ("25-03-02", false)]
        {
            assert_eq!(is_similar(text), has_form, "{text}");
        }
    }
}
