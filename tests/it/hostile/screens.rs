//! Output to the terminal, the clipboard and the browser.

use std::num::NonZeroU16;
use std::sync::atomic::{AtomicUsize, Ordering};

use ratatui::buffer::Buffer;
use satscope::app::{Effect, Message, Preferences};
use satscope::client::decode::decode;
use satscope::client::{ErrorKind, Limits, Request};
use satscope::store;
use satscope::terminal::Painter;
use satscope::user_data::UserData;

use crate::support::hostile::{assert_harmless, columns_of, payloads, response};
use crate::support::screen::{Screen, text};

const SIZES: [(u16, u16); 4] = [(160, 45), (80, 24), (40, 12), (9, 4)];

/// Key sequences that show every screen, panel and dialog. `|` checks the screen.
const WALKS: [&str; 9] = [
    "|/a|<enter>|j|<enter>|<tab>|<tab>|<tab>|z|z<tab>z|",
    "<enter>|o|y<enter>|<esc><tab><tab><enter>|y|o|jy<enter>|<esc><esc>",
    "fjf4|j|+|<enter>|<esc>o|<esc>c|<esc>",
    "2|yo|<esc>3|y?|<esc>6||",
    "5|j|y<enter>|<tab>|y<tab>|jy<enter>|y<tab>|z|",
    "5b|j|/or|<enter>|",
    "5:bc1qar0srrr7xfkvy5l643lydnw9re59gtzzwf5mdq<enter>|jy|<enter>|",
    "5:sat 1914287520444193<enter>|y<tab>|j|y<enter>|y",
    "5:inscription -7<enter>|y|:779832|<enter>|jy",
];

/// Delivers the responses and failures of the hostile service.
fn serve(screen: &mut Screen, payload: &str) {
    for _ in 0..20 {
        let missing: Vec<Request> =
            screen.wanted().into_iter().filter(|request| screen.state.responses.response(request).is_none()).collect();
        let mut new = false;
        for request in missing {
            match response(&request, payload) {
                Ok((response, warnings)) => {
                    new = true;
                    screen.answer_with(&request, response, &warnings);
                }
                Err(kind) => screen.fail(&request, kind),
            }
        }
        if !new {
            return;
        }
    }
}

fn assert_frame(buf: &Buffer, context: &str) {
    for y in buf.area.top()..buf.area.bottom() {
        let symbols: Vec<&str> = (buf.area.left()..buf.area.right()).map(|x| buf[(x, y)].symbol()).collect();
        symbols.iter().for_each(|symbol| assert_harmless(symbol, false, context));
        assert_eq!(columns_of(&symbols, context), usize::from(buf.area.width), "{context}: row {y}");
    }
}

/// The program's own sequences: modes, colours, the cursor, clearing. Everything else in a frame is text.
fn assert_bytes(bytes: &[u8], context: &str) {
    let text = std::str::from_utf8(bytes).expect("UTF-8");
    let mut parts = text.split('\u{1b}');
    assert_harmless(parts.next().unwrap_or(""), false, context);
    for part in parts {
        let body = part.strip_prefix('[').unwrap_or_else(|| panic!("{context}: ESC {part:?}"));
        let end = body.find(|c: char| !matches!(c, '0'..='9' | ';' | ':' | '?')).expect("a whole sequence");
        let (parameters, rest) = body.split_at(end);
        let last = rest.chars().next().unwrap_or(' ');
        let own = match last {
            'm' | 'H' | 'J' | 'C' | 'G' | 'd' => !parameters.starts_with('?'),
            'h' | 'l' => matches!(parameters, "?2026" | "?25"),
            _ => false,
        };
        assert!(own, "{context}: foreign escape sequence:  {parameters}{last}");
        assert_harmless(&rest[1..], false, context);
    }
}

