//! Examples of rules, for the dialog and the help of the command.

/// Common rules, each with its meaning in a few words.
pub const EXAMPLES: [(&str, &str); 8] = [
    ("ordi > 10", "price in the display currency"),
    ("ordi < 8.5 eur once", "price in another currency, once"),
    ("sats 24h < -8%", "24-hour change (or: 1h, 7d, vol, cap, rank)"),
    ("rats holders >= 50k", "holders of a BRC-20 token (or: minted)"),
    ("nova minted every 1%", "each time another 1% is minted"),
    ("bc1q… receives", "BRC-20 tokens or bitcoin received (or: sends)"),
    ("fees < 3", "fee rate of the next block in sat/vB"),
    ("wallet > 20000", "value of the wallet (or: 24h)"),
];

/// More rules about addresses.
pub const ADDRESS_EXAMPLES: [(&str, &str); 3] = [
    ("cold receives", "tokens or bitcoin received, by address label"),
    ("bc1q… ordi > 1000", "BRC-20 balance of an address"),
    ("bc1q… btc > 1", "bitcoin balance of an address"),
];

#[cfg(test)]
mod tests {
    use super::*;
    use crate::alerts::parse_with;
    use crate::model::UtcTime;
    use crate::user_data::WalletAddress;
    use crate::user_data::alert::Measure;

    #[test]
    fn every_example_is_a_rule() {
        let address = "bc1qar0srrr7xfkvy5l643lydnw9re59gtzzwf5mdq";
        let cold =
            WalletAddress { address: address.into(), label: Some("cold".into()), added_at: UtcTime::from_secs(1) };
        for (example, _) in EXAMPLES.iter().chain(&ADDRESS_EXAMPLES) {
            let line = example.replace("bc1q…", address);
            assert!(parse_with(&line, std::slice::from_ref(&cold)).is_ok(), "{example}");
        }
    }

    #[test]
    fn examples_name_every_measure_and_no_other() {
        let lines = EXAMPLES.iter().chain(&ADDRESS_EXAMPLES);
        let all: Vec<_> = lines.clone().flat_map(|(example, meaning)| [example, meaning]).copied().collect();
        let words =
            |text: &str| text.split(|char: char| !char.is_alphanumeric()).map(str::to_owned).collect::<Vec<_>>();
        let named = words(&all.join(" "));
        for measure in Measure::<()>::all() {
            assert!(named.iter().any(|word| word == measure.as_str()), "{}", measure.as_str());
        }
        for others in lines.filter_map(|(_, meaning)| meaning.split_once("(or: ")) {
            for word in words(others.1.trim_end_matches(')')).iter().filter(|word| !word.is_empty()) {
                assert!(Measure::<()>::all().iter().any(|measure| measure.as_str() == word), "{word}");
            }
        }
    }
}
