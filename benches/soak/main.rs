//! The soak: the real program in a pseudo-terminal, for as long as told, on services that misbehave, die and come back,
//! under random keys, pastes, sizes and stops.
//!
//! ```text
//! cargo bench --bench soak -- --minutes 30 --seed 7
//! ```
//!
//! It fails (exit status 1, with the seed and what was done last) where the program ends or panics, does not answer a
//! key, does not give the terminal back, or where its memory, files or threads grow.
#![expect(clippy::expect_used, clippy::panic, clippy::print_stdout, reason = "a benchmark fails loudly and prints")]

#[expect(dead_code, reason = "the tests look at more")]
#[path = "../../tests/it/support/hostile.rs"]
mod hostile;
#[path = "../../tests/it/support/inputs.rs"]
mod inputs;
mod kernel;
mod life;
mod notes;
mod services;
#[expect(dead_code, clippy::unwrap_used, reason = "written for tests, which look at more")]
#[path = "../../tests/it/support/session.rs"]
mod session;

use std::panic::{AssertUnwindSafe, catch_unwind};
use std::process::ExitCode;
use std::time::Duration;

use life::Life;

fn main() -> ExitCode {
    let (length, seed) = arguments();
    println!("a soak of {} s, seed {seed}", length.as_secs());
    let mut life = Life::begin(length, seed);
    let lived = catch_unwind(AssertUnwindSafe(|| life.lead())).is_ok();
    println!("{}", life.notes);
    let mut failures = life.notes.failures();
    if !lived {
        life.print_last();
        failures.push(String::from("it did not live as it should, see above"));
    } else if catch_unwind(AssertUnwindSafe(|| life.end())).is_err() {
        failures.push(String::from("it did not end as it should, see above"));
    }
    match failures.is_empty() {
        true => ExitCode::SUCCESS,
        false => {
            println!("FAILED with seed {seed}: {}", failures.join("; "));
            ExitCode::FAILURE
        }
    }
}

/// How long, and the seed.
fn arguments() -> (Duration, u64) {
    let (mut minutes, mut seed) = (1.0, 7);
    let mut arguments = std::env::args().skip(1).filter(|argument| argument != "--bench");
    while let Some(name) = arguments.next() {
        let value = arguments.next().unwrap_or_default();
        match name.as_str() {
            "--minutes" => minutes = value.parse().expect("a number of minutes"),
            "--seed" => seed = value.parse().expect("a whole number"),
            _ => panic!("there are --minutes and --seed, and no {name}"),
        }
    }
    (Duration::from_secs_f64(minutes * 60.0), seed)
}
