//! Inscriptions, and how many a block brought.

use crate::client::decode::envelope::{Spec, unwrap_item};
use crate::client::decode::identity;
use crate::client::decode::kind::Kind;
use crate::client::decode::names::{Lookup, names};
use crate::client::decode::read::Context;
use crate::client::decode::tape::Value;
use crate::model::{Inscription, InscriptionStat, SatNumber, Text};

pub(super) const INSCRIPTIONS: Spec = Spec {
    lists: &["inscriptions", "detail", "ids"],
    marks: &["id", "inscription_id", "number"],
    kind: Kind::Inscription,
};

pub(super) const STATS: Spec =
    Spec { lists: &["stats", "blocks"], marks: &["inscription_count", "block_hash"], kind: Kind::Block };

names! {
    enum Field {
        Id = ["inscription_id", "id"],
        Number = ["number", "inscription_number"],
        Address = ["address"],
        GenesisAddress = ["genesis_address"],
        GenesisHeight = ["genesis_block_height", "genesis_height", "height"],
        GenesisTime = ["genesis_timestamp"],
        GenesisFee = ["genesis_fee", "fee"],
        TxId = ["tx_id", "txid"],
        Location = ["location", "satpoint"],
        Output = ["output"],
        Value = ["value"],
        Offset = ["offset"],
        Sat = ["sat_ordinal", "sat"],
        Rarity = ["sat_rarity", "rarity"],
        ContentType = ["content_type", "mime_type"],
        ContentLength = ["content_length"],
        CurseType = ["curse_type"],
        Recursive = ["recursive"],
        Parent = ["parent"],
        Parents = ["parent_refs", "parents"],
        Time = ["timestamp"],
    }
}

/// Reads inscriptions: objects, or only their ids.
pub(super) struct Reader(Lookup<Field>);

impl Reader {
    pub(super) fn new() -> Reader {
        Reader(Lookup::new())
    }

    pub(super) fn read(&mut self, context: &mut Context<'_>, item: Value<'_>) -> Option<Inscription> {
        if item.str().is_some() {
            return Some(bare(context.text(Some(item))?));
        }
        // An id alone is an inscription too, so what lies in a resource of JSON:API is looked at first.
        let (_, inner) = unwrap_item(item).unwrap_or((None, item));
        let found = self.0.read(inner);
        let id = context.text(found.get(Field::Id).or_else(|| item.get("id")))?;
        // A transaction's id and a place in it: a mere number is the id of something else.
        if identity::is_number(&id) {
            return None;
        }
        Some(Inscription {
            number: context.i64(found.get(Field::Number)),
            address: context.text(found.get(Field::Address)),
            genesis_address: context.text(found.get(Field::GenesisAddress)),
            genesis_block_height: context.u64(found.get(Field::GenesisHeight)),
            genesis_time: context.time(found.get(Field::GenesisTime)),
            genesis_fee: context.u64(found.get(Field::GenesisFee)),
            tx_id: context.text(found.get(Field::TxId)),
            location: context.text(found.get(Field::Location)),
            output: context.text(found.get(Field::Output)),
            value: context.u64(found.get(Field::Value)),
            offset: context.u64(found.get(Field::Offset)),
            sat: sat(context, found.get(Field::Sat)),
            rarity: context.text(found.get(Field::Rarity)),
            content_type: context.text(found.get(Field::ContentType)),
            content_length: context.u64(found.get(Field::ContentLength)),
            curse_type: context.text(found.get(Field::CurseType)),
            recursive: context.bool(found.get(Field::Recursive)),
            parents: parents(context, found.get(Field::Parent), found.get(Field::Parents)),
            time: context.time(found.get(Field::Time)),
            ..bare(id)
        })
    }
}

/// An inscription of which nothing but the id is known.
fn bare(id: Text) -> Inscription {
    Inscription {
        id,
        number: None,
        address: None,
        genesis_address: None,
        genesis_block_height: None,
        genesis_time: None,
        genesis_fee: None,
        tx_id: None,
        location: None,
        output: None,
        value: None,
        offset: None,
        sat: None,
        rarity: None,
        content_type: None,
        content_length: None,
        curse_type: None,
        recursive: None,
        parents: Vec::new(),
        time: None,
    }
}

fn sat(context: &mut Context<'_>, value: Option<Value<'_>>) -> Option<SatNumber> {
    let number = SatNumber::new(context.u64(value)?);
    if let (None, Some(value)) = (number, value) {
        context.unreadable(value, "the number of a sat");
    }
    number
}

/// One parent of the old answers, several of the new ones.
fn parents(context: &mut Context<'_>, one: Option<Value<'_>>, several: Option<Value<'_>>) -> Vec<Text> {
    let several = several.into_iter().flat_map(|list| list.items());
    let mut parents = Vec::new();
    for parent in one.into_iter().chain(several).filter_map(|value| context.text(Some(value))) {
        if !parents.contains(&parent) {
            parents.push(parent);
        }
    }
    parents
}

names! {
    enum StatField {
        BlockHeight = ["block_height", "height"],
        BlockHash = ["block_hash", "hash"],
        Count = ["inscription_count", "inscriptions", "count"],
        Accumulated = ["inscription_count_accum", "inscriptions_total", "total"],
        Time = ["timestamp", "time"],
    }
}

/// Reads counts of inscriptions.
pub(super) struct StatReader(Lookup<StatField>);

impl StatReader {
    pub(super) fn new() -> StatReader {
        StatReader(Lookup::new())
    }

    pub(super) fn read(&mut self, context: &mut Context<'_>, item: Value<'_>) -> Option<InscriptionStat> {
        let found = self.0.read(item);
        let stat = InscriptionStat {
            block_height: context.u64(found.get(StatField::BlockHeight)),
            block_hash: context.text(found.get(StatField::BlockHash)),
            inscriptions: context.u64(found.get(StatField::Count)),
            inscriptions_total: context.u64(found.get(StatField::Accumulated)),
            time: context.time(found.get(StatField::Time)),
        };
        (stat.block_height.is_some() || stat.inscriptions.is_some()).then_some(stat)
    }
}
