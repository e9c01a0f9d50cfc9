//! The light of sprites that add light on those that cover.
//!
//! A diffuse sphere in the fluence E / r² of a light, with the light's radiance times area E and the distance r, has the
//! mean radiance ρ·E / (4π·r²), with its reflectance ρ. The lights are shared among the nodes of a lattice around them,
//! the light is summed at the nodes around sprites that cover, and is linear between them: it has no jumps in time, and
//! is softened over a cell.

use super::look::Look;
use super::sprites::Sprites;
use super::{PIECE, joined};
use crate::compute::cpu::Cpu;
use crate::compute::cpu::wide::{Wide, wide};
use crate::picture::light_clusters::{LightCluster, radius2};
use crate::picture::maths::clamped;
use crate::sim::particles::Particle;
use crate::sim::request;

/// Cells of the lattice in the height of a frame.
const CELLS: f64 = 20.0;

/// Heights of a frame from the middle of the frame to the border of the lattice.
const REACH: f64 = 2.0;

/// Largest number of pairs of a node with light and a lit one; with more of them cells are twice as long.
const PAIRS: usize = 1 << 27;

/// Nodes that are lit together.
const LANES: usize = 16;

/// Sprites that add light as lights of a size `side`, on the threads of `cpu`.
pub fn lights(cpu: &Cpu, sprites: &Sprites<'_>, particles: &[Particle], side: f32) -> Vec<LightCluster> {
    let lights = cpu.each(particles.chunks(PIECE).collect(), |piece: &[Particle]| {
        let of = |particle: &Particle| {
            let light = sprites.light(particle)?;
            Some(LightCluster { position: particle.position, light, radius2: radius2(side) })
        };
        piece.iter().filter_map(of).collect::<Vec<_>>()
    });
    joined(lights)
}

/// The lattice of the light: nodes at equal distances around those of the sprites.
struct Lattice {
    /// Middle of the frame.
    middle: [f64; 3],
    spacing: f64,
    /// First node, from the middle.
    first: [i32; 3],
    /// Nodes along each axis.
    nodes: [usize; 3],
}

impl Lattice {
    /// A lattice whose cells hold all positions within reach.
    fn new(middle: [f64; 3], spacing: f64, positions: impl Iterator<Item = [f32; 3]>) -> Self {
        let all = Self { middle, spacing, first: [0; 3], nodes: [1; 3] };
        let (mut first, mut last) = ([i32::MAX; 3], [i32::MIN; 3]);
        for position in positions {
            let low = all.place(position).map(|place| libm::floor(place) as i32);
            for axis in 0..3 {
                first[axis] = first[axis].min(low[axis]);
                last[axis] = last[axis].max(low[axis] + 1);
            }
        }
        let nodes = [0, 1, 2].map(|axis| usize::try_from(last[axis].saturating_sub(first[axis])).unwrap_or(0) + 1);
        Self { first, nodes, ..all }
    }

    /// A position in cells from the middle.
    fn place(&self, position: [f32; 3]) -> [f64; 3] {
        let reach = REACH * CELLS;
        [0, 1, 2].map(|axis| {
            let place = (f64::from(position[axis]) - self.middle[axis]) / self.spacing;
            if place.is_nan() { 0.0 } else { place.clamp(-reach, reach) }
        })
    }

    /// Number of the first node of the cell of a position.
    fn cell(&self, position: [f32; 3]) -> usize {
        let place = self.place(position);
        let [x, y, z] = [0, 1, 2].map(|axis| {
            let node = libm::floor(place[axis]) as i32 - self.first[axis];
            usize::try_from(node).unwrap_or(0).min(self.nodes[axis].saturating_sub(2))
        });
        x + self.nodes[0] * (y + self.nodes[1] * z)
    }

