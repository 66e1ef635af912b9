//! The simulated addresses: a small pool, so that an address holds several tokens.

use bitcoin::{Address, KnownHrp, WitnessProgram, WitnessVersion};

use super::random::Random;

/// Number of addresses.
pub(super) const POOL: usize = 150;

/// Index of an address in the pool.
pub(super) type AddressId = u8;

/// Mainnet addresses with valid checksums, mostly P2TR, some P2WPKH. Nobody has their keys.
#[derive(Debug)]
pub(super) struct Addresses(Vec<Box<str>>);

impl Addresses {
    /// Creates the pool of a world.
    pub(super) fn new(seed: u64) -> Addresses {
        let mut random = Random::new(seed);
        let pool = (0..POOL).filter_map(|_| {
            let bytes: Vec<u8> = (0..4).flat_map(|_| random.next().to_be_bytes()).collect();
            let (version, length) =
                if random.chance(700) { (WitnessVersion::V1, 32) } else { (WitnessVersion::V0, 20) };
            let program = WitnessProgram::new(version, bytes.get(..length)?).ok()?;
            Some(Address::from_witness_program(program, KnownHrp::Mainnet).to_string().into_boxed_str())
        });
        Addresses(pool.collect())
    }

    /// The text of an address.
    pub(super) fn get(&self, id: AddressId) -> &str {
        self.0.get(usize::from(id)).map_or("", |address| address)
    }

    /// Finds an address by its text (case-insensitive, like bech32).
    pub(super) fn find(&self, text: &str) -> Option<AddressId> {
        let place = self.0.iter().position(|address| address.eq_ignore_ascii_case(text))?;
        AddressId::try_from(place).ok()
    }
}

#[cfg(test)]
mod tests {
    use std::str::FromStr;

    use super::*;

    #[test]
    fn addresses_are_valid_and_unique() {
        let addresses = Addresses::new(3);
        assert_eq!(addresses.0.len(), POOL);
        for (place, text) in addresses.0.iter().enumerate() {
            let address = Address::from_str(text).unwrap();
            assert!(address.is_valid_for_network(bitcoin::Network::Bitcoin));
            assert_eq!(addresses.find(text).map(usize::from), Some(place));
        }
        assert_eq!(addresses.get(255), "");
    }
}
