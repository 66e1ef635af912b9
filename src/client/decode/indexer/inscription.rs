//! Inscriptions and inscription counts per block.

use std::collections::HashSet;

use super::block;
use super::times::Times;
use crate::client::decode::envelope::{Key, Spec, unwrap_item};
use crate::client::decode::identity;
use crate::client::decode::kind::Kind;
use crate::client::decode::names::{Found, Lookup, names};
use crate::client::decode::read::Context;
use crate::client::decode::tape::Value;
use crate::model::{Inscription, InscriptionStat, SatNumber, Text, is_inscription_id};

pub(super) const INSCRIPTIONS: Spec = Spec {
    // Ours; UniSat; ord; Magic Eden; UniSat; OKX.
    lists: &["inscriptions", "detail", "ids", "tokens", "inscription", "inscriptions_list"],
    marks: &["id", "inscription_id", "number"],
    kind: Kind::Inscription,
};

pub(super) const STATS: Spec =
    Spec { lists: &["stats", "blocks"], marks: &["inscription_count", "block_hash"], kind: Kind::Block };

names! {
    enum Field {
        /// UniSat, Best in Slot, OKX; Hiro, ord, Magic Eden.
        Id = ["inscription_id", "id"],
        /// Hiro, ord; UniSat, Best in Slot, Magic Eden; proxies.
        Number = ["number", "inscription_number", "num"],
        /// Hiro, ord, UniSat; Magic Eden; Best in Slot; Ordiscan.
        Address = ["address", "owner", "wallet", "owner_address"],
        /// Hiro, Ordiscan.
        GenesisAddress = ["genesis_address"],
        /// Hiro; Best in Slot; Magic Eden; ord, UniSat; proxies.
        GenesisHeight = [
            "genesis_block_height", "genesis_height", "genesis_transaction_block_height", "height", "block_height",
        ],
        /// Hiro; Best in Slot; Magic Eden; proxies.
        GenesisTime = [
            "genesis_timestamp", "genesis_ts", "genesis_transaction_block_time", "genesis_time", "inscribed_at",
            "created_at",
        ],
        /// Proxies: objects with the height, time, fee and address of the first transaction; with its block, or the height;
        /// with the type and length of the content.
        Genesis = ["genesis"],
        Block = ["block", "genesis_block"],
        Content = ["content"],
        /// Hiro, Best in Slot; ord.
        GenesisFee = ["genesis_fee", "fee"],
        /// Hiro.
        TxId = ["tx_id"],
        /// Hiro, Magic Eden; ord, Best in Slot.
        Location = ["location", "satpoint"],
        /// Hiro, ord, Magic Eden; Ordiscan.
        Output = ["output", "owner_output"],
        /// Best in Slot: as `output`; UniSat: an object.
        Utxo = ["utxo"],
        /// Hiro, ord; Best in Slot, Magic Eden.
        Value = ["value", "output_value"],
        /// Hiro, UniSat.
        Offset = ["offset"],
        /// Hiro, Ordiscan; ord, Magic Eden.
        Sat = ["sat_ordinal", "sat"],
        /// Hiro, Magic Eden.
        Rarity = ["sat_rarity"],
        /// Hiro, ord, UniSat, Magic Eden; Best in Slot.
        ContentType = ["content_type", "mime_type"],
        /// Hiro, ord, UniSat; Best in Slot; proxies.
        ContentLength = ["content_length", "media_length", "content_size", "size"],
        /// Hiro.
        CurseType = ["curse_type"],
        /// Hiro.
        Recursive = ["recursive"],
        /// Hiro of old; Magic Eden.
        Parent = ["parent", "parent_inscription_id"],
        /// Hiro; ord; Best in Slot.
        Parents = ["parent_refs", "parents", "parent_ids"],
        /// ord, Hiro.
        Charms = ["charms"],
        /// Magic Eden.
        Moved = ["location_block_time"],
        /// Hiro: time of the last move, next to the genesis time. ord, UniSat, Ordiscan, proxies: genesis time.
        Time = ["timestamp", "time", "block_time"],
    }
}

/// Reads inscriptions: objects, also by id, or ids.
pub(super) struct Reader {
    fields: Lookup<Field>,
    times: Times,
}

impl Reader {
    pub(super) fn new() -> Reader {
        Reader { fields: Lookup::new(), times: Times::default() }
    }

    /// Warns about ignored times.
    pub(super) fn finish(self, context: &mut Context<'_>) {
        self.times.finish(context);
    }

