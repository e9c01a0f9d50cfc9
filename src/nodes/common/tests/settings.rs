//! The settings of past frames: samples, and unreported changes.

use super::{Editable, GRID, Images, Run, Strength, Toy, setup};
use crate::nodes::common::chain::NodeChain;
use crate::nodes::common::values::Missing;
use crate::timeline::{SettingsCache, Shot as _};

/// The lineage of the settings that a render knows, and the number of frames that it read from the host.
fn lineage(panel: &Editable, cache: Option<(&SettingsCache<Strength>, u128)>, last: i64) -> (Option<u128>, usize) {
    let (run, mut images) = (Run { grid: GRID, device: 0, fails_at: None }, Images::default());
    let before = panel.reads.get();
    let mut chain = NodeChain::<Toy, _, _>::new(panel, &mut images, &run, setup(Missing::Fail), GRID);
    if let Some((cache, stamp)) = cache {
        chain = chain.with_cache(cache, stamp);
    }
    assert!(chain.read_settings(last).expect("reads"));
    (chain.lineage(last), panel.reads.get() - before)
}

#[test]
fn settings_of_past_frames_are_sampled_and_an_unreported_change_of_one_is_found() {
    const LAST: i64 = 5000;
    let (panel, cache) = (Editable::default(), SettingsCache::default());
    let render = |last| lineage(&panel, Some((&cache, 1)), last);
    assert_eq!(render(LAST), lineage(&panel, None, LAST));
    assert_eq!(render(64).1, 64, "all of a short shot");
    let cost = (0..300).map(|_| render(LAST).1).max();
    assert!(cost <= Some(66), "{cost:?} frames are read");
    let next = render(LAST + 1);
    assert!(next.0 == lineage(&panel, None, LAST + 1).0 && next.1 <= 67, "{} frames for the next one", next.1);
    for edited in [2, 777, 1024, 2500, 4711, 4999] {
        panel.edited.set(edited as f64);
        let right = lineage(&panel, None, LAST).0;
        let found = (0..128).find(|_| {
            // Renders of other frames take nothing away.
            render(300);
            render(LAST).0 == right
        });
        println!("frame {edited} of {LAST}: found after {found:?} stale renders");
        assert!(found.is_some(), "frame {edited} is never found");
        assert!((0..300).all(|_| render(LAST).0 == right), "frame {edited}: once found, it stays");
    }
    for edited in [1, LAST] {
        panel.edited.set(edited as f64);
        assert_eq!(render(LAST).0, lineage(&panel, None, LAST).0, "frame {edited} is read by each render");
    }
    // Another stamp: all frames are read.
    panel.edited.set(999.0);
    assert_eq!(lineage(&panel, Some((&cache, 2)), LAST), lineage(&panel, None, LAST));
}

#[test]
fn an_interrupted_render_keeps_the_settings_that_it_has_read() {
    let (panel, cache) = (Editable::default(), SettingsCache::default());
    let run = Run { grid: GRID, device: 0, fails_at: None };
    let mut images = Images { patience: Some(3), ..Images::default() };
    let chain = NodeChain::<Toy, _, _>::new(&panel, &mut images, &run, setup(Missing::Fail), GRID);
    assert!(!chain.with_cache(&cache, 1).read_settings(5000).expect("reads"));
    assert_eq!(panel.reads.get(), 3 * 64);
    let (found, reads) = lineage(&panel, Some((&cache, 1)), 5000);
    assert_eq!(found, lineage(&panel, None, 5000).0);
    assert!(reads < 5000 - 3 * 64 + 67, "{reads} frames are read");
}
