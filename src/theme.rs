//! The styles that the screen is painted in, by what they say.
//!
//! The colours are the terminal's own sixteen and its own background, so that they fit whatever palette its owner
//! chose; only the selection's bar has a grey of its own. Nothing is said by colour alone: gain and loss carry an arrow
//! and a sign, focus is bold, the selection is a bar.

use ratatui::buffer::Buffer;
use ratatui::layout::Rect;
use ratatui::style::{Color, Modifier, Style};

/// One style for each thing that a style can say.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Theme {
    /// Ordinary text.
    pub text: Style,
    /// Labels, units, what is read last.
    pub dim: Style,
    /// The number that matters.
    pub strong: Style,
    /// Focus, and where the reader is.
    pub accent: Style,
    /// The bar under the selected row.
    pub selection: Bar,
    /// The bar under the selected row of a panel without the focus.
    pub selection_idle: Bar,
    /// Rising.
    pub gain: Style,
    /// Falling.
    pub loss: Style,
    /// Stale, failing, to be doubted.
    pub warn: Style,
    /// A panel's title.
    pub title: Style,
    /// The title of the panel that has the focus.
    pub title_focused: Style,
    /// The heads of a table's columns.
    pub header: Style,
    /// A star, a found piece of text.
    pub mark: Style,
    /// A chart's line where it says neither gain nor loss.
    pub chart_line: Style,
    /// The faint area between a chart's line and its opening price.
    pub chart_area: Style,
    /// A chart's axes, their labels, the opening price.
    pub chart_axis: Style,
    /// A chart's cursor.
    pub chart_cursor: Style,
    /// A key in a hint.
    pub key: Style,
}

impl Theme {
    /// [`Theme::ansi`], for widgets that were given no theme.
    pub const ANSI: &'static Theme = &Theme::ansi();

    /// The terminal's own colours.
    ///
    /// Only those of the sixteen are used that stay legible on a dark and on a light background. Dim is the attribute
    /// and not "bright black", which some palettes paint as the background itself.
    pub const fn ansi() -> Theme {
        let text = Style::new();
        let dim = text.add_modifier(Modifier::DIM);
        let bold = text.add_modifier(Modifier::BOLD);
        Theme {
            text,
            dim,
            strong: bold,
            accent: bold.fg(Color::Cyan),
            selection: Bar::DARK,
            selection_idle: Bar::NONE,
            gain: text.fg(Color::Green),
            loss: text.fg(Color::Red),
            warn: text.fg(Color::Yellow),
            title: bold,
            title_focused: bold.fg(Color::Cyan),
            header: dim,
            mark: text.fg(Color::Yellow),
            chart_line: text.fg(Color::Cyan),
            chart_area: dim,
            chart_axis: dim,
            chart_cursor: text.fg(Color::Cyan),
            key: bold,
        }
    }

    /// Without any colour (`NO_COLOR`): weight, dimness and reversal only.
    pub const fn plain() -> Theme {
        let text = Style::new();
        let dim = text.add_modifier(Modifier::DIM);
        let bold = text.add_modifier(Modifier::BOLD);
        Theme {
            text,
            dim,
            strong: bold,
            accent: bold.add_modifier(Modifier::UNDERLINED),
            selection: Bar::REVERSED,
            selection_idle: Bar::NONE,
            gain: text,
            loss: text,
            warn: bold,
            title: bold,
            title_focused: bold.add_modifier(Modifier::UNDERLINED),
            header: dim,
            mark: bold,
            chart_line: text,
            chart_area: dim,
            chart_axis: dim,
            chart_cursor: bold,
            key: bold,
        }
    }

    /// [`Theme::ansi`] for a terminal that has the sixteen colours and no more.
    pub const fn sixteen() -> Theme {
        let ansi = Theme::ansi();
        Theme { selection: Bar::REVERSED, ..ansi }
    }

