//! Buffers filled by other widgets: the terminal shows the same as with ratatui's own backend.

use std::cell::RefCell;
use std::num::NonZeroU16;
use std::rc::Rc;

use ratatui::backend::CrosstermBackend;
use ratatui::buffer::{Buffer, CellDiffOption};
use ratatui::layout::{Constraint, Layout};
use ratatui::prelude::{Line, Stylize, Terminal, Widget};
use ratatui::style::Color;
use ratatui::symbols::Marker;
use ratatui::widgets::canvas::{Canvas, Line as CanvasLine, Map, MapResolution};
use ratatui::widgets::{BarChart, Block, Clear, Gauge, Paragraph, Row, Sparkline, Table, Wrap};
use ratatui::{TerminalOptions, Viewport};

use super::*;

const SIZE: (u16, u16) = (48, 16);

/// Output that can be read while something else writes to it.
#[derive(Clone, Default)]
struct Shared(Rc<RefCell<Vec<u8>>>);

impl Write for Shared {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.0.borrow_mut().write(bytes)
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}

/// Something that fills a buffer.
type Frame<'a> = &'a dyn Fn(&mut Buffer);

/// Returns a terminal after frames of our painter.
fn painted(frames: &[Frame<'_>], size: (u16, u16)) -> vt100::Parser {
    let mut painter = Painter::new(Vec::new(), size);
    for frame in frames {
        painter
            .frame(|buf| {
                frame(buf);
                None
            })
            .unwrap();
    }
    emulated(&painter.out, size)
}

/// Returns a terminal after one frame of ratatui's terminal.
fn drawn_by_ratatui(frame: Frame<'_>, size: (u16, u16)) -> vt100::Parser {
    let out = Shared::default();
    let viewport = Viewport::Fixed(Rect::new(0, 0, size.0, size.1));
    let backend = CrosstermBackend::new(out.clone());
    let mut terminal = Terminal::with_options(backend, TerminalOptions { viewport }).unwrap();
    terminal.draw(|it| frame(it.buffer_mut())).unwrap();
    let bytes = out.0.borrow().clone();
    emulated(&bytes, size)
}

fn assert_same(ours: &vt100::Parser, theirs: &vt100::Parser, what: &str) {
    let (rows, columns) = theirs.screen().size();
    for (row, column) in (0..rows.get()).flat_map(|row| (0..columns.get()).map(move |column| (row, column))) {
        let cell = |terminal: &vt100::Parser| {
            let cell = terminal.screen().cell(row, column).unwrap().clone();
            let text = if cell.contents().is_empty() { " " } else { cell.contents() }.to_owned();
            (text, cell.fgcolor(), cell.bgcolor(), cell.bold(), cell.dim(), cell.inverse(), cell.underline())
        };
        assert_eq!(cell(ours), cell(theirs), "{what}: row {row}, column {column}");
    }
}

fn table(buf: &mut Buffer) {
    let rows = [["ORDI", "8.41", "日本語"], ["取引所東京", "61,234.10", "é ☆"]].map(Row::new);
    let table = Table::new(rows, [Constraint::Fill(1), Constraint::Length(10), Constraint::Length(7)])
        .header(Row::new(["Coin", "Price", "Exchange"]).bold().on_blue())
        .block(Block::bordered().title("Markets".red()));
    table.render(buf.area, buf);
}

fn charts(buf: &mut Buffer) {
    let [above, below, foot] =
        Layout::vertical([Constraint::Fill(1), Constraint::Length(5), Constraint::Length(1)]).areas(buf.area);
    let [left, right] = Layout::horizontal([Constraint::Fill(1), Constraint::Fill(1)]).areas(above);
    Sparkline::default().data([1, 4, 2, 8, 5, 7, 3]).green().render(left, buf);
    let canvas =
        Canvas::default().marker(Marker::Braille).x_bounds([-180.0, 180.0]).y_bounds([-90.0, 90.0]).paint(|it| {
            it.draw(&Map { resolution: MapResolution::Low, color: Color::Yellow });
            it.draw(&CanvasLine::new(-90.0, -45.0, 90.0, 45.0, Color::Rgb(9, 8, 7)));
            it.print(0.0, 0.0, Line::from("東京").italic());
        });
    canvas.render(right, buf);
    BarChart::default().data(&[("a", 3), ("日", 7)]).bar_width(4).render(below, buf);
    Gauge::default().ratio(0.42).reversed().render(foot, buf);
}

fn dialog(buf: &mut Buffer) {
    table(buf);
    let area = Rect::new(6, 3, 21, 6);
    Clear.render(area, buf);
    let text = "Dialog over other widgets 日本語 with e\u{301} and é";
    Paragraph::new(text).wrap(Wrap { trim: true }).block(Block::bordered().dim()).render(area, buf);
}

#[test]
fn foreign_widgets_look_the_same_as_with_ratatui() {
    let frames: [(&str, Frame); 4] = [("table", &table), ("charts", &charts), ("dialog", &dialog), ("empty", &|_| ())];
    for size in [SIZE, (20, 7), (5, 3)] {
        for (_, before) in frames {
            for (name, last) in frames {
                let ours = painted(&[before, last], size);
                assert_same(&ours, &drawn_by_ratatui(last, size), &format!("{name} at {size:?}"));
            }
        }
    }
}

fn set(buf: &mut Buffer, x: u16, symbol: &str, option: CellDiffOption) {
    buf[(x, 0)].set_symbol(symbol).set_diff_option(option);
}

fn forced(width: u16) -> CellDiffOption {
    CellDiffOption::ForcedWidth(NonZeroU16::new(width).unwrap())
}

/// The first row of a terminal.
fn row(terminal: &vt100::Parser) -> String {
    terminal.screen().rows(0, terminal.screen().size().1.get()).next().unwrap()
}

#[test]
fn skipped_cells_keep_what_the_terminal_shows() {
    let mut painter = Painter::new(Vec::new(), (10, 1));
    painter.frame(paint("☀2345678")).unwrap();
    painter.out.extend_from_slice(b"\x1b[1;2HIMG");
    let frame = |text: &'static str| {
        move |buf: &mut Buffer| {
            buf.set_string(0, 0, text, Style::new());
            (1..4).for_each(|x| _ = buf[(x, 0)].set_diff_option(CellDiffOption::Skip));
            None
        }
    };
    painter.frame(frame("☀abcdefgh")).unwrap();
    assert_eq!(row(&emulated(&painter.out, (10, 1))), "☀IMGdefgh");
    painter.frame(frame("xyzuvwlmn")).unwrap();
    assert_eq!(row(&emulated(&painter.out, (10, 1))), "xIMGvwlmn");
    painter.frame(paint("xyzuvwlmn")).unwrap();
    assert_eq!(row(&emulated(&painter.out, (10, 1))), "xyzuvwlmn", "no longer skipped");
}

