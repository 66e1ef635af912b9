//! The modes of the terminal: set up at the start, restored on every exit.

use std::io::{self, Write};
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

use crossterm::{cursor, event, queue, terminal};
use rustix::process::getpgrp;
use rustix::termios::tcgetpgrp;

use super::output::FinalWriter;

/// Whether the terminal is set up for the dashboard. Read by the panic hook.
static ACTIVE: AtomicBool = AtomicBool::new(false);

/// Whether the terminal stopped reading, so that its screen could not be restored.
static STUCK: AtomicBool = AtomicBool::new(false);

/// How long [`leave`] waits for the terminal to read.
const LEAVE_TIMEOUT: Duration = Duration::from_millis(200);

/// Whether mouse reports are enabled.
static MOUSE: AtomicBool = AtomicBool::new(false);

/// Whether we have set the window title.
static TITLED: AtomicBool = AtomicBool::new(false);

/// Saves the window title on the terminal's stack, and restores it (xterm's window operations 22 and 23).
const SAVE_TITLE: &str = "\x1b[22;2t";
const RESTORE_TITLE: &str = "\x1b[23;2t";

/// Enables reports of buttons and the wheel with coordinates of any size (xterm modes 1000 and 1006). crossterm's
/// `EnableMouseCapture` would also report every movement.
const MOUSE_ON: &str = "\x1b[?1000h\x1b[?1006h";
const MOUSE_OFF: &str = "\x1b[?1006l\x1b[?1000l";

/// Maximum painted size in columns and rows, more than any real screen. A terminal may report any size.
const MAX_SIZE: (u16, u16) = (2_000, 1_000);

/// Maximum width or height of a cell in pixels; a terminal may report any size.
const MAX_CELL: u16 = 200;

/// Fallback size in columns and rows, the usual one in terminfo.
const DEFAULT_SIZE: (u16, u16) = (80, 24);

/// Returns the terminal's size in columns and rows, from 1 × 1 to 2,000 × 1,000.
///
/// # Errors
/// There is no terminal.
pub fn size() -> io::Result<(u16, u16)> {
    Ok(known_size(terminal::size()?, |name| std::env::var(name).ok()))
}

/// Replaces a zero, which serial consoles, `expect` and containers report, with `COLUMNS` or `LINES`, or with the
/// default size.
fn known_size((columns, rows): (u16, u16), variable: impl Fn(&str) -> Option<String>) -> (u16, u16) {
    let set = |name: &str| variable(name)?.trim().parse::<u16>().ok().filter(|cells| *cells > 0);
    let known = |reported: u16, name: &str, default: u16| match reported {
        0 => set(name).unwrap_or(default),
        _ => reported,
    };
    let columns = known(columns, "COLUMNS", DEFAULT_SIZE.0);
    (columns.min(MAX_SIZE.0), known(rows, "LINES", DEFAULT_SIZE.1).min(MAX_SIZE.1))
}

/// Returns the width and height of a cell in pixels, if the terminal's device knows them. The terminal is not queried.
pub fn cell_size() -> Option<(u16, u16)> {
    let size = terminal::window_size().ok()?;
    let (width, height) = (size.width.checked_div(size.columns)?, size.height.checked_div(size.rows)?);
    let is_possible = |length: u16| (1..=MAX_CELL).contains(&length);
    (is_possible(width) && is_possible(height)).then_some((width, height))
}

/// Sets up the terminal: raw mode, alternate screen, bracketed paste, and mouse reports if `mouse` is set. The escape
/// sequences are sent with the next frame.
///
/// # Errors
/// The terminal can't be set up; its modes are restored.
pub fn enter(out: &mut impl Write, mouse: bool) -> io::Result<()> {
    if ACTIVE.load(Ordering::SeqCst) {
        // The program was stopped by SIGSTOP, and the shell may have set other modes.
        let _ = terminal::disable_raw_mode();
    }
    terminal::enable_raw_mode()?;
    ACTIVE.store(true, Ordering::SeqCst);
    STUCK.store(false, Ordering::SeqCst);
    queue!(out, terminal::EnterAlternateScreen, event::EnableBracketedPaste, cursor::Hide)
        .and_then(|()| set_mouse(out, mouse))
        .inspect_err(|_| restore_modes())
}

