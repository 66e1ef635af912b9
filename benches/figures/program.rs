//! The real program in a pseudo-terminal: first frame, keys, idle wakeups, memory.

use std::fs;
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

use tempfile::TempDir;

use crate::pty::{Session, TIMEOUT};
use crate::report::{Amount, Goal, failed, heading, line, missing};
use crate::service;
use crate::timing::median;

/// Path of the program under test.
const PROGRAM: &str = env!("CARGO_BIN_EXE_satscope");

/// Time without output after which the program counts as idle.
const QUIET: Duration = Duration::from_secs(2);

/// Measures the first frame.
pub(crate) fn start() {
    time_first_frame();
    count_first_frame();
}

fn home() -> TempDir {
    tempfile::tempdir().expect("a directory")
}

/// A home whose configuration loads all coins as one page.
fn home_of_one_page() -> TempDir {
    home_with("[display]\npage_size = 5000\n")
}

fn home_with(configuration: &str) -> TempDir {
    let home = home();
    let place = home.path().join(".config/satscope");
    fs::create_dir_all(&place).expect("a directory");
    fs::write(place.join("config.toml"), configuration).expect("a file");
    home
}

/// Returns the newest build of the baseline program, next to this binary.
fn bare_frame() -> Option<PathBuf> {
    let itself = std::env::current_exe().ok()?;
    let found = fs::read_dir(itself.parent()?).ok()?.flatten().filter(|entry| {
        let name = entry.file_name();
        let name = name.to_string_lossy();
        name.starts_with("bare_frame-") && !name.contains('.')
    });
    found.max_by_key(|entry| entry.metadata().and_then(|data| data.modified()).ok()).map(|entry| entry.path())
}

fn time_first_frame() {
    heading("First complete frame (wall time, medians of 40)");
    let Some(bare) = bare_frame() else {
        return missing("skipped: run cargo bench --bench bare_frame to build the baseline");
    };
    let program = Path::new(PROGRAM);
    let (fresh, used) = (home(), home());
    // The second home contains the snapshot of an earlier run.
    let mut before = Session::start(program, &[], used.path());
    before.until("BTC");
    before.rest(QUIET);
    before.quit("q");
    let mut times = [const { Vec::new() }; 4];
    let mut with_rows = true;
    for _ in 0..40 {
        let mut session = Session::start(&bare, &[], fresh.path());
        times[0].push(session.first_frame());
        session.quit("q");
        let mut session = Session::start(program, &[], fresh.path());
        times[1].push(session.first_frame());
        session.quit("q");
        let mut session = Session::start(program, &[], used.path());
        times[2].push(session.first_frame());
        with_rows &= session.text().contains("BTC");
        times[3].push(session.until("BTC"));
        session.quit("q");
    }
    let [baseline, first, again, rows] = times.map(median);
    let baseline = Some(Amount::Time(baseline));
    line("empty cache; baseline: a bare ratatui table", Amount::Time(first), baseline, Goal::Times(1.25));
    let what = if with_rows { "snapshot, with rows" } else { "snapshot, without rows" };
    line(&format!("{what}; baseline: the same"), Amount::Time(again), baseline, Goal::Times(1.25));
    line("rows of the demo on the screen; baseline: the same", Amount::Time(rows), baseline, Goal::None);
}

/// Counts instructions and system calls until the first frame.
fn count_first_frame() {
    heading("Counts until the first frame");
    let (home, out) = (home(), home());
    let file = out.path().join("counted");
    let name = file.to_string_lossy().into_owned();
    let callgrind = format!("--callgrind-out-file={name}");
    // The first thread starts right after the first frame.
    let arguments = ["--tool=callgrind", "--dump-before=pthread_create*", &callgrind, "-q", PROGRAM];
    match on_path("valgrind") {
        Some(valgrind) => {
            let mut session = Session::start(&valgrind, &arguments, home.path());
            session.until("satscope");
            session.quit("q");
            let dump = fs::read_to_string(format!("{name}.1")).unwrap_or_default();
            let total = dump.lines().find_map(|line| line.strip_prefix("totals:").or(line.strip_prefix("summary:")));
            let most = Goal::AtMost(Amount::Instructions(20_000_000));
            match total.and_then(|total| total.trim().parse().ok()) {
                Some(count) => line("instructions", Amount::Instructions(count), None, most),
                None => failed("instructions", "valgrind wrote no total"),
            }
        }
        None => missing("instructions skipped: valgrind is not installed"),
    }
    match on_path("strace") {
        Some(strace) => {
            let mut session = Session::start(&strace, &["-f", "-s", "65536", "-o", &name, PROGRAM], home.path());
            session.until("BTC");
            session.quit("q");
            let trace = fs::read_to_string(&file).unwrap_or_default();
            let calls: Vec<&str> = trace.lines().collect();
            let Some(end) = calls.iter().position(|call| call.contains("[?2026l")) else {
                return failed("system calls", "strace recorded no frame");
            };
            let before = calls.get(..=end).unwrap_or_default();
            let count =
                |what: &[&str]| before.iter().filter(|call| what.iter().any(|what| call.contains(what))).count();
            let most = |most| Goal::AtMost(Amount::Count(most));
            let calls = Amount::Count(before.len() as u64);
            line("system calls", calls, None, Goal::None);
            line("write calls", Amount::Count(count(&["write(1,"]) as u64), None, most(1));
            let early = count(&["socket(", "connect(", ".pem", ".crt", "/certs"]);
            line("sockets and certificates", Amount::Count(early as u64), None, most(0));
            // One thread writes the frame.
            line("threads", Amount::Count(count(&["clone(", "clone3("]) as u64), None, most(1));
        }
        None => missing("system calls skipped: strace is not installed"),
    }
}

