//! Posts about a coin. Time is divided into slots with at most one post each. The slot determines text and popularity,
//! so that a post stays the same and only its age and likes grow.

use std::sync::OnceLock;

use super::Market;
use super::catalogue::Coin;
use super::money::Money;
use super::pairs::exchanges;
use super::series::DAY;
use crate::model::{PostOrder, UtcTime};
use crate::service::demo::indexer::{Chain, fastest_fee};
use crate::service::demo::noise::{hash, index, pick, significant, unit};

const TEMPLATES: &str = include_str!("../../../../assets/demo/posts.txt");
const AUTHORS: &str = include_str!("../../../../assets/demo/authors.txt");

/// The networks of the authors, the one with the most authors first.
const NETWORKS: [&str; 4] = ["X", "Bluesky", "Mastodon", "X"];

/// Posts per response.
const LATEST: usize = 40;
const TOP: usize = 25;
/// Number of slots from which top posts are chosen.
const TOP_SLOTS: i64 = 240;
/// Seconds after which a post has about two thirds of its likes.
const LIKES_TIME_CONSTANT: f64 = 6.0 * 3_600.0;

/// A post.
#[derive(Clone, Debug)]
pub(crate) struct Post<'a> {
    /// Id.
    pub(crate) id: u64,
    /// Nickname.
    pub(crate) author: &'static str,
    /// The network: always the same for an author.
    pub(crate) network: &'static str,
    /// The text.
    pub(crate) text: String,
    /// Language code.
    pub(crate) language: &'static str,
    /// Likes so far.
    pub(crate) likes: u64,
    /// Comments so far.
    pub(crate) comments: u64,
    /// Reposts so far.
    pub(crate) reposts: u64,
    /// Milliseconds since the epoch.
    pub(crate) posted: i64,
    /// The coin that it is about.
    pub(crate) coin: &'a Coin,
}

/// A post without its text.
#[derive(Clone, Copy)]
struct Seed {
    key: u64,
    posted: i64,
    likes: u64,
}

impl Market {
    /// Posts about these coins, which share a symbol: the newest, or the most liked of the last days, best first.
    pub(crate) fn posts<'a>(&self, coins: &[&'a Coin], order: PostOrder, now: i64) -> Vec<Post<'a>> {
        let Some(slot) = coins.iter().map(|coin| slot_secs(coin)).min() else { return Vec::new() };
        let first = coins.iter().map(|coin| u64::from(coin.id)).min().unwrap_or_default();
        let world = hash(self.seed, (first << 8) | 4);
        let newest = now.div_euclid(slot);
        let seeds = (newest - TOP_SLOTS..=newest).rev().filter_map(|number| seed(world, number, slot, now));
        let chosen: Vec<Seed> = match order {
            PostOrder::Latest => seeds.take(LATEST).collect(),
            PostOrder::Top => {
                let mut all: Vec<Seed> = seeds.collect();
                all.sort_by_key(|seed| std::cmp::Reverse((seed.likes, seed.posted)));
                all.truncate(TOP);
                all
            }
        };
        chosen.into_iter().filter_map(|seed| Some(self.write(seed, pick_coin(seed.key, coins)?))).collect()
    }

    fn write<'a>(&self, seed: Seed, coin: &'a Coin) -> Post<'a> {
        let draw = |salt: u64| hash(seed.key, salt);
        let (language, template) = pick(draw(1), templates());
        let secs = seed.posted.div_euclid(1_000);
        let samples = self.line(coin, Money::USD, &[secs - DAY, secs]);
        let before = samples.first().map_or(1.0, |sample| sample.price);
        let price = samples.last().map_or(1.0, |sample| sample.price);
        let exchange = pick(draw(2), exchanges()).replace('-', " ");
        let height = Chain::new(self.seed).tip(UtcTime::from_millis(seed.posted));
        let text = fill(template, |name| match name {
            "s" => coin.symbol.to_string(),
            "n" => coin.name.to_string(),
            "p" => amount(price, 4),
            "h" => amount(price * (1.03 + 0.15 * unit(draw(3))), 2),
            "l" => amount(price * (0.97 - 0.12 * unit(draw(4))), 2),
            "c" => change(before, price),
            "e" => exchange.clone(),
            "x" => (2 + index(draw(5), 97)).to_string(),
            "f" => fastest_fee(height).to_string(),
            "k" => height.to_string(),
            _ => format!("https://notes.example/{:x}", draw(7) >> 40),
        });
        let author = index(draw(8), authors().len());
        Post {
            id: seed.key >> 24,
            author: authors().get(author).copied().unwrap_or_default(),
            network: NETWORKS.get(author % NETWORKS.len()).copied().unwrap_or_default(),
            text,
            language,
            likes: seed.likes,
            comments: (seed.likes as f64 * 0.3 * unit(draw(9))) as u64,
            reposts: (seed.likes as f64 * 0.15 * unit(draw(10))) as u64,
            posted: seed.posted,
            coin,
        }
    }
}

/// The change from one price to another: `+1.2%`.
fn change(before: f64, price: f64) -> String {
    let percent = (price / before - 1.0) * 100.0;
    // Adding 0 removes the sign of -0.
    format!("{:+.1}%", (percent * 10.0).round() / 10.0 + 0.0)
}