/// Paints a frame twice: into a buffer, and through the painter into a terminal, which must show the same.
fn check_frame(screen: &mut Screen, context: &str) {
    let buf = screen.paint();
    assert_frame(&buf, context);
    let (columns, rows) = screen.state.size;
    let mut bytes = Vec::new();
    let mut painter = Painter::new(&mut bytes, (columns, rows));
    painter
        .frame(|into| {
            into.clone_from(&buf);
            screen.cursor
        })
        .expect("painted");
    drop(painter);
    assert_bytes(&bytes, context);
    let mut terminal = vt100::Parser::new(at_least_one(rows), at_least_one(columns), 0);
    terminal.process(&bytes);
    let shown: String = terminal.screen().rows(0, columns).map(|row| format!("{}\n", row.trim_end())).collect();
    assert_eq!(shown, text(&buf), "{context}");
}

fn at_least_one(size: u16) -> NonZeroU16 {
    NonZeroU16::new(size).expect("a size")
}

#[test]
fn hostile_data_never_break_the_screen() {
    each_payload(|number, payload| {
        let short: String = payload.chars().take(40).collect();
        for (way, walk) in WALKS.iter().enumerate() {
            // Every walk and every payload is combined with every size, but not all three with each other.
            let (columns, rows) = SIZES[(number + way) % SIZES.len()];
            let mut screen = Screen::with(Preferences { page_size: 3, ..Preferences::default() }, columns, rows);
            for (index, keys) in walk.split('|').enumerate() {
                serve(&mut screen, payload);
                screen.keys(keys);
                serve(&mut screen, payload);
                check_frame(&mut screen, &format!("{short:?}, {columns}x{rows}, {walk} at {index}"));
            }
            screen.effects.iter().for_each(assert_effect);
        }
    });
}

/// Calls `check` with the number and the text of each payload, on as many threads as there are processors.
fn each_payload(check: impl Fn(usize, &str) + Sync) {
    let payloads = payloads();
    let next = AtomicUsize::new(0);
    let threads = std::thread::available_parallelism().map_or(1, usize::from);
    std::thread::scope(|scope| {
        for _ in 0..threads {
            scope.spawn(|| {
                loop {
                    let number = next.fetch_add(1, Ordering::Relaxed);
                    let Some(payload) = payloads.get(number) else { break };
                    check(number, payload);
                }
            });
        }
    });
}

#[test]
fn typed_text_is_sanitised() {
    let mut screen = Screen::new(80, 24);
    screen.keys("5:sat  12 \u{202e}3\u{301}\u{301}\u{301}\u{301}\u{301}\u{7}x ");
    let Some(satscope::app::Overlay::Palette(palette, _)) = &screen.state.overlay else { panic!("a line") };
    let input = &palette.input;
    assert_eq!(input.value(), "sat  12 3\u{301}\u{301}\u{301}\u{301}x ");
}

/// Words of a megabyte.
#[test]
fn endless_words_are_truncated() {
    for unit in ["W", "語", "a\u{301}", "\u{202e}", " "] {
        let word = unit.repeat(1_000_000 / unit.len());
        let json = serde_json::json!([
            { "id": word, "name": word, "symbol": word, "slug": word, "price": 1, "tags": word, "urls": { "website": [format!("https://a.example/{word}")] }, word.as_str(): word },
            { "id": 2, "name": "Fine", "symbol": "FINE", "price": 2 },
        ]);
        let request = Screen::new(80, 24).wanted()[0].clone();
        let (response, warnings) =
            decode(&request, json.to_string().as_bytes(), None, &Limits::default()).expect("a list of coins");
        assert!(format!("{response:?}{warnings:?}").len() < 8_000, "all texts are cut");
        let mut screen = Screen::new(80, 24);
        screen.answer_with(&request, response, &warnings);
        for keys in ["", "o", "<esc><enter>", "6"] {
            screen.keys(keys);
            check_frame(&mut screen, &format!("a megabyte of {unit:?} after {keys}"));
        }
    }
}

