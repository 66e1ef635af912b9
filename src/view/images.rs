//! How this terminal shows images, by its name. It is never queried: a terminal that doesn't answer would delay the
//! start, and a late response would count as typing.

use crate::theme::{Theme, color_term, has_24_bit_colours};

/// How images are shown.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Protocol {
    /// Half blocks, which every terminal has.
    #[default]
    HalfBlocks,
    /// Kitty's graphics protocol, with Unicode placeholders.
    Kitty,
    /// Sixel graphics.
    Sixel,
    /// iTerm2's inline images.
    Iterm2,
}

/// The colours of half blocks.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Colours {
    /// None: characters of different density.
    None,
    /// The terminal's sixteen.
    Sixteen,
    /// The fixed part of the 256 colours.
    #[default]
    Indexed,
    /// 24-bit colours.
    True,
}

/// How images are shown in this terminal.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Images {
    /// The protocol.
    pub protocol: Protocol,
    /// The colours of half blocks.
    pub colours: Colours,
    /// Width and height of a cell in pixels; only graphics protocols use it.
    pub cell: (u16, u16),
    /// Whether the background is light.
    pub is_light: bool,
}

impl Default for Images {
    fn default() -> Self {
        Images { protocol: Protocol::default(), colours: Colours::default(), cell: CELL, is_light: false }
    }
}

/// Width and height of a cell in pixels if they are unknown.
const CELL: (u16, u16) = (10, 20);

impl Images {
    /// Chooses from the environment variables, which `variable` returns by name. `configured` is the configured protocol;
    /// `cell` is the size of a cell in pixels, if the terminal's device knows it. Without it, only a configured protocol
    /// is used.
    pub fn detect(
        variable: impl Fn(&str) -> Option<String>,
        theme: &Theme,
        configured: Option<Protocol>,
        cell: Option<(u16, u16)>,
    ) -> Images {
        let known = cell.and_then(|_| by_name(&variable));
        Images {
            protocol: configured.or(known).unwrap_or_default(),
            colours: colours(&variable, theme),
            cell: cell.unwrap_or(CELL),
            is_light: crate::theme::has_light_background(variable("COLORFGBG").as_deref()),
        }
    }
}

/// The protocol that a terminal of this name is known to have. A multiplexer passes none of them on.
fn by_name(variable: &impl Fn(&str) -> Option<String>) -> Option<Protocol> {
    let is_set = |name| variable(name).is_some_and(|value| !value.is_empty());
    let term = variable("TERM").unwrap_or_default();
    if ["TMUX", "STY", "ZELLIJ"].into_iter().any(is_set) || term.starts_with("tmux") || term.starts_with("screen") {
        return None;
    }
    match variable("TERM_PROGRAM").unwrap_or_default().as_str() {
        "iTerm.app" | "WezTerm" => return Some(Protocol::Iterm2),
        "ghostty" => return Some(Protocol::Kitty),
        _ => {}
    }
    if matches!(term.as_str(), "xterm-kitty" | "xterm-ghostty") || is_set("KITTY_WINDOW_ID") {
        return Some(Protocol::Kitty);
    }
    let has_sixel = ["foot", "mlterm", "contour", "yaft"].iter().any(|name| term.starts_with(name));
    (has_sixel || term.contains("sixel")).then_some(Protocol::Sixel)
}

fn colours(variable: &impl Fn(&str) -> Option<String>, theme: &Theme) -> Colours {
    let (term, color_term) = (variable("TERM"), color_term(variable));
    match theme {
        theme if *theme == Theme::plain() => Colours::None,
        theme if *theme == Theme::sixteen() => Colours::Sixteen,
        _ if has_24_bit_colours(term.as_deref(), color_term.as_deref()) => Colours::True,
        _ => Colours::Indexed,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn detect(variables: &[(&str, &str)], cell: Option<(u16, u16)>) -> Images {
        let variable =
            |name: &str| variables.iter().find(|(other, _)| *other == name).map(|(_, value)| String::from(*value));
        let theme = Theme::detect(variable("NO_COLOR").as_deref(), variable("TERM").as_deref(), None);
        Images::detect(variable, &theme, None, cell)
    }

    #[test]
    fn protocol_follows_from_the_name_of_the_terminal() {
        let cell = Some((9, 18));
        for (variables, protocol) in [
            (&[("TERM", "xterm-256color")][..], Protocol::HalfBlocks),
            (&[("TERM", "xterm-kitty")], Protocol::Kitty),
            (&[("TERM", "xterm-256color"), ("KITTY_WINDOW_ID", "1")], Protocol::Kitty),
            (&[("TERM", "xterm-256color"), ("TERM_PROGRAM", "ghostty")], Protocol::Kitty),
            (&[("TERM", "xterm-256color"), ("TERM_PROGRAM", "iTerm.app")], Protocol::Iterm2),
            (&[("TERM", "xterm-256color"), ("TERM_PROGRAM", "WezTerm")], Protocol::Iterm2),
            (&[("TERM", "foot")], Protocol::Sixel),
            (&[("TERM", "foot-extra")], Protocol::Sixel),
            // A multiplexer inherits the variables of the terminal that started it.
            (&[("TERM", "tmux-256color"), ("KITTY_WINDOW_ID", "1")], Protocol::HalfBlocks),
            (&[("TERM", "xterm-256color"), ("TMUX", "/tmp/x"), ("TERM_PROGRAM", "iTerm.app")], Protocol::HalfBlocks),
            (&[("TERM", "screen"), ("TERM_PROGRAM", "WezTerm")], Protocol::HalfBlocks),
            (&[], Protocol::HalfBlocks),
        ] {
            assert_eq!(detect(variables, cell).protocol, protocol, "{variables:?}");
            assert_eq!(detect(variables, None).protocol, Protocol::HalfBlocks, "{variables:?}");
        }
        assert_eq!(detect(&[], cell).cell, (9, 18));
    }

    #[test]
    fn configured_protocol_overrides_the_name() {
        let theme = Theme::ansi();
        let kitty = |name: &str| (name == "TERM").then(|| String::from("xterm-kitty"));
        for configured in [Protocol::HalfBlocks, Protocol::Sixel, Protocol::Iterm2] {
            assert_eq!(Images::detect(kitty, &theme, Some(configured), None).protocol, configured);
        }
    }

    #[test]
    fn half_blocks_use_only_colours_that_the_terminal_has() {
        for (variables, colours) in [
            (&[("TERM", "xterm-256color")][..], Colours::Indexed),
            (&[("TERM", "xterm-256color"), ("COLORTERM", "truecolor")], Colours::True),
            (&[("TERM", "screen"), ("COLORTERM", "truecolor"), ("STY", "4711.pts-0.host")], Colours::Indexed),
            (&[("TERM", "xterm-kitty")], Colours::True),
            (&[("TERM", "linux"), ("COLORTERM", "truecolor")], Colours::Sixteen),
            (&[("TERM", "xterm-kitty"), ("NO_COLOR", "1")], Colours::None),
            (&[("TERM", "vt100")], Colours::None),
        ] {
            assert_eq!(detect(variables, None).colours, colours, "{variables:?}");
        }
    }
}
