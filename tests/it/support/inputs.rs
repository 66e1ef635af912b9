//! Random user input and terminal events, from a seed.

use std::fmt;

use crossterm::event::{KeyCode, KeyModifiers};
use fastrand::Rng;
use rustix::process::Signal;
use satscope::app::Command;
use satscope::keymap::{COMMANDS, Key};

use super::session::Session;

/// An input to the program.
#[derive(Clone, Debug)]
pub(crate) enum Input {
    /// Keys, mouse events, a paste, or invalid input, in one write.
    Bytes(Vec<u8>),
    /// Resizes in quick succession: columns and rows.
    Sizes(Vec<(u16, u16)>),
    /// This many resize signals without a change of size.
    SameSize(usize),
    /// The program is stopped in this way and continued.
    Stop(Stop),
}

/// How a program is stopped.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Stop {
    /// Ctrl-Z.
    Key,
    /// SIGTSTP, which can be caught.
    Signal,
    /// SIGSTOP, which can't be caught.
    Hard,
}

/// A generator of random inputs.
pub(crate) struct Inputs {
    random: Rng,
    keys: Vec<Vec<u8>>,
    pastes: Vec<String>,
}

/// Key sequences to screens that random single keys rarely reach.
const JOURNEYS: [&str; 18] = [
    "1/ordi\r\r",
    "1G\r",
    "1jjj\r.",
    "2jjjjjjjj\r]]]",
    "3jj\rp\t\t\r",
    "1\rllllll,hhh.",
    "1\rs",
    "1ceur\r",
    "1cbtc\r",
    "1cusd\r",
    "4+++",
    "4---\r",
    "5:ordi\r",
    "5:1953876022992384\r",
    "5:ahehcbywzae\r",
    "5:779832\r",
    "5jjjj\t\t\r\r",
    "5/s\r",
];

/// Unusual, small and large sizes.
const SIZES: [(u16, u16); 12] = [
    (1, 1),
    (2, 60),
    (300, 1),
    (5, 2),
    (20, 5),
    (40, 12),
    (69, 24),
    (80, 24),
    (100, 30),
    (160, 45),
    (200, 50),
    (300, 100),
];

/// Unrequested reports of a terminal, truncated sequences and invalid UTF-8. None of them is left open, since it would
/// swallow the next key.
const UNUSUAL: [&[u8]; 13] = [
    b"\x1b[I",
    b"\x1b[O",
    b"\x1b[?62;c",
    b"\x1b[24;80R",
    b"\x1b]11;rgb:0000/0000/0000\x07",
    b"\x1b[?2026;2$yc",
    b"\x1b[999999999999;5~",
    b"\x1b[1;5A\x1b[1;2B",
    b"\x1bOj",
    b"\x1b[j",
    b"\xff\xfe\x80",
    b"\xe2\x82j",
    b"\x00\x1d\x1e\x1f",
];

impl Inputs {
    /// The same seed gives the same inputs. `pastes` are possible clipboard contents.
    pub(crate) fn new(seed: u64, pastes: &[String]) -> Inputs {
        // `q` closes a dialog, or quits if none is open.
        let leaves = |command| matches!(command, Command::Quit | Command::Suspend | Command::Close);
        let entries = COMMANDS.iter().filter(|entry| !leaves(entry.command));
        let keys = entries.flat_map(|entry| entry.all_keys()).filter_map(|keys| typed(keys.first));
        Inputs { random: Rng::with_seed(seed), keys: keys.collect(), pastes: pastes.to_vec() }
    }

    /// The next input.
    pub(crate) fn next(&mut self) -> Input {
        match self.random.u32(..1000) {
            0..600 => Input::Bytes(self.table_keys()),
            600..680 => Input::Bytes(self.words()),
            680..780 => Input::Bytes(self.mouse()),
            780..880 => Input::Bytes(self.pick(&JOURNEYS).as_bytes().to_vec()),
            880..900 => Input::Bytes(self.pick(&UNUSUAL).to_vec()),
            900..930 => Input::Bytes(self.paste()),
            930..980 => Input::Sizes(vec![self.size()]),
            980..988 => Input::Sizes((0..20).map(|_| self.size()).collect()),
            988..992 => Input::SameSize(self.random.usize(1..40)),
            992..994 => Input::Stop(Stop::Key),
            994..996 => Input::Stop(Stop::Signal),
            _ => Input::Stop(Stop::Hard),
        }
    }

    fn pick<T: Copy>(&mut self, of: &[T]) -> T {
        of[self.random.usize(..of.len())]
    }

    /// Some keys of the table; sometimes one is held.
    fn table_keys(&mut self) -> Vec<u8> {
        let (keys, random) = (&self.keys, &mut self.random);
        let count = random.usize(1..6);
        let times = if random.u32(..30) == 0 { 200 } else { 1 };
        (0..count).flat_map(|_| keys[random.usize(..keys.len())].repeat(times)).collect()
    }

