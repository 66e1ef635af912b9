use proptest::prelude::*;

use super::*;

fn decoded(bytes: &[u8]) -> Vec<Event> {
    let mut decoder = Decoder::default();
    decoder.feed(bytes);
    decoder.time_out();
    decoder.take(usize::MAX)
}

fn key(code: KeyCode) -> Event {
    Event::Key(KeyEvent::from(code))
}

fn typed(text: &str) -> Vec<Event> {
    text.chars().map(|c| key(KeyCode::Char(c))).collect()
}

fn with(code: KeyCode, modifiers: KeyModifiers) -> Event {
    Event::Key(KeyEvent::new(code, modifiers))
}

#[test]
fn keys_of_all_terminals_are_decoded() {
    let (control, alt, shift) = (KeyModifiers::CONTROL, KeyModifiers::ALT, KeyModifiers::SHIFT);
    for (bytes, event) in [
        (&b"j"[..], key(KeyCode::Char('j'))),
        (b"J", with(KeyCode::Char('J'), shift)),
        ("é".as_bytes(), key(KeyCode::Char('é'))),
        ("日".as_bytes(), key(KeyCode::Char('日'))),
        ("🦀".as_bytes(), key(KeyCode::Char('🦀'))),
        (b"\r", key(KeyCode::Enter)),
        (b"\t", key(KeyCode::Tab)),
        (b"\x7f", key(KeyCode::Backspace)),
        (b"\x03", with(KeyCode::Char('c'), control)),
        (b"\0", with(KeyCode::Char(' '), control)),
        (b"\x1b", key(KeyCode::Esc)),
        (b"\x1bb", with(KeyCode::Char('b'), alt)),
        ("\u{1b}é".as_bytes(), with(KeyCode::Char('é'), alt)),
        (b"\x1b\x7f", with(KeyCode::Backspace, alt)),
        (b"\x1b[", with(KeyCode::Char('['), alt)),
        (b"\x1b]", with(KeyCode::Char(']'), alt)),
        (b"\x1bO", with(KeyCode::Char('O'), alt | shift)),
        (b"\x1b[A", key(KeyCode::Up)),
        (b"\x1bOA", key(KeyCode::Up)),
        (b"\x1b[1;5D", with(KeyCode::Left, control)),
        (b"\x1b[1;3C", with(KeyCode::Right, alt)),
        (b"\x1b[H", key(KeyCode::Home)),
        (b"\x1b[4~", key(KeyCode::End)),
        (b"\x1b[5~", key(KeyCode::PageUp)),
        (b"\x1b[6~", key(KeyCode::PageDown)),
        (b"\x1b[6;5~", with(KeyCode::PageDown, control)),
        (b"\x1b[3~", key(KeyCode::Delete)),
        (b"\x1b[Z", key(KeyCode::BackTab)),
        (b"\x1bOP", key(KeyCode::F(1))),
        (b"\x1b[11~", key(KeyCode::F(1))),
        (b"\x1b[[A", key(KeyCode::F(1))),
        (b"\x1b[P", key(KeyCode::F(1))),
        (b"\x1b[24~", key(KeyCode::F(12))),
        (b"\x1b[99;5u", with(KeyCode::Char('c'), control)),
        (b"\x1b[27u", key(KeyCode::Esc)),
        (b"\x1b[27;5;99~", with(KeyCode::Char('c'), control)),
        (b"\x1b[<0;3;7M", Event::Click(2, 6)),
        (b"\x1b[M #'", Event::Click(2, 6)),
        (b"\x1b[<64;1;1M", Event::WheelUp(0, 0)),
        (b"\x1b[<65;3;2M", Event::WheelDown(2, 1)),
        (b"\x1b[200~a\r\x1b[Ab\x1b[201~", Event::Paste(String::from("a\r\u{1b}[Ab"))),
    ] {
        assert_eq!(decoded(bytes), [event], "{}", bytes.escape_ascii());
    }
}

#[test]
fn terminal_replies_are_not_typing() {
    for reply in [
        &b"\x1b]11;rgb:ffff/ffff/ffff\x07"[..],
        b"\x1b]11;rgb:ffff/ffff/ffff\x1b\\",
        b"\x1b]52;c;cXFxcQ==\x07",
        b"\x1bP>|XTerm(385)\x1b\\",
        b"\x1bP1+r544e=787465726d\x1b\\",
        b"\x1b_Gi=1;OK\x1b\\",
        b"\x1b[?1;2c",
        b"\x1b[>41;385;0c",
        b"\x1b[=1c",
        b"\x1b[12;40R",
        b"\x1b[?12;40R",
        b"\x1b[0n",
        b"\x1b[?2026;2$y",
        b"\x1b[8;24;80t",
        b"\x1b[I",
        b"\x1b[O",
        b"\x1b[j",
        b"\x1b[<35;4;4M",
        b"\x1b[<0;0;0M",
        b"\x1b[<0;3;7m",
        b"\x1b[M   ",
        b"\x1b[99;1:3u",
        b"\x1bOx",
        b"\xff\x80",
    ] {
        assert_eq!(decoded(&[reply, b"q"].concat()), typed("q"), "{}", reply.escape_ascii());
    }
}

