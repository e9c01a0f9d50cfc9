//! ofx
