//! The view of a frame: the output, the place of the box, camera and shading settings.

use super::axes;
use super::controls::kind;
use super::controls::{Id, LightField, has_fuel, light_count};
use super::files::Files;
use super::inputs;
use super::particle_file::ParticleFile;
use super::shock_cells::Jet;
use super::values::{BoxSize, colour, number};
use crate::nodes::common::camera::{Lens, Viewpoint, lens};
use crate::nodes::common::catcher;
use crate::nodes::common::controls::Controls as _;
use crate::nodes::common::geometry::Rect;
use crate::nodes::common::overlay::Space;
use crate::nodes::common::pictures::Pictures;
use crate::nodes::common::values::Values;
use crate::ofx::Result;
use crate::picture::camera::Camera;
use crate::picture::catcher::{Catcher, Surface};
use crate::picture::smoke::Fire;
use crate::picture::smoke::blackbody::WorkingSpace;
use crate::picture::volume::{Exposure, Layer, Light, LightKind, Sky, Slice, SliceField, VolumeLook};
use crate::sim::grid::Grid;

/// Length over which the optical depths of `VolumeLook` are given, world units.
const DEPTH: f64 = 100.0;

/// Mean cosine of the backward lobe, as a factor of that of the forward lobe.
const BACKWARD: f64 = -0.5;

/// Darkest fire, stops.
const DARK: f64 = -20.0;

/// Cells in the height of a flame, for gradients of its blue base.
const FLAME: f64 = 120.0;

/// Share of the angle of a spot's cone within which its light is whole.
const WHOLE: f64 = 0.7;

/// The parameters of the camera.
pub const LENS: Lens<Id> = lens!();

/// The content of the picture of a frame.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Output {
    /// A picture of the medium in light, or data along rays.
    Layer(Layer),
    /// Values as they are simulated.
    Slice(Slice),
}

/// The view of a frame. The unit of length of its shading settings is the height of the box; `View::look` converts them
/// to world units.
#[derive(Clone, Debug, PartialEq)]
pub struct View {
    /// The output.
    pub output: Output,
    /// Centre of the box, pixels.
    pub centre: [f64; 3],
    /// The camera.
    pub camera: Camera,
    /// Shading settings, with lengths in heights of the box and optical depths over one height.
    look: VolumeLook,
    /// Lights, with lengths in heights of the box and positions from the middle of its floor.
    lights: Vec<Light>,
    /// Jets with shock cells.
    jets: Vec<Jet>,
    /// Factor and turn of the light of the Environment.
    environment: [f64; 2],
    /// Time for which the shutter is open, frames.
    pub shutter: f64,
    /// Exposures within that time.
    pub exposures: Vec<Exposure>,
    /// Simulated frames per frame.
    pub time_scale: f64,
    /// Files for other programs.
    pub files: Option<Files>,
    /// Particles that light the smoke, or the error that the picture is.
    pub particles: Option<Result<ParticleFile, String>>,
    /// Texts for the artist.
    notices: Vec<String>,
}

impl View {
    /// Reads the parameters that have an effect on the output at a time.
    ///
    /// # Errors
    /// A call to the host fails.
    pub fn read(values: &impl Values<Id>, time: f64) -> Result<Self> {
        let Viewpoint { camera, notice } = LENS.read(values, time)?;
        let (particles, missing) = ParticleFile::read(values, time)?;
        let shutter = if Id::Shutter.matters(values, time)? { number(values, Id::Shutter, time)? } else { 0.0 };
        let environment = if Id::EnvironmentGain.matters(values, time)? {
            [number(values, Id::EnvironmentGain, time)?, number(values, Id::EnvironmentTurn, time)?]
        } else {
            [0.0; 2]
        };
        Ok(Self {
            output: output(values, time)?,
            centre: centre(values, time)?,
            camera,
            look: look(values, time)?,
            environment,
            shutter,
            exposures: exposures(values, time, shutter)?,
            time_scale: number(values, Id::TimeScale, time)?,
            lights: (0..light_count(values, time)?).map(|n| light(values, n, time)).collect::<Result<_>>()?,
            jets: Jet::read_all(values, time)?,
            files: Files::read(values, time)?,
            particles,
            notices: notice.into_iter().chain(missing).chain(axes::notices(values, time)?).collect(),
        })
    }

