//! The memory suite, and the blocks behind image memory.

use std::alloc::{Layout, alloc_zeroed, dealloc};
use std::collections::HashMap;
use std::os::raw::{c_int, c_void};
use std::sync::{Mutex, MutexGuard, OnceLock, PoisonError};

use flow_openfx as ofx;

use super::{guard, violation, write};
use crate::Status;

pub(crate) static SUITE: ofx::OfxMemorySuiteV1 =
    ofx::OfxMemorySuiteV1 { memoryAlloc: Some(alloc), memoryFree: Some(free) };

/// Memory for a plug-in, aligned for any vector type.
pub(crate) struct Block {
    address: *mut u8,
    layout: Layout,
}

// SAFETY: a block is only an allocation that this value owns; what a plug-in does with
// the bytes from several threads is the plug-in's own contract.
unsafe impl Send for Block {}
// SAFETY: as above; the host itself never reads or writes the bytes.
unsafe impl Sync for Block {}

impl Block {
    pub(crate) fn new(bytes: usize) -> Option<Self> {
        let layout = Layout::from_size_align(bytes.max(1), 64).ok()?;
        // SAFETY: the layout's size is at least one.
        let address = unsafe { alloc_zeroed(layout) };
        (!address.is_null()).then_some(Self { address, layout })
    }

    pub(crate) fn address(&self) -> *mut c_void {
        self.address.cast()
    }
}

impl Drop for Block {
    fn drop(&mut self) {
        // SAFETY: allocated in `new` with this layout and freed only here.
        unsafe { dealloc(self.address, self.layout) };
    }
}

fn blocks() -> MutexGuard<'static, HashMap<usize, Block>> {
    static BLOCKS: OnceLock<Mutex<HashMap<usize, Block>>> = OnceLock::new();
    BLOCKS.get_or_init(Mutex::default).lock().unwrap_or_else(PoisonError::into_inner)
}

unsafe extern "C" fn alloc(_handle: *mut c_void, bytes: usize, out: *mut *mut c_void) -> c_int {
    guard("memoryAlloc", || match Block::new(bytes) {
        Some(block) => {
            write(out, block.address());
            blocks().insert(block.address().addr(), block);
            Status::OK
        }
        None => Status::ERR_MEMORY,
    })
}

unsafe extern "C" fn free(data: *mut c_void) -> c_int {
    guard("memoryFree", || match blocks().remove(&data.addr()) {
        Some(_) => Status::OK,
        None => violation("memoryFree: not memory of this host".into(), Status::ERR_BAD_HANDLE),
    })
}
