//! Projection of particles to sprites: position, size, colour and shape in the pixels of a picture.

use super::appearance::Appearance;
use super::look::{EmitterLook, Look, Output, Sprite};
use super::shadow::{Lit, Occluder, ShadowLattice};
use super::shapes::{Blur, Form, energy};
use super::texture::Texture;
use super::{PIECE, joined};
use crate::compute::cpu::Cpu;
use crate::picture::Placement;
use crate::picture::camera::Projection;
use crate::picture::maths::clamped;
use crate::sim::particles::Particle;
use crate::sim::particles::random::{Purpose, units};
use crate::sim::particles::settings::EMITTERS;

/// Smallest half width of a sprite, pixels. A smaller sprite is drawn with this half width and a lower opacity.
const SMALLEST: f64 = 1.0;

/// Smallest half width of a streak, pixels: a narrower one breaks up into dots where it crosses rows of pixels.
const STREAK: f64 = 1.5;

/// Radius of a blur that is left out, as a share of half the width.
const SHARP: f64 = 0.05;

/// Thickness of a flat sprite, as a share of its width.
const THIN: f64 = 0.06;

/// Largest half width and length of a sprite, pixels.
const LARGEST: f64 = 4096.0;

/// A sprite in the pixels of a picture.
#[derive(Clone, Copy)]
pub struct Drawn {
    /// Centre, in pixels of the whole image.
    pub middle: [f64; 2],
    /// Pixel aspect ratio: width of a pixel divided by its height.
    pub aspect: f64,
    /// Unit vector along the length of the sprite.
    pub along: [f32; 2],
    /// 1 / half length and 1 / half width of the sprite, lengths in heights of a pixel.
    pub inverse: [f32; 2],
    /// Range of the pixels that the sprite may touch: the first one and the one after the last, `[x, y]` each.
    pub bounds: [[i32; 2]; 2],
    /// Premultiplied colour, and the cover: the fraction of the background that the sprite hides.
    pub colour: [f32; 4],
    /// Its shape.
    pub form: Form,
    /// Its blur out of focus.
    pub blur: Blur,
    /// Two frames of the picture of sprites.
    pub frames: [u16; 2],
    /// Share of the second frame.
    pub mix: f32,
    /// Distance from the camera.
    pub depth: f32,
    /// Half its width in the scene, canonical pixels.
    pub reach: f32,
    /// Motion to the next frame, pixels.
    pub motion: [f32; 2],
    /// Number of the particle, age as a fraction of the life, number of the emitter from 1.
    pub identity: [f32; 3],
}

impl Drawn {
    /// Values of a pixel that shows the sprite: its colour, or data.
    pub fn values(&self, output: Output) -> [f32; 4] {
        let Self { colour, depth, motion, identity, .. } = *self;
        match output {
            Output::Beauty | Output::Count => colour,
            Output::Emission => {
                let light = 1.0 - colour[3];
                [colour[0] * light, colour[1] * light, colour[2] * light, colour[3]]
            }
            Output::Depth => [depth, depth, depth, 1.0],
            Output::Motion => [motion[0], motion[1], -motion[0], -motion[1]],
            Output::Identity => [identity[0], identity[1], identity[2], 1.0],
        }
    }

    /// Sort key from front to back: the bits of floats that are not negative sort like the floats.
    pub fn order(&self) -> u32 {
        self.depth.to_bits()
    }
}

/// Converts particles at one time to sprites in the pixels of a placement.
pub struct Sprites<'a> {
    look: &'a Look,
    projection: Projection,
    /// Projections of the cameras around now, as [`Look::moving`].
    moving: Option<[Projection; 4]>,
    time: f64,
    /// Width and height of a pixel, canonical pixels.
    pixel: [f64; 2],
    /// Range of the pixels of the placement: the first one and the one after the last, `[x, y]` each.
    window: [[i32; 2]; 2],
    /// Unit vector to the light.
    light: [f64; 3],
    /// The picture of sprites.
    texture: Option<&'a Texture>,
    /// Energy of each emitter's built-in shape.
    energies: [[f32; 4]; EMITTERS],
    /// The light among the sprites.
    shadow: Option<ShadowLattice>,
}

