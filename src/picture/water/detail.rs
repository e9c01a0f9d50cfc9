//! Textures that the water carries: fine waves, and holes in the foam.
//!
//! The state carries the displacement of a texture in three phases, each of which begins anew from time to time. A
//! texture is drawn once per phase and the three are averaged with weights that are 0 where a phase begins and ends, and
//! small where the flow has deformed it (Neyret 2003); the sum is scaled to the variance of one, so that it neither fades
//! nor pulses (Heitz and Neyret 2018).

use super::shading::Shading;
use super::surface::CHUNK;
use super::textures::{FOAM, SIZE, WAVES};
use super::tile::Level;
use crate::picture::maths::{clamped, up_to};
use crate::sim::water::State;
use crate::sim::water::texture::{PERIOD, TexturePhase};

/// Texels of the textures over the height of the frame, at a size of 1.
const TEXELS: f32 = 1080.0;

/// Speed, full-resolution pixels per frame of a frame of 1080, at which fine waves have half of their strength.
const RAPID: f32 = 6.0;

/// Cosines and sines of 0, 37 and −53 degrees.
const TURNS: [[f32; 2]; 3] = [[1.0, 0.0], [0.798_635_5, 0.601_815], [0.601_815, -0.798_635_5]];

/// Deformation of a texture, displacement per distance, at which its weight is halved.
const DEFORMED: f32 = 0.6;

/// Range of foam from the first to the last covered point of the texture's neighbourhood.
const SOFT: f32 = 0.75;

/// Cover of the water between the foam, per share of foam.
const MILKY: f32 = 0.16;

/// Texels of the foam's fine texture per texel of its coarse one.
const FINER: f32 = 2.7;
/// Weights of the coarse and the fine texture: of squares that sum to 1, so that the variance is that of one.
const COARSE_FINE: [f32; 2] = [0.86, 0.51];

/// Textures carried by the water of a state.
pub struct Carried<'a> {
    state: &'a State,
    phases: Vec<Phase>,
    waves: Level<'static, 2>,
    /// The foam's texture at its coarse and its fine scale.
    foam: [Level<'static, 1>; 2],
    texels_per_cell: f32,
    texels_per_pixel: f32,
    /// Slope of the fine waves at full strength.
    strength: f32,
    /// Frames of a frame's height of 1080 per pixel and frame.
    pace: f32,
}

/// A phase of the textures.
struct Phase {
    index: usize,
    weight: f32,
    /// Frames since it began, at least a half.
    age: f32,
    /// Texels between its texture and that of another cycle.
    shift: [f32; 2],
    /// Cosine and sine of the angle by which its texture is turned, so that the mean of the three does not repeat.
    turn: [f32; 2],
}

impl<'a> Carried<'a> {
    /// The textures of a state; `None` where it carries none.
    pub fn new(state: &'a State, shading: &Shading) -> Option<Self> {
        let phases = state.texture_phases()?;
        let phases: Vec<Phase> = phases
            .phases
            .into_iter()
            .enumerate()
            .map(|(index, TexturePhase { life, cycle })| Phase {
                index,
                weight: 1.0 - (2.0 * life as f32 - 1.0_f32).abs(),
                age: ((life * PERIOD) as f32).max(0.5),
                // Steps that share no divisor with the texture's size.
                shift: [(cycle as usize * 197 + index * 61) % SIZE, (cycle as usize * 331 + index * 173) % SIZE]
                    .map(|shift| shift as f32),
                turn: TURNS[index % TURNS.len()],
            })
            .collect();
        let grid = state.grid();
        let size = clamped(shading.detail_size, 0.01, 100.0) as f32;
        let height = state.frame().size[1] as f32;
        let texels_per_cell = TEXELS / (height * size);
        Some(Self {
            state,
            phases,
            waves: WAVES.level(texels_per_cell),
            foam: [1.0, FINER].map(|finer| FOAM.level(texels_per_cell * finer)),
            texels_per_cell,
            texels_per_pixel: texels_per_cell * grid.cells_per_pixel as f32,
            strength: clamped(shading.detail_strength, 0.0, 100.0) as f32,
            pace: TEXELS * grid.cells_per_pixel as f32 / height,
        })
    }

