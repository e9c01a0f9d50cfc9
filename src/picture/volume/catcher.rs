//! The shadow catcher: shadow of the medium and light of its fire on a surface of the scene.
//!
//! The surface is a diffuse reflector behind the medium. Its shadow is the share of the light on it, of all lights and of
//! the sky, that the medium holds back. A light's shadow on a position outside of the medium is that at the position
//! where the ray to the light enters it. The rays to the parts of a wide light are taken as parallel, at the distances from
//! each other that they have at the middle of the medium.

use super::coarse::CoarseGrid;
use super::lights::Illumination;
use super::look::{Light, VolumeLook};
use super::medium::{Medium, TILE};
use super::sample::{Finder, Grid, Volume};
use super::sources::{Source, SourceKind};
use super::vector::four;
use crate::picture::catcher::{Catcher, Received, SurfacePoint, nearness};
use crate::picture::light_clusters::reflected;
use crate::picture::maths::{clamped, dot};

/// Shading of a catcher by a medium in light.
pub struct CatcherShading<'a> {
    /// The surface.
    pub catcher: Catcher,
    medium: &'a Medium,
    light: &'a Illumination,
    finder: Finder,
    shadows: Option<Grid<'a, [u16; 4]>>,
    around: CoarseGrid<'a, [f32; 4]>,
    sources: Vec<Source>,
    /// Offsets of the rays to a light across its direction.
    rays: Vec<[f32; 2]>,
    /// Middle of the medium's values and distance of its corners from there.
    bound: ([f32; 3], f32),
    /// Middle of the tiles with contents.
    occluder: [f32; 3],
    reflectance: [f32; 3],
    strength: f32,
}

impl<'a> CatcherShading<'a> {
    /// The surface of shading settings; `None` without one.
    pub fn new(medium: &'a Medium, light: &'a Illumination, look: &VolumeLook, lights: &[Light]) -> Option<Self> {
        let catcher = look.catcher?;
        let middle = medium.extinction.size.map(|count| (count - 1) as f32 / 2.0);
        Some(Self {
            catcher,
            medium,
            light,
            finder: Finder::new(medium.extinction.size),
            shadows: light.shadows.as_ref().map(Volume::grid),
            around: light.around.grid(),
            sources: lights.iter().map(|light| Source::new(medium, light)).collect(),
            rays: catcher.rays().into_iter().map(|ray| ray.map(|offset| offset as f32)).collect(),
            bound: (middle, dot(middle, middle).sqrt()),
            occluder: medium.tiles.occupied.map(|[low, high]| ((low + high) * TILE) as f32 / 2.0),
            reflectance: catcher.reflectance.map(|part| clamped(part, 0.0, 1e6) as f32),
            strength: clamped(catcher.shadow, 0.0, 1.0) as f32,
        })
    }

    /// Shadow and light at a position.
    #[inline(always)]
    pub fn at(&self, position: &SurfacePoint) -> Received {
        let q = self.medium.position(position.world).map(|place| place as f32);
        let normal = position.normal.map(|part| part as f32);
        if q.iter().any(|place| !place.is_finite()) {
            return Received::default();
        }
        let lights = self.light.fire.as_ref().map_or(&[][..], |fire| &fire.surface);
        let light = reflected(lights, self.reflectance, q, normal);
        let shadow = if self.strength > 0.0 { self.strength * self.blocked(q, normal) } else { 0.0 };
        Received { light, shadow }
    }

    /// Share of the light of all lights and of the sky that the medium keeps from a position on a surface.
    #[inline(always)]
    fn blocked(&self, q: [f32; 3], normal: [f32; 3]) -> f32 {
        let (mut whole, mut kept) = (0.0, 0.0);
        for (lane, source) in self.sources.iter().enumerate() {
            let (to_light, most, intensity) = match source.kind {
                SourceKind::Parallel(to_light) => (to_light, f32::INFINITY, 1.0),
                SourceKind::Point(point) => {
                    let light = point.at(q);
                    (light.to_light.map(|part| part * light.inverse), 1.0 / light.inverse, light.intensity)
                }
            };
            let cosine = dot(to_light, normal);
            if cosine > 0.0 {
                let light = cosine * intensity * source.colour.iter().sum::<f32>();
                whole += light;
                kept += light * self.mean_transmittance(q, to_light, most, lane);
            }
        }
        let (sky, open) = self.sky(q, normal);
        let share = if whole + sky > 0.0 { (kept + sky * open) / (whole + sky) } else { 1.0 };
        1.0 - share.clamp(0.0, 1.0)
    }

