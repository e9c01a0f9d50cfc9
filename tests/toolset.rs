//! The promise of what the bundle brings for single hosts: Nuke's toolset names what the node has and puts the right channels
//! into the layers, and the Python of both hosts runs.

mod common;

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::process::Command;

use common::{own_flow, private_flow, scene};
use flow_host::{Context, Description, Frame, Node, Profile, Request};

const CLASS: &str = "OFXorg.flowofx.flow_v1";

fn bundled(file: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("bundle").join(file)
}

/// A node of a script: its class, and its knobs as they stand there.
type Knobs = Vec<(String, String)>;

/// The nodes of a script whose knobs take a line each.
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
fn the_toolset_sets_parameters_that_there_are_and_links_all_others() {
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
        let own = ["preset", "info", "positionsSet"];
        let values = described.params.iter().filter(|param| holds_value(&param.kind));
        for param in values.filter(|param| place > 0 && !own.contains(&param.name.as_str())) {
            assert!(knob(knobs, &param.name).is_some(), "{} is not linked", param.name);
        }
    }
}

/// The channel that a name of Nuke's stands for.
fn channel(name: &str) -> usize {
    let last = name.rsplit('.').next().unwrap_or(name);
    ["red", "green", "blue", "alpha"].iter().position(|known| *known == last).expect("a channel of colour")
}

#[test]
fn the_toolset_puts_into_each_layer_what_the_plane_of_that_name_has() {
    let (_host, plugin) = private_flow(Profile::natron());
    let node: Node = scene(&plugin, 40, 24).create().expect("a node");
    let planes = node.planes(4.0).expect("says");
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

/// The place of a colour's full name; beyond all for another.
fn named(name: &str) -> usize {
    ["red", "green", "blue", "alpha"].iter().position(|known| *known == name).unwrap_or(usize::MAX)
}

/// Runs Python; what it prints.
fn python(program: &str, arguments: &[&Path]) -> String {
    let output = Command::new("python3").arg("-B").arg("-c").arg(program).args(arguments).output();
    let output = output.expect("python3 is installed");
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    String::from_utf8_lossy(&output.stdout).into_owned()
}

#[test]
fn nukes_menu_makes_nodes_and_says_so_where_the_plugin_is_missing() {
    let program = r#"
import runpy, sys, types
nuke = types.ModuleType("nuke")
commands, made, told, known = {}, [], [], {"OFXorg.flowofx.flow_v1", "OFXorg.flowofx.FlowSmoke_v1"}
class Menu:
    def addMenu(self, name): commands["menu"] = name; return self
    def addCommand(self, label, command): commands[label] = command
def create(name):
    if name not in known: raise RuntimeError("unknown node")
    made.append(name); return name
nuke.GUI, nuke.menu, nuke.createNode = True, lambda name: Menu(), create
nuke.loadToolset, nuke.message = made.append, told.append
sys.modules["nuke"] = nuke
runpy.run_path(sys.argv[1])
for label in ("Flow", "FlowSmoke", "Flow layers"): commands[label]()
known.clear(); commands["Flow"]()
nuke.GUI = False; runpy.run_path(sys.argv[1])
print(commands["menu"], len(made), made[:2], made[2].endswith("Flow layers.nk"), told)
"#;
    let said = python(program, &[&bundled("nuke/menu.py")]);
    assert!(said.starts_with("Flow 3 ['OFXorg.flowofx.flow_v1', 'OFXorg.flowofx.FlowSmoke_v1'] True"), "{said}");
    assert!(said.contains("org.flowofx.Flow was not found. Install Flow.ofx.bundle"), "{said}");
}

#[test]
fn natrons_group_wires_the_inputs_and_shows_parameters_that_there_are() {
    let program = r#"
import runpy, sys
plug = runpy.run_path(sys.argv[1])
made = []
class StringParam:
    def __init__(self, name): self.name = name
    def getLabel(self): return self.name
    def setAsAlias(self, other): assert other.name == self.name
    def setValue(self, value): pass
class Node:
    def __init__(self, kind): self.kind, self.inputs, self.shown = kind, {}, []
    def getParam(self, name): return StringParam(name)
    def connectInput(self, place, node): self.inputs[place] = node.name
    def setScriptName(self, name): self.name = name
    def __getattr__(self, name): return lambda *arguments: None
class Group(Node):
    def createStringParam(self, name, label): return StringParam(name)
    def createPageParam(self, name, label): return self
    def addParam(self, param): self.shown.append(param.name)
class App:
    def createNode(self, kind, version, group): made.append(Node(kind)); return made[-1]
class Without:
    def createNode(self, kind, version, group): return None
group = Group("group")
plug["createInstance"](App(), group)
assert plug["getPluginID"]() and plug["getLabel"]() and plug["getGrouping"]() and plug["getDescription"]()
print(made[0].kind)
print(" ".join(made[0].inputs[place] for place in sorted(made[0].inputs)))
print(" ".join(group.shown))
try: plug["createInstance"](Without(), group)
except RuntimeError as error: print(error)
"#;
    let said = python(program, &[&bundled("natron/FlowLayers.py")]);
    let lines: Vec<&str> = said.lines().collect();
    let (_host, plugin) = own_flow();
    let described = plugin.describe(Context::General).expect("describes");
    let clips: Vec<&str> = described.clips.iter().map(|clip| &*clip.name).filter(|name| *name != "Output").collect();
    assert_eq!((lines[0], lines[1]), (common::FLOW, clips.join(" ").as_str()));
    for name in lines[2].split(' ') {
        assert!(described.params.iter().any(|param| param.name == name), "there is no parameter {name}");
    }
    assert!(lines[3].contains("org.flowofx.Flow was not found"), "{said}");
}
