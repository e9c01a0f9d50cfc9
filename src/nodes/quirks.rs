//! What single hosts need that the standard does not say. Each is named with its host and symptom.

use crate::ofx::{Host, ThreadSafety};

/// MLT makes an instance per frame and renders frames at once, unless the plug-in says that renders exclude each other;
/// then it keeps one instance, and what that instance knows.
pub fn thread_safety(host: &Host) -> ThreadSafety {
    if ignores_time(host) { ThreadSafety::Unsafe } else { ThreadSafety::FullySafe }
}

/// MLT answers every request for a value or a picture with the present one, whatever the time.
pub fn ignores_time(host: &Host) -> bool {
    host.name() == "MLT"
}

/// A host that does not claim to give pictures of other times, and is not known to do so all the same.
pub fn may_ignore_time(host: &Host) -> bool {
    !host.info().temporal_access && !is_nuke(host) && !host.info().is_natron && !is_resolve(host)
}

/// Natron has planes of any name, motion included: its Write with all planes mixes up the built-in planes of motion, which
/// planes with names of their own come through. Others that have planes know colour and motion alone.
pub fn names_planes(host: &Host) -> bool {
    host.info().is_natron
}

/// Natron gives a plane of two channels an image of two channels only where the output offers such components; elsewhere it
/// asks for the closest ones, RGB.
pub fn has_two_channels(host: &Host) -> bool {
    host.info().is_natron
}

/// Nuke does not ask which planes there are, nor say which it wants: it has those of the components that the output was
/// agreed to have.
pub fn agrees_on_planes_by_components(host: &Host) -> bool {
    is_nuke(host) && host.has_planes() && host.has_motion_components()
}

/// Hosts that scale a position's default by the frame where the plug-in asks for it. Resolve and Vegas take it as it
/// stands, and MLT knows no frame.
pub fn normalises_positions(host: &Host) -> bool {
    host.info().is_natron || is_nuke(host) || host.name().starts_with("org.flowofx.")
}

/// Natron passes a frame through from the node's own output at another time. Others know a node's inputs only.
pub fn passes_own_output(host: &Host) -> bool {
    host.info().is_natron
}

/// Natron ends an open edit block after any action, nested ones too, so that only the first parameter of the block is in it;
/// in the viewer, each value that is set outside a block is an edit of its own.
pub fn ends_edits_early(host: &Host) -> bool {
    host.info().is_natron
}

/// Natron and MLT begin and end a sequence around every single frame.
pub fn brackets_every_frame(host: &Host) -> bool {
    host.info().is_natron || ignores_time(host)
}

/// Resolve says of every clip that it is connected, and has no picture for those that are not.
pub fn claims_all_connected(host: &Host) -> bool {
    is_resolve(host)
}

/// Hosts that are known to say of each clip whether something is wired to it. Of others, one that says so of all clips of a
/// node may say it of clips that are not wired: openfx-runner does.
pub fn tells_connections(host: &Host) -> bool {
    is_nuke(host) || host.info().is_natron
}

/// How many processors the host grants. Natron counts those that are free at the moment, and Resolve's suite is a dummy:
/// a pool is made once, so their answers are of no use. openfx-runner ends the process when it is asked; so may any host
/// that is not known to answer, and the system is asked instead.
pub fn processors(host: &Host) -> Option<usize> {
    if host.info().is_natron || is_resolve(host) { None } else { host.processors() }
}

fn is_nuke(host: &Host) -> bool {
    host.name().starts_with("uk.co.thefoundry.")
}

fn is_resolve(host: &Host) -> bool {
    host.name() == "DaVinciResolve"
}
