//! Live prices beside polled ones.

use proptest::prelude::*;

use super::*;

/// No index.
const NONE: [usize; 0] = [];

/// The indexes of the prices that fire a rule. Each has a second, a source and a price; prices of one second arrive
/// together.
fn fired_by(line: &str, prices: &[(i64, &str, f64)]) -> Vec<usize> {
    events_by(line, prices).into_iter().map(|(index, _)| index).collect()
}

/// The prices that fire a rule, like [`fired_by`], with the messages of the events.
fn events_by(line: &str, prices: &[(i64, &str, f64)]) -> Vec<(usize, Text)> {
    let mut alerts = vec![tracked(line)];
    let (id, usd) = (CoinId("1".into()), Currency::usd());
    let mut fired = Vec::new();
    let mut polled: Option<(Coin, i64, &str)> = None;
    for (index, (secs, source, price)) in prices.iter().enumerate() {
        let at = UtcTime::from_secs(*secs);
        let is_live = source.starts_with("live ");
        let (source, at) = match source.strip_suffix(" late") {
            Some(source) => (source, at.minus(Duration::from_secs(5))),
            None => (*source, at),
        };
        if !is_live {
            polled = Some((coin(*price), *secs, source));
        }
        let mut values = Values::as_of(UtcTime::from_secs(*secs));
        if let Some((coin, secs, source)) = &polled {
            values.add_coins(
                std::iter::once(coin),
                Origin { at: UtcTime::from_secs(*secs), source: ValueSource::parse(source) },
            );
        }
        if is_live {
            values.add_live(&id, *price, &usd, Origin { at, source: ValueSource::parse(source) });
        }
        values.sort();
        let mut changes = Vec::new();
        check(&mut alerts, &values, &mut changes);
        // A crossing may be found later, when its source has taken over.
        fired.extend(changes.iter().filter_map(|change| match change {
            Change::AlertFired(event, _) => {
                let place = prices[..=index].iter().rposition(|(secs, ..)| *secs == event.at.secs())?;
                Some((place, event.text.clone()))
            }
            _ => None,
        }));
    }
    fired
}

const LIVE: &str = "live binance";

#[test]
fn first_live_price_beyond_the_limit_fires() {
    assert_eq!(fired_by("ordi < 13.65", &[(0, "a", 13.7), (3, LIVE, 13.6), (4, LIVE, 13.6)]), [1]);
    assert_eq!(fired_by("ordi < 13.65", &[(0, "a", 13.6), (3, LIVE, 13.6)]), NONE, "it was already true");
    // It arrived from the exchange before the list.
    let late = [(0, "a", 13.7), (1, "live binance late", 13.6), (2, "live binance late", 13.6)];
    assert_eq!(fired_by("ordi < 13.65", &late), [0]);
}

#[test]
fn live_price_far_from_the_polled_one_never_fires() {
    assert_eq!(fired_by("ordi > 12", &[(0, "a", 10.0), (3, LIVE, 30.0), (9, LIVE, 31.0), (60, "a", 10.1)]), NONE);
    // The list confirms it.
    let prices =
        [(0, "a", 10.0), (3, LIVE, 30.0), (9, LIVE, 31.0), (60, "a", 30.5), (61, LIVE, 31.0), (120, "a", 31.0)];
    assert_eq!(fired_by("ordi > 12", &prices).len(), 1);
}

#[test]
fn crossing_of_a_thinly_traded_coin_fires() {
    // A trade every few minutes, and the list in between.
    let at = |minute: i64| minute * 60;
    let prices = [(0, "a", 13.7), (at(1), LIVE, 13.7), (at(4), "a", 13.7), (at(5), LIVE, 13.6), (at(9), "a", 13.6)];
    assert_eq!(fired_by("ordi < 13.65", &prices), [3]);
    let prices = [(0, "a", 13.7), (at(1), LIVE, 13.7), (at(4), "a", 13.6), (at(5), LIVE, 13.6), (at(9), "a", 13.6)];
    assert_eq!(fired_by("ordi < 13.65", &prices), [2]);
}

#[test]
fn constant_difference_of_two_sources_fires_at_most_once() {
    let minutes = (1..40).flat_map(|minute| {
        // Live prices stop arriving for some minutes again and again.
        let live = (minute % 8 < 3).then_some((minute * 60 + 5, LIVE, 10.2));
        [Some((minute * 60, "a", 9.8)), live].into_iter().flatten()
    });
    let prices: Vec<_> = std::iter::once((0, "a", 9.8)).chain(minutes).collect();
    assert_eq!(fired_by("ordi > 10", &prices).len(), 1);
    assert_eq!(fired_by("ordi every 0.1", &prices), NONE, "neither price changes");
    // Both rise: the one that is current fires.
    let risen =
        [(2_460, "a", 9.95), (2_465, LIVE, 10.35), (2_470, LIVE, 10.35), (2_700, "a", 9.95), (2_705, LIVE, 10.35)];
    assert_eq!(fired_by("ordi every 0.1", &[prices, risen.to_vec()].concat()).len(), 1);
}