    /// Whether the output has light from all around.
    pub fn shows_surroundings(&self) -> bool {
        matches!(self.output, Output::Layer(Layer::Beauty | Layer::Ambient | Layer::Catcher))
    }

    /// The texts for the artist, with pictures of the inputs.
    pub fn notices(&self, pictures: &Pictures) -> Vec<String> {
        let missing = catcher::notice(self.look.catcher.as_ref(), pictures.get(inputs::DEPTH).is_some());
        self.notices.iter().cloned().chain(missing).collect()
    }

    /// The light of an Environment, rows of `width` pixels.
    pub fn sky(&self, pixels: &[[f32; 4]], width: usize) -> Sky {
        let [gain, turn] = self.environment;
        Sky::of_map(pixels, width).turned(turn, gain)
    }

    /// Converts a position in heights of the box, from the middle of its floor, to the world.
    fn place(&self, [x, y, z]: [f64; 3], height: f64) -> [f64; 3] {
        let [across, up, along] = self.centre;
        [across + x * height, up + (y - 0.5) * height, along + z * height]
    }

    /// Lights of a box of a height in world units.
    pub fn lights(&self, height: f64) -> Vec<Light> {
        let place = |position| self.place(position, height);
        let lights = self.lights.iter().map(|light| {
            let kind = match light.kind {
                LightKind::Directional { .. } => light.kind,
                LightKind::Point { position, reach } => {
                    LightKind::Point { position: place(position), reach: reach * height }
                }
                LightKind::Spot { position, reach, axis, cone } => {
                    LightKind::Spot { position: place(position), reach: reach * height, axis, cone }
                }
            };
            Light { kind, ..*light }
        });
        lights.collect()
    }

    /// Shading settings for a box, with lengths in world units.
    pub fn look(&self, size: &BoxSize, raster: &Grid) -> VolumeLook {
        let height = size.unit(raster).max(1e-9);
        let mut look = self.look.clone();
        look.density *= DEPTH / height;
        look.soot *= DEPTH / height;
        look.fire_depth *= height;
        look.detail.size *= height;
        let place = |position| self.place(position, height);
        look.shock_cells = self.jets.iter().map(|jet| jet.cells(height, raster, place)).collect();
        if let Some(Catcher { surface: Surface::Floor(floor), .. }) = &mut look.catcher {
            *floor = self.centre[1] - height / 2.0;
        }
        look
    }
}

/// The output at a time.
fn output(values: &impl Values<Id>, time: f64) -> Result<Output> {
    let layer = match values.choice(Id::Output, time)? {
        1 => Layer::Projected,
        2 => Layer::Alpha,
        3 => Layer::Depth,
        4 => Layer::Light(0),
        number @ 11..=13 => Layer::Light(number as usize - 10),
        5 => Layer::Ambient,
        6 => Layer::Emission,
        7 => Layer::Transmittance,
        8 => Layer::Position,
        9 => Layer::Normal,
        10 => Layer::Motion,
        14 => Layer::Catcher,
        15 => return Ok(Output::Slice(slice(values, time)?)),
        _ => Layer::Beauty,
    };
    Ok(Output::Layer(layer))
}

/// The slice at a time.
fn slice(values: &impl Values<Id>, time: f64) -> Result<Slice> {
    let field = match values.choice(Id::SliceField, time)? {
        1 => SliceField::Flame,
        2 => SliceField::Colour,
        3 => SliceField::Velocity,
        _ => SliceField::Scalars,
    };
    let axis = match values.choice(Id::SliceAxis, time)? {
        1 => 0,
        2 => 1,
        _ => 2,
    };
    Ok(Slice { axis, place: number(values, Id::SlicePlace, time)?, field })
}