    /// Mean transmittance of the rays from a position to a light at most so far away.
    #[inline(always)]
    fn mean_transmittance(&self, q: [f32; 3], to_light: [f32; 3], most: f32, lane: usize) -> f32 {
        if let [[0.0, 0.0]] = self.rays[..] {
            return self.transmittance(q, to_light, most, lane);
        }
        let (middle, radius) = self.bound;
        let way = [0, 1, 2].map(|axis| middle[axis] - q[axis]);
        let along = dot(way, to_light);
        let beside2 = dot(way, way) - along * along;
        // The last ray of the spiral is the widest.
        let widest = self.rays.last().map_or(0.0, |[across, up]| (across * across + up * up).sqrt());
        let reach = radius + widest * (along + radius).max(0.0);
        if along < -radius || beside2 > reach * reach {
            return 1.0;
        }
        let distance = dot([0, 1, 2].map(|axis| self.occluder[axis] - q[axis]), to_light).min(most).max(0.0);
        let [across, up] = beside(to_light).map(|side| side.map(|part| part * distance));
        let mut sum = 0.0;
        for [x, y] in &self.rays {
            let from = [0, 1, 2].map(|axis| q[axis] + across[axis] * x + up[axis] * y);
            sum += self.transmittance(from, to_light, most, lane);
        }
        sum / self.rays.len() as f32
    }

    /// Transmittance from a position towards a light at most so many lengths of `to_light` away.
    #[inline(always)]
    fn transmittance(&self, q: [f32; 3], to_light: [f32; 3], most: f32, lane: usize) -> f32 {
        let Some(shadows) = &self.shadows else { return 1.0 };
        let (mut enter, mut leave) = (0.0_f32, most);
        for axis in 0..3 {
            let last = (self.medium.extinction.size[axis] - 1) as f32;
            let ends = [0.0, last].map(|end| (end - q[axis]) / to_light[axis]);
            // A ray parallel to the bounds has infinite ends: between them it is not limited, outside it is left out.
            enter = enter.max(ends[0].min(ends[1]));
            leave = leave.min(ends[0].max(ends[1]));
        }
        if enter >= leave {
            return 1.0;
        }
        let at = [0, 1, 2].map(|axis| q[axis] + to_light[axis] * enter);
        let root = shadows.at(&self.finder.place(four(at, 0.0))).to_array()[lane] * (1.0 / 65535.0);
        let square = root * root;
        square * square
    }

    /// Irradiance of the sky, divided by π and summed over the channels, and the share of it that the medium lets pass.
    #[inline(always)]
    fn sky(&self, q: [f32; 3], normal: [f32; 3]) -> (f32, f32) {
        let (mut irradiance, mut before, mut behind) = (0.0, 0.0, 0.0);
        for (direction, light) in &self.light.sky {
            let (cosine, light) = (dot(*direction, normal), light.iter().sum::<f32>());
            // Weights are shares of the sphere, of which the irradiance over π is four times the mean.
            irradiance += 4.0 * cosine.max(0.0) * light;
            // Directions along the surface are on both sides, so that the normal's rounding decides nothing.
            let share = (0.5 + 2.5 * cosine).clamp(0.0, 1.0);
            before += share * light;
            behind += (1.0 - share) * light;
        }
        // The tiles with contents: the simulated box follows them at a distance that varies.
        let occupied = self.medium.tiles.occupied.map(|range| range.map(|tile| (tile * TILE) as f32));
        let nearest = [0, 1, 2].map(|axis| q[axis].max(occupied[axis][0]).min(occupied[axis][1]));
        let away = [0, 1, 2].map(|axis| q[axis] - nearest[axis]);
        let [red, green, blue, _] = self.around.at(four(nearest, 0.0)).to_array();
        // Light from behind the surface passes no medium.
        let open = if before > 0.0 { ((red + green + blue - behind) / before).clamp(0.0, 1.0) } else { 1.0 };
        let sides = occupied.map(|[low, high]| f64::from(high - low));
        let near = nearness(sides, f64::from(dot(away, away))) as f32;
        (irradiance, 1.0 - (1.0 - open) * near)
    }
}

