//! flow-host.
