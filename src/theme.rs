//! The styles that the screen is painted in, by what they say.
//!
//! The colours are the terminal's own sixteen and its own background, so that they fit whatever palette its owner
//! chose; only the selection's bar has a grey of its own. Nothing is said by colour alone: gain and loss carry an arrow
//! and a sign, focus is bold, the selection is a bar.

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
    /// Patched over the cells of the selected row; it overrides their colours.
    pub selection: Style,
    /// The selected row of a panel that has not the focus.
    pub selection_idle: Style,
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
            // A grey of the fixed part of the 256 colours, with its own text colour: a calm bar on a dark and on a
            // light ground. Of the sixteen, "bright black" is the ground itself in some palettes, and blue shouts in
            // others.
            selection: text.fg(Color::Indexed(255)).bg(Color::Indexed(240)).remove_modifier(Modifier::DIM),
            selection_idle: text,
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
            selection: text.add_modifier(Modifier::REVERSED).remove_modifier(Modifier::DIM),
            selection_idle: text,
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
        Theme { selection: ansi.selection.fg(Color::Black).bg(Color::Gray), ..ansi }
    }

    /// The theme for the values of `NO_COLOR` and `TERM`. Any `NO_COLOR` that is not empty turns colours off
    /// (<https://no-color.org>), and so does a terminal that has none; one of which nothing is known is taken to have
    /// 256, for so have nearly all.
    pub fn detect(no_color: Option<&str>, term: Option<&str>) -> Theme {
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn no_color_means_no_colour_at_all() {
        let shown = format!("{:?}", Theme::detect(Some("1"), Some("xterm-256color")));
        for name in ["Green", "Red", "Blue", "Cyan", "Yellow", "White", "Indexed", "Rgb"] {
            assert!(!shown.contains(name), "{name} in {shown}");
        }
        assert_eq!(Theme::detect(None, None), Theme::ansi());
        assert_eq!(Theme::detect(Some(""), Some("")), Theme::ansi());
    }

    #[test]
    fn a_terminal_gets_no_more_colours_than_it_has() {
        for (terms, theme) in [
            (&["dumb", "vt100", "vt220", "xterm-mono", "linux-m"][..], Theme::plain()),
            (&["linux", "ansi", "xterm-16color", "rxvt-8color", "xterm-color"], Theme::sixteen()),
            (&["xterm", "xterm-256color", "tmux-256color", "screen", "xterm-kitty", "vt340-256color"], Theme::ansi()),
        ] {
            for term in terms {
                assert_eq!(Theme::detect(None, Some(term)), theme, "{term}");
            }
        }
        assert!(!format!("{:?}", Theme::sixteen()).contains("Indexed"));
    }

    #[test]
    fn the_selection_forces_text_and_ground_together() {
        let bar = Theme::ansi().selection;
        assert!(bar.fg.is_some() && bar.bg.is_some(), "one without the other vanishes on some palette");
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
