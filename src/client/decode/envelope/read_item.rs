//! Items that a reader has recognised.

/// A readable item of a list.
#[derive(Debug)]
pub(in crate::client::decode) enum ReadItem<T> {
    /// One to keep.
    Item(T),
    /// One that is left out of the result without a warning about the item itself.
    Skip,
}

impl<T> ReadItem<T> {
    /// The item, unless it is skipped.
    pub(in crate::client::decode) fn item(self) -> Option<T> {
        match self {
            ReadItem::Item(item) => Some(item),
            ReadItem::Skip => None,
        }
    }
}
