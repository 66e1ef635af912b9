//! How the chart is drawn and which part of it is shown, in words for the title.

use crate::app::ChartView;
use crate::app::chart::window::TimeSpan;
use crate::format::{Clock, Date};
use crate::model::indicator::BOLLINGER_LENGTH;
use crate::model::{CandleWidth, ChartAxis, ChartStyle, MovingAverage, Point, Zone};
use crate::view::widgets::chart::moment::has_year;
use crate::view::widgets::chart::{MoreCandles, Series, Shown, candle_labels, needed_candles, with_remedy};

/// What the labels of the indicators are made from.
#[derive(Clone, Copy)]
pub(super) struct IndicatorSettings<'a> {
    /// The chosen moving averages.
    pub(super) averages: &'a [MovingAverage],
    /// The time span of each close of a line.
    pub(super) interval: CandleWidth,
    /// What gives the indicators more candles.
    pub(super) more: Option<&'a MoreCandles>,
}

/// How the chart is drawn, if not as a line on a linear axis, longest form first: `1h Binance candles · log axis` or
/// `1h candles (sampled) · log axis` to `1h log` or `~1h log`. Without a cursor, the fourth form is the shortest: it
/// still names the source of candles. Indicators are named with the interval of their closes: `interval`, or the width of
/// the shown candles; one without enough candles is named with `more`, the key that gives the chart more of them. In a
/// zoomed chart, the shown time range comes first, except in the last form. The last two forms don't say that there is no
/// room for a pane.
pub(super) fn style_labels(
    view: &ChartView,
    settings: IndicatorSettings<'_>,
    shown: &Shown,
    series: &Series<'_>,
    window: Option<&[String; 3]>,
) -> [String; 7] {
    let candle = shown.candle;
    let is_candles = view.style == ChartStyle::Candles;
    let has_candles = is_candles && series.summary().is_some();
    let interval = if is_candles { candle } else { settings.interval };
    let candles = if has_candles { candle_labels(candle, series.data()) } else { Default::default() };
    // Other axes need positive prices.
    let axis = match (view.axis, series.summary()) {
        (ChartAxis::Log, Some(summary)) if summary.low.1 > 0.0 => ["log axis", "log"],
        (ChartAxis::Percent, Some(summary)) if summary.open.1 > 0.0 => ["percent axis", "%"],
        (ChartAxis::Log, Some(_)) => ["linear axis: a price is 0", "linear"],
        (ChartAxis::Percent, Some(_)) => ["linear axis: opening price is 0", "linear"],
        _ => ["", ""],
    };
    let indicators = match series.summary() {
        Some(_) => indicator_labels(view, IndicatorSettings { interval, ..settings }, shown),
        None => Default::default(),
    };
    let ([long, sampled, width], [axis, short_axis]) = (candles, axis);
    let [[lines, panes], [short_lines, short_panes]] = indicators;
    let close = |parts: &[&str]| joined(parts).replace(SEPARATOR, " ");
    let [full, short, shortest] = window.map_or(["", "", ""], |labels| labels.each_ref().map(String::as_str));
    [
        joined(&[full, &long, axis, &lines, &panes]),
        joined(&[full, &long, short_axis, &lines, &panes]),
        joined(&[short, &sampled, short_axis, &short_lines, &short_panes]),
        joined(&[short, &close(&[&sampled, short_axis, &short_lines, &short_panes])]),
        joined(&[shortest, &close(&[&width, short_axis, &short_lines, &short_panes])]),
        joined(&[shortest, &close(&[&width, short_axis, &short_lines])]),
        close(&[&width, short_axis, &short_lines]),
    ]
}

