//! A number of an answer, known or not.

use std::fmt;

use serde::{Deserialize, Deserializer, Serialize, Serializer};

/// A finite number, or none: in the eight bytes of the number alone, where an `Option<f64>` takes sixteen. Thousands of
/// coins and of a chart's points are kept all day, and most of what they hold are such numbers.
#[derive(Clone, Copy)]
pub struct Figure(f64); // not a number: unknown

impl Figure {
    /// No number.
    pub const UNKNOWN: Figure = Figure(f64::NAN);

    /// The number, where it is known. It is finite.
    pub fn get(self) -> Option<f64> {
        self.is_known().then_some(self.0)
    }

    /// The number, or what is not a number where it is unknown, which is neither less nor greater than anything.
    pub fn or_nan(self) -> f64 {
        self.0
    }

    /// Whether there is a number.
    pub fn is_known(self) -> bool {
        !self.0.is_nan()
    }

    /// Takes a number where none is known yet.
    pub fn fill(&mut self, number: impl FnOnce() -> Option<f64>) {
        if !self.is_known() {
            *self = Figure::from(number());
        }
    }

    /// Takes out a number below zero, for what never is.
    pub fn take_negative(&mut self) -> Option<f64> {
        (self.0 < 0.0).then(|| std::mem::take(self).0)
    }

    /// This one, where it is known, and else another.
    #[must_use]
    pub fn or(self, other: Figure) -> Figure {
        if self.is_known() { self } else { other }
    }
}

impl Default for Figure {
    fn default() -> Figure {
        Figure::UNKNOWN
    }
}

/// What is infinite or not a number is unknown.
impl From<f64> for Figure {
    fn from(number: f64) -> Figure {
        if number.is_finite() { Figure(number) } else { Figure::UNKNOWN }
    }
}

impl From<Option<f64>> for Figure {
    fn from(number: Option<f64>) -> Figure {
        number.map_or(Figure::UNKNOWN, Figure::from)
    }
}

impl PartialEq for Figure {
    fn eq(&self, other: &Figure) -> bool {
        self.get() == other.get()
    }
}

impl PartialEq<Option<f64>> for Figure {
    fn eq(&self, other: &Option<f64>) -> bool {
        self.get() == *other
    }
}

impl fmt::Debug for Figure {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.get().fmt(f)
    }
}

impl Serialize for Figure {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        self.get().serialize(serializer)
    }
}

impl<'de> Deserialize<'de> for Figure {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Figure, D::Error> {
        Option::<f64>::deserialize(deserializer).map(Figure::from)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_figure_is_a_finite_number_or_none_and_takes_no_room_for_the_difference() {
        assert_eq!(size_of::<Figure>(), 8);
        for number in [0.0, -0.0, 7.5, f64::MIN_POSITIVE, f64::MAX, f64::MIN, 5e-324] {
            assert_eq!(Figure::from(number).get().map(f64::to_bits), Some(number.to_bits()));
            assert_eq!(Figure::from(number).or_nan().to_bits(), number.to_bits());
            assert_eq!(Figure::from(Some(number)), Figure::from(number));
        }
        for number in [f64::NAN, -f64::NAN, f64::INFINITY, f64::NEG_INFINITY] {
            assert_eq!(Figure::from(number).get(), None, "{number}");
            assert!(Figure::from(number).or_nan().is_nan());
            assert_eq!(Figure::from(number), Figure::UNKNOWN);
        }
        assert_ne!(Figure::UNKNOWN, Figure::from(0.0));
        assert_eq!(Figure::UNKNOWN.or(Figure::from(2.0)), Some(2.0));
        assert_eq!(Figure::from(1.0).or(Figure::from(2.0)), Some(1.0));
        let mut figure = Figure::UNKNOWN;
        for (number, filled) in [(None, None), (Some(1.0), Some(1.0)), (Some(2.0), Some(1.0))] {
            figure.fill(|| number);
            assert_eq!(figure, filled);
        }
        for (number, taken, left) in [(-2.0, Some(-2.0), None), (-0.0, None, Some(0.0)), (f64::NAN, None, None)] {
            let mut figure = Figure::from(number);
            assert_eq!((figure.take_negative(), figure.get()), (taken, left));
        }
        let json = serde_json::to_string(&[Figure::from(2.5), Figure::UNKNOWN]).expect("JSON");
        assert_eq!(json, "[2.5,null]");
    }
}
