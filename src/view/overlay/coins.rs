//! The coins that match a typed name, to choose one.

use ratatui::buffer::Buffer;
use ratatui::layout::Rect;

use crate::app::ClickTarget;
use crate::app::coins::named_coin::NamedCoin;
use crate::view::appearance::Appearance;
use crate::view::view_state::ViewState;
use crate::view::widgets::text;

/// Draws one coin per row: name, symbol and slug, each only if it differs from the previous one.
pub(super) fn paint(
    buf: &mut Buffer,
    area: Rect,
    coins: &[NamedCoin],
    selected: usize,
    appearance: &Appearance,
    view_state: &mut ViewState,
) {
    let theme = &appearance.theme;
    for (row, (index, coin)) in (0..area.height).zip(coins.iter().enumerate()) {
        let place = text::line(area, row);
        let (name, symbol) = (coin.name.as_str(), coin.coin.symbol.as_str());
        let mut used = text::put(buf, place, name, theme.text);
        if !symbol.eq_ignore_ascii_case(name) {
            used += 1 + text::put(buf, text::shifted(place, used + 1), symbol, theme.text);
        }
        let is_other = |slug: &&str| [name, symbol].iter().all(|other| !slug.eq_ignore_ascii_case(other));
        let slug = coin.coin.slug.as_deref().filter(is_other).unwrap_or_default();
        text::put(buf, text::shifted(place, used + 2), slug, theme.dim);
        if index == selected {
            theme.selection.paint(buf, place);
        }
        view_state.target(place, ClickTarget::Choice(index));
    }
}
