//! Presets of FlowSmoke: the text `presets.txt`, in the format of [`parse`].

use std::sync::LazyLock;

use super::controls::Id;
use crate::nodes::common::presets::{Preset, parse};

const TEXT: &str = include_str!("presets.txt");

/// One preset for each option of `preset` after the first ("Custom"), in the order of the options.
pub fn presets() -> &'static [Preset<Id>] {
    static PRESETS: LazyLock<Vec<Preset<Id>>> = LazyLock::new(|| parse(Id::Preset, TEXT).unwrap_or_default());
    &PRESETS
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::nodes::common::presets::Value;
    use crate::nodes::common::presets::check;

    #[test]
    fn the_text_is_well_formed_and_its_values_fit_their_parameters() {
        check(Id::Preset, TEXT);
    }

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
