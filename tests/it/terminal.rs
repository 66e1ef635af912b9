//! Unusual terminals and environments: failures are one-sentence errors, and nothing crashes.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Output, Stdio};

use portable_pty::CommandBuilder;

use crate::support::session::{Session, nonzero};

const PROGRAM: &str = env!("CARGO_BIN_EXE_satscope");

/// The dashboard with these environment variables.
fn dashboard(variables: &[(&str, Option<&str>)]) -> Session {
    dashboard_of(&[], variables)
}

fn dashboard_of(arguments: &[&str], variables: &[(&str, Option<&str>)]) -> Session {
    let mut command = CommandBuilder::new(PROGRAM);
    command.args(arguments);
    Session::start_with((100, 30), command, variables)
}

/// Visits all tabs of a dashboard and quits; returns all its output.
fn walk(mut session: Session) -> Vec<u8> {
    for (key, text) in [
        ("1", "Bitcoin"),
        ("2", "TRAC"),
        ("\r", "Posts"),
        ("\x1b", "GRUM"),
        ("4", "Watchlist"),
        ("5", "Holders"),
        ("?", "filter by prefix"),
        ("\x1b", "b blocks"),
        ("6", "Resource"),
    ] {
        session.press(key);
        session.until_text(text);
    }
    session.press("q");
    let (status, _, written) = session.wait_with_output();
    assert_eq!(status, 0);
    written
}

/// The parameters of all SGR sequences (colour and weight), in order.
fn weights(written: &[u8]) -> Vec<Vec<u16>> {
    let text = String::from_utf8_lossy(written);
    let sequences = text.split("\x1b[").skip(1).filter_map(|rest| {
        let end = rest.find(|c: char| c.is_ascii_alphabetic())?;
        (rest[end..].starts_with('m')).then(|| &rest[..end])
    });
    sequences.map(|list| list.split([';', ':']).map(|number| number.parse().unwrap_or(0)).collect()).collect()
}

fn is_colour(parameter: u16) -> bool {
    matches!(parameter, 30..=38 | 40..=48 | 90..=97 | 100..=107)
}

#[test]
fn terminal_without_unicode_gets_ascii() {
    for variables in [
        [("TERM", Some("linux")), ("LC_ALL", Some("C.UTF-8"))],
        [("TERM", Some("vt100")), ("LC_ALL", None)],
        [("TERM", Some("xterm")), ("LC_ALL", Some("C"))],
        [("TERM", Some("xterm-256color")), ("LC_ALL", Some("POSIX"))],
        [("TERM", Some("xterm-256color")), ("LC_ALL", Some("en_US.ISO-8859-1"))],
    ] {
        let written = walk(dashboard(&variables));
        let foreign = written.iter().position(|byte| !byte.is_ascii());
        let near =
            foreign.map(|at| String::from_utf8_lossy(&written[at.saturating_sub(40)..(at + 8).min(written.len())]));
        assert_eq!(near, None, "{variables:?}");
    }
}

#[test]
fn sixteen_colour_terminals_get_sixteen_colours() {
    for term in ["linux", "xterm-16color", "xterm-color", "ansi"] {
        let sequences = weights(&walk(dashboard(&[("TERM", Some(term))])));
        assert!(sequences.iter().flatten().any(|parameter| is_colour(*parameter)), "{term}: no colours");
        let beyond = |sequence: &&Vec<u16>| {
            sequence.windows(3).any(|part| matches!(part, [38 | 48, 5, (16..)] | [38 | 48, 2, _]))
        };
        assert_eq!(sequences.iter().find(beyond), None, "{term}");
    }
}

#[test]
fn no_color_disables_colours() {
    for variables in [[("NO_COLOR", Some("1"))], [("TERM", Some("vt100"))]] {
        let sequences = weights(&walk(dashboard(&variables)));
        assert_eq!(sequences.iter().find(|list| list.iter().any(|one| is_colour(*one))), None, "{variables:?}");
        assert!(!sequences.is_empty(), "no bold or dim text");
    }
}

