use super::*;
use ratatui::layout::Rect;
use ratatui::style::Style;

fn shown(text: &str) -> String {
    let mut buf = Buffer::empty(Rect::new(0, 0, 24, 1));
    buf.set_string(0, 0, text, Style::new());
    Glyphs::Ascii.apply(&mut buf);
    buf.content.iter().map(|cell| cell.symbol()).collect::<String>().trim_end().to_owned()
}

#[test]
fn glyphs_depend_on_terminal_and_locale() {
    for (term, lang, glyphs) in [
        (Some("xterm-256color"), Some("en_US.UTF-8"), Glyphs::Unicode),
        (Some("xterm-256color"), Some("de_DE.utf8"), Glyphs::Unicode),
        (Some("xterm-256color"), None, Glyphs::Unicode),
        (None, None, Glyphs::Unicode),
        (Some("xterm"), Some(""), Glyphs::Unicode),
        (Some("xterm"), Some("C"), Glyphs::Ascii),
        (Some("xterm"), Some("en_US.ISO-8859-1"), Glyphs::Ascii),
        (Some("linux"), Some("en_US.UTF-8"), Glyphs::Ascii),
        (Some("dumb"), None, Glyphs::Ascii),
        (Some("vt100"), None, Glyphs::Ascii),
    ] {
        assert_eq!(Glyphs::detect(term, lang), glyphs, "{term:?} {lang:?}");
    }
}

#[test]
fn every_cell_becomes_ascii_of_the_same_width() {
    for (unicode, ascii) in [
        ("▲ 0.2%", "+ 0.2%"),
        ("▼ 3.8%", "- 3.8%"),
        ("8.20 ─●── 8.91", "8.20 -o-- 8.91"),
        ("███░ 70%", "###. 70%"),
        ("⣀⣤⣶⣿", "_.:#"),
        ("日本 coin", "? ?  coin"),
        ("— …", "- ..."),
        ("€2.45T ₿0.5", "E2.45T B0.5"),
        ("Bitco… 8.41", "Bit... 8.41"),
        ("Loading…", "Loading..."),
        ("b61b0172…735i0", "b61b01...735i0"),
        ("8.41    … 2", "8.41  ... 2"),
        ("Bitcoin S… 8.41", "Bitcoin... 8.41"),
        ("USD Coin (… 8.41", "USD Coin... 8.41"),
        ("168 S… 8.41", "168 S~ 8.41"),
        ("1.2k S… 8.41", "1.2k S~ 8.41"),
        ("Alpha T…/USDT", "Alpha T~/USDT"),
        ("$8.41… 2", "$8.41~ 2"),
        ("BTM… 2", "B... 2"),
        ("a… b", "a~ b"),
        ("8.41…9.20", "8.41~9.20"),
        ("60.1k…62.9k", "60.1k~62.9k"),
        ("abcdefghijklmnopqrstuvw…", "abcdefghijklmnopqrstu..."),
        ("abcdefghijklmnopqrstuv …", "abcdefghijklmnopqrstuv ~"),
        ("abcdefghijklmnopqrstu  …", "abcdefghijklmnopqrstu  ~"),
        ("abcdefghijklmnopqrst   …", "abcdefghijklmnopqrst ..."),
        ("                     …", "                     ..."),
        ("日本… x", "? ? ~ x"),
        ("24h▾ ⠂⠐", "24h- .."),
        ("#▴ Volume▾› ▾ ordi ▸", "#+ Volume-> v ordi >"),
        ("minted ≥ 99%  rank ≤ 100", "minted >=99%  rank <=100"),
        ("≥99%", ">99%"),
        ("600 of 1,251 ▰▰▰▱▱▱", "600 of 1,251 ###..."),
        ("● ◐ × ○", "o ! x ."),
    ] {
        assert_eq!(shown(unicode), ascii, "{unicode}");
    }
}

#[test]
fn tiny_price_in_ascii_is_the_same_number() {
    for (unicode, ascii) in [
        ("0.0₆734", "7.34e-7"),
        ("a 0.0₁₂734 b", "a 7.34e-13 b"),
        ("0.0₉734", "7.3e-10"),
        ("0.0₄1", " 1e-5"),
        ("H₂O", "H2O"),
        ("₂", "2"),
    ] {
        assert_eq!(shown(unicode), ascii, "{unicode}");
    }
}

#[test]
fn printed_lines_become_ascii_of_the_same_width() {
    for (unicode, ascii) in [
        ("A  −3.8%  ▂▃█\nB  +1.0%  —\n", "A  -3.8%  ..#\nB  +1.0%  -\n"),
        ("0.0₇802  \x1b[31m−1.0%\x1b[39m\n", "8.02e-8  \x1b[31m-1.0%\x1b[39m\n"),
        ("日本  a\u{301}e\u{301}\nx  日\n", "? ?   ae\nx  ?\n"),
        ("b61b0172…735i0", "b61b01...735i0"),
        ("\x1b[1mB… x", "\x1b[1mB~ x"),
        ("B…\nx…  \n", "B~\nx...\n"),
        ("0°1′1″0‴", "0o1'1\"0'"),
        ("nova minted ≥ 99%\n", "nova minted >=99%\n"),
    ] {
        assert_eq!(Glyphs::Ascii.lines(unicode), ascii, "{unicode}");
        assert_eq!(Glyphs::Unicode.lines(unicode), unicode);
    }
}

#[test]
fn unicode_terminal_keeps_all_characters() {
    let mut buf = Buffer::with_lines(["▲ ⣿ 0.0₆734"]);
    let before = buf.clone();
    Glyphs::Unicode.apply(&mut buf);
    assert_eq!(buf, before);
}
