//! Deadlines: when the screen changes without input, and that this is rare.

use std::collections::BTreeSet;
use std::time::Duration;

use satscope::app::{Message, next_deadline};
use satscope::client::{ErrorKind, ResponseData};
use satscope::model::UtcTime;

use crate::support::screen::{START, Screen, fixture};

/// The next deadline in seconds after the start.
fn next(screen: &Screen) -> i64 {
    next_deadline(&screen.state).secs() - START.secs()
}

fn secs(secs: u64) -> Duration {
    Duration::from_secs(secs)
}

#[test]
fn list_wakes_only_when_clock_ages_or_staleness_change() {
    // What was answered 5 s past the minute holds for 5 minutes: ages and waits change on tens of seconds.
    let mut screen = Screen::new(80, 24);
    assert_eq!(next(&screen), 60, "nothing but the clock");
    screen.wait(secs(5));
    screen.serve(fixture::response);
    for (at, deadline, why) in [
        (5, 60, "the clock"),
        (60, 70, "in 5 m becomes in 4 m at 65, and now becomes 1 m"),
        (70, 120, "the clock, and the age with it"),
        (250, 280, "in 1 m becomes in 30 s at 275"),
        (280, 300, "the clock; in 30 s becomes in 10 s at 295"),
        (300, 310, "the retry is due at 305"),
        (310, 340, "what no refresh came for is stale at 335"),
        (340, 360, "the clock"),
    ] {
        screen.wait(START.plus(secs(at)).since(screen.state.now));
        assert_eq!(next(&screen), deadline, "at {at}: {why}");
    }
}

#[test]
fn last_update_age_in_about_panel_stays_current() {
    for (keys, is_shown) in [("jj<enter>", true), ("jj<enter>z", false), ("jj<enter>z<tab>", true), ("jj", false)] {
        let mut screen = Screen::new(160, 45);
        let request = screen.wanted().remove(0);
        let Some(ResponseData::Coins(mut page)) = fixture::response(&request) else { panic!("{request:?}") };
        page.items[2].updated_at = Some(START.minus(secs(45)));
        screen.answer(&request, ResponseData::Coins(page));
        screen.keys(keys);
        screen.wait(secs(10));
        assert_eq!(next(&screen), if is_shown { 20 } else { 60 }, "{keys}: it is a minute old at 15");
        screen.wait(secs(10));
        assert_eq!(screen.text().contains("updated   1 m ago"), is_shown, "{keys}\n{}", screen.text());
    }
}

#[test]
fn unrefreshed_data_are_stale_after_grace() {
    let mut screen = Screen::new(80, 24);
    screen.serve(fixture::response);
    screen.wait(secs(310));
    assert_eq!(next(&screen), 340, "one instant past 330");
    screen.wait(secs(20) + Duration::from_millis(1));
    assert_eq!(next(&screen), 360, "the current time is no deadline");
}

#[test]
fn retry_countdown_updates() {
    let mut screen = Screen::new(80, 24);
    screen.wait(secs(2));
    screen.fail_all(&ErrorKind::Refused);
    for (at, shown) in [(2, "retrying in 30 s"), (30, "retrying in 10 s"), (40, "retrying now")] {
        assert_eq!(screen.state.now, START.plus(secs(at)));
        assert!(screen.text().contains(shown), "{shown}:\n{}", screen.text());
        let deadline = next_deadline(&screen.state);
        screen.wait(deadline.since(screen.state.now));
    }
}

#[test]
fn only_clock_ticks_while_a_request_is_running() {
    let mut screen = Screen::new(80, 24);
    screen.start_all();
    assert_eq!(next(&screen), 60);
}

#[test]
fn toasts_expire_on_time() {
    let mut screen = Screen::new(80, 24);
    screen.send(Message::EffectFailed(String::from("no browser")));
    let until = screen.state.toast.as_ref().unwrap().until;
    assert_eq!(Some(next_deadline(&screen.state)), until);
}

#[test]
fn idle_minute_has_at_most_six_wakeups_on_any_screen() {
    for keys in ["", "<enter>", "4", "5", "6"] {
        let mut screen = Screen::new(160, 45);
        screen.keys(keys);
        // Responses arrive at different times, so that their ages and countdowns differ.
        for request in screen.wanted() {
            screen.wait(Duration::from_millis(1_370));
            if let Some(response) = fixture::response(&request) {
                screen.answer(&request, response);
            }
        }
        let begin = screen.state.now;
        let mut wakeups = BTreeSet::<UtcTime>::new();
        while screen.state.now < begin.plus(Duration::from_mins(20)) {
            let deadline = next_deadline(&screen.state);
            assert!(deadline > screen.state.now, "the deadline is in the future");
            screen.wait(deadline.since(screen.state.now));
            wakeups.insert(deadline);
        }
        for first in &wakeups {
            let minute = wakeups.range(*first..first.plus(Duration::from_mins(1))).count();
            assert!(minute <= 6, "{minute} wakeups after {first:?} with {keys:?}");
        }
    }
}
