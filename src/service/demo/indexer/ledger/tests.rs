use super::event::Action;
use super::*;

const TIPS: [u64; 5] = [HISTORY_END, HISTORY_END + 1, HISTORY_END + 500, HISTORY_END + CYCLE, HISTORY_END + 3_700];

fn replay(ledger: &Ledger, token: u8, tip: u64) -> Vec<Holding> {
    let (total, mut events) = ledger.newest(tip, 0, usize::MAX, |event| event.token == token);
    assert_eq!(total, events.len() as u64);
    events.reverse();
    let mut holdings = Vec::new();
    for occurrence in &events {
        let from = |holdings: &[Holding]| holdings.iter().find(|h| h.address == occurrence.event.from).copied();
        match occurrence.event.action {
            Action::Transfer => assert!(from(&holdings).unwrap().available >= occurrence.event.amount),
            Action::Send => assert!(from(&holdings).unwrap().transferable >= occurrence.event.amount),
            _ => {}
        }
        apply(&mut holdings, occurrence.event);
    }
    assert!(events.is_sorted_by_key(Occurrence::height));
    holdings
}

#[test]
fn balances_are_the_sum_of_events_at_any_block() {
    let ledger = Ledger::new(1);
    for (index, token) in (0u8..).zip(TOKENS.iter()) {
        for tip in TIPS {
            let (events, tip_holdings) = (replay(&ledger, index, tip), ledger.holdings(index, tip));
            assert_eq!(events, tip_holdings, "{} at {tip}", token.ticker);
            let sum: u128 = tip_holdings.iter().map(Holding::overall).sum();
            assert_eq!(sum, token.minted().atoms(), "{}", token.ticker);
        }
    }
}

#[test]
fn every_token_has_holders_and_former_holders() {
    for seed in 0..4 {
        let ledger = Ledger::new(seed);
        for (index, token) in (0u8..).zip(TOKENS.iter()) {
            let holdings = ledger.holdings(index, HISTORY_END);
            let holders = holdings.iter().filter(|holding| holding.overall() > 0).count();
            assert_eq!(holders, usize::from(token.holders), "{}", token.ticker);
        }
        assert!(ledger.holdings(0, HISTORY_END).len() > usize::from(TOKENS[0].holders));
    }
}

#[test]
fn mints_respect_limit_and_decimals() {
    let ledger = Ledger::new(2);
    for event in ledger.history.iter().chain(&ledger.cycle) {
        let token = &TOKENS[usize::from(event.token)];
        assert_eq!(event.amount % token.supply.smallest().atoms(), 0, "{}", token.ticker);
        assert_eq!(event.amount == 0, event.action == Action::Deploy);
        if event.action == Action::Mint {
            assert!(token.supply.mint_limit.is_none_or(|limit| event.amount <= limit.atoms()), "{}", token.ticker);
        }
    }
}

#[test]
fn ledger_tables_stay_small_and_cover_most_blocks() {
    let ledger = Ledger::new(3);
    let bytes = (ledger.history.len() + ledger.cycle.len()) * size_of::<Event>();
    assert!(bytes < 512 * 1024, "{bytes}");
    let busy = (0..CYCLE as u32).filter(|offset| ledger.cycle.iter().any(|event| event.when == *offset)).count();
    assert!(busy > 700, "{busy} of {CYCLE} blocks have an event");
}

#[test]
fn block_has_same_events_in_both_lists() {
    let ledger = Ledger::new(5);
    let tip = HISTORY_END + 2_100;
    let (_, all) = ledger.newest(tip, 0, usize::MAX, |_| true);
    for height in [779_832, tip, tip - 1, tip - 7, HISTORY_END + 1, tip + 1] {
        let expected: Vec<_> = all.iter().filter(|o| o.height() == height).map(|o| o.event.inscription).collect();
        let found: Vec<_> = ledger.of_block(height, tip, |_| true).iter().map(|o| o.event.inscription).collect();
        assert_eq!(found, expected, "{height}");
    }
}

#[test]
fn activity_varies_in_amounts_actors_and_directions() {
    for seed in 0..4 {
        let ledger = Ledger::new(seed);
        for (index, token) in (0u8..).zip(TOKENS.iter()).filter(|(_, token)| token.listing.volume_usd >= 1e5) {
            let is_send = |event: &&Event| event.token == index && event.action == Action::Send;
            let sends: Vec<&Event> = ledger.cycle.iter().filter(is_send).collect();
            let distinct = |key: fn(&Event) -> u128| {
                let mut all: Vec<u128> = sends.iter().map(|event| key(event)).collect();
                all.sort_unstable();
                all.dedup();
                all.len()
            };
            let (amounts, senders, receivers) = (
                distinct(|event| event.amount),
                distinct(|event| event.from.into()),
                distinct(|event| event.to.into()),
            );
            let name = token.ticker;
            assert!(sends.len() >= 10, "{name}: {} transfers", sends.len());
            assert!(amounts * 10 >= sends.len() * 8, "{name}: {amounts} amounts in {} transfers", sends.len());
            assert!(senders * 4 >= sends.len() && receivers * 4 >= sends.len(), "{name}: {senders}, {receivers}");
        }
    }
}
