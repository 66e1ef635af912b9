//! The real program in a pseudo-terminal: start, typing, sizes, signals, panics, suspending, and idling.

use std::fs::File;
use std::io::{Read, Write};
use std::path::{Path, PathBuf};
use std::sync::mpsc::RecvTimeoutError;
use std::time::{Duration, Instant};

use portable_pty::{Child, CommandBuilder, MasterPty, native_pty_system};
use rustix::process::Signal;
use satscope::terminal::{self, Output};
use tempfile::TempDir;

use crate::support::inputs::HELP;
use crate::support::session::{Session, TEST_TIMEOUT, nonzero, size};

#[test]
fn dashboard_starts_without_configuration_and_quits() {
    let mut session = Session::dashboard((160, 45), &[]);
    session.until_text("BTC");
    assert!(session.parser.screen().alternate_screen());
    session.press("q");
    assert_eq!(session.wait().0, 0);
}

#[test]
fn typing_searches_and_opens_coin() {
    let mut session = Session::dashboard((120, 35), &[]);
    session.until_text("BTC");
    session.press("/ordi");
    session.until("the search alone", |screen| !screen.contents().contains("Ethereum"));
    session.press("\r\r");
    session.until_text("Markets");
    session.press("\x1b");
    session.until("the list again", |screen| !screen.contents().contains("Markets"));
    session.press("\x03");
    assert_eq!(session.wait().0, 0);
}

#[test]
fn every_tab_shows_data() {
    let mut session = Session::dashboard((160, 45), &[]);
    for (key, text) in
        [("1", "Bitcoin"), ("2", "ORDI"), ("3", "ORDI"), ("4", "BTC"), ("5", "Holders"), ("6", "Coin list")]
    {
        session.press(key);
        session.until_text(text);
    }
    session.press("q");
    assert_eq!(session.wait().0, 0);
}

/// Whether bytes are among those that the program wrote.
fn wrote(written: &[u8], bytes: &str) -> bool {
    written.windows(bytes.len()).any(|window| window == bytes.as_bytes())
}

#[test]
fn window_title_shows_a_coin_and_is_restored() {
    let mut session = Session::dashboard((80, 24), &[]);
    session.until_text("BTC");
    session.press("q");
    let (_, _, written) = session.wait_with_output();
    assert!(!wrote(&written, "\x1b]2;") && !wrote(&written, "\x1b[22;2t"), "off by default");

    let home = tempfile::tempdir().unwrap();
    let file = home.path().join("config.toml");
    std::fs::write(&file, "[display]\ntitle = \"ordi\"\n").unwrap();
    let mut session = Session::dashboard((80, 24), &["--config", file.to_str().unwrap()]);
    session.until_text("BTC");
    session.until_written("\x1b[22;2t\x1b]2;DEMO ORDI ");
    session.press("q");
    let (status, _, written) = session.wait_with_output();
    assert!(status == 0 && wrote(&written, "\x1b]2;\x07\x1b[23;2t"), "restored");
}

#[test]
fn any_terminal_size_works() {
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
    assert_eq!(session.wait().0, 0);
}

#[test]
fn extreme_terminal_sizes_work() {
    let mut session = Session::dashboard((80, 24), &[]);
    session.until_text("BTC");
    for claimed in [(u16::MAX, u16::MAX), (1, u16::MAX), (u16::MAX, 1), (0, 0), (0, 24), (80, 0)] {
        session.catch_up();
        session.master.resize(size(claimed)).unwrap();
        let frame = session.bytes.recv_timeout(TEST_TIMEOUT).unwrap();
        session.resize((80, 24));
        session.take(&frame);
        session.until_text("BTC");
    }
    session.press("q");
    assert_eq!(session.wait().0, 0);
}

/// Terminals count columns and rows from 1, but not every program in between does.
#[test]
fn mouse_reports_outside_the_screen_are_ignored() {
    let mut session = Session::dashboard((80, 24), &[]);
    session.until_text("BTC");
    for report in ["\x1b[<0;0;0M", "\x1b[<64;1;0M", "\x1b[M   ", "\x1b[32;0;0M", "\x1b[0;0R"] {
        session.press(report);
    }
    session.press("5");
    session.until_text("Holders");
    session.press("q");
    assert_eq!(session.wait().0, 0);
}

