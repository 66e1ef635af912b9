use super::*;

fn reason(forms: &[&'static str]) -> Part {
    let (text, shorter) = forms.split_first().unwrap();
    let shorter = shorter.iter().map(|form| Cow::Borrowed(*form)).collect();
    Part { shorter, ..Part::reason((*text).to_owned()) }
}

fn server_error() -> Part {
    reason(&["Server error (500)", "error 500"])
}

fn refused() -> Part {
    reason(&["Can't reach 127.0.0.1:8080 (connection refused)", "connection refused", "refused"])
}

fn age() -> Part {
    Part::new(Kind::Age, "2 m old")
}

fn assert_forms(parts: &[Part], forms: &[(u16, &str)]) {
    for (columns, form) in forms {
        assert_eq!(fitted(parts, *columns).text, *form, "{columns}");
    }
}

#[test]
fn age_is_more_important_than_reason_and_reason_than_retry() {
    let parts = [Part::new(Kind::Detail, "Binance"), age(), refused(), Part::retrying("in 10 s")];
    let text = "Binance · 2 m old · Can't reach 127.0.0.1:8080 (connection refused) · retrying in 10 s";
    assert_forms(
        &parts,
        &[
            (86, text),
            (85, "2 m old · Can't reach 127.0.0.1:8080 (connection refused) · retrying in 10 s"),
            (76, "2 m old · Can't reach 127.0.0.1:8080 (connection refused) · retrying in 10 s"),
            (75, "2 m old · connection refused · retrying in 10 s"),
            (47, "2 m old · connection refused · retrying in 10 s"),
            (46, "2 m old · refused · retrying in 10 s"),
            (36, "2 m old · refused · retrying in 10 s"),
            (35, "2 m old · refused · retry in 10 s"),
            (33, "2 m old · refused · retry in 10 s"),
            (32, "2 m old · connection refused"),
            (28, "2 m old · connection refused"),
            (27, "2 m old · refused"),
            (17, "2 m old · refused"),
            (16, "2 m old · failed"),
            (15, "2 m old"),
            (7, "2 m old"),
            (6, ""),
        ],
    );
    assert_eq!(whole(&parts), text);
    assert_eq!(brief(&parts), "2 m old · connection refused · retrying in 10 s");
    assert!(fitted(&parts, 17).has_reason && !fitted(&parts, 16).has_reason);
}

#[test]
fn pause_is_shown_with_the_failure() {
    assert_forms(
        &[age(), server_error(), Part::new(Kind::Next, PAUSED)],
        &[
            (37, "2 m old · Server error (500) · paused"),
            (36, "2 m old · error 500 · paused"),
            (27, "2 m old · failed · paused"),
            (24, "2 m old · error 500"),
        ],
    );
}

#[test]
fn required_provider_is_more_important_than_the_age() {
    let provider = Part::new(Kind::Attribution, "Powered by CoinGecko");
    assert_forms(
        &[provider.clone(), age(), server_error(), Part::retrying("in 10 s")],
        &[
            (69, "Powered by CoinGecko · 2 m old · error 500 · retrying in 10 s"),
            (57, "Powered by CoinGecko · 2 m old · Server error (500)"),
            (45, "Powered by CoinGecko · 2 m old · error 500"),
            (41, "Powered by CoinGecko · 2 m old · failed"),
            (35, "Powered by CoinGecko · 2 m old"),
            (29, "Powered by CoinGecko"),
        ],
    );
    // Fresh data have no age.
    assert_forms(
        &[provider.clone(), server_error(), Part::retrying("in 10 s")],
        &[(41, "Powered by CoinGecko · Server error (500)"), (28, "Powered by CoinGecko")],
    );
    assert_forms(
        &[Part::new(Kind::Currency, "in EUR"), provider, age(), server_error(), Part::retrying("in 10 s")],
        &[(45, "in EUR · Powered by CoinGecko · 2 m old"), (38, "in EUR · Powered by CoinGecko"), (28, "in EUR")],
    );
}

#[test]
fn currency_is_never_left_out() {
    let currency = Part::new(Kind::Currency, "in USD");
    assert_forms(
        &[currency.clone(), age(), refused(), Part::retrying("in 10 s")],
        &[(26, "in USD · 2 m old · refused"), (22, "in USD · 2 m old"), (15, "in USD"), (6, "in USD")],
    );
    assert_forms(
        &[currency, refused(), Part::retrying("in 10 s")],
        &[(27, "in USD · connection refused"), (22, "in USD · refused"), (15, "in USD · failed"), (6, "in USD")],
    );
}

#[test]
fn provider_that_is_not_required_is_left_out_without_a_failure_too() {
    let waiting = Part::new(Kind::Next, "waiting to refresh");
    let parts = [Part::new(Kind::Detail, "Binance"), age(), waiting];
    let text = "Binance · 2 m old · waiting to refresh";
    assert_forms(&parts, &[(38, text), (37, "2 m old · waiting to refresh"), (9, "2 m old")]);
    assert_eq!(first_parts(&parts, 20).text, "Binance · 2 m old");
}

#[test]
fn reason_without_a_short_form_is_cut_between_words() {
    let text = "2 m old · CoinPaprika and CoinGecko: server error (503) · retrying in 10 s";
    assert_forms(
        &[age(), reason(&["CoinPaprika and CoinGecko: server error (503)"]), Part::retrying("in 10 s")],
        &[
            (74, text),
            (73, "2 m old · CoinPaprika and CoinGecko: server error (503) · retry in 10 s"),
            (70, "2 m old · CoinPaprika and CoinGecko: server… · retrying in 10 s"),
            (60, "2 m old · CoinPaprika and CoinGecko… · retrying in 10 s"),
            (40, "2 m old · failed · retrying in 10 s"),
            (31, "2 m old · CoinPaprika and…"),
            (20, "2 m old · failed"),
        ],
    );
}

#[test]
fn reason_after_a_name_keeps_it() {
    let parts = [reason(&["chart: Server error (500)", "chart: error 500"]), Part::retrying("in 10 s")];
    assert_forms(&parts, &[(44, "chart: Server error (500) · retrying in 10 s"), (31, "chart: Server error (500)")]);
}

#[test]
fn note_is_cut_between_words() {
    assert_forms(
        &[Part::new(Kind::Currency, "in USD"), Part::note("differs from the listed price")],
        &[
            (38, "in USD · differs from the listed price"),
            (37, "in USD · differs from the listed…"),
            (25, "in USD · differs from…"),
            (20, "in USD"),
        ],
    );
}