    /// Numbers of the nodes around a position, and the share of each in it.
    fn corners(&self, position: [f32; 3]) -> [(usize, f32); 8] {
        let place = self.place(position);
        let part = place.map(|place| (place - libm::floor(place)) as f32);
        let cell = self.cell(position);
        std::array::from_fn(|corner| {
            let ends = [corner & 1, corner >> 1 & 1, corner >> 2];
            let [a, b, c] = [0, 1, 2].map(|axis| if ends[axis] == 1 { part[axis] } else { 1.0 - part[axis] });
            (cell + ends[0] + self.nodes[0] * (ends[1] + self.nodes[1] * ends[2]), a * b * c)
        })
    }

    /// Place of a node, in cells.
    fn node(&self, number: usize) -> [f32; 3] {
        let [columns, rows, _] = self.nodes;
        [number % columns, number / columns % rows, number / (columns * rows)].map(|part| part as f32)
    }

    fn len(&self) -> usize {
        self.nodes.iter().product()
    }
}

/// The light of sprites on other sprites.
pub struct SpriteLight {
    lattice: Lattice,
    /// Radiance of a sprite of reflectance 1 at the nodes around sprites that cover.
    radiances: Vec<[f32; 3]>,
}

impl SpriteLight {
    /// The light of sprites of a picture of a frame `[x1, y1, x2, y2]`, on the threads of `cpu`; `None` without any.
    pub fn new(cpu: &Cpu, look: &Look, frame: [f64; 4], sprites: &Sprites<'_>, particles: &[Particle]) -> Option<Self> {
        let strength = clamped(look.sprite_light, 0.0, 1e6) as f32;
        let [left, low, right, high] = frame;
        let middle = [(left + right) / 2.0, (low + high) / 2.0, 0.0];
        let mut spacing = (high - low) / CELLS;
        // Written so that NaN is left out.
        if strength == 0.0 || !(spacing > 0.0 && spacing.is_finite()) {
            return None;
        }
        let lights = lights(cpu, sprites, particles, 0.0);
        let covering: Vec<[f32; 3]> =
            particles.iter().filter(|particle| sprites.covers(particle)).map(|particle| particle.position).collect();
        if lights.is_empty() || covering.is_empty() {
            return None;
        }
        loop {
            let positions = lights.iter().map(|light| light.position).chain(covering.iter().copied());
            let lattice = Lattice::new(middle, spacing, positions);
            let (sources, lit) = (shining(&lattice, &lights), around(&lattice, &covering));
            if sources.len() * lit.len() <= PAIRS {
                let factor = strength / (4.0 * std::f32::consts::PI * (spacing * spacing) as f32);
                return Some(Self { radiances: radiances(cpu, &lattice, &sources, &lit, factor), lattice });
            }
            spacing *= 2.0;
        }
    }

    /// Radiance of a sprite of reflectance 1 at a position.
    pub fn at(&self, position: [f32; 3]) -> [f32; 3] {
        let mut sum = [0.0; 3];
        for (node, share) in self.lattice.corners(position) {
            sum.iter_mut().zip(self.radiances[node]).for_each(|(sum, channel)| *sum += channel * share);
        }
        sum
    }
}

/// Light of the nodes that have any, and their places.
fn shining(lattice: &Lattice, lights: &[LightCluster]) -> Vec<([f32; 3], [f32; 3])> {
    let mut sums: Vec<[f32; 3]> = request::zeros(lattice.len());
    for LightCluster { position, light, .. } in lights {
        for (node, share) in lattice.corners(*position) {
            sums[node].iter_mut().zip(light).for_each(|(sum, channel)| *sum += channel * share);
        }
    }
    let shines = |(_, light): &(usize, [f32; 3])| light.iter().any(|channel| *channel > 0.0);
    sums.into_iter().enumerate().filter(shines).map(|(node, light)| (lattice.node(node), light)).collect()
}

