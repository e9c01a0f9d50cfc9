//! Planes: the layers that an image has beside its colour, and their names in hosts.
//!
//! Two hosts have planes. The Foundry's are colour and motion, forward and backward; Natron has these and any others, of up
//! to four channels, whose name spells out the channels.

use std::borrow::Cow;
use std::ffi::CStr;

use super::{ffi::extra, format::Components};

/// A plane of a clip's images.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Plane {
    /// What every image has.
    Colour,
    /// Where a pixel's content is a frame later: two channels.
    ForwardMotion,
    /// Where it was a frame before: two channels.
    BackwardMotion,
    /// A plane of Natron's, by the name that spells out its channels; made by `layer!`.
    Layer(&'static CStr),
}

/// A [`Plane::Layer`] by its name and the names of its one to four channels: `layer!("velocity", "x", "y")`.
macro_rules! layer {
    ($name:literal, $($channel:literal),+) => {{
        const NAME: &[u8] = concat!("NatronOfxImageComponentsPlaneName_", $name, $("_Channel_", $channel,)+ "\0").as_bytes();
        $crate::ofx::Plane::Layer(match ::std::ffi::CStr::from_bytes_with_nul(NAME) {
            Ok(name) => name,
            Err(_) => panic!("a layer's name has no NUL in it"),
        })
    }};
}
pub(crate) use layer;

impl Plane {
    /// The name that hosts have for it.
    #[must_use]
    pub const fn as_cstr(self) -> &'static CStr {
        match self {
            Self::Colour => extra::kFnOfxImagePlaneColour,
            Self::ForwardMotion => extra::kFnOfxImagePlaneForwardMotionVector,
            Self::BackwardMotion => extra::kFnOfxImagePlaneBackwardMotionVector,
            Self::Layer(name) => name,
        }
    }

    /// Whether a host means this plane by a name. Of layers the name and the number of channels count: Natron adds labels.
    #[must_use]
    pub fn is_called(self, name: &str) -> bool {
        let own = self.as_cstr().to_str().unwrap_or_default();
        own == name || parts(own).zip(parts(name)).is_some_and(|(own, other)| own == other)
    }

    /// Its name in a sentence.
    #[must_use]
    pub fn title(self) -> Cow<'static, str> {
        match self {
            Self::Colour => Cow::Borrowed("colour"),
            Self::ForwardMotion => Cow::Borrowed("forward motion"),
            Self::BackwardMotion => Cow::Borrowed("backward motion"),
            Self::Layer(name) => self.layer().map_or_else(|| name.to_string_lossy(), |(layer, _)| Cow::Borrowed(layer)),
        }
    }

    /// A layer's name and its channels' names; `None` of colour and motion, which every program names in its own way.
    #[must_use]
    pub fn layer(self) -> Option<(&'static str, Vec<&'static str>)> {
        let Self::Layer(name) = self else { return None };
        let name = name.to_str().ok()?;
        let (layer, _) = parts(name)?;
        Some((layer, name.split(CHANNEL).skip(1).collect()))
    }
}

const LAYER: &str = "NatronOfxImageComponentsPlaneName_";
const CHANNEL: &str = "_Channel_";

/// Name and number of channels of a layer, from the name that spells them out.
fn parts(name: &str) -> Option<(&str, usize)> {
    let rest = name.strip_prefix(LAYER)?;
    let ends = ["_PlaneLabel_", "_ChannelsLabel_", CHANNEL].into_iter().filter_map(|mark| rest.find(mark));
    let channels = rest.matches(CHANNEL).count();
    Some((&rest[..ends.min()?], channels)).filter(|(_, channels)| (1..=4).contains(channels))
}

/// The components of an image from the host's name for them: in planes other than colour it is the plane that is named.
pub(super) fn components(name: &str) -> Option<Components> {
    let motion = name.as_bytes() == extra::kFnOfxImageComponentMotionVectors.to_bytes();
    Components::parse(name).or_else(|| match parts(name) {
        _ if motion => Some(Components::Xy),
        Some((_, 1)) => Some(Components::Alpha),
        Some((_, 2)) => Some(Components::Xy),
        Some((_, 3)) => Some(Components::Rgb),
        Some((_, 4)) => Some(Components::Rgba),
        _ => None,
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_parts_of_names_are_those_of_the_headers() {
        assert_eq!(LAYER.as_bytes(), extra::kNatronOfxImageComponentsPlaneName.to_bytes());
        assert_eq!(CHANNEL.as_bytes(), extra::kNatronOfxImageComponentsPlaneChannel.to_bytes());
        assert_eq!(b"_PlaneLabel_", extra::kNatronOfxImageComponentsPlaneLabel.to_bytes());
        assert_eq!(b"_ChannelsLabel_", extra::kNatronOfxImageComponentsPlaneChannelsLabel.to_bytes());
        let plane = layer!("velocity", "x", "y");
        assert_eq!(plane.as_cstr(), c"NatronOfxImageComponentsPlaneName_velocity_Channel_x_Channel_y");
        assert_eq!(plane.layer(), Some(("velocity", vec!["x", "y"])));
    }

    #[test]
    fn a_plane_is_known_by_its_name_and_the_number_of_its_channels() {
        let plane = layer!("velocity", "x", "y");
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
    fn components_of_planes_are_read_by_their_number() {
        assert_eq!(components("uk.co.thefoundry.OfxImageComponentMotionVectors"), Some(Components::Xy));
        assert_eq!(components("OfxImageComponentRGBA"), Some(Components::Rgba));
        let layer = |channels: &str| components(&format!("NatronOfxImageComponentsPlaneName_a_PlaneLabel_b{channels}"));
        assert_eq!(layer("_Channel_x"), Some(Components::Alpha));
        assert_eq!(layer("_Channel_x_Channel_y_Channel_z"), Some(Components::Rgb));
        assert_eq!([layer(""), layer(&"_Channel_x".repeat(5)), components("")], [None; 3]);
    }
}
