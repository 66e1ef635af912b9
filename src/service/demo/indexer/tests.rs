use std::ops::RangeInclusive;
use std::time::Duration;

use super::*;
use crate::model::{InscriptionRef, SatNumber};
use crate::service::backend::indexer::{ActivityQuery, BalancesQuery, BlockRef, InscriptionOrder, InscriptionsQuery};

#[test]
fn far_future_is_coherent_and_needs_no_more_memory() {
    let world = World::new(1);
    for time in [i64::MIN, 0, 1_795_156_911_000, 2_400_000_000_000, i64::MAX] {
        let now = world.at(UtcTime::from_millis(time));
        let page = PageQuery { offset: 0, limit: 60 };
        let token = now.token("ordi").unwrap();
        let query = ActivityQuery { tickers: vec![String::from("ordi")], ..ActivityQuery::default() };
        assert_eq!(now.activity(&query, page).total, token.tx_count);
        let newest = now.activity(&ActivityQuery::default(), page);
        assert!(newest.items.first().is_some_and(|event| event.block_height.unwrap() + 6 > now.tip));
        let highest = InscriptionRef::Number(now.status().max_inscription_number);
        let inscription = now.inscription(&highest).unwrap();
        assert_eq!(now.sat(inscription.sat.unwrap()).inscription_id, Some(inscription.id));
        assert_eq!(now.inscription_stats(None, None).len(), 528);
    }
}

#[test]
fn unknown_indexer_items_are_not_found() {
    let world = World::new(1);
    let now = world.at(UtcTime::from_secs(1_795_156_911));
    let page = PageQuery { offset: u64::MAX, limit: 60 };
    for unknown in ["", "i0", "-", "99999999999999999999", "é", "\u{0}"] {
        assert!(now.inscription(&InscriptionRef::Id(unknown.into())).is_none(), "{unknown}");
        assert!(now.token(unknown).is_none());
        let query = BalancesQuery {
            address: unknown.to_owned(),
            tickers: vec![unknown.to_owned()],
            block_height: Some(u64::MAX),
        };
        assert!(now.balances(&query, page).items.is_empty());
        assert!(now.transfers(&BlockRef::Hash(unknown.to_owned()), page).items.is_empty());
    }
    assert!(now.inscription(&InscriptionRef::Number(i64::MIN)).is_none());
    let query = ActivityQuery { block_height: Some(u64::MAX), ..ActivityQuery::default() };
    assert_eq!(now.activity(&query, page).total, Some(0));
    let empty_range = InscriptionsQuery {
        heights: RangeInclusive::new(u64::MAX, 0),
        order: InscriptionOrder::Number,
        ..InscriptionsQuery::default()
    };
    assert_eq!(now.inscriptions(&empty_range, page).total, Some(0));
    let last = SatNumber::new(SatNumber::SUPPLY - 1).unwrap();
    assert!(now.sat_inscriptions(last, page).items.is_empty());
    assert!(now.inscription_stats(Some(u64::MAX), Some(0)).is_empty());
}

#[test]
fn unconfirmed_bitcoin_is_confirmed_by_the_next_block() {
    let world = World::new(7);
    let start = UtcTime::from_secs(1_795_075_200);
    let mut changes = 0;
    for address in ["bc1qd2mzs0p9rhjrp9494u0edtlleulfqt4x268cg8", "1A1zP1eP5QGefi2DMPTfTL5SLmv7DivfNa"] {
        let first = world.at(start).bitcoin_balance(address);
        let (mut before, mut height) = (first.clone(), world.at(start).tip);
        for block in 1..300 {
            let moment = world.at(start.plus(Duration::from_secs(600 * block)));
            let now = moment.bitcoin_balance(address);
            if moment.tip == height + 1 && !moment.tip.is_multiple_of(2_016) {
                assert_eq!(now.confirmed, before.confirmed.saturating_add_signed(before.unconfirmed), "{block}");
                changes += i32::from(before.unconfirmed != 0);
            }
            (before, height) = (now, moment.tip);
        }
        assert!(first.confirmed > 0);
    }
    assert!(changes > 10, "{changes}");
}
