use proptest::prelude::*;
use ratatui::style::{Color, Modifier, Style};
use unicode_width::UnicodeWidthStr;

use super::*;

mod foreign;

#[derive(Default)]
struct Counted {
    bytes: usize,
    flushes: usize,
}

impl Write for Counted {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.bytes += bytes.len();
        Ok(bytes.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        self.flushes += 1;
        Ok(())
    }
}

fn paint(text: &str) -> impl FnOnce(&mut Buffer) -> Option<(u16, u16)> {
    move |buf| {
        buf.set_string(0, 0, text, Style::new());
        None
    }
}

#[test]
fn unchanged_frame_writes_nothing() {
    let mut out = Counted::default();
    let mut painter = Painter::new(&mut out, (20, 5));
    assert!(painter.frame(paint("same")).unwrap());
    assert!(!painter.frame(paint("same")).unwrap());
    assert!(!painter.frame(paint("same")).unwrap());
    drop(painter);
    assert_eq!(out.flushes, 1);
}

#[test]
fn changed_cell_is_written_alone() {
    let mut painter = Painter::new(Vec::new(), (20, 5));
    painter.frame(paint("price 1")).unwrap();
    let before = painter.out.len();
    painter.frame(paint("price 2")).unwrap();
    let written = String::from_utf8(painter.out.split_off(before)).unwrap();
    assert_eq!(written, "\x1b[?2026h\x1b[1;7H2\x1b[?2026l");
}

#[test]
fn screen_of_any_size_can_be_painted() {
    for size in [(0, 0), (0, 5), (5, 0), (1, u16::MAX), (u16::MAX, 1)] {
        let mut painter = Painter::new(Vec::new(), size);
        assert!(painter.frame(|_| None).unwrap(), "{size:?}");
    }
}

#[test]
fn character_of_ambiguous_width_repositions_the_cursor_and_rewrites_its_neighbours() {
    let mut painter = Painter::new(Vec::new(), (10, 1));
    painter.frame(paint("☀ab  ")).unwrap();
    let first = String::from_utf8(painter.out.clone()).unwrap();
    assert!(first.contains("☀\x1b[1;2Ha"), "{first:?}");
    let before = painter.out.len();
    painter.frame(paint("xab  ")).unwrap();
    let second = String::from_utf8(painter.out.split_off(before)).unwrap();
    assert!(second.contains("xab"), "cells that the sun may have covered are rewritten: {second:?}");
}

/// Returns a terminal with standard widths after all frames, and the last frame.
fn shown(frames: &[Vec<(u16, u16, String, Style)>], size: (u16, u16)) -> (vt100::Parser, Buffer) {
    let mut painter = Painter::new(Vec::new(), size);
    for frame in frames {
        painter
            .frame(|buf| {
                for (x, y, text, style) in frame {
                    if *x < size.0 && *y < size.1 {
                        buf.set_string(*x, *y, text, *style);
                    }
                }
                None
            })
            .unwrap();
    }
    (emulated(&painter.out, size), painter.shown)
}

/// Returns a terminal of this size that has read `bytes`.
fn emulated(bytes: &[u8], (columns, rows): (u16, u16)) -> vt100::Parser {
    let nonzero = |n: u16| std::num::NonZero::new(n).unwrap();
    let mut terminal = vt100::Parser::new(nonzero(rows), nonzero(columns), 0);
    terminal.process(bytes);
    terminal
}

fn styles() -> impl Strategy<Value = Style> {
    let colours = prop_oneof![
        Just(Color::Reset),
        Just(Color::Green),
        Just(Color::LightBlue),
        Just(Color::DarkGray),
        Just(Color::Indexed(240)),
        Just(Color::Rgb(1, 2, 3)),
    ];
    let modifiers = prop_oneof![
        Just(Modifier::empty()),
        Just(Modifier::BOLD),
        Just(Modifier::DIM),
        Just(Modifier::REVERSED | Modifier::UNDERLINED),
    ];
    (colours.clone(), colours, modifiers)
        .prop_map(|(fg, bg, modifier)| Style::reset().fg(fg).bg(bg).add_modifier(modifier))
}

proptest! {
    #[test]
    fn terminal_shows_the_last_frame(
        frames in prop::collection::vec(
            prop::collection::vec((0_u16..12, 0_u16..3, "[a-c ▲⣿東é]{1,6}", styles()), 0..6),
            1..5,
        ),
    ) {
        let (terminal, wanted) = shown(&frames, (12, 3));
        for y in 0..3 {
            let mut x = 0;
            while x < 12 {
                let cell = &wanted[(x, y)];
                let seen = terminal.screen().cell(y, x).unwrap();
                let text = if seen.contents().is_empty() { " " } else { seen.contents() };
                prop_assert_eq!(text, cell.symbol(), "at {},{}", x, y);
                prop_assert_eq!(seen.bold(), cell.modifier.contains(Modifier::BOLD));
                prop_assert_eq!(seen.dim(), cell.modifier.contains(Modifier::DIM));
                prop_assert_eq!(seen.inverse(), cell.modifier.contains(Modifier::REVERSED));
                prop_assert_eq!(seen.fgcolor(), colour(cell.fg));
                prop_assert_eq!(seen.bgcolor(), colour(cell.bg));
                x += u16::try_from(cell.symbol().width().max(1)).unwrap();
            }
        }
    }
}

fn colour(colour: Color) -> vt100::Color {
    match colour {
        Color::Green => vt100::Color::Idx(2),
        Color::LightBlue => vt100::Color::Idx(12),
        Color::DarkGray => vt100::Color::Idx(8),
        Color::Indexed(index) => vt100::Color::Idx(index),
        Color::Rgb(r, g, b) => vt100::Color::Rgb(r, g, b),
        _ => vt100::Color::Default,
    }
}
