//! Detects the unit of amounts in a response: whole tokens or smallest units of 10^-18 tokens.
//!
//! The unit is detected once per response and applies to all amounts:
//!
//! - Hiro, UniSat, OKX, Maestro and Best in Slot's balances, holders and activity write whole tokens, most of them with
//!   a decimal point (Best in Slot always). All except Best in Slot's and Maestro's holders include the transferable
//!   balance. So do Xverse's tokens.
//! - OPI, and Best in Slot's events, activity on a block and balances on a block write whole numbers of smallest units.
//!   They are recognised by OPI's event types, its list of holders, or its balance of one wallet. OPI's envelope
//!   (`{"error": null, "result": …}`) and columns (`original_tick`, `pkscript`), and a balance with `tick` in Best in
//!   Slot's envelope, also occur elsewhere and need large numbers, too.
//!
//! If the unit is unclear, because numbers are too large for whole tokens, a response mixes both, or the service gives
//! no indication (Xverse's balances), whole numbers are rejected.

use super::digits::digits;
use crate::client::decode::envelope::{List, Spec, unwrap_item};
use crate::client::decode::field_name::same_name;
use crate::client::decode::kind::Kind;
use crate::client::decode::tape::Value;
use crate::model::Amount;

/// Unit of a number without a decimal point.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Unit {
    /// Whole tokens.
    Whole,
    /// 10^-18 tokens.
    Atoms,
    /// Probably 10^-18 tokens. Small numbers are unclear.
    LikelyAtoms,
    /// Unknown.
    Unclear,
}

impl Unit {
    /// The unit of a number with so many digits.
    pub(super) fn of_number(self, digits: usize) -> Unit {
        match self {
            Unit::LikelyAtoms if digits > SMALL => Unit::Atoms,
            Unit::LikelyAtoms => Unit::Unclear,
            unit => unit,
        }
    }
}

/// Field names of amounts in any dialect.
const AMOUNTS: &[&str] = &[
    "amount",
    "amt",
    "balance",
    "overall_balance",
    "overall",
    "total_balance",
    "quantity",
    "available_balance",
    "available",
    "max_supply",
    "max",
    "total_supply",
    "minted_supply",
    "total_minted",
    "minted",
    "mint_amount",
    "mint_limit",
    "limit_per_mint",
    "limit",
    "lim",
];

/// Field names of transferable balances, which services with smallest units don't have.
const TRANSFERABLE: &[&str] =
    &["transferrable_balance", "transferable_balance", "transfer_balance", "transferable", "transferrable"];

/// Event types that only OPI and Best in Slot use.
const OPI_EVENTS: &[&str] = &["deploy-inscribe", "mint-inscribe", "transfer-inscribe", "transfer-transfer"];

/// Minimum digits of a number that is assumed to be in smallest units: 10^18.
const LARGE: usize = 19;

/// Maximum digits of a number that is assumed to be in whole tokens.
const SMALL: usize = 12;

/// Maximum whole tokens of an amount, and of all balances of a token together, by the rules of BRC-20.
const MAX_WHOLE: u128 = u64::MAX as u128;

/// [`MAX_WHOLE`] in smallest units.
const MAX_ATOMS: u128 = MAX_WHOLE * Amount::UNIT.atoms();

/// Properties of a response that indicate the unit.
#[derive(Debug)]
struct Signs {
    kind: Kind,
    /// It has OPI's envelope.
    opi: bool,
    /// It has Best in Slot's envelope.
    best_in_slot: bool,
    /// It is a page of Xverse's balances.
    xverse: bool,
    /// It is a page of Hiro's API, which writes amounts of tokens without decimals without a point.
    hiro: bool,
    /// An amount has a decimal point.
    point: bool,
    /// Digits of the longest amount without one.
    longest: usize,
    /// An amount without one is too large for whole tokens.
    too_large: bool,
    /// An amount next to the decimals of its token is large enough for smallest units.
    divisible: bool,
    transferable: bool,
    /// An event type of OPI.
    event: bool,
    /// OPI's name of a list of holders.
    holders: bool,
    /// A column of OPI.
    column: bool,
    /// A script instead of an address, as in OPI and Best in Slot.
    script: bool,
    /// A balance next to a `tick`.
    tick_balance: bool,
    /// Overall and available balance without a ticker, as in OPI's balance of one wallet and token.
    bare_balance: bool,
}

impl Unit {
    /// Detects the unit of the amounts in a response.
    pub(super) fn of(root: Value<'_>, spec: &'static Spec) -> Unit {
        let Ok(list) = List::find(root, spec) else { return Unit::Whole };
        let mut signs = Signs::of(root, spec.kind);
        list.for_each_item(|item| {
            let (_, item) = unwrap_item(item).unwrap_or((None, item));
            signs.see(item);
        });
        signs.unit()
    }
}

impl Signs {
    /// The properties of a response without its items.
    fn of(root: Value<'_>, kind: Kind) -> Signs {
        Signs {
            kind,
            opi: is_opi(root),
            best_in_slot: is_best_in_slot(root),
            xverse: kind == Kind::Balance && is_xverse(root),
            hiro: root.get("results").is_some_and(|results| results.is_array()),
            point: false,
            longest: 0,
            too_large: false,
            divisible: false,
            transferable: false,
            event: false,
            holders: has_opi_holders(root),
            column: false,
            script: false,
            tick_balance: false,
            bare_balance: false,
        }
    }

