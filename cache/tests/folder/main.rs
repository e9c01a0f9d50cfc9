//! A folder of states that many processes share: names, faults, claims, limits.

mod claims;
mod faults;
mod killed;
mod naming;
mod queries;
mod trimming;

use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

use flow_cache::{BlobRows, Folder, Header, Layer, Serial, StoreError, encode};

/// Family key of the test chain. Versions of frames have keys by [`key`].
pub const FAMILY: u128 = 0xfa31_1111_0000_0000_0000_0000_0000_0001;

/// Key of a version of a frame. The first eight digits differ by version and frame.
pub fn key(version: u8, frame: i64) -> u128 {
    (u128::from(version) << 120 | 0xabcd << 104 | (frame as u128 & 0xff) << 96) | 7
}

/// Name of the take that a version of a frame begins at a split.
pub fn own_take(version: u8, frame: i64) -> String {
    format!("{:032x}", key(version, frame))[..8].to_owned()
}

/// Header of a state of a chain that starts at frame 1.
pub fn header(key: u128, frame: i64) -> Header {
    header_from(key, frame, 1)
}

/// Header of a state of a chain that starts at the given frame.
pub fn header_from(key: u128, frame: i64, start: i64) -> Header {
    let mut header = Header {
        key,
        family: FAMILY,
        model: "org.flowofx.Test".into(),
        version: 3,
        frame,
        index: frame.abs_diff(start),
        shape: vec![3, 2],
        origin: vec![0.0, 0.0],
        cells_per_pixel: 1.0,
        numbers: BTreeMap::from([("inflow".to_owned(), 5)]),
        parameters: "speed 4\nrain 0.5".into(),
        state: 0,
    };
    let values = values(key);
    header.seal(&blobs(&values));
    header
}

/// Values of the state with a key.
pub fn values(key: u128) -> Vec<i32> {
    (0..20).map(|cell| (key >> (cell * 5)) as i32).collect()
}

fn blobs(values: &[i32]) -> [BlobRows<'_>; 1] {
    [BlobRows::ints("depth", |y| &values[y * 5..][..5])]
}

/// Stores a state with the key of one earlier frame.
pub fn store(folder: &Folder, header: &Header, previous: Option<u128>) -> Result<PathBuf, StoreError> {
    store_after(folder, header, previous.as_slice())
}

/// Stores a state as the node does.
pub fn store_after(folder: &Folder, header: &Header, earlier: &[u128]) -> Result<PathBuf, StoreError> {
    let values = values(header.key);
    let layers =
        [Layer { names: ["R", "G", "B", "A"].map(Into::into).into(), row: Box::new(|_, row| row.fill([0.5; 4])) }];
    folder.store(header, earlier, |out| encode(header, &blobs(&values), &layers, &Serial, out))
}

/// Stores frames of a version. `previous` is the key of the frame before the first one.
pub fn store_run(folder: &Folder, version: u8, frames: std::ops::RangeInclusive<i64>, mut previous: Option<u128>) {
    for frame in frames {
        store(folder, &header(key(version, frame), frame), previous).expect("stored");
        previous = Some(key(version, frame));
    }
}

/// Names of all files in a folder, sorted.
pub fn names(folder: &Path) -> Vec<String> {
    let entries = fs::read_dir(folder).into_iter().flatten();
    let mut names: Vec<String> =
        entries.map(|entry| entry.expect("readable").file_name().into_string().expect("text")).collect();
    names.sort();
    names
}

/// Names of the state files in a folder, sorted.
pub fn states(folder: &Path) -> Vec<String> {
    names(folder).into_iter().filter(|name| name.ends_with(".exr")).collect()
}

/// Last component of a path.
pub fn file_name(path: &Path) -> String {
    path.file_name().expect("a file").to_str().expect("text").to_owned()
}

/// A command that runs one ignored test of this program in another process, with the folder.
pub fn process(test: &str, folder: &Path) -> Command {
    let mut command = Command::new(std::env::current_exe().expect("this program"));
    command.args(["--exact", test, "--ignored", "--nocapture", "--test-threads=1"]);
    command.env("FLOW_TEST_FOLDER", folder).stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::inherit());
    command
}

/// The folder of a process started by [`process`].
pub fn process_folder() -> PathBuf {
    std::env::var_os("FLOW_TEST_FOLDER").expect("run by another test").into()
}
