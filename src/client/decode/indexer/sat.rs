//! A sat, held against what ordinal theory says.

use crate::client::decode::envelope::Spec;
use crate::client::decode::names::{Lookup, names};
use crate::client::decode::read::Context;
use crate::client::decode::tape::{Kind, Value};
use crate::client::decode::{identity, kind};
use crate::model::{Sat, SatNumber, Text};

pub(super) const SAT: Spec = Spec {
    lists: &["sat", "satoshi"],
    marks: &["decimal", "degree", "percentile", "rarity", "coinbase_height"],
    kind: kind::Kind::Sat,
};

names! {
    enum Field {
        /// ord. Hiro does not repeat it.
        Number = ["number"],
        /// Hiro, ord, as all that follows.
        Name = ["name"],
        Decimal = ["decimal"],
        Degree = ["degree"],
        Percentile = ["percentile"],
        Rarity = ["rarity"],
        /// Hiro; ord.
        BlockHeight = ["coinbase_height", "block"],
        Cycle = ["cycle"],
        Epoch = ["epoch"],
        Period = ["period"],
        Offset = ["offset"],
        /// Hiro.
        InscriptionId = ["inscription_id"],
        /// ord.
        Inscriptions = ["inscriptions"],
    }
}

/// The fields that are also computed, with their names in the model.
const COMPUTED: [(Field, &str); 11] = [
    (Field::Number, "number"),
    (Field::Name, "name"),
    (Field::Decimal, "decimal"),
    (Field::Degree, "degree"),
    (Field::Percentile, "percentile"),
    (Field::Rarity, "rarity"),
    (Field::BlockHeight, "block_height"),
    (Field::Cycle, "cycle"),
    (Field::Epoch, "epoch"),
    (Field::Period, "period"),
    (Field::Offset, "offset"),
];

/// What names the sat: it depends on nothing but the number, in every indexer.
const NAMES: [&str; 2] = ["number", "name"];

/// The sat as computed; of the answer it takes the inscription, and notes where the rest differs.
pub(super) fn read(context: &mut Context<'_>, item: Value<'_>, number: SatNumber) -> Option<Sat> {
    let mut lookup = Lookup::new();
    let found = lookup.read(item);
    let mut sat = Sat::computed(number);
    let mut is_sat = false;
    for (field, name) in COMPUTED {
        if let Some(words) = context.text(found.get(field)) {
            sat.compare(name, &words);
            // Many things have a name or a number.
            is_sat |= !matches!(field, Field::Number | Field::Name);
        }
    }
    // ord lists all inscriptions by their ids, the first one first.
    let latest = || found.get(Field::Inscriptions)?.items().last().filter(|id| !id.is_object());
    sat.inscription_id = context.text(found.get(Field::InscriptionId).or_else(latest));
    (is_sat || sat.inscription_id.is_some()).then_some(sat)
}

/// The sat as computed, with the inscription that ord's recursive endpoints give: `{"id": …}` for one place on the sat,
/// `{"ids": […], "more": …, "page": …}` for all. `None` for any other answer.
pub(super) fn by_inscriptions(context: &mut Context<'_>, root: Value<'_>, number: SatNumber) -> Option<Sat> {
    let has = |name: &str| root.fields().any(|(key, _)| key.raw() == name);
    let is_one = has("id") && root.fields().count() == 1;
    let id = match root.get("ids").filter(|ids| ids.is_array() && has("more")) {
        // The latest one is on the last page.
        Some(ids) => ids.items().last().filter(|_| root.get("more").is_none_or(|more| more.kind() == Kind::False)),
        None if is_one => root.get("id"),
        None => return None,
    };
    let id = context.text(id);
    let is_inscription = |id: &Text| {
        let (tx, index) = id.split_once('i').unwrap_or_default();
        tx.len() == 64 && tx.bytes().all(|b| b.is_ascii_hexdigit()) && identity::is_number(index)
    };
    id.as_ref().is_none_or(is_inscription).then(|| Sat { inscription_id: id, ..Sat::computed(number) })
}

/// The name of another sat than the requested one, where the answer gives one.
pub(super) fn another(sat: &Sat) -> Option<&str> {
    let other = sat.disagreements.iter().find(|other| NAMES.contains(&other.field.as_str()))?;
    Some(&other.indexer)
}