/// The shown time range, longest form first: `3 Nov 12:00 – 5 Nov 18:00`, `3 Nov – 5 Nov` or, within a day,
/// `12:00 – 18:00`; the last form is only `zoomed`. `all` are the points of the whole period.
pub(super) fn window_labels(shown: TimeSpan, all: &[Point], zone: &Zone) -> [String; 3] {
    let [from, to] =
        [shown.start, shown.end].map(|time| Date { day: zone.at(time), with_year: has_year(all, time, zone) });
    let [first, last] = [from, to].map(|date| Clock(date.day));
    let [long, short] = if from.day.date() == to.day.date() {
        [format!("{from} {first} – {last}"), format!("{first} – {last}")]
    } else {
        [format!("{from} {first} – {to} {last}"), format!("{from} – {to}")]
    };
    [long, short, String::from("zoomed")]
}

/// The names of the lines over the price and what is missing below it, and shorter forms: `MA 7/25 · BB 20 (1h)` and `MA
/// 7/25 · BB 20`, of candles `MA · BB`. The panes have their names, so the title has only the interval if there is no
/// line.
fn indicator_labels(
    view: &ChartView,
    IndicatorSettings { averages, interval, more }: IndicatorSettings<'_>,
    shown: &Shown,
) -> [[String; 2]; 2] {
    let is_candles = view.style == ChartStyle::Candles;
    let (mut drawn, mut missing) = (Vec::new(), Vec::new());
    if let Some(MovingAverage { length, kind }) = averages.first() {
        let (label, names) = average_names(&shown.averages);
        if names.is_empty() {
            missing.push(missing_labels(kind.label(), *length, more));
        } else {
            drawn.push([format!("{label} {}", names.join("/")), label.to_owned()]);
        }
    }
    match (view.has_bands, shown.has_bands) {
        (true, true) => drawn.push([format!("{BANDS} {BOLLINGER_LENGTH}"), BANDS.to_owned()]),
        (true, false) => missing.push(missing_labels(BANDS, BOLLINGER_LENGTH, more)),
        (false, _) => {}
    }
    let panes = [("RSI", view.has_rsi, shown.has_rsi), ("MACD", view.has_macd, shown.has_macd)];
    let named = |has_room: bool| {
        let names = panes.iter().filter(|(_, is_on, is_shown)| *is_on && *is_shown == has_room);
        names.map(|(name, ..)| *name).collect::<Vec<_>>().join("/")
    };
    let (with_room, without) = (named(true), named(false));
    let without = if without.is_empty() { without } else { format!("{without}: no room") };
    let of = |labels: &[[String; 2]], short: usize| {
        let labels: Vec<&str> = labels.iter().filter_map(|forms| forms.get(short)).map(String::as_str).collect();
        joined(&labels)
    };
    let (lines, short_lines) = (of(&drawn, 0), of(&drawn, usize::from(is_candles)));
    let lines = match (lines.is_empty(), with_room.is_empty()) {
        (false, _) => format!("{lines} ({interval})"),
        (true, false) => format!("{with_room} ({interval})"),
        (true, true) => lines,
    };
    let lines = joined(&[&lines, &of(&missing, 0)]);
    let short_lines = joined(&[&short_lines, &of(&missing, 1)]);
    [[lines, without.clone()], [short_lines, without]]
}

/// The label of Bollinger bands.
const BANDS: &str = "BB";

/// The label of an indicator that lacks candles (it needs `length`), and a shorter form.
fn missing_labels(label: &str, length: usize, more: Option<&MoreCandles>) -> [String; 2] {
    [needed_candles(label, length, more), with_remedy(format!("no {label}"), length, more)]
}

/// The label of the first moving average, and the names after it: `MA` and `7`, `25`, or `EMA` and `12`, `MA 25`.
pub(super) fn average_names(averages: &[MovingAverage]) -> (&'static str, Vec<String>) {
    let Some(first) = averages.first() else { return Default::default() };
    let name = |average: &MovingAverage| {
        if average.kind == first.kind { average.length.to_string() } else { average.to_string() }
    };
    (first.kind.label(), averages.iter().map(name).collect())
}

/// Separates the parts of a title.
pub(super) const SEPARATOR: &str = " · ";

/// The parts that are not empty, separated by ` · `.
pub(super) fn joined(parts: &[&str]) -> String {
    let parts: Vec<&str> = parts.iter().copied().filter(|part| !part.is_empty()).collect();
    parts.join(SEPARATOR)
}
