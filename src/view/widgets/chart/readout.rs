//! The readout of a chart's cursor.

use std::fmt;
use std::time::Duration;

use jiff::civil::DateTime;

use super::indicators::Indicators;
use super::moment::{DAY, has_year, span};
use super::series::Series;
use super::volume::VolumeLabel;
use super::{macd, rsi};
use crate::format::time::weekday_name;
use crate::format::{Arrow, Clock, Date, Money, PriceFormat, Span};
use crate::model::{Candle, CandleWidth, MovingAverage, Point, Zone, change_pct};
use crate::view::widgets::text;

/// The point or candle under the cursor. Prints as
/// `Thu 13 Nov 14:00 · 8.41 · ▲ 0.3% in 1 h · ▲ 10.9% in period · vol 24h 61.2M`; a candle has
/// `O 8.30 H 8.52 L 8.27 C 8.41` in place of the price. The first change is that from the previous point; of a candle,
/// `▲ 0.3% vs prev close` is that from the close of the previous one.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Readout {
    /// The point's time, or the start of the candle, in the zone of the chart.
    pub time: DateTime,
    /// Whether the year of the time is shown; see [`has_year`].
    pub with_year: bool,
    /// Whether the whole chart is about a day long, so that the time of day says more than the date.
    pub is_of_day: bool,
    /// The price, of a candle the last one.
    pub price: Option<f64>,
    /// The volume at the cursor.
    pub volume: Option<f64>,
    /// The label of the volume.
    pub volume_label: VolumeLabel,
    /// The change from the opening price of the chart to this one, percent.
    pub change_pct: Option<f64>,
    /// Whether the chart shows only a part of its period.
    pub is_part: bool,
    /// The change from the previous price in percent, and the time since that price unless they are closes of candles;
    /// `None` for the first one.
    pub step: Option<(Option<f64>, Option<Duration>)>,
    /// The candle.
    pub candle: Option<Candle>,
    /// The moving averages, Bollinger bands, RSI and MACD.
    pub indicators: Indicators,
    /// The format of the prices.
    pub format: PriceFormat,
}

impl Readout {
    /// The readout of a point with a 24-hour volume, by its index.
    pub fn of(points: &[Point], index: usize, zone: &Zone) -> Option<Readout> {
        let point = points.get(index)?;
        let open = points.iter().find_map(|point| point.price);
        let price = point.price;
        let change = |from: Option<f64>| from.zip(price).and_then(|(from, to)| change_pct(from, to));
        let before = points.get(..index)?.iter().rfind(|point| point.price.is_some());
        Some(Readout {
            time: zone.at(point.time),
            with_year: has_year(points, point.time, zone),
            is_of_day: span(points) <= DAY,
            price,
            volume: point.volume,
            volume_label: VolumeLabel::Day,
            change_pct: change(open),
            is_part: false,
            step: before.map(|before| (change(before.price), Some(point.time.since(before.time)))),
            candle: None,
            indicators: Indicators::default(),
            format: PriceFormat::default(),
        })
    }

    /// The readout of a point of a series, by its index. That of the first shown point has the change from the one before
    /// it.
    pub fn of_point(series: &Series<'_>, index: usize, zone: &Zone) -> Option<Readout> {
        let (data, points) = (series.data(), series.points());
        let volume_label = VolumeLabel::of_points(data);
        let point = points.get(index)?;
        let all = data.all().points();
        let (with_year, is_of_day) = (has_year(all, point.time, zone), span(all) <= DAY);
        let readout = Readout::of(points, index, zone)?;
        let readout = Readout { volume_label, with_year, is_of_day, is_part: data.is_part(), ..readout };
        let step = || {
            let before = data.earlier().iter().rfind(|before| before.price.is_some())?;
            let change = before.price.zip(point.price).and_then(|(from, to)| change_pct(from, to));
            Some((change, Some(point.time.since(before.time))))
        };
        Some(Readout { step: readout.step.or_else(step), ..readout })
    }

    /// The readout of the candle that contains a point; of the point alone if none of the candle's points has a price.
    /// Without prices if only a part of the candle is known.
    pub fn of_candle(series: &Series<'_>, index: usize, width: CandleWidth, zone: &Zone) -> Option<Readout> {
        let (data, points) = (series.data(), series.points());
        let time = points.get(index)?.time;
        let Some(candle) = Candle::at(data, time, width) else {
            let point = Readout::of_point(series, index, zone)?;
            let Some(_) = data.exchange() else { return Some(point) };
            // The exchange's candles start within it.
            let start = zone.at(width.start(width.number(time)));
            return Some(Readout { time: start, price: None, volume: None, change_pct: None, step: None, ..point });
        };
        let before = Candle::before(data, time, width);
        let (_, open) = series.summary()?.open;
        Some(Readout {
            time: zone.at(candle.start),
            with_year: has_year(data.all().points(), candle.start, zone),
            is_of_day: span(data.all().points()) <= DAY,
            price: Some(candle.close),
            volume: candle.volume,
            volume_label: VolumeLabel::of_candles(data, width),
            change_pct: change_pct(open, candle.close),
            is_part: data.is_part(),
            step: before.map(|before| (change_pct(before.close, candle.close), None)),
            candle: Some(candle),
            indicators: Indicators::default(),
            format: PriceFormat::default(),
        })
    }

