//! The moving averages of charts: `7`, `"sma 7"` or `"ema 12"`.

use super::value::{self, Raw};
use super::value_error::ValueError;
use crate::model::{AverageKind, MovingAverage};

/// Parses one or two different moving averages. Returns them shortest first.
pub(super) fn parse(raw: &Raw) -> Result<Vec<MovingAverage>, ValueError> {
    let Raw::List(items) = raw else {
        return Err(ValueError::of_type("a list such as [7, 25]", raw.kind()));
    };
    let averages: Result<Vec<MovingAverage>, ValueError> = items.iter().map(average).collect();
    let mut averages = averages?;
    averages.sort_unstable();
    averages.dedup();
    match averages.len() {
        1 | 2 if averages.len() == items.len() => Ok(averages),
        _ => Err(ValueError::Format("one or two different averages, such as [7, 25] or [\"ema 12\", \"ema 26\"]")),
    }
}

/// The configured form of an average: `7`, `ema 12`.
pub(super) fn text(average: &MovingAverage) -> String {
    match average.kind {
        AverageKind::Simple => average.length.to_string(),
        AverageKind::Exponential => format!("ema {}", average.length),
    }
}

fn average(raw: &Raw) -> Result<MovingAverage, ValueError> {
    let (kind, length) = match raw {
        Raw::Text(text) => named(text).ok_or(ValueError::Format("text such as \"ema 12\" or \"sma 7\""))?,
        Raw::Integer(length) => (AverageKind::Simple, *length),
        other => return Err(ValueError::of_type("a number of candles or text such as \"ema 12\"", other.kind())),
    };
    let length = value::integer(&Raw::Integer(length), 2..=200)?;
    Ok(MovingAverage { length: usize::try_from(length).unwrap_or_default(), kind })
}

/// The kind and the length in `ema 12` or `SMA 7`.
fn named(text: &str) -> Option<(AverageKind, i64)> {
    let (name, length) = text.trim().split_once(char::is_whitespace)?;
    let kind = match name.to_ascii_lowercase().as_str() {
        "sma" => AverageKind::Simple,
        "ema" => AverageKind::Exponential,
        _ => return None,
    };
    Some((kind, length.trim_start().parse().ok()?))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn number(length: i64) -> Raw {
        Raw::Integer(length)
    }

    fn words(text: &str) -> Raw {
        Raw::Text(text.into())
    }

    fn read(items: &[Raw]) -> Result<Vec<MovingAverage>, String> {
        parse(&Raw::List(items.to_vec())).map_err(|error| error.to_string())
    }

    #[test]
    fn averages_are_numbers_or_named() {
        let (sma, ema) = (MovingAverage::simple, MovingAverage::exponential);
        for (items, expected, shown) in [
            (vec![number(25), number(7)], vec![sma(7), sma(25)], "7, 25"),
            (vec![number(20)], vec![sma(20)], "20"),
            (vec![words("ema 26"), words("ema 12")], vec![ema(12), ema(26)], "ema 12, ema 26"),
            (vec![words(" EMA  50 "), words("sma 7")], vec![sma(7), ema(50)], "7, ema 50"),
            (vec![words("ema 20"), number(20)], vec![sma(20), ema(20)], "20, ema 20"),
        ] {
            let averages = read(&items).unwrap();
            assert_eq!(averages, expected);
            assert_eq!(averages.iter().map(text).collect::<Vec<_>>().join(", "), shown);
        }
    }

    #[test]
    fn averages_are_one_or_two_different_ones() {
        let different = "expected one or two different averages, such as [7, 25] or [\"ema 12\", \"ema 26\"]";
        let named = "expected text such as \"ema 12\" or \"sma 7\"";
        for (items, reason) in [
            (vec![], different),
            (vec![number(7), words("sma 7")], different),
            (vec![number(7), number(25), words("ema 9")], different),
            (vec![number(1), number(7)], "1 is not between 2 and 200"),
            (vec![words("ema 201")], "201 is not between 2 and 200"),
            (vec![words("ema")], named),
            (vec![words("wma 9")], named),
            (vec![words("ema 9.5")], named),
            (vec![Raw::Bool(true)], "expected a number of candles or text such as \"ema 12\", found true or false"),
        ] {
            assert_eq!(read(&items).unwrap_err(), reason, "{items:?}");
        }
        let text = parse(&Raw::Text("7".into())).unwrap_err().to_string();
        assert_eq!(text, "expected a list such as [7, 25], found a string");
    }
}
