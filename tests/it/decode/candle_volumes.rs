//! Volumes of candles, which may be in coins.

use super::*;

const TIME: &str = "1795074900";

/// The numbers of a candle with a volume, as JSON numbers.
const NUMBERS: &str = r#""open":8.4,"high":8.5,"low":8.3,"close":8.41,"volume":1450.1"#;

/// The same as strings.
const STRINGS: &str = r#""open":"8.4","high":"8.5","low":"8.3","close":"8.41","volume":"1450.1""#;

/// The volumes of a chart.
fn volumes(body: &str) -> (Vec<Option<f64>>, Vec<Warning>) {
    let (chart, warnings) = chart("USD", &body.replace('@', TIME));
    assert!(chart.points.iter().all(|point| point.price == Some(8.41)), "{body}");
    (chart.points.iter().map(|point| point.volume).collect(), warnings)
}

#[test]
fn volumes_of_candles_that_may_be_in_coins_are_ignored() {
    let warning = "ignored candle volumes: they may be in coins";
    for body in [
        // Bitstamp.
        format!(r#"{{"data":{{"pair":"ORDI/USD","ohlc":[{{"timestamp":"@",{STRINGS}}}]}}}}"#),
        // Coinbase.
        format!(r#"{{"candles":[{{"start":"@",{STRINGS}}}]}}"#),
        format!(r#"[{{"time":@,{STRINGS}}}]"#),
        format!(r#"[{{"time":@,"pair":"ORDI/USD",{NUMBERS}}}]"#),
        format!(r#"[{{"time":@,"symbol":"ORDIUSD",{NUMBERS}}}]"#),
        format!(r#"{{"data":[{{"time":@,{NUMBERS}}},{{"time":1795075200,{NUMBERS}}}]}}"#),
        format!(r#"{{"quote_currency":"USD","data":[{{"time":@,{NUMBERS}}}]}}"#),
        format!(r#"{{"data":[{{"time":@,"quote":{{{NUMBERS}}}}}]}}"#),
        String::from(r#"{"columns":["t","o","h","l","c","v"],"data":[[@,8.4,8.5,8.3,8.41,1450.1]]}"#),
        String::from(r#"[["time","open","high","low","close","volume"],[@,"8.4","8.5","8.3","8.41","1450.1"]]"#),
    ] {
        let (volumes, warnings) = volumes(&body);
        assert!(volumes.iter().all(Option::is_none), "{body}");
        assert_eq!(warnings, [warning], "{body}");
    }
    let two = format!(r#"{{"ORDI":[{{"time":@,{STRINGS}}}],"SATS":[{{"time":@,{STRINGS}}}]}}"#);
    assert_eq!(series(&["ORDI", "SATS"], &two.replace('@', TIME)).1[0], warning);
    assert_eq!(series(&["ORDI", "SATS"], &two.replace('@', TIME)).1.len(), 2);
}

#[test]
fn volumes_of_candles_in_money_are_read() {
    let quote = NUMBERS.replace("volume", "quoteVolume");
    for body in [
        format!(r#"[{{"time":@,{NUMBERS}}}]"#),
        format!(r#"{{"currency":"USD","data":[{{"time":@,{STRINGS}}}]}}"#),
        format!(r#"{{"convert":"USD","pair":"ORDI/USD","data":[{{"time":@,{NUMBERS}}}]}}"#),
        format!(r#"{{"meta":{{"currency":"USD"}},"data":[{{"time":@,{STRINGS}}}]}}"#),
        format!(r#"{{"data":[{{"time":@,"currency":"USD",{STRINGS}}}]}}"#),
        format!(r#"{{"data":[{{"time":@,"symbol":"USD",{NUMBERS}}}]}}"#),
        format!(r#"{{"data":[{{"time":@,"quote":{{"USD":{{{NUMBERS}}}}}}}]}}"#),
        format!(r#"{{"data":[{{"time":@,"symbol":"ORDI","quote":{{"USD":{{{STRINGS}}}}}}}]}}"#),
        // CoinMarketCap's website.
        format!(r#"{{"data":{{"quotes":[{{"timeClose":"@","quote":{{"name":"2781",{NUMBERS},"marketCap":1e8}}}}]}}}}"#),
        // CoinPaprika.
        format!(r#"{{"data":[{{"time":@,{NUMBERS},"market_cap":null}}]}}"#),
        format!(r#"{{"data":[{{"time":@,{NUMBERS}}},{{"time":1795075200,{NUMBERS},"market_cap":0}}]}}"#),
        format!(r#"{{"data":[{{"time":@,"pair":"ORDI/USD",{quote}}}]}}"#),
        String::from(r#"{"currency":"USD","columns":["t","o","h","l","c","v"],"data":[[@,8.4,8.5,8.3,8.41,1450.1]]}"#),
        String::from(r#"{"columns":["t","o","h","l","c","v","cap"],"data":[[@,8.4,8.5,8.3,8.41,1450.1,null]]}"#),
        String::from(r#"[["time","open","high","low","close","volume"],[@,8.4,8.5,8.3,8.41,1450.1]]"#),
    ] {
        let (volumes, warnings) = volumes(&body);
        assert!(volumes.iter().all(|volume| *volume == Some(1450.1)), "{body}: {volumes:?}");
        assert!(warnings.is_empty(), "{body}: {warnings:?}");
    }
}