impl<'a> Sprites<'a> {
    /// The sprites of a picture of the state at `time`, before a frame `[x1, y1, x2, y2]`.
    pub fn new(
        look: &'a Look,
        frame: [f64; 4],
        time: f64,
        placement: &Placement,
        texture: Option<&'a Texture>,
    ) -> Self {
        let axes = [placement.x, placement.y];
        let first = axes.map(|axis| libm::round(axis.start / axis.size) as i32);
        let last = [0, 1].map(|axis| first[axis] + axes[axis].count as i32);
        let [angle, elevation] = look.light.map(f64::to_radians);
        let flat = libm::cos(elevation);
        let light = [flat * libm::cos(angle), flat * libm::sin(angle), libm::sin(elevation)];
        let has_energies =
            look.focus.is_some() || look.self_shadow > 0.0 || look.sprite_light > 0.0 || look.catcher.is_some();
        let energies = look.emitters.map(|emitter| match emitter {
            Some(emitter) if has_energies => energy(emitter.sprite, light.map(|part| part as f32), look.ambient as f32),
            _ => [0.0; 4],
        });
        Self {
            look,
            projection: Projection::new(look.camera, frame),
            moving: look.moving.map(|cameras| cameras.map(|camera| Projection::new(camera, frame))),
            time,
            pixel: axes.map(|axis| axis.size),
            window: [first, last],
            light,
            texture,
            energies,
            shadow: None,
        }
    }

    /// Lets the sprites of particles cast shadows on each other, on the threads of `cpu`.
    pub fn cast_shadows(&mut self, cpu: &Cpu, particles: &[Particle]) {
        let pieces = cpu.each(particles.chunks(PIECE).collect(), |piece: &[Particle]| {
            piece.iter().filter_map(|particle| self.occluder(particle)).collect::<Vec<_>>()
        });
        let [x, y, z] = self.light;
        let [right, up, backward] = self.projection.axes();
        let light = [0, 1, 2].map(|axis| right[axis] * x + up[axis] * y + backward[axis] * z);
        // A catcher shows shadows of sprites that do not shade each other, too.
        let strength = if self.look.self_shadow > 0.0 { self.look.self_shadow } else { 1.0 };
        self.shadow = ShadowLattice::new(cpu, &joined(pieces), light, strength);
    }

    /// The light among the sprites.
    pub fn shadow(&self) -> Option<&ShadowLattice> {
        self.shadow.as_ref()
    }

    /// Radiance that a particle adds to the picture, times its area in square pixels of the world; `None` without any.
    pub fn light(&self, particle: &Particle) -> Option<[f32; 3]> {
        let number = usize::from(particle.emitter);
        let look = self.look.emitters.get(number)?.as_ref()?;
        let Appearance { diameter, opacity, colour, .. } = Appearance::new(self.look, particle, self.time)?;
        let [share, mean @ ..] = self.energy(look, number, 0);
        let area = f64::from(share) / 4.0 * diameter * diameter * opacity * (1.0 - look.cover);
        let light =
            [0, 1, 2].map(|channel| clamped(colour[channel] * f64::from(mean[channel]) * area, 0.0, 1e12) as f32);
        light.iter().any(|channel| *channel > 0.0).then_some(light)
    }

    /// Whether a particle covers what is behind it.
    pub fn covers(&self, particle: &Particle) -> bool {
        let look = self.look.emitters.get(usize::from(particle.emitter)).and_then(Option::as_ref);
        look.is_some_and(|look| look.cover > 0.0)
    }

    /// Integral of the cover of a frame of an emitter's sprite over −1..1, and its mean light.
    fn energy(&self, look: &EmitterLook, number: usize, frame: usize) -> [f32; 4] {
        match self.texture.filter(|_| look.sprite == Sprite::Picture) {
            Some(texture) => texture.energy(frame),
            None => self.energies[number],
        }
    }

    /// The shadow of a particle; `None` where it hides nothing.
    fn occluder(&self, particle: &Particle) -> Option<Occluder> {
        let number = usize::from(particle.emitter);
        let look = self.look.emitters.get(number)?.as_ref()?;
        let appearance = Appearance::new(self.look, particle, self.time)?;
        let [area, ..] = self.energy(look, number, 0);
        Some(Occluder {
            position: particle.position.map(f64::from),
            radius: appearance.diameter / 2.0,
            cover: [appearance.opacity * look.cover, f64::from(area) / 4.0],
        })
    }

    /// First pixel of the picture.
    pub fn first(&self) -> [i32; 2] {
        self.window[0]
    }

