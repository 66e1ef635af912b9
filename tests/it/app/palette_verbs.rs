//! The palette: what to do with a coin, before or after its name.

use super::palette::lines;
use super::palette_commands::named;
use crate::support::screen::Screen;

#[test]
fn watch_only_watches_and_unwatch_only_unwatches() {
    let mut screen = named(&[]);
    let watched = |symbol: &str, screen: &Screen| screen.state.watched.iter().any(|coin| coin.symbol == symbol);
    for (typed, effect, toast, is_watched) in [
        ("unwatch eth", "not watched", "Not watching ETH", false),
        ("eth watch", "watch", "Watching ETH", true),
        ("watch eth", "already watched", "Already watching ETH", true),
        ("unwatch eth", "unwatch", "Stopped watching ETH", false),
    ] {
        screen.keys(&format!(":{typed}"));
        assert!(lines(&mut screen)[0].contains(effect), "{typed}: {:?}", lines(&mut screen));
        screen.keys("<enter>");
        assert!(screen.text().contains(toast), "{typed}: {}", screen.text());
        assert_eq!(watched("ETH", &screen), is_watched, "{typed}");
    }
}
