//! The figures of the design, each beside its floor, measured in the same run.
//!
//! `cargo bench` measures all, `cargo bench --bench figures -- frames decode` only these parts. See `benches/README.md`.
#![expect(clippy::expect_used, clippy::panic, clippy::print_stdout, reason = "a benchmark fails loudly and prints")]

mod body;
mod clock;
mod decode;
mod frames;
mod instructions;
mod lists;
mod program;
mod pty;
mod report;
mod service;
#[expect(dead_code, reason = "the tests count bytes, too")]
#[path = "../../tests/counts/world.rs"]
mod world;

/// The parts, in their order. The last takes twenty minutes, and runs only where it is named.
const PARTS: [(&str, fn()); 8] = [
    ("instructions", instructions::run),
    ("frames", frames::run),
    ("lists", lists::run),
    ("decode", decode::run),
    ("start", program::start),
    ("keys", program::keys),
    ("rest", program::rest),
    LONG,
];

const LONG: (&str, fn()) = ("long", program::long);

fn main() {
    let arguments: Vec<String> = std::env::args().skip(1).filter(|argument| argument != "--bench").collect();
    if let [flag, work, times] = &arguments[..]
        && flag == instructions::FLAG
    {
        return instructions::work(work, times.parse().expect("a number"));
    }
    if let Some(unknown) = arguments.iter().find(|name| PARTS.iter().all(|(part, _)| part != name)) {
        let parts: Vec<&str> = PARTS.iter().map(|(part, _)| *part).collect();
        println!("no part of the figures is called {unknown}; there are: {}", parts.join(", "));
        return;
    }
    for (name, run) in PARTS {
        if (arguments.is_empty() && name != LONG.0) || arguments.iter().any(|argument| argument == name) {
            run();
        }
    }
}
