use super::*;
use crate::store::ProviderPause;

const NOW: i64 = 1_795_248_000_000;

fn reserve_at(database: &mut Database, now: i64, month: &str) -> (i64, u64, bool) {
    let reservation = Reservation {
        provider: "coingecko",
        server: 1,
        account: 1,
        now,
        gap: 6_000,
        patience: 30_000,
        month,
        cost: 1,
        per_minute: None,
    };
    let Slot { at, used, is_taken, .. } = database.reserve(&reservation).unwrap();
    (at.millis() - NOW, used, is_taken)
}

#[test]
fn instances_share_slots_and_counts() {
    let directory = tempfile::tempdir().unwrap();
    let mut first = Database::open(directory.path()).unwrap();
    let mut second = Database::open(directory.path()).unwrap();
    assert_eq!(reserve_at(&mut first, NOW, "2026-11"), (0, 1, true));
    assert_eq!(reserve_at(&mut second, NOW, "2026-11"), (6_000, 2, true));
    assert_eq!(reserve_at(&mut first, NOW + 1, "2026-11"), (12_000, 3, true));
    // A new month starts at 0.
    assert_eq!(reserve_at(&mut second, NOW + 60_000, "2026-12"), (60_000, 1, true));
}

#[test]
fn released_slot_is_free_again_unless_a_later_one_is_taken() {
    let directory = tempfile::tempdir().unwrap();
    let mut database = Database::open(directory.path()).unwrap();
    let released = |at: i64| ReleasedSlot {
        provider: "coingecko",
        account: 1,
        month: "2026-11",
        at: NOW + at,
        next: NOW + at + 6_000,
        cost: 1,
    };
    assert_eq!(reserve_at(&mut database, NOW, "2026-11"), (0, 1, true));
    assert_eq!(reserve_at(&mut database, NOW, "2026-11"), (6_000, 2, true));
    assert_eq!(database.release(&released(6_000)).unwrap(), 1);
    assert_eq!(reserve_at(&mut database, NOW, "2026-11"), (6_000, 2, true));
    assert_eq!(database.release(&released(0)).unwrap(), 1);
    assert_eq!(reserve_at(&mut database, NOW, "2026-11"), (12_000, 2, true));
    assert_eq!(database.release(&ReleasedSlot { month: "2026-10", ..released(0) }).unwrap(), 0);
    assert_eq!(database.used("coingecko", 1, "2026-11").unwrap(), 2, "the slot of another month");
}

#[test]
fn pause_applies_to_all_instances_and_costs_nothing() {
    let directory = tempfile::tempdir().unwrap();
    let mut database = Database::open(directory.path()).unwrap();
    let at = |millis: i64| UtcTime::from_millis(NOW + millis);
    reserve_at(&mut database, NOW, "2026-11");
    database.pause("coingecko", at(0), at(60_000)).unwrap();
    assert_eq!(reserve_at(&mut database, NOW + 10_000, "2026-11"), (60_000, 1, false));
    assert_eq!(reserve_at(&mut database, NOW + 61_000, "2026-11"), (61_000, 2, true));
    database.set_used("coingecko", 1, "2026-11", 9_000).unwrap();
    assert_eq!(reserve_at(&mut database, NOW + 70_000, "2026-11"), (70_000, 9_001, true));
    // Set by a clock that was a year ahead.
    database.pause("coingecko", at(31_536_000_000), at(31_536_060_000)).unwrap();
    assert_eq!(reserve_at(&mut database, NOW + 80_000, "2026-11"), (80_000, 9_002, true));
}

#[test]
fn slots_and_pauses_end_when_the_clock_is_set_back() {
    const HOUR: i64 = 3_600_000;
    let directory = tempfile::tempdir().unwrap();
    let mut database = Database::open(directory.path()).unwrap();
    let at = |millis: i64| UtcTime::from_millis(NOW + millis);
    assert_eq!(reserve_at(&mut database, NOW + 3 * HOUR, "2026-11"), (3 * HOUR, 1, true));
    assert_eq!(reserve_at(&mut database, NOW, "2026-11"), (0, 2, true));
    database.pause("coingecko", at(3 * HOUR), at(4 * HOUR)).unwrap();
    assert_eq!(reserve_at(&mut database, NOW + 6_000, "2026-11"), (6_000, 3, true));
    assert_eq!(reserve_at(&mut database, NOW, "2026-11"), (12_000, 4, true), "a small correction");
    // A pause replaces one from before.
    database.pause("coingecko", at(3 * HOUR), at(4 * HOUR)).unwrap();
    database.pause("coingecko", at(20_000), at(60_000)).unwrap();
    assert_eq!(reserve_at(&mut database, NOW + 40_000, "2026-11"), (60_000, 5, true));
}

