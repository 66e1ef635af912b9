//! Reduces the colours of half blocks to those that the terminal has.

use ratatui::buffer::Buffer;
use ratatui::layout::Rect;
use ratatui::style::Color;

use crate::theme::{nearest_of_256, nearest_of_sixteen};
use crate::view::images::Colours;

/// Characters of growing density.
const DENSITIES: [&str; 10] = [" ", ".", ":", "-", "=", "+", "*", "#", "%", "@"];

/// Replaces the 24-bit colours of half blocks. Without colours, each cell gets a character as dense as it is bright, or
/// as it is dark on a light background.
pub(super) fn reduce(buf: &mut Buffer, area: Rect, colours: Colours, is_light: bool) {
    for position in area.intersection(buf.area).positions() {
        let Some(cell) = buf.cell_mut(position) else { continue };
        let (Color::Rgb(..), Color::Rgb(..)) = (cell.fg, cell.bg) else { continue };
        match colours {
            Colours::True => {}
            Colours::Indexed => {
                (cell.fg, cell.bg) = (nearest_of_256(cell.fg), nearest_of_256(cell.bg));
            }
            Colours::Sixteen => {
                (cell.fg, cell.bg) = (nearest_of_sixteen(cell.fg), nearest_of_sixteen(cell.bg));
            }
            Colours::None => {
                // A blank cell shows only its background.
                let upper = if cell.symbol() == " " { cell.bg } else { cell.fg };
                let bright = (brightness(upper) + brightness(cell.bg)) / 2;
                let level = if is_light { 255 - bright } else { bright };
                let symbol = DENSITIES.get(level as usize * DENSITIES.len() / 256).copied().unwrap_or(" ");
                cell.reset();
                cell.set_symbol(symbol);
            }
        }
    }
}

/// The brightness of a 24-bit colour from 0 to 255, with the weights of Rec. 709.
fn brightness(colour: Color) -> u32 {
    let Color::Rgb(red, green, blue) = colour else { return 0 };
    let [red, green, blue] = [red, green, blue].map(u32::from);
    (2126 * red + 7152 * green + 722 * blue) / 10_000
}
