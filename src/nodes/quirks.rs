//! Workarounds for single hosts, each with the host and the symptom.

use crate::ofx::{Host, ThreadSafety};

/// MLT creates an instance per frame and renders frames concurrently, unless the plug-in declares its renders unsafe;
/// then it keeps one instance.
pub fn thread_safety(host: &Host) -> ThreadSafety {
    if ignores_time(host) { ThreadSafety::Unsafe } else { ThreadSafety::FullySafe }
}

/// MLT is sequential-only: it answers every request for a value or an image with the current one, whatever the time.
pub fn ignores_time(host: &Host) -> bool {
    host.name() == "MLT"
}

/// A host that does not claim to give images of other times, and is not known to do so.
pub fn may_ignore_time(host: &Host) -> bool {
    !host.info().temporal_access && !is_nuke(host) && !host.info().is_natron && !is_resolve(host)
}

/// Natron has planes of any name. Its Write node confuses its built-in planes of motion when it writes all planes, so
/// the planes of the node have other names. Other hosts with planes have colour and motion only.
pub fn names_planes(host: &Host) -> bool {
    host.info().is_natron
}

/// Natron gives a plane of two channels an image of two channels only where the output offers such components; else an
/// image of the closest ones, RGB.
pub fn has_two_channels(host: &Host) -> bool {
    host.info().is_natron
}

/// Nuke does not call the action that lists the planes of a node, and names no plane in a render: the planes of the
/// output follow from the components in the clip preferences.
pub fn agrees_on_planes_by_components(host: &Host) -> bool {
    is_nuke(host) && host.has_planes() && host.has_motion_components()
}

/// Hosts that scale a position's default by the frame where the plug-in asks for it. Resolve and Vegas do not, and MLT
/// has no frame.
pub fn normalises_positions(host: &Host) -> bool {
    host.info().is_natron || is_nuke(host) || host.name().starts_with("org.flowofx.")
}

/// Natron accepts the node's own output at another time as identity. Other hosts accept inputs only.
pub fn passes_own_output(host: &Host) -> bool {
    host.info().is_natron
}

/// Natron ends an open edit block after any action, nested ones too, so that the block contains its first parameter
/// only; in the viewer, each value that is set outside a block is a separate edit.
pub fn ends_edits_early(host: &Host) -> bool {
    host.info().is_natron
}

/// Natron and MLT begin and end a sequence around every single frame.
pub fn brackets_every_frame(host: &Host) -> bool {
    host.info().is_natron || ignores_time(host)
}

/// Resolve calls every clip connected, and has no image for those that are not.
pub fn claims_all_connected(host: &Host) -> bool {
    is_resolve(host)
}

/// Hosts that are known to call only connected clips connected. Another host that calls all clips of a node connected
/// may be wrong, as openfx-runner is.
pub fn tells_connections(host: &Host) -> bool {
    is_nuke(host) || host.info().is_natron
}

/// The number of processors for the thread pool, which is created once; `None` where the system is asked. Natron counts
/// the processors that are free at the moment, and Resolve's suite is a dummy.
pub fn processors(host: &Host) -> Option<usize> {
    if host.info().is_natron || is_resolve(host) { None } else { host.processors() }
}

fn is_nuke(host: &Host) -> bool {
    host.name().starts_with("uk.co.thefoundry.")
}

fn is_resolve(host: &Host) -> bool {
    host.name() == "DaVinciResolve"
}
