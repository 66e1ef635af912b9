//! Decodes bytes from the terminal into keys, clicks and pastes.
//!
//! Terminals don't mark the end of a key: a lone ESC is the Esc key, but ESC also starts other keys. The decoder
//! therefore holds back incomplete sequences, and its caller calls [`Decoder::time_out`] when a [`Wait`] for the rest
//! has ended. Sequences are split by the grammar of ECMA-48, so that a reply of the terminal (OSC, DCS, CPR, …) is
//! never mistaken for typing, regardless of its content.
//!
//! crossterm and termina decode a sequence as soon as its first bytes look like a key. termwiz can wait for more
//! bytes. None of the three limits a paste or drops an unknown reply completely, so this decoder replaces them; the
//! key types are crossterm's.

mod event;
mod sequence;

use std::collections::VecDeque;
use std::time::Duration;

use crossterm::event::{KeyCode, KeyEvent, KeyModifiers};

pub use event::Event;

/// Timeout after ESC: longer than the gap within a key that arrives in two packets, shorter than the time between two
/// keys of a fast typist or a script. tmux waits 10 ms (`escape-time`).
const ESCAPE_TIMEOUT: Duration = Duration::from_millis(20);

/// Timeout for the next bytes of a sequence that has begun: longer than the gaps of a slow connection. Of the keys, only
/// Alt with `[`, `O` or another introducer waits for it.
const SEQUENCE_TIMEOUT: Duration = Duration::from_millis(100);

/// Timeout for a whole paste or reply of the terminal, from its start.
const TEXT_TIMEOUT: Duration = Duration::from_secs(1);

/// Bytes after which a paste may take another [`TEXT_TIMEOUT`]: more than a held key sends in that time, less than a
/// slow connection transfers.
const PASTE_PROGRESS: usize = 512;

/// Maximum paste in bytes; the rest of a larger one is dropped.
const MAX_PASTE: usize = 1024 * 1024;

/// Maximum length of a key or mouse sequence in bytes; a longer one is dropped.
const MAX_SEQUENCE: usize = 64;

/// Ends a bracketed paste.
const PASTE_END: &[u8] = b"\x1b[201~";

const ESC: u8 = 0x1b;

/// The wait for the rest of an incomplete sequence. It ends [`Wait::timeout`] after its start; bytes that arrive
/// meanwhile begin a new wait only if it differs from this one.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Wait {
    number: u64,
    /// How long to wait.
    pub timeout: Duration,
}

/// Decodes bytes into [`Event`]s. The result does not depend on how the bytes are split.
#[derive(Debug, Default)]
pub struct Decoder {
    state: State,
    /// The bytes of the current sequence after its introducer, of a paste, or of a character.
    held: Vec<u8>,
    /// Bytes of a paste since its current wait began.
    progress: usize,
    /// Number of waits.
    waits: u64,
    events: VecDeque<Event>,
}

/// State of the decoder before the next byte.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
enum State {
    #[default]
    Ground,
    /// After ESC.
    Escape,
    /// After a second ESC. Only a sequence can follow, not Alt with a key, since Esc was pressed twice.
    EscapeAgain,
    /// After `ESC [`.
    Csi,
    /// After `ESC O`.
    Ss3,
    /// After `ESC [ [`: a function key of the Linux console.
    Console,
    /// After `ESC [ M`: three bytes of a mouse report.
    Mouse,
    /// After the introducer of a string that ends with ST or BEL: OSC, DCS, APC, PM, SOS.
    Text {
        introducer: u8,
    },
    /// After ESC in a string.
    TextEscape,
    /// In a UTF-8 character of `length` bytes.
    Character {
        length: usize,
        alt: bool,
    },
    Paste,
    /// In the dropped rest of a paste that is too large.
    PasteRest,
}

impl Decoder {
    /// Decodes more bytes.
    pub fn feed(&mut self, bytes: &[u8]) {
        for byte in bytes {
            self.byte(*byte);
        }
        if self.wait().is_some_and(|wait| wait.timeout < TEXT_TIMEOUT) {
            self.waits += 1;
        }
    }

    /// Removes and returns at most `max` events, oldest first.
    pub fn take(&mut self, max: usize) -> Vec<Event> {
        let count = max.min(self.events.len());
        self.events.drain(..count).collect()
    }

