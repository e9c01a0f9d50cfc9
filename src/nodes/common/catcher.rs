//! The shadow catcher of a picture.

use crate::picture::catcher::{Catcher, Surface};

/// A text for the artist where the surface is that of the input Depth, which has no picture.
pub fn notice(catcher: Option<&Catcher>, has_depth: bool) -> Option<String> {
    let is_missing = !has_depth && catcher.is_some_and(|catcher| catcher.surface == Surface::Depth);
    is_missing.then(|| {
        "Shadow catcher is Depth, and the input Depth has no picture: no surface shows a shadow. Connect the distances of \
         the scene to the input Depth, or set Shadow catcher to Floor or Off."
            .to_owned()
    })
}
