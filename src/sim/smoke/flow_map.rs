//! Dye by a flow map: the maps of a frame, and the part of a sub-step that advects them and reads the dye.
//!
//! Every [`REMAP_FRAMES`] frames the dye becomes the base picture of a new map, and the dye fades from the old map to the
//! new one over [`FADE_FRAMES`], which hides the loss of sharpness of the remap. Without a measure of distortion the
//! frames of remaps depend on the number of frames alone.

use std::sync::Arc;

use super::field::FieldKind;
use super::state::{Air, Base, DyeMap, MapState};
use super::step::{FieldStamp, Step};
use crate::sim::fluid::flow_map::{FlowMap, IDENTITY};
use crate::sim::fluid::session::ask;
use crate::sim::fluid::{
    Advection, Backend, Domain, Failed, FieldId, GoOn, HostFields, Operation, Scalars, Session, VectorField,
};
use crate::sim::maths::clamp;
use crate::sim::memory::Values;
use crate::sim::request;

/// Frames from one remap to the next.
pub const REMAP_FRAMES: u32 = 10;

/// Frames over which the dye fades from the old map to the new one.
pub const FADE_FRAMES: u32 = REMAP_FRAMES / 2;

/// Largest shift of a grid since a remap that is told apart: beyond the size of any grid.
pub(super) const SHIFT_MAX: i32 = 1 << 18;

impl HostFields for Base {
    fn part(&self, _: usize) -> &[f32] {
        bytemuck::cast_slice(&self.0)
    }
}

/// The maps that the dye is read through.
#[derive(Clone, Copy)]
pub(super) struct Maps {
    pub map: FlowMap,
    /// The map that fades, and the share of the other.
    pub fading: Option<(FlowMap, f32)>,
}

impl Maps {
    /// Both maps.
    pub fn each(&self) -> impl Iterator<Item = &FlowMap> {
        [Some(&self.map), self.fading.as_ref().map(|fading| &fading.0)].into_iter().flatten()
    }

    /// Replaces the fields that stamps change by `make`.
    pub fn make_writable(&mut self, mut make: impl FnMut(&mut FieldId) -> Result<(), Failed>) -> Result<(), Failed> {
        let fading = self.fading.as_mut().map(|fading| &mut fading.0);
        for map in [Some(&mut self.map), fading].into_iter().flatten() {
            make(&mut map.map)?;
            make(&mut map.residual)?;
        }
        Ok(())
    }

    /// Drops the fields that a sub-step replaces.
    pub fn free<B: Backend>(&self, session: &mut Session<'_, B>) {
        for map in self.each() {
            session.free(&[map.map, map.residual]);
        }
    }
}

/// The maps of a frame, and their base pictures in the memory of the host.
pub(super) struct FrameMaps {
    pub maps: Maps,
    /// Frames since the last remap, from [`begin`](Self::begin) on with this one.
    age: u32,
    /// The base pictures of the map and of the one that fades; `None` for one that this frame makes.
    bases: [Option<Arc<Base>>; 2],
}

impl FrameMaps {
    /// The maps of a state, read only.
    pub fn load<B: Backend>(session: &mut Session<'_, B>, air: &Arc<Air>) -> Result<Option<FrameMaps>, Failed> {
        let Some(DyeMap { age, map, fading }) = &air.dye_map else { return Ok(None) };
        let owner: Arc<dyn HostFields> = Arc::clone(air) as _;
        let mut load = |of: &MapState, first: usize| {
            let base: Arc<dyn HostFields> = Arc::clone(&of.base) as _;
            let mut part =
                |owner: &Arc<dyn HostFields>, part| Ok(session.fields.add(session.backend.load(owner, part)?));
            let MapState { scale, shift, .. } = *of;
            Ok(FlowMap {
                map: part(&owner, first)?,
                residual: part(&owner, first + 1)?,
                base: part(&base, 0)?,
                scale,
                shift,
            })
        };
        // Maps come after the other parts. The share is that of the frame, see `begin`.
        let first = 4 + usize::from(air.temperature.is_some()) + 2 * usize::from(air.fire.is_some());
        let maps = Maps {
            map: load(map, first)?,
            fading: fading.as_ref().map(|of| Ok((load(of, first + 2)?, 0.0))).transpose()?,
        };
        let bases = [Some(Arc::clone(&map.base)), fading.as_ref().map(|of| Arc::clone(&of.base))];
        Ok(Some(FrameMaps { maps, age: *age, bases }))
    }

