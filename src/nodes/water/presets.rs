//! Presets of Flow: the text `presets.txt`, in the format of [`parse`](crate::nodes::common::presets::parse).

use super::controls::Id;
use crate::nodes::common::presets::presets_of;

presets_of!(include_str!("presets.txt"));
