//! The candles of a chart.
//!
//! ```text
//!  ╷┃      Each cell has an upper and a lower half: thick for the body between open and close, thin for the wick to
//! ┃┃╹╷     high and low. Wide candles have bodies of blocks. Without colours, falling candles are filled blocks, and
//! ╵  █     wide ones that don't fall are hollow.
//! ```

use std::cmp::Ordering;

use ratatui::buffer::Buffer;
use ratatui::layout::Rect;
use ratatui::style::Style;

use super::columns::{Columns, Run};
use super::raster::{DOTS_PER_CELL, Raster, Scale};
use super::series::{Extent, Series};
use crate::model::{Candle, CandleData, CandleWidth, Point, UtcTime, VolumeSpan};
use crate::theme::Theme;

/// Maximum columns of a candle's body.
const MAX_BODY: u16 = 5;

/// A candle of a series.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Bar {
    /// The column of the bar.
    pub(super) column: u16,
    /// The time of its last point.
    pub(super) time: UtcTime,
    pub(super) open: f64,
    pub(super) close: f64,
    pub(super) extent: Extent,
    /// The volume of its trades, if it is built from candles with volumes.
    pub(super) volume: Option<f64>,
}

/// The candles of a series, oldest first; those without a price are missing.
pub(super) fn bars(series: &Series<'_>, columns: &Columns) -> Vec<Bar> {
    let data = series.data();
    let runs = columns.runs(series.points());
    if data.exchange().is_some() {
        return runs.filter_map(|run| bar_of_exchange(data, run, columns.candle()?)).collect();
    }
    let summed = columns.candle().filter(|_| data.volume_span() == VolumeSpan::Candle);
    let mut bars = Vec::with_capacity(usize::from(columns.width()));
    for Run { column, start, points } in runs {
        let price = |point: &Point| point.price;
        let (open, close) = (points.iter().find_map(price), points.iter().rev().find_map(price));
        if let (Some(open), Some(close), Some(last)) = (open, close, points.last()) {
            let extent = series.extent_of(points, start);
            // Also of its points outside a shown part.
            let volume = summed.and_then(|width| Candle::at(data, last.time, width)?.volume);
            bars.push(Bar { column, time: last.time, open, close, extent, volume });
        }
    }
    bars
}

/// The candle built from the exchange's candles that start at the points of a run; `None` if its start is not covered.
fn bar_of_exchange(data: CandleData<'_>, Run { column, points, .. }: Run<'_>, width: CandleWidth) -> Option<Bar> {
    let time = points.last()?.time;
    let Candle { open, close, high, low, volume, .. } = Candle::at(data, time, width)?;
    Some(Bar { column, time, open, close, extent: Extent { low, high }, volume })
}

/// The columns of each body: odd, so that the wick is in the middle, with a blank column between two bodies.
fn body_width(pitch: u16) -> u16 {
    let widest = pitch.saturating_sub(1).clamp(1, MAX_BODY);
    if pitch <= 3 { 1 } else { widest - (widest + 1) % 2 }
}

/// How the body of a candle is drawn.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Body {
    /// As a thick line of one column.
    Line,
    /// As blocks.
    Filled,
    /// As a frame.
    Hollow,
}

/// What a half of a cell shows.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Half {
    Blank,
    Wick,
    Body,
}

impl Bar {
    /// The style of its direction.
    pub(super) fn style(&self, theme: &Theme) -> Style {
        match self.close.partial_cmp(&self.open) {
            Some(Ordering::Greater) => theme.gain,
            Some(Ordering::Less) => theme.loss,
            _ => theme.chart_line,
        }
    }

    /// How its body is drawn, which has `width` columns.
    fn body(&self, width: u16, theme: &Theme) -> Body {
        // With colours, a filled body would only make falling candles look heavier.
        let (is_colourless, falls) = (theme.gain == theme.loss, self.close < self.open);
        if width > 1 {
            if is_colourless && !falls { Body::Hollow } else { Body::Filled }
        } else if is_colourless && falls {
            Body::Filled
        } else {
            Body::Line
        }
    }
}

