//! Presets of FlowVolume: the text `presets.txt`, in the format of [`parse`](crate::nodes::common::presets::parse).

use super::controls::Id;
use crate::nodes::common::presets::presets_of;

presets_of!(include_str!("presets.txt"));

#[cfg(test)]
#[test]
fn all_presets_set_the_same_parameters() {
    crate::nodes::common::presets::check_same_parameters(presets());
}