/// Waits until the footer is in the last row of a screen of this size.
fn until_footer_at_foot(session: &mut Session, (columns, rows): (u16, u16)) {
    session.until("the footer at the foot", |screen| {
        screen.rows(0, columns).nth(usize::from(rows - 1)).is_some_and(|row| row.contains("? help"))
    });
}

#[test]
fn resize_before_the_first_frame_is_noticed() {
    for cells in [(120, 30), (160, 45), (100, 28)] {
        let mut session = Session::dashboard((80, 24), &[]);
        // The size has been read, but signals are not listened to yet.
        session.until_set_up();
        session.resize(cells);
        until_footer_at_foot(&mut session, cells);
        session.press("q");
        assert_eq!(session.wait().0, 0);
    }
}

#[test]
fn resize_is_noticed_after_unknown_sequence() {
    let mut session = Session::dashboard((80, 24), &[]);
    session.until_text("BTC");
    for cells in [(160, 45), (80, 24), (120, 30)] {
        // A meaningless sequence: its reader waits for more.
        session.press("\x1b[j");
        session.resize(cells);
        until_footer_at_foot(&mut session, cells);
    }
    session.press("q");
    assert_eq!(session.wait().0, 0);
}

#[test]
fn signals_quit_and_restore_terminal() {
    for (signal, status) in [(Signal::TERM, 143), (Signal::HUP, 129), (Signal::INT, 130)] {
        let mut session = Session::dashboard((80, 24), &[]);
        session.until_text("BTC");
        session.signal(signal);
        assert_eq!(session.wait().0, status, "{signal:?}");
    }
}

/// When a terminal is closed, the kernel sends SIGHUP, followed by SIGCONT.
#[test]
fn closed_terminal_quits_like_hangup() {
    // In the first frame, before there is a loop; and with rows, when there is one.
    for seen_first in ["All", "BTC"].repeat(10) {
        let home = tempfile::tempdir().unwrap();
        let mut command = CommandBuilder::new(env!("CARGO_BIN_EXE_satscope"));
        command.cwd(home.path());
        command.env("HOME", home.path());
        command.env("TERM", "xterm-256color");
        for name in ["XDG_CONFIG_HOME", "XDG_STATE_HOME", "XDG_CACHE_HOME"] {
            command.env_remove(name);
        }
        // No other process may hold the other end, as a session's reader does.
        let pair = native_pty_system().openpty(size((80, 24))).unwrap();
        let mut child = pair.slave.spawn_command(command).unwrap();
        drop(pair.slave);
        let mut reader = pair.master.try_clone_reader().unwrap();
        let (mut seen, mut chunk) = (Vec::new(), [0; 4096]);
        while !seen.windows(3).any(|part| part == seen_first.as_bytes()) {
            let count = reader.read(&mut chunk).unwrap();
            seen.extend_from_slice(&chunk[..count]);
        }
        drop((reader, pair.master));
        assert_eq!(child.wait().unwrap().exit_code(), 129, "after {seen_first}");
    }
}

#[test]
fn low_open_file_limit_is_reported() {
    for files in 4..40 {
        let mut command = CommandBuilder::new("sh");
        let program = env!("CARGO_BIN_EXE_satscope");
        command.args(["-c", &format!("ulimit -n {files}; exec '{program}'")]);
        let mut session = Session::start((160, 24), command);
        if files >= 32 {
            session.until_text("BTC");
            session.press("q");
        }
        let (status, shell) = session.wait();
        if files < 32 {
            let sentence = format!("satscope: only {files} open files allowed, 32 needed;");
            assert!(shell.contains(&sentence), "{files}: {shell}");
            assert_eq!(status, 1, "{files}");
        } else {
            assert_eq!((status, shell.trim()), (0, ""), "{files}");
        }
    }
}

/// The dashboard with a prepared state directory, after watching a coin and quitting at once.
fn watched_and_left(prepare: impl FnOnce(&Path) -> Option<File>) -> (u32, String) {
    let home = tempfile::tempdir().unwrap();
    let state = home.path().join(".local/state/satscope");
    std::fs::create_dir_all(&state).unwrap();
    let _held = prepare(&state);
    let mut session = Session::dashboard_in(home.path(), (120, 24), &[]);
    session.until_text("BTC");
    session.press("fq");
    session.wait()
}

