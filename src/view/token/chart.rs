//! The chart panel.

mod heading;
mod labels;

use ratatui::buffer::Buffer;
use ratatui::layout::Rect;
use ratatui::style::Style;
use ratatui::widgets::Widget;

use super::panel_context::PanelContext;
use super::unresolved;
use crate::app::panel::Panel;
use crate::app::screen::token::ShownChart;
use crate::app::{ChartView, Remote};
use crate::client::{Group, ResponseData};
use crate::format::{Arrow, Clock, Date, PriceFormat};
use crate::keymap::{Command, Context};
use crate::model::provider::credits;
use crate::model::{
    CandleData, CandleWidth, ChartAxis, ChartStyle, Coin, Currency, MovingAverage, Period, Point, UtcTime, Zone,
};
use crate::theme::Theme;
use crate::view::annotations::annotations;
use crate::view::area::below;
use crate::view::chrome::health::{self, Health, Missing, Part};
use crate::view::view_state::ViewState;
use crate::view::widgets::chart::period_prices::PeriodPrices;
use crate::view::widgets::chart::prepared::PreparedChart;
use crate::view::widgets::chart::{Annotations, Chart, ChartState, MoreCandles, Readout, Series, Shown};
use crate::view::widgets::{PanelTitle, Placeholder, text};
use heading::{FittedHeading, Heading, room};
use labels::{average_names, joined, style_labels, window_labels};

/// Minimum height of a chart with volume.
const MIN_VOLUME_ROWS: u16 = 14;
/// Minimum height of a panel with lines of prices below its title, if they don't fit in the title. A panel that fills
/// the screen has them if it has at least the second height.
const MIN_PRICES_ROWS: [u16; 2] = [11, 8];

