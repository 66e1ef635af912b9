//! Notifications of fired alerts: through the terminal, which also works over SSH, and by the command of the user.

use std::io::{self, Read as _, Write};
use std::os::unix::process::CommandExt as _;
use std::process::{ChildStderr, Command, Stdio};
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::thread;
use std::time::{Duration, Instant};

use parking_lot::Mutex;

use crate::config::Alerts;
use crate::model::{UtcTime, Zone, system_error};

use super::multiplexer::Multiplexer;

/// The escape sequence of a terminal for notifications.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Protocol {
    /// OSC 9: iTerm2, WezTerm, Ghostty, Windows Terminal. Others ignore it.
    Osc9,
    /// OSC 777: rxvt-unicode, foot, and terminals on VTE.
    Osc777,
    /// OSC 99: kitty.
    Osc99,
    /// None: the Linux console.
    None,
}

/// Maximum characters of a title and of a message.
const MAX_TITLE: usize = 80;
const MAX_TEXT: usize = 200;

impl Protocol {
    /// Chooses by the variables of the environment.
    pub(crate) fn detect(variable: impl Fn(&str) -> Option<String>) -> Protocol {
        let term = variable("TERM").unwrap_or_default();
        let is_set = |name: &str| variable(name).is_some_and(|value| !value.is_empty());
        // GNU Screen may append the name of the outer terminal to its own.
        match term.strip_prefix("screen.").unwrap_or(&term) {
            "linux" | "dumb" => Protocol::None,
            "xterm-kitty" => Protocol::Osc99,
            term if term.starts_with("rxvt") || term.starts_with("foot") => Protocol::Osc777,
            _ if is_set("KITTY_WINDOW_ID") => Protocol::Osc99,
            _ if is_set("VTE_VERSION") => Protocol::Osc777,
            _ => Protocol::Osc9,
        }
    }
}

/// How the user is notified of a fired alert.
pub(crate) struct Notifier {
    protocol: Protocol,
    multiplexer: Multiplexer,
    alerts: Alerts,
    zone: Zone,
    /// Locked by the running command, and the number of commands that run or wait.
    running: Arc<(Mutex<()>, AtomicUsize)>,
}

/// How long a command may run.
pub(crate) const COMMAND_TIMEOUT: Duration = Duration::from_secs(10);

/// How often a running command is checked.
const COMMAND_POLL: Duration = Duration::from_millis(20);

/// Maximum bytes kept from the end of a command's standard error, for its last line.
const MAX_STDERR_BYTES: usize = 16 * 1024;

/// Maximum reads of standard error between two checks of a running command.
const MAX_READS: usize = 64;

/// Maximum commands that run or wait.
const MAX_UNFINISHED: usize = 20;

impl Notifier {
    pub(crate) fn new(protocol: Protocol, multiplexer: Multiplexer, alerts: Alerts, zone: Zone) -> Notifier {
        Notifier { protocol, multiplexer, alerts, zone, running: Arc::default() }
    }

    /// Whether it is quiet time now.
    pub(crate) fn is_quiet(&self, now: UtcTime) -> bool {
        let local = self.zone.at(now);
        let minute = u16::from(local.hour().unsigned_abs()) * 60 + u16::from(local.minute().unsigned_abs());
        self.alerts.quiet.is_some_and(|hours| hours.contains(minute))
    }

    /// Sends a notification through the terminal.
    pub(crate) fn send(&self, out: &mut impl Write, title: &str, text: &str) -> io::Result<()> {
        send(out, self.protocol, self.multiplexer, title, text)
    }

