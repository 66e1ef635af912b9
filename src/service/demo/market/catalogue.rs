//! The coins: well-known ones, the Bitcoin ecosystem, the BRC-20 tokens of the simulated indexer, some with unusual
//! names, and many invented ones.

use super::super::lines;
use super::super::noise::{hash, index, pick, signed, significant, unit};
use super::super::tokens::{DemoToken, TOKENS};
use crate::model::Text;

/// Fixed properties of a coin.
#[derive(Debug)]
pub(crate) struct Coin {
    /// Id, from 1.
    pub(crate) id: u32,
    /// Ticker; several coins may share it.
    pub(crate) symbol: Text,
    /// Display name.
    pub(crate) name: Text,
    /// Slug; unique.
    pub(crate) slug: Text,
    /// The platform; `None` for a coin with its own chain.
    pub(crate) platform: Option<&'static str>,
    /// Category slugs.
    pub(crate) tags: Vec<&'static str>,
    /// The BRC-20 token of the coin.
    pub(crate) token: Option<&'static DemoToken>,
    /// Average price in US dollars.
    pub(crate) price: f64,
    /// Average 24-hour volume in US dollars.
    pub(crate) volume: f64,
    /// The coin's own daily volatility, as a fraction.
    pub(crate) daily: f64,
    /// Correlation with the whole market, as a factor.
    pub(crate) beta: f64,
    /// Whether it is wrapped bitcoin and follows its price.
    pub(crate) wraps_bitcoin: bool,
    /// Circulating supply; unknown for unranked coins.
    pub(crate) circulating: Option<f64>,
    /// Total supply.
    pub(crate) total: Option<f64>,
    /// Maximum supply, if any.
    pub(crate) max: Option<f64>,
    /// Whether it is too illiquid for percentage changes.
    pub(crate) changes_known: bool,
    /// Time of its first quote in seconds since the epoch.
    pub(crate) launched: i64,
}

const KNOWN: &str = include_str!("../../../../assets/demo/coins.txt");
const ODD: &str = include_str!("../../../../assets/demo/odd-coins.txt");
const WORDS: &str = include_str!("../../../../assets/demo/words.txt");

/// Number of invented coins.
const INVENTED: u64 = 1_050;

/// Fixed seed of the catalogue, so that names and ids don't depend on the seed of the world.
const KEY: u64 = 0x5a75;

const DAY: i64 = 86_400;
/// 2010-07-13, the first day on which Bitcoin had a price.
pub(super) const FIRST_QUOTE: i64 = 1_278_979_200;
/// First block with runes.
const FIRST_RUNES: u64 = 840_000;
/// 2024-06-01. Launches are earlier, so that series are rarely cut short.
const LAST_LAUNCH: i64 = 1_717_200_000;

/// All coins, by id.
pub(crate) fn coins() -> Vec<Coin> {
    let mut coins: Vec<Coin> = Vec::with_capacity(1_300);
    coins.extend(lines(KNOWN).filter_map(known));
    coins.extend(TOKENS.iter().map(brc20));
    coins.extend(lines(ODD).filter_map(odd));
    let words = Words {
        first: words("first"),
        second: words("second"),
        category: words("category"),
        platform: words("platform"),
    };
    coins.extend((0..INVENTED).map(|number| invented(number, &words)));
    let mut taken = std::collections::HashSet::with_capacity(coins.len());
    for (place, coin) in coins.iter_mut().enumerate() {
        coin.id = place as u32 + 1;
        if !taken.insert(coin.slug.clone()) {
            coin.slug = Text::from(format!("{}-{}", coin.slug, coin.id));
            taken.insert(coin.slug.clone());
        }
        let age = unit(hash(KEY ^ 11, u64::from(coin.id)));
        let earliest = match coin.token {
            _ if coin.id == 1 => continue,
            Some(token) => block_time(token.deploy_height),
            None if coin.tags.contains(&"runes") => block_time(FIRST_RUNES),
            None => FIRST_QUOTE + 2 * 365 * DAY,
        };
        let latest = if coin.token.is_some() { earliest + 30 * DAY } else { LAST_LAUNCH };
        coin.launched = (earliest + ((latest - earliest) as f64 * age) as i64) / DAY * DAY;
    }
    coins
}

/// Word lists for invented coins.
struct Words {
    first: Vec<&'static str>,
    second: Vec<&'static str>,
    category: Vec<&'static str>,
    platform: Vec<&'static str>,
}

/// Approximate time of a block in seconds since the epoch, at ten minutes per block.
fn block_time(height: u64) -> i64 {
    1_713_571_767 + (height as i64 - FIRST_RUNES as i64) * 600
}

