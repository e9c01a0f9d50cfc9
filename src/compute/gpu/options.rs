//! Environment variables for graphics devices.
//!
//! | variable | meaning |
//! |---|---|
//! | `FLOW_ADAPTER` | part of the name of the device to use, in any case; may name a software one |
//! | `FLOW_GPU_MEMORY` | memory for buffers, in MB; larger frames are simulated on the CPU |
//! | `FLOW_GPU_TIMEOUT` | seconds that a submission may take before the device counts as hung |
//! | `FLOW_GPU_FAULT` | injects faults: `lost@3` loses the device in the third frame (of a volume: step) that it simulates; also `late` (lost between the simulation and the download of the frame), `invalid`, `hang` and `panic`, and `cpu` for a panic in a frame that the CPU simulates; several with commas |

use std::time::Duration;

/// Options for the choice and the use of graphics devices.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Options {
    /// Part of the name of the device.
    pub adapter: Option<String>,
    /// Largest size of all buffers together, bytes.
    pub memory: Option<u64>,
    /// Time limit of a submission.
    pub timeout: Option<Duration>,
    /// Largest size of a buffer in bytes, below the limit of the device: for tests of split grids.
    pub largest_buffer: Option<u64>,
    /// Faults to inject.
    pub faults: Vec<InjectedFault>,
}

/// A fault to inject in the n-th frame of a graphics device (or of the CPU).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct InjectedFault {
    /// Kind of the fault.
    pub kind: FaultKind,
    /// Number of the frame, from 1.
    pub frame: u64,
}

/// Faults that can be injected.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum FaultKind {
    /// The device is lost in the middle of a frame.
    Lost,
    /// The device is lost after a frame, before its readback.
    Late,
    /// A command that the device refuses.
    Invalid,
    /// A submission that never ends.
    Hang,
    /// A panic.
    Panic,
    /// A panic in a frame that the CPU makes.
    Cpu,
}

impl Options {
    /// Reads the environment. A value that cannot be parsed is logged and ignored.
    pub fn from_env() -> Options {
        let text = |name| std::env::var(name).ok().map(|t| t.trim().to_owned()).filter(|t| !t.is_empty());
        let number = |name| {
            let text: String = text(name)?;
            let parsed = text.parse::<f64>().ok().filter(|n| n.is_finite() && *n > 0.0);
            if parsed.is_none() {
                tracing::warn!("{name}={text} is no number above 0 and is ignored");
            }
            parsed
        };
        Options {
            adapter: text("FLOW_ADAPTER"),
            memory: number("FLOW_GPU_MEMORY").map(|mb| (mb * 1024.0 * 1024.0) as u64),
            timeout: number("FLOW_GPU_TIMEOUT").map(|s| Duration::from_secs_f64(s.min(1e6))),
            largest_buffer: None,
            faults: text("FLOW_GPU_FAULT").map(|t| faults(&t)).unwrap_or_default(),
        }
    }
}

fn faults(text: &str) -> Vec<InjectedFault> {
    let parse = |item: &str| {
        let (kind, frame) = item.trim().split_once('@')?;
        let kind = match kind {
            "lost" => FaultKind::Lost,
            "late" => FaultKind::Late,
            "invalid" => FaultKind::Invalid,
            "hang" => FaultKind::Hang,
            "panic" => FaultKind::Panic,
            "cpu" => FaultKind::Cpu,
            _ => return None,
        };
        Some(InjectedFault { kind, frame: frame.parse().ok()? })
    };
    let mut found = Vec::new();
    for item in text.split(',') {
        match parse(item) {
            Some(drill) => found.push(drill),
            None => tracing::warn!("FLOW_GPU_FAULT: {item:?} is not understood; write it like lost@3"),
        }
    }
    found
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn drills_are_read() {
        let wanted =
            [InjectedFault { kind: FaultKind::Lost, frame: 3 }, InjectedFault { kind: FaultKind::Hang, frame: 12 }];
        assert_eq!(faults("lost@3, hang@12"), wanted);
        assert_eq!(faults("lost,hang@x,burn@2"), []);
    }
}
