//! The fields of a lot that are given as options, in addition to its line.

use super::super::args::LotFields;
use super::super::failure::Failure;
use crate::model::Currency;
use crate::portfolio::entry::{self, Entry, EntryError};

/// New values of a lot's fields, given as options.
pub(super) struct LotOptions<'a> {
    pub(super) amount: Option<&'a str>,
    pub(super) price: Option<&'a str>,
    pub(super) currency: Option<&'a Currency>,
    pub(super) fields: &'a LotFields,
}

impl LotOptions<'_> {
    /// Whether no field has a new value.
    pub(super) fn is_empty(&self) -> bool {
        let LotOptions { amount, price, currency, fields } = self;
        amount.is_none() && price.is_none() && currency.is_none() && **fields == LotFields::default()
    }

    /// Whether the unit price or the total price has a new value.
    pub(super) fn has_price(&self) -> bool {
        self.price.is_some() || self.fields.total.is_some()
    }

    /// Checks that no point in a line or in an option could separate thousands.
    pub(super) fn check_points(&self, line: &str) -> Result<(), EntryError> {
        let numbers = [self.amount, self.price, self.fields.total.as_deref(), self.fields.fee.as_deref()];
        entry::check_points(line, numbers.into_iter().flatten())
    }
}

/// An error if a part of a line is also given as an option.
pub(super) fn refuse_twice(entry: &Entry, options: &LotOptions<'_>) -> Result<(), Failure> {
    let LotOptions { amount, price, currency, fields } = options;
    let given = [
        ("amount", amount.is_some(), "--amount"),
        ("price", entry.price.is_some() && price.is_some(), "--price"),
        ("price", entry.price.is_some() && fields.total.is_some(), "--total"),
        ("currency", entry.currency.is_some() && currency.is_some(), "--currency"),
        ("kind", entry.kind.is_some() && fields.kind.is_some(), "--kind"),
        ("fee", entry.fee.is_some() && fields.fee.is_some(), "--fee"),
        ("date", entry.date.is_some() && fields.date.is_some(), "--date"),
        ("note", entry.note.is_some() && fields.note.is_some(), "--note"),
        ("address", entry.address.is_some() && fields.address.is_some(), "--address"),
    ];
    match given.into_iter().find(|(_, is_twice, _)| *is_twice) {
        Some((what, _, option)) => Err(Failure::Usage(format!("{what} given twice: in LOT and with {option}"))),
        None => Ok(()),
    }
}
