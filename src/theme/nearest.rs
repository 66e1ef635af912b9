//! Replaces 24-bit colours with the nearest ones of a terminal that has fewer.

use ratatui::style::Color;

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

/// The value of `COLORTERM`; `None` in GNU Screen, which ignores 24-bit colours but inherits the variable from the
/// terminal that it was started in.
pub fn color_term(variable: impl Fn(&str) -> Option<String>) -> Option<String> {
    let is_in_screen = variable("STY").is_some_and(|value| !value.is_empty());
    variable("COLORTERM").filter(|_| !is_in_screen)
}

/// Whether the terminal has 24-bit colours, by the values of `TERM` and [`color_term`].
pub fn has_24_bit_colours(term: Option<&str>, color_term: Option<&str>) -> bool {
    let term = term.unwrap_or("");
    matches!(color_term, Some("truecolor" | "24bit"))
        || term.ends_with("-direct")
        || ["xterm-kitty", "xterm-ghostty", "alacritty", "foot", "wezterm", "contour"]
            .iter()
            .any(|name| term.starts_with(name))
}

/// The nearest colour of the cube or of the greys of the 256 colours. Other colours are returned unchanged.
pub fn nearest_of_256(colour: Color) -> Color {
    let Color::Rgb(red, green, blue) = colour else { return colour };
    let wanted = [red, green, blue];
    let nearest = |value: u8| {
        let levels = (0u8..).zip(LEVELS);
        levels.min_by_key(|(_, level)| level.abs_diff(value)).unwrap_or_default()
    };
    let [(red, r), (green, g), (blue, b)] = wanted.map(nearest);
    let average = wanted.into_iter().map(u32::from).sum::<u32>() / 3;
    let step = u8::try_from(average.saturating_sub(3) / 10).unwrap_or(0).min(23);
    let grey = 8 + 10 * step;
    if distance(wanted, [grey; 3]) < distance(wanted, [r, g, b]) {
        Color::Indexed(232 + step)
    } else {
        Color::Indexed(16 + 36 * red + 6 * green + blue)
    }
}

/// The nearest of the sixteen colours. Other colours are returned unchanged.
pub fn nearest_of_sixteen(colour: Color) -> Color {
    let Color::Rgb(red, green, blue) = colour else { return colour };
    let nearest = SIXTEEN.iter().min_by_key(|(_, shown)| distance([red, green, blue], *shown));
    nearest.map_or(Color::Reset, |(colour, _)| *colour)
}

fn distance(a: [u8; 3], b: [u8; 3]) -> u32 {
    a.into_iter().zip(b).map(|(a, b)| u32::from(a.abs_diff(b)).pow(2)).sum()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn gnu_screen_has_no_24_bit_colours() {
        for (sty, value) in [(None, Some("truecolor")), (Some(""), Some("truecolor")), (Some("4711.pts-0.host"), None)]
        {
            let variable = |name: &str| if name == "STY" { sty } else { Some("truecolor") }.map(String::from);
            assert_eq!(color_term(variable).as_deref(), value, "{sty:?}");
        }
    }

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
            assert_eq!(nearest_of_256(colour), Color::Indexed(index), "{rgb:?}");
            assert_eq!(nearest_of_sixteen(colour), sixteen, "{rgb:?}");
        }
    }
}
