//! The simulated BRC-20 tokens: one table that the market side and the indexer side share, so that they agree.
//!
//! Tickers are real-looking, and odd ones stand among them, as any UTF-8 but NUL is legal in a ticker of four bytes:
//! `🔥`, `a/b?`, `#&%+`, one with a space, Chinese. A ticker of five bytes belongs to a token that only its deployer
//! mints (from block 837,090 on), one of six letters, digits or dashes to BRC2.0 (from block 912,690 on).
//!
//! The mint limits are generous, so that a few dozen mints explain all that is minted.

use crate::model::Amount;

/// A simulated BRC-20 token.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct DemoToken {
    /// Identity: the ticker in lower case, as the indexer spells it.
    pub ticker: &'static str,
    /// Block that deployed it; rows stand in this order, and no two share a block.
    pub deploy_height: u64,
    /// How many addresses hold it, 1 to 60.
    pub holders: u8,
    /// Only its deployer mints.
    pub self_mint: bool,
    /// What exists and can exist.
    pub supply: Supply,
    /// How the market side lists it.
    pub listing: Listing,
}

/// What exists of a token and can exist.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Supply {
    /// Largest supply.
    pub max: Amount,
    /// Decimals, 0 to 18.
    pub decimals: u8,
    /// Largest amount of one mint, where there is a limit.
    pub mint_limit: Option<Amount>,
    /// Share of the largest supply that is minted, in thousandths.
    pub minted_permille: u16,
}

/// How the market side lists a token.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Listing {
    /// Symbol, unique among these tokens only.
    pub symbol: &'static str,
    /// Name for people.
    pub name: &'static str,
    /// Name as a slug.
    pub slug: &'static str,
    /// Price around which the simulated one moves, US dollars.
    pub price_usd: f64,
    /// Volume of 24 h around which the simulated one moves, US dollars.
    pub volume_usd: f64,
}

impl DemoToken {
    /// What is minted, a multiple of the token's smallest amount.
    pub fn minted(&self) -> Amount {
        let (max, permille) = (self.supply.max.atoms(), u128::from(self.supply.minted_permille));
        let share = max / 1000 * permille + max % 1000 * permille / 1000;
        Amount::from_atoms(share - share % self.supply.smallest().atoms())
    }

    /// What is minted in whole units, for prices and market caps.
    pub fn minted_units(&self) -> f64 {
        self.minted().atoms() as f64 / 1e18
    }
}

impl Supply {
    /// The smallest amount that the decimals allow.
    pub fn smallest(&self) -> Amount {
        Amount::from_atoms(10u128.pow(18 - u32::from(self.decimals.min(18))))
    }
}

