//! Looking up things that don't exist.

use satscope::app::Message;
use satscope::app::find::lookup::Subject;
use satscope::client::{ErrorKind, InscriptionRef, Request};

use crate::support::screen::{Screen, fixture};

/// The indexer tab after a lookup of a subject that the service doesn't know.
fn unknown(subject: Subject, size: (u16, u16)) -> String {
    let mut screen = Screen::new(size.0, size.1);
    screen.keys("5");
    screen.serve(|request| match request {
        Request::Brc20Tokens { .. } => fixture::response(request),
        _ => None,
    });
    screen.state.indexer.visit(subject);
    screen.send(Message::Tick);
    let lists = |request: &&Request| matches!(request, Request::Brc20Tokens { .. } | Request::Coins { .. });
    for request in screen.wanted().iter().filter(|request| !lists(request)) {
        screen.fail(request, ErrorKind::NotFound { message: None });
    }
    screen.text()
}

#[test]
fn not_found_is_shown_without_a_retry_time() {
    let inscription = Subject::Inscription(InscriptionRef::Number(7));
    for (subject, words) in [
        (Subject::Token("zzzz".into()), "Token not found"),
        (inscription, "Inscription not found"),
        (Subject::Address("bc1qxy".into()), "Address not found"),
        (Subject::Block(900_000), "Block not found"),
    ] {
        for size in [(160, 45), (80, 24), (40, 12)] {
            let text = unknown(subject.clone(), size);
            assert!(text.contains(words), "{subject:?} at {size:?}:\n{text}");
            for wrong in ["retry", "404", "×", "Can't load"] {
                assert!(!text.contains(wrong), "{wrong} for {subject:?} at {size:?}:\n{text}");
            }
        }
    }
}
