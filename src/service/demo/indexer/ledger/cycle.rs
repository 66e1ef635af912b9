//! The repeating transfers of a week: holders send each other various amounts, then settle, so that the week ends with
//! the initial balances.

use super::event::{Action, Event, Holding, share};
use crate::service::demo::indexer::addresses::AddressId;
use crate::service::demo::indexer::chain::CYCLE;
use crate::service::demo::indexer::random::Random;
use crate::service::demo::tokens::{DemoToken, TOKENS};

/// Maximum blocks between the inscription of a transfer and its sending.
const MAX_BLOCKS_TO_SEND: u64 = 40;

/// Creates the events of a week. `settled` are the holdings of every token at its start.
pub(super) fn events(random: &mut Random, settled: &[Vec<Holding>]) -> Vec<Event> {
    let mut transfers = Vec::new();
    for ((index, token), holdings) in (0u8..).zip(TOKENS.iter()).zip(settled) {
        transfers.extend(of_token(random, index, token, holdings));
    }
    let count = transfers.len();
    random.choose(&mut transfers, count);
    let mut events = Vec::with_capacity(2 * count);
    for (nth, transfer) in (0u64..).zip(transfers) {
        let inscribed = nth * (CYCLE - 2) / count as u64;
        let sent = (inscribed + random.between(1, MAX_BLOCKS_TO_SEND)).min(CYCLE - 1);
        let inscription = nth as u32;
        let event = Event { when: inscribed as u32, inscription, to: transfer.from, ..transfer };
        events.push(event);
        events.push(Event { when: sent as u32, inscription, action: Action::Send, ..transfer });
    }
    events
}

/// Amounts that a holder sends and receives before settlement.
#[derive(Clone, Copy)]
struct Trader {
    address: AddressId,
    /// Maximum amount that is sent or received.
    limit: u128,
    sent: u128,
    received: u128,
}

/// Creates transfers of a token, in proportion to its volume. No holder sends or receives more than half of the
/// available balance or settles more than was received, so no order of the transfers overdraws a balance.
fn of_token(random: &mut Random, index: u8, token: &DemoToken, holdings: &[Holding]) -> Vec<Event> {
    let wanted = match token.listing.volume_usd {
        volume if volume >= 1e6 => 36,
        volume if volume >= 1e5 => 20,
        volume if volume >= 1e4 => 12,
        _ => 4,
    };
    let smallest = token.supply.smallest().atoms();
    let trader =
        |holding: &Holding| Trader { address: holding.address, limit: holding.available / 2, sent: 0, received: 0 };
    let mut traders: Vec<Trader> = holdings.iter().map(trader).filter(|trader| trader.limit > 0).collect();
    let mut transfers = Vec::new();
    let transfer = |from, to, amount| {
        let action = Action::Transfer;
        Event { amount, when: 0, inscription: 0, token: index, action, from, to }
    };
    for _ in 0..wanted / 3 {
        random.choose(&mut traders, 2);
        let [from, to, ..] = traders.as_mut_slice() else { break };
        let room = (from.limit - from.sent).min(to.limit - to.received);
        let amount = share(random, room, (20, 900), smallest);
        if amount > 0 {
            from.sent += amount;
            to.received += amount;
            transfers.push(transfer(from.address, to.address, amount));
        }
    }
    settle(random, &mut traders, smallest, wanted, |from, to, amount| transfers.push(transfer(from, to, amount)));
    transfers
}

/// Settles: holders with a surplus send it to those with a deficit, partly in several transfers, about `max` at most.
fn settle(
    random: &mut Random,
    traders: &mut [Trader],
    smallest: u128,
    max: usize,
    mut pay: impl FnMut(AddressId, AddressId, u128),
) {
    let count = traders.len();
    random.choose(traders, count);
    let mut payments = 0;
    loop {
        let from = traders.iter().position(|trader| trader.received > trader.sent);
        let to = traders.iter().position(|trader| trader.sent > trader.received);
        let (Some(from), Some(to)) = (from, to) else { return };
        let [surplus, lack] =
            [from, to].map(|at| traders.get(at).map_or(0, |trader| trader.received.abs_diff(trader.sent)));
        let due = surplus.min(lack);
        let part = share(random, due, (200, 800), smallest);
        let is_split = part > 0 && payments < max * 2 / 3 && random.chance(850);
        let amount = if is_split { part } else { due };
        for (at, is_payer) in [(from, true), (to, false)] {
            if let Some(trader) = traders.get_mut(at) {
                if is_payer { trader.sent += amount } else { trader.received += amount }
            }
        }
        let address = |at: usize| traders.get(at).map_or(0, |trader| trader.address);
        pay(address(from), address(to), amount);
        payments += 1;
        // Continue with another pair, so that directions vary.
        random.choose(traders, count);
    }
}
