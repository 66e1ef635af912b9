//! The benchmark figures, each compared with a baseline measured in the same run.
//!
//! `cargo bench` measures all parts, `cargo bench --bench figures -- frames decode` only the named ones. See
//! `benches/README.md`.
#![expect(clippy::expect_used, clippy::panic, clippy::print_stdout, reason = "a benchmark fails loudly and prints")]

mod alerts;
mod bodies;
mod decode;
mod frames;
mod instructions;
mod lists;
mod program;
mod pty;
mod report;
mod service;
mod store;
mod timing;
#[expect(dead_code, reason = "the tests also count bytes")]
#[path = "../../tests/counts/world.rs"]
mod world;

/// The parts in order. The last one takes 20 minutes and runs only when named.
const PARTS: [(&str, fn()); 11] = [
    ("instructions", instructions::run),
    ("frames", frames::run),
    ("lists", lists::run),
    ("palette", lists::palette),
    ("alerts", alerts::run),
    ("decode", decode::run),
    ("store", store::run),
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
        println!("unknown part {unknown}; expected one of: {}", parts.join(", "));
        return;
    }
    for (name, run) in PARTS {
        if (arguments.is_empty() && name != LONG.0) || arguments.iter().any(|argument| argument == name) {
            run();
        }
    }
}
