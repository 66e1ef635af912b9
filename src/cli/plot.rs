//! `--format plot`: charts of prices and of inscriptions per block, as lines of text.

use std::io::{self, BufWriter, IsTerminal as _, Write as _};
use std::time::Duration;

use ratatui::buffer::Buffer;
use ratatui::layout::Rect;
use ratatui::style::Style;
use ratatui::widgets::Widget as _;

use super::args::{Command, Format};
use super::failure::{Failure, say};
use super::output::{device, warn_about_time_zone};
use super::table::Output;
use crate::app::chart::year;
use crate::client::ResponseData;
use crate::config::Display;
use crate::format::words::counted;
use crate::format::{Arrow, Date, PriceFormat, PriceIn, Span};
use crate::model::{CandleData, CandleWidth, ChartStyle, Currency, InscriptionStat, MarketSeries, Period, Point};
use crate::model::{Zone, provider};
use crate::terminal::write_lines;
use crate::theme::{Theme, color_term};
use crate::view::block_histogram::BlockHistogram;
use crate::view::widgets::chart::comparison::{Comparison, Line};
use crate::view::widgets::chart::moment::short_moment;
use crate::view::widgets::chart::period_prices::PeriodPrices;
use crate::view::widgets::chart::{Chart, Series, candle_labels};
use crate::view::widgets::text;

/// Columns in a pipe, or on a terminal of unknown size.
const COLUMNS: u16 = 80;
/// Rows of a chart in a pipe and at most on a terminal, so that earlier output stays visible.
const ROWS: u16 = 20;
/// Minimum rows of a chart; with fewer, it has no axes.
const MIN_ROWS: u16 = 6;
/// Rows of a terminal reserved for the command, the headings and the next prompt.
const OTHER_ROWS: u16 = 5;
/// Rows of each of several charts.
const ROWS_EACH: u16 = 9;
/// Columns of a chart's axes without the digits of the last price.
const AXES: u16 = 12;
/// From this height on, a chart has its volume below, as in the dashboard.
const MIN_VOLUME_ROWS: u16 = 14;

/// Whether a command has a chart.
fn can_plot(command: &Command) -> bool {
    matches!(command, Command::Chart { .. } | Command::Market { .. } | Command::InscriptionStats { .. })
}

/// Rejects `--format plot` for a command without a chart.
pub(super) fn check(format: Option<Format>, command: &Command) -> Result<(), Failure> {
    match format {
        Some(Format::Plot) if !can_plot(command) => {
            Err(Failure::Usage(String::from("--format plot works only with chart, market and inscription-stats")))
        }
        Some(Format::Json | Format::Csv | Format::Table) if style(command).is_some() => {
            Err(Failure::Usage(String::from("--style works only with --format plot")))
        }
        _ => Ok(()),
    }
}

/// The chosen style of a price chart.
pub(super) fn style(command: &Command) -> Option<ChartStyle> {
    if let Command::Chart { style, .. } = command { *style } else { None }
}

/// The format of a command; by default a plot if a style is chosen, or if it has a chart and the output is a terminal.
pub(super) fn default_format(format: Option<Format>, command: &Command) -> Option<Format> {
    let is_plot = style(command).is_some() || can_plot(command) && io::stdout().is_terminal();
    format.or_else(|| is_plot.then_some(Format::Plot))
}