    /// The theme for the values of `NO_COLOR`, `TERM` and `COLORFGBG`. Any `NO_COLOR` that is not empty turns colours
    /// off (<https://no-color.org>), and so does a terminal that has none; one of which nothing is known is taken to
    /// have 256, for so have nearly all. `COLORFGBG`, which some terminals set, says whether the background is light.
    pub fn detect(no_color: Option<&str>, term: Option<&str>, colours: Option<&str>) -> Theme {
        let term = term.unwrap_or("");
        let is_any_of = |names: &[&str]| names.contains(&term);
        let has_none = is_any_of(&["dumb"])
            || ["vt1", "vt2"].iter().any(|kind| term.starts_with(kind)) && !term.contains("color")
            || ["-m", "-mono"].iter().any(|kind| term.ends_with(kind));
        let has_sixteen = is_any_of(&["linux", "ansi", "cygwin", "cons25", "xterm-color"])
            || ["-8color", "-16color"].iter().any(|kind| term.ends_with(kind));
        if has_none || no_color.is_some_and(|value| !value.is_empty()) {
            Theme::plain()
        } else if has_sixteen {
            Theme::sixteen()
        } else if has_light_background(colours) {
            Theme { selection: Bar::LIGHT, ..Theme::ansi() }
        } else {
            Theme::ansi()
        }
    }

    /// Gain or loss by the sign of `change`; dim where it is absent or prints as zero with one decimal.
    pub fn change(&self, change: Option<f64>) -> Style {
        match change {
            Some(change) if change >= 0.05 => self.gain,
            Some(change) if change <= -0.05 => self.loss,
            _ => self.dim,
        }
    }
}

/// Whether `COLORFGBG` (`0;15`, `0;default;15`) names a light background: white, or a bright colour but black.
fn has_light_background(colours: Option<&str>) -> bool {
    let background = colours.and_then(|colours| colours.rsplit(';').next()?.parse::<u8>().ok());
    background.is_some_and(|background| matches!(background, 7 | 9..=15))
}

/// The bar under a selected row. Each cell keeps its weight, its dimness and its meaning: only the background changes,
/// and the palette's own colours give way to the shade of the same hue that is readable on it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Bar {
    style: Style,
    /// The text colours of the theme, and what replaces them.
    shades: &'static [(Color, Color)],
}

impl Bar {
    /// No bar.
    const NONE: Bar = Bar { style: Style::new(), shades: &[] };

    /// A dark grey with light text. Greys and shades are of the fixed part of the 256 colours, so the bar is readable on
    /// a dark and on a light background, whatever the palette. Of the sixteen, "bright black" is the background itself
    /// in some palettes, and none is readable under the other fifteen in all.
    const DARK: Bar = Bar {
        style: Style::new().bg(Color::Indexed(238)),
        shades: &[
            (Color::Reset, Color::Indexed(255)),
            (Color::Green, Color::Indexed(114)),
            (Color::Red, Color::Indexed(210)),
            (Color::Yellow, Color::Indexed(222)),
            (Color::Cyan, Color::Indexed(116)),
        ],
    };

    /// A light grey with dark text, for a light background.
    const LIGHT: Bar = Bar {
        style: Style::new().bg(Color::Indexed(253)),
        shades: &[
            (Color::Reset, Color::Indexed(233)),
            (Color::Green, Color::Indexed(22)),
            (Color::Red, Color::Indexed(124)),
            (Color::Yellow, Color::Indexed(94)),
            (Color::Cyan, Color::Indexed(24)),
        ],
    };

    /// Text and background of each cell swapped: readable wherever the row itself is.
    const REVERSED: Bar = Bar { style: Style::new().add_modifier(Modifier::REVERSED), shades: &[] };

