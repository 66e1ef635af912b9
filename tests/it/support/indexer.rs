//! Hand-written responses of an indexer and, for other requests, of the market.

use std::time::Duration;

use satscope::client::{Request, ResponseData};
use satscope::model::{
    Activity, Amount, Balance, BitcoinBalance, Brc20Token, Content, Holder, Inscription, InscriptionStat, Operation,
    Page, Picture, Sat, SatNumber, Text,
};

use super::screen::{START, fixture};

/// An address with a valid checksum: the example of BIP 173.
pub(crate) const HOLDER: &str = "bc1qw508d6qejxtdg4y5r3zarvary0c5xw7kv8f3t4";

/// An amount of whole units.
pub(crate) fn units(units: u64) -> Amount {
    Amount::from_atoms(u128::from(units) * Amount::UNIT.atoms())
}

/// The responses of a working market and indexer.
pub(crate) fn response(request: &Request) -> Option<ResponseData> {
    Some(match request {
        Request::Brc20Tokens { ticker, offset, limit } => {
            let prefix = ticker.as_deref().unwrap_or_default();
            let all: Vec<Brc20Token> =
                TOKENS.iter().enumerate().map(token).filter(|token| token.ticker.starts_with(prefix)).collect();
            ResponseData::Brc20Tokens(page(all, *offset, *limit))
        }
        Request::Brc20Token { ticker } => {
            let (index, known) = TOKENS.iter().enumerate().find(|(_, known)| known.0 == ticker.as_str())?;
            ResponseData::Brc20Token(Box::new(Brc20Token { holders: Some(15_312), ..token((index, known)) }))
        }
        Request::Brc20Holders { offset, limit, .. } => {
            let all = (0..80_u64)
                .map(|n| Holder { address: Some(address(n)), balance: Some(units(20_000 / (n + 1))) })
                .collect();
            ResponseData::Holders(page(all, *offset, *limit))
        }
        Request::Brc20Activity { ticker, block_height, offset, limit } => {
            let ticker = ticker.clone().unwrap_or_else(|| Text::from("ordi"));
            let all = if block_height.is_some_and(|height| height == 1 || height > 1_000_000) {
                Vec::new()
            } else {
                (0..70).map(|n| event(&ticker, n)).collect()
            };
            ResponseData::Activity(page(all, *offset, *limit))
        }
        Request::Brc20Balances { offset, limit, .. } => {
            let balance = |(n, known): (u64, &(&str, u64, u64))| Balance {
                ticker: Some(Text::from(known.0)),
                available: Some(units(known.1 / 3_000)),
                transferable: Some(Amount::from_atoms(u128::from(n) * 1_500_000_000_000_000_000)),
                overall: units(known.1 / 3_000)
                    .checked_add(Amount::from_atoms(u128::from(n) * 1_500_000_000_000_000_000)),
            };
            ResponseData::Balances(page((0..).zip(&TOKENS).map(balance).collect(), *offset, *limit))
        }
        Request::BitcoinBalance { address } if address == HOLDER => {
            let address = address.clone();
            ResponseData::BitcoinBalance(BitcoinBalance { address, confirmed: 41_200_300, unconfirmed: 0 })
        }
        Request::Sat { number } => {
            let id = (number.get() == 0).then(|| id(0));
            ResponseData::Sat(Box::new(Sat { inscription_id: id, ..Sat::computed(*number) }))
        }
        Request::SatInscriptions { number, offset, limit } => {
            let count = if number.get() == 0 { 3 } else { 0 };
            ResponseData::Inscriptions(page((0..count).map(inscription).collect(), *offset, *limit))
        }
        Request::Inscription { .. } => ResponseData::Inscription(Box::new(inscription(5))),
        Request::InscriptionContent { .. } => ResponseData::InscriptionContent(Box::new(Content {
            text: String::from("{\"p\":\"brc-20\",\"op\":\"mint\",\"tick\":\"ordi\",\"amt\":\"1000\"}"),
        })),
        Request::InscriptionImage { .. } => ResponseData::Picture(Box::new(picture())),
        Request::Inscriptions { offset, limit, .. } => {
            ResponseData::Inscriptions(page((0..25).map(inscription).collect(), *offset, *limit))
        }
        Request::InscriptionStats { .. } => {
            ResponseData::InscriptionStats(page((0..144).map(stat).collect(), 0, 1_000))
        }
        market => return fixture::response(market),
    })
}