/// Restores the terminal: its modes always, its screen unless it has stopped reading. Takes at most 200 ms. Does
/// nothing if the terminal is not set up. Failures are only logged.
pub fn leave(final_writer: &FinalWriter) {
    if !ACTIVE.load(Ordering::SeqCst) {
        return;
    }
    if !final_writer.write(leave_sequences(), LEAVE_TIMEOUT / 2) {
        STUCK.store(true, Ordering::SeqCst);
        tracing::warn!("can't restore the screen: the terminal isn't reading");
    }
    restore_modes();
}

/// Whether the terminal is set up for the dashboard.
pub(super) fn is_active() -> bool {
    ACTIVE.load(Ordering::SeqCst)
}

/// Whether the terminal has stopped reading, so that a write to it would block.
pub fn is_stuck() -> bool {
    STUCK.load(Ordering::SeqCst)
}

/// Whether the program is in the foreground of its terminal, so that it may read it and set its modes. Also `true`
/// without a terminal.
pub fn is_foreground() -> bool {
    tcgetpgrp(io::stdin()).or_else(|_| tcgetpgrp(io::stdout())).map_or(true, |foreground| foreground == getpgrp())
}

fn restore_modes() {
    // In the background, the shell has set its own modes, and changing them would stop the program (SIGTTOU).
    if is_foreground() {
        // Does not wait for pending output, which may never be read.
        let _ = terminal::disable_raw_mode();
    }
    ACTIVE.store(false, Ordering::SeqCst);
}

fn leave_sequences() -> Vec<u8> {
    let mut bytes = Vec::new();
    if MOUSE.swap(false, Ordering::SeqCst) {
        bytes.extend_from_slice(MOUSE_OFF.as_bytes());
    }
    if TITLED.swap(false, Ordering::SeqCst) {
        // A terminal without a stack of titles gets an empty title, which it replaces with its default.
        bytes.extend_from_slice(b"\x1b]2;\x07");
        bytes.extend_from_slice(RESTORE_TITLE.as_bytes());
    }
    // Clear the screen for terminals without an alternate screen (GNU Screen by default, the Linux console).
    let _ = queue!(
        bytes,
        terminal::EndSynchronizedUpdate,
        terminal::Clear(terminal::ClearType::All),
        cursor::MoveTo(0, 0),
        event::DisableBracketedPaste,
        terminal::LeaveAlternateScreen,
        cursor::Show
    );
    bytes
}

/// Sets the window title, and saves the previous one. It is sent with the next frame. Control characters are removed,
/// since they would end the sequence.
///
/// # Errors
/// The terminal can't be written to.
pub fn set_title(out: &mut impl Write, title: &str) -> io::Result<()> {
    if !TITLED.swap(true, Ordering::SeqCst) {
        out.write_all(SAVE_TITLE.as_bytes())?;
    }
    let title: String = title.chars().filter(|char| !char.is_control()).collect();
    write!(out, "\x1b]2;{title}\x07")
}

/// Enables or disables mouse reports.
///
/// # Errors
/// The terminal can't be written to.
pub fn capture_mouse(out: &mut impl Write, on: bool) -> io::Result<()> {
    set_mouse(out, on)?;
    out.flush()
}

fn set_mouse(out: &mut impl Write, on: bool) -> io::Result<()> {
    MOUSE.store(on, Ordering::SeqCst);
    out.write_all(if on { MOUSE_ON } else { MOUSE_OFF }.as_bytes())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn unknown_size_comes_from_the_environment_or_the_default() {
        for (reported, variables, size) in [
            ((0, 0), [None, None], (80, 24)),
            ((0, 0), [Some("132"), Some("50")], (132, 50)),
            ((0, 40), [Some("132"), Some("50")], (132, 40)),
            ((120, 0), [None, Some("50")], (120, 50)),
            ((120, 40), [Some("132"), Some("50")], (120, 40)),
            ((0, 0), [Some("0"), Some("-1")], (80, 24)),
            ((0, 0), [Some("wide"), Some("")], (80, 24)),
            ((0, 0), [Some("60000"), Some("60000")], MAX_SIZE),
            ((u16::MAX, u16::MAX), [None, None], MAX_SIZE),
        ] {
            let [columns, lines] = variables.map(|value| value.map(String::from));
            let variable = |name: &str| match name {
                "COLUMNS" => columns.clone(),
                "LINES" => lines.clone(),
                _ => None,
            };
            assert_eq!(known_size(reported, variable), size, "{reported:?} {variables:?}");
        }
    }
}
