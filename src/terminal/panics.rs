//! The panic hook: a panic on the UI thread restores the terminal and is printed; a panic on any other thread is
//! stored and reported on exit.

use std::io::{self, IsTerminal as _};
use std::panic::PanicHookInfo;
use std::thread;

use parking_lot::Mutex;

use super::modes::{is_active, is_stuck, leave};
use super::output::FinalWriter;

/// The first panic of another thread.
static FIRST: Mutex<Option<String>> = Mutex::new(None);

/// Installs a panic hook that restores the terminal before it prints a panic of the current thread. Panics of other
/// threads are not printed while the dashboard is on the screen; see [`first_panic`].
pub fn restore_on_panic(final_writer: FinalWriter) {
    let ui_thread = thread::current().id();
    let default_hook = std::panic::take_hook();
    std::panic::set_hook(Box::new(move |panic| {
        tracing::error!("panic: {panic}");
        let other = thread::current().id() != ui_thread;
        if other && is_active() {
            FIRST.lock().get_or_insert_with(|| describe(panic));
            return;
        }
        leave(&final_writer);
        if !is_stuck() || !io::stderr().is_terminal() {
            default_hook(panic);
        }
    }));
}

/// Returns the first panic of another thread: its name, location and message.
pub fn first_panic() -> Option<String> {
    FIRST.lock().clone()
}

fn describe(panic: &PanicHookInfo<'_>) -> String {
    let thread = thread::current().name().unwrap_or("unnamed").to_owned();
    let place = panic.location().map(|place| format!(" at {}:{}", place.file(), place.line())).unwrap_or_default();
    let message = panic.payload_as_str().unwrap_or("no message");
    format!("thread {thread} panicked{place}: {message}")
}
