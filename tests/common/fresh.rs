//! Nodes in copies of the library without any state, as in new processes: order, threads and disk change no bit.

use std::path::{Path, PathBuf};

use flow_host::{Host, Node, NodeBuilder, Order, Plugin, Profile, Request};

use super::{bits, simulated};

/// Frames as bits.
pub type Frames = Vec<Vec<[u32; 4]>>;

/// A node under test.
pub struct Subject {
    /// The library.
    pub library: fn() -> PathBuf,
    /// The node's identifier.
    pub id: &'static str,
}

impl Subject {
    /// Runs in a new copy of the library, with so many threads; the host's rules are kept.
    pub fn process<T>(&self, threads: usize, work: impl FnOnce(&Plugin) -> T) -> T {
        let host = Host::new(Profile { threads, ..Profile::generic() });
        let plugin = host.load_private((self.library)()).and_then(|bundle| bundle.plugin(self.id));
        let done = work(&plugin.expect("the bundle has the node"));
        assert_eq!(host.record().violations(), [""; 0]);
        done
    }

    /// The frames of a scene, which are equal in all orders with all numbers of threads.
    pub fn check_orders(
        &self,
        scene: impl Fn(&Plugin) -> NodeBuilder,
        frames: &[f64],
        runs: impl IntoIterator<Item = (Order, usize)>,
    ) -> Frames {
        let run = |threads, order| {
            self.process(threads, |plugin| render(&scene(plugin).create().expect("a node"), frames, order))
        };
        let truth = run(1, Order::Forward);
        assert!(truth.windows(2).all(|pair| pair[0] != pair[1]), "no frame is like another");
        for (order, threads) in runs {
            for ((time, seen), truth) in frames.iter().zip(&run(threads, order)).zip(&truth) {
                assert!(seen == truth, "{order:?} with {threads} threads, frame {time}");
            }
        }
        truth
    }

    /// Checks that frames 1 to `last` of a scene have the same bits when they are written to disk and read from it, and
    /// that the chain goes on from there.
    pub fn check_disk(&self, scene: impl Fn(&Plugin) -> NodeBuilder, last: i32) {
        let folder = tempfile::tempdir().expect("a folder");
        let frames: Vec<f64> = (1..=last).map(f64::from).collect();
        let node = |plugin: &Plugin, path: &Path| {
            scene(plugin).set("cacheFolder", path.to_str().expect("UTF-8")).create().expect("a node")
        };
        let truth = self.process(2, |plugin| render(&scene(plugin).create().expect("a node"), &frames, Order::Forward));
        self.process(2, |plugin| {
            assert!(render(&node(plugin, folder.path()), &frames, Order::Forward) == truth, "writes");
            plugin.reload().expect("loads again");
        });
        self.process(1, |plugin| {
            let node = node(plugin, folder.path());
            for (time, truth) in frames.iter().zip(&truth).rev() {
                let frame = node.frame(*time).expect("renders");
                assert_eq!((simulated(&frame), &bits(&frame)), (0, truth), "frame {time} from disk");
            }
            let next = node.frame(f64::from(last + 1)).expect("renders");
            assert_eq!(simulated(&next), 1, "the chain goes on from disk");
        });
    }
}

/// The pixels of frames that are rendered in an order.
pub fn render(node: &Node, frames: &[f64], order: Order) -> Frames {
    node.collect_frames(frames, order, 1, &Request::at(0.0)).expect("renders").iter().map(bits).collect()
}