    /// Sets the indicators.
    pub fn with_indicators(self, indicators: Indicators) -> Readout {
        Readout { indicators, ..self }
    }

    /// Sets the format of prices.
    pub fn with_format(self, format: PriceFormat) -> Readout {
        Readout { format, ..self }
    }

    /// The longest form of at most `columns` columns. The volume is left out first, then the MACD, the RSI, the Bollinger
    /// bands, the averages, open, high and low, then the change from the previous point or candle, then that over the chart,
    /// then the time of day (in a chart of a day the date); a change without a name is over the chart. Numbers are never
    /// cut.
    pub fn fitted(&self, columns: u16) -> String {
        let price = self.format.price(self.price);
        let times = [self.moment(), self.short_moment()];
        let (main, change) = (self.main(), Arrow(self.change_pct));
        let named = self.named_change();
        let of_step = self.of_step().map(|step| format!(" · {step}")).unwrap_or_default();
        let volume = self.of_volume().map(|volume| format!(" · {volume}")).unwrap_or_default();
        let indicators = self.of_indicators();
        let with_indicators = indicators.iter().flat_map(|indicators| {
            [volume.as_str(), ""].map(|volume| format!("{main}{of_step} · {named}{volume} · {indicators}"))
        });
        let contents = [
            format!("{main}{of_step} · {named}{volume}"),
            format!("{main}{of_step} · {named}"),
            format!("{price}{of_step} · {named}"),
            format!("{price} · {named}"),
            format!("{price} · {change}"),
        ];
        let [_, short] = &times;
        let [time, shortest] = self.shortest_times();
        let last = [short, &time, &shortest].map(|time| format!("{price} · {time}"));
        let contents = with_indicators.chain(contents);
        let forms = contents.flat_map(|content| times.iter().map(move |time| format!("{time} · {content}")));
        text::longest(forms.chain(last), columns).unwrap_or_else(|| price.to_string())
    }

    /// The text like [`Readout::fitted`], but without the values in [`Readout::prices`].
    pub fn without_prices(&self, columns: u16) -> String {
        let change = Arrow(self.change_pct);
        let changes = [format!(" · {}", self.named_change()), format!(" · {change}"), String::new()];
        let times = [self.moment(), self.short_moment()];
        let forms = changes.iter().flat_map(|changes| times.iter().map(move |time| format!("{time}{changes}")));
        let [time, shortest] = self.shortest_times();
        text::longest(forms.chain([time]), columns).unwrap_or(shortest)
    }

    /// The columns of the shortest form with a time: of [`Readout::fitted`], or of [`Readout::without_prices`].
    pub fn least(&self, with_price: bool) -> u16 {
        let [time, _] = self.shortest_times();
        let price = if with_price { format!("{} · ", self.format.price(self.price)) } else { String::new() };
        text::width(&price) + text::width(&time)
    }

    /// The date, and that without a year; in a chart of a day, the time of day.
    fn shortest_times(&self) -> [String; 2] {
        if self.is_of_day {
            [Clock(self.time).to_string(), Clock(self.time).to_string()]
        } else {
            [self.date().to_string(), Date { with_year: false, ..self.date() }.to_string()]
        }
    }

