//! One run of the program, from start to exit.

use std::collections::VecDeque;
use std::fs;
use std::sync::mpsc::RecvTimeoutError;
use std::time::{Duration, Instant};

use fastrand::Rng;
use portable_pty::CommandBuilder;
use rustix::process::Signal;
use tempfile::TempDir;

use crate::hostile;
use crate::inputs::{HELP, HOME, Input, Inputs};
use crate::process;
use crate::report::Report;
use crate::services::Services;
use crate::session::Session;

/// Terminal size for checks, in columns and rows.
const CHECK_SIZE: (u16, u16) = (160, 50);

/// Interval between inputs: fast, but slow enough to paint frames.
const INPUT_INTERVAL: Duration = Duration::from_millis(40);

/// Inputs between two checks.
const CHECK_EVERY: u32 = 100;

/// Inputs between two changes of a service.
const CHANGE_SERVICE_EVERY: u32 = 350;

/// Number of recent inputs to print after a failure.
const RECENT_INPUTS: usize = 40;

/// Maximum log lines to print.
const MAX_LOG_LINES: usize = 10;

/// Small pages, so that the lists consist of many resources that are refreshed all the time.
const CONFIGURATION: &str = "[display]\npage_size = 20\n";

/// A run of the program with random inputs.
pub(crate) struct Run {
    session: Option<Session>,
    home: TempDir,
    services: Services,
    inputs: Inputs,
    random: Rng,
    duration: Duration,
    recent: VecDeque<Input>,
    /// Collected figures.
    pub(crate) report: Report,
}

impl Run {
    pub(crate) fn start(duration: Duration, seed: u64) -> Run {
        let home = tempfile::tempdir().expect("a directory");
        let place = home.path().join(".config/satscope");
        fs::create_dir_all(&place).expect("a directory");
        fs::write(place.join("config.toml"), CONFIGURATION).expect("a file");
        browser(&home);
        let services = Services::start(duration, seed);
        let session = Some(start_session(&home, &services));
        let inputs = Inputs::new(seed, &hostile::payloads());
        let (random, recent) = (Rng::with_seed(seed), VecDeque::new());
        Run { session, home, services, inputs, random, duration, recent, report: Report::default() }
    }

    /// Sends random inputs for the duration of the run.
    ///
    /// # Panics
    /// The program exits, hangs or doesn't respond.
    pub(crate) fn run(&mut self) {
        let until = Instant::now() + self.duration;
        let mut number = 0;
        while Instant::now() < until {
            number += 1;
            let input = self.inputs.next();
            self.recent.push_back(input.clone());
            if self.recent.len() > RECENT_INPUTS {
                self.recent.pop_front();
            }
            self.report.input(&input);
            let session = self.session.as_mut().expect("a running program");
            input.give(session);
            self.report.bytes += listen(session, INPUT_INTERVAL);
            if number % CHECK_EVERY == 0 {
                self.check();
            }
            if number % CHANGE_SERVICE_EVERY == 0 {
                self.services.change_one();
            }
        }
        self.check();
    }

    /// Returns to the start screen, measures the response to a key, and records the resources.
    fn check(&mut self) {
        let session = self.session.as_mut().expect("a running program");
        session.resize(CHECK_SIZE);
        session.press(HOME);
        session.press("?");
        session.until_text(HELP);
        session.press("?");
        session.until("no help dialog", |screen| !screen.contents().contains(HELP));
        listen(session, INPUT_INTERVAL);
        let pressed = Instant::now();
        session.press("?");
        session.until_text(HELP);
        self.report.key_latencies.push(pressed.elapsed());
        session.press("?");
        session.until("no help dialog", |screen| !screen.contents().contains(HELP));
        session.forget_written();
        self.report.resources.push(process::resources(session.pid()));
        self.report.ticks = session.ticks();
        self.report.requests = self.services.requests();
        self.report.restarts = self.services.restarts;
    }

    /// Ends the program in a random way, and checks that the terminal is restored and the program starts again.
    ///
    /// # Panics
    /// The exit status is wrong, the log contains a panic, or the next start fails.
    pub(crate) fn end(&mut self) {
        let mut session = self.session.take().expect("a running program");
        let (how, status) = match self.random.u32(..4) {
            0 => ("q", 0),
            1 => ("TERM", 143),
            2 => ("HUP", 129),
            _ => ("INT", 130),
        };
        session.press(HOME);
        match how {
            "TERM" => session.signal(Signal::TERM),
            "HUP" => session.signal(Signal::HUP),
            "INT" => session.signal(Signal::INT),
            key => session.press(key),
        }
        assert_eq!(session.wait().0, status, "ended by {how}");
        let log = fs::read_to_string(self.home.path().join("log")).unwrap_or_default();
        let panics: Vec<&str> = log.lines().filter(|line| line.contains("panic")).collect();
        assert!(panics.is_empty(), "{panics:#?}");
        self.services.reset();
        let mut again = start_session(&self.home, &self.services);
        again.until_text("BTC");
        again.press("q");
        assert_eq!(again.wait().0, 0, "the next run");
        println!("ended by {how}, terminal restored; {} lines in the log:", log.lines().count());
        log.lines().take(MAX_LOG_LINES).for_each(|line| println!("  {line}"));
    }

    /// Prints the most recent inputs and the screen.
    pub(crate) fn print_recent(&self) {
        for input in &self.recent {
            println!("  {input}");
        }
        if let Some(session) = &self.session {
            println!("screen:\n{}", session.text());
        }
    }
}

fn start_session(home: &TempDir, services: &Services) -> Session {
    let [market, indexer] = services.urls();
    let log = home.path().join("log");
    let mut command = CommandBuilder::new(env!("CARGO_BIN_EXE_satscope"));
    command.args(["--base-url", &market, "--indexer-url", &indexer, "--log", &log.to_string_lossy()]);
    command.env("SATSCOPE_LOG", "warn");
    command.env("PATH", home.path());
    let mut session = Session::start_in_shell(home.path(), CHECK_SIZE, command);
    session.until_text("BTC");
    session
}

/// Reads the output for this time; returns the number of bytes.
fn listen(session: &mut Session, time: Duration) -> usize {
    let until = Instant::now() + time;
    let mut count = 0;
    loop {
        match session.bytes.recv_timeout(until.saturating_duration_since(Instant::now())) {
            Ok(bytes) => {
                count += bytes.len();
                session.take(&bytes);
            }
            Err(RecvTimeoutError::Timeout) => return count,
            Err(RecvTimeoutError::Disconnected) => panic!("the program exited; screen:\n{}", session.text()),
        }
    }
}

/// Installs an `xdg-open` that does nothing.
fn browser(home: &TempDir) {
    use std::os::unix::fs::PermissionsExt as _;
    let file = home.path().join("xdg-open");
    fs::write(&file, "#!/bin/sh\nexit 0\n").expect("a file");
    fs::set_permissions(file, fs::Permissions::from_mode(0o755)).expect("permissions");
}
