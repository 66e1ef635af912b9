//! What can lie on top of a screen.

pub mod place;
pub mod reader;

use tui_input::Input;

use crate::model::{Currency, Link, Text};

/// The one thing on top, if any.
#[derive(Clone, Debug)]
pub enum Overlay {
    /// The keys.
    Help {
        /// First line shown.
        scroll: usize,
    },
    /// A post's full text.
    Post {
        /// The post.
        id: Text,
        /// First line shown.
        scroll: usize,
    },
    /// Links to choose from; each shows where it really leads.
    Links {
        /// What they belong to.
        title: String,
        /// The links.
        links: Vec<Link>,
        /// The selected one.
        selected: usize,
    },
    /// The currency: a list, and a line for any other code.
    Currency {
        /// What is typed.
        input: Input,
        /// The selected one among [`currencies`].
        selected: usize,
    },
    /// The indexer's look-up line with what the text can mean.
    Lookup {
        /// What is typed.
        input: Input,
        /// The selected meaning.
        selected: usize,
    },
}

/// The currencies that a typed text leaves to choose from: the common ones, and the text itself if it is a code.
pub fn currencies(typed: &str) -> Vec<Currency> {
    let wanted = typed.trim().to_ascii_uppercase();
    let mut list: Vec<Currency> = crate::model::currency::COMMON
        .iter()
        .filter(|code| code.starts_with(&wanted))
        .filter_map(|code| Currency::parse(code))
        .collect();
    if let Some(own) = Currency::parse(&wanted)
        && own.as_str().len() >= 3
        && !list.contains(&own)
    {
        list.push(own);
    }
    list
}
