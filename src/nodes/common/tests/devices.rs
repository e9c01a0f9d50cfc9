//! Devices that fail.

use super::{GRID, Images, Panel, Run, Toy, setup, truth};
use crate::nodes::common::chain::NodeChain;
use crate::nodes::common::node::{Failure, with_another_try};
use crate::nodes::common::values::Missing;
use crate::ofx::{Error, Result};
use crate::timeline::{InputMemory, Shot as _, Stop, Store, catch_up};

#[test]
fn a_device_that_fails_leaves_its_chain_for_another() {
    let (memory, store) = (InputMemory::default(), Store::default());
    let mut devices =
        [Run { grid: GRID, device: 1, fails_at: Some(5.0) }, Run { grid: GRID, device: 2, fails_at: None }].into_iter();
    let mut families = Vec::new();
    let reached = with_another_try(|| {
        let run = devices.next().expect("two tries at most");
        let mut images = Images::default();
        let mut chain = NodeChain::<Toy, _, _>::new(&Panel, &mut images, &run, setup(Missing::Fail), GRID);
        families.push(chain.family());
        match catch_up(&mut chain, 7, &memory, &store, None) {
            Ok(reached) => Ok((reached.state, reached.simulated)),
            Err(Stop::Failed(failure)) => Err(failure),
            Err(Stop::Aborted) => unreachable!("nobody aborts"),
        }
    });
    let (state, simulated) = reached.expect("the second device works");
    assert_eq!((&*state, simulated), (&truth(2, 7), 7), "no frame of the first is in it");
    assert!(families.len() == 2 && families[0] != families[1]);
}

#[test]
fn what_fails_twice_or_not_with_its_device_is_an_error() {
    let tries = |failure: fn() -> Failure| {
        let mut count = 0;
        let done: Result<()> = with_another_try(|| {
            count += 1;
            Err(failure())
        });
        (done.is_err(), count)
    };
    assert_eq!(tries(|| Failure::Device("lost".to_owned())), (true, 2));
    assert_eq!(tries(|| Error::message("no").into()), (true, 1));
}
