//! The real program in a real pseudo-terminal.

use std::io::{Read, Write};
use std::num::NonZero;
use std::path::Path;
use std::sync::mpsc::{Receiver, RecvTimeoutError, TryRecvError, channel};
use std::time::{Duration, Instant};

use portable_pty::{Child, CommandBuilder, MasterPty, PtySize, native_pty_system};
use rustix::process::{Pid, Signal, kill_process, kill_process_group};
use tempfile::TempDir;

/// Longer than any step takes on a busy machine; a test that waits this long fails.
pub(crate) const TEST_TIMEOUT: Duration = Duration::from_secs(60);

/// A program in its own terminal.
pub(crate) struct Session {
    child: Box<dyn Child + Send + Sync>,
    pub(crate) master: Box<dyn MasterPty + Send>,
    keys: Box<dyn Write + Send>,
    pub(crate) bytes: Receiver<Vec<u8>>,
    pub(crate) parser: vt100::Parser,
    before: String,
    _home: Option<TempDir>,
    written: Vec<u8>,
    painting: bool,
    in_shell: bool,
}

/// Runs a program as shells do, in its own process group. Once it stops, a line resumes it.
const SHELL: &str = r#""$0" "$@"; code=$?
while [ "$code" -gt 128 ] && kill -0 %1 2>/dev/null; do read -r line; fg %1 >/dev/null 2>&1; code=$?; done
exit "$code""#;

/// The sequences around a frame.
const FRAME: [&[u8]; 2] = [b"\x1b[?2026h", b"\x1b[?2026l"];

/// A non-zero number of cells.
pub(crate) fn nonzero(cells: u16) -> NonZero<u16> {
    NonZero::new(cells).unwrap()
}

/// A size in columns and rows.
pub(crate) fn size((cols, rows): (u16, u16)) -> PtySize {
    PtySize { rows, cols, pixel_width: 0, pixel_height: 0 }
}

impl Session {
    /// The dashboard with an empty home.
    pub(crate) fn dashboard(cells: (u16, u16), arguments: &[&str]) -> Session {
        let mut command = CommandBuilder::new(env!("CARGO_BIN_EXE_satscope"));
        command.args(arguments);
        Session::start(cells, command)
    }

    /// The dashboard with an empty home, started by a shell that it can suspend to.
    pub(crate) fn dashboard_in_shell(cells: (u16, u16), arguments: &[&str]) -> Session {
        let home = tempfile::tempdir().unwrap();
        let mut command = CommandBuilder::new(env!("CARGO_BIN_EXE_satscope"));
        command.args(arguments);
        let session = Session::start_in_shell(home.path(), cells, command);
        Session { _home: Some(home), ..session }
    }

    /// A program in a home directory that outlives it, started by a shell that it can suspend to.
    pub(crate) fn start_in_shell(home: &Path, cells: (u16, u16), mut command: CommandBuilder) -> Session {
        command.get_argv_mut().splice(0..0, ["/bin/sh", "-mc", SHELL].map(Into::into));
        Session { in_shell: true, ..Session::start_in(home, cells, command, &[]) }
    }

    /// A program with an empty home and without the environment variables that satscope reads.
    pub(crate) fn start(cells: (u16, u16), command: CommandBuilder) -> Session {
        Session::start_with(cells, command, &[])
    }

    /// [`Session::start`] with these environment variables; `None` unsets one.
    pub(crate) fn start_with(
        cells: (u16, u16),
        command: CommandBuilder,
        variables: &[(&str, Option<&str>)],
    ) -> Session {
        let home = tempfile::tempdir().unwrap();
        let mut session = Session::start_in(home.path(), cells, command, variables);
        session._home = Some(home);
        session
    }

    /// The dashboard in a home that outlives it.
    pub(crate) fn dashboard_in(home: &Path, cells: (u16, u16), arguments: &[&str]) -> Session {
        let mut command = CommandBuilder::new(env!("CARGO_BIN_EXE_satscope"));
        command.args(arguments);
        Session::start_in(home, cells, command, &[])
    }

