//! The rule of a line, with its coin.

use std::cell::OnceCell;
use std::time::Duration;

use super::super::failure::{Failure, invalid_condition, with_short_words};
use super::super::find;
use super::source::source_of;
use crate::alerts::parse::{Subject, parse_relative};
use crate::alerts::values::{Origin, stale_since};
use crate::client::Group;
use crate::config::Settings;
use crate::model::{Currency, Text};
use crate::user_data::alert::Rule;
use crate::user_data::{UserData, Watched};

/// Maximum age of a price that a limit may be relative to.
const MAX_AGE: Duration = Duration::from_mins(10);

/// The rule of a line, and whether it fires once. A failure to find its coin or price says first what was not done.
pub(super) fn rule(line: &str, context: &str, data: &UserData, settings: &Settings) -> Result<(Rule, bool), Failure> {
    let in_context = |failure: Failure| failure.with_context(context);
    let priced = OnceCell::new();
    let price = |name: &str| {
        let priced = priced.get_or_init(|| with_price(&Text::from(name), settings));
        priced.as_ref().ok().map(|(_, price, currency)| (*price, currency.clone()))
    };
    let draft = parse_relative(line, &data.addresses, &price);
    let priced = priced.into_inner().transpose().map_err(in_context)?;
    let draft = draft.map_err(|error| invalid_condition(&error.to_string(), line, error.lacks_operator()))?;
    let once = draft.once;
    let coin = match (priced, &draft.subject) {
        (Some((coin, ..)), _) => Some(coin),
        (None, Subject::Coin { name, .. }) => Some(find::named(name, data, settings).map_err(in_context)?),
        (None, Subject::Other(..)) => None,
    };
    let rule = draft.rule(coin, &settings.display.convert);
    let rule = rule.ok_or_else(|| Failure::Operation(String::from("can't track this coin: it has no slug or ID")))?;
    Ok((rule, once))
}

/// The coin with a slug or unique symbol, and its current price in a currency.
fn with_price(name: &Text, settings: &Settings) -> Result<(Watched, f64, Currency), Failure> {
    let (coin, reply) = find::listed(name, settings)?;
    let error = |problem: &str| {
        let sentence = format!("the price of {name} is {problem} (use a limit such as '{name} > 10')");
        Err(Failure::Operation(with_short_words(&sentence)))
    };
    let Some(price) = coin.price.filter(|price| *price > 0.0) else { return error("unknown") };
    let source = source_of(Group::Market, reply.provider.as_deref(), reply.simulated, settings);
    let origin = Origin { at: reply.fetched_at.minus(reply.age), source };
    if reply.age > MAX_AGE || stale_since(&coin, origin).is_some() {
        return error("outdated");
    }
    Ok((Watched::from_coin(&coin), price, coin.convert))
}