/// The words of a kind in `assets/demo/words.txt`.
pub(crate) fn words(kind: &str) -> Vec<&'static str> {
    lines(WORDS)
        .filter_map(|line| line.split_once(':'))
        .filter(|(name, _)| *name == kind)
        .flat_map(|(_, words)| words.split_whitespace())
        .collect()
}

/// Converts a name to a slug: ASCII lower-case letters and digits, joined by dashes.
fn slug(name: &str) -> Text {
    let lower: String =
        name.chars().map(|c| if c.is_ascii_alphanumeric() { c.to_ascii_lowercase() } else { ' ' }).collect();
    let joined = lower.split_whitespace().collect::<Vec<_>>().join("-");
    Text::from(if joined.is_empty() { String::from("token") } else { joined })
}

/// One line of `assets/demo/coins.txt`.
fn known(line: &'static str) -> Option<Coin> {
    let mut fields = line.split('|').map(str::trim);
    let mut next = || fields.next();
    let (symbol, name, slug) = (next()?, next()?, next()?);
    let (price, circulating) = (next()?.parse().ok()?, next()?.parse::<f64>().ok()?);
    let max = next()?.parse().ok();
    let (volume, moves) = (next()?.parse().ok()?, next()?.parse::<f64>().ok()?);
    let platform = Some(next()?).filter(|platform| *platform != "-");
    let tags: Vec<&str> = next()?.split_whitespace().collect();
    let (stable, wrapped) = (tags.contains(&"stablecoin"), tags.contains(&"wrapped"));
    // All mined coins circulate.
    let total = if tags.contains(&"mineable") { circulating } else { circulating * 1.04 };
    Some(Coin {
        platform,
        beta: if stable { 0.0 } else { 1.0 },
        daily: moves / 100.0,
        wraps_bitcoin: wrapped,
        total: Some(max.map_or(circulating, |max: f64| total.min(max))),
        max,
        tags,
        ..coin(symbol, name, slug, price, circulating, volume)
    })
}

fn brc20(token: &'static DemoToken) -> Coin {
    let listing = &token.listing;
    let key = hash(KEY ^ 3, token.deploy_height);
    let minted = token.minted_units();
    let mut tags = vec!["bitcoin-ecosystem", "brc-20"];
    if unit(key) < 0.6 {
        tags.push("memes");
    }
    Coin {
        platform: Some("Bitcoin"),
        tags,
        token: Some(token),
        daily: 0.045 + 0.04 * unit(hash(key, 1)),
        beta: 0.8 + 0.7 * unit(hash(key, 2)),
        max: Some(token.supply.max.atoms() as f64 / 1e18),
        ..coin(listing.symbol, listing.name, listing.slug, listing.price_usd, minted, listing.volume_usd)
    }
}

fn odd(line: &'static str) -> Option<Coin> {
    let (symbol, name) = line.split_once('|')?;
    let key = hash(KEY ^ 5, name.len() as u64 * 1_000 + symbol.len() as u64);
    let (price, cap) = (10f64.powf(-6.0 + 6.0 * unit(key)), 10f64.powf(5.0 + 2.5 * unit(hash(key, 1))));
    let circulating = significant(cap / price, 3);
    Some(Coin {
        platform: Some("Ethereum"),
        tags: vec!["memes"],
        daily: 0.08,
        ..coin(symbol, name, &slug(name), significant(price, 4), circulating, cap * 0.06)
    })
}

fn invented(number: u64, words: &Words) -> Coin {
    let key = hash(KEY ^ 7, number);
    let draw = |salt: u64| hash(key, salt);
    let (head, tail) = (pick(draw(1), &words.first), pick(draw(2), &words.second));
    let name = match index(draw(3), 5) {
        0 => format!("{head}{}", tail.to_lowercase()),
        1 => format!("{head} {tail} {}", pick(draw(4), &["Protocol", "Network", "Token", "DAO", "Finance"])),
        _ => format!("{head} {tail}"),
    };
    // Symbols of three or four letters collide occasionally, as in the real world.
    let letters = 2 + index(draw(5), 2);
    let symbol: String = head.chars().take(letters).chain(tail.chars().take(4 - letters.min(3))).collect();
    let stable = number.is_multiple_of(61);
    let price = if stable { 1.0 } else { significant(10f64.powf(-8.0 + 10.5 * unit(draw(6)).powf(0.7)), 4) };
    // From 200 million down to 20 thousand dollars on a logarithmic scale.
    let cap = 2e8 * 1e-4f64.powf(number as f64 / INVENTED as f64) * (1.0 + 0.3 * signed(draw(7)));
    let circulating = significant(cap / price, 4);
    let locked = 1.0 + 2.0 * unit(draw(8));
    let ranked = !number.is_multiple_of(37) || number == 0;
    let own_chain = unit(draw(10)) < 0.25 && !stable;
    Coin {
        platform: (!own_chain).then(|| pick(draw(11), &words.platform)),
        tags: if stable { vec!["stablecoin"] } else { categories(draw(9), &words.category) },
        daily: if stable { 0.000_3 } else { 0.02 + 0.07 * unit(draw(12)) },
        beta: if stable { 0.0 } else { 0.5 + unit(draw(13)) },
        circulating: ranked.then_some(circulating),
        total: ranked.then_some(significant(circulating * locked, 4)),
        max: (unit(draw(14)) < 0.6 && !stable).then_some(significant(circulating * locked * 1.1, 3)),
        changes_known: !number.is_multiple_of(53) || number == 0,
        ..coin(
            &symbol.to_uppercase(),
            &name,
            &slug(&name),
            price,
            circulating,
            cap * 10f64.powf(-3.0 + 2.2 * unit(draw(15))),
        )
    }
}

