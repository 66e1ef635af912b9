//! The same response with other wrappers, field names and formatted values.

use std::sync::Arc;

use satscope::model::Contract;

use super::*;

const COIN: &str = r#"{"id":25028,"name":"ORDI","symbol":"ORDI","slug":"ordi","price":8.41,"percent_change_24h":-3.8}"#;

fn coin_in(body: &str) -> Coin {
    let (page, warnings) = coins(&coins_in("USD"), body);
    let [coin] = page.items.as_slice() else { panic!("{body}: {page:?}") };
    assert_eq!(warnings, [] as [&str; 0], "{body}");
    coin.clone()
}

#[test]
fn list_is_found_under_every_usual_wrapper() {
    let wrapped = [
        r#"{"code":0,"message":"ok","data":{"items":[@],"total":41}}"#,
        r#"{"success":true,"result":{"rows":[@]}}"#,
        r#"{"payload":{"coins":[@]}}"#,
        r#"{"d":{"results":[@]}}"#,
        r#"{"data":{"brc20Tokens":[@],"page":1}}"#,
        r#"{"data":{"coins":{"edges":[{"cursor":"a","node":@}],"pageInfo":{}}}}"#,
        r#"{"errors":null,"data":{"allCoins":{"edges":[{"node":@}]}}}"#,
        r#"{"data":{"viewer":{"market":{"coins":{"nodes":[@]}}}}}"#,
        r#"{"hits":{"total":{"value":41},"hits":[{"_id":"1","_source":@}]}}"#,
        r#"{"response":{"result":{"data":{"payload":{"list":[@]}}}}}"#,
    ];
    for body in wrapped {
        let coin = coin_in(&body.replace('@', COIN));
        assert_eq!((coin.id.0.as_str(), coin.price, coin.change_24h_pct), ("25028", Some(8.41), Some(-3.8)), "{body}");
    }
    let resource = r#"{"data":[{"id":"25028","type":"coin","attributes":{"name":"ORDI","symbol":"ORDI","slug":"ordi","price":8.41}}],"links":{"self":"https://example.org"}}"#;
    let coin = coin_in(resource);
    let (page, _) = coins(&coins_in("USD"), &resource.replace("\"links\"", r#""meta":{"total":41},"links""#));
    assert_eq!(page.total, Some(41));
    assert_eq!((coin.id.0.as_str(), coin.slug.as_deref(), coin.price), ("25028", Some("ordi"), Some(8.41)));
}

/// Data nested too deeply for a skim must not be mistaken for an empty list.
#[test]
fn deeply_wrapped_data_is_found() {
    let deep = |inner: &str| format!(r#"{{"result":{{"data":{{"items":{{"data":{inner}}}}}}}}}"#);
    assert_eq!(coin_in(&deep(&format!("[{COIN}]"))).name, "ORDI");
    let remark = deep(&format!("[{COIN}]")).replacen('{', r#"{"message":"two sources were asked","#, 1);
    assert_eq!(coin_in(&remark).name, "ORDI");
    let far = format!(r#"{{"message":"not on your plan","x":{}1{}}}"#, r#"{"y":"#.repeat(20), "}".repeat(20));
    let error = get(&coins_in("USD"), &far).unwrap_err();
    assert_eq!(error, ErrorKind::InBody { code: None, message: Some("not on your plan".into()) });
    let (chart, _) = chart("USD", &deep(r#"{"points":{"1795074900":{"v":[8.4,1,2]}}}"#));
    assert_eq!(chart.points[0].price, Some(8.4));
    let body = deep(r#"{"ORDI":{"quotes":[{"timestamp":1795074900,"price":8.4}]}}"#);
    assert_eq!(series(&["ORDI"], &body).0[0].points[0].price, Some(8.4));
}

#[test]
fn formatted_numbers_are_read() {
    let coin = coin_in(
        r#"[{"id":1,"name":"A","price":"$8.41","market_cap":"$176.61M","percentChange24h":"−3.8 %","24hVolume":"1,234.0 USD",
            "high24h":"8.91","low24h":8.2,"ath":"$96.17","percentChange1h":0.2,"percentChange7d":"+11%",
            "contract_address":"0xabc","platform":"Ethereum","last_updated":"Thu, 19 Nov 2026 12:00:00 GMT"}]"#,
    );
    assert_eq!((coin.price, coin.market_cap, coin.volume_24h), (Some(8.41), Some(176_610_000.0), Some(1234.0)));
    assert_eq!((coin.change_1h_pct, coin.change_24h_pct, coin.change_7d_pct), (Some(0.2), Some(-3.8), Some(11.0)));
    assert_eq!((coin.high_24h, coin.low_24h, coin.all_time_high), (Some(8.91), Some(8.2), Some(96.17)));
    let contracts = [Contract { platform: Some("Ethereum".into()), address: "0xabc".into() }];
    assert_eq!(coin.contracts.to_vec(), contracts);
    assert_eq!(coin.updated_at.unwrap().to_string(), "2026-11-19T12:00:00Z");

    let coin = coin_in(r#"[{"id":1,"name":"A","contracts":[{"contract":"0xabc","platform":"Ethereum"}]}]"#);
    assert_eq!(coin.contracts.to_vec(), contracts);
}

#[test]
fn response_with_only_a_message_is_an_error() {
    for body in [
        r#"{"detail":"not on your plan"}"#,
        r#"{"message":"not on your plan"}"#,
        r#"{"status":false,"message":"not on your plan"}"#,
        r#"{"code":"FORBIDDEN","message":"not on your plan"}"#,
    ] {
        for (_, request, _) in fixtures() {
            let error = get(&request, body).unwrap_err();
            assert_eq!(error, ErrorKind::InBody { code: None, message: Some("not on your plan".into()) }, "{body}");
        }
    }
    let error = get(&coins_in("USD"), r#"{"code":0,"message":"ok","stuff":1}"#).unwrap_err();
    assert!(matches!(error, ErrorKind::Unrecognised(_)), "{error}");
}

#[test]
fn post_field_names_are_recognised() {
    for body in [
        r#"[{"id":"7","user":{"screen_name":"sat"},"full_text":"gm","public_metrics":{"like_count":37,"reply_count":4,"retweet_count":1},"created_at":"2026-11-19T12:00:00Z"}]"#,
        r#"{"data":[{"id":"7","type":"post","attributes":{"author":"sat","text":"gm","upvotes":"37","num_comments":4,"reblogs_count":1,"published_on":1795089600}}]}"#,
        r#"{"data":{"posts":{"edges":[{"node":{"id":"7","author":"sat","body":"gm","likes":37,"comments":4,"reposts":1,"publishedAt":"Thu, 19 Nov 2026 12:00:00 GMT"}}]}}}"#,
    ] {
        let (posts, warnings) = get_posts(body);
        assert_eq!(warnings, [] as [&str; 0], "{body}");
        let post = &posts[0];
        assert_eq!((post.id.as_str(), post.author.as_deref(), post.text.as_str()), ("7", Some("sat"), "gm"), "{body}");
        assert_eq!((post.likes, post.comments, post.reposts), (Some(37), Some(4), Some(1)), "{body}");
        assert_eq!(post.posted_at.unwrap().to_string(), "2026-11-19T12:00:00Z", "{body}");
        assert_eq!((&post.network, post.sensitive), (&None, None), "{body}");
    }
}

#[test]
fn posts_keep_network_and_sensitive_flag() {
    let (posts, warnings) = get_posts(
        r#"{"data":{"list":[{"post_id":"7","text_content":"gm","network":"Mastodon","sensitive":true},
            {"post_id":"8","text_content":"gn","network":null,"sensitive":false},
            {"post_id":"9","text_content":"gn","network":{"id":1},"possibly_sensitive":"yes"}]}}"#,
    );
    assert_eq!(warnings, [] as [&str; 0]);
    let read: Vec<_> = posts.iter().map(|post| (post.network.as_deref(), post.sensitive)).collect();
    assert_eq!(read, [(Some("Mastodon"), Some(true)), (None, Some(false)), (None, Some(true))]);
}

#[test]
fn pair_field_names_are_recognised() {
    for body in [
        r#"{"data":[{"exchangeId":"Binance","baseSymbol":"ORDI","quoteSymbol":"USDT","volumeUsd24Hr":"1,234.0","priceUsd":"8.41"}]}"#,
        r#"[{"exchange":{"name":"Binance"},"base":{"symbol":"ORDI"},"quote":{"symbol":"USDT"},"price":"$8.41","volume_24h":"$1,234.00"}]"#,
        r#"{"data":{"Binance":{"symbol":"ORDI/USDT","price":8.41,"volume24h":1234}}}"#,
        r#"{"data":{"marketPairs":{"edges":[{"node":{"market":"Binance","pair":"ORDI/USDT","price":8.41,"volumeUsd":1234}}]}}}"#,
    ] {
        let (page, warnings) = get_pairs(None, body);
        assert_eq!(warnings, [] as [&str; 0], "{body}");
        let pair = &page.items[0];
        assert_eq!((pair.exchange.as_deref(), pair.pair.as_str()), (Some("Binance"), "ORDI/USDT"), "{body}");
        assert_eq!((pair.price, pair.volume_24h, pair.convert.as_str()), (Some(8.41), Some(1234.0), "USD"), "{body}");
    }
}

#[test]
fn more_chart_formats_are_decoded() {
    for body in [
        r#"[[8.40,1795074900],[8.41,1795075200]]"#,
        r#"{"data":{"t":["2026-11-19T07:55:00Z","2026-11-19T08:00:00Z"],"c":[8.40,"8.41"]}}"#,
        r#"{"data":[{"priceUsd":"8.40","time":1795074900000},{"priceUsd":"8.41","time":1795075200000}]}"#,
        r#"{"chart":{"edges":[{"node":{"time":1795074900,"price":8.40}},{"node":{"time":1795075200,"price":8.41}}]}}"#,
    ] {
        let (chart, warnings) = chart("USD", body);
        let points: Vec<_> = chart.points.iter().map(|point| (point.time.to_string(), point.price)).collect();
        let at = |time: &str, price| (time.to_owned(), Some(price));
        assert_eq!(points, [at("2026-11-19T07:55:00Z", 8.40), at("2026-11-19T08:00:00Z", 8.41)], "{body}");
        assert_eq!(warnings, [] as [&str; 0], "{body}");
    }
}

#[test]
fn series_under_more_wrappers_are_decoded() {
    let one =
        |symbol: &str| format!(r#"{{"id":1,"symbol":"{symbol}","quotes":[{{"timestamp":1795074900,"price":1}}]}}"#);
    let both = format!("{},{}", one("ORDI"), one("SATS"));
    for body in [
        format!(r#"{{"payload":{{"ORDI":{},"SATS":{}}}}}"#, one("ORDI"), one("SATS")),
        format!(r#"{{"response":{{"data":[{both}]}}}}"#),
        format!(r#"{{"data":{{"series":[{both}]}}}}"#),
        format!(r#"{{"data":{{"coins":{{"edges":[{{"node":{}}},{{"node":{}}}]}}}}}}"#, one("ORDI"), one("SATS")),
        r#"{"data":[{"coin":{"symbol":"ORDI"},"quotes":[{"timestamp":1795074900,"price":1}]},{"coin":{"symbol":"SATS"},"quotes":[{"timestamp":1795074900,"price":1}]}]}"#.into(),
        r#"[{"symbol":"ORDI","t":[1795074900],"c":[1]},{"symbol":"SATS","t":[1795074900],"c":[1]}]"#.into(),
        r#"{"data":[{"symbol":"ORDI","time":1795074900,"price":1},{"symbol":"SATS","time":1795074900,"price":1}]}"#.into(),
    ] {
        let (series, _) = series(&["ORDI", "SATS"], &body);
        let symbols: Vec<_> = series.iter().map(|s| (s.symbol.as_str(), s.convert.as_str(), s.points.len())).collect();
        assert_eq!(symbols, [("ORDI", "EUR", 1), ("SATS", "EUR", 1)], "{body}");
    }
}

#[test]
fn response_about_another_coin_is_named() {
    let pairs = r#"[{"exchange":"X","pair":"PEPE/USDT","base":"PEPE","target":"USDT","price":1}]"#;
    let error = decode(&super::pairs(None), pairs.as_bytes(), None, &Limits::default()).unwrap_err();
    assert_eq!(error, ErrorKind::Mismatch { found: "PEPE/USDT".into(), requested: "ORDI".into() });
    let own = r#"[{"exchange":"X","pair":"1000ORDI/USDT","base":"1000ORDI","target":"USDT","price":1}]"#;
    assert_eq!(get_pairs(None, own).1, [] as [&str; 0]);
    let other = r#"{"data":{"1":{"slug":"pepe","quotes":[{"timestamp":1795074900,"price":1}]}}}"#;
    let error = decode(&chart_in("USD"), other.as_bytes(), None, &Limits::default()).unwrap_err();
    assert_eq!(error, ErrorKind::Mismatch { found: "pepe".into(), requested: "ordi".into() });
}

#[test]
fn gzip_body_is_named_in_error() {
    let error = decode(&posts(), b"\x1f\x8b\x08\0\0", None, &Limits::default()).unwrap_err();
    assert_eq!(error, ErrorKind::NotJson("gzip data".into()));
}

#[test]
fn highs_and_lows_of_every_service_are_read() {
    for place in [
        r#""metadata":{"periods":{"24h":{"quote":{"USD":{"high":8.91,"low":8.2}}},"all_time":{"quote":{"USD":{"high":96.17,"low":2.86}}}}}"#,
        r#""periods":{"24h":{"high":8.91,"low":8.2},"allTime":{"high":96.17,"low":2.86}}"#,
        r#""quote":{"USD":{"high24h":8.91,"low24h":8.2,"ath":96.17,"atl":2.86}}"#,
        r#""high_24h":8.91,"low_24h":8.2,"all_time_high":{"price":"96.17","timestamp":1795089600},"all_time_low":"2.86""#,
    ] {
        let coin = coin_in(&format!(r#"[{{"id":1,"name":"A",{place}}}]"#));
        let range = [coin.high_24h, coin.low_24h, coin.all_time_high, coin.all_time_low];
        assert_eq!(range, [Some(8.91), Some(8.2), Some(96.17), Some(2.86)], "{place}");
    }
    let gap = coin_in(r#"[{"id":1,"symbol":"A","sparkline_in_7d":{"price":null}}]"#);
    assert_eq!((gap.sparkline_7d.len(), gap.price), (0, None));
}

#[test]
fn figures_of_more_services_are_read() {
    for (service, body) in [
        (
            "CoinDesk",
            r#"{"Data":{"STATS":{"TOTAL_ASSETS":1},"LIST":[{"ID":7,"SYMBOL":"ORDI","NAME":"ORDI","PRICE_USD":8.41,
                "CIRCULATING_MKT_CAP_USD":176610000,"SPOT_MOVING_24_HOUR_QUOTE_VOLUME_USD":1234,
                "SPOT_MOVING_24_HOUR_CHANGE_USD":-0.3,"SPOT_MOVING_24_HOUR_CHANGE_PERCENTAGE_USD":-3.8,
                "SUPPLY_CIRCULATING":21000000}]},"Err":{}}"#,
        ),
        (
            "Birdeye",
            r#"{"success":true,"data":{"items":[{"id":7,"name":"ORDI","symbol":"ORDI","price":8.41,"v24hUSD":1234,
                "price24hChangePercent":-3.8,"mcap":176610000,"circSupply":21000000}]}}"#,
        ),
        (
            "Jupiter, Moralis and CoinAPI",
            r#"[{"id":"7","name":"ORDI","symbol":"ORDI","usdPrice":8.41,"24hrPercentChange":"-3.8","mcap":176610000,
                "volume_1day_usd":1234,"supply_current":21000000}]"#,
        ),
    ] {
        let coin = coin_in(body);
        let figures = (coin.price, coin.change_24h_pct, coin.volume_24h, coin.market_cap, coin.circulating_supply);
        let expected = (Some(8.41), Some(-3.8), Some(1234.0), Some(176_610_000.0), Some(21_000_000.0));
        assert_eq!((coin.id.0.as_str(), figures), ("7", expected), "{service}");
    }
}

#[test]
fn exchange_tickers_are_not_coins() {
    for body in [
        r#"[{"symbol":"ORDIUSDT","priceChangePercent":"-3.786","lastPrice":"8.411","bidPrice":"8.41","askPrice":"8.412","highPrice":"8.912","lowPrice":"8.196","volume":"1450233.1","quoteVolume":"12197910.55"}]"#,
        r#"{"code":"0","msg":"","data":[{"instType":"SPOT","instId":"ORDI-USDT","last":"8.4096","askPx":"8.4101","bidPx":"8.4092","high24h":"8.909","volCcy24h":"8911200.4"}]}"#,
        r#"{"code":"00000","data":[{"symbol":"ORDIUSDT","high24h":"8.91","low24h":"8.19","lastPr":"8.4099","quoteVolume":"3021000.1","baseVolume":"359200.2","change24h":"-0.0378"}]}"#,
        r#"[{"currency_pair":"ORDI_USDT","last":"8.41","lowest_ask":"8.412","highest_bid":"8.41","base_volume":"1450233.1"}]"#,
    ] {
        for request in [coins_in("USD"), stats(), super::pairs(None)] {
            let error = get(&request, body).unwrap_err();
            assert_eq!(error, ErrorKind::Unrecognised("looks like exchange tickers".into()), "{body}");
        }
    }
}

#[test]
fn unknown_supply_and_market_cap_are_null() {
    let coin = coin_in(
        r#"[{"id":"x-x","name":"X","symbol":"X","circulating_supply":0.0,"total_supply":0,"max_supply":"0","quotes":{"USD":{"price":0.1,"volume_24h":0,"market_cap":0}}}]"#,
    );
    assert_eq!((coin.market_cap, coin.circulating_supply), (None, None));
    assert_eq!((coin.total_supply, coin.max_supply, coin.volume_24h), (None, None, Some(0.0)));
    let (chart, _) = chart("USD", r#"{"prices":[[1795075200000,8.41]],"market_caps":[[1795075200000,0]]}"#);
    assert_eq!(chart.points[0].market_cap, None);
}

#[test]
fn exchange_candles_have_volume_in_quote_currency() {
    for (row, volume) in [
        // Binance, OKX, Coinbase.
        (r#"[@,"8.4","8.5","8.3","8.41","1450.1",1795075499999,"12197.9",321,"700.1","5888.1","0"]"#, Some(12_197.9)),
        (r#"["@","8.4","8.5","8.3","8.41","1450.1","1450.1","12197.9","1"]"#, Some(12_197.9)),
        ("[@,8.3,8.5,8.4,8.41,1450.1]", None),
    ] {
        let (chart, warnings) = chart("USD", &format!("[{}]", row.replace('@', "1795075200000")));
        let point = &chart.points[0];
        assert_eq!((point.price, point.volume, warnings.len()), (Some(8.41), volume, 0), "{row}");
    }
}

#[test]
fn total_of_single_coin_is_not_its_number_of_pairs() {
    let (page, _) = coins(&coins_in("USD"), r#"{"id":1,"name":"A","symbol":"A","num_market_pairs":212}"#);
    assert_eq!((page.items.len(), page.total), (1, None));
    let tokens = r#"{"data":{"id":"a","name":"A","symbol":"A","priceUsd":"1","tokens":{}}}"#;
    assert_eq!(coin_in(tokens).price, Some(1.0), "CoinCap");
}

#[test]
fn contracts_and_links_are_listed_once() {
    let contracts = |coin: &Coin| coin.contracts.clone();
    let links = |coin: &Coin| -> Vec<(String, String)> {
        coin.links.iter().map(|link| (link.kind.to_string(), link.url.to_string())).collect()
    };
    let own = |kind: &str, url: &str| (kind.to_owned(), url.to_owned());
    let coin = coin_in(
        r#"[{"id":1,"name":"A","contractAddress":"0xabc","platforms":"Ethereum","rank":0,
            "links":{"homepage":["https://a.example"],"forum":"https://a.example","twitter":["https://x.com/a"],"thread_id":42},
            "websiteUrl":"https://a.example","twitter_username":"another"}]"#,
    );
    assert_eq!(coin.rank, None);
    let [contract] = &contracts(&coin)[..] else { panic!("{coin:?}") };
    assert_eq!((contract.platform.as_deref(), contract.address.as_str()), (Some("Ethereum"), "0xabc"));
    let website = own("website", "https://a.example");
    assert_eq!(links(&coin), [website.clone(), own("forum", "https://a.example"), own("twitter", "https://x.com/a")]);

    let coin = coin_in(
        r#"[{"id":1,"name":"A","contracts":["0xabc","0xdef","0xabc"],"links":["https://a.example"],"twitter_username":"a"}]"#,
    );
    let addresses: Vec<_> = contracts(&coin).into_iter().map(|contract| contract.address).collect();
    assert_eq!(addresses, ["0xabc", "0xdef"]);
    assert_eq!(links(&coin), [website.clone(), own("twitter", "https://x.com/a")]);

    let coin = coin_in(
        r#"[{"id":1,"name":"A","urls":{"Website":["https://a.example"],"technicalDoc":"https://b.example","Twitter":"https://x.com/a"},
            "twitter_username":"a"}]"#,
    );
    let of_any_case = [website.clone(), own("technical_doc", "https://b.example"), own("twitter", "https://x.com/a")];
    assert_eq!(links(&coin), of_any_case);
    let named = coin_in(r#"[{"id":1,"name":"A","links":[{"name":"Website","link":"https://a.example"}]}]"#);
    assert_eq!(links(&named), [website]);

    let many: Vec<String> = (0..300).map(|at| format!("\"0x{at:03}\"")).collect();
    let platforms: Vec<String> = (0..300).map(|at| format!("\"c{at}\":\"1x{at:03}\"")).collect();
    let body =
        format!(r#"[{{"id":1,"name":"A","contracts":[{}],"platforms":{{{}}}}}]"#, many.join(","), platforms.join(","));
    assert_eq!(contracts(&coin_in(&body)).len(), 200);
}

#[test]
fn sparkline_as_text_is_read() {
    for text in [r#"{\"price\":[1,2,3]}"#, "[1,2,3]", "1, 2, 3", "[[1795074900,1],[1795075200,2],[1795075500,3]]"] {
        let coin = coin_in(&format!(r#"[{{"id":1,"name":"A","sparkline":"{text}"}}]"#));
        assert_eq!(coin.sparkline_7d, [1.0, 2.0, 3.0], "{text}");
    }
    for nothing in ["", "https://example.org/7d.svg"] {
        assert_eq!(
            coin_in(&format!(r#"[{{"id":1,"name":"A","sparkline":"{nothing}"}}]"#)).sparkline_7d,
            [] as [f64; 0]
        );
    }
    for other in ["true", r#"\"up\""#, "up"] {
        let (page, warnings) = coins(&coins_in("USD"), &format!(r#"[{{"id":1,"name":"A","sparkline":"{other}"}}]"#));
        assert_eq!(page.items[0].sparkline_7d, [] as [f64; 0]);
        assert!(warnings.len() == 1 && warnings[0].ends_with("expected 7-day prices"), "{warnings:?}");
    }
}

#[test]
fn post_title_is_shown_once_and_text_is_optional() {
    let post = |fields: &str| get_posts(&format!("[{{{fields}}}]")).0.remove(0);
    assert_eq!(post(r#""id":7,"title":"Fees cool","text":"Fees cool, blocks empty""#).text, "Fees cool, blocks empty");
    assert_eq!(post(r#""id":7,"title":"Fees cool","text":"Blocks empty""#).text, "Fees cool\nBlocks empty");
    let bare = post(r#""id":7,"author":"sat""#);
    assert_eq!((bare.id.as_str(), bare.author.as_deref(), bare.text.as_str()), ("7", Some("sat"), ""));
    assert_eq!(post(r#""id":7,"created_at":1795089600"#).id, "7");
    for nothing in [r#""id":7"#, r#""author":"sat","created_at":1795089600"#] {
        assert!(matches!(get(&posts(), &format!("[{{{nothing}}}]")), Err(ErrorKind::Unrecognised(_))), "{nothing}");
    }
}

#[test]
fn sparkline_points_under_price_are_read() {
    let coin = coin_in(
        r#"[{"id":1,"name":"A","sparkline_7d":{"price":[{"timestamp":1795074900,"value":1},{"timestamp":1795075200,"value":2}]}}]"#,
    );
    assert_eq!(coin.sparkline_7d, [1.0, 2.0]);
    assert_eq!(coin_in(r#"[{"id":1,"name":"A","24h_volume_usd":5}]"#).volume_24h, Some(5.0));
}

#[test]
fn cashtags_in_status_updates_are_symbols() {
    for body in [
        r#"{"status_updates":[{"description":"$ORDI and $sats, not US$5 or $8.41","user":"Nick","created_at":"2026-11-19T12:00:00Z"}]}"#,
        r#"{"data":[{"id":"7","text":"gm","entities":{"cashtags":[{"start":0,"end":5,"tag":"ORDI"},{"tag":"SATS"}]}}]}"#,
        r#"{"data":[{"id":"7","text":"gm","entities":{"symbols":[{"text":"ORDI"},{"text":"SATS"}]}}]}"#,
    ] {
        assert_eq!(get_posts(body).0[0].symbols, ["ORDI", "SATS"], "{body}");
    }
    let update =
        r#"{"status_updates":[{"description":"gm","user":"Nick","project":{"id":"ordinals","symbol":"ordi"}}]}"#;
    assert_eq!(get_posts(update).0[0].symbols, ["ordi"]);
}

#[test]
fn links_and_tags_are_limited_with_one_warning() {
    let tags = vec![r#""a""#; 500].join(",");
    let body = format!(
        r#"[{{"id":1,"name":"A","tags":[{tags}],"urls":{{"website":["https://www.ordi.example/","https://ordi.example"]}}}}]"#
    );
    let (page, warnings) = coins(&coins_in("USD"), &body);
    assert_eq!((page.items[0].links.len(), page.items[0].tags.len()), (1, 200));
    assert_eq!(warnings, ["read only the first 200 of 500 tags"]);
}

#[test]
fn tags_of_coinmarketcap_are_slugs() {
    let body = r#"[{"id":1,"name":"A","tags":[{"slug":"mineable","name":"Mineable","category":"OTHERS"},
        {"slug":"ftx-bankruptcy-estate","name":"FTX Bankruptcy Estate ","category":"CATEGORY"},
        {"name":"Memes "},"brc-20 "]}]"#;
    let (page, warnings) = coins(&coins_in("USD"), body);
    assert_eq!(page.items[0].tags[..], ["mineable", "ftx-bankruptcy-estate", "Memes", "brc-20"]);
    assert_eq!(warnings, [] as [&str; 0]);
}

#[test]
fn coins_with_equal_tags_share_them() {
    let body = r#"[{"id":1,"name":"A","tags":["x","y"]},{"id":2,"name":"B","tags":["y"]},{"id":3,"name":"C","tags":["x","y"]}]"#;
    let items = coins(&coins_in("USD"), body).0.items;
    assert_eq!(items[1].tags[..], ["y"]);
    assert_eq!(items[2].tags[..], ["x", "y"]);
    assert!(Arc::ptr_eq(&items[0].tags, &items[2].tags));
}
