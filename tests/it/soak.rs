//! A short soak test with a fixed seed: the real program in a pseudo-terminal, with a service that fails and restarts,
//! and random keys, sizes, stops and pastes. The long one is `cargo bench --bench soak`.

use std::net::SocketAddr;
use std::time::{Duration, Instant};

use portable_pty::CommandBuilder;
use satscope::service::{self, FaultInjection, Options};

use crate::support::hostile;
use crate::support::inputs::{HELP, HOME, Inputs};
use crate::support::session::Session;
use crate::support::{own_address, start_again};

const SEED: u64 = 7;

/// Inputs between two checks of the screen.
const UNSEEN: usize = 20;

const LOOKS: usize = 12;

/// A service with the shortest freshness, and this share of failing responses.
fn options(error_rate: f64, listen: SocketAddr) -> Options {
    let fault_injection = FaultInjection { delay: Duration::from_millis(3), error_rate, ..FaultInjection::default() };
    Options { listen, seed: SEED, max_age: Some(Duration::from_secs(1)), fault_injection, ..Options::default() }
}

#[test]
fn soak_stays_responsive_and_restores_terminal() {
    let mut running = service::start(options(0.1, own_address(1))).unwrap();
    let listen = running.address();
    let home = tempfile::tempdir().unwrap();
    let mut command = CommandBuilder::new(env!("CARGO_BIN_EXE_satscope"));
    command.args(["--base-url", &running.url(), "--indexer-url", &running.url()]);
    // Links are opened by programs that are found here: none.
    command.env("PATH", home.path());
    let mut session = Session::start_in_shell(home.path(), (120, 40), command);
    session.until_text("BTC");
    let mut inputs = Inputs::new(SEED, &hostile::payloads());
    for appearance in 1..=LOOKS {
        for _ in 0..UNSEEN {
            inputs.next().give(&mut session);
            assert!(session.catch_up(), "it ended; the screen:\n{}", session.text());
        }
        if appearance % 4 == 0 {
            let error_rate = if appearance == LOOKS { 0.0 } else { 0.5 };
            drop(running);
            running = start_again(|| options(error_rate, listen));
        }
        session.resize((120, 40));
        session.press(HOME);
        session.press("?");
        session.until_text(HELP);
        session.press("?");
        session.until("no help", |screen| !screen.contents().contains(HELP));
        session.forget_written();
    }
    // The service has recovered, and so has the screen, unless the inputs have paused updates.
    let is_paused = |screen: &vt100::Screen| screen.rows(0, 120).next().is_some_and(|line| line.contains("paused"));
    if is_paused(session.parser.screen()) {
        session.press("P");
        session.until("no pause", |screen| !is_paused(screen));
    }
    // Just refreshed data is not requested again at once.
    let deadline = Instant::now() + Duration::from_secs(60);
    while running.requests() == 0 {
        session.press("r");
        assert!(session.catch_up() && Instant::now() < deadline, "no request; the screen:\n{}", session.text());
    }
    session.until("fresh coins", |screen| screen.rows(0, 120).nth(1).is_some_and(|line| line.contains("updated now")));
    session.press("q");
    assert_eq!(session.wait().0, 0);
}
