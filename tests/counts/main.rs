//! Costs of a frame that repeat exactly: bytes, writes, allocations, retained memory. A separate binary, because it
//! counts every allocation.
#![expect(clippy::unwrap_used, clippy::expect_used, clippy::print_stdout, reason = "a test fails loudly and prints")]

mod week;
mod world;

use allocation_counter::measure;
use satscope::app::{Command, Message, next_deadline};
use world::{Sent, World, painter};

/// Number of coins in most tests.
const COINS: u32 = 5_000;

#[test]
fn frame_is_one_small_write_and_none_without_change() {
    let mut world = World::new(COINS);
    let (mut painter, counter) = painter();
    assert!(world.paint(&mut painter));
    let full = counter.take();
    assert!(full.bytes <= 24_000 && (full.writes, full.flushes) == (1, 1), "the whole screen: {full:?}");

    assert!(!world.paint(&mut painter));
    assert_eq!(counter.take(), Sent::default(), "nothing changed");

    world.refresh(|index, coin| coin.price = coin.price.map(|price| if index == 5 { price + 0.01 } else { price }));
    assert!(world.paint(&mut painter));
    let one = counter.take();
    assert!(one.bytes <= 64 && (one.writes, one.flushes) == (1, 1), "one price: {one:?}");

    world.refresh(|_, coin| coin.price = coin.price.map(|price| price * 1.01));
    assert!(world.paint(&mut painter));
    let all = counter.take();
    assert!(all.bytes <= 7_500 && (all.writes, all.flushes) == (1, 1), "all prices of a page: {all:?}");
}

/// Allocations of a frame in which the list is scrolled by one row.
fn allocations(coins: u32) -> u64 {
    let mut world = World::new(coins);
    let (mut painter, _) = painter();
    (0..60).for_each(|_| world.command(Command::Down));
    world.paint(&mut painter);
    world.command(Command::Down);
    measure(|| {
        world.paint(&mut painter);
    })
    .count_total
}

#[test]
fn frame_allocations_do_not_depend_on_list_length() {
    let (some, many) = (allocations(COINS), allocations(10 * COINS));
    assert!(some <= 500, "{some} allocations");
    assert_eq!(some, many);
}

#[test]
fn frame_allocations_of_the_tags_do_not_depend_on_list_length() {
    use crossterm::event::{KeyCode, KeyEvent};
    use satscope::model::Text;

    let allocations = |coins| {
        let mut world = World::new(coins);
        world.refresh(|_, coin| coin.tags = ["DeFi", "Layer 1", "Memes"].map(Text::from).into_iter().collect());
        let (mut painter, _) = painter();
        [KeyCode::Char('F'), KeyCode::Char('t'), KeyCode::Down]
            .into_iter()
            .for_each(|key| world.send(Message::Key(KeyEvent::from(key))));
        world.paint(&mut painter);
        measure(|| {
            world.paint(&mut painter);
        })
        .count_total
    };
    let (some, many) = (allocations(COINS), allocations(2 * COINS));
    assert!(some <= 500, "{some} allocations");
    assert_eq!(some, many);
}

#[test]
fn evaluating_alerts_allocates_nothing() {
    use satscope::alerts::values::Origin;
    use satscope::alerts::{Tracked, Values, check, parse};
    use satscope::model::{Coin, CoinId, Currency, UtcTime};
    use satscope::user_data::alert::ValueSource;
    use satscope::user_data::{Alert, Watched};

    let mut coins: Vec<Coin> = (0..200)
        .map(|n| {
            let slug = format!("coin-{n}");
            let id = CoinId(format!("{n}").into());
            Coin { slug: Some(slug.as_str().into()), price: Some(9.0), ..Coin::new(id, slug.into(), "COIN".into()) }
        })
        .collect();
    let alert = |n: usize| {
        let draft = parse(&format!("coin-{} > 10.{n}", n % 200)).unwrap();
        let rule = draft.rule(Some(Watched::from_coin(&coins[n % 200])), &Currency::usd()).unwrap();
        Tracked::new(Alert::new(rule, false))
    };
    let mut alerts: Vec<Tracked> = (0..1_000).map(alert).collect();
    let mut allocations = Vec::new();
    for minute in 1..=3 {
        coins.iter_mut().for_each(|coin| coin.price = coin.price.map(|price| price * 1.01));
        let mut values = Values::default();
        values.add_coins(coins.iter(), Origin { at: UtcTime::from_secs(minute * 60), source: ValueSource::parse("a") });
        values.sort();
        let mut changes = Vec::new();
        allocations.push(measure(|| check(&mut alerts, &values, &mut changes)).count_total);
        assert_eq!(changes.is_empty(), minute > 1, "the first values arm the alerts");
    }
    assert_eq!(allocations[1..], [0, 0], "{allocations:?}");
}

#[test]
fn key_allocates_little() {
    let mut world = World::new(COINS);
    (0..60).for_each(|_| world.command(Command::Down));
    let spent = measure(|| {
        world.command(Command::Down);
        let _ = next_deadline(&world.state);
    });
    assert!(spent.count_total <= 20, "{spent:?}");
}

/// Bytes still allocated after `times` refreshes.
fn retained(world: &mut World, times: u32) -> i64 {
    let (mut painter, _) = painter();
    let allocated = measure(|| {
        for _ in 0..times {
            world.refresh(|index, coin| coin.price = Some(f64::from(index) + 1.0));
            world.send(Message::Tick);
            world.paint(&mut painter);
        }
    });
    allocated.bytes_current
}

#[test]
fn refreshes_do_not_leak_memory() {
    let mut world = World::new(20);
    // The first refreshes may grow reused buffers.
    retained(&mut world, 10);
    assert_eq!((retained(&mut world, 10), retained(&mut world, 1_000)), (0, 0));
}
