//! Content of inscriptions: BRC-20 JSON or small pieces of art.

use super::picture;
use crate::model::Amount;
use crate::service::demo::indexer::addresses::{AddressId, POOL};
use crate::service::demo::indexer::ledger::event::{Action, Event};
use crate::service::demo::indexer::random::{Random, hash};
use crate::service::demo::tokens::DemoToken;

/// An inscription that is not a BRC-20 event, determined by its index.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Art {
    /// Type of content.
    pub(crate) kind: Kind,
    /// Inscriber.
    pub(crate) author: AddressId,
    /// Whether its output has no address.
    pub(crate) has_no_address: bool,
    /// Index of its parent.
    pub(crate) parent: Option<u64>,
    /// Index of an inscription that it embeds.
    pub(crate) shows: Option<u64>,
    /// Random number for other properties.
    pub(crate) chance: u64,
}

/// Types of content.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Kind {
    /// A line of text.
    Text,
    /// A drawing.
    Svg,
    /// A small image.
    Png,
    /// An HTML page.
    Html,
    /// JSON.
    Json,
}

const KINDS: [Kind; 10] =
    [Kind::Png, Kind::Png, Kind::Png, Kind::Text, Kind::Text, Kind::Text, Kind::Svg, Kind::Svg, Kind::Html, Kind::Json];

const LINES: [&str; 8] = [
    "gm",
    "hello from the mempool",
    "not your keys, not your sats",
    "fees are low tonight",
    "one sat, one voice",
    "聪明钱",
    "🟧 stacking 🟧",
    "rare sats only",
];

impl Kind {
    /// MIME type with parameters.
    pub(crate) fn content_type(self) -> &'static str {
        match self {
            Kind::Text => "text/plain;charset=utf-8",
            Kind::Svg => "image/svg+xml",
            Kind::Png => "image/png",
            Kind::Html => "text/html;charset=utf-8",
            Kind::Json => "application/json",
        }
    }

    /// MIME type without parameters.
    pub(crate) fn mime_type(self) -> &'static str {
        self.content_type().split(';').next().unwrap_or_default()
    }
}

impl Art {
    /// The art at an index.
    pub(crate) fn at(seed: u64, index: u64) -> Art {
        let mut random = Random::new(hash(seed, index ^ 0xA27_0000_0000));
        let kind = KINDS.get(random.below(KINDS.len() as u64) as usize).copied().unwrap_or(Kind::Text);
        let author = random.below(POOL as u64) as AddressId;
        let earlier = |random: &mut Random| index.checked_sub(1 + random.below(index.min(60)));
        let shown = earlier(&mut random).filter(|_| random.chance(500));
        let shows = shown.filter(|_| matches!(kind, Kind::Svg | Kind::Html));
        let parent = earlier(&mut random).filter(|_| random.chance(110));
        let has_no_address = random.chance(25);
        Art { kind, author, has_no_address, parent, shows, chance: random.next() }
    }

    /// The bytes; `shown` is the id of the embedded inscription.
    pub(crate) fn content(&self, shown: Option<&str>) -> Vec<u8> {
        let colour = self.chance & 0xff_ffff;
        let image = shown.map(|id| format!("<image href=\"/content/{id}\"/>")).unwrap_or_default();
        match self.kind {
            Kind::Text => self.line().as_bytes().to_vec(),
            Kind::Svg => format!(
                "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 8 8\">\
                 <rect width=\"8\" height=\"8\" fill=\"#{colour:06x}\"/>{image}</svg>"
            )
            .into_bytes(),
            Kind::Png => picture::png(self.chance),
            Kind::Html => {
                let image = shown.map(|id| format!("<img src=/content/{id}>")).unwrap_or_default();
                format!("<!doctype html><title>{}</title><body style=background:#{colour:06x}>{image}", self.line())
                    .into_bytes()
            }
            Kind::Json => format!("{{\"seed\":{colour},\"line\":\"{}\"}}", self.line()).into_bytes(),
        }
    }

    fn line(&self) -> &'static str {
        LINES.get((self.chance >> 32) as usize % LINES.len()).copied().unwrap_or_default()
    }
}

/// The JSON of a BRC-20 inscription. `amount` is in whole units.
pub(crate) fn brc20_content(event: &Event, token: &DemoToken, amount: &str) -> String {
    let tick = token.ticker;
    match event.action {
        Action::Deploy => {
            let max = units(token.supply.max.atoms());
            let limit = token.supply.mint_limit.map(|limit| format!(",\"lim\":\"{}\"", units(limit.atoms())));
            let decimals = match token.supply.decimals {
                18 => String::new(),
                decimals => format!(",\"dec\":\"{decimals}\""),
            };
            let self_mint = if token.self_mint { ",\"self_mint\":\"true\"" } else { "" };
            let limit = limit.unwrap_or_default();
            format!(
                "{{\"p\":\"brc-20\",\"op\":\"deploy\",\"tick\":\"{tick}\",\"max\":\"{max}\"{limit}{decimals}{self_mint}}}"
            )
        }
        Action::Mint => format!("{{\"p\":\"brc-20\",\"op\":\"mint\",\"tick\":\"{tick}\",\"amt\":\"{amount}\"}}"),
        Action::Transfer | Action::Send => {
            format!("{{\"p\":\"brc-20\",\"op\":\"transfer\",\"tick\":\"{tick}\",\"amt\":\"{amount}\"}}")
        }
    }
}

/// Formats an amount as an integer if possible, otherwise with 18 decimals.
fn units(atoms: u128) -> String {
    const UNIT: u128 = Amount::UNIT.atoms();
    match (atoms / UNIT, atoms % UNIT) {
        (units, 0) => units.to_string(),
        (units, rest) => format!("{units}.{rest:018}"),
    }
}
