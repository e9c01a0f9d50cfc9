//! Files of the bundle for single hosts: Nuke's toolset names existing parameters and puts the right channels
//! into the layers, and the Python of both hosts runs.

mod common;

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::process::Command;

use common::{private_flow, scene};
use flow_host::{Context, Description, Frame, Node, Profile, Project, Request, Value};
use serde_json::{Value as Json, json};

const CLASS: &str = "OFXorg.flowofx.flow_v1";

fn bundled(file: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("bundle").join(file)
}

/// A node of a script: its class, and its knobs in the script's order.
type Knobs = Vec<(String, String)>;

/// The nodes of a script that has one knob per line.
fn nodes(script: &str) -> Vec<(String, Knobs)> {
    let mut nodes: Vec<(String, Knobs)> = Vec::new();
    let mut open = false;
    for line in script.lines() {
        if let Some(class) = line.strip_suffix(" {").filter(|_| !open) {
            nodes.push((class.to_owned(), Knobs::new()));
            open = true;
        } else if line == "}" {
            open = false;
        } else if open {
            let (name, value) = line.trim().split_once(' ').expect("a knob has a value");
            nodes.last_mut().expect("one is open").1.push((name.to_owned(), value.to_owned()));
        }
    }
    assert!(!open, "the last node is not closed");
    nodes
}

fn toolset() -> Vec<(String, Knobs)> {
    nodes(&std::fs::read_to_string(bundled("nuke/ToolSets/Flow layers.nk")).expect("there is a toolset"))
}

fn knob<'a>(knobs: &'a Knobs, name: &str) -> Option<&'a str> {
    knobs.iter().find(|(known, _)| known == name).map(|(_, value)| value.trim_matches('"'))
}

#[test]
fn the_toolset_sets_existing_parameters_and_links_the_others() {
    let (_host, plugin) = private_flow(Profile::nuke());
    let described: Description = plugin.describe(Context::General).expect("describes");
    let inputs = described.clips.iter().filter(|clip| clip.name != "Output").count();
    let holds_value = |kind: &str| !["group", "page", "button"].contains(&kind);
    let flows: Vec<Knobs> = toolset().into_iter().filter(|(class, _)| class == CLASS).map(|(_, knobs)| knobs).collect();
    assert_eq!(flows.len(), 9);
    assert_eq!(knob(&flows[0], "name"), Some("Flow_water"));
    for (place, knobs) in flows.iter().enumerate() {
        assert_eq!(knob(knobs, "inputs"), Some(inputs.to_string().as_str()));
        for (name, value) in knobs {
            if ["inputs", "name", "xpos", "ypos", "addUserKnob"].contains(&name.as_str()) {
                continue;
            }
            let param = described.params.iter().find(|param| param.name == *name);
            let param = param.unwrap_or_else(|| panic!("there is no parameter {name}"));
            if name == "output" {
                assert!(param.options.iter().any(|option| option == value.trim_matches('"')), "{value}");
            } else {
                assert!(value.contains(&format!("Flow_water.{name}")), "{name} is {value}");
            }
        }
        let own = ["preset", "info", "cacheId", "positionsSet"];
        let values = described.params.iter().filter(|param| holds_value(&param.kind));
        for param in values.filter(|param| place > 0 && !own.contains(&param.name.as_str())) {
            assert!(knob(knobs, &param.name).is_some(), "{} is not linked", param.name);
        }
    }
}

/// The channel that a Nuke name denotes.
fn channel(name: &str) -> usize {
    let last = name.rsplit('.').next().unwrap_or(name);
    ["red", "green", "blue", "alpha"].iter().position(|known| *known == last).expect("a channel of colour")
}

