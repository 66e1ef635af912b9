//! Sats by ordinal theory: every notation, checked against an independent sum of the subsidies.

use proptest::prelude::*;
use satscope::model::sat::SatParseError;
use satscope::model::{Sat, SatNumber};

const LAST: u64 = SatNumber::SUPPLY - 1;

fn sat(number: u64) -> Sat {
    Sat::computed(SatNumber::new(number).unwrap())
}

fn parse(text: &str) -> Result<u64, SatParseError> {
    text.parse::<SatNumber>().map(SatNumber::get)
}

/// Height and offset of a sat, computed epoch by epoch from the subsidies.
fn paid_out(number: u64) -> (u64, u64) {
    let (mut left, mut height, mut subsidy) = (number, 0, 5_000_000_000);
    loop {
        if left < subsidy * 210_000 {
            return (height + left / subsidy, left % subsidy);
        }
        left -= subsidy * 210_000;
        height += 210_000;
        subsidy /= 2;
    }
}

fn rarity(height: u64, offset: u64) -> &'static str {
    match (offset, height % 210_000, height % 2016) {
        (0, 0, 0) if height == 0 => "mythic",
        (0, 0, 0) => "legendary",
        (0, 0, _) => "epic",
        (0, _, 0) => "rare",
        (0, _, _) => "uncommon",
        _ => "common",
    }
}

/// Sats to test: random ones, first sats of blocks, and the last epochs with their small subsidies.
fn numbers() -> impl Strategy<Value = u64> {
    let first_of_block = (0_u64..6_930_000).prop_map(|height| parse(&format!("{height}.0")).unwrap());
    prop_oneof![0..=LAST, first_of_block, LAST - 10_000_000..=LAST, 0_u64..1000]
}

/// Digits of any length, many of them around the powers of two at which a count overflows.
fn digits() -> impl Strategy<Value = String> {
    let near_overflow = (0_u32..127, any::<i8>())
        .prop_map(|(bits, off)| (1_u128 << bits).saturating_add_signed(i128::from(off)).to_string());
    prop_oneof!["[0-9]{1,40}", "0{1,3}", near_overflow, any::<u64>().prop_map(|number| number.to_string())]
}

proptest! {
    #[test]
    fn sat_fields_agree_with_subsidies(number in numbers()) {
        let sat = sat(number);
        let (height, offset) = paid_out(number);
        prop_assert_eq!((sat.block_height, sat.offset), (height, offset));
        prop_assert_eq!((sat.cycle, sat.epoch, sat.period), (height / 1_260_000, height / 210_000, height / 2016));
        prop_assert_eq!(sat.decimal.as_str(), format!("{height}.{offset}"));
        let degree = format!("{}°{}′{}″{offset}‴", height / 1_260_000, height % 210_000, height % 2016);
        prop_assert_eq!(sat.degree.as_str(), degree);
        prop_assert_eq!(sat.rarity.as_str(), rarity(height, offset));
        let palindrome = number.to_string().chars().rev().eq(number.to_string().chars());
        prop_assert_eq!(sat.charms.iter().any(|charm| charm == "palindrome"), palindrome);
        prop_assert_eq!(sat.charms.iter().any(|charm| charm == "coin"), number % 100_000_000 == 0);
    }

    #[test]
    fn sat_notations_round_trip(number in numbers()) {
        let sat = sat(number);
        for text in [&sat.name, &sat.decimal, &sat.degree, &sat.percentile] {
            prop_assert_eq!(parse(text), Ok(number), "{}", text);
        }
        prop_assert_eq!(parse(&sat.number.to_string()), Ok(number));
        let ascii = sat.degree.replace('′', "'").replace('″', "\"").replace('‴', "'''");
        prop_assert_eq!(parse(&ascii), Ok(number));
        // What `display.ascii` prints.
        let printed = sat.degree.replace('°', "o").replace(['′', '‴'], "'").replace('″', "\"");
        prop_assert_eq!(parse(&printed), Ok(number));
        prop_assert_eq!(parse(&format!("  {} ", sat.name.to_uppercase())), Ok(number));
    }

    #[test]
    fn any_text_is_a_sat_or_an_error(text in prop_oneof!["\\PC{0,40}", "[0-9°o′″‴.%e'\"-]{0,30}", "[a-z]{0,16}"]) {
        match parse(&text) {
            Ok(number) => prop_assert!(number <= LAST),
            Err(error) => prop_assert!(error.to_string().len() > 20),
        }
    }

    #[test]
    fn long_sat_numbers_are_errors(
        whole in digits(), minute in digits(), second in digits(), third in digits(), exponent in digits(),
    ) {
        for text in [
            whole.clone(),
            format!("{whole}.{third}"),
            format!("{whole}°{minute}′{second}″{third}‴"),
            format!("{whole}°{minute}′{second}″"),
            format!("{whole}°0′0″0‴"),
            format!("0°0′0″{third}‴"),
            format!("{whole}.{third}%"),
            format!("{whole}e-{exponent}%"),
            format!("0.{whole}e{exponent}%"),
        ] {
            match parse(&text) {
                Ok(number) => prop_assert!(number <= LAST, "{}", text),
                Err(error) => prop_assert!(error.to_string().len() > 20, "{}", text),
            }
        }
    }

    #[test]
    fn percentile_gives_nearest_sat(percent in 0.0_f64..=100.0) {
        let number = parse(&format!("{percent}%")).unwrap();
        let exact = percent / 100.0 * LAST as f64;
        prop_assert!((number as f64 - exact).abs() <= 1.5, "{} for {}", number, exact);
    }
}

