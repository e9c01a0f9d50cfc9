//! Why a file is not used.

use std::io;
use std::path::{Path, PathBuf};

use crate::shape::sides;

/// Why a file is not used. The text names the file, says why in plain words, and ends with what to do.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum Refusal {
    /// There is no such file.
    #[error("{} does not exist. Check the path.", .path.display())]
    Missing {
        /// The file.
        path: PathBuf,
    },
    /// The system does not let it be read.
    #[error("{} cannot be read: {why}. Check the disk and who may read the file.", .path.display())]
    Unreadable {
        /// The file.
        path: PathBuf,
        /// What the system says.
        why: String,
    },
    /// The file's state is larger than the free memory.
    #[error(
        "{} needs {} MB of memory, and the system gives none. Use a smaller file or a proxy, give the process more memory, or \
         raise its limit.", .path.display(), .bytes.div_ceil(1 << 20)
    )]
    Memory {
        /// The file.
        path: PathBuf,
        /// Bytes of its blobs.
        bytes: usize,
    },
    /// Another kind of file, or nothing at all.
    #[error("{} is not an EXR file: {why}. Choose an EXR, or delete the file if it lies in a cache folder.", .path.display())]
    NotExr {
        /// The file.
        path: PathBuf,
        /// What was found.
        why: String,
    },
    /// An EXR without what is needed from it.
    #[error("{} is an EXR, but {why}. Choose a file that Flow has written.", .path.display())]
    NotOurs {
        /// The file.
        path: PathBuf,
        /// What it lacks.
        why: String,
    },
    /// A state file of another version of the format.
    #[error(
        "{} has version {found} of Flow's file format, and this build reads version {expected}. Simulate the frame again, \
         or open the file with the build of Flow that wrote it.", .path.display()
    )]
    OtherFormat {
        /// The file.
        path: PathBuf,
        /// The file's version.
        found: u32,
        /// The version that this crate reads.
        expected: u32,
    },
    /// A state of another model, or of the same one as it was in another version of Flow.
    #[error(
        "{} was simulated by {found}, and {expected} is needed. Simulate it anew, or use the version of Flow that wrote \
         it.", .path.display()
    )]
    OtherVersion {
        /// The file.
        path: PathBuf,
        /// Its model and version.
        found: String,
        /// Those of the reader.
        expected: String,
    },
    /// A state that other settings, inputs or frames led to.
    #[error(
        "{} belongs to other settings or inputs (key {found:032x} instead of {expected:032x}). Set them as they were, or \
         simulate anew.", .path.display()
    )]
    OtherKey {
        /// The file.
        path: PathBuf,
        /// Its chain key.
        found: u128,
        /// The key looked for.
        expected: u128,
    },
    /// A state on another grid.
    #[error(
        "{} has a grid of {}, and {} is needed. Use a file of the same size, format and proxy.",
        .path.display(), sides(.found), sides(.expected)
    )]
    WrongSize {
        /// The file.
        path: PathBuf,
        /// Its cells along each axis.
        found: Vec<usize>,
        /// Those of the reader.
        expected: Vec<usize>,
    },
    /// Torn, cut off, or changed since it was written.
    #[error("{} is damaged: {why}. Delete it or write it again; a frame in a cache folder is simulated anew.", .path.display())]
    Damaged {
        /// The file.
        path: PathBuf,
        /// What does not fit.
        why: String,
    },
    /// It asks for more than any picture needs, by accident or by intent.
    #[error("{} makes no sense: {why}. It is broken or made to do harm; delete it.", .path.display())]
    Absurd {
        /// The file.
        path: PathBuf,
        /// What it claims.
        why: String,
    },
}

impl Refusal {
    /// The file that is refused.
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

    /// What the system said on opening or reading.
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
