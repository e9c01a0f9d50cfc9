//! The host's Write node: the file of a frame and its planes.
//!
//! By observation, Natron 2.5's Write with all planes mixes up the built-in motion planes, and it multiplies a picture
//! that claims to be unpremultiplied by its alpha, unless its Input Premult is set to Premultiplied by hand.

use std::sync::Arc;

use flow_openfx as ofx;

use crate::frame::Frame;
use crate::node::Node;
use crate::profile::Planes;
use crate::{Components, Depth, Image, Plane, Premultiplication, Result};

/// The Write node's interpretation of its input's alpha.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum InputPremult {
    /// As the input claims, which is the writing node's own default.
    Automatic,
    /// Premultiplied, set by hand: values are written unchanged.
    Premultiplied,
}

/// The colour and the planes of a frame as stored in a file.
pub type Written = (Arc<Image>, Vec<(Plane, Arc<Image>)>);

impl Node {
    /// A frame of this node as the host's Write node stores it.
    ///
    /// # Errors
    /// The plug-in's failure to agree on formats.
    pub fn written(&self, frame: &Frame, input: InputPremult) -> Result<Written> {
        let mut colour = Arc::clone(&frame.image);
        let mut planes = frame.planes.clone();
        // Natron's profile has planes of any name.
        if self.core.profile().planes != Planes::Any {
            return Ok((colour, planes));
        }
        let unpremultiplied = self.preferences()?.premultiplication == Premultiplication::Unpremultiplied;
        if input == InputPremult::Automatic && unpremultiplied {
            colour = multiplied(&colour, Image::pixel);
            for (plane, image) in planes.iter_mut().filter(|(plane, _)| plane.channels.len() == 4) {
                debug_assert_eq!(plane.components(), Components::Rgba);
                *image = multiplied(image, Image::channels);
            }
        }
        // The built-in plane of backward motion is stored in R and G.
        if let Some(at) =
            planes.iter().position(|(plane, _)| plane.ofx == ofx::text(ofx::plane::BACKWARD_MOTION.to_bytes_with_nul()))
        {
            let (_, backward) = planes.remove(at);
            colour = mapped(&colour, |x, y, [_, _, b, a]| {
                let [u, v, ..] = backward.channels(x, y);
                [u, v, b, a]
            });
        }
        Ok((colour, planes))
    }
}

fn multiplied(image: &Image, pixel: fn(&Image, i32, i32) -> [f32; 4]) -> Arc<Image> {
    mapped(image, |x, y, _| {
        let [r, g, b, a] = pixel(image, x, y);
        [r * a, g * a, b * a, a]
    })
}

/// An image of floats with other pixels.
fn mapped(image: &Image, pixel: impl Fn(i32, i32, [f32; 4]) -> [f32; 4]) -> Arc<Image> {
    let bounds = image.bounds();
    let mut out = Image::new(bounds, Depth::Float, Components::Rgba)
        .premultiplied(Premultiplication::Premultiplied)
        .pixel_aspect(image.pixel_aspect);
    for y in bounds.y1..bounds.y2 {
        for x in bounds.x1..bounds.x2 {
            out.set_pixel(x, y, pixel(x, y, image.pixel(x, y)));
        }
    }
    Arc::new(out)
}
