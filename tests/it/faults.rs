//! Every request with every fault: the screen shows the failure, keeps loaded data, and recovers after the fault
//! without input.

mod certificates;
mod empty;
mod hanging;
mod headless;
mod hour;
mod implausible;
mod list;
mod proxy;
mod random;
mod request_cases;
mod responses;
mod shapes;
mod socks;
mod stage;
pub(crate) mod tls;

use futures_util::future::join_all;
use list::{FAULTS, Fault, Outcome, Running};
use request_cases::{REQUEST_CASES, RequestCase};
use stage::{Observed, Stage, squeezed};

macro_rules! request_cases {
    ($($name:ident: $index:literal,)*) => {
        $(#[tokio::test]
        async fn $name() {
            every_fault(&REQUEST_CASES[$index]).await;
        })*
    };
}

// One test per request, so that they run in parallel and a failure names its request.
request_cases! {
    coins: 0,
    posts: 1,
    pairs: 2,
    chart: 3,
    market_data: 4,
    stats: 5,
    tokens: 6,
    token: 7,
    holders: 8,
    activity: 9,
    balances: 10,
    sat: 11,
    sat_inscriptions: 12,
    inscription: 13,
    inscriptions: 14,
    inscription_stats: 15,
}

/// Runs a request of a case with every fault in parallel, and reports all problems together.
async fn every_fault(case: &RequestCase) {
    let problems: Vec<String> = join_all(FAULTS.iter().map(|fault| one_fault(case, fault))).await.concat();
    assert!(problems.is_empty(), "{} problems\n\n{}", problems.len(), problems.join("\n\n"));
}

/// Problems, each with the screen that shows it.
struct Problems {
    about: String,
    found: Vec<String>,
}

impl Problems {
    fn check(&mut self, condition: bool, what: impl Into<String>, screen: &str) {
        if !condition {
            self.found.push(format!("## {}: {}\n{screen}", self.about, what.into()));
        }
    }
}

async fn one_fault(case: &RequestCase, fault: &Fault) -> Vec<String> {
    let mut problems = Problems { about: format!("{}, {}", case.name, fault.name), found: Vec::new() };
    let (url, running) = fault.where_.start(2).await;
    let mut stage = Stage::open(case, &url, fault.limits()).await;

    // From the start: no data yet.
    stage.until("outcome", |stage| !stage.observed.is_empty()).await;
    let cold = stage.observed[0].clone();
    check_outcome(&mut problems, fault, &cold, &mut stage);
    if let Observed::Failed(error) = &cold {
        let (panel, screen) = (stage.panel(), stage.text());
        // The list knows most of a token, so that its panel is not empty, and the line above says why.
        let panel = if case.name == "token" { squeezed(&screen) } else { panel };
        // A missing looked-up item is not awaited.
        let not_found = stage.failure().and_then(|failure| failure.not_found.clone());
        let sentence = not_found.as_ref().map_or_else(|| error.reason(), ToString::to_string);
        // A message of the service may be cut, for example where there is only one line. The line above has short forms.
        let shown = if panel.contains('…') { 16 } else { 300 };
        let shorter = if matches!(case.name, "token" | "stats") { error.short_reasons() } else { Vec::new() };
        let beginning = |reason: &String| squeezed(reason).chars().take(shown).collect::<String>();
        let is_shown = [sentence.clone()].iter().chain(&shorter).any(|reason| panel.contains(&beginning(reason)));
        problems.check(is_shown, format!("the panel does not show: {sentence}"), &screen);
        // A reason that just fits may take a line that is not the panel's own.
        let when = shows_retry(&panel) || squeezed(&screen).contains(&squeezed(&sentence));
        problems.check(when, "the panel does not show when it is retried", &screen);
        let (status, is_needed) = stage.status();
        let state = match not_found {
            Some(_) => "not found",
            None if is_needed => "failing",
            None => "failed",
        };
        problems.check(status.contains(state), "the status tab does not show the failure", &status);
        problems.check(
            squeezed(&status).contains(&squeezed(&error.reason()).chars().take(24).collect::<String>()),
            "the status tab does not show the reason",
            &status,
        );
    }

    // The fault ends: the screen recovers at the announced time.
    recover(&mut stage, 3, &mut problems).await;

    // The fault returns: loaded data stays.
    stage.switch(true, 3);
    stage.refresh().await;
    let warm = stage.outcome().await;
    check_outcome(&mut problems, fault, &warm, &mut stage);
    if let Observed::Failed(error) = &warm {
        let (panel, screen) = (stage.panel(), stage.text());
        let (shown, sentence) = ((case.shows)(3), error.reason());
        problems.check(panel.contains(&squeezed(&shown)), format!("the old value {shown} is gone"), &screen);
        if case.name != "stats" && case.name != "inscription stats" {
            problems.check(!stage.is_dim(&shown), "a fresh value is dim", &screen);
        }
        // Several panels share one line for errors.
        let whole = squeezed(&screen);
        // A reason that just fits may take the line.
        let when = shows_retry(&whole) || whole.contains(&squeezed(&sentence));
        problems.check(when, "the screen does not show when it is retried", &screen);
        let start = |reason: &String| squeezed(reason).chars().take(8).collect::<String>();
        let is_shown = [sentence.clone()].iter().chain(&error.short_reasons()).any(|why| whole.contains(&start(why)));
        problems.check(is_shown, format!("the screen does not show the start of: {sentence}"), &screen);
    }
    recover(&mut stage, 4, &mut problems).await;

    if let Running::Server(server) = &running {
        // Sockets hold some megabytes by themselves.
        let sent = server.repeated();
        problems.check(sent < 64 << 20, format!("{sent} bytes were read from an endless response"), "");
    }
    problems.found
}

