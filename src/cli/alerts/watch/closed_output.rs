//! Detects that the output pipe has been closed.

use std::fs::File;
use std::future::pending;
use std::io;
use std::os::fd::AsFd;
use std::os::unix::fs::FileTypeExt;

use tokio::io::Interest;
use tokio::net::unix::pipe;

/// Waits until the read end of standard output is closed. Never returns if standard output isn't a pipe.
pub(super) async fn wait() {
    match output() {
        Some(output) if output.ready(Interest::ERROR).await.is_ok() => {}
        _ => pending().await,
    }
}

/// Standard output, if it is a pipe.
fn output() -> Option<pipe::Sender> {
    let output = File::from(io::stdout().as_fd().try_clone_to_owned().ok()?);
    let is_pipe = output.metadata().ok()?.file_type().is_fifo();
    // `from_owned_fd` would make the pipe non-blocking, and with it the printing of lines.
    if is_pipe { pipe::Sender::from_owned_fd_unchecked(output.into()).ok() } else { None }
}
