//! A short soak, of a seed: the real program in a pseudo-terminal on a service that misbehaves, under random keys, sizes,
//! stops and pastes. The long one is `cargo bench --bench soak`.

use std::time::Duration;

use portable_pty::CommandBuilder;
use satscope::service::{self, Misbehaviour, Options, Running};

use crate::support::hostile;
use crate::support::inputs::{HELP, HOME, Inputs};
use crate::support::session::Session;

const SEED: u64 = 7;

/// Inputs between two looks at the screen.
const UNSEEN: usize = 20;

const LOOKS: usize = 12;

/// Every third request fails in one way or another, and answers hold for no time.
fn service(options: Options) -> Running {
    let retry_after = Duration::from_secs(1);
    let misbehaviour = Misbehaviour { delay: Duration::from_millis(3), error_rate: 0.3, limit_every: 40, retry_after };
    service::start(Options { seed: SEED, max_age: Some(Duration::from_secs(1)), misbehaviour, ..options }).unwrap()
}

#[test]
fn whatever_happens_it_answers_and_gives_the_terminal_back() {
    let mut running = service(Options::default());
    let home = tempfile::tempdir().unwrap();
    let mut command = CommandBuilder::new(env!("CARGO_BIN_EXE_satscope"));
    command.args(["--base-url", &running.url(), "--indexer-url", &running.url()]);
    // Links are opened by programs that are found here: none.
    command.env("PATH", home.path());
    let mut session = Session::start_in(home.path(), (120, 40), command, &[]);
    session.until_text("BTC");
    let mut inputs = Inputs::new(SEED, &hostile::payloads());
    let mut answered = 0;
    for look in 0..LOOKS {
        for _ in 0..UNSEEN {
            inputs.next().give(&mut session);
            assert!(session.catch_up(), "it ended; the screen:\n{}", session.text());
        }
        if look % 4 == 2 {
            let listen = running.address();
            answered += running.requests();
            drop(running);
            running = service(Options { listen, ..Options::default() });
        }
        session.resize((120, 40));
        session.press(HOME);
        session.press("?");
        session.until_text(HELP);
        session.press("?");
        session.until("no help", |screen| !screen.contents().contains(HELP));
    }
    assert!(answered > 100, "{answered} requests");
    session.press("q");
    assert_eq!(session.ended().0, 0);
}