#[test]
fn unsaved_change_is_reported_at_exit() {
    let mut database = String::new();
    let (status, shell) = watched_and_left(|state| {
        database = state.join("satscope.db").display().to_string();
        let lock = File::create(state.join("satscope.lock")).unwrap();
        lock.lock().unwrap();
        Some(lock)
    });
    assert_eq!(status, 1);
    let said: String = shell.lines().collect();
    assert!(said.contains(&format!("satscope: waiting to save changes to {database} (")), "{shell}");
    let reason = format!("satscope: 1 change not saved: can't write {database} (locked by another process)");
    assert!(said.contains(&reason), "{shell}");
    let (status, shell) = watched_and_left(|_| None);
    assert_eq!((status, shell.trim()), (0, ""));
}

#[test]
fn second_interrupt_ends_the_wait_for_a_locked_database() {
    let keys: fn(&mut Session) = |session| session.press("\x03");
    let signal: fn(&mut Session) = |session| session.signal(Signal::TERM);
    for again in [keys, signal] {
        let home = tempfile::tempdir().unwrap();
        let state = home.path().join(".local/state/satscope");
        std::fs::create_dir_all(&state).unwrap();
        let lock = File::create(state.join("satscope.lock")).unwrap();
        lock.lock().unwrap();
        let mut session = Session::dashboard_in(home.path(), (120, 24), &[]);
        session.until_text("BTC");
        session.press("f");
        session.press("\x03");
        session.until("the reason for the wait", |screen| {
            let said: String = screen.contents().lines().collect();
            said.contains("press Ctrl-C to quit without saving")
        });
        again(&mut session);
        let (ended, shell) = session.wait();
        // Otherwise the writer would have given up and reported only the lock.
        let reason = format!("can't write {}/satscope.db (disk slow or database locked", state.display());
        let said: String = shell.lines().collect();
        assert!(said.contains(&format!("satscope: 1 change not saved: {reason}")), "{shell}");
        assert_eq!(ended, 1, "{shell}");
    }
}

#[test]
fn line_typed_after_quitting_is_for_the_shell() {
    let home = tempfile::tempdir().unwrap();
    let state = home.path().join(".local/state/satscope");
    std::fs::create_dir_all(&state).unwrap();
    let lock = File::create(state.join("satscope.lock")).unwrap();
    lock.lock().unwrap();
    let mut command = CommandBuilder::new("/bin/sh");
    command.args(["-c", "\"$0\"; read -r line; echo \"read: $line\"", env!("CARGO_BIN_EXE_satscope")]);
    let mut session = Session::start_in(home.path(), (120, 24), command, &[]);
    session.until_text("BTC");
    session.press("f");
    session.press("q");
    // The terminal is restored, but the program still runs.
    session.until_text("satscope: waiting to save");
    session.press("typed early\n");
    drop(lock);
    session.until_text("read: typed early");
    assert_eq!(session.wait().0, 0);
}

#[test]
fn signal_after_first_frame_restores_terminal() {
    let signals = [(Signal::TERM, 143), (Signal::HUP, 129), (Signal::INT, 130), (Signal::QUIT, 131)];
    for (signal, status) in signals.repeat(3) {
        let mut session = Session::dashboard((80, 24), &[]);
        session.first_frame();
        session.signal(signal);
        assert_eq!(session.wait().0, status, "{signal:?}");
    }
}

#[test]
fn suspend_and_resume_work() {
    for stop in ["key", "signal"] {
        let mut session = Session::dashboard_in_shell((80, 24), &[]);
        session.until_text("BTC");
        match stop {
            "key" => session.press("\x1a"),
            _ => session.signal(Signal::TSTP),
        }
        session.until("the shell's screen", |screen| !screen.alternate_screen());
        assert!(!session.parser.screen().hide_cursor());
        session.until_stopped();
        session.resume();
        session.until("the dashboard again", |screen| screen.alternate_screen());
        session.until_text("BTC");
        session.press("q");
        assert_eq!(session.wait().0, 0);
    }
}

#[test]
fn suspended_dashboard_can_be_ended() {
    for end in [Signal::TERM, Signal::HUP] {
        let mut session = Session::dashboard_in_shell((80, 24), &[]);
        session.until_text("BTC");
        session.press("\x1a");
        session.until("the shell's screen", |screen| !screen.alternate_screen());
        session.until_stopped();
        // What `kill %1` sends.
        session.signal(end);
        session.signal(Signal::CONT);
        session.until_ended();
        session.resume();
        session.wait();
    }
}

