//! The real program in a real pseudo-terminal: start, typing, sizes, signals, panic, stop and go on, and its rest.

use std::io::{Read, Write};
use std::num::NonZero;
use std::path::{Path, PathBuf};
use std::sync::mpsc::{Receiver, RecvTimeoutError, channel};
use std::time::{Duration, Instant};

use portable_pty::{Child, CommandBuilder, MasterPty, PtySize, native_pty_system};
use rustix::process::{Pid, Signal, kill_process};
use tempfile::TempDir;

/// Longer than anything takes on a busy machine; a test that waits this long has failed.
const PATIENCE: Duration = Duration::from_secs(60);

/// The program in a terminal of its own.
pub(crate) struct Session {
    child: Box<dyn Child + Send + Sync>,
    master: Box<dyn MasterPty + Send>,
    keys: Box<dyn Write + Send>,
    bytes: Receiver<Vec<u8>>,
    pub(crate) parser: vt100::Parser,
    before: String,
    _home: Option<TempDir>,
}

fn nonzero(cells: u16) -> NonZero<u16> {
    NonZero::new(cells).unwrap()
}

fn size((cols, rows): (u16, u16)) -> PtySize {
    PtySize { rows, cols, pixel_width: 0, pixel_height: 0 }
}

impl Session {
    /// The dashboard with an empty home.
    fn dashboard(cells: (u16, u16), arguments: &[&str]) -> Session {
        let mut command = CommandBuilder::new(env!("CARGO_BIN_EXE_satscope"));
        command.args(arguments);
        Session::start(cells, command)
    }

    fn start(cells: (u16, u16), command: CommandBuilder) -> Session {
        let home = tempfile::tempdir().unwrap();
        let mut session = Session::start_in(home.path(), cells, command);
        session._home = Some(home);
        session
    }

    /// The dashboard in a home that outlives it.
    pub(crate) fn dashboard_in(home: &Path, cells: (u16, u16), arguments: &[&str]) -> Session {
        let mut command = CommandBuilder::new(env!("CARGO_BIN_EXE_satscope"));
        command.args(arguments);
        Session::start_in(home, cells, command)
    }

    fn start_in(home: &Path, cells: (u16, u16), mut command: CommandBuilder) -> Session {
        command.env("HOME", home);
        command.env("TERM", "xterm-256color");
        command.env("LC_ALL", "C.UTF-8");
        for name in ["XDG_CONFIG_HOME", "XDG_STATE_HOME", "XDG_CACHE_HOME", "NO_COLOR"] {
            command.env_remove(name);
        }
        let pair = native_pty_system().openpty(size(cells)).unwrap();
        let before = format!("{:?}", pair.master.get_termios());
        let child = pair.slave.spawn_command(command).unwrap();
        drop(pair.slave);
        let mut reader = pair.master.try_clone_reader().unwrap();
        let (send, bytes) = channel();
        std::thread::spawn(move || {
            let mut chunk = [0; 65536];
            while let Ok(count @ 1..) = reader.read(&mut chunk) {
                if send.send(chunk[..count].to_vec()).is_err() {
                    break;
                }
            }
        });
        let keys = pair.master.take_writer().unwrap();
        let parser = vt100::Parser::new(nonzero(cells.1), nonzero(cells.0), 0);
        Session { child, master: pair.master, keys, bytes, parser, before, _home: None }
    }

    pub(crate) fn text(&self) -> String {
        self.parser.screen().contents()
    }

    /// The screen as the first frame leaves it.
    pub(crate) fn first_frame(&mut self) -> String {
        const END: &[u8] = b"\x1b[?2026l";
        let mut seen = Vec::new();
        loop {
            seen.extend(self.bytes.recv_timeout(PATIENCE).expect("a first frame"));
            if let Some(at) = seen.windows(END.len()).position(|bytes| bytes == END) {
                let (frame, rest) = seen.split_at(at);
                self.parser.process(frame);
                let text = self.text();
                self.parser.process(rest);
                return text;
            }
        }
    }

    /// Reads until the screen is as wanted; the screen is printed where it never becomes so.
    pub(crate) fn until(&mut self, what: &str, is_so: impl Fn(&vt100::Screen) -> bool) {
        let deadline = Instant::now() + PATIENCE;
        while !is_so(self.parser.screen()) {
            assert!(Instant::now() < deadline, "no {what}; the screen:\n{}", self.text());
            match self.bytes.recv_timeout(deadline.saturating_duration_since(Instant::now())) {
                Ok(bytes) => self.parser.process(&bytes),
                Err(error) => panic!("no {what} ({error}); the screen:\n{}", self.text()),
            }
        }
    }

