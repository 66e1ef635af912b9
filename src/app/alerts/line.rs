//! The input line of the alerts dialog: the typed rule, the coins that match its name, and its alert.

use std::borrow::Cow;

use crate::alerts::needs::group_of;
use crate::alerts::parse::{Draft, RuleError, Subject, lacks_subject, parse_relative};
use crate::alerts::wallet::{currencies, measures};
use crate::alerts::{Tracked, Values, labels};
use crate::client::{ErrorKind, NoticeCode, Request};
use crate::format::HIDDEN;
use crate::format::words::in_sentence;
use crate::model::address::redact_extended_keys;
use crate::model::{CoinId, Currency, Tag, Text};
use crate::user_data::alert::{AlertState, Condition, Rule, Target, ValueSource};
use crate::user_data::{Alert, AlertId};

use crate::app::alerts::typed::TypedAlert;
use crate::app::coins::named_coin::NamedCoin;
use crate::app::extension::Extension;
use crate::app::overlay::Overlay;
use crate::app::state::State;
use crate::app::wallet::lot_line::{MAX_COINS, name_of, suggestion};

/// A typed rule, and the coins that match its name.
struct AlertLine {
    draft: Result<Draft, RuleError>,
    coins: Vec<NamedCoin>,
}

impl AlertLine {
    /// The rule with the chosen coin, and whether it fires once; or why it can't be added, in one sentence.
    ///
    /// # Errors
    /// The line isn't a rule, or no known coin has its name.
    fn rule(
        &self,
        chosen: usize,
        convert: &Currency,
        no_coin: impl Fn(&str) -> String,
    ) -> Result<(Rule, bool), String> {
        let draft = self.draft.clone().map_err(|error| redact_extended_keys(&error.to_string()).into_owned())?;
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
    /// A typed rule, parsed, with its chosen coin. Its alert replaces `edited`, if given.
    pub(in crate::app) fn typed_alert(&self, line: &str, chosen: usize, edited: Option<AlertId>) -> TypedAlert {
        let opened = match &self.overlay {
            Some(Overlay::Alerts(dialog)) => dialog.opened.as_ref().map(|edit| &edit.after),
            _ => None,
        };
        let whole = opened.map_or(Cow::Borrowed(line), |alert| with_hidden_amounts(line, &alert.rule));
        let (whole, added) = self.with_subject(&whole);
        let in_line = |error: RuleError| RuleError { at: error.at.saturating_sub(added), ..error };
        let coins_of = |name: &str| {
            let found = self.coins_named(name);
            match opened {
                Some(alert) => with_own_coin(found, name, &alert.rule),
                None => found,
            }
        };
        let draft = self.parse_alert(&whole, chosen, coins_of).map_err(in_line);
        let ticker = match &draft {
            Ok(Draft { subject: Subject::Other(Target::Token(ticker), _), .. }) => Some(ticker.clone()),
            _ => None,
        };
        let coins = match &draft {
            Ok(Draft { subject: Subject::Coin { name, .. }, .. }) => coins_of(name),
            _ => Vec::new(),
        };
        let is_about_coin = matches!(&draft, Ok(Draft { subject: Subject::Coin { .. }, .. }));
        let needs_names = is_about_coin && coins.is_empty();
        let read = AlertLine { draft, coins };
        let outcome = self.alert_of(&read, chosen, edited);
        let unchecked = outcome.as_ref().ok().filter(|alert| alert.state.checked_at.is_none());
        let problem = unchecked.and_then(|alert| self.typed_problem(&alert.rule));
        let key = (chosen, edited);
        TypedAlert { line: line.to_owned(), key, coins: read.coins, needs_names, ticker, problem, outcome }
    }

    /// The line with the subject of the selected row, if the typed text starts with a value or an operator; and the
    /// number of characters added before the text.
    fn with_subject<'a>(&self, line: &'a str) -> (Cow<'a, str>, usize) {
        let suggestion = match &self.overlay {
            Some(Overlay::Alerts(dialog)) => dialog.suggestions.first(),
            _ => None,
        };
        let subject = |rule| labels::typed_subject(rule, &self.user.current().addresses);
        match suggestion.map(|rule| subject(rule)).filter(|_| lacks_subject(line)) {
            Some(subject) => (Cow::Owned(format!("{subject} {line}")), subject.chars().count() + 1),
            None => (Cow::Borrowed(line), 0),
        }
    }

    /// Why the current sources can't check a typed rule, in a few words, if known.
    fn typed_problem(&self, rule: &Rule) -> Option<String> {
        match &rule.target {
            Target::Wallet => self.wallet_problem(&rule.measure),
            Target::Token(ticker) => {
                let remote = self.responses.get(&Request::Brc20Token { ticker: ticker.clone() });
                remote.failure().map(|failure| in_sentence(&failure.error.kind.to_string()))
            }
            Target::Address(_) if rule.condition == Condition::Transfer && self.lacks(Extension::BitcoinBalances) => {
                Some(String::from("BTC balance (no enabled provider)"))
            }
            _ => self.missing_source(rule),
        }
    }

