use super::super::parse::parse;
use super::*;
use crate::model::Currency;
use crate::user_data::Watched;

fn rule(line: &str) -> Rule {
    let name = line.split(' ').next().unwrap();
    let coin = Watched { symbol: name.to_uppercase().into(), slug: Some(name.into()), id: None };
    parse(line).unwrap().rule(Some(coin), &Currency::usd()).unwrap()
}

#[test]
fn texts_have_subject_value_and_limit() {
    for (line, value, title_text, text) in [
        ("ordi > 20", 20.14, "ORDI > 20", "ORDI is 20.14 USD (limit > 20)"),
        ("ordi > 20", 20.001, "ORDI > 20", "ORDI is 20.001 USD (limit > 20)"),
        ("sats 24h < -8%", -8.43, "SATS 24h < −8%", "SATS price changed −8.4% in 24h (limit < −8%)"),
        ("sats 24h < -8%", -8.01, "SATS 24h < −8%", "SATS price changed −8.01% in 24h (limit < −8%)"),
        ("sats 24h > 1%", 1.047621104145935, "SATS 24h > 1%", "SATS price changed +1.05% in 24h (limit > 1%)"),
        ("ordi > 20", 20.000_612_345, "ORDI > 20", "ORDI is 20.001 USD (limit > 20)"),
        ("pepe > 0.0000177", 0.000_017_744_59, "PEPE > 0.0₄177", "PEPE is 0.0₄1774 USD (limit > 0.0₄177)"),
        ("pepe < 0.0000177", 0.000_017_699_9, "PEPE < 0.0₄177", "PEPE is 0.0₄176999 USD (limit < 0.0₄177)"),
        ("rats > 0.00012341", 0.000_123_412, "RATS > 0.00012341", "RATS is 0.000123412 USD (limit > 0.00012341)"),
        ("sats 24h > 0%", 0.003, "SATS 24h > 0%", "SATS price changed +0.003% in 24h (limit > 0%)"),
        ("sats 1h > 2%", 2.5, "SATS 1h > 2%", "SATS price changed +2.5% in 1h (limit > 2%)"),
        ("ordi vol > 50m", 61.2e6, "ORDI vol > 50,000,000", "ORDI volume is 61.2M USD (limit > 50,000,000)"),
        ("ordi rank <= 100", 99.0, "ORDI rank ≤ 100", "ORDI rank is 99 (limit ≤ 100)"),
        ("rats holders >= 50k", 50_012.0, "rats holders ≥ 50,000", "rats has 50,012 holders (limit ≥ 50,000)"),
        ("nova minted >= 99%", 99.19, "nova minted ≥ 99%", "nova is 99.1% minted (limit ≥ 99%)"),
        ("fees < 3", 2.9, "Fees < 3", "Fee rate is 2.9 sat/vB (limit < 3)"),
        ("fees < 0.25", 0.2, "Fees < 0.25", "Fee rate is 0.2 sat/vB (limit < 0.25)"),
        ("fees < 1.2", 1.034_567, "Fees < 1.2", "Fee rate is 1.035 sat/vB (limit < 1.2)"),
        ("fees < 0.2", 0.199_98, "Fees < 0.2", "Fee rate is 0.19998 sat/vB (limit < 0.2)"),
        ("wallet 24h < -5%", -5.2, "Wallet 24h < −5%", "Wallet value changed −5.2% in 24h (limit < −5%)"),
        ("wallet > 20000", 20_105.3, "Wallet value > 20,000", "Wallet value is 20,105.30 USD (limit > 20,000)"),
    ] {
        let rule = rule(line);
        let said = fired(&rule, &Fired::Limit(Value::Number(value)));
        assert_eq!((title(&rule).as_str(), said.as_str()), (title_text, text));
    }
    let wallet = rule("wallet > 20000");
    assert_eq!(without_amounts(&wallet).as_deref(), Some("Wallet value is •••"));
    assert_eq!(title_without_amounts(&wallet), "Wallet value > •••");
    assert_eq!(wallet.without_amounts(HIDDEN), "wallet > ••• usd");
    let every = rule("nova minted every 0.1%");
    let said = fired(&every, &Fired::Step { value: Value::Number(0.31), passed: "0.3".parse().unwrap() });
    assert_eq!(said, "nova is 0.3% minted (passed 0.3%)");
    let every = rule("sats every 0.00000000001");
    let said = fired(&every, &Fired::Step { value: Value::Number(7.31e-10), passed: "0.00000000073".parse().unwrap() });
    assert_eq!(said, "SATS is 0.0₉731 USD (passed 0.0₉73)");
}

#[test]
fn round_limits_have_a_short_form() {
    for (line, text) in [
        ("rats holders >= 50k", "holders ≥ 50k"),
        ("ordi cap > 1.25b", "cap > 1.25B"),
        ("bitcoin cap > 1t", "cap > 1T"),
        ("bitcoin cap > 1250b", "cap > 1.25T"),
        ("bitcoin cap > 999b", "cap > 999B"),
        ("ordi vol > 50m", "vol > 50M"),
        ("bitcoin > 100k", "price > 100k"),
        ("bitcoin > 61234.5", "price > 61,234.5"),
        ("ordi > 999", "price > 999"),
        ("ordi > 50000.0000000000000001", "price > 50,000.0000000000000001"),
        ("sats 24h < -8%", "24h < −8%"),
        ("sats 24h > 1000%", "24h > 1,000%"),
        ("nova minted every 1%", "minted every 1%"),
    ] {
        let rule = rule(line);
        assert_eq!(short_condition(&rule).to_string(), text);
        if let Condition::Limit(_, limit) = &rule.condition {
            let number = text.rsplit(' ').next().unwrap().replace('−', "-");
            let number = crate::portfolio::number::parse(&number.replace([',', '%'], "").to_lowercase());
            assert_eq!(number.as_ref(), Ok(limit), "it reads as the same number");
        }
    }
}

