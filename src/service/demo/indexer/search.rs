//! Lists of inscriptions: filters, sort orders, sats.

use std::ops::RangeInclusive;

use ordinals::{Rarity, Sat};

use super::inscriptions::Inscribed;
use super::{Moment, map};
use crate::model::{Inscription, InscriptionRef, Page, Sat as SatModel, SatNumber, Text};
use crate::service::backend::indexer::{BlockRef, InscriptionOrder, InscriptionTransfer, InscriptionsQuery, PageQuery};

impl InscriptionOrder {
    /// The sort key; `None` for index order.
    fn key(self) -> Option<fn(&Inscribed<'_>) -> i64> {
        match self {
            InscriptionOrder::GenesisBlockHeight => None,
            InscriptionOrder::Number => Some(|inscribed| inscribed.number),
            InscriptionOrder::Ordinal => Some(|inscribed| inscribed.sat as i64),
            InscriptionOrder::Rarity => Some(|inscribed| i64::from(u8::from(Sat(inscribed.sat).rarity()))),
        }
    }
}

impl Moment<'_> {
    /// Inscriptions that match a filter.
    pub(crate) fn inscriptions(&self, query: &InscriptionsQuery, page: PageQuery) -> Page<Inscription> {
        let wanted = self.resolve(query);
        let candidates: Box<dyn DoubleEndedIterator<Item = u64>> = match &wanted.only {
            Some(indices) => Box::new(indices.iter().copied()),
            None => Box::new(self.block_range(wanted.heights.clone())),
        };
        let found = |index| self.at(index).filter(|inscribed| self.matches(inscribed, &wanted));
        let Some(key) = query.order.key() else {
            // Already in block order, so only the page is collected.
            return if query.ascending {
                self.page_of(candidates.filter_map(found), page)
            } else {
                self.page_of(candidates.rev().filter_map(found), page)
            };
        };
        let mut keyed: Vec<(i64, u64)> =
            candidates.filter_map(found).map(|inscribed| (key(&inscribed), inscribed.index)).collect();
        keyed.sort_unstable();
        if !query.ascending {
            keyed.reverse();
        }
        self.page_of(keyed.into_iter().filter_map(|(_, index)| self.at(index)), page)
    }

    fn page_of<'i>(&self, found: impl Iterator<Item = Inscribed<'i>>, page: PageQuery) -> Page<Inscription> {
        let (mut total, mut items) = (0, Vec::new());
        for inscribed in found {
            if total >= page.offset && items.len() < page.limit {
                items.push(self.describe(&inscribed));
            }
            total += 1;
        }
        Page { items, total: Some(total) }
    }

    /// Inscriptions that moved in a block.
    pub(crate) fn transfers(&self, block: &BlockRef, page: PageQuery) -> Page<InscriptionTransfer> {
        let height = match block {
            BlockRef::Height(height) => Some(*height),
            BlockRef::Hash(hash) => self.world.chain.height_of(hash),
        };
        let moved = |inscribed: &Inscribed<'_>| self.moved(inscribed).is_some_and(|(at, _)| Some(at) == height);
        let all = 0..self.world.inscriptions().count(self.tip);
        let found: Vec<_> = all.rev().filter_map(|index| self.at(index)).filter(moved).collect();
        map(page.of(found), |inscribed| self.transfer(&inscribed))
    }

    /// A computed sat with its latest inscription.
    pub(crate) fn sat(&self, number: SatNumber) -> SatModel {
        let latest = self.world.inscriptions().on_sat(number.get(), self.tip).last().copied();
        let inscription_id = latest.map(|index| Text::from(self.world.inscription_id(index)));
        SatModel { inscription_id, ..SatModel::computed(number) }
    }

    /// Inscriptions on a sat, highest number first.
    pub(crate) fn sat_inscriptions(&self, number: SatNumber, page: PageQuery) -> Page<Inscription> {
        let indices = self.world.inscriptions().on_sat(number.get(), self.tip);
        let mut found: Vec<_> = indices.into_iter().filter_map(|index| self.at(index)).collect();
        found.sort_by_key(|inscribed| std::cmp::Reverse(inscribed.number));
        map(page.of(found), |inscribed| self.describe(&inscribed))
    }

    fn at(&self, index: u64) -> Option<Inscribed<'_>> {
        self.world.inscriptions().get(index, self.world.ledger()).filter(|inscribed| inscribed.height <= self.tip)
    }

    /// Indices of inscriptions in a range of blocks up to the tip.
    fn block_range(&self, heights: RangeInclusive<u64>) -> std::ops::Range<u64> {
        let before = |height| self.world.inscriptions().before(height);
        let end = (*heights.end()).min(self.tip).saturating_add(1);
        before((*heights.start()).min(end))..before(end)
    }

    /// Resolves the strings of a filter once for all inscriptions.
    fn resolve<'f>(&self, filter: &'f InscriptionsQuery) -> ResolvedFilter<'f> {
        let addresses = |texts: &[String]| {
            let known = texts.iter().filter_map(|text| self.world.addresses.find(text)).collect();
            (!texts.is_empty()).then_some(known)
        };
        let numbered = |number: &i64| self.world.inscriptions().numbered(*number);
        let id = |text: &String| Some(self.inscribed(&InscriptionRef::parse(text)?)?.index);
        let by_id: Option<Vec<u64>> = (!filter.ids.is_empty()).then(|| filter.ids.iter().filter_map(id).collect());
        let by_number: Option<Vec<u64>> =
            (!filter.numbers.is_empty()).then(|| filter.numbers.iter().filter_map(numbered).collect());
        let mut only = match (by_id, by_number) {
            (Some(ids), Some(numbers)) => Some(intersection(ids, &numbers)),
            (ids, numbers) => ids.or(numbers),
        };
        if let Some(indices) = &mut only {
            indices.sort_unstable();
            indices.dedup();
        }
        let mut heights = filter.heights.clone();
        if let Some(text) = &filter.block_hash {
            match self.world.chain.height_of(text).filter(|height| heights.contains(height)) {
                Some(height) => heights = height..=height,
                // An unknown block is empty.
                None => only = Some(Vec::new()),
            }
        }
        ResolvedFilter {
            filter,
            only,
            heights,
            owners: addresses(&filter.addresses),
            authors: addresses(&filter.genesis_addresses),
        }
    }

    fn matches(&self, inscribed: &Inscribed<'_>, wanted: &ResolvedFilter<'_>) -> bool {
        let filter = wanted.filter;
        let is_in = |list: &Option<Vec<u8>>, id: Option<u8>| {
            list.as_ref().is_none_or(|list| id.is_some_and(|id| list.contains(&id)))
        };
        wanted.heights.contains(&inscribed.height)
            && filter.sats.contains(&inscribed.sat)
            && filter.number_range.contains(&inscribed.number)
            && filter.cursed.is_none_or(|cursed| cursed == (inscribed.number < 0))
            && (filter.timestamps == (i64::MIN..=i64::MAX)
                || filter.timestamps.contains(&self.world.chain.time(inscribed.height).millis()))
            && (filter.sat_heights == (0..=u64::MAX)
                || filter.sat_heights.contains(&u64::from(Sat(inscribed.sat).height().n())))
            && (filter.rarities.is_empty() || filter.rarities.contains(&rarity(inscribed.sat)))
            && is_in(&wanted.owners, wanted.owners.as_ref().and_then(|_| self.owner(inscribed)))
            && is_in(&wanted.authors, wanted.authors.as_ref().map(|_| self.author(inscribed)))
            && filter
                .recursive
                .is_none_or(|recursive| recursive == (inscribed.event.is_none() && self.art(inscribed).shows.is_some()))
            && (filter.mime_types.is_empty() || {
                let mime = match inscribed.event {
                    Some(_) => "text/plain",
                    None => self.art(inscribed).kind.mime_type(),
                };
                filter.mime_types.iter().any(|wanted| wanted == mime)
            })
            && filter.output.as_ref().is_none_or(|output| self.describe(inscribed).output.as_deref() == Some(output))
    }
}

/// A filter with resolved strings.
struct ResolvedFilter<'a> {
    filter: &'a InscriptionsQuery,
    /// The only indices that can match, in order.
    only: Option<Vec<u64>>,
    heights: RangeInclusive<u64>,
    owners: Option<Vec<u8>>,
    authors: Option<Vec<u8>>,
}

fn rarity(sat: u64) -> String {
    let sat = Sat(sat);
    // Nearly all sats are common, which is much faster to check.
    if sat.common() { Rarity::Common.to_string() } else { sat.rarity().to_string() }
}

fn intersection(mut a: Vec<u64>, b: &[u64]) -> Vec<u64> {
    a.retain(|index| b.contains(index));
    a
}
