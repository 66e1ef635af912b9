//! The breadcrumbs of lookups: `BRC-20 tokens   › ordi   › sat 5,000,000,000`.

use ratatui::buffer::Buffer;
use ratatui::layout::Rect;

use super::amounts::shortened;
use crate::app::find::lookup::Subject;
use crate::format::Count;
use crate::model::InscriptionRef;
use crate::theme::Theme;
use crate::view::chrome::pieces::{self, Piece};

/// Columns of a shortened address or id.
const ID: u16 = 13;

/// Columns of a shortened address with its label: `› address bc1qw508…f3t4`.
pub(super) const SHORT_ADDRESS: u16 = 10 + ID;

/// Columns between two pieces.
pub(super) const GAP: u16 = 3;

/// Paints `before`, the trail, and `after`, which is about its last subject. The current subject is always shown; if there
/// is no room, addresses and ids are shortened first, then the oldest subjects are dropped, then `before`, then `after`.
/// With `after`, a whole address takes precedence over `before`.
pub(super) fn paint(
    buf: &mut Buffer,
    area: Rect,
    before: Vec<Piece<'_>>,
    trail: &[&Subject],
    after: Option<Piece<'_>>,
    theme: &Theme,
) {
    let line = |has_before: bool, gone: usize, id: u16, has_after: bool| {
        let mut line = if has_before { before.clone() } else { Vec::new() };
        line.extend((gone > 0).then(|| Piece::new("…", theme.dim)));
        line.extend(trail.iter().enumerate().skip(gone).map(|(depth, subject)| {
            let style = if depth + 1 == trail.len() { theme.strong } else { theme.dim };
            Piece::new("› ", theme.dim).and(name(subject, id), style)
        }));
        line.extend(after.clone().filter(|_| has_after));
        line
    };
    let variants = |has_after: bool| {
        let depths = 0..trail.len();
        let whole = [(true, 0, u16::MAX)].into_iter().chain(has_after.then_some((false, 0, u16::MAX)));
        let short = depths.clone().map(|gone| (true, gone, ID)).chain(depths.map(|gone| (false, gone, ID)));
        whole.chain(short).map(move |(has_before, gone, id)| (has_before, gone, id, has_after))
    };
    let with_after = after.iter().flat_map(|_| variants(true));
    let mut lines = with_after
        .chain(variants(false))
        .map(|(has_before, gone, id, has_after)| line(has_before, gone, id, has_after));
    // If not even the last one fits, it is cut.
    let last = || line(false, trail.len().saturating_sub(1), ID, false).split_off(usize::from(trail.len() > 1));
    let fitting = lines.find(|line| pieces::width(line, GAP) <= area.width).unwrap_or_else(last);
    pieces::paint(buf, area, &fitting, GAP);
}

/// The name of a subject, with its address or id in at most `id` columns.
fn name(subject: &Subject, id: u16) -> String {
    match subject {
        Subject::Address(address) => format!("address {}", shortened(address, id)),
        Subject::TokenInBlock(ticker, height) => format!("{ticker} in block {}", Count(*height)),
        Subject::Inscription(InscriptionRef::Id(text)) => format!("inscription {}", shortened(text, id)),
        other => other.describe(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn shown(width: u16, trail: &[&Subject], after: Option<&str>) -> String {
        let theme = Theme::ansi();
        let area = Rect::new(0, 0, width, 1);
        let mut buf = Buffer::empty(area);
        let after = after.map(|words| Piece::new(words.to_owned(), theme.text));
        paint(&mut buf, area, vec![Piece::new("60 tokens", theme.strong)], trail, after, &theme);
        buf.content.iter().map(|cell| cell.symbol()).collect::<String>().trim_end().to_owned()
    }

    #[test]
    fn oldest_breadcrumb_is_dropped_first() {
        let address = Subject::Address("bc1qd2mzs0p9rhjrp9494u0edtlleulfqt4x268cg8".into());
        let trail = [address, Subject::Block(840_000), Subject::TokenInBlock("ordi".into(), 975_978)];
        for (width, line) in [
            (100, "60 tokens   › address bc1qd2mz…8cg8   › block 840,000   › ordi in block 975,978"),
            (60, "60 tokens   …   › block 840,000   › ordi in block 975,978"),
            (50, "60 tokens   …   › ordi in block 975,978"),
            (30, "…   › ordi in block 975,978"),
        ] {
            assert_eq!(shown(width, &trail.each_ref(), None), line, "{width}");
        }
        assert!(shown(12, &trail.each_ref(), None).starts_with("› ordi"));
    }

    #[test]
    fn balance_follows_the_address_while_there_is_room() {
        let address = Subject::Address("bc1qd2mzs0p9rhjrp9494u0edtlleulfqt4x268cg8".into());
        for (width, line) in [
            (80, "60 tokens   › address bc1qd2mzs0p9rhjrp9494u0edtlleulfqt4x268cg8   1.5 BTC"),
            (70, "› address bc1qd2mzs0p9rhjrp9494u0edtlleulfqt4x268cg8   1.5 BTC"),
            (50, "60 tokens   › address bc1qd2mz…8cg8   1.5 BTC"),
            (40, "› address bc1qd2mz…8cg8   1.5 BTC"),
            (30, "› address bc1qd2mz…8cg8"),
        ] {
            assert_eq!(shown(width, &[&address], Some("1.5 BTC")), line, "{width}");
        }
    }
}
