//! The benchmark figures, each compared with a baseline measured in the same run.
//!
//! `cargo bench` measures all parts, `cargo bench --bench figures -- frames decode` only the named ones. With `--check`, a
//! missed goal is an error. See `benches/README.md`.
#![expect(clippy::expect_used, clippy::panic, clippy::print_stdout, reason = "a benchmark fails loudly and prints")]

use std::process::ExitCode;

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
const PARTS: [(&str, fn()); 13] = [
    ("frame-instructions", instructions::frame),
    ("decode-instructions", instructions::decoding),
    ("instructions", instructions::run),
    ("frames", frames::run),
    ("lists", lists::run),
    ("palette", lists::palette),
    ("alerts", alerts::run),
    ("decode", decode::run),
    ("store", store::run),
    ("start", program::start),
    ("keys", program::keys),
    ("idle", program::idle),
    LONG,
];

const LONG: (&str, fn()) = ("long", program::long);

/// Makes a missed goal an error.
const CHECK: &str = "--check";

fn main() -> ExitCode {
    let mut arguments: Vec<String> = std::env::args().skip(1).filter(|argument| argument != "--bench").collect();
    if let [flag, work, times] = &arguments[..]
        && flag == instructions::FLAG
    {
        instructions::work(work, times.parse().expect("a number"));
        return ExitCode::SUCCESS;
    }
    let checks = arguments.iter().any(|argument| argument == CHECK);
    arguments.retain(|argument| argument != CHECK);
    if let Some(unknown) = arguments.iter().find(|name| PARTS.iter().all(|(part, _)| part != name)) {
        let parts: Vec<&str> = PARTS.iter().map(|(part, _)| *part).collect();
        println!("unknown part {unknown}; expected one of: {}", parts.join(", "));
        return ExitCode::FAILURE;
    }
    for (name, run) in PARTS {
        if (arguments.is_empty() && name != LONG.0) || arguments.iter().any(|argument| argument == name) {
            run();
        }
    }
    if checks && report::missed() > 0 { ExitCode::FAILURE } else { ExitCode::SUCCESS }
}
