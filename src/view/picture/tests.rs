use ratatui::style::Color;

use super::*;
use crate::terminal::Painter;
use crate::theme::Theme;

/// Two columns and two rows of pixels: red and green above blue and white.
fn picture() -> Picture {
    let pixels = [[255, 0, 0, 255], [0, 255, 0, 255], [0, 0, 255, 255], [255, 255, 255, 255]].concat();
    Picture { width: 2, height: 2, pixels, original: (2, 2), format: Text::const_new("PNG"), bytes: 70 }
}

fn appearance(protocol: Protocol, colours: Colours, theme: Theme) -> Appearance {
    let images = Images { protocol, colours, ..Images::default() };
    Appearance { images, ..Appearance::new(theme, Glyphs::Unicode) }
}

/// The bytes of a frame of 4 × 2 cells with the image in its first 2 × 1 cells.
fn bytes(appearance: &Appearance) -> String {
    let mut painter = Painter::new(Vec::new(), (4, 2));
    let mut view_state = None;
    let paint = |buf: &mut Buffer| {
        super::paint(buf, Rect::new(0, 0, 2, 1), (&Text::const_new("i"), &picture()), appearance, &mut view_state);
        None
    };
    painter.frame(paint).unwrap();
    let bytes = String::from_utf8(std::mem::take(painter.out())).unwrap();
    bytes.split("\x1b[2J").nth(1).unwrap().replace('\x1b', "^")
}

#[test]
fn half_blocks_are_written_in_the_colours_of_the_terminal() {
    for (theme, colours, written) in [
        (Theme::ansi(), Colours::True, "^[1H^[38;2;255;0;0;48;2;0;0;255m▀^[38;2;255;255;255;48;2;0;255;0m▄^[m^[?2026l"),
        (Theme::ansi(), Colours::Indexed, "^[1H^[38;5;196;48;5;21m▀^[38;5;231;48;5;46m▄^[m^[?2026l"),
        (Theme::sixteen(), Colours::Sixteen, "^[1H^[91;44m▀^[97;102m▄^[m^[?2026l"),
        (Theme::plain(), Colours::None, "^[1H.%^[?2026l"),
    ] {
        let shown = bytes(&appearance(Protocol::HalfBlocks, colours, theme));
        assert_eq!(shown, written, "{colours:?}");
    }
}

#[test]
fn density_follows_the_background() {
    let light = |is_light| {
        let mut appearance = appearance(Protocol::HalfBlocks, Colours::None, Theme::plain());
        appearance.images.is_light = is_light;
        let mut buf = Buffer::empty(Rect::new(0, 0, 1, 1));
        let white = Picture { width: 1, height: 1, pixels: vec![255; 4], ..picture() };
        super::paint(&mut buf, Rect::new(0, 0, 1, 1), (&Text::const_new("i"), &white), &appearance, &mut None);
        buf[(0, 0)].symbol().to_owned()
    };
    assert_eq!((light(false).as_str(), light(true).as_str()), ("@", " "));
}

#[test]
fn transparent_pixels_show_the_background() {
    for (is_light, shade) in [(false, 0), (true, 255)] {
        let mut appearance = appearance(Protocol::HalfBlocks, Colours::True, Theme::ansi());
        appearance.images.is_light = is_light;
        let clear = Picture { width: 1, height: 2, pixels: vec![9, 9, 9, 0, 9, 9, 9, 0], ..picture() };
        let mut buf = Buffer::empty(Rect::new(0, 0, 1, 1));
        super::paint(&mut buf, Rect::new(0, 0, 1, 1), (&Text::const_new("i"), &clear), &appearance, &mut None);
        assert_eq!((buf[(0, 0)].symbol(), buf[(0, 0)].bg), (" ", Color::Rgb(shade, shade, shade)));
    }
}

#[test]
fn graphics_protocols_send_the_image_once() {
    for (protocol, begin, end) in [
        (Protocol::Kitty, "\x1b_Gq=2,i=7561588,a=T,U=1,f=32,", "\x1b\\"),
        (Protocol::Iterm2, "\x1b]1337;File=inline=1;", "\x07"),
        (Protocol::Sixel, "\x1bP", "\x1b\\"),
    ] {
        let appearance = appearance(protocol, Colours::True, Theme::ansi());
        let mut painter = Painter::new(Vec::new(), (40, 12));
        let mut view_state = None;
        let mut frame = |painter: &mut Painter<Vec<u8>>, has_image: bool| {
            let paint = |buf: &mut Buffer| {
                if has_image {
                    super::paint(
                        buf,
                        Rect::new(2, 1, 30, 8),
                        (&Text::const_new("i"), &picture()),
                        &appearance,
                        &mut view_state,
                    );
                }
                buf.set_string(0, 11, if has_image { "shown" } else { "words" }, ratatui::style::Style::new());
                None
            };
            painter.frame(paint).unwrap();
            String::from_utf8(std::mem::take(painter.out())).unwrap()
        };
        let first = frame(&mut painter, true);
        let at = first.find(begin).unwrap_or_else(|| panic!("{protocol:?}: {first:.200}"));
        assert!(first[at..].contains(end), "{protocol:?}");
        let again = frame(&mut painter, true) + &frame(&mut painter, true);
        assert!(!again.contains(begin), "{protocol:?}: {again:.200}");
        // Every cell that the image covered is written again.
        let without = frame(&mut painter, false);
        assert!(!without.contains(begin) && without.matches(' ').count() >= 100, "{protocol:?}: {without:.300}");
    }
}

#[test]
fn images_fit_with_their_proportions() {
    for (image, room, fitted) in [
        ((24, 24), (100, 60), (48, 48)),
        ((24, 24), (24, 24), (24, 24)),
        ((500, 250), (100, 100), (100, 50)),
        ((250, 500), (100, 100), (50, 100)),
        ((512, 1), (100, 100), (100, 1)),
        ((1, 512), (100, 100), (1, 100)),
        ((16, 16), (40, 8), (8, 8)),
        ((512, 512), (1, 2), (1, 1)),
    ] {
        assert_eq!(fit(image, room), fitted, "{image:?} in {room:?}");
    }
}

#[test]
fn image_of_any_shape_is_drawn_in_any_area() {
    for protocol in [Protocol::HalfBlocks, Protocol::Kitty, Protocol::Iterm2, Protocol::Sixel] {
        let appearance = appearance(protocol, Colours::Indexed, Theme::ansi());
        for (width, height) in [(1, 1), (512, 1), (1, 512), (512, 512), (17, 31)] {
            let pixels = vec![200; 4 * width as usize * height as usize];
            let image = Picture { width, height, pixels, ..picture() };
            for area in [Rect::new(3, 2, 1, 1), Rect::new(0, 0, 40, 12), Rect::new(39, 0, 5, 12), Rect::new(5, 5, 0, 3)]
            {
                let mut buf = Buffer::empty(Rect::new(0, 0, 40, 12));
                super::paint(&mut buf, area, (&Text::const_new("i"), &image), &appearance, &mut None);
                let blank = Buffer::empty(buf.area);
                let outside = |(x, y): (u16, u16)| !area.contains((x, y).into());
                for (x, y) in (0..12).flat_map(|y| (0..40).map(move |x| (x, y))).filter(|at| outside(*at)) {
                    assert_eq!(buf[(x, y)], blank[(x, y)], "{protocol:?} {width}×{height} in {area}");
                }
            }
        }
    }
}
