//! The actions of the host, for every node.

use std::ffi::CStr;

use super::controls::{Controls as _, Invalidates};
use super::describe::OUTPUT;
use super::instance::Instance;
use super::node::{Input, Node};
use super::planes::{self, Showing};
use super::presets::Value;
use super::shared::{MOST_START, Shared};
use super::values::Values;
use super::{bake, describe, overlay, panel_state, presets, render};
use crate::nodes::engine::engine;
use crate::nodes::quirks;
use crate::ofx::{
    Answer, ChangeReason, ChangedArgs, ChangedKind, ClipPlanes, ClipPreferences, Components, Context, Drawing, Effect,
    EffectDescriptor, EffectHandle, FrameArgs, FramesNeeded, Host, Identity, Pen, PenResponse, Plane, RangeD, RectD,
    RegionsOfInterest, RenderArgs, Result, SequenceArgs, Viewer,
};

impl<N: Node> Effect for N {
    const IDENTIFIER: &'static CStr = N::ABOUT.identifier;
    const LABEL: &'static CStr = N::ABOUT.label;
    const VERSION: (u32, u32) = N::ABOUT.version;
    type Instance = Instance<N>;

    fn unload() {
        engine().shut_down();
    }

    fn describe(host: &Host, descriptor: &mut EffectDescriptor<'_>) -> Result<()> {
        describe::effect::<N>(host, descriptor);
        Ok(())
    }

    fn describe_in_context(host: &Host, descriptor: &mut EffectDescriptor<'_>, context: Context) -> Result<()> {
        describe::context::<N>(host, descriptor, context)
    }

    fn create_instance(effect: &EffectHandle<'_>) -> Result<Instance<N>> {
        effect.set_supports_tiles(false);
        effect.set_sequential_render(describe::IN_ORDER_PREFERRED);
        let instance = Instance::create(effect)?;
        panel_state::update(&instance, effect, 0.0);
        Ok(instance)
    }

    fn render(instance: &Instance<N>, effect: &EffectHandle<'_>, args: &RenderArgs) -> Result<Answer> {
        render::render(instance, effect, args)
    }

    fn is_identity(instance: &Instance<N>, effect: &EffectHandle<'_>, args: &FrameArgs) -> Result<Option<Identity>> {
        let panel = instance.panel(effect, 0);
        let start = panel.int(N::Id::shared(Shared::StartFrame), args.time)?;
        let before = args.time < f64::from(start) && quirks::passes_own_output(effect.host());
        // Where the choice of output has keys, the frames before the start may differ.
        let view = N::view(&panel, args.time)?;
        let mut alike = view == N::view(&panel, f64::from(start))?;
        for layer in planes::offered::<N>(effect.host()) {
            let layer = Showing::new(&panel, Some(layer));
            alike &= N::view(&layer, args.time)? == N::view(&layer, f64::from(start))?;
        }
        // Frames before the start may also differ where the view contains an input.
        let still = !instance.clips.iter().any(|(input, _, clip)| N::shows(&view, input) && clip.connected(effect));
        Ok((before && alike && still).then(|| Identity { clip: OUTPUT, time: f64::from(start) }))
    }

    fn region_of_definition(
        instance: &Instance<N>,
        effect: &EffectHandle<'_>,
        args: &FrameArgs,
    ) -> Result<Option<RectD>> {
        let region = render::region(instance, effect, args.time)?;
        Ok(region.map(|[x1, y1, x2, y2]| RectD { x1, y1, x2, y2 }))
    }

    fn regions_of_interest(
        instance: &Instance<N>,
        effect: &EffectHandle<'_>,
        regions: &mut RegionsOfInterest<'_>,
    ) -> Result<Answer> {
        let panel = instance.panel(effect, 0);
        // A render may paint other planes and write files, whose views contain other inputs.
        let mut views = vec![N::view(&panel, regions.time)?];
        let files = N::view(&Showing::for_files(&panel), regions.time)?;
        if N::exports(&files) {
            views.push(files);
        }
        for layer in planes::offered::<N>(effect.host()) {
            views.push(N::view(&Showing::new(&panel, Some(layer)), regions.time)?);
        }
        let is_shown = |place| views.iter().any(|view| N::shows(view, place));
        for (place, input, clip) in instance.clips.iter().filter(|(.., clip)| clip.connected(effect)) {
            if !enters::<N>(&panel, regions.time, (place, input))? && !is_shown(place) {
                regions.set(input.name, RectD { x1: 0.0, y1: 0.0, x2: 0.0, y2: 0.0 })?;
            } else if let Ok(region) = clip.region_of_definition(effect, regions.time) {
                regions.set(input.name, region)?;
            }
        }
        Ok(Answer::Done)
    }

