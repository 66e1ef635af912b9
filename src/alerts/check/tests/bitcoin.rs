//! Bitcoin balances of addresses.

use super::*;

#[test]
fn bitcoin_received_and_sent_fires_beside_tokens() {
    let tokens = Request::Brc20Balances { address: ADDRESS.into(), offset: 0, limit: 500 };
    let bitcoin = Request::BitcoinBalance { address: ADDRESS.into() };
    let held = ResponseData::Balances(Page { items: Vec::new(), total: Some(0) });
    let sats =
        |confirmed| ResponseData::BitcoinBalance(BitcoinBalance { address: ADDRESS.into(), confirmed, unconfirmed: 0 });
    let mut alerts = vec![tracked(&format!("{ADDRESS} receives")), tracked(&format!("{ADDRESS} sends"))];
    let mut texts = Vec::new();
    for (minute, sats_held) in [(0, 1_000), (5, 1_500), (10, 1_500), (15, 200), (20, 200)] {
        for (request, response) in [(&bitcoin, &sats(sats_held)), (&tokens, &held)] {
            let event = answered(&mut alerts, request, response, minute * 60);
            texts.extend(event.map(|event| (minute, event.text.to_string())));
        }
    }
    let text = |words: &str| format!("bc1qar0srrr… {words} BTC");
    assert_eq!(texts, [(5, text("received 0.000005")), (15, text("sent 0.000013"))]);
}

/// Indexes of the responses that fire a rule about amounts that an address receives or sends. Each has a source, a time
/// in seconds and the address's sats.
fn bitcoin_fires(words: &str, responses: &[(&str, i64, u64)]) -> Vec<usize> {
    let mut alerts = vec![tracked(&format!("{ADDRESS} {words}"))];
    let request = Request::BitcoinBalance { address: ADDRESS.into() };
    let mut fired = Vec::new();
    for (place, &(source, secs, confirmed)) in responses.iter().enumerate() {
        let balance = BitcoinBalance { address: ADDRESS.into(), confirmed, unconfirmed: 0 };
        let response = ResponseData::BitcoinBalance(balance);
        let mut values = Values::default();
        values.add(&request, &response, Origin { at: UtcTime::from_secs(secs), source: ValueSource::parse(source) });
        let mut changes = Vec::new();
        check(&mut alerts, &values, &mut changes);
        fired.extend(changes.iter().any(|change| matches!(change, Change::AlertFired(..))).then_some(place));
    }
    fired
}

#[test]
fn bitcoin_of_two_sources_is_never_compared() {
    let responses = [("a", 0, 900), ("b", 300, 1_000), ("b", 600, 1_000), ("a", 900, 900), ("b", 1_200, 1_000)];
    assert!(bitcoin_fires("receives", &responses).is_empty());
    assert!(bitcoin_fires("sends", &responses).is_empty());
    let responses = [("a", 0, 900), ("b", 300, 1_000), ("a", 600, 1_000), ("b", 900, 1_000), ("b", 1_200, 1_100)];
    assert_eq!(bitcoin_fires("receives", &responses), [2, 4], "each with its own last one");
}

#[test]
fn older_bitcoin_balance_that_arrives_late_fires_nothing() {
    let responses = [("a", 0, 900), ("a", 300, 1_000), ("a", 60, 900), ("a", 600, 1_000), ("a", 600, 900)];
    assert_eq!(bitcoin_fires("receives", &responses), [1]);
    assert!(bitcoin_fires("sends", &responses).is_empty());
}

#[test]
fn bitcoin_without_tokens_is_missed_only_after_an_interruption() {
    let mut alerts = vec![tracked(&format!("{ADDRESS} receives"))];
    let request = Request::BitcoinBalance { address: ADDRESS.into() };
    let mut missed = Vec::new();
    for minute in [0, 5, 10, 15, 20] {
        let confirmed = u64::try_from(minute).unwrap() * 100;
        let balance = BitcoinBalance { address: ADDRESS.into(), confirmed, unconfirmed: 0 };
        if minute == 15 {
            alerts[0].interrupt();
        }
        let event = answered(&mut alerts, &request, &ResponseData::BitcoinBalance(balance), minute * 60);
        missed.extend(event.map(|event| (minute, event.missed)));
    }
    assert_eq!(missed, [(5, false), (10, false), (15, true), (20, false)]);
}

#[test]
fn balance_of_btc_is_that_of_bitcoin() {
    let mut alerts = vec![tracked(&format!("{ADDRESS} BTC > 1"))];
    assert_eq!(alerts[0].alert.rule, tracked(&format!("{ADDRESS} bitcoin > 1")).alert.rule);
    let request = Request::BitcoinBalance { address: ADDRESS.into() };
    let sats =
        |confirmed| ResponseData::BitcoinBalance(BitcoinBalance { address: ADDRESS.into(), confirmed, unconfirmed: 0 });
    assert_eq!(answered(&mut alerts, &request, &sats(41_200_300), 0), None);
    let event = answered(&mut alerts, &request, &sats(100_000_001), 300).unwrap();
    assert_eq!(event.text, "bc1qar0srrr… has 1.00000001 BTC (limit > 1)");
}
