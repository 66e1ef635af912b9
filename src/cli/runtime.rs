//! The async runtime of commands.

use super::failure::Failure;

/// Runs a future on a single-threaded runtime.
pub(super) fn block_on<F: Future>(work: F) -> Result<F::Output, Failure> {
    block_on_with(tokio::runtime::Builder::new_current_thread(), work)
}

/// Runs a future on a runtime with as many threads as the machine has cores.
pub(super) fn block_on_all_cores<F: Future + Send + 'static>(work: F) -> Result<F::Output, Failure>
where
    F::Output: Send,
{
    // The calling thread would only wait, so the future runs as a task on the other threads.
    let output = block_on_with(tokio::runtime::Builder::new_multi_thread(), async { tokio::spawn(work).await })?;
    output.map_err(|error| Failure::Operation(format!("the service failed ({error})")))
}

fn block_on_with<F: Future>(mut builder: tokio::runtime::Builder, work: F) -> Result<F::Output, Failure> {
    let runtime = builder
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
