use tokio::time::timeout;

use super::*;
use crate::model::UtcTime;

#[tokio::test(start_paused = true)]
async fn report_arrives_once_and_a_later_price_replaces_it() {
    let hub = Arc::new(TickerHub::new(TimeSource::fixed(UtcTime::from_secs(0))));
    let id = CoinId(Text::from("a"));
    let listen = || Subscription::new(&hub, BTreeSet::from([id.clone()])).0;
    let deliver = |price: f64| hub.deliver(ProviderName::Binance, &[(id.clone(), 1.0)], price, None);
    let report = |failure: Option<&str>| hub.report(ProviderName::Binance, failure);
    let mut first = listen();
    deliver(1.0);
    for _ in 0..2 {
        report(Some("refused"));
    }
    for subscription in [&mut first, &mut listen()] {
        let update = subscription.next().await;
        assert_eq!((update.prices.len(), update.failure.as_deref()), (0, Some("refused")), "no earlier price");
    }
    report(Some("refused"));
    assert!(timeout(Duration::from_secs(5), first.next()).await.is_err());
    report(None);
    deliver(2.0);
    let update = first.next().await;
    assert_eq!((update.prices.len(), update.failure), (1, None));
}

#[tokio::test(start_paused = true)]
async fn cancelled_wait_loses_no_price() {
    let hub = Arc::new(TickerHub::new(TimeSource::fixed(UtcTime::from_secs(0))));
    let id = CoinId(Text::from("a"));
    let (mut subscription, _) = Subscription::new(&hub, BTreeSet::from([id.clone()]));
    let deliver = |price: f64| hub.deliver(ProviderName::Binance, &[(id.clone(), 1.0)], price, None);
    for price in [1.0, 2.0] {
        deliver(price);
        // The second one has to wait for the gap after the first.
        let _ = timeout(Duration::from_millis(1), async {
            if price > 1.0 {
                subscription.next().await;
            }
        })
        .await;
        let update = timeout(UPDATE_GAP, subscription.next()).await.unwrap();
        assert_eq!(update.prices[0].price, price);
    }
}

#[test]
fn listeners_get_their_coins_in_turn() {
    let hub = Arc::new(TickerHub::new(TimeSource::fixed(UtcTime::from_secs(0))));
    let id = |id: &str| CoinId(Text::from(id));
    let listen = |ids: &[&str]| Subscription::new(&hub, ids.iter().map(|name| id(name)).collect());
    let _listeners = [listen(&["a", "b", "c"]), listen(&["b", "y", "z"])];
    assert_eq!(hub.coins(), ["a", "b", "y", "c", "z"].map(id));
}
