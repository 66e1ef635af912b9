//! Converts commands to requests.

use std::borrow::Cow;
use std::collections::HashSet;

use super::address;
use super::args::{Brc20, Command, SatCommand};
use super::failure::{Failure, MAX_QUOTED, with_short_words};
use crate::client::{Group, InscriptionRef, Request};
use crate::config::Settings;
use crate::format::with_separators;
use crate::model::sat::SatParseError;
use crate::model::{SatNumber, Text, text};
use crate::service::series_limits;

/// The request of a command; `None` for commands without one.
pub(super) fn from_command(command: &Command, settings: &Settings) -> Result<Option<Request>, Failure> {
    let convert = settings.display.convert.clone();
    Ok(Some(match command {
        Command::Coins { tag, start, limit, rows } => {
            let limit = match limit {
                Some(limit) if rows.are_selected() => (*limit).max(SELECTION_SCOPE),
                limit => limit.unwrap_or(settings.display.page_size),
            };
            Request::Coins { tag: *tag, start: *start, limit, convert }
        }
        Command::Posts { symbol, order, limit: _ } => {
            Request::Posts { symbol: symbol.clone(), slug: None, order: *order }
        }
        Command::Pairs { symbol, limit: _ } => Request::MarketPairs { symbol: symbol.clone(), slug: None, convert },
        Command::Chart { slug, period, style: _ } => {
            let period = period.unwrap_or(settings.display.period);
            Request::Chart { slug: slug.clone(), period, convert }
        }
        Command::Market { symbols, count, interval, period } => {
            let (count, interval) = match period {
                Some(period) => (period.points(), Text::const_new(period.interval())),
                None => (*count, interval.clone()),
            };
            check_series(count, &interval, settings)?;
            Request::MarketData { symbols: distinct(symbols), convert, count, interval }
        }
        Command::Stats { tag, limit: _, rows: _ } => Request::CategoryStats { tag: *tag, convert },
        Command::Brc20(command) => brc20(command, settings)?,
        Command::Sat { sat: Some(_), command: Some(_) } => {
            return Err(Failure::Usage(String::from("use either `sat SAT` or `sat inscriptions SAT`")));
        }
        Command::Sat { sat: Some(sat), command: None } => Request::Sat { number: sat_number(sat)? },
        Command::Sat { sat: None, command: Some(SatCommand::Inscriptions { sat, page }) } => {
            Request::SatInscriptions { number: sat_number(sat)?, offset: page.offset, limit: page.limit }
        }
        Command::Inscription { inscription } => Request::Inscription { inscription: inscription_ref(inscription)? },
        Command::Inscriptions { address, page } => {
            let address = address.as_ref().map(|address| address::looked_up(address, settings)).transpose()?;
            Request::Inscriptions { address, offset: page.offset, limit: page.limit }
        }
        Command::InscriptionStats { from_block: Some(from), to_block: Some(to) } if from > to => {
            return Err(Failure::Usage(format!("--from-block {from} must not exceed --to-block {to}")));
        }
        Command::InscriptionStats { from_block, to_block } => {
            Request::InscriptionStats { from_block: *from_block, to_block: *to_block }
        }
        Command::Sat { sat: None, command: None }
        | Command::Serve(_)
        | Command::Watchlist { .. }
        | Command::Wallet { .. }
        | Command::Line { .. }
        | Command::Alerts { .. }
        | Command::Notes { .. }
        | Command::Sources { .. }
        | Command::Config(_)
        | Command::Completions { .. }
        | Command::Man => return Ok(None),
    }))
}

/// Minimum coins that are sorted or filtered before `--limit` applies, as in the lists of the dashboard.
const SELECTION_SCOPE: u32 = 1_000;

/// The maximum rows that a command prints of a response that has more; `None` for all.
pub(super) fn printed_rows(command: &Command) -> Option<u32> {
    match command {
        Command::Coins { limit, rows, .. } => limit.filter(|_| rows.are_selected()),
        Command::Posts { limit, .. } | Command::Pairs { limit, .. } | Command::Stats { limit, .. } => *limit,
        _ => None,
    }
}

