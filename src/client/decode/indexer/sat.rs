//! A sat, held against what ordinal theory says.

use crate::client::decode::envelope::Spec;
use crate::client::decode::kind::Kind;
use crate::client::decode::names::{Lookup, names};
use crate::client::decode::read::Context;
use crate::client::decode::tape::Value;
use crate::model::{Sat, SatNumber};

pub(super) const SAT: Spec = Spec {
    lists: &["sat", "satoshi"],
    marks: &["decimal", "degree", "percentile", "rarity", "coinbase_height"],
    kind: Kind::Sat,
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
    // ord lists all inscriptions, the first one first.
    let latest = || found.get(Field::Inscriptions)?.items().last();
    sat.inscription_id = context.text(found.get(Field::InscriptionId).or_else(latest));
    (is_sat || sat.inscription_id.is_some()).then_some(sat)
}

/// The name of another sat than the requested one, where the answer gives one.
pub(super) fn another(sat: &Sat) -> Option<&str> {
    let other = sat.disagreements.iter().find(|other| NAMES.contains(&other.field.as_str()))?;
    Some(&other.indexer)
}