/// As on a serial console, in `expect`, or in some containers.
#[test]
fn terminal_of_unknown_size_is_used() {
    for (variables, (columns, rows)) in
        [(&[("COLUMNS", Some("90")), ("LINES", Some("28"))][..], (90, 28)), (&[], (80, 24))]
    {
        let mut command = CommandBuilder::new("/bin/sh");
        command.args(["-c", "stty cols 0 rows 0; exec \"$0\"", PROGRAM]);
        let mut session = Session::start_with((100, 30), command, variables);
        session.until("the footer at the foot", |screen| {
            screen.rows(0, columns).nth(rows - 1).is_some_and(|row| row.contains("? help"))
        });
        session.press("q");
        assert_eq!(session.wait().0, 0);
    }
}

/// Runs a shell command in a terminal; `$0` is the program.
fn shell(line: &str) -> (u32, String) {
    let mut command = CommandBuilder::new("/bin/sh");
    command.args(["-c", line, PROGRAM]);
    Session::start((100, 30), command).wait()
}

#[test]
fn dashboard_needs_terminal_for_input_and_output() {
    for line in
        ["exec \"$0\" <&-", "exec \"$0\" </dev/null", "exec \"$0\" >&-", "exec \"$0\" >/dev/null", "exec \"$0\" | cat"]
    {
        let (status, screen) = shell(line);
        let explained = screen.contains("satscope: the dashboard needs a terminal; in scripts, use a command");
        assert!(explained, "{line}: {screen}");
        assert_eq!(status, if line.ends_with("cat") { 0 } else { 2 }, "{line}");
    }
    // Without a standard error, only the status reports it.
    assert_eq!(shell("exec \"$0\" <&- >&- 2>&-").0, 2);
}

#[test]
fn dashboard_refuses_a_terminal_without_cursor_movement() {
    let (status, screen) = shell("TERM=dumb exec \"$0\"");
    assert_eq!(status, 2, "{screen}");
    assert!(screen.contains("satscope: TERM=dumb is not supported; use a command"), "{screen}");
}

/// Runs a command with an empty home and the given standard output.
fn run(arguments: &[&str], variables: &[(&str, &Path)], stdout: Stdio) -> Output {
    let home = tempfile::tempdir().unwrap();
    let mut command = Command::new(PROGRAM);
    command.args(arguments).env_clear().env("HOME", home.path()).envs(variables.iter().copied());
    command.stdin(Stdio::null()).stdout(stdout).stderr(Stdio::piped()).output().unwrap()
}

/// Checks for one sentence on standard error with this text, nothing on standard output, and this status.
fn assert_error(output: &Output, status: i32, words: &str) {
    let stderr = String::from_utf8_lossy(&output.stderr);
    let is_sentence = stderr.lines().count() == 1 && stderr.starts_with("satscope: ");
    assert!(is_sentence && stderr.contains(words), "“{words}” is missing: {stderr:?}");
    assert_eq!((output.status.code(), output.stdout.as_slice()), (Some(status), &b""[..]), "{stderr}");
}

#[cfg(target_os = "linux")]
#[test]
fn full_disk_is_a_failure() {
    for arguments in [
        &["coins", "--limit", "500"][..],
        &["sat", "7"],
        &["coins", "--format", "csv"],
        &["config", "show"],
        &["config", "path"],
        &["completions", "bash"],
        &["man"],
        &["--help"],
        &["--version"],
        &["help", "coins"],
    ] {
        let full = fs::OpenOptions::new().write(true).open("/dev/full").unwrap();
        let output = run(arguments, &[], Stdio::from(full));
        assert_eq!(output.status.code(), Some(1), "{arguments:?}");
        assert_error(&output, 1, "can't write to standard output (disk full)");
    }
}

#[cfg(target_os = "linux")]
#[test]
fn unwritable_log_does_not_affect_dashboard() {
    let output = run(&["--demo", "--log", "/dev/full", "sat", "7"], &[], Stdio::piped());
    assert_eq!(output.status.code(), Some(0));
    assert_eq!(String::from_utf8_lossy(&output.stderr), "");
    let home = tempfile::tempdir().unwrap();
    let missing = home.path().join("no/such/directory/log");
    assert_error(
        &run(&["--log", missing.to_str().unwrap(), "sat", "7"], &[], Stdio::piped()),
        2,
        "can't write to the log",
    );
    let mut session = dashboard_of(&["--log", "/dev/full"], &[("SATSCOPE_LOG", Some("trace"))]);
    session.until_text("BTC");
    session.press("5");
    session.until_text("Holders");
    assert!(!session.text().contains("nable to"), "{}", session.text());
    session.press("q");
    assert_eq!(session.wait().0, 0);
}

