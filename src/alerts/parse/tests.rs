use proptest::prelude::*;

use super::*;
use crate::model::Text;

/// The error for words after `wallet` that name none of its values.
const WALLET: &str = "character 7: expected a limit or `24h` after `wallet`, as in wallet > 20000 or wallet 24h < -5%";

const ADDRESS: &str = "bc1qar0srrr7xfkvy5l643lydnw9re59gtzzwf5mdq";

fn coin(name: &str) -> Watched {
    Watched { symbol: name.to_uppercase().into(), slug: Some(name.into()), id: None }
}

/// The text of a parsed rule, with `eur` as the display currency.
fn understood(line: &str) -> Result<String, String> {
    let draft = parse(line).map_err(|error| error.to_string())?;
    let name = if let Subject::Coin { name, .. } = &draft.subject { name.clone() } else { Text::default() };
    let once = if draft.once { " once" } else { "" };
    let rule = draft.rule(Some(coin(&name)), &Currency::parse("EUR").unwrap()).unwrap();
    Ok(format!("{rule}{once}"))
}

#[test]
fn rules_are_understood() {
    let address = ADDRESS.to_owned();
    let table: Vec<(String, &str)> = [
        ("ordi > 10", "ordi > 10 eur"),
        ("ordi < 8.5 usd", "ordi < 8.5 usd"),
        ("ordi >= 10usd", "ordi >= 10 usd"),
        ("ordi < 8.8e-8", "ordi < 0.000000088 eur"),
        ("ordi < 8.8e-8usd rearm 9E-8", "ordi < 0.000000088 usd rearm 0.00000009"),
        ("ordi>=10.000000000000000001 btc once", "ordi >= 10.000000000000000001 btc once"),
        ("ordi price > $10", "ordi > 10 usd"),
        ("ordi > 8.5€", "ordi > 8.5 eur"),
        ("sats 24h < -8%", "sats 24h < -8%"),
        ("sats 24h < \u{2212}8", "sats 24h < -8%"),
        ("sats 24h > +8 %", "sats 24h > 8%"),
        ("sats 1d > 8", "sats 24h > 8%"),
        ("ordi vol > 50m", "ordi vol > 50000000 eur"),
        ("ordi market cap >= 1.5b usd", "ordi cap >= 1500000000 usd"),
        ("ordi rank <= 100", "ordi rank <= 100"),
        ("ordi # <= 100", "ordi rank <= 100"),
        ("RATS holders ≥ 50k", "rats holders >= 50000"),
        ("nova minted >= 99%", "nova minted >= 99%"),
        ("nova minted every 1%", "nova minted every 1%"),
        ("wallet 24h < -5%", "wallet 24h < -5%"),
        ("Wallet change < -5", "wallet 24h < -5%"),
        ("wallet > 20000", "wallet > 20000 eur"),
        ("wallet value > $20k", "wallet > 20000 usd"),
        ("wallet < 15000 USD once", "wallet < 15000 usd once"),
        ("wallet every 1000", "wallet every 1000 eur"),
        ("wallet > 20000 rearm 19000", "wallet > 20000 eur rearm 19000"),
        ("wallet minted >= 99%", "wallet minted >= 99%"),
        ("value > 5", "value > 5 eur"),
        ("fees < 3", "fees < 3"),
        ("fees minted >= 99%", "fees minted >= 99%"),
        ("fees < 3 sat/vB once", "fees < 3 once"),
        ("ordi > 20 rearm 19.5", "ordi > 20 eur rearm 19.5"),
        ("ordi < 14,10", "ordi < 14.1 eur"),
        ("ordi above 10", "ordi > 10 eur"),
        ("ordi vol Over 50m usd once", "ordi vol > 50000000 usd once"),
        ("sats 1h below -3%", "sats 1h < -3%"),
        ("sats 7d under -20", "sats 7d < -20%"),
        ("over > 5", "over > 5 eur"),
        ("over above 5", "over > 5 eur"),
    ]
    .map(|(line, text)| (line.to_owned(), text))
    .to_vec();
    for (line, text) in table {
        assert_eq!(understood(&line).as_deref(), Ok(text), "{line}");
        assert_eq!(understood(text).as_deref(), Ok(text), "its text reads as the same rule");
    }
    for (line, text) in [("receives", "receives"), ("sends once", "sends once"), ("ORDI > 1000", "ordi > 1000")] {
        assert_eq!(understood(&format!("{address} {line}")), Ok(format!("{address} {text}")));
    }
}