/// The tokens, oldest first.
pub static TOKENS: [DemoToken; 60] = [
    token("ordi", 779_832, 60, capped(21_000_000, 18, 525_000, 1000), listed("ORDI", "ORDI", "ordi", 8.41, 61.2e6)),
    token("meme", 779_841, 41, capped(99_999, 18, 2_499, 1000), listed("MEME", "MEME", "meme-brc-20", 21.6, 9.1e4)),
    token(
        "pepe",
        779_855,
        44,
        capped(42_069_000, 18, 1_051_725, 1000),
        listed("PEPE", "Pepe (Ordinals)", "pepebrc", 0.021, 1.3e5),
    ),
    token(
        "piza",
        779_902,
        39,
        capped(21_000_000, 18, 840_000, 1000),
        listed("PIZA", "PIZA (Ordinals)", "piza", 0.14, 2.2e6),
    ),
    token(
        "moon",
        779_958,
        28,
        capped(10_000_000, 8, 250_000, 1000),
        listed("MOON", "Moon (Ordinals)", "moon-ordinals", 0.0072, 4.1e4),
    ),
    token(
        "punk",
        780_011,
        31,
        capped(21_000, 18, 600, 1000),
        listed("PUNK", "Punk (BRC-20)", "punk-brc-20", 3.75, 2.4e4),
    ),
    token("domo", 780_066, 26, capped(21_000_000, 18, 840_000, 987), listed("DOMO", "DOMO", "domo", 0.011, 1.9e4)),
    token(
        "sats",
        780_070,
        60,
        capped(2_100_000_000_000_000, 18, 70_000_000_000_000, 1000),
        listed("SATS", "SATS (Ordinals)", "sats-ordinals", 7.34e-8, 22.4e6),
    ),
    token("oxbt", 781_440, 37, capped(21_000_000, 18, 750_000, 1000), listed("OXBT", "OXBT", "oxbt", 0.0061, 5.3e4)),
    token("nals", 782_019, 35, capped(21_000_000, 18, 500_000, 1000), listed("NALS", "NALS", "nals", 0.017, 8.8e4)),
    token("vmpx", 783_968, 42, capped(10_000_000, 18, 250_000, 1000), listed("VMPX", "VMPX", "vmpx", 0.019, 3.6e5)),
    token("🔥", 784_201, 18, capped(100, 0, 4, 1000), listed("🔥", "Fire", "fire-brc-20", 41.0, 6.1e3)),
    token(
        "bank",
        785_002,
        24,
        capped(21_000_000, 18, 420_000, 912),
        listed("BANK", "Bank (Ordinals)", "bank-ordinals", 0.0026, 9.9e3),
    ),
    token(
        "zbit",
        786_310,
        33,
        capped(21_000_000, 18, 750_000, 1000),
        listed("ZBIT", "ZBIT", "zbit-ordinals", 0.022, 4.7e4),
    ),
    token("btoc", 787_124, 22, capped(21_000_000, 18, 600_000, 1000), listed("BTOC", "BTOC", "btoc", 0.0009, 7.1e3)),
    token(
        "shib",
        787_930,
        47,
        capped(1_000_000_000, 18, 40_000_000, 1000),
        listed("SHIB", "SHIB ON BTC", "shib-on-btc", 0.000082, 1.1e5),
    ),
    token("btcs", 788_406, 40, capped(21_000_000, 18, 600_000, 1000), listed("BTCS", "BTCs", "btcs", 0.19, 5.5e5)),
    token(
        "trac",
        789_555,
        53,
        capped(21_000_000, 18, 420_000, 1000),
        listed("TRAC", "TRAC (Ordinals)", "trac", 0.52, 4.1e5),
    ),
    token(
        "drac",
        790_218,
        29,
        capped(21_000_000, 18, 525_000, 1000),
        listed("DRAC", "DRAC (Ordinals)", "drac-ordinals", 0.0034, 1.4e4),
    ),
    token("a/b?", 791_003, 15, uncapped(777_777, 4, 640), listed("A/B?", "A or B?", "a-or-b", 0.08, 2.1e3)),
    token(
        "cats",
        792_774,
        36,
        capped(2_100_000_000_000, 18, 70_000_000_000, 1000),
        listed("CATS", "CATS (BRC-20)", "cats-brc-20", 1.6e-7, 3.3e4),
    ),
    token("sayc", 793_901, 21, capped(8_888_888, 18, 222_222, 1000), listed("SAYC", "SAYC", "sayc", 0.031, 2.7e4)),
    token("zeee", 794_444, 1, zeee(), listed("ZEEE", "Zeee", "zeee", 1_210.0, 44.0)),
    token(
        "roup",
        795_612,
        27,
        capped(1_000_000_000, 18, 25_000_000, 1000),
        listed("ROUP", "ROUP (Ordinals)", "roup", 0.00051, 6.8e4),
    ),
    token(
        "honk",
        796_888,
        19,
        capped(69_420_000, 8, 2_314_000, 771),
        listed("HONK", "Honk", "honk-brc-20", 0.0004, 3.9e3),
    ),
    token("$og$", 797_500, 14, capped(10_000, 2, 400, 1000), listed("$OG$", "OG", "og-brc-20", 2.45, 8.7e3)),
    token(
        "mice",
        799_213,
        48,
        capped(6_942_000_000_000, 18, 231_400_000_000, 1000),
        listed("MICE", "Mice (Ordinals)", "mice", 3.4e-8, 1.2e5),
    ),
    token(
        "ligo",
        801_650,
        30,
        capped(10_000_000, 18, 200_000, 1000),
        listed("LIGO", "LIGO (Ordinals)", "ligo-ordinals", 0.013, 5.6e4),
    ),
    token("gohm", 803_077, 12, capped(1_000, 6, 20, 388), listed("GOHM", "gOHM", "gohm-brc-20", 16.2, 1.2e3)),
    token("bnsx", 804_519, 45, capped(21_000_000, 18, 350_000, 1000), listed("BNSX", "BNSx", "bnsx", 0.11, 2.6e5)),
    token("#&%+", 806_006, 11, uncapped(4_096, 0, 500), listed("#&%+", "Line Noise", "line-noise", 0.55, 710.0)),
    token(
        "hash",
        807_777,
        25,
        capped(210_000_000, 18, 7_000_000, 823),
        listed("HASH", "Hash (BRC-20)", "hash-brc-20", 0.0012, 1.1e4),
    ),
    token(
        "rats",
        809_920,
        60,
        capped(1_000_000_000_000, 18, 40_000_000_000, 1000),
        listed("RATS", "RATS (Ordinals)", "rats-ordinals", 2.28e-5, 12.9e6),
    ),
    token(
        "turt",
        811_340,
        23,
        capped(69_000_000, 18, 2_760_000, 1000),
        listed("TURT", "TurtSat", "turtsat", 0.0019, 1.4e5),
    ),
    token(
        "mubi",
        812_815,
        51,
        capped(1_000_000_000, 18, 40_000_000, 1000),
        listed("MUBI", "Multibit", "multibit", 0.0047, 9.4e5),
    ),
    token(
        "csas",
        814_021,
        43,
        capped(21_000_000, 18, 600_000, 1000),
        listed("CSAS", "CSAS (Ordinals)", "csas-ordinals", 0.038, 1.5e5),
    ),
    token("go d", 815_101, 13, capped(316, 3, 7, 1000), listed("GO D", "Go D", "go-d", 5.05, 1.7e3)),
    token(
        "bear",
        816_240,
        17,
        capped(1_000_000, 18, 40_000, 466),
        listed("BEAR", "Bear (BRC-20)", "bear-brc-20", 0.02, 4.4e3),
    ),
    token(
        "聪1",
        818_018,
        32,
        capped(100_000_000, 8, 4_000_000, 1000),
        listed("聪1", "聪 One", "cong-one", 0.0066, 2.9e4),
    ),
    token(
        "bisq",
        819_419,
        20,
        capped(3_000_000, 18, 100_000, 1000),
        listed("BISQ", "Bisq (BRC-20)", "bisq-brc-20", 0.062, 1.3e4),
    ),
    token(
        "maxi",
        820_500,
        49,
        capped(u64::MAX, 18, 500_000_000_000_000_000, 1000),
        listed("MAXI", "Maximum", "maximum-brc-20", 4.2e-13, 1.9e4),
    ),
    token("btcb", 822_106, 16, capped(21_000, 8, 525, 1000), listed("BTCB", "BTC Bond", "btc-bond", 9.3, 2.2e4)),
    token(
        "long",
        824_017,
        34,
        capped(8_888_888_888, 18, 222_222_222, 1000),
        listed("LONG", "Long (Ordinals)", "long-ordinals", 0.00013, 1.8e5),
    ),
    token(
        "grum",
        826_655,
        38,
        capped(690_000_000, 18, 17_250_000, 1000),
        listed("GRUM", "Grumpy (Ordinals)", "grumpy-ordinals", 0.0011, 1.1e6),
    ),
    token(
        "ainn",
        828_930,
        46,
        capped(21_000_000, 18, 600_000, 1000),
        listed("AINN", "AINN", "artificial-neural-network", 0.067, 7.7e5),
    ),
    token("orsd", 831_200, 10, capped(100_000, 18, 2_000, 254), listed("ORSD", "Ordered", "ordered", 0.19, 640.0)),
    token(
        "wzrd",
        833_612,
        55,
        capped(2_100_000_000, 18, 60_000_000, 1000),
        listed("WZRD", "Wizardia (BRC-20)", "wzrd-brc-20", 0.0031, 6.2e5),
    ),
    token("nook", 835_004, 9, capped(42_000, 1, 1_400, 119), listed("NOOK", "Nook", "nook-brc-20", 0.44, 512.0)),
    token("proto", 838_111, 8, uncapped(u64::MAX, 18, 333), listed("PROTO", "Proto", "proto-brc-20", 5.0e-15, 3.1e3))
        .self_minted(),
    token("$fizz", 841_900, 7, uncapped(1_000_000, 18, 750), listed("$FIZZ", "Fizz", "fizz-brc-20", 0.033, 9.8e3))
        .self_minted(),
    token(
        "𝛑",
        845_314,
        31,
        capped(314_159_265, 18, 8_975_979, 1000),
        listed("PI", "Pi (BRC-20)", "pi-brc-20", 0.0027, 2.3e4),
    ),
    token(
        "mmss",
        851_020,
        28,
        capped(21_000_000, 18, 420_000, 1000),
        listed("MMSS", "MMSS (Ordinals)", "mmss", 0.077, 1.9e5),
    ),
    token("koto", 857_707, 6, capped(5_000, 0, 125, 62), listed("KOTO", "Koto", "koto-brc-20", 0.31, 95.0)),
    token(
        "piin",
        864_215,
        52,
        capped(3_141_592_653, 18, 78_539_816, 1000),
        listed("PIIN", "piin (Ordinals)", "piin", 0.00029, 1.7e5),
    ),
    token(
        "wood",
        872_900,
        24,
        capped(88_000_000, 18, 3_520_000, 548),
        listed("WOOD", "Wood", "wood-brc-20", 0.0008, 2.6e3),
    ),
    token(
        "lune",
        884_061,
        33,
        capped(12_000_000, 12, 300_000, 1000),
        listed("LUNE", "Lune", "lune-brc-20", 0.015, 3.1e4),
    ),
    token(
        "dust",
        897_333,
        50,
        capped(546_000_000, 18, 10_920_000, 1000),
        listed("DUST", "Dust Limit", "dust-limit", 0.00042, 5.9e4),
    ),
    token(
        "quarry",
        914_820,
        29,
        capped(64_000_000, 18, 2_560_000, 883),
        listed("QUARRY", "Quarry", "quarry", 0.0093, 8.2e4),
    ),
    token(
        "lay-2x",
        921_406,
        22,
        capped(10_000_000, 18, 400_000, 701),
        listed("LAY-2X", "Layer 2x", "layer-2x", 0.026, 3.4e4),
    ),
    token(
        "nova",
        938_245,
        5,
        capped(2_100_000, 18, 52_500, 31),
        listed("NOVA", "Nova (BRC-20)", "nova-brc-20", 0.012, 180.0),
    ),
];

