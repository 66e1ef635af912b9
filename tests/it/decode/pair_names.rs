//! Names of market pairs, and prices of the coin on either side.

use super::*;

/// The only pair of ORDI in a response without warnings.
fn pair_in(body: &str) -> MarketPair {
    let (page, warnings) = get_pairs(None, body);
    let [pair] = page.items.as_slice() else { panic!("{body}: {page:?}") };
    assert_eq!(warnings, [] as [&str; 0], "{body}");
    pair.clone()
}

#[test]
fn name_of_a_pair_is_not_its_exchange() {
    for (fields, exchange, pair) in [
        (r#""name":"ORDI/USDT""#, None, "ORDI/USDT"),
        (r#""name":"ORDI / USDT","exchange_id":"binance""#, Some("binance"), "ORDI / USDT"),
        (r#""name":"ORDIUSDT","dex_id":"uni""#, Some("uni"), "ORDIUSDT"),
        (r#""name":"ORDI-USDT","exchange":{"name":"Binance"}"#, Some("Binance"), "ORDI-USDT"),
        (r#""name":"ORDI/USDT","exchange_name":"Binance""#, Some("Binance"), "ORDI/USDT"),
        (r#""name":"Binance","pair":"ORDI/USDT""#, Some("Binance"), "ORDI/USDT"),
        (r#""name":"P2P/Desk","pair":"ORDI/USDT""#, Some("P2P/Desk"), "ORDI/USDT"),
    ] {
        let found = pair_in(&format!(r#"[{{{fields},"price":8.41}}]"#));
        assert_eq!((found.exchange.as_deref(), found.pair.as_str()), (exchange, pair), "{fields}");
        assert_eq!((found.base.as_deref(), found.quote.as_deref()), (Some("ORDI"), Some("USDT")), "{fields}");
    }
    let resource =
        pair_in(r#"[{"id":"x","type":"pool","attributes":{"name":"ORDI / USDT","dex_id":"uni","price":8.41}}]"#);
    assert_eq!((resource.exchange.as_deref(), resource.pair.as_str()), (Some("uni"), "ORDI / USDT"));
    // A pool of a wrapped coin.
    let pool = |name: &str| {
        format!(
            r#"{{"data":[{{"id":"eth_0x1","type":"pool","attributes":{{"base_token_price_usd":"8.41","name":"{name}"}},
            "relationships":{{"dex":{{"data":{{"id":"uni"}}}}}}}}]}}"#
        )
    };
    let found = pair_in(&pool("wORDI / USDC 0.3%"));
    assert_eq!((found.exchange.as_deref(), found.pair.as_str(), found.price), (Some("uni"), "wORDI / USDC 0.3%", None));
}

#[test]
fn exchange_named_like_a_pair_is_not_a_pair() {
    let btc = Request::MarketPairs { symbol: "BTC".into(), slug: None, convert: Currency::usd() };
    for name in ["BTC/C", "BTC-Alpha", "BTCTurk", "BTC Markets", "BTCBOX", "BTC-E", "BTCC", "Bitcoin.de", "BTC/EUR"] {
        for fields in [r#""base":"BTC","quote":"USDT""#, r#""pair":"BTC/USDT""#] {
            for field in ["name", "exchange_name", "exchange"] {
                let body = format!(r#"[{{"{field}":"{name}","exchange_id":"x",{fields},"price_usd":90321.5}}]"#);
                let Ok((ResponseData::MarketPairs(page), _)) = get(&btc, &body) else { panic!("{body}") };
                let pair = &page.items[0];
                assert_eq!((pair.exchange.as_deref(), pair.pair.as_str()), (Some(name), "BTC/USDT"), "{body}");
            }
        }
        let alone = format!(r#"[{{"name":"{name}","price_usd":90321.5}}]"#);
        let Ok((ResponseData::MarketPairs(page), _)) = get(&btc, &alone) else { panic!("{alone}") };
        let is_pair = name == "BTC/EUR";
        assert_eq!(page.items[0].exchange.as_deref(), Some(name).filter(|_| !is_pair), "{name}");
    }
}

#[test]
fn dollar_price_of_a_pool_is_that_of_the_coin() {
    for (name, sides, quote) in
        [("ORDI / WETH 0.3%", ["8.41", "3000"], "WETH"), ("WETH / ORDI", ["3000", "8.41"], "ORDI")]
    {
        let [base_price, quote_price] = sides;
        // GeckoTerminal.
        let pair = pair_in(&format!(
            r#"{{"data":[{{"id":"eth_0x1","type":"pool","attributes":{{"base_token_price_usd":"{base_price}",
            "quote_token_price_usd":"{quote_price}","base_token_price_quote_token":"357","name":"{name}",
            "volume_usd":{{"h1":"100","h24":"12345.6"}},"reserve_in_usd":"50000"}},
            "relationships":{{"dex":{{"data":{{"id":"uniswap_v3","type":"dex"}}}}}}}}],"included":[]}}"#
        ));
        assert_eq!((pair.exchange.as_deref(), pair.pair.as_str()), (Some("uniswap_v3"), name));
        assert_eq!((pair.price, pair.volume_24h, pair.quote.as_deref()), (Some(8.41), Some(12345.6), Some(quote)));
        assert_eq!(pair.convert, Currency::usd());
    }
    // DexScreener's price is that of the base.
    for (base, quote, price) in [("ORDI", "WETH", Some(8.41)), ("WETH", "ORDI", None)] {
        let pair = pair_in(&format!(
            r#"{{"pairs":[{{"dexId":"uni","baseToken":{{"symbol":"{base}"}},"quoteToken":{{"symbol":"{quote}"}},
            "priceNative":"357","priceUsd":"8.41","volume":{{"h24":5000}}}}]}}"#
        ));
        assert_eq!((pair.price, pair.exchange.as_deref()), (price, Some("uni")), "{base}");
    }
}

