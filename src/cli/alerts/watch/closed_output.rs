//! When the reader of a pipe has gone, so that nothing can be printed any more.

use std::fs::File;
use std::future::pending;
use std::io;
use std::os::fd::AsFd;
use std::os::unix::fs::FileTypeExt;

use tokio::io::Interest;
use tokio::net::unix::pipe;

/// Waits until the reader of standard output has closed it. Never ends if it is no pipe.
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
    // The checked function would make it non-blocking, also for the lines that are printed.
    if is_pipe { pipe::Sender::from_owned_fd_unchecked(output.into()).ok() } else { None }
}
