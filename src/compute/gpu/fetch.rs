//! Readback of buffers into slices of host memory. Several threads share a large copy where one does not reach the
//! memory's bandwidth.

use std::num::NonZero;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::sync::{Arc, Mutex, PoisonError};
use std::thread;
use std::time::Instant;

use super::core::{Core, Pause, Submission};
use super::fault::Fault;
use super::pool::Lease;

/// Bytes per copy: far more than are copied in the time in which a thread starts.
const PIECE: usize = 4 << 20;

/// Largest number of threads of a copy, including the caller's.
const THREADS_MAX: usize = 8;

/// Source and target of a copy, of equal length.
type Piece<'a> = (&'a [u8], &'a mut [u8]);

/// Waits for a submission that fills buffers, and copies their first bytes to slices. Buffers that cannot be read are
/// freed.
pub(super) fn fetch(core: &Core, submission: &Submission, wanted: Vec<(Lease, &mut [u8])>) -> Result<(), Fault> {
    let (leases, slices): (Vec<_>, Vec<_>) = wanted.into_iter().unzip();
    let done = read(core, submission, &leases, slices);
    if done.is_err() {
        leases.into_iter().for_each(Lease::discard);
    }
    done
}

fn read(core: &Core, submission: &Submission, leases: &[Lease], slices: Vec<&mut [u8]>) -> Result<(), Fault> {
    let buffers: Vec<_> = leases.iter().map(Lease::buffer).collect();
    map(core, &buffers, submission)?;
    let views = buffers.iter().zip(&slices).map(|(buffer, slice)| {
        buffer.get_mapped_range(..slice.len() as u64).map_err(|e| Fault::Invalid(e.to_string()))
    });
    let views = views.collect::<Result<Vec<_>, _>>()?;
    copy(views.iter().map(|view| &**view).zip(slices));
    drop(views);
    buffers.iter().for_each(|buffer| buffer.unmap());
    Ok(())
}

/// Maps buffers, and waits for the submission that fills them.
fn map(core: &Core, buffers: &[&wgpu::Buffer], submission: &Submission) -> Result<(), Fault> {
    let (done, failed) = (Arc::new(AtomicUsize::new(0)), Arc::new(AtomicBool::new(false)));
    for buffer in buffers {
        let (done, failed) = (Arc::clone(&done), Arc::clone(&failed));
        buffer.map_async(wgpu::MapMode::Read, .., move |outcome| {
            failed.fetch_or(outcome.is_err(), Ordering::AcqRel);
            done.fetch_add(1, Ordering::AcqRel);
        });
    }
    let deadline = core.deadline();
    core.wait_until(submission, deadline, &mut || true)?;
    // Another thread's poll may be running the callback.
    let mut pause = Pause::default();
    while done.load(Ordering::Acquire) < buffers.len() {
        core.poll()?;
        if Instant::now() > deadline {
            return Err(core.hung());
        }
        pause.take();
    }
    if failed.load(Ordering::Acquire) {
        core.faults.check()?;
        return Err(Fault::Lost("a buffer could not be read".to_owned()));
    }
    Ok(())
}

/// Copies slices into slices of equal length. Blocks until all are copied; without further threads the caller's copies
/// alone.
fn copy<'a>(slices: impl IntoIterator<Item = Piece<'a>>) {
    let mut pieces = Vec::new();
    for (from, to) in slices {
        assert_eq!(from.len(), to.len(), "a slice goes into one that is as long");
        pieces.extend(from.chunks(PIECE).zip(to.chunks_mut(PIECE)));
    }
    let threads = thread::available_parallelism().map_or(1, NonZero::get).min(THREADS_MAX).min(pieces.len());
    let pieces = Mutex::new(pieces);
    let work = || {
        loop {
            let piece = pieces.lock().unwrap_or_else(PoisonError::into_inner).pop();
            let Some((from, to)) = piece else { return };
            to.copy_from_slice(from);
        }
    };
    thread::scope(|scope| {
        for _ in 1..threads {
            let helper = thread::Builder::new().name("flow-gpu-fetch".to_owned());
            if let Err(error) = helper.spawn_scoped(scope, work) {
                tracing::debug!(%error, "no thread to copy with");
                break;
            }
        }
        work();
    });
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn all_arrives_where_it_belongs() {
        let lengths = [0, 1, PIECE - 1, PIECE, PIECE + 1, 3 * PIECE + 7];
        let from: Vec<Vec<u8>> =
            lengths.iter().enumerate().map(|(nth, len)| (0..*len).map(|at| (at * 7 + nth) as u8).collect()).collect();
        let mut to: Vec<Vec<u8>> = lengths.iter().map(|len| vec![255; *len]).collect();
        copy(from.iter().map(Vec::as_slice).zip(to.iter_mut().map(Vec::as_mut_slice)));
        assert!(from == to);
    }
}