    /// Moves the maps by whole cells; the base pictures stay. Cells that enter have no dye.
    pub fn shift(
        &mut self,
        by: [i64; 2],
        mut shifted: impl FnMut(FieldId) -> Result<FieldId, Failed>,
    ) -> Result<(), Failed> {
        let fading = self.maps.fading.as_mut().map(|fading| &mut fading.0);
        for map in [Some(&mut self.maps.map), fading].into_iter().flatten() {
            (map.map, map.residual) = (shifted(map.map)?, shifted(map.residual)?);
            for (shift, by) in map.shift.iter_mut().zip(by) {
                let most = i64::from(SHIFT_MAX);
                *shift = i64::from(*shift).saturating_add(by).clamp(-most, most) as i32;
            }
        }
        Ok(())
    }

    /// The maps of a frame of `share` of a frame's time: those before it or, at a remap, a new one of the dye `colour`,
    /// with the old one fading.
    pub fn begin<B: Backend>(
        before: Option<FrameMaps>,
        session: &mut Session<'_, B>,
        domain: &Domain,
        colour: FieldId,
        share: f64,
    ) -> Result<FrameMaps, Failed> {
        let mut now = match before {
            Some(before) if before.age < REMAP_FRAMES => before,
            before => {
                let [old, _] = before.as_ref().map_or([None, None], |before| before.bases.clone());
                let fading = before.map(|before| (before.maps.map, 0.0));
                FrameMaps { maps: Maps { map: remap(session, domain, colour)?, fading }, age: 0, bases: [None, old] }
            }
        };
        if let Some(fading) = &mut now.maps.fading {
            let age = f64::from(now.age) + clamp(share, 0.0, 1.0);
            fading.1 = (age / f64::from(FADE_FRAMES + 1)) as f32;
        }
        now.age += 1;
        Ok(now)
    }

    /// The map, and the one that fades if it is part of the dye of the next frame.
    fn going_on(&self) -> impl Iterator<Item = FlowMap> + use<> {
        let fading = self.maps.fading.filter(|_| self.age < FADE_FRAMES).map(|fading| fading.0);
        [Some(self.maps.map), fading].into_iter().flatten()
    }

    /// The fields of a state, in the order of its parts.
    pub fn fields(&self) -> impl Iterator<Item = FieldId> + use<> {
        self.going_on().flat_map(|map| [map.map, map.residual])
    }

    /// Stores a new base picture in the memory of the host. Blocks.
    pub fn store_base<B: Backend>(&mut self, session: &mut Session<'_, B>) -> Result<(), Failed> {
        if self.bases[0].is_some() {
            return Ok(());
        }
        let buffer = session.fields.remove(self.maps.map.base);
        let values = session.backend.store(vec![buffer])?.pop().unwrap_or_default();
        let base = self.bases[0].insert(Arc::new(Base(values.cast())));
        let owner: Arc<dyn HostFields> = Arc::clone(base) as _;
        session.backend.stored(&owner, None);
        Ok(())
    }

    /// The maps of a state, from the values of their [`fields`](Self::fields).
    pub fn state(self, values: &mut dyn FnMut() -> Values<f32>) -> Option<DyeMap> {
        let bases = self.bases.iter().flatten();
        let mut states = self.going_on().zip(bases).map(|(FlowMap { scale, shift, .. }, base)| {
            let (map, residual) = (values().cast(), values().cast());
            MapState { base: Arc::clone(base), map, residual, scale, shift }
        });
        Some(DyeMap { age: self.age, map: states.next()?, fading: states.next() })
    }
}

