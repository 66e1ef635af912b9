//! The entry points for the inputs of a corpus. The fuzz targets call them with generated inputs, so that a finding
//! becomes a test when it is added to the corpus.

use std::io::Write as _;

use satscope::app::Message;
use satscope::client::decode::{decode, error_message};
use satscope::client::{InscriptionRef, Limits, Request};
use satscope::config::{self, Environment, Flags};
use satscope::glyphs::Glyphs;
use satscope::model::{Amount, Currency, Period, PostOrder, Sat, SatNumber, Tag};

use crate::support::hostile::{self, assert_harmless};
use crate::support::screen::{Screen, fixture};

/// A response body; the first byte selects the request.
pub(crate) fn body(data: &[u8]) {
    let Some((&kind, body)) = data.split_first() else { return };
    let limits = Limits::default();
    let request = request(kind);
    match decode(&request, body, None, &limits) {
        Ok((response, warnings)) => {
            warnings.iter().for_each(|warning| assert_harmless(warning, false, "a warning"));
            let shown = format!("{response:?}");
            assert!(shown.len() < 64 * 1024 + body.len() * 512, "{} bytes out of {}", shown.len(), body.len());
        }
        Err(error) => assert_harmless(&error.to_string(), false, "an error"),
    }
    if let Some(message) = error_message(body) {
        assert_harmless(&message, false, "an error's message");
    }
}

/// A request of every operation, by number.
fn request(kind: u8) -> Request {
    let number = SatNumber::new(1_914_287_520_444_193).expect("a sat");
    let (offset, limit) = (0, 20);
    let convert = Currency::parse(if kind < 128 { "USD" } else { "EUR" }).expect("a currency");
    match kind % 17 {
        0 => Request::Coins { tag: Tag::All, start: 1, limit: 100, convert },
        1 => Request::Posts { symbol: "ORDI".into(), slug: None, order: PostOrder::Top },
        2 => Request::MarketPairs { symbol: "ORDI".into(), slug: None, convert },
        3 => Request::MarketPairs { symbol: "ORDI".into(), slug: Some("ordi".into()), convert },
        4 => Request::Chart { slug: "ordi".into(), period: Period::Day, convert },
        5 => Request::MarketData { symbols: vec!["ORDI".into()], convert, count: 9, interval: "5m".into() },
        6 => Request::MarketData { symbols: vec!["A".into(), "B".into()], convert, count: 9, interval: "5m".into() },
        7 => Request::CategoryStats { tag: Tag::Brc20, convert },
        8 => Request::Brc20Tokens { ticker: None, offset, limit },
        9 => Request::Brc20Token { ticker: "ordi".into() },
        10 => Request::Brc20Holders { ticker: "ordi".into(), offset, limit },
        11 => Request::Brc20Balances { address: "bc1qto".into(), offset, limit },
        12 => Request::Brc20Activity { ticker: None, block_height: None, offset, limit },
        13 => Request::Sat { number },
        14 => Request::SatInscriptions { number, offset, limit },
        15 => Request::Inscription { inscription: InscriptionRef::Number(-7) },
        _ => Request::InscriptionStats { from_block: None, to_block: None },
    }
}

/// A sat in any notation. If it parses, every notation of the sat parses to the same sat.
pub(crate) fn sat(data: &[u8]) {
    let Ok(text) = std::str::from_utf8(data) else { return };
    match text.parse::<SatNumber>() {
        Ok(number) => {
            let sat = Sat::computed(number);
            for notation in [&sat.name, &sat.decimal, &sat.degree, &sat.percentile] {
                assert_eq!(notation.parse(), Ok(number), "{notation}");
            }
            assert_eq!(number.to_string().parse(), Ok(number));
        }
        Err(error) => assert_harmless(&error.to_string(), false, "a sat's error"),
    }
    satscope::app::find::lookup::interpret(text);
}

/// An amount. If it parses, its output parses to the same amount, without losing digits.
pub(crate) fn amount(data: &[u8]) {
    let Ok(text) = std::str::from_utf8(data) else { return };
    match text.parse::<Amount>() {
        Ok(amount) => {
            let printed = amount.to_string();
            assert_eq!(printed.parse(), Ok(amount), "{printed}");
            let plain = |text: &str| match text.split_once('.') {
                Some((whole, fraction)) => {
                    format!("{}.{}", whole.trim_start_matches('0'), fraction.trim_end_matches('0'))
                }
                None => format!("{}.", text.trim_start_matches('0')),
            };
            assert_eq!(plain(&printed), plain(text));
        }
        Err(error) => assert_harmless(&error.to_string(), false, "an amount's error"),
    }
}

