//! Parameters: descriptions, values, edits.

mod describe;
mod edit;
mod value;

pub use describe::{Bounds, ParamDescriptor};
pub use edit::Edit;
pub use value::{AnyValue, Choice, Param, ParamValue, Triple};
