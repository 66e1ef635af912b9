//! The state of the providers, and the newest block.

use super::*;
use crate::model::{BudgetPeriod, Fees, Source, SourceBudget, SourceState};
use crate::service::backend::extensions::ExtensionProvider as _;

impl World {
    async fn source(&self, name: ProviderName) -> Source {
        let sources = self.gateway.sources().await;
        sources.into_iter().find(|source| source.name == name.as_str()).unwrap()
    }
}

#[tokio::test(start_paused = true)]
async fn unused_provider_names_the_missing_setting() {
    let world = World::new();
    for (name, missing) in [
        (ProviderName::Ord, "Your own ord server adds lists of inscriptions (set providers.ord.base_url)"),
        (ProviderName::Maestro, "A free key adds BRC-20 data (set providers.maestro.api_key)"),
        (ProviderName::Binance, "Disabled (enable it: satscope sources enable binance)"),
    ] {
        let source = world.source(name).await;
        assert_eq!((source.state, source.missing.as_deref()), (SourceState::Unused, Some(missing)));
        let is_disabled = missing.starts_with("Disabled");
        assert_eq!(source.missing_code.is_some_and(|code| code == "disabled"), is_disabled, "{name}");
        let serves_if_enabled = name != ProviderName::Maestro && name != ProviderName::Ord;
        assert_eq!(!source.serves.is_empty(), serves_if_enabled, "{name}");
    }
    let names: Vec<Text> = world.gateway.sources().await.into_iter().map(|source| source.name).collect();
    assert_eq!(names.first().map(Text::as_str), Some("coinmarketcap"), "providers in use come first");
    assert!(!names.contains(&Text::from("demo")));
}

#[tokio::test(start_paused = true)]
async fn rate_limited_provider_waits_and_recovers() {
    let world = World::new();
    world.coins(Tag::Brc20).await.unwrap();
    let source = world.source(ProviderName::CoinGecko).await;
    assert_eq!((source.state, source.next_try_at), (SourceState::Ready, None));
    assert!(source.latency_ms.is_some());
    let budget = SourceBudget { limit: 10, period: BudgetPeriod::Minute, used: Some(1) };
    assert_eq!(source.budget, Some(budget));
    assert!(source.missing.unwrap().contains("free Demo key"));

    world.respond_with(ProviderName::CoinGecko, Response::of(429, &[("retry-after", "240")], ""));
    let _ = world.chart("first").await;
    let source = world.source(ProviderName::CoinGecko).await;
    let wait = source.next_try_at.map(|at| at.since(world.gateway.0.time.now()));
    assert_eq!((source.state, source.missing_code.as_deref()), (SourceState::Waiting, Some("rate_limited")));
    assert!(wait.is_some_and(|wait| wait > minutes(3) && wait <= minutes(4)), "{wait:?}");
    assert!(source.missing.unwrap().contains("429"));

    world.respond_with(ProviderName::CoinGecko, None);
    world.advance(minutes(5)).await;
    let source = world.source(ProviderName::CoinGecko).await;
    assert_eq!((source.state, source.next_try_at), (SourceState::Waiting, None), "no request has succeeded since");
    world.chart("second").await.unwrap();
    assert_eq!(world.source(ProviderName::CoinGecko).await.state, SourceState::Ready);
}

#[tokio::test(start_paused = true)]
async fn free_key_of_coinmarketcap_adds_charts() {
    for key in [None, Some("key")] {
        let mut settings = LiveSettings::default();
        let cmc = settings.providers.entry(ProviderName::CoinMarketCap).or_default();
        cmc.api_key = key.map(|key| Secret(key.to_owned()));
        let world = World::with(settings);
        let source = world.source(ProviderName::CoinMarketCap).await;
        assert_eq!(source.serves.iter().any(|name| name == "chart"), key.is_some(), "{:?}", source.serves);
        assert_eq!(source.missing.is_some_and(|hint| hint.contains("adds charts")), key.is_none());
    }
}