const fn token(ticker: &'static str, deploy_height: u64, holders: u8, supply: Supply, listing: Listing) -> DemoToken {
    DemoToken { ticker, deploy_height, holders, self_mint: false, supply, listing }
}

impl DemoToken {
    const fn self_minted(mut self) -> DemoToken {
        self.self_mint = true;
        self
    }
}

const fn units(units: u64) -> Amount {
    Amount::from_atoms(units as u128 * 1_000_000_000_000_000_000)
}

const fn capped(max: u64, decimals: u8, mint_limit: u64, minted_permille: u16) -> Supply {
    Supply { max: units(max), decimals, mint_limit: Some(units(mint_limit)), minted_permille }
}

const fn uncapped(max: u64, decimals: u8, minted_permille: u16) -> Supply {
    Supply { max: units(max), decimals, mint_limit: None, minted_permille }
}

/// The smallest legal supply: a single 10^-18.
const fn zeee() -> Supply {
    let one = Amount::from_atoms(1);
    Supply { max: one, decimals: 18, mint_limit: Some(one), minted_permille: 1000 }
}

const fn listed(
    symbol: &'static str,
    name: &'static str,
    slug: &'static str,
    price_usd: f64,
    volume_usd: f64,
) -> Listing {
    Listing { symbol, name, slug, price_usd, volume_usd }
}

