//! Evaluates 1,000 alerts with a page of 200 changed prices.

use std::time::Duration;

use satscope::alerts::values::Origin;
use satscope::alerts::{Tracked, Values, check, parse};
use satscope::model::{Coin, CoinId, Currency, UtcTime};
use satscope::user_data::alert::ValueSource;
use satscope::user_data::{Alert, Watched};

use crate::report::{Amount, Goal, heading, line};
use crate::timing::{medians, time};

const SAMPLES: usize = 200;

const COINS: usize = 200;

/// Rules on each coin.
const RULES: [&str; 5] = ["> 40", "< 2", "24h < -8%", "vol > 50m", "cap > 1b"];

pub(crate) fn run() {
    heading("1,000 alerts on a page of 200 changed prices (CPU time, medians)");
    // Prices that arrive in turn: each changes all values, and no alert fires.
    let pages = [page(10.0), page(10.5)];
    let mut tracked: Vec<Tracked> = pages.first().into_iter().flatten().flat_map(rules).collect();
    let limits: Vec<(String, f64)> = (0..COINS).flat_map(|number| RULES.map(|_| (slug(number), 40.0))).collect();
    let mut next = pages.iter().cycle();
    let mut bare = || {
        let page = next.next().expect("two pages");
        time(|| {
            let mut sorted: Vec<(&str, f64)> =
                page.iter().filter_map(|coin| Some((coin.slug.as_deref()?, coin.price?))).collect();
            sorted.sort_by_key(|(slug, _)| *slug);
            let price = |slug: &str| {
                let place = sorted.binary_search_by_key(&slug, |(known, _)| *known).ok()?;
                sorted.get(place).map(|(_, price)| *price)
            };
            let above = limits.iter().filter(|(slug, limit)| price(slug).is_some_and(|price| price > *limit));
            assert_eq!(above.count(), 0);
        })
    };
    let mut next = pages.iter().cycle();
    let mut at = UtcTime::from_secs(1_790_000_000);
    let mut ours = || {
        at = at.plus(Duration::from_mins(1));
        let page = next.next().expect("two pages");
        let mut changes = Vec::new();
        let spent = time(|| {
            let mut values = Values::as_of(at);
            values.add_coins(page.iter(), Origin { at, source: ValueSource::parse("service") });
            values.sort();
            check(&mut tracked, &values, &mut changes);
        });
        assert!(tracked.iter().all(|tracked| tracked.alert.state.checked_at == Some(at)), "all are evaluated");
        spent
    };
    let [baseline, ours] = medians(SAMPLES, [&mut bare, &mut ours]);
    let what = "evaluate 1,000 alerts; baseline: look up and compare";
    let goal = Goal::AtMost(Amount::Time(Duration::from_millis(1)));
    line(what, Amount::Time(ours), Some(Amount::Time(baseline)), goal);
}

fn slug(number: usize) -> String {
    format!("coin-{number}")
}

fn page(price: f64) -> Vec<Coin> {
    let coin = |number: usize| Coin {
        slug: Some(slug(number).into()),
        price: Some(price + number as f64 / 100.0),
        change_24h_pct: Some(1.0 - price / 10.0),
        volume_24h: Some(price * 1e6),
        market_cap: Some(price * 1e7),
        ..Coin::new(CoinId(number.to_string().into()), slug(number).into(), format!("C{number}").into())
    };
    (0..COINS).map(coin).collect()
}

/// The alerts on a coin.
fn rules(coin: &Coin) -> Vec<Tracked> {
    let tracked = |rule: &str| {
        let line = format!("{} {rule}", coin.slug.as_deref().unwrap_or_default());
        let draft = parse(&line).expect("a rule");
        let rule = draft.rule(Some(Watched::from_coin(coin)), &Currency::usd()).expect("a coin with a slug");
        Tracked::new(Alert::new(rule, false))
    };
    RULES.map(tracked).into()
}
