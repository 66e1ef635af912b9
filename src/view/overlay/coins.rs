//! The coins that a typed name may mean, to choose one.

use ratatui::buffer::Buffer;
use ratatui::layout::Rect;

use crate::app::Target;
use crate::app::named_coin::NamedCoin;
use crate::view::appearance::Appearance;
use crate::view::view_state::ViewState;
use crate::view::widgets::text;

/// Draws one coin per row: name, symbol and slug.
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
        let slug = coin.coin.slug.as_deref().unwrap_or_default();
        let name = text::put(buf, place, &format!("{} {}", coin.name, coin.coin.symbol), theme.text);
        text::put(buf, text::shifted(place, name + 2), slug, theme.dim);
        if index == selected {
            theme.selection.paint(buf, place);
        }
        view_state.target(place, Target::Choice(index));
    }
}
