//! What happened to BRC-20 tokens.

use super::amount::{amount, atoms};
use super::brc20::{decimals, harmless};
use crate::client::decode::envelope::Spec;
use crate::client::decode::kind::Kind;
use crate::client::decode::names::{Lookup, names};
use crate::client::decode::read::Context;
use crate::client::decode::tape::Value;
use crate::model::{Activity, Operation, Text};

pub(super) const EVENTS: Spec = Spec {
    lists: &["detail", "activity", "activities", "events", "history"],
    marks: &["operation", "op", "event_type", "deploy", "mint", "transfer", "transfer_send"],
    kind: Kind::Event,
};

names! {
    enum Field {
        Operation = ["operation", "op", "event_type", "type"],
        Ticker = ["ticker", "tick"],
        Amount = ["amount", "amt"],
        From = ["from_address", "from", "source_wallet"],
        To = ["to_address", "to", "spent_wallet", "minted_wallet"],
        Address = ["address"],
        BlockHeight = ["block_height", "height"],
        BlockHash = ["block_hash"],
        TxId = ["tx_id", "txid"],
        InscriptionId = ["inscription_id"],
        Location = ["location"],
        Time = ["timestamp", "time", "blocktime", "block_time"],
        MaxSupply = ["max_supply", "max"],
        MintLimit = ["mint_limit", "limit_per_mint", "limit", "lim"],
        Decimals = ["decimals", "decimal", "dec"],
    }
}

/// Objects in which an event's own fields lie, named after its operation.
const DETAILS: &[&str] = &["transfer_send", "transfer", "mint", "deploy"];

/// Reads events.
pub(super) struct Reader<'r> {
    event: Lookup<Field>,
    detail: Lookup<Field>,
    asked: Option<&'r Text>,
}

impl<'r> Reader<'r> {
    /// A reader of the events of the ticker that was asked for, if only one was.
    pub(super) fn new(asked: Option<&'r Text>) -> Reader<'r> {
        Reader { event: Lookup::new(), detail: Lookup::new(), asked }
    }

    pub(super) fn read(&mut self, context: &mut Context<'_>, item: Value<'_>) -> Option<Activity> {
        let event = self.event.read(item);
        let word = event.get(Field::Operation);
        let object = |name: &str| item.get(name).filter(Value::is_object);
        let present = || DETAILS.iter().find_map(|name| Some((*name, object(name)?)));
        let (word, inside) = match word {
            Some(word) => {
                let named = word.str().and_then(|word| object(&word));
                (context.text(Some(word))?, named.or_else(|| present().map(|(_, inside)| inside)))
            }
            None => present().map(|(name, inside)| (Text::const_new(name), Some(inside)))?,
        };
        let amount = if counts_atoms(&word) { atoms } else { amount };
        let operation = operation(word);
        let detail = inside.map(|inside| self.detail.read(inside));
        let get = |field: Field| detail.as_ref().and_then(|detail| detail.get(field)).or_else(|| event.get(field));

        let address = context.text(event.get(Field::Address));
        let own = context.ticker(event.get(Field::Ticker));
        let is_named = own.is_some();
        let deploys = operation == Operation::Deploy;
        let mut activity = Activity {
            ticker: own.or_else(|| self.asked.map(|asked| harmless(asked.as_str())))?,
            amount: if deploys { None } else { amount(context, get(Field::Amount)) },
            from: context.text(get(Field::From)),
            to: context.text(get(Field::To)),
            address,
            block_height: context.u64(event.get(Field::BlockHeight)),
            block_hash: context.text(event.get(Field::BlockHash)),
            tx_id: context.text(event.get(Field::TxId)),
            inscription_id: context.text(event.get(Field::InscriptionId)),
            location: context.text(event.get(Field::Location)),
            time: context.time(event.get(Field::Time)),
            max_supply: None,
            mint_limit: None,
            decimals: None,
            operation,
        };
        match activity.operation {
            Operation::Deploy => {
                activity.max_supply = amount(context, get(Field::MaxSupply));
                activity.mint_limit = amount(context, get(Field::MintLimit));
                activity.decimals = decimals(context, get(Field::Decimals));
            }
            // Who inscribes a mint receives it (BRC-20).
            Operation::Mint if activity.to.is_none() => activity.to = activity.address.clone(),
            _ => {}
        }
        // Without a name of its own it must say at least which, where, or how much.
        let says_more = activity.inscription_id.is_some() || activity.tx_id.is_some() || activity.amount.is_some();
        (is_named || says_more).then_some(activity)
    }
}

/// The operation that a word stands for. `transfer` is Hiro's word for the inscribing and UniSat's for the sending;
/// it is taken as Hiro's, whose interface this is.
fn operation(word: Text) -> Operation {
    match word.to_lowercase().replace('_', "-").as_str() {
        "deploy" | "inscribe-deploy" | "deploy-inscribe" => Operation::Deploy,
        "mint" | "inscribe-mint" | "mint-inscribe" => Operation::Mint,
        "transfer" | "inscribe-transfer" | "transfer-inscribe" => Operation::Transfer,
        "transfer-send" | "transfer-transfer" | "send" => Operation::TransferSend,
        _ => Operation::Other(word),
    }
}

/// Whether the amounts of an event stand in atoms: so OPI and Best in Slot write them, whose words for events nobody
/// else has.
fn counts_atoms(word: &str) -> bool {
    let word = word.to_lowercase().replace('_', "-");
    ["deploy-inscribe", "mint-inscribe", "transfer-inscribe", "transfer-transfer"].contains(&word.as_str())
}