#[test]
fn log_to_a_pipe_does_not_block() {
    let home = tempfile::tempdir().unwrap();
    let pipe = home.path().join("log");
    assert!(Command::new("mkfifo").arg(&pipe).status().unwrap().success());
    let arguments = ["--demo", "--log", pipe.to_str().unwrap(), "sat", "7"];
    assert_error(&run(&arguments, &[], Stdio::piped()), 2, "can't log to pipe");
    // A reader that reads nothing: output that doesn't fit is lost.
    let _reader = fs::OpenOptions::new().read(true).write(true).open(&pipe).unwrap();
    let mut session = dashboard_of(&["--log", pipe.to_str().unwrap()], &[("SATSCOPE_LOG", Some("trace"))]);
    for _ in 0..40 {
        for (key, text) in [("6", "Resource"), ("1", "BTC"), ("r", "BTC")] {
            session.press(key);
            session.until_text(text);
        }
    }
    session.press("q");
    assert_eq!(session.wait().0, 0);
}

/// Watches the first coin while nothing can be saved. The start and the key report it, and the dashboard continues. At
/// the end it reports the lost change with the `reason`.
fn forgets(variables: &[(&str, Option<&str>)], words: &str, reason: &str) {
    let mut session = dashboard(variables);
    session.until_text("BTC");
    session.until_text("stay in memory");
    // Another tab hides the notice, so the next one comes from the key.
    session.press("5");
    session.until("another tab", |screen| !screen.contents().contains("stay in memory"));
    session.press("1");
    session.until_text("BTC");
    session.press("f");
    session.until_text("stay in memory");
    assert!(session.text().contains(words), "{words}: {}", session.text());
    session.press("5");
    session.until_text("Holders");
    session.press("q");
    let (status, screen) = session.wait();
    let (line, rest) = screen.trim().split_once('\n').unwrap_or((screen.trim(), ""));
    assert!(line.starts_with("satscope: 1 change not saved: ") && line.contains(reason), "{screen}");
    assert_eq!((status, rest), (1, ""));
}

#[test]
fn read_only_home_is_reported_on_first_write() {
    let home = tempfile::tempdir().unwrap();
    let file = home.path().join("file");
    fs::write(&file, "").unwrap();
    let file = file.to_str().unwrap();
    forgets(&[("XDG_STATE_HOME", Some(file))], "not a directory", "(not a directory)");
    forgets(&[("HOME", Some(file))], "not a directory", "(not a directory)");
    // No user can create a file there, not even root.
    #[cfg(target_os = "linux")]
    forgets(
        &[("HOME", Some("/proc"))],
        "Can't write …/state/satscope (no such file or directory); changes stay in memory",
        "can't write /proc/.local/state/satscope (no such file or directory)",
    );
    // A relative home doesn't count.
    forgets(&[("HOME", Some("nowhere"))], "HOME", "HOME");
}

#[test]
fn missing_home_fails_only_commands_that_need_it() {
    let nowhere = Path::new("nowhere");
    let output = run(&["--demo", "sat", "7"], &[("HOME", nowhere)], Stdio::piped());
    assert_eq!((output.status.code(), output.stderr.as_slice()), (Some(0), &b""[..]));
    assert_error(&run(&["config", "path"], &[("HOME", nowhere)], Stdio::piped()), 2, "set HOME");
    assert_error(&run(&["config", "init"], &[("HOME", nowhere)], Stdio::piped()), 2, "set HOME");
}

/// Ignoring it would print simulated data of the embedded service.
#[cfg(unix)]
#[test]
fn non_utf8_environment_variable_is_an_error() {
    use std::os::unix::ffi::OsStrExt as _;
    let url = Path::new(std::ffi::OsStr::from_bytes(b"http://market\xff.invalid"));
    assert_error(&run(&["coins"], &[("SATSCOPE_BASE_URL", url)], Stdio::piped()), 2, "SATSCOPE_BASE_URL: ");
}