    /// A program in a home that outlives it.
    pub(crate) fn start_in(
        home: &Path,
        cells: (u16, u16),
        mut command: CommandBuilder,
        variables: &[(&str, Option<&str>)],
    ) -> Session {
        command.cwd(home);
        command.env("HOME", home);
        command.env("TERM", "xterm-256color");
        command.env("LC_ALL", "C.UTF-8");
        command.env("TZ", "UTC");
        for name in ["XDG_CONFIG_HOME", "XDG_STATE_HOME", "XDG_CACHE_HOME"] {
            command.env_remove(name);
        }
        for name in ["NO_COLOR", "COLORTERM", "TMUX", "STY", "COLUMNS", "LINES"] {
            command.env_remove(name);
        }
        for (name, value) in variables {
            match value {
                Some(value) => command.env(name, value),
                None => command.env_remove(name),
            }
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
        Session {
            child,
            master: pair.master,
            keys,
            bytes,
            parser,
            before,
            _home: None,
            written: Vec::new(),
            painting: false,
            in_shell: false,
        }
    }

    /// What the program has written since [`Session::forget_written`].
    pub(crate) fn written(&self) -> &[u8] {
        &self.written
    }

    /// The text of the screen.
    pub(crate) fn text(&self) -> String {
        self.parser.screen().contents()
    }

    /// Reads until the screen matches, or fails and prints the screen.
    pub(crate) fn until(&mut self, what: &str, is_so: impl Fn(&vt100::Screen) -> bool) {
        let deadline = Instant::now() + TEST_TIMEOUT;
        // No terminal shows half a frame.
        while self.painting || !is_so(self.parser.screen()) {
            assert!(Instant::now() < deadline, "no {what}; the screen:\n{}", self.text());
            match self.bytes.recv_timeout(deadline.saturating_duration_since(Instant::now())) {
                Ok(bytes) => self.take(&bytes),
                Err(error) => panic!("no {what} ({error}); the screen:\n{}", self.text()),
            }
        }
    }

    /// Waits until the program has written these bytes.
    pub(crate) fn until_written(&mut self, bytes: &str) {
        let deadline = Instant::now() + TEST_TIMEOUT;
        while !self.written.windows(bytes.len()).any(|part| part == bytes.as_bytes()) {
            match self.bytes.recv_timeout(deadline.saturating_duration_since(Instant::now())) {
                Ok(bytes) => self.take(&bytes),
                Err(error) => panic!("{bytes:?} was not written ({error})"),
            }
        }
    }

    /// Processes output of the program.
    pub(crate) fn take(&mut self, bytes: &[u8]) {
        self.parser.process(bytes);
        let before = self.written.len();
        self.written.extend_from_slice(bytes);
        let news = &self.written[before.saturating_sub(FRAME[0].len() - 1)..];
        let last = |mark: &[u8]| news.windows(mark.len()).rposition(|part| part == mark);
        match FRAME.map(last) {
            [None, None] => {}
            [begins, ends] => self.painting = begins > ends,
        }
    }

    /// Processes the output so far, without waiting. Returns false if the program has ended.
    pub(crate) fn catch_up(&mut self) -> bool {
        loop {
            match self.bytes.try_recv() {
                Ok(bytes) => self.take(&bytes),
                Err(error) => return error == TryRecvError::Empty,
            }
        }
    }

    /// Drops the recorded output, so that a long session needs little memory.
    pub(crate) fn forget_written(&mut self) {
        let kept = self.written.len().saturating_sub(FRAME[0].len());
        self.written.drain(..kept);
    }

    /// Resizes the terminal.
    pub(crate) fn resize(&mut self, cells: (u16, u16)) {
        self.master.resize(size(cells)).unwrap();
        self.parser.screen_mut().set_size(nonzero(cells.1), nonzero(cells.0));
    }

    /// Waits until the program has set up the terminal, which it does before the first frame.
    pub(crate) fn until_set_up(&self) {
        let deadline = Instant::now() + TEST_TIMEOUT;
        while format!("{:?}", self.master.get_termios()) == self.before {
            assert!(Instant::now() < deadline, "it does not set up the terminal");
            std::thread::yield_now();
        }
    }

    /// The screen after the first frame.
    pub(crate) fn first_frame(&mut self) -> String {
        let mut seen = Vec::new();
        loop {
            seen.extend(self.bytes.recv_timeout(TEST_TIMEOUT).expect("a first frame"));
            if let Some(at) = seen.windows(FRAME[1].len()).position(|part| part == FRAME[1]) {
                let (frame, rest) = seen.split_at(at);
                self.take(frame);
                let text = self.text();
                self.take(rest);
                return text;
            }
        }
    }

    /// Waits for a string on the screen.
    pub(crate) fn until_text(&mut self, text: &str) {
        self.until(text, |screen| screen.contents().contains(text));
    }

    /// Types keys.
    pub(crate) fn press(&mut self, keys: &str) {
        self.send(keys.as_bytes());
    }

    /// Sends bytes as a terminal.
    pub(crate) fn send(&mut self, bytes: &[u8]) {
        self.keys.write_all(bytes).unwrap();
        self.keys.flush().unwrap();
    }

    /// The program's process.
    pub(crate) fn pid(&self) -> Pid {
        let child = self.child.process_id().unwrap();
        let program = if self.in_shell { child_of(child) } else { child };
        Pid::from_raw(i32::try_from(program).unwrap()).unwrap()
    }

    /// Sends it a signal.
    pub(crate) fn signal(&self, signal: Signal) {
        kill_process(self.pid(), signal).unwrap();
    }

    /// Continues it after a stop, as shells do: with its whole process group.
    pub(crate) fn resume(&mut self) {
        if self.in_shell {
            self.press("\n");
        } else {
            kill_process_group(self.pid(), Signal::CONT).unwrap();
        }
    }

    /// Waits for the end and checks that the terminal is restored; returns the exit status and the shell's screen.
    pub(crate) fn wait(self) -> (u32, String) {
        let (status, screen, _) = self.wait_with_output();
        (status, screen)
    }

    /// [`Session::wait`] with all recorded output.
    pub(crate) fn wait_with_output(mut self) -> (u32, String, Vec<u8>) {
        let deadline = Instant::now() + TEST_TIMEOUT;
        loop {
            match self.bytes.recv_timeout(deadline.saturating_duration_since(Instant::now())) {
                Ok(bytes) if Instant::now() < deadline => self.take(&bytes),
                Err(RecvTimeoutError::Disconnected) => break,
                Ok(_) | Err(RecvTimeoutError::Timeout) => panic!("it does not end; the screen:\n{}", self.text()),
            }
        }
        let status = self.child.wait().unwrap();
        let screen = self.parser.screen();
        assert!(!screen.alternate_screen(), "the alternate screen is left");
        assert!(!screen.hide_cursor(), "the cursor is shown");
        assert!(!screen.bracketed_paste(), "bracketed paste is off");
        assert_eq!(screen.mouse_protocol_mode(), vt100::MouseProtocolMode::None, "mouse capture is off");
        assert_eq!(format!("{:?}", self.master.get_termios()), self.before, "the terminal modes are restored");
        (status.exit_code(), self.text(), self.written)
    }

    /// The fields of the process's `/proc` stat, starting with its state.
    pub(crate) fn stat(&self) -> Vec<String> {
        let stat = std::fs::read_to_string(format!("/proc/{}/stat", self.pid().as_raw_nonzero())).unwrap();
        let after_name = stat.rsplit(')').next().unwrap();
        after_name.split_whitespace().map(str::to_owned).collect()
    }

    /// Waits for the end of a program whose shell has not been told about it yet.
    pub(crate) fn until_ended(&self) {
        let deadline = Instant::now() + TEST_TIMEOUT;
        while self.stat().first().is_some_and(|state| state != "Z") {
            assert!(Instant::now() < deadline, "it does not end");
            std::thread::yield_now();
        }
    }

    /// Waits until the kernel has stopped all its threads: continuing it earlier has no effect, and the thread that
    /// reads the terminal might take input for the shell. A shell has to notice the stop, too: otherwise, if the
    /// program ends right after it, the shell doesn't know that it was suspended, and ends with it.
    pub(crate) fn until_stopped(&self) {
        let deadline = Instant::now() + TEST_TIMEOUT;
        let threads = format!("/proc/{}/task", self.pid().as_raw_nonzero());
        let is_stopped = |stat: String| stat.rsplit(')').next().is_some_and(|rest| rest.trim().starts_with('T'));
        let all_stopped = || {
            let threads = std::fs::read_dir(&threads).unwrap().flatten();
            let mut stats = threads.filter_map(|thread| std::fs::read_to_string(thread.path().join("stat")).ok());
            stats.all(is_stopped)
        };
        // A shell that has noticed the stop is the terminal's foreground process again.
        let shell = self.in_shell.then(|| i32::try_from(self.child.process_id().unwrap()).unwrap());
        let shell_knows = || shell.is_none_or(|shell| self.master.process_group_leader() == Some(shell));
        while !(all_stopped() && shell_knows()) {
            assert!(Instant::now() < deadline, "it does not stop");
            std::thread::yield_now();
        }
    }

    /// Wakeups of all its threads so far, counted as voluntary context switches.
    pub(crate) fn wakeups(&self) -> u64 {
        let threads = std::fs::read_dir(format!("/proc/{}/task", self.pid().as_raw_nonzero())).unwrap();
        let of_thread = |status: String| {
            let count = status.lines().find_map(|line| line.strip_prefix("voluntary_ctxt_switches:")).unwrap();
            count.trim().parse::<u64>().unwrap()
        };
        // A thread may end while they are listed.
        let status = threads.flatten().filter_map(|thread| std::fs::read_to_string(thread.path().join("status")).ok());
        status.map(of_thread).sum()
    }

    /// CPU time of all threads so far, in clock ticks.
    pub(crate) fn ticks(&self) -> u64 {
        let stat = self.stat();
        stat[11].parse::<u64>().unwrap() + stat[12].parse::<u64>().unwrap()
    }
}

/// The only child of a process.
fn child_of(parent: u32) -> u32 {
    let children = std::fs::read_to_string(format!("/proc/{parent}/task/{parent}/children")).unwrap();
    children.split_whitespace().next().expect("a child").parse().unwrap()
}