    /// Text for an input line, with editing keys.
    fn words(&mut self) -> Vec<u8> {
        const PIECES: [&str; 16] = [
            "a", "or", "di", "B", "7", "0.5", " ", "é", "語", "\x7f", "\x7f\x7f", "\x01", "\x05", "\x17", "\x0b",
            "\x1bb",
        ];
        let begin = self.pick(&["/", ":", "c", ""]);
        let pieces: String = (0..self.random.usize(1..12)).map(|_| self.pick(&PIECES)).collect();
        let end = self.pick(&["\r", "\x15\r", "", "\x1b\x1b"]);
        format!("{begin}{pieces}{end}").into_bytes()
    }

    /// A click, a scroll, a drag, or an unknown button, inside or outside the screen.
    fn mouse(&mut self) -> Vec<u8> {
        let (column, row) = (self.random.u16(1..320), self.random.u16(1..60));
        let button = self.pick(&[0, 0, 0, 0, 1, 2, 32, 35, 64, 65, 66, 128]);
        let press = format!("\x1b[<{button};{column};{row}M");
        let release = format!("\x1b[<{button};{column};{row}m");
        match button {
            64 | 65 => press.repeat(self.random.usize(1..30)).into_bytes(),
            _ => (press + &release).into_bytes(),
        }
    }

    /// A bracketed paste, sometimes a very long one.
    fn paste(&mut self) -> Vec<u8> {
        let text = &self.pastes[self.random.usize(..self.pastes.len())];
        let text = text.repeat(if self.random.u32(..20) == 0 { 200_000 / text.len().max(1) } else { 1 });
        format!("\x1b[200~{text}\x1b[201~").into_bytes()
    }

    fn size(&mut self) -> (u16, u16) {
        if self.random.bool() { self.pick(&SIZES) } else { (self.random.u16(1..=300), self.random.u16(1..=100)) }
    }
}

impl Input {
    /// Sends the input, without waiting for the program's reaction.
    pub(crate) fn give(&self, session: &mut Session) {
        match self {
            Input::Bytes(bytes) => session.send(bytes),
            Input::Sizes(sizes) => sizes.iter().for_each(|cells| session.resize(*cells)),
            Input::SameSize(times) => (0..*times).for_each(|_| session.signal(Signal::WINCH)),
            Input::Stop(stop) => {
                match stop {
                    Stop::Key => session.press("\x1a"),
                    Stop::Signal => session.signal(Signal::TSTP),
                    Stop::Hard => session.signal(Signal::STOP),
                }
                session.until_stopped();
                session.resume();
                session.until("the dashboard again", vt100::Screen::alternate_screen);
            }
        }
    }
}

impl fmt::Display for Input {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Input::Bytes(bytes) => {
                let (begin, rest) = bytes.split_at(bytes.len().min(60));
                write!(f, "keys {}", begin.escape_ascii())?;
                if rest.is_empty() { Ok(()) } else { write!(f, " and {} bytes more", rest.len()) }
            }
            other => write!(f, "{other:?}"),
        }
    }
}

/// Keys that lead from any screen, dialog or input line to the first list. Two escapes are one complete key, even if
/// the terminal lags.
pub(crate) const HOME: &str = concat!(
    "\x1b\x1b\x1b\x1b\x1b\x1b\x1b\x1b\x1b\x1b\x1b\x1b\x1b\x1b\x1b\x1b\x1b\x1b\x1b\x1b1",
    "\x1b\x1b\x1b\x1b\x1b\x1b1",
);

/// Text that only the help contains.
pub(crate) const HELP: &str = "All screens";

/// The bytes of a key; `None` for keys that the inputs don't use.
fn typed(key: Key) -> Option<Vec<u8>> {
    if key.modifiers().contains(KeyModifiers::CONTROL) {
        return match key.code() {
            KeyCode::Char(c) => Some(vec![c as u8 & 0x1f]),
            KeyCode::Left => Some(b"\x1b[1;5D".to_vec()),
            KeyCode::Right => Some(b"\x1b[1;5C".to_vec()),
            _ => None,
        };
    }
    if key.modifiers().contains(KeyModifiers::ALT) {
        return Some([vec![0x1b], typed(Key::plain(key.code()))?].concat());
    }
    let text = match key.code() {
        KeyCode::Char(c) => return Some(c.to_string().into_bytes()),
        KeyCode::Enter => "\r",
        KeyCode::Esc => "\x1b\x1b",
        KeyCode::Tab => "\t",
        KeyCode::BackTab => "\x1b[Z",
        KeyCode::Backspace => "\x7f",
        KeyCode::Up => "\x1b[A",
        KeyCode::Down => "\x1b[B",
        KeyCode::Right => "\x1b[C",
        KeyCode::Left => "\x1b[D",
        KeyCode::Home => "\x1b[H",
        KeyCode::End => "\x1b[F",
        KeyCode::PageUp => "\x1b[5~",
        KeyCode::PageDown => "\x1b[6~",
        KeyCode::F(1) => "\x1bOP",
        _ => return None,
    };
    Some(text.as_bytes().to_vec())
}
