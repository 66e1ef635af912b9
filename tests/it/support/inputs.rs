//! What a user, a terminal and a window manager may do to the program: seeded, and nothing that leaves it.

use std::fmt;

use crossterm::event::{KeyCode, KeyModifiers};
use fastrand::Rng;
use rustix::process::Signal;
use satscope::app::Command;
use satscope::keymap::{COMMANDS, Key};

use super::session::Session;

/// One of the things that happen.
#[derive(Clone, Debug)]
pub(crate) enum Input {
    /// Keys, the mouse, a paste, or what no terminal should send: in one write.
    Bytes(Vec<u8>),
    /// The terminal has other sizes, one right after the other: columns and rows.
    Sizes(Vec<(u16, u16)>),
    /// The terminal says so many times that its size may have changed, and it has not.
    SameSize(usize),
    /// The program is stopped in this way, and goes on.
    Stop(Stop),
}

/// How a program is stopped.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Stop {
    /// Ctrl-Z.
    Key,
    /// The signal that Ctrl-Z sends elsewhere, which can be caught.
    Signal,
    /// The signal that cannot be caught.
    Hard,
}

/// Where a life of inputs comes from.
pub(crate) struct Inputs {
    random: Rng,
    keys: Vec<Vec<u8>>,
    pastes: Vec<String>,
}

/// What opens places that single keys rarely find.
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

/// Sizes that are odd, small, or large.
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

/// What a terminal sends that nobody asked for, and what is cut off or no UTF-8. None of it is left open, for it would
/// swallow the key that follows.
const ODD: [&[u8]; 13] = [
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
    /// The same seed gives the same inputs. `pastes` is what may be on the clipboard.
    pub(crate) fn new(seed: u64, pastes: &[String]) -> Inputs {
        // `q` closes a dialog, and quits where there is none.
        let leaves = |command| matches!(command, Command::Quit | Command::Suspend | Command::Close);
        let entries = COMMANDS.iter().filter(|entry| !leaves(entry.command));
        let keys = entries.flat_map(|entry| entry.all_keys()).filter_map(|keys| typed(keys.first));
        Inputs { random: Rng::with_seed(seed), keys: keys.collect(), pastes: pastes.to_vec() }
    }

    /// What happens next.
    pub(crate) fn next(&mut self) -> Input {
        match self.random.u32(..1000) {
            0..600 => Input::Bytes(self.table_keys()),
            600..680 => Input::Bytes(self.words()),
            680..780 => Input::Bytes(self.mouse()),
            780..880 => Input::Bytes(self.pick(&JOURNEYS).as_bytes().to_vec()),
            880..900 => Input::Bytes(self.pick(&ODD).to_vec()),
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

    /// Some keys of the table; now and then one is held.
    fn table_keys(&mut self) -> Vec<u8> {
        let (keys, random) = (&self.keys, &mut self.random);
        let count = random.usize(1..6);
        let times = if random.u32(..30) == 0 { 200 } else { 1 };
        (0..count).flat_map(|_| keys[random.usize(..keys.len())].repeat(times)).collect()
    }

    /// Something for a line that is edited, with the keys that edit it.
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

    /// A click, a turn of the wheel, a drag, or a button that means nothing; on the screen or beside it.
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

    /// A bracketed paste, sometimes of very much.
    fn paste(&mut self) -> Vec<u8> {
        let text = &self.pastes[self.random.usize(..self.pastes.len())];
        let text = text.repeat(if self.random.u32(..20) == 0 { 200_000 / text.len().max(1) } else { 1 });
        format!("\x1b[200~{text}\x1b[201~").into_bytes()
    }

    fn size(&mut self) -> (u16, u16) {
        match self.random.bool() {
            true => self.pick(&SIZES),
            false => (self.random.u16(1..=300), self.random.u16(1..=100)),
        }
    }
}

impl Input {
    /// Does it; returns when it is done, but not when it was answered.
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
                session.go_on();
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

/// The keys that lead from anywhere to the first list, whatever is typed, open or on top there and here. Two escapes are
/// one whole key, also where the terminal is behind.
pub(crate) const HOME: &str = concat!(
    "\x1b\x1b\x1b\x1b\x1b\x1b\x1b\x1b\x1b\x1b\x1b\x1b\x1b\x1b\x1b\x1b\x1b\x1b\x1b\x1b1",
    "\x1b\x1b\x1b\x1b\x1b\x1b1",
);

/// What the help says and nothing else does.
pub(crate) const HELP: &str = "All screens";

/// What a terminal sends for a key of the table; `None` for keys that the inputs do without.
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
