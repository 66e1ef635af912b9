//! The baseline of the first frame: a ratatui table with as many rows and columns as the list of coins, painted in one
//! write. Then it waits for a key. Run by `figures`; without a terminal it does nothing.

use std::io::{self, BufWriter, IsTerminal, Read, Write};

use crossterm::{cursor, queue, terminal};
use ratatui::backend::CrosstermBackend;
use ratatui::layout::Constraint;
use ratatui::style::{Color, Style, Stylize};
use ratatui::widgets::{Cell, Row, Table};
use ratatui::{Terminal, TerminalOptions, Viewport};

fn main() -> io::Result<()> {
    if !io::stdout().is_terminal() || std::env::args().any(|argument| argument == "--bench") {
        return Ok(());
    }
    let (columns, rows) = terminal::size()?;
    terminal::enable_raw_mode()?;
    let mut out = BufWriter::with_capacity(128 * 1024, io::stdout());
    queue!(out, terminal::EnterAlternateScreen, cursor::Hide, terminal::BeginSynchronizedUpdate)?;
    let area = ratatui::layout::Rect::new(0, 0, columns, rows);
    let options = TerminalOptions { viewport: Viewport::Fixed(area) };
    let mut terminal = Terminal::with_options(CrosstermBackend::new(out), options)?;
    terminal.draw(|frame| {
        let widths = [5, 1, 24, 8, 12, 8, 8, 8, 20, 10, 10, 24].map(Constraint::Length);
        frame.render_widget(Table::new((1..=rows - 4).map(row), widths).header(Row::new(HEAD).bold()), area);
    })?;
    queue!(terminal.backend_mut(), terminal::EndSynchronizedUpdate)?;
    Write::flush(terminal.backend_mut())?;
    let _ = io::stdin().read(&mut [0])?;
    terminal::disable_raw_mode()
}

const HEAD: [&str; 12] =
    ["#", "★", "Coin", "", "Price", "1h", "24h", "7d", "24h range", "Volume 24h", "Market cap", "7 days"];

fn row(number: u16) -> Row<'static> {
    let price = 61_234.1 / f64::from(number);
    let colour = if number.is_multiple_of(2) { Color::Green } else { Color::Red };
    let style = Style::new().fg(colour);
    let change = f64::from(number % 23) - 11.0;
    Row::new([
        Cell::from(format!("{number:>5}")).dim(),
        Cell::from("★"),
        Cell::from(format!("Coin number {number}")),
        Cell::from(format!("C{number}")).dim(),
        Cell::from(format!("{price:>12.4}")).bold(),
        Cell::from(format!("▲ {change:.1}%")).style(style),
        Cell::from(format!("▼ {change:.1}%")).style(style),
        Cell::from(format!("▲ {change:.1}%")).style(style),
        Cell::from("60.1k ──●───── 62.9k"),
        Cell::from(format!("{price:>9.1}M")),
        Cell::from(format!("{price:>9.1}B")),
        Cell::from("⣀⣠⣤⣴⣶⣿⣷⣦⣄⣀⣠⣤⣀⣠⣤⣴⣶⣿⣷⣦⣄⣀⣠⣤").style(style),
    ])
}
