//! Decodes complete sequences of xterm, the Linux console, rxvt and the `CSI u` protocol.
//!
//! Source: xterm's "Control Sequences" (PC-style function keys, mouse tracking) and console_codes(4).

use crossterm::event::{KeyCode, KeyEvent, KeyModifiers};

use super::event::Event;

/// Decodes `ESC [`, parameters, final byte. Returns `None` for a reply of the terminal, an unrequested report or an
/// unknown key.
pub(super) fn csi(parameters: &[u8], final_byte: u8) -> Option<Event> {
    if let Some(report) = parameters.strip_prefix(b"<") {
        return mouse(report, final_byte);
    }
    // Only replies have private parameters or intermediate bytes.
    if !parameters.iter().all(|byte| matches!(byte, b'0'..=b'9' | b';' | b':')) {
        return None;
    }
    let mut groups = parameters.split(|byte| *byte == b';');
    let first = number(groups.next());
    let second = groups.next();
    let modifiers = modifiers(second)?;
    let code = match final_byte {
        b'~' if first == Some(27) => return character(number(groups.next())?, modifiers),
        b'~' => numbered(first?)?,
        b'u' => return character(first?, modifiers),
        // A cursor position report, not F3.
        b'R' => return None,
        b'Z' => KeyCode::BackTab,
        _ => lettered(final_byte)?,
    };
    Some(key(code, modifiers))
}

/// Decodes `ESC O`, parameters (rarely any), final byte.
pub(super) fn ss3(parameters: &[u8], final_byte: u8) -> Option<Event> {
    let modifiers = modifiers(parameters.rsplit(|byte| *byte == b';').next())?;
    let code = if final_byte == b'M' { KeyCode::Enter } else { lettered(final_byte)? };
    Some(key(code, modifiers))
}

/// Decodes `ESC [ [` and a byte: F1 to F5 of the Linux console.
pub(super) fn console(byte: u8) -> Option<Event> {
    matches!(byte, b'A'..=b'E').then(|| key(KeyCode::F(byte - b'A' + 1), KeyModifiers::NONE))
}

/// Decodes `ESC [ M` and three bytes, from terminals without SGR mouse reports.
pub(super) fn mouse_bytes(button: u8, column: u8, row: u8) -> Option<Event> {
    let place = |byte: u8| byte.checked_sub(33).map(u16::from);
    pressed(u16::from(button.checked_sub(32)?), place(column)?, place(row)?)
}

/// Decodes `ESC [ <`, button, column, row; final byte `M` for a press, `m` for a release.
fn mouse(report: &[u8], final_byte: u8) -> Option<Event> {
    let mut numbers = report.split(|byte| *byte == b';').map(|group| number(Some(group)));
    let (button, column, row) = (numbers.next()??, numbers.next()??, numbers.next()??);
    if final_byte != b'M' || numbers.next().is_some() {
        return None;
    }
    // Cells count from 1, but some multiplexers send 0.
    let place = |cell: u32| u16::try_from(cell).ok()?.checked_sub(1);
    pressed(u16::try_from(button).ok()?, place(column)?, place(row)?)
}

fn pressed(button: u16, column: u16, row: u16) -> Option<Event> {
    const SHIFT_ALT_CONTROL: u16 = 0b1_1100;
    match button & !SHIFT_ALT_CONTROL {
        0 => Some(Event::Click(column, row)),
        64 => Some(Event::WheelUp(column, row)),
        65 => Some(Event::WheelDown(column, row)),
        // Other buttons, releases, drags.
        _ => None,
    }
}

fn lettered(final_byte: u8) -> Option<KeyCode> {
    Some(match final_byte {
        b'A' => KeyCode::Up,
        b'B' => KeyCode::Down,
        b'C' => KeyCode::Right,
        b'D' => KeyCode::Left,
        b'F' => KeyCode::End,
        b'H' => KeyCode::Home,
        b'P'..=b'S' => KeyCode::F(final_byte - b'P' + 1),
        _ => return None,
    })
}

fn numbered(number: u32) -> Option<KeyCode> {
    let function = |number: u32| u8::try_from(number).ok().map(KeyCode::F);
    Some(match number {
        1 | 7 => KeyCode::Home,
        2 => KeyCode::Insert,
        3 => KeyCode::Delete,
        4 | 8 => KeyCode::End,
        5 => KeyCode::PageUp,
        6 => KeyCode::PageDown,
        11..=15 => function(number - 10)?,
        17..=21 => function(number - 11)?,
        23..=24 => function(number - 12)?,
        _ => return None,
    })
}

/// Decodes a key given by its character code (`CSI u`, xterm's `modifyOtherKeys`).
fn character(code: u32, modifiers: KeyModifiers) -> Option<Event> {
    let code = match code {
        9 if modifiers.contains(KeyModifiers::SHIFT) => KeyCode::BackTab,
        9 => KeyCode::Tab,
        13 => KeyCode::Enter,
        27 => KeyCode::Esc,
        127 => KeyCode::Backspace,
        // Codes in the private use area are keys without a character.
        0xe000..=0xf8ff => return None,
        code => KeyCode::Char(char::from_u32(code).filter(|c| !c.is_control())?),
    };
    Some(key(code, modifiers))
}

/// Decodes modifiers: their bits plus one, then optionally a colon and the event type. Returns `None` for a key release
/// (type 3).
fn modifiers(group: Option<&[u8]>) -> Option<KeyModifiers> {
    let mut parts = group.unwrap_or_default().split(|byte| *byte == b':');
    let bits = number(parts.next()).unwrap_or(1).saturating_sub(1);
    if number(parts.next()) == Some(3) {
        return None;
    }
    let mut modifiers = KeyModifiers::NONE;
    for (bit, modifier) in
        [(1, KeyModifiers::SHIFT), (2, KeyModifiers::ALT), (4, KeyModifiers::CONTROL), (8, KeyModifiers::SUPER)]
    {
        modifiers.set(modifier, bits & bit != 0);
    }
    Some(modifiers)
}

/// Parses the digits before a colon; `None` if there are none or the number overflows.
fn number(group: Option<&[u8]>) -> Option<u32> {
    let digits = group?.split(|byte| *byte == b':').next()?;
    str::from_utf8(digits).ok()?.parse().ok()
}

fn key(code: KeyCode, modifiers: KeyModifiers) -> Event {
    Event::Key(KeyEvent::new(code, modifiers))
}
