//! Standard output, written by a separate thread, so that a terminal that stops reading blocks only that thread.
//!
//! Only one write is in progress at a time; further output is buffered. Paint the next frame only when
//! [`Sink::is_idle`], so that a slow terminal gets fewer frames and never outdated ones.

use std::io::{self, Write};
use std::sync::mpsc as blocking;
use std::thread;
use std::time::Duration;

use tokio::sync::mpsc;

/// A target for frames: `write` never blocks, `flush` starts a write in the background.
pub trait Sink: Write {
    /// Whether the last write has completed.
    ///
    /// # Errors
    /// The last write failed.
    fn is_idle(&mut self) -> io::Result<bool>;

    /// Waits until the last write has completed. Cancel safe.
    ///
    /// # Errors
    /// The last write failed.
    fn idle(&mut self) -> impl Future<Output = io::Result<()>>;

    /// Returns the number of buffered bytes.
    fn pending(&self) -> usize;
}

/// Initial buffer size: a whole frame fits, so that it takes one write.
const FRAME_BYTES: usize = 64 * 1024;

/// Standard output.
#[derive(Debug)]
pub struct Output {
    jobs: blocking::Sender<Job>,
    /// Returns each buffer after its bytes are written.
    written: mpsc::UnboundedReceiver<io::Result<Vec<u8>>>,
    buffer: Vec<u8>,
    /// The other buffer; `None` while it is being written.
    spare: Option<Vec<u8>>,
}

/// Writes to the terminal one last time, to restore it.
#[derive(Clone, Debug)]
pub struct FinalWriter(blocking::Sender<Job>);

#[derive(Debug)]
enum Job {
    Write(Vec<u8>),
    /// Write, then notify the sender.
    Final(Vec<u8>, blocking::Sender<()>),
}

impl Output {
    /// Starts the writer thread.
    ///
    /// # Errors
    /// The thread can't be started.
    pub fn new() -> io::Result<Output> {
        let (jobs, work) = blocking::channel();
        let (done, written) = mpsc::unbounded_channel();
        thread::Builder::new().name(String::from("screen")).spawn(move || {
            for job in work {
                match job {
                    Job::Write(mut bytes) => {
                        let result = write_all(&bytes);
                        bytes.clear();
                        // Keep running without a receiver: the final write may still follow.
                        let _ = done.send(result.map(|()| bytes));
                    }
                    Job::Final(bytes, notify) => {
                        if let Err(error) = write_all(&bytes) {
                            tracing::debug!(%error, "can't write to the terminal");
                        }
                        let _ = notify.send(());
                    }
                }
            }
        })?;
        let buffer = || Vec::with_capacity(FRAME_BYTES);
        Ok(Output { jobs, written, buffer: buffer(), spare: Some(buffer()) })
    }

    /// Returns a handle for restoring the terminal.
    pub fn final_writer(&self) -> FinalWriter {
        FinalWriter(self.jobs.clone())
    }

    fn done(&mut self, result: Option<io::Result<Vec<u8>>>) -> io::Result<()> {
        self.spare = Some(result.ok_or_else(thread_died)??);
        Ok(())
    }
}

impl FinalWriter {
    /// Writes after all pending writes and waits up to twice the timeout: after the first, output that the terminal
    /// has not read is discarded. Returns whether the bytes were written.
    pub(super) fn write(&self, bytes: Vec<u8>, timeout: Duration) -> bool {
        let (notify, done) = blocking::channel();
        if self.0.send(Job::Final(bytes, notify)).is_err() {
            return false;
        }
        let is_done = || done.recv_timeout(timeout).is_ok();
        is_done() || {
            let _ = rustix::termios::tcflush(io::stdout(), rustix::termios::QueueSelector::OFlush);
            is_done()
        }
    }
}

impl Write for Output {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.buffer.extend_from_slice(bytes);
        Ok(bytes.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        if self.buffer.is_empty() || !self.is_idle()? {
            return Ok(());
        }
        if let Some(spare) = self.spare.take() {
            let bytes = std::mem::replace(&mut self.buffer, spare);
            self.jobs.send(Job::Write(bytes)).map_err(|_| thread_died())?;
        }
        Ok(())
    }
}

impl Sink for Output {
    fn is_idle(&mut self) -> io::Result<bool> {
        if self.spare.is_none() {
            match self.written.try_recv() {
                Ok(result) => self.done(Some(result))?,
                Err(mpsc::error::TryRecvError::Empty) => return Ok(false),
                Err(mpsc::error::TryRecvError::Disconnected) => return Err(thread_died()),
            }
        }
        Ok(true)
    }

    async fn idle(&mut self) -> io::Result<()> {
        if self.spare.is_some() {
            return Ok(());
        }
        let result = self.written.recv().await;
        self.done(result)
    }

    fn pending(&self) -> usize {
        self.buffer.len()
    }
}

fn thread_died() -> io::Error {
    io::Error::other("the screen thread panicked")
}

/// Writes directly to the file descriptor, without holding standard output's lock while the terminal blocks.
fn write_all(mut bytes: &[u8]) -> io::Result<()> {
    while !bytes.is_empty() {
        match rustix::io::write(io::stdout(), bytes) {
            Ok(0) => return Err(io::ErrorKind::WriteZero.into()),
            Ok(count) => bytes = bytes.get(count..).unwrap_or_default(),
            Err(rustix::io::Errno::INTR) => {}
            // Another program made the shared terminal non-blocking.
            Err(rustix::io::Errno::AGAIN) => thread::sleep(Duration::from_millis(5)),
            Err(error) => return Err(error.into()),
        }
    }
    Ok(())
}
