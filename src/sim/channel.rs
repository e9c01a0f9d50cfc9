//! Channels of pictures.

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

impl Channel {
    /// Its value in a pixel.
    pub fn of(self, pixel: &[f32; 4]) -> f64 {
        let [r, g, b, a] = pixel.map(f64::from);
        match self {
            Channel::Alpha => a,
            Channel::Luminance => 0.2126 * r + 0.7152 * g + 0.0722 * b,
            Channel::Red => r,
            Channel::Green => g,
            Channel::Blue => b,
        }
    }

    /// Itself; the luminance for an alpha that a picture does not have.
    pub fn there(self, has_alpha: bool) -> Self {
        if self == Channel::Alpha && !has_alpha { Channel::Luminance } else { self }
    }
}