/// Prints the chart of a response. A response without values is one line on standard error.
pub(super) fn print(
    response: &ResponseData,
    provider: Option<&str>,
    style: ChartStyle,
    display: &Display,
) -> Result<(), Failure> {
    let stdout = io::stdout().lock();
    let on_terminal = stdout.is_terminal();
    warn_about_time_zone(display);
    let device = device(display, on_terminal);
    let width = columns(&device);
    // Without a terminal, crossterm would run another program to find the size.
    let terminal = on_terminal.then(crate::terminal::size).and_then(Result::ok);
    let rows = terminal.map_or(ROWS, |(_, rows)| rows.saturating_sub(OTHER_ROWS).clamp(MIN_ROWS, ROWS));
    let theme = theme(display, &device);
    let context = PlotContext { width, rows, zone: &device.zone, theme: &theme };
    let (mut plots, missing) = match response {
        ResponseData::Chart(chart) => {
            let points = chart.period.within(&chart.points);
            let start = chart.period.start_of_all(points).map(|start| device.zone.at(start));
            let since = start.map(|day| format!(" since {}", Date { day, with_year: true })).unwrap_or_default();
            let name = format!("{} · {}{since}", chart.slug, chart.period.as_str());
            let exchange = chart.candles.as_ref().and_then(|candles| candles.of_period(points));
            let exchange = exchange.filter(|_| style == ChartStyle::Candles);
            let sampled = CandleData::sampled(points).with_volume_span(chart.volume_span);
            let data = exchange.map_or(sampled, CandleData::of_exchange);
            let drawn = Drawn { style, data, period: chart.period };
            let missing = format!("no {} for {}", year::prices(chart.period), chart.slug);
            (context.prices(&name, &chart.convert, points, drawn, rows).into_iter().collect(), missing)
        }
        ResponseData::Market(series) => {
            let names: Vec<&str> = series.iter().map(|series| series.symbol.as_str()).collect();
            (context.market(series), format!("no prices for {}", names.join(", ")))
        }
        ResponseData::InscriptionStats(page) => {
            (context.blocks(&page.items).into_iter().collect(), String::from("no inscription statistics"))
        }
        _ => (Vec::new(), String::from("no values")),
    };
    if plots.is_empty() {
        say(&missing);
        return Ok(());
    }
    plots.extend(provider.map(|name| context.source(name)));
    let mut out = BufWriter::with_capacity(64 * 1024, stdout);
    for mut plot in plots {
        display.glyphs().apply(&mut plot);
        write_lines(&mut out, &plot, device.colour)?;
    }
    Ok(out.flush()?)
}

/// The columns of a device.
pub(super) fn columns(device: &Output) -> u16 {
    device.width.and_then(|columns| u16::try_from(columns).ok()).unwrap_or(COLUMNS)
}

/// The theme of a device with the user's colours. Where colours are off, charts differ in shapes instead.
pub(super) fn theme(display: &Display, device: &Output) -> Theme {
    let variable = |name: &str| std::env::var(name).ok();
    let [term, colours] = ["TERM", "COLORFGBG"].map(variable);
    let no_color = (!device.colour).then_some("1");
    display.theme.theme(no_color, term.as_deref(), color_term(variable).as_deref(), colours.as_deref())
}

/// The prices of a line of a comparison, in words.
struct Prices {
    /// The last price with its currency, the change in the period, and the time of the last price.
    last: String,
    change: String,
    style: Style,
    time: String,
    /// Open, high and low with their times.
    others: [String; 3],
}

impl Prices {
    /// The columns of all in one line.
    fn width(&self) -> u16 {
        let parts = [&self.last, &self.change, &self.time].into_iter().chain(&self.others);
        parts.map(|part| text::width(part).saturating_add(2)).fold(0, u16::saturating_add)
    }
}

/// Open, high and low, without their times if these don't fit into so many columns.
fn extremes(prices: [&String; 3], separator: &str, columns: u16) -> String {
    let timed = prices.map(String::as_str).join(separator);
    if text::width(&timed) <= columns {
        return timed;
    }
    // `O 17.91 16 Nov 14:00`
    let price = |price: &String| price.split(' ').take(2).collect::<Vec<_>>().join(" ");
    prices.map(price).join(" · ")
}

/// The time from the first price to the last; `None` with fewer than two.
fn priced_span(points: &[Point]) -> Option<Duration> {
    let mut priced = points.iter().filter(|point| point.price.is_some());
    let first = priced.next()?;
    Some(priced.next_back()?.time.since(first.time))
}

/// How prices are drawn.
struct Drawn<'a> {
    style: ChartStyle,
    data: CandleData<'a>,
    period: Period,
}

impl<'a> Drawn<'a> {
    fn area(series: &'a MarketSeries) -> Drawn<'a> {
        let data = CandleData::sampled(&series.points).with_volume_span(series.volume_span);
        Drawn { style: ChartStyle::Area, data, period: Period::Day }
    }
}

/// Size, time zone and styles of the plots.
struct PlotContext<'a> {
    width: u16,
    /// Rows of one chart.
    rows: u16,
    zone: &'a Zone,
    theme: &'a Theme,
}