#[test]
#[expect(deprecated, reason = "widgets that were written for ratatui before 0.30.1 set it")]
fn older_skip_flag_is_honoured() {
    let mut painter = Painter::new(Vec::new(), (4, 1));
    painter.out.extend_from_slice(b"");
    painter.frame(paint("    ")).unwrap();
    painter.out.extend_from_slice(b"\x1b[1;1HI");
    painter
        .frame(|buf| {
            buf.set_string(0, 0, "abcd", Style::new());
            buf[(0, 0)].set_skip(true);
            None
        })
        .unwrap();
    assert_eq!(row(&emulated(&painter.out, (4, 1))), "Ibcd");
}

#[test]
fn link_is_written_unchanged_and_hides_its_columns() {
    let link = "\x1b]8;;https://ordi.example\x1b\\ORDI\x1b]8;;\x1b\\";
    let mut painter = Painter::new(Vec::new(), (9, 1));
    let frame = |buf: &mut Buffer| {
        buf.set_string(0, 0, "xxxx8.41", Style::new());
        set(buf, 0, link, forced(4));
        None
    };
    painter.frame(frame).unwrap();
    assert_eq!(row(&emulated(&painter.out, (9, 1))), "ORDI8.41");
    painter.frame(paint("xxxx8.41")).unwrap();
    assert_eq!(row(&emulated(&painter.out, (9, 1))), "xxxx8.41", "what the link hid is written again");
}

#[test]
fn style_is_known_after_an_escape_sequence() {
    let mut painter = Painter::new(Vec::new(), (6, 1));
    painter
        .frame(|buf| {
            buf.set_string(0, 0, "abcd", Style::new().fg(Color::Green));
            set(buf, 1, "\x1b[31;44mX", CellDiffOption::None);
            None
        })
        .unwrap();
    let terminal = emulated(&painter.out, (6, 1));
    assert_eq!(row(&terminal), "aXcd");
    let colours: Vec<_> =
        (2..4).map(|x| terminal.screen().cell(0, x).map(|cell| (cell.fgcolor(), cell.bgcolor())).unwrap()).collect();
    assert_eq!(colours, [(vt100::Color::Idx(2), vt100::Color::Default); 2]);
}

#[test]
fn symbol_of_several_columns_hides_the_cells_after_it() {
    for (symbol, option, shown) in [
        ("日", CellDiffOption::None, "日cdef"),
        ("xyz", CellDiffOption::None, "xyzdef"),
        ("日", forced(4), "日  ef"),
        ("é", forced(1), "ébcdef"),
        ("e\u{301}", CellDiffOption::None, "e\u{301}bcdef"),
    ] {
        let frame = |buf: &mut Buffer| {
            buf.set_string(0, 0, "abcdef", Style::new());
            set(buf, 0, symbol, option);
        };
        assert_eq!(row(&painted(&[&frame], (6, 1))), shown, "{symbol}");
        let plain = |buf: &mut Buffer| {
            buf.set_string(0, 0, "abcdef", Style::new());
        };
        assert_eq!(row(&painted(&[&frame, &plain], (6, 1))), "abcdef", "after {symbol}");
        assert_eq!(row(&painted(&[&plain, &frame, &plain], (6, 1))), "abcdef", "after {symbol}");
    }
}

