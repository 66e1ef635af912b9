//! Words for powers of ten.

/// The words of each power.
const SCALES: [(&[&str], i32); 4] = [
    (&["thousand", "thousands", "k"], 3),
    (&["million", "millions", "mn", "mln", "mm", "m"], 6),
    (&["billion", "billions", "bn", "bln", "b"], 9),
    (&["trillion", "trillions", "tn", "trn", "t"], 12),
];

/// The power of ten that a word means, in any case.
pub(in crate::client::decode) fn power_of_word(word: &str) -> Option<i32> {
    let has_word = |words: &[&str]| words.iter().any(|known| known.eq_ignore_ascii_case(word));
    SCALES.iter().find(|(words, _)| has_word(words)).map(|(_, power)| *power)
}
