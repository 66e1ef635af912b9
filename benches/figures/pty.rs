//! A program in a 200x50 pseudo-terminal: frame times, screen contents, resource usage.

use std::fs;
use std::io::{Read, Write};
use std::num::NonZero;
use std::path::Path;
use std::sync::mpsc::{Receiver, RecvTimeoutError, channel};
use std::time::{Duration, Instant};

use portable_pty::{Child, CommandBuilder, MasterPty, PtySize, native_pty_system};

use crate::world::SIZE;

/// Timeout of every wait.
pub(crate) const TIMEOUT: Duration = Duration::from_secs(60);

/// Ends a frame: the end of a synchronised update.
const FRAME_END: &[u8] = b"\x1b[?2026l";

pub(crate) struct Session {
    child: Box<dyn Child + Send + Sync>,
    keys: Box<dyn Write + Send>,
    bytes: Receiver<(Instant, Vec<u8>)>,
    started: Instant,
    screen: vt100::Parser,
    tail: Vec<u8>,
    _master: Box<dyn MasterPty + Send>,
}

impl Session {
    /// Starts a program with this home directory.
    pub(crate) fn start(program: &Path, arguments: &[&str], home: &Path) -> Session {
        let mut command = CommandBuilder::new(program);
        command.args(arguments);
        command.env("HOME", home);
        command.env("TERM", "xterm-256color");
        command.env("LC_ALL", "C.UTF-8");
        for name in ["XDG_CONFIG_HOME", "XDG_STATE_HOME", "XDG_CACHE_HOME", "NO_COLOR"] {
            command.env_remove(name);
        }
        let (cols, rows) = SIZE;
        let size = PtySize { rows, cols, pixel_width: 0, pixel_height: 0 };
        let pair = native_pty_system().openpty(size).expect("a pseudo-terminal");
        let mut reader = pair.master.try_clone_reader().expect("the other end");
        let keys = pair.master.take_writer().expect("the other end");
        let (send, bytes) = channel();
        std::thread::spawn(move || {
            let mut chunk = [0; 65536];
            while let Ok(count @ 1..) = reader.read(&mut chunk) {
                if send.send((Instant::now(), chunk[..count].to_vec())).is_err() {
                    break;
                }
            }
        });
        let started = Instant::now();
        let child = pair.slave.spawn_command(command).expect("the program starts");
        let nonzero = |cells| NonZero::new(cells).expect("a screen has cells");
        let screen = vt100::Parser::new(nonzero(rows), nonzero(cols), 0);
        Session { child, keys, bytes, started, screen, tail: Vec::new(), _master: pair.master }
    }

    /// Returns the time from `since` to the end of the next frame, and the bytes read until then.
    fn frame_since(&mut self, since: Instant) -> (Duration, usize) {
        let mut count = 0;
        loop {
            let (at, bytes) = self.bytes.recv_timeout(TIMEOUT).expect("a frame comes");
            count += bytes.len();
            self.screen.process(&bytes);
            self.tail.extend_from_slice(&bytes);
            let found = self.tail.windows(FRAME_END.len()).any(|window| window == FRAME_END);
            let keep = self.tail.len().saturating_sub(FRAME_END.len() - 1);
            self.tail.drain(..keep);
            if found {
                self.tail.clear();
                return (at.saturating_duration_since(since), count);
            }
        }
    }

    /// Returns the time from the start of the program to the end of its first frame.
    pub(crate) fn first_frame(&mut self) -> Duration {
        self.frame_since(self.started).0
    }

    /// Sends keys and returns the time to the end of the next frame.
    pub(crate) fn key(&mut self, keys: &str) -> Duration {
        // A frame that came before the key isn't the key's.
        while let Ok((_, bytes)) = self.bytes.try_recv() {
            self.screen.process(&bytes);
        }
        let pressed = Instant::now();
        self.press(keys);
        self.frame_since(pressed).0
    }

    /// Sends keys and returns the number of frames until output stops.
    pub(crate) fn burst(&mut self, keys: &str) -> u64 {
        self.press(keys);
        let mut written = Vec::new();
        while let Ok((_, bytes)) = self.bytes.recv_timeout(Duration::from_millis(200)) {
            self.screen.process(&bytes);
            written.extend_from_slice(&bytes);
        }
        written.windows(FRAME_END.len()).filter(|window| *window == FRAME_END).count() as u64
    }