/// A configuration file, followed by a NUL and the environment.
pub(crate) fn configuration(data: &[u8]) {
    let mut parts = data.split(|byte| *byte == 0);
    let mut file = tempfile::NamedTempFile::new().expect("a file");
    file.write_all(parts.next().unwrap_or_default()).expect("written");
    let words: Vec<String> = parts.map(|part| String::from_utf8_lossy(part).into_owned()).collect();
    let names = ["SATSCOPE_BASE_URL", "SATSCOPE_INDEXER_URL", "SATSCOPE_LOG", "HOME", "XDG_CONFIG_HOME"];
    let environment: Environment = names.into_iter().zip(words).collect();
    let flags = Flags { config: Some(file.path().to_owned()), ..Flags::default() };
    match config::load(&flags, &environment) {
        Ok(settings) => {
            for (key, value, _) in settings.rows() {
                let from_outside = key.starts_with("log.") || key.contains("headers");
                if !from_outside {
                    assert_harmless(&value, false, &key);
                }
            }
            let config = settings.client_config("http://127.0.0.1:1");
            for kind in 0..17 {
                let _ = satscope::client::endpoint::path_and_query(&config, &request(kind));
            }
            let _ = format!("{config:?}");
        }
        Err(error) => assert!(!error.to_string().is_empty()),
    }
}

/// Keys, clicks, responses, failures and sizes, one byte each, passed to update and view.
pub(crate) fn keys(data: &[u8]) {
    use crossterm::event::{KeyCode, KeyEvent, KeyModifiers};
    use std::time::Duration;

    let mut screen = Screen::new(80, 24);
    let mut bytes = data.iter().copied().take(300);
    let mut payload = "fine";
    while let Some(byte) = bytes.next() {
        match byte {
            b' '..=b'~' => screen.key(KeyEvent::from(KeyCode::Char(char::from(byte)))),
            0 => screen.key(KeyEvent::from(KeyCode::Enter)),
            1 => screen.key(KeyEvent::from(KeyCode::Esc)),
            2 => screen.key(KeyEvent::from(KeyCode::Tab)),
            3 => screen.key(KeyEvent::from(KeyCode::BackTab)),
            4 => screen.key(KeyEvent::from(KeyCode::Up)),
            5 => screen.key(KeyEvent::from(KeyCode::Down)),
            6 => screen.key(KeyEvent::from(KeyCode::Left)),
            7 => screen.key(KeyEvent::from(KeyCode::Right)),
            8 => screen.key(KeyEvent::from(KeyCode::PageDown)),
            9 => screen.key(KeyEvent::from(KeyCode::End)),
            10 => screen.key(KeyEvent::from(KeyCode::Backspace)),
            11 => {
                let letter = char::from(b'a' + bytes.next().unwrap_or(0) % 26);
                screen.key(KeyEvent::new(KeyCode::Char(letter), KeyModifiers::CONTROL));
            }
            12 => {
                let (columns, rows) = (bytes.next().unwrap_or(80), bytes.next().unwrap_or(24));
                screen.resize(u16::from(columns), u16::from(rows));
            }
            13 => {
                let (column, row) = (bytes.next().unwrap_or(0), bytes.next().unwrap_or(0));
                if let Some(target) = screen.view_state.hit(u16::from(column), u16::from(row)) {
                    screen.send(Message::Click(target));
                }
            }
            14 => screen.send(Message::Wheel(isize::from(bytes.next().unwrap_or(0)) - 128, None)),
            15 => screen.wait(Duration::from_secs(1 << (bytes.next().unwrap_or(0) % 24))),
            16 => screen.send(Message::Tick),
            17 => screen.appearance.glyphs = Glyphs::Ascii,
            18 => {
                for request in screen.wanted() {
                    match fixture::response(&request) {
                        Some(response) => screen.answer(&request, response),
                        None => serve(&mut screen, &request, "fine"),
                    }
                }
            }
            19 => payload = hostile::PAYLOADS[usize::from(bytes.next().unwrap_or(0)) % hostile::PAYLOADS.len()],
            20 => {
                let wanted = screen.wanted();
                let place = usize::from(bytes.next().unwrap_or(0));
                if let Some(request) = wanted.get(place % wanted.len().max(1)) {
                    serve(&mut screen, request, payload);
                }
            }
            21 => screen.wanted().iter().for_each(|request| serve(&mut screen, request, payload)),
            22 => screen.fail_all(&satscope::client::ErrorKind::Refused),
            23 => screen.send(Message::Paste(payload.to_owned())),
            24 => screen.start_all(),
            _ => {
                let buf = screen.paint();
                buf.content.iter().for_each(|cell| assert_harmless(cell.symbol(), false, "a cell"));
            }
        }
    }
    screen.paint();
}

fn serve(screen: &mut Screen, request: &Request, payload: &str) {
    match hostile::response(request, payload) {
        Ok((response, warnings)) => screen.answer_with(request, response, &warnings),
        Err(kind) => screen.fail(request, kind),
    }
}