#[test]
fn step_fires_once_although_another_source_crosses_it_later() {
    let live = [(0, "a", 9.5), (1, LIVE, 9.6), (30, LIVE, 10.02)];
    assert_eq!(fired_by("ordi every 1", &live), [2]);
    // The list responds late, and replaces the live price, which has ended.
    let late = [live.to_vec(), vec![(40, "a", 9.98), (170, "a", 9.99), (230, "a", 10.03)]].concat();
    assert_eq!(fired_by("ordi every 1", &late), [2]);
    let silent = [live.to_vec(), vec![(170, "a", 9.99), (230, "a", 10.03), (290, "a", 11.01)]].concat();
    assert_eq!(fired_by("ordi every 1", &silent), [2, 5]);
    // One whose last price is more than a step away.
    let old = [(0, "a", 9.5), (1, LIVE, 8.9), (60, "a", 9.9), (130, "a", 10.02), (131, LIVE, 9.9), (132, LIVE, 10.1)];
    assert_eq!(fired_by("ordi every 1", &old), [3]);
    // A source that was not seen before.
    let new = [live.to_vec(), vec![(170, "b", 9.99), (230, "b", 10.03), (290, "b", 9.01), (350, "b", 8.99)]].concat();
    assert_eq!(fired_by("ordi every 1", &new), [2, 6]);
}

#[test]
fn alert_fires_once_the_list_confirms_the_price_of_a_new_exchange() {
    // The exchange took over from another one at a price beyond the limit.
    let other = "live okx";
    let mut prices = vec![(0, "a", 9.8), (1, LIVE, 9.8), (150, other, 10.2), (180, "a", 9.8), (190, other, 10.2)];
    assert_eq!(fired_by("ordi > 10", &prices), NONE, "a change of source");
    // A wrong price of the list, once.
    prices.extend([(240, "a", 25.0), (250, other, 10.2), (300, "a", 9.8), (310, other, 10.2)]);
    assert_eq!(fired_by("ordi > 10", &prices), NONE, "it isn't confirmed");
    prices.extend([(360, "a", 10.1), (370, other, 10.2)]);
    assert_eq!(fired_by("ordi > 10", &prices).len(), 1);
}

proptest! {
    #[test]
    fn firing_is_a_crossing_in_its_source(
        prices in prop::collection::vec((1_i64..200, any::<bool>(), 9.0..11.0_f64), 1..60),
    ) {
        let mut secs = 0;
        let prices: Vec<(i64, &str, f64)> = prices.into_iter().map(|(pause, is_live, price)| {
            secs += pause;
            (secs, if is_live { LIVE } else { "a" }, price)
        }).collect();
        let fired = fired_by("ordi > 10", &prices);
        for (place, index) in fired.iter().enumerate() {
            let since = place.checked_sub(1).map_or(0, |before| fired[before] + 1);
            let earlier = &prices[since..*index];
            // The re-arm band is at least 0.05: 0.5% of the limit.
            prop_assert!(earlier.iter().any(|(.., price)| *price <= 10.0), "{prices:?} {fired:?}");
            if place > 0 {
                prop_assert!(earlier.iter().any(|(.., price)| *price <= 9.95), "{prices:?} {fired:?}");
            }
        }
    }

    #[test]
    fn step_fires_again_only_after_a_price_at_another_step(
        moves in prop::collection::vec((1_i64..200, 0_usize..3, -0.3..0.3_f64), 1..80),
    ) {
        let (mut secs, mut price) = (0, 20.5);
        let prices: Vec<(i64, &str, f64)> = moves.into_iter().map(|(pause, source, change)| {
            (secs, price) = (secs + pause, price + change);
            // The sources differ all the time.
            (secs, ["a", LIVE, "b"][source], price + [0.0, 0.03, -0.02][source])
        }).collect();
        let events = events_by("ordi every 1", &prices);
        let step = |text: &Text| text.split_once("(passed ").unwrap().1.trim_end_matches(')').parse::<f64>().unwrap();
        for ((one, before), (next, after)) in events.iter().zip(events.iter().skip(1)) {
            let is_other = |(.., price): &(i64, &str, f64)| (price - step(after)).abs() >= 1.0;
            let is_repeated = step(before) == step(after);
            prop_assert!(!is_repeated || prices[*one..*next].iter().any(is_other), "{prices:?} {events:?}");
        }
    }
}
