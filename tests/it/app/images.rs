//! Images of inscriptions: requested by a key, and drawn in a dialog.

use satscope::app::Preferences;
use satscope::client::Request;
use satscope::keymap::Context;

use crate::support::indexer;
use crate::support::screen::Screen;

/// A dashboard that may show images.
fn with_images(size: (u16, u16)) -> Screen {
    let preferences = Preferences { images: true, ..Preferences::default() };
    Screen::with(preferences, size.0, size.1)
}

/// The facts of an inscription with an image, or with text.
fn inscription(size: (u16, u16)) -> Screen {
    let mut screen = with_images(size);
    screen.keys("5:inscription 69999995<enter>");
    screen.serve(indexer::response);
    assert!(screen.text().contains("image/png"), "{}", screen.text());
    screen
}

fn wants_image(screen: &Screen) -> bool {
    screen.wanted().iter().any(|request| matches!(request, Request::InscriptionImage { .. }))
}

#[cfg(not(feature = "images"))]
#[test]
fn build_without_images_names_the_feature_to_enable() {
    let mut screen = inscription((120, 30));
    assert!(!screen.text().contains("i image"), "no hint:\n{}", screen.text());
    screen.keys("i");
    assert!(screen.text().contains("Images need a build with --features images"), "{}", screen.text());
    assert_eq!((screen.state.context(), wants_image(&screen)), (Context::Indexer, false));
}

#[test]
fn only_a_build_with_images_offers_the_key() {
    for keys in ["?", ":image"] {
        let mut screen = inscription((160, 60));
        screen.keys(keys);
        let text = screen.text();
        assert_eq!(text.contains("show image"), cfg!(feature = "images"), "{keys}:\n{text}");
    }
}

#[test]
fn non_image_content_shows_its_type() {
    let mut screen = with_images((120, 30));
    screen.keys("5:sat 0<enter>");
    screen.serve(indexer::response);
    screen.keys("<tab>i");
    assert!(screen.text().contains("text/plain is not an image"), "{}", screen.text());
    assert_eq!((screen.state.context(), wants_image(&screen)), (Context::Indexer, false));
}

#[cfg(feature = "images")]
mod shown {
    use satscope::client::{ErrorKind, ResponseData};
    use satscope::glyphs::Glyphs;
    use satscope::model::{Inscription, Text};
    use satscope::view::images::Colours;

    use super::*;

    fn id() -> Text {
        let Some(ResponseData::Inscription(inscription)) = indexer::response(&Request::Inscription {
            inscription: satscope::client::InscriptionRef::Number(70_000_000),
        }) else {
            panic!("no inscription")
        };
        inscription.id
    }

    #[test]
    fn image_is_requested_only_while_its_dialog_is_open() {
        let mut screen = inscription((120, 30));
        assert!(screen.text().contains("i image"), "{}", screen.text());
        assert!(!wants_image(&screen));
        screen.keys("i");
        assert_eq!(screen.state.context(), Context::Image);
        assert_eq!(screen.wanted().first(), Some(&Request::InscriptionImage { id: id() }));
        assert!(screen.text().contains("Loading the image…"), "{}", screen.text());
        screen.serve(indexer::response);
        let text = screen.text();
        assert!(text.contains("Inscription 69,999,995") && text.contains("PNG   1200×1200   48 kB"), "{text}");
        let orange =
            screen.paint().content.iter().filter(|cell| cell.bg == ratatui::style::Color::Indexed(208)).count();
        // The largest square of whole pixels in the dialog.
        assert_eq!(orange, 48 * 24, "{text}");
        for close in ["i", "<esc>", "q", "<enter>"] {
            screen.keys(close);
            assert_eq!((screen.state.context(), wants_image(&screen)), (Context::Indexer, false), "{close}");
            screen.keys("i");
        }
    }

    #[test]
    fn selected_row_of_a_list_opens_its_image() {
        let mut screen = with_images((120, 30));
        screen.keys("5:sat 0<enter>");
        screen.serve(indexer::response);
        screen.keys("<tab>ji");
        assert_eq!(screen.state.context(), Context::Image);
    }

    #[test]
    fn failures_are_one_sentence() {
        let long = "The PNG is too large: 20000×20000, limit 8 megapixels";
        for (kind, sentence) in [
            (ErrorKind::Image(String::from(long)), long),
            (ErrorKind::Image(String::from("The PNG is damaged")), "× The PNG is damaged "),
            (ErrorKind::TooLarge(1 << 20), "Response larger than 1 MiB"),
            (ErrorKind::NotFound { message: None }, "The indexer doesn't have the content of this inscription"),
            (ErrorKind::Refused, "connection refused"),
        ] {
            for size in [(160, 45), (80, 24)] {
                let mut screen = inscription(size);
                screen.keys("i");
                screen.fail(&Request::InscriptionImage { id: id() }, kind.clone());
                assert!(screen.text().contains(sentence), "{sentence}:\n{}", screen.text());
            }
        }
    }

    #[test]
    fn only_small_images_are_requested() {
        let show = |change: fn(&mut Inscription)| {
            let mut screen = with_images((120, 30));
            screen.keys("5:inscription 69999995<enter>");
            screen.serve(|request| match indexer::response(request)? {
                ResponseData::Inscription(mut inscription) => {
                    change(&mut inscription);
                    Some(ResponseData::Inscription(inscription))
                }
                response => Some(response),
            });
            assert_eq!(screen.text().contains("i image"), show_hint(&mut screen));
            screen.keys("i");
            assert!(!wants_image(&screen), "{}", screen.text());
            screen.text()
        };
        fn show_hint(screen: &mut Screen) -> bool {
            screen.text().contains("image/png")
        }
        for (change, sentence) in [
            (
                (|inscription| inscription.content_type = Some("image/svg+xml".into())) as fn(&mut Inscription),
                "Can't show image/svg+xml (only PNG, JPEG, GIF and WebP)",
            ),
            (
                |inscription| inscription.content_type = Some("text/html;charset=utf-8".into()),
                "text/html is not an image",
            ),
            (|inscription| inscription.content_type = None, "Unknown content type"),
            (|inscription| inscription.content_length = Some(3_900_000), "Image too large: 3.9 MB (limit 1.0 MB)"),
        ] {
            let text = show(change);
            assert!(text.contains(sentence), "{sentence}:\n{text}");
        }
    }

    #[test]
    fn images_can_be_disabled() {
        let preferences = Preferences { images: false, ..Preferences::default() };
        let mut screen = Screen::with(preferences, 120, 30);
        screen.keys("5:inscription 69999995<enter>");
        screen.serve(indexer::response);
        assert!(!screen.text().contains("i image"));
        screen.keys("i");
        assert!(screen.text().contains("Images are off (display.images)"), "{}", screen.text());
        assert!(!wants_image(&screen));
    }

    #[test]
    fn image_works_without_colours_and_unicode() {
        for size in [(160, 45), (120, 35), (80, 24), (40, 12)] {
            let mut screen = inscription((120, 30));
            screen.resize(size.0, size.1);
            screen.appearance.images.colours = Colours::None;
            screen.appearance.glyphs = Glyphs::Ascii;
            screen.keys("i");
            screen.serve(indexer::response);
            let text = screen.text();
            assert!(text.is_ascii() && text.contains("*****"), "{size:?}:\n{text}");
        }
    }
}
