//! A typed rule with the coins that match its name.

use crate::alerts::parse::{Draft, RuleError, Subject, parse_relative};
use crate::model::{CoinId, Currency};
use crate::user_data::alert::{Rule, Target};

use crate::app::coins::named_coin::NamedCoin;
use crate::app::state::State;
use crate::app::wallet::lot_line::{MAX_COINS, name_of};

/// A typed rule, and the coins that match its name.
pub(in crate::app) struct AlertLine {
    pub(in crate::app) draft: Result<Draft, RuleError>,
    pub(in crate::app) coins: Vec<NamedCoin>,
}

impl AlertLine {
    /// The rule with the chosen coin, and whether it fires once; or why it can't be added, in one sentence.
    ///
    /// # Errors
    /// The line isn't a rule, or no known coin has its name.
    pub(in crate::app) fn rule(
        &self,
        chosen: usize,
        convert: &Currency,
        no_coin: impl Fn(&str) -> String,
    ) -> Result<(Rule, bool), String> {
        let draft = self.draft.clone().map_err(|error| error.to_string())?;
        let once = draft.once;
        let coin = match &draft.subject {
            Subject::Coin { name, .. } => {
                let coin = self.coins.get(chosen).or(self.coins.first());
                Some(coin.ok_or_else(|| no_coin(name))?.coin.clone())
            }
            Subject::Other(..) => None,
        };
        let rule = draft.rule(coin, convert);
        rule.map(|rule| (rule, once)).ok_or_else(|| String::from("Can't track this coin: it has no slug or ID"))
    }
}

impl State {
    /// Parses a rule. Its limit may be relative to the current price, live if known, of the chosen coin among the `coins`
    /// of its name.
    ///
    /// # Errors
    /// The line isn't a rule, or the price is unknown.
    pub(in crate::app) fn parse_alert(
        &self,
        line: &str,
        chosen: usize,
        coins: impl Fn(&str) -> Vec<NamedCoin>,
    ) -> Result<Draft, RuleError> {
        let price = |name: &str| {
            let coins = coins(name);
            let id = coins.get(chosen).or(coins.first())?.coin.id.clone()?;
            let coin = self.coin(&CoinId(id))?;
            let price = self.live_price(coin, self.source_of(&coin.id)).map(|live| live.price).or(coin.price);
            Some((price.filter(|price| *price > 0.0)?, coin.convert.clone()))
        };
        parse_relative(line, &self.user.current().addresses, &price)
    }
}

/// The coins found for a name in the line of an edited rule. If the name still matches the rule's coin, that coin comes
/// first, even if it wasn't found, so that it stays unless the user picks another.
pub(in crate::app) fn with_own_coin(mut found: Vec<NamedCoin>, name: &str, rule: &Rule) -> Vec<NamedCoin> {
    let Target::Coin(own) = &rule.target else { return found };
    let place = found.iter().position(|coin| coin.coin.has_same_id(own));
    let named = match place {
        Some(place) => found.remove(place),
        None => NamedCoin { coin: own.clone(), name: own.symbol.clone(), rank: None },
    };
    // The rule keeps the known identity of its coin.
    let named = NamedCoin { coin: own.clone(), ..named };
    match place {
        _ if name_of(own).eq_ignore_ascii_case(name) => found.insert(0, named),
        Some(place) => found.insert(place, named),
        None => {}
    }
    found.truncate(MAX_COINS);
    found
}