/// Paints the candles, and returns the cells that they cover.
pub(super) fn paint(buf: &mut Buffer, plot: Rect, bars: &[Bar], pitch: u16, scale: &Scale, theme: &Theme) -> Raster {
    let mut raster = Raster::empty(plot);
    // From the rows of dots, like the rows of labels and lines.
    let dots = scale.rows(plot.height.saturating_mul(DOTS_PER_CELL));
    let row = |price: f64| dots(price) / 2;
    let width = body_width(pitch);
    for bar in bars {
        let (top, bottom) = (row(bar.extent.high), row(bar.extent.low));
        let (open, close) = (row(bar.open), row(bar.close));
        let (body_top, body_bottom) = (open.min(close), open.max(close));
        let (style, body) = (bar.style(theme), bar.body(width, theme));
        let left = bar.column.saturating_sub(width / 2);
        for column in left..(left + width).min(plot.width) {
            let is_middle = column == bar.column;
            let (top, bottom) = if is_middle { (top, bottom) } else { (body_top, body_bottom) };
            raster.cover(column, top * 2, bottom * 2 + 1);
            let half = |row: u16| match row {
                row if row < top || row > bottom => Half::Blank,
                row if row < body_top || row > body_bottom => Half::Wick,
                _ => Half::Body,
            };
            for row in top / 2..=bottom / 2 {
                let halves = (half(row * 2), half(row * 2 + 1));
                let symbol = match body {
                    Body::Line => line(halves),
                    Body::Filled => block(halves),
                    Body::Hollow if (body_top / 2..=body_bottom / 2).contains(&row) => {
                        let (is_first, is_last) = (row == body_top / 2, row == body_bottom / 2);
                        match (is_first && top < body_top, is_last && bottom > body_bottom) {
                            (true, true) => '┼',
                            (true, false) => '┴',
                            (false, true) => '┬',
                            _ if column == left => frame(['┌', '│', '└'], is_first, is_last),
                            _ if column + 1 == left + width => frame(['┐', '│', '┘'], is_first, is_last),
                            _ => frame(['─', ' ', '─'], is_first, is_last),
                        }
                    }
                    Body::Hollow => line(halves),
                };
                if let Some(cell) = buf.cell_mut((plot.x + column, plot.y + row)) {
                    // What is below it may be dim.
                    cell.reset();
                    cell.set_char(symbol).set_style(style);
                }
            }
        }
    }
    raster
}

/// A cell of a candle of one column.
fn line(halves: (Half, Half)) -> char {
    match halves {
        (Half::Blank, Half::Blank) => ' ',
        (Half::Body, Half::Body) => '┃',
        (Half::Wick, Half::Wick) => '│',
        (Half::Blank, Half::Body) => '╻',
        (Half::Body, Half::Blank) => '╹',
        (Half::Blank, Half::Wick) => '╷',
        (Half::Wick, Half::Blank) => '╵',
        (Half::Wick, Half::Body) => '╽',
        (Half::Body, Half::Wick) => '╿',
    }
}

/// A cell of a wide candle. No character has halves of both a wick and a body: such a cell is filled, since the wick
/// would end before its body otherwise.
fn block(halves: (Half, Half)) -> char {
    match halves {
        (Half::Body | Half::Wick, Half::Body) | (Half::Body, Half::Wick) => '█',
        (Half::Blank, Half::Body) => '▄',
        (Half::Body, Half::Blank) => '▀',
        halves => line(halves),
    }
}

