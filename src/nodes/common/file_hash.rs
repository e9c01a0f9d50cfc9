//! Hashes of files that a simulation reads, remembered while the files are unchanged.

use std::collections::HashMap;
use std::fs::{self, File};
use std::io::{self, Read as _};
use std::path::{Path, PathBuf};
use std::sync::{Mutex, PoisonError};
use std::time::SystemTime;

use crate::sim::request;
use crate::timeline::PieceHash;

/// Largest number of remembered files.
const MOST: usize = 1 << 14;

/// The properties of a file that change with its contents. While they are unchanged, the file is not read again.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Stamp {
    /// The file.
    pub path: PathBuf,
    /// Its size, bytes.
    pub length: u64,
    modified: Option<SystemTime>,
    identity: [i64; 3],
}

impl Stamp {
    /// The properties of a file.
    ///
    /// # Errors
    /// There is no such file.
    pub fn of(path: &Path) -> io::Result<Self> {
        let data = fs::metadata(path)?;
        if !data.is_file() {
            return Err(io::Error::other("it is no file"));
        }
        #[cfg(unix)]
        let identity = {
            use std::os::unix::fs::MetadataExt as _;
            [data.ino() as i64, data.ctime(), data.ctime_nsec()]
        };
        #[cfg(not(unix))]
        let identity = [0; 3];
        Ok(Self { path: path.to_owned(), length: data.len(), modified: data.modified().ok(), identity })
    }
}

/// Hash of a file's bytes.
///
/// # Errors
/// The file cannot be read.
pub fn hash_of(path: &Path) -> io::Result<u128> {
    let mut file = File::open(path)?;
    let mut hash = PieceHash::default();
    let mut piece = vec![0; 1 << 20];
    loop {
        match file.read(&mut piece)? {
            0 => return Ok(hash.finish()),
            read => hash.add(&piece[..read]),
        }
    }
}

/// The bytes of a file of at most `most` bytes with a hash; `None` where it has other contents by now.
///
/// # Errors
/// The file cannot be read, or is larger.
pub fn bytes(path: &Path, hash: u128, most: u64) -> io::Result<Option<Vec<u8>>> {
    let mut file = File::open(path)?;
    let length = file.metadata()?.len();
    if length > most {
        return Err(io::Error::other(format!("it has {length} bytes, and the most are {most}")));
    }
    let mut bytes = request::zeros(length as usize);
    match file.read_exact(&mut bytes) {
        Err(error) if error.kind() == io::ErrorKind::UnexpectedEof => return Ok(None),
        read => read?,
    }
    let mut found = PieceHash::default();
    found.add(&bytes);
    Ok((found.finish() == hash).then_some(bytes))
}

/// The hashes of the files that the process has read. Thread-safe.
#[derive(Default)]
pub struct FileHashes(Mutex<HashMap<PathBuf, (Stamp, u128)>>);

impl FileHashes {
    /// Hash of a file's bytes.
    ///
    /// # Errors
    /// The file cannot be read.
    pub fn of(&self, path: &Path) -> io::Result<u128> {
        let stamp = Stamp::of(path)?;
        let lock = || self.0.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some((_, hash)) = lock().get(path).filter(|(known, _)| *known == stamp) {
            return Ok(*hash);
        }
        let hash = hash_of(path)?;
        let mut known = lock();
        if known.len() >= MOST {
            known.clear();
        }
        known.insert(path.to_owned(), (stamp, hash));
        Ok(hash)
    }
}