pub(super) fn paint(buf: &mut Buffer, area: Rect, context: &PanelContext<'_>, view_state: &mut ViewState) {
    let PanelContext { state, token, appearance, .. } = context;
    let (view, theme, zone) = (&state.chart, &appearance.theme, &state.preferences.zone);
    let request = token.chart_request(&state.convert);
    let remote = request.as_ref().map(|request| state.responses.get(request));
    let received = token.chart(&state.responses, &state.convert);
    let up_to_now = state.points_up_to_now();
    let chart = received.map(|chart| chart.up_to_now(up_to_now.as_deref(), token.chart_window));
    let data = chart.map_or_else(CandleData::default, |chart| chart.data(view.style));
    let all_points = chart.map_or(&[][..], |chart| chart.all_points);
    let coin = token.named_coin().coin;
    let annotations = chart.map(|chart| annotations(state, &coin, chart.convert)).unwrap_or_default();
    let convert = chart.map_or(&state.convert, |chart| chart.convert);
    let closes = chart.map_or_else(CandleData::default, |chart| chart.indicator_data());
    let draw = Drawing::new(context, (data, closes), convert, &annotations);
    let series = draw.shown_series(data, Rect { height: area.height.saturating_sub(1), ..area });
    let points = series.points();
    let (timed, summary) = series.timed_summary(all_points).unzip();
    let timed = timed.unwrap_or_default();
    let all = data.all().points();
    let prices = summary.map(|summary| PeriodPrices { points: &timed, summary, all, format: draw.format, zone });

    let listed = chart.and_then(|chart| context.listed_coin(chart.convert));
    // The service may keep sending old prices.
    let early_end = token.period.early_end(all_points, state.now);
    let problem = chart.and_then(|chart| problem(context, remote, chart, early_end, listed));
    let choices = Period::ALL.map(Period::as_str);
    let chosen = Period::ALL.iter().position(|period| *period == token.period);
    let focused = context.is_focused(Panel::Chart);
    let title = PanelTitle::new("Chart").choices(&choices, chosen).focused(focused).theme(theme);
    let change = chart.and_then(|chart| change(context, chart, (&series, listed), title.room(area.width)));
    let provider = provider(context, remote, data);
    let times = timed.first().zip(timed.last()).map(|(first, last)| (first.time, last.time));
    let window = chart.and_then(|chart| chart.part).map(|part| window_labels(times.unwrap_or(part), all, zone));
    let indicators = (draw.averages, draw.interval, draw.more_candles.as_ref());
    let labels_for = |shown: &Shown| style_labels(view, indicators, shown, &series, window.as_ref());
    let change_width = change.as_ref().map_or(0, |(words, _)| text::width(words));
    let free = |source: &str| room(&title, area.width, change_width).saturating_sub(text::width(source) + 4);
    // The prices of the whole period with their times are in the title if they fit, or else in one or two lines below
    // it: the chart itself marks them, but not all with a time. A cursor or problem doesn't move the chart.
    let has_room = area.height >= MIN_PRICES_ROWS[usize::from(context.is_alone())];
    let lines = prices.filter(|_| has_room).map_or_else(Vec::new, |prices| {
        let whole = prices.ohlc().join("  ");
        let (averages, has_bands) = (draw.averages.to_vec(), view.has_bands);
        let shown = Shown { candle: draw.candle, averages, has_bands, has_rsi: true, has_macd: true };
        let [label, ..] = labels_for(&shown);
        let is_in_title = text::width(&whole) <= free(&joined(&[&label, &provider]));
        if is_in_title { Vec::new() } else { prices.lines(area.width) }
    });
    let below_title = u16::try_from(lines.len()).unwrap_or(0);
    let plot = below(area, 1 + below_title).intersection(buf.area);
    let drawn = draw.chart(&series, plot).prepare(plot);
    let shown = drawn.shown();
    let cursor = token.chart_cursor.and_then(|time| drawn.nearest(time));
    let readout = cursor.and_then(|index| draw.readout(&series, index, &drawn));
    let labels = labels_for(&shown);
    let problem_text = problem.as_ref().map(Health::text);
    let heading = Heading {
        title,
        width: area.width,
        labels: &labels,
        readout,
        has_lines: !lines.is_empty(),
        problem: problem_text.as_deref(),
        change: change_width,
    };
    let FittedHeading { title, has_all_periods, label, readout: words } = heading.fitted();
    let source = joined(&[label, &provider]);
    let in_title = prices.filter(|_| words.is_none() && problem.is_none() && lines.is_empty());
    let in_title = in_title.and_then(|prices| prices.line(free(&source)));
    let source = joined(&[&source, in_title.as_deref().unwrap_or_default()]);
    let title = match (&words, &change) {
        (Some(words), _) => title.right(words, theme.text),
        (None, Some((words, style))) if problem.is_none() => title.right(words, *style),
        _ => title,
    };
    let periods = if has_all_periods { &Period::ALL[..] } else { std::slice::from_ref(&token.period) };
    view_state.periods(text::line(area, 0), &title, periods);
    // The averages have the colours of their lines.
    let (kind, names) = average_names(&shown.averages);
    let legend: Vec<_> = names.into_iter().zip(theme.averages()).collect();
    let title = title.legend(kind, &legend);
    let place = health::title(buf, area, title.source(&source), problem.as_ref(), theme);

    if paint_missing(buf, place, context, (remote, chart, &series)) {
        return;
    }
    // The prices at the cursor replace the period's prices.
    let prices = readout.map(|readout| readout.prices(place.width, lines.len()));
    for (row, line) in (0..below_title).zip(prices.as_ref().unwrap_or(&lines)) {
        text::put(buf, text::line(place, row), line, theme.dim);
    }
    paint_plot(buf, &drawn, (points, cursor), view_state);
    if remote.is_some_and(|remote| remote.is_stale(state.now)) || early_end.is_some() {
        health::fade(buf, place);
    }
}

