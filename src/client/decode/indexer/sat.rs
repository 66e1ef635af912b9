//! Sats, checked against the computed properties.

use crate::client::decode::envelope::{Spec, WRAPPERS, describe};
use crate::client::decode::kind;
use crate::client::decode::names::{Lookup, names};
use crate::client::decode::read::Context;
use crate::client::decode::tape::{Kind, Value};
use crate::client::error::ErrorKind;
use crate::model::{Sat, SatNumber, is_inscription_id};

pub(super) const SAT: Spec = Spec {
    lists: &["sat", "satoshi"],
    marks: &["decimal", "degree", "percentile", "rarity", "coinbase_height"],
    kind: kind::Kind::Sat,
};

names! {
    enum Field {
        /// ord. Hiro omits it.
        Number = ["number"],
        /// Hiro, ord, like the following ones.
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

/// The fields that we also compute, with their names in the model.
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

/// The fields that identify the sat: they are the same in every indexer.
const NAMES: [&str; 2] = ["number", "name"];

/// Computes the sat, takes the inscription from the response, and records differing properties.
pub(super) fn read(context: &mut Context<'_>, item: Value<'_>, number: SatNumber) -> Option<Sat> {
    let mut lookup = Lookup::new();
    let found = lookup.read(item);
    let mut sat = Sat::computed(number);
    let mut is_sat = false;
    for (field, name) in COMPUTED {
        if let Some(words) = context.text(found.get(field)) {
            sat.compare(name, &words);
            // A name or number alone is too common.
            is_sat |= !matches!(field, Field::Number | Field::Name);
        }
    }
    // ord lists all inscription ids, oldest first.
    let latest = || {
        let last = found.get(Field::Inscriptions)?.items().last()?;
        if last.is_object() { last.any(&["inscription_id", "id"]) } else { Some(last) }
    };
    sat.inscription_id = context.text(found.get(Field::InscriptionId).or_else(latest));
    (is_sat || sat.inscription_id.is_some()).then_some(sat)
}

/// The error for a response with properties of a sat, none of which tells whether it is one; `None` for any other
/// response.
pub(super) fn incomplete(root: Value<'_>) -> Option<ErrorKind> {
    let place = [Some(root), root.any(WRAPPERS)].into_iter().flatten().find(|place| place.get("charms").is_some())?;
    let is_other = place.any(&["inscription_id", "id", "content_type", "error"]).is_some();
    (!is_other).then(|| {
        let expected = "a sat with its decimal, degree, percentile, rarity or block";
        ErrorKind::Unrecognised(format!("{}, expected {expected}", describe(place)))
    })
}

/// Computes the sat, with the inscription from ord's recursive endpoints: `{"id": …}` for a single one,
/// `{"ids": […], "more": …, "page": …}` for all. `None` for any other response.
pub(super) fn by_inscriptions(context: &mut Context<'_>, root: Value<'_>, number: SatNumber) -> Option<Sat> {
    let has = |name: &str| root.fields().any(|(key, _)| key.raw() == name);
    let is_one = has("id") && root.fields().count() == 1;
    let id = match root.get("ids").filter(|ids| ids.is_array() && has("more")) {
        // The latest inscription is on the last page.
        Some(ids) => ids.items().last().filter(|_| root.get("more").is_none_or(|more| more.kind() == Kind::False)),
        None if is_one => root.get("id"),
        None => return None,
    };
    let id = context.text(id);
    id.as_deref().is_none_or(is_inscription_id).then(|| Sat { inscription_id: id, ..Sat::computed(number) })
}

/// The name or number in the response if it belongs to another sat.
pub(super) fn another(sat: &Sat) -> Option<&str> {
    let other = sat.disagreements.iter().find(|other| NAMES.contains(&other.field.as_str()))?;
    Some(&other.indexer)
}
