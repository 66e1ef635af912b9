//! Ids of inscriptions and their transactions in a world.

use super::World;
use super::ids::Tx;
use super::inscriptions::Inscribed;
use super::ledger::event::{Action, Event};
use crate::service::demo::tokens::DemoToken;

/// The ids of deploys encode their block above this number, other ids the inscription's index below it. So the ids of
/// tokens, which coins show as contracts, are known without the tables.
const DEPLOYS: u64 = 1 << 60;

impl World {
    /// The id of the inscription that deployed a token.
    pub(crate) fn deploy_inscription(&self, token: &DemoToken) -> String {
        self.ids.inscription(DEPLOYS + token.deploy_height)
    }

    /// The id of the inscription at `index`.
    pub(super) fn inscription_id(&self, index: u64) -> String {
        self.ids.inscription(self.id_number(index))
    }

    /// The id of a transaction of the inscription at `index`.
    pub(super) fn tx_id(&self, tx: Tx, index: u64) -> String {
        self.ids.tx(tx, self.id_number(index))
    }

    /// The index of the inscription with this id.
    pub(super) fn index_of_id(&self, id: &str) -> Option<u64> {
        let number = self.ids.index_of(id)?;
        let index = match number.checked_sub(DEPLOYS) {
            Some(height) => self.deploy_in_block(height)?,
            None => number,
        };
        (self.id_number(index) == number).then_some(index)
    }

    /// The number that the ids of an inscription encode.
    fn id_number(&self, index: u64) -> u64 {
        let deployed_in = |inscribed: Inscribed<'_>| {
            inscribed.event.is_some_and(|event| event.action == Action::Deploy).then_some(inscribed.height)
        };
        let deploy = self.inscriptions().get(index, self.ledger()).and_then(deployed_in);
        deploy.map_or(index, |height| DEPLOYS + height)
    }

    /// The index of the inscription that deployed a token in this block; there is at most one.
    fn deploy_in_block(&self, height: u64) -> Option<u64> {
        let is_deploy = |event: &&Event| event.action == Action::Deploy && u64::from(event.when) == height;
        self.ledger().history.iter().find(is_deploy).map(|event| u64::from(event.inscription))
    }
}