/// Seconds between posts: from five minutes for popular coins to five hours.
fn slot_secs(coin: &Coin) -> i64 {
    let size = ((coin.volume.log10() - 3.0) / 7.0).clamp(0.0, 1.0);
    (300.0 * 60f64.powf(1.0 - size)) as i64
}

/// The post of a slot, if there is one yet.
fn seed(world: u64, number: i64, slot: i64, now: i64) -> Option<Seed> {
    let key = hash(world, number as u64);
    let posted = number * slot * 1_000 + (unit(hash(key, 20)) * slot as f64 * 1_000.0) as i64;
    let age = (now * 1_000 - posted) as f64 / 1_000.0;
    if age < 0.0 || unit(hash(key, 21)) < 0.15 {
        return None;
    }
    // Most posts get few likes, some get many.
    let popularity = 2_500.0 * unit(hash(key, 22)).powi(7) + 40.0 * unit(hash(key, 23));
    Some(Seed { key, posted, likes: (popularity * (1.0 - (-age / LIKES_TIME_CONSTANT).exp())) as u64 })
}

fn pick_coin<'a>(key: u64, coins: &[&'a Coin]) -> Option<&'a Coin> {
    coins.get(index(hash(key, 24), coins.len())).copied()
}

fn templates() -> &'static [(&'static str, &'static str)] {
    static READ: OnceLock<Vec<(&str, &str)>> = OnceLock::new();
    READ.get_or_init(|| {
        let posts = TEMPLATES.split("\n= ").skip(1);
        posts.filter_map(|post| post.split_once('\n')).map(|(language, text)| (language, text.trim_end())).collect()
    })
}

fn authors() -> &'static [&'static str] {
    static READ: OnceLock<Vec<&str>> = OnceLock::new();
    READ.get_or_init(|| AUTHORS.lines().collect())
}

/// Replaces each `{name}` with its value.
fn fill(template: &str, value: impl Fn(&str) -> String) -> String {
    let mut text = String::with_capacity(template.len() + 32);
    let mut rest = template;
    while let Some((before, after)) = rest.split_once('{') {
        text.push_str(before);
        let Some((name, after)) = after.split_once('}') else { break };
        text.push_str(&value(name));
        rest = after;
    }
    text.push_str(rest);
    text
}

/// Formats a price as in a post.
fn amount(price: f64, digits: i32) -> String {
    let rounded = significant(price, digits);
    if rounded >= 1_000.0 { format!("${rounded:.0}") } else { format!("${rounded}") }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::service::demo::indexer::World;

    #[test]
    fn every_template_can_be_filled() {
        assert!(templates().len() >= 40, "{}", templates().len());
        for (language, template) in templates() {
            assert_eq!(language.len(), 2, "{template}");
            let text = fill(template, |_| String::from("x"));
            assert!(!text.contains('{') && !text.contains('}') && !text.is_empty(), "{text}");
        }
    }

    #[test]
    fn post_stays_the_same_and_gains_likes() {
        let market = Market::new(9);
        let coins = market.by_symbol("ORDI");
        let now = 1_795_075_200;
        let early = market.posts(&coins, PostOrder::Latest, now);
        let late = market.posts(&coins, PostOrder::Latest, now + 3_600);
        let both: Vec<_> = early.iter().filter_map(|a| Some((a, late.iter().find(|b| b.id == a.id)?))).collect();
        assert!(!both.is_empty());
        let network = |author: &str| early.iter().find(|post| post.author == author).map(|post| post.network);
        assert!(late.iter().all(|post| network(post.author).is_none_or(|network| network == post.network)));
        assert!(NETWORKS.iter().all(|network| late.iter().any(|post| post.network == *network)));
        assert!(both.iter().all(|(a, b)| a.text == b.text && a.posted == b.posted && a.likes <= b.likes));
    }

    #[test]
    fn posts_name_the_fee_rate_of_their_time() {
        let (market, world) = (Market::new(9), World::new(9));
        let coins: Vec<&Coin> = market.by_symbol("BTC");
        let mut named = 0;
        for day in 0..30 {
            for post in market.posts(&coins, PostOrder::Latest, 1_795_075_200 + day * DAY) {
                let chain = world.at(UtcTime::from_millis(post.posted)).chain_state();
                if let Some((fee, _)) = post.text.strip_prefix("Fees at ").and_then(|text| text.split_once(' ')) {
                    assert_eq!(chain.fees.and_then(|fees| fees.fastest), fee.parse().ok(), "{}", post.text);
                    named += 1;
                }
            }
        }
        assert!(named > 3, "{named}");
    }

    #[test]
    fn changes_in_posts_have_no_negative_zero() {
        assert_eq!(change(1.0, 0.9999), "+0.0%");
        assert_eq!(change(2.0, 1.9), "-5.0%");
        assert_eq!(change(2.0, 2.1), "+5.0%");
    }

    #[test]
    fn prices_in_posts_are_rounded() {
        assert_eq!(amount(61_234.5, 4), "$61230");
        assert_eq!(amount(8.4127, 4), "$8.413");
        assert_eq!(amount(7.3e-8, 2), "$0.000000073");
    }
}