    /// Paints it over the cells of `area`, which hold their text already.
    pub fn paint(&self, buf: &mut Buffer, area: Rect) {
        let area = area.intersection(buf.area);
        for position in area.positions() {
            let Some(cell) = buf.cell_mut(position) else { continue };
            if let Some((_, shade)) = self.shades.iter().find(|(colour, _)| *colour == cell.fg) {
                cell.set_fg(*shade);
            }
            cell.set_style(self.style);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn no_color_means_no_colour_at_all() {
        let shown = format!("{:?}", Theme::detect(Some("1"), Some("xterm-256color"), Some("0;15")));
        for name in ["Green", "Red", "Blue", "Cyan", "Yellow", "White", "Indexed", "Rgb"] {
            assert!(!shown.contains(name), "{name} in {shown}");
        }
        assert_eq!(Theme::detect(None, None, None), Theme::ansi());
        assert_eq!(Theme::detect(Some(""), Some(""), Some("")), Theme::ansi());
    }

    #[test]
    fn a_terminal_gets_no_more_colours_than_it_has() {
        for (terms, theme) in [
            (&["dumb", "vt100", "vt220", "xterm-mono", "linux-m"][..], Theme::plain()),
            (&["linux", "ansi", "xterm-16color", "rxvt-8color", "xterm-color"], Theme::sixteen()),
            (&["xterm", "xterm-256color", "tmux-256color", "screen", "xterm-kitty", "vt340-256color"], Theme::ansi()),
        ] {
            for term in terms {
                assert_eq!(Theme::detect(None, Some(term), Some("15;0")), theme, "{term}");
            }
        }
        assert!(!format!("{:?}", Theme::sixteen()).contains("Indexed"));
    }

    #[test]
    fn selection_keeps_hue_and_dimness() {
        let ansi = Theme::ansi();
        for bar in [Bar::DARK, Bar::LIGHT, Bar::REVERSED] {
            let area = Rect::new(0, 0, 6, 1);
            let mut buf = Buffer::empty(area);
            for (x, style) in (0..).zip([ansi.text, ansi.gain, ansi.loss, ansi.warn, ansi.accent, ansi.dim]) {
                buf.set_string(x, 0, "x", style);
            }
            let before = buf.clone();
            bar.paint(&mut buf, area);
            let marked = |modifier: Modifier| modifier.difference(Modifier::REVERSED);
            let weights = |buf: &Buffer| buf.content.iter().map(|cell| marked(cell.modifier)).collect::<Vec<_>>();
            assert_eq!(weights(&buf), weights(&before), "{bar:?}");
            let [text, hues @ ..] = &buf.content[..5] else { panic!() };
            let mut colours: Vec<_> = hues.iter().map(|cell| cell.fg).collect();
            colours.push(text.fg);
            colours.dedup();
            assert_eq!(colours.len(), 5, "{bar:?} keeps colours apart: {colours:?}");
        }
    }

    #[test]
    fn bar_replaces_every_palette_colour_of_the_text() {
        // A palette's own colour on a grey of ours may be unreadable.
        let ansi = Theme::ansi();
        for style in [ansi.text, ansi.dim, ansi.strong, ansi.accent, ansi.gain, ansi.loss, ansi.warn, ansi.mark] {
            for bar in [Bar::DARK, Bar::LIGHT] {
                let colour = style.fg.unwrap_or(Color::Reset);
                assert!(bar.shades.iter().any(|(from, _)| *from == colour), "{colour:?}");
            }
        }
    }

    #[test]
    fn light_background_gets_light_bar() {
        for (colours, bar) in [
            (None, Bar::DARK),
            (Some("15;0"), Bar::DARK),
            (Some("15;8"), Bar::DARK),
            (Some("0;15"), Bar::LIGHT),
            (Some("0;default;7"), Bar::LIGHT),
            (Some("default;default"), Bar::DARK),
        ] {
            assert_eq!(Theme::detect(None, Some("xterm-256color"), colours).selection, bar, "{colours:?}");
        }
    }

    #[test]
    fn a_change_is_coloured_as_it_prints() {
        let theme = Theme::ansi();
        for (change, style) in [
            (Some(0.05), theme.gain),
            (Some(0.049), theme.dim),
            (Some(-0.049), theme.dim),
            (Some(-0.05), theme.loss),
            (Some(f64::NAN), theme.dim),
            (Some(f64::INFINITY), theme.gain),
            (None, theme.dim),
        ] {
            assert_eq!(theme.change(change), style, "{change:?}");
        }
    }
}
