//! The Flow node: water on a height field.
//!
//! | file | what |
//! |---|---|
//! | `controls` | every parameter, once |
//! | `describe` | what the host is told before there is a node |
//! | `instance`, `params` | a node's handles and memories |
//! | `values` | parameter values as settings of the water |
//! | `geometry`, `feed` | the host's rectangles and images as the grid and its pictures |
//! | `shot` | all of that as the timeline wants it |
//! | `initial` | a file as its start |
//! | `stage` | what the three above are made of |
//! | `cache`, `stored`, `bake` | the folder on disk, what is in its files, its buttons |
//! | `present` | the water in a host that shows the present only |
//! | `render`, `report` | a frame, and what there is to tell of it |
//! | this file | the host's actions |

mod bake;
mod cache;
pub mod controls;
mod describe;
mod feed;
pub mod geometry;
mod initial;
mod instance;
mod params;
mod present;
mod render;
mod report;
pub mod shot;
mod stage;
pub mod stored;
pub mod values;

use std::ffi::CStr;

use controls::{CONTROLS, Id, control};
use instance::Instance;
use shot::Input;
use values::Values as _;

use crate::nodes::controls::Reach;
use crate::nodes::engine::engine;
use crate::nodes::quirks;
use crate::ofx::{
    Answer, ChangeReason, ChangedArgs, ChangedKind, ClipPreferences, Components, Context, Effect, EffectDescriptor,
    EffectHandle, FrameArgs, FramesNeeded, Host, Identity, IdentityArgs, Premultiplication, RangeD, RectD,
    RegionsOfInterest, RenderArgs, Result, SequenceArgs,
};

/// The node type.
pub struct Flow;

const OUTPUT: &CStr = c"Output";

impl Effect for Flow {
    const IDENTIFIER: &'static CStr = c"org.flowofx.Flow";
    const LABEL: &'static CStr = c"Flow";
    const VERSION: (u32, u32) = (1, 1);
    type Instance = Instance;

    fn unload() {
        engine().rest();
    }

    fn describe(host: &Host, descriptor: &mut EffectDescriptor<'_>) -> Result<()> {
        describe::effect(host, descriptor);
        Ok(())
    }

    fn describe_in_context(host: &Host, descriptor: &mut EffectDescriptor<'_>, context: Context) -> Result<()> {
        describe::context(host, descriptor, context)
    }

    fn create_instance(effect: &EffectHandle<'_>) -> Result<Instance> {
        effect.set_supports_tiles(false);
        effect.set_sequential_render(describe::IN_ORDER_PREFERRED);
        Instance::create(effect)
    }

    fn render(instance: &Instance, effect: &EffectHandle<'_>, args: &RenderArgs) -> Result<Answer> {
        render::render(instance, effect, args)
    }

    fn is_identity(instance: &Instance, effect: &EffectHandle<'_>, args: &IdentityArgs) -> Result<Option<Identity>> {
        let start = instance.panel(effect, 0).int(Id::StartFrame, args.time)?;
        let before = args.time < f64::from(start) && quirks::passes_own_output(effect.host());
        // The output choice may be animated; then the frames before the start are not all alike.
        let panel = instance.panel(effect, 0);
        let alike = values::output(&panel, args.time)? == values::output(&panel, f64::from(start))?;
        Ok((before && alike).then(|| Identity { clip: OUTPUT, time: f64::from(start) }))
    }

    fn region_of_definition(instance: &Instance, effect: &EffectHandle<'_>, args: &FrameArgs) -> Result<Option<RectD>> {
        let region = render::region(instance, effect, args.time)?;
        Ok(region.map(|[x1, y1, x2, y2]| RectD { x1, y1, x2, y2 }))
    }

    fn regions_of_interest(
        instance: &Instance,
        effect: &EffectHandle<'_>,
        regions: &mut RegionsOfInterest<'_>,
    ) -> Result<Answer> {
        for (input, clip) in Input::ALL.into_iter().zip(&instance.clips) {
            let Some(clip) = clip.as_ref().filter(|clip| clip.connected(effect)) else { continue };
            if let Ok(region) = clip.region_of_definition(effect, regions.time) {
                regions.set(input.clip_name(), region)?;
            }
        }
        Ok(Answer::Done)
    }