#[test]
fn symbol_without_width_or_room_is_blank() {
    for (x, symbol, option, shown) in [
        (2, "\u{200b}", CellDiffOption::None, "ab def"),
        (2, "\u{301}", CellDiffOption::None, "ab def"),
        (2, "", CellDiffOption::None, "ab def"),
        (2, "\n", CellDiffOption::None, "ab def"),
        (2, "\u{9b}", CellDiffOption::None, "ab def"),
        (5, "日", CellDiffOption::None, "abcde"),
        (4, "日", CellDiffOption::None, "abcd日"),
        (4, "xyz", CellDiffOption::None, "abcd f"),
        (3, "\x1b[1mlink", forced(4), "abc ef"),
    ] {
        let frame = |buf: &mut Buffer| {
            buf.set_string(0, 0, "abcdef", Style::new());
            set(buf, x, symbol, option);
        };
        let terminal = painted(&[&frame], (6, 2));
        assert_eq!(row(&terminal).trim_end(), shown, "{symbol:?}");
        assert_eq!(terminal.screen().rows(0, 6).nth(1).unwrap(), "", "{symbol:?} does not wrap");
    }
}

#[test]
fn forced_update_is_written_in_every_frame() {
    let mut painter = Painter::new(Vec::new(), (6, 1));
    let frame = |buf: &mut Buffer| {
        buf.set_string(0, 0, "abcdef", Style::new());
        buf[(3, 0)].set_diff_option(CellDiffOption::AlwaysUpdate);
        None
    };
    painter.frame(frame).unwrap();
    let before = painter.out.len();
    assert!(painter.frame(frame).unwrap());
    assert_eq!(String::from_utf8_lossy(&painter.out[before..]), "\x1b[?2026h\x1b[1;4Hd\x1b[?2026l");
}

#[test]
fn cells_next_to_a_wide_sequence_are_rewritten() {
    // The emulator draws each of them in columns other than ratatui expects, as some terminals do.
    for symbol in ["☀\u{fe0f}", "👩\u{200d}👩\u{200d}👧", "🇩🇪", "👍🏽"] {
        let emoji = |buf: &mut Buffer| {
            buf.set_string(0, 0, "abcdefghijkl", Style::new());
            buf.set_string(1, 0, symbol, Style::new());
        };
        let plain = |buf: &mut Buffer| {
            buf.set_string(0, 0, "abcdefghijkl", Style::new());
        };
        assert_eq!(row(&painted(&[&plain, &emoji, &plain], (12, 1))), "abcdefghijkl", "after {symbol}");
        let text = row(&painted(&[&plain, &emoji], (12, 1)));
        assert!(text.starts_with('a') && text.ends_with("defghijkl") && !text.contains(['b', 'c']), "{symbol}: {text}");
    }
}

/// A cell as any widget may leave it: its symbol and option.
type Left = (String, CellDiffOption);

fn cells() -> impl Strategy<Value = Left> {
    let symbols = prop_oneof![
        "[a-c ]",
        "[a-z]{2,5}",
        "[日東]",
        Just(String::new()),
        Just(String::from("\u{200b}")),
        Just(String::from("e\u{301}")),
        Just(String::from("\x1b[35mz")),
        Just(String::from("\t")),
    ];
    let options = prop_oneof![
        6 => Just(CellDiffOption::None),
        1 => Just(CellDiffOption::AlwaysUpdate),
        1 => (1..4_u16).prop_map(forced),
    ];
    (symbols, options)
}

proptest! {
    #[test]
    fn last_frame_does_not_depend_on_those_before_it(
        frames in prop::collection::vec(prop::collection::vec(cells(), 24), 1..4),
    ) {
        let paint = |cells: &Vec<Left>| {
            let cells = cells.clone();
            move |buf: &mut Buffer| {
                for (cell, (symbol, option)) in buf.content.iter_mut().zip(&cells) {
                    cell.set_symbol(symbol).set_diff_option(*option);
                }
            }
        };
        let all: Vec<_> = frames.iter().map(paint).collect();
        let all: Vec<Frame<'_>> = all.iter().map(|frame| frame as Frame<'_>).collect();
        let last = [*all.last().unwrap()];
        let [after_all, alone] = [&all[..], &last].map(|frames| painted(frames, (8, 3)));
        for row in 0..3 {
            let text = |terminal: &vt100::Parser| terminal.screen().rows(0, 8).nth(row).unwrap().trim_end().to_owned();
            prop_assert_eq!(text(&after_all), text(&alone), "row {}", row);
        }
    }
}