#[test]
fn only_a_custom_url_gets_the_key_with_every_request() {
    let keyless = "https://pro-api.coinmarketcap.com/public-api";
    for (base_url, is_separate) in [(None, true), (Some(keyless), true), (Some("https://proxy.example"), false)] {
        let mut settings = LiveSettings::default();
        let cmc = settings.providers.entry(ProviderName::CoinMarketCap).or_default();
        (cmc.base_url, cmc.api_key) = (base_url.map(str::to_owned), Some(Secret(String::from("key"))));
        let resolved = settings.provider(ProviderName::CoinMarketCap);
        assert_eq!((resolved.keyed.is_some(), resolved.api_key.is_none()), (is_separate, is_separate), "{base_url:?}");
        let url = if is_separate { Some(keyless) } else { base_url };
        assert_eq!(resolved.base_url.as_deref(), url);
        let keyed = resolved.with_key();
        let url = if is_separate { Some("https://pro-api.coinmarketcap.com") } else { base_url };
        assert_eq!((keyed.base_url.as_deref(), keyed.per_month), (url, Some(15_000)));
    }
}

#[tokio::test(start_paused = true)]
async fn provider_that_is_gone_is_off() {
    let world = World::new();
    world.respond_with(ProviderName::CoinGecko, Response::of(410, &[], ""));
    let _ = world.chart("first").await;
    let source = world.source(ProviderName::CoinGecko).await;
    assert_eq!((source.state, source.next_try_at), (SourceState::Off, None));
    assert_eq!((source.missing.is_some(), source.missing_code.as_deref()), (true, Some("gone")));
}

#[tokio::test(start_paused = true)]
async fn provider_with_a_forbidden_operation_names_it() {
    let world = World::new();
    world.respond(ProviderName::CoinGecko, |path| {
        if path.contains("market_chart") {
            Ok(Response::of(403, &[], ""))
        } else {
            Ok(default_response(ProviderName::CoinGecko, path))
        }
    });
    let _ = world.chart("first").await;
    world.coins(Tag::Brc20).await.unwrap();
    let source = world.source(ProviderName::CoinGecko).await;
    assert_eq!((source.state, source.next_try_at), (SourceState::Ready, None));
    assert_eq!(source.missing.as_deref(), Some("Charts off: access denied (403)"));
    assert_eq!(source.missing_code.as_deref(), Some("forbidden"));
}

#[tokio::test(start_paused = true)]
async fn month_counts_towards_the_budget() {
    let world = World::without_decoding();
    world.coins(Tag::Brc20).await.unwrap();
    let budget = world.source(ProviderName::CoinGecko).await.budget.unwrap();
    assert_eq!(budget, SourceBudget { limit: 10_000, period: BudgetPeriod::Month, used: Some(1) });
}

#[tokio::test(start_paused = true)]
async fn chain_has_height_and_fees() {
    let world = World::new();
    let fees = Fees { fastest: Some(3.0), half_hour: Some(2.0), hour: Some(1.0) };
    let chain = world.gateway.chain().await.unwrap();
    assert_eq!((chain.data.height, chain.data.fees, chain.provider), (100, Some(fees), Some(ProviderName::Mempool)));
    world.advance(minutes(2)).await;
    let chain = world.gateway.chain().await.unwrap();
    assert_eq!(chain.data.hash.as_deref(), Some(hash_of("/block-height/100", 'a').as_str()));
    assert_eq!(world.request_count(ProviderName::Mempool), 4, "two heights, a hash and the fees");
}

#[tokio::test(start_paused = true)]
async fn chain_without_fees_still_has_the_height() {
    for (status, reason) in [(500, "server error (500)"), (404, "fee rates not found (404)")] {
        let world = World::new();
        world.respond(ProviderName::Mempool, move |path| {
            let is_height = path == "/blocks/tip/height";
            Ok(Response::of(if is_height { 200 } else { status }, &[], if is_height { "100" } else { "" }))
        });
        let chain = world.gateway.chain().await.unwrap();
        assert_eq!((chain.data.height, chain.data.fees), (100, None));
        assert_eq!(chain.notice, Some(format!("No fee rates (mempool.space: {reason})")));
    }
}

