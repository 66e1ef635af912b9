//! The names of targets in the database.

use crate::user_data::alert::Target;

/// Defines [`TargetKind`] and its names from one table.
macro_rules! target_kinds {
    ($($Kind:ident = $name:literal;)*) => {
        /// The kind of a target.
        #[derive(Clone, Copy, Debug)]
        pub(super) enum TargetKind {
            $($Kind,)*
        }

        impl TargetKind {
            pub(super) const ALL: &'static [TargetKind] = &[$(TargetKind::$Kind),*];

            pub(super) fn of(target: &Target) -> TargetKind {
                match target {
                    $(Target::$Kind { .. } => TargetKind::$Kind,)*
                }
            }

            pub(super) fn as_str(self) -> &'static str {
                match self {
                    $(TargetKind::$Kind => $name,)*
                }
            }
        }
    };
}

// These are data, which must not change with the text of rules.
target_kinds! {
    Coin = "coin";
    Token = "token";
    Address = "address";
    Wallet = "wallet";
    Fees = "fees";
}

impl TargetKind {
    pub(super) fn parse(name: &str) -> Option<TargetKind> {
        TargetKind::ALL.iter().copied().find(|kind| kind.as_str() == name)
    }
}