/// The nodes around sprites.
fn around(lattice: &Lattice, positions: &[[f32; 3]]) -> Vec<usize> {
    let mut cells: Vec<bool> = vec![false; lattice.len()];
    positions.iter().for_each(|position| cells[lattice.cell(*position)] = true);
    let mut nodes: Vec<bool> = vec![false; lattice.len()];
    let [columns, rows, _] = lattice.nodes;
    for cell in (0..cells.len()).filter(|cell| cells[*cell]) {
        for corner in 0..8 {
            nodes[cell + (corner & 1) + columns * ((corner >> 1 & 1) + rows * (corner >> 2))] = true;
        }
    }
    (0..nodes.len()).filter(|node| nodes[*node]).collect()
}

/// The light at all nodes, 0 at those that are not lit, times `factor`, with lengths in cells.
fn radiances(
    cpu: &Cpu,
    lattice: &Lattice,
    sources: &[([f32; 3], [f32; 3])],
    lit: &[usize],
    factor: f32,
) -> Vec<[f32; 3]> {
    let pieces = cpu.each(lit.chunks(LANES).collect(), |nodes: &[usize]| {
        let mut places = [[0.0_f32; LANES]; 3];
        for (n, node) in nodes.iter().enumerate() {
            let node = lattice.node(*node);
            (0..3).for_each(|axis| places[axis][n] = node[axis]);
        }
        wide(Radiances { sources, places: &places })
    });
    let mut radiances = request::zeros(lattice.len());
    for (nodes, sums) in lit.chunks(LANES).zip(pieces) {
        for (n, node) in nodes.iter().enumerate() {
            radiances[*node] = [0, 1, 2].map(|channel| sums[channel][n] * factor);
        }
    }
    radiances
}

/// Sums the light of places at some places, in cells, by channel.
struct Radiances<'a> {
    sources: &'a [([f32; 3], [f32; 3])],
    places: &'a [[f32; LANES]; 3],
}

impl Wide for Radiances<'_> {
    type Output = [[f32; LANES]; 3];

    #[inline(always)]
    fn run(self) -> [[f32; LANES]; 3] {
        let Self { sources, places } = self;
        let mut sums = [[0.0_f32; LANES]; 3];
        for ([x, y, z], light) in sources {
            for n in 0..LANES {
                let (dx, dy, dz) = (x - places[0][n], y - places[1][n], z - places[2][n]);
                let factor = 1.0 / (dx * dx + dy * dy + dz * dz + radius2(1.0));
                for channel in 0..3 {
                    sums[channel][n] += light[channel] * factor;
                }
            }
        }
        sums
    }
}

#[cfg(test)]
mod tests {
    use super::super::tests::{bits, look, painted, particle, sprite, state};
    use super::super::{EmitterLook, Look, Sprite};
    use super::*;
    use crate::picture::Placement;

    const WHOLE: [i32; 4] = [0, 0, 200, 150];

    /// A flame and ash around it.
    fn scene() -> (Vec<Particle>, [EmitterLook; 2]) {
        let mut particles = vec![particle(0, 0, [100.0, 75.0, 0.0], [0.0; 3])];
        let ash = [[120.0, 75.0, 0.0], [140.0, 75.0, 0.0], [112.0, 95.0, -60.0], [100.0, 5.0, 0.0]];
        particles.extend((0..).zip(ash).map(|(id, position)| particle(id, 1, position, [0.0; 3])));
        let even = |sprite_of| EmitterLook { size: 8.0, size_spread: 0.0, spin: 0.0, ..sprite(sprite_of) };
        let flame = EmitterLook { cover: 0.0, colours: [[9.0, 3.0, 1.0]; 3], ..even(Sprite::Disc) };
        (particles, [flame, EmitterLook { colours: [[0.5, 0.4, 0.3]; 3], brightness: 0.0, ..even(Sprite::Disc) }])
    }

