//! The reasons why a file is not used.

use std::io;
use std::path::{Path, PathBuf};

use crate::shape::sides;

/// The reason why a file is not used. The text is for an artist: it names the file, the reason and a remedy.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum Refusal {
    /// The file does not exist.
    #[error("{} does not exist. Check the path.", .path.display())]
    Missing {
        /// Path of the file.
        path: PathBuf,
    },
    /// The system refuses to read the file.
    #[error("{} cannot be read: {why}. Check the disk and the file's permissions.", .path.display())]
    Unreadable {
        /// Path of the file.
        path: PathBuf,
        /// Message of the system.
        why: String,
    },
    /// The file's state is larger than the free memory.
    #[error(
        "{} needs {} MB of memory, which is not available. Use a smaller file or a proxy, give the process more memory, or \
         raise its limit.", .path.display(), .bytes.div_ceil(1 << 20)
    )]
    Memory {
        /// Path of the file.
        path: PathBuf,
        /// Bytes of its blobs.
        bytes: usize,
    },
    /// The file is empty or has another format.
    #[error("{} is not an EXR file: {why}. Choose an EXR, or delete the file if it is in a cache folder.", .path.display())]
    NotExr {
        /// Path of the file.
        path: PathBuf,
        /// Description of the content.
        why: String,
    },
    /// An EXR that lacks required content.
    #[error("{} is an EXR, but {why}. Choose a file that Flow has written.", .path.display())]
    NotOurs {
        /// Path of the file.
        path: PathBuf,
        /// The missing content.
        why: String,
    },
    /// A state file of another version of the format.
    #[error(
        "{} has version {found} of Flow's file format, and this build reads version {expected}. Simulate the frame again, \
         or open the file with the build of Flow that wrote it.", .path.display()
    )]
    OtherFormat {
        /// Path of the file.
        path: PathBuf,
        /// The file's version.
        found: u32,
        /// The version that this crate reads.
        expected: u32,
    },
    /// A state of another model, or of another version of the model.
    #[error(
        "{} was simulated by {found}, and {expected} is needed. Simulate it again, or use the version of Flow that wrote \
         it.", .path.display()
    )]
    OtherVersion {
        /// Path of the file.
        path: PathBuf,
        /// Model and version of the file.
        found: String,
        /// Model and version of the reader.
        expected: String,
    },
    /// A state with other settings, inputs or frames.
    #[error(
        "{} belongs to other settings or inputs (key {found:032x} instead of {expected:032x}). Set them as they were, or \
         simulate again.", .path.display()
    )]
    OtherKey {
        /// Path of the file.
        path: PathBuf,
        /// Chain key of the file.
        found: u128,
        /// Key that the reader needs.
        expected: u128,
    },
    /// A state on another grid.
    #[error(
        "{} has a grid of {}, and {} is needed. Use a file of the same size, format and proxy.",
        .path.display(), sides(.found), sides(.expected)
    )]
    WrongSize {
        /// Path of the file.
        path: PathBuf,
        /// Cells along each axis of the file's grid.
        found: Vec<usize>,
        /// Cells along each axis of the reader's grid.
        expected: Vec<usize>,
    },
    /// The file is incomplete or has changed since it was written.
    #[error("{} is damaged: {why}. Delete it or write it again; a frame in a cache folder is simulated again.", .path.display())]
    Damaged {
        /// Path of the file.
        path: PathBuf,
        /// The inconsistency.
        why: String,
    },
    /// The file declares sizes beyond those of any picture, by accident or by intent.
    #[error("{} is invalid: {why}. It is corrupt or malicious; delete it.", .path.display())]
    Absurd {
        /// Path of the file.
        path: PathBuf,
        /// The declared size.
        why: String,
    },
}

impl Refusal {
    /// Path of the refused file.
    pub fn path(&self) -> &Path {
        match self {
            Self::Missing { path }
            | Self::Unreadable { path, .. }
            | Self::Memory { path, .. }
            | Self::NotExr { path, .. }
            | Self::NotOurs { path, .. }
            | Self::OtherFormat { path, .. }
            | Self::OtherVersion { path, .. }
            | Self::OtherKey { path, .. }
            | Self::WrongSize { path, .. }
            | Self::Damaged { path, .. }
            | Self::Absurd { path, .. } => path,
        }
    }

    /// The refusal for an error of opening or reading.
    pub(crate) fn io(path: &Path, error: &io::Error) -> Self {
        match error.kind() {
            io::ErrorKind::NotFound => Self::Missing { path: path.into() },
            io::ErrorKind::UnexpectedEof => Self::Damaged { path: path.into(), why: "it ends too early".into() },
            _ => Self::Unreadable { path: path.into(), why: error.to_string() },
        }
    }

    pub(crate) fn damaged(path: &Path, why: impl Into<String>) -> Self {
        Self::Damaged { path: path.into(), why: why.into() }
    }

    pub(crate) fn absurd(path: &Path, why: impl Into<String>) -> Self {
        Self::Absurd { path: path.into(), why: why.into() }
    }
}