    pub(crate) fn until_text(&mut self, text: &str) {
        self.until(text, |screen| screen.contents().contains(text));
    }

    pub(crate) fn press(&mut self, keys: &str) {
        self.keys.write_all(keys.as_bytes()).unwrap();
        self.keys.flush().unwrap();
    }

    fn pid(&self) -> Pid {
        Pid::from_raw(i32::try_from(self.child.process_id().unwrap()).unwrap()).unwrap()
    }

    pub(crate) fn signal(&self, signal: Signal) {
        kill_process(self.pid(), signal).unwrap();
    }

    /// Waits for the end, reads what is left, and sees that the terminal is as it was.
    pub(crate) fn ended(mut self) -> (u32, String) {
        let deadline = Instant::now() + PATIENCE;
        loop {
            match self.bytes.recv_timeout(deadline.saturating_duration_since(Instant::now())) {
                Ok(bytes) if Instant::now() < deadline => self.parser.process(&bytes),
                Err(RecvTimeoutError::Disconnected) => break,
                Ok(_) | Err(RecvTimeoutError::Timeout) => panic!("it does not end; the screen:\n{}", self.text()),
            }
        }
        let status = self.child.wait().unwrap();
        let screen = self.parser.screen();
        assert!(!screen.alternate_screen(), "the alternate screen is left");
        assert!(!screen.hide_cursor(), "the cursor is shown");
        assert!(!screen.bracketed_paste(), "bracketed paste is off");
        assert_eq!(screen.mouse_protocol_mode(), vt100::MouseProtocolMode::None, "the mouse is given back");
        assert_eq!(format!("{:?}", self.master.get_termios()), self.before, "the line discipline is as before");
        (status.exit_code(), self.parser.screen().contents())
    }

    /// What the kernel says of the process, from its state on.
    fn stat(&self) -> Vec<String> {
        let stat = std::fs::read_to_string(format!("/proc/{}/stat", self.pid().as_raw_nonzero())).unwrap();
        let after_name = stat.rsplit(')').next().unwrap();
        after_name.split_whitespace().map(str::to_owned).collect()
    }

    /// Waits until the kernel has really stopped it: going on comes to nothing before.
    fn until_stopped(&self) {
        let deadline = Instant::now() + PATIENCE;
        while self.stat()[0] != "T" {
            assert!(Instant::now() < deadline, "it does not stop");
            std::thread::yield_now();
        }
    }

    /// CPU time of all threads so far, in clock ticks.
    fn ticks(&self) -> u64 {
        let stat = self.stat();
        stat[11].parse::<u64>().unwrap() + stat[12].parse::<u64>().unwrap()
    }
}

#[test]
fn starts_without_configuration_and_quits() {
    let mut session = Session::dashboard((160, 45), &[]);
    session.until_text("BTC");
    assert!(session.parser.screen().alternate_screen());
    session.press("q");
    assert_eq!(session.ended().0, 0);
}

#[test]
fn typing_searches_and_opens() {
    let mut session = Session::dashboard((120, 35), &[]);
    session.until_text("BTC");
    session.press("/ordi");
    session.until("the search alone", |screen| !screen.contents().contains("Ethereum"));
    session.press("\r\r");
    session.until_text("Markets");
    session.press("\x1b");
    session.until("the list again", |screen| !screen.contents().contains("Markets"));
    session.press("\x03");
    assert_eq!(session.ended().0, 0);
}

#[test]
fn every_tab_shows_something() {
    let mut session = Session::dashboard((160, 45), &[]);
    for (key, text) in
        [("1", "Bitcoin"), ("2", "ORDI"), ("3", "ORDI"), ("4", "BTC"), ("5", "Holders"), ("6", "coins all")]
    {
        session.press(key);
        session.until_text(text);
    }
    session.press("q");
    assert_eq!(session.ended().0, 0);
}

#[test]
fn any_size_is_survived() {
    let mut session = Session::dashboard((80, 24), &[]);
    session.until_text("BTC");
    for cells in [(20, 5), (1, 1), (300, 80), (5, 2), (40, 12), (2, 60), (80, 24)] {
        session.master.resize(size(cells)).unwrap();
        session.parser.screen_mut().set_size(nonzero(cells.1), nonzero(cells.0));
        session.press("5\r1\r\x1b6");
    }
    session.press("1");
    session.until_text("BTC");
    session.press("q");
    assert_eq!(session.ended().0, 0);
}

