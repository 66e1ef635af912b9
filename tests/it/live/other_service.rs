//! Lists of another service with this interface.

use std::time::Duration;

use satscope::model::ProviderName::Service;
use satscope::service::gateway::{LiveSettings, ProviderSettings};
use satscope::service::operation::Operation;
use serde_json::{Value, json};

use super::{Live, fake};

#[tokio::test]
async fn list_continues_if_ranks_change_between_pages() {
    for (ignores_start, last) in [(false, 200), (true, 100)] {
        let service = fake::Fake::start(move |request| {
            let number = |name: &str| request.query(name).parse::<usize>().unwrap_or(1);
            let start = if ignores_start { 1 } else { number("start") };
            // After the first page, a new coin at the top has moved the others down.
            let moved = usize::from(start > 1);
            let row = |rank: usize| {
                let id = rank - moved;
                json!({"id": id, "name": format!("Coin {id}"), "symbol": format!("C{id}"),
                    "slug": format!("coin-{id}"), "quote": {"USD": {"price": 2.5}}})
            };
            let rows: Vec<Value> = (start..start + number("limit").min(100)).map(row).collect();
            fake::json(200, json!({"data": rows, "total": 300}).to_string())
        });
        let mut settings = LiveSettings { start_gap: Duration::ZERO, ..LiveSettings::default() };
        settings.order.insert(Operation::Coins, vec![Service]);
        let own = ProviderSettings { base_url: Some(service.url.clone()), ..ProviderSettings::default() };
        settings.providers.insert(Service, own);
        let (status, _, body) = Live::with(settings).raw("/coins?limit=200").await;
        let names: Vec<&str> =
            body["data"].as_array().unwrap().iter().filter_map(|coin| coin["name"].as_str()).collect();
        let expected: Vec<String> = (1..=last).map(|id| format!("Coin {id}")).collect();
        assert_eq!((status, names), (200, expected.iter().map(String::as_str).collect()));
    }
}