#[test]
fn suspend_without_shell_is_ignored() {
    for stop in ["key", "signal"] {
        // Started by the terminal itself, as `xterm -e` does.
        let mut session = Session::dashboard((80, 24), &[]);
        session.until_text("BTC");
        match stop {
            "key" => session.press("\x1a"),
            _ => session.signal(Signal::TSTP),
        }
        session.until_text("Can't suspend");
        assert!(session.parser.screen().alternate_screen());
        session.press("6");
        session.until_text("Resource");
        session.press("q");
        assert_eq!(session.wait().0, 0);
    }
}

/// The dashboard in a terminal that never reads. Once it reads keys, its event loop runs.
fn unread() -> (Box<dyn Child + Send + Sync>, Box<dyn MasterPty + Send>, String, TempDir) {
    let home = tempfile::tempdir().unwrap();
    let mut command = CommandBuilder::new(env!("CARGO_BIN_EXE_satscope"));
    command.cwd(home.path());
    command.env("HOME", home.path());
    command.env("TERM", "xterm-256color");
    for name in ["XDG_CONFIG_HOME", "XDG_STATE_HOME", "XDG_CACHE_HOME"] {
        command.env_remove(name);
    }
    // A frame of this size is larger than the kernel's buffer for a terminal.
    let pair = native_pty_system().openpty(size((300, 100))).unwrap();
    let before = format!("{:?}", pair.master.get_termios());
    let child = pair.slave.spawn_command(command).unwrap();
    drop(pair.slave);
    (child, pair.master, before, home)
}

/// Waits until the program has a thread of this name.
fn until_thread(pid: u32, name: &str) {
    let deadline = Instant::now() + TEST_TIMEOUT;
    let has_it = || {
        let threads = std::fs::read_dir(format!("/proc/{pid}/task")).unwrap();
        threads
            .flatten()
            .any(|thread| std::fs::read_to_string(thread.path().join("comm")).is_ok_and(|comm| comm.trim() == name))
    };
    while !has_it() {
        assert!(Instant::now() < deadline, "no thread {name}");
        std::thread::yield_now();
    }
}

/// Ends the dashboard in a terminal that doesn't read; returns the exit status and how long it took.
fn ended_unread(end: impl FnOnce(u32, &mut dyn Write)) -> (u32, Duration) {
    let (mut child, master, before, _home) = unread();
    let pid = child.process_id().unwrap();
    let mut keys = master.take_writer().unwrap();
    until_thread(pid, "input");
    keys.write_all(b"123456123456").unwrap();
    let began = Instant::now();
    end(pid, &mut keys);
    let status = child.wait().unwrap().exit_code();
    let took = began.elapsed();
    assert_eq!(format!("{:?}", master.get_termios()), before, "the terminal modes are restored");
    (status, took)
}

#[test]
fn signals_and_keys_quit_when_terminal_does_not_read() {
    let mut times = Vec::new();
    for (signal, expected) in [(Signal::TERM, 143), (Signal::HUP, 129), (Signal::INT, 130)] {
        let kill = |pid: u32, _: &mut dyn Write| {
            let pid = rustix::process::Pid::from_raw(i32::try_from(pid).unwrap()).unwrap();
            rustix::process::kill_process(pid, signal).unwrap();
        };
        let (status, took) = ended_unread(kill);
        assert_eq!(status, expected, "{signal:?}");
        times.push(took);
    }
    for key in [b"q", b"\x03"] {
        let (status, took) = ended_unread(|_, keys| keys.write_all(key).unwrap());
        assert_eq!(status, 0, "{key:?}");
        times.push(took);
    }
    // It waits 200 ms for the terminal. The load of the machine can delay single runs, not make one faster.
    assert!(times.iter().min() < Some(&Duration::from_millis(600)), "{times:?}");
}

#[test]
fn terminal_that_reads_again_shows_latest_screen() {
    let (mut child, master, _, _home) = unread();
    let mut keys = master.take_writer().unwrap();
    until_thread(child.process_id().unwrap(), "input");
    keys.write_all(b"123456").unwrap();
    let mut parser = vt100::Parser::new(nonzero(100), nonzero(300), 0);
    let (mut reader, mut chunk) = (master.try_clone_reader().unwrap(), [0; 65536]);
    while !parser.screen().contents().contains("Resource") {
        let count = reader.read(&mut chunk).unwrap();
        parser.process(&chunk[..count]);
    }
    keys.write_all(b"q").unwrap();
    while let Ok(count @ 1..) = reader.read(&mut chunk) {
        parser.process(&chunk[..count]);
    }
    assert_eq!(child.wait().unwrap().exit_code(), 0);
    assert!(!parser.screen().alternate_screen());
}