#[test]
fn relative_limits_are_computed_from_the_price() {
    let price = |name: &str| (name == "ordi").then(|| (16.05, Currency::usd()));
    let read = |line: &str| {
        let draft = parse_relative(line, &[], &price).map_err(|error| error.to_string())?;
        let once = if draft.once { " once" } else { "" };
        let rule = draft.rule(Some(coin("ordi")), &Currency::parse("EUR").unwrap()).unwrap();
        Ok::<String, String>(format!("{rule}{once}"))
    };
    for (line, rule) in [
        ("ordi +5%", "ordi > 16.85 usd"),
        ("ordi price -20% once", "ordi < 12.84 usd once"),
        ("ordi \u{2212}20% usd", "ordi < 12.84 usd"),
        ("ordi +5% rearm 15", "ordi > 16.85 usd rearm 15"),
        ("ordi > 20", "ordi > 20 eur"),
    ] {
        assert_eq!(read(line).as_deref(), Ok(rule), "{line}");
    }
    for (line, reason) in [
        ("btc +5%", "character 5: the price of btc is unknown (expected a limit such as > 10)"),
        ("ordi +5% eur", "character 10: relative alerts use the displayed currency"),
        ("ordi +5% 20", "character 10: unexpected `20`"),
        ("ordi -100%", "character 6: a price can't be zero"),
        ("ordi -150%", "character 6: a price can't be negative"),
        ("ordi 24h +5%", "character 10: unexpected `+5%`"),
        ("+5%", "expected a coin"),
        ("ordi > +5%", "character 8: a price is not a percentage"),
    ] {
        let error = read(line).unwrap_err();
        assert!(error.starts_with(reason), "{line}: {error}");
    }
    // Without prices, the error says what to write.
    let error = parse("ordi +5%").unwrap_err().to_string();
    assert!(error.contains("(expected a condition such as > 10 "), "{error}");
}

#[test]
fn every_measure_can_be_typed() {
    let typed = [
        "ordi > 10",
        "ordi 1h < -3%",
        "ordi 24h < -8%",
        "ordi 7d < -20%",
        "ordi vol > 50m",
        "ordi cap > 50m",
        "ordi rank <= 100",
        "rats holders >= 50k",
        "nova minted >= 99%",
        &format!("{ADDRESS} ordi > 1000"),
        &format!("{ADDRESS} receives"),
        &format!("{ADDRESS} sends"),
        "fees < 3",
        "wallet > 20000",
    ];
    let typed = typed.map(|line| parse(line).unwrap().subject.measure().as_str());
    assert_eq!(typed, TypedMeasure::all().map(|measure| measure.as_str()));
}

#[test]
fn line_that_starts_with_a_value_lacks_a_subject() {
    for line in ["24h < -8%", "Change < -8%", "volume > 50m", "mcap > 50m", "every 5", "> 10", "receives"] {
        assert!(lacks_subject(line), "{line}");
    }
    for line in ["fees < 3", "ordi > 10", "market cap > 50m", "value > 5", ""] {
        assert!(!lacks_subject(line), "{line}");
    }
}