#[test]
fn parts_of_a_condition_can_be_shown_alone() {
    for (line, whole, limit) in [
        ("ordi > 20", "price > 20", Some("> 20")),
        ("fees < 3", "rate < 3", Some("< 3")),
        ("nova minted every 1%", "minted every 1%", Some("every 1%")),
        ("bc1qar0srrr7xfkvy5l643lydnw9re59gtzzwf5mdq receives", "receives", None),
    ] {
        let rule = rule(line);
        let condition = condition(&rule);
        assert_eq!((condition.to_string().as_str(), condition.limit_text().as_deref()), (whole, limit));
        let cut = limit.map_or(whole.to_owned(), |limit| whole.replace(limit.rsplit(' ').next().unwrap(), "…"));
        assert_eq!(condition.with_number("…").to_string(), cut);
    }
}

#[test]
fn price_in_a_list_has_the_form_of_the_values_beside_it() {
    for (line, text) in [
        ("bitcoin > 70k", "price > 70,000"),
        ("bitcoin > 1.5b idr", "price > 1.5B"),
        ("sats > 0.0000002", "price > 0.0₆2"),
        ("rats holders >= 50k", "holders ≥ 50k"),
        ("ordi vol > 50m", "vol > 50M"),
    ] {
        assert_eq!(listed_condition(&rule(line)).to_string(), text);
    }
    let rule = rule("bitcoin > 70k");
    let shown = |rearm: &str| rearm_value(&rule, &rearm.parse().unwrap());
    assert_eq!([shown("69650"), shown("69650.25"), shown("69650.001")], ["69,650", "69,650.25", "69,650.00"]);
}

#[test]
fn values_have_their_unit() {
    for (line, value, text) in [
        ("ordi > 20", 16.631, "$16.63"),
        ("ordi > 20 chf", 16.631, "16.63 CHF"),
        ("sats 24h < -8%", -6.44, "−6.4%"),
        ("ordi cap > 50m", 61.2e6, "$61.2M"),
        ("rats holders >= 50k", 50_012.0, "50,012 holders"),
        ("ordi rank <= 100", 168.0, "168"),
        ("fees < 3", 0.2, "0.2 sat/vB"),
        ("fees < 3", 1.034_567, "1.035 sat/vB"),
    ] {
        assert_eq!(value_with_unit(&rule(line), Value::Number(value)), text);
    }
}

#[test]
fn rule_that_is_already_true_shows_what_it_waits_for() {
    let state = |armed, rearm: &str| AlertState {
        armed: Some(armed),
        rearm: rearm.parse().ok(),
        checked_at: Some(crate::model::UtcTime::from_secs(1)),
        ..AlertState::default()
    };
    let of = |line, armed, rearm| already_true(&rule(line), &state(armed, rearm));
    let words = |level| Some(format!("already true · must first {level}"));
    assert_eq!(of("ordi > 10", false, "9.3666666666666"), words("fall to $9.37 or below"));
    assert_eq!(of("sats 24h < -8%", false, "-7.2"), words("rise to −7.2% or above"));
    assert_eq!(of("ordi > 10", true, "9"), None);
    let waits = |line, armed, rearm| waits_for(&rule(line), &state(armed, rearm));
    assert_eq!(waits("ordi > 10", false, "9.95").as_deref(), Some("waits for ≤ 9.95"));
    assert_eq!(waits("sats 24h < -8%", false, "-7.2").as_deref(), Some("waits for ≥ −7.2%"));
    assert_eq!(waits("ordi > 10", true, "9.95"), None);
    let own = AlertState { rearm: None, ..state(false, "9") };
    for (line, level) in [
        ("ordi > 10 rearm 9.5", "fall to $9.50 or below"),
        ("bitcoin > 70k rearm 69650", "fall to $69,650 or below"),
        ("dai < 0.99 rearm 1", "rise to $1 or above"),
        ("doge > 0.1799 rearm 0.17989", "fall to $0.17989 or below"),
        ("pepe > 0.000015 rearm 0.00001498", "fall to $0.0₄1498 or below"),
        ("pepe < 0.000015 rearm 0.00001502", "rise to $0.0₄1502 or above"),
    ] {
        assert_eq!(already_true(&rule(line), &own), words(level), "{line}");
    }
}

#[test]
fn distance_is_in_percent_of_the_value_or_in_points() {
    let of = |line, value| distance(&rule(line), Value::Number(value)).map(|it| format!("{it:.1}"));
    assert_eq!(of("ordi > 20", 17.24).as_deref(), Some("16.0"));
    assert_eq!(of("ordi > 20", 25.0).as_deref(), Some("-20.0"));
    assert_eq!(of("sats 24h < -8%", -6.0).as_deref(), Some("2.0"));
    assert_eq!(of("nova minted every 1%", 3.1), None);
    let words = |value| {
        let rule = rule("ordi > 20");
        distance_words(&rule, distance(&rule, Value::Number(value)).unwrap())
    };
    assert_eq!(words(17.24), "16.0% away");
    assert_eq!((words(20.0), words(20.1)), (String::from("at the limit"), String::from("beyond the limit")));
    assert_eq!((words(2.0), words(0.2)), (String::from("900.0% away"), String::from("9,900% away")));
    assert_eq!(words(0.000_017), "over 100,000% away");
    assert_eq!(words(19.999), "under 0.1% away");
}
