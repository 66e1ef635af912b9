//! The user's choice of colours.

use std::str::FromStr;

use ratatui::style::{Color, Style};

use super::nearest::{has_24_bit_colours, nearest_of_256};
use super::styles::Theme;

/// The user's choice of colours. The default is the theme's colours.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct ThemeChoice {
    /// The background of the terminal.
    pub background: Background,
    /// The colour of gains.
    pub gain: Option<Color>,
    /// The colour of losses.
    pub loss: Option<Color>,
    /// The colour of warnings.
    pub warn: Option<Color>,
    /// The colour of focus, cursor and matches.
    pub accent: Option<Color>,
}

/// The background of the terminal.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Background {
    /// By `COLORFGBG`; dark without it.
    #[default]
    Auto,
    /// Dark.
    Dark,
    /// Light.
    Light,
}

impl Background {
    /// All values with their names.
    pub const ALL: [(&'static str, Background); 3] =
        [("auto", Background::Auto), ("dark", Background::Dark), ("light", Background::Light)];
}

impl ThemeChoice {
    /// The theme for the values of `NO_COLOR`, `TERM`, `COLORTERM` and `COLORFGBG`, as by [`Theme::detect`], with these
    /// colours. A theme without colours is returned unchanged. On a terminal with sixteen colours, other colours are
    /// ignored; on one with 256, a 24-bit colour becomes the nearest of them.
    pub fn theme(
        &self,
        no_color: Option<&str>,
        term: Option<&str>,
        color_term: Option<&str>,
        colours: Option<&str>,
    ) -> Theme {
        let colours = match self.background {
            Background::Auto => colours,
            Background::Dark => Some("15;0"),
            Background::Light => Some("0;15"),
        };
        let theme = Theme::detect(no_color, term, colours);
        match theme {
            theme if theme == Theme::plain() => theme,
            theme if theme == Theme::sixteen() => self.paint(theme, |colour| is_of_sixteen(colour).then_some(colour)),
            theme if has_24_bit_colours(term, color_term) => self.paint(theme, Some),
            theme => self.paint(theme, |colour| Some(nearest_of_256(colour))),
        }
    }

    /// The theme with these colours as the terminal can show them, if it can.
    fn paint(&self, theme: Theme, shown: fn(Color) -> Option<Color>) -> Theme {
        let paint = |style: Style, colour: Option<Color>| match colour.and_then(shown) {
            Some(colour) => style.fg(colour),
            None => style,
        };
        Theme {
            gain: paint(theme.gain, self.gain),
            loss: paint(theme.loss, self.loss),
            warn: paint(theme.warn, self.warn),
            accent: paint(theme.accent, self.accent),
            title_focused: paint(theme.title_focused, self.accent),
            chart_line: paint(theme.chart_line, self.accent),
            chart_cursor: paint(theme.chart_cursor, self.accent),
            ..theme
        }
    }
}

fn is_of_sixteen(colour: Color) -> bool {
    !matches!(colour, Color::Indexed(_) | Color::Rgb(..))
}

/// Parses a colour: one of the sixteen by its name (`green`, `bright-blue`), one of the 256 by its number, `#rrggbb`,
/// or `default` for the colour of ordinary text.
pub fn parse_colour(text: &str) -> Option<Color> {
    let text = text.trim();
    match text {
        "default" => Some(Color::Reset),
        // ratatui's names differ from the terminals' here.
        "white" => Some(Color::Gray),
        "bright-white" => Some(Color::White),
        _ => Color::from_str(text).ok().filter(|colour| *colour != Color::Reset),
    }
}

/// The name of a colour, as [`parse_colour`] parses it.
pub fn colour_name(colour: Color) -> String {
    match colour {
        Color::Reset => String::from("default"),
        Color::Gray => String::from("white"),
        Color::White => String::from("bright-white"),
        Color::DarkGray => String::from("bright-black"),
        other => {
            let name = other.to_string().to_lowercase();
            name.strip_prefix("light").map_or_else(|| name.clone(), |rest| format!("bright-{rest}"))
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn colours_are_names_numbers_or_hex() {
        for (text, colour) in [
            ("green", Some(Color::Green)),
            ("bright-blue", Some(Color::LightBlue)),
            ("white", Some(Color::Gray)),
            ("bright-white", Some(Color::White)),
            ("bright-black", Some(Color::DarkGray)),
            ("default", Some(Color::Reset)),
            ("208", Some(Color::Indexed(208))),
            ("#e69f00", Some(Color::Rgb(0xe6, 0x9f, 0x00))),
            ("256", None),
            ("#e69f0", None),
            ("reset", None),
            ("greenish", None),
            ("", None),
        ] {
            assert_eq!(parse_colour(text), colour, "{text}");
        }
    }

    #[test]
    fn names_of_colours_can_be_parsed() {
        let colours = [
            Color::Reset,
            Color::Black,
            Color::Red,
            Color::Gray,
            Color::DarkGray,
            Color::LightRed,
            Color::LightCyan,
            Color::White,
            Color::Indexed(208),
            Color::Rgb(0xe6, 0x9f, 0),
        ];
        for colour in colours {
            assert_eq!(parse_colour(&colour_name(colour)), Some(colour), "{}", colour_name(colour));
        }
    }

    #[test]
    fn chosen_colours_replace_those_of_the_theme() {
        let choice = ThemeChoice {
            gain: Some(Color::Blue),
            loss: Some(Color::Rgb(0xe6, 0x9f, 0)),
            accent: Some(Color::Magenta),
            ..ThemeChoice::default()
        };
        let theme = choice.theme(None, Some("xterm-256color"), Some("truecolor"), None);
        assert_eq!((theme.gain.fg, theme.loss.fg), (choice.gain, choice.loss));
        assert_eq!((theme.accent.fg, theme.chart_cursor.fg), (choice.accent, choice.accent));
        assert_eq!(theme.accent.add_modifier, Theme::ansi().accent.add_modifier, "still bold");
        assert_eq!(theme.warn, Theme::ansi().warn);
        let [short, long] = theme.averages();
        assert_ne!(short.fg, long.fg, "the lines of two averages differ");

        let sixteen = choice.theme(None, Some("linux"), Some("truecolor"), None);
        assert_eq!((sixteen.gain.fg, sixteen.loss), (choice.gain, Theme::ansi().loss), "no such colour");
        assert_eq!(choice.theme(Some("1"), Some("xterm-256color"), None, None), Theme::plain());
        assert_eq!(ThemeChoice::default().theme(None, None, None, None), Theme::ansi());
    }

    #[test]
    fn colours_are_reduced_unless_the_terminal_has_24_bit_ones() {
        let (rgb, nearest) = (Color::Rgb(0xe6, 0x9f, 0), Color::Indexed(178));
        let choice = ThemeChoice { gain: Some(Color::Blue), loss: Some(rgb), ..ThemeChoice::default() };
        for (term, color_term, loss) in [
            ("xterm-256color", Some("truecolor"), rgb),
            ("xterm-256color", Some("24bit"), rgb),
            ("xterm-kitty", None, rgb),
            ("xterm-256color", None, nearest),
            ("xterm-256color", Some(""), nearest),
            ("screen-256color", Some("truecolor"), rgb),
        ] {
            let theme = choice.theme(None, Some(term), color_term, None);
            assert_eq!((theme.gain.fg, theme.loss.fg), (choice.gain, Some(loss)), "{term} {color_term:?}");
        }
    }

    #[test]
    fn chosen_background_outranks_that_of_the_terminal() {
        for (background, colours, theme) in [
            (Background::Light, None, Theme::light()),
            (Background::Light, Some("15;0"), Theme::light()),
            (Background::Dark, Some("0;15"), Theme::ansi()),
            (Background::Auto, Some("0;15"), Theme::light()),
        ] {
            let choice = ThemeChoice { background, ..ThemeChoice::default() };
            assert_eq!(choice.theme(None, Some("xterm-256color"), None, colours), theme, "{background:?} {colours:?}");
        }
    }
}
