//! NumPy's files, for the peers.

use std::fs::File;
use std::io::{self, BufWriter, Write as _};
use std::path::Path;

/// Writes an array of 32-bit floats, the last axis of its shape contiguous.
pub fn write(path: &Path, shape: &[usize], values: impl IntoIterator<Item = f32>) -> io::Result<()> {
    let shape: String = shape.iter().map(|n| format!("{n}, ")).collect();
    let mut header = format!("{{'descr': '<f4', 'fortran_order': False, 'shape': ({shape}), }}");
    // The format requires a header of a multiple of 64 bytes: 10 before it, a line feed at its end.
    header.push_str(&" ".repeat((64 - (10 + header.len() + 1) % 64) % 64));
    header.push('\n');
    let mut file = BufWriter::new(File::create(path)?);
    file.write_all(b"\x93NUMPY\x01\x00")?;
    file.write_all(&(header.len() as u16).to_le_bytes())?;
    file.write_all(header.as_bytes())?;
    values.into_iter().try_for_each(|value| file.write_all(&value.to_le_bytes()))?;
    file.flush()
}
