use proptest::prelude::*;

use super::*;

#[test]
fn number_may_have_separators_suffixes_and_sums() {
    for (text, number) in [
        ("500", "500"),
        (".5", "0.5"),
        ("2*0.25", "0.5"),
        ("1+2*3", "7"),
        ("(1+2)*3", "9"),
        ("10/4", "2.5"),
        ("1/3", "0.333333333333333333"),
        ("5-7", "-2"),
        ("1.5k", "1500"),
        ("15.3T", "15300000000000"),
        ("1.5bn", "1500000000"),
        ("0,5", "0.5"),
        ("14,10", "14.1"),
        ("1,234.5", "1234.5"),
        ("1.234,5", "1234.5"),
        ("1,234,567", "1234567"),
        ("1.234.567", "1234567"),
        ("1.234.567,5", "1234567.5"),
        ("1.234.567,125", "1234567.125"),
        ("1.234", "1.234"),
        ("1'000", "1000"),
        ("1_000.25", "1000.25"),
        ("0,125", "0.125"),
        ("8.8e-8", "0.000000088"),
        ("1E5", "100000"),
        ("2,5e+3-1", "2499"),
        ("2*1e3", "2000"),
    ] {
        assert_eq!(parse(text).map(|number| number.to_string()).as_deref(), Ok(number), "{text}");
    }
}

#[test]
fn comma_with_two_readings_names_both() {
    for (text, sentence) in [
        ("1,500", "ambiguous number 1,500 (expected 1500 or 1.5)"),
        ("80,000", "ambiguous number 80,000 (expected 80000 or 80)"),
        ("1,234", "ambiguous number 1,234 (expected 1234 or 1.2340)"),
    ] {
        assert_eq!(parse(text).unwrap_err().to_string(), sentence);
    }
}

#[test]
fn point_beside_a_decimal_comma_may_separate_thousands() {
    for (texts, ambiguous) in [
        (["1.500", "14,10"], Some((0, "ambiguous number 1.500 (expected 1500 or 1.5)"))),
        (["14,10", "2*1.234"], Some((1, "ambiguous number 1.234 (expected 1234 or 1.2340)"))),
        (["1.000ordi", "€1.250,00"], Some((0, "ambiguous number 1.000 (expected 1000 or 1)"))),
        (["1.500", "14.10"], None),
        (["1.5", "14,10"], None),
        (["0.500", "14,10"], None),
        (["1.500", "1,234.5"], None),
        (["1.500", "1,234,567"], None),
        (["02.03.2025", "14,10"], None),
        (["1.234.567", "14,10"], None),
    ] {
        let found = ambiguous_point(texts).map(|(index, error)| (index, error.to_string()));
        assert_eq!(found, ambiguous.map(|(index, text)| (index, String::from(text))), "{texts:?}");
    }
}

#[test]
fn invalid_number_is_rejected() {
    for text in [
        "",
        "x",
        "1..2",
        "1,23,4",
        "1.2.3",
        "1.234.56",
        "0.234.567",
        "1234.567.890",
        "1.234,567.8",
        "1.234.567,",
        "5.",
        "1e31",
        "1e-31",
        "1e",
        "1e-",
        "1e5k",
        "1e99999999999999999999",
        "e5",
        "(1",
        "1)",
        "1+",
        "12,34.5",
        "--",
        "1 2",
        "٣",
    ] {
        assert!(parse(text).is_err(), "{text}");
    }
    assert_eq!(parse("1/0"), Err(NumberError::ByZero(String::from("1/0"))));
    assert!(parse(&"(".repeat(10_000)).is_err());
    assert!(parse(&"-".repeat(10_000)).is_err());
    assert!(parse(&format!("1{}", "*9t".repeat(100_000))).is_err());
    let too_fine = "(1/3)*(1/3)*(1/3)*(1/3)";
    assert!(parse(too_fine).is_err(), "72 decimals");
}

#[test]
fn plain_number_is_one_number_with_a_sign() {
    for (text, number) in [
        ("500", "500"),
        ("-5", "-5"),
        ("\u{2212} 5", "-5"),
        ("(5)", "-5"),
        ("( 1,234.50 )", "-1234.5"),
        ("1.5M", "1500000"),
        ("-8.8e-8", "-0.000000088"),
        ("14,10", "14.1"),
    ] {
        assert_eq!(parse_plain(text).map(|number| number.to_string()).as_deref(), Ok(number), "{text}");
    }
    for text in ["", "-", "()", "5-3", "3/4", "2*0.25", "(-5)", "-(5)", "((5))", "(5", "5)", "(5)3", "--5", "1 2"] {
        let shown = if text.is_empty() { "\"\"" } else { text };
        let sentence = format!("not a number: {shown} (examples: 500, 0.25, 1.5k)");
        assert_eq!(parse_plain(text).map_err(|error| error.to_string()), Err(sentence));
    }
    assert!(matches!(parse_plain("(1,500)"), Err(NumberError::Ambiguous { .. })));
    assert!(parse_plain(&"9".repeat(10_000)).is_err());
}

proptest! {
    #[test]
    fn any_text_is_parsed_without_a_panic(text in "\\PC{0,40}|[0-9+*/().,k-]{0,40}") {
        let _ = (parse(&text), parse_plain(&text));
    }

    #[test]
    fn plain_decimal_reads_as_itself(whole: u64, fraction in "[0-9]{0,17}[1-9]") {
        let text = format!("{whole}.{fraction}");
        prop_assert_eq!(parse_plain(&text), parse(&text));
        prop_assert_eq!(parse(&text).unwrap().to_string(), text);
    }
}
