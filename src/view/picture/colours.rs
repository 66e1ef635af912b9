//! Reduces the colours of half blocks to those that the terminal has.

use ratatui::buffer::Buffer;
use ratatui::layout::Rect;
use ratatui::style::Color;

use crate::view::images::Colours;

/// Levels of a channel in the colour cube of the 256 colours.
const LEVELS: [u8; 6] = [0, 95, 135, 175, 215, 255];

/// The sixteen colours as xterm shows them, in the order of their numbers.
const SIXTEEN: [(Color, [u8; 3]); 16] = [
    (Color::Black, [0, 0, 0]),
    (Color::Red, [205, 0, 0]),
    (Color::Green, [0, 205, 0]),
    (Color::Yellow, [205, 205, 0]),
    (Color::Blue, [0, 0, 238]),
    (Color::Magenta, [205, 0, 205]),
    (Color::Cyan, [0, 205, 205]),
    (Color::Gray, [229, 229, 229]),
    (Color::DarkGray, [127, 127, 127]),
    (Color::LightRed, [255, 0, 0]),
    (Color::LightGreen, [0, 255, 0]),
    (Color::LightYellow, [255, 255, 0]),
    (Color::LightBlue, [92, 92, 255]),
    (Color::LightMagenta, [255, 0, 255]),
    (Color::LightCyan, [0, 255, 255]),
    (Color::White, [255, 255, 255]),
];

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
                (cell.fg, cell.bg) = (indexed(cell.fg), indexed(cell.bg));
            }
            Colours::Sixteen => {
                (cell.fg, cell.bg) = (one_of_sixteen(cell.fg), one_of_sixteen(cell.bg));
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

fn channels(colour: Color) -> [u8; 3] {
    match colour {
        Color::Rgb(red, green, blue) => [red, green, blue],
        _ => [0; 3],
    }
}

/// The brightness from 0 to 255, with the weights of Rec. 709.
fn brightness(colour: Color) -> u32 {
    let [red, green, blue] = channels(colour).map(u32::from);
    (2126 * red + 7152 * green + 722 * blue) / 10_000
}

fn distance(a: [u8; 3], b: [u8; 3]) -> u32 {
    a.into_iter().zip(b).map(|(a, b)| u32::from(a.abs_diff(b)).pow(2)).sum()
}

/// The nearest colour of the cube or of the greys.
fn indexed(colour: Color) -> Color {
    let wanted = channels(colour);
    let nearest = |value: u8| {
        let levels = (0u8..).zip(LEVELS);
        levels.min_by_key(|(_, level)| level.abs_diff(value)).unwrap_or_default()
    };
    let [(red, r), (green, g), (blue, b)] = wanted.map(nearest);
    let average = wanted.into_iter().map(u32::from).sum::<u32>() / 3;
    let step = u8::try_from(average.saturating_sub(3) / 10).unwrap_or(0).min(23);
    let grey = 8 + 10 * step;
    match distance(wanted, [grey; 3]) < distance(wanted, [r, g, b]) {
        true => Color::Indexed(232 + step),
        false => Color::Indexed(16 + 36 * red + 6 * green + blue),
    }
}

fn one_of_sixteen(colour: Color) -> Color {
    let wanted = channels(colour);
    let nearest = SIXTEEN.iter().min_by_key(|(_, shown)| distance(wanted, *shown));
    nearest.map_or(Color::Reset, |(colour, _)| *colour)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn colours_become_the_nearest_ones() {
        for (rgb, index, sixteen) in [
            ([0, 0, 0], 16, Color::Black),
            ([255, 255, 255], 231, Color::White),
            ([255, 0, 0], 196, Color::LightRed),
            ([0, 0, 230], 20, Color::Blue),
            ([128, 128, 128], 244, Color::DarkGray),
            ([247, 147, 26], 208, Color::Yellow),
        ] {
            let colour = Color::Rgb(rgb[0], rgb[1], rgb[2]);
            assert_eq!(indexed(colour), Color::Indexed(index), "{rgb:?}");
            assert_eq!(one_of_sixteen(colour), sixteen, "{rgb:?}");
        }
    }
}