/// Two unit vectors that are normal to a unit vector and to each other (Duff et al. 2017).
fn beside([x, y, z]: [f32; 3]) -> [[f32; 3]; 2] {
    let sign = 1.0_f32.copysign(z);
    let a = -1.0 / (sign + z);
    let b = x * y * a;
    [[1.0 + sign * x * x * a, sign * b, -sign * x], [b, sign + y * y * a, -y]]
}

#[cfg(test)]
mod tests {
    use super::super::look::Sky;
    use super::super::picture::{Layer, Lit};
    use super::super::tests::{SIDE, Volume, ball, burning_of, directional, look, shot};
    use super::*;
    use crate::compute::cpu::Cpu;
    use crate::picture::camera::{Camera, Projection};
    use crate::picture::catcher::{Surface, along};
    use crate::picture::masks::Scene;

    /// A camera that looks down from in front of the middle of the picture.
    fn above() -> Camera {
        Camera { translate: [0.0, 70.0, -10.0], rotate: [-50.0, 0.0, 0.0], ..Camera::default() }
    }

    fn catcher(surface: Surface) -> Option<Catcher> {
        Some(Catcher { surface, shadow: 1.0, softness: 0.0, reflectance: [1.0, 0.5, 0.0] })
    }

    /// Height of the floor of the tests, below a ball of 20 cells around the middle of the picture.
    const FLOOR: f64 = SIDE as f64 / 2.0 - 14.0;

    /// A look with a floor and a black sky.
    fn on_floor() -> VolumeLook {
        let sky = Sky { mean: [0.0; 3], slope: [[0.0; 3]; 3] };
        VolumeLook { sky, catcher: catcher(Surface::Floor(FLOOR)), ..look() }
    }

    fn render(
        volume: &Volume,
        look: &VolumeLook,
        lights: &[Light],
        layers: &[Layer],
        scene: Scene<'_>,
    ) -> Vec<Vec<[f32; 4]>> {
        let cpu = Cpu::new(2);
        let shot = super::super::Shot { scene, ..shot(above()) };
        let rendered = Lit::new(&cpu, &volume.view(), look, lights).render(&cpu, &shot, layers);
        layers.iter().map(|layer| rendered.get(*layer).to_vec()).collect()
    }

    /// World position of the floor at a pixel, and its distance from the camera.
    fn floor_at(x: usize, y: usize) -> Option<([f64; 3], f64)> {
        let projection = Projection::new(above(), [0.0, 0.0, SIDE as f64, SIDE as f64]);
        let ray = projection.ray([x as f64 + 0.5, y as f64 + 0.5]);
        let distance = (FLOOR - ray.origin[1]) / ray.direction[1];
        (distance > 0.0).then(|| (along(&ray, distance), distance))
    }

    #[test]
    fn the_shadow_on_a_floor_is_the_absorption_of_the_whole_ray_to_the_light() {
        let volume = ball(20);
        let look = on_floor();
        let cpu = Cpu::new(2);
        let medium = Medium::new(&cpu, &volume.view(), &look).expect("cells");
        let grid = medium.extinction.grid();
        let finder = Finder::new(medium.extinction.size);
        for to_light in [[0.0, 1.0, 0.0], [0.4, 1.0, -0.3], [1.5, 1.0, 0.2]] {
            let light = directional(to_light);
            let caught = render(&volume, &look, &[light], &[Layer::Catcher], Scene::default()).remove(0);
            let length = dot(to_light.map(|part| part as f32), to_light.map(|part| part as f32)).sqrt();
            let (mut darkest, mut lit, mut squares) = (0.0_f32, 0, 0.0_f32);
            for (index, pixel) in caught.iter().enumerate() {
                let Some((world, _)) = floor_at(index % SIDE, index / SIDE) else { continue };
                let start = medium.position(world).map(|place| place as f32);
                // Steps of a twentieth of a cell.
                let depth: f32 = (0..2400)
                    .map(|step| {
                        let q = [0, 1, 2]
                            .map(|axis| start[axis] + to_light[axis] as f32 / length * (step as f32 + 0.5) * 0.05);
                        let last = medium.extinction.size.map(|count| (count - 1) as f32);
                        let is_inside = (0..3).all(|axis| (0.0..last[axis]).contains(&q[axis]));
                        if is_inside { 0.05 * grid.at(&finder.place(four(q, 0.0))) } else { 0.0 }
                    })
                    .sum();
                let truth = 1.0 - (-depth).exp();
                squares += (pixel[3] - truth) * (pixel[3] - truth);
                assert!((pixel[3] - truth).abs() < 0.1, "{to_light:?} {index}: {} {truth}", pixel[3]);
                assert_eq!(pixel[..3], [0.0; 3], "no fire");
                darkest = darkest.max(pixel[3]);
                lit += usize::from(pixel[3] == 0.0);
            }
            let error = (squares / caught.len() as f32).sqrt();
            assert!(error < 0.012 && darkest > 0.8 && lit > 100, "{to_light:?}: {error} {darkest} {lit}");
        }
    }

