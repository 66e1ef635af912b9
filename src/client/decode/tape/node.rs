//! Nodes of a tape, one per value and key.

/// The type of a value.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(in crate::client::decode) enum Kind {
    /// `null`.
    Null,
    /// `true`.
    True,
    /// `false`.
    False,
    /// Text that starts like a number.
    Number,
    /// A string without a backslash.
    String,
    /// A string with a backslash.
    EscapedString,
    /// A bare word that is not JSON, such as `NaN`; empty if a value is missing.
    Word,
    /// A parsed array.
    Array,
    /// A parsed object.
    Object,
    /// An array that the skim left raw; expand it to read its items.
    RawArray,
    /// An object that the skim left raw.
    RawObject,
}

/// A node of 16 bytes. Spans of strings exclude the quotes, spans of containers include the brackets.
#[derive(Clone, Copy, Debug)]
pub(super) struct Node {
    pub(super) start: u32,
    pub(super) end: u32,
    /// Index of the next node after this value and its children.
    pub(super) next: u32,
    pub(super) kind: Kind,
}

impl Node {
    pub(super) const NONE: u32 = u32::MAX;
}

/// A syntax error.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(in crate::client::decode) enum SyntaxError {
    /// Truncated input.
    Truncated,
    /// Too many levels.
    TooDeep,
    /// More values than this.
    TooMany(usize),
    /// An unexpected character.
    Unexpected {
        /// Byte offset.
        at: usize,
        /// The expected token.
        expected: &'static str,
    },
}

impl SyntaxError {
    /// Description for a warning.
    pub(in crate::client::decode) fn describe(&self) -> String {
        match self {
            SyntaxError::Truncated => "truncated".to_owned(),
            SyntaxError::TooDeep => "nested too deep".to_owned(),
            SyntaxError::TooMany(most) => format!("more than {most} values"),
            SyntaxError::Unexpected { at, expected } => format!("expected {expected} at byte {at}"),
        }
    }
}

/// Maximum nodes of a tape for short strings: 8 MiB.
pub(super) const NODES: usize = 512 * 1024;

/// Beyond [`NODES`], bytes of text required per node, so that a tape takes no more memory than its text. List items are
/// one node each in a skim and hundreds of bytes long, unlike a megabyte of `[1,1,1,…]`.
const BYTES_PER_NODE: usize = size_of::<Node>();

/// A reusable tape.
#[derive(Debug, Default)]
pub(in crate::client::decode) struct Tape {
    pub(super) nodes: Vec<Node>,
    pub(super) open: Vec<u32>,
    /// Maximum nodes for the current text.
    pub(super) max_nodes: usize,
    /// Objects nested deeper than this are left raw by a skim.
    pub(super) skim_depth: usize,
    /// Whether a skim left an object raw because of that.
    pub(super) left_raw: bool,
}

impl Tape {
    /// Clears the tape for a string of this many bytes.
    pub(super) fn restart(&mut self, bytes: usize) {
        self.nodes.clear();
        self.open.clear();
        self.max_nodes = NODES + bytes / BYTES_PER_NODE;
    }

    #[inline]
    pub(super) fn is_full(&self) -> bool {
        self.nodes.len() >= self.max_nodes
    }

    #[inline]
    pub(super) fn push(&mut self, kind: Kind, start: usize, end: usize) {
        if self.nodes.len() == self.nodes.capacity() {
            self.grow();
        }
        let next = self.nodes.len() as u32 + 1;
        self.nodes.push(Node { start: start as u32, end: end as u32, next, kind });
    }

    /// Doubles the capacity, up to the maximum.
    #[cold]
    fn grow(&mut self) {
        let room = self.max_nodes.saturating_sub(self.nodes.len());
        self.nodes.reserve_exact(self.nodes.len().max(64).min(room.max(2)));
    }
}