#[test]
fn incomplete_sequence_does_not_swallow_the_next_key() {
    for half in ["\x1b[6", "\x1b[<0;3", "\x1bO1", "\x1b[[", "\x1b]11;rgb:", "\x1bP1+r", "\x1b[M ", "\x1b[201~"] {
        let mut decoder = Decoder::default();
        decoder.feed(half.as_bytes());
        decoder.time_out();
        decoder.feed(b"q");
        assert_eq!((decoder.take(9), decoder.wait()), (typed("q"), None), "{half:?}");
        // A byte that can't continue the sequence ends it without a timeout.
        decoder.feed(half.as_bytes());
        decoder.feed(b"\x03");
        decoder.time_out();
        assert_eq!(decoder.take(9), [with(KeyCode::Char('c'), KeyModifiers::CONTROL)], "{half:?}");
    }
}

#[test]
fn repeated_escapes_are_separate_keys() {
    let esc = || key(KeyCode::Esc);
    assert_eq!(decoded(b"\x1b\x1b"), [esc(), esc()]);
    assert_eq!(decoded(b"\x1b\x1b1"), [esc(), esc(), key(KeyCode::Char('1'))]);
    assert_eq!(decoded(b"\x1b\x1b[A"), [esc(), key(KeyCode::Up)]);
    assert_eq!(decoded(b"\x1b\x03"), [esc(), with(KeyCode::Char('c'), KeyModifiers::CONTROL)]);
}

#[test]
fn unterminated_paste_ends_after_the_timeout() {
    let mut decoder = Decoder::default();
    decoder.feed(b"\x1b[200~ordi");
    assert_eq!((decoder.take(9), decoder.wait().map(|wait| wait.timeout)), (Vec::new(), Some(TEXT_TIMEOUT)));
    decoder.time_out();
    assert_eq!((decoder.take(9), decoder.wait()), (vec![Event::Paste(String::from("ordi"))], None));
}

#[test]
fn ctrl_c_ends_a_paste() {
    let mut decoder = Decoder::default();
    decoder.feed(b"\x1b[200~ordi\x03quit");
    assert_eq!(decoder.take(9), [with(KeyCode::Char('c'), KeyModifiers::CONTROL)], "the rest is not typing");
    decoder.feed(b"\x03");
    assert_eq!(decoder.take(9), [with(KeyCode::Char('c'), KeyModifiers::CONTROL)]);
    decoder.feed(b"more\x1b[201~j");
    assert_eq!(decoder.take(9), typed("j"));
}

#[test]
fn oversized_paste_is_truncated() {
    let mut decoder = Decoder::default();
    decoder.feed(b"\x1b[200~");
    decoder.feed(&vec![b'q'; 3 * MAX_PASTE]);
    assert_eq!(decoder.take(9), [Event::Paste("q".repeat(MAX_PASTE))]);
    assert!(decoder.held.capacity() < 64);
    decoder.feed(b"\x1b[201~j");
    assert_eq!(decoder.take(9), typed("j"));
}

#[test]
fn endless_sequence_uses_bounded_memory() {
    for begin in ["\x1b[", "\x1b]", "\x1bP", "\x1bO"] {
        let mut decoder = Decoder::default();
        decoder.feed(begin.as_bytes());
        decoder.feed(&vec![b'1'; MAX_PASTE]);
        assert!(decoder.held.capacity() <= 2 * MAX_SEQUENCE, "{begin:?}");
    }
}

/// Random bytes with many parts of valid sequences.
fn input_bytes() -> impl Strategy<Value = Vec<u8>> {
    let pieces = prop::sample::select(vec![
        "\x1b",
        "[",
        "O",
        "]",
        "P",
        "M",
        "<",
        "0",
        "6",
        ";",
        "~",
        "A",
        "\x07",
        "\\",
        "\x1b[200~",
        "\x1b[201~",
        "q",
        "é",
        "\x03",
        "日",
    ]);
    let piece = prop_oneof![4 => pieces.prop_map(|text| text.as_bytes().to_vec()), 1 => any::<u8>().prop_map(|byte| vec![byte])];
    prop::collection::vec(piece, 0..40).prop_map(|pieces| pieces.concat())
}

proptest! {
    #[test]
    fn splitting_the_input_does_not_change_the_events(bytes in input_bytes(), cut in any::<prop::sample::Index>()) {
        let (begin, end) = bytes.split_at(cut.index(bytes.len() + 1));
        let mut decoder = Decoder::default();
        decoder.feed(begin);
        decoder.feed(end);
        decoder.time_out();
        prop_assert_eq!(decoder.take(usize::MAX), decoded(&bytes));
        prop_assert_eq!(decoder.wait(), None);
    }
}
