//! Parameters through the variadic calls: every type, keys, edits, undo.

mod common;

use common::plugin;
use flow_host::{Context, Error, Event, Frame, Node, Profile, Project, Request};

fn values_node(profile: Profile) -> (flow_host::Host, Node) {
    let (host, plugin) = plugin(profile, "Values");
    let node = plugin
        .node(Context::General)
        .project(Project::new(200, 100).origin(20, 10).frames(1.0, 50.0))
        .key("number", 10.0, 1.0)
        .key("number", 20.0, 3.0)
        .set("whole", -7)
        .set("pair", [3, 4])
        .set("flag", true)
        .set("choice", "Blue")
        .set("colour", [0.1, 0.2, 0.3])
        .set("tint", [0.0, 0.0, 0.0, 0.5])
        .set("direction", [1.0, 2.0, 3.0])
        .set("text", "water")
        .create()
        .expect("node");
    (host, node)
}

/// Values that the plug-in read, pixel by pixel.
fn probe(frame: &Frame) -> Vec<f32> {
    let bounds = frame.image.bounds();
    (0..24).map(|x| frame.pixel(bounds.x1 + x, bounds.y1)[0]).collect()
}

fn close(got: f32, want: f64) -> bool {
    (f64::from(got) - want).abs() < 1e-5
}

#[test]
fn every_parameter_type_passes_through_the_suite() {
    let (host, node) = values_node(Profile::generic());
    let v = probe(&node.frame(15.0).expect("frame"));
    let want = [
        2.0, 2.0, 0.2, 17.5, -7.0, 304.0, 1.0, 2.0, 0.1, 0.2, 0.3, 0.5, 0.5, 0.25, 3.0, 5.0, 2.0, 20.0, 0.0, 1.0, 50.0,
        1.0, 4.0,
    ];
    for (at, (got, want)) in v.iter().zip(want).enumerate() {
        assert!(close(*got, want), "value {at}: {got} for {want}");
    }
    assert_eq!(host.record().violations(), Vec::<String>::new());
}

#[test]
fn normalised_position_defaults_are_scaled_to_the_project() {
    let (_, node) = values_node(Profile::nuke());
    let v = probe(&node.frame(15.0).expect("frame"));
    assert!(close(v[12], 20.0 + 0.5 * 200.0) && close(v[13], 10.0 + 0.25 * 100.0), "{v:?}");
}

#[test]
fn an_edit_is_reported_and_undone_with_the_plug_ins_own_changes() {
    let (host, node) = values_node(Profile::generic());
    node.preferences().expect("agreed on before there is a panel to press a button in");
    host.record().clear();
    node.push("button").expect("pushed");
    assert_eq!(node.value("whole", 1.0).expect("value"), 42.into());
    assert_eq!(node.value("number", 5.0).expect("value"), 2.5.into());
    let log = node.value("log", 1.0).expect("value");
    assert!(log.text().expect("text").contains("button:UserEdited;"), "{log}");
    assert!(log.text().expect("text").contains("whole:PluginEdited;"), "{log}");
    let actions = host.record().actions();
    assert_eq!(actions.first().map(String::as_str), Some("BeginInstanceChanged"));
    assert_eq!(actions.last().map(String::as_str), Some("EndInstanceChanged"));

    node.set("text", "ice").expect("set");
    let edited = node.value("log", 1.0).expect("value");
    assert_ne!(edited, log);
    assert!(node.undo().expect("undone"));
    assert_eq!(node.value("text", 1.0).expect("value"), "water".into());
}

#[test]
fn keys_are_set_and_deleted() {
    let (_, node) = values_node(Profile::generic());
    node.set_key("number", 30.0, 9.0).expect("key");
    assert_eq!(node.value("number", 25.0).expect("value"), 6.0.into());
    node.delete_key("number", 10.0).expect("deleted");
    let error = node.delete_key("number", 11.0).expect_err("no such key");
    assert!(error.to_string().contains("its keys are at 20, 30"), "{error}");
    node.delete_keys("number", 25.0).expect("deleted");
    assert_eq!(node.value("number", 99.0).expect("value"), 6.0.into());
    assert!(node.curve("number").expect("curve").keys().is_empty());
}

#[test]
fn errors_of_wrong_names_options_and_types_list_the_valid_ones() {
    let (_, node) = values_node(Profile::generic());
    let (_, invert) = plugin(Profile::generic(), "Invert");
    let checks: [(Result<(), Error>, &str); 8] = [
        (node.set("numbr", 1.0), "did you mean number?"),
        (node.set("zzz", 1.0), "it has number, whole, pair"),
        (node.set("choice", "Pink"), "the options are 'Red', 'Green', 'Blue'"),
        (node.set("choice", 7), "0 'Red', 1 'Green', 2 'Blue'"),
        (node.set("colour", [1.0, 2.0]), "expected 3 numbers"),
        (node.set("button", 1), "is a button and holds no value"),
        (node.set_key("text", 1.0, "x"), "text does not animate"),
        (invert.node(Context::Filter).set("amount", 1.5).create().map(drop), "amount: 1.5 is outside 0 to 1"),
    ];
    for (outcome, words) in checks {
        let error = outcome.expect_err(words);
        assert!(error.to_string().contains(words), "{error}");
        assert_eq!(error.exit_code(), 2);
    }
}

#[test]
fn a_host_without_temporal_access_shows_the_current_frame() {
    let profile = Profile { ignores_time: true, ..Profile::generic() };
    let (_, node) = values_node(profile);
    let v = probe(&node.render(&Request::at(20.0)).expect("frame"));
    assert!(close(v[0], 3.0));
    assert_eq!(v[16], 0.0, "no keys to see");
}

#[test]
fn a_parameter_set_in_render_is_refused_and_reported() {
    let (host, plugin) = plugin(Profile::generic(), "Rude");
    let node = plugin
        .node(Context::Filter)
        .set("how", 3)
        .clip("Source", flow_host::Source::constant([1.0; 4]))
        .create()
        .expect("node");
    node.frame(1.0).expect("frame");
    assert_eq!(node.value("how", 1.0).expect("value"), 3.into());
    let violations = host.record().violations();
    assert!(violations.iter().any(|v| v.contains("paramSetValue on how")), "{violations:?}");
    let events = host.record().events();
    assert!(events.iter().any(|event| matches!(event, Event::Violation(_))));
}
