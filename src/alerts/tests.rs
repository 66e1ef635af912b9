//! Fixtures for the tests of alerts.

use super::check::Tracked;
use super::parse::parse;
use crate::model::{Currency, MarketSeries, Point, VolumeSpan};
use crate::user_data::{Alert, Watched};

/// A rule about ORDI that was just added.
pub(super) fn tracked(line: &str) -> Tracked {
    let coin = Watched { symbol: "ORDI".into(), slug: Some("ordi".into()), id: Some("1".into()) };
    Tracked::new(Alert::new(parse(line).unwrap().rule(Some(coin), &Currency::usd()).unwrap(), false))
}

/// ORDI's prices in US dollars.
pub(super) fn series(points: Vec<Point>) -> MarketSeries {
    MarketSeries {
        id: Some("1".into()),
        name: None,
        symbol: "ORDI".into(),
        slug: Some("ordi".into()),
        convert: Currency::usd(),
        interval: None,
        points,
        volume_span: VolumeSpan::Day,
        candles: None,
    }
}
