//! A share of a whole as a bar: `███████░░░ 70.0%`.

use compact_str::{CompactString, format_compact};
use ratatui::buffer::Buffer;
use ratatui::layout::Rect;
use ratatui::widgets::Widget;

use super::text;
use crate::format::{ABSENT, Share};
use crate::theme::Theme;

/// The left eighths of a cell.
const EIGHTHS: [&str; 8] = [" ", "▏", "▎", "▍", "▌", "▋", "▊", "▉"];

/// Columns of the percentage, including the space before it.
const LABEL: u16 = 6;

/// A dim bar followed by its percentage; only the percentage if there is no room for a bar of three columns. An absent
/// share is a dim `—`.
///
/// ```
/// use ratatui::{buffer::Buffer, layout::Rect, style::Stylize, text::Line, widgets::Widget};
/// use satscope::view::widgets::ShareBar;
///
/// let mut buf = Buffer::empty(Rect::new(0, 0, 16, 1));
/// ShareBar::new(Some(0.54)).render(buf.area, &mut buf);
/// assert_eq!(buf, Buffer::with_lines([Line::from(vec!["█████▍░░░░".dim(), " 54.0%".into()])]));
/// ```
#[derive(Clone, Copy, Debug)]
pub struct ShareBar<'a> {
    share: Option<f64>,
    is_bare: bool,
    theme: &'a Theme,
}

impl<'a> ShareBar<'a> {
    /// A bar of a share from 0 to 1; other values are clamped.
    pub fn new(share: Option<f64>) -> ShareBar<'a> {
        ShareBar { share: share.filter(|share| share.is_finite()), is_bare: false, theme: Theme::ANSI }
    }

    /// Shows only the bar, over the whole width: no percentage, and blank after its end.
    pub fn bare(self) -> ShareBar<'a> {
        ShareBar { is_bare: true, ..self }
    }

    /// The columns that it covers of an area of this width.
    pub fn used(&self, width: u16) -> u16 {
        let label = self.label();
        if width >= LABEL + 3 { width - LABEL + 1 + text::width(&label) } else { width.min(LABEL - 1) }
    }

    /// The percentage.
    fn label(&self) -> CompactString {
        let share = self.share.map(|share| share.clamp(0.0, 1.0) * 100.0);
        format_compact!("{}", Share(share))
    }

    /// The styles.
    pub fn theme(self, theme: &'a Theme) -> ShareBar<'a> {
        ShareBar { theme, ..self }
    }
}

impl Widget for ShareBar<'_> {
    fn render(self, area: Rect, buf: &mut Buffer) {
        let Some(share) = self.share.map(|share| share.clamp(0.0, 1.0)) else {
            text::put(buf, area, ABSENT, self.theme.dim);
            return;
        };
        if self.is_bare {
            return fill(buf, area, share, " ", self.theme);
        }
        let label = self.label();
        let Some(columns) = area.width.checked_sub(LABEL).filter(|&columns| columns >= 3) else {
            return text::number(buf, Rect { width: area.width.min(LABEL - 1), ..area }, &label, self.theme.text);
        };
        fill(buf, Rect { width: columns, ..area }, share, "░", self.theme);
        text::put(buf, text::shifted(area, columns + 1), &label, self.theme.text);
    }
}

/// Paints the bar, exact to an eighth of a cell. A small but nonzero share has at least one eighth, and only a full
/// share has a full bar.
fn fill(buf: &mut Buffer, area: Rect, share: f64, empty: &str, theme: &Theme) {
    let whole = u32::from(area.width) * 8;
    let exact = share * f64::from(whole);
    let eighths = match exact.round() as u32 {
        0 if exact > 0.0 => 1,
        full if full == whole && share < 1.0 => whole.saturating_sub(1),
        eighths => eighths,
    };
    for column in 0..area.width {
        let symbol = match eighths.saturating_sub(u32::from(column) * 8) {
            0 => empty,
            8.. => "█",
            part => EIGHTHS.get(part as usize).copied().unwrap_or(" "),
        };
        // Dim, since a row of full cells would distract from the numbers.
        text::put(buf, Rect { width: 1, ..text::shifted(area, column) }, symbol, theme.dim);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use ratatui::style::Modifier;

    fn shown(width: u16, share: Option<f64>) -> String {
        let area = Rect::new(0, 0, width, 1);
        let mut buf = Buffer::empty(area);
        ShareBar::new(share).render(area, &mut buf);
        buf.content.iter().map(|cell| cell.symbol()).collect()
    }

    #[test]
    fn bar_is_as_long_as_its_share() {
        for (width, share, text) in [
            (16, Some(0.7), "███████░░░ 70.0%"),
            (16, Some(1.0), "██████████ 100% "),
            (16, Some(0.9999), "█████████▉ 100% "),
            (16, Some(0.0), "░░░░░░░░░░ 0.0% "),
            (16, Some(1e-9), "▏░░░░░░░░░ <0.1%"),
            (16, Some(0.54), "█████▍░░░░ 54.0%"),
            (16, Some(7.0), "██████████ 100% "),
            (8, Some(0.7), "70.0%   "),
            (3, Some(0.7), "  …"),
            (4, Some(f64::NAN), "—   "),
            (4, None, "—   "),
        ] {
            assert_eq!(shown(width, share), text);
        }
    }

    #[test]
    fn bare_bar_fills_its_area() {
        let mut buf = Buffer::empty(Rect::new(0, 0, 4, 1));
        ShareBar::new(Some(0.5)).bare().render(buf.area, &mut buf);
        assert_eq!(buf.content.iter().map(|cell| cell.symbol()).collect::<String>(), "██  ");
    }

    #[test]
    fn bar_is_dimmer_than_its_number() {
        let area = Rect::new(0, 0, 9, 1);
        let mut buf = Buffer::empty(area);
        ShareBar::new(Some(0.5)).render(area, &mut buf);
        let is_dim: Vec<bool> = buf.content.iter().map(|cell| cell.modifier == Modifier::DIM).collect();
        assert_eq!(is_dim, [true, true, true, false, false, false, false, false, false]);
    }

    #[test]
    fn used_columns_end_with_the_percentage() {
        for (share, width) in [(0.048, 20), (0.54, 20), (1.0, 20), (0.048, 7), (0.54, 3)] {
            let mut buf = Buffer::empty(Rect::new(0, 0, 24, 1));
            let bar = ShareBar::new(Some(share));
            bar.render(Rect { width, ..buf.area }, &mut buf);
            let shown: String = buf.content.iter().map(|cell| cell.symbol()).collect();
            assert_eq!(usize::from(bar.used(width)), shown.trim_end().chars().count(), "{shown:?}");
        }
    }

    #[test]
    fn any_area_is_safe() {
        let mut buf = Buffer::empty(Rect::new(1, 1, 3, 3));
        for area in [Rect::ZERO, Rect::new(0, 0, 9, 9), Rect::new(2, 2, 5000, 1), Rect::new(9, 9, 2, 2)] {
            ShareBar::new(Some(0.4)).render(area, &mut buf);
        }
    }
}
