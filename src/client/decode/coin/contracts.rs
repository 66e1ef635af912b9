//! A coin's contracts: `contract_address` as a list or text, `platform` with its `token_address`, `platforms` as a map
//! by chain, lists of objects.

use super::field::Field;
use crate::client::decode::names::Found;
use crate::client::decode::read::Context;
use crate::client::decode::tape::Value;
use crate::model::{Contract, Text};

/// Maximum contracts of one coin.
const MAX_CONTRACTS: usize = 200;

/// Field names of contract addresses: CoinMarketCap's info, CoinGecko, CoinStats; CoinMarketCap's platform;
/// CoinPaprika; own.
const ADDRESS: &[&str] = &["contract_address", "token_address", "contract", "address"];

/// Field names of the chain: CoinMarketCap, CoinPaprika, own; CoinStats.
const CHAIN: &[&str] = &["platform", "blockchain"];

/// Reads the contracts of an object and adds new ones.
pub(super) fn read(context: &mut Context<'_>, found: &Found<'_, '_, Field>, contracts: &mut Vec<Contract>) {
    let platform = found.get(Field::Platform);
    if let Some(value) = found.get(Field::Contracts) {
        if value.is_array() {
            for item in value.items().take(MAX_CONTRACTS) {
                let address = if item.is_object() { item.any(ADDRESS) } else { Some(item) };
                let chain = item.any(CHAIN);
                add(context, contracts, chain, address);
            }
        } else if let Some(address) = value.any(ADDRESS) {
            add(context, contracts, value.any(CHAIN).or(platform), Some(address));
        } else if value.is_object() {
            by_chain(context, contracts, value);
        } else {
            add(context, contracts, platform.or(found.get(Field::Platforms).filter(|p| !p.is_object())), Some(value));
        }
    }
    if let Some(platform) = platform.filter(Value::is_object) {
        add(context, contracts, Some(platform), platform.any(ADDRESS));
    }
    if let Some(platforms) = found.get(Field::Platforms).filter(Value::is_object) {
        by_chain(context, contracts, platforms);
    }
}

/// `{"ethereum": "0x…"}`, or `{"ethereum": {"contract_address": "0x…"}}`; native coins have `{"": ""}`.
fn by_chain(context: &mut Context<'_>, contracts: &mut Vec<Contract>, map: Value<'_>) {
    for (chain, value) in map.fields().take(MAX_CONTRACTS) {
        let address = if value.is_object() { value.any(ADDRESS) } else { Some(value) };
        add(context, contracts, Some(chain), address);
    }
}

fn add(context: &mut Context<'_>, contracts: &mut Vec<Contract>, chain: Option<Value<'_>>, address: Option<Value<'_>>) {
    let Some(address) = context.text(address) else { return };
    if contracts.len() >= MAX_CONTRACTS || contracts.iter().any(|contract| contract.address == address) {
        return;
    }
    contracts.push(Contract { platform: chain.and_then(|chain| name(context, chain)), address });
}

/// Reads a chain's name: a string, an object with a name, or (CoinMarketCap's info) an object with the chain's coin.
fn name(context: &mut Context<'_>, chain: Value<'_>) -> Option<Text> {
    if !chain.is_object() {
        return context.text(Some(chain));
    }
    let inside = chain.get("name").filter(|name| !name.is_object());
    context.text(inside.or_else(|| chain.get("coin")?.any(&["name", "slug"])))
}
