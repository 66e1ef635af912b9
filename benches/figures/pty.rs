//! A program in a pseudo-terminal of 200x50: when its frames end, what is on its screen, what the kernel says of it.

use std::fs;
use std::io::{Read, Write};
use std::num::NonZero;
use std::path::Path;
use std::sync::mpsc::{Receiver, RecvTimeoutError, channel};
use std::time::{Duration, Instant};

use portable_pty::{Child, CommandBuilder, MasterPty, PtySize, native_pty_system};

use crate::world::SIZE;

/// Longer than anything takes here.
pub(crate) const PATIENCE: Duration = Duration::from_secs(60);

/// What ends a frame: the end of a synchronised update.
const END: &[u8] = b"\x1b[?2026l";

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
    /// Starts a program with this home.
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
        let mut reader = pair.master.try_clone_reader().expect("its other end");
        let keys = pair.master.take_writer().expect("its other end");
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

    /// The time from `since` to the end of the next frame, and the bytes until then.
    fn frame_since(&mut self, since: Instant) -> (Duration, usize) {
        let mut count = 0;
        loop {
            let (at, bytes) = self.bytes.recv_timeout(PATIENCE).expect("a frame comes");
            count += bytes.len();
            self.screen.process(&bytes);
            self.tail.extend_from_slice(&bytes);
            let found = self.tail.windows(END.len()).any(|window| window == END);
            let keep = self.tail.len().saturating_sub(END.len() - 1);
            self.tail.drain(..keep);
            if found {
                self.tail.clear();
                return (at.saturating_duration_since(since), count);
            }
        }
    }

    /// From the start of the program to the end of its first frame.
    pub(crate) fn first_frame(&mut self) -> Duration {
        self.frame_since(self.started).0
    }

    /// From keys to the end of the next frame.
    pub(crate) fn key(&mut self, keys: &str) -> Duration {
        let pressed = Instant::now();
        self.press(keys);
        self.frame_since(pressed).0
    }

    /// From keys until nothing comes any more: how many frames.
    pub(crate) fn burst(&mut self, keys: &str) -> u64 {
        self.press(keys);
        let mut written = Vec::new();
        while let Ok((_, bytes)) = self.bytes.recv_timeout(Duration::from_millis(200)) {
            self.screen.process(&bytes);
            written.extend_from_slice(&bytes);
        }
        written.windows(END.len()).filter(|window| *window == END).count() as u64
    }

    pub(crate) fn press(&mut self, keys: &str) {
        self.keys.write_all(keys.as_bytes()).and_then(|()| self.keys.flush()).expect("the program reads");
    }

    pub(crate) fn text(&self) -> String {
        self.screen.screen().contents()
    }

    /// Reads until the screen shows this text, and tells how long that took since the start.
    pub(crate) fn until(&mut self, text: &str) -> Duration {
        let mut last = Instant::now();
        while !self.text().contains(text) {
            match self.bytes.recv_timeout(PATIENCE) {
                Ok((at, bytes)) => {
                    self.screen.process(&bytes);
                    last = at;
                }
                Err(error) => panic!("no {text} ({error}) on:\n{}", self.text()),
            }
        }
        last.saturating_duration_since(self.started)
    }

    /// Reads until nothing has come for so long; how many bytes came.
    pub(crate) fn rest(&mut self, quiet: Duration) -> usize {
        let mut count = 0;
        while let Some(more) = self.read(quiet) {
            count += more;
        }
        count
    }

    /// Reads until that time; how many bytes came.
    pub(crate) fn listen(&mut self, until: Instant) -> usize {
        let mut count = 0;
        while let Some(more) = self.read(until.saturating_duration_since(Instant::now())) {
            count += more;
        }
        count
    }

    /// Reads what comes next; `None` where nothing comes for so long.
    fn read(&mut self, wait: Duration) -> Option<usize> {
        match self.bytes.recv_timeout(wait) {
            Ok((_, bytes)) => {
                self.screen.process(&bytes);
                Some(bytes.len())
            }
            Err(RecvTimeoutError::Timeout) => None,
            Err(_) => panic!("it ended ({:?}); the screen:\n{}", self.child.wait(), self.text()),
        }
    }

    fn of_process(&self, file: &str) -> String {
        let pid = self.child.process_id().expect("it runs");
        fs::read_to_string(format!("/proc/{pid}/{file}")).expect("the kernel tells of the program")
    }

    /// Its memory, shared pages in shares: bytes.
    pub(crate) fn pss(&self) -> u64 {
        self.of_rollup("Pss:")
    }

    /// Of [`Session::pss`] what belongs to no file: the heap and the stacks. Bytes.
    pub(crate) fn anonymous(&self) -> u64 {
        self.of_rollup("Pss_Anon:")
    }

    fn of_rollup(&self, name: &str) -> u64 {
        let rollup = self.of_process("smaps_rollup");
        let line = rollup.lines().find_map(|line| line.strip_prefix(name)).expect("a sum of its memory");
        line.split_whitespace().next().and_then(|kib| kib.parse::<u64>().ok()).expect("a number of KiB") * 1024
    }

    /// The processor time that the thread which paints has used, once it sleeps.
    pub(crate) fn painting(&self) -> Duration {
        let pid = self.child.process_id().expect("it runs");
        let state = |stat: String| stat.rsplit(')').next().is_some_and(|rest| rest.trim_start().starts_with('S'));
        let begun = Instant::now();
        while !state(self.of_process(&format!("task/{pid}/stat"))) && begun.elapsed() < PATIENCE {
            std::thread::yield_now();
        }
        let schedule = self.of_process(&format!("task/{pid}/schedstat"));
        let nanos = schedule.split_whitespace().next().and_then(|nanos| nanos.parse().ok());
        Duration::from_nanos(nanos.expect("a number of nanoseconds"))
    }

    /// How often its threads went to sleep so far, which is how often they were woken.
    pub(crate) fn wakeups(&self) -> u64 {
        let pid = self.child.process_id().expect("it runs");
        let threads = fs::read_dir(format!("/proc/{pid}/task")).expect("its threads are listed");
        let of_thread = |status: String| -> Option<u64> {
            let line = status.lines().find_map(|line| line.strip_prefix("voluntary_ctxt_switches:"))?;
            line.trim().parse().ok()
        };
        let status = threads.flatten().filter_map(|thread| fs::read_to_string(thread.path().join("status")).ok());
        status.filter_map(of_thread).sum()
    }

    /// Ends it and waits until it has.
    pub(crate) fn quit(mut self, key: &str) {
        self.press(key);
        while self.bytes.recv_timeout(PATIENCE).is_ok() {}
        let _ = self.child.wait();
    }
}
