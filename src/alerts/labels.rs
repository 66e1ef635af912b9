//! The labels of addresses in rules and in messages about them.

use super::parse::parse_with;
use super::text;
use crate::model::{Decimal, Text};
use crate::user_data::WalletAddress;
use crate::user_data::alert::{Rule, Target};

/// The label of a rule's address.
pub fn label_of<'a>(rule: &Rule, addresses: &'a [WalletAddress]) -> Option<&'a Text> {
    let Target::Address(address) = &rule.target else { return None };
    addresses.iter().find(|known| known.address == *address)?.label.as_ref()
}

/// A message about a rule that contains its subject, with the label in place of the address.
pub fn with_label(words: String, rule: &Rule, label: Option<&Text>) -> String {
    match label {
        Some(label) => words.replacen(&text::subject(rule), label, 1),
        None => words,
    }
}

/// The line of a rule as it would be typed: with the label of its address, unless the label would be read as something
/// else. `hidden` replaces the limits that are amounts of the address.
pub fn line(rule: &Rule, addresses: &[WalletAddress], hidden: Option<&str>) -> String {
    let whole = rule.to_string();
    let shown = hidden.map_or_else(|| whole.clone(), |hidden| rule.without_amounts(hidden));
    let Some(label) = label_of(rule, addresses) else { return shown };
    let labelled = parse_with(&rule.with_name(label, None), addresses);
    let is_same = labelled.is_ok_and(|read| parse_with(&whole, &[]) == Ok(read));
    if is_same { rule.with_name(label, hidden) } else { shown }
}

/// A rule in a table of the command line: with the label of its address, and with large round numbers in their short
/// form, `bitcoin cap > 2T usd`, if that reads as the same rule.
pub fn listed(rule: &Rule, addresses: &[WalletAddress]) -> String {
    let short = |number: &Decimal| text::listed_number(rule, number).unwrap_or_else(|| number.to_string());
    let is_same = parse_with(&rule.with_numbers(None, short), &[]) == parse_with(&rule.to_string(), &[]);
    let name = label_of(rule, addresses).map(Text::as_str);
    rule.with_numbers(name, |number| if is_same { short(number) } else { number.to_string() })
}

/// What a line is about, as typed: its first word, or the label of an address, which may have several words.
pub fn typed_subject<'a>(line: &'a str, addresses: &[WalletAddress]) -> &'a str {
    let labels = addresses.iter().filter_map(|known| known.label.as_deref());
    let starts = |label: &&str| line.strip_prefix(*label).is_some_and(|rest| rest.starts_with(' '));
    match labels.filter(starts).map(str::len).max().and_then(|end| line.get(..end)) {
        Some(label) => label,
        None => line.split(' ').next().unwrap_or_default(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::model::{Currency, UtcTime};
    use crate::user_data::Watched;

    const ADDRESS: &str = "1A1zP1eP5QGefi2DMPTfTL5SLmv7DivfNa";

    fn known(label: &str) -> Vec<WalletAddress> {
        vec![WalletAddress { address: ADDRESS.into(), label: Some(label.into()), added_at: UtcTime::from_millis(0) }]
    }

    #[test]
    fn label_replaces_the_address_if_the_rule_still_parses_the_same() {
        for (rule, label, hidden, line) in [
            ("receives", "cold", None, "cold receives"),
            ("sends", "My cold wallet", None, "My cold wallet sends"),
            ("ordi > 1000", "cold", None, "cold ordi > 1000"),
            ("ordi > 1000", "cold", Some("•••"), "cold ordi > •••"),
            ("vol1 > 1", "cold", None, "cold vol1 > 1"),
            // A coin, a value and a word that ends the subject.
            ("rank > 5", "fees", None, "1A1zP1eP5QGefi2DMPTfTL5SLmv7DivfNa rank > 5"),
            ("receives", "it sends > 5", None, "1A1zP1eP5QGefi2DMPTfTL5SLmv7DivfNa receives"),
        ] {
            let addresses = known(label);
            let read = parse_with(&format!("{ADDRESS} {rule}"), &[]).unwrap().rule(None, &Currency::usd()).unwrap();
            assert_eq!(super::line(&read, &addresses, hidden), line);
            let subject = line.strip_suffix(&format!(" {}", line.rsplit(' ').next().unwrap())).unwrap();
            if !rule.contains('>') {
                assert_eq!(typed_subject(line, &addresses), subject);
            }
        }
        assert_eq!(typed_subject("ordi > 5", &known("cold")), "ordi");
    }

    #[test]
    fn large_round_numbers_are_short_in_a_table() {
        for (line, expected) in [
            ("bitcoin cap > 2000000000000", "bitcoin cap > 2T usd"),
            ("bitcoin cap < 2000000000000 rearm 2250000000000", "bitcoin cap < 2T usd rearm 2.25T"),
            ("ordi vol >= 100000000 eur", "ordi vol >= 100M eur"),
            ("ordi vol >= 123456789", "ordi vol >= 123456789 usd"),
            ("ordi holders >= 50000", "ordi holders >= 50k"),
            ("bitcoin > 100000", "bitcoin > 100000 usd"),
            ("bitcoin > 12000000000", "bitcoin > 12B usd"),
            ("ordi 24h > 1000%", "ordi 24h > 1000%"),
            ("1A1zP1eP5QGefi2DMPTfTL5SLmv7DivfNa ordi > 5000000", "cold ordi > 5M"),
        ] {
            let (usd, addresses) = (Currency::usd(), known("cold"));
            let name = line.split(' ').next().unwrap();
            let coin = Watched { symbol: name.to_uppercase().into(), slug: Some(name.into()), id: None };
            let rule = |line: &str| parse_with(line, &addresses).unwrap().rule(Some(coin.clone()), &usd).unwrap();
            let listed = listed(&rule(line), &addresses);
            assert_eq!(listed, expected);
            assert_eq!(rule(&listed), rule(line));
        }
    }
}