fn on_path(program: &str) -> Option<PathBuf> {
    let path = std::env::var_os("PATH")?;
    std::env::split_paths(&path).map(|directory| directory.join(program)).find(|file| file.is_file())
}

/// Measures the time from a key to its frame.
pub(crate) fn keys() {
    heading("Key to end of frame (wall time, 5,000 coins loaded)");
    let service = service::start(7_200);
    let home = home_of_one_page();
    let arguments = ["--base-url", &service.url, "--indexer-url", &service.url];
    let mut session = Session::start(Path::new(PROGRAM), &arguments, home.path());
    session.until("5,000 coins");
    session.press(&"j".repeat(60));
    session.rest(Duration::from_millis(300));
    let mut idle: Vec<Duration> = (0..400).map(|turn| session.key(if turn % 100 < 50 { "j" } else { "k" })).collect();
    let mut painting: Vec<Duration> = (0..1_000)
        .map(|turn| {
            let before = session.ui_cpu_time();
            session.key(if turn % 100 < 50 { "j" } else { "k" });
            session.ui_cpu_time() - before
        })
        .collect();
    painting.sort_unstable();
    // Keys in one write that move between the first and the last row, so that every frame would differ.
    let bursts = (0..10).map(|turn| session.burst(&if turn % 2 == 0 { "j" } else { "k" }.repeat(200)));
    let frames = bursts.max().unwrap_or_default();
    // A key right after the last byte of 5,000 coins, so that it arrives while they are decoded.
    let mut busy = Vec::new();
    for turn in 0..20 {
        while service.sent.try_recv().is_ok() {}
        // Manual refreshes are at least a second apart.
        session.rest(Duration::from_millis(1_050));
        session.press("r");
        if service.sent.recv_timeout(QUIET).is_err() {
            break;
        }
        let direction = if turn % 2 == 0 { "j" } else { "k" };
        busy.extend([session.key(direction), session.key(direction), session.key(direction)]);
    }
    session.quit("q");
    idle.sort_unstable();
    let p90 = idle.get(idle.len() * 9 / 10).copied().unwrap_or_default();
    let has_busy = !busy.is_empty();
    let (idle, busy) = (median(idle), median(busy));
    let most = Goal::AtMost(Amount::Time(Duration::from_millis(1)));
    line("scrolled by a row, p50", Amount::Time(idle), None, most);
    line("the same, p90", Amount::Time(p90), Some(Amount::Time(idle)), Goal::None);
    let painted = |percent: usize| Amount::Time(painting.get(10 * percent).copied().unwrap_or_default());
    line("CPU time of the UI thread per key, p50", painted(50), None, Goal::None);
    line("the same, p99", painted(99), Some(painted(50)), most);
    line("maximum frames for 200 keys in one write", Amount::Count(frames), None, Goal::AtMost(Amount::Count(3)));
    let what = "while 5,000 coins are decoded, p50; baseline: idle";
    if has_busy {
        line(what, Amount::Time(busy), Some(Amount::Time(idle)), Goal::Times(1.5));
    } else {
        failed(what, "no page was requested");
    }
}

