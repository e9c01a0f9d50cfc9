//! The interface of a node type to its host.

use std::ffi::CStr;

use super::{
    ChangeReason, Context,
    args::{
        Answer, ChangedArgs, ClipPlanes, ClipPreferences, FrameArgs, FramesNeeded, Identity, RegionsOfInterest,
        RenderArgs, SequenceArgs,
    },
    descriptor::EffectDescriptor,
    error::Result,
    geometry::RectD,
    handle::EffectHandle,
    host::Host,
    overlay::{Drawing, Pen, PenResponse, Viewer},
};

/// A node type. Its state lives in [`Instance`](Self::Instance)s and in statics of the node's own.
///
/// The trampoline calls every method: a panic or an error becomes an OpenFX status and one message, on the node for an
/// instance, else in the log. Hosts call the actions of one instance on several threads concurrently, and call back
/// from within calls of this layer: no lock may be held across such a call.
pub trait Effect: Sized + 'static {
    /// The identifier, which projects store: it never changes.
    const IDENTIFIER: &'static CStr;
    /// The name in messages to the user.
    const LABEL: &'static CStr;
    /// Major version, which projects store, and minor version, which increases with every change of the description.
    const VERSION: (u32, u32);
    /// The state of one instance. It is dropped when the host has destroyed the instance and the last action on it has
    /// returned, on the thread of that action.
    type Instance: Send + Sync + 'static;

    /// The library will be unloaded, and may be loaded again: stop threads, release devices. Some hosts call it without
    /// a matching load.
    fn unload() {}

    /// Describes the effect for every context, without other work. Main thread.
    ///
    /// # Errors
    ///
    /// The effect cannot be described to this host; some hosts then show no menu at all.
    fn describe(host: &Host, descriptor: &mut EffectDescriptor<'_>) -> Result<()>;

    /// Describes clips and parameters in `context`, without other work. Main thread.
    ///
    /// # Errors
    ///
    /// As [`describe`](Self::describe).
    fn describe_in_context(host: &Host, descriptor: &mut EffectDescriptor<'_>, context: Context) -> Result<()>;

    /// Creates an instance and fetches its parameters and clips, whose values may still be the defaults. Main thread,
    /// except for render clones of Natron and instances of MLT.
    ///
    /// # Errors
    ///
    /// The instance cannot be created.
    fn create_instance(effect: &EffectHandle<'_>) -> Result<Self::Instance>;

    /// Renders an image. Any thread.
    ///
    /// The output image has to be fetched even if there is nothing to render. After an [`abort`](EffectHandle::abort)
    /// the result is [`Answer::Default`]: the host receives OK as for an image, and a persistent message stays.
    ///
    /// # Errors
    ///
    /// There is no image; the node shows the error.
    fn render(instance: &Self::Instance, effect: &EffectHandle<'_>, args: &RenderArgs) -> Result<Answer>;

    /// The input that is identical to the output, or `None`. Any thread.
    ///
    /// # Errors
    ///
    /// The query failed.
    fn is_identity(instance: &Self::Instance, effect: &EffectHandle<'_>, args: &FrameArgs) -> Result<Option<Identity>> {
        let _ = (instance, effect, args);
        Ok(None)
    }

    /// The region of definition of the output in canonical coordinates, or `None` for the host's default. Any thread.
    ///
    /// # Errors
    ///
    /// The query failed.
    fn region_of_definition(
        instance: &Self::Instance,
        effect: &EffectHandle<'_>,
        args: &FrameArgs,
    ) -> Result<Option<RectD>> {
        let _ = (instance, effect, args);
        Ok(None)
    }

    /// Sets the regions needed of the inputs. Any thread.
    ///
    /// # Errors
    ///
    /// The query failed.
    fn regions_of_interest(
        instance: &Self::Instance,
        effect: &EffectHandle<'_>,
        regions: &mut RegionsOfInterest<'_>,
    ) -> Result<Answer> {
        let _ = (instance, effect, regions);
        Ok(Answer::Default)
    }

    /// Sets the frames needed of the inputs. Any thread.
    ///
    /// # Errors
    ///
    /// The query failed; the host receives the default, because Fusion breaks on a failure.
    fn frames_needed(
        instance: &Self::Instance,
        effect: &EffectHandle<'_>,
        frames: &mut FramesNeeded<'_>,
    ) -> Result<Answer> {
        let _ = (instance, effect, frames);
        Ok(Answer::Default)
    }

    /// Sets the preferred formats of the clips. Main thread.
    ///
    /// # Errors
    ///
    /// The query failed.
    fn clip_preferences(
        instance: &Self::Instance,
        effect: &EffectHandle<'_>,
        preferences: &mut ClipPreferences<'_>,
    ) -> Result<Answer> {
        let _ = (instance, effect, preferences);
        Ok(Answer::Default)
    }

    /// Sets the planes of the output and those needed of the inputs, in hosts with planes. Any thread.
    ///
    /// # Errors
    ///
    /// The query failed.
    fn clip_planes(
        instance: &Self::Instance,
        effect: &EffectHandle<'_>,
        planes: &mut ClipPlanes<'_>,
    ) -> Result<Answer> {
        let _ = (instance, effect, planes);
        Ok(Answer::Default)
    }

    /// The announced renders are complete. Some hosts announce every single frame, others none. Any thread.
    ///
    /// # Errors
    ///
    /// A failure that the user has to know.
    fn end_sequence_render(
        instance: &Self::Instance,
        effect: &EffectHandle<'_>,
        args: &SequenceArgs,
    ) -> Result<Answer> {
        let _ = (instance, effect, args);
        Ok(Answer::Default)
    }

    /// An object of the instance changed. Main thread; may be called from within a call that sets a parameter.
    ///
    /// # Errors
    ///
    /// The node cannot follow the change.
    fn instance_changed(instance: &Self::Instance, effect: &EffectHandle<'_>, args: &ChangedArgs) -> Result<Answer> {
        let _ = (instance, effect, args);
        Ok(Answer::Default)
    }

    /// Changes follow. Main thread. Some hosts never announce changes.
    ///
    /// # Errors
    ///
    /// A failure that the user has to know.
    fn begin_instance_changed(
        instance: &Self::Instance,
        effect: &EffectHandle<'_>,
        reason: ChangeReason,
    ) -> Result<Answer> {
        let _ = (instance, effect, reason);
        Ok(Answer::Default)
    }

    /// The announced changes are complete. Main thread. Some hosts never announce changes.
    ///
    /// # Errors
    ///
    /// A failure that the user has to know.
    fn end_instance_changed(
        instance: &Self::Instance,
        effect: &EffectHandle<'_>,
        reason: ChangeReason,
    ) -> Result<Answer> {
        let _ = (instance, effect, reason);
        Ok(Answer::Default)
    }

    /// Frees all memory that can be computed again. Main thread.
    ///
    /// # Errors
    ///
    /// A failure that the user has to know.
    fn purge_caches(instance: &Self::Instance, effect: &EffectHandle<'_>) -> Result<Answer> {
        let _ = (instance, effect);
        Ok(Answer::Default)
    }

    /// Writes private data to parameters, before the host saves or copies the instance. Main thread.
    ///
    /// # Errors
    ///
    /// A failure that the user has to know.
    fn sync_private_data(instance: &Self::Instance, effect: &EffectHandle<'_>) -> Result<Answer> {
        let _ = (instance, effect);
        Ok(Answer::Default)
    }

    /// The names of the parameters that the overlay shows: the host redraws it when one of them changes. Empty for a
    /// node without overlay.
    fn overlay() -> Vec<&'static CStr> {
        Vec::new()
    }

    /// Draws over the image in a viewer. Main thread, or the viewer's. Parameters cannot be set.
    ///
    /// # Errors
    ///
    /// There is nothing to draw, or a call of the host failed.
    fn draw_overlay(
        instance: &Self::Instance,
        effect: &EffectHandle<'_>,
        viewer: &Viewer,
        drawing: &mut Drawing<'_>,
    ) -> Result<()> {
        let _ = (instance, effect, viewer, drawing);
        Ok(())
    }

    /// The pen moved, was pressed or was released over the overlay. Main thread.
    ///
    /// # Errors
    ///
    /// A call of the host failed; the pen is then not taken.
    fn pen(instance: &Self::Instance, effect: &EffectHandle<'_>, viewer: &Viewer, pen: &Pen) -> Result<PenResponse> {
        let _ = (instance, effect, viewer, pen);
        Ok(PenResponse::default())
    }

    /// The pen left the overlay, or the overlay is destroyed. Main thread.
    fn leave_overlay(instance: &Self::Instance, effect: &EffectHandle<'_>) {
        let _ = (instance, effect);
    }
}
