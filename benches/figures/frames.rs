//! Frame times: the list of coins, and a chart.

use std::time::Duration;

use ratatui::buffer::Buffer;
use ratatui::layout::Rect;
use ratatui::style::Style;
use ratatui::widgets::Widget;
use satscope::app::{Command, next_deadline};
use satscope::model::{CandleWidth, ChartStyle, Point, UtcTime};
use satscope::view::widgets::chart::comparison::Line;
use satscope::view::widgets::chart::{Chart, Comparison, Series};

use crate::report::{Amount, Goal, heading, line};
use crate::timing::{medians, time};
use crate::world::{World, painter};

const SAMPLES: usize = 400;

/// Seconds in a week.
const WEEK: i64 = 7 * 86_400;

pub(crate) fn run() {
    heading("Frames at 200x50 (CPU time, medians)");
    let (mut some, mut many) = (World::new(5_000), World::new(50_000));
    let ((mut one, _), (mut other, _), (mut bare, _)) = (painter(), painter(), painter());
    let scroll = |world: &mut World, painter: &mut _| {
        world.command(Command::Down);
        time(|| {
            world.paint(painter);
        })
    };
    let mut empty = || {
        time(|| {
            bare.frame(|_| None).expect("the counter accepts all bytes");
        })
    };
    let [empty, of_some] = medians(SAMPLES, [&mut empty, &mut || scroll(&mut some, &mut one)]);
    let [again, of_many] =
        medians(SAMPLES, [&mut || scroll(&mut some, &mut one), &mut || scroll(&mut many, &mut other)]);
    line("list of 5,000 scrolled by a row; baseline: an empty frame", at(of_some), Some(at(empty)), Goal::None);
    line("list of 50,000 scrolled by a row; baseline: 5,000", at(of_many), Some(at(again)), Goal::None);
    let [key] = medians(
        SAMPLES,
        [&mut || {
            time(|| {
                some.command(Command::Up);
                let _ = next_deadline(&some.state);
            })
        }],
    );
    line("update, demand, deadline of a key; baseline: its frame", at(key), Some(at(of_some)), Goal::None);

    heading("A chart at 200x40");
    let (short, long) = (points(1_000), points(10_000));
    let candle = CandleWidth::parse("2h").expect("a width of candles");
    let area = Rect::new(0, 0, 200, 40);
    let mut buf = Buffer::empty(area);
    for (style, what) in [
        (ChartStyle::Area, "10,000 points; baseline: 1,000"),
        (ChartStyle::Candles, "candles of 10,000 points; baseline: of 1,000"),
    ] {
        let mut draw = |points: &[Point]| {
            time(|| {
                buf.reset();
                let series = Series::new(points);
                Widget::render(Chart::new(&series).candle(candle).style(style), area, &mut buf);
            })
        };
        let (mut of_short, mut of_long) = (Vec::new(), Vec::new());
        for _ in 0..SAMPLES {
            of_short.push(draw(&short));
            of_long.push(draw(&long));
        }
        let (of_short, of_long) = (crate::timing::median(of_short), crate::timing::median(of_long));
        line(what, at(of_long), Some(at(of_short)), Goal::Times(1.3));
    }
    let comparison = ComparedCoins::new();
    let mut compare = |count: usize| {
        time(|| {
            buf.reset();
            comparison.paint(count, &mut buf);
        })
    };
    let (mut of_one, mut of_six) = (Vec::new(), Vec::new());
    for _ in 0..SAMPLES {
        of_one.push(compare(1));
        of_six.push(compare(6));
    }
    let (of_one, of_six) = (crate::timing::median(of_one), crate::timing::median(of_six));
    line("comparison of six series; baseline: one", at(of_six), Some(at(of_one)), Goal::Times(2.0));
}

/// Up to six coins of a comparison.
pub(crate) struct ComparedCoins(Vec<Vec<Point>>);

impl ComparedCoins {
    /// Six coins with 1,000 prices each.
    pub(crate) fn new() -> ComparedCoins {
        ComparedCoins((0..6).map(|_| points(1_000)).collect())
    }

    /// Paints the comparison of the first `count` coins.
    pub(crate) fn paint(&self, count: usize, buf: &mut Buffer) {
        let mut lines = Vec::with_capacity(count);
        for (letter, points) in ('A'..).zip(self.0.iter().take(count)) {
            let style = Style::new();
            lines.push(Line { letter, name: "COIN", points, style, is_selected: false });
        }
        Widget::render(Comparison::new(&lines), buf.area, buf);
    }
}

fn at(time: Duration) -> Amount {
    Amount::Time(time)
}

/// Returns a series of `count` prices over the same week, so that charts differ only in their number of points.
pub(crate) fn points(count: u32) -> Vec<Point> {
    (0..count)
        .map(|i| {
            let share = f64::from(i) / f64::from(count);
            let price = 8.0 + (share * 40.0).sin() + (share * 900.0).sin() / 9.0;
            let time = UtcTime::from_secs(1_795_000_000 + i64::from(i) * WEEK / i64::from(count));
            Point { time, price: price.into(), volume: None, market_cap: None }
        })
        .collect()
}
