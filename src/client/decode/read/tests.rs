use super::super::tape::Tape;
use super::texts::MAX_TEXT;
use super::*;
use crate::client::request::Warning;
use crate::model::{Currency, Text};

/// Reads every item of a JSON array and returns the results and warnings.
fn read<T>(
    json: &str,
    reader: impl Fn(&mut Context<'_>, Option<Value<'_>>) -> Option<T>,
) -> (Vec<Option<T>>, Vec<Warning>) {
    let document = Document::parse(json, 8).unwrap();
    let mut context = Context::new(&document);
    let mut tape = Tape::default();
    let read = document
        .root()
        .items()
        .map(|item| {
            let item = tape.expand(item).unwrap();
            reader(&mut context, Some(item))
        })
        .collect();
    (read, context.into_warnings().into_iter().map(|warning| warning.sentence).collect())
}

#[test]
fn numbers_are_read_in_every_notation() {
    let (read, warnings) = read(
        r#"[1.5, "1.5", 0E-8, "1.2e-7", "1,234,567.5", " -3.8 ", null, "", "N/A", 1e999, "abc", "12,34", "nan", {}, NaN, [1]]"#,
        |context, value| context.f64(value),
    );
    let some = [1.5, 1.5, 0.0, 1.2e-7, 1_234_567.5, -3.8].map(Some);
    assert_eq!(read, [&some[..], &[None; 10]].concat());
    assert_eq!(
        warnings,
        [
            "$[9]: found 1e999, expected a finite number",
            "$[10]: found \"abc\", expected a finite number",
            "$[11]: found \"12,34\", expected a finite number",
            "$[12]: found \"nan\", expected a finite number",
            "$[13]: found an object, expected a finite number",
            "$[14]: found NaN, expected a finite number",
            "$[15]: found an array, expected a finite number",
        ]
    );
}

#[test]
fn formatted_numbers_are_parsed() {
    let (amounts, warnings) = read(
        r#"["$8.41", "-$8.41", "$-8.41", "− 3.8 %", "+11%", "8.41 USD", "US$1,234.5", "EUR 8", "₿0.5", "4.35K", "$176.61M",
            "1 234 567", "1'234", "1_234", "1.2B", "2.31 T", "1t", "8.41 €", "8.41$", "8.41 USDT",
            "176.61 million", "$1.2 Billion", "4.35 thousand ORDI", "2.26B USD", "2.26 bn €", "12 MLN"]"#,
        |_, value| figure::number(&value?.str()?).map(|figure| figure.number),
    );
    let all = [
        8.41,
        -8.41,
        -8.41,
        -3.8,
        11.0,
        8.41,
        1234.5,
        8.0,
        0.5,
        4350.0,
        176_610_000.0,
        1_234_567.0,
        1234.0,
        1234.0,
        1.2e9,
        2.31e12,
        1e12,
        8.41,
        8.41,
        8.41,
        176_610_000.0,
        1.2e9,
        4350.0,
        2.26e9,
        2.26e9,
        // Tokens of Enzyme.
        12.0,
    ];
    assert_eq!((amounts, warnings.len()), (all.map(Some).to_vec(), 0));
    let (none, warnings) = read(
        r#"["$", "--1", "1.5x", "1 23", "1,234 567", "inf", "$nan", "8,41", "1e5K", "USD", "1.2.3", "12 apples", "A12",
            "12 nuts", "12 PEANUTS", "1234,567", "EUR8", "X 5", "ABCD$5", "5 €$", "71.431,99", "123.45,678", "0,123", "1,234", "$1,234", "1,234K"]"#,
        |context, value| context.f64(value),
    );
    assert_eq!((none, warnings.len()), (vec![None; 26], 26));
}