#[test]
fn handbook_example_parses_in_every_notation() {
    let sat = sat(1_914_287_520_444_193);
    assert_eq!(sat.name, "ahehcbywzae");
    assert_eq!(sat.decimal, "752860.20444193");
    assert_eq!(sat.degree, "0°122860′892″20444193‴");
    assert_eq!(sat.percentile, "91.15654869285287%");
    assert_eq!(sat.rarity, "common");
    assert_eq!((sat.cycle, sat.epoch, sat.period), (0, 3, 373));
    assert!(sat.disagreements.is_empty());
}

#[test]
fn first_and_last_sat_are_correct() {
    let first = sat(0);
    assert_eq!((first.name.as_str(), first.rarity.as_str()), ("nvtdijuwxlp", "mythic"));
    assert_eq!(first.percentile, "0%");
    let last = sat(LAST);
    assert_eq!((last.name.as_str(), last.decimal.as_str(), last.percentile.as_str()), ("a", "6929999.0", "100%"));
    assert_eq!(last.rarity, "uncommon");
    assert_eq!(sat(45_000_000_000).charms, ["coin", "uncommon", "nineball"]);
}

#[test]
fn degree_spellings_are_parsed() {
    for text in [
        "1°0′0″0‴",
        "1°0′0″",
        "1º0'0''0'''",
        "1° 0’ 0” 0‴",
        "1°0′0′′0″′",
        "1°0'0\"0\"'",
        "1°0'0\"0'",
        "1o0'0\"0'",
        "1o0'0\"",
    ] {
        assert_eq!(parse(text), parse("1260000.0"), "{text}");
    }
    for text in
        ["1°0″0′0‴", "1°0′0″0", "1°0′", "1°", "°", "1°0′0″0‴x", "1°0′0″0‴0‴", "-1°0′0″", "1°0′0″0″", "1o", "o0'0\"0'"]
    {
        assert_eq!(parse(text), Err(SatParseError::Unknown), "{text}");
    }
}

