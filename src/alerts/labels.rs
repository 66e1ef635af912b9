//! The labels of addresses in rules and in messages about them.

use super::parse::parse_with;
use super::text;
use crate::model::Text;
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
}
