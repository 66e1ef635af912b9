//! One inscription as an answer: all that its index tells.

use ordinals::Sat;
use serde_json::json;

use super::addresses::AddressId;
use super::answer::{Inscription, InscriptionTransfer, Location, Paged};
use super::brc20::decimal;
use super::ids::Tx;
use super::inscriptions::{Art, Inscribed, brc20_content};
use super::{Moment, Page};
use crate::service::demo::tokens::TOKENS;

const CURSES: [&str; 4] = ["p2wsh", "reinscription", "not_in_first_input", "not_at_offset_zero"];

impl Moment<'_> {
    /// The inscription with this id or number, if its block is found.
    pub(super) fn inscribed(&self, id_or_number: &str) -> Option<Inscribed<'_>> {
        let index = match id_or_number.parse::<i64>() {
            Ok(number) => self.world.inscriptions.numbered(number)?,
            Err(_) => self.world.ids.index_of(id_or_number)?,
        };
        let inscribed = self.world.inscriptions.get(index, &self.world.ledger)?;
        (inscribed.height <= self.tip).then_some(inscribed)
    }

    /// An inscription by id or number.
    pub(crate) fn inscription(&self, id_or_number: &str) -> Option<Inscription> {
        self.inscribed(id_or_number).map(|inscribed| self.describe(&inscribed))
    }

    /// The type and the bytes of its content.
    pub(crate) fn content(&self, id_or_number: &str) -> Option<(&'static str, Vec<u8>)> {
        let inscribed = self.inscribed(id_or_number)?;
        Some(self.content_of(&inscribed, &self.art(&inscribed)))
    }

    /// Where it has been, newest first.
    pub(crate) fn locations(&self, id_or_number: &str, page: Page) -> Option<Paged<Location>> {
        let inscribed = self.inscribed(id_or_number)?;
        let moved = self.moved(&inscribed).map(|_| self.location(&inscribed, Tx::Move));
        Some(page.of(moved.into_iter().chain([self.location(&inscribed, Tx::Genesis)]).collect()))
    }

    /// An inscription that has moved, with both places.
    pub(super) fn transfer(&self, inscribed: &Inscribed<'_>) -> InscriptionTransfer {
        InscriptionTransfer {
            id: self.world.ids.inscription(inscribed.index),
            number: inscribed.number,
            from: self.location(inscribed, Tx::Genesis),
            to: self.location(inscribed, Tx::Move),
        }
    }

    /// All fields.
    pub(super) fn describe(&self, inscribed: &Inscribed<'_>) -> Inscription {
        let art = self.art(inscribed);
        let (content_type, content) = self.content_of(inscribed, &art);
        let genesis = self.location(inscribed, Tx::Genesis);
        let moved = self.moved(inscribed);
        let now = self.location(inscribed, if moved.is_some() { Tx::Move } else { Tx::Genesis });
        let sat = Sat(inscribed.sat);
        let is_art = inscribed.event.is_none();
        let shows = art.shows.filter(|_| is_art);
        let curse = CURSES.get((art.chance % 4) as usize).copied();
        Inscription {
            id: self.world.ids.inscription(inscribed.index),
            number: inscribed.number,
            address: self.owner(inscribed).map(|owner| self.world.addresses.get(owner).to_owned()),
            genesis_address: genesis.address,
            genesis_block_height: genesis.block_height,
            genesis_block_hash: genesis.block_hash,
            genesis_tx_id: genesis.tx_id,
            genesis_fee: (800 + art.chance % 40_000).to_string(),
            genesis_timestamp: genesis.timestamp,
            tx_id: now.tx_id,
            location: now.location,
            output: now.output,
            value: now.value,
            offset: now.offset,
            sat_ordinal: inscribed.sat.to_string(),
            sat_rarity: sat.rarity().to_string(),
            sat_coinbase_height: sat.height().n(),
            mime_type: content_type.split(';').next().unwrap_or_default(),
            content_type,
            content_length: content.len(),
            timestamp: now.timestamp,
            curse_type: curse.filter(|_| inscribed.number < 0),
            recursive: shows.is_some(),
            recursion_refs: shows.map(|shown| vec![self.world.ids.inscription(shown)]),
            parent: art.parent.filter(|_| is_art).map(|parent| self.world.ids.inscription(parent)),
            metadata: (is_art && art.titled).then(|| json!({"title": format!("No. {}", art.chance % 10_000)})),
        }
    }

    /// What it is besides a BRC-20 event.
    pub(super) fn art(&self, inscribed: &Inscribed<'_>) -> Art {
        Art::at(self.world.seed, inscribed.index)
    }

    /// Who inscribed it.
    pub(super) fn author(&self, inscribed: &Inscribed<'_>) -> AddressId {
        inscribed.event.map_or_else(|| self.art(inscribed).author, |event| event.from)
    }

    /// Who has it now; `None` where no address can be named.
    pub(super) fn owner(&self, inscribed: &Inscribed<'_>) -> Option<AddressId> {
        if inscribed.event.is_none() && self.art(inscribed).nowhere {
            return None;
        }
        Some(self.moved(inscribed).map_or_else(|| self.author(inscribed), |(_, to)| to))
    }

    /// The block in which it has moved on, and to whom.
    pub(super) fn moved(&self, inscribed: &Inscribed<'_>) -> Option<(u64, AddressId)> {
        inscribed.moved.filter(|(height, _)| *height <= self.tip)
    }

    fn content_of(&self, inscribed: &Inscribed<'_>, art: &Art) -> (&'static str, Vec<u8>) {
        let token = inscribed.event.and_then(|event| Some((event, TOKENS.get(usize::from(event.token))?)));
        match token {
            Some((event, token)) => {
                let amount = decimal(event.amount, token.supply.decimals);
                let amount =
                    if amount.contains('.') { amount.trim_end_matches('0').trim_end_matches('.') } else { &amount };
                ("text/plain;charset=utf-8", brc20_content(event, token, amount).into_bytes())
            }
            None => {
                let shown = art.shows.map(|shown| self.world.ids.inscription(shown));
                (art.kind.content_type(), art.content(shown.as_deref()))
            }
        }
    }

    /// Where it was inscribed, or where it moved to.
    fn location(&self, inscribed: &Inscribed<'_>, tx: Tx) -> Location {
        let genesis = (inscribed.height, Some(self.author(inscribed)));
        let (height, address) = match tx {
            Tx::Genesis => genesis,
            Tx::Move => inscribed.moved.map_or(genesis, |(height, _)| (height, self.owner(inscribed))),
        };
        let tx_id = self.world.ids.tx(tx, inscribed.index);
        let value =
            if inscribed.event.is_none() && self.art(inscribed).chance.is_multiple_of(3) { "10000" } else { "546" };
        Location {
            block_height: height,
            block_hash: self.world.chain.hash(height),
            address: address.map(|address| self.world.addresses.get(address).to_owned()),
            location: format!("{tx_id}:0:0"),
            output: format!("{tx_id}:0"),
            tx_id,
            value: Some(value.to_owned()),
            offset: Some(String::from("0")),
            timestamp: self.world.chain.time(height).millis(),
        }
    }
}
