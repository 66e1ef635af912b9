//! The simulated BRC-20 tokens: a table shared by market and indexer, so that they are consistent.
//!
//! Most tickers look real, some are unusual, since any UTF-8 except NUL is valid in a ticker of four bytes: `🔥`,
//! `a/b?`, `#&%+`, one with a space, Chinese. Tickers of five bytes are self-mint tokens (since block 837,090), tickers
//! of six letters, digits or dashes are BRC2.0 (since block 912,690). The table is `assets/demo/tokens.txt`.

use std::sync::LazyLock;

use super::lines;
use crate::model::Amount;

/// A simulated BRC-20 token.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct DemoToken {
    /// Id: the ticker in lower case.
    pub ticker: &'static str,
    /// Block of the deploy; unique, and the order of the table.
    pub deploy_height: u64,
    /// Number of holders, 1 to 60.
    pub holders: u8,
    /// Whether only the deployer can mint.
    pub self_mint: bool,
    /// Supply.
    pub supply: Supply,
    /// Market listing.
    pub listing: Listing,
}

/// Supply of a token.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Supply {
    /// Maximum supply.
    pub max: Amount,
    /// Decimals, 0 to 18.
    pub decimals: u8,
    /// Mint limit, if any.
    pub mint_limit: Option<Amount>,
    /// Minted share of the maximum supply in thousandths.
    pub minted_permille: u16,
}

/// Market listing of a token.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Listing {
    /// Symbol, unique among these tokens only.
    pub symbol: &'static str,
    /// Display name.
    pub name: &'static str,
    /// Slug.
    pub slug: &'static str,
    /// Average price in US dollars.
    pub price_usd: f64,
    /// Average 24-hour volume in US dollars.
    pub volume_usd: f64,
}

impl DemoToken {
    /// Minted supply, a multiple of the smallest amount.
    pub fn minted(&self) -> Amount {
        let (max, permille) = (self.supply.max.atoms(), u128::from(self.supply.minted_permille));
        let share = max / 1000 * permille + max % 1000 * permille / 1000;
        Amount::from_atoms(share - share % self.supply.smallest().atoms())
    }

    /// Minted supply in whole units, for market caps.
    pub fn minted_units(&self) -> f64 {
        self.minted().atoms() as f64 / 1e18
    }
}

impl Supply {
    /// The smallest unit by the token's decimals.
    pub fn smallest(&self) -> Amount {
        Amount::from_atoms(10u128.pow(18 - u32::from(self.decimals.min(18))))
    }
}

/// The tokens, oldest first.
pub static TOKENS: LazyLock<Vec<DemoToken>> = LazyLock::new(|| lines(TABLE).filter_map(token).collect());

const TABLE: &str = include_str!("../../../assets/demo/tokens.txt");

/// One line of the table.
fn token(line: &'static str) -> Option<DemoToken> {
    let mut fields = line.split('|');
    let mut next = || fields.next();
    let deploy_height = next()?.parse().ok()?;
    let ticker = next()?;
    let holders = next()?.parse().ok()?;
    let supply = Supply {
        max: next()?.parse().ok()?,
        decimals: next()?.parse().ok()?,
        mint_limit: match next()? {
            "-" => None,
            limit => Some(limit.parse().ok()?),
        },
        minted_permille: next()?.parse().ok()?,
    };
    let (symbol, name, slug) = (next()?, next()?, next()?);
    let listing = Listing { symbol, name, slug, price_usd: next()?.parse().ok()?, volume_usd: next()?.parse().ok()? };
    Some(DemoToken { ticker, deploy_height, holders, self_mint: ticker.len() == SELF_MINTED, supply, listing })
}

/// Bytes of the tickers that only their deployers mint.
const SELF_MINTED: usize = 5;

#[cfg(test)]
mod tests {
    use std::collections::HashSet;

    use super::*;

    #[test]
    fn every_line_of_the_table_is_a_token() {
        assert_eq!(TOKENS.len(), lines(TABLE).count());
        assert_eq!(TOKENS.len(), 60);
    }

    #[test]
    fn identities_are_unique_and_lower_case() {
        let mut tickers = HashSet::new();
        let mut slugs = HashSet::new();
        let mut symbols = HashSet::new();
        for token in TOKENS.iter() {
            assert_eq!(token.ticker, token.ticker.to_lowercase());
            assert!(tickers.insert(token.ticker) && slugs.insert(token.listing.slug), "{}", token.ticker);
            assert!(symbols.insert(token.listing.symbol), "{}", token.ticker);
        }
    }

    #[test]
    fn tickers_follow_the_rules_of_their_length() {
        for token in TOKENS.iter() {
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
    fn minted_supply_covers_all_holders() {
        for token in TOKENS.iter() {
            let minted = token.minted().atoms();
            assert!(minted <= token.supply.max.atoms());
            assert!(minted >= u128::from(token.holders) * token.supply.smallest().atoms(), "{}", token.ticker);
            assert!((1..=60).contains(&token.holders));
            assert_eq!(minted % token.supply.smallest().atoms(), 0);
        }
    }

    #[test]
    fn tokens_include_the_extreme_supplies() {
        let find = |ticker: &str| TOKENS.iter().find(|token| token.ticker == ticker).unwrap();
        assert_eq!(find("maxi").minted().atoms(), u128::from(u64::MAX) * 10u128.pow(18));
        assert_eq!(find("zeee").minted().atoms(), 1);
        assert_eq!(find("sats").supply.max.atoms(), 2_100_000_000_000_000 * 10u128.pow(18));
        assert_eq!(find("🔥").supply.decimals, 0);
    }
}
