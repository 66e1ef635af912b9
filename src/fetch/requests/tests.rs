use super::*;

#[test]
fn implausible_responses_are_counted_by_kind_until_a_success() {
    let (now, mut state) = (UtcTime::from_secs(1_795_000_000), RequestState::default());
    let later = now.plus(IMPLAUSIBLE_SPAN);
    for (kind, at, is_accepted) in [
        (ErrorKind::NoRows, now, false),
        (ErrorKind::NoPrices, now, false),
        (ErrorKind::NoRows, now, false),
        (ErrorKind::NoPrices, later, false),
        (ErrorKind::NoRows, later, true),
        (ErrorKind::NoPrices, later, true),
    ] {
        assert_eq!(state.record_implausible(&kind, at), is_accepted, "{kind:?} at {at}");
    }
    state.record_success(Wait::new(later, Duration::ZERO));
    assert!(!state.record_implausible(&ErrorKind::NoRows, later));
}

#[test]
fn span_ends_with_its_time_or_when_the_clock_is_set_back_by_more_than_a_minute() {
    let now = UtcTime::from_secs(1_795_000_000);
    let span = Wait::new(now, Duration::from_secs(100));
    let ms = Duration::from_millis;
    for (at, over) in [
        (now, false),
        (now.plus(ms(99_999)), false),
        (now.plus(ms(100_000)), true),
        (now.minus(ms(60_000)), false),
        (now.minus(ms(60_001)), true),
    ] {
        assert_eq!(span.is_over(at), over, "{at}");
    }
}