#[test]
fn invalid_sat_has_an_error_message() {
    use SatParseError::*;
    let offset = |height, subsidy, offset| Offset { height, subsidy, offset };
    for (text, error) in [
        ("", Unknown),
        ("sat 7", Unknown),
        ("-1", Unknown),
        ("1,00", Unknown),
        ("0x10", Unknown),
        ("1.", Unknown),
        (".1", Unknown),
        ("1.2.3", Unknown),
        ("٣", Unknown),
        ("2099999997690000", NumberRange),
        ("99999999999999999999999", NumberRange),
        ("nvtdijuwxlq", NameRange),
        ("zzzzzzzzzzz", NameRange),
        ("aaaaaaaaaaaa", NameRange),
        ("6930000.0", Block(6_930_000)),
        ("99999999999999999999999.0", Block(u64::MAX)),
        ("0.5000000000", offset(0, 5_000_000_000, 5_000_000_000)),
        ("6929999.1", offset(6_929_999, 1, 1)),
        ("6°0′0″0‴", Degree("the last cycle is 5")),
        ("4294967295°0′0″0‴", Degree("the last cycle is 5")),
        ("1000000000000000°0′0″0‴", Degree("the last cycle is 5")),
        ("3074457345618258602°0′0″0‴", Degree("the last cycle is 5")),
        ("99999999999999999999999°0′0″0‴", Degree("the last cycle is 5")),
        // Times 1,260,000 a little over 2^64.
        ("14640273074658°0′0″0‴", Degree("the last cycle is 5")),
        ("0°210000′0″0‴", Degree("the part before ′ must be below 210000")),
        ("0°0′2016″0‴", Degree("the part before ″ must be below 2016")),
        ("0°0′1″0‴", Degree("the parts before ′ and ″ don't match")),
        ("%", Percentile),
        ("NaN%", Percentile),
        ("inf%", Percentile),
        ("-0.1%", Percentile),
        ("100.1%", Percentile),
        ("1e999%", Percentile),
    ] {
        assert_eq!(parse(text), Err(error), "{text}");
    }
}

#[test]
fn sat_disagreements_with_indexer_are_listed() {
    // From the tenth halving, Hiro's API halves into fractions of a sat.
    let mut sat = sat(2_099_994_106_992_659);
    sat.compare("block_height", "3891036");
    sat.compare("degree", "3°111036′156″13289‴");
    sat.compare("name", &sat.name.clone());
    let noted: Vec<_> = sat.disagreements.iter().map(|d| (&*d.field, &*d.indexer, &*d.computed)).collect();
    assert_eq!(
        noted,
        [("block_height", "3891036", "3891094"), ("degree", "3°111036′156″13289‴", "3°111094′214″16797‴")]
    );
}

#[test]
fn every_sat_field_is_compared() {
    let fields = [
        "name",
        "decimal",
        "degree",
        "percentile",
        "rarity",
        "number",
        "block_height",
        "cycle",
        "epoch",
        "period",
        "offset",
    ];
    let mut sat = sat(1_914_287_520_444_193);
    fields.iter().for_each(|field| sat.compare(field, "odd"));
    assert_eq!(sat.disagreements.iter().map(|d| &*d.field).collect::<Vec<_>>(), fields);
    sat.compare("charms", "odd");
    assert_eq!(sat.disagreements.len(), fields.len(), "unknown fields are not compared");
    // A decimal is compared as text: a trailing zero counts.
    let computed = sat.decimal.to_string();
    sat.disagreements.clear();
    sat.compare("decimal", &computed);
    assert_eq!(sat.disagreements, []);
    sat.compare("decimal", &format!("{computed}0"));
    assert_eq!(sat.disagreements.len(), 1);
}

#[test]
fn sat_spelling_is_not_a_disagreement() {
    let mut sat = sat(1_914_287_520_444_193);
    for (field, text) in [
        ("percentile", "91.156548692852870%"),
        ("percentile", "9.115654869285287e1%"),
        ("degree", "0°122860'892\"20444193'''"),
        ("name", "AHEHCBYWZAE"),
        ("rarity", "Common"),
        ("epoch", "3.0"),
        ("offset", "20444193"),
    ] {
        sat.compare(field, text);
    }
    assert_eq!(sat.disagreements, []);
    sat.compare("percentile", "91.2%");
    sat.compare("rarity", "uncommon");
    sat.compare("epoch", "many");
    assert_eq!(sat.disagreements.len(), 3);
}
