//! Failures of the device: each is reported, and none panics.

use std::time::Duration;

use flow_ofx::compute::gpu::{FaultKind, InjectedFault, Options};
use flow_ofx::sim::volume::{Failed, advance, first};

use crate::scenes::scenes;
use crate::{cpu, opened, volume_on};

/// The outcome of the first frame, and the messages to the user.
fn outcome(options: Options) -> (Result<(), Failed>, Vec<String>) {
    let graphics = opened(options);
    let device = volume_on(&graphics);
    let settings = scenes()[0].at(1);
    let made = advance(&first(&settings), &settings, 1.0, &*device, &mut || true);
    (made.map(|_| ()), graphics.take_notices())
}

#[test]
fn faults_are_reported_once() {
    let kinds = [
        (FaultKind::Lost, "was lost"),
        (FaultKind::Invalid, "reports an error"),
        (FaultKind::Hang, "did not answer"),
        (FaultKind::Panic, "an internal error"),
    ];
    for (kind, text) in kinds {
        let faults = vec![InjectedFault { kind, frame: 1 }];
        let (made, notices) = outcome(Options { faults, timeout: Some(Duration::from_secs(20)), ..Options::default() });
        let Err(Failed::Device(why)) = made else { panic!("{kind:?}: {made:?}") };
        assert!(why.contains(text), "{kind:?}: {why}");
        assert!(matches!(&notices[..], [notice] if notice.contains("on the CPU, from the start")), "{notices:?}");
    }
}

#[test]
fn too_little_memory_is_a_fault() {
    let graphics = opened(Options { memory: Some(2 << 20), ..Options::default() });
    let open = |cells| graphics.volume((cells, 1), true, &cpu(), &mut || true).expect("nobody interrupts");
    assert!(open([64; 3]).is_none(), "one of its buffers is larger");
    // Each buffer of a smaller volume fits, but not all.
    let device = open([32, 40, 24]).expect("a device");
    let settings = scenes()[0].at(1);
    let made = advance(&first(&settings), &settings, 1.0, &*device, &mut || true);
    let Err(Failed::Device(why)) = made else { panic!("{:?}", made.map(|_| ())) };
    assert!(why.contains("not enough memory"), "{why}");
    assert_eq!(graphics.take_notices().len(), 1);
}

#[test]
fn an_abort_stops_a_step() {
    let device = volume_on(&opened(Options::default()));
    let settings = scenes()[0].at(1);
    let start = first(&settings);
    let mut asked = 0;
    let mut go_on = || {
        asked += 1;
        asked < 2
    };
    assert_eq!(advance(&start, &settings, 1.0, &*device, &mut go_on).err(), Some(Failed::Interrupted));
    assert!(advance(&start, &settings, 1.0, &*device, &mut || true).is_ok(), "the device works on");
}