#[test]
fn late_replies_of_the_terminal_are_not_typing() {
    let mut session = Session::dashboard((120, 60), &[]);
    session.until_text("BTC");
    // Each q in them would end the program.
    session.press("\x1b]11;rgb:qqqq/qqqq/qqqq\x07\x1bP>|q\x1b\\\x1b_q\x1b\\\x1b[>1;2;3c\x1b[=1c\x1bOP");
    session.until_text(HELP);
    // A lone Esc closes it, after its wait.
    session.press("\x1b");
    session.until("the list again", |screen| !screen.contents().contains(HELP));
    session.press("q");
    assert_eq!(session.wait().0, 0);
}

#[test]
fn unterminated_paste_ends() {
    let mut session = Session::dashboard((80, 24), &[]);
    session.until_text("BTC");
    session.press("/\x1b[200~ordi");
    session.until("the search alone", |screen| !screen.contents().contains("Ethereum"));
    session.press("\r6");
    session.until_text("Resource");
    session.press("q");
    assert_eq!(session.wait().0, 0);
}

/// Runs only as a child process of [`panic_of_another_thread_is_reported_at_exit`].
#[test]
fn child_with_panicking_thread() {
    if std::env::var_os("PANIC_IN_A_THREAD").is_none() {
        return;
    }
    let mut out = Output::new().unwrap();
    terminal::restore_on_panic(out.final_writer());
    terminal::enter(&mut out, true).unwrap();
    out.flush().unwrap();
    let network = std::thread::Builder::new().name(String::from("network"));
    network.spawn(|| panic!("test panic")).unwrap().join().unwrap_err();
    terminal::leave(&out.final_writer());
    writeln!(std::io::stdout(), "reported: {}", terminal::first_panic().unwrap()).unwrap();
}

#[test]
fn panic_of_another_thread_is_reported_at_exit() {
    let mut command = CommandBuilder::new(std::env::current_exe().unwrap());
    command.args(["--exact", "pty::child_with_panicking_thread", "--nocapture", "--test-threads=1"]);
    command.env("PANIC_IN_A_THREAD", "1");
    let (status, screen) = Session::start((120, 30), command).wait();
    assert_eq!(status, 0);
    assert!(screen.contains("reported: thread network panicked at tests/it/pty.rs:"), "{screen}");
    assert_eq!(screen.matches("test panic").count(), 1, "printed only once:\n{screen}");
}

/// Runs only as a child process of [`panic_restores_terminal`].
#[test]
fn child_that_panics() {
    if std::env::var_os("PANIC_IN_A_TERMINAL").is_none() {
        return;
    }
    let mut out = Output::new().unwrap();
    terminal::restore_on_panic(out.final_writer());
    terminal::enter(&mut out, true).unwrap();
    out.flush().unwrap();
    panic!("test panic");
}

#[test]
fn panic_restores_terminal() {
    let mut command = CommandBuilder::new(std::env::current_exe().unwrap());
    command.args(["--exact", "pty::child_that_panics", "--nocapture", "--test-threads=1"]);
    command.env("PANIC_IN_A_TERMINAL", "1");
    let session = Session::start((120, 30), command);
    let (status, screen) = session.wait();
    assert_ne!(status, 0);
    assert!(screen.contains("test panic"), "the message is on the shell's screen:\n{screen}");
}

#[test]
fn missing_terminal_is_an_error() {
    let output = std::process::Command::new(env!("CARGO_BIN_EXE_satscope"))
        .env("HOME", PathBuf::from("/nonexistent"))
        .stdin(std::process::Stdio::null())
        .output()
        .unwrap();
    assert_eq!(output.status.code(), Some(2));
    assert!(output.stdout.is_empty());
    assert!(String::from_utf8_lossy(&output.stderr).contains("terminal"));
}

