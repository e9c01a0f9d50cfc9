//! Names of planes, the layers of an image other than colour.
//!
//! The Foundry names three planes: colour, forward motion, backward motion. Natron names any plane of one to four
//! channels: the plane, optional labels of the plane and of its channels, and the channels. Planes of one name and one
//! number of channels are the same plane.

use std::ffi::CStr;

/// The plane that every image has.
pub const COLOUR: &CStr = c"uk.co.thefoundry.OfxImagePlaneColour";
/// Motion vectors to the next frame.
pub const FORWARD_MOTION: &CStr = c"uk.co.thefoundry.OfxImagePlaneForwardMotionVector";
/// Motion vectors to the previous frame.
pub const BACKWARD_MOTION: &CStr = c"uk.co.thefoundry.OfxImagePlaneBackMotionVector";

/// Prefix of Natron's name of a plane (`kNatronOfxImageComponentsPlaneName`).
pub const NAME: &str = "NatronOfxImageComponentsPlaneName_";
/// Precedes the label of the plane (`kNatronOfxImageComponentsPlaneLabel`).
pub const LABEL: &str = "_PlaneLabel_";
/// Precedes the label of the channels (`kNatronOfxImageComponentsPlaneChannelsLabel`).
pub const CHANNELS_LABEL: &str = "_ChannelsLabel_";
/// Precedes each channel (`kNatronOfxImageComponentsPlaneChannel`).
pub const CHANNEL: &str = "_Channel_";

/// Natron's name of a plane without labels, as a C string constant: `plane_name!("velocity", "x", "y")`.
#[macro_export]
macro_rules! plane_name {
    ($plane:literal, $($channel:literal),+) => {
        const {
            $crate::name(
                concat!("NatronOfxImageComponentsPlaneName_", $plane, $("_Channel_", $channel,)+ "\0").as_bytes()
            )
        }
    };
}

/// The plane and its channels from Natron's name; `None` for any other name, and for more than four
/// channels.
#[must_use]
pub fn parse(name: &str) -> Option<(&str, Vec<&str>)> {
    let (head, channels) = name.strip_prefix(NAME)?.split_once(CHANNEL)?;
    let plane = head.split(CHANNELS_LABEL).next()?.split(LABEL).next()?;
    let channels: Vec<&str> = channels.split(CHANNEL).collect();
    (channels.len() <= 4).then_some((plane, channels))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_are_parsed_with_and_without_labels() {
        let name = plane_name!("velocity", "x", "y").to_str().expect("ASCII");
        assert_eq!(name, format!("{NAME}velocity{CHANNEL}x{CHANNEL}y"));
        let labelled = format!("{NAME}velocity{LABEL}velocity{CHANNELS_LABEL}xy{CHANNEL}x{CHANNEL}y");
        for name in [name, &labelled] {
            assert_eq!(parse(name), Some(("velocity", vec!["x", "y"])));
        }
        let five = format!("{NAME}a{}", "_Channel_x".repeat(5));
        for other in ["", "velocity", &format!("{NAME}velocity"), &five] {
            assert_eq!(parse(other), None, "{other}");
        }
    }
}
