//! A soak test: the real program in a pseudo-terminal with random keys, pastes, resizes and stops, against services
//! that inject faults, stop and restart.
//!
//! ```text
//! cargo bench --bench soak -- --minutes 30 --seed 7
//! ```
//!
//! It fails with exit status 1, and prints the seed and the last inputs, if the program exits or panics, doesn't
//! respond to a key, doesn't restore the terminal, or if its memory, files or threads grow.
#![expect(clippy::expect_used, clippy::panic, clippy::print_stdout, reason = "a benchmark fails loudly and prints")]

#[expect(dead_code, reason = "the tests use more of it")]
#[path = "../../tests/it/support/hostile.rs"]
mod hostile;
#[path = "../../tests/it/support/inputs.rs"]
mod inputs;
mod process;
mod report;
mod run;
mod services;
#[expect(dead_code, clippy::unwrap_used, reason = "shared with tests, which use more of it")]
#[path = "../../tests/it/support/session.rs"]
mod session;

use std::panic::{AssertUnwindSafe, catch_unwind};
use std::process::ExitCode;
use std::time::Duration;

use run::Run;

fn main() -> ExitCode {
    let (duration, seed) = arguments();
    println!("soak of {} s, seed {seed}", duration.as_secs());
    let mut run = Run::start(duration, seed);
    let completed = catch_unwind(AssertUnwindSafe(|| run.run())).is_ok();
    println!("{}", run.report);
    let mut failures = run.report.failures();
    if !completed {
        run.print_recent();
        failures.push(String::from("the run failed, see above"));
    } else if catch_unwind(AssertUnwindSafe(|| run.end())).is_err() {
        failures.push(String::from("the exit failed, see above"));
    }
    if failures.is_empty() {
        ExitCode::SUCCESS
    } else {
        println!("FAILED with seed {seed}: {}", failures.join("; "));
        ExitCode::FAILURE
    }
}

/// Parses the duration and the seed.
fn arguments() -> (Duration, u64) {
    let (mut minutes, mut seed) = (1.0, 7);
    let mut arguments = std::env::args().skip(1).filter(|argument| argument != "--bench");
    while let Some(name) = arguments.next() {
        let value = arguments.next().unwrap_or_default();
        match name.as_str() {
            "--minutes" => minutes = value.parse().expect("a number of minutes"),
            "--seed" => seed = value.parse().expect("a whole number"),
            _ => panic!("unknown option {name}; expected --minutes or --seed"),
        }
    }
    (Duration::from_secs_f64(minutes * 60.0), seed)
}
