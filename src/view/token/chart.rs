//! The chart panel.

use ratatui::buffer::Buffer;
use ratatui::layout::Rect;
use ratatui::style::Style;
use ratatui::widgets::{StatefulWidget, Widget};

use super::panel_context::PanelContext;
use super::unresolved;
use crate::app::panel::Panel;
use crate::app::screen::token::ShownChart;
use crate::app::{ChartView, Remote};
use crate::client::{Group, ResponseData};
use crate::format::{Arrow, Clock, Date, PriceFormat};
use crate::model::chart::nearest;
use crate::model::provider::credits;
use crate::model::{CandleData, CandleWidth, ChartAxis, ChartStyle, Coin, MovingAverage, Period, Point, UtcTime, Zone};
use crate::theme::Theme;
use crate::view::annotations::annotations;
use crate::view::area::below;
use crate::view::chrome::health::{self, Health};
use crate::view::view_state::ViewState;
use crate::view::widgets::chart::moment::has_year;
use crate::view::widgets::chart::period_prices::PeriodPrices;
use crate::view::widgets::chart::{Annotations, Chart, ChartState, Readout, Series, Shown, candle_labels};
use crate::view::widgets::{PanelTitle, Placeholder, text};

/// Minimum height of a chart with volume.
const MIN_VOLUME_ROWS: u16 = 14;
/// Minimum height of a panel with lines of prices below its title, if they don't fit in the title. A panel that fills
/// the screen has them if it has at least the second height.
const MIN_PRICES_ROWS: [u16; 2] = [11, 8];

