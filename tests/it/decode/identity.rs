//! Whose data it is: another coin's is never taken.

use satscope::client::ErrorKind;

use super::{chart, chart_in, get, get_pairs, pairs};

const PAIRS: &str = r#""market_pairs":[{"exchange":{"name":"Binance"},"market_pair":"ORDI/USDT"}]"#;
const POINTS: &str = r#""quotes":[{"timestamp":"2026-11-19T07:50:00.000Z","quote":{"USD":{"price":7.71}}}]"#;

#[test]
fn an_answer_for_another_coin_is_not_found() {
    let other = |nested| format!(r#"{{"name":"Ordinary","slug":"ordinary",{nested}}}"#);
    for (request, nested) in [(pairs(Some("ordi")), PAIRS), (chart_in("USD"), POINTS)] {
        let other = other(nested);
        for body in [
            format!(r#"{{"data":{{"ORDI":[{other}]}}}}"#),
            format!(r#"{{"data":{{"ORDI":[{other},{{"slug":"third",{nested}}}]}}}}"#),
            format!(r#"{{"data":{other}}}"#),
            other,
        ] {
            let error = get(&request, &body).expect_err(&body);
            let ErrorKind::NotFound { message: Some(message) } = error else { panic!("{body}: {error}") };
            assert!(message.starts_with("the answer is about ordinary") && message.ends_with("not ordi"), "{message}");
        }
    }
}

#[test]
fn what_names_no_coin_or_the_asked_one_is_taken() {
    for names in [r#""slug":"ordi","#, r#""slug":"ORDI","#, r#""id":25028,"name":"ORDI","symbol":"ORDI","#, ""] {
        for around in [(r#"{"data":{"ORDI":["#, "]}}"), (r#"{"data":"#, "}"), ("", "")] {
            let body = |nested| format!("{}{{{names}{nested}}}{}", around.0, around.1);
            let (page, warnings) = get_pairs(Some("ordi"), &body(PAIRS));
            assert_eq!((page.items.len(), warnings.len()), (1, 0), "{}", body(PAIRS));
            assert_eq!(chart("USD", &body(POINTS)).0.points.len(), 1, "{}", body(POINTS));
        }
    }
}

#[test]
fn of_several_coins_the_one_that_may_be_meant_is_taken() {
    let body = format!(r#"{{"data":{{"ORDI":[{{"slug":"ordinary",{PAIRS}}},{{"name":"ORDI",{PAIRS}}}]}}}}"#);
    let (page, warnings) = get_pairs(Some("ordi"), &body);
    assert_eq!((page.items.len(), warnings.len()), (1, 0), "{warnings:?}");
    let body = format!(r#"{{"data":{{"ORDI":[{{"name":"One",{PAIRS}}},{{"name":"Two",{PAIRS}}}]}}}}"#);
    let (page, warnings) = get_pairs(Some("ordi"), &body);
    assert_eq!(page.items.len(), 1);
    assert_eq!(warnings, ["2 coins share the symbol ORDI (One, Two); the pairs are those of the first"]);
}
