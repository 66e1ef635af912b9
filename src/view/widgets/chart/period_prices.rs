//! The first, highest, lowest and last price of a chart's period with their times.

use super::moment::{DAY, MONTHS, has_year, short_moment, span};
use super::series::Summary;
use crate::format::{Clock, Date, PriceFormat};
use crate::model::{Point, Zone};
use crate::view::widgets::text;

/// The first, highest, lowest and last price of a period with their times: `O 17.91 16 Nov 14:00`, `H …`.
#[derive(Clone, Copy, Debug)]
pub struct PeriodPrices<'a> {
    /// The points of the summary, which may be of a part of the period.
    pub points: &'a [Point],
    /// The prices.
    pub summary: Summary,
    /// The points of the whole period.
    pub all: &'a [Point],
    /// The format of the prices.
    pub format: PriceFormat,
    /// The time zone.
    pub zone: &'a Zone,
}

/// How a time is written.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Moment {
    Full,
    Date,
    Clock,
}

impl PeriodPrices<'_> {
    /// The first, highest, lowest and last price, each with its date and time of day.
    pub fn ohlc(&self) -> [String; 4] {
        self.with_times(Moment::Full)
    }

    /// The longest form of at most `columns` columns: without the time of day if the chart has none either, then only the
    /// first and the last price, since the chart marks the others with their times.
    pub fn line(&self, columns: u16) -> Option<String> {
        let timed = self.ohlc();
        let dated = (span(self.points) > MONTHS).then(|| self.with_times(Moment::Date));
        let forms = [Some(timed.join("  ")), dated.as_ref().map(|it| it.join("  "))];
        let ends = [Some(ends(&timed)), dated.as_ref().map(ends)];
        text::longest(forms.into_iter().chain(ends).flatten(), columns)
    }

    /// All prices in one line of at most `columns` columns, or in two; only with a date or a time of day if there is no
    /// room for both. If that doesn't fit either, the first and the last price.
    pub fn lines(&self, columns: u16) -> Vec<String> {
        let timed = self.ohlc();
        let short = self.with_times(if span(self.points) > DAY { Moment::Date } else { Moment::Clock });
        let one = |[open, high, low, last]: &[String; 4]| vec![format!("{open}  {high}  {low}  {last}")];
        let two = |[open, high, low, last]: &[String; 4]| vec![format!("{open}  {high}"), format!("{low}  {last}")];
        let first = if span(self.points) > MONTHS { vec![one(&timed), one(&short)] } else { vec![one(&timed)] };
        let others = [two(&timed), two(&short), vec![ends(&timed)], vec![ends(&short)]];
        let fits = |lines: &Vec<String>| lines.iter().all(|line| text::width(line) <= columns);
        first.into_iter().chain(others).find(fits).unwrap_or_default()
    }

    fn with_times(&self, moment: Moment) -> [String; 4] {
        let PeriodPrices { points, summary, all, format, zone } = *self;
        let prices = [("O", summary.open), ("H", summary.high), ("L", summary.low), ("C", summary.last)];
        prices.map(|(name, (index, price))| {
            let price = format.price(Some(price));
            let Some(point) = points.get(index) else { return format!("{name} {price}") };
            let day = zone.at(point.time);
            match moment {
                Moment::Full => format!("{name} {price} {}", short_moment(all, point.time, zone)),
                Moment::Date => {
                    format!("{name} {price} {}", Date { day, with_year: has_year(all, point.time, zone) })
                }
                Moment::Clock => format!("{name} {price} {}", Clock(day)),
            }
        })
    }
}

/// The first and the last of the prices.
fn ends([open, _, _, last]: &[String; 4]) -> String {
    format!("{open}  {last}")
}
