//! The dialog that adds or edits a lot: a line, its meaning, and the coins to choose from.

use ratatui::buffer::Buffer;
use ratatui::layout::Rect;

use super::coins;
use super::frame::{Choice, Frame, examples};
use crate::app::State;
use crate::app::coins::named_coin::NamedCoin;
use crate::app::wallet::typed_lot::TypedLot;
use crate::format::words::capitalised;
use crate::format::{Exact, with_separators};
use crate::keymap::{Command, Context};
use crate::model::{Currency, Decimal, address};
use crate::portfolio::entry::{Entry, EntryError};
use crate::portfolio::value::FAR_COST;
use crate::user_data::{Edit, Lot, LotKind, LotPrice, Watched};
use crate::view::area::below;
use crate::view::paint_context::PaintContext;
use crate::view::view_state::ViewState;
use crate::view::widgets::text;

/// Maximum columns of the content.
const COLUMNS: u16 = 76;

/// The column where the meanings of the examples start.
const EXAMPLE: u16 = 38;

const EXAMPLES: [(&str, &str); 7] = [
    ("500 ordi @ 14.10 eur 2025-03-02", "buy at a unit price, with a date"),
    ("0.5 btc @@ 30k fee 12", "buy for 30,000 in total"),
    ("sell 2*0.25 btc @ 61000 yesterday", "sell; expressions are allowed"),
    ("receive 1.5m sats", "receive, without a cost"),
    ("send 10 ordi", "send to someone else"),
    ("5 ordi @ 12 \"sell above 25\"", "with a note"),
    ("425 ordi @ 9 cold", "held at the address labelled “cold”"),
];

/// The typed lot.
pub(super) struct LotForm<'a> {
    /// The title of the dialog.
    pub(super) title: &'a str,
    /// The text field, and the chosen coin.
    pub(super) choice: Choice<'a>,
    /// The edited lot; `None` for a new one.
    pub(super) edited: Option<&'a Edit<Lot>>,
    /// What the text means.
    pub(super) read: Option<&'a TypedLot>,
}

pub(super) fn paint(
    buf: &mut Buffer,
    area: Rect,
    context: PaintContext<'_>,
    form: &LotForm<'_>,
    view_state: &mut ViewState,
) {
    let PaintContext { state, appearance } = context;
    let LotForm { title, choice, edited, read } = *form;
    let theme = &appearance.theme;
    let rows = u16::try_from(EXAMPLES.len()).unwrap_or(u16::MAX).saturating_add(2);
    // The line must show what it changes.
    let shows_hidden = edited.is_some() && state.wallet.hides_amounts;
    let title = if shows_hidden { format!("{title} · amounts are shown here") } else { title.to_owned() };
    let inner = Frame::new(&title, COLUMNS, rows).paint(buf, area, appearance, view_state);
    choice.line(buf, inner, appearance, view_state);
    let rest = below(inner, if inner.height < rows { 1 } else { 2 });
    let typed = choice.input.value();
    if typed.trim().is_empty() {
        examples(buf, rest, EXAMPLE, &EXAMPLES, appearance);
        return;
    }
    let Some(line) = read else { return };
    let TypedLot { entry, coins, unknown, .. } = line;
    match entry {
        Err(error) => {
            let key = state.keys().name(Command::AddAddress, Context::Wallet, appearance.glyphs);
            let hint = key.filter(|_| matches!(error, EntryError::OnlyAddress));
            let hint = hint.map(|key| format!(" · press {key} in the wallet to add one")).unwrap_or_default();
            let sentence = capitalised(&format!("{error}{hint}"));
            text::paragraph(buf, rest, &address::redact_extended_keys(&sentence), theme.warn);
        }
        Ok(_) if unknown.is_some() => {
            text::paragraph(buf, rest, unknown.as_deref().unwrap_or_default(), theme.warn);
        }
        Ok(entry) => {
            let coin = coins.get(choice.selected).or(coins.first());
            let name = coin.map_or_else(|| entry.coin.to_string(), |coin| coin_name(&coin.coin, &entry.coin, coins));
            let mut used = text::paragraph(buf, rest, &meaning(entry, &name, state), theme.strong);
            if let Some(oversold) = state.oversold(line, choice.selected, edited) {
                let words = if state.wallet.hides_amounts {
                    oversold.sentence_without_amounts()
                } else {
                    oversold.sentence(digits)
                };
                used += text::paragraph(buf, below(rest, used), &words, theme.warn);
            }
            if state.has_far_cost(line, choice.selected, edited) {
                let words = format!("{FAR_COST} (add a date if it is older)");
                used += text::paragraph(buf, below(rest, used), &words, theme.warn);
            }
            let list = below(rest, used + u16::from(rest.height > used + 2));
            coins::paint(buf, list, coins, choice.selected, appearance, view_state);
        }
    }
}

/// The symbol of a coin, with its slug unless the typed name is the symbol of no other coin: `PEPE (pepebrc)`.
fn coin_name(coin: &Watched, typed: &str, coins: &[NamedCoin]) -> String {
    let is_clear = coins.len() == 1 && coin.symbol.eq_ignore_ascii_case(typed);
    match coin.slug.as_ref().filter(|_| !is_clear) {
        Some(slug) => format!("{} ({slug})", coin.symbol),
        None => coin.symbol.to_string(),
    }
}

/// The meaning of a line: `Buy 500 ORDI at 14.10 EUR each (7,050 EUR), fee 2 EUR, 2025-03-02`.
fn meaning(entry: &Entry, coin: &str, state: &State) -> String {
    let Entry { kind, amount, price, currency, fee, date, address, .. } = entry;
    let currency = currency.as_ref().unwrap_or(&state.convert);
    let verb = match kind.unwrap_or_default() {
        LotKind::Buy => "Buy",
        LotKind::Sell => "Sell",
        LotKind::Receive => "Receive",
        LotKind::Send => "Send",
    };
    let mut words = format!("{verb} {} {coin}", Exact(*amount));
    match price {
        Some(LotPrice::Unit(unit)) => {
            let total = LotPrice::Unit(unit.clone()).total(*amount);
            words += &format!(" at {} each ({})", money(unit, currency), money(&total, currency));
        }
        Some(LotPrice::Total(total)) => words += &format!(" for {}", money(total, currency)),
        None => {}
    }
    if let Some(fee) = fee {
        words += &format!(", fee {}", money(fee, currency));
    }
    let today = state.preferences.zone.at(state.now).date();
    words += &format!(", {}", date.unwrap_or(today));
    if let Some(address) = address {
        let user = state.user.current();
        let known = user.addresses.iter().find(|known| known.address == *address);
        let label = known.and_then(|known| known.label.as_ref()).map(|label| format!("{label} ")).unwrap_or_default();
        words += &format!(", at {label}{}", address::short(address));
    }
    words
}

/// A sum of money with all its digits; if it has decimals, at least two in most currencies: `14.10 EUR`.
fn money(number: &Decimal, currency: &Currency) -> String {
    let digits = digits(number);
    let has_one_decimal = digits.split_once('.').is_some_and(|(_, decimals)| decimals.len() == 1);
    let zero = if has_one_decimal && !currency.is_whole() && !currency.is_valuable() { "0" } else { "" };
    format!("{digits}{zero} {currency}")
}

fn digits(number: &Decimal) -> String {
    with_separators(&number.to_string())
}
