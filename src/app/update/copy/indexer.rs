//! The text that can be copied in the indexer tab.

use crate::app::find::lookup::Subject;
use crate::app::panel::Panel;
use crate::app::screen::indexer::content_request;
use crate::app::state::State;
use crate::format::HIDDEN;
use crate::model::{Activity, Amount, Balance, Brc20Token, Holder, Inscription, InscriptionRef, InscriptionStat, Sat};

use super::items::Items;

/// Adds the text of the focused panel.
pub(in crate::app::update) fn add_panel(state: &State, items: &mut Items<'_>) {
    let (screen, responses) = (&state.indexer, &state.responses);
    let row = screen.list(screen.focus).map_or(0, |list| list.cursor.index());
    match screen.focus {
        Panel::Tokens => screen.token_list(responses).get(row).into_iter().for_each(|token| add_token(items, token)),
        Panel::Holders => {
            let list = screen.holder_list(responses);
            list.and_then(|list| list.get(row)).into_iter().for_each(|holder| add_holder(items, holder));
        }
        Panel::Balances => {
            let list = screen.balance_list(responses);
            let hides = state.hides_indexer_amounts();
            list.and_then(|list| list.get(row)).into_iter().for_each(|balance| add_balance(items, balance, hides));
            if let Some(Subject::Address(address)) = screen.subject() {
                items.add('a', "address", address);
            }
        }
        Panel::Activity => {
            let list = screen.activity_list(responses);
            list.and_then(|list| list.get(row)).into_iter().for_each(|event| add_event(items, event));
        }
        Panel::Inscriptions => {
            let list = screen.inscription_list(responses);
            list.and_then(|list| list.get(row)).into_iter().for_each(|it| add_inscription(items, it));
        }
        _ => add_subject(state, items),
    }
}

/// Adds the text of the details, facts or statistics.
fn add_subject(state: &State, items: &mut Items<'_>) {
    let (screen, responses) = (&state.indexer, &state.responses);
    let Some((request, subject)) = screen.facts_request().zip(screen.subject()) else { return };
    match subject {
        Subject::Token(ticker) => match responses.brc20_token(&request).value {
            Some(token) => add_token(items, token),
            None => items.add('t', "ticker", ticker),
        },
        Subject::Sat(number) => {
            let known = responses.sat(&request).value.map(Box::as_ref);
            let computed = Sat::computed(number);
            let sat = known.unwrap_or(&computed);
            items.add('n', "number", number);
            items.add('m', "name", &sat.name);
            items.maybe('i', "inscription ID", sat.inscription_id.as_ref());
            items.add('d', "degree", &sat.degree);
            items.add('p', "percentile", &sat.percentile);
        }
        Subject::Inscription(name) => match (responses.inscription(&request).value, name) {
            (Some(inscription), _) => {
                let content = content_request(inscription).and_then(|request| responses.content(&request).value);
                items.maybe('c', "content", content.map(|content| &content.text));
                add_inscription(items, inscription);
            }
            (None, InscriptionRef::Id(id)) => items.add('i', "ID", id),
            (None, InscriptionRef::Number(number)) => items.add('n', "number", number),
        },
        Subject::Stats => {
            let page = responses.inscription_stats(&request).value;
            let line = |stat: &InscriptionStat| Some(format!("{}\t{}", stat.block_height?, stat.inscriptions?));
            let lines: Option<Vec<String>> = page.map(|page| page.items.iter().filter_map(line).collect());
            items.maybe('r', "blocks and counts", lines.map(|lines| lines.join("\n")));
        }
        Subject::Address(_) | Subject::Block(_) | Subject::TokenInBlock(..) => {}
    }
}

fn add_token(items: &mut Items<'_>, token: &Brc20Token) {
    items.add('t', "ticker", &token.ticker);
    // The contract of a BRC-20 token is its deploy inscription.
    items.maybe('c', "contract", token.inscription_id.as_ref());
    items.maybe('i', "inscription ID", token.inscription_id.as_ref());
    items.maybe('d', "deployer", token.deployer.as_ref());
    items.maybe('x', "transaction", token.tx_id.as_ref());
    let amount = |label: &str, amount: Option<Amount>| amount.map(|amount| format!("{label} {amount}"));
    items.row(&[
        Some(token.ticker.to_string()),
        amount("minted", token.minted_supply),
        amount("max", token.max_supply),
        token.tx_count.map(|count| format!("{count} events")),
        token.holders.map(|count| format!("{count} holders")),
    ]);
}

fn add_holder(items: &mut Items<'_>, holder: &Holder) {
    items.maybe('a', "address", holder.address.as_ref());
    items.maybe('b', "balance", holder.balance);
    items.row(&[holder.address.as_ref().map(ToString::to_string), holder.balance.map(|balance| balance.to_string())]);
}

fn add_balance(items: &mut Items<'_>, balance: &Balance, hides: bool) {
    items.maybe('t', "ticker", balance.ticker.as_ref());
    // The palette and the message after copying show what is copied.
    items.maybe('b', "balance", balance.overall.filter(|_| !hides));
    let shown = |amount: Amount| if hides { HIDDEN.to_owned() } else { amount.to_string() };
    let amount = |label: &str, amount: Option<Amount>| amount.map(|amount| format!("{label} {}", shown(amount)));
    items.row(&[
        balance.ticker.as_ref().map(ToString::to_string),
        amount("balance", balance.overall),
        amount("available", balance.available),
        amount("transferable", balance.transferable),
    ]);
}

fn add_event(items: &mut Items<'_>, event: &Activity) {
    items.maybe('i', "inscription ID", event.inscription_id.as_ref());
    items.maybe('x', "transaction", event.tx_id.as_ref());
    items.maybe('f', "from", event.from.as_ref());
    items.maybe('t', "to", event.to.as_ref());
    items.maybe('a', "address", event.address.as_ref());
    items.maybe('m', "amount", event.amount);
    items.maybe('b', "block", event.block_height);
    items.row(&[
        event.time.map(|time| time.to_string()),
        Some(String::from(event.operation.as_str())),
        Some(event.ticker.to_string()),
        event.amount.map(|amount| amount.to_string()),
        event.from.as_ref().map(|from| format!("from {from}")),
        event.to.as_ref().or(event.address.as_ref()).map(|to| format!("to {to}")),
        event.block_height.map(|height| format!("block {height}")),
    ]);
}

fn add_inscription(items: &mut Items<'_>, inscription: &Inscription) {
    items.add('i', "ID", &inscription.id);
    items.maybe('n', "number", inscription.number);
    items.maybe('a', "address", inscription.address.as_ref());
    items.maybe('s', "sat", inscription.sat);
    items.maybe('o', "output", inscription.output.as_ref());
    items.row(&[
        inscription.number.map(|number| number.to_string()),
        Some(inscription.id.to_string()),
        inscription.content_type.as_ref().map(|kind| kind.to_string()),
        inscription.address.as_ref().map(|address| address.to_string()),
    ]);
}
