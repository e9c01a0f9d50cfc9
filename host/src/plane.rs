//! Planes: the layers of a node's pictures other than colour, and the names that hosts give them.

use flow_openfx::{self as ofx, plane};

use crate::names::PropertyName as _;
use crate::{Components, Error, Result};

/// A plane of a picture.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Plane {
    /// Name in files and commands; `colour` and the two motion planes are the host's own.
    pub name: String,
    /// Its channels, one to four.
    pub channels: Vec<String>,
    /// The OpenFX name.
    pub(crate) ofx: String,
}

/// The name of the colour plane, which every picture has.
pub(crate) const COLOUR: &str = "colour";

impl Plane {
    /// The colour plane.
    #[must_use]
    pub fn colour() -> Self {
        Self::known(COLOUR, &["R", "G", "B", "A"], plane::COLOUR.text())
    }

    /// Forward motion: displacement of a pixel's content to the next frame. The name is that of Nuke's files.
    #[must_use]
    pub fn forward() -> Self {
        Self::known("forward", &["u", "v"], plane::FORWARD_MOTION.text())
    }

    /// Backward motion: displacement of a pixel's content to the frame before. The name is that of Nuke's files.
    #[must_use]
    pub fn backward() -> Self {
        Self::known("backward", &["u", "v"], plane::BACKWARD_MOTION.text())
    }

    /// Any plane, by its name and channels, as Natron names it to plug-ins: with labels.
    #[must_use]
    pub fn named(name: &str, channels: &[&str]) -> Self {
        let listed: String = channels.iter().map(|channel| format!("{}{channel}", plane::CHANNEL)).collect();
        let labels = format!("{}{name}{}{}", plane::LABEL, plane::CHANNELS_LABEL, channels.concat());
        let ofx = format!("{}{name}{labels}{listed}", plane::NAME);
        Self::known(name, channels, &ofx)
    }

    fn known(name: &str, channels: &[&str], ofx: &str) -> Self {
        let channels = channels.iter().map(|channel| (*channel).to_owned()).collect();
        Self { name: name.into(), channels, ofx: ofx.into() }
    }

    /// The plane that a plug-in names; `None` for any other name.
    pub(crate) fn parse(ofx: &str) -> Option<Self> {
        let known = [Self::colour(), Self::forward(), Self::backward()].into_iter().find(|plane| plane.ofx == ofx);
        known.or_else(|| {
            let (name, channels) = plane::parse(ofx).filter(|(name, _)| !name.is_empty())?;
            Some(Self::named(name, &channels))
        })
    }

    /// Whether both are the same plane, by name and number of channels.
    pub(crate) fn is(&self, other: &Self) -> bool {
        self.name == other.name && self.channels.len() == other.channels.len()
    }

    /// Layout of the plane's pixels in memory.
    pub(crate) fn components(&self) -> Components {
        match self.channels.len() {
            1 => Components::Alpha,
            2 => Components::Xy,
            3 => Components::Rgb,
            _ => Components::Rgba,
        }
    }

    /// Components of the plane's image. Natron replaces two channels by the closest components, RGB, unless the output
    /// clip offers images of two channels.
    pub(crate) fn components_where(&self, two_channels: bool) -> Components {
        match self.components() {
            Components::Xy if !two_channels => Components::Rgb,
            components => components,
        }
    }

    /// The components that the plane's images declare: Natron's images carry the name of the plane instead.
    pub(crate) fn components_name(&self) -> &str {
        match self.name.as_str() {
            COLOUR => self.components().as_str(),
            _ if plane::parse(&self.ofx).is_some() => &self.ofx,
            _ => ofx::kFnOfxImageComponentMotionVectors.text(),
        }
    }

    /// The planes of `offered` that a comma-separated list names; all but colour for `all`.
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn plane_names_are_parsed_with_and_without_labels() {
        let plane = Plane::named("velocity", &["x", "y"]);
        let full =
            "NatronOfxImageComponentsPlaneName_velocity_PlaneLabel_velocity_ChannelsLabel_xy_Channel_x_Channel_y";
        assert_eq!(plane.ofx, full);
        assert_eq!(Plane::parse(full), Some(plane.clone()));
        assert_eq!(Plane::parse("NatronOfxImageComponentsPlaneName_velocity_Channel_x_Channel_y"), Some(plane));
        assert_eq!(Plane::parse(plane::FORWARD_MOTION.text()), Some(Plane::forward()));
        let five = format!("{}a{}", plane::NAME, "_Channel_x".repeat(5));
        for wrong in ["", "velocity", "NatronOfxImageComponentsPlaneName_velocity", five.as_str()] {
            assert_eq!(Plane::parse(wrong), None, "{wrong}");
        }
    }

    #[test]
    fn a_list_may_name_existing_planes_only() {
        let offered = [Plane::colour(), Plane::named("cross", &["R", "G", "B", "A"]), Plane::forward()];
        assert_eq!(Plane::chosen("all", &offered).expect("planes"), offered[1..]);
        assert_eq!(Plane::chosen("forward, cross", &offered).expect("planes").len(), 2);
        let error = Plane::chosen("cros", &offered).expect_err("none").to_string();
        assert!(error.contains("'cros'") && error.contains("cross, forward"), "{error}");
    }
}
