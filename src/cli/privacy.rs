//! The notice before the first address is sent to a public provider.

use super::failure::say;
use crate::client::{Group, Request};
use crate::config::Settings;
use crate::format::words::join_words;
use crate::model::ProviderName;
use crate::service::operation::Operation;
use crate::user_data::{Change, Notice};

/// The notices that this process has already checked, so that the store is opened once for each.
#[derive(Debug, Default)]
pub(super) struct PrivacyNotices {
    done: Vec<Notice>,
}

impl PrivacyNotices {
    /// Prints where an address is sent, the first time one is looked up at public providers. Returns whether it was
    /// printed.
    pub(super) fn announce(&mut self, request: &Request, settings: &Settings) -> bool {
        let Some(operation) = request.address_operation() else { return false };
        let Some(sentence) = sentence(operation, settings) else { return false };
        let notice = Notice::about(operation);
        if self.done.contains(&notice) {
            return false;
        }
        self.done.push(notice);
        let store = settings.store();
        // If the store can't be read, the notice is shown once for each process.
        if store.with(|database| Ok(database.load()?.notices.contains(&notice))).unwrap_or(false) {
            return false;
        }
        say(&sentence);
        if let Err(error) = store.with(|database| database.save(&[Change::Shown(notice)])) {
            tracing::info!(%error, "notice not saved, so it is shown again");
        }
        true
    }
}

/// Whether addresses whose bitcoin balance is looked up are sent to public providers.
pub(super) fn are_balance_lookups_sent(settings: &Settings) -> bool {
    sentence(Operation::BitcoinBalance, settings).is_some()
}

/// The notice about requests of an operation that send an address to public providers.
fn sentence(operation: Operation, settings: &Settings) -> Option<String> {
    let live = settings.live_settings();
    let receivers = live.address_receivers(operation).filter(|name| live.is_enabled(*name));
    let providers: Vec<&str> = receivers.map(ProviderName::title).collect();
    let is_sent = settings.is_live(Group::Indexer) && !providers.is_empty();
    is_sent.then(|| {
        format!(
            "looked-up addresses are sent to {} (to use your own indexer, set source.indexer_url)",
            join_words(&providers, "or")
        )
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::client::config::Secret;
    use crate::user_data::SourceChange;

    #[test]
    fn only_live_address_lookups_are_announced() {
        let mut settings = Settings::default();
        let balances = Request::Brc20Balances { address: "bc1q".into(), offset: 0, limit: 20 };
        let sentence = |request: &Request, settings: &Settings| super::sentence(request.address_operation()?, settings);
        assert_eq!(sentence(&balances, &settings), None);
        settings.source.live = true;
        let sent = "looked-up addresses are sent to UniSat (to use your own indexer, set source.indexer_url)";
        assert_eq!(sentence(&balances, &settings).as_deref(), Some(sent));
        assert_eq!(sentence(&Request::Brc20Token { ticker: "ordi".into() }, &settings), None);
        let inscriptions = Request::Inscriptions { address: Some("bc1q".into()), offset: 0, limit: 20 };
        assert_eq!(sentence(&inscriptions, &settings), None, "ordinals.com has no addresses");
        settings.live.providers.entry(ProviderName::Maestro).or_default().api_key = Some(Secret(String::from("key")));
        assert!(sentence(&balances, &settings).is_some_and(|words| words.contains("UniSat or Maestro")));
        settings.sources.apply(&SourceChange::Enable(ProviderName::UniSat, false));
        assert!(sentence(&balances, &settings).is_some_and(|words| words.contains("sent to Maestro")));
        settings.source.indexer_url = Some(String::from("http://127.0.0.1:8080"));
        assert_eq!(sentence(&balances, &settings), None);
    }

    #[test]
    fn notice_is_remembered() {
        let home = tempfile::tempdir().expect("a directory");
        let mut settings = Settings::default();
        settings.source.live = true;
        settings.dirs.state = Some(home.path().join("satscope"));
        let request = Request::Brc20Balances { address: "bc1q".into(), offset: 0, limit: 20 };
        assert!(PrivacyNotices::default().announce(&request, &settings));
        let data = settings.store().with(|database| database.load()).expect("user data");
        assert!(data.notices.contains(&Notice::AddressLookup));
        assert!(!PrivacyNotices::default().announce(&request, &settings));
    }

    #[test]
    fn notice_that_cannot_be_saved_is_shown_once() {
        let home = tempfile::tempdir().expect("a directory");
        let file = home.path().join("satscope");
        std::fs::write(&file, "not a directory").expect("a file");
        let mut settings = Settings::default();
        settings.source.live = true;
        settings.dirs.state = Some(file);
        let mut notices = PrivacyNotices::default();
        let shown = ["bc1q", "bc1p"].map(|address| {
            let request = Request::Brc20Balances { address: address.into(), offset: 0, limit: 20 };
            notices.announce(&request, &settings)
        });
        assert_eq!(shown, [true, false]);
    }
}