    /// Whether there are decoded events.
    pub fn has_events(&self) -> bool {
        !self.events.is_empty()
    }

    /// Returns the wait after which to call [`Decoder::time_out`], or `None` if no sequence is incomplete.
    pub fn wait(&self) -> Option<Wait> {
        let timeout = match self.state {
            State::Ground => return None,
            State::Paste | State::PasteRest => TEXT_TIMEOUT,
            State::Text { .. } | State::TextEscape if !self.held.is_empty() => TEXT_TIMEOUT,
            State::Escape | State::EscapeAgain => ESCAPE_TIMEOUT,
            _ => SEQUENCE_TIMEOUT,
        };
        Some(Wait { number: self.waits, timeout })
    }

    /// Ends an incomplete sequence: decodes it if it is a key or a paste, drops it otherwise. A paste that makes
    /// progress gets another wait instead.
    pub fn time_out(&mut self) {
        let only_introducer = self.held.is_empty();
        match self.state {
            State::Paste | State::PasteRest if self.progress >= PASTE_PROGRESS => {
                self.progress = 0;
                self.waits += 1;
                return;
            }
            State::Escape | State::EscapeAgain => self.key(KeyCode::Esc, KeyModifiers::NONE),
            State::Csi if only_introducer => self.character('[', true),
            State::Ss3 if only_introducer => self.character('O', true),
            State::Text { introducer } if only_introducer => self.character(char::from(introducer), true),
            State::Paste => self.paste(),
            _ => {}
        }
        self.enter(State::Ground);
    }

    fn byte(&mut self, byte: u8) {
        match self.state {
            State::Ground => self.ground(byte, false),
            State::Escape | State::EscapeAgain => self.escape(byte),
            State::Csi => self.csi(byte),
            State::Ss3 => self.ss3(byte),
            State::Console => match sequence::console(byte) {
                Some(event) => {
                    self.events.push_back(event);
                    self.enter(State::Ground);
                }
                None => self.restart(byte),
            },
            State::Mouse if byte < b' ' => self.restart(byte),
            State::Mouse => {
                self.held.push(byte);
                if let [button, column, row] = self.held[..] {
                    self.events.extend(sequence::mouse_bytes(button, column, row));
                    self.enter(State::Ground);
                }
            }
            State::Text { .. } => match byte {
                0x07 => self.enter(State::Ground),
                ESC => self.state = State::TextEscape,
                // Ctrl-C always works; CAN and SUB end every sequence.
                0x03 | 0x18 | 0x1a => self.restart(byte),
                // Record only that the string is not empty.
                _ if self.held.is_empty() => self.held.push(byte),
                _ => {}
            },
            State::TextEscape => {
                self.enter(State::Ground);
                if byte != b'\\' {
                    self.state = State::Escape;
                    self.escape(byte);
                }
            }
            State::Character { length, alt } => self.character_byte(byte, length, alt),
            State::Paste | State::PasteRest => self.paste_byte(byte),
        }
    }

    fn enter(&mut self, state: State) {
        self.state = state;
        self.held.clear();
        self.progress = 0;
        self.waits += 1;
    }

    /// Drops the unfinished sequence; the byte starts a new one.
    fn restart(&mut self, byte: u8) {
        self.enter(State::Ground);
        self.ground(byte, false);
    }

    fn ground(&mut self, byte: u8, alt: bool) {
        let control = |c: u8| (KeyCode::Char(char::from(c)), KeyModifiers::CONTROL);
        let (code, modifiers) = match byte {
            ESC => return self.enter(State::Escape),
            b'\r' => (KeyCode::Enter, KeyModifiers::NONE),
            b'\t' => (KeyCode::Tab, KeyModifiers::NONE),
            0x7f => (KeyCode::Backspace, KeyModifiers::NONE),
            0 => control(b' '),
            0x01..=0x1a => control(byte - 1 + b'a'),
            0x1c..=0x1f => control(byte - 0x1c + b'4'),
            0x20..=0x7e => return self.character(char::from(byte), alt),
            // Not the first byte of a UTF-8 character.
            0x80..=0xc1 | 0xf5..=0xff => return,
            0xc2..=0xdf => return self.begin_character(byte, 2, alt),
            0xe0..=0xef => return self.begin_character(byte, 3, alt),
            0xf0..=0xf4 => return self.begin_character(byte, 4, alt),
        };
        self.key(code, if alt { modifiers | KeyModifiers::ALT } else { modifiers });
    }

