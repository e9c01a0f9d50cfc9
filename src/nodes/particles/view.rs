//! The view of a frame: the output and its shading settings.

use super::controls::{EMITTERS, EmitterField, Id, MOST_FRAMES};
use super::files::Files;
use super::grids;
use super::places::{self, Anchor};
use super::smoke_file::SmokeFile;
use super::values::{Span, births, capacity, is_on, number, pair, seed};
use crate::nodes::common::camera::{Lens, Viewpoint, lens};
use crate::nodes::common::controls::Controls as _;
use crate::nodes::common::geometry::Rect;
use crate::nodes::common::overlay::Space;
use crate::nodes::common::shared::Shared;
use crate::nodes::common::values::Values;
use crate::ofx::Result;
use crate::picture::catcher::{Catcher, Surface};
use crate::picture::particles::{Atlas, DepthOfField, EmitterLook, Look, Output, Sprite};
use crate::sim::particles::births::PIECES;
use crate::sim::particles::settings::EMITTERS as MOST;

/// Largest number of frames after the shown one whose births are read.
const FARTHEST: f64 = 10_000.0;

/// Future births of an emitter, in each eighth of the frames after the shown one. They end the lives of particles where
/// the capacity is reached.
#[derive(Clone, Debug, PartialEq)]
pub struct Ahead {
    /// Births of each frame.
    pub births: Vec<[f64; PIECES]>,
    /// Largest number of its particles.
    pub capacity: usize,
}

/// The output and its shading settings.
#[derive(Clone, Debug, PartialEq)]
pub struct View {
    /// Shading settings, without future births.
    pub look: Look,
    /// Future births of each emitter.
    pub ahead: [Option<Ahead>; MOST],
    /// Smoke before the sprites, or the error that the picture is.
    pub smoke: Option<Result<SmokeFile, String>>,
    /// Files for other programs.
    pub files: Option<Files>,
    /// Texts for the artist.
    pub notices: Vec<String>,
}

/// The scene before the camera.
///
/// # Errors
/// A call to the host fails.
pub fn space(values: &impl Values<Id>, time: f64, frame: Rect) -> Result<Option<Space>> {
    let Some(mut space) = Space::new(LENS.read(values, time)?.camera, frame) else { return Ok(None) };
    for place in places::places(values, time)? {
        if let Some(Anchor { position, is_tracked }) = place.anchor(values, frame, time)? {
            space = space.with_anchor(place.centre.control().name, position, is_tracked);
        }
    }
    Ok(Some(space))
}

impl View {
    /// Reads the parameters that have an effect on the output at a time.
    ///
    /// # Errors
    /// A call to the host fails.
    pub fn read(values: &impl Values<Id>, time: f64) -> Result<Self> {
        let output = match values.choice(Id::Output, time)? {
            1 => Output::Depth,
            2 => Output::Motion,
            3 => Output::Identity,
            4 => Output::Count,
            5 => Output::Emission,
            _ => Output::Beauty,
        };
        let shown = |id: Id, otherwise: f64| -> Result<f64> {
            if id.matters(values, time)? { number(values, id, time) } else { Ok(otherwise) }
        };
        let mut emitters = [None; MOST];
        let mut ahead = [const { None }; MOST];
        for n in 0..EMITTERS {
            if is_on(values, n, time)? {
                emitters[n] = Some(emitter(values, n, time)?);
                ahead[n] = Some(look_ahead(values, n, time)?);
            }
        }
        let share = number(values, Id::Share, time)?;
        let shutter = shown(Id::Shutter, 0.0)?;
        let Viewpoint { camera, notice } = LENS.read(values, time)?;
        let (smoke, missing) = SmokeFile::read(values, time)?;
        Ok(Self {
            look: Look {
                output,
                emitters,
                futures: [const { None }; MOST],
                scale: 1.0 / libm::sqrt(share),
                shutter,
                camera,
                moving: LENS.around(values, time, [-shutter / 2.0, shutter / 2.0, -0.5, 0.5])?,
                focus: focus(values, time)?,
                atlas: atlas(values, time)?,
                light: [shown(Id::LightDirection, 0.0)?, shown(Id::LightElevation, 90.0)?],
                ambient: shown(Id::AmbientLight, 1.0)?,
                self_shadow: shown(Id::SelfShadow, 0.0)?,
                sprite_light: shown(Id::SpriteLight, 0.0)?,
                catcher: catcher(values, time)?,
                near_fade: number(values, Id::NearFade, time)?,
                soft_depth: number(values, Id::SoftDepth, time)?,
            },
            ahead,
            smoke,
            files: Files::read(values, time)?,
            notices: notice
                .into_iter()
                .chain(missing)
                .chain(places::notices(values, time)?)
                .chain(grids::notice(values, time)?)
                .collect(),
        })
    }
}

/// The parameters of the camera.
pub const LENS: Lens<Id> = lens!();