/// Centre of the box, pixels.
///
/// # Errors
/// A call to the host fails.
pub fn centre(values: &impl Values<Id>, time: f64) -> Result<[f64; 3]> {
    let [x, y] = values.pair(Id::BoxCentre, time)?.map(|side| if side.is_finite() { side } else { 0.0 });
    Ok([x, y, number(values, Id::BoxDepth, time)?])
}

/// Exposures at even distances within the shutter's time; none without one.
fn exposures(values: &impl Values<Id>, time: f64, shutter: f64) -> Result<Vec<Exposure>> {
    if shutter <= 0.0 {
        return Ok(Vec::new());
    }
    let (count, now) = (values.int(Id::ShutterSamples, time)?.clamp(2, 64), centre(values, time)?);
    (0..count)
        .map(|number| {
            let offset = shutter * ((f64::from(number) + 0.5) / f64::from(count) - 0.5);
            let then = centre(values, time + offset)?;
            Ok(Exposure {
                camera: LENS.read(values, time + offset)?.camera,
                time: offset,
                shift: [0, 1, 2].map(|axis| then[axis] - now[axis]),
            })
        })
        .collect()
}

/// The box before the camera, in its heights from the middle of its floor.
///
/// # Errors
/// A call to the host fails.
pub fn space(values: &impl Values<Id>, time: f64, frame: Rect) -> Result<Option<Space>> {
    let Some(space) = Space::new(LENS.read(values, time)?.camera, frame) else { return Ok(None) };
    let [width, height, length] = [Id::BoxWidth, Id::BoxHeight, Id::BoxLength].map(|id| number(values, id, time));
    let (height, [x, y]) = (height?, values.pair(Id::BoxCentre, time)?);
    let unit = height * (frame[3] - frame[1]);
    let half = [width?, length?].map(|side| side / height / 2.0);
    let bounds = [-1.0, 1.0].map(|side| [half[0] * side, (side + 1.0) / 2.0, half[1] * side]);
    Ok(Some(space.with_box([x, y - unit / 2.0, number(values, Id::BoxDepth, time)?], unit, bounds)))
}

fn look(values: &impl Values<Id>, time: f64) -> Result<VolumeLook> {
    let mut look = VolumeLook::default();
    let double = |id| number(values, id, time);
    // Parameters without effect keep their defaults, so that an edit of one causes no new render.
    let shown = |id: Id, otherwise: f64| -> Result<f64> {
        if id.matters(values, time)? { number(values, id, time) } else { Ok(otherwise) }
    };
    look.density = double(Id::Opacity)?;
    look.soot = shown(Id::SootOpacity, 0.0)?;
    look.soot_albedo = shown(Id::SootAlbedo, look.soot_albedo)?;
    look.edge = [double(Id::EdgeLow)?, double(Id::EdgeHigh)?];
    look.sharpness = double(Id::Sharpness)?;
    look.detail.strength = double(Id::FineDetail)?;
    if look.detail.strength > 0.0 {
        (look.detail.size, look.detail.frame) = (double(Id::FineDetailSize)?, time);
        look.detail.octaves = values.int(Id::FineDetailOctaves, time)?.max(1) as usize;
        look.detail.contrast = double(Id::FineDetailContrast)?;
    }
    look.extinction = colour(values, Id::Absorption, time)?;
    look.absorbs_by_colour = values.choice(Id::AbsorptionFrom, time)? == 1;
    if Id::LightBehind.matters(values, time)? {
        look.behind = colour(values, Id::LightBehind, time)?;
    }
    if Id::Albedo.matters(values, time)? {
        look.albedo = colour(values, Id::Albedo, time)?.map(|channel| channel.min(1.0));
    }
    look.scattering = shown(Id::Scattering, look.scattering)?;
    let forward = shown(Id::Forward, look.lobes[0])?;
    look.lobes = [forward, forward * BACKWARD];
    if Id::SkyColour.matters(values, time)? {
        look.sky = Sky::between(colour(values, Id::SkyColour, time)?, colour(values, Id::GroundColour, time)?);
    }
    look.occlusion = shown(Id::Occlusion, look.occlusion)?;
    look.fire = fire(values, time)?;
    look.fire_depth = shown(Id::FireDepth, 0.1)?;
    look.catcher = catcher(values, time)?;
    if values.switch(Id::Draft, time)? {
        look.step = 1.0;
        look.detail.octaves = 1;
    }
    Ok(look)
}

