//! Shadows that the ground casts on itself.

use super::light::Light;
use super::shading::Shading;
use crate::picture::maths::{clamped, up_to};
use crate::sim::water::State;
use crate::sim::water::field::Field;

/// Samples of the ray to the light, at distances that grow by a factor.
const SAMPLES: usize = 24;
/// Distance of the farthest sample, heights of the frame.
const FARTHEST: f64 = 0.2;
/// Least angle of a half-shadow, degrees: that of the sun and the haze around it.
const HAZE: f64 = 3.0;

/// Shadows of a terrain in a distant light.
pub struct Shadows<'a> {
    terrain: &'a Field,
    /// Columns and rows.
    size: [usize; 2],
    ray: [Sample; SAMPLES],
    /// Slope of the direction towards the light.
    steep: f32,
    /// One over the slope over which light fades to shadow.
    fade: f32,
    /// Share of the direct light that a shadow takes.
    strength: f32,
}

/// A sample of the ray from a cell to the light.
#[derive(Clone, Copy, Default)]
struct Sample {
    /// Whole cells to the right and up.
    cells: [isize; 2],
    /// Weights of the four cells around it: lower left, lower right, upper left, upper right.
    weights: [f32; 4],
    /// Slope of a rise of one unit over its distance.
    rise: f32,
}

impl<'a> Shadows<'a> {
    /// Shadows of a state's terrain, where a height of 1 stands for `relief` cells; `None` where there are none.
    pub fn new(state: &'a State, relief: f64, light: &Light, shading: &Shading) -> Option<Self> {
        let strength = clamped(shading.terrain_shadow, 0.0, 1.0) as f32;
        let terrain = state.terrain()?;
        let [x, y, up] = light.towards.map(f64::from);
        let flat = x.hypot(y);
        if strength == 0.0 || relief == 0.0 || flat < 1e-3 {
            return None;
        }
        let farthest = (FARTHEST * state.frame().size[1]).max(2.0);
        let mut ray = [Sample::default(); SAMPLES];
        for (sample, k) in ray.iter_mut().zip(0..) {
            let distance = libm::pow(farthest, f64::from(k) / (SAMPLES - 1) as f64);
            let place = [x, y].map(|part| part / flat * distance);
            let [right, above] = place.map(|at| (at - libm::floor(at)) as f32);
            *sample = Sample {
                cells: place.map(|at| libm::floor(at) as isize),
                weights: [(1.0 - right) * (1.0 - above), right * (1.0 - above), (1.0 - right) * above, right * above],
                rise: (relief / state.units() / distance) as f32,
            };
        }
        let elevation = libm::atan2(up, flat);
        let half = ((clamped(shading.light_size, 0.0, 60.0) + HAZE) / 2.0).to_radians();
        let slope = |angle: f64| libm::tan(angle.clamp(-1.5, 1.5));
        Some(Self {
            terrain,
            size: [state.grid().width, state.grid().height],
            ray,
            steep: slope(elevation) as f32,
            fade: (1.0 / (slope(elevation + half) - slope(elevation - half)).max(1e-2)) as f32,
            strength,
        })
    }