/// A cell of a hollow body, of the characters of its column in the first, another, and the last row.
fn frame([first, other, last]: [char; 3], is_first: bool, is_last: bool) -> char {
    match (is_first, is_last) {
        (true, true) => '─',
        (true, false) => first,
        (false, true) => last,
        (false, false) => other,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Candles (open, close, low, high) in four rows, whose halves are the prices from 7 down to 0.
    fn painted(candles: &[(f64, f64, f64, f64)], theme: &Theme) -> Vec<String> {
        let bar = |(index, &(open, close, low, high)): (u16, &(f64, f64, f64, f64))| {
            let (column, time) = (1 + index * 4, UtcTime::from_secs(i64::from(index) * 3_600));
            Bar { column, time, open, close, extent: Extent { low, high }, volume: None }
        };
        let bars: Vec<Bar> = (0..).zip(candles).map(bar).collect();
        let plot = Rect::new(0, 0, u16::try_from(candles.len()).unwrap() * 4, 4);
        let mut buf = Buffer::empty(plot);
        paint(&mut buf, plot, &bars, 4, &Scale::new(0.0, 7.0), theme);
        buf.content.chunks(usize::from(plot.width)).map(|row| row.iter().map(|cell| cell.symbol()).collect()).collect()
    }

    /// Bodies that begin and end at every half of a row: with both wicks, one of them, and none.
    const CANDLES: [(f64, f64, f64, f64); 9] = [
        (2.0, 5.0, 0.0, 7.0),
        (2.0, 4.0, 0.0, 7.0),
        (3.0, 5.0, 0.0, 7.0),
        (3.0, 4.0, 0.0, 7.0),
        (4.0, 4.0, 1.0, 5.0),
        (2.0, 4.0, 0.0, 4.0),
        (3.0, 3.0, 3.0, 6.0),
        (1.0, 6.0, 0.0, 7.0),
        (1.0, 6.0, 1.0, 6.0),
    ];

    #[test]
    fn wicks_touch_the_middle_of_wide_bodies() {
        assert_eq!(
            painted(&CANDLES, Theme::ANSI),
            [
                " │   │   │   │           ╷  ▄█▄ ▄▄▄ ",
                "███ ▄█▄ ███ ▄█▄ ▄█▄ ▄▄▄  │  ███ ███ ",
                "███ ███ ▀█▀ ▀█▀  │  ███ ▀▀▀ ███ ███ ",
                " │   │   │   │   ╵   │      ▀█▀ ▀▀▀ ",
            ]
        );
    }

    #[test]
    fn wicks_touch_the_frames_of_hollow_bodies() {
        static PLAIN: Theme = Theme::plain();
        assert_eq!(
            painted(&CANDLES, &PLAIN),
            [
                " │   │   │   │           ╷  ┌┴┐ ┌─┐ ",
                "┌┴┐ ┌┴┐ ┌┴┐ ┌┴┐ ─┼─ ┌─┐  │  │ │ │ │ ",
                "└┬┘ └┬┘ └┬┘ └┬┘  │  └┬┘ ─┴─ │ │ │ │ ",
                " │   │   │   │   ╵   │      └┬┘ └─┘ ",
            ]
        );
    }

    #[test]
    fn candles_are_in_the_rows_of_lines_and_labels() {
        let scale = Scale::new(0.0, 7.0);
        for height in 1..40 {
            for close in (0..=70).map(|tenths| f64::from(tenths) / 10.0) {
                let extent = Extent { low: close, high: close };
                let bar = Bar { column: 0, time: UtcTime::from_secs(0), open: close, close, extent, volume: None };
                let plot = Rect::new(0, 0, 1, height);
                let mut buf = Buffer::empty(plot);
                paint(&mut buf, plot, &[bar], 1, &scale, Theme::ANSI);
                let row = (0..height).find(|&y| buf[(0, y)].symbol() != " ");
                assert_eq!(row, Some(scale.cell_row(close, height)), "{close} in {height} rows");
            }
        }
    }

    #[test]
    fn candles_at_the_ends_of_a_part_have_all_their_volume() {
        let time = |minute: i64| UtcTime::from_secs(minute * 60);
        let point = |n: i64| Point { time: time(n * 5), price: Some(8.0), volume: Some(10.0), market_cap: None };
        let points: Vec<Point> = (0..12).map(point).collect();
        let data = CandleData::sampled(&points).with_volume_span(VolumeSpan::Candle);
        // One of the three points of the first candle, and two of those of the last one.
        let part = data.part(time(25), time(50));
        let columns = Columns::of_candles(part.points(), CandleWidth::parse("15m").unwrap(), 12);
        let bars = bars(&Series::from_data(part), &columns);
        let volumes: Vec<Option<f64>> = bars.iter().map(|bar| bar.volume).collect();
        assert_eq!(volumes, [Some(30.0); 3]);
    }

    #[test]
    fn candle_bodies_have_odd_widths_and_gaps() {
        assert_eq!([0, 1, 2, 3, 4, 5, 6, 7, 40].map(body_width), [1, 1, 1, 1, 3, 3, 5, 5, 5]);
    }
}