    /// Adds the slopes of the fine waves to those of some cells of a row.
    #[inline(always)]
    pub fn roughen(&self, y: usize, from: usize, count: usize, [along, up]: [&mut [f32; CHUNK]; 2]) {
        if self.strength == 0.0 {
            return;
        }
        let mut sums = [[0.0_f32; 4]; CHUNK];
        let scales = self.each(y, from, &mut sums[..count], |phase, weight, sum, place, [dx, dy]| {
            let [across, along] = self.waves.at(place[0], place[1]);
            let [cos, sin] = phase.turn;
            let (sx, sy) = (across * cos + along * sin, along * cos - across * sin);
            let speed = (dx * dx + dy * dy).sqrt() * self.pace / phase.age;
            for (sum, value) in sum.iter_mut().zip([sx, sy, speed, 1.0]) {
                *sum += value * weight;
            }
        });
        for (((sum, scale), along), up) in sums[..count].iter().zip(scales).zip(along).zip(up) {
            let speed = sum[2] / sum[3].max(1e-3);
            let strength = self.strength * scale * speed / (speed + RAPID);
            *along += sum[0] * strength;
            *up += sum[1] * strength;
        }
    }

    /// Breaks the shares of foam on some cells of a row up into covered and open water.
    #[inline(always)]
    pub fn break_up(&self, y: usize, from: usize, foam: &mut [f32]) {
        let mut sums = [0.0_f32; CHUNK];
        let sums = &mut sums[..foam.len()];
        let [coarse, fine] = self.foam;
        let scales = self.each(y, from, sums, |_, weight, sum, [u, v], _| {
            let ([large], [small]) = (coarse.at(u, v), fine.at(u * FINER, v * FINER));
            *sum += ((large - 0.5) * COARSE_FINE[0] + (small - 0.5) * COARSE_FINE[1]) * weight;
        });
        for ((foam, sum), scale) in foam.iter_mut().zip(sums).zip(scales) {
            let rank = up_to(0.5 + *sum * scale, 1.0);
            let share = up_to((*foam * (1.0 + SOFT) - rank) * (1.0 / SOFT), 1.0);
            let lace = share * share * (3.0 - 2.0 * share) * (0.55 + 0.45 * *foam);
            // Air below the surface makes the water milky between the lace.
            *foam = lace.max(MILKY * *foam * *foam);
        }
    }