/// The parts of a state that are of maps.
pub(super) fn parts(map: Option<&DyeMap>) -> impl Iterator<Item = &[f32]> {
    let both = map.into_iter().flat_map(|map| [Some(&map.map), map.fading.as_ref()]).flatten();
    both.flat_map(|of| [bytemuck::cast_slice(&of.map), bytemuck::cast_slice(&of.residual)])
}

/// A map with the dye as its base. Solid cells of the base have the dye beside them, so that readings along a solid are
/// not thinner.
fn remap<B: Backend>(session: &mut Session<'_, B>, domain: &Domain, colour: FieldId) -> Result<FlowMap, Failed> {
    let [width, height, _] = domain.size;
    let shape = FieldKind::Dye.shape([width, height]);
    let base = session.allocate(shape.len())?;
    let copy = match domain.solids {
        Some(_) => Operation::FillSolids { domain, from: colour, to: base },
        None => Operation::Copy { from: colour, to: base },
    };
    session.run(&[copy, Operation::Sanitise { field: base }])?;
    let identity = request::filled(width * height, IDENTITY);
    let map = session.upload(bytemuck::cast_slice(&identity))?;
    Ok(FlowMap { map, base, residual: session.zeros(shape.len())?, scale: 1.0, shift: [0; 2] })
}

/// The operation of a stamp that replaces dye, on a map.
pub(super) fn stamp_map<'a>(stamp: &FieldStamp, domain: &'a Domain, dye: FieldId, map: FlowMap) -> Operation<'a> {
    let ([x, y], [width, height]) = (stamp.first, stamp.size);
    Operation::StampMap {
        domain,
        stamp: stamp.stamp,
        first: [x, y, 0],
        size: [width, height, 1],
        values: stamp.values,
        dye,
        map,
    }
}

impl Step<'_> {
    /// Maps after a sub-step of advection, of which the residual of the first one is already known.
    pub(super) fn advect_maps<B: Backend>(
        &self,
        session: &mut Session<'_, B>,
        advection: Advection,
        backtrace: VectorField,
        (from, residual): (Maps, FieldId),
        go_on: GoOn<'_>,
    ) -> Result<Maps, Failed> {
        let domain = self.domain;
        let mut next = |of: FlowMap, residual: Option<FieldId>| {
            ask(go_on)?;
            let map = session.allocate(self.len(FieldKind::Dye))?;
            let mut list = vec![Operation::AdvectMap { domain, backtrace, from: of.map, to: map }];
            let to = match residual {
                Some(residual) => residual,
                None => {
                    let [from, to] = [of.residual, session.allocate(self.len(FieldKind::Dye))?]
                        .map(|colour| Scalars { colour, temperature: None });
                    list.push(Operation::AdvectScalars { domain, advection, backtrace, from, to });
                    to.colour
                }
            };
            session.run(&list)?;
            Ok(FlowMap { map, residual: to, scale: of.scale * advection.keep, ..of })
        };
        let map = next(from.map, Some(residual))?;
        let fading = from.fading.map(|(of, share)| Ok((next(of, None)?, share))).transpose()?;
        Ok(Maps { map, fading })
    }

    /// The dye of maps, as a new field.
    pub(super) fn read_maps<B: Backend>(&self, session: &mut Session<'_, B>, maps: Maps) -> Result<FieldId, Failed> {
        let to = session.allocate(self.len(FieldKind::Dye))?;
        session.run(&[Operation::ReadMap { domain: self.domain, map: maps.map, fading: maps.fading, to }])?;
        Ok(to)
    }
}

/// The share of a frame that a task of `time` frames simulates.
pub(super) fn share_of_frame(time: f64, frame_time: f64) -> f64 {
    if frame_time > 0.0 { time / frame_time } else { 1.0 }
}
