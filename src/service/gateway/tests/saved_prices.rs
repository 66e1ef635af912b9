//! The list prices that later commands compare charts and market pairs with.

use super::*;

const GECKO: ProviderName = ProviderName::CoinGecko;

/// CoinGecko's list with ORDI at this price.
fn list(price: f64) -> Response {
    json(format!(
        r#"[{{"id":"ordinals","symbol":"ordi","name":"ORDI","current_price":{price},"market_cap":176610000}}]"#
    ))
}

/// An hourly chart of CoinGecko with this price, the last one `age` minutes before the start.
fn chart(age: i64, price: f64) -> Response {
    let point = |hours: i64| format!("[{},{price}]", START.millis() - (hours * 60 + age) * 60_000);
    let points: Vec<String> = (0..=168).rev().map(point).collect();
    json(format!(r#"{{"prices":[{}],"market_caps":[],"total_volumes":[]}}"#, points.join(",")))
}

/// A process over CoinGecko alone that shares a cache directory. Its clock starts again.
fn process(directory: &std::path::Path) -> World {
    let mut settings = LiveSettings { start_gap: Duration::ZERO, ..LiveSettings::default() };
    settings.cache = Some(directory.to_owned());
    for operation in [Operation::Tagged, Operation::Chart, Operation::Pairs] {
        settings.order.insert(operation, vec![GECKO]);
    }
    World::with(settings)
}

impl World {
    /// Reads what earlier processes saved.
    fn restore(&self, directory: &std::path::Path) {
        let now = self.gateway.0.time.now();
        self.gateway.identity().restore(identity_cache::read(directory, now).coins, now);
    }
}

/// The saved price of ORDI, and its age in minutes at this time.
fn saved(directory: &std::path::Path, now: UtcTime) -> Option<(f64, u64)> {
    let coins = identity_cache::read(directory, now).coins;
    let price = coins.into_iter().find(|coin| coin.id.as_str() == "25028")?.price?;
    Some((price.price, now.since(price.at).as_secs() / 60))
}

#[tokio::test(start_paused = true)]
async fn command_replaces_a_saved_price_that_has_changed() {
    let directory = tempfile::tempdir().unwrap();
    let first = process(directory.path());
    first.respond_with(GECKO, list(8.41));
    first.coins(Tag::Brc20).await.unwrap();
    let second = process(directory.path());
    second.advance(minutes(1)).await;
    second.restore(directory.path());
    second.respond_with(GECKO, list(2.1));
    second.coins(Tag::Brc20).await.unwrap();
    assert_eq!(saved(directory.path(), second.gateway.0.time.now()), Some((2.1, 0)));
    let third = process(directory.path());
    third.advance(minutes(2)).await;
    third.restore(directory.path());
    third.respond_with(GECKO, chart(0, 2.1));
    assert_eq!(third.chart("ordi").await.unwrap().provider, Some(GECKO));
}

#[tokio::test(start_paused = true)]
async fn saved_price_is_at_most_about_ten_minutes_older_than_the_list() {
    let directory = tempfile::tempdir().unwrap();
    let world = process(directory.path());
    for (after, price, expected) in [(0, 8.41, (8.41, 0)), (1, 8.5, (8.41, 1)), (11, 8.6, (8.6, 0)), (1, 6.0, (6.0, 0))]
    {
        world.advance(minutes(after)).await;
        world.respond_with(GECKO, list(price));
        manually(world.coins(Tag::Brc20)).await.unwrap();
        let found = saved(directory.path(), world.gateway.0.time.now());
        assert_eq!(found, Some(expected), "{price}");
    }
}

#[tokio::test(start_paused = true)]
async fn market_pairs_that_agree_are_preferred_to_an_old_price_of_the_coin() {
    for (age, sent, expected) in [
        (0, &[99.0, 99.1, 99.2, 99.3, 98.0][..], None),
        (20, &[99.0, 99.1], None),
        // They don't agree.
        (20, &[99.0, 9_900.0, 0.5], None),
        (20, &[99.0, 99.1, 99.2, 8.4], Some(vec![Some(99.0), Some(99.1), Some(99.2), None])),
        (300, &[99.0, 99.1, 99.2, 99.3, 98.0], Some([99.0, 99.1, 99.2, 99.3, 98.0].map(Some).to_vec())),
        (300, &[99.0, 99.1], Some([99.0, 99.1].map(Some).to_vec())),
    ] {
        let directory = tempfile::tempdir().unwrap();
        let world = process(directory.path());
        world.respond_with(GECKO, list(8.41));
        world.coins(Tag::Brc20).await.unwrap();
        world.advance(minutes(age)).await;
        world.respond_with(GECKO, tickers(sent));
        let response = world.gateway.market_pairs("ORDI", Some("ordi"), &Currency::usd()).await;
        let prices =
            response.ok().map(|response| response.data[0].pairs.iter().map(|pair| pair.price).collect::<Vec<_>>());
        assert_eq!(prices, expected, "{age} {sent:?}");
    }
}

#[tokio::test(start_paused = true)]
async fn chart_that_lags_behind_the_list_may_differ_by_a_factor_of_ten() {
    for (age, price, is_used) in [
        (10_i64, 2.1, true),
        (40, 2.1, true),
        (100, 2.1, true),
        (1, 2.1, false),
        (1, 2.9, true),
        // Another unit.
        (10, 0.7, false),
        (40, 100.0, false),
        (100, 0.7, false),
        // There are points before and after the list.
        (-60, 2.1, false),
        (-60, 2.9, true),
        (-85, 2.1, false),
    ] {
        let directory = tempfile::tempdir().unwrap();
        let world = process(directory.path());
        world.respond_with(GECKO, list(8.41));
        world.coins(Tag::Brc20).await.unwrap();
        if age < 0 {
            world.advance(minutes(age.unsigned_abs())).await;
        }
        world.respond_with(GECKO, chart(age, price));
        assert_eq!(world.chart("ordi").await.is_ok(), is_used, "{age} {price}");
    }
}