    /// The sprite of a particle; `None` if nothing of it is in the picture. `received`: radiance that it has in the
    /// light of other sprites where its reflectance is 1.
    pub fn draw(&self, particle: &Particle, received: [f32; 3]) -> Option<Drawn> {
        let number = usize::from(particle.emitter);
        let look = self.look.emitters.get(number)?.as_ref()?;
        let place = particle.position.map(f64::from);
        let seen = self.projection.project(place)?;
        let appearance = Appearance::new(self.look, particle, self.time)?;
        let age = appearance.share();
        let mut opacity = appearance.opacity;
        if self.look.near_fade > 0.0 {
            opacity *= (seen.depth / self.look.near_fade).min(1.0);
        }
        // Lengths are in heights of a pixel from here on.
        let aspect = self.pixel[0] / self.pixel[1];
        let half = appearance.diameter * seen.scale / 2.0 / self.pixel[1];
        let stretched = if look.stretch == 0.0 { 0.0 } else { self.look.shutter };
        let motion = self.motion(particle, place, stretched, 0);
        let motion = motion.map(|way| way * look.stretch / self.pixel[1]);
        let way = libm::sqrt(motion[0] * motion[0] + motion[1] * motion[1]);
        // Written so that NaN is left out.
        if !(half > 0.0 && opacity > 0.0) {
            return None;
        }
        let long = half + way / 2.0;
        let blurred = match &self.look.focus {
            Some(focus) => self.projection.confusion(seen.depth, focus).min(self.pixel[1] * LARGEST) / self.pixel[1],
            None => 0.0,
        };
        let (frames, mix) = self.frames(look, particle, &appearance);
        let turn = appearance.tumble.map(libm::sincos);
        // A flat sprite that tumbles is narrower, and not infinitely thin.
        let wide = turn.map_or(half, |(_, cos)| half * cos.abs().max(THIN));
        let (blur, reach) = if blurred > SHARP * half {
            let energy = self.energy(look, number, usize::from(frames[0]));
            Blur::new(look.sprite, [long, wide], blurred, energy)
        } else {
            (Blur::NONE, [long, wide])
        };
        // The light of a sprite is spread over its length, and that of one below a pixel over the pixel.
        let smallest = SMALLEST + (STREAK - SMALLEST) * (way / half).min(1.0);
        let [length, width] = reach.map(|side| side.clamp(smallest, LARGEST));
        opacity *= (half / long) * (reach[1] / width).min(1.0) * (reach[0] / length).min(1.0);
        let along = if way > 1e-6 * half && way > 1e-3 {
            motion.map(|part| part / way)
        } else {
            let [of_spin, of_turn] = appearance.of_spin;
            let turns = of_turn + (2.0 * of_spin - 1.0) * look.spin * particle.age(self.time);
            let angle = 2.0 * std::f64::consts::PI * (turns - libm::floor(turns));
            let (sin, cos) = libm::sincos(angle);
            [cos, sin]
        };
        let middle = [0, 1].map(|axis| seen.place[axis] / self.pixel[axis]);
        let bounds = self.bounds(middle, along, [length, width], aspect)?;
        // Other pictures do not show it.
        let shown = if self.look.output == Output::Motion { 1.0 } else { 0.0 };
        let frame_motion = self.motion(particle, place, shown, 2);
        let [x, y, z] = self.light;
        let turned = [x * along[0] + y * along[1], y * along[0] - x * along[1], z].map(|part| part as f32);
        let shadow = self.shadow.as_ref().filter(|_| self.look.self_shadow > 0.0);
        let mut lit = shadow.map_or(Lit::FULLY, |shadow| shadow.on(place, appearance.diameter / 2.0));
        if let Some((sin, cos)) = turn {
            lit.direct *= (turned[1] * sin as f32 + turned[2] * cos as f32).abs();
        }
        let (colour, ambient) = shaded(&appearance, lit, received, self.look.ambient as f32, look.cover);
        Some(Drawn {
            middle,
            aspect,
            along: along.map(|part| part as f32),
            inverse: [1.0 / length, 1.0 / width].map(|part| part as f32),
            bounds,
            colour: premultiplied(look.cover, colour, opacity),
            form: Form::new(look.sprite, look.seed, particle.id, (1.0 / width) as f32, turned, ambient),
            blur,
            frames,
            mix,
            depth: seen.depth as f32,
            reach: (appearance.diameter / 2.0) as f32,
            motion: [0, 1].map(|axis| (frame_motion[axis] / self.pixel[axis]) as f32),
            identity: [particle.id as f32, age as f32, f32::from(particle.emitter) + 1.0],
        })
    }

