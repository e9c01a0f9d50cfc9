//! The actions that a host calls.

use openfx_sys::*;

use crate::kFnOfxImageEffectActionGetClipComponents;

strings! {
    /// An action of an image effect or of its overlay.
    Action {
        /// The library was loaded.
        Load = kOfxActionLoad,
        /// The library will be unloaded.
        Unload = kOfxActionUnload,
        /// Describe the effect, for every context.
        Describe = kOfxActionDescribe,
        /// Describe clips and parameters in one context.
        DescribeInContext = kOfxImageEffectActionDescribeInContext,
        /// An instance was created.
        CreateInstance = kOfxActionCreateInstance,
        /// An instance will be destroyed.
        DestroyInstance = kOfxActionDestroyInstance,
        /// A parameter, a clip or the time changed.
        InstanceChanged = kOfxActionInstanceChanged,
        /// Changes follow.
        BeginInstanceChanged = kOfxActionBeginInstanceChanged,
        /// The announced changes are complete.
        EndInstanceChanged = kOfxActionEndInstanceChanged,
        /// Free all memory that can be computed again.
        PurgeCaches = kOfxActionPurgeCaches,
        /// Write private data to parameters: the host saves or copies the instance.
        SyncPrivateData = kOfxActionSyncPrivateData,
        /// The parameter panel was opened.
        BeginInstanceEdit = kOfxActionBeginInstanceEdit,
        /// The parameter panel was closed.
        EndInstanceEdit = kOfxActionEndInstanceEdit,
        /// Renders follow.
        BeginSequenceRender = kOfxImageEffectActionBeginSequenceRender,
        /// Render an image.
        Render = kOfxImageEffectActionRender,
        /// The announced renders are complete.
        EndSequenceRender = kOfxImageEffectActionEndSequenceRender,
        /// Query: is the output an input, unchanged?
        IsIdentity = kOfxImageEffectActionIsIdentity,
        /// Query: the region of definition of the output.
        GetRegionOfDefinition = kOfxImageEffectActionGetRegionOfDefinition,
        /// Query: the regions needed of the inputs.
        GetRegionsOfInterest = kOfxImageEffectActionGetRegionsOfInterest,
        /// Query: the frames needed of the inputs.
        GetFramesNeeded = kOfxImageEffectActionGetFramesNeeded,
        /// Query: the preferred formats of the clips.
        GetClipPreferences = kOfxImageEffectActionGetClipPreferences,
        /// Query: the frame range of the output.
        GetTimeDomain = kOfxImageEffectActionGetTimeDomain,
        /// Query: the planes of the output, and the planes needed of the inputs (The Foundry).
        GetClipComponents = kFnOfxImageEffectActionGetClipComponents.to_bytes_with_nul(),
        /// Overlay: draw.
        Draw = kOfxInteractActionDraw,
        /// Overlay: the pen moved.
        PenMotion = kOfxInteractActionPenMotion,
        /// Overlay: the pen was pressed.
        PenDown = kOfxInteractActionPenDown,
        /// Overlay: the pen was released.
        PenUp = kOfxInteractActionPenUp,
        /// Overlay: it no longer receives the pen.
        LoseFocus = kOfxInteractActionLoseFocus,
    }
}

impl Action {
    /// Whether the plug-in may set parameters and show progress: in actions on the main thread and outside a render.
    #[must_use]
    pub const fn may_write(self) -> bool {
        matches!(
            self,
            Self::CreateInstance
                | Self::DestroyInstance
                | Self::InstanceChanged
                | Self::BeginInstanceChanged
                | Self::EndInstanceChanged
                | Self::BeginInstanceEdit
                | Self::EndInstanceEdit
                | Self::SyncPrivateData
                | Self::PenMotion
                | Self::PenDown
                | Self::PenUp
                | Self::LoseFocus
        )
    }
}