#[cfg(test)]
mod tests {
    use std::collections::HashSet;

    use super::*;

    #[test]
    fn identities_are_unique_and_lower_case() {
        let mut tickers = HashSet::new();
        let mut slugs = HashSet::new();
        let mut symbols = HashSet::new();
        for token in &TOKENS {
            assert_eq!(token.ticker, token.ticker.to_lowercase());
            assert!(tickers.insert(token.ticker) && slugs.insert(token.listing.slug), "{}", token.ticker);
            assert!(symbols.insert(token.listing.symbol), "{}", token.ticker);
        }
    }

    #[test]
    fn tickers_follow_the_rules_of_their_length() {
        for token in &TOKENS {
            match token.ticker.len() {
                4 => {}
                5 => assert!(token.self_mint && token.deploy_height >= 837_090, "{}", token.ticker),
                6 => {
                    assert!(token.ticker.chars().all(|c| c.is_ascii_alphanumeric() || c == '-'));
                    assert!(token.deploy_height >= 912_690, "{}", token.ticker);
                }
                length => panic!("{} has {length} bytes", token.ticker),
            }
        }
    }

    #[test]
    fn rows_are_in_order_of_deployment() {
        assert!(TOKENS.is_sorted_by(|a, b| a.deploy_height < b.deploy_height));
    }

    #[test]
    fn what_is_minted_suffices_for_its_holders() {
        for token in &TOKENS {
            let minted = token.minted().atoms();
            assert!(minted <= token.supply.max.atoms());
            assert!(minted >= u128::from(token.holders) * token.supply.smallest().atoms(), "{}", token.ticker);
            assert!((1..=60).contains(&token.holders));
            assert_eq!(minted % token.supply.smallest().atoms(), 0);
        }
    }

    #[test]
    fn the_extremes_are_there() {
        let find = |ticker: &str| TOKENS.iter().find(|token| token.ticker == ticker).unwrap();
        assert_eq!(find("maxi").minted().atoms(), u128::from(u64::MAX) * 10u128.pow(18));
        assert_eq!(find("zeee").minted().atoms(), 1);
        assert_eq!(find("sats").supply.max.atoms(), 2_100_000_000_000_000 * 10u128.pow(18));
        assert_eq!(find("🔥").supply.decimals, 0);
    }
}
