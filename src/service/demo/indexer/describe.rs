//! Single inscriptions, derived from their index.

use ordinals::{Charm, Sat};

use super::addresses::AddressId;
use super::ids::Tx;
use super::inscriptions::{Art, Inscribed, brc20_content};
use super::{Moment, map};
use crate::model::{Amount, Inscription, InscriptionRef, Page, SatNumber, Text};
use crate::service::backend::indexer::{Content, InscriptionLocation, InscriptionTransfer, PageQuery};
use crate::service::demo::tokens::TOKENS;

const CURSES: [&str; 4] = ["p2wsh", "reinscription", "not_in_first_input", "not_at_offset_zero"];

impl Moment<'_> {
    /// An inscription up to the newest block.
    pub(super) fn inscribed(&self, inscription: &InscriptionRef) -> Option<Inscribed<'_>> {
        let index = match inscription {
            InscriptionRef::Number(number) => self.world.inscriptions().numbered(*number)?,
            InscriptionRef::Id(id) => self.world.index_of_id(id)?,
        };
        let inscribed = self.world.inscriptions().get(index, self.world.ledger())?;
        (inscribed.height <= self.tip).then_some(inscribed)
    }

    /// An inscription by id or number.
    pub(crate) fn inscription(&self, inscription: &InscriptionRef) -> Option<Inscription> {
        self.inscribed(inscription).map(|inscribed| self.describe(&inscribed))
    }

    /// The content of an inscription.
    pub(crate) fn content(&self, inscription: &InscriptionRef) -> Option<Content> {
        let inscribed = self.inscribed(inscription)?;
        let (content_type, bytes) = self.content_of(&inscribed, &self.art(&inscribed));
        Some(Content { content_type: Text::const_new(content_type), bytes })
    }

    /// Locations of an inscription, newest first.
    pub(crate) fn locations(&self, inscription: &InscriptionRef, page: PageQuery) -> Option<Page<InscriptionLocation>> {
        let inscribed = self.inscribed(inscription)?;
        let txs = self.moved(&inscribed).map(|_| Tx::Transfer).into_iter().chain([Tx::Genesis]);
        Some(map(page.of(txs.collect()), |tx| self.location(&inscribed, tx)))
    }

    /// The transfer of an inscription, with both locations.
    pub(super) fn transfer(&self, inscribed: &Inscribed<'_>) -> InscriptionTransfer {
        InscriptionTransfer {
            id: Text::from(self.world.inscription_id(inscribed.index)),
            number: inscribed.number,
            from: self.location(inscribed, Tx::Genesis),
            to: self.location(inscribed, Tx::Transfer),
        }
    }

    /// All fields of an inscription.
    pub(super) fn describe(&self, inscribed: &Inscribed<'_>) -> Inscription {
        let art = self.art(inscribed);
        let (content_type, content) = self.content_of(inscribed, &art);
        let genesis = self.location(inscribed, Tx::Genesis);
        let moved = self.moved(inscribed);
        let now = self.location(inscribed, if moved.is_some() { Tx::Transfer } else { Tx::Genesis });
        let is_art = inscribed.event.is_none();
        let curse = CURSES.get((art.chance % 4) as usize).map(|curse| Text::const_new(curse));
        let id = |index| Text::from(self.world.inscription_id(index));
        Inscription {
            id: id(inscribed.index),
            number: Some(inscribed.number),
            address: self.owner(inscribed).map(|owner| Text::from(self.world.addresses.get(owner))),
            genesis_address: genesis.address,
            genesis_block_height: Some(genesis.block_height),
            genesis_time: Some(genesis.time),
            genesis_fee: Some(800 + art.chance % 40_000),
            location: Some(Text::from(format!("{}:{}:0", now.tx_id, now.vout))),
            output: Some(Text::from(format!("{}:{}", now.tx_id, now.vout))),
            tx_id: Some(now.tx_id),
            value: now.value,
            offset: now.offset,
            sat: SatNumber::new(inscribed.sat),
            rarity: Some(Text::from(Sat(inscribed.sat).rarity().to_string())),
            content_type: Some(Text::const_new(content_type)),
            content_length: Some(content.len() as u64),
            curse_type: curse.filter(|_| inscribed.number < 0),
            recursive: Some(is_art && art.shows.is_some()),
            parents: art.parent.filter(|_| is_art).map(id).into_iter().collect(),
            charms: charms(inscribed),
            time: Some(now.time),
        }
    }

    /// The art of the inscription.
    pub(super) fn art(&self, inscribed: &Inscribed<'_>) -> Art {
        Art::at(self.world.seed, inscribed.index)
    }

    /// The inscriber.
    pub(super) fn author(&self, inscribed: &Inscribed<'_>) -> AddressId {
        inscribed.event.map_or_else(|| self.art(inscribed).author, |event| event.from)
    }

    /// The current owner; `None` without an address.
    pub(super) fn owner(&self, inscribed: &Inscribed<'_>) -> Option<AddressId> {
        if inscribed.event.is_none() && self.art(inscribed).has_no_address {
            return None;
        }
        Some(self.moved(inscribed).map_or_else(|| self.author(inscribed), |(_, to)| to))
    }

    /// Block and receiver of its transfer, if it has moved.
    pub(super) fn moved(&self, inscribed: &Inscribed<'_>) -> Option<(u64, AddressId)> {
        inscribed.moved.filter(|(height, _)| *height <= self.tip)
    }

    fn content_of(&self, inscribed: &Inscribed<'_>, art: &Art) -> (&'static str, Vec<u8>) {
        let token = inscribed.event.and_then(|event| Some((event, TOKENS.get(usize::from(event.token))?)));
        match token {
            Some((event, token)) => {
                let amount = Amount::from_atoms(event.amount).to_string();
                ("text/plain;charset=utf-8", brc20_content(event, token, &amount).into_bytes())
            }
            None => {
                let shown = art.shows.map(|shown| self.world.inscription_id(shown));
                (art.kind.content_type(), art.content(shown.as_deref()))
            }
        }
    }

    /// The genesis location or the one after the transfer.
    fn location(&self, inscribed: &Inscribed<'_>, tx: Tx) -> InscriptionLocation {
        let genesis = (inscribed.height, Some(self.author(inscribed)));
        let (height, address) = match tx {
            Tx::Genesis => genesis,
            Tx::Transfer => inscribed.moved.map_or(genesis, |(height, _)| (height, self.owner(inscribed))),
        };
        let is_large = inscribed.event.is_none() && self.art(inscribed).chance.is_multiple_of(3);
        InscriptionLocation {
            block_height: height,
            block_hash: Some(Text::from(self.world.chain.hash(height))),
            address: address.map(|address| Text::from(self.world.addresses.get(address))),
            tx_id: Text::from(self.world.tx_id(tx, inscribed.index)),
            vout: 0,
            value: Some(if is_large { 10_000 } else { 546 }),
            offset: Some(0),
            time: self.world.chain.time(height),
        }
    }
}

/// Charms of its sat and number.
fn charms(inscribed: &Inscribed<'_>) -> Vec<Text> {
    let mut charms = Sat(inscribed.sat).charms();
    if inscribed.number < 0 {
        Charm::Cursed.set(&mut charms);
    }
    Charm::charms(charms).iter().map(|charm| Text::from(charm.to_string())).collect()
}
