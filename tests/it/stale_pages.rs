//! Stale rows of a list of several pages are dimmed by page.

use std::time::Duration;

use ratatui::style::Modifier;
use satscope::client::Request;

use crate::support::indexer;
use crate::support::screen::Screen;

#[test]
fn only_rows_of_a_stale_page_are_dimmed() {
    let mut screen = Screen::new(160, 45);
    screen.keys("5");
    screen.serve(indexer::response);
    screen.keys("<tab><tab><end>");
    screen.serve(indexer::response);
    screen.keys("<end>");
    screen.serve(indexer::response);
    screen.wait(Duration::from_secs(3_600));
    let first = |request: &Request| matches!(request, Request::Brc20Holders { offset: 0, .. });
    let request = screen.wanted().into_iter().find(first).unwrap();
    let holders = indexer::response(&request).unwrap();
    screen.answer(&request, holders);

    let text = screen.text();
    let buffer = screen.paint();
    let mut dim = Vec::new();
    for (row, line) in (0..).zip(text.lines()) {
        let Some(at) = line.find("bc1q").filter(|_| !line.contains("deployed") && !line.contains(" by ")) else {
            continue;
        };
        let column = u16::try_from(line[..at].chars().count()).unwrap();
        dim.push(buffer.cell((column, row)).unwrap().modifier.contains(Modifier::DIM));
    }
    let fresh = dim.iter().take_while(|dim| !**dim).count();
    assert!(fresh > 0 && fresh < dim.len(), "{fresh} of {}\n{text}", dim.len());
    assert!(dim[fresh..].iter().all(|dim| *dim), "{dim:?}\n{text}");
    assert_eq!(dim.len() - fresh, 20, "the second page has 20 holders\n{text}");
}