/// Paints the reason if there is no chart; returns `false` if there is one.
fn paint_missing(
    buf: &mut Buffer,
    place: Rect,
    context: &PanelContext<'_>,
    (remote, chart, series): (Option<Remote<'_, ResponseData>>, Option<ShownChart<'_>>, &Series<'_>),
) -> bool {
    let PanelContext { state, token, appearance, .. } = context;
    let theme = &appearance.theme;
    let sentence = token.no_series_reason(&state.responses, &state.convert);
    match (remote, sentence, chart) {
        (None, ..) => without_slug(buf, place, context),
        (Some(_), Some(sentence), _) => Placeholder::empty(&sentence).theme(theme).render(place, buf),
        (Some(remote), None, None) => {
            let missing = Missing::new(remote, "the chart", state, theme).of(Group::Market);
            context.explained.missing(buf, place, &missing);
        }
        (Some(_), None, Some(chart)) if series.summary().is_none() => {
            let of = if chart.part.is_some() { "in this part of" } else { "for" };
            let sentence = format!("No prices {of} {}", token.period.as_str());
            Placeholder::empty(&sentence).theme(theme).render(place, buf);
        }
        _ => return false,
    }
    true
}

/// Paints the chart of these points, and makes its columns clickable.
fn paint_plot(
    buf: &mut Buffer,
    chart: &PreparedChart<'_>,
    (points, cursor): (&[Point], Option<usize>),
    view_state: &mut ViewState,
) {
    let mut chart_state = ChartState::default().with_cursor(cursor);
    chart.paint(buf, &mut chart_state);
    match (chart_state.plot(), chart_state.columns()) {
        // Click targets match the drawn candles: only the plot knows how many fit.
        (Some(plot), Some(columns)) if columns.candle().is_some() => view_state.candles(plot, |column| {
            let last = columns.index_at(points, column)?;
            points.get(last).map(|point| point.time)
        }),
        (Some(plot), _) => view_state.chart_columns(plot),
        (None, _) => {}
    }
}

/// The provider of the chart and its age, without the exchange of its candles, which their label names.
fn provider(context: &PanelContext<'_>, remote: Option<Remote<'_, ResponseData>>, data: CandleData<'_>) -> String {
    let parts = remote.and_then(|remote| health::source_parts(remote, context.state.now));
    let Some([provider, age]) = parts else { return String::new() };
    let is_named = data.exchange().is_some_and(|slice| credits(slice.exchange) == provider);
    if is_named { age } else { joined(&[&provider, &age]) }
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
        Some(Health::problem([Part::note(text)]))
    })?;
    if *chart.convert == state.convert {
        return Some(problem);
    }
    Some(problem.in_currency(chart.convert.as_str()))
}

/// The change of the price over the shown time in words, with its style; `None` without prices. A change over all time
/// names its start: the day, or only the year if the day needs more than `room` columns.
fn change(
    context: &PanelContext<'_>,
    chart: ShownChart<'_>,
    (series, listed): (&Series<'_>, Option<&Coin>),
    room: u16,
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
    let mut note = if *chart.convert == state.convert { String::new() } else { format!("in {}  ", chart.convert) };
    if let Some(days) = token.days_of_year(series.points()).filter(|_| is_whole) {
        note = format!("{note}{days} of 365 days  ");
    }
    let arrow = Arrow(change).to_string();
    if let Some(start) = token.period.start_of_all(chart.all_points).filter(|_| is_whole) {
        let day = state.preferences.zone.at(start);
        let dated = format!("{note}since {}  ", Date { day, with_year: true });
        let has_room = text::width(&dated) + text::width(&arrow) <= room;
        note = if has_room { dated } else { format!("{note}since {}  ", day.year()) };
    }
    Some((format!("{note}{arrow}"), appearance.theme.change(change)))
}

/// Paints why there is no chart of a coin without a slug.
fn without_slug(buf: &mut Buffer, place: Rect, context: &PanelContext<'_>) {
    if context.token.has_only_symbol() {
        return unresolved::paint(buf, place, "chart", context);
    }
    let theme = &context.appearance.theme;
    Placeholder::empty("No chart (coin has no slug)").theme(theme).render(place, buf);
}

/// What gives the indicators more candles of this data than those of this width: narrower candles that fit, or else more
/// columns.
fn more_candles(context: &PanelContext<'_>, data: CandleData<'_>, candle: CandleWidth) -> Option<MoreCandles> {
    let PanelContext { state, token, appearance, .. } = context;
    if state.chart.style != ChartStyle::Candles {
        return None;
    }
    let [narrowest, ..] = CandleWidth::ALL;
    let fitted = |columns: u16| CandleWidth::fitted(Some(narrowest), token.period, columns, data, 0);
    let fitting = fitted(token.chart_columns(state.size, data));
    let (width, command, effect) = if fitting < candle {
        (fitting, Command::NarrowerCandles, "narrower")
    } else if context.is_focused(Panel::Chart) && !context.is_alone() {
        // Without the labels of the axes.
        (fitted(state.size.0 / 4 * 3), Command::Zoom, "zoom")
    } else {
        return None;
    };
    let key = state.keys().name(command, Context::Token, appearance.glyphs)?;
    Some(MoreCandles { words: format!("{key}: {effect}"), candles: width.count_in(token.period, data) })
}

/// How the chart is drawn.
struct Drawing<'a> {
    view: &'a ChartView,
    /// The width of candles that the user has chosen.
    candle: CandleWidth,
    /// What the indicators of a line are computed from, and the time span of each close.
    closes: CandleData<'a>,
    interval: CandleWidth,
    more_candles: Option<MoreCandles>,
    averages: &'a [MovingAverage],
    rsi: Option<usize>,
    annotations: &'a Annotations,
    format: PriceFormat,
    zone: &'a Zone,
    theme: &'a Theme,
}