/// The shadow catcher, with a floor at 0. A part without effect on the output is 0.
fn catcher(values: &impl Values<Id>, time: f64) -> Result<Option<Catcher>> {
    if !Id::Catcher.matters(values, time)? {
        return Ok(None);
    }
    let surface = match values.choice(Id::Catcher, time)? {
        1 => Surface::Floor(0.0),
        2 => Surface::Depth,
        _ => return Ok(None),
    };
    let casts = Id::CatcherShadow.matters(values, time)?;
    let cast = |id| if casts { number(values, id, time) } else { Ok(0.0) };
    let (shadow, softness) = (cast(Id::CatcherShadow)?, cast(Id::CatcherSoftness)?);
    Ok(Some(Catcher { surface, shadow, softness, reflectance: colour(values, Id::CatcherColour, time)? }))
}

fn fire(values: &impl Values<Id>, time: f64) -> Result<Fire> {
    let mut fire = Fire { opacity: number(values, Id::FireOpacity, time)?, ..Fire::default() };
    let glows = has_fuel(values, time)? || values.switch(Id::Glow, time)?;
    if !glows {
        (fire.exposure, fire.light, fire.opacity) = (DARK, 0.0, 0.0);
        return Ok(fire);
    }
    fire.working_space = WorkingSpace::of_option(values.choice(Id::WorkingSpace, time)?);
    for (id, value) in [
        (Id::FireExposure, &mut fire.exposure),
        (Id::FireKelvin, &mut fire.kelvin),
        (Id::FireEmber, &mut fire.ember),
        (Id::FlameCore, &mut fire.flame.core),
        (Id::BlueBase, &mut fire.flame.blue),
        (Id::FireLight, &mut fire.light),
    ] {
        if id.matters(values, time)? {
            *value = number(values, id, time)?;
        }
    }
    if fire.flame.blue == 0.0 {
        fire.flame.onset = -1.0;
    }
    fire.flame.rate = number(values, Id::BurnRate, time)?;
    fire.flame.size = FLAME;
    Ok(fire)
}

/// A light. One without effect on the output is black.
fn light(values: &impl Values<Id>, n: usize, time: f64) -> Result<Light> {
    use LightField as F;
    let id = |field| Id::Light(n, field);
    let mut light = Light {
        kind: LightKind::Directional { to_light: [0.0, 1.0, 0.0] },
        colour: [1.0; 3],
        intensity: 0.0,
        shadow: 0.0,
    };
    if !id(F::Intensity).matters(values, time)? {
        return Ok(light);
    }
    let double = |field| number(values, id(field), time);
    let to_light = || -> Result<[f64; 3]> {
        let (around, up) = (double(F::Direction)?.to_radians(), double(F::Elevation)?.to_radians());
        let across = libm::cos(up);
        Ok([across * libm::cos(around), across * libm::sin(around), libm::sin(up)])
    };
    let position = || -> Result<[f64; 3]> {
        Ok(values.triple(id(F::Position), time)?.map(|side| if side.is_finite() { side } else { 0.0 }))
    };
    light.kind = match values.choice(id(F::Type), time)? {
        kind::POINT => LightKind::Point { position: position()?, reach: double(F::Reach)? },
        kind::SPOT => {
            let end = double(F::Cone)?;
            let axis = to_light()?.map(|part| -part);
            LightKind::Spot { position: position()?, reach: double(F::Reach)?, axis, cone: [end * WHOLE, end] }
        }
        _ => LightKind::Directional { to_light: to_light()? },
    };
    light.colour = colour(values, id(F::Colour), time)?;
    light.intensity = double(F::Intensity)?;
    light.shadow = double(F::Shadow)?;
    Ok(light)
}