    /// Calls `take(phase, weight, sum, place in texels, displacement in pixels)` for each phase and each cell of a row;
    /// returns one over the length of each cell's weights as a vector.
    #[inline(always)]
    fn each<S>(
        &self,
        y: usize,
        from: usize,
        sums: &mut [S],
        take: impl Fn(&Phase, f32, &mut S, [f32; 2], [f32; 2]),
    ) -> [f32; CHUNK] {
        let count = sums.len();
        let mut squares = [1e-6_f32; CHUNK];
        let grid = self.state.grid();
        // The row and the column beside a cell, or those before it at the end.
        let beside = if y + 1 < grid.height { y + 1 } else { y.saturating_sub(1) };
        let more = usize::from(from + count < grid.width);
        let per_pixel = grid.cells_per_pixel as f32;
        let [mut carried, mut above] = [[[0.0; 2]; CHUNK + 1]; 2];
        for phase in &self.phases {
            self.state.texture_cells(phase.index, y, from, &mut carried[..count + more]);
            self.state.texture_cells(phase.index, beside, from, &mut above[..count]);
            for (i, sum) in sums.iter_mut().enumerate() {
                let [dx, dy] = carried[i];
                let next = carried[if i + 1 < count + more { i + 1 } else { i.saturating_sub(1) }];
                let parts = [next[0] - dx, next[1] - dy, above[i][0] - dx, above[i][1] - dy];
                let deformed = parts.iter().map(|part| part * part).sum::<f32>() * per_pixel * per_pixel;
                let weight = phase.weight / (1.0 + deformed * (1.0 / (DEFORMED * DEFORMED)));
                squares[i] += weight * weight;
                let u = ((from + i) as f32 + 0.5) * self.texels_per_cell - dx * self.texels_per_pixel;
                let v = (y as f32 + 0.5) * self.texels_per_cell - dy * self.texels_per_pixel;
                let [cos, sin] = phase.turn;
                let place = [u * cos - v * sin + phase.shift[0], u * sin + v * cos + phase.shift[1]];
                take(phase, weight, sum, place, [dx, dy]);
            }
        }
        squares.map(|square| 1.0 / square.sqrt())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::compute::cpu::Cpu;
    use crate::picture::testing::{constants, still};
    use crate::sim::grid::Grid;
    use crate::sim::water::inputs::Inputs;
    use crate::sim::water::settings::{Edges, Settings};
    use crate::sim::water::{Spec, next_frame, start_frame};

    const SIZE: [usize; 2] = [256, 144];

    /// A pond that carries a texture, for so many frames.
    fn pond(frames: usize) -> State {
        let grid = Grid { width: SIZE[0], height: SIZE[1], origin: [0.0; 2], cells_per_pixel: 1.0 };
        let spec = Spec { grid, constants: constants(Edges::Closed) };
        let settings = Settings { water_level: 0.5, texture: true, ..still() };
        let (inputs, cpu) = (Inputs::default(), Cpu::new(1));
        let mut state = start_frame(&spec, &settings, &inputs, &cpu).0;
        for _ in 0..frames {
            state = next_frame(&spec, &state, &settings, &inputs, &cpu, &mut || true).expect("never interrupted").0;
        }
        state
    }

    /// Foam of one share everywhere, broken up: one value per cell.
    fn broken_up(state: &State, share: f32) -> Vec<f32> {
        let carried = Carried::new(state, &Shading::default()).expect("a texture");
        let mut cells = vec![share; SIZE[0] * SIZE[1]];
        for (y, row) in cells.chunks_mut(SIZE[0]).enumerate() {
            carried.break_up(y, 0, row);
        }
        cells
    }

    fn mean(values: &[f32]) -> f32 {
        values.iter().sum::<f32>() / values.len() as f32
    }

    #[test]
    fn foam_covers_more_with_its_share_from_nothing_to_everything() {
        let state = pond(5);
        let covers = [0.0, 0.2, 0.4, 0.6, 0.8, 1.0].map(|share| mean(&broken_up(&state, share)));
        assert_eq!((covers[0], covers[5]), (0.0, 1.0));
        assert!(covers.windows(2).all(|pair| pair[1] > pair[0] + 0.02), "{covers:?}");
        let half = broken_up(&state, 0.5);
        let open = half.iter().filter(|cover| **cover < 0.2).count() as f32 / half.len() as f32;
        assert!((0.18..0.7).contains(&open), "{open} of the surface is open between the foam");
    }

    #[test]
    fn the_texture_neither_fades_nor_pulses() {
        for frames in [0, 3, 6, 11, 16, 21, 27, 31] {
            let cover = broken_up(&pond(frames), 0.5);
            let mean = mean(&cover);
            let variance = cover.iter().map(|value| (value - mean) * (value - mean)).sum::<f32>() / cover.len() as f32;
            assert!((0.3..0.5).contains(&mean) && (0.05..0.16).contains(&variance), "{frames}: {mean}, {variance}");
        }
    }

    #[test]
    fn water_without_texture_coordinates_has_no_detail_and_still_water_no_fine_waves() {
        let grid = Grid { width: 8, height: 8, origin: [0.0; 2], cells_per_pixel: 1.0 };
        let spec = Spec { grid, constants: constants(Edges::Closed) };
        let plain = start_frame(&spec, &still(), &Inputs::default(), &Cpu::new(1)).0;
        assert!(Carried::new(&plain, &Shading::default()).is_none());
        let (state, shading) = (pond(2), Shading { detail_strength: 1.0, ..Shading::default() });
        let (mut along, mut up) = ([0.25; CHUNK], [-0.5; CHUNK]);
        Carried::new(&state, &shading).expect("a texture").roughen(3, 0, CHUNK, [&mut along, &mut up]);
        assert!(along.iter().all(|slope| *slope == 0.25) && up.iter().all(|slope| *slope == -0.5));
    }
}
