//! The styles, and which of them fit a terminal.

use ratatui::style::{Color, Modifier, Style};

use super::bar::Bar;

/// A style for each meaning.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Theme {
    /// Ordinary text.
    pub text: Style,
    /// Labels, units and other secondary text.
    pub dim: Style,
    /// The most important number.
    pub strong: Style,
    /// The focused and the current item.
    pub accent: Style,
    /// The bar under the selected row.
    pub selection: Bar,
    /// The bar under the selected row of a panel without the focus.
    pub selection_idle: Bar,
    /// Rising.
    pub gain: Style,
    /// Falling.
    pub loss: Style,
    /// Stale, failing or doubtful.
    pub warn: Style,
    /// A panel's title.
    pub title: Style,
    /// The title of the focused panel.
    pub title_focused: Style,
    /// The column titles of a table.
    pub header: Style,
    /// A star.
    pub mark: Style,
    /// A chart's line without gain or loss.
    pub chart_line: Style,
    /// The faint area between a chart's line and its opening price.
    pub chart_area: Style,
    /// A chart's axes, their labels, and the opening price.
    pub chart_axis: Style,
    /// A chart's cursor.
    pub chart_cursor: Style,
    /// The lines of a comparison, in the order of their letters.
    pub lines: [Style; 6],
    /// A key in a hint.
    pub key: Style,
}

impl Theme {
    /// [`Theme::ansi`], the default theme of widgets.
    pub const ANSI: &'static Theme = &Theme::ansi();

    /// The theme with the terminal's own colours.
    ///
    /// Uses only colours that are legible on dark and light backgrounds. Dim is the attribute, not "bright black",
    /// which is the background colour in some palettes.
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
            lines: [
                text.fg(Color::Cyan),
                text.fg(Color::Yellow),
                text.fg(Color::Magenta),
                text.fg(Color::Green),
                text.fg(Color::Red),
                text.fg(Color::Blue),
            ],
            key: bold,
        }
    }

    /// The theme without colours (`NO_COLOR`): only bold, dim, underlined and reversed.
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
            lines: [bold, text, dim, bold, text, dim],
            key: bold,
        }
    }

    /// The style of a coin's line and letter in the comparison, by the number of its letter.
    pub fn line(&self, slot: usize) -> Style {
        self.lines.get(slot).copied().unwrap_or(self.text)
    }

    /// The styles of a chart's moving averages, shortest first.
    pub fn averages(&self) -> [Style; 2] {
        // Not in the style of alerts.
        let [other, _, long, ..] = self.lines;
        let short = if self.accent.fg == long.fg && long.fg.is_some() { other } else { self.accent };
        [short, long]
    }

    /// The style of a chart's Bollinger bands.
    pub fn bands(&self) -> Style {
        let [.., last] = self.lines;
        last
    }

    /// The style of a price that has just risen or fallen.
    pub fn changed(&self, rose: bool) -> Style {
        let style = if rose { self.gain } else { self.loss };
        style.add_modifier(Modifier::BOLD)
    }

    /// [`Theme::ansi`] for a light background, on which the yellow of many palettes is unreadable.
    pub const fn light() -> Theme {
        let ansi = Theme::ansi();
        let yellow = ansi.text.fg(Color::Indexed(94));
        let [cyan, _, others @ ..] = ansi.lines;
        let [magenta, green, red, blue] = others;
        let lines = [cyan, yellow, magenta, green, red, blue];
        Theme { selection: Bar::LIGHT, warn: yellow, mark: yellow, lines, ..ansi }
    }

    /// [`Theme::ansi`] for a terminal with only sixteen colours.
    pub const fn sixteen() -> Theme {
        let ansi = Theme::ansi();
        Theme { selection: Bar::REVERSED, ..ansi }
    }

    /// Chooses the theme from the values of `NO_COLOR`, `TERM` and `COLORFGBG`. A non-empty `NO_COLOR`
    /// (<https://no-color.org>) or a terminal without colours turns colours off; an unknown terminal counts as one with
    /// 256 colours, as nearly all are. `COLORFGBG`, set by some terminals, tells whether the background is light.
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
            Theme::light()
        } else {
            Theme::ansi()
        }
    }

    /// Gain or loss by the sign of `change`; dim if it is absent or prints as zero with one decimal.
    pub fn change(&self, change: Option<f64>) -> Style {
        match change {
            Some(change) if change >= 0.05 => self.gain,
            Some(change) if change <= -0.05 => self.loss,
            _ => self.dim,
        }
    }
}

/// Whether `COLORFGBG` (`0;15`, `0;default;15`) has a light background: white, or a bright colour other than bright
/// black.
pub fn has_light_background(colours: Option<&str>) -> bool {
    let background = colours.and_then(|colours| colours.rsplit(';').next()?.parse::<u8>().ok());
    background.is_some_and(|background| matches!(background, 7 | 9..=15))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn no_color_theme_has_no_colours() {
        let shown = format!("{:?}", Theme::detect(Some("1"), Some("xterm-256color"), Some("0;15")));
        for name in ["Green", "Red", "Blue", "Cyan", "Yellow", "White", "Indexed", "Rgb"] {
            assert!(!shown.contains(name), "{name} in {shown}");
        }
        assert_eq!(Theme::detect(None, None, None), Theme::ansi());
        assert_eq!(Theme::detect(Some(""), Some(""), Some("")), Theme::ansi());
    }

    #[test]
    fn theme_uses_only_colours_that_the_terminal_has() {
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
    fn change_is_coloured_by_its_rounded_value() {
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