    pub(super) fn read(
        &mut self,
        context: &mut Context<'_>,
        key: Option<Key<'_>>,
        item: Value<'_>,
    ) -> Option<Inscription> {
        if item.str().is_some() {
            return Some(Inscription::new(context.text(Some(item))?));
        }
        // A JSON:API resource has an id, too, so its attributes are read first.
        let (_, inner) = unwrap_item(item).unwrap_or((None, item));
        let found = self.fields.read(inner);
        let key = key.filter(|key| is_inscription_id(key.name));
        let id = context.text(found.get(Field::Id).or_else(|| item.get("id"))).or_else(|| context.key(key?.name))?;
        // An inscription id contains a transaction id; a plain number is the id of something else.
        if identity::is_number(&id) {
            return None;
        }
        let places = Places::of(&found);
        let genesis = context.time(found.get(Field::GenesisTime).or(places.time));
        // `created_at` may be the time of a database row.
        let is_of_row = found.name(Field::GenesisTime) == Some("created_at");
        let (time, moved) = (context.time(found.get(Field::Time)), context.time(found.get(Field::Moved)));
        let (genesis_block_height, is_unmined) =
            block::height(context, found.get(Field::GenesisHeight).or(places.height));
        let mut number = context.i64(found.get(Field::Number));
        let (mut genesis_time, moved) = self.times.check((genesis, is_of_row), time, moved);
        if is_unmined {
            // Only a block sets them.
            (number, genesis_time) = (None, None);
        }
        let utxo = found.get(Field::Utxo);
        let location = context.text(found.get(Field::Location));
        let output = context.text(found.get(Field::Output).or(utxo.filter(|utxo| !utxo.is_object())));
        let mut inscription = Inscription {
            number,
            address: context.text(found.get(Field::Address).map(block::address_in)),
            genesis_address: context.text(found.get(Field::GenesisAddress).or(places.address)),
            genesis_block_height,
            genesis_time,
            genesis_fee: context.u64(found.get(Field::GenesisFee).or(places.fee)),
            tx_id: context.text(found.get(Field::TxId)),
            location,
            output,
            value: context.u64(found.get(Field::Value)),
            offset: context.u64(found.get(Field::Offset)),
            sat: sat(context, found.get(Field::Sat)),
            rarity: context.text(found.get(Field::Rarity)),
            content_type: context.text(found.get(Field::ContentType).or(places.content_type)),
            // A `size` may be the transaction's.
            content_length: context.u64(places.content_length.or(found.get(Field::ContentLength))),
            curse_type: curse(context, found.get(Field::CurseType)),
            recursive: context.bool(found.get(Field::Recursive)),
            parents: ids(context, found.get(Field::Parent), found.get(Field::Parents)),
            charms: ids(context, None, found.get(Field::Charms)),
            time: moved,
            ..Inscription::new(id)
        };
        if let Some(utxo) = utxo.filter(Value::is_object) {
            let (tx, place) = (context.text(utxo.get("txid")), context.u64(utxo.get("vout")));
            let output = || Some(Text::from(format!("{}:{}", tx?, place?)));
            inscription.output = inscription.output.or_else(output);
            inscription.value = inscription.value.or_else(|| context.u64(utxo.get("satoshi")));
        }
        locate(&mut inscription);
        Some(inscription)
    }
}

/// Values of an inscription in objects of their own.
#[derive(Default)]
struct Places<'a> {
    height: Option<Value<'a>>,
    time: Option<Value<'a>>,
    fee: Option<Value<'a>>,
    address: Option<Value<'a>>,
    content_type: Option<Value<'a>>,
    content_length: Option<Value<'a>>,
}

impl<'a> Places<'a> {
    fn of(found: &Found<'_, 'a, Field>) -> Places<'a> {
        let object = |field| found.get(field).filter(Value::is_object);
        let (genesis, block, content) = (object(Field::Genesis), found.get(Field::Block), object(Field::Content));
        let in_genesis = |names: &[&str]| genesis.and_then(|genesis| genesis.any(names));
        let in_content = |names: &[&str]| content.and_then(|content| content.any(names));
        Places {
            // A `number` is the inscription's.
            height: in_genesis(&["height", "block_height"]).or_else(|| block.and_then(block::height_in)),
            time: in_genesis(block::TIMES).or_else(|| block?.any(block::TIMES)),
            fee: in_genesis(&["fee"]),
            address: in_genesis(&["address"]),
            content_type: in_content(&["content_type", "type", "mime_type", "mime"]),
            content_length: in_content(&["content_length", "length", "size"]),
        }
    }
}

/// Whether a location, output or transaction is on the null outpoint, which ord reports for unbound and lost
/// inscriptions.
fn is_null(place: Option<&Text>) -> bool {
    let tx = place.and_then(|place| place.split(':').next());
    tx.is_some_and(|tx| tx.len() == 64 && tx.bytes().all(|digit| digit == b'0'))
}