    pub(crate) fn press(&mut self, keys: &str) {
        self.keys.write_all(keys.as_bytes()).and_then(|()| self.keys.flush()).expect("the program reads");
    }

    pub(crate) fn text(&self) -> String {
        self.screen.screen().contents()
    }

    /// Reads until the screen shows this text; returns the time since the start.
    pub(crate) fn until(&mut self, text: &str) -> Duration {
        let mut last = Instant::now();
        while !self.text().contains(text) {
            match self.bytes.recv_timeout(TIMEOUT) {
                Ok((at, bytes)) => {
                    self.screen.process(&bytes);
                    last = at;
                }
                Err(error) => panic!("no {text} ({error}) on:\n{}", self.text()),
            }
        }
        last.saturating_duration_since(self.started)
    }

    /// Reads until there is no output for this time; returns the number of bytes.
    pub(crate) fn rest(&mut self, quiet: Duration) -> usize {
        let mut count = 0;
        while let Some(more) = self.read(quiet) {
            count += more;
        }
        count
    }

    /// Reads until this time; returns the number of bytes.
    pub(crate) fn listen(&mut self, until: Instant) -> usize {
        let mut count = 0;
        while let Some(more) = self.read(until.saturating_duration_since(Instant::now())) {
            count += more;
        }
        count
    }

    /// Reads the next output; returns `None` after a timeout.
    fn read(&mut self, wait: Duration) -> Option<usize> {
        match self.bytes.recv_timeout(wait) {
            Ok((_, bytes)) => {
                self.screen.process(&bytes);
                Some(bytes.len())
            }
            Err(RecvTimeoutError::Timeout) => None,
            Err(_) => panic!("the program exited ({:?}); screen:\n{}", self.child.wait(), self.text()),
        }
    }

    fn proc_file(&self, file: &str) -> String {
        let pid = self.child.process_id().expect("a running program");
        fs::read_to_string(format!("/proc/{pid}/{file}")).expect("a readable file in /proc")
    }

    /// Returns the proportional set size in bytes.
    pub(crate) fn pss(&self) -> u64 {
        self.memory_total("Pss:")
    }

    /// Returns the anonymous part of [`Session::pss`] in bytes: heap and stacks.
    pub(crate) fn anonymous(&self) -> u64 {
        self.memory_total("Pss_Anon:")
    }

    fn memory_total(&self, name: &str) -> u64 {
        let rollup = self.proc_file("smaps_rollup");
        let line = rollup.lines().find_map(|line| line.strip_prefix(name)).expect("the memory total");
        line.split_whitespace().next().and_then(|kib| kib.parse::<u64>().ok()).expect("a number of KiB") * 1024
    }

    /// Waits until the UI thread sleeps and returns its CPU time.
    pub(crate) fn ui_cpu_time(&self) -> Duration {
        let pid = self.child.process_id().expect("a running program");
        let state = |stat: String| stat.rsplit(')').next().is_some_and(|rest| rest.trim_start().starts_with('S'));
        let begun = Instant::now();
        while !state(self.proc_file(&format!("task/{pid}/stat"))) && begun.elapsed() < TIMEOUT {
            std::thread::yield_now();
        }
        let schedule = self.proc_file(&format!("task/{pid}/schedstat"));
        let nanos = schedule.split_whitespace().next().and_then(|nanos| nanos.parse().ok());
        Duration::from_nanos(nanos.expect("a number of nanoseconds"))
    }

    /// Returns the number of wakeups of all threads so far (voluntary context switches).
    pub(crate) fn wakeups(&self) -> u64 {
        let pid = self.child.process_id().expect("a running program");
        let threads = fs::read_dir(format!("/proc/{pid}/task")).expect("the list of threads");
        let of_thread = |status: String| -> Option<u64> {
            let line = status.lines().find_map(|line| line.strip_prefix("voluntary_ctxt_switches:"))?;
            line.trim().parse().ok()
        };
        let status = threads.flatten().filter_map(|thread| fs::read_to_string(thread.path().join("status")).ok());
        status.filter_map(of_thread).sum()
    }

    /// Sends `key` and waits until the program exits.
    pub(crate) fn quit(mut self, key: &str) {
        self.press(key);
        while self.bytes.recv_timeout(TIMEOUT).is_ok() {}
        let _ = self.child.wait();
    }
}
