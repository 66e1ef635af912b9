//! Widgets. Each is a ratatui [`Widget`](ratatui::widgets::Widget) or, with state, a
//! [`StatefulWidget`](ratatui::widgets::StatefulWidget), so that they can be combined with other widgets and used in
//! other programs.
//!
//! All of them accept any area, including an empty one or one that is partly outside the buffer. They paint Unicode;
//! for a terminal without Unicode, [`crate::glyphs::Glyphs::apply`] converts the finished buffer.
//!
//! ```
//! use ratatui::widgets::{LineGauge, Widget};
//! use ratatui::{Terminal, backend::TestBackend, layout::{Constraint, Layout}};
//! use satscope::view::widgets::{RangeBar, Sparkline};
//!
//! let mut terminal = Terminal::new(TestBackend::new(40, 3))?;
//! terminal.draw(|frame| {
//!     let [line, range, gauge] = Layout::vertical([Constraint::Length(1); 3]).areas(frame.area());
//!     frame.render_widget(Sparkline::new(&[8.2, 8.4, 8.1, 8.9]), line);
//!     frame.render_widget(RangeBar::new(Some(8.1), Some(8.4), Some(8.9)), range);
//!     frame.render_widget(LineGauge::default().ratio(0.4), gauge);
//! })?;
//! # Ok::<(), std::convert::Infallible>(())
//! ```

pub mod chart;
pub mod histogram;
pub mod panel;
mod placeholder;
pub mod range_bar;
pub mod share_bar;
pub mod sparkline;
pub mod table;
pub mod text;

pub use chart::Chart;
pub use histogram::Histogram;
pub use panel::{PanelTitle, TabBar};
pub use placeholder::Placeholder;
pub use range_bar::RangeBar;
pub use share_bar::ShareBar;
pub use sparkline::Sparkline;
pub use table::Table;