#[test]
fn signals_end_it_and_the_terminal_is_given_back() {
    for (signal, status) in [(Signal::TERM, 143), (Signal::HUP, 129), (Signal::INT, 130)] {
        let mut session = Session::dashboard((80, 24), &[]);
        session.until_text("BTC");
        session.signal(signal);
        assert_eq!(session.ended().0, status, "{signal:?}");
    }
}

#[test]
fn stops_like_any_program_and_goes_on() {
    for stop in ["key", "signal"] {
        let mut session = Session::dashboard((80, 24), &[]);
        session.until_text("BTC");
        match stop {
            "key" => session.press("\x1a"),
            _ => session.signal(Signal::TSTP),
        }
        session.until("the shell's screen", |screen| !screen.alternate_screen());
        assert!(!session.parser.screen().hide_cursor());
        session.until_stopped();
        session.signal(Signal::CONT);
        session.until("the dashboard again", |screen| screen.alternate_screen());
        session.until_text("BTC");
        session.press("q");
        assert_eq!(session.ended().0, 0);
    }
}

/// Not a test of its own: what [`a_panic_gives_the_terminal_back`] runs in a terminal.
#[test]
fn panicking_program() {
    if std::env::var_os("PANIC_IN_A_TERMINAL").is_none() {
        return;
    }
    satscope::terminal::give_back_on_panic();
    satscope::terminal::enter(&mut std::io::stdout(), true).unwrap();
    panic!("as asked");
}

#[test]
fn a_panic_gives_the_terminal_back() {
    let mut command = CommandBuilder::new(std::env::current_exe().unwrap());
    command.args(["--exact", "pty::panicking_program", "--nocapture", "--test-threads=1"]);
    command.env("PANIC_IN_A_TERMINAL", "1");
    let session = Session::start((120, 30), command);
    let (status, screen) = session.ended();
    assert_ne!(status, 0);
    assert!(screen.contains("as asked"), "the message is on the shell's screen:\n{screen}");
}

#[test]
fn without_a_terminal_it_says_so() {
    let output = std::process::Command::new(env!("CARGO_BIN_EXE_satscope"))
        .env("HOME", PathBuf::from("/nonexistent"))
        .stdin(std::process::Stdio::null())
        .output()
        .unwrap();
    assert_eq!(output.status.code(), Some(2));
    assert!(output.stdout.is_empty());
    assert!(String::from_utf8_lossy(&output.stderr).contains("terminal"));
}

/// A service that answers everything with `body`, good for hours. It ends with the test's process.
fn constant_service(body: &'static str) -> String {
    let listener = std::net::TcpListener::bind("127.0.0.1:0").unwrap();
    let url = format!("http://{}", listener.local_addr().unwrap());
    let head = "HTTP/1.1 200 OK\r\nContent-Type: application/json\r\nCache-Control: max-age=7200";
    std::thread::spawn(move || {
        for mut stream in listener.incoming().flatten() {
            std::thread::spawn(move || {
                let mut request = [0; 4096];
                while let Ok(1..) = stream.read(&mut request) {
                    let answer = format!("{head}\r\nContent-Length: {}\r\n\r\n{body}", body.len());
                    if stream.write_all(answer.as_bytes()).is_err() {
                        break;
                    }
                }
            });
        }
    });
    url
}

#[test]
fn at_rest_it_writes_nothing_and_uses_no_processor() {
    // A service whose answer holds for hours: nothing is due but the clock's minute.
    let url = constant_service(
        r#"{"data":[{"id":1,"name":"Bitcoin","symbol":"BTC","slug":"bitcoin","price":1.0,"sparkline_7d":[1,2,3]}]}"#,
    );
    let mut session = Session::dashboard((160, 45), &["--base-url", &url, "--indexer-url", &url]);
    session.until_text("BTC");
    // The next of the age's coarse steps is 20 s away.
    session.until_text("10 s ago");
    let before = session.ticks();
    match session.bytes.recv_timeout(Duration::from_secs(5)) {
        Err(RecvTimeoutError::Timeout) => assert_eq!(session.ticks() - before, 0, "ticks of CPU time in 5 s of rest"),
        // The clock's minute fell into the window: one small frame, and then rest.
        Ok(bytes) => {
            assert!(bytes.len() <= 300, "{} bytes", bytes.len());
            session.parser.process(&bytes);
            assert_eq!(session.bytes.recv_timeout(Duration::from_secs(5)).err(), Some(RecvTimeoutError::Timeout));
        }
        Err(error) => panic!("{error}"),
    }
    session.press("q");
    assert_eq!(session.ended().0, 0);
}
