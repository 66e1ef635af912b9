//! Short descriptions of requests.

use std::borrow::Cow;

use super::Request;
use crate::model::{InscriptionRef, PostOrder, Tag, text};

impl Request {
    /// Short description for the Status tab, errors and the log: `Coin list 1–200`, `ordi 7D chart`.
    /// Safe to print, even with hostile names.
    pub fn describe(&self) -> String {
        text::clean(&self.description()).into_owned()
    }

    fn description(&self) -> String {
        let range = |offset: u64, limit: u32| {
            format!("{}–{}", offset.saturating_add(1), offset.saturating_add(u64::from(limit)))
        };
        match self {
            Request::Coins { tag, start, limit, .. } => {
                let range = range(u64::from(start.saturating_sub(1)), *limit);
                match tag {
                    Tag::All => format!("Coin list {range}"),
                    tag => format!("{} coins {range}", tag.title()),
                }
            }
            Request::Posts { symbol, order: PostOrder::Top, .. } => format!("Top posts about {symbol}"),
            Request::Posts { symbol, order: PostOrder::Latest, .. } => format!("Latest posts about {symbol}"),
            Request::MarketPairs { symbol, .. } => format!("Markets of {symbol}"),
            Request::Chart { slug, period, .. } => format!("{slug} {} chart", period.as_str()),
            Request::MarketData { symbols, convert, interval, .. } => match symbols.as_slice() {
                [one] => format!("Price history of {one} ({convert}, {interval})"),
                [first, rest @ ..] => {
                    format!("Price history of {first} + {} more ({convert}, {interval})", rest.len())
                }
                [] => format!("Price history ({convert}, {interval})"),
            },
            Request::CategoryStats { tag, .. } => format!("7-day charts ({})", tag.title()),
            Request::Brc20Tokens { ticker: Some(prefix), offset, limit } => {
                format!("BRC-20 tokens {}… ({})", visible(prefix), range(*offset, *limit))
            }
            Request::Brc20Tokens { ticker: None, offset, limit } => {
                format!("BRC-20 tokens {}", range(*offset, *limit))
            }
            Request::Brc20Token { ticker } => format!("BRC-20 token {}", visible(ticker)),
            Request::Brc20Holders { ticker, offset, limit } => {
                format!("Holders of {} ({})", visible(ticker), range(*offset, *limit))
            }
            Request::Brc20Balances { address, offset, limit } => {
                format!("BRC-20 balances of {address} ({})", range(*offset, *limit))
            }
            Request::Brc20Activity { ticker, block_height, offset, limit } => {
                let token = ticker.as_ref().map(|ticker| format!(" of {}", visible(ticker))).unwrap_or_default();
                let range = range(*offset, *limit);
                match block_height {
                    Some(height) => format!("BRC-20 activity{token} in block {height} ({range})"),
                    None => format!("BRC-20 activity{token} ({range})"),
                }
            }
            Request::Sat { number } => format!("Sat {number}"),
            Request::SatInscriptions { number, offset, limit } => {
                format!("Inscriptions on sat {number} ({})", range(*offset, *limit))
            }
            Request::Inscription { inscription: InscriptionRef::Id(id) } => format!("Inscription {id}"),
            Request::Inscription { inscription: InscriptionRef::Number(number) } => {
                format!("Inscription {number}")
            }
            Request::InscriptionContent { id } => format!("Content of inscription {id}"),
            Request::InscriptionImage { id } => format!("Image of inscription {id}"),
            Request::Inscriptions { address: Some(address), offset, limit } => {
                format!("Inscriptions of {address} ({})", range(*offset, *limit))
            }
            Request::Inscriptions { address: None, offset, limit } => {
                format!("Inscriptions ({})", range(*offset, *limit))
            }
            Request::InscriptionStats { .. } => String::from("Inscription statistics"),
            Request::ChainState => String::from("Block height and fees"),
            Request::BitcoinBalance { address } => format!("Bitcoin balance of {address}"),
            Request::Sources => String::from("Providers"),
            Request::CoinsById { ids, .. } => match ids.as_slice() {
                [only] => format!("Coin with ID {}", only.0),
                ids => format!("{} coins by ID", ids.len()),
            },
            Request::CoinNames => String::from("Names of all coins"),
            Request::HistoricalRates { days, to, .. } => match days.as_slice() {
                [day] => format!("{to} rates on {day}"),
                days => format!("{to} rates on {} days", days.len()),
            },
        }
    }
}

/// A ticker, quoted if it begins or ends with a space: tickers are any four bytes.
fn visible(ticker: &str) -> Cow<'_, str> {
    if ticker.starts_with(char::is_whitespace) || ticker.ends_with(char::is_whitespace) {
        Cow::Owned(format!("\"{ticker}\""))
    } else {
        Cow::Borrowed(ticker)
    }
}
