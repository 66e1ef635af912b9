//! The async runtime of commands.

use super::failure::Failure;

/// Runs a future on a single-threaded runtime.
pub(super) fn block_on<F: Future>(work: F) -> Result<F::Output, Failure> {
    let runtime = tokio::runtime::Builder::new_current_thread()
        .enable_all()
        .build()
        .map_err(|error| Failure::Operation(format!("can't start the async runtime ({error})")))?;
    let output = runtime.block_on(work);
    // A DNS lookup can't be cancelled and may hang for a minute. Its thread ends with the process.
    runtime.shutdown_background();
    Ok(output)
}

#[cfg(test)]
mod tests {
    use std::sync::mpsc::channel;
    use std::time::Duration;

    use super::*;

    #[test]
    fn command_does_not_wait_for_a_hanging_lookup() {
        let (hang_up, line) = channel::<()>();
        let (ended, end) = channel();
        std::thread::spawn(move || {
            let lookup = async { drop(tokio::task::spawn_blocking(move || line.recv())) };
            let _ = ended.send(block_on(lookup).is_ok());
        });
        assert_eq!(end.recv_timeout(Duration::from_secs(10)), Ok(true));
        drop(hang_up);
    }
}
