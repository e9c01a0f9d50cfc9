//! Planes: the layers that a node's pictures have beside their colour, and the names that hosts give them.

use crate::{Components, Error, Result, names};

/// A plane of a picture.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Plane {
    /// Its name in files and commands; `colour` and the two of motion are the host's own.
    pub name: String,
    /// Its channels, one to four.
    pub channels: Vec<String>,
    /// How host and plug-in name it.
    pub(crate) ofx: String,
}

/// The name of the plane that every picture has.
pub(crate) const COLOUR: &str = "colour";

impl Plane {
    /// The plane that every picture has.
    #[must_use]
    pub fn colour() -> Self {
        Self::known(COLOUR, &["R", "G", "B", "A"], names::PLANE_COLOUR)
    }

    /// Where a pixel's content is a frame later. Named as Nuke names it in files.
    #[must_use]
    pub fn forward() -> Self {
        Self::known("forward", &["u", "v"], names::PLANE_FORWARD)
    }

    /// Where a pixel's content was a frame before. Named as Nuke names it in files.
    #[must_use]
    pub fn backward() -> Self {
        Self::known("backward", &["u", "v"], names::PLANE_BACKWARD)
    }

    /// Any plane, by its name and channels, as Natron names it to plug-ins: with labels.
    #[must_use]
    pub fn named(name: &str, channels: &[&str]) -> Self {
        let listed: String = channels.iter().map(|channel| format!("{CHANNEL}{channel}")).collect();
        let ofx = format!("{LAYER}{name}{LABEL}{name}{CHANNELS_LABEL}{}{listed}", channels.concat());
        Self::known(name, channels, &ofx)
    }

    fn known(name: &str, channels: &[&str], ofx: &str) -> Self {
        let channels = channels.iter().map(|channel| (*channel).to_owned()).collect();
        Self { name: name.into(), channels, ofx: ofx.into() }
    }

    /// The plane that a plug-in names; `None` for a name that means none, or one of no or more than four channels.
    pub(crate) fn parse(ofx: &str) -> Option<Self> {
        match ofx {
            names::PLANE_COLOUR => return Some(Self::colour()),
            names::PLANE_FORWARD => return Some(Self::forward()),
            names::PLANE_BACKWARD => return Some(Self::backward()),
            _ => {}
        }
        let rest = ofx.strip_prefix(LAYER)?;
        let (head, channels) = rest.split_once(CHANNEL)?;
        let name = head.split(CHANNELS_LABEL).next()?.split(LABEL).next()?;
        let channels: Vec<&str> = channels.split(CHANNEL).collect();
        (!name.is_empty() && channels.len() <= 4).then(|| Self::named(name, &channels))
    }

    /// Whether both are one plane: by name and number of channels.
    pub(crate) fn is(&self, other: &Self) -> bool {
        self.name == other.name && self.channels.len() == other.channels.len()
    }

    /// How its pixels lie in memory.
    pub(crate) fn components(&self) -> Components {
        match self.channels.len() {
            1 => Components::Alpha,
            2 => Components::Xy,
            3 => Components::Rgb,
            _ => Components::Rgba,
        }
    }

    /// Components of the plane's image. Natron replaces two channels by the closest components, RGB, unless the output clip
    /// offers images of two channels.
    pub(crate) fn components_where(&self, two_channels: bool) -> Components {
        match self.components() {
            Components::Xy if !two_channels => Components::Rgb,
            components => components,
        }
    }

    /// What its images say of their components.
    pub(crate) fn components_name(&self) -> &str {
        match self.ofx.as_str() {
            names::PLANE_COLOUR => self.components().ofx_name(),
            names::PLANE_FORWARD | names::PLANE_BACKWARD => names::MOTION_COMPONENTS,
            own => own,
        }
    }

    /// Those of `offered` that a comma-separated list names; all but colour for `all`.
    pub(crate) fn chosen(list: &str, offered: &[Self]) -> Result<Vec<Self>> {
        let layers = || offered.iter().filter(|plane| plane.name != COLOUR);
        if list == "all" {
            return Ok(layers().cloned().collect());
        }
        let find = |name: &str| {
            layers().find(|plane| plane.name == name).cloned().ok_or_else(|| {
                let there = crate::error::listing(layers().map(|plane| &plane.name));
                Error::usage(format!("there is no plane '{name}'; there are {there}"))
            })
        };
        list.split(',').map(|name| find(name.trim())).collect()
    }
}

const LAYER: &str = "NatronOfxImageComponentsPlaneName_";
const LABEL: &str = "_PlaneLabel_";
const CHANNELS_LABEL: &str = "_ChannelsLabel_";
const CHANNEL: &str = "_Channel_";

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_are_taken_apart_with_and_without_labels() {
        let plane = Plane::named("velocity", &["x", "y"]);
        let full =
            "NatronOfxImageComponentsPlaneName_velocity_PlaneLabel_velocity_ChannelsLabel_xy_Channel_x_Channel_y";
        assert_eq!(plane.ofx, full);
        assert_eq!(Plane::parse(full), Some(plane.clone()));
        assert_eq!(Plane::parse("NatronOfxImageComponentsPlaneName_velocity_Channel_x_Channel_y"), Some(plane));
        assert_eq!(Plane::parse(names::PLANE_FORWARD), Some(Plane::forward()));
        let five = format!("{LAYER}a{}", "_Channel_x".repeat(5));
        for wrong in ["", "velocity", "NatronOfxImageComponentsPlaneName_velocity", five.as_str()] {
            assert_eq!(Plane::parse(wrong), None, "{wrong}");
        }
    }

    #[test]
    fn a_list_names_planes_that_there_are() {
        let offered = [Plane::colour(), Plane::named("cross", &["R", "G", "B", "A"]), Plane::forward()];
        assert_eq!(Plane::chosen("all", &offered).expect("planes"), offered[1..]);
        assert_eq!(Plane::chosen("forward, cross", &offered).expect("planes").len(), 2);
        let error = Plane::chosen("cros", &offered).expect_err("none").to_string();
        assert!(error.contains("'cros'") && error.contains("cross, forward"), "{error}");
    }
}
