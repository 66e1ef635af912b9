//! Values by provider.

use crate::model::ProviderName;

/// A value for each of a few providers, in the order of [`ProviderName`]. A sorted list, since there are many coins
/// with few values each.
#[derive(Clone, Debug, PartialEq)]
pub struct ByProvider<T>(Vec<(ProviderName, T)>);

impl<T> Default for ByProvider<T> {
    fn default() -> Self {
        ByProvider(Vec::new())
    }
}

impl<T> ByProvider<T> {
    /// Whether no provider has a value.
    pub fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    /// The value of a provider.
    pub fn get(&self, provider: ProviderName) -> Option<&T> {
        self.index(provider).ok().and_then(|index| self.0.get(index)).map(|(_, value)| value)
    }

    /// The value of a provider, to change it.
    pub fn get_mut(&mut self, provider: ProviderName) -> Option<&mut T> {
        let index = self.index(provider).ok()?;
        self.0.get_mut(index).map(|(_, value)| value)
    }

    /// Sets or removes the value of a provider.
    pub fn set(&mut self, provider: ProviderName, value: Option<T>) {
        match (self.index(provider), value) {
            (Ok(index), Some(value)) => self.0[index].1 = value,
            (Ok(index), None) => drop(self.0.remove(index)),
            (Err(index), Some(value)) => self.0.insert(index, (provider, value)),
            (Err(_), None) => {}
        }
    }

    /// All values.
    pub fn iter(&self) -> impl Iterator<Item = (ProviderName, &T)> {
        self.0.iter().map(|(provider, value)| (*provider, value))
    }

    fn index(&self, provider: ProviderName) -> Result<usize, usize> {
        self.0.binary_search_by_key(&provider, |(known, _)| *known)
    }
}

impl<T: Default> ByProvider<T> {
    /// The value of a provider, to change it; the default is added if it has none.
    pub fn get_or_default(&mut self, provider: ProviderName) -> &mut T {
        let index = self.index(provider).unwrap_or_else(|index| {
            self.0.insert(index, (provider, T::default()));
            index
        });
        &mut self.0[index].1
    }
}

impl<T> FromIterator<(ProviderName, T)> for ByProvider<T> {
    fn from_iter<I: IntoIterator<Item = (ProviderName, T)>>(values: I) -> Self {
        let mut all = ByProvider::default();
        values.into_iter().for_each(|(provider, value)| all.set(provider, Some(value)));
        all
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use ProviderName::{Binance, CoinGecko, CoinMarketCap, Okx};

    #[test]
    fn value_is_set_replaced_and_removed() {
        let mut ids: ByProvider<u8> = [(Okx, 1), (CoinMarketCap, 2), (Okx, 3)].into_iter().collect();
        assert_eq!(ids.iter().collect::<Vec<_>>(), [(CoinMarketCap, &2), (Okx, &3)]);
        ids.set(CoinGecko, Some(4));
        ids.set(CoinMarketCap, None);
        ids.set(Binance, None);
        *ids.get_or_default(Binance) += 5;
        assert_eq!(ids.iter().collect::<Vec<_>>(), [(CoinGecko, &4), (Binance, &5), (Okx, &3)]);
        assert_eq!((ids.get(Okx), ids.get(CoinMarketCap)), (Some(&3), None));
        assert_eq!(ids.get_mut(CoinGecko), Some(&mut 4));
    }
}
