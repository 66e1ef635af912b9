//! The transfers of a week, which repeat: holders send each other amounts of all sizes, then settle, so that the week ends
//! with the balances it began with.

use super::{Action, Event, Holding, share};
use crate::service::demo::indexer::addresses::AddressId;
use crate::service::demo::indexer::chain::CYCLE;
use crate::service::demo::indexer::random::Random;
use crate::service::demo::tokens::{DemoToken, TOKENS};

/// A transfer is sent at most this many blocks after it was inscribed.
const LONGEST_WAIT: u64 = 40;

/// The events of a week. `settled` is what every token's holders have at its beginning.
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
        let sent = (inscribed + random.between(1, LONGEST_WAIT)).min(CYCLE - 1);
        let inscription = nth as u32;
        let event = Event { when: inscribed as u32, inscription, to: transfer.from, ..transfer };
        events.push(event);
        events.push(Event { when: sent as u32, inscription, action: Action::Send, ..transfer });
    }
    events
}

/// What somebody sends and receives in the week before all settle.
#[derive(Clone, Copy)]
struct Trader {
    address: AddressId,
    /// The most that they send, and that they receive.
    limit: u128,
    sent: u128,
    received: u128,
}

/// About as many transfers of a token as its volume suggests. Nobody sends or receives more than half of what is
/// available to them, and nobody settles more than they received: so no order of the transfers overdraws anybody.
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

/// Passes on what everybody received more than they sent, to those who sent more, some of it in parts: at most about
/// `most` transfers.
fn settle(
    random: &mut Random,
    traders: &mut [Trader],
    smallest: u128,
    most: usize,
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
        let is_split = part > 0 && payments < most * 2 / 3 && random.chance(850);
        let amount = if is_split { part } else { due };
        for (at, is_payer) in [(from, true), (to, false)] {
            if let Some(trader) = traders.get_mut(at) {
                if is_payer { trader.sent += amount } else { trader.received += amount }
            }
        }
        let address = |at: usize| traders.get(at).map_or(0, |trader| trader.address);
        pay(address(from), address(to), amount);
        payments += 1;
        // Another pair is next, so that directions vary.
        random.choose(traders, count);
    }
}
