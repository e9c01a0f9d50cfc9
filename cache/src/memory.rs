//! Trial allocation before a large allocation: an allocation that fails ends the process.

use std::hint::black_box;
use std::io;
use std::path::Path;

use crate::Refusal;

/// Bytes that the trial asks for in addition, for small allocations without a trial.
const RESERVE: usize = 64 << 20;

/// Whether the allocator grants `bytes` and [`RESERVE`].
fn has(bytes: usize) -> bool {
    let mut probe: Vec<u8> = Vec::new();
    let has = probe.try_reserve_exact(bytes.saturating_add(RESERVE)).is_ok();
    // The optimiser may remove an unused allocation.
    black_box(&mut probe);
    has
}

/// Tries the allocation of `bytes` for reading a file.
pub(crate) fn to_read(path: &Path, bytes: usize) -> Result<(), Refusal> {
    if has(bytes) { Ok(()) } else { Err(Refusal::Memory { path: path.into(), bytes }) }
}

/// Tries the allocation of `bytes` for writing a file.
pub(crate) fn to_write(bytes: usize) -> io::Result<()> {
    if has(bytes) { Ok(()) } else { Err(io::Error::from(io::ErrorKind::OutOfMemory)) }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_request_beyond_any_memory_is_refused() {
        let refusal = to_read(Path::new("a.exr"), usize::MAX / 4).expect_err("too much").to_string();
        assert!(refusal.starts_with("a.exr needs ") && refusal.ends_with("raise its limit."), "{refusal}");
        assert_eq!(to_write(usize::MAX / 4).expect_err("too much").kind(), io::ErrorKind::OutOfMemory);
        assert!(to_read(Path::new("a.exr"), 1).is_ok() && to_write(1).is_ok());
    }
}