/// Measures memory and wakeups while idle.
pub(crate) fn idle() {
    heading("Idle");
    let mib = |mib: u64| Goal::AtMost(Amount::Bytes(mib << 20));
    let service = service::start(7_200);
    let remote = ["--base-url", &service.url, "--indexer-url", &service.url];
    let (of_pages, of_one, of_demo) = (home(), home_of_one_page(), home());

    let mut session = Session::start(Path::new(PROGRAM), &remote, of_pages.path());
    session.until("coins");
    service.sent.recv_timeout(TIMEOUT).expect("the first page");
    session.rest(QUIET);
    line("memory (PSS): remote service, first page only", Amount::Bytes(session.pss()), None, Goal::None);
    // Sorting by another column loads everything.
    session.press("sd");
    for page in 2..=5_000 / 200 {
        service.sent.recv_timeout(TIMEOUT).unwrap_or_else(|error| panic!("page {page}: {error}"));
    }
    session.rest(QUIET);
    line("memory (PSS): remote service, 5,000 coins", Amount::Bytes(session.pss()), None, mib(16));
    session.quit("q");

    let mut session = Session::start(Path::new(PROGRAM), &remote, of_one.path());
    session.until("5,000 coins");
    session.rest(QUIET);
    line("memory (PSS): the same 5,000 coins on one page", Amount::Bytes(session.pss()), None, mib(16));
    wakeups(&mut session);
    session.quit("q");

    let mut session = Session::start(Path::new(PROGRAM), &[], of_demo.path());
    session.until("BTC");
    session.rest(QUIET);
    line("memory (PSS): demo", Amount::Bytes(session.pss()), None, mib(14));
    for key in ["2", "3", "4", "5", "1", "\r"] {
        session.press(key);
        session.rest(Duration::from_millis(700));
    }
    line("memory (PSS): demo, every tab visited", Amount::Bytes(session.pss()), None, mib(14));
    session.quit("\x03");
}

/// Measures wakeups and bytes in a minute in which only the clock and ages change.
fn wakeups(session: &mut Session) {
    session.rest(QUIET);
    let (woken, bytes) = minute(session);
    let what = "wakeups of all threads in an idle minute";
    line(what, Amount::Count(woken), None, Goal::AtMost(Amount::Count(6)));
    line("bytes in the same time", Amount::Count(bytes), None, Goal::AtMost(Amount::Count(300)));
}

fn minute(session: &mut Session) -> (u64, u64) {
    let before = session.wakeups();
    let bytes = session.listen(Instant::now() + Duration::from_secs(60));
    (session.wakeups() - before, bytes as u64)
}

/// Measures longer idle times, and memory after many updates. Takes 20 minutes.
pub(crate) fn long() {
    heading("Idle for longer");
    let home = home_of_one_page();
    let service = service::start(7_200);
    let remote = ["--base-url", &service.url, "--indexer-url", &service.url];
    let mut session = Session::start(Path::new(PROGRAM), &remote, home.path());
    session.until("5,000 coins");
    session.rest(QUIET);
    for number in 1..=5 {
        let (woken, bytes) = minute(&mut session);
        let what = format!("wakeups of all threads in minute {number}");
        line(&what, Amount::Count(woken), None, Goal::AtMost(Amount::Count(6)));
        line("bytes in the same time", Amount::Count(bytes), None, Goal::AtMost(Amount::Count(300)));
    }
    session.quit("q");
    updates();
}

/// Measures memory after many responses in which every price has changed: 200 pages of 25 coins, each fetched every two
/// seconds, the program's shortest interval.
fn updates() {
    heading("Memory while prices change");
    let home = home_with("[display]\npage_size = 25\n");
    let service = service::start_with_changing_prices(1);
    let remote = ["--base-url", &service.url, "--indexer-url", &service.url];
    let mut session = Session::start(Path::new(PROGRAM), &remote, home.path());
    session.until("coins");
    // Sorting by another column refreshes all pages.
    session.press("sd");
    session.until("5,000 coins");
    let (mut sent, mut baseline, mut last) = (0, None, Instant::now());
    for target in [1_000, 10_000, 100_000] {
        while sent < target {
            session.listen(Instant::now() + Duration::from_millis(200));
            let received = service.sent.try_iter().count();
            sent += received;
            if received > 0 {
                last = Instant::now();
            }
            assert!(last.elapsed() < TIMEOUT, "no more requests; screen:\n{}", session.text());
        }
        for (what, held) in [("PSS", session.pss()), ("heap and stacks", session.anonymous())] {
            let baseline = baseline.get_or_insert([session.pss(), session.anonymous()]);
            let baseline = if what == "PSS" { baseline[0] } else { baseline[1] };
            let goal = Goal::AtMost(Amount::Bytes(baseline + (1 << 20)));
            let what = format!("{what} after {target} updates; baseline: after 1,000");
            line(&what, Amount::Bytes(held), Some(Amount::Bytes(baseline)), goal);
        }
    }
    session.quit("q");
}
