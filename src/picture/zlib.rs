//! Compression of pieces of files by zlib, where that is smaller.

use miniz_oxide::deflate::core::{
    CompressorOxide, TDEFLFlush, TDEFLStatus, compress, create_comp_flags_from_zip_params,
};

/// Level of the compression: close to the smallest size, in half the time.
const LEVEL: i32 = 4;

/// A compressor, and its memory.
pub struct Packer {
    compressor: CompressorOxide,
    packed: Vec<u8>,
}

impl Packer {
    /// A new compressor.
    pub fn new() -> Self {
        // Window bits above 0 ask for the header of zlib.
        let flags = create_comp_flags_from_zip_params(LEVEL, 15, 0);
        Self { compressor: CompressorOxide::new(flags), packed: Vec::new() }
    }

    /// The bytes as zlib; `None` where that is not smaller.
    pub fn zlib(&mut self, bytes: &[u8]) -> Option<&[u8]> {
        self.compressor.reset();
        self.packed.resize(bytes.len().saturating_sub(1), 0);
        let (status, _, count) = compress(&mut self.compressor, bytes, &mut self.packed, TDEFLFlush::Finish);
        (status == TDEFLStatus::Done).then_some(&self.packed[..count])
    }
}
