//! Ink before white paper: light that dye lets through.

use crate::picture::absorption::Absorption;
use crate::picture::layers::Cells;
use crate::picture::maths::clamped;
use crate::sim::smoke::State;

/// Cells of ink, premultiplied. A density of 1 / opacity leaves 1/e of the brightest channel of its colour (Beer and
/// Lambert); the others lose more, by Kubelka and Munk. Over white the picture is the light that comes through.
pub struct Ink<'a> {
    state: &'a State,
    absorption: Absorption,
}

impl<'a> Ink<'a> {
    /// Ink of a state, of an optical depth per density.
    pub fn new(state: &'a State, opacity: f64) -> Self {
        Self { state, absorption: Absorption::new(1.0 / clamped(opacity, 1e-6, 1e6)) }
    }
}

impl Cells for Ink<'_> {
    #[inline(always)]
    fn row(&self, y: usize, from: usize, out: &mut [[f32; 4]]) {
        let first = y * self.state.grid.width + from;
        for (pixel, &[r, g, b, density]) in out.iter_mut().zip(&self.state.air.dye[first..]) {
            let density = density.max(0.0);
            let each = 1.0 / density.max(f32::MIN_POSITIVE);
            let colour = [r, g, b].map(
                #[inline(always)]
                |dye| (dye.max(0.0) * each).min(1.0),
            );
            let [r, g, b] = self.absorption.transmittance(colour, density);
            let least = r.min(g).min(b);
            *pixel = [r - least, g - least, b - least, 1.0 - least];
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::picture::smoke::testing::smoke;

    #[test]
    fn over_white_ink_is_the_light_that_a_colour_lets_through() {
        let densities = [0.0, 0.25, 0.5, 1.0, 4.0];
        let colour = [0.1, 0.3, 0.8];
        let state = smoke([densities.len(), 1], |x, _| {
            let [r, g, b] = colour.map(|part| part * densities[x]);
            ([r, g, b, densities[x]], 0.0)
        });
        let mut row = [[0.0; 4]; 5];
        Ink::new(&state, 2.0).row(0, 0, &mut row);
        assert_eq!(row[0], [0.0; 4], "clear water");
        let over = row.map(|[r, g, b, a]| [r, g, b].map(|part| part + 1.0 - a));
        for (&density, [r, g, b]) in densities.iter().zip(over) {
            let optical = 2.0 * density;
            assert!((b - (-optical).exp()).abs() < 1e-5, "the brightest channel by Beer and Lambert: {density} {b}");
            assert!(r <= g && g <= b, "{density}: {r} {g} {b}");
        }
        let light = |x: usize, channel: usize| over[x][channel];
        assert!((light(2, 1) - light(1, 1) * light(1, 1)).abs() < 1e-5, "two layers let the product through");
        assert!(over.is_sorted_by(|a, b| a[2] > b[2]), "dense ink still has its gradations: {over:?}");
    }
}
