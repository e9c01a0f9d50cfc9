//! The images of a frame: windows, and missing frames.

use super::{GRID, Images, Panel, Run, SOURCE, Toy, setup, truth};
use crate::nodes::common::chain::NodeChain;
use crate::nodes::common::node::Failure;
use crate::nodes::common::values::Missing;
use crate::timeline::{InputMemory, Shot as _, Stop, Store, catch_up};

#[test]
fn a_grid_that_moves_is_sampled_where_it_is_and_remembered() {
    let (memory, store, run) =
        (InputMemory::default(), Store::default(), Run { grid: GRID, device: 0, fails_at: None });
    let mut images = Images::default();
    let mut chain = NodeChain::<Toy, _, _>::new(&Panel, &mut images, &run, setup(Missing::Fail), GRID);
    let views: Vec<_> = (1..=2).map(|frame| chain.views(frame).expect("read")).collect();
    assert!(views[0][SOURCE].is_some() && views[0][SOURCE] != views[1][SOURCE], "another window has another hash");
    assert_eq!(views[0][1..], [None, None]);
    let reached = catch_up(&mut chain, 90, &memory, &store, None).expect("nothing fails");
    assert_eq!((&*reached.state, reached.simulated, chain.steps), (&truth(0, 90), 90, 180));
    assert!(images.sampled.iter().all(|(left, time)| left == time), "sampled at another place: {:?}", images.sampled);
    images.sampled.clear();
    let mut chain = NodeChain::<Toy, _, _>::new(&Panel, &mut images, &run, setup(Missing::Fail), GRID);
    let again = catch_up(&mut chain, 90, &memory, &store, None).expect("nothing fails");
    assert_eq!((again.simulated, again.key), (0, reached.key));
    assert!(images.sampled.len() <= 3, "only sentinels are read again: {:?}", images.sampled);
}

#[test]
fn a_frame_that_is_missing_becomes_what_the_panel_says() {
    let at = |missing| {
        let run = Run { grid: GRID, device: 0, fails_at: None };
        let mut images = Images { hole: Some(3.0), ..Images::default() };
        let mut chain = NodeChain::<Toy, _, _>::new(&Panel, &mut images, &run, setup(missing), GRID);
        let reached = catch_up(&mut chain, 3, &InputMemory::default(), &Store::default(), None);
        reached.map(|reached| (reached.state.0[2].2, chain.missing().collect::<Vec<_>>()))
    };
    assert!(matches!(at(Missing::Hold), Ok((Some(2.0), told)) if told.is_empty()));
    let Ok((Some(0.0), told)) = at(Missing::Transparent) else { panic!("it is to be nothing") };
    assert_eq!(told, ["Source had no picture at frame 3 and counted as nothing: set Missing frames to Hold or Fail"]);
    let Err(Stop::Failed(Failure::Error(error))) = at(Missing::Fail) else { panic!("it is to fail") };
    assert!(error.to_string().starts_with("Source has no picture at frame 3."), "{error}");
}

#[test]
fn a_part_of_a_frame_is_a_step_of_its_share() {
    let run = Run { grid: GRID, device: 0, fails_at: None };
    let mut images = Images::default();
    let mut chain = NodeChain::<Toy, _, _>::new(&Panel, &mut images, &run, setup(Missing::Fail), GRID);
    let part = chain.part(&truth(0, 3), 3, 0.5).expect("nothing fails").expect("nobody aborts");
    assert_eq!((&part.0[..3], part.0[3]), (&truth(0, 3).0[..], (0, 1.75, Some(3.5))));
}
