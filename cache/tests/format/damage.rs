//! Damaged files. The states consist of floats and a blob of integers.

use std::fs;

use flow_cache::{Refusal, Serial, peek, read};

use crate::common::{State, read_foreign};

/// Reads a changed file with every reader. Each must refuse it or return the original state. Returns whether it was
/// refused.
fn refused_or_equal(state: &State, path: &std::path::Path, case: &str) -> bool {
    let blobs = state.sorted();
    let mut refused = false;
    for expected in [Some(&state.expected()), None] {
        match read(path, expected, &Serial) {
            Ok((mut header, read)) => {
                header.parameters.clone_from(&state.header.parameters);
                assert!(header == state.header && read == blobs, "{case}: a wrong state was read");
            }
            Err(refusal) => {
                assert_eq!(refusal.path(), path, "{case}");
                refused = true;
            }
        }
    }
    let _ = peek(path);
    // The picture is not covered by the hash; reading it must not panic.
    let _ = read_foreign(path);
    refused
}

#[test]
fn no_changed_byte_gives_another_state() {
    let folder = tempfile::tempdir().unwrap();
    let state = State::floats(&[5, 4], 1);
    let path = state.write(folder.path());
    let whole = fs::read(&path).unwrap();
    let mut refused = 0;
    let changes = [1, 2, 4, 8, 16, 32, 64, 128, 0xff];
    for at in 0..whole.len() {
        for change in changes {
            let mut bytes = whole.clone();
            bytes[at] ^= change;
            fs::write(&path, &bytes).unwrap();
            refused += usize::from(refused_or_equal(&state, &path, &format!("byte {at} ^ {change}")));
        }
    }
    // Some bytes do not affect the state: the picture, the name of the software.
    assert!(refused > whole.len() * changes.len() / 2, "only {refused} of {} changes were seen", whole.len() * 9);
}

#[test]
fn every_change_of_the_exact_values_is_detected() {
    let folder = tempfile::tempdir().unwrap();
    let state = State::floats(&[5, 4], 1);
    let path = state.write(folder.path());
    let whole = fs::read(&path).unwrap();
    // The chunks of the state are at the end of the file: 6 rows of 7 values per blob, each with a header of 12 bytes.
    let chunks = 6 * 12 + 6 * 7 * state.blobs.len() * 4;
    for at in whole.len() - chunks..whole.len() {
        let mut bytes = whole.clone();
        bytes[at] ^= 1;
        fs::write(&path, &bytes).unwrap();
        assert!(matches!(read(&path, None, &Serial), Err(Refusal::Damaged { .. })), "byte {at}");
    }
}

#[test]
fn a_truncated_file_is_refused() {
    let folder = tempfile::tempdir().unwrap();
    let state = State::floats(&[5, 4], 1);
    let path = state.write(folder.path());
    let whole = fs::read(&path).unwrap();
    for length in 0..whole.len() {
        fs::write(&path, &whole[..length]).unwrap();
        assert!(refused_or_equal(&state, &path, &format!("length {length}")), "length {length}");
        // After a crash a file system may have stored the length but not the contents.
        let mut bytes = whole[..length].to_vec();
        bytes.resize(whole.len(), 0);
        fs::write(&path, &bytes).unwrap();
        let same = bytes == whole;
        assert!(refused_or_equal(&state, &path, &format!("zeros from {length}")) != same, "zeros from {length}");
    }
    let mut longer = whole.clone();
    longer.extend([1, 2, 3]);
    fs::write(&path, &longer).unwrap();
    refused_or_equal(&state, &path, "longer");
}

#[test]
fn an_interrupted_write_is_refused() {
    let folder = tempfile::tempdir().unwrap();
    let state = State::floats(&[40, 30], 1);
    let path = folder.path().join("torn.exr");
    let whole = state.bytes(&Serial).len();
    for limit in (0..whole).step_by(97) {
        let mut out = Full { out: std::io::Cursor::new(Vec::new()), left: limit };
        let error = flow_cache::encode(&state.header, &state.rows(), &state.painters(), &Serial, &mut out).unwrap_err();
        assert_eq!(error.kind(), std::io::ErrorKind::StorageFull);
        fs::write(&path, out.out.into_inner()).unwrap();
        assert!(read(&path, None, &Serial).is_err(), "after {limit} bytes");
    }
}

/// A writer that fails after a number of bytes, like a full disk.
struct Full {
    out: std::io::Cursor<Vec<u8>>,
    left: usize,
}

impl std::io::Write for Full {
    fn write(&mut self, bytes: &[u8]) -> std::io::Result<usize> {
        let count = bytes.len().min(self.left);
        if count == 0 && !bytes.is_empty() {
            return Err(std::io::ErrorKind::StorageFull.into());
        }
        self.left -= count;
        self.out.write(&bytes[..count])
    }

    fn flush(&mut self) -> std::io::Result<()> {
        Ok(())
    }
}

impl std::io::Seek for Full {
    fn seek(&mut self, to: std::io::SeekFrom) -> std::io::Result<u64> {
        self.out.seek(to)
    }
}
