//! BRC-20 activity.

use std::collections::HashMap;

use super::amount::amount;
use super::block;
use super::brc20::{decimals, harmless, is_same};
use super::unit::Unit;
use crate::client::decode::envelope::{Key, ReadItem, Spec};
use crate::client::decode::field_name::same_name;
use crate::client::decode::kind::Kind;
use crate::client::decode::names::{Found, Lookup, names};
use crate::client::decode::read::Context;
use crate::client::decode::tape::{Kind as ValueKind, Value};
use crate::model::{Activity, Operation, Text};

pub(super) const EVENTS: Spec = Spec {
    // UniSat; our own; OKX.
    lists: &["detail", "activity", "activities", "events", "inscriptions_list", "transaction_list"],
    marks: &["operation", "op", "event_type", "activity_type", "deploy", "mint", "transfer", "transfer_send"],
    kind: Kind::Event,
};

names! {
    enum Field {
        /// Hiro; the inscription itself; OPI, Best in Slot; Best in Slot's activity; OKX; UniSat, Ordiscan;
        /// proxies.
        Operation = ["operation", "op", "event_type", "activity_type", "action_type", "type", "action"],
        /// Hiro, UniSat, Best in Slot of a wallet; OPI, Best in Slot; OKX.
        Ticker = ["ticker", "tick", "token"],
        /// All; the inscription.
        Amount = ["amount", "amt"],
        /// Hiro, OKX, GeniiData, Ordiscan; UniSat; OPI; Best in Slot; Best in Slot on a block; others.
        From = ["from_address", "from", "source_wallet", "from_wallet", "old_wallet", "sender"],
        /// The receiver, in the order of `From`; OPI has its own name for the receiver of a mint.
        To = ["to_address", "to", "spent_wallet", "minted_wallet", "to_wallet", "new_wallet", "receiver", "recipient"],
        /// Hiro; OPI.
        Address = ["address", "deployer_wallet"],
        /// Hiro, Best in Slot, OKX; UniSat.
        BlockHeight = ["block_height", "height"],
        /// Proxies: an object, or the height.
        Block = ["block"],
        /// Proxies: an object with the id.
        Tx = ["tx", "transaction"],
        /// Hiro, UniSat.
        BlockHash = ["block_hash"],
        /// Hiro, UniSat, Best in Slot, OKX; others.
        TxId = ["tx_id", "tx_hash"],
        /// All.
        InscriptionId = ["inscription_id"],
        /// Hiro, OKX; Best in Slot.
        Location = ["location", "new_satpoint"],
        /// Hiro, Ordiscan; OKX; UniSat, GeniiData; Best in Slot.
        Time = ["timestamp", "time", "block_time", "ts"],
        /// Hiro, OPI; the inscription.
        MaxSupply = ["max_supply", "max"],
        /// Hiro; OPI; the inscription.
        MintLimit = ["mint_limit", "limit_per_mint", "lim"],
        /// Hiro, OPI; the inscription.
        Decimals = ["decimals", "dec"],
        /// UniSat; Best in Slot.
        Valid = ["valid", "is_valid"],
        /// Proxies.
        Success = ["success", "is_success", "applied", "is_applied"],
        /// Proxies: the event has no effect.
        Failure = ["reverted", "is_reverted", "invalid", "is_invalid", "failed", "is_failed", "orphaned", "is_orphaned"],
        /// Proxies: the reason why the event has no effect.
        Error = ["error", "error_message", "error_reason", "invalid_reason", "fail_reason", "failure_reason"],
        /// OKX: `success` or `fail`; others.
        State = ["state", "status"],
    }
}

/// Field names of objects with further fields of an event: named after the operation (Hiro), or `event` (Best in Slot).
const DETAILS: &[&str] = &["transfer_send", "transfer", "mint", "deploy", "event"];

/// Further names of such objects, which don't name the operation: proxies.
const MORE_DETAILS: &[&str] = &["details", "detail", "data", "payload"];

/// Reads events.
pub(super) struct Reader<'r> {
    event: Lookup<Field>,
    detail: Lookup<Field>,
    requested: Option<&'r Text>,
    /// Whether only one block was requested.
    is_of_block: bool,
    /// Whether an event names the requested ticker.
    pub(super) names_requested: bool,
    /// Whether keys name the blocks of events.
    pub(super) is_by_height: bool,
    unit: Unit,
    /// UniSat's transfers so far by transaction and inscription, with their event type.
    sent: HashMap<(Text, Text), Text>,
    /// Number of invalid events that were skipped.
    invalid: usize,
}

