//! Prices in sats: requests ask services for bitcoin, and the responses are converted here.

use crate::client::request::Request;
use crate::client::response_data::ResponseData;
use crate::model::currency::SATS_EXPONENT;
use crate::model::{Chart, Coin, Currency, ExchangeCandles, MarketPair, MarketSeries, Point};

/// Sats per bitcoin.
const PER_BITCOIN: f64 = 1e8;

/// The request to send for one in sats; `None` if it is in another currency.
pub(super) fn in_bitcoin(request: &Request) -> Option<Request> {
    request.convert().is_some_and(Currency::is_sats).then(|| request.in_currency(&Currency::bitcoin()))
}

/// Converts amounts in bitcoin. Amounts in another currency are left unchanged.
pub(super) fn convert(response: &mut ResponseData) {
    match response {
        ResponseData::Coins(page) => page.items.iter_mut().for_each(convert_coin),
        ResponseData::MarketPairs(page) => page.items.iter_mut().for_each(convert_pair),
        ResponseData::Chart(Chart { convert, points, candles, .. }) => convert_prices(convert, points, candles),
        ResponseData::Market(all) => all.iter_mut().for_each(|MarketSeries { convert, points, candles, .. }| {
            convert_prices(convert, points, candles);
        }),
        _ => {}
    }
}

/// A price in sats: the float nearest to the shortest decimal of the price in bitcoin with its point moved, so that
/// 0.00020345 BTC are 20345 sats.
pub(super) fn sats(bitcoin: f64) -> f64 {
    let text = format!("{bitcoin:e}");
    let moved = text.split_once('e').and_then(|(digits, exponent)| {
        let exponent = exponent.parse::<i32>().ok()? + SATS_EXPONENT;
        format!("{digits}e{exponent}").parse().ok()
    });
    moved.unwrap_or(bitcoin * PER_BITCOIN)
}

/// Converts bitcoin to sats; returns whether it was bitcoin.
fn replace(currency: &mut Currency) -> bool {
    let is_bitcoin = *currency == Currency::bitcoin();
    if is_bitcoin && let Some(sats) = Currency::parse("SAT") {
        *currency = sats;
    }
    is_bitcoin
}

fn convert_coin(coin: &mut Coin) {
    if !replace(&mut coin.convert) {
        return;
    }
    coin.bitcoin_price = coin.price;
    let price = coin.price.map(sats);
    coin.money_mut().for_each(|amount| *amount *= PER_BITCOIN);
    coin.price = price;
}

fn convert_pair(pair: &mut MarketPair) {
    if replace(&mut pair.convert) {
        pair.money_fields().into_iter().flatten().for_each(|amount| *amount = sats(*amount));
    }
}

fn convert_prices(currency: &mut Currency, points: &mut [Point], candles: &mut Option<ExchangeCandles>) {
    if !replace(currency) {
        return;
    }
    *candles = candles.take().and_then(|candles| candles.converted(sats));
    for point in points {
        point.money_fields().into_iter().flatten().for_each(|amount| *amount = sats(*amount));
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::model::{Candle, ExchangeCandles, Period, Text, UtcTime, VolumeSpan};

    #[test]
    fn exact_price_in_sats_is_a_multiple_of_that_in_bitcoin() {
        let mut coin = Coin::new(crate::model::CoinId("1".into()), "ORDI".into(), "ORDI".into());
        // Of 17 digits, as a product of floats may be.
        (coin.convert, coin.price) = (Currency::bitcoin(), Some(0.000_237_964_627_091_891_37));
        let exact = |coin: &Coin| coin.exact_price().unwrap();
        let bitcoin = exact(&coin);
        convert_coin(&mut coin);
        assert_eq!(exact(&coin), &bitcoin * &crate::model::Decimal::from(100_000_000));
    }

    #[test]
    fn price_in_sats_is_the_shortest_decimal() {
        for (bitcoin, expected) in
            [(0.00020345, 20345.0), (1.0, 1e8), (7.34e-12, 0.000734), (0.0, 0.0), (-1.5, -1.5e8), (1.1e300, 1.1e308)]
        {
            assert_eq!(sats(bitcoin), expected);
        }
        assert!(sats(f64::NAN).is_nan());
    }

    #[test]
    fn candles_are_in_the_currency_of_their_chart() {
        let start = UtcTime::from_secs(3_600);
        let candle = Candle { start, open: 0.0002, high: 0.0003, low: 0.0001, close: 0.00025, volume: Some(1.5) };
        let candles = ExchangeCandles::new("okx".into(), "1h".into(), vec![candle]);
        let mut chart = Chart {
            slug: Text::from("ordi"),
            period: Period::Week,
            convert: Currency::bitcoin(),
            points: Vec::new(),
            volume_span: VolumeSpan::Day,
            candles,
        };
        let sats = |chart: &mut Chart| convert_prices(&mut chart.convert, &mut chart.points, &mut chart.candles);
        sats(&mut chart);
        let converted = chart.candles.as_ref().unwrap().candles()[0];
        let prices = [converted.open, converted.high, converted.low, converted.close];
        assert_eq!((prices, converted.volume), ([20_000.0, 30_000.0, 10_000.0, 25_000.0], Some(1.5e8)));
        let before = chart.clone();
        sats(&mut chart);
        assert_eq!(chart, before, "in sats already");
    }
}