#[test]
fn unit_of_a_number_must_fit_its_field() {
    let json = r#"["8.41", "8.41 EUR", "€8.41", "$8.41", "US$8.41", "$8.41 CAD", "1.2 SATS", "5%", "€5 USD", "$5%", "1.2B %", "X$5"]"#;
    let number = Some(8.41);
    let (plain, warnings) = read(json, |context, value| context.f64(value));
    assert_eq!((plain, warnings.len()), ([&[number][..], &[None; 11]].concat(), 11));
    let (percent, warnings) = read(json, |context, value| context.percent(value));
    let five = [number, None, None, None, None, None, None, Some(5.0), None, None, None, None];
    assert_eq!((&percent[..], warnings.len()), (&five[..], 10));
    assert_eq!(warnings[0], "$[1]: found \"8.41 EUR\", expected a percentage");
    let (money, warnings) = read(json, |context, value| context.money(value));
    let code = |code| Some(Mark::Currency(Currency::parse(code).unwrap()));
    let marks = [None, code("EUR"), code("EUR"), Some(Mark::Shared('$')), code("USD"), code("CAD"), code("SATS")];
    let mut read_money: Vec<_> = marks.into_iter().map(|mark| Some((8.41, mark))).collect();
    read_money[6] = Some((1.2, code("SATS")));
    read_money.extend([const { None }; 5]);
    assert_eq!((money, warnings.len()), (read_money, 5));
    let (supply, warnings) =
        read(r#"["21,000,000 ORDI", "21M BTC", "₿21", "5 PEPE", "5 USD", "$5", "98%"]"#, |context, value| {
            context.supply(value)
        });
    let coins = [Some(21e6), Some(21e6), Some(21.0), Some(5.0), None, None, None];
    assert_eq!((&supply[..], warnings.len()), (&coins[..], 3));
}

#[test]
fn zero_in_every_notation_is_an_integer() {
    let (zeros, warnings) = read(r#"[0, 0.0, 0E-8, "0E-22", "-0.00", 0e7]"#, |context, value| context.u64(value));
    assert_eq!((zeros, warnings.len()), (vec![Some(0); 6], 0));
    let (others, warnings) = read(r#"[1e-8, "10E-22", "0e", "0ex"]"#, |context, value| context.u64(value));
    assert_eq!((others, warnings.len()), (vec![None; 4], 4));
}

#[test]
fn integers_are_read_exactly() {
    let (read, warnings) = read(
        r#"[212, "212", 212.0, 2.12e2, "1,204", 18446744073709551615, 1e17, 90071992547409930.0, 9.0071992547409931e16, 1e18, -1, 1.5, 18446744073709551616, 1e20, null, "N/A", ""]"#,
        |context, value| context.u64(value),
    );
    let exact = [90_071_992_547_409_930, 90_071_992_547_409_931, 1_000_000_000_000_000_000];
    let some = [&[212, 212, 212, 212, 1204, u64::MAX, 100_000_000_000_000_000][..], &exact].concat();
    let some: Vec<_> = some.into_iter().map(Some).collect();
    assert_eq!(read, [&some[..], &[None; 7]].concat());
    assert_eq!(warnings.len(), 4, "{warnings:?}");
}

#[test]
fn times_are_read_in_every_format_and_unit() {
    let (days, warnings) = read(r#"["20261119", 20261119, "2026-11-19", "20261345", 12345678]"#, |context, value| {
        context.time(value).map(|time| time.to_string())
    });
    assert_eq!(days, [&vec![Some("2026-11-19T00:00:00Z".to_owned()); 3][..], &[const { None }; 2]].concat());
    assert_eq!(warnings.len(), 2, "{warnings:?}");
    let noon = "2026-11-19T12:00:00Z";
    let (read, warnings) = read(
        r#"["2026-11-19T12:00:00.000Z", "2026-11-19T14:00:00+02:00", "2026-11-19 12:00:00", 1795089600, "1795089600",
            1795089600000, "1795089600000", 1795089600000000, 1795089600000000000, 1.7950896e9, "2026-11-19 12:00:00 UTC",
            "Thu, 19 Nov 2026 12:00:00 GMT", 0, "0", null, "", "N/A", "soon", true, 1e20, -1795089600, 7]"#,
        |context, value| context.time(value).map(|time| time.to_string()),
    );
    assert_eq!(read, [&vec![Some(noon.to_owned()); 12][..], &[const { None }; 10]].concat());
    assert_eq!(
        warnings,
        [
            "$[17]: found \"soon\", expected a time",
            "$[18]: found true, expected a time",
            "$[19]: found 1e20, expected a time",
            "$[20]: found -1795089600, expected a time",
            "$[21]: found 7, expected a time",
        ]
    );
}

