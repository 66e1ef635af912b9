//! Paints frames and the window title.

use std::io;
use std::time::Duration;

use crate::app::State;
use crate::terminal::{self, Painter, Sink};
use crate::view::{self, Appearance, ViewState};

/// A terminal that reads has read a frame by then, even on a busy machine.
const MAX_WRITE: Duration = Duration::from_millis(100);

/// Paints the state as frames of the terminal, in an appearance and with what the view remembers between frames.
pub(in crate::runtime) struct FramePainter<W: Sink> {
    pub(super) painter: Painter<W>,
    pub(super) appearance: Appearance,
    pub(super) view_state: ViewState,
    /// Whether a frame was skipped because the terminal is still reading the previous one.
    pub(super) needs_paint: bool,
    /// The window title, if it was set.
    pub(super) title: Option<String>,
}

impl<W: Sink> FramePainter<W> {
    pub(in crate::runtime) fn new(painter: Painter<W>, appearance: Appearance) -> FramePainter<W> {
        FramePainter { painter, appearance, view_state: ViewState::default(), needs_paint: false, title: None }
    }

    /// Waits until the last frame is written, but not long, since the terminal may not be reading.
    pub(in crate::runtime) async fn written(&mut self) -> io::Result<()> {
        tokio::time::timeout(MAX_WRITE, self.painter.out().idle()).await.unwrap_or(Ok(()))
    }

    /// Repaints everything with the next frame, images included: the terminal may have lost them.
    pub(super) fn invalidate(&mut self, size: (u16, u16)) {
        self.painter.invalidate(size);
        self.view_state.forget_picture();
    }

    /// Paints a frame, or sets `needs_paint` while the terminal is still reading the previous one.
    pub(in crate::runtime) fn paint(&mut self, state: &State) -> io::Result<()> {
        let FramePainter { painter, appearance, view_state, needs_paint, title } = self;
        *needs_paint = !painter.out().is_idle()?;
        if *needs_paint {
            return Ok(());
        }
        let new = view::window_title(state).map(|words| appearance.glyphs.lines(&words).into_owned());
        if let Some(words) = new.filter(|words| title.as_ref() != Some(words)) {
            terminal::set_title(painter.out(), &words)?;
            *title = Some(words);
        }
        if !painter.frame(|buf| view::draw(buf, state, appearance, view_state))? && painter.out().pending() > 0 {
            painter.out().flush()?;
        }
        Ok(())
    }
}