#[test]
fn files_in_place_of_directories_are_reported() {
    let place = tempfile::tempdir().unwrap();
    let file: PathBuf = place.path().join("file");
    fs::write(&file, "").unwrap();
    let variables = ["XDG_CONFIG_HOME", "XDG_STATE_HOME", "XDG_CACHE_HOME"].map(|name| (name, file.as_path()));
    // There is no configuration there, as in an empty directory.
    let output = run(&["--demo", "sat", "7"], &variables, Stdio::piped());
    assert_eq!((output.status.code(), String::from_utf8_lossy(&output.stderr).as_ref()), (Some(0), ""));
    assert_error(&run(&["config", "init"], &variables, Stdio::piped()), 1, "(not a directory");
    let file = file.to_str();
    forgets(
        &[("XDG_CONFIG_HOME", file), ("XDG_STATE_HOME", file), ("XDG_CACHE_HOME", file)],
        "not a directory",
        "(not a directory)",
    );
}

#[test]
fn terminal_without_alternate_screen_is_cleared() {
    let mut session = dashboard(&[]);
    session.until_text("BTC");
    session.press("5");
    session.until_text("Holders");
    session.press("q");
    let (status, _, written) = session.wait_with_output();
    let other_screen = [&b"\x1b[?1049h"[..], b"\x1b[?1049l"];
    let mut terminal = vt100::Parser::new(nonzero(30), nonzero(100), 0);
    let mut rest = &written[..];
    while let Some((first, behind)) = rest.split_first() {
        match other_screen.iter().find(|sequence| rest.starts_with(sequence)) {
            Some(sequence) => rest = &rest[sequence.len()..],
            None => {
                terminal.process(&[*first]);
                rest = behind;
            }
        }
    }
    let screen = terminal.screen();
    assert_eq!((status, screen.contents().as_str(), screen.cursor_position()), (0, "", (0, 0)));
}

/// GNU Screen holds a lone Esc back while it reports the mouse.
#[test]
fn mouse_capture_is_off_in_gnu_screen() {
    let on = |screen: &vt100::Screen| screen.mouse_protocol_mode() != vt100::MouseProtocolMode::None;
    for (variables, from_the_start) in [
        (&[("STY", Some("4711.pts-0.host")), ("TERM", Some("screen.xterm-256color"))][..], false),
        (&[("TERM", Some("xterm-256color"))], true),
    ] {
        let mut session = dashboard(variables);
        session.until_text("BTC");
        assert_eq!(on(session.parser.screen()), from_the_start, "{variables:?}");
        session.press("M");
        session.until("the mouse, or none", |screen| on(screen) != from_the_start);
        session.press("q");
        assert_eq!(session.wait().0, 0);
    }
}

#[test]
fn copying_suits_the_terminal() {
    let mut screen = dashboard(&[("STY", Some("4711.pts-0.host")), ("TERM", Some("screen.xterm-256color"))]);
    screen.until_text("BTC");
    screen.press("yi");
    // The ID `bitcoin`, in a string that GNU Screen passes on.
    screen.until_written("\x1bP\x1b]52;c;Yml0Y29pbg==\x07\x1b\\");
    screen.press("q");
    assert_eq!(screen.wait().0, 0);

    let mut console = dashboard(&[("TERM", Some("linux"))]);
    console.until_text("BTC");
    console.press("yi");
    console.until_text("Can't copy: this terminal has no clipboard");
    console.press("q");
    let (status, _, written) = console.wait_with_output();
    assert_eq!(status, 0);
    assert!(!written.windows(5).any(|part| part == b"\x1b]52;"));
}

#[test]
fn dashboard_works_in_tmux() {
    let place = tempfile::tempdir().unwrap();
    let socket = place.path().join("socket");
    let tmux = ["/usr/bin/tmux", "/usr/local/bin/tmux", "/opt/homebrew/bin/tmux"]
        .into_iter()
        .find(|path| Path::new(path).exists());
    // Without tmux, only its environment variables are tested.
    let Some(tmux) = tmux else {
        walk(dashboard(&[("TERM", Some("tmux-256color")), ("TMUX", Some("/nonexistent,1,0"))]));
        return;
    };
    let mut command = CommandBuilder::new(tmux);
    command.args(["-u", "-f", "/dev/null", "-S", socket.to_str().unwrap(), "new-session", PROGRAM]);
    let mut session = Session::start((100, 30), command);
    session.until_text("BTC");
    session.press("5");
    session.until_text("Holders");
    session.master.resize(crate::support::session::size((60, 20))).unwrap();
    session.press("1");
    session.until_text("BTC");
    session.press("q");
    assert_eq!(session.wait().0, 0);
}
