//! The scanner: converts text to nodes in one pass with an explicit stack.

use memchr::memchr2;

use super::node::{Kind, Node, SyntaxError, Tape};

/// Objects nested deeper than this are left raw by a skim. `{result: {data: {list: […]}}}` is within the limit.
pub(super) const SKIM_LEVELS: usize = 3;

/// The levels of a second, deeper skim.
pub(super) const DEEP_LEVELS: usize = 8;

enum Next {
    Key,
    Value,
    After,
}

/// Scans the value at `start` (after white space) and returns the offset after it.
///
/// A skim parses objects down to three levels and arrays, but no container inside an array: these items are skipped
/// with only their brackets matched. Bare words and missing values become [`Kind::Word`], extra commas are ignored,
/// control characters in strings are accepted.
pub(super) fn scan<const SKIM: bool>(
    tape: &mut Tape,
    text: &str,
    start: usize,
    depth: usize,
) -> Result<usize, SyntaxError> {
    let bytes = text.as_bytes();
    tape.restart(bytes.len());
    let mut parent = Node::NONE; // index of the innermost open container
    let mut in_object = false;
    let mut at = start;
    let mut next = Next::Value;
    loop {
        if tape.is_full() {
            return Err(SyntaxError::TooMany(tape.max_nodes));
        }
        at = skip_space(bytes, at);
        let Some(&byte) = bytes.get(at) else { return Err(SyntaxError::Truncated) };
        match next {
            Next::Key => match byte {
                b'"' => {
                    at = string(tape, bytes, at)?;
                    at = skip_space(bytes, at);
                    match bytes.get(at) {
                        Some(b':') => at += 1,
                        Some(_) => return Err(SyntaxError::Unexpected { at, expected: "a colon" }),
                        None => return Err(SyntaxError::Truncated),
                    }
                    next = Next::Value;
                }
                b',' => at += 1,
                b'}' => next = Next::After,
                _ => return Err(SyntaxError::Unexpected { at, expected: "a name in quotes" }),
            },
            Next::Value => {
                next = Next::After;
                match byte {
                    b'"' => at = string(tape, bytes, at)?,
                    b'{' | b'[' => {
                        let level = tape.open.len();
                        if SKIM && (level >= 1 && !in_object || level >= tape.skim_depth && byte == b'{') {
                            tape.left_raw |= in_object;
                            let end = skip_container(bytes, at, level, depth)?;
                            tape.push(if byte == b'{' { Kind::RawObject } else { Kind::RawArray }, at, end);
                            at = end;
                            continue;
                        }
                        if level >= depth {
                            return Err(SyntaxError::TooDeep);
                        }
                        tape.open.push(parent);
                        parent = tape.nodes.len() as u32;
                        in_object = byte == b'{';
                        tape.push(if in_object { Kind::Object } else { Kind::Array }, at, at);
                        at += 1;
                        next = if in_object { Next::Key } else { Next::Value };
                    }
                    b']' => {}
                    b',' if !in_object => {
                        at += 1;
                        next = Next::Value;
                    }
                    _ => at = scalar(tape, bytes, at),
                }
                if tape.open.is_empty() {
                    return Ok(at);
                }
            }
            Next::After => match byte {
                b',' => {
                    at += 1;
                    next = if in_object { Next::Key } else { Next::Value };
                }
                b'}' | b']' => {
                    if in_object != (byte == b'}') {
                        let expected = if in_object { "a comma or }" } else { "a comma or ]" };
                        return Err(SyntaxError::Unexpected { at, expected });
                    }
                    at += 1;
                    let behind = tape.nodes.len() as u32;
                    if let Some(node) = tape.nodes.get_mut(parent as usize) {
                        node.end = at as u32;
                        node.next = behind;
                    }
                    parent = tape.open.pop().unwrap_or(Node::NONE);
                    in_object = tape.nodes.get(parent as usize).is_some_and(|node| node.kind == Kind::Object);
                    if tape.open.is_empty() {
                        return Ok(at);
                    }
                }
                _ => {
                    return Err(SyntaxError::Unexpected {
                        at,
                        expected: if in_object { "a comma or }" } else { "a comma or ]" },
                    });
                }
            },
        }
    }
}

/// A quote or a bracket, the only relevant bytes when a container is skipped.
const NESTS: u8 = 1;

/// A byte that ends a number or a word.
const ENDS: u8 = 2;

/// Class of each byte. A table, because it is needed for nearly every byte outside strings.
const CLASSES: [u8; 256] = {
    let mut classes = [0; 256];
    let mut byte = 0;
    while byte < classes.len() {
        classes[byte] = match byte as u8 {
            b'"' | b'{' | b'}' | b'[' | b']' => NESTS | ENDS,
            b',' | b':' | b' ' | b'\t' | b'\r' | b'\n' => ENDS,
            _ => 0,
        };
        byte += 1;
    }
    classes
};

#[inline]
fn is(byte: u8, class: u8) -> bool {
    CLASSES[usize::from(byte)] & class != 0
}

/// Skips a container and returns the offset after it.
fn skip_container(bytes: &[u8], start: usize, level: usize, depth: usize) -> Result<usize, SyntaxError> {
    let mut at = start;
    let mut open = 0_usize;
    while let Some(there) = bytes.get(at..).and_then(|rest| rest.iter().position(|b| is(*b, NESTS))) {
        at += there;
        match bytes.get(at) {
            Some(b'"') => at = string_end(bytes, at + 1).ok_or(SyntaxError::Truncated)?.0,
            Some(b'{' | b'[') => {
                open += 1;
                if level + open > depth {
                    return Err(SyntaxError::TooDeep);
                }
            }
            _ => {
                open -= 1;
                if open == 0 {
                    return Ok(at + 1);
                }
            }
        }
        at += 1;
    }
    Err(SyntaxError::Truncated)
}

/// Records the string whose opening quote is at `at` and returns the offset after its closing quote.
#[inline]
fn string(tape: &mut Tape, bytes: &[u8], at: usize) -> Result<usize, SyntaxError> {
    let (end, escaped) = string_end(bytes, at + 1).ok_or(SyntaxError::Truncated)?;
    tape.push(if escaped { Kind::EscapedString } else { Kind::String }, at + 1, end);
    Ok(end + 1)
}

/// Finds the closing quote of the string whose first character is at `at`, and whether it contains a backslash.
#[inline]
fn string_end(bytes: &[u8], mut at: usize) -> Option<(usize, bool)> {
    let mut escaped = false;
    loop {
        at += memchr2(b'"', b'\\', bytes.get(at..)?)?;
        if bytes.get(at) == Some(&b'"') {
            return Some((at, escaped));
        }
        escaped = true;
        at += 2;
    }
}

/// Records a number or a word.
#[inline]
fn scalar(tape: &mut Tape, bytes: &[u8], at: usize) -> usize {
    let rest = bytes.get(at..).unwrap_or_default();
    let length = rest.iter().position(|b| is(*b, ENDS)).unwrap_or(rest.len());
    let word = rest.get(..length).unwrap_or_default();
    let kind = match word {
        [b'0'..=b'9' | b'-' | b'+' | b'.', ..] => Kind::Number,
        b"null" => Kind::Null,
        b"true" => Kind::True,
        b"false" => Kind::False,
        _ => Kind::Word,
    };
    tape.push(kind, at, at + length);
    at + length
}

#[inline]
pub(super) fn skip_space(bytes: &[u8], mut at: usize) -> usize {
    while matches!(bytes.get(at), Some(b' ' | b'\n' | b'\r' | b'\t')) {
        at += 1;
    }
    at
}