#[test]
fn parse_errors_have_a_position_and_a_suggestion() {
    for (line, sentence) in [
        ("", "expected a rule, such as ordi > 10 or sats 24h < -8%"),
        ("ordi", "character 5: expected a condition after ordi, such as > 10 or 24h < -8%"),
        ("ordi near 10", "character 6: unexpected `near` (expected a condition such as > 10 or 24h < -8%)"),
        ("ordi above", "character 11: expected a number after above, such as above 10"),
        ("ordi below 0", "character 12: a price can't be zero"),
        ("fees", "character 5: expected a condition after fees, such as > 10"),
        ("fees +5%", "character 6: unexpected `+5%` (expected a condition such as > 10)"),
        ("fees 24h", "character 6: fee rates have no 24h change (expected a condition such as fees < 3)"),
        ("fees 24h < -8%", "character 6: fee rates have no 24h change (expected a condition such as fees < 3)"),
        ("Fee market cap > 5m", "character 5: fee rates have no market cap (expected a condition such as fees < 3)"),
        ("fees rate < 3", "character 6: unexpected `rate` (expected >, <, >= or <=)"),
        ("wallet", "character 7: expected a condition after wallet, such as > 20000 or 24h < -5%"),
        ("wallet value", "character 13: expected a condition after value, such as > 20000"),
        ("wallet value 5", "character 14: unexpected `5` (expected >, <, >= or <=)"),
        ("wallet value over > 5", WALLET),
        ("wallet > -5", "character 10: a wallet value can't be negative"),
        ("wallet > 5%", "character 10: a wallet value is not a percentage (for the change, use 24h > 5%)"),
        ("wallet vol", WALLET),
        ("wallet vol > 5m", WALLET),
        ("wallet +5%", "character 8: unexpected `+5%` (expected a condition such as > 20000 or 24h < -5%)"),
        ("ordi 24h 5", "character 10: unexpected `5` (expected >, <, >= or <=)"),
        ("nova minted", "character 12: expected a condition after minted, such as >= 99% or every 1%"),
        ("ordi price", "character 11: expected a condition after price, such as > 10 or < 8.5 eur"),
        ("ordi change", "character 12: expected a condition after change, such as < -8%"),
        ("ordi market cap", "character 16: expected a condition after cap, such as > 50m"),
        ("ordi market cap 50m", "character 17: unexpected `50m` (expected >, <, >= or <=)"),
        (
            "ordi market > 5",
            "character 6: unexpected `market` (expected price, 1h, 24h, 7d, vol, cap, rank, holders or minted)",
        ),
        ("holders > 5", "expected a coin, ticker, address, wallet or fees before holders"),
        ("> 10", "expected a coin, ticker, address, wallet or fees before >"),
        ("ordi = 3", "character 6: expected >, <, >= or <="),
        ("ordi >", "character 7: expected a number after >, such as > 10"),
        ("ordi > ten", "character 8: not a number: ten (examples: 500, 0.25, 1.5k, 2*0.25)"),
        ("ordi > 1,500", "character 8: ambiguous number 1,500 (expected 1500 or 1.5)"),
        ("ordi > 1.500 rearm 999,5", "character 8: ambiguous number 1.500 (expected 1500 or 1.5)"),
        ("ordi < 14,5 rearm 1.500", "character 19: ambiguous number 1.500 (expected 1500 or 1.5)"),
        (
            "ordi price24 > 1",
            "character 6: unexpected `price24` (expected price, 1h, 24h, 7d, vol, cap, rank, holders or minted)",
        ),
        ("ordi vol 24h > 5", "character 10: unexpected `24h` (expected >, <, >= or <=)"),
        ("ordi market cap usd > 5", "character 17: unexpected `usd` (expected >, <, >= or <=)"),
        ("wallet 24h change < -5%", "character 12: unexpected `change` (expected >, <, >= or <=)"),
        ("ordi > 10 weekly", "character 11: unexpected `weekly` (expected a currency, `once` or `rearm`)"),
        ("ordi > 10 once once", "character 16: `once` given twice"),
        ("ordi > 10 once rearm 9 Once", "character 24: `once` given twice"),
        ("ordi > 10 rearm 9 rearm 8", "character 19: `rearm` given twice"),
        ("ordi rank < 10 eur", "character 16: unexpected `eur` (expected `once` or `rearm`)"),
        ("ordi < -8%", "character 8: a price is not a percentage (for the change, use 24h < -8%)"),
        ("ordi < -8", "character 8: a price can't be negative"),
        ("ordi 24h < -101%", "character 12: a 24h change can't be below -100%"),
        ("ordi > 0", "character 8: a price can't be zero"),
        ("ordi rank <= 0", "character 14: a rank can't be zero"),
        ("ordi rank < 1", "character 13: a rank can't be below 1"),
        ("rats holders > 3 sat/vB", "character 18: unexpected `sat/vB` (expected `once` or `rearm`)"),
        ("ordi > 10 rearm 0", "character 17: a price can't be zero"),
        ("ordi every 5%", "character 12: a price is not a percentage (for the change, use 24h > 5%)"),
        ("rats holders >= 50k eur", "character 21: unexpected `eur` (expected `once` or `rearm`)"),
        ("ordi > > 5", "character 8: not a number: > (examples: 500, 0.25, 1.5k, 2*0.25)"),
        ("nova minted > 120%", "character 15: a minted share can't be above 100%"),
        ("nova minted every 0%", "character 19: a step can't be zero or negative"),
        ("ordi receives", "expected an address or its label before `receives` or `sends`"),
        ("bc1qqqqqqqq receives", "bc1qqqqqqqq is not a Bitcoin address: unknown format"),
        (
            &format!("xpub{} receives", "6CUG".repeat(26)),
            "xpub6CUG… is an extended key, not an address (use its addresses instead)",
        ),
        ("ordi > 20 rearm 21", "character 17: the re-arm value must be below the limit"),
        ("fees < $3", "character 8: a currency is valid only for price, vol, cap and value"),
        ("ordi > 10 rearm 5%", "character 17: a price is not a percentage (for the change, use 24h > 5%)"),
        ("ordi > 10 rearm -3", "character 17: a price can't be negative"),
        ("ordi > 10 rearm 9€", "character 17: the re-arm value must be in the currency of the limit"),
        ("ordi > $10 eur", "character 12: use one currency"),
        ("ordi > 10usd eur", "character 14: use one currency"),
        ("ordi > 10 sats", "character 11: unexpected `sats` (expected SAT, the currency; SATS is a token)"),
        ("ordi > ¥500", "character 8: ¥ is ambiguous (use 500 JPY or 500 CNY)"),
        ("ordi > 10 rearm 9¥", "character 17: ¥ is ambiguous (use 9 JPY or 9 CNY)"),
        ("ordi > 500 ¥", "character 12: ¥ is ambiguous (use JPY or CNY)"),
        ("rats holders > 500 ¥", "character 20: unexpected `¥` (expected `once` or `rearm`)"),
        ("rats holders > 10usd", "character 16: a currency is valid only for price, vol, cap and value"),
    ] {
        assert_eq!(understood(line), Err(sentence.to_owned()), "{line}");
    }
    let wrong = ADDRESS.replace("mdq", "mdp");
    let error = parse(&format!("{wrong} receives")).unwrap_err();
    assert!(error.to_string().ends_with("invalid checksum (mistyped or cut off)"), "{error}");
    assert!(parse(ADDRESS).is_err());
    assert!(parse(&format!("{ADDRESS} > 5")).is_err());
    let extra = understood(&format!("{ADDRESS} ordi extra > 5"));
    assert_eq!(extra, Err(String::from("character 49: unexpected `extra` (expected >, <, >= or <=)")));
}