fn assert_effect(effect: &Effect) {
    match effect {
        Effect::Copy(text) => assert_harmless(text, true, "the clipboard"),
        Effect::OpenLink(url) => {
            assert_harmless(url, false, "a link");
            assert!(url.starts_with("https://") || url.starts_with("http://"), "{url}");
        }
        _ => {}
    }
}

/// Error messages of a service, typed and pasted text, and contents of other files.
#[test]
fn hostile_errors_and_typed_text_never_break_the_screen() {
    each_payload(|_, payload| {
        let short: String = payload.chars().take(40).collect();
        let message =
            satscope::client::decode::error_message(serde_json::json!({ "error": payload }).to_string().as_bytes());
        let plain = satscope::client::decode::error_message(payload.as_bytes());
        let not_json = error_of(payload.as_bytes());
        let html = error_of(format!("<html><title>{payload}</title>").as_bytes());
        let in_body = error_of(
            serde_json::json!({"status": {"error_code": 1008, "error_message": payload}}).to_string().as_bytes(),
        );
        let unknown = error_of(serde_json::json!({ (payload): payload }).to_string().as_bytes());
        let kinds = [
            ErrorKind::Status { status: 500, message: message.clone(), retry_after: None },
            ErrorKind::Status { status: 400, message: plain, retry_after: None },
            ErrorKind::NotFound { message },
            not_json,
            html,
            in_body,
            unknown,
        ];
        for kind in kinds {
            assert_harmless(&kind.to_string(), false, &short);
            for keys in ["", "<enter>", "4", "5", "6"] {
                let mut screen = Screen::new(80, 24);
                screen.keys(keys);
                screen.fail_all(&kind);
                check_frame(&mut screen, &format!("{short:?} as {kind:?} after {keys}"));
            }
        }
        for keys in ["/", "5/", "5:", "c"] {
            let mut screen = Screen::new(60, 16);
            serve(&mut screen, "fine");
            screen.keys(keys);
            screen.send(Message::Paste(payload.to_owned()));
            check_frame(&mut screen, &format!("{short:?} pasted after {keys}"));
            for c in payload.chars().take(300) {
                screen.key(crossterm::event::KeyEvent::from(crossterm::event::KeyCode::Char(c)));
            }
            check_frame(&mut screen, &format!("{short:?} typed after {keys}"));
            screen.keys("<enter>");
            serve(&mut screen, payload);
            check_frame(&mut screen, &format!("{short:?} entered after {keys}"));
        }
        let mut screen = Screen::new(70, 20);
        screen.send(Message::Loaded(Box::new(watched(payload))));
        screen.send(Message::Notice(payload.to_owned()));
        check_frame(&mut screen, &format!("{short:?} as a notice"));
        screen.send(Message::EffectFailed(payload.to_owned()));
        screen.keys("4");
        check_frame(&mut screen, &format!("{short:?} as a failure, and watched"));
        serve(&mut screen, payload);
        check_frame(&mut screen, &format!("{short:?} watched and served"));
        screen.keys("6");
        check_frame(&mut screen, &format!("{short:?} watched, on the status"));
        screen.keys("4y");
        screen.effects.iter().for_each(assert_effect);
    });
}

/// User data written by another program.
fn watched(payload: &str) -> UserData {
    let directory = tempfile::tempdir().unwrap();
    let coin = serde_json::json!({ "symbol": payload, "slug": payload, "id": payload });
    let file = serde_json::json!({ "added": [coin], "removed": [] }).to_string();
    std::fs::write(directory.path().join("watched.json"), file).unwrap();
    store::read(directory.path()).unwrap()
}

/// The error of decoding a body as coins.
fn error_of(body: &[u8]) -> ErrorKind {
    let request = crate::support::posts("ORDI");
    match satscope::client::decode::decode(&request, body, None, &satscope::client::Limits::default()) {
        Ok(response) => panic!("{response:?}"),
        Err(kind) => kind,
    }
}
