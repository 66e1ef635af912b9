//! Every request with every fault: the screen shows the failure, keeps known data, and recovers by itself after the
//! fault.

mod empty;
mod hanging;
mod headless;
mod hour;
mod list;
mod places;
mod proxy;
mod random;
mod shapes;
mod stage;
mod tls;
mod world;

use futures_util::future::join_all;
use list::{FAULTS, Fault, Outcome, Running};
use places::{PLACES, Place};
use stage::{Observed, Stage, squeezed};

macro_rules! places {
    ($($name:ident: $index:literal,)*) => {
        $(#[tokio::test]
        async fn $name() {
            every_fault(&PLACES[$index]).await;
        })*
    };
}

// One test each, so that they run side by side and say which is meant.
places! {
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

/// Runs a request of a place with every fault in parallel, and reports all problems together.
async fn every_fault(place: &Place) {
    let complaints: Vec<String> = join_all(FAULTS.iter().map(|fault| one_fault(place, fault))).await.concat();
    assert!(complaints.is_empty(), "{} complaints\n\n{}", complaints.len(), complaints.join("\n\n"));
}

/// Problems, each with the screen that shows it.
struct Complaints {
    about: String,
    found: Vec<String>,
}

impl Complaints {
    fn unless(&mut self, is_so: bool, what: impl Into<String>, screen: &str) {
        if !is_so {
            self.found.push(format!("## {}: {}\n{screen}", self.about, what.into()));
        }
    }
}

async fn one_fault(place: &Place, fault: &Fault) -> Vec<String> {
    let mut complaints = Complaints { about: format!("{}, {}", place.name, fault.name), found: Vec::new() };
    let (url, running) = fault.where_.start(2).await;
    let mut stage = Stage::open(place, &url, fault.limits()).await;

    // From the start: nothing was ever known.
    stage.until("outcome", |stage| !stage.observed.is_empty()).await;
    let cold = stage.observed[0].clone();
    judge(&mut complaints, fault, &cold, &mut stage);
    if let Observed::Failed(error) = &cold {
        let (panel, screen) = (stage.panel(), stage.text());
        // The list knows most of a token, so that its panel is not empty, and the line above says why.
        let panel = if place.name == "token" { squeezed(&screen) } else { panel };
        let sentence = error.reason();
        // A message of the service may be cut, for example where there is only one line.
        let beginning: String = squeezed(&sentence).chars().take(if panel.contains('…') { 16 } else { 300 }).collect();
        complaints.unless(panel.contains(&beginning), format!("the panel does not say: {sentence}"), &screen);
        // A reason that just fits may take a line that is not the panel's own.
        let when = says_when(&panel) || squeezed(&screen).contains(&squeezed(&sentence));
        complaints.unless(when, "the panel does not say when it is tried again", &screen);
        let status = stage.status();
        complaints.unless(status.contains("failing"), "the status tab does not know", &status);
        complaints.unless(
            squeezed(&status).contains(&squeezed(&error.reason()).chars().take(24).collect::<String>()),
            "the status tab does not say why",
            &status,
        );
    }

    // The fault ends: the screen recovers by itself at the announced time.
    recover(&mut stage, 3, &mut complaints).await;

    // It comes again: what was known stays.
    stage.turn(true, 3);
    stage.refresh().await;
    let warm = stage.outcome().await;
    judge(&mut complaints, fault, &warm, &mut stage);
    if let Observed::Failed(error) = &warm {
        let (panel, screen) = (stage.panel(), stage.text());
        let (shown, sentence) = ((place.shows)(3), error.reason());
        complaints.unless(panel.contains(&squeezed(&shown)), format!("the old value {shown} is gone"), &screen);
        if place.name != "stats" && place.name != "inscription stats" {
            complaints.unless(!stage.is_dim(&shown), "a value that is fresh looks like an old one", &screen);
        }
        // Several panels share one line for errors.
        let whole = squeezed(&screen);
        // A reason that just fits may take the line.
        let when = says_when(&whole) || whole.contains(&squeezed(&sentence));
        complaints.unless(when, "nothing says when it is tried again", &screen);
        let why: String = squeezed(&sentence).chars().take(8).collect();
        complaints.unless(whole.contains(&why), format!("the screen does not begin to say: {sentence}"), &screen);
    }
    recover(&mut stage, 4, &mut complaints).await;

    if let Running::Server(server) = &running {
        // Sockets hold some megabytes by themselves.
        let sent = server.repeated();
        complaints.unless(sent < 64 << 20, format!("{sent} bytes were taken from an endless answer"), "");
    }
    complaints.found
}

fn says_when(panel: &str) -> bool {
    ["retryingin", "retryingnow"].iter().any(|words| panel.contains(words))
}

/// Checks the outcome of a fault.
fn judge(complaints: &mut Complaints, fault: &Fault, observed: &Observed, stage: &mut Stage<'_>) {
    let screen = stage.text();
    match (&fault.outcome, observed) {
        (Outcome::Fails(is, words), Observed::Failed(error)) => {
            complaints.unless(is(&error.kind), format!("another kind: {:?}", error.kind), &screen);
            complaints.unless(error.to_string().contains(words), format!("no “{words}” in: {error}"), &screen);
        }
        (Outcome::Reads, Observed::Arrived { items, .. }) => {
            complaints.unless(*items > 0, "the answer is empty", &screen);
        }
        (Outcome::Either, Observed::Arrived { items, warned }) => {
            complaints.unless(*items > 0 && *warned, "read as empty or without a word", &screen);
        }
        (Outcome::Either, Observed::Failed(error)) => {
            let ours = matches!(error.kind, satscope::client::ErrorKind::Internal(_));
            complaints.unless(!ours, format!("our own fault: {error}"), &screen);
        }
        (Outcome::Fails(_, words), Observed::Arrived { .. }) => {
            complaints.unless(false, format!("it was taken for an answer, not for “{words}”"), &screen);
        }
        (Outcome::Reads, Observed::Failed(error)) => {
            complaints.unless(false, format!("it could have been read: {error}"), &screen);
        }
    }
}

/// After the fault: the value is replaced at the announced time, and no mark of the failure is left.
async fn recover(stage: &mut Stage<'_>, version: u32, complaints: &mut Complaints) {
    stage.turn(false, version);
    let never = stage.failure().is_some_and(|failure| failure.next_try.is_none());
    complaints.unless(!never, "it is never tried again", "");
    stage.again().await;
    stage.outcome().await;
    stage.until("all well", Stage::is_well).await;
    let (panel, screen, shown) = (stage.panel(), stage.text(), squeezed(&stage.shows(version)));
    complaints.unless(panel.contains(&shown), format!("the new value {shown} is not shown"), &screen);
    complaints.unless(
        !squeezed(&screen).contains("retrying") && !screen.contains('×'),
        "a mark of the failure is left",
        &screen,
    );
}