/// Removes a location that doesn't exist, and fills in missing fields from the location `txid:vout:offset` or the
/// output.
fn locate(inscription: &mut Inscription) {
    if is_null(inscription.location.as_ref()) || is_null(inscription.output.as_ref()) {
        (inscription.location, inscription.output, inscription.offset) = (None, None, None);
    }
    inscription.tx_id = inscription.tx_id.take().filter(|tx| !is_null(Some(tx)));
    let place = inscription.location.as_deref().map(|location| location.splitn(3, ':').collect::<Vec<_>>());
    let (output, offset) = match place.as_deref() {
        Some([tx, output, offset]) => (Some(format!("{tx}:{output}")), offset.parse().ok()),
        Some([tx, output]) if identity::is_number(output) => (Some(format!("{tx}:{output}")), None),
        _ => (None, None),
    };
    inscription.output = inscription.output.take().or(output.map(Text::from));
    inscription.offset = inscription.offset.or(offset);
    if inscription.tx_id.is_none() {
        let tx = inscription.output.as_deref().and_then(|output| Some(output.split_once(':')?.0));
        inscription.tx_id = tx.map(Text::from);
    }
}

/// Reads the curse type; some responses contain embedded JSON.
fn curse(context: &mut Context<'_>, value: Option<Value<'_>>) -> Option<Text> {
    let words = context.text(value)?;
    let quoted = words.strip_prefix('"').and_then(|words| words.strip_suffix('"'));
    let word = quoted.unwrap_or(&words);
    (!word.is_empty() && word != "null").then(|| Text::from(word))
}

/// Reads a sat: its number, its `height.offset` or degree as text, or an object with its number.
fn sat(context: &mut Context<'_>, value: Option<Value<'_>>) -> Option<SatNumber> {
    let value = value?;
    let value =
        if value.is_object() { value.any(&["number", "sat_ordinal", "ordinal"]).unwrap_or(value) } else { value };
    let number = match value.str() {
        Some(words) if words.contains(['°', 'º']) || is_decimal(&words) => words.parse().ok(),
        // `752860.0` may be `height.offset`.
        _ if value.number().is_some_and(is_unclear) => None,
        _ => SatNumber::new(context.u64(Some(value))?),
    };
    if number.is_none() {
        context.unreadable(value, "the number of a sat");
    }
    number
}

/// Whether a text is `height.offset` with an offset other than 0.
fn is_decimal(words: &str) -> bool {
    let offset = words.trim().split_once('.').map(|(_, offset)| offset);
    offset.is_some_and(|offset| identity::is_number(offset) && offset.bytes().any(|b| b != b'0'))
}

/// Whether a number with a point is small enough for the height of a block. Such sats are in the first block, which can't
/// be spent.
fn is_unclear(digits: &str) -> bool {
    digits.contains('.') && digits.parse::<f64>().is_ok_and(|number| number < BLOCKS)
}

/// Blocks with a subsidy.
const BLOCKS: f64 = 6_930_000.0;

/// Reads a single id (old responses) or a list, also as text with commas, without duplicates.
fn ids(context: &mut Context<'_>, one: Option<Value<'_>>, several: Option<Value<'_>>) -> Vec<Text> {
    let words = several.and_then(|several| several.str()).unwrap_or_default();
    if let Some(other) = several.filter(|several| !several.is_array() && several.str().is_none()) {
        context.unreadable(other, "a list");
    }
    let listed: Vec<Text> = words.split(',').filter_map(|word| context.key(word.trim())).collect();
    let several = several.into_iter().flat_map(|list| list.items());
    let ids = one.into_iter().chain(several).filter_map(|value| context.text(Some(value)));
    // A response may contain a hundred thousand.
    let mut seen = HashSet::new();
    ids.chain(listed).filter(|id| seen.insert(id.clone())).collect()
}

names! {
    enum StatField {
        /// Hiro has all of these; own; proxies.
        BlockHeight = ["block_height", "height", "block"],
        BlockHash = ["block_hash", "hash"],
        Count = ["inscription_count", "inscriptions", "count"],
        Accumulated = ["inscription_count_accum", "inscriptions_total", "total_inscriptions", "cumulative", "total"],
        Time = ["timestamp", "time", "date"],
    }
}

/// Reads counts of inscriptions.
pub(super) struct StatReader(Lookup<StatField>);

impl StatReader {
    pub(super) fn new() -> StatReader {
        StatReader(Lookup::new())
    }

    /// Reads the count of a block. The key may be its height.
    pub(super) fn read(
        &mut self,
        context: &mut Context<'_>,
        key: Option<Key<'_>>,
        item: Value<'_>,
    ) -> Option<InscriptionStat> {
        let found = self.0.read(item);
        let height = key.and_then(|key| block::height_of_key(key.name));
        let stat = InscriptionStat {
            block_height: context.u64(found.get(StatField::BlockHeight)).or(height),
            block_hash: context.text(found.get(StatField::BlockHash)),
            inscriptions: context.u64(found.get(StatField::Count)),
            inscriptions_total: context.u64(found.get(StatField::Accumulated)),
            time: context.time(found.get(StatField::Time)),
        };
        (stat.block_height.is_some() || stat.inscriptions.is_some()).then_some(stat)
    }
}
