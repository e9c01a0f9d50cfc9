//! Faults of a device are reported, and the device is not used afterwards.

use std::sync::Arc;

use flow_ofx::compute::cpu::Cpu;
use flow_ofx::compute::gpu::smoke::SmokeGpu;
use flow_ofx::compute::gpu::{FaultKind, Graphics, InjectedFault, Options};
use flow_ofx::sim::smoke::settings::{Boundary, Scheme};
use flow_ofx::sim::smoke::{Device, Failed};

use crate::frames::{SIZE, Scene};
use crate::{opened, smoke_on};

fn scene() -> Scene {
    Scene::new(Scheme::SemiLagrangian, Scheme::Cubic, [Boundary::Closed; 4])
}

/// Number of frames before a device fails, and the text of the failure.
fn until_it_fails(device: &Arc<SmokeGpu>, most: i64) -> (i64, Option<Failed>) {
    let (scene, cpu) = (scene(), Cpu::new(1));
    let mut state = scene.start(&cpu);
    for frame in 1..=most {
        match scene.next(&state, frame, &**device, &cpu) {
            Ok((next, _)) => state = next,
            Err(failed) => return (frame - 1, Some(failed)),
        }
    }
    (most, None)
}

/// Checks that the device fails after so many frames with one message, `what`; then it is closed for a while.
fn fails(graphics: &Arc<Graphics>, frames: i64, what: &str) {
    let device = smoke_on(graphics);
    assert!(device.name().starts_with("GPU, "), "{}", device.name());
    let (made, failed) = until_it_fails(&device, 6);
    assert_eq!(made, frames, "{failed:?}");
    let Some(Failed::Device(message)) = failed else { panic!("{failed:?}") };
    assert!(message.contains(what), "{message}");
    let notices = graphics.take_notices();
    assert!(matches!(&notices[..], [notice] if notice.contains(what) && notice.contains("on the CPU")), "{notices:?}");
    assert!(graphics.smoke(SIZE, true, &mut || true).expect("nobody interrupts").is_none());
    assert!(matches!(until_it_fails(&device, 1), (0, Some(Failed::Device(_)))));
    assert_eq!(graphics.take_notices(), [""; 0], "it was reported");
}

fn drilled(kind: FaultKind, frame: u64) -> Arc<Graphics> {
    opened(Options { faults: vec![InjectedFault { kind, frame }], ..Options::default() })
}

#[test]
fn a_lost_device() {
    fails(&drilled(FaultKind::Lost, 3), 2, "was lost");
}

#[test]
fn a_device_lost_between_frames() {
    fails(&drilled(FaultKind::Late, 2), 2, "was lost");
}

#[test]
fn a_command_that_the_device_refuses() {
    fails(&drilled(FaultKind::Invalid, 2), 1, "reports an error");
}

#[test]
fn a_hang() {
    let faults = vec![InjectedFault { kind: FaultKind::Hang, frame: 1 }];
    let timeout = Some(std::time::Duration::from_millis(200));
    fails(&opened(Options { faults, timeout, ..Options::default() }), 0, "did not answer");
}

#[test]
fn a_panic() {
    fails(&drilled(FaultKind::Panic, 4), 3, "internal error");
}

#[test]
fn too_little_memory() {
    // Enough for the largest plane, but not for all planes.
    fails(&opened(Options { memory: Some(200_000), ..Options::default() }), 0, "not enough memory");
}

#[test]
fn memory_for_a_single_frame_is_enough() {
    // Cached planes are evicted on demand; all planes of one frame fit.
    let graphics = opened(Options { memory: Some(4_000_000), ..Options::default() });
    assert_eq!(until_it_fails(&smoke_on(&graphics), 8), (8, None));
}

#[test]
fn a_grid_that_is_too_large_has_no_device() {
    let graphics = opened(Options { largest_buffer: Some(1 << 20), ..Options::default() });
    let fits = |size| graphics.smoke(size, true, &mut || true).expect("nobody interrupts").is_some();
    // Sixteen bytes per cell.
    assert!(fits([256, 256]) && !fits([257, 256]) && !fits([1, 40_000]));
}

#[test]
fn no_such_device() {
    let graphics = Graphics::new(Options { adapter: Some("Abacus".to_owned()), ..Options::default() });
    assert!(graphics.smoke(SIZE, true, &mut || true).expect("nobody interrupts").is_none());
    assert!(matches!(&graphics.take_notices()[..], [notice] if notice.contains("Abacus")));
}

#[test]
fn auto_ignores_software_adapters() {
    let software = flow_ofx::compute::gpu::list(None).iter().all(|device| device.kind == "software");
    let graphics = Graphics::new(Options::default());
    let found = graphics.smoke(SIZE, false, &mut || true).expect("nobody interrupts");
    assert_eq!(found.is_none(), software);
    assert_eq!(graphics.take_notices(), [""; 0]);
}

#[test]
fn an_interruption_stops_the_device() {
    let graphics = opened(Options::default());
    let device = smoke_on(&graphics);
    let (scene, cpu) = (scene(), Cpu::new(1));
    let state = scene.start(&cpu);
    for asked in [0, 1, 5] {
        let mut left = asked;
        let mut go_on = || {
            left -= 1;
            left >= 0
        };
        assert_eq!(scene.interrupted(&state, &*device, &cpu, &mut go_on), Err(Failed::Interrupted));
    }
    assert!(scene.next(&state, 1, &*device, &cpu).is_ok());
    assert_eq!(graphics.take_notices(), [""; 0]);
}
