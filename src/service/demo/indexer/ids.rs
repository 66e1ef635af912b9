//! Transaction and inscription ids that encode the inscription's index, so that no table of ids is needed.

use super::random::{hash, mix, unmix};

/// Creates and parses ids.
#[derive(Clone, Copy, Debug)]
pub(super) struct Ids {
    key: u64,
}

/// A transaction of an inscription.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Tx {
    /// The genesis transaction.
    Genesis,
    /// The transfer.
    Transfer,
}

impl Ids {
    /// Creates the ids of a world.
    pub(super) const fn new(seed: u64) -> Ids {
        Ids { key: hash(seed, 0x7D5) }
    }

    /// The id of a transaction of the inscription at `index`.
    pub(super) fn tx(&self, tx: Tx, index: u64) -> String {
        let head = mix((index << 1 | u64::from(tx == Tx::Transfer)) ^ self.key);
        let tail = hash(self.key, head);
        format!("{head:016x}{tail:016x}{:016x}{:016x}", mix(tail ^ head), mix(tail.wrapping_add(head)))
    }

    /// The id of the inscription at `index`: `<txid>i0`.
    pub(super) fn inscription(&self, index: u64) -> String {
        let mut id = self.tx(Tx::Genesis, index);
        id.push_str("i0");
        id
    }

    /// The index of the inscription with this id.
    pub(super) fn index_of(&self, id: &str) -> Option<u64> {
        let head = u64::from_str_radix(id.get(..16)?, 16).ok()?;
        let index = (unmix(head) ^ self.key) >> 1;
        self.inscription(index).eq_ignore_ascii_case(id).then_some(index)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn inscription_is_found_by_its_id() {
        let ids = Ids::new(4);
        for index in [0, 1, 77, 4_000_000_000] {
            let id = ids.inscription(index);
            assert_eq!(id.len(), 66);
            assert_eq!(ids.index_of(&id), Some(index));
            assert_eq!(Ids::new(5).index_of(&id), None);
            assert_ne!(ids.tx(Tx::Transfer, index), ids.tx(Tx::Genesis, index));
            assert_eq!(ids.index_of(&format!("{}i0", ids.tx(Tx::Transfer, index))), None);
        }
        for junk in ["", "i0", "zz", "ééééééééé"] {
            assert_eq!(ids.index_of(junk), None);
        }
    }
}