/// A service that responds to everything with `body`, fresh for hours. It ends with the test process.
fn constant_service(body: &'static str) -> String {
    let listener = std::net::TcpListener::bind("127.0.0.1:0").unwrap();
    let url = format!("http://{}", listener.local_addr().unwrap());
    let head = "HTTP/1.1 200 OK\r\nContent-Type: application/json\r\nCache-Control: max-age=7200";
    std::thread::spawn(move || {
        for mut stream in listener.incoming().flatten() {
            std::thread::spawn(move || {
                let mut request = [0; 4096];
                while let Ok(1..) = stream.read(&mut request) {
                    let response = format!("{head}\r\nContent-Length: {}\r\n\r\n{body}", body.len());
                    if stream.write_all(response.as_bytes()).is_err() {
                        break;
                    }
                }
            });
        }
    });
    url
}

/// Waits until all threads are asleep. Then for that long: `true` after nothing was written, woken up or executed,
/// `false` as soon as a small frame is written.
fn is_idle_for(session: &mut Session, span: Duration) -> bool {
    let (mut before, started) = ((session.ticks(), session.wakeups()), Instant::now());
    // Nothing that was in progress takes longer than this without using the CPU.
    while let waited = session.bytes.recv_timeout(Duration::from_millis(200))
        && let now = (session.ticks(), session.wakeups())
        && (waited.is_ok() || now != before)
    {
        assert!(started.elapsed() < TEST_TIMEOUT, "never idle");
        if let Ok(bytes) = waited {
            session.parser.process(&bytes);
        }
        before = now;
    }
    match session.bytes.recv_timeout(span) {
        Err(RecvTimeoutError::Timeout) => {
            let (ticks, woken) = before;
            assert_eq!(session.ticks() - ticks, 0, "ticks of CPU time in {span:?} of rest");
            assert!(session.wakeups() - woken <= 1, "{} wakeups in {span:?} of rest", session.wakeups() - woken);
            true
        }
        Ok(bytes) => {
            assert!(bytes.len() <= 300, "{} bytes", bytes.len());
            session.parser.process(&bytes);
            false
        }
        Err(error) => panic!("{error}"),
    }
}

#[test]
fn idle_dashboard_writes_nothing_and_uses_no_cpu() {
    // A service whose response holds for hours: nothing is due but the clock's minute.
    let url = constant_service(
        r#"{"data":[{"id":1,"name":"Bitcoin","symbol":"BTC","slug":"bitcoin","price":1.0,"sparkline_7d":[1,2,3]}]}"#,
    );
    let mut session = Session::dashboard((160, 45), &["--base-url", &url, "--indexer-url", &url]);
    session.until_text("BTC");
    session.until_text("updated now");
    // On a busy machine, these can arrive late: the clock's minute, and the step of the age after a minute.
    let mut frames = 0;
    while !is_idle_for(&mut session, Duration::from_secs(5)) {
        frames += 1;
        assert!(frames <= 2, "{frames} frames while idle:\n{}", session.text());
    }
    session.press("q");
    assert_eq!(session.wait().0, 0);
}

/// No operation has a provider, so nothing is requested from any.
const NO_PROVIDERS: &str = "[live]\ncoins = []\ntagged = []\ndetails = []\nposts = []\npairs = []\nchart = []\nseries = []\n\
                            brc20 = []\ninscriptions = []\nfiat = []\nblock = []\nticker = []\n";

#[test]
fn source_is_switched_in_the_same_terminal_and_remembered() {
    let home = tempfile::tempdir().unwrap();
    let file = home.path().join("satscope.toml");
    std::fs::write(&file, NO_PROVIDERS).unwrap();
    let arguments = ["--config", file.to_str().unwrap()];
    let mut session = Session::dashboard_in(home.path(), (100, 30), &arguments);
    session.until_text("L live data");
    session.press("L");
    session.until("live data only", |screen| {
        screen.contents().contains("LIVE") && !screen.contents().contains("Ethereum")
    });
    assert_eq!(session.written().windows(8).filter(|bytes| bytes == b"\x1b[?1049h").count(), 1);
    session.press("q");
    assert_eq!(session.wait().0, 0);

    let mut session = Session::dashboard_in(home.path(), (100, 30), &arguments);
    session.until_text("LIVE");
    session.press("1L");
    session.until_text("DEMO");
    session.until_text("Ethereum");
    assert!(!session.text().contains("Simulated data"), "the choice is made");
    session.press("q");
    assert_eq!(session.wait().0, 0);
}
