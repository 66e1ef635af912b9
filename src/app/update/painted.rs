//! What a click on the last frame means now: keys typed before the click or new data may have changed the screen since
//! that frame.

use std::mem::{self, Discriminant};

use crate::app::message::ClickTarget;
use crate::app::overlay::Overlay;
use crate::app::state::State;
use crate::keymap::Tab;
use crate::model::{Identity, Text};
use crate::user_data::Watched;

/// The identity of a screen: the tab, the coin, the dialog, the number of lookups.
#[derive(Clone, Debug)]
pub struct ScreenId {
    tab: Tab,
    coin: Option<Watched>,
    dialog: Option<Discriminant<Overlay>>,
    lookups: usize,
}

impl ScreenId {
    /// Whether both are the same screen. Its coin may have become known in between.
    pub(super) fn is_same(&self, other: &ScreenId) -> bool {
        let is_same_coin = match (&self.coin, &other.coin) {
            (Some(a), Some(b)) => a.is_same(b),
            (a, b) => a.is_none() && b.is_none(),
        };
        is_same_coin && (self.tab, self.dialog, self.lookups) == (other.tab, other.dialog, other.lookups)
    }
}

/// A click on something in a frame.
#[derive(Clone, Copy, Debug)]
pub struct Click<'a> {
    /// What was clicked.
    pub target: ClickTarget,
    /// The identity of the item in a clicked row; `None` if it has none.
    pub key: Option<&'a Text>,
    /// The screen of the frame.
    pub screen: &'a ScreenId,
}

impl State {
    /// The identity of the screen.
    pub fn screen_id(&self) -> ScreenId {
        ScreenId {
            tab: self.tab,
            coin: self.token.as_ref().map(|token| token.named_coin().coin),
            dialog: self.overlay.as_ref().map(mem::discriminant),
            lookups: self.indexer.trail.len(),
        }
    }

    /// Returns a function that finds the identity of a row of the open dialog or of an item of the open menu; `None`
    /// for other targets.
    pub fn choice_keys(&self) -> impl Fn(ClickTarget) -> Option<Text> {
        let of_dialog = self.open_dialog().map(|dialog| dialog.choice_keys(self));
        move |target| match target {
            ClickTarget::Choice(index) => of_dialog.as_ref()?(index),
            ClickTarget::MenuItem(index) => {
                let menu = self.menu.as_ref()?;
                let item = menu.items.get(index)?;
                Some(compact_str::format_compact!("{} {}", menu.title, item.label))
            }
            _ => None,
        }
    }

    /// What a click on the last frame means now. `None` if what was clicked is gone.
    pub fn clicked(&self, click: Click<'_>) -> Option<ClickTarget> {
        let Click { target, key, screen } = click;
        // A tab is the same on every screen.
        if matches!(target, ClickTarget::Tab(_)) {
            return Some(target);
        }
        if !self.screen_id().is_same(screen) {
            return None;
        }
        match target {
            ClickTarget::Row(panel, row) => {
                let row = self.open_screen().find_row(self, panel, (row, key))?;
                Some(ClickTarget::Row(panel, row))
            }
            ClickTarget::Choice(_) | ClickTarget::MenuItem(_) => {
                Some(target).filter(|target| self.choice_keys()(*target).as_ref() == key)
            }
            _ => Some(target),
        }
    }
}

/// Finds an item that was painted in `row`: in that row, or else in another one. `None` if it is gone. An item without
/// an identity is only found in its row.
pub(super) fn find_row<'a, T: Identity + 'a>(
    (row, key): (usize, Option<&Text>),
    len: usize,
    item_at: impl Fn(usize) -> Option<&'a T>,
) -> Option<usize> {
    let has = |row: usize| item_at(row).and_then(T::identity).as_deref() == key.map(Text::as_str);
    if row < len && has(row) {
        return Some(row);
    }
    key.and_then(|_| (0..len).find(|row| has(*row)))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::model::{Coin, CoinId};

    #[test]
    fn painted_item_is_found_in_its_row_or_in_another_one() {
        let coin = |id: &str| Coin::new(CoinId(id.into()), id.into(), id.into());
        let coins = [coin("a"), coin("b"), coin("a")];
        let find = |row, key: Option<&str>| {
            let key = key.map(Text::from);
            find_row((row, key.as_ref()), coins.len() + 1, |row| coins.get(row))
        };
        assert_eq!((find(1, Some("b")), find(2, Some("a"))), (Some(1), Some(2)));
        assert_eq!((find(2, Some("b")), find(9, Some("a"))), (Some(1), Some(0)), "they have moved");
        assert_eq!((find(1, Some("c")), find(0, None), find(9, None)), (None, None, None), "they are gone");
        assert_eq!(find(3, None), Some(3), "its page is not loaded");
    }

    #[test]
    fn coins_with_the_same_symbol_are_different_screens() {
        let screen = |slug: Option<&str>| ScreenId {
            tab: Tab::Wallet,
            coin: slug.map(|slug| Watched { slug: Some(slug.into()), ..Watched::by_symbol("ORDI") }),
            dialog: None,
            lookups: 0,
        };
        let bare = ScreenId { coin: Some(Watched::by_symbol("ORDI")), ..screen(None) };
        assert!(screen(Some("ordi")).is_same(&screen(Some("ordi"))) && screen(None).is_same(&screen(None)));
        assert!(!screen(Some("ordi")).is_same(&screen(Some("ordi-2"))) && !screen(Some("ordi")).is_same(&screen(None)));
        assert!(bare.is_same(&screen(Some("ordi"))), "it has become known");
    }
}