    fn see(&mut self, item: Value<'_>) {
        let has = |names: &[&str]| item.any(names).is_some();
        self.tick_balance |= has(&["tick"]) && has(&["balance"]);
        let is_named = has(&["tick", "ticker", "token", "address", "wallet"]);
        self.bare_balance |= has(&["overall_balance"]) && has(&["available_balance"]) && !is_named;
        self.hiro &= has(&["overall_balance", "operation"]);
        self.divisible |= self.kind == Kind::Balance && is_divisible(item);
        for (key, value) in item.fields() {
            self.field(key.raw(), value);
            for (key, value) in value.fields() {
                self.field(key.raw(), value);
            }
        }
    }

    fn field(&mut self, key: &str, value: Value<'_>) {
        let is = |names: &[&str]| names.iter().any(|name| same_name(name, key));
        if value.is_null() || value.is_object() || value.is_array() {
        } else if is(TRANSFERABLE) {
            self.transferable = true;
            self.amount(value);
        } else if is(AMOUNTS) {
            self.amount(value);
        } else if is(&["original_tick"]) {
            self.column = true;
        } else if is(&["event_type", "activity_type"]) {
            let word = value.str().unwrap_or_default().to_lowercase().replace('_', "-");
            self.event |= OPI_EVENTS.contains(&word.as_str());
        } else if key.to_ascii_lowercase().ends_with("pkscript") {
            self.script = true;
        }
    }

    fn amount(&mut self, value: Value<'_>) {
        let Some(digits) = digits(value) else { return };
        let digits = digits.trim_start_matches('0');
        if !digits.bytes().all(|b| b.is_ascii_digit()) {
            // In `2.1e7`, the point doesn't indicate whole tokens.
            self.point |= digits.contains('.') && value.raw().contains('.');
            return;
        }
        // A larger number is wrong in any unit.
        if !digits.is_empty() && digits.parse::<u128>().map_or(true, |number| number > MAX_ATOMS) {
            return;
        }
        self.longest = self.longest.max(digits.len());
        self.too_large |= !digits.is_empty() && digits.parse::<u128>().map_or(true, |number| number > MAX_WHOLE);
    }

    fn unit(&self) -> Unit {
        let is_large = self.longest >= LARGE;
        let is_token = self.kind == Kind::Token;
        // A supply may be this large; a balance or amount is unlikely to be.
        let is_too_large = is_large && !is_token;
        let is_sure = self.event
            || self.holders
            || self.opi && self.bare_balance
            || is_large && self.tick_balance && self.best_in_slot;
        let is_likely = (self.opi || self.column) && (is_too_large || self.too_large);
        if self.xverse && !self.point {
            return Unit::Unclear;
        }
        if self.transferable || self.point {
            let is_whole = self.transferable && !self.divisible;
            let is_certain = !is_sure && !is_likely && (is_whole || self.hiro || !is_too_large);
            return if is_certain || !is_large { Unit::Whole } else { Unit::Unclear };
        }
        if is_sure {
            return Unit::Atoms;
        }
        if is_likely {
            return Unit::LikelyAtoms;
        }
        if self.column {
            // No token has so small a supply in smallest units.
            return if is_token && self.longest <= SMALL { Unit::Whole } else { Unit::Unclear };
        }
        if self.bare_balance || self.script || self.tick_balance {
            let is_whole = self.longest <= SMALL && !self.bare_balance && (!self.script || self.best_in_slot);
            return if is_large {
                Unit::LikelyAtoms
            } else if is_whole {
                Unit::Whole
            } else {
                Unit::Unclear
            };
        }
        let is_long = self.opi && !is_token && self.longest > SMALL;
        let is_unclear = self.too_large || self.divisible || is_long || is_too_large && !self.hiro;
        if is_unclear { Unit::Unclear } else { Unit::Whole }
    }
}

/// Whether a balance is next to the decimals of its token, and may be one of at least 1 in smallest units, or long.
fn is_divisible(item: Value<'_>) -> bool {
    let decimals = item.any(&["decimals", "decimal"]).and_then(digits);
    let Some(decimals) = decimals.and_then(|decimals| decimals.parse::<usize>().ok()).filter(|decimals| *decimals > 0)
    else {
        return false;
    };
    let is_amount = |key: &str| AMOUNTS.iter().any(|name| same_name(name, key));
    item.fields().any(|(key, value)| {
        let amount = if is_amount(key.raw()) { digits(value) } else { None };
        amount.is_some_and(|amount| {
            let amount = amount.trim_start_matches('0');
            amount.len() > decimals.min(SMALL) && amount.bytes().all(|digit| digit.is_ascii_digit())
        })
    })
}

/// OPI's envelope: `{"error": null, "result": …}`. Other services have it, too.
fn is_opi(root: Value<'_>) -> bool {
    let has = |name: &str| root.fields().any(|(key, _)| key.raw() == name);
    has("error") && has("result") && !has("jsonrpc") && !has("id")
}

/// OPI's list of holders, which may come without its envelope: `{"unused_txes": […]}`.
fn has_opi_holders(root: Value<'_>) -> bool {
    let name = "unused_txes";
    root.get(name).is_some() || root.get("result").is_some_and(|result| result.get(name).is_some())
}

/// Best in Slot's envelope: `{"data": …, "block_height": 921300}`.
fn is_best_in_slot(root: Value<'_>) -> bool {
    root.get("data").is_some() && root.get("block_height").is_some()
}

/// Xverse's pages: `{"limit": 60, "offset": 0, "total": 1, "items": […]}`.
fn is_xverse(root: Value<'_>) -> bool {
    ["limit", "offset", "total"].iter().all(|name| root.get(name).is_some())
        && root.get("items").is_some_and(|items| items.is_array())
}
