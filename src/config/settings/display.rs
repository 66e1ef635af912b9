//! Display settings.

use crate::app::Preferences;
use crate::config::time_zone::TimeZone;
use crate::glyphs::Glyphs;
use crate::model::{Currency, MovingAverage, Period, Text};
use crate::theme::ThemeChoice;

/// Display settings.
#[derive(Clone, Debug)]
pub struct Display {
    /// Currency of prices.
    pub convert: Currency,
    /// Initial period of charts.
    pub period: Period,
    /// Coins per page of a list.
    pub page_size: u32,
    /// Time zone of the dashboard and tables.
    pub time_zone: TimeZone,
    /// Use ASCII instead of braille, arrows and box-drawing characters.
    pub ascii: Ascii,
    /// How images are shown.
    pub images: Images,
    /// Colours.
    pub theme: ThemeChoice,
    /// Slug or symbol of the coin in the window title; empty for no title.
    pub title: Text,
    /// The moving averages of charts, one or two, shortest first.
    pub averages: Vec<MovingAverage>,
    /// The length of the RSI in candles.
    pub rsi: usize,
}

impl Default for Display {
    fn default() -> Self {
        let Preferences { convert, period, page_size, averages, rsi, .. } = Preferences::default();
        Display {
            convert,
            period,
            page_size,
            time_zone: TimeZone::Local,
            ascii: Ascii::Auto,
            images: Images::Auto,
            theme: ThemeChoice::default(),
            title: Text::default(),
            averages,
            rsi,
        }
    }
}

impl Display {
    /// The glyph set, by the setting or else by the locale.
    pub fn glyphs(&self) -> Glyphs {
        let variable = |name: &str| std::env::var(name).ok();
        match self.ascii {
            Ascii::Always => Glyphs::Ascii,
            Ascii::Never => Glyphs::Unicode,
            Ascii::Auto => {
                let locale = ["LC_ALL", "LC_CTYPE", "LANG"].into_iter().filter_map(variable).find(|v| !v.is_empty());
                Glyphs::detect(variable("TERM").as_deref(), locale.as_deref())
            }
        }
    }
}

/// Whether to use ASCII glyphs.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Ascii {
    /// By the locale.
    #[default]
    Auto,
    /// Always.
    Always,
    /// Never.
    Never,
}

/// How images are shown.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Images {
    /// By the terminal's name: a graphics protocol that it is known to support, or half blocks.
    #[default]
    Auto,
    /// Half blocks.
    HalfBlocks,
    /// Kitty's graphics protocol.
    Kitty,
    /// Sixel graphics.
    Sixel,
    /// iTerm2's inline images.
    Iterm2,
    /// Not at all.
    Off,
}

impl Images {
    /// All values with their names.
    pub const ALL: [(&'static str, Images); 6] = [
        ("auto", Images::Auto),
        ("half-blocks", Images::HalfBlocks),
        ("kitty", Images::Kitty),
        ("sixel", Images::Sixel),
        ("iterm2", Images::Iterm2),
        ("off", Images::Off),
    ];
}