    /// The user's command for an alert, which blocks until its end; `None` if there is none. One runs at a time. It
    /// returns why it failed, in one sentence.
    pub(crate) fn command(
        &self,
        title: &str,
        text: &str,
    ) -> Option<impl FnOnce() -> Result<(), String> + Send + 'static> {
        let (program, arguments) = self.alerts.command.split_first()?;
        let (title, text) = (harmless(title, MAX_TEXT), harmless(text, MAX_TEXT));
        // A title with `{text}` in it stays as it is.
        let filled = |word: &String| {
            word.split("{title}").map(|part| part.replace("{text}", &text)).collect::<Vec<_>>().join(&title)
        };
        let (program, arguments): (String, Vec<String>) = (program.clone(), arguments.iter().map(filled).collect());
        let running = Arc::clone(&self.running);
        Some(move || {
            let (lock, unfinished) = &*running;
            if unfinished.fetch_add(1, Ordering::SeqCst) >= MAX_UNFINISHED {
                unfinished.fetch_sub(1, Ordering::SeqCst);
                return Err(String::from("Alert command skipped (too many waiting)"));
            }
            let held = lock.lock();
            let end = Instant::now() + COMMAND_TIMEOUT;
            let done = run(&program, &arguments, || Instant::now() >= end)
                .map_err(|reason| format!("Alert command {program} failed: {reason}"));
            drop(held);
            unfinished.fetch_sub(1, Ordering::SeqCst);
            done
        })
    }
}

/// Runs a program. At the time limit, kills it and the programs that it started.
fn run(program: &str, arguments: &[String], is_expired: impl Fn() -> bool) -> Result<(), String> {
    let mut command = Command::new(program);
    command.process_group(0);
    command.args(arguments).stdin(Stdio::null()).stdout(Stdio::null()).stderr(Stdio::piped());
    let reason = |error: io::Error| system_error::reason(&error);
    let mut child = command.spawn().map_err(reason)?;
    let mut errors = child.stderr.take().map(StderrTail::new).transpose().map_err(reason)?;
    loop {
        let state = child.try_wait();
        if let Some(errors) = &mut errors {
            errors.read();
        }
        match state {
            Ok(Some(status)) if status.success() => return Ok(()),
            Ok(Some(status)) => {
                let text = errors.map(|errors| errors.last_line()).unwrap_or_default();
                return Err(if text.is_empty() { status.to_string() } else { format!("{status} · {text}") });
            }
            Ok(None) if is_expired() => {
                let group = rustix::process::Pid::from_child(&child);
                let _ = rustix::process::kill_process_group(group, rustix::process::Signal::KILL);
                // The program may have left its group.
                let _ = child.kill();
                let _ = child.wait();
                return Err(format!("killed after {} s", COMMAND_TIMEOUT.as_secs()));
            }
            Ok(None) => thread::sleep(COMMAND_POLL),
            Err(error) => return Err(reason(error)),
        }
    }
}

/// The end of a program's standard error. Read without waiting, since a child of the program may keep the
/// pipe open.
struct StderrTail {
    pipe: ChildStderr,
    tail: Vec<u8>,
}

impl StderrTail {
    fn new(pipe: ChildStderr) -> io::Result<StderrTail> {
        rustix::fs::fcntl_setfl(&pipe, rustix::fs::OFlags::NONBLOCK)?;
        Ok(StderrTail { pipe, tail: Vec::new() })
    }

    /// Reads the available bytes: a full pipe would block the program.
    fn read(&mut self) {
        let mut bytes = [0; 4096];
        for _ in 0..MAX_READS {
            // An error means that no bytes are available.
            let Ok(length @ 1..) = self.pipe.read(&mut bytes) else { break };
            self.tail.extend_from_slice(&bytes[..length]);
            self.tail.drain(..self.tail.len().saturating_sub(MAX_STDERR_BYTES));
        }
    }

    fn last_line(&self) -> String {
        let text = String::from_utf8_lossy(&self.tail);
        let last = text.lines().rev().map(str::trim).find(|line| !line.is_empty());
        harmless(last.unwrap_or_default(), MAX_TEXT)
    }
}