impl<'c> Drawing<'c> {
    fn new(
        context: &'c PanelContext<'_>,
        (data, closes): (CandleData<'_>, CandleData<'c>),
        convert: &Currency,
        annotations: &'c Annotations,
    ) -> Drawing<'c> {
        let PanelContext { state, token, appearance, .. } = context;
        let (view, preferences) = (&state.chart, &state.preferences);
        let candle = view.candle(token.period, token.chart_columns(state.size, data), data);
        Drawing {
            view,
            candle,
            closes,
            interval: if view.has_indicators() { view.interval(token.period, closes) } else { candle },
            more_candles: more_candles(context, data, candle),
            averages: if view.has_averages { preferences.averages.as_slice() } else { &[] },
            rsi: view.has_rsi.then_some(preferences.rsi),
            annotations,
            format: PriceFormat::of(convert),
            zone: &preferences.zone,
            theme: &appearance.theme,
        }
    }

    fn chart<'a>(&'a self, series: &'a Series<'_>, area: Rect) -> Chart<'a> {
        Chart::new(series)
            .annotations(self.annotations)
            .volume(area.height >= MIN_VOLUME_ROWS)
            .style(self.view.style)
            .candle(self.candle)
            .axis(self.view.axis)
            .closes_of(self.closes, self.interval)
            .averages(self.averages)
            .bands(self.view.has_bands)
            .rsi(self.rsi)
            .macd(self.view.has_macd)
            .more_candles(self.more_candles.as_ref())
            .format(self.format)
            .zone(self.zone)
            .theme(self.theme)
    }

    /// The series, whose summary is only of the candles that an area of this size shows: they may be wider than the
    /// chosen ones, and the first of them is hidden if it is not whole. A part of the data is shown with whole candles.
    fn shown_series<'a>(&self, data: CandleData<'a>, area: Rect) -> Series<'a> {
        if self.view.style != ChartStyle::Candles {
            return Series::from_data(data).summarised_from(data.incomplete(self.candle));
        }
        let series = |candle: CandleWidth| {
            let data = data.with_whole_candles(candle);
            Series::from_data(data).summarised_from(data.incomplete(candle))
        };
        let (chosen, is_whole) = (series(self.candle), !data.is_part());
        if is_whole && data.exchange().is_none() {
            // No candle is hidden.
            return chosen;
        }
        let candle = self.chart(&chosen, area).fitting_candle(area);
        let has_same_first = is_whole && data.incomplete(candle) == data.incomplete(self.candle);
        if candle == self.candle || has_same_first {
            return chosen;
        }
        series(candle)
    }

    /// The readout of a point, or of the drawn candle that contains it, with the indicators there.
    fn readout(&self, series: &Series<'_>, index: usize, drawn: &PreparedChart<'_>) -> Option<Readout> {
        let readout = match self.view.style {
            ChartStyle::Candles => Readout::of_candle(series, index, drawn.candle(), self.zone),
            _ => Readout::of_point(series, index, self.zone),
        };
        let indicators = drawn.indicators_at(series.points().get(index)?.time);
        Some(readout?.with_format(self.format).with_indicators(indicators))
    }
}