proptest! {
    #[test]
    fn any_text_is_parsed_without_a_panic(line in "\\PC{0,40}|[a-z0-9<>=≥ %.,-]{0,40}") {
        let _ = parse(&line);
    }
}

#[test]
fn label_stands_for_a_saved_address() {
    const COLD: &str = "bc1qd2mzs0p9rhjrp9494u0edtlleulfqt4x268cg8";
    const HOT: &str = "bc1qxhmdufsvnuaaaer4ynz88fspdsxq2h9e9cetdj";
    let known = [(COLD, "cold"), (HOT, "cold storage"), (COLD, "Twin"), (HOT, "twin"), (HOT, "ordi")];
    let known = known.map(|(address, label)| WalletAddress {
        address: address.into(),
        label: Some(label.into()),
        added_at: Default::default(),
    });
    for (line, rule) in [
        ("cold receives", format!("{COLD} receives")),
        ("COLD  Storage sends once", format!("{HOT} sends")),
        ("cold ordi > 1000", format!("{COLD} ordi > 1000")),
        ("cold storage ordi > 1000", format!("{HOT} ordi > 1000")),
        ("ordi receives", format!("{HOT} receives")),
    ] {
        let draft = parse_with(line, &known).unwrap();
        assert_eq!(draft.rule(None, &Currency::usd()).unwrap().to_string(), rule, "{line}");
    }
    // Alone, the word is a coin.
    assert!(matches!(parse_with("ordi > 10", &known).unwrap().subject, Subject::Coin { .. }));
    assert!(matches!(parse_with("cold rank < 10", &known).unwrap().subject, Subject::Coin { .. }));
    let error = |line| parse_with(line, &known).unwrap_err().to_string();
    assert_eq!(error("twin receives"), "2 addresses have the label twin (use the address)");
    assert!(error("warm receives").starts_with("expected an address or its label before"));
    assert!(error("warm ordi > 3").starts_with("character 6: unexpected `ordi`"));
}

#[test]
fn address_or_label_without_a_condition_gets_its_own_examples() {
    let entry = WalletAddress {
        address: ADDRESS.into(),
        label: Some("cold store".into()),
        added_at: crate::model::UtcTime::from_secs(0),
    };
    let sentence = |line: &str| parse_with(line, std::slice::from_ref(&entry)).unwrap_err().to_string();
    let examples = "such as receives, sends or ordi > 1000";
    assert_eq!(sentence("Cold Store"), format!("character 11: expected a condition after Store, {examples}"));
    assert_eq!(sentence(ADDRESS), format!("character 43: expected a condition after {ADDRESS}, {examples}"));
    assert_eq!(sentence("cold store ordi"), "character 16: expected a condition after ordi, such as > 1000");
}
