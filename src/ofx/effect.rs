//! What a node is, seen from the host.

use std::ffi::CStr;

use super::{
    args::{
        Answer, ChangedArgs, ClipPlanes, ClipPreferences, FrameArgs, FramesNeeded, Identity, IdentityArgs,
        RegionsOfInterest, RenderArgs, SequenceArgs,
    },
    descriptor::EffectDescriptor,
    format::{ChangeReason, Context},
    geometry::{RangeD, RectD},
    handle::EffectHandle,
    host::Host,
    overlay::{Drawing, Pen, PenResponse, Viewer},
    status::Result,
};

/// One node type. All state lives in [`Instance`](Self::Instance)s and in statics of the node's own.
///
/// Every method is called through one trampoline: a panic or an error becomes an OpenFX status and one message on the node
/// (for an instance) or a line in the log (without one). Hosts call the actions of one instance from several threads at
/// once, and call back from within calls of this layer: lock nothing across them.
pub trait Effect: Sized + 'static {
    /// The identifier, which never changes: projects keep it.
    const IDENTIFIER: &'static CStr;
    /// The name in messages to the user.
    const LABEL: &'static CStr;
    /// Major (projects keep it, too) and minor version; the minor one goes up with every change of the description.
    const VERSION: (u32, u32);
    /// What belongs to one instance. It is dropped once the host has destroyed the instance and the last action on it is
    /// over, on that action's thread.
    type Instance: Send + Sync + 'static;

    /// The library was loaded. Does no work: hosts load every plug-in only to list it. Called any number of times, at
    /// once from several threads in some hosts, and again after [`unload`](Self::unload).
    ///
    /// # Errors
    ///
    /// The effect cannot work in this host.
    fn load(host: &Host) -> Result<()> {
        let _ = host;
        Ok(())
    }

    /// The library will be unloaded, perhaps to be loaded again: stop threads, give devices back. Called without a
    /// matching `load` in some hosts.
    fn unload() {}

    /// Describes what is true in every context. Does no work beyond that. Main thread.
    ///
    /// # Errors
    ///
    /// The effect cannot be described to this host; some hosts then show no menu at all.
    fn describe(host: &Host, descriptor: &mut EffectDescriptor<'_>) -> Result<()>;

    /// Describes clips and parameters in `context`. Does no work beyond that. Main thread.
    ///
    /// # Errors
    ///
    /// As [`describe`](Self::describe).
    fn describe_in_context(host: &Host, descriptor: &mut EffectDescriptor<'_>, context: Context) -> Result<()>;

    /// Makes an instance: fetch parameters and clips here. Main thread, but for Natron's render clones and MLT's instances.
    /// Parameters may still hold their defaults.
    ///
    /// # Errors
    ///
    /// There will be no instance.
    fn create_instance(effect: &EffectHandle<'_>) -> Result<Self::Instance>;

    /// The host destroys the instance. Renders of it may still be running in a host that errs.
    fn destroy_instance(instance: &Self::Instance, effect: &EffectHandle<'_>) {
        let _ = (instance, effect);
    }

    /// Renders a picture. Any thread.
    ///
    /// Always fetch the output image, even where nothing is to be done. Return `Ok` where
    /// [`abort`](EffectHandle::abort) said so, as [`Answer::Default`]: the host is told the same as of a picture, but a
    /// message that stands stays.
    ///
    /// # Errors
    ///
    /// There is no picture; the node shows why.
    fn render(instance: &Self::Instance, effect: &EffectHandle<'_>, args: &RenderArgs) -> Result<Answer>;

    /// The input that is the output unchanged, or `None`. Any thread.
    ///
    /// # Errors
    ///
    /// It cannot be told.
    fn is_identity(
        instance: &Self::Instance,
        effect: &EffectHandle<'_>,
        args: &IdentityArgs,
    ) -> Result<Option<Identity>> {
        let _ = (instance, effect, args);
        Ok(None)
    }

    /// The output's region in canonical coordinates, or `None` for the host's default. Any thread.
    ///
    /// # Errors
    ///
    /// It cannot be told.
    fn region_of_definition(
        instance: &Self::Instance,
        effect: &EffectHandle<'_>,
        args: &FrameArgs,
    ) -> Result<Option<RectD>> {
        let _ = (instance, effect, args);
        Ok(None)
    }

    /// How much of the inputs is needed. Any thread.
    ///
    /// # Errors
    ///
    /// It cannot be told.
    fn regions_of_interest(
        instance: &Self::Instance,
        effect: &EffectHandle<'_>,
        regions: &mut RegionsOfInterest<'_>,
    ) -> Result<Answer> {
        let _ = (instance, effect, regions);
        Ok(Answer::Default)
    }

    /// Which frames of the inputs are needed. Any thread.
    ///
    /// # Errors
    ///
    /// It cannot be told; the host gets the default, since Fusion breaks on a failure here.
    fn frames_needed(
        instance: &Self::Instance,
        effect: &EffectHandle<'_>,
        frames: &mut FramesNeeded<'_>,
    ) -> Result<Answer> {
        let _ = (instance, effect, frames);
        Ok(Answer::Default)
    }

    /// Which formats the clips have. Main thread.
    ///
    /// # Errors
    ///
    /// It cannot be told.
    fn clip_preferences(
        instance: &Self::Instance,
        effect: &EffectHandle<'_>,
        preferences: &mut ClipPreferences<'_>,
    ) -> Result<Answer> {
        let _ = (instance, effect, preferences);
        Ok(Answer::Default)
    }

    /// Which planes the output has, and which are needed of the inputs. Asked by hosts with planes. Any thread.
    ///
    /// # Errors
    ///
    /// It cannot be told.
    fn clip_planes(
        instance: &Self::Instance,
        effect: &EffectHandle<'_>,
        planes: &mut ClipPlanes<'_>,
    ) -> Result<Answer> {
        let _ = (instance, effect, planes);
        Ok(Answer::Default)
    }

    /// Which frames the output has, or `None` for the host's default. General context only. Main thread.
    ///
    /// # Errors
    ///
    /// It cannot be told.
    fn time_domain(instance: &Self::Instance, effect: &EffectHandle<'_>) -> Result<Option<RangeD>> {
        let _ = (instance, effect);
        Ok(None)
    }

    /// Renders follow. Some hosts say so for every single frame, others never. Any thread.
    ///
    /// # Errors
    ///
    /// There will be no pictures.
    fn begin_sequence_render(
        instance: &Self::Instance,
        effect: &EffectHandle<'_>,
        args: &SequenceArgs,
    ) -> Result<Answer> {
        let _ = (instance, effect, args);
        Ok(Answer::Default)
    }

    /// The renders that were announced are over. Any thread.
    ///
    /// # Errors
    ///
    /// Something failed that the user should know of.
    fn end_sequence_render(
        instance: &Self::Instance,
        effect: &EffectHandle<'_>,
        args: &SequenceArgs,
    ) -> Result<Answer> {
        let _ = (instance, effect, args);
        Ok(Answer::Default)
    }

    /// Something changed. Main thread; may be called from within a call that set a parameter.
    ///
    /// # Errors
    ///
    /// The change could not be followed.
    fn instance_changed(instance: &Self::Instance, effect: &EffectHandle<'_>, args: &ChangedArgs) -> Result<Answer> {
        let _ = (instance, effect, args);
        Ok(Answer::Default)
    }

    /// Changes follow. Main thread. Some hosts never say so.
    ///
    /// # Errors
    ///
    /// Something failed that the user should know of.
    fn begin_instance_changed(
        instance: &Self::Instance,
        effect: &EffectHandle<'_>,
        reason: ChangeReason,
    ) -> Result<Answer> {
        let _ = (instance, effect, reason);
        Ok(Answer::Default)
    }

    /// The changes that were announced are over. Main thread. Some hosts never say so.
    ///
    /// # Errors
    ///
    /// Something failed that the user should know of.
    fn end_instance_changed(
        instance: &Self::Instance,
        effect: &EffectHandle<'_>,
        reason: ChangeReason,
    ) -> Result<Answer> {
        let _ = (instance, effect, reason);
        Ok(Answer::Default)
    }

    /// Free what can be made again. Main thread.
    ///
    /// # Errors
    ///
    /// Something failed that the user should know of.
    fn purge_caches(instance: &Self::Instance, effect: &EffectHandle<'_>) -> Result<Answer> {
        let _ = (instance, effect);
        Ok(Answer::Default)
    }

    /// Put private data into parameters: the host saves or copies. Main thread.
    ///
    /// # Errors
    ///
    /// Something failed that the user should know of.
    fn sync_private_data(instance: &Self::Instance, effect: &EffectHandle<'_>) -> Result<Answer> {
        let _ = (instance, effect);
        Ok(Answer::Default)
    }

    /// Names of the parameters that its overlay shows, which is drawn anew when one of them changes; none for a node
    /// without an overlay.
    fn overlay() -> Vec<&'static CStr> {
        Vec::new()
    }

    /// Draws over the picture in a viewer. Main thread, or the viewer's. Parameters can't be set.
    ///
    /// # Errors
    ///
    /// There is nothing to draw, or the host can't be asked.
    fn draw_overlay(
        instance: &Self::Instance,
        effect: &EffectHandle<'_>,
        viewer: &Viewer,
        drawing: &mut Drawing<'_>,
    ) -> Result<()> {
        let _ = (instance, effect, viewer, drawing);
        Ok(())
    }

    /// The pen does something over the overlay. Main thread.
    ///
    /// # Errors
    ///
    /// The host refuses; the pen is then not taken.
    fn pen(instance: &Self::Instance, effect: &EffectHandle<'_>, viewer: &Viewer, pen: &Pen) -> Result<PenResponse> {
        let _ = (instance, effect, viewer, pen);
        Ok(PenResponse::default())
    }

    /// The pen has left the overlay, or the overlay goes. Main thread.
    fn leave_overlay(instance: &Self::Instance, effect: &EffectHandle<'_>) {
        let _ = (instance, effect);
    }
}
