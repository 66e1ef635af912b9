//! Every command with every fault: data or nothing on standard output, one sentence on standard error, the exit status.

use std::time::Duration;

use futures_util::StreamExt as _;
use futures_util::stream;

use super::list::{FAULTS, Fault, Outcome, Running};
use crate::cli::server::{Run, Shell};

/// A list of the market, an item of the indexer, and a sat, which needs no indexer.
const COMMANDS: [&str; 3] = ["coins --limit 1", "brc20 token ordi", "sat 7"];

/// Commands run in parallel.
const PARALLEL: usize = 4;

#[tokio::test]
async fn commands_print_data_or_the_reason_for_failure() {
    let cells = FAULTS.iter().flat_map(|fault| COMMANDS.map(|command| (fault, command)));
    let problems: Vec<Option<String>> = stream::iter(cells)
        .map(|(fault, command)| async move {
            let run = meet(fault, command).await;
            let shown = format!("{} {:?}\n{}{}", run.status, command, run.stdout, run.stderr);
            problem(fault, command, &run).map(|what| format!("## {}: {what}\n{shown}", fault.name))
        })
        .buffer_unordered(PARALLEL)
        .collect()
        .await;
    let problems: Vec<String> = problems.into_iter().flatten().collect();
    assert!(problems.is_empty(), "{} problems\n\n{}", problems.len(), problems.join("\n"));
}

/// Runs the command against the fault.
async fn meet(fault: &Fault, command: &'static str) -> Run {
    let (url, running) = fault.where_.start(1).await;
    let limits = fault.limits();
    let shell = Shell::new().with("SATSCOPE_BASE_URL", &url).with("SATSCOPE_INDEXER_URL", &url);
    let directory = shell.home.path().join(".config/satscope");
    std::fs::create_dir_all(&directory).unwrap();
    let seconds = |limit: Duration| limit.as_secs_f64();
    let config = format!(
        "[limits]\nmax_body_mib = {}\ntimeout = {:?}\nfirst_byte_timeout = {:?}\n",
        limits.body_bytes >> 20,
        seconds(limits.total),
        seconds(limits.first_byte)
    );
    std::fs::write(directory.join("config.toml"), config).unwrap();
    let run = tokio::task::spawn_blocking(move || shell.run(command)).await.unwrap();
    drop::<Running>(running);
    run
}

/// The problem with the command's result, if any.
fn problem(fault: &Fault, command: &str, run: &Run) -> Option<String> {
    let data: Option<serde_json::Value> = serde_json::from_str(&run.stdout).ok();
    let failed = run.status == 1 && run.stderr.lines().count() == 1 && run.stderr.starts_with("satscope: ");
    let computed = data.as_ref().is_some_and(|whole| {
        whole["data"]["name"] == "nvtdijuwxli" && whole["warnings"].to_string().contains("computed locally")
    });
    // A sat is computed if the indexer fails; all other commands print nothing.
    let silent = if command.starts_with("sat") { computed } else { run.stdout.is_empty() };
    let printed = run.status == 0 && data.as_ref().is_some_and(|whole| !whole["data"].is_null());
    match &fault.outcome {
        Outcome::Fails(_, words) if !run.stderr.contains(words) => Some(format!("no “{words}”")),
        Outcome::Fails(..) if !(failed && silent) => Some(String::from("not one sentence and status 1")),
        Outcome::Reads if !(printed && run.stderr.is_empty()) => Some(String::from("no data, or not only data")),
        Outcome::Either if !(printed || failed && silent) => Some(String::from("neither data nor a sentence")),
        _ if run.stderr.trim_end().chars().any(char::is_control) => Some(String::from("control characters")),
        _ => None,
    }
}