    #[test]
    fn the_shadow_of_a_wide_light_is_blurred_with_the_distance() {
        let volume = ball(20);
        let cpu = Cpu::new(1);
        let shadows = |to_light: [f64; 3], softness: f64, below: f64| -> Vec<f32> {
            let soft = on_floor().catcher.map(|catcher| Catcher { softness, ..catcher });
            let look = VolumeLook { catcher: soft, ..on_floor() };
            let lights = [directional(to_light)];
            let lit = Lit::new(&cpu, &volume.view(), &look, &lights);
            let (medium, light) = lit.parts().expect("cells");
            let surface = CatcherShading::new(medium, light, &look, &lights).expect("a catcher");
            let middle = SIDE as f64 / 2.0;
            let at = |x: f64| SurfacePoint {
                world: [middle + x - below * to_light[0] / to_light[1], middle - below, 0.0],
                normal: [0.0, 1.0, 0.0],
            };
            (-120..=120).map(|x| surface.at(&at(f64::from(x) * 0.5)).shadow).collect()
        };
        let steepest = |shadows: &[f32]| shadows.windows(2).map(|pair| (pair[1] - pair[0]).abs()).fold(0.0, f32::max);
        for to_light in [[0.0, 1.0, 0.0], [0.5, 1.0, 0.0]] {
            let sharp = steepest(&shadows(to_light, 0.0, 60.0));
            let [near, far] = [14.0, 60.0].map(|below| shadows(to_light, 8.0, below));
            assert!(steepest(&far) < 0.5 * sharp, "{to_light:?}: {} {sharp}", steepest(&far));
            assert!(steepest(&near) > 1.5 * steepest(&far), "{to_light:?}");
            // The surface lies within the box of the medium there.
            let within = steepest(&shadows(to_light, 0.0, 14.0));
            assert!(steepest(&near) < 0.9 * within, "{to_light:?}: {} {within}", steepest(&near));
            let ends = |shadows: &[f32]| shadows.iter().filter(|shadow| **shadow > 0.01).count();
            assert!(ends(&far) > ends(&shadows(to_light, 0.0, 60.0)) + 10, "wider by the penumbra");
            assert_eq!([far[0], far[240]], [0.0; 2], "beyond it there is no shadow");
        }
    }

    #[test]
    fn a_surface_by_depth_catches_as_the_floor_of_the_same_place() {
        let volume = burning_of(20, true);
        let sky = Sky::between([0.6, 0.7, 0.9], [0.1; 3]);
        let floor = VolumeLook { sky, ..on_floor() };
        let depth: Vec<[f32; 4]> = (0..SIDE * SIDE)
            .map(|index| {
                [floor_at(index % SIDE, index / SIDE).map_or(0.0, |(_, distance)| distance as f32), 0.0, 0.0, 0.0]
            })
            .collect();
        let scene = Scene { depth: Some(&depth), holdout: None };
        let lights = [directional([0.4, 1.0, -0.3])];
        let of = |surface| {
            let look = VolumeLook { catcher: catcher(surface), ..floor.clone() };
            // The floor lies just before the depth.
            render(&volume, &look, &lights, &[Layer::Catcher], scene).remove(0)
        };
        let [by_floor, by_depth] = [Surface::Floor(FLOOR + 1e-3), Surface::Depth].map(of);
        let (mut shadow, mut light) = (0.0_f32, 0.0_f32);
        for (floor, depth) in by_floor.iter().zip(&by_depth) {
            for (a, b) in floor.iter().zip(depth) {
                assert!((a - b).abs() < 2e-3 * (1.0 + a.abs()), "{floor:?} {depth:?}");
            }
            (shadow, light) = (shadow.max(floor[3]), light.max(floor[0]));
        }
        assert!(shadow > 0.3 && light > 0.01, "{shadow} {light}");
        let near = by_depth.iter().map(|[red, green, blue, _]| (red, green, blue)).max_by(|a, b| a.0.total_cmp(b.0));
        let (_, green, blue) = near.expect("pixels");
        assert!(*green > 0.0 && *blue == 0.0, "reflectance by channel");
    }