pub(super) fn paint(buf: &mut Buffer, area: Rect, context: &PanelContext<'_>, view_state: &mut ViewState) {
    let PanelContext { state, token, appearance, .. } = context;
    let theme = &appearance.theme;
    let request = token.chart_request(&state.convert);
    let remote = request.as_ref().map(|request| state.responses.get(request));
    let chart = token.chart(&state.responses, &state.convert);
    let view = &state.chart;
    let data = chart.map_or_else(CandleData::default, |chart| chart.data(view.style));
    let chosen_candle = view.candle(token.period, token.chart_columns(state.size), data);
    let all_points = chart.map_or(&[][..], |chart| chart.all_points);
    let part = chart.and_then(|chart| chart.part);
    let zone = &state.preferences.zone;
    let averages = if view.has_averages { state.preferences.averages.as_slice() } else { &[] };
    let rsi = view.has_rsi.then_some(state.preferences.rsi);
    let coin = token.named_coin().coin;
    let annotations = chart.map(|chart| annotations(state, &coin, chart.convert)).unwrap_or_default();
    let below_heading = Rect { height: area.height.saturating_sub(1), ..area };
    let format = PriceFormat::of(chart.map_or(&state.convert, |chart| chart.convert));
    let draw = Drawing { view, candle: chosen_candle, averages, rsi, annotations: &annotations, format, zone, theme };
    let series = draw.shown_series(data, below_heading);
    let points = series.points();
    let (timed, summary) = series.timed_summary(all_points).unzip();
    let timed = timed.unwrap_or_default();
    let all = data.all().points();
    let prices = summary.map(|summary| PeriodPrices { points: &timed, summary, all, format, zone });
    let cursor = token.chart_cursor.and_then(|time| nearest(points, time));

    let listed = chart.and_then(|chart| context.listed_coin(chart.convert));
    // The service may keep sending old prices.
    let early_end = token.period.early_end(all_points, state.now);
    let problem = chart.and_then(|chart| problem(context, remote, chart, early_end, listed));
    let change = chart.and_then(|chart| change(context, chart, &series, listed));
    let choices = Period::ALL.map(Period::as_str);
    let chosen = Period::ALL.iter().position(|period| *period == token.period);
    let focused = context.is_focused(Panel::Chart);
    let title = PanelTitle::new("Chart").choices(&choices, chosen).focused(focused).theme(theme);
    let provider = remote.and_then(|remote| health::source(remote, state.now)).unwrap_or_default();
    // The label of candles names their exchange.
    let named = data.exchange().map(|slice| format!("{}{SEPARATOR}", credits(slice.exchange)));
    let provider = named.and_then(|named| provider.strip_prefix(&named).map(str::to_owned)).unwrap_or(provider);
    let times = timed.first().zip(timed.last()).map(|(first, last)| (first.time, last.time));
    let window = part.map(|part| window_labels(times.unwrap_or(part), all, zone));
    let labels_for = |shown: &Shown| style_labels(view, averages, shown, &series, window.as_ref());
    // The columns of a title for its source, if it also has text of `taken` columns on the right.
    let room = |title: &PanelTitle<'_>, taken: u16| {
        title.room(area.width).saturating_sub(if taken == 0 { 0 } else { taken + 2 })
    };
    let taken = change.as_ref().map_or(0, |(words, _)| text::width(words));
    let free = |source: &str| room(&title, taken).saturating_sub(text::width(source) + 4);
    // The prices of the whole period with their times are in the title if they fit, or else in one or two lines below
    // it: the chart itself marks them, but not all with a time. A cursor or problem doesn't move the chart.
    let has_room = area.height >= MIN_PRICES_ROWS[usize::from(context.is_alone())];
    let lines = prices.filter(|_| has_room).map_or_else(Vec::new, |prices| {
        let whole = prices.ohlc().join("  ");
        let shown = Shown { candle: chosen_candle, averages: averages.to_vec(), has_rsi: true };
        let [label, ..] = labels_for(&shown);
        let is_in_title = text::width(&whole) <= free(&joined(&[&label, &provider]));
        if is_in_title { Vec::new() } else { prices.lines(area.width) }
    });
    let below_title = u16::try_from(lines.len()).unwrap_or(0);
    let plot = Rect { height: area.height.saturating_sub(1 + below_title), ..area };
    let drawn = draw.chart(&series, plot);
    let shown = drawn.shown(plot);
    let candle = shown.candle;
    // Without a price, there is nothing to read.
    let cursor = cursor.filter(|_| series.summary().is_some());
    let readout = cursor.and_then(|index| match view.style {
        ChartStyle::Candles => Readout::of_candle(&series, index, candle, zone),
        _ => Readout::of_point(&series, index, zone),
    });
    let time = cursor.and_then(|index| points.get(index)).map(|point| point.time);
    let at_cursor = time.map(|time| drawn.indicators_at(plot, time)).unwrap_or_default();
    let readout = readout.map(|readout| readout.with_indicators(at_cursor).with_format(format));
    // The chart's style, the readout and a problem take precedence over the other periods.
    let labels = labels_for(&shown);
    let [named @ .., unnamed_label] = &labels;
    let [.., short_label, shortest_label] = named;
    // The day at the cursor takes precedence over the style and over being zoomed.
    let least_label = readout.map_or(shortest_label.as_str(), |readout| {
        let needed = readout.least(lines.is_empty());
        let has_room = |label: &&str| room(&title.chosen_only(), text::width(label)) >= needed;
        [shortest_label.as_str(), unnamed_label.as_str(), ""].into_iter().find(has_room).unwrap_or_default()
    });
    let words = readout.map(|readout| {
        let columns = room(&title.chosen_only(), text::width(least_label));
        match lines.is_empty() {
            false => readout.without_prices(columns),
            true => readout.fitted(columns),
        }
    });
    let right = words.as_ref().or(problem.as_ref().map(|problem| &problem.text));
    let (taken, least) = match right {
        Some(words) => (text::width(words), least_label),
        None => (taken, short_label.as_str()),
    };
    let (title, periods) = match taken > title.room(area.width) || text::width(least) > room(&title, taken) {
        true => (title.chosen_only(), std::slice::from_ref(&token.period)),
        false => (title, &Period::ALL[..]),
    };
    let label =
        named.iter().find(|label| text::width(label) <= room(&title, taken)).map_or(least_label, String::as_str);
    let source = joined(&[label, &provider]);
    let in_title = prices.filter(|_| right.is_none() && lines.is_empty());
    let in_title = in_title.and_then(|prices| prices.line(free(&source)));
    let source = joined(&[&source, in_title.as_deref().unwrap_or_default()]);
    let title = match (&words, &change) {
        (Some(words), _) => title.right(words, theme.text),
        (None, Some((words, style))) if problem.is_none() => title.right(words, *style),
        _ => title,
    };
    view_state.periods(text::line(area, 0), &title, periods);
    // The averages have the colours of their lines.
    let (kind, names) = average_names(&shown.averages);
    let legend: Vec<_> = names.into_iter().zip(theme.averages()).collect();
    let title = title.legend(kind, &legend);
    let place = health::title(buf, area, title.source(&source), problem.as_ref(), theme);

    let Some(remote) = remote else {
        return without_slug(buf, place, context);
    };
    if let Some(sentence) = token.no_year_reason(&state.responses, &state.convert) {
        return Placeholder::empty(&sentence).theme(theme).render(place, buf);
    }
    if chart.is_none() {
        return context.explained.missing(buf, place, (Group::Market, remote), "the chart", state, theme);
    }
    if series.summary().is_none() {
        let of = if part.is_some() { "in this part of" } else { "for" };
        let sentence = format!("No prices {of} {}", token.period.as_str());
        return Placeholder::empty(&sentence).theme(theme).render(place, buf);
    }
    let body = place;
    // The prices at the cursor replace those of the period.
    let prices = readout.map(|readout| readout.prices(place.width, lines.len()));
    for (row, line) in (0..below_title).zip(prices.as_ref().unwrap_or(&lines)) {
        text::put(buf, text::line(place, row), line, theme.dim);
    }
    let place = below(place, below_title);
    let mut chart_state = ChartState::default().with_cursor(cursor);
    let drawn = drawn.volume(place.height >= MIN_VOLUME_ROWS).candle(candle);
    StatefulWidget::render(drawn, place, buf, &mut chart_state);
    match (chart_state.plot(), chart_state.columns()) {
        // Click targets match the drawn candles: only the plot knows how many fit.
        (Some(plot), Some(columns)) if columns.candle().is_some() => view_state.candles(plot, |column| {
            let last = columns.index_at(points, column)?;
            points.get(last).map(|point| point.time)
        }),
        (Some(plot), _) => view_state.chart_columns(plot),
        (None, _) => {}
    }
    if remote.is_stale(state.now) || early_end.is_some() {
        health::fade(buf, body);
    }
}