#[test]
fn each_account_has_its_own_count_and_the_first_takes_over_the_old_one() {
    let directory = tempfile::tempdir().unwrap();
    let mut database = Database::open(directory.path()).unwrap();
    let insert = "INSERT INTO provider_month VALUES ('coingecko', -1, '2026-11', 40)";
    database.transact(|transaction| transaction.execute(insert, []).map(drop)).unwrap();
    let mut reserve = |account, cost| {
        let reservation = Reservation {
            provider: "coingecko",
            server: 1,
            account,
            now: NOW,
            gap: 0,
            patience: 0,
            month: "2026-11",
            cost,
            per_minute: None,
        };
        database.reserve(&reservation).unwrap().used
    };
    reserve(3, 0);
    assert_eq!((reserve(1, 1), reserve(2, 1), reserve(1, 1)), (41, 1, 42));
    assert_eq!(database.used("coingecko", 2, "2026-11").unwrap(), 1);
    assert_eq!(database.used("coingecko", 3, "2026-11").unwrap(), 0);
}

#[test]
fn instances_share_the_limit_per_minute() {
    let directory = tempfile::tempdir().unwrap();
    let mut first = Database::open(directory.path()).unwrap();
    let mut second = Database::open(directory.path()).unwrap();
    let reserve = |database: &mut Database, now: i64| {
        let slot = Reservation {
            provider: "coingecko",
            server: 1,
            account: 1,
            now: NOW + now,
            gap: 0,
            patience: 30_000,
            month: "2026-11",
            cost: 1,
            per_minute: Some(2),
        };
        let Slot { at, is_taken, .. } = database.reserve(&slot).unwrap();
        (at.millis() - NOW, is_taken)
    };
    assert_eq!(reserve(&mut first, 0), (0, true));
    assert_eq!(reserve(&mut second, 1_000), (1_000, true));
    assert_eq!(reserve(&mut first, 2_000), (60_000, false));
    assert_eq!(second.last_minute("coingecko", NOW + 2_000).unwrap(), 2);
    assert_eq!(reserve(&mut first, 40_000), (60_000, true));
    let slot = |at: i64| NOW + at;
    let released = ReleasedSlot {
        provider: "coingecko",
        account: 1,
        month: "2026-11",
        at: slot(60_000),
        next: slot(60_000),
        cost: 1,
    };
    first.release(&released).unwrap();
    assert_eq!(reserve(&mut second, 40_000), (60_000, true));
    assert_eq!(reserve(&mut second, 40_000), (61_000, true));
    // Recorded by a clock that was a year ahead.
    reserve(&mut first, 31_536_000_000);
    assert_eq!(reserve(&mut first, 122_000), (122_000, true));
}

#[test]
fn demanded_pause_applies_to_the_same_server_until_it_is_removed() {
    let directory = tempfile::tempdir().unwrap();
    let mut database = Database::open(directory.path()).unwrap();
    let pause = |server, class: &str, hours: i64| ProviderPause {
        provider: String::from("coingecko"),
        server,
        operation: String::new(),
        until: UtcTime::from_millis(NOW + hours * 3_600_000),
        class: class.to_owned(),
        repeats: 1,
        reason: class.to_owned(),
    };
    // Of another key.
    database.save_pause(&pause(2, "daily-quota", 3)).unwrap();
    assert_eq!(reserve_at(&mut database, NOW, "2026-11"), (0, 1, true));
    // Each process finds out itself whether the server works again.
    database.save_pause(&pause(1, "failing", 3)).unwrap();
    assert_eq!(reserve_at(&mut database, NOW + 6_000, "2026-11"), (6_000, 2, true));
    database.save_pause(&pause(1, "rate-limited", 3)).unwrap();
    assert_eq!(reserve_at(&mut database, NOW + 12_000, "2026-11"), (10_800_000, 2, false));
    database.remove_pauses(&[pause(1, "rate-limited", 3)]).unwrap();
    assert_eq!(reserve_at(&mut database, NOW + 12_000, "2026-11"), (12_000, 3, true));
    // Set by a clock that was a year ahead.
    database.save_pause(&pause(1, "daily-quota", 8_760)).unwrap();
    assert_eq!(reserve_at(&mut database, NOW + 18_000, "2026-11"), (18_000, 4, true));
}
