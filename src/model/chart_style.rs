//! How charts are drawn.

/// How a chart draws prices.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum ChartStyle {
    /// A line, and the faint area between it and the opening price.
    #[default]
    Area,
    /// Only the line.
    Line,
    /// Candles.
    Candles,
}

impl ChartStyle {
    /// All styles, in the order of the key.
    pub const ALL: [ChartStyle; 3] = [ChartStyle::Area, ChartStyle::Candles, ChartStyle::Line];

    /// The name: `area`, `line`, `candles`.
    pub fn as_str(self) -> &'static str {
        match self {
            ChartStyle::Area => "area",
            ChartStyle::Line => "line",
            ChartStyle::Candles => "candles",
        }
    }

    /// The next one, after the last the first.
    pub fn next(self) -> ChartStyle {
        after(&ChartStyle::ALL, self)
    }
}

/// The price axis of a chart.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum ChartAxis {
    /// Equal distances for equal differences.
    #[default]
    Linear,
    /// Equal distances for equal ratios. Linear if a price is not positive.
    Log,
    /// Linear, labelled with the change from the opening price. Linear prices if that is not positive.
    Percent,
}

impl ChartAxis {
    /// All axes, in the order of the key.
    pub const ALL: [ChartAxis; 3] = [ChartAxis::Linear, ChartAxis::Log, ChartAxis::Percent];

    /// The name: `linear`, `log`, `percent`.
    pub fn as_str(self) -> &'static str {
        match self {
            ChartAxis::Linear => "linear",
            ChartAxis::Log => "log",
            ChartAxis::Percent => "percent",
        }
    }

    /// The next one, after the last the first.
    pub fn next(self) -> ChartAxis {
        after(&ChartAxis::ALL, self)
    }
}

fn after<T: Copy + PartialEq>(all: &[T], here: T) -> T {
    let mut rest = all.iter().skip_while(|other| **other != here).skip(1);
    rest.next().or(all.first()).copied().unwrap_or(here)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn key_cycles_all_styles_and_axes() {
        assert_eq!(ChartStyle::ALL.map(ChartStyle::next).map(ChartStyle::as_str), ["candles", "line", "area"]);
        assert_eq!(ChartAxis::ALL.map(ChartAxis::next).map(ChartAxis::as_str), ["log", "percent", "linear"]);
    }
}