#[test]
fn dates_with_words_or_a_separate_offset_are_times() {
    let json = r#"["2026-11-19 14:00:00 +0200", "2026-11-19 14:00:00 +02:00", "2026-11-19 12:00:00.000000 +0000 UTC",
        "2026-11-19 13:00:00 +0100 CET", "Thu Nov 19 12:00:00 +0000 2026", "Thu Nov 19 12:00:00 2026",
        "Thu Nov 19 2026 14:00:00 GMT+0200 (Central European Summer Time)", "2026/11/19 12:00:00", "2026/11/19 12:00:00 UTC",
        "2026-11-19 13:00:00 +0100 UTC", "11/19/2026 12:00:00", "Thu Nov 19 12:00:00 CET 2026", "Thu Nov 19 12:00:00 +0000 26",
        "2026-11-19 12:00:00 +0100 in CET", "a b c d e", "a b c d e f g"]"#;
    let (read, warnings) = read(json, |context, value| context.time(value).map(|time| time.to_string()));
    let noon = Some("2026-11-19T12:00:00Z".to_owned());
    assert_eq!(read, [&vec![noon; 9][..], &[const { None }; 7]].concat());
    assert_eq!(warnings.len(), 7, "{warnings:?}");
}

#[test]
fn digits_of_a_date_and_dotnet_ticks_are_times() {
    let (read, warnings) = read(
        r#"["20261119120000", 20261119120000, 202611191200, "20261119120000000", 20261119120000000, 639306864000000000]"#,
        |context, value| context.time(value).map(|time| time.to_string()),
    );
    assert_eq!(read, vec![Some("2026-11-19T12:00:00Z".to_owned()); 6]);
    assert_eq!(warnings, [] as [&str; 0]);
}

#[test]
fn time_in_a_zone_without_offset_is_none() {
    let json = r#"["2026-11-19T08:00:00[Europe/Berlin]", "2026-11-19T08:00:00+01:00 GMT", "2026-11-19 08:00:00-05:00 UTC",
        "2026-11-19[Europe/Berlin]", "2026-11-19T08:00:00[Europe/Berlin] UTC", "2026-11-19T08:00:00+01:00[Europe/Berlin]",
        "2026-11-19 08:00", "2026-11-19T08:00:00.5 GMT"]"#;
    let (read, warnings) = read(json, |context, value| context.time(value).map(|time| time.to_string()));
    let times = ["2026-11-19T07:00:00Z", "2026-11-19T08:00:00Z", "2026-11-19T08:00:00.500Z"];
    assert_eq!(read, [&[const { None }; 5][..], &times.map(|time| Some(time.to_owned()))].concat());
    assert_eq!(warnings.len(), 5, "{warnings:?}");
}

#[test]
fn booleans_and_safe_urls_are_read() {
    let (flags, warnings) = read(r#"[true, 0, "1", "False", "", null, 2, {}]"#, |context, value| context.bool(value));
    assert_eq!(flags, [Some(true), Some(false), Some(true), Some(false), None, None, None, None]);
    assert_eq!(warnings, ["$[6]: found 2, expected true or false", "$[7]: found an object, expected true or false"]);

    let (urls, warnings) = read(
        r#"["https://example.org/a?b=c", "HTTP://Example.org", "http://[::1]:8080/", "https://exämple.org/é", "",
            "javascript:alert(1)", "https://", "file:///etc/passwd", "https://a b", "https://a\u001b[0m",
            "https://a\u202eb", "https://?a", "https:///a", "https://a\u00a0b", "https://a\u3000b"]"#,
        |context, value| context.url(value),
    );
    let whole = ["https://example.org/a?b=c", "HTTP://Example.org", "http://[::1]:8080/", "https://exämple.org/é"];
    assert_eq!(urls[..4], whole.map(|url| Some(url.to_owned())));
    assert!(urls[4..].iter().all(Option::is_none));
    assert_eq!(warnings.len(), 10);
}

