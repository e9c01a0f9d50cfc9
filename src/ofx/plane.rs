//! Planes: the layers of an image other than colour, by the names of the hosts (`flow_openfx::plane`).

use std::borrow::Cow;
use std::ffi::CStr;

use flow_openfx::{self as sys, plane};

use super::Components;

/// A plane of a clip's images.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Plane {
    /// Colour, the plane that every image has.
    Colour,
    /// Motion vectors to the next frame: two channels.
    ForwardMotion,
    /// Motion vectors to the previous frame: two channels.
    BackwardMotion,
    /// A plane of Natron, by a name that lists its channels; see `layer!`.
    Layer(&'static CStr),
}

/// A [`Plane::Layer`] by its name and the names of its one to four channels: `layer!("velocity", "x", "y")`.
macro_rules! layer {
    ($name:literal, $($channel:literal),+) => {
        $crate::ofx::Plane::Layer(::flow_openfx::plane_name!($name, $($channel),+))
    };
}
pub(crate) use layer;

impl Plane {
    /// The name in hosts.
    #[must_use]
    pub const fn as_cstr(self) -> &'static CStr {
        match self {
            Self::Colour => plane::COLOUR,
            Self::ForwardMotion => plane::FORWARD_MOTION,
            Self::BackwardMotion => plane::BACKWARD_MOTION,
            Self::Layer(name) => name,
        }
    }

    /// Whether a host's name denotes this plane. Layers are compared by name and number of channels, because Natron
    /// adds labels.
    #[must_use]
    pub fn is_called(self, name: &str) -> bool {
        let own = self.as_cstr().to_str().unwrap_or_default();
        let channels = |name| plane::parse(name).map(|(layer, channels)| (layer, channels.len()));
        own == name || channels(own).is_some_and(|own| channels(name) == Some(own))
    }

    /// The name in a sentence.
    #[must_use]
    pub fn title(self) -> Cow<'static, str> {
        match self {
            Self::Colour => Cow::Borrowed("colour"),
            Self::ForwardMotion => Cow::Borrowed("forward motion"),
            Self::BackwardMotion => Cow::Borrowed("backward motion"),
            Self::Layer(name) => self.layer().map_or_else(|| name.to_string_lossy(), |(layer, _)| Cow::Borrowed(layer)),
        }
    }

    /// The names of a layer and of its channels; `None` for colour and motion, whose names differ between programs.
    #[must_use]
    pub fn layer(self) -> Option<(&'static str, Vec<&'static str>)> {
        let Self::Layer(name) = self else { return None };
        plane::parse(name.to_str().ok()?)
    }
}

/// The components of an image from the host's name. For planes other than colour, hosts give the name of the plane
/// instead.
pub(super) fn components(name: &str) -> Option<Components> {
    if name.as_bytes() == sys::kFnOfxImageComponentMotionVectors.to_bytes() {
        return Some(Components::Xy);
    }
    Components::parse(name).or_else(|| {
        let (_, channels) = plane::parse(name)?;
        Components::ALL.into_iter().find(|components| components.count() == channels.len())
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_plane_is_identified_by_its_name_and_channel_count() {
        let plane = layer!("velocity", "x", "y");
        assert_eq!(plane.layer(), Some(("velocity", vec!["x", "y"])));
        let named = |rest: &str| plane.is_called(&format!("NatronOfxImageComponentsPlaneName_velocity{rest}"));
        assert!(named("_Channel_x_Channel_y") && named("_Channel_u_Channel_v"));
        assert!(named("_PlaneLabel_velocity_ChannelsLabel_xy_Channel_x_Channel_y"));
        assert!(named("_ChannelsLabel_xy_Channel_x_Channel_y"));
        for other in ["", "_Channel_x", "_Channel_x_Channel_y_Channel_z", "2_Channel_x_Channel_y", "_PlaneLabel_v"] {
            assert!(!named(other), "{other}");
        }
        assert!(!plane.is_called("uk.co.thefoundry.OfxImagePlaneColour") && !plane.is_called("velocity"));
        assert!(Plane::ForwardMotion.is_called("uk.co.thefoundry.OfxImagePlaneForwardMotionVector"));
        assert!(!Plane::ForwardMotion.is_called("uk.co.thefoundry.OfxImagePlaneBackMotionVector"));
    }

    #[test]
    fn plane_components_are_parsed_by_their_channel_count() {
        assert_eq!(components("uk.co.thefoundry.OfxImageComponentMotionVectors"), Some(Components::Xy));
        assert_eq!(components("OfxImageComponentRGBA"), Some(Components::Rgba));
        let layer = |channels: &str| components(&format!("NatronOfxImageComponentsPlaneName_a_PlaneLabel_b{channels}"));
        assert_eq!(layer("_Channel_x"), Some(Components::Alpha));
        assert_eq!(layer("_Channel_x_Channel_y_Channel_z"), Some(Components::Rgb));
        assert_eq!([layer(""), layer(&"_Channel_x".repeat(5)), components("")], [None; 3]);
    }
}