    fn frames_needed(
        instance: &Instance<N>,
        effect: &EffectHandle<'_>,
        frames: &mut FramesNeeded<'_>,
    ) -> Result<Answer> {
        let panel = instance.panel(effect, 0);
        let whole_range = panel.choice(N::Id::shared(Shared::DeclareFrames), frames.time)? == 1;
        let start = if whole_range {
            f64::from(panel.int(N::Id::shared(Shared::StartFrame), frames.time)?)
        } else {
            frames.time
        };
        let range = RangeD { min: start.min(frames.time), max: frames.time.max(start) };
        for (place, input, _) in instance.clips.iter() {
            let alone = RangeD { min: frames.time, max: frames.time };
            let enters = enters::<N>(&panel, frames.time, (place, input))?;
            frames.set(input.name, &[if enters { range } else { alone }])?;
        }
        Ok(Answer::Done)
    }

    fn clip_preferences(
        instance: &Instance<N>,
        effect: &EffectHandle<'_>,
        preferences: &mut ClipPreferences<'_>,
    ) -> Result<Answer> {
        // A host without RGBA gets the channels of the components that it has.
        let offered = &effect.host().info().components;
        if offered.is_empty() || offered.iter().any(|name| Components::parse(name) == Some(Components::Rgba)) {
            preferences.components(OUTPUT, Components::Rgba);
        }
        if planes::come_by_components::<N>(effect.host()) {
            preferences.motion_planes(OUTPUT);
        }
        preferences
            .premultiplication(N::premultiplication(&N::view(&instance.panel(effect, 0), 0.0)?))
            .frame_varying(true)
            .continuous_samples(!quirks::ignores_time(effect.host()));
        Ok(Answer::Done)
    }

    fn clip_planes(instance: &Instance<N>, effect: &EffectHandle<'_>, planes: &mut ClipPlanes<'_>) -> Result<Answer> {
        let layers = planes::offered::<N>(effect.host()).map(|layer| layer.plane);
        planes.set(OUTPUT, [Plane::Colour].into_iter().chain(layers))?;
        for (_, input, _) in instance.clips.iter() {
            planes.set(input.name, [Plane::Colour])?;
        }
        Ok(Answer::Done)
    }

    fn instance_changed(instance: &Instance<N>, effect: &EffectHandle<'_>, args: &ChangedArgs) -> Result<Answer> {
        let _edit = Edit::begin(args.reason);
        if args.reason != ChangeReason::UserEdited {
            return Ok(Answer::Default);
        }
        match args.kind {
            ChangedKind::Clip => {
                if let Some(input) = N::INPUTS.iter().position(|input| input.text() == args.name) {
                    instance.memory.forget(input);
                }
            }
            ChangedKind::Param => {
                instance.assign_identity(effect, &args.name, args.time);
                param_changed(instance, effect, &args.name, args.time)?;
                panel_state::update(instance, effect, args.time);
            }
            ChangedKind::Other => return Ok(Answer::Default),
        }
        instance.show_report(effect);
        Ok(Answer::Done)
    }

    fn begin_instance_changed(_: &Instance<N>, _: &EffectHandle<'_>, reason: ChangeReason) -> Result<Answer> {
        let _edit = Edit::begin(reason);
        Ok(Answer::Default)
    }

    fn end_instance_changed(instance: &Instance<N>, effect: &EffectHandle<'_>, reason: ChangeReason) -> Result<Answer> {
        let _edit = Edit::begin(reason);
        if reason != ChangeReason::UserEdited {
            return Ok(Answer::Default);
        }
        instance.update_digest(effect, false);
        Ok(Answer::Done)
    }

