//! Every key of the table works in every place that it is listed for.

use crossterm::event::{KeyCode, KeyEvent, KeyModifiers};
use satscope::app::Overlay;
use satscope::app::sources::{ConfiguredSources, SourceControl};
use satscope::client::{Request, ResponseData};
use satscope::keymap::{Command, Context, Entry, Key, Keymap, Press, SCREENS, Tab};
use satscope::model::ProviderName;

use crate::support::indexer;
use crate::support::screen::Screen;

/// Ways to reach each place: terminal size and keys. A key must have an effect after at least one of them.
fn ways(place: Context) -> &'static [((u16, u16), &'static str)] {
    match place {
        Context::List => &[
            ((120, 30), "jjjjj"),
            ((120, 30), "2jjjjj"),
            ((120, 30), "/coin<enter>j"),
            ((120, 30), "jjf"),
            ((80, 24), "jj"),
            ((80, 24), "jj>"),
        ],
        Context::Token => &[
            ((120, 40), "jj<enter><left>"),
            ((120, 16), "jj<enter><tab>j"),
            ((120, 40), "jj<enter><tab><tab>j"),
            ((120, 40), "jj<enter><tab><tab><tab>j"),
            ((80, 24), "jj<enter><tab><tab><tab>j"),
            ((80, 24), "jj<enter><tab><tab><tab>j>"),
            ((120, 40), "jj<enter>+"),
            ((120, 40), "jj<enter>f"),
        ],
        Context::Wallet => &[
            ((120, 30), "4j"),
            ((120, 30), "4a2 ordi<enter>a3 ordi<enter><right>"),
            ((120, 30), "4a2 ordi<enter>"),
            ((120, 30), "4a2 ordi<enter>a1 sats<enter>"),
            ((120, 30), "4a2 ordi<enter>a1 sats<enter>j"),
            ((120, 30), "4jm"),
            ((60, 24), "4a2 ordi<enter>"),
            ((60, 24), "4a2 ordi<enter>>"),
        ],
        Context::Indexer => &[
            ((120, 30), "5j"),
            ((120, 30), "5j<tab><tab>jjj"),
            ((120, 30), "5:block 840000<enter>j"),
            ((120, 30), "5/o<enter>"),
            ((120, 30), "5j>"),
        ],
        Context::Status => &[((80, 8), "5432116jj"), ((80, 30), "6")],
        Context::Help => &[((80, 24), "?jjj")],
        Context::Compare => &[((120, 30), "jjmjmv<left><left>j"), ((120, 30), "jjmjmv]"), ((120, 30), "jjmjmvd")],
        Context::Post => &[((60, 12), "jj<enter>p<down><enter>jj")],
        Context::Image => &[((120, 30), "5")],
        Context::Links => &[((120, 30), "oj"), ((120, 30), "o")],
        Context::Sources => &[((120, 30), "Dj")],
        Context::Columns => &[((120, 30), "Cj")],
        Context::Alerts => &[
            ((120, 30), "!<enter>qjj!<enter>"),
            ((120, 30), "!<enter>qjj!<enter>k"),
            ((120, 30), "!<enter>qjj!<enter>d"),
        ],
        Context::Confirm => &[((120, 30), "5:bc1qd2mzs0p9rhjrp9494u0edtlleulfqt4x268cg8<enter>")],
        Context::Choice => &[((120, 30), "c<down><down>"), ((120, 30), "cu s<left>"), ((120, 30), "4a2 sa")],
        Context::Palette => &[
            ((120, 30), "5:840000<down>"),
            ((120, 30), "5:8400 00<left>"),
            ((120, 30), "<c-p>or"),
            ((120, 30), ":<end>"),
        ],
        Context::Line => {
            &[((120, 30), "jjj/co in<left><down><down>"), ((120, 30), "/c c<home>"), ((120, 30), "5/o r<left>")]
        }
        Context::Menu => &[((120, 30), "y")],
    }
}

