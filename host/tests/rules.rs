//! Wrong use by a plug-in is answered and reported, and never crashes the host.

mod common;

use common::{plugin, ramp};
use flow_host::{Context, Error, Event, Host, Node, Profile, Project, RectI, Request, RowLayout, live_handles};

fn rude(profile: Profile, how: i32) -> (Host, Node) {
    let (host, plugin) = plugin(profile, "Rude");
    let node = plugin
        .node(Context::Filter)
        .project(Project::new(16, 8))
        .clip("Source", ramp(RectI::new(0, 0, 16, 8)))
        .set("how", how)
        .create()
        .expect("node");
    (host, node)
}

#[track_caller]
fn reports(how: i32, words: &[&str]) {
    let (host, node) = rude(Profile::generic(), how);
    let rows = RowLayout { negative: false, padding: 16 };
    node.render(&Request::at(1.0).rows(rows)).expect("frame");
    let violations = host.record().violations();
    for words in words {
        assert!(violations.iter().any(|v| v.contains(words)), "{words} in {violations:?}");
    }
}

#[test]
fn an_unreleased_image_is_counted_and_reclaimed() {
    let (host, node) = rude(Profile::generic(), 1);
    node.frame(1.0).expect("frame");
    let handles = live_handles();
    for frame in 2..2000 {
        node.frame(f64::from(frame)).expect("frame");
    }
    assert_eq!(host.record().leaked_images(), 1999);
    assert!(live_handles() < handles + 500, "{} of {handles}", live_handles());
    let violations = host.record().violations();
    assert!(violations[0].contains("did not release the image Source at 1"), "{violations:?}");
}

#[test]
fn a_second_release_is_refused() {
    reports(2, &["clipReleaseImage: not an image, or released before"]);
}

#[test]
fn wrong_properties_are_refused() {
    reports(4, &["it is of type double, not int", "index 7 of a property with 1 values", "it is read-only", "no name"]);
    let (host, node) = rude(Profile::generic(), 4);
    node.frame(1.0).expect("frame");
    assert!(
        host.record()
            .events()
            .iter()
            .any(|event| matches!(event, Event::NoProperty { name, .. } if name == "NoSuchProperty"))
    );
}

#[test]
fn invented_handles_are_refused() {
    reports(5, &["not an image effect", "not a clip", "not a property set"]);
}

#[test]
fn a_write_to_the_padding_of_rows_is_detected() {
    reports(6, &["wrote between the rows"]);
}

#[test]
fn another_time_without_a_declaration_is_reported() {
    reports(8, &["at another time without declaring temporal access"]);
}

#[test]
fn a_failure_carries_the_plug_ins_message() {
    let (_, node) = rude(Profile::generic(), 7);
    let error = node.frame(3.0).expect_err("it fails");
    assert!(matches!(error, Error::Plugin { .. }));
    assert!(error.to_string().contains("rude at frame 3 of the test"), "{error}");
    assert_eq!(error.exit_code(), 1);
}

#[test]
fn a_persistent_message_blocks_renders_until_it_is_cleared() {
    let (_, node) = rude(Profile::nuke(), 9);
    node.frame(1.0).expect("the first render is good");
    let error = node.frame(2.0).expect_err("no more renders");
    assert!(matches!(&error, Error::MessageStands { .. }), "{error}");
    assert!(error.to_string().contains("left behind"));
    node.set("how", 0).expect("an edit, which clears the message");
    node.frame(2.0).expect("renders again");
    let (_, node) = rude(Profile::generic(), 9);
    node.frame(1.0).and_then(|_| node.frame(2.0)).expect("other hosts do not mind");
}

#[test]
fn thousands_of_frames_leak_nothing() {
    let (_, plugin) = plugin(Profile::natron(), "Average");
    let node = plugin
        .node(Context::Filter)
        .project(Project::new(16, 8))
        .clip("Source", ramp(RectI::new(0, 0, 16, 8)))
        .create()
        .expect("node");
    node.frame(0.0).expect("frame");
    let before = live_handles();
    for frame in 0..3000 {
        node.frame(f64::from(frame)).expect("frame");
    }
    assert!(live_handles() <= before + 500, "{} after {before}", live_handles());
}
