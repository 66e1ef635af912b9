//! The received chart, and what the title says about it.

use ratatui::style::Style;

use super::labels::joined;
use crate::app::Remote;
use crate::app::screen::token::ShownChart;
use crate::client::ResponseData;
use crate::format::{Arrow, Clock, Date};
use crate::model::provider::credits;
use crate::model::{CandleData, ChartAxis, Coin, Currency, Point, UtcTime};
use crate::view::chrome::health::{self, Health, Part};
use crate::view::token::panel_context::PanelContext;
use crate::view::widgets::chart::Series;
use crate::view::widgets::text;

/// The received chart.
pub(super) struct Received<'a> {
    /// The state of its request; `None` if there is nothing to request.
    pub(super) remote: Option<Remote<'a, ResponseData>>,
    /// The chart, if it has arrived.
    pub(super) chart: Option<ShownChart<'a>>,
    /// What is drawn; empty without a chart, as the next two are.
    pub(super) data: CandleData<'a>,
    /// What the indicators are computed from.
    pub(super) closes: CandleData<'a>,
    /// All points of the period.
    pub(super) all_points: &'a [Point],
    /// The currency of the prices.
    pub(super) convert: &'a Currency,
    /// The coin in the lists, with prices in this currency.
    listed: Option<&'a Coin>,
    /// When the prices end, if that is too early. The service may keep sending old prices.
    early_end: Option<UtcTime>,
}

/// The change of the price over the shown time.
pub(super) struct Change {
    /// In words.
    pub(super) words: String,
    pub(super) style: Style,
}

impl<'a> Received<'a> {
    /// The chart of the open token, with the points up to the current price if there is one.
    pub(super) fn new(context: &'a PanelContext<'_>, up_to_now: Option<&'a [Point]>) -> Received<'a> {
        let PanelContext { state, token, .. } = context;
        let request = token.chart_request(&state.convert);
        let remote = request.as_ref().map(|request| state.responses.get(request));
        let chart = token.chart(&state.responses, &state.convert);
        let chart = chart.map(|chart| chart.up_to_now(up_to_now, token.chart_window));
        let all_points = chart.map_or(&[][..], |chart| chart.all_points);
        Received {
            remote,
            chart,
            data: chart.map_or_else(CandleData::default, |chart| chart.data(state.chart.style)),
            closes: chart.map_or_else(CandleData::default, |chart| chart.indicator_data()),
            all_points,
            convert: chart.map_or(&state.convert, |chart| chart.convert),
            listed: chart.and_then(|chart| context.listed_coin(chart.convert)),
            early_end: token.period.early_end(all_points, state.now),
        }
    }

    /// Whether the prices are old.
    pub(super) fn is_old(&self, now: UtcTime) -> bool {
        self.remote.is_some_and(|remote| remote.is_stale(now)) || self.early_end.is_some()
    }

    /// The provider of the chart and its age, without the exchange of its candles, which their label names.
    pub(super) fn provider(&self, context: &PanelContext<'_>) -> String {
        let parts = self.remote.and_then(|remote| health::source_parts(remote, context.state.now));
        let Some([provider, age]) = parts else { return String::new() };
        let is_named = self.data.exchange().is_some_and(|slice| credits(slice.exchange) == provider);
        if is_named { age } else { joined(&[&provider, &age]) }
    }

    /// What is wrong with the chart: it is stale, its prices end early, or they differ from the listed price.
    pub(super) fn problem(&self, context: &PanelContext<'_>) -> Option<Health> {
        let chart = self.chart?;
        let (state, zone) = (context.state, &context.state.preferences.zone);
        let stale = self.remote.filter(|it| it.is_stale(state.now) || it.failure().is_some());
        let stale = stale.map(|stale| context.explained.health(stale, state));
        let problem = stale.or_else(|| {
            let text = self.early_end.map(|end| {
                let (day, today) = (zone.at(end), zone.at(state.now));
                format!("prices end {} {}", Date { day, with_year: day.year() != today.year() }, Clock(day))
            });
            let differs = || self.listed.is_some_and(|listed| state.differs_from_list(listed, chart.all_points));
            let text = text.or_else(|| differs().then(|| String::from("differs from the listed price")))?;
            Some(Health::problem([Part::note(text)]))
        })?;
        if *chart.convert == state.convert {
            return Some(problem);
        }
        Some(problem.in_currency(chart.convert.as_str()))
    }

    /// The change of the price over the shown time; `None` without prices. A change over all time names its start: the
    /// day, or only the year if the day needs more than `room` columns.
    pub(super) fn change(&self, context: &PanelContext<'_>, series: &Series<'_>, room: u16) -> Option<Change> {
        let PanelContext { state, token, appearance, .. } = context;
        let chart = self.chart?;
        let (drawn, is_whole) = (series.summary()?, chart.part.is_none());
        let change = match state.chart.axis {
            // As on the axis, whose 0% is the first price drawn.
            ChartAxis::Percent => drawn.change_pct(),
            _ if !is_whole => drawn.change_pct(),
            // The same one for candles.
            _ => self
                .listed
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
        Some(Change { words: format!("{note}{arrow}"), style: appearance.theme.change(change) })
    }
}
