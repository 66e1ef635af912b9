//! The bar under a selected row.

use ratatui::buffer::Buffer;
use ratatui::layout::Rect;
use ratatui::style::{Color, Modifier, Style};

/// The bar under a selected row. Each cell keeps its meaning: the background changes, and each palette colour is
/// replaced with a shade of the same hue that is readable on the bar. So is dim text, which a terminal would mix with the
/// background.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Bar {
    style: Style,
    /// The text colours of the theme and their replacements.
    shades: &'static [(Color, Color)],
    /// The shade of dim text without a colour; `None` if it stays dim.
    dim: Option<Color>,
}

impl Bar {
    /// No bar.
    pub(super) const NONE: Bar = Bar { style: Style::new(), shades: &[], dim: None };

    /// Light text on dark grey. Both are from the fixed part of the 256 colours, so the bar is readable with any
    /// palette. None of the sixteen works: "bright black" is the background colour in some palettes, and no other is
    /// readable under all fifteen.
    pub(super) const DARK: Bar = Bar {
        style: Style::new().bg(Color::Indexed(238)),
        shades: &[
            (Color::Reset, Color::Indexed(255)),
            (Color::Green, Color::Indexed(114)),
            (Color::Red, Color::Indexed(210)),
            (Color::Yellow, Color::Indexed(222)),
            (Color::Cyan, Color::Indexed(116)),
            (Color::Blue, Color::Indexed(111)),
            (Color::Magenta, Color::Indexed(182)),
        ],
        dim: Some(Color::Indexed(250)),
    };

    /// Dark text on light grey, for a light background.
    pub(super) const LIGHT: Bar = Bar {
        style: Style::new().bg(Color::Indexed(253)),
        shades: &[
            (Color::Reset, Color::Indexed(233)),
            (Color::Green, Color::Indexed(22)),
            (Color::Red, Color::Indexed(124)),
            (Color::Yellow, Color::Indexed(94)),
            (Color::Cyan, Color::Indexed(24)),
            (Color::Blue, Color::Indexed(19)),
            (Color::Magenta, Color::Indexed(90)),
        ],
        dim: Some(Color::Indexed(239)),
    };

    /// Text and background of each cell are swapped.
    pub(super) const REVERSED: Bar =
        Bar { style: Style::new().add_modifier(Modifier::REVERSED), shades: &[], dim: None };

    /// Paints the bar over the cells of `area`, after their text.
    pub fn paint(&self, buf: &mut Buffer, area: Rect) {
        let area = area.intersection(buf.area);
        for position in area.positions() {
            let Some(cell) = buf.cell_mut(position) else { continue };
            if let Some(shade) = self.dim.filter(|_| cell.fg == Color::Reset && cell.modifier.contains(Modifier::DIM)) {
                cell.set_fg(shade).modifier.remove(Modifier::DIM);
            } else if let Some((_, shade)) = self.shades.iter().find(|(colour, _)| *colour == cell.fg) {
                cell.set_fg(*shade);
            }
            cell.set_style(self.style);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::theme::Theme;

    #[test]
    fn selection_keeps_hue_and_weight() {
        let ansi = Theme::ansi();
        for bar in [Bar::DARK, Bar::LIGHT, Bar::REVERSED] {
            let area = Rect::new(0, 0, 6, 1);
            let mut buf = Buffer::empty(area);
            for (x, style) in (0..).zip([ansi.text, ansi.gain, ansi.loss, ansi.warn, ansi.accent, ansi.dim]) {
                buf.set_string(x, 0, "x", style);
            }
            bar.paint(&mut buf, area);
            let looks: Vec<_> =
                buf.content.iter().map(|cell| (cell.fg, cell.modifier.difference(Modifier::REVERSED))).collect();
            let distinct = (0..looks.len()).all(|at| !looks[..at].contains(&looks[at]));
            assert!(distinct, "{bar:?} keeps styles distinct: {looks:?}");
            assert!(looks[4].1.contains(Modifier::BOLD), "{bar:?}");
        }
    }

    #[test]
    fn dim_text_is_readable_on_the_bar() {
        // The luminance of a grey of the 256 colours, and the contrast of two (WCAG).
        let luminance = |colour: Option<Color>| match colour {
            Some(Color::Indexed(grey @ 232..)) => {
                let part = f64::from(8 + 10 * u32::from(grey - 232)) / 255.0;
                ((part + 0.055) / 1.055).powf(2.4)
            }
            other => panic!("{other:?}"),
        };
        for bar in [Bar::DARK, Bar::LIGHT] {
            let (text, back) = (luminance(bar.dim), luminance(bar.style.bg));
            let contrast = (text.max(back) + 0.05) / (text.min(back) + 0.05);
            assert!(contrast >= 4.5, "{bar:?}: {contrast}");
        }
    }

    #[test]
    fn bar_replaces_every_palette_colour_of_the_text() {
        // A palette colour may be unreadable on our grey.
        let ansi = Theme::ansi();
        for style in [ansi.text, ansi.dim, ansi.strong, ansi.accent, ansi.gain, ansi.loss, ansi.warn, ansi.mark] {
            for bar in [Bar::DARK, Bar::LIGHT] {
                let colour = style.fg.unwrap_or(Color::Reset);
                assert!(bar.shades.iter().any(|(from, _)| *from == colour), "{colour:?}");
            }
        }
    }
}