    #[test]
    fn the_light_is_that_of_a_diffuse_sphere_in_the_fluence() {
        let (particles, looks) = scene();
        let look = Look { sprite_light: 3.0, ..look(&looks) };
        let cpu = Cpu::new(1);
        let placement = Placement::of_pixels(WHOLE, [1.0; 2], 1.0);
        let sprites = Sprites::new(&look, WHOLE.map(f64::from), 10.0, &placement, None);
        let frame = WHOLE.map(f64::from);
        let light = SpriteLight::new(&cpu, &look, frame, &sprites, &particles).expect("the flame shines");
        let area = std::f64::consts::PI * 16.0;
        for particle in &particles[1..] {
            let radiance = light.at(particle.position);
            let distance2: f64 =
                (0..3).map(|axis| f64::from(particle.position[axis] - [100.0, 75.0, 0.0][axis]).powi(2)).sum();
            for (channel, own) in [9.0, 3.0, 1.0].into_iter().enumerate() {
                let expected = 3.0 * own * area / (4.0 * std::f64::consts::PI * distance2);
                let found = f64::from(radiance[channel]);
                assert!((found / expected - 1.0).abs() < 0.15, "{distance2}: {found} and {expected}");
            }
        }
        let none = Look { sprite_light: 0.0, ..look.clone() };
        assert!(SpriteLight::new(&cpu, &none, frame, &sprites, &particles).is_none());
        assert!(SpriteLight::new(&cpu, &look, frame, &sprites, &particles[1..]).is_none(), "ash does not shine");
        assert!(SpriteLight::new(&cpu, &look, frame, &sprites, &particles[..1]).is_none(), "on nothing");
    }

    #[test]
    fn moving_sprites_change_the_light_evenly() {
        let (mut particles, looks) = scene();
        let look = Look { sprite_light: 3.0, ..look(&looks) };
        let frame = WHOLE.map(f64::from);
        let placement = Placement::of_pixels(WHOLE, [1.0; 2], 1.0);
        let sprites = Sprites::new(&look, frame, 10.0, &placement, None);
        let mut lit = |x: f32| {
            particles[0].position = [x, 75.0, 0.0];
            let light = SpriteLight::new(&Cpu::new(1), &look, frame, &sprites, &particles).expect("the flame shines");
            particles[1..].iter().map(|particle| light.at(particle.position)[0]).collect::<Vec<_>>()
        };
        // Over two cells of 7.5 pixels.
        let mut last = lit(85.0);
        for step in 1..60 {
            let next = lit(85.0 + 0.25 * step as f32);
            let change = last.iter().zip(&next).map(|(a, b)| (b / a - 1.0).abs()).fold(0.0, f32::max);
            assert!(change < 0.05, "{change} at step {step}");
            last = next;
        }
    }

    #[test]
    fn only_sprites_that_cover_receive_light() {
        let (particles, looks) = scene();
        let state = state(particles);
        let shown = |strength: f64, looks: &[EmitterLook]| {
            let look = Look { sprite_light: strength, ..look(looks) };
            painted(&state, &look, WHOLE, 1.0, 2, 32)
        };
        let (dark, lit) = (shown(0.0, &looks), shown(1.0, &looks));
        let at = |pixels: &[[f32; 4]], x: usize, y: usize| pixels[y * 200 + x];
        assert_eq!(at(&dark, 120, 75), [0.0, 0.0, 0.0, 1.0], "without a light of its own it is black");
        let [red, green, blue, alpha] = at(&lit, 120, 75);
        assert!(alpha == 1.0 && red > 0.04, "{red}");
        // Reflectance times light: 4.5 to 1.2 to 0.3.
        assert!((red / green - 4.5 / 1.2).abs() < 0.01 && (red / blue - 15.0).abs() < 0.05, "{red} {green} {blue}");
        let far = at(&lit, 140, 75)[0];
        assert!((red / far - 4.0).abs() < 0.5, "{red} and {far}");
        assert_eq!(at(&dark, 100, 75), at(&lit, 100, 75), "the flame keeps its light");
        let glowing = looks.map(|look| EmitterLook { cover: 0.0, ..look });
        assert!(bits(&shown(0.0, &glowing)) == bits(&shown(1.0, &glowing)));
    }
}