/// What is wrong with a chart: it is stale, its prices end early, or they differ from the listed price.
fn problem(
    context: &PanelContext<'_>,
    remote: Option<Remote<'_, ResponseData>>,
    chart: ShownChart<'_>,
    early_end: Option<UtcTime>,
    listed: Option<&Coin>,
) -> Option<Health> {
    let (state, zone) = (context.state, &context.state.preferences.zone);
    let stale = remote.filter(|it| it.is_stale(state.now) || it.failure().is_some());
    let stale = stale.map(|stale| context.explained.health(stale, state));
    let problem = stale.or_else(|| {
        let text = early_end.map(|end| {
            let (day, today) = (zone.at(end), zone.at(state.now));
            format!("prices end {} {}", Date { day, with_year: day.year() != today.year() }, Clock(day))
        });
        let differs = || listed.is_some_and(|listed| state.differs_from_list(listed, chart.all_points));
        let text = text.or_else(|| differs().then(|| String::from("differs from the listed price")))?;
        Some(Health { text, is_bad: true })
    })?;
    if *chart.convert == state.convert {
        return Some(problem);
    }
    Some(Health { text: format!("in {} · {}", chart.convert, problem.text), ..problem })
}

/// The change of the price over the shown time in words, with its style; `None` without prices.
fn change(
    context: &PanelContext<'_>,
    chart: ShownChart<'_>,
    series: &Series<'_>,
    listed: Option<&Coin>,
) -> Option<(String, Style)> {
    let PanelContext { state, token, appearance, .. } = context;
    let (drawn, is_whole) = (series.summary()?, chart.part.is_none());
    let change = match state.chart.axis {
        // As on the axis, whose 0% is the first price drawn.
        ChartAxis::Percent => drawn.change_pct(),
        _ if !is_whole => drawn.change_pct(),
        // The same one for candles.
        _ => listed
            .and_then(|listed| state.change_of_listed(listed, token.period, chart.all_points))
            .or_else(|| Series::new(chart.all_points).summary()?.change_pct()),
    };
    let mut note = match *chart.convert == state.convert {
        true => String::new(),
        false => format!("in {}  ", chart.convert),
    };
    if let Some(days) = token.days_of_year(series.points()).filter(|_| is_whole) {
        note = format!("{note}{days} of 365 days  ");
    }
    Some((format!("{note}{}", Arrow(change)), appearance.theme.change(change)))
}

