//! Natron: scans and unloads before use, renders concurrently, brackets every frame,
//! copies instances for plug-ins that are only instance safe, and has planes of any name. Planes of two channels come
//! as RGB unless the output clip offers two channels, instances do not know their node's name, and undo is one of
//! commands (`crate::undo`); its node for writing files is played by [`crate::Node::written`].

use flow_openfx as ofx;

use super::{Brackets, Context, Depth, ImageIds, Instances, Overlays, Planes, Profile, UndoModel};

impl Profile {
    /// Natron.
    #[must_use]
    pub fn natron() -> Self {
        Self {
            name: "fr.inria.Natron".into(),
            label: "Natron".into(),
            version: vec![2, 5, 0],
            version_label: "2.5.0".into(),
            contexts: vec![Context::Generator, Context::Filter, Context::General, Context::Transition],
            depths: vec![Depth::Float, Depth::Short, Depth::Byte],
            multiple_depths: true,
            multiple_pars: true,
            image_ids: ImageIds::Hash,
            instances: Instances::Clones,
            project_properties_on_clones: false,
            scans_first: true,
            probes_half_scale: true,
            brackets: Brackets::Frame,
            sequential_status: 1,
            change_brackets: false,
            change_per_component: true,
            undo: UndoModel::Commands,
            names_nodes: false,
            marker: Some(ofx::text(ofx::kNatronOfxHostIsNatron.to_bytes_with_nul())),
            overlays: Overlays::OpenGl,
            ..Self::generic()
        }
        .with_planes(Planes::Any, 2)
    }
}
