//! The channels of a picture.

use crate::sim::fingerprint::fingerprinted;

fingerprinted! {
    /// A channel of a picture.
    #[derive(Clone, Copy, Debug, PartialEq, Eq)]
    pub enum Channel {
        /// Alpha.
        Alpha,
        /// Rec. 709 luminance of the linear RGB.
        Luminance,
        /// Red.
        Red,
        /// Green.
        Green,
        /// Blue.
        Blue,
    }
}

impl Channel {
    /// All channels, alpha first.
    pub const ALL: [Channel; 5] = [Channel::Alpha, Channel::Luminance, Channel::Red, Channel::Green, Channel::Blue];

    /// The channel at an index of `list`; the first one where the index is out of range.
    pub fn from_index(list: [Channel; 5], number: i32) -> Self {
        usize::try_from(number).ok().and_then(|number| list.get(number)).copied().unwrap_or(list[0])
    }

    /// The value of the channel in a pixel.
    pub fn value_in(self, pixel: &[f32; 4]) -> f64 {
        let [r, g, b, a] = pixel.map(f64::from);
        match self {
            Channel::Alpha => a,
            Channel::Luminance => 0.2126 * r + 0.7152 * g + 0.0722 * b,
            Channel::Red => r,
            Channel::Green => g,
            Channel::Blue => b,
        }
    }

    /// The channel, or luminance in place of an alpha that the picture does not have.
    pub fn or_luminance(self, has_alpha: bool) -> Self {
        if self == Channel::Alpha && !has_alpha { Channel::Luminance } else { self }
    }
}