/// Paints why there is no chart of a coin without a slug.
fn without_slug(buf: &mut Buffer, place: Rect, context: &PanelContext<'_>) {
    if context.token.has_only_symbol() {
        return unresolved::paint(buf, place, "chart", context);
    }
    let theme = &context.appearance.theme;
    Placeholder::empty("No chart (coin has no slug)").theme(theme).render(place, buf);
}

/// How the chart is drawn.
struct Drawing<'a> {
    view: &'a ChartView,
    /// The width of candles that the user has chosen.
    candle: CandleWidth,
    averages: &'a [MovingAverage],
    rsi: Option<usize>,
    annotations: &'a Annotations,
    format: PriceFormat,
    zone: &'a Zone,
    theme: &'a Theme,
}

impl Drawing<'_> {
    fn chart<'a>(&'a self, series: &'a Series<'_>, area: Rect) -> Chart<'a> {
        Chart::new(series)
            .annotations(self.annotations)
            .volume(area.height >= MIN_VOLUME_ROWS)
            .style(self.view.style)
            .candle(self.candle)
            .axis(self.view.axis)
            .averages(self.averages)
            .rsi(self.rsi)
            .format(self.format)
            .zone(self.zone)
            .theme(self.theme)
    }

    /// The series, whose summary is only of the candles that an area of this size shows: they may be wider than the
    /// chosen ones, and the first of them is hidden if it is not whole. A part of the data is shown with whole candles.
    fn shown_series<'a>(&self, data: CandleData<'a>, area: Rect) -> Series<'a> {
        let series = |candle: CandleWidth| {
            let data = if self.view.style == ChartStyle::Candles { data.with_whole_candles(candle) } else { data };
            Series::from_data(data).summarised_from(data.incomplete(candle))
        };
        let chosen = series(self.candle);
        let Shown { candle, .. } = self.chart(&chosen, area).shown(area);
        let is_same = candle == self.candle;
        let has_same_first = !data.is_part() && data.incomplete(candle) == data.incomplete(self.candle);
        if is_same || has_same_first {
            return chosen;
        }
        series(candle)
    }
}

