//! The text of `satscope line`: its values, and the ages of old ones.

use std::collections::BTreeSet;
use std::time::Duration;

use super::cache::{FRESH_FOR, Line};
use super::template::{Part, Subject, subjects};
use crate::format::{ABSENT, Age};
use crate::model::UtcTime;

/// Minimum age of values at which it is shown.
const SHOW_AGE_AFTER: Duration = Duration::from_mins(3);

/// The line with these values. If all of them are equally old, their age is at its end; otherwise each old one is followed
/// by its own.
pub(super) fn render(parts: &[Part], line: &Line, now: UtcTime) -> String {
    let age = |subject: &Subject| Some(now.since(UtcTime::from_millis(line.get(subject)?.at?)));
    let distinct: BTreeSet<&Subject> = subjects(parts).collect();
    let common = common_age(distinct.iter().map(|subject| age(subject)));
    let mut text = String::new();
    if line.values().any(|cached| cached.simulated) {
        text += "DEMO ";
    }
    let mut rest = parts;
    while let [part, others @ ..] = rest {
        rest = others;
        match part {
            Part::Text(words) => text += words,
            Part::Value { subject, field, .. } => {
                let value = line.get(subject).and_then(|cached| cached.values.get(field));
                text += value.map_or(ABSENT, String::as_str);
                // Several values in a row have one age.
                if common.is_none() && subjects(rest).next() != Some(subject) {
                    text += &age(subject).and_then(|age| old("", age)).unwrap_or_default();
                }
            }
        }
    }
    text + &common.and_then(|age| old(if distinct.len() > 1 { "all " } else { "" }, age)).unwrap_or_default()
}

/// The greatest of these ages, if they hardly differ; `None` if they do, or if one is unknown.
fn common_age(ages: impl Iterator<Item = Option<Duration>>) -> Option<Duration> {
    let ages: Vec<Duration> = ages.collect::<Option<_>>()?;
    let (oldest, newest) = (*ages.iter().max()?, *ages.iter().min()?);
    (oldest - newest < FRESH_FOR).then_some(oldest)
}

/// An age as shown after values, if it is shown.
fn old(which: &str, age: Duration) -> Option<String> {
    (age >= SHOW_AGE_AFTER).then(|| format!(" ({which}{} old)", Age(age)))
}

#[cfg(test)]
mod tests {
    use super::super::cache::CachedValues;
    use super::super::template::{self, Field};
    use super::*;

    /// A line with ORDI and the wallet, whose values have these ages in seconds; `None` if there are none.
    fn line(format: &str, ordi: Option<i64>, wallet: Option<i64>) -> String {
        const NOW: i64 = 1_700_000_000_000;
        let values = |age: Option<i64>, value: &str| CachedValues {
            at: age.map(|secs| NOW - secs * 1000),
            values: age.map(|_| (Field::Price, value.to_owned())).into_iter().collect(),
            ..CachedValues::default()
        };
        let line =
            [(Subject::Coin("ordi".into()), values(ordi, "17.24")), (Subject::Wallet, values(wallet, "$34.48"))].into();
        render(&template::parse(format).unwrap(), &line, UtcTime::from_millis(NOW))
    }

    #[test]
    fn age_is_shown_after_three_minutes() {
        assert_eq!(line("{ordi.price}", Some(179), None), "17.24");
        assert_eq!(line("{ordi.price}", Some(180), None), "17.24 (3 m old)");
        assert_eq!(line("{ordi.price}", Some(-60), None), "17.24", "after the clock was set back");
        assert_eq!(line("{ordi.price}", None, None), "—");
    }

    #[test]
    fn only_old_values_show_their_age() {
        let both = "{ordi.price}|{wallet.price}";
        for (ordi, wallet, expected) in [
            (Some(5), Some(7200), "17.24|$34.48 (2 h old)"),
            (Some(7200), Some(5), "17.24 (2 h old)|$34.48"),
            (Some(7200), Some(240), "17.24 (2 h old)|$34.48 (4 m old)"),
            (Some(7200), None, "17.24 (2 h old)|—"),
            (Some(300), Some(299), "17.24|$34.48 (all 5 m old)"),
            (Some(5), Some(6), "17.24|$34.48"),
        ] {
            assert_eq!(line(both, ordi, wallet), expected);
        }
        let mixed = "{wallet.price} {wallet.value} · {ordi.price} · {wallet.price}!";
        let expected = "$34.48 $34.48 (2 h old) · 17.24 · $34.48 (2 h old)!";
        assert_eq!(line(mixed, Some(5), Some(7200)), expected);
    }
}
