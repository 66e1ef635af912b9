//! Lists of coins: all coins, or the coins of a tag or category.

use serde::Deserialize;

use super::CoinMarketCap;
use super::rows::category_length;
use crate::model::{Coin, Tag};
use crate::service::providers::lenient::{Rows, readable_rows};
use crate::service::providers::source::CoinSlice;
use crate::service::upstream::error::{ErrorClass, SourceError, SourceResult};

/// The ids of Bitcoin and Ethereum.
const BITCOIN: &str = "1";
const ETHEREUM: &str = "1027";

impl CoinMarketCap {
    /// The coins of a list, for a tag that the listings endpoint doesn't know by its category.
    pub(super) async fn list(&self, tag: Tag, offset: usize, limit: usize) -> SourceResult<CoinSlice> {
        if let Some(id) = self.category_of(tag) {
            return self.category(&id, tag, offset, limit).await;
        }
        match self.listings(tag, offset, limit).await {
            Ok(slice) if offset > 0 || has_tag(tag, &slice.coins) => Ok(slice),
            // Unknown or ignored tag: look for a category of that name.
            Ok(_) | Err(SourceError { class: ErrorClass::Rejected | ErrorClass::NotFound, .. }) if tag != Tag::All => {
                let id = self.find_category(tag).await?;
                self.category(&id, tag, offset, limit).await
            }
            outcome => outcome,
        }
    }

    async fn listings(&self, tag: Tag, offset: usize, limit: usize) -> SourceResult<CoinSlice> {
        let path = |start: usize, limit: usize| {
            let tag = tag.as_str();
            format!(
                "/v3/cryptocurrency/listings/latest?start={start}&limit={limit}&convert=USD&sort=market_cap&sort_dir=desc&tag={tag}"
            )
        };
        let (slice, total) = self.parts(tag, (offset, limit), path, |_| None).await?;
        Ok(CoinSlice { total, ..slice })
    }

    /// Coins of a category. Its length may include coins that are not listed.
    async fn category(&self, id: &str, tag: Tag, offset: usize, limit: usize) -> SourceResult<CoinSlice> {
        let path = |start: usize, limit: usize| {
            format!("/v1/cryptocurrency/category?id={id}&start={start}&limit={limit}&convert=USD")
        };
        self.parts(tag, (offset, limit), path, category_length).await.map(|(slice, _)| slice)
    }

    fn category_of(&self, tag: Tag) -> Option<String> {
        self.categories.lock().get(&tag).cloned()
    }

    async fn find_category(&self, tag: Tag) -> SourceResult<String> {
        #[derive(Deserialize)]
        struct Categories {
            data: Rows,
        }
        #[derive(Deserialize)]
        struct Category {
            id: String,
            name: String,
        }
        let response = self.upstream.get("/v1/cryptocurrency/categories?limit=1000").await?;
        let Categories { data } = response.json()?;
        let categories: Vec<Category> = readable_rows(&data, "category row", self.upstream.warnings())?;
        let found = categories.into_iter().find(|category| category.name.trim().eq_ignore_ascii_case(tag.title()));
        let Some(Category { id, .. }) = found.filter(|found| found.id.bytes().all(|b| b.is_ascii_alphanumeric()))
        else {
            return Err(SourceError::not_found(format!("CoinMarketCap has no category {}", tag.title())));
        };
        self.categories.lock().insert(tag, id.clone());
        Ok(id)
    }
}

/// Whether the first coins of a list can belong to a tag. If the endpoint ignores the tag, the list starts with the
/// largest of all coins.
fn has_tag(tag: Tag, coins: &[Coin]) -> bool {
    let others: &[&str] = match tag {
        Tag::All => return true,
        Tag::Brc20 => &[BITCOIN, ETHEREUM],
        Tag::BitcoinEcosystem => &[ETHEREUM],
    };
    !coins.is_empty() && !coins.iter().any(|coin| others.contains(&coin.id.0.as_str()))
}
