//! The state of the start frame: water level, source, and one frame of emitters and rain, without a time step.

use std::sync::Arc;

use super::amounts;
use super::buffers::StateBuffers;
use super::field::Field;
use super::fixed_point::{HEIGHT_MAX, PIGMENT_MAX, to_units};
use super::frame::{Part, Scene};
use super::inputs::Inputs;
use super::plan::{Device, Water};
use super::ripples;
use super::settings::Settings;
use super::state::{Diagnostics, Ledger, Spec, State};
use super::surface_maps;
use crate::sim::maths::clamp;

/// The state of the start frame: water up to the level of the settings, the water of the source, in any source mode,
/// and one frame of emitters and rain.
pub fn start_frame(spec: &Spec, settings: &Settings, inputs: &Inputs, device: &dyn Device) -> (State, Diagnostics) {
    let scene = Scene::new(spec, None, settings, inputs, device);
    let basis = scene.basis(1);
    let mut amounts = Vec::new();
    let mut diagnostics = Diagnostics::default();
    if let Some(source) = &inputs.source {
        let found = amounts::source(&basis, settings, source, 1.0);
        diagnostics.bad_pixels.source = found.bad;
        diagnostics.luminance_for_alpha = found.luminance_for_alpha;
        diagnostics.alpha_everywhere = found.alpha_everywhere;
        amounts.push(scene.blurred(found.amounts, 1));
    }
    amounts.extend(scene.inflow(settings, Part::WHOLE, 1));

    let mut sum = scene.field(4);
    let mut clamped = scene.fill(&mut sum, settings);
    for field in &amounts {
        for plane in 0..4 {
            let top = if plane == 0 { HEIGHT_MAX } else { PIGMENT_MAX };
            for y in 1..=sum.height() {
                for (a, &b) in sum.row_mut(y, plane).iter_mut().zip(field.row(y, plane)) {
                    let whole = i64::from(*a) + i64::from(b);
                    *a = whole.min(i64::from(top)) as i32;
                    if plane == 0 {
                        clamped += whole - i64::from(*a);
                    }
                }
            }
        }
    }
    let mut height = scene.field(1);
    let mut pigment = scene.field(3);
    for y in 1..=height.height() {
        height.row_mut(y, 0).copy_from_slice(sum.row(y, 0));
        for channel in 0..3 {
            pigment.row_mut(y, channel).copy_from_slice(sum.row(y, channel + 1));
        }
    }
    clamped += scene.raise(&mut height);
    let flow = scene.field(scene.flow_planes());
    let water = Water { height, flow, pigment: (!pigment.is_zero()).then_some(pigment) };
    let ledger = Ledger { start: water.totals(), ..Ledger::default() };
    diagnostics.clamped = clamped;
    scene.count_bad(&mut diagnostics);
    let state = scene.state(Arc::new(StateBuffers::new(water)), 0.0, ledger);
    let frame = surface_maps::Frame { previous: None, settings, inflows: &[], time: 0.0, steps: 0 };
    (surface_maps::advected(state, &frame, device), diagnostics)
}

/// Level of the surface at the start, clamped to 0 … 65,536.
pub(super) fn level(settings: &Settings) -> f64 {
    clamp(settings.water_level, 0.0, 65536.0)
}

impl Scene<'_> {
    /// Raises the height of all open cells to the level of the settings, without pigment, and returns the water above
    /// `HEIGHT_MAX`, units. Not for Ripples, whose rest level `raise` adds.
    fn fill(&self, height: &mut Field, settings: &Settings) -> i64 {
        let level = to_units(level(settings), self.units, 0, HEIGHT_MAX).unwrap_or(0);
        if level == 0 || self.pyramid.is_some() {
            return 0;
        }
        let mut clamped = 0;
        for (y, x) in (0..self.grid.height).flat_map(|y| (0..self.grid.width).map(move |x| (y, x))) {
            if self.domain.solid().is_some_and(|solid| solid[y * self.grid.width + x]) {
                continue;
            }
            let depth = (level - self.terrain.as_ref().map_or(0, |terrain| terrain.at(x, y, 0))).max(0);
            let kept = depth.min(HEIGHT_MAX);
            clamped += i64::from(depth - kept);
            height.set(x, y, 0, kept);
        }
        clamped
    }

    /// Converts heights of Ripples from deviations from rest to the heights of a state, which are not negative: limits
    /// each to ±`DEVIATION` and adds `REST`. Returns the water that the limit removes, units.
    fn raise(&self, height: &mut Field) -> i64 {
        if self.pyramid.is_none() {
            return 0;
        }
        let mut clamped = 0;
        for cell in 0..self.grid.cells() {
            let (x, y) = (cell % self.grid.width, cell / self.grid.width);
            let solid = self.domain.solid().is_some_and(|solid| solid[cell]);
            let deviation = height.at(x, y, 0);
            let kept = deviation.clamp(-ripples::DEVIATION, ripples::DEVIATION);
            clamped += i64::from(deviation - kept);
            height.set(x, y, 0, if solid { 0 } else { ripples::REST + kept });
        }
        clamped
    }
}