/// Sends a notification. Control characters, and the separators of the sequences, never reach the terminal.
fn send(out: &mut impl Write, protocol: Protocol, multiplexer: Multiplexer, title: &str, text: &str) -> io::Result<()> {
    let title = harmless(&multiplexer.text(title), MAX_TITLE);
    let text = harmless(&multiplexer.text(text), MAX_TEXT);
    let sequences = match protocol {
        Protocol::None => return Ok(()),
        Protocol::Osc9 => format!("\x1b]9;{text}\x07"),
        Protocol::Osc777 => format!("\x1b]777;notify;{title};{text}\x07"),
        Protocol::Osc99 => format!("\x1b]99;i=satscope:d=0;{title}\x07\x1b]99;i=satscope:p=body;{text}\x07"),
    };
    multiplexer.write(out, &sequences)?;
    out.flush()
}

fn harmless(text: &str, max_chars: usize) -> String {
    let clean = crate::model::text::clean(text);
    clean
        .chars()
        .filter(|char| !char.is_control())
        .map(|char| if char == ';' { ',' } else { char })
        .take(max_chars)
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn sent(protocol: Protocol, title: &str, text: &str) -> String {
        sent_through(Multiplexer::None, protocol, title, text)
    }

    fn sent_through(multiplexer: Multiplexer, protocol: Protocol, title: &str, text: &str) -> String {
        let mut out = Vec::new();
        send(&mut out, protocol, multiplexer, title, text).unwrap();
        String::from_utf8(out).unwrap()
    }

    #[test]
    fn notification_follows_the_terminal() {
        let detect = |variables: &[(&str, &str)]| {
            Protocol::detect(|name| {
                variables.iter().find(|(own, _)| *own == name).map(|(_, value)| (*value).to_owned())
            })
        };
        assert_eq!(detect(&[("TERM", "xterm-256color")]), Protocol::Osc9);
        assert_eq!(detect(&[("TERM", "xterm-kitty")]), Protocol::Osc99);
        assert_eq!(detect(&[("TERM", "foot")]), Protocol::Osc777);
        assert_eq!(detect(&[("TERM", "xterm-256color"), ("VTE_VERSION", "7600")]), Protocol::Osc777);
        assert_eq!(detect(&[("TERM", "linux")]), Protocol::None);
        assert_eq!(detect(&[("TERM", "screen.xterm-kitty")]), Protocol::Osc99);
        assert_eq!(detect(&[("TERM", "screen.linux")]), Protocol::None);
        assert_eq!(sent(Protocol::Osc9, "ORDI > 20", "ORDI is 20.1"), "\x1b]9;ORDI is 20.1\x07");
        assert_eq!(sent(Protocol::Osc777, "ORDI > 20", "a"), "\x1b]777;notify;ORDI > 20;a\x07");
        let kitty = "\x1b]99;i=satscope:d=0;t\x07\x1b]99;i=satscope:p=body;a\x07";
        assert_eq!(sent(Protocol::Osc99, "t", "a"), kitty);
        assert_eq!(sent(Protocol::None, "t", "a"), "");
    }

    #[test]
    fn notification_passes_through_the_multiplexer() {
        let sent = |multiplexer, protocol| sent_through(multiplexer, protocol, "t", "SATS 24h −4%");
        let screen = sent(Multiplexer::Screen, Protocol::Osc9);
        assert_eq!(screen, "\x1bP\x1b]9;SATS 24h -4%\x07\x1b\\");
        let tmux = sent(Multiplexer::Tmux, Protocol::Osc777);
        assert_eq!(tmux, "\x1bPtmux;\x1b\x1b]777;notify;t;SATS 24h −4%\x07\x1b\\");
        let kitty = sent(Multiplexer::Screen, Protocol::Osc99);
        let content = kitty.strip_prefix("\x1bP").and_then(|rest| rest.strip_suffix("\x1b\\")).unwrap();
        assert!(!content.contains("\x1b\\"), "it would end the string: {content:?}");
    }

    fn notifier(command: &[&str], quiet: Option<&str>) -> Notifier {
        let command = command.iter().map(|word| (*word).to_owned()).collect();
        let quiet = quiet.and_then(crate::config::QuietHours::parse);
        Notifier::new(Protocol::Osc9, Multiplexer::None, Alerts { command, quiet }, Zone::UTC)
    }

    #[test]
    fn command_gets_its_arguments_without_a_shell() {
        let directory = tempfile::tempdir().unwrap();
        let file = directory.path().join("$(touch x); `y`");
        let path = file.to_str().unwrap();
        let notifier = notifier(&["touch", "{text}"], None);
        assert_eq!(notifier.command("t", path).unwrap()(), Ok(()));
        assert!(directory.path().read_dir().unwrap().count() == 1);
        assert!(super::tests::notifier(&[], None).command("t", "x").is_none());
    }

    #[test]
    fn failed_command_reports_the_reason() {
        let sentence = |command: &[&str]| notifier(command, None).command("t", "x").unwrap()().unwrap_err();
        assert!(sentence(&["false"]).starts_with("Alert command false failed: exit status"));
        let missing = sentence(&["/no/such/program"]);
        assert_eq!(missing, "Alert command /no/such/program failed: no such file or directory");
        let noisy = sentence(&["sh", "-c", "echo first >&2; echo no bus >&2; exit 3"]);
        assert_eq!(noisy, "Alert command sh failed: exit status: 3 · no bus");
    }

    #[test]
    fn failed_command_is_reported_while_a_program_that_it_started_runs() {
        let directory = tempfile::tempdir().unwrap();
        let file = directory.path().join("pid");
        let script = format!("sleep 600 & echo $! > '{}'; exit 4", file.display());
        let failure = notifier(&["sh", "-c", &script], None).command("t", "x").unwrap()().unwrap_err();
        assert_eq!(failure, "Alert command sh failed: exit status: 4");
        let child = std::fs::read_to_string(file).unwrap();
        assert!(Command::new("kill").arg(child.trim()).status().unwrap().success(), "the program has ended");
    }

    #[test]
    fn time_limit_ends_the_programs_that_the_command_started() {
        let directory = tempfile::tempdir().unwrap();
        let (pipe, ready) = (directory.path().join("pipe"), directory.path().join("ready"));
        assert!(Command::new("mkfifo").arg(&pipe).status().unwrap().success());
        let (sender, receiver) = std::sync::mpsc::channel();
        let reader = pipe.clone();
        // The pipe is closed when the last program that holds it has ended.
        thread::spawn(move || sender.send(std::fs::read(reader).map_err(|error| error.to_string())));
        let script = String::from("exec 3>\"$0\"; sleep 60 & : >\"$1\"; wait");
        let path = |path: &std::path::Path| path.to_str().unwrap().to_owned();
        let arguments = [String::from("-c"), script, path(&pipe), path(&ready)];
        let done = run("sh", &arguments, || ready.exists());
        assert_eq!(done, Err(format!("killed after {} s", COMMAND_TIMEOUT.as_secs())));
        assert_eq!(receiver.recv_timeout(Duration::from_secs(20)), Ok(Ok(Vec::new())));
    }

    #[test]
    fn quiet_hours_may_include_midnight() {
        let at = |hour: i64| UtcTime::from_secs(1_795_046_400 + hour * 3_600);
        let night = notifier(&[], Some("22:00-07:00"));
        assert!(!notifier(&[], None).is_quiet(at(3)));
        let quiet: Vec<i64> = (0..24).filter(|hour| night.is_quiet(at(*hour))).collect();
        assert_eq!(quiet, [0, 1, 2, 3, 4, 5, 6, 22, 23]);
    }

    #[test]
    fn hostile_text_does_not_break_out_of_escape_sequence() {
        let hostile = "a\x07\x1b]0;owned\x07\u{9c};b\u{202e}";
        for protocol in [Protocol::Osc9, Protocol::Osc777, Protocol::Osc99] {
            let out = sent(protocol, hostile, hostile);
            let inner = out.trim_start_matches('\x1b').trim_end_matches('\x07');
            assert!(!inner.replace("\x07\x1b]99", "").contains(['\x07', '\x1b', '\u{9c}', '\u{202e}']), "{out:?}");
        }
    }
}
