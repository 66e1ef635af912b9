//! `--format table` of a single item: one field per line. Text is not cut; numbers and times are formatted as in
//! tables.

use std::fmt::Write as _;

use serde_json::{Map, Value};

use super::cells::{self, display_width};
use super::columns::{Column, Kind};
use crate::format::{ABSENT, PriceFormat};
use crate::model::{UtcTime, Zone};

/// Gap between titles and values.
const GAP: usize = 3;

/// Renders the fields, with dim titles if `colour` is set.
pub(super) fn render(lines: &[Column], row: &Map<String, Value>, colour: bool, zone: &Zone) -> String {
    let width = lines.iter().map(|line| display_width(line.title)).max().unwrap_or(0);
    let (dim, normal) = if colour { ("\x1b[2m", "\x1b[22m") } else { ("", "") };
    let mut out = String::new();
    for line in lines {
        let mut title = line.title;
        let value = row.get(line.field).unwrap_or(&Value::Null);
        if line.kind == Kind::Problems && value.as_array().is_none_or(Vec::is_empty) {
            continue;
        }
        for value in values(value, line.kind, zone) {
            let space = width + GAP - display_width(title);
            let _ = writeln!(out, "{dim}{title}{normal}{:space$}{value}", "");
            title = "";
        }
    }
    out
}

/// The lines of a field.
fn values(value: &Value, kind: Kind, zone: &Zone) -> Vec<String> {
    match (value, kind) {
        (Value::Null, _) => vec![ABSENT.to_owned()],
        (Value::Array(items), Kind::List) if items.is_empty() => vec![ABSENT.to_owned()],
        (Value::Array(items), Kind::List | Kind::Problems) => items.iter().map(|value| item(value, zone)).collect(),
        (Value::Bool(false), Kind::Flag) => vec![String::from("no")],
        (value, Kind::Time) => {
            let time = value.as_str().and_then(UtcTime::parse_rfc3339);
            let short = time.map(|time| format!(" {}", zone.abbreviation(time))).unwrap_or_default();
            vec![cells::cell(value, kind, PriceFormat::default(), zone) + &short]
        }
        (value, kind) => vec![cells::cell(value, kind, PriceFormat::default(), zone)],
    }
}

/// Formats a list item; a disagreement of indexer and ordinal theory becomes a sentence.
fn item(value: &Value, zone: &Zone) -> String {
    let part = |name: &str| value.get(name).and_then(Value::as_str);
    match (part("field"), part("indexer"), part("computed")) {
        (Some(field), Some(indexer), Some(computed)) => {
            cells::one_line(&format!("{field}: indexer {indexer}, ordinal theory {computed}"))
        }
        _ => cells::cell(value, Kind::List, PriceFormat::default(), zone),
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::super::columns;
    use super::*;

    #[test]
    fn card_uses_titles_and_formats_of_tables() {
        let token = json!({"ticker": "ordi", "max_supply": "21000000", "minted_supply": "20999999.000000000000000001",
            "self_mint": false, "tx_count": 412_233, "inscription_number": 348_020,
            "deployed_at": "2023-03-08T04:16:31.000Z"});
        let card = render(columns::TOKEN, token.as_object().unwrap(), false, &Zone::UTC);
        for line in [
            "Ticker               ordi",
            "Minted               20,999,999.000000000000000001",
            "Max supply           21,000,000",
            "Transactions         412,233",
            "Self-mint            no",
            "Deployed             2023-03-08 04:16 UTC",
            "Holders              —",
            "Inscription number   348,020",
        ] {
            assert!(card.lines().any(|shown| shown == line), "{line}\n{card}");
        }
    }

    #[test]
    fn multiple_values_are_on_separate_lines() {
        let sat = json!({"number": 5, "charms": ["coin", "uncommon"],
            "disagreements": [{"field": "rarity", "indexer": "rare", "computed": "common"}]});
        let card = render(columns::SAT, sat.as_object().unwrap(), true, &Zone::UTC);
        assert!(
            card.contains("\x1b[2mCharms\x1b[22m            coin\n\x1b[2m\x1b[22m                  uncommon\n"),
            "{card:?}"
        );
        assert!(card.contains("rarity: indexer rare, ordinal theory common\n"), "{card}");
        let sat = json!({"number": 5, "charms": [], "disagreements": []});
        let card = render(columns::SAT, sat.as_object().unwrap(), false, &Zone::UTC);
        assert!(card.contains("Charms") && !card.contains("Indexer differs"), "{card}");
    }
}