#[test]
fn each_layer_of_the_toolset_has_the_channels_of_its_plane() {
    let (_host, plugin) = private_flow(Profile::natron());
    let node: Node = scene(&plugin, 40, 24).create().expect("a node");
    let planes = node.planes(4.0).expect("is declared");
    let frame: Frame = node.render(&Request::at(4.0).planes(&planes)).expect("renders");
    let script = toolset();
    let mut made: BTreeMap<String, usize> = BTreeMap::new();
    let outputs: Vec<&str> =
        script.iter().filter(|(class, _)| class == CLASS).filter_map(|(_, knobs)| knob(knobs, "output")).collect();
    let copies = script.iter().filter(|(class, _)| class == "Copy");
    for (output, (_, copy)) in outputs.iter().zip(copies) {
        node.set("output", *output).expect("is set");
        let shown = node.frame(4.0).expect("renders");
        for at in 0..4 {
            let (Some(from), Some(to)) = (knob(copy, &format!("from{at}")), knob(copy, &format!("to{at}"))) else {
                continue;
            };
            let (layer, name) = to.split_once('.').expect("layer and channel");
            let (plane, image) = frame.planes.iter().find(|(plane, _)| plane.name == layer).expect("a plane");
            // Nuke has its own names for R, G, B and A.
            let short = ["R", "G", "B", "A"];
            let place = plane.channels.iter().position(|known| {
                known == name || short.iter().position(|letter| letter == known).is_some_and(|c| c == named(name))
            });
            let place = place.unwrap_or_else(|| panic!("{layer} has no {name}"));
            for (x, y) in [(8, 8), (20, 12), (33, 17)] {
                assert_eq!(image.channels(x, y)[place], shown.pixel(x, y)[channel(from)], "{to} of {output}");
            }
            *made.entry(layer.to_owned()).or_default() += 1;
        }
    }
    let wanted = planes[1..].iter().map(|plane| (plane.name.clone(), plane.channels.len())).collect();
    assert_eq!(made, wanted);
}

/// The index of a colour's full name; the last for any other.
fn named(name: &str) -> usize {
    ["red", "green", "blue", "alpha"].iter().position(|known| *known == name).unwrap_or(usize::MAX)
}

/// Runs Python, and returns its output.
fn python(program: &str, arguments: &[&Path]) -> String {
    let output = Command::new("python3").arg("-B").arg("-c").arg(program).args(arguments).output();
    let output = output.expect("python3 is installed");
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    String::from_utf8_lossy(&output.stdout).into_owned()
}

#[test]
fn nukes_menu_creates_nodes_and_reports_a_missing_plugin() {
    let program = r#"
import runpy, sys, types
nuke = types.ModuleType("nuke")
commands, made, shown, known = {}, [], [], {"OFXorg.flowofx.flow_v1", "OFXorg.flowofx.FlowSmoke_v1"}
class Menu:
    def addMenu(self, name): commands["menu"] = name; return self
    def addCommand(self, label, command): commands[label] = command
def create(name):
    if name not in known: raise RuntimeError("unknown node")
    made.append(name); return name
nuke.GUI, nuke.menu, nuke.createNode = True, lambda name: Menu(), create
nuke.loadToolset, nuke.message = made.append, shown.append
sys.modules["nuke"] = nuke
runpy.run_path(sys.argv[1])
for label in ("Flow", "FlowSmoke", "Flow layers"): commands[label]()
known.clear(); commands["Flow"]()
nuke.GUI = False; runpy.run_path(sys.argv[1])
print(commands["menu"], len(made), made[:2], made[2].endswith("Flow layers.nk"), shown)
"#;
    let output = python(program, &[&bundled("nuke/menu.py")]);
    assert!(output.starts_with("Flow 3 ['OFXorg.flowofx.flow_v1', 'OFXorg.flowofx.FlowSmoke_v1'] True"), "{output}");
    assert!(output.contains("org.flowofx.Flow was not found. Install Flow.ofx.bundle"), "{output}");
}

#[test]
fn nukes_menu_links_nodes_to_a_camera_by_knobs_that_they_have() {
    let program = r#"
import runpy, sys, types
nuke = types.ModuleType("nuke")
commands, shown, selected = {}, [], []
class Menu:
    def addMenu(self, name): return self
    def addCommand(self, label, command): commands[label] = command
class Knob:
    def __init__(self, name): self.name = name
    def value(self): return "XYZ"
    def setValue(self, value): print(self.name, "=", value)
    def setExpression(self, text, index): print(self.name, index, "<-", text)
class Node:
    def __init__(self, names): self.names = names
    def knobs(self): return {name: Knob(name) for name in self.names}
    def knob(self, name): return self.knobs()[name]
    def fullName(self): return "Camera7"
nuke.GUI, nuke.menu, nuke.message, nuke.selectedNodes = True, lambda name: Menu(), shown.append, lambda: selected
sys.modules["nuke"] = nuke
runpy.run_path(sys.argv[1])
commands["Link to camera"]()
selected += [Node(sys.argv[2].split()), Node(["haperture", "rot_order", "focal"])]
commands["Link to camera"]()
print(shown)
"#;
    let (_, bundle) = common::loaded(Profile::nuke());
    for id in ["org.flowofx.FlowParticles", "org.flowofx.FlowVolume"] {
        let described = bundle.plugin(id).and_then(|plugin| plugin.describe(Context::General)).expect("described");
        let names: Vec<&str> = described.params.iter().map(|param| param.name.as_str()).collect();
        let output = python(program, &[&bundled("nuke/menu.py"), Path::new(&names.join(" "))]);
        for line in
            ["camera = Parameters", "rotOrder = XYZ", "focal 0 <- Camera7.focal", "rotate 2 <- Camera7.rotate.z"]
        {
            assert!(output.lines().any(|found| found == line), "{line}: {output}");
        }
        assert!(output.contains("translate 2 <- (Camera7.translate.z - 50 / 24.576) * width"), "{output}");
        assert_eq!(output.matches("Select one camera").count(), 1, "{output}");
    }
}

