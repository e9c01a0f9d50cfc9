//! A folder of states in the node's use.

use std::io;
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

use flow_ofx::compute::cpu::Cpu;
use flow_ofx::nodes::water::frame_state::FrameState;
use flow_ofx::nodes::water::stored;
use flow_ofx::timeline::ChainKey;
use flow_ofx::timeline::archive::{Address, Archive as _, Claimed};
use flow_ofx::timeline::disk::{Disk, Disks, Restore, Usage, Uses};
use flow_ofx::timeline::store::Place;
use tempfile::TempDir;

use crate::scene::Scene;

/// The chain of all states.
const FAMILY: ChainKey = ChainKey(0xf10);
/// A text of about the length of the stored parameters.
const ACCOUNT: &str = "speed = 4\nsubsteps = 1\ndamping = 0.02\nsmoothing = 0.1\n";

/// An empty folder, removed when dropped, and the thread that writes into it.
pub struct StateFolder {
    // Dropped before the folder.
    disks: Disks,
    uses: Uses,
    folder: TempDir,
}

impl StateFolder {
    /// A folder on the measured disk.
    pub fn new(inside: &Path) -> io::Result<StateFolder> {
        let disks = Disks::default();
        Ok(StateFolder { uses: disks.uses(), disks, folder: TempDir::with_prefix_in("states-", inside)? })
    }

    /// The folder as an archive for renders of the scene.
    pub fn disk<'a>(&'a self, scene: &'a Scene, wait: bool, cpu: &'a Cpu) -> Disk<'a, FrameState> {
        let restore = Restore {
            model: stored::model(scene.spec.constants.model),
            shape: vec![scene.spec.grid.width, scene.spec.grid.height],
            make: Box::new(|header, planes| stored::restore(&scene.spec, header, planes)),
        };
        self.disks.disk(
            self.folder.path(),
            Usage { write: true, every: 1, limit: 0, wait, queue_limit: 4 << 30 },
            restore,
            cpu,
            &self.uses,
        )
    }

    /// Time until all queued states are written.
    ///
    /// # Errors
    /// The folder's message; the measurement is invalid then.
    pub fn flush(&self) -> io::Result<Duration> {
        let start = Instant::now();
        self.disks.flush(&mut || true);
        let took = start.elapsed();
        match self.disks.take_notices().first() {
            Some(notice) => Err(io::Error::other(notice.clone())),
            None => Ok(took),
        }
    }

    /// The files of its states.
    pub fn files(&self) -> io::Result<Vec<PathBuf>> {
        let paths = std::fs::read_dir(self.folder.path())?.map(|entry| Ok(entry?.path()));
        let paths: io::Result<Vec<PathBuf>> = paths.collect();
        Ok(paths?.into_iter().filter(|path| path.extension().is_some_and(|kind| kind == "exr")).collect())
    }
}

impl Drop for StateFolder {
    fn drop(&mut self) {
        self.disks.close();
    }
}

/// The key of a frame's state.
pub fn key(frame: u32) -> ChainKey {
    // The first digits of a key name files, so they should differ.
    ChainKey(u128::from(frame + 1).wrapping_mul(0x9e37_79b9_7f4a_7c15_f39c_c060_5ced_c835))
}

/// Queues the water of a scene as the state of a frame, like a render that simulated it. True if the folder accepts it.
pub fn queue(disk: &Disk<'_, FrameState>, scene: &Scene, frame: u32) -> bool {
    let place = Place { family: FAMILY, index: u64::from(frame) };
    let address = Address {
        place,
        frame: i64::from(frame),
        key: key(frame),
        earlier: (0..frame).rev().take(8).map(key).collect(),
    };
    if !disk.wants(place, address.frame, address.key) {
        return false;
    }
    let duty = match disk.claim(address.key) {
        Claimed::Mine(duty) => Some(duty),
        Claimed::Theirs => None,
    };
    disk.keep(address, &scene.told, ACCOUNT.to_owned(), duty, &mut || true);
    true
}
