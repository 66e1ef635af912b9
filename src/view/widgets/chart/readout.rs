//! What the cursor of a chart reads.

use std::fmt;
use std::time::Duration;

use jiff::civil::DateTime;

use super::series::{Summary, change_pct};
use crate::format::time::weekday_name;
use crate::format::{Arrow, Clock, Date, Money, Price};
use crate::model::{Candle, CandleWidth, Point, UtcTime, Zone};
use crate::view::widgets::text;

/// The point or candle under the cursor. Prints as `Thu 13 Nov 14:00 · 8.41 · ▲ 10.9% · vol 61.2M`, or for a candle as
/// `Thu 13 Nov 14:00 · O 8.30 H 8.52 L 8.27 C 8.41 · ▲ 1.3% · ▲ 10.9% in period · vol 61.2M`. The first change of a
/// candle is that from the previous close.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Readout {
    /// The point's time, or the start of the candle, in the zone of the chart.
    pub time: DateTime,
    /// Whether the year of the time is shown; see [`has_year`].
    pub with_year: bool,
    /// The price, of a candle the last one.
    pub price: Option<f64>,
    /// Its volume.
    pub volume: Option<f64>,
    /// The change from the opening price of the period to this one, percent.
    pub change_pct: Option<f64>,
    /// The candle, and the change from the close of the previous one in percent.
    pub candle: Option<(Candle, Option<f64>)>,
}

impl Readout {
    /// The readout of a point, by its index.
    pub fn of(points: &[Point], index: usize, zone: &Zone) -> Option<Readout> {
        let point = points.get(index)?;
        let open = points.iter().find_map(|point| point.price);
        let price = point.price;
        let change_pct = open.zip(price).and_then(|(open, price)| change_pct(open, price));
        let (time, with_year) = (zone.at(point.time), has_year(points, point.time, zone));
        Some(Readout { time, with_year, price, volume: point.volume, change_pct, candle: None })
    }

    /// The readout of the candle that contains a point; of the point alone if none of the candle's points has a price.
    pub fn of_candle(points: &[Point], index: usize, width: CandleWidth, zone: &Zone) -> Option<Readout> {
        let time = points.get(index)?.time;
        let Some(candle) = Candle::at(points, time, width) else { return Readout::of(points, index, zone) };
        let before = Candle::before(points, time, width);
        let open = points.iter().find_map(|point| point.price)?;
        Some(Readout {
            time: zone.at(candle.start),
            with_year: has_year(points, candle.start, zone),
            price: Some(candle.close),
            volume: candle.volume,
            change_pct: change_pct(open, candle.close),
            candle: Some((candle, before.and_then(|before| change_pct(before.close, candle.close)))),
        })
    }

    /// The longest form of at most `columns` columns: first without the volume, then without the change over the period
    /// and the open, high and low, then the price and its time. Numbers are never cut.
    pub fn fitted(&self, columns: u16) -> String {
        let price = Price(self.price);
        let change = Arrow(self.candle.map_or(self.change_pct, |(_, change)| change));
        let (time, date) = (self.moment(), self.date());
        let mut forms = vec![self.to_string(), Readout { volume: None, ..*self }.to_string()];
        if let Some((candle, _)) = &self.candle {
            forms.push(format!("{time} · {} · {change}", Prices(candle)));
            forms.push(format!("{} · {}", Clock(self.time), Prices(candle)));
        }
        forms.push(format!("{time} · {price} · {change}"));
        forms.push(format!("{price} · {change} · {time}"));
        forms.push(format!("{price} · {date} {}", Clock(self.time)));
        forms.push(format!("{price} · {}", Clock(self.time)));
        let fitting = forms.into_iter().find(|form| text::width(form) <= columns);
        fitting.unwrap_or_else(|| price.to_string())
    }

    fn date(&self) -> Date {
        Date { day: self.time, with_year: self.with_year }
    }

    fn moment(&self) -> String {
        format!("{} {} {}", weekday_name(self.time), self.date(), Clock(self.time))
    }
}

/// A time in a chart: `Thu 13 Nov 14:00`, or `Thu 13 Nov 2025 14:00`; see [`has_year`].
pub fn moment(points: &[Point], time: UtcTime, zone: &Zone) -> String {
    let (day, with_year) = (zone.at(time), has_year(points, time, zone));
    format!("{} {} {}", weekday_name(day), Date { day, with_year }, Clock(day))
}

/// Charts over a shorter time need no years: a day without one is the last such day.
const HALF_A_YEAR: Duration = Duration::from_hours(183 * 24);

/// Whether a time in a chart is shown with its year: in one over half a year or more, if that is not the year in which
/// the chart ends.
pub fn has_year(points: &[Point], time: UtcTime, zone: &Zone) -> bool {
    let (Some(first), Some(last)) = (points.first(), points.last()) else { return false };
    last.time.since(first.time) >= HALF_A_YEAR && zone.at(time).year() != zone.at(last.time).year()
}

/// The first, highest, lowest and last price of a period with their times: `O 17.91 16 Nov 14:00`, `H …`.
pub fn period_ohlc(points: &[Point], summary: &Summary, zone: &Zone) -> [String; 4] {
    let prices = [("O", summary.open), ("H", summary.high), ("L", summary.low), ("C", summary.last)];
    prices.map(|(name, (index, price))| {
        let price = Price(Some(price));
        let Some(point) = points.get(index) else { return format!("{name} {price}") };
        let time = zone.at(point.time);
        let date = Date { day: time, with_year: has_year(points, point.time, zone) };
        format!("{name} {price} {date} {}", Clock(time))
    })
}

/// `O 8.30 H 8.52 L 8.27 C 8.41`.
struct Prices<'a>(&'a Candle);

impl fmt::Display for Prices<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Candle { open, high, low, close, .. } = *self.0;
        let [open, high, low, close] = [open, high, low, close].map(|price| Price(Some(price)));
        write!(f, "O {open} H {high} L {low} C {close}")
    }
}

impl fmt::Display for Readout {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} · ", self.moment())?;
        match &self.candle {
            Some((candle, change)) => {
                write!(f, "{} · {} · {} in period", Prices(candle), Arrow(*change), Arrow(self.change_pct))?;
            }
            None => write!(f, "{} · {}", Price(self.price), Arrow(self.change_pct))?,
        }
        if self.volume.is_some() {
            write!(f, " · vol {}", Money(self.volume))?;
        }
        Ok(())
    }
}