#[test]
fn texts_are_cleaned_and_tickers_escaped() {
    let (texts, warnings) =
        read(r#"["a", 42, "a\nb", "\u001b", "", null, {}, true, 4.20, 1e400]"#, |context, value| context.text(value));
    let some = ["a", "42", "a b"].map(|text| Some(Text::from(text)));
    assert_eq!(texts, [&some[..], &[const { None }; 7]].concat());
    let warned = ["$[6]: found an object", "$[7]: found true", "$[8]: found 4.20", "$[9]: found 1e400"];
    assert_eq!(warnings, warned.map(|warning| format!("{warning}, expected a string")));

    let long = |unit: &str, count| unit.repeat(count);
    let json = format!(
        r#"["ordi", 1000, "\u202e", {}, "{}", "", null, {}, "{}", [], true, 1e3]"#,
        long("1", MAX_TEXT),
        long("x", MAX_TEXT),
        long("1", MAX_TEXT + 1),
        long("x", MAX_TEXT + 1),
    );
    let (tickers, warnings) = read(&json, |context, value| context.ticker(value));
    let some = ["ordi", "1000", r"\u{202e}", &long("1", MAX_TEXT), &long("x", MAX_TEXT)];
    assert_eq!(tickers, [&some.map(|text| Some(Text::from(text)))[..], &[const { None }; 7]].concat());
    assert_eq!(warnings.len(), 5, "{warnings:?}");
}

#[test]
fn missing_value_is_none() {
    let (_, warnings) =
        read(r#"[{"price":,"rank":1}]"#, |context, value| context.f64(value.and_then(|item| item.get("price"))));
    assert_eq!(warnings, ["$[0].price: found nothing, expected a finite number"]);
}

#[test]
fn warnings_are_capped() {
    let json = format!("[{}]", vec!["true"; 80].join(","));
    let (_, warnings) = read(&json, |context, value| context.f64(value));
    assert_eq!(warnings.len(), MAX_WARNINGS + 1);
    assert_eq!(warnings.last().unwrap(), "and 30 more");
}

#[test]
fn negative_zero_is_zero() {
    let (read, _) = read(r#"[-0.0, "-0", -0.00e7]"#, |context, value| context.f64(value));
    assert!(read.iter().all(|zero| zero.is_some_and(|zero| zero == 0.0 && zero.is_sign_positive())), "{read:?}");
}

#[test]
fn ids_in_float_notation_are_integers() {
    let (read, warnings) = read(
        r#"[25028, 25028.0, 2.5028e4, -7.0, 1.5, "25028.0", 123456789012345678901234567890, 1e400, " a ", null]"#,
        |context, value| context.id(value),
    );
    let ids: Vec<_> = read.iter().map(|id| id.as_deref()).collect();
    let written = ["25028", "25028", "25028", "-7", "1.5", "25028.0", "123456789012345678901234567890", "1e400", "a"];
    assert_eq!(ids, [&written.map(Some)[..], &[None]].concat());
    assert_eq!(warnings, [] as [&str; 0]);
}

#[test]
fn zero_dates_are_none() {
    let (read, warnings) = read(
        r#"["0001-01-01T00:00:00Z", "0000-00-00 00:00:00", "1970-01-01T00:00:00.000Z", "0001-01-01T00:00:00", "0000-00-00",
            "1970-01-01T00:00:01Z"]"#,
        |context, value| context.time(value),
    );
    assert_eq!(read, [None, None, None, None, None, Some(UtcTime::from_secs(1))]);
    assert_eq!(warnings, [] as [&str; 0]);
}

#[test]
fn numbers_too_small_for_a_float_are_none() {
    let json = format!(r#"[1e-400, "1e-400", "0.{}1", 0e-400, "0.000", "$0"]"#, "0".repeat(400));
    let (read, warnings) = read(&json, |context, value| context.money(value).map(|(number, _)| number));
    assert_eq!(read, [None, None, None, Some(0.0), Some(0.0), Some(0.0)]);
    assert_eq!(warnings.len(), 3, "{warnings:?}");
}
