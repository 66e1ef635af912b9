//! Volumes of a service whose charts consist of candles.

use satscope::client::{Request, ResponseData};
use satscope::model::VolumeSpan;

use super::charts::{charted, line, title, token_with};
use crate::support::screen::Screen;

/// A chart with candles of 30 minutes, without the first `skipped` ones of seven days.
fn token(skipped: usize, columns: u16, rows: u16) -> Screen {
    token_with(columns, rows, move |request: &Request| match charted(request)? {
        ResponseData::Chart(mut chart) => {
            chart.volume_span = VolumeSpan::Candle;
            chart.points.drain(..skipped);
            Some(ResponseData::Chart(chart))
        }
        other => Some(other),
    })
}

fn readout(screen: &mut Screen) -> String {
    format!("{}\n{}", title(screen), line(screen))
}

#[test]
fn volume_of_a_point_is_that_of_its_candle() {
    for (columns, rows) in [(160, 45), (80, 24)] {
        let mut screen = token(0, columns, rows);
        screen.keys("z");
        let text = screen.text();
        assert!(text.contains("vol 30m") && !text.contains("vol 24h"), "{columns}x{rows}: {text}");
        screen.keys("<left>");
        let text = readout(&mut screen);
        assert!(text.contains("vol 30m 1.0M"), "{columns}x{rows}: {text}");
    }
}

#[test]
fn volumes_add_up_in_wider_candles() {
    let mut screen = token(0, 160, 45);
    screen.keys("C");
    let text = screen.text();
    assert!(text.contains("vol 2h") && text.contains("4.0M┤") && !text.contains("vol 24h"), "{text}");
    screen.keys("<left>");
    let text = readout(&mut screen);
    assert!(text.contains("19 Nov 12:00") && text.contains("vol 2h 4.0M"), "{text}");
}

#[test]
fn candle_that_begins_before_the_chart_has_no_volume() {
    let mut screen = token(1, 160, 45);
    screen.keys("C<home>");
    let text = readout(&mut screen);
    assert!(text.contains("12 Nov 14:00") && text.contains("O 8.") && !text.contains("vol "), "{text}");
    screen.keys("<right>");
    let text = readout(&mut screen);
    assert!(text.contains("12 Nov 16:00") && text.contains("vol 2h 4.0M"), "{text}");
}