    /// Frames of the picture of sprites that a particle shows, and the share of the second.
    fn frames(&self, look: &EmitterLook, particle: &Particle, appearance: &Appearance) -> ([u16; 2], f32) {
        let Some(texture) = self.texture.filter(|_| look.sprite == Sprite::Picture) else { return ([0; 2], 0.0) };
        let last = texture.frames() - 1;
        if self.look.atlas.by_age {
            let at = appearance.share() * last as f64;
            let first = (at as usize).min(last);
            return ([first as u16, (first + 1).min(last) as u16], (at - first as f64) as f32);
        }
        let [of_frame, ..] = units(look.seed, particle.id, Purpose::Shape);
        let frame = ((of_frame * texture.frames() as f64) as usize).min(last) as u16;
        ([frame; 2], 0.0)
    }

    /// Way in the picture during a time around now, canonical pixels; `first`: the camera at its start among those that
    /// move.
    fn motion(&self, particle: &Particle, place: [f64; 3], time: f64, first: usize) -> [f64; 2] {
        let velocity = particle.velocity.map(f64::from);
        if time == 0.0 || (velocity == [0.0; 3] && self.moving.is_none()) {
            return [0.0; 2];
        }
        let cameras = match &self.moving {
            Some(moving) => [&moving[first], &moving[first + 1]],
            None => [&self.projection; 2],
        };
        let at =
            |end: usize, time: f64| cameras[end].project([0, 1, 2].map(|axis| place[axis] + velocity[axis] * time));
        match (at(0, -time / 2.0), at(1, time / 2.0)) {
            (Some(from), Some(to)) => [to.place[0] - from.place[0], to.place[1] - from.place[1]],
            _ => [0.0; 2],
        }
    }

    /// Range of the pixels that a sprite may touch, given its half length and half width `sides`; `None` outside the
    /// picture.
    fn bounds(&self, middle: [f64; 2], along: [f64; 2], sides: [f64; 2], aspect: f64) -> Option<[[i32; 2]; 2]> {
        // Half a pixel more for the soft edge of a disc.
        let [length, width] = sides.map(|side| side + 0.5);
        let reach = [
            libm::sqrt(square(along[0] * length) + square(along[1] * width)) / aspect,
            libm::sqrt(square(along[1] * length) + square(along[0] * width)),
        ];
        let mut bounds = [[0; 2]; 2];
        for axis in 0..2 {
            let low = libm::floor(middle[axis] - reach[axis]).max(f64::from(self.window[0][axis]));
            let high = libm::ceil(middle[axis] + reach[axis]).min(f64::from(self.window[1][axis]));
            if low >= high {
                return None;
            }
            (bounds[0][axis], bounds[1][axis]) = (low as i32, high as i32);
        }
        Some(bounds)
    }
}

fn square(x: f64) -> f64 {
    x * x
}

/// Colour of a sprite that covers the background by a share, and the share of ambient light in that light. `received`:
/// radiance that it has in the light of other sprites where its reflectance is 1; what shades it from ambient light
/// shades it from that light, too.
fn shaded(of: &Appearance, lit: Lit, received: [f32; 3], ambient: f32, cover: f64) -> ([f64; 3], f32) {
    let (mut around, mut sum) = (ambient, 1.0);
    let mut colour = of.colour;
    if lit != Lit::FULLY {
        around = ambient * lit.ambient;
        sum = (1.0 - ambient) * lit.direct + around;
        let factor = 1.0 + (f64::from(sum) - 1.0) * cover;
        colour = colour.map(|channel| channel * factor);
    }
    if received != [0.0; 3] {
        let own: f64 = of.colour.iter().sum();
        let added = [0, 1, 2].map(|channel| of.reflectance[channel] * f64::from(received[channel] * lit.ambient));
        colour.iter_mut().zip(added).for_each(|(channel, added)| *channel += added * cover);
        // Relative to the light that gives the sprite its own colour.
        let added = if own > 0.0 { (added.iter().sum::<f64>() / own) as f32 } else { 1.0 };
        // Half of this light counts as ambient: it comes from fewer directions than ambient light, and from more than one.
        (around, sum) = (around + added / 2.0, sum + added);
    }
    (colour, if sum > 1e-9 { around / sum } else { 1.0 })
}

/// Premultiplied colour of a sprite, and its cover. `operator`: 0 adds light, 1 covers the background.
fn premultiplied(operator: f64, colour: [f64; 3], opacity: f64) -> [f32; 4] {
    // Light may add up beyond 1, cover may not.
    let cover = opacity.min(1.0) * operator;
    let light = opacity * (1.0 - operator) + cover;
    let [red, green, blue] = colour.map(|channel| (channel * light) as f32);
    [red, green, blue, cover as f32]
}