fn at(size: (u16, u16), keys: &str, place: Context) -> Screen {
    let mut screen = Screen::new(size.0, size.1);
    if place == Context::Confirm {
        screen.state.preferences.address_receivers = vec![ProviderName::UniSat];
    }
    if place == Context::Sources {
        let order = vec![ProviderName::UniSat, ProviderName::Maestro];
        let configured = ConfiguredSources { disabled: Vec::new(), orders: vec![("brc20_tokens".into(), order)] };
        screen.state.preferences.sources_control = SourceControl::Own(configured);
    }
    screen.serve(response);
    let mut rest = keys;
    while !rest.is_empty() {
        let end =
            if rest.starts_with('<') { rest.find('>').unwrap() + 1 } else { rest.chars().next().unwrap().len_utf8() };
        screen.keys(&rest[..end]);
        screen.wait(std::time::Duration::from_millis(200));
        screen.serve(response);
        rest = &rest[end..];
    }
    if place == Context::Image {
        // Not every build has the key that opens it.
        screen.state.overlay = Some(Overlay::Image { id: "i".into(), title: String::from("Inscription 1") });
    }
    assert_eq!(screen.state.context(), place, "{keys}");
    screen.effects.clear();
    screen
}

fn response(request: &Request) -> Option<ResponseData> {
    indexer::response(request)
}

/// Whether the key opens the tab that is already open. The lists have one context, so each of their keys leads elsewhere
/// from one of them.
fn is_there_already(entry: &Entry, place: Context) -> bool {
    let opens = |tab: Tab| tab.context() == place && entry.command == Command::Go(tab);
    place != Context::List && Tab::ALL.into_iter().any(opens)
}

/// Whether a command may only say what it does, or why it does nothing: on this screen, with this data, or in this build.
fn may_only_say(command: Command) -> bool {
    use Command::{Copy, FilterPosts, HideAmounts, OpenMentioned, OpenTokenCoin, ShowImage, ToggleLivePrices};
    matches!(command, Copy | FilterPosts | HideAmounts | OpenMentioned | OpenTokenCoin | ShowImage | ToggleLivePrices)
}

/// Whether the key has a side effect or changes the screen, other than by a message unless that counts, after one of the
/// ways to its place.
fn has_effect(key: Key, place: Context, counts_message: bool) -> bool {
    ways(place).iter().any(|&(size, keys)| {
        let mut screen = at(size, keys, place);
        screen.state.toast = None;
        let before = (screen.paint(), screen.cursor);
        screen.key(key.event());
        screen.state.toast = screen.state.toast.take().filter(|_| counts_message);
        !screen.effects.is_empty() || (screen.paint(), screen.cursor) != before
    })
}

#[test]
fn every_listed_key_has_an_effect_in_its_place() {
    let mut idle = Vec::new();
    let map = Keymap::default();
    for place in Context::ALL {
        for binding in map.bindings(place) {
            for keys in binding.keys.iter() {
                let pressed = map.press(place, None, keys.first.event());
                assert_eq!(pressed, Press::Run(binding.entry.command), "{keys} in {place:?}");
                let counts_message = may_only_say(binding.entry.command);
                if !is_there_already(binding.entry, place) && !has_effect(keys.first, place, counts_message) {
                    idle.push(format!("{keys} in {place:?}: {}", binding.used.help));
                }
            }
        }
    }
    assert!(idle.is_empty(), "{idle:#?}");
}

#[test]
fn esc_leaves_every_dialog_and_text_field() {
    let map = Keymap::default();
    for place in Context::ALL.into_iter().filter(|place| !SCREENS.contains(place)) {
        let esc = KeyEvent::new(KeyCode::Esc, KeyModifiers::NONE);
        assert_eq!(map.press(place, None, esc), Press::Run(Command::Back), "{place:?}");
    }
}

#[test]
fn every_place_is_reachable() {
    for place in Context::ALL {
        for &(size, keys) in ways(place) {
            at(size, keys, place);
        }
    }
}

fn alt(key: char) -> KeyEvent {
    KeyEvent::new(KeyCode::Char(key), KeyModifiers::ALT)
}

#[test]
fn esc_and_a_key_in_one_read_both_count() {
    for (keys, place) in [
        ("jj<enter>", Context::Token),
        ("/coin", Context::Line),
        ("?", Context::Help),
        ("s", Context::Menu),
        ("F", Context::Menu),
    ] {
        let mut screen = at((120, 40), keys, place);
        screen.key(alt('4'));
        assert_eq!(screen.state.context(), Context::Wallet, "{keys}");
    }
}