    /// An error if a token doesn't exist, or if its existence is not known yet.
    fn find_token(&self, ticker: &Text) -> Result<(), String> {
        let remote = self.responses.get(&Request::Brc20Token { ticker: ticker.clone() });
        match remote.failure() {
            _ if remote.value.is_some() => Ok(()),
            Some(failure) if matches!(failure.error.kind, ErrorKind::NotFound { .. }) => {
                Err(format!("No BRC-20 token {ticker}"))
            }
            Some(_) => Ok(()),
            None => Err(format!("Looking up {ticker}…")),
        }
    }

    /// The alert of a line, checked against the known values.
    fn alert_of(&self, line: &AlertLine, chosen: usize, edited: Option<AlertId>) -> Result<Alert, String> {
        let (rule, once) = line.rule(chosen, &self.convert, |name| self.unknown_coin(name))?;
        if let Target::Token(ticker) = &rule.target {
            self.find_token(ticker)?;
        }
        let simulated = self.simulates(group_of(&rule.target)).unwrap_or_default();
        let others = self.alerts.tracked.iter().map(|tracked| &tracked.alert).filter(|alert| Some(alert.id) != edited);
        if let Some(same) = others.into_iter().find(|alert| alert.rule.is_same(&rule)) {
            let off = match (same.on, same.state.is_simulated() && !simulated) {
                (_, true) => " (simulated data)",
                (true, _) => "",
                (false, _) => " (off)",
            };
            return Err(format!("You already have this alert{off}: {}", self.alert_title(&rule)));
        }
        let is_unchanged = |before: &Alert| {
            let is_checked = before.on && before.state.checked_at.is_some();
            is_checked && (simulated || !before.state.is_simulated()) && (&before.rule, before.once) == (&rule, once)
        };
        let alert = match edited.and_then(|id| self.alert(id)) {
            // The edited alert keeps its re-arm value.
            Some(before) if is_unchanged(before) => return Ok(before.clone()),
            Some(before) => {
                let mut alert = Alert { rule, once, on: true, ..before.clone() };
                alert.state = alert.state.restarted(simulated);
                alert
            }
            None => {
                let state = AlertState::unchecked(simulated);
                Alert { id: self.user.current().next_alert(), state, ..Alert::new(rule, once) }
            }
        };
        let mut tracked = Tracked::new(alert);
        let of_wallet = measures(std::iter::once(&tracked.alert.rule));
        let wallet = (!of_wallet.is_empty()).then(|| self.wallet_values(currencies(&of_wallet)));
        let id = tracked.alert.rule.coin_id().filter(|_| !simulated);
        let source = ValueSource::Live(self.live.provider());
        let mut values = Values::as_of(self.now);
        self.add_known_values(&mut values, |_| true);
        id.iter().for_each(|id| self.add_live_value(id, source, &mut values));
        wallet.iter().for_each(|wallet| values.add_wallet(wallet));
        values.sort();
        let _ = tracked.check(&values);
        Ok(tracked.alert)
    }

    /// The message if no coin has this name, or none is known yet.
    pub(in crate::app) fn unknown_coin(&self, name: &str) -> String {
        let name = &*redact_extended_keys(name);
        let names = self.responses.get(&Request::CoinNames);
        if names.value.is_some() {
            let receipt = names.entry.and_then(|entry| entry.receipt.as_ref());
            let notice = receipt.and_then(|receipt| receipt.notice.as_ref());
            let missing = notice.filter(|notice| notice.code == Some(NoticeCode::NamesMissing));
            let missing = missing.map(|notice| format!(" · {}", in_sentence(notice)));
            let suggestion = suggestion(&self.similar_coins(name));
            return format!("No coin matches {name}{suggestion}{}", missing.unwrap_or_default());
        }
        let list = self.list(Tag::All).first_request(&self.convert);
        let request = if self.lacks(Extension::Names) { list } else { Request::CoinNames };
        let remote = self.responses.get(&request);
        match remote.failure() {
            _ if remote.value.is_some() => {
                format!("No coin matches {name} in the loaded lists{}", suggestion(&self.similar_coins(name)))
            }
            Some(failure) => format!("Lookup of {name} failed: {} · retrying", in_sentence(&failure.error.reason())),
            None => format!("Looking up {name}… · loading coins"),
        }
    }

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
fn with_own_coin(mut found: Vec<NamedCoin>, name: &str, rule: &Rule) -> Vec<NamedCoin> {
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

/// The line of an edited rule, with its hidden limits filled in.
fn with_hidden_amounts<'a>(line: &'a str, rule: &Rule) -> Cow<'a, str> {
    let (Condition::Limit(_, limit) | Condition::Every(limit)) = &rule.condition else { return Cow::Borrowed(line) };
    if !line.contains(HIDDEN) {
        return Cow::Borrowed(line);
    }
    let (head, tail) = line.split_at(line.find(" rearm ").unwrap_or(line.len()));
    let rearm = rule.rearm.as_ref().unwrap_or(limit);
    let [head, tail] =
        [(head, limit), (tail, rearm)].map(|(part, number)| part.replacen(HIDDEN, &number.to_string(), 1));
    Cow::Owned(head + &tail)
}