fn shows_retry(panel: &str) -> bool {
    let is_time = |after: &str| after.starts_with(|first: char| first.is_ascii_digit());
    let has_time = |words: &str| panel.split(words).skip(1).any(is_time);
    has_time("retryingin") || has_time("retryin") || panel.contains("retryingnow")
}

/// Checks the outcome of a fault.
fn check_outcome(problems: &mut Problems, fault: &Fault, observed: &Observed, stage: &mut Stage<'_>) {
    let screen = stage.text();
    match (&fault.outcome, observed) {
        (Outcome::Fails(is, words), Observed::Failed(error)) => {
            problems.check(is(&error.kind), format!("wrong kind: {:?}", error.kind), &screen);
            problems.check(error.to_string().contains(words), format!("no “{words}” in: {error}"), &screen);
        }
        (Outcome::Reads, Observed::Arrived { items, .. }) => {
            problems.check(*items > 0, "the response is empty", &screen);
        }
        (Outcome::Either, Observed::Arrived { items, warned }) => {
            problems.check(*items > 0 && *warned, "read as empty or without a warning", &screen);
        }
        (Outcome::Either, Observed::Failed(error)) => {
            let ours = matches!(error.kind, satscope::client::ErrorKind::Internal(_));
            problems.check(!ours, format!("internal error: {error}"), &screen);
        }
        (Outcome::Fails(_, words), Observed::Arrived { .. }) => {
            problems.check(false, format!("it was read as a response instead of failing with “{words}”"), &screen);
        }
        (Outcome::Reads, Observed::Failed(error)) => {
            problems.check(false, format!("it could have been read: {error}"), &screen);
        }
    }
}

/// After the fault: the value is replaced at the announced time, and no mark of the failure is left.
async fn recover(stage: &mut Stage<'_>, version: u32, problems: &mut Problems) {
    stage.switch(false, version);
    let never = stage.failure().is_some_and(|failure| failure.next_try.is_none());
    problems.check(!never, "it is never retried", "");
    stage.again().await;
    stage.outcome().await;
    stage.until("all well", Stage::is_well).await;
    let (panel, screen, shown) = (stage.panel(), stage.text(), squeezed(&stage.shows(version)));
    problems.check(panel.contains(&shown), format!("the new value {shown} is not shown"), &screen);
    let squeezed = squeezed(&screen);
    let has_retry = squeezed.contains("retrying") || shows_retry(&squeezed);
    problems.check(!has_retry && !screen.contains('×'), "a mark of the failure is left", &screen);
}
