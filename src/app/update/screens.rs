//! Which screen is open.

use crate::app::state::State;
use crate::keymap::{Context, Tab};
use crate::model::Tag;

use super::indexer::IndexerTab;
use super::list::ListTab;
use super::screen::Screen;
use super::status::StatusTab;
use super::token::TokenView;
use super::wallet::WalletTab;

impl State {
    /// The screen below any menu or dialog: the token view, or the tab.
    pub(crate) fn open_screen(&self) -> &'static dyn Screen {
        match self.token {
            Some(_) => &TokenView,
            None => self.tab_screen(),
        }
    }

    /// The open tab, also below the token view.
    pub(crate) fn tab_screen(&self) -> &'static dyn Screen {
        match self.tab {
            Tab::List(Tag::All) => &ListTab(Tag::All),
            Tab::List(Tag::Brc20) => &ListTab(Tag::Brc20),
            Tab::List(Tag::BitcoinEcosystem) => &ListTab(Tag::BitcoinEcosystem),
            Tab::Wallet => &WalletTab,
            Tab::Indexer => &IndexerTab,
            Tab::Status => &StatusTab,
        }
    }

    /// Whether this tab is open and no token view covers it.
    pub(in crate::app) fn is_open(&self, tab: Tab) -> bool {
        self.tab == tab && self.token.is_none()
    }

    /// The place of the open screen in the key map.
    pub fn screen_context(&self) -> Context {
        match self.token {
            Some(_) => Context::Token,
            None => self.tab.context(),
        }
    }
}
