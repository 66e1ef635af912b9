//! Why nothing is known of the open coin: its list is missing, or which coin it is isn't known.

use ratatui::buffer::Buffer;
use ratatui::layout::Rect;
use ratatui::widgets::Widget;

use super::panel_context::PanelContext;
use crate::client::Group;
use crate::view::chrome::health::Missing;
use crate::view::widgets::Placeholder;

/// Paints why a panel has no content for a coin of which only the symbol is known, or which is in no list any more.
/// `what` is the content: `chart`.
pub(super) fn paint(buf: &mut Buffer, place: Rect, what: &str, context: &PanelContext<'_>) {
    let PanelContext { state, token, page, appearance, explained, .. } = context;
    let theme = &appearance.theme;
    let symbol = &token.symbol;
    if let Some(list) = page.filter(|list| list.value.is_none()) {
        return explained.missing(buf, place, &Missing::new(list, "the coin list", state, theme).of(Group::Market));
    }
    if let Some(names) = state.missing_names().filter(|_| token.has_only_symbol()) {
        let missing = Missing::new(names, "the names of all coins", state, theme).of(Group::Market);
        return explained.missing(buf, place, &missing);
    }
    let sentence = if token.has_only_symbol() && state.has_symbol(symbol) {
        format!("No {what} (several coins use {symbol})")
    } else {
        format!("No {what} ({symbol} is not in any list)")
    };
    Placeholder::empty(&sentence).theme(theme).render(place, buf);
}
