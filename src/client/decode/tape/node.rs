//! What a tape holds: nodes, one for each value and key.

/// What a value is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(in crate::client::decode) enum Kind {
    /// `null`.
    Null,
    /// `true`.
    True,
    /// `false`.
    False,
    /// Something that begins like a number.
    Number,
    /// A string without a backslash.
    String,
    /// A string with a backslash.
    EscapedString,
    /// A bare word that JSON does not know, such as `NaN`; empty where a value is missing.
    Word,
    /// An array, opened.
    Array,
    /// An object, opened.
    Object,
    /// An array that the skim left closed: expand it to see inside.
    RawArray,
    /// An object that the skim left closed.
    RawObject,
}

/// Sixteen bytes a value or key. Strings' spans are inside their quotes, containers' include their brackets.
#[derive(Clone, Copy, Debug)]
pub(super) struct Node {
    pub(super) start: u32,
    pub(super) end: u32,
    /// Index of the node behind this value and all that is in it.
    pub(super) next: u32,
    pub(super) kind: Kind,
}

impl Node {
    pub(super) const NONE: u32 = u32::MAX;
}

/// Why a text is no JSON.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(in crate::client::decode) enum Flaw {
    /// It ends in the middle.
    Truncated,
    /// Too many levels.
    TooDeep,
    /// More values than this.
    TooMany(usize),
    /// Something else stands where this is expected.
    Syntax {
        /// Byte of the text, from 0.
        at: usize,
        /// What should stand there.
        expected: &'static str,
    },
}

impl Flaw {
    /// In words, for a warning.
    pub(in crate::client::decode) fn describe(&self) -> String {
        match self {
            Flaw::Truncated => "it ends in the middle".to_owned(),
            Flaw::TooDeep => "it is nested too deep".to_owned(),
            Flaw::TooMany(most) => format!("it holds more than {most} values"),
            Flaw::Syntax { at, expected } => format!("{expected} expected at byte {at}"),
        }
    }
}

/// Nodes that a tape may hold whatever the text's length: 8 MiB.
pub(super) const NODES: usize = 512 * 1024;

/// Beyond [`NODES`], bytes of text for each further node, so that a tape takes no more memory than its text. The items
/// of a list are one node each on a skim and hundreds of bytes long; a megabyte of `[1,1,1,…]` is no list of ours.
const BYTES_PER_NODE: usize = size_of::<Node>();

/// A reusable tape.
#[derive(Debug, Default)]
pub(in crate::client::decode) struct Tape {
    pub(super) nodes: Vec<Node>,
    pub(super) open: Vec<u32>,
    /// The most nodes for the text that is scanned.
    pub(super) most: usize,
    /// Objects nested deeper than this are not opened by a skim.
    pub(super) levels: usize,
    /// A skim left an object closed for that.
    pub(super) left_closed: bool,
}

impl Tape {
    /// Forgets everything; next, a text of so many bytes is scanned.
    pub(super) fn restart(&mut self, bytes: usize) {
        self.nodes.clear();
        self.open.clear();
        self.most = NODES + bytes / BYTES_PER_NODE;
    }

    #[inline]
    pub(super) fn is_full(&self) -> bool {
        self.nodes.len() >= self.most
    }

    #[inline]
    pub(super) fn push(&mut self, kind: Kind, start: usize, end: usize) {
        if self.nodes.len() == self.nodes.capacity() {
            self.grow();
        }
        let next = self.nodes.len() as u32 + 1;
        self.nodes.push(Node { start: start as u32, end: end as u32, next, kind });
    }

    /// Makes room as a vector does, by doubling, but never for more than may come.
    #[cold]
    fn grow(&mut self) {
        let room = self.most.saturating_sub(self.nodes.len());
        self.nodes.reserve_exact(self.nodes.len().max(64).min(room.max(2)));
    }
}
