//! What the environment says about graphics devices.
//!
//! | variable | meaning |
//! |---|---|
//! | `FLOW_ADAPTER` | part of the name of the device to use, in any case; may name a software one |
//! | `FLOW_GPU_MEMORY` | memory that buffers may take, in MB; what does not fit is simulated on the CPU |
//! | `FLOW_GPU_TIMEOUT` | seconds that a submission may take before the device counts as hung |
//! | `FLOW_GPU_FAULT` | rehearses fallbacks: `lost@3` loses the device in the third frame that it makes; also `late` (lost after the frame was made, before it came down), `invalid`, `hang` and `panic`, and `cpu` for a panic in a frame that the CPU makes; several with commas |

use std::time::Duration;

/// How graphics devices are chosen and used.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Options {
    /// Part of the device's name.
    pub adapter: Option<String>,
    /// Most memory for buffers, in bytes.
    pub memory: Option<u64>,
    /// Most time for a submission.
    pub timeout: Option<Duration>,
    /// Largest buffer, in bytes, below what the device allows: for tests of grids that are split.
    pub largest_buffer: Option<u64>,
    /// Faults to rehearse.
    pub faults: Vec<InjectedFault>,
}

/// A fault to rehearse, in the n-th frame that a graphics device (or the CPU) makes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct InjectedFault {
    /// Which.
    pub kind: FaultKind,
    /// In which frame, from 1.
    pub frame: u64,
}

/// Faults that can be rehearsed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum FaultKind {
    /// The device is lost in the middle of a frame.
    Lost,
    /// The device is lost after a frame, before its planes came down.
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
    /// What the environment says; what cannot be understood is logged and left out.
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
