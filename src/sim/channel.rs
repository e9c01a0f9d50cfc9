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
    /// All of them, alpha first.
    pub const ALL: [Channel; 5] = [Channel::Alpha, Channel::Luminance, Channel::Red, Channel::Green, Channel::Blue];

    /// The one with a number in a list; the list's first where there is none.
    pub fn from_index(list: [Channel; 5], number: i32) -> Self {
        usize::try_from(number).ok().and_then(|number| list.get(number)).copied().unwrap_or(list[0])
    }

    /// Its value in a pixel.
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

    /// Itself; the luminance for an alpha that a picture does not have.
    pub fn or_luminance(self, has_alpha: bool) -> Self {
        if self == Channel::Alpha && !has_alpha { Channel::Luminance } else { self }
    }
}
