//! The widgets on a plain ratatui terminal, next to widgets of ratatui.

use insta::assert_snapshot;
use ratatui::Terminal;
use ratatui::backend::TestBackend;
use ratatui::layout::{Constraint, Layout, Rect};
use ratatui::style::Stylize;
use ratatui::symbols::Marker;
use ratatui::widgets::canvas::{Canvas, Circle};
use ratatui::widgets::{self, Block, Padding};
use satscope::format::{Change, Price};
use satscope::model::{Point, UtcTime};
use satscope::theme::Theme;
use satscope::view::widgets::chart::{ChartState, Series};
use satscope::view::widgets::panel::TabTitle;
use satscope::view::widgets::table::{Column, TableState};
use satscope::view::widgets::{
    Chart, Histogram, PanelTitle, Placeholder, RangeBar, ShareBar, Sparkline, TabBar, Table,
};

fn points() -> Vec<Point> {
    let point = |hour: i64| Point {
        time: UtcTime::from_secs(1_795_183_200 + hour * 3_600),
        price: Some(8.4 + (hour as f64 / 9.0).sin()),
        volume: Some(1e6 * (hour % 7) as f64),
        market_cap: None,
    };
    (0..168).map(point).collect()
}

#[test]
fn widgets_render_on_a_ratatui_terminal() {
    let mut terminal = Terminal::new(TestBackend::new(80, 26)).unwrap();
    let theme = Theme::ansi();
    let points = points();
    let series = Series::new(&points);
    let (mut chart, mut table) = (ChartState::default().with_cursor(Some(40)), TableState::default());
    table.selected = Some(1);
    terminal
        .draw(|frame| {
            let [tabs, title, above, below] = Layout::vertical([
                Constraint::Length(1),
                Constraint::Length(1),
                Constraint::Length(12),
                Constraint::Fill(1),
            ])
            .areas(frame.area());
            let titles = [("1", "All"), ("2", "BRC-20")].map(|(key, title)| TabTitle { key, title });
            frame.render_widget(TabBar::new(&titles, 0), tabs);
            let periods = ["1D", "7D"];
            frame.render_widget(
                PanelTitle::new("Chart").choices(&periods, Some(1)).right("▲ 11.0%", theme.gain).focused(true),
                title,
            );
            frame.render_stateful_widget(Chart::new(&series).volume(true), above, &mut chart);

            let [left, right] = Layout::horizontal([Constraint::Fill(1), Constraint::Length(34)]).areas(below);
            let block = Block::bordered().title("ratatui".bold()).padding(Padding::horizontal(1));
            let inside = block.inner(left);
            frame.render_widget(block, left);
            let [line, range, share, list] = Layout::vertical([
                Constraint::Length(1),
                Constraint::Length(1),
                Constraint::Length(1),
                Constraint::Fill(1),
            ])
            .areas(inside);
            frame.render_widget(Sparkline::new(&[8.2, 8.4, 8.1, 8.9, 8.7, 8.3]).style(theme.loss), line);
            frame.render_widget(RangeBar::new(Some(8.1), Some(8.4), Some(8.9)), range);
            frame.render_widget(ShareBar::new(Some(0.62)), share);
            let columns =
                [Column::words("Coin", 6, 3).growing(12), Column::number("Price", 10, 2), Column::number("24h", 7, 1)];
            let coins = [("Bitcoin", 61_234.1, -1.4), ("ORDI", 8.41, 3.8), ("日本語", 7.34e-7, 0.0)];
            let rows = Table::new(&columns, coins.len(), |index, row| {
                let (name, price, change) = coins[index];
                row.words(0_usize, name, theme.text);
                row.decimal(1_usize, 4, Price(Some(price)), theme.strong);
                row.number(2_usize, Change(Some(change)), theme.change(Some(change)));
            });
            frame.render_stateful_widget(rows, list, &mut table);

            let [canvas, their_table, bars, sentence] = Layout::vertical([
                Constraint::Length(3),
                Constraint::Length(2),
                Constraint::Fill(1),
                Constraint::Length(1),
            ])
            .areas(right);
            let circle = Circle { x: 0.0, y: 0.0, radius: 9.0, color: ratatui::style::Color::Yellow };
            frame.render_widget(
                Canvas::default()
                    .marker(Marker::Braille)
                    .x_bounds([-40.0, 40.0])
                    .y_bounds([-10.0, 10.0])
                    .paint(move |it| it.draw(&circle)),
                canvas,
            );
            let cells = widgets::Row::new(["ORDI/USDT", "8.41"]);
            frame.render_widget(
                widgets::Table::new([cells], [Constraint::Length(12), Constraint::Length(8)]),
                their_table,
            );
            frame.render_widget(Histogram::new(&[4, 8, 0, 1, 6, 7]).ends(["block 1", "block 6"]), bars);
            frame.render_widget(Placeholder::failed("Server error (500) · retrying in 30 s"), sentence);
        })
        .unwrap();
    assert_snapshot!(terminal.backend());
    assert_eq!(table.selected, Some(1));
    assert!(chart.plot().is_some_and(|plot| plot.intersects(Rect::new(0, 2, 80, 12))));
}