#[tokio::test(start_paused = true)]
async fn better_fee_rates_are_tried_again_after_a_day() {
    for (found, (status, other), body) in [
        ("/v1/fees/precise", (404, ""), r#"{"fastestFee":1.034,"halfHourFee":0.5,"hourFee":0.2}"#),
        ("/v1/fees/recommended", (404, ""), r#"{"fastestFee":1.034,"halfHourFee":0.5,"hourFee":0.2}"#),
        ("/fee-estimates", (404, ""), r#"{"1":1.034,"3":0.5,"6":0.2}"#),
        // A proxy refuses a path that it doesn't know.
        ("/v1/fees/recommended", (403, ""), r#"{"fastestFee":1.034,"halfHourFee":0.5,"hourFee":0.2}"#),
        // Another one has an answer without rates.
        ("/v1/fees/recommended", (200, "{}"), r#"{"fastestFee":1.034,"halfHourFee":0.5,"hourFee":0.2}"#),
    ] {
        let world = World::new();
        world.respond(ProviderName::Mempool, move |path| {
            Ok(match path {
                "/blocks/tip/height" => json("100"),
                _ if path == found => json(body),
                _ if path.contains("fee") => Response::of(status, &[], other),
                _ => json(hash_of(path, 'a')),
            })
        });
        let fees = Some(Fees { fastest: Some(1.034), half_hour: Some(0.5), hour: Some(0.2) });
        let mut expected: Vec<&str> = Vec::new();
        for (hours, is_searched) in [(0, true), (1, false), (1, false), (24, true)] {
            world.advance(minutes(60 * hours)).await;
            assert_eq!(world.gateway.chain().await.unwrap().data.fees, fees, "{found}");
            world.advance(minutes(1)).await;
            let all = ["/v1/fees/precise", "/v1/fees/recommended", "/fee-estimates"];
            let end = all.iter().position(|path| *path == found).unwrap();
            expected.extend(&all[if is_searched { 0 } else { end }..=end]);
            let paths = world.paths(ProviderName::Mempool).into_iter().filter(|path| path.contains("fee"));
            assert_eq!(paths.collect::<Vec<_>>(), expected, "{found}");
        }
    }
}

#[tokio::test(start_paused = true)]
async fn fee_rates_may_be_strings_and_unreadable_ones_are_reported() {
    let unreadable = "No fee rates (mempool.space: no readable fee rates)";
    for (body, fastest, notice) in [
        (r#"{"fastestFee":"3.5","halfHourFee":"2","hourFee":1}"#, Some(3.5), None),
        (r#"{"fastestFee":3,"halfHourFee":null,"hourFee":1}"#, Some(3.0), Some("Skipped 1 unreadable fee rate")),
        (r#"{"fastestFee":null,"halfHourFee":null,"hourFee":null}"#, None, Some(unreadable)),
        (r#"{"fastestFee":"high","halfHourFee":-1,"hourFee":1e400}"#, None, Some(unreadable)),
        ("{}", None, Some(unreadable)),
    ] {
        let world = World::new();
        world.respond(ProviderName::Mempool, move |path| {
            Ok(if path == "/blocks/tip/height" { json("100") } else { json(body) })
        });
        let chain = world.gateway.chain().await.unwrap();
        let fees = chain.data.fees;
        assert_eq!((fees.and_then(|fees| fees.fastest), fees.is_some()), (fastest, fastest.is_some()), "{body}");
        assert_eq!(chain.notice.as_deref(), notice, "{body}");
    }
}

/// The settings of a world with a provider enabled or disabled, or with an order of an operation.
fn changed(world: &World, change: impl FnOnce(&mut LiveSettings)) -> LiveSettings {
    let mut settings = LiveSettings::clone(&world.gateway.settings());
    change(&mut settings);
    settings
}

#[tokio::test(start_paused = true)]
async fn disabled_provider_gets_no_requests_and_its_values_are_dropped() {
    let world = World::new();
    world.coins(Tag::Brc20).await.unwrap();
    let disable = |settings: &mut LiveSettings| {
        settings.providers.entry(ProviderName::CoinGecko).or_default().enabled = Some(false);
    };
    world.gateway.set_order(&changed(&world, disable));
    world.advance(minutes(1)).await;
    let response = world.coins(Tag::Brc20).await.unwrap();
    assert_eq!(response.provider, Some(ProviderName::CoinMarketCap));
    assert_eq!(world.request_count(ProviderName::CoinGecko), 1);
    let source = world.source(ProviderName::CoinGecko).await;
    assert_eq!(source.state, SourceState::Unused);
    assert!(source.missing.unwrap().starts_with("Disabled") && !source.serves.is_empty());

    let enable = |settings: &mut LiveSettings| {
        settings.providers.entry(ProviderName::CoinGecko).or_default().enabled = Some(true);
    };
    world.gateway.set_order(&changed(&world, enable));
    world.chart("first").await.unwrap();
    assert_eq!(world.request_count(ProviderName::CoinGecko), 2, "used again without a restart");
    assert_eq!(world.source(ProviderName::CoinGecko).await.state, SourceState::Ready);
}

#[tokio::test(start_paused = true)]
async fn preferred_provider_replaces_values_of_others_at_the_next_request() {
    let world = World::new();
    assert_eq!(world.coins(Tag::Brc20).await.unwrap().provider, Some(ProviderName::CoinGecko));
    let version = world.gateway.data_versions();
    let prefer = |settings: &mut LiveSettings| {
        settings.order.insert(Operation::Tagged, vec![ProviderName::CoinMarketCap, ProviderName::CoinGecko]);
    };
    world.gateway.set_order(&changed(&world, prefer));
    assert_ne!(world.gateway.data_versions(), version, "encoded responses are outdated too");
    world.advance(minutes(1)).await;
    let stale = world.coins(Tag::Brc20).await.unwrap();
    assert_eq!(stale.provider, Some(ProviderName::CoinGecko), "the old value while the new one loads");
    assert!(stale.fresh_for <= Duration::from_secs(15), "{:?}", stale.fresh_for);
    world.advance(minutes(1)).await;
    let fresh = world.coins(Tag::Brc20).await.unwrap();
    assert_eq!(fresh.provider, Some(ProviderName::CoinMarketCap));
    let requests = world.request_count(ProviderName::CoinMarketCap);
    world.coins(Tag::Brc20).await.unwrap();
    assert_eq!(world.request_count(ProviderName::CoinMarketCap), requests, "and it is fresh");
}

#[tokio::test(start_paused = true)]
async fn manual_refresh_follows_a_new_order_at_once() {
    let world = World::new();
    world.coins(Tag::Brc20).await.unwrap();
    let prefer = |settings: &mut LiveSettings| {
        settings.order.insert(Operation::Tagged, vec![ProviderName::CoinMarketCap, ProviderName::CoinGecko]);
    };
    world.gateway.set_order(&changed(&world, prefer));
    let response = manually(world.coins(Tag::Brc20)).await.unwrap();
    assert_eq!(response.provider, Some(ProviderName::CoinMarketCap));
}

#[tokio::test(start_paused = true)]
async fn choice_during_a_load_applies_to_its_response() {
    let prefer = |settings: &mut LiveSettings| {
        settings.order.insert(Operation::Tagged, vec![ProviderName::CoinMarketCap, ProviderName::CoinGecko]);
    };
    let disable = |settings: &mut LiveSettings| {
        settings.providers.entry(ProviderName::CoinGecko).or_default().enabled = Some(false);
    };
    let changes: [&dyn Fn(&mut LiveSettings); 2] = [&prefer, &disable];
    for change in changes {
        let world = World::new();
        let choose = async {
            while world.request_count(ProviderName::CoinGecko) == 0 {
                tokio::task::yield_now().await;
            }
            world.gateway.set_order(&changed(&world, change));
            // A manual refresh joins the load.
            manually(world.coins(Tag::Brc20)).await
        };
        let (before, after) = tokio::join!(world.coins(Tag::Brc20), choose);
        assert_eq!(after.unwrap().provider, Some(ProviderName::CoinMarketCap));
        assert_eq!(before.unwrap().provider, Some(ProviderName::CoinMarketCap));
        world.advance(minutes(1)).await;
        assert_eq!(world.coins(Tag::Brc20).await.unwrap().provider, Some(ProviderName::CoinMarketCap));
        assert_eq!(world.request_count(ProviderName::CoinGecko), 1);
    }
}

#[tokio::test(start_paused = true)]
async fn test_reopens_a_provider_that_is_gone() {
    let world = World::new();
    world.respond_with(ProviderName::CoinGecko, Response::of(410, &[], ""));
    let _ = world.chart("first").await;
    assert_eq!(world.source(ProviderName::CoinGecko).await.state, SourceState::Off);
    let failed = world.gateway.test_source(ProviderName::CoinGecko).await;
    assert!(failed.unwrap_err().contains("410"));
    assert_eq!(world.source(ProviderName::CoinGecko).await.state, SourceState::Off);

    world.respond_with(ProviderName::CoinGecko, None);
    world.gateway.test_source(ProviderName::CoinGecko).await.unwrap();
    assert_eq!(world.source(ProviderName::CoinGecko).await.state, SourceState::Ready);
    world.chart("second").await.unwrap();
    let times = world.request_times(ProviderName::CoinGecko);
    assert!(times.is_sorted_by(|before, after| *after - *before >= Duration::from_millis(4_700)), "{times:?}");
}

#[tokio::test(start_paused = true)]
async fn test_names_what_a_provider_lacks_and_sends_nothing() {
    let world = World::new();
    let reason = world.gateway.test_source(ProviderName::Ord).await.unwrap_err();
    assert_eq!(reason, "Set providers.ord.base_url");
    let reason = world.gateway.test_source(ProviderName::Maestro).await.unwrap_err();
    assert_eq!(reason, "Set providers.maestro.api_key");
    assert!(world.log.lock().is_empty());
}

#[tokio::test(start_paused = true)]
async fn test_is_sent_even_if_the_month_is_used_up() {
    let world = World::without_decoding();
    let limit = world.source(ProviderName::CoinGecko).await.budget.unwrap().limit;
    assert_eq!(limit, 10_000);
    world.gateway.provider(ProviderName::CoinGecko).unwrap().upstream.as_ref().unwrap().budget().set_used_up().await;
    assert!(world.coins(Tag::BitcoinEcosystem).await.is_ok_and(|list| list.provider != Some(ProviderName::CoinGecko)));
    assert_eq!(world.request_count(ProviderName::CoinGecko), 0);
    world.gateway.test_source(ProviderName::CoinGecko).await.unwrap();
    assert_eq!(world.request_count(ProviderName::CoinGecko), 1);
}

#[tokio::test(start_paused = true)]
async fn unreadable_fields_are_reported_until_an_hour_later() {
    let world = World::new();
    let body = r#"[{"id":"ordinals","symbol":"ordi","name":"ORDI","current_price":"a lot","market_cap":176610000}]"#;
    world.respond_with(ProviderName::CoinGecko, Response::of(200, &[("content-type", "application/json")], body));
    world.coins(Tag::Brc20).await.unwrap();
    let source = world.source(ProviderName::CoinGecko).await;
    assert_eq!(source.state, SourceState::Ready, "the other fields are used");
    let warning = source.missing.unwrap();
    assert!(warning.starts_with("Skipped 1 unreadable field: ") && warning.contains("current_price"), "{warning}");
    world.advance(minutes(61)).await;
    assert!(world.source(ProviderName::CoinGecko).await.missing.unwrap().contains("free Demo key"));
}

#[tokio::test(start_paused = true)]
async fn warning_stays_with_its_response() {
    let mut settings = LiveSettings::default();
    settings.order.insert(Operation::Chart, vec![ProviderName::CoinGecko]);
    let world = World::with(settings);
    world.respond(ProviderName::CoinGecko, |path| {
        let price = if path.contains("first") { r#""a lot""# } else { "8.42" };
        let body = format!(r#"{{"prices":[[1793487600000,8.41],[1793491200000,{price}]]}}"#);
        Ok(Response::of(200, &[("content-type", "application/json")], body))
    });
    let charts = tokio::join!(world.chart("second"), world.chart("first"), world.chart("third"));
    let [second, first, third] = [charts.0, charts.1, charts.2].map(|chart| chart.unwrap().notice);
    assert!(first.is_some_and(|notice| notice.starts_with("Skipped 1 unreadable field")));
    let sparse = Some(String::from("Prices for only 1 h of this period"));
    assert_eq!((&second, &third), (&sparse, &sparse));
}