fn brc20(command: &Brc20, settings: &Settings) -> Result<Request, Failure> {
    Ok(match command {
        Brc20::Tokens { ticker, page } => {
            Request::Brc20Tokens { ticker: ticker.clone(), offset: page.offset, limit: page.limit }
        }
        Brc20::Token { ticker } => Request::Brc20Token { ticker: ticker.clone() },
        Brc20::Holders { ticker, page } => {
            Request::Brc20Holders { ticker: ticker.clone(), offset: page.offset, limit: page.limit }
        }
        Brc20::Balances { address, page } => {
            let address = address::looked_up(address, settings)?;
            Request::Brc20Balances { address, offset: page.offset, limit: page.limit }
        }
        Brc20::Activity { ticker, ticker_option, block_height, page } => Request::Brc20Activity {
            ticker: one_ticker(ticker.as_ref(), ticker_option.as_ref())?,
            block_height: *block_height,
            offset: page.offset,
            limit: page.limit,
        },
    })
}

/// The ticker given as an argument, as an option, or as both if they are the same.
fn one_ticker(argument: Option<&Text>, option: Option<&Text>) -> Result<Option<Text>, Failure> {
    match (argument, option) {
        (Some(argument), Some(option)) if !argument.eq_ignore_ascii_case(option) => {
            let sentence = format!("two tickers given: {argument} and --ticker {option}");
            Err(Failure::Usage(with_short_words(&sentence)))
        }
        _ => Ok(argument.or(option).cloned()),
    }
}

/// Checks the points and the interval of a price history by the limits of the embedded service. Other services have
/// their own. The client splits a request with too many points for one response.
fn check_series(count: u32, interval: &str, settings: &Settings) -> Result<(), Failure> {
    if settings.url(Group::Market).is_some() {
        return Ok(());
    }
    if count > series_limits::MAX_COUNT {
        return Err(Failure::Usage(format!(
            "invalid value '{count}' for '--count <N>': not a whole number from 1 to {}",
            with_separators(&series_limits::MAX_COUNT.to_string())
        )));
    }
    let sentence = if settings.is_live(Group::Market) {
        // The option accepts only intervals of some length.
        series_limits::live_interval(interval).err().map(|_| String::from("is too short for live data (minimum 1m)"))
    } else {
        series_limits::check_simulated_interval(interval).err().map(|must| format!("must be {must}"))
    };
    sentence.map_or(Ok(()), |sentence| Err(Failure::Usage(format!("--interval {interval} {sentence}"))))
}

/// Removes duplicate symbols.
pub(super) fn distinct(symbols: &[Text]) -> Vec<Text> {
    let mut known = HashSet::new();
    symbols.iter().filter(|symbol| known.insert(*symbol)).cloned().collect()
}

fn sat_number(text: &str) -> Result<SatNumber, Failure> {
    text.parse().map_err(|error| {
        let text = quoted(text);
        Failure::Usage(match error {
            SatParseError::Unknown => format!("{text:?} is not a sat number, decimal, degree, percentile or name"),
            error => format!("{text:?} is not a sat ({error})"),
        })
    })
}

/// Shortens an invalid argument for an error message.
fn quoted(text: &str) -> Cow<'_, str> {
    text::cut(Cow::Borrowed(text), MAX_QUOTED)
}

/// Parses an inscription id (64 hex digits, `i`, index) or number (negative for cursed inscriptions).
fn inscription_ref(text: &str) -> Result<InscriptionRef, Failure> {
    InscriptionRef::parse(text).ok_or_else(|| {
        Failure::Usage(format!("{:?} is not an inscription ID (64 hex digits, i, index) or number", quoted(text)))
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn inscriptions_are_parsed_from_id_or_number() {
        let id = format!("{}i0", "B61b0172".repeat(8));
        let read = |text: &str| inscription_ref(text).ok();
        assert_eq!(read(&id), Some(InscriptionRef::Id(Text::from(id.to_lowercase()))));
        assert_eq!(read("348020"), Some(InscriptionRef::Number(348_020)));
        assert_eq!(read("-5"), Some(InscriptionRef::Number(-5)));
        for bad in
            ["", "i0", "12x", &id[..65], &id[1..], &format!("{id}x"), &id.replace("i0", "i+1"), "é".repeat(40).as_str()]
        {
            assert_eq!(read(bad), None, "{bad}");
        }
    }
}
