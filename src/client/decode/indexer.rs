//! The indexer group's answers: the shapes of Hiro's Ordinals API first, and the names that other indexers (UniSat,
//! Best in Slot, OPI, Xverse, ord) use for the same things.

mod activity;
mod amount;
mod brc20;
mod inscription;
mod sat;

use super::envelope::{List, Spec, WRAPPERS, unrecognised};
use super::read::Context;
use super::tape::Value;
use crate::client::{Answer, ErrorKind, Request};
use crate::model::{Brc20Token, Page};

/// Decodes an answer of the indexer group.
///
/// # Errors
/// [`ErrorKind::Unrecognised`].
pub(super) fn decode(request: &Request, root: Value<'_>, context: &mut Context<'_>) -> Result<Answer, ErrorKind> {
    match request {
        Request::Brc20Tokens { offset, .. } => {
            let mut reader = brc20::TokenReader::new();
            let read = |context: &mut Context<'_>, item: Value<'_>| reader.read(context, item, None);
            page(root, &brc20::TOKENS, context, *offset, "a token", read).map(Answer::Brc20Tokens)
        }
        Request::Brc20Token { ticker } => {
            let mut reader = brc20::TokenReader::new();
            let read = |context: &mut Context<'_>, item: Value<'_>| reader.read(context, item, Some(ticker));
            let is_asked = |token: &Brc20Token| brc20::is_same(&token.ticker, ticker);
            let token = one(root, &brc20::TOKENS, context, "a token", read, is_asked)?;
            if !is_asked(&token) {
                let (other, asked) = (&token.ticker, brc20::harmless(ticker));
                context.warn(|| format!("the answer is about the token {other} instead of {asked}"));
            }
            Ok(Answer::Brc20Token(Box::new(token)))
        }
        Request::Brc20Holders { offset, .. } => {
            let mut reader = brc20::HolderReader::new();
            let read = |context: &mut Context<'_>, item: Value<'_>| reader.read(context, item);
            page(root, &brc20::HOLDERS, context, *offset, "a holder", read).map(Answer::Holders)
        }
        Request::Brc20Balances { offset, .. } => {
            let mut reader = brc20::BalanceReader::new();
            let read = |context: &mut Context<'_>, item: Value<'_>| reader.read(context, item);
            page(root, &brc20::BALANCES, context, *offset, "a balance", read).map(Answer::Balances)
        }
        Request::Brc20Activity { ticker, offset, .. } => {
            let mut reader = activity::Reader::new(ticker.as_ref());
            let read = |context: &mut Context<'_>, item: Value<'_>| reader.read(context, item);
            page(root, &activity::EVENTS, context, *offset, "an event", read).map(Answer::Activity)
        }
        Request::Sat { number } => {
            let read = |context: &mut Context<'_>, item: Value<'_>| sat::read(context, item, *number);
            one(root, &sat::SAT, context, "a sat", read, |_| true).map(|sat| Answer::Sat(Box::new(sat)))
        }
        Request::SatInscriptions { offset, .. } | Request::Inscriptions { offset, .. } => {
            let mut reader = inscription::Reader::new();
            let read = |context: &mut Context<'_>, item: Value<'_>| reader.read(context, item);
            page(root, &inscription::INSCRIPTIONS, context, *offset, "an inscription", read).map(Answer::Inscriptions)
        }
        Request::Inscription { .. } => {
            let mut reader = inscription::Reader::new();
            let read = |context: &mut Context<'_>, item: Value<'_>| reader.read(context, item);
            let found = one(root, &inscription::INSCRIPTIONS, context, "an inscription", read, |_| true)?;
            Ok(Answer::Inscription(Box::new(found)))
        }
        Request::InscriptionStats { .. } => {
            let mut reader = inscription::StatReader::new();
            let read = |context: &mut Context<'_>, item: Value<'_>| reader.read(context, item);
            page(root, &inscription::STATS, context, 0, "a block", read).map(Answer::InscriptionStats)
        }
        _ => Err(ErrorKind::Internal(format!("{} is not the indexer's business", request.describe()))),
    }
}

/// A page of a list that was asked for from `offset` on.
fn page<T>(
    root: Value<'_>,
    spec: &Spec,
    context: &mut Context<'_>,
    offset: u64,
    what: &str,
    mut read: impl FnMut(&mut Context<'_>, Value<'_>) -> Option<T>,
) -> Result<Page<T>, ErrorKind> {
    let list = List::find(root, spec)?;
    let items = list.read(context, what, |context, _, item| read(context, item))?;
    let total = context.u64(list.total).filter(|total| match items.len() as u64 {
        // Past its end Hiro's API says of every list that its length is 0.
        0 => offset == 0 || *total > 0,
        // Some services count the page instead of the list.
        listed => *total >= offset.saturating_add(listed),
    });
    let echo = [Some(root), root.any(WRAPPERS)].into_iter().flatten().find_map(|answer| answer.get("offset")?.number());
    if let Some(other) =
        echo.and_then(|echo| echo.parse::<u64>().ok()).filter(|other| *other != offset && !items.is_empty())
    {
        context.warn(|| format!("the service says that its list begins at {other}, not at {offset} as asked for"));
    }
    Ok(Page { items, total })
}

/// The one thing that was asked for: of several the first that is it, or else the first.
fn one<T>(
    root: Value<'_>,
    spec: &Spec,
    context: &mut Context<'_>,
    what: &str,
    mut read: impl FnMut(&mut Context<'_>, Value<'_>) -> Option<T>,
    is_asked: impl Fn(&T) -> bool,
) -> Result<T, ErrorKind> {
    let list = List::find(root, spec)?;
    let mut items = list.read(context, what, |context, _, item| read(context, item))?;
    if items.is_empty() {
        return Err(unrecognised(root));
    }
    if items.len() > 1 {
        context.warn(|| format!("the answer holds more than {what}; one of them was taken"));
    }
    Ok(items.swap_remove(items.iter().position(is_asked).unwrap_or(0)))
}

#[cfg(test)]
mod tests;