    fn end_sequence_render(_instance: &Instance<N>, effect: &EffectHandle<'_>, args: &SequenceArgs) -> Result<Answer> {
        // Waits for the disk: a process of a farm may end after this action without unloading the library. There is no
        // wait in a host that ends a sequence after every frame.
        if !args.interactive && !quirks::brackets_every_frame(effect.host()) {
            engine().disks().flush(&mut || !effect.abort());
            render::post_notices(effect);
        }
        Ok(Answer::Default)
    }

    fn purge_caches(instance: &Instance<N>, _effect: &EffectHandle<'_>) -> Result<Answer> {
        engine().note_edit();
        instance.purge();
        Ok(Answer::Done)
    }

    fn sync_private_data(instance: &Instance<N>, effect: &EffectHandle<'_>) -> Result<Answer> {
        engine().note_edit();
        instance.identity.assign(effect, &instance.params, false);
        instance.update_digest(effect, false);
        instance.show_report(effect);
        Ok(Answer::Done)
    }

    fn overlay() -> Vec<&'static CStr> {
        overlay::names::<N>()
    }

    fn draw_overlay(
        instance: &Instance<N>,
        effect: &EffectHandle<'_>,
        viewer: &Viewer,
        drawing: &mut Drawing<'_>,
    ) -> Result<()> {
        overlay::draw(instance, effect, viewer, drawing)
    }

    fn pen(instance: &Instance<N>, effect: &EffectHandle<'_>, viewer: &Viewer, pen: &Pen) -> Result<PenResponse> {
        overlay::pen(instance, effect, viewer, pen)
    }

    fn leave_overlay(instance: &Instance<N>, effect: &EffectHandle<'_>) {
        overlay::leave(instance, effect);
    }
}

/// A change that the host reports. The counter of changes goes up when the change begins and when it ends: renders may
/// run meanwhile, and the node may set parameters in response. A change of the time does not count.
struct Edit(bool);

impl Edit {
    fn begin(reason: ChangeReason) -> Self {
        let edit = Self(reason != ChangeReason::Time);
        edit.note();
        edit
    }

    fn note(&self) {
        if self.0 {
            engine().note_edit();
        }
    }
}

impl Drop for Edit {
    fn drop(&mut self) {
        self.note();
    }
}

/// Whether states may depend on an input, given by its index among those of the node.
fn enters<N: Node>(values: &impl Values<N::Id>, time: f64, (place, input): (usize, &Input)) -> Result<bool> {
    Ok(input.invalidates == Invalidates::Simulation && N::simulates_with(values, time, place)?)
}

/// Reacts to a user's edit of a parameter.
fn param_changed<N: Node>(instance: &Instance<N>, effect: &EffectHandle<'_>, name: &str, time: f64) -> Result<()> {
    let Some(changed) = N::Id::controls().iter().find(|control| control.name.to_bytes() == name.as_bytes()) else {
        return Ok(());
    };
    if let Some((choice, presets)) = N::Id::PRESETS
        && changed.id == choice
    {
        let option = instance.panel(effect, 0).choice(choice, time)?;
        let preset = usize::try_from(option).ok().and_then(|option| presets().get(option.checked_sub(1)?));
        if !instance.undo.undo_preset(effect, &instance.params, option) {
            let ids = preset.map_or(&[][..], |preset| &preset.values).iter().map(|(id, _)| *id);
            instance.undo.record(effect, &instance.params, (option, time), ids, || {
                preset.map_or(Ok(()), |preset| presets::apply(instance, effect, preset, time))
            })?;
        }
        instance.update_digest(effect, false);
    }
    instance.undo.follow(effect, &instance.params, changed.id, time);
    let is = |which| changed.id == N::Id::shared(which);
    if is(Shared::Refresh) {
        instance.memory.forget_all();
        instance.update_digest(effect, true);
    } else if is(Shared::StartHere) {
        let frame = time.round().clamp(f64::from(-MOST_START), f64::from(MOST_START)) as i32;
        instance.params.set(effect, N::Id::shared(Shared::StartFrame), Value::Int(frame))?;
        instance.update_digest(effect, false);
    } else if is(Shared::Bake) {
        bake::bake(instance, effect, time)?;
    } else if is(Shared::ClearDisk) {
        bake::clear(instance, effect, time)?;
    } else if instance.invalidates_states(effect, changed.id) {
        instance.update_digest(effect, false);
    }
    Ok(())
}
