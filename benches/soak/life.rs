//! A life of the program, from its start to its end.

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
use crate::kernel;
use crate::notes::Notes;
use crate::services::Services;
use crate::session::Session;

/// The size at which the screen is looked at.
const LOOKED_AT: (u16, u16) = (160, 50);

/// From one input to the next: fast, but no flood, in which nothing would be painted.
const PACE: Duration = Duration::from_millis(40);

/// Inputs between two looks at the screen.
const UNSEEN: u32 = 100;

/// Inputs for which the services stay as they are.
const DAY: u32 = 350;

/// What was done last is printed where the life ends too early.
const REMEMBERED: usize = 40;

/// Lines of the log that are printed.
const LOGGED: usize = 10;

/// So few coins on a page that the lists are many resources, each fetched anew all the time.
const CONFIGURATION: &str = "[display]\npage_size = 20\n";

pub(crate) struct Life {
    session: Option<Session>,
    home: TempDir,
    services: Services,
    inputs: Inputs,
    random: Rng,
    length: Duration,
    last: VecDeque<Input>,
    /// What was seen of it.
    pub(crate) notes: Notes,
}

impl Life {
    pub(crate) fn begin(length: Duration, seed: u64) -> Life {
        let home = tempfile::tempdir().expect("a directory");
        let place = home.path().join(".config/satscope");
        fs::create_dir_all(&place).expect("a directory");
        fs::write(place.join("config.toml"), CONFIGURATION).expect("a file");
        browser(&home);
        let services = Services::begin(length, seed);
        let session = Some(start(&home, &services));
        let inputs = Inputs::new(seed, &hostile::payloads());
        let (random, last) = (Rng::with_seed(seed), VecDeque::new());
        Life { session, home, services, inputs, random, length, last, notes: Notes::default() }
    }

    /// Lives until the time is over.
    ///
    /// # Panics
    /// The program ends, hangs, or does not answer.
    pub(crate) fn lead(&mut self) {
        let until = Instant::now() + self.length;
        let mut number = 0;
        while Instant::now() < until {
            number += 1;
            let input = self.inputs.next();
            self.last.push_back(input.clone());
            if self.last.len() > REMEMBERED {
                self.last.pop_front();
            }
            self.notes.input(&input);
            let session = self.session.as_mut().expect("it lives");
            input.give(session);
            self.notes.bytes += listen(session, PACE);
            if number % UNSEEN == 0 {
                self.look();
            }
            if number % DAY == 0 {
                self.services.turn();
            }
        }
        self.look();
    }

    /// Goes to where every life comes by, and sees that keys are answered.
    fn look(&mut self) {
        let session = self.session.as_mut().expect("it lives");
        session.resize(LOOKED_AT);
        session.press(HOME);
        session.press("?");
        session.until_text(HELP);
        session.press("?");
        session.until("no help", |screen| !screen.contents().contains(HELP));
        listen(session, PACE);
        let pressed = Instant::now();
        session.press("?");
        session.until_text(HELP);
        self.notes.answers.push(pressed.elapsed());
        session.press("?");
        session.until("no help", |screen| !screen.contents().contains(HELP));
        session.forget_written();
        self.notes.held.push(kernel::held(session.pid()));
        self.notes.ticks = session.ticks();
        self.notes.answered = self.services.answered();
        self.notes.restarts = self.services.restarts;
    }

    /// Ends it in one of the ways, and sees that all is given back, and that a next life can begin.
    ///
    /// # Panics
    /// It does not end so.
    pub(crate) fn end(&mut self) {
        let mut session = self.session.take().expect("it lives");
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
        assert_eq!(session.ended().0, status, "ended by {how}");
        let log = fs::read_to_string(self.home.path().join("log")).unwrap_or_default();
        let panics: Vec<&str> = log.lines().filter(|line| line.contains("panic")).collect();
        assert!(panics.is_empty(), "{panics:#?}");
        self.services.mend();
        let mut again = start(&self.home, &self.services);
        again.until_text("BTC");
        again.press("q");
        assert_eq!(again.ended().0, 0, "the next life");
        println!("ended by {how}, the terminal given back; {} lines in the log:", log.lines().count());
        log.lines().take(LOGGED).for_each(|line| println!("  {line}"));
    }

    /// Prints what was done last, and the screen.
    pub(crate) fn print_last(&self) {
        for input in &self.last {
            println!("  {input}");
        }
        if let Some(session) = &self.session {
            println!("the screen:\n{}", session.text());
        }
    }
}

fn start(home: &TempDir, services: &Services) -> Session {
    let [market, indexer] = services.urls();
    let log = home.path().join("log");
    let mut command = CommandBuilder::new(env!("CARGO_BIN_EXE_satscope"));
    command.args(["--base-url", &market, "--indexer-url", &indexer, "--log", &log.to_string_lossy()]);
    command.env("SATSCOPE_LOG", "warn");
    command.env("PATH", home.path());
    let mut session = Session::start_in(home.path(), LOOKED_AT, command, &[]);
    session.until_text("BTC");
    session
}

/// Takes in what comes in this time; how many bytes.
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
            Err(RecvTimeoutError::Disconnected) => panic!("it ended; the screen:\n{}", session.text()),
        }
    }
}

/// What opens links here, and does nothing.
fn browser(home: &TempDir) {
    use std::os::unix::fs::PermissionsExt as _;
    let file = home.path().join("xdg-open");
    fs::write(&file, "#!/bin/sh\nexit 0\n").expect("a file");
    fs::set_permissions(file, fs::Permissions::from_mode(0o755)).expect("its permissions");
}