    #[test]
    fn the_beauty_is_the_smoke_over_the_surface() {
        let volume = burning_of(20, true);
        let on = VolumeLook { extinction: [1.0, 0.8, 0.5], ..on_floor() };
        let off = VolumeLook { catcher: None, ..on.clone() };
        let lights = [directional([0.4, 1.0, -0.3])];
        let layers = [
            Layer::Beauty,
            Layer::Transmittance,
            Layer::Alpha,
            Layer::Catcher,
            Layer::Light(0),
            Layer::Ambient,
            Layer::Emission,
        ];
        let [with, without] = [&on, &off].map(|look| render(&volume, look, &lights, &layers, Scene::default()));
        let mut most = 0.0_f32;
        for at in 0..SIDE * SIDE {
            let ([beauty, clear, caught], plain) = ([0, 1, 3].map(|layer: usize| with[layer][at]), without[0][at]);
            for channel in 0..3 {
                let truth = plain[channel] + clear[channel] * caught[channel];
                assert!((beauty[channel] - truth).abs() <= 1e-5 * (1.0 + truth));
                let sum = with[4][at][channel] + with[5][at][channel] + with[6][at][channel];
                assert_eq!(beauty[channel], sum);
            }
            let alpha = 1.0 - (1.0 - plain[3]) * (1.0 - caught[3]);
            assert!((beauty[3] - alpha).abs() < 1e-5, "{} {alpha}", beauty[3]);
            most = most.max(caught[3].min(caught[0]));
        }
        assert!(most > 0.001);
        assert_eq!(with[1..3], without[1..3], "of the smoke alone");
        assert!(without[3].iter().all(|pixel| *pixel == [0.0; 4]));
    }

    #[test]
    fn a_distant_fire_lights_the_floor_by_distance_and_cosine() {
        let cpu = Cpu::new(1);
        let volume = burning_of(20, true);
        let look = VolumeLook { density: 1e-6, soot: 0.0, ..on_floor() };
        let lit = Lit::new(&cpu, &volume.view(), &look, &[]);
        let shading = |height| SurfacePoint { world: [SIDE as f64 / 2.0, height, 0.0], normal: [0.0, 1.0, 0.0] };
        let (medium, light) = lit.parts().expect("cells");
        let surface = CatcherShading::new(medium, light, &look, &[]).expect("a catcher");
        let [near, far, side] = [
            shading(-200.0),
            shading(-400.0),
            SurfacePoint { world: [SIDE as f64 / 2.0 + 220.0, -200.0, 0.0], normal: [0.0, 1.0, 0.0] },
        ]
        .map(|position| surface.at(&position).light[0]);
        let ratio = near / far;
        assert!((ratio / (420.0_f32 / 220.0).powi(2) - 1.0).abs() < 0.02, "{ratio}");
        // At 45° the distance is √2 as long: half the light, times the cosine.
        assert!((side / near * 2.0 * 2.0_f32.sqrt() - 1.0).abs() < 0.03, "{}", side / near);
    }

    #[test]
    fn surfaces_behind_the_camera_and_absurd_ones_catch_nothing() {
        let volume = burning_of(20, true);
        let lights = [directional([0.0, 1.0, 0.0]), directional([f64::NAN; 3])];
        for height in [1e3, f64::NAN, f64::INFINITY, -1e300] {
            let look = VolumeLook { catcher: catcher(Surface::Floor(height)), ..on_floor() };
            for pixel in render(&volume, &look, &lights, &[Layer::Catcher, Layer::Beauty], Scene::default()).concat() {
                assert!(pixel.iter().all(|value| value.is_finite()), "{height}: {pixel:?}");
            }
        }
        let odd: Vec<[f32; 4]> =
            (0..SIDE * SIDE).map(|index| [[f32::NAN, f32::INFINITY, -1.0, 1e38][index % 4]; 4]).collect();
        let look = VolumeLook { catcher: catcher(Surface::Depth), ..on_floor() };
        let scene = Scene { depth: Some(&odd), holdout: None };
        for pixel in render(&volume, &look, &lights, &[Layer::Catcher, Layer::Beauty], scene).concat() {
            assert!(pixel.iter().all(|value| value.is_finite()), "{pixel:?}");
        }
    }
}