    fn escape(&mut self, byte: u8) {
        let again = self.state == State::EscapeAgain;
        match byte {
            ESC => {
                self.key(KeyCode::Esc, KeyModifiers::NONE);
                self.enter(State::EscapeAgain);
            }
            b'[' => self.enter(State::Csi),
            b'O' => self.enter(State::Ss3),
            b']' | b'P' | b'_' | b'^' | b'X' => self.enter(State::Text { introducer: byte }),
            // Control with Alt is not supported, and Ctrl-C must work right after Esc.
            0..=0x1f if again || !matches!(byte, b'\r' | b'\t') => {
                self.key(KeyCode::Esc, KeyModifiers::NONE);
                self.restart(byte);
            }
            _ if again => {
                self.key(KeyCode::Esc, KeyModifiers::NONE);
                self.restart(byte);
            }
            _ => {
                self.enter(State::Ground);
                self.ground(byte, true);
            }
        }
    }

    fn csi(&mut self, byte: u8) {
        match byte {
            b'[' if self.held.is_empty() => self.enter(State::Console),
            b'M' if self.held.is_empty() => self.enter(State::Mouse),
            b'~' if self.held == b"200" => self.enter(State::Paste),
            0x20..=0x3f => {
                if self.held.len() < MAX_SEQUENCE {
                    self.held.push(byte);
                }
            }
            0x40..=0x7e => {
                if self.held.len() < MAX_SEQUENCE {
                    self.events.extend(sequence::csi(&self.held, byte));
                }
                self.enter(State::Ground);
            }
            _ => self.restart(byte),
        }
    }

    fn ss3(&mut self, byte: u8) {
        match byte {
            b'0'..=b'9' | b';' if self.held.len() < MAX_SEQUENCE => self.held.push(byte),
            0x20..=0x7e => {
                self.events.extend(sequence::ss3(&self.held, byte));
                self.enter(State::Ground);
            }
            _ => self.restart(byte),
        }
    }

    fn begin_character(&mut self, byte: u8, length: usize, alt: bool) {
        self.enter(State::Character { length, alt });
        self.held.push(byte);
    }

    fn character_byte(&mut self, byte: u8, length: usize, alt: bool) {
        if !matches!(byte, 0x80..=0xbf) {
            return self.restart(byte);
        }
        self.held.push(byte);
        if self.held.len() == length {
            let character = str::from_utf8(&self.held).ok().and_then(|text| text.chars().next());
            self.enter(State::Ground);
            if let Some(c) = character {
                self.character(c, alt);
            }
        }
    }

    fn character(&mut self, c: char, alt: bool) {
        let mut modifiers = KeyModifiers::NONE;
        modifiers.set(KeyModifiers::SHIFT, c.is_uppercase());
        modifiers.set(KeyModifiers::ALT, alt);
        self.key(KeyCode::Char(c), modifiers);
    }

    fn key(&mut self, code: KeyCode, modifiers: KeyModifiers) {
        self.events.push_back(Event::Key(KeyEvent::new(code, modifiers)));
    }

    fn paste_byte(&mut self, byte: u8) {
        if byte == 0x03 {
            // Ctrl-C always works, and what follows it in a paste must not be decoded as keys.
            self.restart(byte);
            return self.enter(State::PasteRest);
        }
        self.progress += 1;
        self.held.push(byte);
        let ended = byte == b'~' && self.held.ends_with(PASTE_END);
        match self.state {
            State::Paste if ended => {
                self.held.truncate(self.held.len() - PASTE_END.len());
                self.paste();
                self.enter(State::Ground);
            }
            State::Paste if self.held.len() >= MAX_PASTE => {
                self.paste();
                // Drop the rest, which would be decoded as keys.
                self.state = State::PasteRest;
            }
            _ if ended => self.enter(State::Ground),
            State::PasteRest if self.held.len() > PASTE_END.len() => {
                self.held.remove(0);
            }
            _ => {}
        }
    }

    /// Emits the held bytes as a paste.
    fn paste(&mut self) {
        let text = std::mem::take(&mut self.held);
        self.events.push_back(Event::Paste(String::from_utf8_lossy(&text).into_owned()));
    }
}

#[cfg(test)]
mod tests;