/// One to three categories.
fn categories(key: u64, all: &[&'static str]) -> Vec<&'static str> {
    let mut tags: Vec<&str> = (0..1 + index(key, 3) as u64).map(|i| pick(hash(key, i + 1), all)).collect();
    tags.sort_unstable();
    tags.dedup();
    tags
}

impl Coin {
    /// Fallback for an empty catalogue.
    pub(super) fn bitcoin() -> Coin {
        Coin { id: 1, ..coin("BTC", "Bitcoin", "bitcoin", 61_234.1, 19.94e6, 23.1e9) }
    }
}

/// A coin with common defaults.
fn coin(symbol: &str, name: &str, slug: &str, price: f64, circulating: f64, volume: f64) -> Coin {
    Coin {
        id: 0,
        symbol: Text::from(symbol),
        name: Text::from(name),
        slug: Text::from(slug),
        platform: None,
        tags: Vec::new(),
        token: None,
        price,
        volume,
        daily: 0.05,
        beta: 1.0,
        wraps_bitcoin: false,
        circulating: Some(circulating),
        total: Some(circulating),
        max: None,
        changes_known: true,
        launched: FIRST_QUOTE,
    }
}

#[cfg(test)]
mod tests {
    use std::collections::HashSet;

    use super::*;

    #[test]
    fn catalogue_has_enough_coins_of_each_kind() {
        let coins = coins();
        let tagged = |tag: &str| coins.iter().filter(|coin| coin.tags.contains(&tag)).count();
        assert!(coins.len() >= 1_200, "{}", coins.len());
        assert_eq!(tagged("brc-20"), 60);
        assert!(tagged("bitcoin-ecosystem") >= 120, "{}", tagged("bitcoin-ecosystem"));
        assert!(coins.iter().filter(|coin| coin.circulating.is_none()).count() >= 20);
        assert!(coins.iter().filter(|coin| !coin.changes_known).count() >= 15);
        assert!(coins.iter().filter(|coin| coin.max.is_none()).count() >= 300);
    }

    #[test]
    fn every_table_line_is_a_coin() {
        assert_eq!(lines(KNOWN).filter_map(known).count(), lines(KNOWN).count());
        assert_eq!(lines(ODD).filter_map(odd).count(), lines(ODD).count());
    }

    #[test]
    fn slugs_are_unique_and_symbols_are_not() {
        let coins = coins();
        let slugs: HashSet<&str> = coins.iter().map(|coin| coin.slug.as_str()).collect();
        let symbols: HashSet<&str> = coins.iter().map(|coin| coin.symbol.as_str()).collect();
        assert_eq!(slugs.len(), coins.len());
        assert!(symbols.len() + 50 < coins.len(), "{} of {}", symbols.len(), coins.len());
    }

    #[test]
    fn symbols_contain_no_comma() {
        assert!(coins().iter().all(|coin| !coin.symbol.contains(',')));
    }

    #[test]
    fn all_mined_coins_circulate() {
        let coins = coins();
        let mined: Vec<_> = coins.iter().filter(|coin| coin.tags.contains(&"mineable")).collect();
        assert!(mined.len() > 5 && mined.iter().all(|coin| coin.total == coin.circulating), "{mined:?}");
    }

    #[test]
    fn catalogue_values_are_plausible() {
        for coin in coins() {
            assert!(coin.price > 0.0 && coin.volume > 0.0 && coin.daily > 0.0, "{coin:?}");
            if let (Some(circulating), Some(max)) = (coin.circulating, coin.max) {
                assert!(circulating <= max * 1.000_001, "{coin:?}");
            }
        }
    }
}