#[test]
fn pairs_of_upbit_and_bitfinex_are_read() {
    let read = |symbol: &str, body: &str| {
        let request = Request::MarketPairs { symbol: symbol.into(), slug: None, convert: Currency::usd() };
        match get(&request, body).unwrap() {
            (ResponseData::MarketPairs(page), warnings) => {
                let sides =
                    |pair: &MarketPair| [&pair.base, &pair.quote].map(|side| side.as_deref().unwrap()).join("/");
                (page.items.iter().map(|pair| (sides(pair), pair.price)).collect::<Vec<_>>(), warnings)
            }
            other => panic!("{other:?}"),
        }
    };
    let (found, warnings) = read(
        "BTC",
        r#"[{"exchange":"Upbit","pair":"KRW-BTC","price":130000000,"volume_24h":1e11},
            {"exchange":"Upbit","pair":"USDT-BTC","price":90320.5},
            {"exchange":"Binance","pair":"BTC/USDT","price":90321.5}]"#,
    );
    let expected = [("BTC/KRW", None), ("BTC/USDT", Some(90_320.5)), ("BTC/USDT", Some(90_321.5))];
    assert_eq!(found, expected.map(|(sides, price)| (sides.to_owned(), price)));
    assert_eq!(warnings, ["skipped 1 price in the quote currency (KRW)"]);
    let (found, warnings) = read(
        "BTC",
        r#"[{"exchange":"Bitfinex","pair":"tBTCUSD","price":90321.5},{"exchange":"Bitfinex","pair":"tBTCEUR","price":80000.5},
            {"exchange":"Bitfinex","pair":"tBTCJPY","price":13500000}]"#,
    );
    let expected = [("BTC/USD", Some(90_321.5)), ("BTC/EUR", None), ("BTC/JPY", None)];
    assert_eq!(found, expected.map(|(sides, price)| (sides.to_owned(), price)));
    assert_eq!(warnings, ["skipped 2 prices in the quote currency (EUR, JPY)"]);
    for (pair, sides) in
        [("KRW-ORDI", "ORDI/KRW"), ("tORDI:USD", "ORDI/USD"), ("USDT-ORDI", "ORDI/USDT"), ("ORDI-USD", "ORDI/USD")]
    {
        for field in ["pair", "market", "symbol"] {
            let body = format!(r#"[{{"exchange_name":"X","{field}":"{pair}","price":8.41}}]"#);
            assert_eq!(read("ORDI", &body), (vec![(sides.to_owned(), Some(8.41))], vec![]), "{body}");
        }
    }
    // Some services name an inverted pair like this.
    let (found, warnings) = read(
        "ORDI",
        r#"[{"exchange":"X","pair":"USDT-ORDI","price":0.1189},{"exchange":"X","pair":"ORDI-USDT","price":8.41}]"#,
    );
    assert_eq!(found.iter().map(|(_, price)| *price).collect::<Vec<_>>(), [None, Some(8.41)]);
    assert_eq!(warnings, ["skipped the price of the inverted pair USDT-ORDI"]);
}

#[test]
fn id_that_looks_like_a_name_is_the_exchange() {
    let row = |id: &str| format!(r#"{{"id":"{id}","type":"market","attributes":{{"pair":"ORDI/USDT","price":8.4}}}}"#);
    for (id, exchange) in [
        ("binance", Some("binance")),
        ("p2pb2b", Some("p2pb2b")),
        ("eth_0x1f98431c8ad98523631ae4a59f267346ea31f984", None),
        ("17", None),
        ("1b4e28ba-2fa1-11d2-883f-0016d3cca427", None),
    ] {
        let (page, _) = super::get_pairs(None, &format!(r#"{{"data":[{}]}}"#, row(id)));
        assert_eq!(page.items[0].exchange.as_deref(), exchange, "{id}");
    }
}