/// Ticker, maximum and minted supply.
const TOKENS: [(&str, u64, u64); 6] = [
    ("ordi", 21_000_000, 21_000_000),
    ("sats", 2_100_000_000_000_000, 2_100_000_000_000_000),
    ("rats", 1_000_000_000_000, 1_000_000_000_000),
    ("nova", 2_100_000, 65_100),
    ("long-x", 6_942_000_000_000, 4_000_000_000_001),
    ("聪币", 314_159_265, 1),
];

/// An orange square.
pub(crate) fn picture() -> Picture {
    let pixels = [247, 147, 26, 255].repeat(16);
    Picture { width: 4, height: 4, pixels, original: (1_200, 1_200), format: Text::const_new("PNG"), bytes: 48_000 }
}

fn token((index, known): (usize, &(&str, u64, u64))) -> Brc20Token {
    let n = index as u64;
    Brc20Token {
        ticker: Text::from(known.0),
        inscription_id: Some(id(n)),
        inscription_number: Some(348_020 + index as i64),
        deployer: Some(address(n)),
        deployed_at: Some(START.minus(Duration::from_hours(24 * 987 + n))),
        block_height: Some(779_832 + n),
        tx_id: None,
        max_supply: Some(units(known.1)),
        minted_supply: Some(units(known.2)),
        mint_limit: (n != 2).then(|| units(1_000)),
        decimals: Some(18),
        self_mint: Some(n == 4),
        tx_count: (n != 5).then_some(54_767 >> n),
        holders: None,
    }
}

fn event(ticker: &Text, n: u64) -> Activity {
    let operation = match n % 4 {
        0 => Operation::TransferSend,
        1 => Operation::Transfer,
        2 => Operation::Mint,
        _ => Operation::Other(Text::from("burn")),
    };
    Activity {
        operation,
        ticker: ticker.clone(),
        amount: (n % 7 != 6).then(|| Amount::from_atoms(u128::from(n + 1) * 12_500_000_000_000_000_000)),
        from: (n.is_multiple_of(4)).then(|| address(n)),
        to: (n.is_multiple_of(4)).then(|| address(n + 1)),
        address: Some(address(n)),
        block_height: Some(840_000 - n),
        block_hash: None,
        tx_id: None,
        inscription_id: Some(id(n)),
        location: None,
        time: Some(START.minus(Duration::from_mins(7 * (n + 1)))),
        max_supply: None,
        mint_limit: None,
        decimals: None,
    }
}

fn inscription(n: u64) -> Inscription {
    Inscription {
        id: id(n),
        number: Some(if n == 2 { -7 } else { 70_000_000 - n as i64 }),
        address: Some(address(n)),
        genesis_address: Some(address(n + 1)),
        genesis_block_height: Some(840_000 - n),
        genesis_time: Some(START.minus(Duration::from_hours(24 * 200 + n))),
        genesis_fee: Some(3_179),
        tx_id: None,
        location: None,
        output: Some(Text::from(format!("{}:0", "cd".repeat(32)))),
        value: Some(546),
        offset: Some(0),
        sat: SatNumber::new(1_234_567_890_123 + n),
        rarity: Some(Text::from("common")),
        content_type: Some(Text::from(["text/plain;charset=utf-8", "image/png"][n as usize % 2])),
        content_length: Some(59 + n * 1_000),
        curse_type: (n == 2).then(|| Text::from("p2wsh")),
        recursive: Some(n == 5),
        parents: if n == 5 { vec![id(1)] } else { Vec::new() },
        charms: if n == 5 { ["nineball", "vindicated"].map(Text::from).to_vec() } else { Vec::new() },
        time: Some(START.minus(Duration::from_hours(24 * 3 + n))),
    }
}

fn stat(n: u64) -> InscriptionStat {
    InscriptionStat {
        block_height: Some(840_000 - n),
        block_hash: None,
        inscriptions: Some((n * 37) % 113),
        inscriptions_total: Some(70_000_000 - n * 50),
        time: Some(START.minus(Duration::from_mins(10 * n))),
    }
}

fn address(n: u64) -> Text {
    // Only the format matters: nothing verifies the checksum.
    Text::from(format!("bc1q{:0>38}", n * 7_919 + 3))
}

fn id(n: u64) -> Text {
    Text::from(format!("{:0>64x}i0", n * 0x9e37_79b9 + 0xb61b_0172))
}

fn page<T>(all: Vec<T>, offset: u64, limit: u32) -> Page<T> {
    let total = Some(all.len() as u64);
    Page { items: all.into_iter().skip(offset as usize).take(limit as usize).collect(), total }
}
