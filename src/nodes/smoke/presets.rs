//! Presets of FlowSmoke: the text `presets.txt`, in the format of [`parse`](crate::nodes::common::presets::parse).

use super::controls::Id;
use crate::nodes::common::presets::presets_of;

presets_of!(include_str!("presets.txt"));

#[cfg(test)]
mod tests {
    use super::*;
    use crate::nodes::common::presets::{Preset, Value};

    #[test]
    fn all_presets_set_the_same_parameters_but_for_jets_beyond_their_count() {
        let sets = |preset: &Preset<Id>, id| preset.values.iter().find(|value| value.0 == id).map(|value| value.1);
        let all = presets().iter().flat_map(|preset| &preset.values).map(|value| value.0);
        for id in all {
            for preset in presets() {
                let Some(Value::Int(count)) = sets(preset, Id::JetCount) else { panic!("{:?}", preset.edit) };
                let beyond = matches!(id, Id::Jet(n, _) if n >= count as usize);
                assert_eq!(sets(preset, id).is_none(), beyond, "{id:?} in {:?}", preset.edit);
            }
        }
    }
}
