//! Presets of FlowVolume: the text `presets.txt`, in the format of [`parse`].

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
    use crate::nodes::common::presets::check;

    #[test]
    fn the_text_is_well_formed_and_its_values_fit_their_parameters() {
        check(Id::Preset, TEXT);
    }

    #[test]
    fn all_presets_set_the_same_parameters() {
        let sets = |preset: &Preset<Id>| preset.values.iter().map(|(id, _)| *id).collect::<Vec<_>>();
        let all = presets();
        assert_eq!(all.len(), 6);
        for preset in all {
            assert_eq!(sets(preset), sets(&all[0]), "{:?}", preset.edit);
        }
    }
}