    /// Multiplies values on some cells of a row by the share of the direct light that reaches the ground there.
    #[inline(always)]
    pub fn darken(&self, y: usize, from: usize, light: &mut [f32]) {
        let [width, height] = self.size;
        let own = &self.terrain.row(y + 1, 0)[from + 1..];
        for i in (0..light.len()).step_by(LINE) {
            let light = &mut light[i..];
            let count = light.len().min(LINE);
            let (light, own, from) = (&mut light[..count], &own[i..i + count], from + i);
            let mut horizon = [f32::MIN; LINE];
            for sample in &self.ray {
                let [right, up] = sample.cells;
                let Some(low) = y.checked_add_signed(up).filter(|row| row + 1 < height) else { break };
                let rows = [low, low + 1].map(|row| self.terrain.row(row + 1, 0));
                // Cells whose sample lies between two columns of the grid.
                let first = (-right - from as isize).clamp(0, count as isize) as usize;
                let last = (width as isize - 1 - right - from as isize).clamp(first as isize, count as isize) as usize;
                let Some(column) = (from + first).checked_add_signed(right) else { continue };
                let pairs = rows.map(|row| row[column + 1..].windows(2));
                let [a, b, c, d] = sample.weights;
                let cells = horizon[first..last].iter_mut().zip(&own[first..last]);
                let [below, above] = pairs;
                for (((horizon, &z), below), above) in cells.zip(below).zip(above) {
                    let rise = |neighbour: i32| neighbour.wrapping_sub(z) as f32;
                    let level = rise(below[0]) * a + rise(below[1]) * b + rise(above[0]) * c + rise(above[1]) * d;
                    *horizon = horizon.max(level * sample.rise);
                }
            }
            for (light, horizon) in light.iter_mut().zip(horizon) {
                let lit = up_to((self.steep - horizon) * self.fade + 0.5, 1.0);
                *light *= 1.0 - self.strength * (1.0 - lit * lit * (3.0 - 2.0 * lit));
            }
        }
    }
}

/// Cells that are shaded at a time.
const LINE: usize = 256;

#[cfg(test)]
mod tests {
    use super::*;
    use crate::compute::cpu::Cpu;
    use crate::picture::testing::{constants, still};
    use crate::sim::grid::Grid;
    use crate::sim::water::inputs::Inputs;
    use crate::sim::water::settings::Edges;
    use crate::sim::water::{Spec, start_frame};

    const SIZE: [usize; 2] = [320, 48];

    /// Dry ground with a wall in a column.
    fn walled(column: usize) -> State {
        let grid = Grid { width: SIZE[0], height: SIZE[1], origin: [0.0; 2], cells_per_pixel: 1.0 };
        let ground = |i: usize| if i % SIZE[0] == column { 1.0 } else { 0.0 };
        let terrain: Vec<[f32; 4]> = (0..SIZE[0] * SIZE[1]).map(|i| [ground(i), 0.0, 0.0, 1.0]).collect();
        let inputs = Inputs { terrain: Some(terrain.into()), ..Inputs::default() };
        let spec = Spec { grid, constants: constants(Edges::Closed) };
        let settings = crate::sim::water::settings::Settings { terrain_height: 1.0, ..still() };
        start_frame(&spec, &settings, &inputs, &Cpu::new(1)).0
    }

    /// The light on a row of cells beside a wall of a height in cells, lit from a direction at 45 degrees.
    fn lit(column: usize, direction: f64, tall: f64, shading: Shading) -> Vec<f32> {
        let state = walled(column);
        let shading = Shading { light_direction: direction, light_elevation: 45.0, light_size: 0.0, ..shading };
        let shadows = Shadows::new(&state, tall, &Light::new(&shading), &shading).expect("shadows");
        let mut light = vec![1.0; SIZE[0]];
        shadows.darken(24, 0, &mut light);
        light
    }

    #[test]
    fn a_shadow_is_as_long_as_its_wall_is_tall_and_lies_behind_it() {
        let light = lit(260, 180.0, 8.0, Shading::default());
        for (x, &light) in light.iter().enumerate() {
            match x as i32 - 260 {
                2..=6 => assert!(light < 0.3, "{x}: {light}"),
                ..0 | 12.. => assert!(light > 0.98, "{x}: {light}"),
                _ => {}
            }
        }
        let other = lit(260, 0.0, 8.0, Shading::default());
        assert!(other[255] < 0.3 && other[265] > 0.98);
    }

    #[test]
    fn strength_is_the_share_of_the_light_that_a_shadow_takes() {
        let light = lit(40, 180.0, 8.0, Shading { terrain_shadow: 0.5, ..Shading::default() });
        assert!((light[44] - 0.5).abs() < 0.1, "{}", light[44]);
        let state = walled(40);
        let none = Shading { terrain_shadow: 0.0, ..Shading::default() };
        assert!(Shadows::new(&state, 8.0, &Light::new(&none), &none).is_none());
    }
}
