//! Parameters: their description, and their values.

mod describe;
mod value;

pub use describe::{Bounds, ParamDescriptor};
pub use value::{AnyValue, Choice, Param, ParamValue};