/// How the chart is drawn, if not as a line on a linear axis, longest form first: `1h Binance candles · log axis` or
/// `1h candles (sampled) · log axis` to `1h log` or `~1h log`. Without a cursor, the fourth form is the shortest: it
/// still names the source of candles. Indicators are named with the width of their candles if there are no others. In a
/// zoomed chart, the shown time range comes first, except in the last form.
fn style_labels(
    view: &ChartView,
    averages: &[MovingAverage],
    shown: &Shown,
    series: &Series<'_>,
    window: Option<&[String; 3]>,
) -> [String; 6] {
    let candle = shown.candle;
    let is_candles = view.style == ChartStyle::Candles;
    let has_candles = is_candles && series.summary().is_some();
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
        Some(_) => indicator_labels(view, averages, shown),
        None => Default::default(),
    };
    let ([long, sampled, width], [axis, short_axis], [indicators, short_indicators]) = (candles, axis, indicators);
    let close = |parts: [&str; 3]| joined(&parts).replace(SEPARATOR, " ");
    let [full, short, shortest] = window.map_or(["", "", ""], |labels| labels.each_ref().map(String::as_str));
    [
        joined(&[full, &long, axis, &indicators]),
        joined(&[full, &long, short_axis, &indicators]),
        joined(&[short, &sampled, short_axis, &short_indicators]),
        joined(&[short, &close([&sampled, short_axis, &short_indicators])]),
        joined(&[shortest, &close([&width, short_axis, &short_indicators])]),
        close([&width, short_axis, &short_indicators]),
    ]
}

/// The shown time range, longest form first: `3 Nov 12:00 – 5 Nov 18:00`, `3 Nov – 5 Nov` or, within a day,
/// `12:00 – 18:00`; the last form is only `zoomed`. `all` are the points of the whole period.
fn window_labels((start, end): (UtcTime, UtcTime), all: &[Point], zone: &Zone) -> [String; 3] {
    let [from, to] = [start, end].map(|time| Date { day: zone.at(time), with_year: has_year(all, time, zone) });
    let [first, last] = [from, to].map(|date| Clock(date.day));
    let [long, short] = match from.day.date() == to.day.date() {
        true => [format!("{from} {first} – {last}"), format!("{first} – {last}")],
        false => [format!("{from} {first} – {to} {last}"), format!("{from} – {to}")],
    };
    [long, short, String::from("zoomed")]
}

/// The names of the indicators, and a shorter form: `MA 7/25 (1h)` and `MA 7/25`. The pane of the RSI has its name, so the
/// title has only what it lacks.
fn indicator_labels(view: &ChartView, averages: &[MovingAverage], shown: &Shown) -> [String; 2] {
    let (candle, is_candles) = (shown.candle, view.style == ChartStyle::Candles);
    let (kind, names) = average_names(&shown.averages);
    let names = format!("{kind} {}", names.join("/"));
    let [averages, short_averages] = match averages.first() {
        None => Default::default(),
        Some(MovingAverage { length, kind }) if shown.averages.is_empty() => {
            let kind = kind.label();
            [format!("{kind} needs {length} candles"), format!("no {kind}")]
        }
        Some(_) if is_candles => [names, String::from(kind)],
        Some(_) => [format!("{names} ({candle})"), names],
    };
    let [rsi, short_rsi] = match view.has_rsi {
        true if !shown.has_rsi => [String::from("no room for RSI"), String::from("no RSI")],
        true if !is_candles && shown.averages.is_empty() => [format!("RSI ({candle})"), String::new()],
        _ => Default::default(),
    };
    [joined(&[&averages, &rsi]), joined(&[&short_averages, &short_rsi])]
}

/// The label of the first moving average, and the names after it: `MA` and `7`, `25`, or `EMA` and `12`, `MA 25`.
fn average_names(averages: &[MovingAverage]) -> (&'static str, Vec<String>) {
    let Some(first) = averages.first() else { return Default::default() };
    let name = |average: &MovingAverage| match average.kind == first.kind {
        true => average.length.to_string(),
        false => average.to_string(),
    };
    (first.kind.label(), averages.iter().map(name).collect())
}

/// Separates the parts of a title.
const SEPARATOR: &str = " · ";

/// The parts that are not empty, separated by ` · `.
fn joined(parts: &[&str]) -> String {
    let parts: Vec<&str> = parts.iter().copied().filter(|part| !part.is_empty()).collect();
    parts.join(SEPARATOR)
}
