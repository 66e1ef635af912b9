//! A share of a whole as a bar: `███████░░░ 70%`.

use std::fmt::Write;

use ratatui::buffer::Buffer;
use ratatui::layout::Rect;

use super::text;
use crate::format::Share;
use crate::theme::Theme;

/// The left eighths of a cell.
const EIGHTHS: [&str; 8] = [" ", "▏", "▎", "▍", "▌", "▋", "▊", "▉"];

/// The columns of the label, with its space.
const LABEL: u16 = 6;

/// Paints `share` (0 to 1, clamped) as a bar with its percentage behind it; only the percentage where there is no room
/// for a bar of three columns. An absent share is a dim `—`.
pub fn paint(buf: &mut Buffer, area: Rect, share: Option<f64>, theme: &Theme) {
    let Some(share) = share.filter(|share| share.is_finite()) else {
        text::put(buf, area, crate::format::ABSENT, theme.dim);
        return;
    };
    let share = share.clamp(0.0, 1.0);
    let mut label = String::with_capacity(8);
    let _ = write!(label, "{}", Share(Some(share * 100.0)));
    let Some(columns) = area.width.checked_sub(LABEL).filter(|&columns| columns >= 3) else {
        return text::number(buf, Rect { width: area.width.min(LABEL - 1), ..area }, &label, theme.text);
    };
    fill(buf, Rect { width: columns, ..area }, share, theme);
    text::put(buf, text::shifted(area, columns + 1), &label, theme.text);
}

/// Paints the bar alone over the first row of `area`, to an eighth of a cell. What is little but not nothing shows as
/// an eighth, and what is not quite all never shows as full.
pub fn fill(buf: &mut Buffer, area: Rect, share: f64, theme: &Theme) {
    let whole = u32::from(area.width) * 8;
    let exact = share.clamp(0.0, 1.0) * f64::from(whole);
    let eighths = match exact.round() as u32 {
        0 if exact > 0.0 => 1,
        full if full == whole && share < 1.0 => whole.saturating_sub(1),
        eighths => eighths,
    };
    for column in 0..area.width {
        let symbol = match eighths.saturating_sub(u32::from(column) * 8) {
            0 => "░",
            8.. => "█",
            part => EIGHTHS.get(part as usize).copied().unwrap_or(" "),
        };
        // So many full cells would outshine every number.
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
        paint(&mut buf, area, share, &Theme::ansi());
        buf.content.iter().map(|cell| cell.symbol()).collect()
    }

    #[test]
    fn bars() {
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
    fn a_bar_is_quieter_than_its_number() {
        let area = Rect::new(0, 0, 9, 1);
        let mut buf = Buffer::empty(area);
        paint(&mut buf, area, Some(0.5), &Theme::ansi());
        let is_dim: Vec<bool> = buf.content.iter().map(|cell| cell.modifier == Modifier::DIM).collect();
        assert_eq!(is_dim, [true, true, true, false, false, false, false, false, false]);
    }

    #[test]
    fn any_rectangle_is_safe() {
        let mut buf = Buffer::empty(Rect::new(1, 1, 3, 3));
        for area in [Rect::ZERO, Rect::new(0, 0, 9, 9), Rect::new(2, 2, 5000, 1), Rect::new(9, 9, 2, 2)] {
            paint(&mut buf, area, Some(0.4), &Theme::ansi());
        }
    }
}