impl PlotContext<'_> {
    /// An empty buffer with this many rows of headings, and the area below them.
    fn blank(&self, headings: u16, rows: u16) -> (Buffer, Rect) {
        let buf = Buffer::empty(Rect::new(0, 0, self.width, headings + rows));
        let below = Rect { y: headings, height: rows, ..buf.area };
        (buf, below)
    }

    /// The chart of a price, with candles of this width.
    fn chart<'a>(&'a self, series: &'a Series<'_>, style: ChartStyle, candle: CandleWidth, rows: u16) -> Chart<'a> {
        let chart = Chart::new(series).style(style).candle(candle);
        chart.volume(rows >= MIN_VOLUME_ROWS).zone(self.zone).theme(self.theme)
    }

    /// A price over time; `None` if there is no price. `line` has the points of the period, even for candles.
    fn prices(
        &self,
        name: &str,
        convert: &Currency,
        line: &[Point],
        Drawn { style, data, period }: Drawn<'_>,
        rows: u16,
    ) -> Option<Buffer> {
        let (mut buf, place) = self.blank(2, rows);
        let theme = self.theme;
        let format = PriceFormat::of(convert);
        let line_summary = Series::new(line).summary()?;
        let axes = AXES + text::width(&format.price(Some(line_summary.last.1)).to_string());
        // The chart draws wider candles than these if that many don't fit.
        let narrowest = CandleWidth::fitted(None, period, self.width.saturating_sub(axes), data, 0);
        let series = Series::from_data(data);
        let candle = self.chart(&series, style, narrowest, rows).format(format).fitting_candle(place);
        let series = series.summarised_from(data.incomplete(candle));
        let (points, summary) = series.timed_summary(line)?;
        // That of the line, even for candles, as in the dashboard.
        let change_pct = line_summary.change_pct();
        let last = format!("  {} {convert}  ", PriceIn(convert, Some(summary.last.1)));
        let change = Arrow(change_pct).to_string();
        let head = text::line(buf.area, 0);
        let room = head.width.saturating_sub(text::width(&last) + text::width(&change));
        let name = match style {
            ChartStyle::Candles => {
                let labels = candle_labels(candle, data).map(|label| format!("{name} · {label}"));
                let [.., shortest] = &labels;
                labels.iter().find(|label| text::width(label) <= room).unwrap_or(shortest).clone()
            }
            _ => name.to_owned(),
        };
        let mut at = 0;
        for (words, style) in [
            (text::shortened(&name, room).as_ref(), theme.title),
            (&last, theme.text),
            (&change, theme.change(change_pct)),
        ] {
            at += text::put(&mut buf, text::shifted(head, at), words, style);
        }
        // The last price and its time are in the line above.
        let time = points.get(summary.last.0).map(|point| short_moment(line, point.time, self.zone));
        let rest = text::shifted(head, at + 2);
        if let Some(time) = time.filter(|time| text::width(time) <= rest.width) {
            text::put(&mut buf, rest, &time, theme.dim);
        }
        let prices = PeriodPrices { points: &points, summary, all: line, format, zone: self.zone };
        let [open, high, low, _] = prices.ohlc();
        let below = text::line(buf.area, 1);
        let extremes = extremes([&open, &high, &low], " · ", below.width);
        text::put(&mut buf, below, text::parts(&extremes, below.width), theme.dim);
        self.chart(&series, style, candle, rows).format(format).render(place, &mut buf);
        Some(buf)
    }

    /// A chart of one coin, a comparison of a few, or a chart for each of many, since a comparison would be unreadable.
    fn market(&self, all: &[MarketSeries]) -> Vec<Buffer> {
        let name = |series: &MarketSeries| {
            let is_shared = all.iter().filter(|other| other.symbol == series.symbol).count() > 1;
            match &series.slug {
                Some(slug) if is_shared => format!("{} ({slug})", series.symbol),
                _ => series.symbol.to_string(),
            }
        };
        let named: Vec<(String, &MarketSeries)> = all
            .iter()
            .filter(|series| series.points.iter().any(|point| point.price.is_some()))
            .map(|series| (name(series), series))
            .collect();
        if (2..=self.theme.lines.len()).contains(&named.len()) {
            return vec![self.comparison(&named)];
        }
        let rows = if named.len() > 1 { ROWS_EACH } else { self.rows };
        let plot = |(name, series): &(String, &MarketSeries)| {
            let points = counted(series.points.len(), "point");
            let span = priced_span(&series.points).map(|span| format!(" over {}", Span(span))).unwrap_or_default();
            let name = format!("{name} · {points}{span}");
            self.prices(&name, &series.convert, &series.points, Drawn::area(series), rows)
        };
        named.iter().filter_map(plot).collect()
    }

    /// The prices of a line of a comparison; `None` if there are none.
    fn summary(&self, series: &MarketSeries) -> Option<Prices> {
        let points = &series.points;
        let summary = Series::new(points).summary()?;
        let format = PriceFormat::of(&series.convert);
        let [open, high, low, _] = PeriodPrices { points, summary, all: points, format, zone: self.zone }.ohlc();
        let time = points.get(summary.last.0).map(|point| short_moment(points, point.time, self.zone));
        let span = priced_span(points).map(|span| format!(" in {}", Span(span))).unwrap_or_default();
        Some(Prices {
            last: format!("{} {}", PriceIn(&series.convert, Some(summary.last.1)), series.convert),
            change: format!("{}{span}", Arrow(summary.change_pct())),
            style: self.theme.change(summary.change_pct()),
            time: time.unwrap_or_default(),
            others: [open, high, low],
        })
    }

    /// Several prices as changes from their first, with the open, high, low and last price of each.
    fn comparison(&self, named: &[(String, &MarketSeries)]) -> Buffer {
        let theme = self.theme;
        let lines: Vec<Line<'_>> = ('A'..)
            .zip(named)
            .zip(theme.lines)
            .map(|((letter, (name, series)), style)| Line {
                letter,
                name,
                points: &series.points,
                style,
                is_selected: false,
            })
            .collect();
        let names = named.iter().map(|(name, _)| text::width(name)).max().unwrap_or(0);
        let prices: Vec<Option<Prices>> = named.iter().map(|(_, series)| self.summary(series)).collect();
        // One line for each coin if all prices fit, otherwise two.
        let is_wide = |prices: &Prices| names + 4 + prices.width() <= self.width;
        let lines_each = if prices.iter().flatten().all(is_wide) { 1 } else { 2 };
        let headings = u16::try_from(named.len()).unwrap_or(0) * lines_each;
        let rows = self.rows.saturating_sub(headings.saturating_sub(2)).max(MIN_ROWS);
        let (mut buf, place) = self.blank(headings, rows);
        for ((row, line), prices) in (0..).step_by(usize::from(lines_each)).zip(&lines).zip(&prices) {
            let Some(prices) = prices else { continue };
            let head = text::line(buf.area, row);
            text::put(&mut buf, head, &line.letter.to_string(), line.style);
            text::put(&mut buf, text::shifted(head, 2), line.name, theme.title);
            let mut place = text::shifted(head, names + 4);
            let used = text::put(&mut buf, place, &prices.last, theme.text) + 2;
            let used = used + text::put(&mut buf, text::shifted(place, used), &prices.change, prices.style) + 2;
            let rest = text::shifted(place, used);
            if text::width(&prices.time) <= rest.width {
                text::put(&mut buf, rest, &prices.time, theme.dim);
            }
            place = match lines_each {
                1 => text::shifted(rest, text::width(&prices.time) + 2),
                _ => text::shifted(text::line(buf.area, row + 1), 2),
            };
            let others = extremes(prices.others.each_ref(), "  ", place.width);
            text::put(&mut buf, place, text::parts(&others, place.width), theme.dim);
        }
        Comparison::new(&lines).zone(self.zone).theme(theme).render(place, &mut buf);
        buf
    }

    /// Inscriptions per block; `None` if there are none.
    fn blocks(&self, stats: &[InscriptionStat]) -> Option<Buffer> {
        let blocks = BlockHistogram::new(stats)?;
        let (mut buf, place) = self.blank(2, self.rows);
        let line = |row| text::line(buf.area, row);
        let (title, facts) = (line(0), line(1));
        text::put(&mut buf, title, "Inscriptions per block", self.theme.title);
        text::put(&mut buf, facts, text::parts(&blocks.summary, facts.width), self.theme.dim);
        blocks.bars().zone(self.zone).theme(self.theme).render(place, &mut buf);
        Some(buf)
    }

    /// The providers, with the required attribution.
    fn source(&self, name: &str) -> Buffer {
        let words = if provider::attributions(name).is_empty() {
            format!("Data: {}", provider::titles(name))
        } else {
            provider::credits(name)
        };
        let mut buf = Buffer::empty(Rect::new(0, 0, self.width, 1));
        let line = buf.area;
        text::put(&mut buf, line, &words, self.theme.dim);
        buf
    }
}
