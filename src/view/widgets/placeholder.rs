//! The placeholder for missing content.

use ratatui::buffer::Buffer;
use ratatui::layout::Rect;
use ratatui::style::Style;
use ratatui::widgets::Widget;

use super::text;
use crate::theme::Theme;

/// Why a panel has no content: one dim sentence at the top of the content area.
///
/// ```
/// use ratatui::{buffer::Buffer, layout::Rect, style::Stylize, text::Line, widgets::Widget};
/// use satscope::view::widgets::Placeholder;
///
/// let mut buf = Buffer::empty(Rect::new(0, 0, 14, 1));
/// Placeholder::failed("no response").render(buf.area, &mut buf);
/// assert_eq!(buf, Buffer::with_lines([Line::from(vec![" ".into(), "×".yellow(), " ".into(), "no response".dim()])]));
/// ```
#[derive(Clone, Copy, Debug)]
pub struct Placeholder<'a> {
    sign: &'static str,
    sign_style: fn(&Theme) -> Style,
    sentence: &'a str,
    theme: &'a Theme,
}

impl<'a> Placeholder<'a> {
    /// The content is loading. The spinner is not animated, since there is no periodic tick.
    pub fn loading(sentence: &'a str) -> Placeholder<'a> {
        Placeholder { sign: "⠋", sign_style: |theme| theme.dim, sentence, theme: Theme::ANSI }
    }

    /// The content could not be loaded.
    pub fn failed(sentence: &'a str) -> Placeholder<'a> {
        Placeholder { sign: "×", sign_style: |theme| theme.warn, sentence, theme: Theme::ANSI }
    }

    /// There is no content.
    pub fn empty(sentence: &'a str) -> Placeholder<'a> {
        Placeholder { sign: "", sign_style: |theme| theme.dim, sentence, theme: Theme::ANSI }
    }

    /// The styles.
    pub fn theme(self, theme: &'a Theme) -> Placeholder<'a> {
        Placeholder { theme, ..self }
    }
}

impl Widget for Placeholder<'_> {
    fn render(self, area: Rect, buf: &mut Buffer) {
        let area = text::shifted(area.intersection(buf.area), 1);
        let used = text::put(buf, text::line(area, 0), self.sign, (self.sign_style)(self.theme));
        let words = text::shifted(area, if used == 0 { 0 } else { used + 1 });
        text::paragraph(buf, words, self.sentence, self.theme.dim);
    }
}