/// Values of a node's parameters, each as a list.
fn values(node: &Node, described: &Description) -> serde_json::Map<String, Json> {
    let params = described.params.iter().filter(|param| !["group", "page", "button"].contains(&&*param.kind));
    let value = |name: &str| match node.value(name, 1.0).expect("is there") {
        Value::Text(text) => json!([text]),
        Value::Doubles(numbers) => json!(numbers),
        Value::Ints(numbers) => json!(numbers),
    };
    params.map(|param| (param.name.clone(), value(&param.name))).collect()
}

/// The node as the group for Natron sets it up, in a stand-in for Natron that emulates its aliases and its namespace.
fn natrons_group(described: &Description, node: &Node) -> Json {
    let before = values(node, described);
    node.set("preset", "River").expect("is set");
    let input = json!({ "params": described.params, "values": before, "preset": values(node, described) });
    let folder = tempfile::tempdir().expect("a temporary folder");
    let file = folder.path().join("described.json");
    std::fs::write(&file, input.to_string()).expect("is written");
    let natron = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/fake/natron.py");
    let program = "import runpy, sys; sys.argv = sys.argv[1:]; runpy.run_path(sys.argv[0])";
    let output = python(program, &[&natron, &bundled("natron/FlowLayers.py"), &file]);
    serde_json::from_str(&output).expect("JSON")
}

#[test]
fn natrons_group_passes_the_nodes_default_values() {
    let (_host, plugin) = private_flow(Profile::natron());
    let described = plugin.describe(Context::General).expect("describes");
    let node =
        plugin.node(Context::General).set("output", "Water").project(Project::new(200, 100)).create().expect("a node");
    let fresh = values(&node, &described);
    let group = natrons_group(&described, &node);
    assert_eq!(group["made"][0], common::FLOW);
    let clips: Vec<&str> = described.clips.iter().map(|clip| &*clip.name).filter(|name| *name != "Output").collect();
    assert_eq!(group["inputs"], json!(clips));
    let sides = group["sides"].as_object().expect("parameters");
    assert!(sides.len() >= 16 && sides.contains_key("preset") && sides.contains_key("cacheFolder"), "{sides:?}");
    for (name, sides) in sides {
        assert!(described.params.iter().any(|param| param.name == *name), "there is no parameter {name}");
        assert_eq!((&sides["node"], &sides["group"]), (&fresh[name], &fresh[name]), "{name}");
        let shapes = &group["shapes"][name];
        assert_eq!(shapes[0], shapes[1], "the group's {name} is not the node's");
    }
    // A preset chosen on the group also sets the group's parameters, and the aliases stay.
    let preset = values(&node, &described);
    let after = group["after"].as_object().expect("parameters");
    for (name, sides) in after {
        assert_eq!((&sides["node"], &sides["group"]), (&preset[name], &preset[name]), "{name} of the preset");
    }
    assert_ne!(after["emitterRadius"], sides["emitterRadius"], "the preset sets it");
    assert_eq!(group["driven"][0], group["driven"][1]);
    assert!(group["missing"].as_str().is_some_and(|text| text.contains("org.flowofx.Flow was not found")), "{group}");
}

#[test]
fn a_project_with_natrons_group_loads_with_all_its_nodes() {
    let (_host, plugin) = private_flow(Profile::natron());
    let described = plugin.describe(Context::General).expect("describes");
    let node =
        plugin.node(Context::General).set("output", "Water").project(Project::new(200, 100)).create().expect("a node");
    let group = natrons_group(&described, &node);
    assert_eq!(group["loaded"], group["nodes"]);
    assert_eq!(group["order"][0], group["pages"][0], "the page comes first");
}
