//! The transfers of a week, which repeat: rings of holders, each of whom sends the next one the same amount, so that
//! the week ends with the balances it began with.

use super::{Action, Event, Holding, share};
use crate::service::demo::indexer::chain::CYCLE;
use crate::service::demo::indexer::random::Random;
use crate::service::demo::tokens::{DemoToken, TOKENS};

/// A transfer is sent at most this many blocks after it was inscribed.
const LONGEST_WAIT: u64 = 40;

/// The events of a week. `settled` is what every token's holders have at its beginning.
pub(super) fn events(random: &mut Random, settled: &[Vec<Holding>]) -> Vec<Event> {
    let mut transfers = Vec::new();
    for ((index, token), holdings) in (0u8..).zip(TOKENS.iter()).zip(settled) {
        transfers.extend(rings(random, index, token, holdings));
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

/// About as many transfers of a token as its volume suggests. Nobody sends more than half of what is available to
/// them in the week, so that no order of the transfers overdraws anybody.
fn rings(random: &mut Random, index: u8, token: &DemoToken, holdings: &[Holding]) -> Vec<Event> {
    let wanted = match token.listing.volume_usd {
        volume if volume >= 1e6 => 36,
        volume if volume >= 1e5 => 20,
        volume if volume >= 1e4 => 12,
        _ => 4,
    };
    let smallest = token.supply.smallest().atoms();
    let mut people: Vec<Holding> = holdings.iter().copied().filter(|holding| holding.available > 0).collect();
    people.iter_mut().for_each(|person| person.available /= 2);
    let mut transfers = Vec::new();
    for _ in 0..wanted {
        let size = random.between(2, 4) as usize;
        random.choose(&mut people, size);
        let Some(ring) = people.get_mut(..size) else { break };
        let least = ring.iter().map(|person| person.available).min().unwrap_or(0);
        let amount = share(random, least, (30, 400), smallest);
        if amount == 0 {
            continue;
        }
        let mut from = ring.last().map_or(0, |person| person.address);
        for person in ring {
            let to = person.address;
            person.available -= amount;
            let action = Action::Transfer;
            transfers.push(Event { amount, when: 0, inscription: 0, token: index, action, from, to });
            from = to;
        }
        if transfers.len() >= wanted {
            break;
        }
    }
    transfers
}