impl<'r> Reader<'r> {
    /// Creates a reader for the events of a ticker or a block, if only one was requested.
    pub(super) fn new(requested: Option<&'r Text>, is_of_block: bool, unit: Unit) -> Reader<'r> {
        Reader {
            event: Lookup::new(),
            detail: Lookup::new(),
            requested,
            is_of_block,
            names_requested: false,
            is_by_height: false,
            unit,
            sent: HashMap::new(),
            invalid: 0,
        }
    }

    /// Warns about skipped events.
    pub(super) fn finish(self, context: &mut Context<'_>) {
        let invalid = self.invalid;
        if invalid > 0 {
            let events = if invalid == 1 { "1 invalid event".to_owned() } else { format!("{invalid} invalid events") };
            context.warn(|| format!("skipped {events}"));
        }
    }

    /// Reads an event; skips invalid ones and duplicate transfers. The key may be the height of its block.
    pub(super) fn read(
        &mut self,
        context: &mut Context<'_>,
        key: Option<Key<'_>>,
        item: Value<'_>,
    ) -> Option<ReadItem<Activity>> {
        let event = self.event.read(item);
        let word = event.get(Field::Operation).or_else(|| item.get("event").filter(|word| word.str().is_some()));
        let object = |name: &str| item.get(name).filter(Value::is_object);
        let present = || DETAILS.iter().find_map(|name| Some((*name, object(name)?)));
        let (word, inside) = match word {
            Some(word) => {
                let named = word.str().and_then(|word| object(&word));
                let more = || MORE_DETAILS.iter().find_map(|name| object(name));
                (context.text(Some(word))?, named.or_else(|| present().map(|(_, inside)| inside)).or_else(more))
            }
            None => present().map(|(name, inside)| (Text::const_new(name), Some(inside)))?,
        };
        let is_hiro = item.any(&["operation", "op"]).is_some() || object("transfer").is_some();
        let detail = inside.map(|inside| self.detail.read(inside));
        let get = |field: Field| detail.as_ref().and_then(|detail| detail.get(field)).or_else(|| event.get(field));

        let places = || [Some(&event), detail.as_ref()].into_iter().flatten();
        let is_invalid = places().any(|place| has_no_effect(context, place));
        let unit = self.unit;
        let mut wallet = |field| context.text(get(field).map(block::address_in));
        let address = wallet(Field::Address);
        let (from, to) = (wallet(Field::From), wallet(Field::To));
        let block = event.get(Field::Block);
        let in_block = |names: &[&str]| block.filter(Value::is_object).and_then(|block| block.any(names));
        let in_tx = || event.get(Field::Tx).and_then(block::tx_id_in);
        // UniSat has another type for inscribing, so its transfer without a receiver is one that was burned.
        let is_unisat = event.get(Field::Valid).is_some() && item.get("type").is_some();
        let operation = operation(&word, (from.is_some(), to.is_some()), is_unisat);
        let key = key.filter(|key| self.is_of_block && key.is_shared);
        let height_of_key = key.and_then(|key| block::height_of_events(key.name));
        self.is_by_height |= height_of_key.is_some();
        let own = context.ticker(get(Field::Ticker));
        let is_named = own.is_some();
        let is_requested = || own.as_deref().zip(self.requested).is_some_and(|(own, name)| is_same(own, name));
        self.names_requested = self.names_requested || is_requested();
        let deploys = operation == Operation::Deploy;
        let mut activity = Activity {
            ticker: own.or_else(|| self.requested.map(|requested| harmless(context, requested.as_str())))?,
            amount: if deploys { None } else { amount(context, get(Field::Amount), unit) },
            from,
            to,
            address,
            block_height: block::height(
                context,
                event.get(Field::BlockHeight).or_else(|| block.and_then(block::height_in)),
            )
            .0
            .or(height_of_key),
            block_hash: context.text(event.get(Field::BlockHash).or_else(|| block.and_then(block::hash_in))),
            tx_id: context.text(event.get(Field::TxId).or_else(in_tx)),
            inscription_id: context.text(event.get(Field::InscriptionId)),
            location: context.text(event.get(Field::Location)),
            time: context.time(event.get(Field::Time).or_else(|| in_block(block::TIMES))),
            max_supply: None,
            mint_limit: None,
            decimals: None,
            operation,
        };
        match activity.operation {
            Operation::Deploy => {
                activity.max_supply = amount(context, get(Field::MaxSupply), unit);
                activity.mint_limit = amount(context, get(Field::MintLimit), unit);
                activity.decimals = decimals(context, get(Field::Decimals));
            }
            // In BRC-20, the inscriber of a mint receives it.
            Operation::Mint if activity.to.is_none() => activity.to = activity.address.clone(),
            _ => {}
        }
        // Without a ticker, an inscription, a block or an amount is required.
        let says_more = activity.inscription_id.is_some() || activity.tx_id.is_some() || activity.amount.is_some();
        if !is_named && !says_more {
            return None;
        }
        if is_invalid {
            self.invalid += 1;
            return Some(ReadItem::Skip);
        }
        let is_new = is_hiro || self.is_first(&activity, word);
        Some(if is_new { ReadItem::Item(activity) } else { ReadItem::Skip })
    }

    /// Whether a transfer is new. UniSat lists each one as `transfer`, `send` and `receive`.
    fn is_first(&mut self, activity: &Activity, word: Text) -> bool {
        if activity.operation != Operation::TransferSend {
            return true;
        }
        let (Some(tx), Some(inscription)) = (&activity.tx_id, &activity.inscription_id) else { return true };
        let first = self.sent.entry((tx.clone(), inscription.clone())).or_insert_with(|| word.clone());
        *first == word
    }
}

/// Whether an event is marked as one without an effect.
fn has_no_effect(context: &mut Context<'_>, event: &Found<'_, '_, Field>) -> bool {
    let mut is = |field, flag| context.bool(event.get(field).filter(|value| is_flag(*value))) == Some(flag);
    is(Field::Valid, false)
        || is(Field::Success, false)
        || is(Field::Failure, true)
        || event.get(Field::State).and_then(|state| state.str()).is_some_and(|state| is_failure(&state))
        || event.get(Field::Error).is_some_and(is_error)
}

/// Whether a value is true or false.
fn is_flag(value: Value<'_>) -> bool {
    !value.is_object() && !value.is_array()
}

/// Whether the state of an event means that it has no effect.
fn is_failure(state: &str) -> bool {
    let failures = [
        "fail",
        "failed",
        "failure",
        "invalid",
        "not_valid",
        "rejected",
        "reverted",
        "orphaned",
        "error",
        "not_applied",
        "exceeded",
    ];
    failures.iter().any(|word| same_name(state.trim(), word))
}

/// Whether the error field of an event states an error.
fn is_error(error: Value<'_>) -> bool {
    match (error.kind(), error.str()) {
        (ValueKind::False, _) => false,
        (_, Some(words)) => !["", "0", "-", "none", "null", "ok", "false", "success", "n/a", "no error"]
            .iter()
            .any(|none| words.trim().eq_ignore_ascii_case(none)),
        (ValueKind::Number, _) => error.raw() != "0",
        _ if error.is_array() => error.items().next().is_some(),
        _ if error.is_object() => error.fields().any(|(_, inner)| !inner.is_null()),
        _ => true,
    }
}

/// Parses an event type. `transfer` means the transfer inscription (no receiver) in Hiro's API, and sending in others,
/// in UniSat's always.
/// Best in Slot's activity uses numbers.
fn operation(word: &Text, (has_from, has_to): (bool, bool), is_unisat: bool) -> Operation {
    let letters: String = word.chars().filter(|c| c.is_alphanumeric()).collect();
    let letters = letters.to_lowercase();
    // Ordiscan: `BRC20_TRANSFER`.
    match letters.strip_prefix("brc20").unwrap_or(&letters) {
        "deploy" | "inscribedeploy" | "deployinscribe" => Operation::Deploy,
        "mint" | "inscribemint" | "mintinscribe" => Operation::Mint,
        "transfer" if is_unisat || has_from && has_to => Operation::TransferSend,
        "transfer" | "inscribetransfer" | "transferinscribe" => Operation::Transfer,
        "transfersend" | "transfertransfer" | "send" | "receive" => Operation::TransferSend,
        "1" | "2" | "4" if has_from && has_to => Operation::TransferSend,
        "1" if has_to => Operation::Mint,
        _ => Operation::Other(word.clone()),
    }
}
