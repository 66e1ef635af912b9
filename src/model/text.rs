//! Text from outside, made harmless at the decode border.
