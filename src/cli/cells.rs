//! Formats values for tables and cards.

use serde_json::Value;
use unicode_width::UnicodeWidthChar as _;

use super::columns::Kind;
use super::sheet::plain;
use crate::format::sparkline::BrailleLine;
use crate::format::{ABSENT, Bytes, Clock, Money, PriceFormat, Share, Signed, with_separators};
use crate::model::{UtcTime, Zone};

/// Width of a sparkline.
const SPARKLINE_WIDTH: usize = 12;

/// Display width of a string.
pub(super) fn display_width(text: &str) -> usize {
    text.chars().filter_map(|c| c.width()).sum()
}

/// Formats a value as a cell of this kind; prices and money in a format of their currency.
pub(super) fn cell(value: &Value, kind: Kind, format: PriceFormat, zone: &Zone) -> String {
    let number = value.as_f64();
    let shown = match kind {
        Kind::Price | Kind::ComparedPrice => Some(format.price(number).to_string()),
        Kind::Compact => Some(Money(number).to_string()),
        Kind::Change => Some(Signed(number).to_string()),
        Kind::Percent => Some(Share(number).to_string()),
        Kind::Integer => value.is_number().then(|| with_separators(&value.to_string())),
        Kind::Money | Kind::MoneyIn(_) => {
            value.as_str().and_then(|sum| sum.parse::<f64>().ok()).map(|sum| format.price(Some(sum)).to_string())
        }
        Kind::Amount | Kind::AmountOf(_) => value.as_str().map(with_separators),
        Kind::Time => value.as_str().map(|time| to_the_minute(time, zone)),
        Kind::Flag => Some(String::from(if value.as_bool() == Some(true) { "yes" } else { "" })),
        Kind::Event => value.as_str().map(|name| match name {
            "transfer" => String::from("inscribe"),
            "transfer_send" => String::from("send"),
            other => one_line(other),
        }),
        Kind::Bytes => value.as_u64().map(|bytes| Bytes(bytes).to_string()),
        Kind::Trend => value.as_array().filter(|prices| prices.len() > 1).map(|prices| {
            let prices: Vec<f64> = prices.iter().map(|price| price.as_f64().unwrap_or(f64::NAN)).collect();
            BrailleLine::new(&prices, SPARKLINE_WIDTH, 1).row(0)
        }),
        Kind::Text(_) | Kind::Whole | Kind::Rule | Kind::Id | Kind::List | Kind::Problems => {
            (!value.is_null()).then(|| one_line(&plain(value)))
        }
    };
    shown.unwrap_or_else(|| String::from(ABSENT))
}

/// Formats `2026-11-19T08:00:00.000Z` as `2026-11-19 08:00`, in the time zone.
fn to_the_minute(time: &str, zone: &Zone) -> String {
    match UtcTime::parse_rfc3339(time).map(|time| zone.at(time)) {
        Some(local) => format!("{} {}", local.date(), Clock(local)),
        None => time.to_owned(),
    }
}

/// Replaces line breaks and tabs with spaces.
pub(super) fn one_line(text: &str) -> String {
    text.split_whitespace().collect::<Vec<_>>().join(" ")
}
