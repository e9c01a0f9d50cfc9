//! Transmittance of coloured media.

use super::maths::decay;

/// Least colour that absorption is worked out for.
const DARKEST: f32 = 0.02;

/// Loss of light on its way through a coloured medium.
///
/// After Kubelka and Munk, an endlessly deep medium of scattering S and absorption K has the colour c where
/// K / S = (1 − c)² / 2c, and e^(−(S + K)·depth) of the light goes through. The brightest channel sets S.
#[derive(Clone, Copy)]
pub struct Absorption {
    /// Extinction of the brightest channel, per depth of 1.
    extinction: f32,
}

impl Absorption {
    /// A medium of which a depth of `clarity`, above 0, leaves 1/e of the brightest channel.
    pub fn new(clarity: f64) -> Self {
        Self { extinction: (1.0 / clarity) as f32 }
    }

    /// Shares of light that go through a depth of a medium of a colour (0 to 1).
    #[inline(always)]
    pub fn transmittance(self, colour: [f32; 3], depth: f32) -> [f32; 3] {
        let lost = colour.map(
            #[inline(always)]
            |c| {
                let c = c.max(DARKEST);
                1.0 + (1.0 - c) * (1.0 - c) / (2.0 * c)
            },
        );
        let scale = self.extinction * depth / lost[0].min(lost[1]).min(lost[2]);
        lost.map(
            #[inline(always)]
            |lost| decay(scale * lost),
        )
    }
}
