//! The images of inscriptions.

use crate::app::effect::Effect;
use crate::app::find::lookup::Subject;
use crate::app::overlay::Overlay;
use crate::app::panel::Panel;
use crate::app::screen::indexer::{HAS_IMAGES, image_request, is_image};
use crate::app::state::State;
use crate::app::step::Step;
use crate::client::Request;
use crate::format::with_separators;
use crate::keymap::{Command, Context};
use crate::model::Inscription;

use super::dialog::Dialog;
use super::toast::toast;

/// An image.
pub(super) struct ImageDialog;

impl Dialog for ImageDialog {
    fn context(&self, _state: &State) -> Context {
        Context::Image
    }

    fn run(&self, state: &mut State, command: Command, effects: &mut Vec<Effect>) {
        if matches!(command, Command::Open | Command::ShowImage) {
            self.close(state, effects);
        }
    }

    fn step(&self, _state: &mut State, _step: Step) {}

    fn requests(&self, state: &State) -> Vec<Request> {
        match &state.overlay {
            Some(Overlay::Image { id, .. }) => vec![Request::InscriptionImage { id: id.clone() }],
            _ => Vec::new(),
        }
    }
}

/// Opens the dialog with the image of the selected or shown inscription. Only the open dialog requests the image.
pub(super) fn open(state: &mut State) {
    match request(state) {
        Ok((Request::InscriptionImage { id }, title)) => state.overlay = Some(Overlay::Image { id, title }),
        Ok(_) => {}
        Err(reason) => toast(state, reason),
    }
}

/// Whether an image is selected or shown that this build can show.
pub(super) fn is_offered(state: &State) -> bool {
    state.has_command(Command::ShowImage) && inscription(state).is_some_and(is_image)
}

/// The request for the image and the title of the dialog, or why there is no image.
fn request(state: &State) -> Result<(Request, String), String> {
    let Some(inscription) = inscription(state) else {
        return Err(String::from("Select an inscription first"));
    };
    let request = image_request(inscription)?;
    if !HAS_IMAGES {
        return Err(String::from("Images need a build with --features images"));
    }
    if !state.preferences.images {
        return Err(String::from("Images are off (display.images)"));
    }
    let title = match inscription.number {
        Some(number) => format!("Inscription {}", with_separators(&number.to_string())),
        None => String::from("Inscription"),
    };
    Ok((request, title))
}

/// The selected inscription of a list, or the one whose facts are shown.
fn inscription(state: &State) -> Option<&Inscription> {
    let screen = &state.indexer;
    match (screen.focus, screen.subject()?) {
        (Panel::Inscriptions, _) => screen.inscription_list(&state.responses)?.get(screen.inscriptions.cursor.index()),
        (_, Subject::Inscription(_)) => {
            state.responses.inscription(&screen.facts_request()?).value.map(|inscription| &**inscription)
        }
        _ => None,
    }
}