/// The focus of the camera, where it is on.
fn focus(values: &impl Values<Id>, time: f64) -> Result<Option<DepthOfField>> {
    if !values.switch(Id::DepthOfField, time)? {
        return Ok(None);
    }
    let double = |id| number(values, id, time);
    Ok(Some(DepthOfField { focus: double(Id::FocalPoint)?, stop: double(Id::FStop)?, width: double(Id::SceneWidth)? }))
}

/// The shadow catcher.
fn catcher(values: &impl Values<Id>, time: f64) -> Result<Option<Catcher>> {
    if !Id::Catcher.matters(values, time)? {
        return Ok(None);
    }
    let surface = match values.choice(Id::Catcher, time)? {
        1 => Surface::Floor(pair(values, Id::CatcherPoint, time)?[1]),
        2 => Surface::Depth,
        _ => return Ok(None),
    };
    let reflectance = values.colour(Id::CatcherColour, time)?;
    let casts = Id::CatcherShadow.matters(values, time)?;
    let cast = |id| if casts { number(values, id, time) } else { Ok(0.0) };
    let (shadow, softness) = (cast(Id::CatcherShadow)?, cast(Id::CatcherSoftness)?);
    Ok(Some(Catcher { surface, shadow, softness, reflectance }))
}

/// The frames of the picture of sprites; one where no emitter shows it.
fn atlas(values: &impl Values<Id>, time: f64) -> Result<Atlas> {
    if !Id::SpriteColumns.matters(values, time)? {
        return Ok(Atlas { frames: [1; 2], by_age: false });
    }
    let count = |id| -> Result<usize> { Ok(values.int(id, time)?.clamp(1, MOST_FRAMES) as usize) };
    Ok(Atlas {
        frames: [count(Id::SpriteColumns)?, count(Id::SpriteRows)?],
        by_age: values.choice(Id::SpriteFrames, time)? == 1,
    })
}

fn emitter(values: &impl Values<Id>, n: usize, time: f64) -> Result<EmitterLook> {
    use EmitterField as F;
    let id = |field| Id::Emitter(n, field);
    let double = |field| number(values, id(field), time);
    let keys = |field| pair(values, id(field), time);
    let ([s0, s1], [s2, s3]) = (keys(F::SizeYoung)?, keys(F::SizeOld)?);
    let [o0, o1] = keys(F::OpacityYoung)?;
    let colour = |field| -> Result<[f64; 3]> {
        Ok(values.colour(id(field), time)?.map(|value| if value.is_finite() { value.clamp(-1e6, 1e6) } else { 0.0 }))
    };
    Ok(EmitterLook {
        sprite: match values.choice(id(F::Sprite), time)? {
            0 => Sprite::Disc,
            2 => Sprite::Spark,
            3 => Sprite::Puff,
            4 => Sprite::Star,
            5 => Sprite::Flake,
            6 => Sprite::Picture,
            7 => Sprite::Shard,
            _ => Sprite::SoftDisc,
        },
        size: double(F::Size)?,
        size_spread: double(F::SizeSpread)?,
        size_skew: double(F::SizeSkew)?,
        sizes: [s0, s1, s2, s3],
        opacity: double(F::Opacity)?,
        opacities: [o0, o1, double(F::OpacityLate)?, double(F::OpacityEnd)?],
        shock_cells: double(F::ShockCells)?,
        colours: [colour(F::ColourBirth)?, colour(F::ColourMiddle)?, colour(F::ColourEnd)?],
        brightness: double(F::Brightness)?,
        cover: double(F::Cover)?,
        stretch: double(F::Stretch)?,
        spin: double(F::Spin)?,
        tumble: double(F::Tumble)?,
        seed: seed(values, n, time)?,
    })
}

/// The births of an emitter after the shown frame, until their number reaches the capacity, but at most for the longest
/// life of a particle.
fn look_ahead(values: &impl Values<Id>, n: usize, time: f64) -> Result<Ahead> {
    let start = values.int(Id::Shared(Shared::StartFrame), time)?;
    let shown = libm::floor(time + 1e-6).max(f64::from(start));
    let capacity = capacity(values, n, time)?;
    let double = |field| number(values, Id::Emitter(n, field), shown);
    let wait = double(EmitterField::ReleaseDelay)? + double(EmitterField::ReleaseFront)?;
    let life = wait + double(EmitterField::Life)? * (1.0 + double(EmitterField::LifeSpread)?);
    let mut ahead = Ahead { births: Vec::new(), capacity };
    let mut sum = 0.0;
    while sum < capacity as f64 && (ahead.births.len() as f64) < life.min(FARTHEST) {
        let from = shown + ahead.births.len() as f64;
        let span = Span { frame: from as i64 + 1, end: from + 1.0, start: Some(from) };
        let births = births(values, n, span)?;
        sum += births.iter().sum::<f64>();
        ahead.births.push(births);
    }
    Ok(ahead)
}