    fn frames_needed(instance: &Instance, effect: &EffectHandle<'_>, frames: &mut FramesNeeded<'_>) -> Result<Answer> {
        let panel = instance.panel(effect, 0);
        let whole_range = panel.choice(Id::DeclareFrames, frames.time)? == 1;
        let start = if whole_range { f64::from(panel.int(Id::StartFrame, frames.time)?) } else { frames.time };
        let range = RangeD { min: start.min(frames.time), max: frames.time.max(start) };
        for (input, clip) in Input::ALL.into_iter().zip(&instance.clips) {
            if clip.is_some() {
                frames.set(input.clip_name(), &[range])?;
            }
        }
        Ok(Answer::Done)
    }

    fn clip_preferences(
        _instance: &Instance,
        effect: &EffectHandle<'_>,
        preferences: &mut ClipPreferences<'_>,
    ) -> Result<Answer> {
        // A host that has no RGBA gets what there is of the layers in the components that it has.
        let offered = &effect.host().info().components;
        if offered.is_empty() || offered.iter().any(|name| Components::parse(name) == Some(Components::Rgba)) {
            preferences.components(OUTPUT, Components::Rgba);
        }
        preferences
            .premultiplication(Premultiplication::Unpremultiplied)
            .frame_varying(true)
            .continuous_samples(!quirks::ignores_time(effect.host()));
        Ok(Answer::Done)
    }

    fn instance_changed(instance: &Instance, effect: &EffectHandle<'_>, args: &ChangedArgs) -> Result<Answer> {
        if args.reason != ChangeReason::UserEdited {
            return Ok(Answer::Default);
        }
        match args.kind {
            ChangedKind::Clip => {
                for input in Input::ALL.into_iter().filter(|input| input.name() == args.name) {
                    instance.memory.forget(input as usize);
                }
            }
            ChangedKind::Param => param_changed(instance, effect, &args.name, args.time)?,
            ChangedKind::Other => return Ok(Answer::Default),
        }
        instance.show_report(effect);
        Ok(Answer::Done)
    }

    fn end_instance_changed(instance: &Instance, effect: &EffectHandle<'_>, reason: ChangeReason) -> Result<Answer> {
        if reason != ChangeReason::UserEdited {
            return Ok(Answer::Default);
        }
        instance.update_digest(effect, false);
        Ok(Answer::Done)
    }

    fn end_sequence_render(_instance: &Instance, effect: &EffectHandle<'_>, args: &SequenceArgs) -> Result<Answer> {
        // A farm's process ends here, some without unloading. Hosts that end a sequence after every frame are not slowed.
        if !args.interactive && !quirks::brackets_every_frame(effect.host()) {
            engine().disks().flush(&mut || !effect.abort());
            render::tell_notices(effect);
        }
        Ok(Answer::Default)
    }

    fn purge_caches(instance: &Instance, _effect: &EffectHandle<'_>) -> Result<Answer> {
        instance.purge();
        Ok(Answer::Done)
    }

    fn sync_private_data(instance: &Instance, effect: &EffectHandle<'_>) -> Result<Answer> {
        instance.update_digest(effect, false);
        instance.show_report(effect);
        Ok(Answer::Done)
    }
}

/// Follows a user's edit of a parameter.
fn param_changed(instance: &Instance, effect: &EffectHandle<'_>, name: &str, time: f64) -> Result<()> {
    let Some(changed) = CONTROLS.iter().find(|control| control.name.to_bytes() == name.as_bytes()) else {
        return Ok(());
    };
    match changed.id {
        Id::Refresh => {
            instance.memory.forget_all();
            instance.update_digest(effect, true);
        }
        Id::Bake => bake::bake(instance, effect, time)?,
        Id::ClearDisk => bake::clear(instance, effect, time)?,
        _ if control(changed.id).reach == Reach::Simulation => instance.update_digest(effect, false),
        _ => {}
    }
    Ok(())
}
