//! The history of a token: deploy, mints, transfers until every holder has a balance, and some more.

use super::event::{Action, Event, Holding, apply, round_down, share};
use crate::service::demo::indexer::addresses::{AddressId, POOL};
use crate::service::demo::indexer::chain::HISTORY_END;
use crate::service::demo::indexer::random::Random;
use crate::service::demo::tokens::DemoToken;

/// Creates the events of a token by height, and its final holdings by address. Increments `inscription_count`.
pub(super) fn of_token(
    random: &mut Random,
    index: u8,
    token: &DemoToken,
    inscription_count: &mut u32,
) -> (Vec<Event>, Vec<Holding>) {
    let mut pool: Vec<AddressId> = (0..POOL as u8).collect();
    // Some former holders have sent everything.
    let former = if token.holders == 1 { 1 } else { usize::from(token.holders) / 16 };
    let holders = usize::from(token.holders);
    random.choose(&mut pool, holders + former);
    let (holders, rest) = pool.split_at(holders);
    let mut story = UndatedEvents {
        random,
        token: index,
        smallest: token.supply.smallest().atoms(),
        holders,
        former: rest.get(..former).unwrap_or_default(),
        holdings: Vec::new(),
        events: Vec::new(),
    };
    story.deploy();
    story.mints(token);
    let mints = story.events.len();
    story.empty_former_holders();
    story.fund_all_holders();
    story.trade(8 + (token.listing.volume_usd.max(1.0).log10() * 3.0) as u64);
    story.inscribe_pending_transfers();
    let UndatedEvents { mut events, holdings, random, .. } = story;
    date(random, token, &mut events, mints, inscription_count);
    (events, holdings)
}

/// A token's events without dates.
struct UndatedEvents<'a> {
    random: &'a mut Random,
    token: u8,
    smallest: u128,
    holders: &'a [AddressId],
    former: &'a [AddressId],
    holdings: Vec<Holding>,
    events: Vec<Event>,
}

impl UndatedEvents<'_> {
    fn push(&mut self, action: Action, from: AddressId, to: AddressId, amount: u128) {
        let event = Event { amount, when: 0, inscription: 0, token: self.token, action, from, to };
        apply(&mut self.holdings, &event);
        self.events.push(event);
    }

    /// Adds a transfer inscription and its sending, unless the amount is 0.
    fn transfer(&mut self, from: AddressId, to: AddressId, amount: u128) {
        if amount > 0 && from != to {
            self.push(Action::Transfer, from, from, amount);
            self.push(Action::Send, from, to, amount);
        }
    }

    fn deployer(&self) -> AddressId {
        self.holders.first().copied().unwrap_or(0)
    }

    fn random_holder(&mut self) -> AddressId {
        let place = self.random.below(self.holders.len() as u64) as usize;
        self.holders.get(place).copied().unwrap_or(0)
    }

    fn available(&self, address: AddressId) -> u128 {
        self.holdings.iter().find(|holding| holding.address == address).map_or(0, |holding| holding.available)
    }

    fn richest(&self) -> AddressId {
        self.holdings.iter().max_by_key(|holding| holding.available).map_or(0, |holding| holding.address)
    }

    fn deploy(&mut self) {
        self.push(Action::Deploy, self.deployer(), self.deployer(), 0);
    }

    /// Mints the supply in parts up to the limit, or of any size without a limit.
    fn mints(&mut self, token: &DemoToken) {
        let mut left = token.minted().atoms();
        let limit = token.supply.mint_limit.map(|limit| limit.atoms());
        let minters: Vec<AddressId> = self.holders.iter().chain(self.former).copied().collect();
        for _ in 0..400 {
            if left == 0 {
                return;
            }
            let amount = match limit {
                Some(limit) => limit.min(left),
                None => share(self.random, left, (20, 120), self.smallest).max(self.smallest),
            };
            let few = limit.is_none() && (self.events.len() > 24 || amount <= self.smallest);
            let amount = if few { left } else { amount };
            // The first holders mint the most.
            let crowd = self.random.between(1, minters.len() as u64);
            let place = self.random.below(crowd);
            let minter =
                if token.self_mint { self.deployer() } else { minters.get(place as usize).copied().unwrap_or(0) };
            self.push(Action::Mint, minter, minter, amount);
            left -= amount;
        }
    }

    fn empty_former_holders(&mut self) {
        for &former in self.former {
            if self.available(former) == 0 {
                self.transfer(self.richest(), former, self.smallest);
            }
            let to = self.random_holder();
            self.transfer(former, to, self.available(former));
        }
    }

    fn fund_all_holders(&mut self) {
        for &holder in self.holders {
            if self.available(holder) == 0 {
                let richest = self.richest();
                let amount = share(self.random, self.available(richest), (60, 400), self.smallest).max(self.smallest);
                self.transfer(richest, holder, amount);
            }
        }
    }

    fn trade(&mut self, times: u64) {
        for _ in 0..times {
            let (from, to) = (self.random_holder(), self.random_holder());
            let amount = share(self.random, self.available(from), (50, 500), self.smallest);
            self.transfer(from, to, amount);
        }
    }

    /// Adds transfer inscriptions that are never sent.
    fn inscribe_pending_transfers(&mut self) {
        for &holder in self.holders {
            let amount = share(self.random, self.available(holder), (100, 600), self.smallest);
            let amount = round_down(amount, self.smallest);
            if amount > 0 && self.random.chance(180) {
                self.push(Action::Transfer, holder, holder, amount);
            }
        }
    }
}

/// Distributes the events over the blocks from the deploy to the end of the history, in order, and numbers their
/// inscriptions. Fully minted tokens are minted out within days.
fn date(random: &mut Random, token: &DemoToken, events: &mut [Event], mints: usize, inscription_count: &mut u32) {
    let deployed = token.deploy_height;
    let days = random.between(20, 900);
    let minted_by =
        if token.supply.minted_permille == 1000 { deployed + days } else { deployed + (HISTORY_END - deployed) / 2 };
    let trades = events.len().saturating_sub(mints).max(1) as u64;
    for (place, event) in events.iter_mut().enumerate() {
        let (begin, end, nth, of) = match place {
            0 => (deployed, deployed, 0, 1),
            _ if place < mints => (deployed + 1, minted_by, place as u64 - 1, mints as u64),
            _ => (minted_by + 1, HISTORY_END, (place - mints) as u64, trades),
        };
        let span = end - begin;
        let (first, next) = (begin + span * nth / of, begin + span * (nth + 1) / of);
        event.when = random.between(first, next.saturating_sub(1).max(first)) as u32;
        if event.action != Action::Send {
            *inscription_count += 1;
        }
        event.inscription = inscription_count.saturating_sub(1);
    }
}
