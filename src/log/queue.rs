//! A queue between the program and a reader of its log that may be slow, such as the log driver of a container.

use std::io::{self, Write};
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::mpsc::{Receiver, SyncSender, sync_channel};
use std::thread;
use std::time::Duration;

/// Maximum lines in the queue, about 1 MB.
const MAX_LINES: usize = 4_096;

/// Maximum time to flush the log at exit.
const MAX_FLUSH: Duration = Duration::from_secs(1);

/// Writes lines to the queue. Those that don't fit are lost; their number is written once there is room.
pub(super) struct QueuedWriter {
    queue: SyncSender<Item>,
    lost: Arc<AtomicU64>,
}

/// Flushes the queue on drop, for at most a second.
#[derive(Debug)]
#[must_use = "the last lines may be lost"]
pub struct FlushOnDrop(SyncSender<Item>);

#[derive(Debug)]
enum Item {
    Line(Vec<u8>),
    /// Reports that all lines before it have been written.
    Flush(SyncSender<()>),
}

/// Starts a thread that writes the lines of the queue.
///
/// # Errors
/// The thread can't be started.
pub(super) fn start(writer: impl Write + Send + 'static) -> io::Result<(QueuedWriter, FlushOnDrop)> {
    let (queue, items) = sync_channel(MAX_LINES);
    let lost = Arc::new(AtomicU64::new(0));
    let counter = Arc::clone(&lost);
    thread::Builder::new().name(String::from("log")).spawn(move || write_items(&items, writer, &counter))?;
    Ok((QueuedWriter { queue: queue.clone(), lost }, FlushOnDrop(queue)))
}

fn write_items(items: &Receiver<Item>, mut writer: impl Write, lost: &AtomicU64) {
    // If the reader is gone, nobody can be told.
    for item in items {
        match item {
            Item::Line(line) => {
                let lost = lost.swap(0, Ordering::Relaxed);
                if lost > 0 {
                    let lines = if lost == 1 { "line" } else { "lines" };
                    let _ = writeln!(writer, "{lost} log {lines} dropped (reader too slow)");
                }
                let _ = writer.write_all(&line);
            }
            Item::Flush(done) => {
                let _ = writer.flush();
                let _ = done.send(());
            }
        }
    }
}

impl Write for QueuedWriter {
    /// Adds a whole line.
    fn write(&mut self, line: &[u8]) -> io::Result<usize> {
        if self.queue.try_send(Item::Line(line.to_vec())).is_err() {
            self.lost.fetch_add(1, Ordering::Relaxed);
        }
        Ok(line.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}

impl Drop for FlushOnDrop {
    fn drop(&mut self) {
        let (done, flushed) = sync_channel(1);
        // A full queue means that the reader is stuck.
        if self.0.try_send(Item::Flush(done)).is_ok() {
            let _ = flushed.recv_timeout(MAX_FLUSH);
        }
    }
}

#[cfg(test)]
mod tests {
    use parking_lot::Mutex;

    use super::*;

    /// Waits before the first line until the test lets it go on.
    struct Stuck {
        reached: SyncSender<()>,
        released: Receiver<()>,
        is_released: bool,
        written: Arc<Mutex<Vec<u8>>>,
    }

    impl Write for Stuck {
        fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
            if !self.is_released {
                self.reached.send(()).unwrap();
                self.released.recv().unwrap();
                self.is_released = true;
            }
            self.written.lock().extend_from_slice(bytes);
            Ok(bytes.len())
        }

        fn flush(&mut self) -> io::Result<()> {
            Ok(())
        }
    }

    #[test]
    fn stuck_reader_loses_lines_but_blocks_nothing() {
        let (reached, is_reached) = sync_channel(1);
        let (release, released) = sync_channel(1);
        let written = Arc::new(Mutex::new(Vec::new()));
        let stuck = Stuck { reached, released, is_released: false, written: Arc::clone(&written) };
        let (mut writer, flush) = start(stuck).unwrap();
        writer.write_all(b"first\n").unwrap();
        is_reached.recv().unwrap();
        for _ in 0..MAX_LINES + 3 {
            writer.write_all(b"line\n").unwrap();
        }
        release.send(()).unwrap();
        // The queue is full until the thread has written some of it.
        while writer.queue.try_send(Item::Line(b"last\n".to_vec())).is_err() {
            thread::yield_now();
        }
        drop(flush);
        let text = String::from_utf8(written.lock().clone()).unwrap();
        let lines: Vec<&str> = text.lines().collect();
        assert_eq!(lines[..3], ["first", "3 log lines dropped (reader too slow)", "line"]);
        assert_eq!((lines.len(), lines.last()), (MAX_LINES + 3, Some(&"last")));
    }
}
