//! The breadcrumbs of lookups: `60 BRC-20 tokens   › ordi   › sat 5,000,000,000`.

use ratatui::buffer::Buffer;
use ratatui::layout::Rect;

use super::amounts::shortened;
use crate::app::lookup::Subject;
use crate::format::Count;
use crate::model::InscriptionRef;
use crate::theme::Theme;
use crate::view::chrome::pieces::{self, Piece};

/// Columns of a shortened address or id.
const ID: u16 = 13;

/// Columns between two pieces.
const GAP: u16 = 3;

/// Paints `before` and the trail. The current subject is always shown; if there is no room, addresses and ids are
/// shortened first, then the oldest subjects are dropped, then `before`.
pub(super) fn paint(buf: &mut Buffer, area: Rect, before: Vec<Piece<'_>>, trail: &[&Subject], theme: &Theme) {
    let line = |has_before: bool, gone: usize, id: u16| {
        let mut line = if has_before { before.clone() } else { Vec::new() };
        line.extend((gone > 0).then(|| Piece::new("…", theme.dim)));
        line.extend(trail.iter().enumerate().skip(gone).map(|(depth, subject)| {
            let style = if depth + 1 == trail.len() { theme.strong } else { theme.dim };
            Piece::new("› ", theme.dim).and(name(subject, id), style)
        }));
        line
    };
    let depths = || 0..trail.len();
    let variants = [(true, 0, u16::MAX)]
        .into_iter()
        .chain(depths().map(|gone| (true, gone, ID)))
        .chain(depths().map(|gone| (false, gone, ID)));
    let lines = variants.map(|(has_before, gone, id)| line(has_before, gone, id));
    // If not even the last one fits, it is cut.
    let last = || line(false, trail.len().saturating_sub(1), ID).split_off(usize::from(trail.len() > 1));
    let fitting = lines.into_iter().find(|line| pieces::width(line, GAP) <= area.width).unwrap_or_else(last);
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

    fn shown(width: u16, trail: &[&Subject]) -> String {
        let theme = Theme::ansi();
        let area = Rect::new(0, 0, width, 1);
        let mut buf = Buffer::empty(area);
        paint(&mut buf, area, vec![Piece::new("60 tokens", theme.strong)], trail, &theme);
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
            assert_eq!(shown(width, &trail.each_ref()), line, "{width}");
        }
        assert!(shown(12, &trail.each_ref()).starts_with("› ordi"));
    }
}
