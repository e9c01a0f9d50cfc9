//! Smoke and fire in three dimensions.
//!
//! | file | contents |
//! |---|---|
//! | `fields` | place and fields of a volume for its readers |

pub mod fields;
