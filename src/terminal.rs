//! The terminal: taken at the start, given back at every end, painted in whole frames.

mod painter;

use std::io::{self, Write};
use std::sync::atomic::{AtomicBool, Ordering};

use crossterm::{cursor, event, execute, queue, terminal};

pub use painter::Painter;

/// Whether the terminal is ours now; the panic hook must know.
static TAKEN: AtomicBool = AtomicBool::new(false);

/// Whether the mouse was asked for.
static MOUSE: AtomicBool = AtomicBool::new(false);

/// Reports of pressed buttons and of the wheel, with coordinates of any size (xterm's modes 1000 and 1006). Moves are
/// not asked for: `EnableMouseCapture` would report every one.
const MOUSE_ON: &str = "\x1b[?1000h\x1b[?1006h";
const MOUSE_OFF: &str = "\x1b[?1006l\x1b[?1000l";

/// What is painted of a terminal at most, in columns and rows: more than any screen has. A terminal may claim anything.
const LARGEST: (u16, u16) = (2_000, 1_000);

/// The terminal's size in columns and rows, as far as it is painted.
///
/// # Errors
/// There is no terminal.
pub fn size() -> io::Result<(u16, u16)> {
    let (columns, rows) = terminal::size()?;
    Ok((columns.min(LARGEST.0), rows.min(LARGEST.1)))
}

/// Takes the terminal: raw mode, the alternate screen, bracketed paste, the mouse if wanted. The next frame sends this
/// with itself.
///
/// # Errors
/// The terminal cannot be set up; what was done until then is undone.
pub fn enter(out: &mut impl Write, mouse: bool) -> io::Result<()> {
    terminal::enable_raw_mode()?;
    TAKEN.store(true, Ordering::SeqCst);
    let done = queue!(out, terminal::EnterAlternateScreen, event::EnableBracketedPaste, cursor::Hide)
        .and_then(|()| ask_for_mouse(out, mouse));
    if done.is_err() {
        leave(out);
    }
    done
}

/// Gives the terminal back. Does nothing if it is not ours; failures have nobody to be told to.
pub fn leave(out: &mut impl Write) {
    if !TAKEN.swap(false, Ordering::SeqCst) {
        return;
    }
    if MOUSE.swap(false, Ordering::SeqCst) {
        let _ = out.write_all(MOUSE_OFF.as_bytes());
    }
    // Where there is no other screen to go back to (GNU Screen as it comes, the console), the shell goes on on this
    // one.
    let _ = execute!(
        out,
        terminal::EndSynchronizedUpdate,
        terminal::Clear(terminal::ClearType::All),
        cursor::MoveTo(0, 0),
        event::DisableBracketedPaste,
        terminal::LeaveAlternateScreen,
        cursor::Show
    );
    let _ = terminal::disable_raw_mode();
}

/// Asks for the mouse, or leaves it to the terminal.
///
/// # Errors
/// The terminal cannot be written to.
pub fn capture_mouse(out: &mut impl Write, on: bool) -> io::Result<()> {
    ask_for_mouse(out, on)?;
    out.flush()
}

fn ask_for_mouse(out: &mut impl Write, on: bool) -> io::Result<()> {
    MOUSE.store(on, Ordering::SeqCst);
    out.write_all(if on { MOUSE_ON } else { MOUSE_OFF }.as_bytes())
}

/// From now on a panic on this thread gives the terminal back before its message is printed. Panics of other threads
/// leave the screen alone: their work is missed and reported by those who wait for it.
pub fn give_back_on_panic() {
    let painting = std::thread::current().id();
    let print = std::panic::take_hook();
    std::panic::set_hook(Box::new(move |panic| {
        tracing::error!("panic: {panic}");
        let taken = TAKEN.load(Ordering::SeqCst);
        if std::thread::current().id() == painting || !taken {
            leave(&mut io::stdout());
            print(panic);
        }
    }));
}
