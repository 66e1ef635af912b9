//! The chart panel.

mod heading;
mod labels;
mod received;
mod title;

use ratatui::buffer::Buffer;
use ratatui::layout::Rect;
use ratatui::widgets::Widget;

use super::panel_context::PanelContext;
use super::unresolved;
use crate::app::ChartView;
use crate::app::chart::window::TimeSpan;
use crate::app::panel::Panel;
use crate::client::Group;
use crate::format::PriceFormat;
use crate::keymap::{Command, Context};
use crate::model::{CandleData, CandleWidth, ChartStyle, MovingAverage, Period, Point, Zone};
use crate::theme::Theme;
use crate::view::annotations::annotations;
use crate::view::area::below;
use crate::view::chrome::health::{self, Missing};
use crate::view::view_state::ViewState;
use crate::view::widgets::chart::period_prices::PeriodPrices;
use crate::view::widgets::chart::prepared::PreparedChart;
use crate::view::widgets::chart::{Annotations, Chart, ChartState, MoreCandles, Readout, Series, Shown};
use crate::view::widgets::{PanelTitle, Placeholder, text};
use labels::{IndicatorSettings, style_labels, window_labels};
use received::Received;
use title::{Drawn, Title};

/// Minimum height of a chart with volume.
const MIN_VOLUME_ROWS: u16 = 14;
/// Minimum height of a panel with lines of prices below its title, if they don't fit in the title. A panel that fills
/// the screen has them if it has at least the second height.
const MIN_PRICES_ROWS: [u16; 2] = [11, 8];

pub(super) fn paint(buf: &mut Buffer, area: Rect, context: &PanelContext<'_>, view_state: &mut ViewState) {
    let PanelContext { state, token, appearance, .. } = context;
    let (theme, zone) = (&appearance.theme, &state.preferences.zone);
    let up_to_now = state.points_up_to_now();
    let received = Received::new(context, up_to_now.as_deref());
    let coin = token.named_coin().coin;
    let end = received.data.all().points().last().map(|point| point.time);
    let annotations = received.chart.map(|chart| annotations(state, &coin, chart.convert, end)).unwrap_or_default();
    let draw = Drawing::new(context, &received, &annotations);
    let series = draw.shown_series(received.data, Rect { height: area.height.saturating_sub(1), ..area });
    let (timed, summary) = series.timed_summary(received.all_points).unzip();
    let timed = timed.unwrap_or_default();
    let all = received.data.all().points();
    let prices = summary.map(|summary| PeriodPrices { points: &timed, summary, all, format: draw.format, zone });

    let choices = Period::ALL.map(Period::as_str);
    let chosen = Period::ALL.iter().position(|period| *period == token.period);
    let focused = context.is_focused(Panel::Chart);
    let panel = PanelTitle::new("Chart").choices(&choices, chosen).focused(focused).theme(theme);
    let title = Title {
        panel,
        width: area.width,
        period: token.period,
        provider: received.provider(context),
        problem: received.problem(context),
        change: received.change(context, &series, panel.room(area.width)),
        prices,
        theme,
    };
    let times = timed.first().zip(timed.last()).map(|(first, last)| TimeSpan { start: first.time, end: last.time });
    let part = received.chart.and_then(|chart| chart.part);
    let window = part.map(|part| window_labels(times.unwrap_or(part), all, zone));
    let labels_for = |shown: &Shown| style_labels(draw.view, draw.indicators(), shown, &series, window.as_ref());
    let has_room = area.height >= MIN_PRICES_ROWS[usize::from(context.is_alone())];
    let lines = if has_room {
        title.lines_below(|| {
            let [label, ..] = labels_for(&draw.wanted());
            label
        })
    } else {
        Vec::new()
    };
    let below_title = u16::try_from(lines.len()).unwrap_or(0);
    let plot = below(area, 1 + below_title).intersection(buf.area);
    let drawn = draw.chart(&series, plot).prepare(plot);
    let shown = drawn.shown();
    let cursor = token.chart_cursor.and_then(|time| drawn.nearest(time));
    let readout = cursor.and_then(|index| draw.readout(&series, index, &drawn));
    let labels = labels_for(&shown);
    let in_title = Drawn { labels: &labels, readout, averages: &shown.averages, has_lines: !lines.is_empty() };
    let place = title.paint(buf, area, &in_title, view_state);

    if paint_missing(buf, place, context, &received, &series) {
        return;
    }
    // The prices at the cursor replace the period's prices.
    let prices = readout.map(|readout| readout.prices(place.width, lines.len()));
    for (row, line) in (0..below_title).zip(prices.as_ref().unwrap_or(&lines)) {
        text::put(buf, text::line(place, row), line, theme.dim);
    }
    paint_plot(buf, &drawn, series.points(), cursor, view_state);
    if received.is_old(state.now) {
        health::fade(buf, place);
    }
}

/// Paints the reason if there is no chart; returns `false` if there is one.
fn paint_missing(
    buf: &mut Buffer,
    place: Rect,
    context: &PanelContext<'_>,
    received: &Received<'_>,
    series: &Series<'_>,
) -> bool {
    let PanelContext { state, token, appearance, .. } = context;
    let theme = &appearance.theme;
    let sentence = token.no_series_reason(&state.responses, &state.convert);
    match (received.remote, sentence, received.chart) {
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
    points: &[Point],
    cursor: Option<usize>,
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
    fn new(context: &'c PanelContext<'_>, received: &Received<'c>, annotations: &'c Annotations) -> Drawing<'c> {
        let PanelContext { state, token, appearance, .. } = context;
        let (view, preferences) = (&state.chart, &state.preferences);
        let &Received { data, closes, convert, .. } = received;
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

    /// What the title says about the indicators.
    fn indicators(&self) -> IndicatorSettings<'_> {
        IndicatorSettings { averages: self.averages, interval: self.interval, more: self.more_candles.as_ref() }
    }

    /// What is drawn if there is room for all.
    fn wanted(&self) -> Shown {
        Shown {
            candle: self.candle,
            averages: self.averages.to_vec(),
            has_bands: self.view.has_bands,
            has_rsi: true,
            has_macd: true,
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