    /// The price, or the prices of the candle, with the change from the previous one, the volume and the indicators, in
    /// lines of at most `columns` columns: in one line, or in two if allowed. The volume is left out first, then the
    /// MACD, the RSI, the Bollinger bands, the averages, the change, then open, high and low: in two lines, the close
    /// of a candle may be in the second.
    pub fn prices(&self, columns: u16, lines: usize) -> Vec<String> {
        let (main, step, volume) = (self.main(), self.of_step(), self.of_volume());
        let indicators = self.of_indicators();
        let line = |parts: [Option<&str>; 3]| parts.into_iter().flatten().collect::<Vec<_>>().join(" · ");
        let (step, volume) = (step.as_deref(), volume.as_deref());
        let close = match self.candle {
            Some(_) => format!("C {}", self.format.price(self.price)),
            None => main.clone(),
        };
        let all = line([Some(&main), step, volume]);
        let most = indicators.iter().flat_map(|indicators| {
            let one = [vec![line([Some(&all), Some(indicators), None])]];
            let two = [vec![main.clone(), line([step, volume, Some(indicators)])]];
            let two = two.into_iter().filter(|_| lines > 1);
            one.into_iter().chain(two).chain([vec![line([Some(&main), step, Some(indicators)])]])
        });
        let two = [[main.clone(), line([step, volume, None])], [main.clone(), line([step, None, None])]];
        let two = two.into_iter().filter(|[_, second]| lines > 1 && !second.is_empty()).map(Vec::from);
        let split = self.candle.filter(|_| lines > 1).map_or_else(Vec::new, |candle| {
            let prices = [candle.open, candle.high, candle.low];
            let [open, high, low] = prices.map(|price| self.format.price(Some(price)));
            let first = format!("O {open} H {high} L {low}");
            let with_step = vec![first, line([Some(&close), step, None])];
            vec![with_step, vec![format!("O {open} H {high}"), format!("L {low} {close}")]]
        });
        let less = [line([Some(&main), step, None]), main.clone(), line([Some(&close), step, None]), close];
        let forms = most.chain([vec![all.clone()]]).chain(two).chain(split);
        let mut forms = forms.chain(less.map(|line| vec![line]));
        let fits = |lines: &Vec<String>| lines.iter().all(|line| text::width(line) <= columns);
        forms.find(fits).unwrap_or_default()
    }

    /// The price, or the prices of the candle.
    fn main(&self) -> String {
        match &self.candle {
            Some(candle) => Prices(candle, self.format).to_string(),
            None => self.format.price(self.price).to_string(),
        }
    }

    /// `▲ 10.9% in period`, or `▲ 10.9% in view` of a part.
    fn named_change(&self) -> String {
        format!("{} in {}", Arrow(self.change_pct), if self.is_part { "view" } else { "period" })
    }

    /// `▲ 1.3% in 2 h`, or of a candle `▲ 1.3% vs prev close`.
    fn of_step(&self) -> Option<String> {
        self.step.map(|(change, time)| match time {
            Some(time) => format!("{} in {}", Arrow(change), Span(time)),
            None => format!("{} vs prev close", Arrow(change)),
        })
    }

    /// `vol 24h 61.2M`.
    fn of_volume(&self) -> Option<String> {
        self.volume.map(|volume| format!("{} {}", self.volume_label, Money(Some(volume))))
    }

    /// `MA 7 8.30 · EMA 26 8.11 · BB 8.02–8.60 · RSI 56.3 · MACD 0.1234 signal 0.1012`, then without the last, and so on;
    /// those that have any value.
    fn of_indicators(&self) -> Vec<String> {
        let Indicators { averages, bands, rsi, macd, signal } = self.indicators;
        let price = |price: f64| self.format.price(Some(price));
        let average = |(average, value): (MovingAverage, f64)| format!("{average} {}", price(value));
        let averages: Vec<String> = averages.into_iter().flatten().map(average).collect();
        let macd = macd.map(|value| {
            let signal = signal.map(|signal| format!(" signal {}", macd::number(signal)));
            format!("MACD {}{}", macd::number(value), signal.unwrap_or_default())
        });
        let others = [
            bands.map(|[lower, upper]| format!("BB {}–{}", price(lower), price(upper))),
            rsi.map(|value| format!("RSI {}", rsi::number(value))),
            macd,
        ];
        let mut forms = vec![averages.join(" · ")];
        for other in others.into_iter().flatten() {
            let more = match forms.last() {
                Some(before) if !before.is_empty() => format!("{before} · {other}"),
                _ => other,
            };
            forms.push(more);
        }
        forms.reverse();
        forms.retain(|form| !form.is_empty());
        forms
    }

    fn short_moment(&self) -> String {
        format!("{} {}", self.date(), Clock(self.time))
    }

    fn date(&self) -> Date {
        Date { day: self.time, with_year: self.with_year }
    }

    fn moment(&self) -> String {
        format!("{} {} {}", weekday_name(self.time), self.date(), Clock(self.time))
    }
}

/// `O 8.30 H 8.52 L 8.27 C 8.41`.
struct Prices<'a>(&'a Candle, PriceFormat);

impl fmt::Display for Prices<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Prices(&Candle { open, high, low, close, .. }, format) = *self;
        let [open, high, low, close] = [open, high, low, close].map(|price| format.price(Some(price)));
        write!(f, "O {open} H {high} L {low} C {close}")
    }
}

impl fmt::Display for Readout {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.fitted(u16::MAX))
    }
}

#[cfg(test)]
mod tests;
