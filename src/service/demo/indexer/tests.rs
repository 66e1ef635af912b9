use std::ops::RangeInclusive;

use super::*;

#[test]
fn a_far_future_costs_no_more_memory_and_stays_coherent() {
    let world = World::new(1);
    for time in [i64::MIN, 0, 1_795_156_911_000, 2_400_000_000_000, i64::MAX] {
        let now = world.at(UtcTime::from_millis(time));
        let page = Page { offset: 0, limit: 60 };
        let details = now.token_details("ordi").unwrap();
        let filter = ActivityFilter { tickers: vec![String::from("ordi")], ..ActivityFilter::default() };
        assert_eq!(now.activity(&filter, page).total, details.token.tx_count);
        let newest = now.activity(&ActivityFilter::default(), page);
        assert!(newest.results.first().is_some_and(|event| event.block_height + 6 > now.tip));
        let inscribed = now.inscription(&now.status().max_inscription_number.to_string()).unwrap();
        assert_eq!(now.satoshi(inscribed.sat_ordinal.parse().unwrap()).unwrap().inscription_id, Some(inscribed.id));
        assert_eq!(now.statistics(None, None).results.len(), 528);
    }
}

#[test]
fn junk_finds_nothing() {
    let world = World::new(1);
    let now = world.at(UtcTime::from_secs(1_795_156_911));
    let page = Page { offset: u64::MAX, limit: 60 };
    for junk in ["", "i0", "-", "99999999999999999999", "é", "\u{0}"] {
        assert!(now.inscription(junk).is_none(), "{junk}");
        assert!(now.token_details(junk).is_none());
        assert!(now.balances(junk, &[junk.to_owned()], Some(u64::MAX), page).results.is_empty());
        assert!(now.transfers(junk, page).results.is_empty());
    }
    let filter = ActivityFilter { block_height: Some(u64::MAX), ..ActivityFilter::default() };
    assert_eq!(now.activity(&filter, page).total, 0);
    let backwards = InscriptionFilter { heights: RangeInclusive::new(u64::MAX, 0), ..InscriptionFilter::default() };
    assert_eq!(now.inscriptions(&backwards, InscriptionOrder::Number, false, page).total, 0);
    assert!(now.satoshi(u64::MAX).is_none() && now.satoshi_inscriptions(u64::MAX, page).is_none());
    assert!(now.statistics(Some(u64::MAX), Some(0)).results.is_empty());
}
