//! The reason of an operating system error.

use std::fmt::Display;

/// The reason in lower case, without the system's number and without paths that a library adds: `no such file or
/// directory`.
pub fn reason(error: &impl Display) -> String {
    let text = error.to_string();
    let words = text.split(" (os error").next().unwrap_or_default();
    let mut letters = words.chars();
    letters.next().map(|first| first.to_lowercase().chain(letters).collect()).unwrap_or_default()
}

#[cfg(test)]
mod tests {
    use std::path::Path;

    use super::*;

    #[test]
    fn system_error_reason_has_no_number_or_path() {
        let missing = Path::new("/no/such/file").metadata().unwrap_err();
        assert_eq!(reason(&missing), "no such file or directory");
        let temporary = tempfile::Builder::new().tempfile_in("/no/such/directory").unwrap_err();
        assert_eq!(reason(&temporary), "no such file or directory");
    }
}
